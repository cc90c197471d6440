/* The set-up of a table of data (data_table.h): allocates the table and its units. */
#include "policies/support/data_table.h"
#include "policies/support/examples.h"

/* Whether the worker is a core in a run that has accelerators. Accelerators are the first workers. */
static bool is_beside(const struct tw_sched *s, tw_worker w)
{
	return tw_worker_is_accelerator(s, w) != tw_worker_is_accelerator(s, 0);
}

/* Returns the kind of unit u: that of an earlier unit with the same archs, or a new kind. */
static int kind_of(struct tw_data_table *t, const struct tw_data_unit *u)
{
	for (const struct tw_data_unit *other = t->units; other < u; other++)
		if (tw_examples_are_alike(t->s, other->workers, other->n_workers, u->workers, u->n_workers))
			return other->kind;
	return t->n_kinds++;
}

/* Adds the memory node to the table as a unit, unless it is a unit already. */
static void init_unit(struct tw_data_table *t, tw_node node)
{
	const struct tw_sched *s = t->s;
	size_t n_data = (size_t)t->n_data;
	if (t->unit_of_node[node] != TW_NONE)
		return;
	struct tw_data_unit *u = &t->units[t->n_units];
	t->unit_of_node[node] = t->n_units++;
	u->node = node;
	u->workers = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *u->workers);
	u->states = tw_run_alloc(s, n_data, sizeof *u->states);
	u->cells = tw_run_alloc(s, n_data, sizeof *u->cells);
	u->best = tw_run_alloc(s, 2 * (size_t)t->first_leaf, sizeof *u->best);
	u->stale = tw_run_alloc(s, n_data, sizeof *u->stale);
	tw_task_queue_init(&u->free, s, tw_task_links_create(s));
	for (int32_t i = 0; i < 2 * t->first_leaf; i++)
		u->best[i] = TW_NONE;
	for (tw_data d = 0; d < t->n_data; d++) {
		bool valid = tw_data_valid(s, d, node);
		u->states[d] = (struct tw_data_state){.present = valid, .there = valid};
	}
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (tw_worker_node(s, w) == node && !is_beside(s, w))
			tw_examples_add(u->workers, &u->n_workers, s, w);
	u->kind = kind_of(t, u);
}

int32_t tw__data_make_entry(struct tw_data_table *t, int n_accesses)
{
	size_t n_units = (size_t)t->n_units, n_kinds = (size_t)t->n_kinds;
	if (t->n_entries == t->entry_capacity) {
		size_t n = (size_t)(t->entry_capacity = t->n_entries + t->n_entries / 2 + 64);
		t->tasks = tw_run_resize(t->s, t->tasks, n, sizeof *t->tasks);
		t->length_ns = tw_run_resize(t->s, t->length_ns, n * n_kinds, sizeof *t->length_ns);
		t->missing = tw_run_resize(t->s, t->missing, n * n_units, sizeof *t->missing);
		t->need_ns = tw_run_resize(t->s, t->need_ns, n * n_units, sizeof *t->need_ns);
	}
	if (t->n_uses + (size_t)n_accesses > t->capacity) {
		t->capacity = t->n_uses + t->n_uses / 2 + (size_t)n_accesses + 64;
		t->uses = tw_run_resize(t->s, t->uses, t->capacity, sizeof *t->uses);
	}
	t->tasks[t->n_entries] = (struct tw_data_task){.first_use = (int32_t)t->n_uses, .unit_of = TW_NOT_IN_TABLE};
	t->n_uses += (size_t)n_accesses;
	return t->n_entries++;
}

void tw_data_table_init(struct tw_data_table *t, struct tw_sched *s)
{
	size_t nodes = (size_t)tw_n_nodes(s);
	size_t n_data = (size_t)tw_graph_n_data(tw_sched_graph(s)), n_workers = (size_t)tw_n_workers(s);
	*t = (struct tw_data_table){
		.s = s,
		.n_data = (tw_data)n_data,
		.first_accumulator = tw_first_accumulator(s),
		.first_leaf = 1,
		.units = tw_run_alloc(s, nodes, sizeof *t->units),
		.unit_of_node = tw_run_alloc(s, nodes, sizeof *t->unit_of_node),
		.unit_of_worker = tw_run_alloc(s, n_workers, sizeof *t->unit_of_worker),
		.ready_uses = tw_run_alloc(s, n_data, sizeof *t->ready_uses),
		.seconds = tw_run_alloc(s, nodes, sizeof *t->seconds),
		.entry_of = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *t->entry_of),
		.free_of = tw_run_alloc(s, (size_t)tw_graph_most_accesses(tw_sched_graph(s)) + 1, sizeof *t->free_of),
	};
	tw_plan_init(&t->plan, s);
	while (t->first_leaf < t->n_data)
		t->first_leaf *= 2;
	for (size_t i = 0; i < nodes; i++)
		t->unit_of_node[i] = TW_NONE;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		if (!is_beside(s, w))
			init_unit(t, tw_worker_node(s, w));
		t->unit_of_worker[w] = is_beside(s, w) ? TW_NONE : t->unit_of_node[tw_worker_node(s, w)];
	}
	size_t n_units = (size_t)t->n_units, n_kinds = (size_t)t->n_kinds;
	t->left_ns = tw_run_alloc(s, n_data * n_kinds, sizeof *t->left_ns);
	t->queued_ns = tw_run_alloc(s, n_units, sizeof *t->queued_ns);
	t->bring_s = tw_run_alloc(s, n_data * n_units, sizeof *t->bring_s);
	t->unqueued = tw_run_id_set(s, t->n_units);
	for (int k = 0; k < t->n_units; k++)
		tw_id_set_put(&t->unqueued, k, true);
	tw__data_make_entry(t, 0);
	for (tw_data d = 0; d < t->n_data; d++) {
		t->ready_uses[d] = TW_NONE;
		t->bring_s[(size_t)d * n_units] = -1;
	}
}

bool tw_data_table_all_fits(const struct tw_data_table *t)
{
	for (int k = 0; k < t->n_units; k++)
		if (!tw_node_holds_all(t->s, t->units[k].node))
			return false;
	return true;
}
