#include "bounds/small.h"

#include "graph/reduction.h"

static void add_edges(struct tw__small *s, const struct tw_graph *g, tw_task t)
{
	for (uint32_t i = g->successor_start[t]; i < g->successor_start[t + 1]; i++)
		s->direct[t] |= UINT64_C(1) << g->successor[i];
	/* Tasks that wait for a reduction wait for all its contributors. */
	for (uint32_t a = g->access_start[t]; g->n_phases && a < g->access_start[t + 1]; a++) {
		int32_t phase = g->access[a] & TW_REDUX ? tw__graph_phase_of(g, a) : -1;
		for (uint32_t i = phase < 0 ? 0 : g->phase_successor_start[phase];
		     phase >= 0 && i < g->phase_successor_start[phase + 1]; i++)
			s->direct[t] |= UINT64_C(1) << g->phase_successor[i];
	}
}

/* Fills `behind`, `head` and `tail`. Successors have greater numbers, so one pass over the tasks is enough for each. */
static void find_paths(struct tw__small *s)
{
	for (int t = s->n_tasks - 1; t >= 0; t--) {
		s->behind[t] = s->direct[t];
		for (int i = t + 1; i < s->n_tasks; i++)
			if (s->direct[t] >> i & 1) {
				s->behind[t] |= s->behind[i];
				s->tail[t] = fmax(s->tail[t], s->least[i] + s->tail[i]);
			}
	}
	for (int t = 0; t < s->n_tasks; t++)
		for (int i = t + 1; i < s->n_tasks; i++)
			if (s->direct[t] >> i & 1)
				s->head[i] = fmax(s->head[i], s->head[t] + s->least[t]);
}

/* Returns the makespan of a list schedule. The priority of a task is the longest path from its start to the end of the
 * graph. */
static double schedule(const struct tw__small *s)
{
	/* most workers of an arch to consider; more workers than tasks are useless */
	enum { MOST_WORKERS = TW__MILP_MAX_TASKS };
	double free_at[TW__MILP_MAX_ARCHS][MOST_WORKERS] = {{0}}, ready[TW__MILP_MAX_TASKS] = {0}, makespan = 0;
	uint64_t done = 0;
	for (int n = 0; n < s->n_tasks; n++) {
		int task = -1, arch = 0, worker = 0;
		double end = INFINITY;
		for (int t = 0; t < s->n_tasks; t++) {
			bool waits = done >> t & 1;
			for (int i = 0; i < t; i++)
				waits |= (s->direct[i] >> t & 1) && !(done >> i & 1);
			if (!waits && (task < 0 || s->least[t] + s->tail[t] > s->least[task] + s->tail[task]))
				task = t;
		}
		for (int r = 0; r < s->n_archs; r++)
			for (int w = 0; w < s->workers[r] && w < MOST_WORKERS; w++)
				if (fmax(free_at[r][w], ready[task]) + s->seconds[task][r] < end) {
					end = fmax(free_at[r][w], ready[task]) + s->seconds[task][r];
					arch = r;
					worker = w;
				}
		free_at[arch][worker] = end;
		done |= UINT64_C(1) << task;
		makespan = fmax(makespan, end);
		for (int i = 0; i < s->n_tasks; i++)
			if (s->direct[task] >> i & 1)
				ready[i] = fmax(ready[i], end);
	}
	return makespan;
}

void tw__small_init(struct tw__small *s, const struct tw__bounded *in)
{
	*s = (struct tw__small){.n_tasks = in->graph->n_tasks};
	for (tw_arch a = 0; a < in->platform->n_archs; a++) {
		int n = 0;
		for (tw_worker w = 0; w < in->platform->n_workers; w++)
			n += in->platform->workers[w].arch == a;
		if (n == 0)
			continue;
		for (tw_task t = 0; t < s->n_tasks; t++) {
			double seconds = tw__task_run_seconds(in->times, in->graph, t, a);
			s->seconds[t][s->n_archs] = isnan(seconds) ? INFINITY : seconds;
			s->least[t] =
				s->n_archs ? fmin(s->least[t], s->seconds[t][s->n_archs]) : s->seconds[t][s->n_archs];
		}
		s->workers[s->n_archs++] = n;
	}
	for (tw_task t = 0; t < s->n_tasks; t++)
		add_edges(s, in->graph, t);
	find_paths(s);
	s->schedule_s = schedule(s);
}
