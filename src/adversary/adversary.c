/* Simulated annealing, as in PISA (Problem Instance Simulated Annealing: Coleman, Krishnamachari: Comparing Task Graph
 * Scheduling Algorithms: An Adversarial Approach, 2024). The energy of a graph is the ratio r of the two makespans. A
 * change is accepted if the energy does not fall. Otherwise the energy r' after it decides, at the temperature T:
 *
 *    pisa        with the probability exp(-(r' / r) / T), as the public program SAGA has it. T falls from 10 by 0.99 a
 *                change, and the search ends at 0.1, as in SAGA's experiments. The lower r' is, the likelier it is
 *                accepted.
 *    metropolis  with the probability (r' / r)^(1 / T), Metropolis' rule on logarithms of ratios. T falls from 0.1 to
 *                0.001 over all changes. Ours, the default. */
#include "adversary/adversary.h"

#include <math.h>
#include <stdlib.h>

struct search {
	const struct tw__adversary_search *what;
	struct tw__instance_range range;
	struct tw__duel duel;
	struct tw__random *random;
	struct tw__adversary *found;
	struct tw__instance now, next, worst;
};

static double ratio_of(const tw__ns makespan[TW__DUEL_RUNS]) { return (double)makespan[0] / (double)makespan[1]; }

/* Sets the ratio of makespans on the instance. */
static int measure(struct search *s, const struct tw__instance *in, double *ratio, struct tw_error *err)
{
	struct tw_graph *graph;
	tw__ns makespan[TW__DUEL_RUNS];
	int status = tw__instance_graph(&graph, in, &s->range, err);
	if (status < 0)
		return status;
	status = tw__duel_run(&s->duel, graph, false, makespan, err);
	tw_graph_destroy(graph);
	if (status == TW_OK) {
		*ratio = ratio_of(makespan);
		s->found->n_graphs++;
	}
	return status;
}

static void keep_worst(struct search *s, const struct tw__instance *in, double ratio, int restart)
{
	if (ratio <= s->found->ratio)
		return;
	s->found->ratio = ratio;
	s->found->restart = restart;
	s->worst = *in;
}

/* --- annealing ---------------------------------------------------------------------------------------------------- */

/* A temperature that falls by a factor after each change. The search ends below `cold`. */
struct cooling {
	double temperature, cold, factor;
};

static struct cooling cooling_of(const struct tw__adversary_search *what)
{
	static const double hot = 0.1, cold = 0.001;
	if (what->acceptance == TW__ACCEPT_PISA)
		return (struct cooling){10, 0.1, 0.99};
	return (struct cooling){hot, 0, pow(cold / hot, 1.0 / what->n_iterations)};
}

/* Whether a change that makes `ratio` of the ratio `before` is accepted. */
static bool accepts(struct search *s, double ratio, double before, double temperature)
{
	const double part = ratio / before;
	if (part >= 1)
		return true;
	return tw__random_uniform(s->random) <
	       (s->what->acceptance == TW__ACCEPT_PISA ? exp(-part / temperature) : pow(part, 1 / temperature));
}

/* Makes a change of the graph `now`, whose ratio is *ratio, and goes on from the graph behind it if it is accepted. */
static int step(struct search *s, double *ratio, double temperature, int restart, struct tw_error *err)
{
	double after;
	s->next = s->now;
	if (!tw__instance_change(&s->next, &s->range, s->random))
		return TW_OK;
	int status = measure(s, &s->next, &after, err);
	if (status < 0 || !accepts(s, after, *ratio, temperature))
		return status;
	s->now = s->next;
	*ratio = after;
	s->found->n_accepted++;
	keep_worst(s, &s->now, after, restart);
	return TW_OK;
}

/* Counts a graph that cannot run, as data do not fit the memories, and lets the search go on. */
static int pass_over(struct search *s, int status)
{
	s->found->n_refused += status == TW_INVALID;
	return status == TW_INVALID ? TW_OK : status;
}

/* The first graph of all must be one that can run. */
static int anneal(struct search *s, int restart, struct tw_error *err)
{
	struct cooling cooling = cooling_of(s->what);
	double ratio;
	tw__instance_draw(&s->now, &s->range, restart % 2 == 0, s->random);
	int status = measure(s, &s->now, &ratio, err);
	if (status < 0)
		return restart ? pass_over(s, status) : status;
	if (restart == 0)
		s->found->start = ratio;
	keep_worst(s, &s->now, ratio, restart);
	for (int i = 0; i < s->what->n_iterations && status == TW_OK && cooling.temperature > cooling.cold; i++) {
		status = pass_over(s, step(s, &ratio, cooling.temperature, restart, err));
		cooling.temperature *= cooling.factor;
	}
	return status;
}

/* Makes the worst graph, and runs it once more, with validated schedules. */
static int end(struct search *s, struct tw_error *err)
{
	struct tw__adversary *found = s->found;
	int status = tw__instance_graph(&found->graph, &s->worst, &s->range, err);
	if (status == TW_OK)
		status = tw__duel_run(&s->duel, found->graph, true, found->makespan, err);
	if (status == TW_OK && ratio_of(found->makespan) != found->ratio)
		status = tw_fail(err, TW_FAILED, "the worst graph has another ratio when it runs again: %g, not %g",
		                 ratio_of(found->makespan), found->ratio);
	return status;
}

/* Sets the archs that have workers. */
static int find_archs(struct search *s, const struct tw__platform *p, struct tw_error *err)
{
	for (tw_arch a = 0; a < p->n_archs; a++) {
		if (!tw__has_worker(p, a))
			continue;
		if (s->range.n_archs == TW__INSTANCE_MOST_ARCHS)
			return tw_fail(err, TW_INVALID, "platform '%.100s': its workers have more than %d archs",
			               p->name, TW__INSTANCE_MOST_ARCHS);
		s->range.archs[s->range.n_archs++] = p->archs[a].name;
	}
	s->found->gpus = tw__platform_accelerators(p);
	s->found->cpus = p->n_workers - s->found->gpus;
	return TW_OK;
}

static int search(struct search *s, struct tw_error *err)
{
	struct tw__platform *platform = NULL;
	int status = tw__origin_select(&s->duel.origin, &platform, s->what->request, err);
	if (status == TW_OK && platform->rank_names)
		status = tw_fail(err, TW_INVALID, "platform '%.100s' is a cluster: expected one node", platform->name);
	if (status == TW_OK)
		status = find_archs(s, platform, err);
	for (int i = 0; i < s->what->n_restarts && status == TW_OK; i++)
		status = anneal(s, i, err);
	if (status == TW_OK)
		status = end(s, err);
	tw__platform_destroy(platform);
	return status;
}

int tw__adversary_find(struct tw__adversary *found, const struct tw__adversary_search *what, struct tw_error *err)
{
	*found = (struct tw__adversary){0};
	struct search *s = tw_alloc(1, sizeof *s);
	s->what = what;
	s->found = found;
	s->range = (struct tw__instance_range){
		.n_tasks = what->n_tasks, .longest_s = what->longest_s, .most_bytes = what->most_bytes};
	s->random = tw__random_create(tw__seed_of(what->request), TW__STREAM_ADVERSARY);
	tw__duel_init(&s->duel, what->request, what->against);
	int status = search(s, err);
	tw__duel_finish(&s->duel);
	tw__random_destroy(s->random);
	free(s);
	if (status < 0)
		tw__adversary_finish(found);
	return status;
}

void tw__adversary_finish(struct tw__adversary *found)
{
	tw_graph_destroy(found->graph);
	found->graph = NULL;
}
