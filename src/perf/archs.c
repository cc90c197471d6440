#include "perf/archs.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static int compare(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

int tw__known_archs_init(struct tw__known_archs *known, const struct tw_platform *p, struct tw_error *err)
{
	*known = (struct tw__known_archs){.platform = p};
	if (!p)
		return TW_OK;
	known->names = calloc((size_t)p->n_archs + (size_t)p->n_ignored_archs + 1, sizeof *known->names);
	if (!known->names)
		return tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; i < p->n_archs; i++)
		known->names[known->n++] = p->archs[i].name;
	for (int i = 0; i < p->n_ignored_archs; i++)
		known->names[known->n++] = p->ignored_archs[i];
	qsort(known->names, (size_t)known->n, sizeof *known->names, compare);
	return TW_OK;
}

void tw__known_archs_finish(struct tw__known_archs *known)
{
	free(known->names);
	*known = (struct tw__known_archs){0};
}

static const char *name_at(const void *known, int i)
{
	const struct tw__known_archs *k = known;
	return i < k->n ? k->names[i] : NULL;
}

int tw__known_archs_check(const struct tw__known_archs *known, const struct tw__table *t, const char *arch)
{
	char hint[TW__NEAREST_BYTES], names[320];
	if (!known->platform || bsearch(&arch, known->names, (size_t)known->n, sizeof *known->names, compare))
		return TW_OK;
	return tw__table_fail(t, "unknown arch '%.60s'%s: expected one that platform '%.60s' has: %s", arch,
	                      tw__nearest_hint(hint, arch, name_at, known), known->platform->name,
	                      tw__list_names(names, sizeof names, name_at, known));
}
