/* Measures the generation of the tasks of sparse factorisations, without METIS, which takes longer than all the
 * rest. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "experiment/load.h"
#include "workloads/support/sparse.h"

static double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The seconds that METIS takes for the workload's matrix. */
static double ordering_seconds(int side, bool orthogonal)
{
	struct tw_error err;
	struct tw_pattern matrix, graph;
	int32_t *order = malloc((size_t)side * (size_t)side * (size_t)side * sizeof *order);
	double took = 0;
	if (order && tw_pattern_grid(&matrix, side, side, side, false, &err) == TW_OK) {
		if ((orthogonal ? tw_pattern_gram : tw_pattern_symmetrise)(&graph, &matrix, &err) == TW_OK) {
			double start = seconds_now();
			tw_nested_dissection(&graph, order, &err);
			took = seconds_now() - start;
			tw_pattern_finish(&graph);
		}
		tw_pattern_finish(&matrix);
	}
	free(order);
	return took;
}

static int measure(const char *workload, int side, bool orthogonal)
{
	struct tw_graph *g;
	struct tw_error err;
	double ordering = ordering_seconds(side, orthogonal), start = seconds_now();
	if (tw__generate(&g, workload, &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	double took = seconds_now() - start;
	printf("%s: %d tasks, %d kernels: %.3f s, of which METIS %.3f s; the rest %.3f s (expected below 0.5 s), "
	       "%.0f tasks/s\n",
	       workload, (int)tw_graph_n_tasks(g), tw_graph_n_kernels(g), took, ordering, took - ordering,
	       tw_graph_n_tasks(g) / (took - ordering));
	tw_graph_destroy(g);
	return 0;
}

/* Graphs of about 200,000 tasks, each below 0.5 s except the third, which has a matrix of 125,000 unknowns. Then
 * one with 216,000 unknowns. */
int main(void)
{
	return measure("spldlt:grid3d=40:nb=48", 40, false) || measure("qrmumps:grid3d=27:nb=12:ib=12", 27, true) ||
	       measure("qrmumps:grid3d=50:nb=48:ib=16", 50, true) || measure("spldlt:grid3d=60", 60, false) ||
	       measure("qrmumps:grid3d=60", 60, true);
}
