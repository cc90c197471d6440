#include "policies/support/plan.h"

/* Distance between the places of tasks planned one after the other. Each bit of it allows one insertion between two
 * tasks. */
static const int64_t step = INT64_C(1) << 20;

void tw_plan_init(struct tw_plan *p, const struct tw_sched *s)
{
	size_t nodes = (size_t)tw_n_nodes(s), n_data = (size_t)tw_graph_n_data(tw_sched_graph(s));
	*p = (struct tw_plan){
		.s = s,
		.tasks = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *p->tasks),
		.orders = tw_run_alloc(s, nodes, sizeof *p->orders),
		.of_data = tw_run_alloc(s, nodes * n_data, sizeof *p->of_data),
		.ends = tw_run_alloc(s, nodes * n_data, sizeof *p->ends),
		.n_uses = 1,
		.free_uses =
			tw_run_alloc(s, (size_t)tw_graph_most_accesses(tw_sched_graph(s)) + 1, sizeof *p->free_uses),
		.n_data = (tw_data)n_data,
		.first_accumulator = tw_first_accumulator(s),
	};
	for (size_t n = 0; n < nodes; n++)
		p->orders[n] = (struct tw_plan_order){TW_NONE, TW_NONE, 0};
	for (size_t i = 0; i < nodes * n_data; i++)
		p->of_data[i] = (struct tw_planned_use){TW_NEVER, 0, 0};
}

void tw_plan_init_if_read(struct tw_plan *p, const struct tw_sched *s)
{
	*p = (struct tw_plan){0};
	if (tw_plans_are_read(s))
		tw_plan_init(p, s);
}

/* --- the planned uses of a handle on a node ----------------------------------------------------------------------- */

/* Returns the index in `of_data` of the handle of the task's i-th access, on the node that the task is planned for. A
 * contributor to a reduction is counted as a user of the first worker's accumulator. */
static size_t index_of_access(const struct tw_plan *p, const struct tw_sched *s, tw_task task, int i)
{
	struct tw_access access = tw_task_access(s, task, i);
	tw_data d = access.mode & TW_REDUX ? tw_accumulator(s, access.data, 0) : access.data;
	return tw_plan_index(p, d, p->tasks[task].node);
}

static int64_t place_of_use(const struct tw_plan *p, uint32_t use) { return p->tasks[p->uses[use].task].place; }

/* Sets the place of the first use of the handle, which `index` stands for. */
static void set_next(struct tw_plan *p, size_t index)
{
	uint32_t first = p->ends[index].first;
	p->of_data[index].next = first ? place_of_use(p, first) : TW_NEVER;
}

static void link_use(struct tw_plan *p, size_t index, uint32_t use)
{
	struct tw_plan_ends *ends = &p->ends[index];
	uint32_t ahead = ends->last, behind = 0;
	int64_t place = place_of_use(p, use);
	if (ends->first && place < place_of_use(p, ends->first)) {
		ahead = 0;
		behind = ends->first;
	}
	while (ahead && place_of_use(p, ahead) > place) {
		behind = ahead;
		ahead = p->uses[ahead].ahead;
	}
	p->uses[use].ahead = ahead;
	p->uses[use].behind = behind;
	*(ahead ? &p->uses[ahead].behind : &ends->first) = use;
	*(behind ? &p->uses[behind].ahead : &ends->last) = use;
	if (!ahead)
		set_next(p, index);
}

static void unlink_use(struct tw_plan *p, size_t index, uint32_t use)
{
	struct tw_plan_ends *ends = &p->ends[index];
	uint32_t ahead = p->uses[use].ahead, behind = p->uses[use].behind;
	*(ahead ? &p->uses[ahead].behind : &ends->first) = behind;
	*(behind ? &p->uses[behind].ahead : &ends->last) = ahead;
	if (!ahead)
		set_next(p, index);
}

/* --- the planned order of a node ---------------------------------------------------------------------------------- */

/* Gives new places to all tasks in the order of the node, at equal distances. */
static void renumber(struct tw_plan *p, tw_node node)
{
	int64_t place = 0;
	for (tw_task t = p->orders[node].first; t != TW_NONE; t = p->tasks[t].behind)
		p->tasks[t].place = place += step;
	for (tw_data d = 0; d < p->n_data; d++)
		set_next(p, tw_plan_index(p, d, node));
}

static int64_t place_between(struct tw_plan *p, tw_node node, tw_task ahead, tw_task behind)
{
	if (ahead == TW_NONE)
		return behind == TW_NONE ? 0 : p->tasks[behind].place - step;
	if (behind == TW_NONE)
		return p->tasks[ahead].place + step;
	if (p->tasks[behind].place - p->tasks[ahead].place < 2)
		renumber(p, node);
	return p->tasks[ahead].place + (p->tasks[behind].place - p->tasks[ahead].place) / 2;
}

