#include "policies/support/planned_copies.h"

#include <math.h>
#include <stdlib.h>

/* --- the copies of a handle --------------------------------------------------------------------------------------- */

/* Takes the copy that *link names out of its list. */
static void drop(struct tw_planned_copies *c, int32_t *link)
{
	int32_t copy = *link;
	*link = c->copies[copy].next;
	c->copies[copy].next = c->unused;
	c->unused = copy;
}

/* Notes that the node has the copy from `date` on, if not earlier. */
static void add_copy(struct tw_planned_copies *c, tw_data d, tw_node node, double date)
{
	TW_RESERVE(c->copies, c->capacity, c->n + 1);
	int32_t *link = &c->first[d];
	for (; *link != TW_NONE && c->copies[*link].date <= date; link = &c->copies[*link].next)
		if (c->copies[*link].node == node)
			return;
	int32_t copy = c->unused;
	if (copy != TW_NONE)
		c->unused = c->copies[copy].next;
	else
		copy = (int32_t)c->n++;
	c->copies[copy] = (struct tw_planned_copy){date, node, *link};
	*link = copy;
	for (link = &c->copies[copy].next; *link != TW_NONE; link = &c->copies[*link].next)
		if (c->copies[*link].node == node) {
			drop(c, link);
			return;
		}
}

/* Returns the date of each handle: when the graph arrives whose tasks access it. */
static double *find_arrivals(const struct tw_graph *g)
{
	double *dates = tw_alloc((size_t)tw_graph_n_data(g), sizeof *dates);
	for (tw_task t = 0; t < tw_graph_n_tasks(g); t++) {
		const double arrival_s = tw_graph_arrival(g, t);
		for (int i = 0; arrival_s > 0 && i < tw_graph_n_accesses(g, t); i++)
			dates[tw_graph_access(g, t, i).data] = round(arrival_s * 1e9);
	}
	return dates;
}

void tw_planned_copies_init(struct tw_planned_copies *c, const struct tw_sched *s)
{
	tw_data n_data = tw_graph_n_data(tw_sched_graph(s));
	double *arrivals = find_arrivals(tw_sched_graph(s));
	*c = (struct tw_planned_copies){.s = s, .n_nodes = (size_t)tw_n_nodes(s), .unused = TW_NONE};
	c->first = tw_resize(NULL, (size_t)n_data, sizeof *c->first);
	for (tw_data d = 0; d < n_data; d++) {
		c->first[d] = TW_NONE;
		for (tw_node first = 0; first < tw_n_nodes(s); first += 64)
			for (uint64_t on = tw_data_valid_nodes(s, d, first); on; on &= on - 1)
				add_copy(c, d, first + __builtin_ctzll(on), arrivals[d]);
	}
	free(arrivals);
}

void tw_planned_copies_finish(struct tw_planned_copies *c)
{
	free(c->first);
	free(c->copies);
	free(c->dates);
	for (int i = 0; i < TW_PLANNED_SIZES; i++)
		free(c->transfers[i].ns);
}

/* --- the data of a task ------------------------------------------------------------------------------------------- */

/* Returns the times of transfers of `bytes` from the node to each node. */
static const double *transfers_from(struct tw_planned_copies *c, tw_node from, uint64_t bytes)
{
	struct tw_planned_transfers *t = &c->transfers[bytes * UINT64_C(0x9E3779B97F4A7C15) >> 60];
	if (!t->ns || t->bytes != bytes) {
		if (!t->ns)
			t->ns = tw_alloc(c->n_nodes * c->n_nodes, sizeof *t->ns);
		t->bytes = bytes;
		for (size_t node = 0; node < c->n_nodes; node++)
			t->ns[node * c->n_nodes] = -1;
	}
	double *row = &t->ns[(size_t)from * c->n_nodes];
	if (row[0] >= 0)
		return row;
	for (size_t to = 0; to < c->n_nodes; to++) {
		double ns = tw_transfer_time(c->s, from, (tw_node)to, bytes) * 1e9;
		/* Rounds up as the run does, except where the excess is a rounding error. */
		row[to] = ceil(ns - 4e-3 - ns * 0x1p-52);
	}
	return row;
}

/* Fills dates[nodes] with the earliest date when the handle can be on each node. */
static void find_dates(struct tw_planned_copies *c, tw_data d, double *dates)
{
	uint64_t bytes = tw_data_bytes(c->s, d);
	double last = INFINITY;
	for (size_t node = 0; node < c->n_nodes; node++)
		dates[node] = INFINITY;
	for (int32_t i = c->first[d]; i != TW_NONE; i = c->copies[i].next) {
		double there = c->copies[i].date;
		if (there >= last)
			break; /* later copies cannot arrive earlier */
		const double *transfer = transfers_from(c, c->copies[i].node, bytes);
		last = 0;
		for (size_t node = 0; node < c->n_nodes; node++) {
			double date = there + transfer[node];
			dates[node] = date < dates[node] ? date : dates[node];
			last = dates[node] > last ? dates[node] : last;
		}
	}
}

void tw_planned_copies_arrivals(struct tw_planned_copies *c, tw_task task, double *arrival)
{
	int n = tw_task_n_accesses(c->s, task);
	TW_RESERVE(c->dates, c->dates_capacity, (size_t)n * c->n_nodes);
	for (size_t node = 0; node < c->n_nodes; node++)
		arrival[node] = 0;
	for (int i = 0; i < n; i++) {
		struct tw_access access = tw_task_access(c->s, task, i);
		double *dates = &c->dates[(size_t)i * c->n_nodes];
		if (!(access.mode & TW_R))
			continue;
		find_dates(c, access.data, dates);
		for (size_t node = 0; node < c->n_nodes; node++)
			if (dates[node] < INFINITY && dates[node] > arrival[node])
				arrival[node] = dates[node];
	}
}

void tw_planned_copies_arrivals_behind(struct tw_planned_copies *c, tw_task task, const int *version,
                                       const struct tw_planned_end *ends, double *arrival)
{
	tw_planned_copies_arrivals(c, task, arrival);
	for (size_t node = 0; node < c->n_nodes; node++)
		arrival[node] = 0;
	for (int i = 0; i < tw_task_n_accesses(c->s, task); i++) {
		struct tw_access access = tw_task_access(c->s, task, i);
		const struct tw_planned_end *end = version[i] >= 0 ? &ends[version[i]] : NULL;
		const double *dates = &c->dates[(size_t)i * c->n_nodes];
		if (!(access.mode & TW_R) || version[i] == TW_PLANNED_OPEN)
			continue;
		const double *ns = end ? transfers_from(c, end->node, tw_data_bytes(c->s, access.data)) : NULL;
		for (size_t node = 0; node < c->n_nodes; node++) {
			double date = end ? end->date + ns[node] : dates[node];
			if (date < INFINITY && date > arrival[node])
				arrival[node] = date;
		}
	}
}

void tw_planned_copies_add(struct tw_planned_copies *c, tw_task task, tw_node node, double end)
{
	for (int i = 0; i < tw_task_n_accesses(c->s, task); i++) {
		struct tw_access access = tw_task_access(c->s, task, i);
		double fetched = c->dates[(size_t)i * c->n_nodes + (size_t)node];
		if (access.mode & TW_W) {
			while (c->first[access.data] != TW_NONE)
				drop(c, &c->first[access.data]);
			add_copy(c, access.data, node, end);
		} else if ((access.mode & TW_R) && fetched < INFINITY) {
			add_copy(c, access.data, node, fetched);
		}
	}
}
