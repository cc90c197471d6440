#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "process/fork.h"

int output_open(struct output *output, const char *path, struct tw_error *err)
{
	*output = (struct output){.path = path};
	if (strcmp(path, "-") == 0) {
		output->file = stdout;
		return TW_OK;
	}
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	output->is_new = fd >= 0;
	if (fd < 0 && errno == EEXIST)
		fd = open(path, O_WRONLY | O_CLOEXEC);
	output->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!output->file) {
		int reason = errno;
		if (fd >= 0)
			close(fd);
		return tw_fail(err, TW_INVALID, "--output '%s': %s: expected a file that can be written", path,
		               strerror(reason));
	}
	tw__hide(fd); /* a plug-in could write into it */
	return TW_OK;
}

void output_begin(struct output *output)
{
	struct stat about;
	struct tw_error ignored;
	if (output->file == stdout)
		return;
	if (fstat(fileno(output->file), &about) == 0 && S_ISREG(about.st_mode)) {
		if (tw__new_file_open(&output->draft, output->path, &ignored) == TW_OK) {
			tw__unhide(fileno(output->file));
			fclose(output->file);
			output->file = output->draft.f;
			output->is_draft = true;
			return;
		}
	}
	/* Without a temporary file, the content goes into the open one. Devices and pipes cannot be truncated, and need
	 * not be: ignore that error. */
	if (ftruncate(fileno(output->file), 0) < 0)
		errno = 0;
}

int output_close(struct output *output, struct tw_error *err)
{
	FILE *file = output->file;
	int reason;
	output->file = NULL;
	if (file == stdout)
		return TW_OK; /* main flushes stdout, and reports a failure */
	if (output->is_draft) {
		reason = tw__new_file_end(&output->draft);
	} else {
		tw__unhide(fileno(file));
		reason = tw__close(file, false);
	}
	if (reason && output->is_new)
		unlink(output->path);
	return reason ? tw_fail(err, TW_FAILED, "--output '%s': cannot be written: %s", output->path, strerror(reason))
	              : TW_OK;
}

void output_abandon(struct output *output)
{
	if (!output->file || output->file == stdout)
		return;
	if (output->is_new)
		unlink(output->path);
	if (output->is_draft) {
		tw__new_file_drop(&output->draft);
	} else {
		tw__unhide(fileno(output->file));
		fclose(output->file);
	}
	output->file = NULL;
}
