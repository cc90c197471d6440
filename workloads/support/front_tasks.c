#include "workloads/support/front_tasks.h"

#include <stdio.h>
#include <stdlib.h>

int tw_front_tasks_init(struct tw_front_tasks *f, struct tw_graph *g, const struct tw_args *args, const char *workload,
                        enum tw_sparse_kind kind, struct tw_error *err)
{
	int classes = (int)tw_args_int(args, "classes");
	*f = (struct tw_front_tasks){.graph = g,
	                             .workload = workload,
	                             .precision = tw_args_text(args, "precision"),
	                             .bytes_per_s = (double)tw_args_bytes(args, "memory_rate"),
	                             .moves = {TW_NONE, TW_NONE, TW_NONE}};
	f->element_bytes = f->precision[0] == 's' ? 4 : 8;
	tw_kernel_table_init(&f->kernels, classes, (int32_t)tw_args_int(args, "nb"));
	int status = tw_sparse_init(&f->sparse, args, workload, kind, err);
	if (status == TW_OK && (classes & (classes - 1)))
		status = tw_fail(err, TW_INVALID, "workload '%s': classes=%d: expected a power of two", workload,
		                 classes);
	if (status < 0)
		tw_front_tasks_finish(f);
	else
		f->place = tw_resize(NULL, (size_t)f->sparse.tree.n_columns, sizeof *f->place);
	return status;
}

void tw_front_tasks_finish(struct tw_front_tasks *f)
{
	tw_kernel_table_finish(&f->kernels);
	tw_sparse_finish(&f->sparse);
	free(f->place);
}

int tw_front_tasks_begin(const struct tw_front_tasks *f, int nb, double tasks, struct tw_error *err)
{
	if (tasks <= TW_MAX_FRONT_TASKS)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "workload '%s': nb=%d: about %.3g tasks: expected at most %d", f->workload, nb,
	               tasks, TW_MAX_FRONT_TASKS);
}

void tw_front_tasks_end(const struct tw_front_tasks *f, double flops)
{
	tw_graph_set_flops(f->graph, flops);
	tw_graph_set_priority_scope(f->graph, TW_PRIORITY_FOR_SORTING);
}

tw_kernel tw_front_kernel(struct tw_front_tasks *f, const char *name, const char *size, double flops, const char *archs)
{
	char full[64];
	snprintf(full, sizeof full, "%s.%s", f->workload, name);
	tw_kernel kernel = tw_graph_kernel(f->graph, full, size, f->precision, flops);
	tw_graph_restrict(f->graph, kernel, archs);
	return kernel;
}

int32_t tw_front_priority(const struct tw_front_tasks *f, int32_t front, enum tw_front_urgency urgency)
{
	return (f->sparse.tree.n_fronts - front) * 4 + (int32_t)urgency;
}

tw_task tw_front_move(struct tw_front_tasks *f, enum tw_front_move move, int32_t front, const struct tw_access *access,
                      int n_accesses, double elements)
{
	static const char *const names[TW_N_FRONT_MOVES] = {"activate", "assemble", "clean"};
	/* How often each kind of task passes over its elements: activate writes; assemble reads two blocks and writes
	 * one; clean reads and writes. */
	static const double passes[TW_N_FRONT_MOVES] = {1, 3, 2};
	enum tw_front_urgency urgency = move == TW_ASSEMBLE ? TW_FRONT_REST : TW_FRONT_FACTOR;
	if (f->moves[move] == TW_NONE) {
		f->moves[move] = tw_front_kernel(f, names[move], "front", 0, "processors");
		tw_graph_recorded_on(f->graph, f->moves[move], "processors");
	}
	tw_task task =
		tw_graph_submit(f->graph, f->moves[move], tw_front_priority(f, front, urgency), access, n_accesses);
	tw_graph_set_seconds(f->graph, task, passes[move] * elements * (double)f->element_bytes / f->bytes_per_s);
	return task;
}
