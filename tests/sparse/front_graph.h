/* Queries of task graphs and assembly trees for the tests of both sparse workloads. */
#ifndef TEST_FRONT_GRAPH_H
#define TEST_FRONT_GRAPH_H

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"
#include "workloads/support/sparse.h"

static inline struct tw_graph *graph_of(const char *workload)
{
	struct tw_graph *g = NULL;
	struct tw_error err = {""};
	ck_assert_msg(tw__generate(&g, workload, &err) == TW_OK, "%s: %s", workload, err.message);
	ck_assert_int_eq(tw__graph_check(g, &err), TW_OK);
	return g;
}

static inline void expect_error(const char *workload, const char *part)
{
	struct tw_graph *g = NULL;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__generate(&g, workload, &err), TW_INVALID);
	ck_assert_msg(strstr(err.message, part) != NULL, "'%s' not in '%s'", part, err.message);
	ck_assert_ptr_null(g);
}

/* True if the task's kernel is "WORKLOAD.name". */
static inline bool task_is(const struct tw_graph *g, tw_task t, const char *name)
{
	return strcmp(strrchr(tw_graph_kernel_name(g, tw_graph_task_kernel(g, t)), '.') + 1, name) == 0;
}

static inline int count_tasks(const struct tw_graph *g, const char *name)
{
	int n = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		n += task_is(g, t, name);
	return n;
}

/* The number of elements that all tasks of that kind move, from their seconds. */
static inline double elements_moved(const struct tw_graph *g, const char *name, double passes, double bytes_per_s)
{
	double seconds = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		if (task_is(g, t, name))
			seconds += g->seconds[t];
	return seconds * bytes_per_s / passes / 4;
}

static inline double data_elements(const struct tw_graph *g)
{
	double bytes = 0;
	for (tw_data d = 0; d < tw_graph_n_data(g); d++)
		bytes += (double)tw_graph_data_bytes(g, d);
	return bytes / 4;
}

static inline double kernel_flops(const struct tw_graph *g)
{
	double sum = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		sum += g->kernels[g->kernel[t]].flops;
	return sum;
}

static inline bool follows_directly(const struct tw_graph *g, tw_task task, tw_task on)
{
	int n;
	const tw_task *next = tw_graph_successors(g, on, &n);
	for (int i = 0; i < n; i++)
		if (next[i] == task)
			return true;
	return false;
}

/* The tree of a Laplacian on a cube, as the workload makes it with the same parameters. */
static inline struct tw_sparse cube(int side, bool orthogonal, struct tw_amalgamation limits)
{
	struct tw_sparse s;
	struct tw_pattern graph;
	struct tw_error err;
	int32_t *order = malloc((size_t)(side * side * side) * sizeof *order);
	ck_assert_int_eq(tw_pattern_grid(&s.matrix, side, side, side, false, &err), TW_OK);
	ck_assert_int_eq((orthogonal ? tw_pattern_gram : tw_pattern_symmetrise)(&graph, &s.matrix, &err), TW_OK);
	ck_assert_int_eq(tw_nested_dissection(&graph, order, &err), TW_OK);
	ck_assert_int_eq(tw_assembly_tree_init(&s.tree, &graph, order, limits, &err), TW_OK);
	tw_pattern_finish(&graph);
	free(order);
	return s;
}

/* Writes a full matrix to a new file. Sets `path`, which has 64 bytes. */
static inline void write_dense(char *path, int rows, int columns)
{
	strcpy(path, "/tmp/tilewright-test-XXXXXX");
	int fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	FILE *file = fdopen(fd, "w");
	fprintf(file, "%%%%MatrixMarket matrix coordinate pattern general\n%d %d %d\n", rows, columns, rows * columns);
	for (int i = 1; i <= rows; i++)
		for (int j = 1; j <= columns; j++)
			fprintf(file, "%d %d\n", i, j);
	fclose(file);
}

#endif
