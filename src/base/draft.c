#include "base/draft.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int tw__draft_open(struct tw__draft *d, const char *option, const char *folder, const char *name, struct tw_error *err)
{
	int n = snprintf(d->final, sizeof d->final, "%s/%s", folder, name);
	if (n < 0 || (size_t)n >= sizeof d->final ||
	    (size_t)snprintf(d->path, sizeof d->path, "%s/.%s.%d.part", folder, name, (int)getpid()) >= sizeof d->path)
		return tw_fail(err, TW_INVALID, "%s '%.200s...': expected a shorter path", option, folder);
	d->f = fopen(d->path, "we");
	return d->f ? TW_OK
	            : tw_fail(err, TW_INVALID, "%s '%.300s': %s: expected a folder that can be written to", option,
	                      folder, strerror(errno));
}

int tw__draft_close(struct tw__draft *d, struct tw_error *err)
{
	bool failed = ferror(d->f) || fflush(d->f) != 0 || fsync(fileno(d->f)) != 0;
	int reason = failed ? errno : 0;
	if (fclose(d->f) != 0 && !failed) {
		failed = true;
		reason = errno;
	}
	if (!failed && rename(d->path, d->final) < 0) {
		failed = true;
		reason = errno;
	}
	if (!failed)
		return TW_OK;
	unlink(d->path);
	return tw_fail(err, TW_FAILED, "%.400s: cannot be written: %s", d->final,
	               reason ? strerror(reason) : "an earlier error");
}

void tw__draft_drop(struct tw__draft *d)
{
	fclose(d->f);
	unlink(d->path);
}

int tw__draft_folder(const char *option, const char *folder, const char *name, struct tw_error *err)
{
	struct tw__draft d;
	if (mkdir(folder, 0777) < 0 && errno != EEXIST)
		return tw_fail(err, TW_INVALID, "%s '%.300s': %s: expected a folder that can be made", option, folder,
		               strerror(errno));
	int status = tw__draft_open(&d, option, folder, name, err);
	if (status == TW_OK)
		tw__draft_drop(&d);
	return status;
}
