/* A cluster of one node gives what the node alone gives, event by event. So do two nodes without a common handle, also
 * with a network that is faster than the nodes' own links, and under two policies. FIRST and COUNT select seeds for
 * longer searches. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "cluster/cluster.h"
#include "cluster_world.h"
#include "graph/ranks.h"
#include "random_world.h"

enum { SEEDS = 2 };

/* The graph n times: handles and tasks of the copies take turns. */
static struct tw_graph *copies(const struct tw_graph *g, int n)
{
	struct tw_graph *all = tw_graph_create();
	struct tw_error err = {""};
	struct tw_access *access = calloc((size_t)tw_graph_most_accesses(g), sizeof *access);
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		const struct tw__kernel *of = &g->kernels[k];
		tw_graph_kernel(all, of->name, of->size, of->precision, of->flops);
	}
	for (tw_data d = 0; d < n * g->n_data; d++)
		tw_graph_data(all, g->data_bytes[d / n]);
	for (int p = 0; p < n * g->n_phases; p++)
		tw_graph_reduction(all, n * g->phases[p / n].data + p % n, g->phases[p / n].combine);
	for (tw_task t = 0; t < n * g->n_tasks; t++) {
		const int m = tw_graph_n_accesses(g, t / n);
		for (int a = 0; a < m; a++) {
			access[a] = tw_graph_access(g, t / n, a);
			access[a].data = n * access[a].data + t % n;
		}
		tw_graph_submit(all, g->kernel[t / n], g->priority[t / n], access, m);
	}
	free(access);
	ck_assert_msg(tw_graph_finish(all, &err) == TW_OK, "%s", err.message);
	return all;
}

/* Gives the events of a rank the numbers that they have in its own run. Returns their number. */
static size_t own_events(const struct world *w, int rank, const struct outcome *o, struct tw__event *events)
{
	const struct tw__ranks *ranks = w->graph->ranks;
	const struct tw__platform *p = w->platform;
	size_t n = 0;
	tw_worker worker_of[64];
	tw_node node_of[64];
	int workers[8] = {0}, nodes[8] = {0};
	for (tw_worker i = 0; i < p->n_workers; i++)
		worker_of[i] = workers[p->workers[i].rank]++;
	for (tw_node i = 0; i < p->n_nodes; i++)
		node_of[i] = nodes[p->nodes[i].rank]++;
	for (size_t i = 0; i < o->n_events; i++) {
		struct tw__event e = o->events[i];
		const bool of_task = e.kind <= TW__RELEASE || e.kind == TW__CANCEL || e.kind == TW__JOIN;
		if (ranks->n > 1 &&
		    (of_task ? tw__rank_of_task(w->graph, e.task) : tw__rank_of_data(w->graph, e.data)) != rank)
			continue;
		if (of_task)
			e.task -= ranks->first[rank];
		else
			e.data -= ranks->first_data[rank];
		if (of_task && e.kind != TW__SUBMIT && e.worker != TW_NONE)
			e.worker = (int16_t)worker_of[e.worker];
		if (e.kind != TW__SUBMIT && e.kind != TW__READY)
			e.node = (int16_t)node_of[e.node];
		if (e.kind == TW__TRANSFER_START || e.kind == TW__TRANSFER_END) {
			e.from = (int16_t)node_of[e.from];
			e.offset /= (uint64_t)(ranks->n > 1 ? ranks->n + 1 : 1);
		}
		events[n++] = e;
	}
	return n;
}

static struct outcome run(const struct world *w, const char *policy, const char *runtime, uint64_t seed)
{
	return world_must_run(
		w, &(struct setting){.policy = policy, .runtime = runtime, .seed = seed, .keep_record = true}, "equal");
}

static void compare(const struct world *cluster, int rank, const struct outcome *all, const struct outcome *alone,
                    const char *policy)
{
	struct tw__event *events = calloc(all->n_events + 1, sizeof *events);
	const size_t n = own_events(cluster, rank, all, events);
	ck_assert_msg(n == alone->n_events, "%s: node %d has %zu events, and alone %zu", policy, rank, n,
	              alone->n_events);
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(memcmp(&events[i], &alone->events[i], sizeof *events) == 0,
		              "%s: node %d, event %zu: %lld ns, and alone %lld ns", policy, rank, i,
		              (long long)events[i].date, (long long)alone->events[i].date);
	free(events);
}

START_TEST(nodes_do_as_alone)
{
	static const struct test_network networks[] = {{1e9, 1e-6, 0}, {1e12, 1e-9, 2e12}};
	int first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	for (int seed = first; seed < first + count; seed++) {
		struct tw__random *r = tw__random_create((uint64_t)seed * N_SHAPES + (unsigned)_i, TW__STREAM_WORKLOAD);
		const char *runtime = random_runtimes[tw__random_below(r, N_RANDOM_RUNTIMES)];
		const char *policies[] = {random_policy(r), random_policy(r)};
		char policy[200];
		const int n = 1 + seed % 2;
		/* on two nodes, tasks that reductions append have other numbers */
		const unsigned shape = (unsigned)_i & ~(unsigned)(n == 2 ? REDUCING | PICKY : PICKY);
		snprintf(policy, sizeof policy, n == 2 ? "%s+1=%s" : "%s", policies[0], policies[1]);
		struct world w, cluster;
		random_world(&w, (uint64_t)seed, shape, runtime);
		random_world(&cluster, (uint64_t)seed, shape, runtime);
		struct tw_graph *all = copies(cluster.graph, n);
		tw_graph_destroy(cluster.graph);
		cluster.graph = all;
		struct tw_graph *once =
			copies(w.graph, 1); /* without priorities for some policies alone, and the like */
		tw_graph_destroy(w.graph);
		w.graph = once;
		struct tw__distribution d = {.owner = calloc((size_t)all->n_data, sizeof *d.owner)};
		for (tw_data h = 0; h < all->n_data; h++)
			d.owner[h] = h % n;
		cluster_world(&cluster, n, networks[seed / 2 % 2], &d);
		free(d.owner);
		struct outcome together = run(&cluster, policy, runtime, 7);
		for (int rank = 0; rank < n; rank++) {
			struct outcome alone = run(&w, policies[rank], runtime, tw__cluster_seed(7, rank));
			compare(&cluster, rank, &together, &alone, policy);
			free(alone.events);
		}
		free(together.events);
		world_finish(&w);
		world_finish(&cluster);
		tw__random_destroy(r);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cluster equal");
	TCase *cases = tcase_create("equal");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, nodes_do_as_alone, 0, N_SHAPES);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
