/* Functions that create, read, check and destroy task graphs. */
#include "graph/graph.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/door.h"
#include "graph/build.h"
#include "graph/parts.h"
#include "graph/ranks.h"
#include "graph/reduction.h"

struct tw_graph *tw_graph_create(void)
{
	struct tw_graph *g = calloc(1, sizeof *g);
	if (!g)
		return NULL;
	g->shared = calloc(1, sizeof *g->shared);
	g->build = tw__graph_build_create();
	if (!g->shared || !g->build) {
		tw__graph_build_destroy(g->build);
		free(g->shared);
		free(g);
		return NULL;
	}
	atomic_init(&g->shared->uses, 1);
	atomic_init(&g->shared->n_predecessors, NULL);
	return g;
}

struct tw_graph *tw__graph_share(struct tw_graph *g)
{
	atomic_fetch_add(&g->shared->uses, 1);
	return g;
}

void tw__ranks_destroy(struct tw__ranks *r)
{
	if (!r)
		return;
	free(r->first);
	free(r->first_data);
	free(r->messages);
	free(r->message_of);
	free(r->origin);
	free(r->data_origin);
	free(r->first_phase);
	free(r->in_order);
	free(r);
}

void tw_graph_destroy(struct tw_graph *g)
{
	if (!g)
		return;
	if (g->extension) {
		tw__graph_unextend(g);
		return;
	}
	if (atomic_fetch_sub(&g->shared->uses, 1) > 1)
		return;
	free(atomic_load(&g->shared->n_predecessors));
	free(g->shared);
	tw__graph_build_destroy(g->build);
	for (int k = 0; k < g->n_kernels; k++) {
		free(g->kernels[k].name);
		free(g->kernels[k].size);
		free(g->kernels[k].precision);
		free(g->kernels[k].archs);
		free(g->kernels[k].recorded_on);
	}
	free(g->kernels);
	tw__graph_free_arrays(g);
	free(g->contributions);
	free(g->phase_successor_start);
	free(g->phase_successor);
	free(g->place);
	for (int i = 0; i < g->n_arch_names; i++)
		free(g->arch_names[i]);
	free(g->arch_names);
	free(g->arch_seconds);
	for (int i = 0; i < g->n_parts; i++) {
		free(g->parts[i].domain);
		free(g->parts[i].name);
		free(g->parts[i].kernels);
	}
	free(g->parts);
	tw__ranks_destroy(g->ranks);
	free(g);
}

const char *tw_mode_name(enum tw_mode mode)
{
	switch (mode) {
	case TW_R:
		return "R";
	case TW_W:
		return "W";
	case TW_RW:
		return "RW";
	case TW_SCRATCH:
		return "SCRATCH";
	case TW_REDUX:
		return "REDUX";
	}
	return "?";
}

tw_task tw_graph_n_tasks(const struct tw_graph *g) { return g->n_tasks; }
tw_data tw_graph_n_data(const struct tw_graph *g) { return g->n_data; }
int tw_graph_n_kernels(const struct tw_graph *g) { return g->n_kernels; }
double tw_graph_flops(const struct tw_graph *g) { return g->flops; }

static bool is_task(const struct tw_graph *g, tw_task t) { return t >= 0 && t < g->n_tasks; }

/* In a run, a wrong number is an error of the run. */
static __attribute__((cold, noinline)) bool refuse(const char *function, const char *what, int32_t given, int32_t n)
{
	tw__wrong_call("%s: %s %d: expected one from 0 to %d", function, what, (int)given, (int)n - 1);
	return false;
}

#define IS(what, given, n) ((uint32_t)(given) < (uint32_t)(n) || refuse(__func__, what, given, n))
#define IS_TASK(g, t) IS("task", t, (g)->n_tasks)
#define IS_KERNEL(g, k) IS("kernel", k, (g)->n_kernels)

const char *tw_graph_kernel_name(const struct tw_graph *g, tw_kernel k)
{
	return IS_KERNEL(g, k) ? g->kernels[k].name : "";
}

const char *tw_graph_kernel_size(const struct tw_graph *g, tw_kernel k)
{
	return IS_KERNEL(g, k) ? g->kernels[k].size : "";
}

