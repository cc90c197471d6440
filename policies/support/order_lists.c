#include "policies/support/order_lists.h"

#include <math.h>
#include <stdlib.h>

#include "policies/support/examples.h"

const struct tw_param tw_packing_params[] = {
	{"ready", TW_PARAM_FLAG, "yes", 0, 0, NULL,
         "take the first task of the list that lacks the fewest bytes; no: the first"},
	{"flip", TW_PARAM_FLAG, "yes", 0, 0, NULL, "reverse packages so that ends that share most meet; no: never"},
	{0},
};

/* The list of node 0 is for all processors, whatever main memory they compute in. */
static void add_list(struct tw_order_lists *l, const struct tw_sched *s, tw_node node)
{
	struct tw_order_list *list = &l->of[l->n_lists];
	*list = (struct tw_order_list){
		.node = node,
		.workers = tw_run_id_set(s, tw_n_workers(s)),
		.examples = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *list->examples),
		.tasks = tw_run_alloc(s, (size_t)l->n_tasks, sizeof *list->tasks),
		.ready = tw_run_alloc(s, (size_t)l->n_tasks / 64 + 1, sizeof *list->ready),
		.by_lacks = {.node = node},
	};
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		const tw_node of_worker = tw_worker_node(s, w);
		if (of_worker != node && (node != TW_RAM || tw_worker_is_accelerator(s, w)))
			continue;
		if (l->list_of[of_worker] == TW_NONE)
			l->list_of[of_worker] = l->n_lists;
		tw_id_set_put(&list->workers, w, true);
		tw_examples_add(list->examples, &list->n_examples, s, w);
	}
	l->n_lists++;
}

void tw_order_lists_init(struct tw_order_lists *l, struct tw_sched *s)
{
	size_t tasks = (size_t)tw_graph_n_tasks(tw_sched_graph(s)), nodes = (size_t)tw_n_nodes(s);
	*l = (struct tw_order_lists){
		.n_tasks = (tw_task)tasks,
		.of = tw_run_alloc(s, nodes + 1, sizeof *l->of),
		.list_of = tw_run_alloc(s, nodes, sizeof *l->list_of),
		.examples = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *l->examples),
		.list = tw_run_alloc(s, tasks, sizeof *l->list),
		.place = tw_run_alloc(s, tasks, sizeof *l->place),
	};
	tw_worker_queues_init(&l->appended, s);
	tw_plan_init_if_read(&l->plan, s);
	tw_lacks_init(&l->lacks, s);
	for (tw_node node = 0; node < tw_n_nodes(s); node++)
		l->list_of[node] = TW_NONE;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (tw_worker_is_accelerator(s, w) && l->list_of[tw_worker_node(s, w)] == TW_NONE)
			add_list(l, s, tw_worker_node(s, w));
	l->n = l->n_lists ? l->n_lists : 1;
	add_list(l, s, TW_RAM);
	for (int i = 0; i < l->n; i++)
		for (int e = 0; e < l->of[i].n_examples; e++)
			tw_examples_add(l->examples, &l->n_examples, s, l->of[i].examples[e]);
	tw_plan_show(&l->plan, s);
}

/* --- filling the lists -------------------------------------------------------------------------------------------- */

double tw_order_lists_seconds(const struct tw_order_lists *l, const struct tw_sched *s, int list, tw_task task)
{
	return tw_examples_least_s(s, l->of[list].examples, l->of[list].n_examples, task);
}

double tw_order_lists_work(const struct tw_order_lists *l, const struct tw_sched *s, tw_task task)
{
	if (!tw_task_is_mine(s, task))
		return 0;
	double least = tw_examples_least_s(s, l->examples, l->n_examples, task);
	return isinf(least) ? 0 : least;
}

/* Returns the inverse of the seconds that the list's workers need for all tasks; 0: they can run no task. */
static double speed(const struct tw_order_lists *l, const struct tw_sched *s, int list)
{
	double all = 0;
	for (tw_task t = 0; t < l->n_tasks; t++) {
		double seconds = tw_task_is_mine(s, t) ? tw_order_lists_seconds(l, s, list, t) : 0;
		all += isinf(seconds) ? 0 : seconds;
	}
	return all > 0 ? 1 / all : 0;
}

void tw_order_lists_shares(const struct tw_order_lists *l, const struct tw_sched *s, double *parts)
{
	double sum = 0;
	for (int i = 0; i < l->n; i++) {
		bool known = i > 0 && tw_examples_are_alike(s, l->of[i].examples, l->of[i].n_examples,
		                                            l->of[i - 1].examples, l->of[i - 1].n_examples);
		parts[i] = known ? parts[i - 1] : speed(l, s, i);
		sum += parts[i];
	}
	for (int i = 0; i < l->n; i++)
		parts[i] = sum > 0 ? parts[i] / sum : 1.0 / l->n;
}

void tw_order_lists_deal(struct tw_order_lists *l, const struct tw_sched *s, tw_sharing_order *make)
{
	struct tw_sharing sharing = tw_sharing_of(tw_sched_graph(s));
	tw_task *order = tw_alloc((size_t)l->n_tasks, sizeof *order);
	double *parts = tw_alloc((size_t)l->n, sizeof *parts), all = 0, dealt = 0, due = 0;
	int list = -1;
	tw_looked_at(s, make(order, &sharing));
	tw_order_lists_shares(l, s, parts);
	for (tw_task t = 0; t < l->n_tasks; t++)
		all += tw_order_lists_work(l, s, t);
	for (tw_task i = 0; i < l->n_tasks; i++) {
		double work = tw_order_lists_work(l, s, order[i]);
		while (list < l->n - 1 && dealt + work / 2 >= due)
			due += all * parts[++list];
		dealt += work;
		if (tw_task_is_mine(s, order[i]))
			tw_order_lists_append(l, s, list, order[i]);
	}
	tw_sharing_finish(&sharing);
	free(order);
	free(parts);
}

tw_task *tw_order_lists_tasks(struct tw_order_lists *l, const struct tw_sched *s, tw_task *n)
{
	tw_task *tasks = tw_alloc((size_t)l->n_tasks, sizeof *tasks);
	*n = 0;
	for (tw_task t = 0; t < l->n_tasks; t++)
		if (tw_order_lists_work(l, s, t) > 0)
			tasks[(*n)++] = t;
		else if (tw_task_is_mine(s, t))
			tw_order_lists_append(l, s, 0, t);
	return tasks;
}

static uint64_t least_memory(const struct tw_order_lists *l, const struct tw_sched *s)
{
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < l->n; i++)
		least = tw_node_capacity(s, l->of[i].node) < least ? tw_node_capacity(s, l->of[i].node) : least;
	return least;
}

void tw_order_lists_pack(struct tw_order_lists *l, const struct tw_sched *s, const struct tw_sharing *sharing,
                         const tw_task *tasks, tw_task n, int list, int32_t packages)
{
	struct tw_packing how = {.memory_bytes = least_memory(l, s),
	                         .packages = packages,
	                         .flip = tw_args_flag(tw_sched_args(s), "flip")};
	struct tw_packages made = tw_pack(sharing, tasks, n, &how);
	l->readiest = tw_args_flag(tw_sched_args(s), "ready");
	for (int32_t p = 0; p < made.n; p++)
		for (int32_t i = made.first[p]; i < made.first[p + 1]; i++)
			tw_order_lists_append(l, s, list + p, made.tasks[i]);
	tw_looked_at(s, made.looks);
	tw_packages_finish(&made);
}
