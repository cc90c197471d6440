/* Runs the programs that make a figure from a script. */
#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/new_file.h"
#include "plot/plot.h"

const char *tw__trace_name(const char *path)
{
	const char *name = path;
	for (const char *c = path; *c; c++)
		if (*c == '/' && c[1])
			name = c + 1;
	return name;
}

const char *tw__ending_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	return dot ? dot : "";
}

/* Copies a complete figure or script to the file `output`. */
static int put(FILE *from, const char *output, struct tw_error *err)
{
	char buffer[1 << 14];
	struct tw__new_file file;
	int status = tw__new_file_open(&file, output, err);
	if (status < 0)
		return status;
	rewind(from);
	for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
		fwrite(buffer, 1, n, file.f); /* tw__new_file_close finds errors */
	if (!ferror(from))
		return tw__new_file_close(&file, err);
	tw__new_file_drop(&file);
	return tw_fail(err, TW_FAILED, "%s: cannot be written: %s", output, strerror(EIO));
}

/* Finds the first line with information in what the program wrote to stderr; for an error message. */
static void first_complaint(FILE *complaints, const struct tw__drawer *d, char *text, int size)
{
	rewind(complaints);
	strcpy(text, "no reason given");
	char line[256];
	while (fgets(line, sizeof line, complaints)) {
		line[strcspn(line, "\r\n")] = 0;
		const char *s = line + strspn(line, " \t^");
		if (!*s || (d->prompt && !strncmp(s, d->prompt, strlen(d->prompt))))
			continue;
		snprintf(text, (size_t)size, "%s", s);
		return;
	}
}

/* Runs the program with these descriptors as stdin, stdout and stderr. Returns 0 or errno; `*status` is the program's
 * wait status. */
static int spawn(const struct tw__drawer *d, int script, int out, int complaints, int *status)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
	if (!error) /* the cast: posix_spawn does not change the arguments, despite its type */
		error = posix_spawnp(&child, d->arguments[0], &actions, NULL, (char *const *)(uintptr_t)d->arguments,
		                     environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return error;
	while (waitpid(child, status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

static int run(const struct tw__drawer *d, FILE *script, FILE *complaints, FILE *figure, const char *output,
               struct tw_error *err)
{
	int status = 0;
	if (lseek(fileno(script), 0, SEEK_SET) < 0)
		return tw_fail(err, TW_FAILED, "%s: the script cannot be read: %s", d->name, strerror(errno));
	int error = spawn(d, fileno(script), fileno(figure), fileno(complaints), &status);
	if (error == ENOENT)
		return tw_fail(
			err, TW_FAILED,
			"%s is not installed: expected it, to draw figures; an output that ends in %s is its script",
			d->name, d->script_ending);
	if (error)
		return tw_fail(err, TW_FAILED, "%s cannot be run: %s", d->name, strerror(error));
	struct stat about;
	bool empty = fstat(fileno(figure), &about) == 0 && about.st_size == 0;
	if (status != 0 || empty) {
		char text[256];
		first_complaint(complaints, d, text, sizeof text);
		return tw_fail(err, TW_FAILED, "%s: %s failed: %s", output, d->name, text);
	}
	return put(figure, output, err);
}

/* Makes the file `output` from a script. An output with the ending of scripts is the script itself. */
static int make(const struct tw__drawer *d, FILE *script, const char *output, struct tw_error *err)
{
	if (fflush(script) != 0 || ferror(script))
		return tw_fail(err, TW_FAILED, "%s: the script for %s cannot be written: %s", output, d->name,
		               strerror(errno));
	if (!strcmp(tw__ending_of(output), d->script_ending))
		return put(script, output, err);
	FILE *complaints = tmpfile(), *figure = tmpfile();
	int status = complaints && figure ? run(d, script, complaints, figure, output, err)
	                                  : tw_fail(err, TW_FAILED, "no temporary file: %s", strerror(errno));
	if (complaints)
		fclose(complaints);
	if (figure)
		fclose(figure);
	return status;
}

int tw__draw(const struct tw__drawer *d, const char *output, bool keep_script,
             int (*write)(void *what, FILE *script, struct tw_error *err), void *what, struct tw_error *err)
{
	FILE *script = tmpfile();
	if (!script)
		return tw_fail(err, TW_FAILED, "no temporary file: %s", strerror(errno));
	int status = write(what, script, err);
	if (status == TW_OK && keep_script) { /* before the program runs: it helps to find out why the program fails */
		int length = (int)(strlen(output) - strlen(tw__ending_of(output)));
		char *path = tw_format("%.*s%s", length, output, d->script_ending);
		status = make(d, script, path, err);
		free(path);
	}
	if (status == TW_OK)
		status = make(d, script, output, err);
	fclose(script);
	return status;
}
