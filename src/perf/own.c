/* The seconds that tasks have of their own on each arch: recorded, or given for one arch or one kind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "perf/rows.h"

/* Whether tw_graph.arch_names[i] is that of the arch, or of its kind. */
enum match { NO, BY_KIND, BY_NAME };

/* A search on one arch, for task after task. */
struct search {
	struct tw__times *times;
	const struct tw_graph *graph;
	const struct tw__arch *arch;
	tw_arch number;     /* of the arch */
	enum match *match;  /* [n_arch_names] */
	bool *may_run;      /* [n_kernels] */
	bool *has_recorded; /* [n_kernels] whether tasks take their recorded seconds */
	size_t next;        /* index of the first entry of tw_graph.arch_seconds that was not looked at */
};

static bool search_init(struct search *s, struct tw__times *times, const struct tw_graph *g,
                        const struct tw_platform *p, tw_arch a)
{
	*s = (struct search){.times = times, .graph = g, .arch = &p->archs[a], .number = a};
	s->match = calloc((size_t)g->n_arch_names + 1, sizeof *s->match);
	s->may_run = calloc((size_t)g->n_kernels + 1, sizeof *s->may_run);
	s->has_recorded = calloc((size_t)g->n_kernels + 1, sizeof *s->has_recorded);
	if (!s->match || !s->may_run || !s->has_recorded)
		return false;
	for (int i = 0; i < g->n_arch_names; i++)
		s->match[i] = !tw__names_arch(g->arch_names[i], s->arch)     ? NO
		              : strcmp(g->arch_names[i], s->arch->name) == 0 ? BY_NAME
		                                                             : BY_KIND;
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		s->may_run[k] = tw__may_run(&g->kernels[k], s->arch);
		s->has_recorded[k] = tw__has_recorded(g, k, s->arch);
	}
	return true;
}

static void search_finish(struct search *s)
{
	free(s->match);
	free(s->may_run);
	free(s->has_recorded);
}

/* Returns the own seconds of the task; NAN: none. Call it for each task once, in their order. */
static double find(struct search *s, tw_task t)
{
	const struct tw_graph *g = s->graph;
	tw_kernel k = g->kernel[t];
	double seconds = s->has_recorded[k] ? g->seconds[t] : NAN;
	enum match best = NO;
	for (; s->next < g->n_arch_seconds && g->arch_seconds[s->next].task == t; s->next++) {
		enum match match = s->match[g->arch_seconds[s->next].name];
		if (match > best) {
			best = match;
			seconds = g->arch_seconds[s->next].seconds;
		}
	}
	return s->may_run[k] ? seconds : NAN;
}

/* Sets the task's own seconds on the arch. False: out of memory. */
static bool set(const struct search *s, tw_task t, double seconds)
{
	struct tw__times *times = s->times;
	double **own = &times->own[s->number];
	if (!*own) {
		*own = malloc((size_t)times->n_tasks * sizeof **own);
		for (tw_task u = 0; *own && u < times->n_tasks; u++)
			(*own)[u] = NAN;
	}
	if (!*own)
		return false;
	(*own)[t] = seconds;
	times->recorded[s->graph->kernel[t] * times->n_archs + s->number] = times->has_recorded = true;
	return true;
}

bool tw__own_times(struct tw__times *times, const struct tw_platform *p, const struct tw_graph *g)
{
	bool ok = true;
	times->n_tasks = g->n_tasks;
	for (tw_arch a = 0; a < p->n_archs && ok && (g->seconds || g->n_arch_seconds); a++) {
		struct search s;
		if (p->archs[a].cores > 1)
			continue;
		ok = search_init(&s, times, g, p, a);
		for (tw_task t = 0; t < g->n_tasks && ok; t++) {
			double seconds = find(&s, t);
			ok = isnan(seconds) || set(&s, t, seconds);
		}
		search_finish(&s);
	}
	return ok;
}
