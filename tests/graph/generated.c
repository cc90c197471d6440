#include "generated.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/load.h"

struct tw_graph *generated(const char *format, ...)
{
	char text[256];
	struct tw_graph *g = NULL;
	struct tw_error err = {""};
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	ck_assert_msg(tw__generate(&g, text, &err) == TW_OK, "%s: %s", text, err.message);
	ck_assert_msg(tw__graph_check(g, &err) == TW_OK, "%s: %s", text, err.message);
	return g;
}

bool is_kernel(const struct tw_graph *g, tw_task t, const char *name)
{
	return strcmp(tw_graph_kernel_name(g, tw_graph_task_kernel(g, t)), name) == 0;
}

int tasks_of_kernel(const struct tw_graph *g, const char *name)
{
	int n = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		n += is_kernel(g, t, name);
	return n;
}

double flops_of_kernels(const struct tw_graph *g)
{
	double flops = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		flops += g->kernels[tw_graph_task_kernel(g, t)].flops;
	return flops;
}

int n_edges(const struct tw_graph *g)
{
	int n = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		n += tw_graph_n_predecessors(g, t);
	return n;
}

static int compare(const void *a, const void *b)
{
	tw_task first = *(const tw_task *)a, second = *(const tw_task *)b;
	return (first > second) - (first < second);
}

bool depends(const struct tw_graph *g, tw_task after, tw_task before)
{
	int n;
	const tw_task *successors = tw_graph_successors(g, before, &n);
	return bsearch(&after, successors, (size_t)n, sizeof after, compare) != NULL;
}

double path(const struct tw_graph *g, const double *seconds)
{
	double ones[64], *levels = calloc((size_t)tw_graph_n_tasks(g), sizeof *levels);
	ck_assert_int_le(tw_graph_n_kernels(g), 64);
	for (int k = 0; k < 64; k++)
		ones[k] = 1;
	double length = tw_graph_bottom_levels(g, seconds ? seconds : ones, levels);
	free(levels);
	return length;
}

bool same_graphs(const struct tw_graph *a, const struct tw_graph *b)
{
	if (a->n_tasks != b->n_tasks || a->n_data != b->n_data || a->n_kernels != b->n_kernels ||
	    a->access_start[a->n_tasks] != b->access_start[b->n_tasks] || n_edges(a) != n_edges(b))
		return false;
	for (int k = 0; k < a->n_kernels; k++)
		if (strcmp(a->kernels[k].name, b->kernels[k].name) != 0 ||
		    strcmp(a->kernels[k].size, b->kernels[k].size) != 0)
			return false;
	size_t tasks = (size_t)a->n_tasks;
	return memcmp(a->kernel, b->kernel, tasks * sizeof *a->kernel) == 0 &&
	       memcmp(a->priority, b->priority, tasks * sizeof *a->priority) == 0 &&
	       memcmp(a->access_start, b->access_start, (tasks + 1) * sizeof *a->access_start) == 0 &&
	       memcmp(a->access, b->access, a->access_start[tasks] * sizeof *a->access) == 0 &&
	       memcmp(a->data_bytes, b->data_bytes, (size_t)a->n_data * sizeof *a->data_bytes) == 0;
}