double tw_graph_kernel_flops(const struct tw_graph *g, tw_kernel k)
{
	return IS_KERNEL(g, k) ? g->kernels[k].flops : 0;
}
tw_kernel tw_graph_task_kernel(const struct tw_graph *g, tw_task t) { return IS_TASK(g, t) ? g->kernel[t] : TW_NONE; }
int32_t tw_graph_priority(const struct tw_graph *g, tw_task t) { return IS_TASK(g, t) ? g->priority[t] : 0; }
bool tw_graph_is_critical(const struct tw_graph *g, tw_task t) { return IS_TASK(g, t) && g->critical[t]; }

uint64_t tw_graph_data_bytes(const struct tw_graph *g, tw_data d)
{
	return IS("data", d, g->n_data) ? g->data_bytes[d] : 0;
}

/* Also while the graph is built. NULL: the handle is not divided and no part. */
static const struct tw__lineage *lineage_of(const struct tw_graph *g, tw_data d)
{
	return g->build && g->build->data ? &g->build->data[d].lineage : tw__graph_lineage(g, d);
}

tw_data tw_graph_parent(const struct tw_graph *g, tw_data d)
{
	const struct tw__lineage *lineage = IS("data", d, g->n_data) ? lineage_of(g, d) : NULL;
	return lineage ? lineage->parent : TW_NONE;
}

tw_data tw_graph_parts(const struct tw_graph *g, tw_data d, int *n)
{
	const struct tw__lineage *lineage = IS("data", d, g->n_data) ? lineage_of(g, d) : NULL;
	*n = lineage ? lineage->n_parts : 0;
	return lineage ? lineage->first_part : TW_NONE;
}

tw_task tw_graph_n_inside(const struct tw_graph *g, tw_task t)
{
	const bool known = IS_TASK(g, t) && g->inside_end && t < tw__graph_own_tasks(g);
	return known && g->inside_end[t] ? g->inside_end[t] - t - 1 : 0;
}

tw_task tw_graph_around(const struct tw_graph *g, tw_task t)
{
	return IS_TASK(g, t) && g->around && t < tw__graph_own_tasks(g) ? g->around[t] : TW_NONE;
}

int tw_graph_n_predecessors(const struct tw_graph *g, tw_task t)
{
	if (!IS_TASK(g, t))
		return 0;
	return g->build ? (int)g->build->in_degree[t] : tw__graph_n_predecessors(g, t);
}

int tw_graph_n_accesses(const struct tw_graph *g, tw_task t)
{
	return IS_TASK(g, t) ? (int)(g->access_start[t + 1] - g->access_start[t]) : 0;
}

/* At least 2: so many have tasks that reductions append. */
int tw_graph_most_accesses(const struct tw_graph *g)
{
	uint32_t most = 2;
	for (tw_task t = 0; g && t < g->n_tasks; t++)
		if (g->access_start[t + 1] - g->access_start[t] > most)
			most = g->access_start[t + 1] - g->access_start[t];
	return (int)most;
}

struct tw_access tw_graph_access(const struct tw_graph *g, tw_task t, int index)
{
	if (!IS_TASK(g, t) || !IS("access", index, g->access_start[t + 1] - g->access_start[t]))
		return (struct tw_access){.data = TW_NONE};
	tw__access a = g->access[g->access_start[t] + (uint32_t)index];
	return (struct tw_access){tw__access_data(a), tw__access_mode(a)};
}

const tw_task *tw_graph_successors(const struct tw_graph *g, tw_task t, int *n)
{
	*n = 0;
	if (g->build || !IS_TASK(g, t))
		return NULL;
	*n = (int)(g->successor_start[t + 1] - g->successor_start[t]);
	return g->successor + g->successor_start[t];
}

/* --- values of the whole graph, and priorities, which may change after tw_graph_finish ---------------------------- */

void tw_graph_set_flops(struct tw_graph *g, double flops)
{
	if (g && flops >= 0 && !isinf(flops))
		g->flops = flops;
	else if (!tw__build_refuses(g))
		TW__REFUSE(g, "%g flops of the graph: expected 0 or more; 0: unknown", flops);
}

const char *tw_priority_scope_name(enum tw_priority_scope scope)
{
	static const char *const names[TW_N_PRIORITY_SCOPES] = {[TW_PRIORITY_FOR_SORTING] = "sorting",
	                                                        [TW_PRIORITY_FOR_LOOKING] = "looking",
	                                                        [TW_PRIORITY_FOR_ALL] = "all"};
	return (unsigned)scope < TW_N_PRIORITY_SCOPES ? names[scope] : "?";
}

