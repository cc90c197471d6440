/* rcm: runs tasks in reverse Cuthill-McKee order (Cuthill, McKee 1969; George 1971), so that tasks that share data run
 * soon after each other. In the graph of this order, vertices are tasks, and edges join tasks that share data
 * (policies/support/sharing.h). Connected components follow in the order of submission. Each component is searched
 * breadth first from a vertex of least degree, the neighbours of a vertex by increasing degree; ties: the order of
 * submission. At the end, the whole order is reversed.
 *
 * The paper is Gonthier, Marchal, Thibault 2021, "From the state of the art". The paper has one GPU. With several GPUs,
 * each gets a contiguous part of the order. A GPU without tasks steals from the GPU with the longest list
 * (policies/support/order_lists.h). */
#include <stdlib.h>

#include <tilewright/policy.h>

#include "policies/support/order_lists.h"

struct search {
	const struct tw_sharing *sh;
	tw_task *degree; /* [tasks] number of other tasks that the task shares data with */
	int32_t *seen;   /* [tasks] number of the last search that reached the task; up to n_tasks: no search has */
	int32_t *opened; /* [data] number of the last search that reached all tasks of the handle */
	int32_t number;  /* number of the last breadth-first search */
};

static void count_degrees(struct search *s)
{
	const struct tw_sharing *sh = s->sh;
	for (tw_task t = 0; t < sh->n_tasks; t++) {
		s->seen[t] = t + 1;
		for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++)
			for (size_t j = sh->first_task[sh->data[i]]; j < sh->first_task[sh->data[i] + 1]; j++)
				if (s->seen[sh->tasks[j]] != t + 1) {
					s->seen[sh->tasks[j]] = t + 1;
					s->degree[t]++;
				}
	}
	s->number = sh->n_tasks;
}

static int by_degree(const void *a, const void *b, void *degree)
{
	tw_task x = *(const tw_task *)a, y = *(const tw_task *)b;
	tw_task dx = ((const tw_task *)degree)[x], dy = ((const tw_task *)degree)[y];
	return dx != dy ? (dx > dy) - (dx < dy) : (x > y) - (x < y);
}

/* Fills order[] with the component of `root` in Cuthill-McKee order. Returns how many tasks the component has. Each
 * handle is scanned once per search, because then all its tasks have been reached. */
static tw_task breadth_first(struct search *s, tw_task root, tw_task *order)
{
	const struct tw_sharing *sh = s->sh;
	tw_task n = 1;
	int32_t number = ++s->number;
	order[0] = root;
	s->seen[root] = number;
	for (tw_task i = 0; i < n; i++) {
		tw_task t = order[i], neighbours = n;
		for (size_t k = sh->first_data[t]; k < sh->first_data[t + 1]; k++) {
			tw_data d = sh->data[k];
			for (size_t j = sh->first_task[d]; s->opened[d] != number && j < sh->first_task[d + 1]; j++)
				if (s->seen[sh->tasks[j]] != number) {
					s->seen[sh->tasks[j]] = number;
					order[n++] = sh->tasks[j];
				}
			s->opened[d] = number;
		}
		qsort_r(order + neighbours, (size_t)(n - neighbours), sizeof *order, by_degree, s->degree);
	}
	return n;
}

/* Fills order[] with the component of `task`, starting from its task of least degree. Returns how many tasks it has. */
static tw_task order_part(struct search *s, tw_task task, tw_task *order)
{
	tw_task root = task, n = breadth_first(s, task, order);
	for (tw_task i = 0; i < n; i++)
		if (by_degree(&order[i], &root, s->degree) < 0)
			root = order[i];
	return breadth_first(s, root, order);
}

int64_t tw_rcm_order(tw_task *order, const struct tw_sharing *sh)
{
	size_t n_tasks = (size_t)sh->n_tasks;
	struct search s = {
		.sh = sh,
		.degree = tw_alloc(n_tasks, sizeof *s.degree),
		.seen = tw_alloc(n_tasks, sizeof *s.seen),
		.opened = tw_alloc((size_t)sh->n_data, sizeof *s.opened),
	};
	count_degrees(&s);
	tw_task n = 0;
	for (tw_task t = 0; t < sh->n_tasks; t++)
		if (s.seen[t] <= sh->n_tasks)
			n += order_part(&s, t, order + n);
	for (tw_task i = 0; i < n / 2; i++) {
		tw_task other = order[i];
		order[i] = order[n - 1 - i];
		order[n - 1 - i] = other;
	}
	free(s.degree);
	free(s.seen);
	free(s.opened);
	/* the degrees take all pairs; then each component is searched twice */
	return tw_sharing_pairs(sh) + 2 * (int64_t)sh->first_task[sh->n_data];
}

static int init(struct tw_sched *s, void *lists, struct tw_error *err)
{
	(void)err;
	tw_order_lists_init(lists, s);
	tw_order_lists_deal(lists, s, tw_rcm_order);
	return TW_OK;
}

const struct tw_policy tw_policy_rcm = {
	.abi = TW_POLICY_ABI,
	.name = "rcm",
	.summary = "tasks in reverse Cuthill-McKee order by shared data",
	.init = init,
	TW_ORDER_LISTS_MEMBERS,
};
