/* peft: a static schedule, made before the run by PEFT (Arabnejad, Barbosa 2014, "List scheduling algorithm for
 * heterogeneous systems by an optimistic cost table"). The table has, for each task and worker, the least time from the
 * end of the task to the end of the graph, if every worker were free:
 *
 *     OCT(t, p) = max over successors s of min over workers q of (OCT(s, q) + E(s, q) + C(t, s))
 *
 * E(s, q) is the time of s on q. C(t, s) is the mean time to transfer the data that t writes and s reads. The
 * mean is over pairs of distinct workers; C counts as 0 if p and q are in one memory. The rank of a task is the mean of
 * its OCT over the workers that can run it. Of the tasks whose predecessors are all placed, the one with the greatest
 * rank is placed next. It goes where the sum of its
 * end and its OCT is least. Tasks may fill idle gaps. Ties: the task submitted first, and the first worker.
 *
 * Choices beyond the paper: workers of one memory need no transfer, as each processor of the paper has a memory of its
 * own. Tasks that no worker of this domain runs have an OCT, with their least time as 0. Dates are whole nanoseconds.
 *
 * policies/support/planned_lists.h tells how workers follow the plan during the run. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/edge_costs.h"
#include "policies/support/planned_lists.h"
#include "policies/support/upward_rank.h"

struct table {
	const struct tw_sched *s;
	struct tw_worker_run *runs; /* workers of one arch and memory have one OCT */
	int n_runs;
	struct tw_edge_costs edges;
	double *oct; /* [tasks * runs], in ns */
};

static double ns_of(double seconds) { return round(seconds * 1e9); }

/* Sets least[runs]: for each run of workers p, the least over q of OCT(s, q) + E(s, q) + C. */
static void find_least(const struct table *table, tw_task successor, double transfer, double *least)
{
	const double *oct = &table->oct[(size_t)successor * (size_t)table->n_runs];
	for (int p = 0; p < table->n_runs; p++)
		least[p] = INFINITY;
	for (int q = 0; q < table->n_runs; q++) {
		double end = oct[q] + ns_of(tw_task_length(table->s, successor, table->runs[q].first));
		for (int p = 0; p < table->n_runs; p++)
			least[p] = fmin(least[p], end + (table->runs[p].node == table->runs[q].node ? 0 : transfer));
	}
}

static void fill(struct table *table)
{
	const struct tw_graph *g = tw_sched_graph(table->s);
	double *least = tw_alloc((size_t)table->n_runs, sizeof *least);
	/* Goes backwards, since successors are submitted later than their predecessors. */
	for (tw_task t = tw_graph_n_tasks(g) - 1; t >= 0; t--) {
		int n;
		const tw_task *successors = tw_graph_successors(g, t, &n);
		double *oct = &table->oct[(size_t)t * (size_t)table->n_runs];
		for (int i = 0; i < n; i++) {
			find_least(table, successors[i], ns_of(tw_edge_cost(&table->edges, t, successors[i])), least);
			for (int p = 0; p < table->n_runs; p++)
				oct[p] = fmax(oct[p], isinf(least[p]) ? 0 : least[p]);
		}
	}
	free(least);
}

/* Returns the mean OCT of the task over the workers that can run it. */
static double rank_of(const struct table *table, tw_task t)
{
	double sum = 0;
	int n = 0;
	for (int p = 0; p < table->n_runs; p++) {
		if (isinf(tw_task_length(table->s, t, table->runs[p].first)))
			continue;
		sum += table->runs[p].n * table->oct[(size_t)t * (size_t)table->n_runs + (size_t)p];
		n += table->runs[p].n;
	}
	return n ? sum / n : 0;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	(void)err;
	size_t n_tasks = (size_t)tw_graph_n_tasks(tw_sched_graph(s));
	struct table table = {.s = s};
	table.runs = tw_worker_runs(s, &table.n_runs);
	table.oct = tw_run_alloc(s, n_tasks * (size_t)table.n_runs, sizeof *table.oct);
	table.edges = tw_edge_costs_find(s, TW_DISTINCT_PAIRS);
	fill(&table);
	double *ranks = tw_alloc(n_tasks, sizeof *ranks);
	for (size_t t = 0; t < n_tasks; t++)
		ranks[t] = rank_of(&table, (tw_task)t);
	tw_task *order = tw_rank_order(s, ranks);
	free(ranks);
	tw_planned_lists_make(state, s, order, &(struct tw_list_rules){.insertion = true, .beyond = table.oct});
	return TW_OK;
}

const struct tw_policy tw_policy_peft = {
	TW_PLANNED_LISTS_MEMBERS,
	.name = "peft",
	.summary = "static: each task where its end and the least time behind it are least (PEFT)",
	.init = init,
};
