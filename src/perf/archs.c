/* Archs by their names: those that rows may have, and those where kernels may run. */
#include "perf/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static int compare(const void *one, const void *other)
{
	return strcmp(*(const char *const *)one, *(const char *const *)other);
}

void tw__known_archs_init(struct tw__known_archs *known, const struct tw__platform *p)
{
	*known = (struct tw__known_archs){.platform = p};
	if (!p)
		return;
	known->names = tw_alloc((size_t)p->n_archs + (size_t)p->n_ignored_archs, sizeof *known->names);
	for (int i = 0; i < p->n_archs; i++)
		known->names[known->n++] = p->archs[i].name;
	for (int i = 0; i < p->n_ignored_archs; i++)
		known->names[known->n++] = p->ignored_archs[i];
	qsort(known->names, (size_t)known->n, sizeof *known->names, compare);
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

/* --- where kernels may run ---------------------------------------------------------------------------------------- */

bool tw__has_worker(const struct tw__platform *p, tw_arch arch)
{
	for (int w = 0; w < p->n_workers; w++)
		if (p->workers[w].arch == arch)
			return true;
	return false;
}

bool tw__names_arch(const char *list, const struct tw__arch *arch)
{
	const char *kind = arch->accelerator ? "accelerators" : "processors";
	for (const char *at = list; at; at = strchr(at, '+'), at = at ? at + 1 : NULL) {
		size_t length = strcspn(at, "+");
		if ((strlen(kind) == length && !strncmp(at, kind, length)) ||
		    (strlen(arch->name) == length && !strncmp(at, arch->name, length)))
			return true;
	}
	return false;
}

bool tw__may_run(const struct tw__kernel *kernel, const struct tw__arch *arch)
{
	return !kernel->archs || tw__names_arch(kernel->archs, arch);
}

bool tw__has_recorded(const struct tw_graph *g, tw_kernel k, const struct tw__arch *arch)
{
	const char *on = g->kernels[k].recorded_on;
	return g->seconds && on && arch->cores == 1 && tw__may_run(&g->kernels[k], arch) && tw__names_arch(on, arch);
}

bool tw__is_on_processors(const struct tw__platform *all, const struct tw__kernel *kernel)
{
	static const struct tw__arch any = {.name = (char *)"processors"};
	bool is = tw__names_arch(kernel->recorded_on, &any);
	for (tw_arch a = 0; a < all->n_archs && !is; a++)
		is = !all->archs[a].accelerator && tw__names_arch(kernel->recorded_on, &all->archs[a]);
	return is;
}

/* --- several workers together ------------------------------------------------------------------------------------- */

bool tw__has_wide(const struct tw__platform *p)
{
	tw_arch a = 0;
	while (a < p->n_archs && p->archs[a].most_cores <= 1)
		a++;
	return a < p->n_archs;
}

bool tw__is_wide(const struct tw__platform *p, tw_arch a)
{
	tw_arch one = 0;
	while (one < p->n_archs && !(a >= p->archs[one].wide && a < p->archs[one].wide + p->archs[one].most_cores - 1))
		one++;
	return one < p->n_archs;
}

double tw__task_core_seconds(const struct tw__times *times, const struct tw__platform *p, const struct tw_graph *g,
                             tw_task t, tw_arch a)
{
	double least = tw__task_run_seconds(times, g, t, a);
	for (int cores = 2; cores <= p->archs[a].most_cores; cores++)
		least = fmin(least, cores * tw__task_run_seconds(times, g, t, p->archs[a].wide + cores - 2));
	return least;
}
