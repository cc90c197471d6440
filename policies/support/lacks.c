#include <tilewright/lacks.h>

#include <stdlib.h>

int tw_lacks_init(struct tw_lacks *l, const struct tw_sched *s, const struct tw_plan *plan)
{
	tw_task n_tasks = tw_max_tasks(s);
	*l = (struct tw_lacks){
		.plan = plan,
		.of = malloc(((size_t)n_tasks + 1) * sizeof *l->of),
		.nodes = calloc((size_t)tw_n_nodes(s), sizeof *l->nodes),
		.n_nodes = tw_n_nodes(s),
	};
	bool complete = l->of && l->nodes;
	for (tw_node n = 0; complete && n < l->n_nodes; n++) { /* pages are not touched before tasks wait there */
		l->nodes[n].heap = malloc(((size_t)n_tasks + 1) * sizeof *l->nodes[n].heap);
		l->nodes[n].stale = malloc(((size_t)n_tasks + 1) * sizeof *l->nodes[n].stale);
		complete = l->nodes[n].heap && l->nodes[n].stale;
	}
	if (!complete) {
		tw_lacks_finish(l);
		return TW_NOMEM;
	}
	for (tw_task t = 0; t < n_tasks; t++)
		l->of[t] = (struct tw_lacking){.place = TW_NONE, .stale = TW_NONE};
	return TW_OK;
}

void tw_lacks_finish(struct tw_lacks *l)
{
	for (tw_node n = 0; l->nodes && n < l->n_nodes; n++) {
		free(l->nodes[n].heap);
		free(l->nodes[n].stale);
	}
	free(l->of);
	free(l->nodes);
	*l = (struct tw_lacks){0};
}

/* Not an id_heap.h, whose score is one number. */

/* --- the heap of a node ------------------------------------------------------------------------------------------ */

static bool is_readier(const struct tw_lacking *a, const struct tw_lacking *b)
{
	if (a->lack.not_valid != b->lack.not_valid)
		return a->lack.not_valid < b->lack.not_valid;
	if (a->lack.not_loading != b->lack.not_loading)
		return a->lack.not_loading < b->lack.not_loading;
	if (a->lack.not_allocated != b->lack.not_allocated)
		return a->lack.not_allocated < b->lack.not_allocated;
	return a->rank < b->rank;
}

static void put(struct tw_lacks *l, struct tw_lacks_on_node *on, int32_t place, tw_task task)
{
	on->heap[place] = task;
	l->of[task].place = place;
}

/* Moves the task from a free place to where it belongs. */
static void settle(struct tw_lacks *l, struct tw_lacks_on_node *on, int32_t place, tw_task task)
{
	const struct tw_lacking *its = &l->of[task];
	for (int32_t above; place > 0 && is_readier(its, &l->of[on->heap[above = (place - 1) / 2]]); place = above)
		put(l, on, place, on->heap[above]);
	for (int32_t below; (below = 2 * place + 1) < on->n; place = below) {
		if (below + 1 < on->n && is_readier(&l->of[on->heap[below + 1]], &l->of[on->heap[below]]))
			below++;
		if (!is_readier(&l->of[on->heap[below]], its))
			break;
		put(l, on, place, on->heap[below]);
	}
	put(l, on, place, task);
}

/* --- tasks that wait --------------------------------------------------------------------------------------------- */

static void set_stale(struct tw_lacks_on_node *on, struct tw_lacking *its, tw_task task)
{
	if (its->stale != TW_NONE)
		return;
	its->stale = on->n_stale;
	on->stale[on->n_stale++] = task;
}

void tw_lacks_add(struct tw_lacks *l, tw_task task, tw_node node, int32_t rank)
{
	struct tw_lacks_on_node *on = &l->nodes[node];
	struct tw_lacking *its = &l->of[task];
	its->lack = TW_LACKS_ALL;
	its->rank = rank;
	its->node = node;
	settle(l, on, on->n++, task);
	set_stale(on, its, task);
}

void tw_lacks_remove(struct tw_lacks *l, tw_task task)
{
	struct tw_lacking *its = &l->of[task];
	if (its->place == TW_NONE)
		return;
	struct tw_lacks_on_node *on = &l->nodes[its->node];
	if (its->stale != TW_NONE) {
		tw_task last = on->stale[--on->n_stale];
		on->stale[its->stale] = last;
		l->of[last].stale = its->stale;
		its->stale = TW_NONE;
	}
	tw_task last = on->heap[--on->n];
	if (last != task)
		settle(l, on, its->place, last);
	its->place = TW_NONE;
}

/* --- the readiest ------------------------------------------------------------------------------------------------ */

/* Those whose data have changed, or all, if too many have. */
static void find_stale(struct tw_lacks *l, const struct tw_sched *s, tw_node node)
{
	const struct tw_plan *p = l->plan;
	struct tw_lacks_on_node *on = &l->nodes[node];
	tw_data changed[TW_MOST_CHANGES];
	int n = tw_copies_changed(s, node, &on->seen, changed);
	for (int32_t i = 0; n == TW_NONE && i < on->n; i++)
		set_stale(on, &l->of[on->heap[i]], on->heap[i]);
	for (int i = 0; i < n; i++) {
		size_t uses = (size_t)node * (size_t)p->n_data + (size_t)changed[i];
		for (uint32_t use = p->of_data[uses].first; use; use = p->uses[use].behind) {
			tw_task task = p->uses[use].task;
			if (l->of[task].place != TW_NONE)
				set_stale(on, &l->of[task], task);
		}
	}
}

tw_task tw_lacks_readiest(struct tw_lacks *l, const struct tw_sched *s, tw_node node)
{
	struct tw_lacks_on_node *on = &l->nodes[node];
	find_stale(l, s, node);
	while (on->n_stale > 0) {
		tw_task task = on->stale[--on->n_stale];
		struct tw_lacking *its = &l->of[task];
		its->stale = TW_NONE;
		its->lack = TW_LACKS_ALL;
		tw_task_lacks_less(s, task, node, &its->lack);
		settle(l, on, its->place, task);
	}
	return on->n ? on->heap[0] : (tw_task)TW_NONE;
}
