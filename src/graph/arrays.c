/* Tasks and handles from arrays. */
#include <math.h>

#include "graph/build.h"

tw_data tw_graph_data_many(struct tw_graph *g, tw_data n, const uint64_t *bytes)
{
	if (tw__build_refuses(g))
		return TW_NONE;
	if (n < 0 || (n > 0 && !bytes))
		return TW__REFUSE(g, "%d handles from %s: expected 0 or more, and an array of their bytes", (int)n,
		                  bytes ? "an array" : "NULL");
	tw_data first = g->n_data;
	for (tw_data d = 0; d < n; d++)
		if (tw_graph_data(g, bytes[d]) == TW_NONE)
			return TW_NONE;
	return first;
}

/* Whether there are the arrays that the given ones need. */
static bool are_complete(struct tw_graph *g, const struct tw_task_arrays *a)
{
	const char *expected = NULL;
	if (!a || a->size != sizeof *a) /* another version's structure has members that are not known */
		expected = "a structure with its size";
	else if (a->n < 0 || a->n_archs < 0)
		expected = "0 or more tasks and archs";
	else if (a->n && !a->kernel)
		expected = "an array `kernel`";
	else if (!a->first_access && (a->data || a->mode))
		expected = "an array `first_access` with `data` and `mode`";
	else if (!a->first_dependency && a->depends_on)
		expected = "an array `first_dependency` with `depends_on`";
	else if (a->n && a->n_archs && (!a->archs || !a->seconds_on))
		expected = "arrays `archs` and `seconds_on`, as n_archs is not 0";
	if (expected)
		TW__REFUSE(g, "arrays of tasks: expected %s", expected);
	return !expected;
}

/* Sets the range of indices that `first` gives to element i, which is that task of the graph. False: the graph has
 * failed. */
static bool find_range(struct tw_graph *g, tw_task task, tw_task i, const int64_t *first, bool items_are_there,
                       const char *what, int64_t *from, int64_t *to)
{
	*from = first ? first[i] : 0;
	*to = first ? first[i + 1] : 0;
	if (*from < 0 || *to < *from)
		TW__REFUSE(g, "task %d: %s from index %lld up to %lld, expected ascending indices from 0", (int)task,
		           what, (long long)*from, (long long)*to);
	else if (*from < *to && !items_are_there)
		TW__REFUSE(g, "task %d has %s in an array that is NULL, expected an array", (int)task, what);
	return !tw__build_failed(g);
}

static bool submit(struct tw_graph *g, const struct tw_task_arrays *a, tw_task i)
{
	struct tw__graph_build *b = g->build;
	int64_t from, to;
	if (!find_range(g, g->n_tasks, i, a->first_access, a->data && a->mode, "accesses", &from, &to))
		return false;
	/* tw_graph_submit refuses a task with more accesses than handles before it reads any. */
	int64_t n = to - from <= g->n_data ? to - from : (int64_t)g->n_data + 1, read = n <= g->n_data ? n : 0;
	if (!TW__HAS_ROOM(b->list, b->list_capacity, (size_t)read + 1))
		return tw__build_fail_memory(g) != TW_NONE;
	for (int64_t k = 0; k < read; k++)
		b->list[k] = (struct tw_access){a->data[from + k], (enum tw_mode)a->mode[from + k]};
	return tw_graph_submit(g, a->kernel[i], a->priority ? a->priority[i] : 0, b->list, (int)n) != TW_NONE;
}

static bool add_dependencies(struct tw_graph *g, const struct tw_task_arrays *a, tw_task i)
{
	int64_t from, to;
	if (!find_range(g, g->n_tasks - 1, i, a->first_dependency, a->depends_on, "dependencies", &from, &to))
		return false;
	for (; from < to && !tw__build_failed(g); from++)
		tw_graph_depend(g, a->depends_on[from]);
	return !tw__build_failed(g);
}

static bool set_all_seconds(struct tw_graph *g, const struct tw_task_arrays *a, tw_task i)
{
	if (a->seconds && !isnan(a->seconds[i]))
		tw_graph_set_seconds(g, g->n_tasks - 1, a->seconds[i]);
	for (int k = 0; k < a->n_archs; k++) {
		double seconds = a->seconds_on[(size_t)k * (size_t)a->n + (size_t)i];
		if (!isnan(seconds))
			tw_graph_set_seconds_on(g, a->archs[k], seconds);
	}
	return !tw__build_failed(g);
}

tw_task tw_graph_submit_many(struct tw_graph *g, const struct tw_task_arrays *a)
{
	if (tw__build_refuses(g) || !are_complete(g, a))
		return TW_NONE;
	if (!tw__build_has_room(g, a->n))
		return tw__build_fail_memory(g);
	tw_task first = g->n_tasks;
	for (tw_task i = 0; i < a->n; i++)
		if (!submit(g, a, i) || !add_dependencies(g, a, i) || !set_all_seconds(g, a, i))
			return TW_NONE;
	return first;
}
