#include "conform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bounds/bounds.h"
#include "graph/ranks.h"
#include "pair.h"
#include "platform/cluster.h"
#include "trace/replay.h"

/* --- scenes ----------------------------------------------------------------------------------------------------- */

static bool is_bounded(const struct tw__platform *p, tw_node n)
{
	bool accelerator = false,
	     accelerators = p->archs[p->workers[0].arch].accelerator; /* accelerators are the first workers */
	for (tw_worker w = 0; w < p->n_workers; w++)
		accelerator |= p->workers[w].node == n && p->archs[p->workers[w].arch].accelerator;
	return accelerators ? accelerator : n == TW_RAM && p->nodes[n].backing != TW_NONE;
}

/* On a cluster, cards are bounded, and main memories with a disk, which also have room for transit to the cards. */
static void bound_rank(struct tw__platform *whole, int rank, uint64_t bytes, uint64_t greatest)
{
	struct tw__platform *kind = whole->kinds[whole->kind_of[rank]];
	tw_worker *workers;
	tw_node *nodes, n_cards = 0;
	tw__platform_destroy(tw__cluster_rank(whole, rank, &workers, &nodes));
	for (tw_node n = kind->n_nodes; n-- > 0;) {
		const bool is_card = tw__is_card(kind, n);
		n_cards += is_card;
		if (is_card || (tw__is_main(kind, n) && kind->nodes[n].backing != TW_NONE))
			kind->nodes[n].limit_bytes = bytes + (is_card ? 0 : (uint64_t)n_cards * greatest);
		whole->nodes[nodes[n]].limit_bytes = kind->nodes[n].limit_bytes;
	}
	free(workers);
	free(nodes);
}

static void bound(const struct world *w, uint64_t bytes)
{
	struct tw__platform *p = w->platform;
	uint64_t greatest = 0;
	for (tw_data d = 0; d < w->graph->n_data; d++)
		greatest = w->graph->data_bytes[d] > greatest ? w->graph->data_bytes[d] : greatest;
	for (int r = 0; p->n_kinds && bytes && r < p->n_ranks; r++)
		bound_rank(p, r, bytes, greatest);
	for (tw_node n = 0; n < p->n_nodes && !p->n_kinds; n++)
		if (is_bounded(p, n))
			p->nodes[n].limit_bytes = bytes;
}

static bool fits_in(struct scene *s, uint64_t bytes)
{
	bound(&s->world, bytes);
	return world_fits(&s->world, s->runtime);
}

/* The least memory size with which every task fits. */
static uint64_t least_bytes(struct scene *s)
{
	uint64_t low = 0, high = 1 << 20;
	while (!fits_in(s, high))
		low = high, high *= 2;
	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;
		*(fits_in(s, middle) ? &high : &low) = middle;
	}
	return high;
}

static void write_command(struct scene *s, const struct tw__request *q, uint64_t bytes)
{
	bool accelerators = q->choice.gpus != 0;
	int at = snprintf(s->command, sizeof s->command,
	                  "tilewright run --platform %s --workload %s --runtime %s --extrapolate --validate",
	                  q->platform, q->workload, s->runtime);
	if (q->choice.cpus != TW__ALL_WORKERS)
		at += snprintf(s->command + at, sizeof s->command - (size_t)at, " --cpus %d --gpus %d", q->choice.cpus,
		               q->choice.gpus);
	if (q->choice.cpu_groups)
		at += snprintf(s->command + at, sizeof s->command - (size_t)at, " --cpu-groups %s",
		               q->choice.cpu_groups);
	if (q->distribution)
		at += snprintf(s->command + at, sizeof s->command - (size_t)at, " --distribution %s", q->distribution);
	const struct tw__platform *p = s->world.platform;
	if (bytes && p->n_kinds)
		at += snprintf(s->command + at, sizeof s->command - (size_t)at, " --gpu-mem %llu",
		               (unsigned long long)bytes);
	for (tw_node n = 0; bytes && p->n_kinds && n < tw__n_mains(p) && p->nodes[n].limit_bytes; n++)
		at += snprintf(s->command + at, sizeof s->command - (size_t)at, "%s%s=%llu", n ? "," : " --mem ",
		               p->nodes[n].name, (unsigned long long)p->nodes[n].limit_bytes);
	if (bytes && !p->n_kinds)
		snprintf(s->command + at, sizeof s->command - (size_t)at, " %s%llu",
		         accelerators ? "--gpu-mem " : "--mem RAM=", (unsigned long long)bytes);
}

