/* The messages between nodes of clusters in two runs: which they are, and how long they take. */
#include <stdlib.h>

#include "explain/diff_printed.h"
#include "graph/graph.h"
#include "graph/ranks.h"
#include "trace/events.h"

/* --- which messages there are ------------------------------------------------------------------------------------- */

/* Returns the handle that a task accesses last. */
static tw_data last_access(const struct tw_graph *g, tw_task t)
{
	return tw__access_data(g->access[g->access_start[t + 1] - 1]);
}

/* Says what a message carries. The task after which it is sent, if it is word of that: only those have predecessors
 * without a common handle. */
static struct tw__diff_message content_of(const struct tw__diff *d, int run, int32_t number, const tw_task *after)
{
	const struct tw_graph *g = d->runs[run]->graph;
	const struct tw__message *m = &g->ranks->messages[number];
	const tw_data sent = last_access(g, m->send), origin = g->ranks->data_origin[sent];
	struct tw__diff_message of = {.from = d->ranks.number[run][m->from],
	                              .to = d->ranks.number[run][m->to],
	                              .version = m->version,
	                              .bytes = g->data_bytes[sent]};
	of.times[run] = 1;
	if (origin == TW_NONE) {
		of.content = TW__CONTENT_ORDER;
		of.number = after[number];
	} else if (origin < d->runs[run]->program->n_data) {
		of.content = TW__CONTENT_HANDLE;
		of.number = origin;
	} else { /* the task behind adds it to the handle */
		of.content = TW__CONTENT_CONTRIBUTION;
		of.number = g->ranks->data_origin[last_access(g, g->successor[g->successor_start[m->receive]])];
	}
	return of;
}

/* Sets the number of the program's task before each send. */
static void list_senders(const struct tw_graph *g, tw_task *after)
{
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t s = g->successor_start[t]; s < g->successor_start[t + 1]; s++) {
			const int32_t message = tw__message_of_task(g->ranks, g->successor[s]);
			if (message != TW_NONE && g->ranks->messages[message].send == g->successor[s])
				after[message] = g->ranks->origin[t];
		}
}

static void list_messages(const struct tw__diff *d, int run, struct tw__diff_message *all)
{
	const struct tw_graph *g = d->runs[run]->graph;
	tw_task *after = tw_alloc((size_t)d->n_messages[run], sizeof *after);
	if (d->n_messages[run])
		list_senders(g, after);
	for (int32_t i = 0; i < d->n_messages[run]; i++)
		all[i] = content_of(d, run, i, after);
	free(after);
}

/* Orders messages by what they carry, and between which nodes. Equal ones are the same. */
static int compare_messages(const void *x, const void *y)
{
	const struct tw__diff_message *a = x, *b = y;
	const int32_t of_a[] = {(int32_t)a->content, a->number, a->version, a->from, a->to},
		      of_b[] = {(int32_t)b->content, b->number, b->version, b->from, b->to};
	for (size_t i = 0; i < sizeof of_a / sizeof *of_a; i++)
		if (of_a[i] != of_b[i])
			return of_a[i] < of_b[i] ? -1 : 1;
	return 0;
}

/* Puts the same messages together, and keeps those that one run has more often. */
static void list_alone(struct tw__diff *d)
{
	const size_t n = (size_t)d->n_messages[0] + (size_t)d->n_messages[1];
	struct tw__diff_message *all = tw__arena_alloc(&d->memory, n, sizeof *all);
	list_messages(d, 0, all);
	list_messages(d, 1, all + d->n_messages[0]);
	qsort(all, n, sizeof *all, compare_messages);
	d->alone = all;
	for (size_t i = 0, next; i < n; i = next) {
		struct tw__diff_message same = all[i];
		for (next = i + 1; next < n && compare_messages(&same, &all[next]) == 0; next++)
			for (int run = 0; run < 2; run++)
				same.times[run] += all[next].times[run];
		d->n_both += same.times[0] < same.times[1] ? same.times[0] : same.times[1];
		if (same.times[0] != same.times[1])
			d->alone[d->n_alone++] = same;
	}
}

/* --- their transfers ---------------------------------------------------------------------------------------------- */

static void count_traffic(struct tw__diff *d, int run)
{
	const struct tw__node *nodes = d->runs[run]->platform->nodes;
	struct tw__events all;
	tw__events_begin(&all, d->runs[run]->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		if ((e->kind != TW__TRANSFER_START && e->kind != TW__TRANSFER_END) ||
		    nodes[e->from].rank == nodes[e->node].rank)
			continue;
		struct tw__diff_traffic *ends[] = {&d->sent[d->ranks.number[run][nodes[e->from].rank]],
		                                   &d->received[d->ranks.number[run][nodes[e->node].rank]]};
		for (int i = 0; i < 2; i++) {
			const bool starts = e->kind == TW__TRANSFER_START;
			ends[i]->messages[run] += starts;
			ends[i]->bytes[run] += starts ? e->bytes : 0;
			ends[i]->time[run] += starts ? -e->date : e->date;
		}
	}
}

void tw__diff_messages(struct tw__diff *d)
{
	for (int run = 0; run < 2; run++) {
		const struct tw__ranks *ranks = d->runs[run]->graph->ranks;
		d->n_messages[run] = ranks ? ranks->n_messages : 0;
	}
	d->sent = tw__arena_alloc(&d->memory, (size_t)d->ranks.n, sizeof *d->sent);
	d->received = tw__arena_alloc(&d->memory, (size_t)d->ranks.n, sizeof *d->received);
	list_alone(d);
	for (int run = 0; run < 2; run++)
		if (d->n_messages[run])
			count_traffic(d, run);
}

/* --- text and JSON ------------------------------------------------------------------------------------------------ */