/* Returns the first of n free uses in a row. */
static uint32_t take_uses(struct tw_plan *p, const struct tw_sched *s, int n)
{
	uint32_t first = p->free_uses[n];
	if (first) {
		p->free_uses[n] = p->uses[first].behind;
		return first;
	}
	if (p->n_uses + (size_t)n > p->capacity) {
		p->capacity = p->n_uses + p->n_uses / 2 + (size_t)n + 64;
		p->uses = tw_run_resize(s, p->uses, p->capacity, sizeof *p->uses);
	}
	first = (uint32_t)p->n_uses;
	p->n_uses += (size_t)n;
	return first;
}

static void give_uses(struct tw_plan *p, uint32_t first, int n)
{
	if (n == 0)
		return;
	p->uses[first].behind = p->free_uses[n];
	p->free_uses[n] = first;
}

void tw_plan_insert(struct tw_plan *p, const struct tw_sched *s, tw_task task, tw_node node, tw_task ahead)
{
	struct tw_planned_task *t = &p->tasks[task];
	struct tw_plan_order *order = &p->orders[node];
	int n = tw_task_n_accesses(s, task);
	t->uses = take_uses(p, s, n);
	for (int i = 0; i < n; i++)
		p->uses[t->uses + (uint32_t)i].task = task;
	tw_task behind = ahead == TW_NONE ? order->first : p->tasks[ahead].behind;
	t->place = place_between(p, node, ahead, behind);
	t->ahead = ahead;
	t->behind = behind;
	t->node = (int16_t)node;
	t->state = TW_PLANNED;
	*(ahead != TW_NONE ? &p->tasks[ahead].behind : &order->first) = task;
	*(behind != TW_NONE ? &p->tasks[behind].ahead : &order->last) = task;
	order->n_planned++;
	for (int i = 0; i < n; i++) {
		size_t index = index_of_access(p, s, task, i);
		link_use(p, index, t->uses + (uint32_t)i);
		p->of_data[index].planned++;
	}
}

void tw_plan_append(struct tw_plan *p, const struct tw_sched *s, tw_task task, tw_node node)
{
	if (p->tasks)
		tw_plan_insert(p, s, task, node, p->orders[node].last);
}

void tw_plan_remove(struct tw_plan *p, const struct tw_sched *s, tw_task task)
{
	if (!p->tasks || p->tasks[task].state == TW_NOT_PLANNED)
		return;
	struct tw_planned_task *t = &p->tasks[task];
	struct tw_plan_order *order = &p->orders[t->node];
	*(t->ahead != TW_NONE ? &p->tasks[t->ahead].behind : &order->first) = t->behind;
	*(t->behind != TW_NONE ? &p->tasks[t->behind].ahead : &order->last) = t->ahead;
	order->n_planned -= t->state == TW_PLANNED;
	int n = tw_task_n_accesses(s, task);
	for (int i = 0; i < n; i++) {
		size_t index = index_of_access(p, s, task, i);
		unlink_use(p, index, t->uses + (uint32_t)i);
		--*(t->state == TW_PLANNED ? &p->of_data[index].planned : &p->of_data[index].taken);
	}
	give_uses(p, t->uses, n);
	t->uses = 0;
	t->state = TW_NOT_PLANNED;
}

void tw_plan_take(struct tw_plan *p, const struct tw_sched *s, tw_task task, tw_node node)
{
	if (!p->tasks)
		return;
	struct tw_planned_task *t = &p->tasks[task];
	if (t->state != TW_NOT_PLANNED && t->node != node)
		tw_plan_remove(p, s, task);
	if (t->state == TW_TAKEN)
		return;
	if (t->state == TW_NOT_PLANNED)
		tw_plan_insert(p, s, task, node, TW_NONE);
	t->state = TW_TAKEN;
	p->orders[node].n_planned--;
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		struct tw_planned_use *use = &p->of_data[index_of_access(p, s, task, i)];
		use->planned--;
		use->taken++;
	}
}

/* --- answers to planned_use --------------------------------------------------------------------------------------- */

struct tw_planned_use tw__plan_add_uses(const struct tw_plan *p, tw_data accumulator, tw_node node,
                                        struct tw_planned_use use)
{
	tw_data first_of_data = tw_accumulator(p->s, tw_accumulated(p->s, accumulator), 0);
	if (first_of_data == accumulator)
		return use;
	struct tw_planned_use all = p->of_data[tw_plan_index(p, first_of_data, node)];
	return (struct tw_planned_use){all.next < use.next ? all.next : use.next, use.taken + all.taken,
	                               use.planned + all.planned};
}

void tw_plan_show(const struct tw_plan *p, struct tw_sched *s)
{
	if (!p->tasks || p->first_accumulator < p->n_data)
		return;
	for (tw_node n = 0; n < tw_n_nodes(s); n++)
		tw_show_planned_uses(s, n, p->of_data + tw_plan_index(p, 0, n));
}
