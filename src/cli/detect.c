#include "cli/detect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "perf/models.h"
#include "platform/detect.h"

/* A file of the folder, under another name until it is whole. */
struct part {
	char *path, *draft; /* draft: NULL when it is no more, or not yet */
	FILE *file;
};

static int part_open(struct part *part, const char *folder, const char *name, struct tw_error *err)
{
	if (asprintf(&part->path, "%s/%s", folder, name) < 0)
		part->path = NULL;
	if (asprintf(&part->draft, "%s/.%s.XXXXXX", folder, name) < 0)
		part->draft = NULL;
	if (!part->path || !part->draft)
		return tw_fail(err, TW_NOMEM, "out of memory");
	int fd = mkstemp(part->draft);
	mode_t mask = umask(0);
	umask(mask);
	if (fd >= 0 && fchmod(fd, 0666 & ~mask) == 0 && (part->file = fdopen(fd, "w")))
		return TW_OK;
	int reason = errno;
	if (fd >= 0) {
		close(fd);
		unlink(part->draft);
	}
	free(part->draft);
	part->draft = NULL;
	return tw_fail(err, TW_INVALID, "--output '%s': %s: expected a folder that can be written to", folder,
	               strerror(reason));
}

static int part_close(struct part *part, struct tw_error *err)
{
	FILE *file = part->file;
	part->file = NULL;
	bool failed = ferror(file) || fflush(file) != 0 || fsync(fileno(file)) != 0;
	int reason = errno;
	if (fclose(file) != 0 && !failed) {
		failed = true;
		reason = errno;
	}
	return failed ? tw_fail(err, TW_FAILED, "%s: cannot be written: %s", part->path, strerror(reason)) : TW_OK;
}

/* The draft becomes the file, which it does not replace unless it may: then EEXIST is the answer, of errno. */
static int part_settle(struct part *part, bool replace)
{
	if (replace ? rename(part->draft, part->path) < 0 : link(part->draft, part->path) < 0)
		return errno;
	if (!replace)
		unlink(part->draft);
	free(part->draft);
	part->draft = NULL;
	return 0;
}

static void part_finish(struct part *part)
{
	if (part->file)
		fclose(part->file);
	if (part->draft)
		unlink(part->draft);
	free(part->draft);
	free(part->path);
}

static int write_kernels(FILE *f, const char *summary)
{
	return fprintf(f,
	               "# %s\n# A row for each kernel, kind of worker and size that is measured: docs/platforms.md\n%s\n",
	               summary, tw__kernels_header) < 0;
}

static int already_there(const struct part *part, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "%s is there already: expected another folder, or --force to replace it",
	               part->path);
}

/* Kernel times that somebody measured stay. */
static int settle(struct part *platform, struct part *kernels, bool force, struct tw_error *err)
{
	int error = part_settle(kernels, false);
	bool added = !error;
	if (error && error != EEXIST)
		return tw_fail(err, TW_FAILED, "%s: cannot be written: %s", kernels->path, strerror(error));
	error = part_settle(platform, force);
	if (!error)
		return TW_OK;
	if (added)
		unlink(kernels->path);
	return error == EEXIST ? already_there(platform, err)
	                       : tw_fail(err, TW_FAILED, "%s: cannot be written: %s", platform->path, strerror(error));
}

static int detect(const struct detect_options *o, struct part *platform, struct part *kernels, struct tw_error *err)
{
	struct tw_platform *p = NULL;
	int status = part_open(platform, o->folder, "platform.xml", err);
	if (status == TW_OK && !o->force && access(platform->path, F_OK) == 0)
		status = already_there(platform, err);
	if (status == TW_OK)
		status = part_open(kernels, o->folder, "kernels.csv", err);
	if (status == TW_OK)
		status = tw__detect(platform->file, o->name, o->hwloc_xml, err);
	if (status == TW_OK)
		status = part_close(platform, err);
	if (status == TW_OK && tw__platform_read(&p, platform->draft, "detected", err) < 0) {
		struct tw_error inner = *err;
		status = tw_fail(err, TW_INVALID, "what hwloc tells makes no platform: %.400s", inner.message);
	}
	if (status == TW_OK && write_kernels(kernels->file, p->summary))
		status = tw_fail(err, TW_FAILED, "%s: cannot be written: %s", kernels->path, strerror(errno));
	if (status == TW_OK)
		status = part_close(kernels, err);
	if (status == TW_OK)
		status = settle(platform, kernels, o->force, err);
	if (status == TW_OK)
		printf("%s: %s\n", platform->path, p->summary);
	tw__platform_destroy(p);
	return status;
}

int detect_platform(const struct detect_options *o)
{
	struct tw_error err;
	struct part platform = {0}, kernels = {0};
	bool made = mkdir(o->folder, 0777) == 0;
	int status = made || errno == EEXIST ? TW_OK
	                                     : tw_fail(&err, TW_INVALID,
	                                               "--output '%s': %s: expected a folder, or the "
	                                               "name of a new one in a folder that is there",
	                                               o->folder, strerror(errno));
	if (status == TW_OK)
		status = detect(o, &platform, &kernels, &err);
	part_finish(&platform);
	part_finish(&kernels);
	if (status < 0 && made)
		rmdir(o->folder);
	return status < 0 ? cli_error(status, &err) : 0;
}
