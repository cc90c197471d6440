/* The seconds that tasks have of their own on each arch: recorded, or given for one arch or one kind. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "perf/rows.h"

/* Whether tw_graph.arch_names[i] is that of the arch, or of its kind. */
enum match { NO, BY_KIND, BY_NAME };

/* A search on one arch, for task after task. A group of cores is searched as one core. */
struct search {
	struct tw__times *times;
	const struct tw_graph *graph;
	struct tw__arch arch; /* a group of cores: as one core */
	tw_arch number;       /* of the arch */
	enum match *match;    /* [n_arch_names] */
	struct on_arch {
		bool may_run;
		bool has_recorded;          /* whether tasks take their recorded seconds */
		bool on_processors;         /* whether their recorded seconds are those of a processor */
		struct tw__factor *speedup; /* NULL: none */
		struct tw__factor *amdahl;  /* of a group; NULL: none */
	} * kernels;                        /* [n_kernels] */
	size_t next; /* index of the first entry of tw_graph.arch_seconds that was not looked at */
};

static void search_init(struct search *s, struct tw__times *times, const struct tw__models *models,
                        const struct tw_graph *g, const struct tw__platform *p, tw_arch a)
{
	const struct tw__factors *speedups = models ? models->speedups : NULL;
	*s = (struct search){.times = times,
	                     .graph = g,
	                     .arch = p->archs[a],
	                     .number = a,
	                     .match = tw_alloc((size_t)g->n_arch_names, sizeof *s->match),
	                     .kernels = tw_alloc((size_t)g->n_kernels, sizeof *s->kernels)};
	s->arch.cores = 1;
	for (int i = 0; i < g->n_arch_names; i++)
		s->match[i] = !tw__names_arch(g->arch_names[i], &s->arch)   ? NO
		              : strcmp(g->arch_names[i], s->arch.name) == 0 ? BY_NAME
		                                                            : BY_KIND;
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		struct tw__factor *speedup = speedups ? tw__factor_of(speedups, &g->kernels[k], &s->arch) : NULL;
		const int row = times->row[k * times->n_archs + a];
		bool is_measured = row >= 0 || row == TW__TIME_BETWEEN;
		s->kernels[k] = (struct on_arch){
			.may_run = tw__may_run(&g->kernels[k], &s->arch),
			.has_recorded = tw__has_recorded(g, k, &s->arch),
			.speedup = speedup,
			.amdahl = models && !is_measured ? tw__amdahl_of(models, &g->kernels[k], &p->archs[a]) : NULL,
			.on_processors = speedup && tw__is_on_processors(speedups->all, &g->kernels[k]),
		};
	}
}

/* Returns the own seconds of the task; NAN: none. Call it for each task once, in their order. */
static double find(struct search *s, tw_task t)
{
	const struct tw_graph *g = s->graph;
	const struct on_arch *kernel = &s->kernels[g->kernel[t]];
	double recorded = g->seconds ? g->seconds[t] : NAN, on_processors = kernel->on_processors ? recorded : NAN;
	double seconds = kernel->has_recorded ? recorded : NAN;
	enum match best = NO;
	for (; s->next < g->n_arch_seconds && g->arch_seconds[s->next].task == t; s->next++) {
		const struct tw__arch_seconds *on = &g->arch_seconds[s->next];
		if (strcmp(g->arch_names[on->name], "processors") == 0)
			on_processors = on->seconds;
		if (s->match[on->name] > best) {
			best = s->match[on->name];
			seconds = on->seconds;
		}
	}
	bool has_mean = !isnan(s->times->mean[g->kernel[t] * s->times->n_archs + s->number]);
	if (kernel->may_run && kernel->speedup && best == NO && !isnan(on_processors) &&
	    !(isnan(seconds) && has_mean)) {
		kernel->speedup->used = s->times->sped_up = true;
		seconds = fmax(on_processors / kernel->speedup->value, 1 / TW__NS_PER_S);
	}
	return kernel->may_run ? seconds : NAN;
}

/* Sets the task's own seconds on the arch. */
static int set(const struct search *s, tw_task t, double seconds, struct tw_error *err)
{
	struct tw__times *times = s->times;
	tw_kernel k = s->graph->kernel[t];
	double **own = &times->own[s->number];
	if (seconds > TW_MAX_SECONDS)
		return tw_fail(err, TW_INVALID,
		               "--speedup: task %d (%.60s) would take %g s on %.60s, expected at most %g", (int)t,
		               s->graph->kernels[k].name, seconds, s->arch.name, TW_MAX_SECONDS);
	if (!*own) {
		*own = tw_resize(NULL, (size_t)times->n_tasks, sizeof **own);
		for (tw_task u = 0; u < times->n_tasks; u++)
			(*own)[u] = NAN;
	}
	(*own)[t] = seconds;
	times->recorded[k * times->n_archs + s->number] = times->has_recorded = true;
	return TW_OK;
}

/* Returns the own seconds of the task on the arch that is searched; NAN: none. */
static double find_on_arch(struct search *s, int cores, tw_task t)
{
	struct tw__factor *amdahl = s->kernels[s->graph->kernel[t]].amdahl;
	double seconds = find(s, t);
	if (cores == 1 || isnan(seconds) || !amdahl)
		return cores == 1 ? seconds : NAN;
	amdahl->used = s->times->amdahl = true;
	return fmax(seconds / tw__group_speedup(amdahl, "", cores), 1 / TW__NS_PER_S);
}

int tw__own_times(struct tw__times *times, const struct tw__models *models, const struct tw__platform *p,
                  const struct tw_graph *g, struct tw_error *err)
{
	int status = TW_OK;
	times->n_tasks = g->n_tasks;
	for (tw_arch a = 0; a < p->n_archs && status == TW_OK && (g->seconds || g->n_arch_seconds); a++) {
		const int cores = p->archs[a].cores;
		struct search s;
		if (cores > 1 && !(models && models->amdahl))
			continue;
		search_init(&s, times, models, g, p, a);
		for (tw_task t = 0; t < g->n_tasks && status == TW_OK; t++) {
			double seconds = find_on_arch(&s, cores, t);
			status = isnan(seconds) ? TW_OK : set(&s, t, seconds, err);
		}
		free(s.match);
		free(s.kernels);
	}
	return status;
}
