/* Where kernels may run, by the names of archs, and where recorded seconds hold. */
#include "perf/rows.h"

#include <string.h>

bool tw__has_worker(const struct tw_platform *p, tw_arch arch)
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

bool tw__is_on_processors(const struct tw_platform *all, const struct tw__kernel *kernel)
{
	static const struct tw__arch any = {.name = (char *)"processors"};
	bool is = tw__names_arch(kernel->recorded_on, &any);
	for (tw_arch a = 0; a < all->n_archs && !is; a++)
		is = !all->archs[a].accelerator && tw__names_arch(kernel->recorded_on, &all->archs[a]);
	return is;
}
