/* The set-up of a table of data (data_table.h): allocates the table and its units. */
#include <stdlib.h>

#include "policies/support/data_table.h"
#include "policies/support/examples.h"

static void finish_unit(struct tw_data_unit *u)
{
	free(u->workers);
	free(u->cells);
	free(u->best);
	free(u->stale);
}

void tw_data_table_finish(struct tw_data_table *t)
{
	for (int k = 0; t->units && k < t->n_units; k++)
		finish_unit(&t->units[k]);
	free(t->units);
	free(t->unit_of_node);
	free(t->unit_of_worker);
	free(t->uses);
	free(t->ready_uses);
	free(t->first_use);
	free(t->n_inputs);
	free(t->unit_of);
	free(t->length_ns);
	free(t->least_ns);
	free(t->left_ns);
	free(t->queued_ns);
	tw_id_set_finish(&t->unqueued);
	free(t->bring_s);
	free(t->seconds);
	free(t->missing);
	free(t->need_ns);
	*t = (struct tw_data_table){0};
}

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

/* Adds the memory node to the table as a unit, unless it is a unit already. Returns false if out of memory. */
static bool init_unit(struct tw_data_table *t, tw_node node)
{
	const struct tw_sched *s = t->s;
	size_t n_data = (size_t)t->n_data + 1;
	if (t->unit_of_node[node] != TW_NONE)
		return true;
	struct tw_data_unit *u = &t->units[t->n_units];
	t->unit_of_node[node] = t->n_units++;
	u->node = node;
	u->links = tw_task_links_create(s);
	u->workers = calloc((size_t)tw_n_workers(s), sizeof *u->workers);
	u->cells = calloc(n_data, sizeof *u->cells);
	u->best = malloc(2 * (size_t)t->first_leaf * sizeof *u->best);
	u->stale = calloc(n_data, sizeof *u->stale);
	if (!u->workers || !u->cells || !u->best || !u->stale)
		return false;
	tw_task_queue_init(&u->free, s, u->links);
	for (int32_t i = 0; i < 2 * t->first_leaf; i++)
		u->best[i] = TW_NONE;
	for (tw_data d = 0; d < t->n_data; d++) {
		bool valid = tw_data_valid(s, d, node);
		u->cells[d] = (struct tw_data_cell){.present = valid, .there = valid};
	}
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (tw_worker_node(s, w) == node && !is_beside(s, w))
			tw_examples_add(u->workers, &u->n_workers, s, w);
	u->kind = kind_of(t, u);
	return true;
}

int tw_data_table_init(struct tw_data_table *t, struct tw_sched *s, struct tw_error *err)
{
	size_t tasks = (size_t)tw_max_tasks(s) + 1, nodes = (size_t)tw_n_nodes(s);
	*t = (struct tw_data_table){.s = s, .n_data = tw_graph_n_data(tw_sched_graph(s)), .first_leaf = 1};
	t->first_accumulator = tw_first_accumulator(s);
	while (t->first_leaf < t->n_data)
		t->first_leaf *= 2;
	t->units = calloc(nodes, sizeof *t->units);
	t->unit_of_node = malloc(nodes * sizeof *t->unit_of_node);
	t->unit_of_worker = malloc((size_t)tw_n_workers(s) * sizeof *t->unit_of_worker);
	t->ready_uses = malloc(((size_t)t->n_data + 1) * sizeof *t->ready_uses);
	t->first_use = malloc(tasks * sizeof *t->first_use);
	t->n_inputs = malloc(tasks * sizeof *t->n_inputs);
	t->unit_of = malloc(tasks * sizeof *t->unit_of);
	t->least_ns = malloc(tasks * sizeof *t->least_ns);
	bool ok = t->units && t->unit_of_node && t->unit_of_worker && t->ready_uses && t->first_use && t->n_inputs &&
	          t->unit_of && t->least_ns;
	tw_plan_init(&t->plan, s);
	for (size_t i = 0; ok && i < nodes; i++)
		t->unit_of_node[i] = TW_NONE;
	for (tw_worker w = 0; ok && w < tw_n_workers(s); w++) {
		ok = is_beside(s, w) || init_unit(t, tw_worker_node(s, w));
		t->unit_of_worker[w] = is_beside(s, w) ? TW_NONE : t->unit_of_node[tw_worker_node(s, w)];
	}
	t->length_ns = malloc(tasks * (size_t)t->n_kinds * sizeof *t->length_ns + 1);
	t->left_ns = calloc((size_t)t->n_data * (size_t)t->n_kinds + 1, sizeof *t->left_ns);
	t->queued_ns = calloc((size_t)t->n_units + 1, sizeof *t->queued_ns);
	t->bring_s = malloc((size_t)t->n_data * (size_t)t->n_units * sizeof *t->bring_s + 1);
	t->seconds = malloc(nodes * sizeof *t->seconds);
	t->missing = malloc(tasks * (size_t)t->n_units * sizeof *t->missing + 1);
	t->need_ns = malloc(tasks * (size_t)t->n_units * sizeof *t->need_ns + 1);
	if (!ok || tw_id_set_init(&t->unqueued, t->n_units) || !t->length_ns || !t->left_ns || !t->queued_ns ||
	    !t->bring_s || !t->seconds || !t->missing || !t->need_ns) {
		tw_data_table_finish(t);
		return tw_fail(err, TW_NOMEM, "out of memory for the data of %d tasks", (int)tw_max_tasks(s));
	}
	for (int k = 0; k < t->n_units; k++)
		tw_id_set_put(&t->unqueued, k, true);
	for (size_t i = 0; i < tasks; i++)
		t->unit_of[i] = TW_NOT_IN_TABLE;
	for (tw_data d = 0; d < t->n_data; d++) {
		t->ready_uses[d] = TW_NONE;
		t->bring_s[(size_t)d * (size_t)t->n_units] = -1;
	}
	return TW_OK;
}

bool tw_data_table_all_fits(const struct tw_data_table *t)
{
	for (int k = 0; k < t->n_units; k++)
		if (!tw_node_holds_all(t->s, t->units[k].node))
			return false;
	return true;
}
