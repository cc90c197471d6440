#include "qr.h"

#include <check.h>
#include <string.h>

static const char *const names[] = {"geqrt", "ormqr", "tsqrt", "tsmqr", "ttqrt", "ttmqr", "lacpy"};

const struct shape shapes[N_SHAPES] = {
	{1, 1, 1}, {5, 5, 1}, {9, 4, 1}, {13, 1, 1}, {2, 1, 2}, {8, 8, 2},   {7, 7, 3},
	{9, 2, 4}, {9, 5, 9}, {1, 1, 0}, {6, 6, 0},  {8, 1, 0}, {64, 2, 16}, {17, 3, 0},
};

struct tw_graph *shaped(int i, const char *options)
{
	if (shapes[i].domains == 0)
		return generated("qr:mt=%d:nt=%d:tree=binary%s", shapes[i].mt, shapes[i].nt, options);
	return generated("qr:mt=%d:nt=%d:tree=domains:domains=%d%s", shapes[i].mt, shapes[i].nt, shapes[i].domains,
	                 options);
}

int kernel_of(const struct tw_graph *g, tw_task t)
{
	for (int k = GEQRT; k < N_KERNELS; k++)
		if (!strcmp(tw_graph_kernel_name(g, tw_graph_task_kernel(g, t)), names[k]))
			return k;
	ck_abort_msg("task %d has another kernel", (int)t);
	return -1;
}

void count_kernels(const struct tw_graph *g, int counts[N_KERNELS])
{
	memset(counts, 0, N_KERNELS * sizeof *counts);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++)
		counts[kernel_of(g, t)]++;
}
