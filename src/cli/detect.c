#include "cli/detect.h"

#include "cli/cli.h"
#include "cli/folder.h"
#include "perf/models.h"
#include "platform/detect.h"

static void write_kernels(FILE *f, const char *summary)
{
	fprintf(f,
	        "# %s\n"
	        "# A row for each kernel, kind of worker and size that is measured: docs/reference/platforms.md\n"
	        "%s\n",
	        summary, tw__kernels_header);
}

/* Reads the written platform.xml back, since a file that the parser refuses is no platform. */
static int read_back(struct tw_platform **p, const char *path, struct tw_error *err)
{
	struct tw_error inner;
	if (tw__platform_read(p, path, "detected", &inner) == TW_OK)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "hwloc's topology makes no valid platform: %.400s", inner.message);
}

static int detect(const struct detect_options *o, struct folder *folder, struct tw_error *err)
{
	struct tw_platform *p = NULL;
	struct folder_file *files = folder->files;
	int status = tw__detect(files[FOLDER_PLATFORM].file, o->name, o->hwloc_xml, err);
	if (status == TW_OK)
		status = folder_close(folder, FOLDER_PLATFORM, err);
	if (status == TW_OK)
		status = read_back(&p, files[FOLDER_PLATFORM].draft, err);
	if (status == TW_OK) {
		write_kernels(files[FOLDER_KERNELS].file, p->summary);
		status = folder_settle(folder, err);
	}
	if (status == TW_OK)
		printf("%s: %s\n", files[FOLDER_PLATFORM].path, p->summary);
	tw__platform_destroy(p);
	return status;
}

int detect_platform(const struct detect_options *o)
{
	/* Measured kernel times stay: even --force does not replace kernels.csv. */
	const enum folder_rule rules[] = {o->force ? FOLDER_REPLACE : FOLDER_REFUSE, FOLDER_KEEP};
	struct tw_error err;
	struct folder folder;
	int status = folder_open(&folder, o->folder, rules, &err);
	if (status == TW_OK)
		status = detect(o, &folder, &err);
	folder_finish(&folder);
	return status < 0 ? cli_error(status, &err) : 0;
}