static void add_traffic(struct cell_table *t, const char *node, const char *way, const struct tw__diff_traffic *of)
{
	tw__cells_add(t, cell_text(node), cell_text(way), DIFF_MEGABYTES(of->bytes[0], of->bytes[1]),
	              cell_integer(of->messages[0]), cell_integer(of->messages[1]),
	              DIFF_SECONDS(tw__seconds(of->time[0]), tw__seconds(of->time[1])));
}

/* By nodes. The text has the first ones, and the sum. */
static json_t *traffic_table(const struct tw__diff_printed *p, const char *title)
{
	static const struct cell_column columns[] = {
		{.key = "node", .title = "node"},
		{.key = "direction", .title = ""},
		{.key = "a_bytes", .title = "A MB", .unit = UNIT_MEGABYTES},
		{.key = "b_bytes", .title = "B MB", .unit = UNIT_MEGABYTES},
		{.title = "B - A", .align = 'r'},
		{.key = "a_messages", .title = "A times"},
		{.key = "b_messages", .title = "B times"},
		{.key = "a_s", .title = "A on network", .unit = UNIT_DURATION, .align = 'r'},
		{.key = "b_s", .title = "B", .unit = UNIT_DURATION, .align = 'r'},
		{.key = "difference_s", .title = "B - A", .unit = UNIT_DIFFERENCE, .align = 'r'},
		{0}};
	const struct tw__diff *d = p->d;
	struct cell_table t = tw__diff_table(p, columns);
	struct tw__diff_traffic sum = {{0}, {0}, {0}};
	for (int rank = 0; rank < d->ranks.n; rank++)
		for (int run = 0; run < 2; run++) {
			sum.messages[run] += d->sent[rank].messages[run];
			sum.bytes[run] += d->sent[rank].bytes[run];
			sum.time[run] += d->sent[rank].time[run];
		}
	if (!p->is_json)
		add_traffic(&t, "all", "", &sum);
	for (int rank = 0; rank < d->ranks.n && !tw__diff_leaves_out(p, (size_t)rank); rank++) {
		add_traffic(&t, d->ranks.list[rank], "sent", &d->sent[rank]);
		add_traffic(&t, p->is_json ? d->ranks.list[rank] : "", "received", &d->received[rank]);
	}
	return tw__diff_end(p, &t, title, (size_t)d->ranks.n);
}

/* Sorts pointers to messages: those whose bytes differ most first, then in their order. */
static int by_bytes(const void *x, const void *y)
{
	const struct tw__diff_message *a = *(const struct tw__diff_message *const *)x;
	const struct tw__diff_message *b = *(const struct tw__diff_message *const *)y;
	const double of_a = (double)a->bytes * (double)llabs(a->times[1] - a->times[0]),
		     of_b = (double)b->bytes * (double)llabs(b->times[1] - b->times[0]);
	if (of_a != of_b)
		return of_a < of_b ? 1 : -1;
	return (a > b) - (a < b);
}

static void add_message(const struct tw__diff_printed *p, struct cell_table *t, const struct tw__diff_message *m)
{
	static const char *const contents[] = {[TW__CONTENT_HANDLE] = "handle",
	                                       [TW__CONTENT_CONTRIBUTION] = "contribution to handle",
	                                       [TW__CONTENT_ORDER] = "end of task"};
	const struct cell none = p->is_json ? (struct cell){0} : cell_text("-");
	tw__cells_add(t, cell_text(contents[m->content]), cell_integer(m->number),
	              m->content == TW__CONTENT_HANDLE ? cell_integer(m->version) : none,
	              cell_text(p->d->ranks.list[m->from]), cell_text(p->d->ranks.list[m->to]), cell_bytes(m->bytes),
	              cell_integer(m->times[0]), cell_integer(m->times[1]));
}

/* Messages that one run has more often than the other. */
static json_t *alone_table(const struct tw__diff_printed *p, const char *title)
{
	static const struct cell_column columns[] = {{.key = "content", .title = "of"},
	                                             {.key = "number", .title = "number"},
	                                             {.key = "version", .title = "version"},
	                                             {.key = "from", .title = "from"},
	                                             {.key = "to", .title = "to"},
	                                             {.key = "bytes", .title = "MB", .unit = UNIT_MEGABYTES},
	                                             {.key = "a_times", .title = "A times"},
	                                             {.key = "b_times", .title = "B times"},
	                                             {0}};
	const struct tw__diff *d = p->d;
	struct cell_table t = tw__diff_table(p, columns);
	const struct tw__diff_message **rows = tw_alloc(d->n_alone, sizeof *rows);
	for (size_t i = 0; i < d->n_alone; i++)
		rows[i] = &d->alone[i];
	if (!p->is_json)
		qsort(rows, d->n_alone, sizeof *rows, by_bytes);
	for (size_t i = 0; i < d->n_alone && !tw__diff_leaves_out(p, i); i++)
		add_message(p, &t, rows[i]);
	free(rows);
	return tw__diff_end(p, &t, title, d->n_alone);
}

json_t *tw__diff_messages_table(const struct tw__diff_printed *p)
{
	const struct tw__diff *d = p->d;
	char title[120];
	if (!d->n_messages[0] && !d->n_messages[1])
		return NULL;
	if (p->is_json)
		return json_pack("{s:o, s:I, s:o}", "nodes", traffic_table(p, ""), "both", (json_int_t)d->n_both,
		                 "alone", alone_table(p, ""));
	traffic_table(p, "\nMessages between nodes\n");
	snprintf(title, sizeof title, "  in both runs: %lld, of A alone: %lld, of B alone: %lld\n",
	         (long long)d->n_both, (long long)(d->n_messages[0] - d->n_both),
	         (long long)(d->n_messages[1] - d->n_both));
	return alone_table(p, title);
}
