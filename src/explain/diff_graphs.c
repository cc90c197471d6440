/* Whether two runs had the same graph. */
#include <string.h>

#include "explain/diff.h"

static bool same_text(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

static int differ(const char *what, long long a, long long b, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "A has %lld %s, and B has %lld: expected two runs of one graph", a, what, b);
}

static int compare_kernels(const struct tw_graph *a, const struct tw_graph *b, tw_task t, struct tw_error *err)
{
	const struct tw__kernel *of_a = &a->kernels[a->kernel[t]], *of_b = &b->kernels[b->kernel[t]];
	if (!same_text(of_a->name, of_b->name))
		return tw_fail(err, TW_INVALID,
		               "task %d has kernel %.80s in A, and %.80s in B: expected two runs of one graph", (int)t,
		               of_a->name, of_b->name);
	if (!same_text(of_a->size, of_b->size) || !same_text(of_a->precision, of_b->precision))
		return tw_fail(err, TW_INVALID,
		               "task %d, %.80s, has another size or precision in B than in A: expected two runs of one "
		               "graph",
		               (int)t, of_a->name);
	return TW_OK;
}

static int compare_accesses(const struct tw_graph *a, const struct tw_graph *b, tw_task t, struct tw_error *err)
{
	uint32_t first_a = a->access_start[t], first_b = b->access_start[t];
	uint32_t n_a = a->access_start[t + 1] - first_a, n_b = b->access_start[t + 1] - first_b;
	if (n_a != n_b)
		return tw_fail(err, TW_INVALID,
		               "task %d accesses %u handles in A, and %u in B: expected two runs of one graph", (int)t,
		               (unsigned)n_a, (unsigned)n_b);
	for (uint32_t i = 0; i < n_a; i++) {
		tw__access of_a = a->access[first_a + i], of_b = b->access[first_b + i];
		if (tw__access_data(of_a) != tw__access_data(of_b))
			return tw_fail(err, TW_INVALID,
			               "task %d accesses handle %d in A, and handle %d in B: expected two runs of one "
			               "graph",
			               (int)t, (int)tw__access_data(of_a), (int)tw__access_data(of_b));
		if (tw__access_mode(of_a) != tw__access_mode(of_b))
			return tw_fail(err, TW_INVALID,
			               "task %d accesses handle %d in another mode in B than in A: expected two runs "
			               "of one graph",
			               (int)t, (int)tw__access_data(of_a));
	}
	return TW_OK;
}

int tw__diff_graphs(const struct tw_graph *a, const struct tw_graph *b, struct tw_error *err)
{
	int status = TW_OK;
	if (a->n_tasks != b->n_tasks)
		return differ("tasks", a->n_tasks, b->n_tasks, err);
	if (a->n_data != b->n_data)
		return differ("handles", a->n_data, b->n_data, err);
	for (tw_task t = 0; t < a->n_tasks && status == TW_OK; t++) {
		status = compare_kernels(a, b, t, err);
		if (status == TW_OK)
			status = compare_accesses(a, b, t, err);
	}
	for (tw_data d = 0; d < a->n_data && status == TW_OK; d++)
		if (a->data_bytes[d] != b->data_bytes[d])
			status = tw_fail(err, TW_INVALID,
			                 "handle %d has %llu bytes in A, and %llu in B: expected two runs of one graph",
			                 (int)d, (unsigned long long)a->data_bytes[d],
			                 (unsigned long long)b->data_bytes[d]);
	return status;
}