void tw_graph_set_priority_scope(struct tw_graph *g, enum tw_priority_scope scope)
{
	if (g && (unsigned)scope < TW_N_PRIORITY_SCOPES)
		g->priority_scope = scope;
	else if (!tw__build_refuses(g))
		TW__REFUSE(g, "priority scope %d: expected one of enum tw_priority_scope", (int)scope);
}

void tw_graph_set_priority(struct tw_graph *g, tw_task t, int32_t priority)
{
	if (g && is_task(g, t)) {
		g->priority[t] = priority;
		g->critical[t] = false;
	} else if (!tw__build_refuses(g)) {
		TW__REFUSE(g, "priority of task %d, expected one submitted before", (int)t);
	}
}

/* --- levels ------------------------------------------------------------------------------------------------------- */

/* Returns the bottom level of a reduction: the greatest level of the tasks that wait for the reduction. Such tasks come
 * after all its contributors. `known` caches the levels of reductions (NAN: not computed yet); NULL: there is no
 * cache. */
static double phase_level(const struct tw_graph *g, int32_t phase, const double *levels, double *known)
{
	if (known && !isnan(known[phase]))
		return known[phase];
	double level = 0;
	for (uint32_t s = g->phase_successor_start[phase]; s < g->phase_successor_start[phase + 1]; s++)
		level = fmax(level, levels[g->phase_successor[s]]);
	if (known)
		known[phase] = level;
	return level;
}

/* Computes bottom levels. Durations come from kernel_seconds, or from task_seconds if that is NULL. */
static double bottom_levels(const struct tw_graph *g, const double *kernel_seconds, const double *task_seconds,
                            double *levels)
{
	double critical = 0;
	double *known = g->n_phases ? malloc((size_t)g->n_phases * sizeof *known) : NULL;
	for (int32_t p = 0; known && p < g->n_phases; p++)
		known[p] = NAN;
	/* Submission order is topological: successors have greater numbers. */
	for (tw_task t = g->n_tasks - 1; t >= 0; t--) {
		double below = 0;
		for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++)
			if (levels[g->successor[s]] > below)
				below = levels[g->successor[s]];
		for (uint32_t a = g->access_start[t]; g->n_phases && a < g->access_start[t + 1]; a++)
			if (g->access[a] & TW_REDUX)
				below = fmax(below, phase_level(g, tw__graph_phase_of(g, a), levels, known));
		/* a task inside a recursive one goes on as that one does */
		for (tw_task in = t; g->around && (in = tw_graph_around(g, in)) != TW_NONE;)
			for (uint32_t s = g->successor_start[in]; s < g->successor_start[in + 1]; s++)
				below = fmax(below, levels[g->successor[s]]);
		levels[t] = (kernel_seconds ? kernel_seconds[g->kernel[t]] : task_seconds[t]) + below;
		if (levels[t] > critical)
			critical = levels[t];
	}
	free(known);
	return critical;
}

double tw_graph_bottom_levels(const struct tw_graph *g, const double *seconds, double *levels)
{
	return g->build ? NAN : bottom_levels(g, seconds, NULL, levels);
}

double tw__graph_bottom_levels(const struct tw_graph *g, const double *task_seconds, double *levels)
{
	return bottom_levels(g, NULL, task_seconds, levels);
}

uint64_t tw__graph_working_set(const struct tw_graph *g)
{
	uint64_t bytes = 0;
	bool *seen = calloc((size_t)g->n_data + 1, sizeof *seen);
	if (!seen)
		return UINT64_MAX;
	for (uint32_t a = 0; a < g->access_start[g->n_tasks]; a++) {
		tw_data d = tw__graph_root(g, tw__access_data(g->access[a]));
		if (seen[d] || tw__access_mode(g->access[a]) == TW_SCRATCH)
			continue;
		seen[d] = true;
		if (__builtin_add_overflow(bytes, g->data_bytes[d], &bytes))
			bytes = UINT64_MAX;
	}
	free(seen);
	return bytes;
}

int tw__graph_check(const struct tw_graph *g, struct tw_error *err)
{
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++) {
			tw_task to = g->successor[s];
			if (to <= t || to >= g->n_tasks)
				return tw_fail(err, TW_FAILED,
				               "task graph: task %d has successor %d, expected a later task", (int)t,
				               (int)to);
		}
	return TW_OK;
}