bool scene_open(struct scene *s, const struct tw__request *request, const char *runtime, enum memory memory,
                double times_least, struct tw_error *err)
{
	*s = (struct scene){.runtime = runtime};
	if (tw__scene_create(&s->loaded, request, err) < 0)
		return false;
	s->world = (struct world){s->loaded->platform, s->loaded->graph, s->loaded->times};
	uint64_t bytes = memory == AMPLE ? 0 : least_bytes(s);
	if (memory == TIGHT)
		bytes = (uint64_t)(times_least * (double)bytes);
	bound(&s->world, bytes);
	write_command(s, request, bytes);
	return true;
}

void scene_close(struct scene *s)
{
	tw__scene_destroy(s->loaded);
	*s = (struct scene){0};
}

/* --- runs ------------------------------------------------------------------------------------------------------- */

static enum verdict complain(const struct setting *s, const char *command, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s%s%s\n    %s --policy %s --eviction %s --seed %llu\n", s->policy, what, *why ? ": " : "",
	        why, command, s->policy, s->eviction, (unsigned long long)s->seed);
	return FAILS;
}

/* Also true if a bound cannot be computed. */
static bool beats_a_bound(const struct world *w, const struct tw__run_counters *c, double bound_s, struct tw_error *why)
{
	const struct tw__bounded in = {w->platform, w->graph, &w->times};
	struct tw__bus_bounds bus;
	struct tw__iterative iterative;
	double area_s, mixed_s, makespan_s = tw__seconds(c->makespan);
	if (tw__bound_area(&in, NULL, &area_s, why) < 0 || tw__bound_mixed(&in, &mixed_s, why) < 0 ||
	    tw__bound_iterative(&in, 10, 1e3, &iterative, why) < 0 || tw__bound_bus(&in, &bus, why) < 0)
		return true;
	tw_fail(why, TW_FAILED,
	        "%g s and %llu bytes to accelerators: area %g, mixed %g, iterative %g, compulsory %llu bytes, %g s, "
	        "MILP %g",
	        makespan_s, (unsigned long long)c->h2d_bytes, area_s, mixed_s, iterative.seconds,
	        (unsigned long long)bus.compulsory_bytes, bus.seconds, bound_s);
	/* Linear programs are solved with doubles, and GLPK's tolerances are 1e-7. */
	double most_s = fmax(fmax(area_s, mixed_s), fmax(iterative.seconds, fmax(bus.seconds, bound_s)));
	return makespan_s < most_s * (1 - 1e-7) - 1e-9 || c->h2d_bytes < bus.compulsory_bytes;
}

static enum verdict verdict_of(const struct outcome *o)
{
	return o->twin == TWIN_SAME ? CONFORMS : o->twin == TWIN_UNDECIDED ? UNDECIDED : COARSE;
}

enum verdict conforms(const struct world *w, const struct setting *s, const char *command, double bound_s,
                      struct tw_error *why)
{
	struct setting both = *s;
	both.afterwards = s->afterwards ? s->afterwards : pair_compare;
	struct outcome first = world_run(w, &both);
	*why = first.err;
	if (!first.ran && first.status == TW_INVALID)
		return REFUSED;
	if (first.status != TW_OK)
		return complain(s, command, first.ran ? "the schedule is not valid" : "the run failed",
		                first.err.message);
	/* Reductions append tasks, and messages are none. */
	const int messages = w->graph->ranks ? w->graph->ranks->n_messages : 0;
	if (first.counters.tasks < w->graph->n_tasks - 2 * messages + w->graph->n_phases ||
	    first.counters.tasks > w->graph->n_tasks + (int64_t)w->graph->n_contributions)
		return complain(s, command, "the run did not run all tasks, or ran too many", "");
	if (s->once)
		return verdict_of(&first);
	if (!w->graph->ranks && beats_a_bound(w, &first.counters, bound_s, why))
		return complain(s, command, "the run beats a lower bound", why->message);
	struct outcome second = world_run(w, s);
	if (second.status != TW_OK)
		return complain(s, command, "the second run failed", second.err.message);
	if (first.fingerprint != second.fingerprint || first.n_events != second.n_events)
		return complain(s, command, "a second run gave another schedule", "");
	return verdict_of(&first);
}
