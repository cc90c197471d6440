/* The nodes of a cluster in the explanation of a run: what their workers did, and their messages. */
#include "base/cell_table.h"
#include "explain/past_items.h"
#include "trace/events.h"

static void count_messages(struct tw__explanation *e, const struct tw__node *nodes, const struct tw__event *event)
{
	struct tw__rank_use *from = &e->ranks[nodes[event->from].rank], *to = &e->ranks[nodes[event->node].rank];
	if (from == to)
		return;
	from->sent++;
	from->sent_bytes += event->bytes;
	to->received++;
	to->received_bytes += event->bytes;
}

void tw__explain_ranks(struct tw__explanation *e, const struct tw__explained_run *run)
{
	const struct tw__platform *p = run->platform;
	struct tw__events all;
	e->n_ranks = p->n_ranks;
	e->ranks = tw_alloc((size_t)p->n_ranks, sizeof *e->ranks);
	for (int i = 0; i < e->n_kinds; i++) {
		struct tw__rank_use *rank = &e->ranks[e->kinds[i].rank];
		rank->n_workers += e->kinds[i].n_workers;
		for (int why = 0; why < TW__N_WHY; why++)
			rank->of[why] += e->kinds[i].of[why];
	}
	for (size_t i = 0; i < e->n_links; i++) {
		const struct tw__chain_link *l = &e->links[i];
		if (l->worker != TW_NONE && l->why != TW__WHY_NETWORK)
			e->ranks[p->workers[l->worker].rank].on_chain += l->end - l->start;
	}
	tw__events_begin(&all, run->record);
	for (const struct tw__event *event; (event = tw__events_next(&all));)
		if (event->kind == TW__TRANSFER_START)
			count_messages(e, p->nodes, event);
		else if (event->kind == TW__START && event->worker != TW_NONE)
			e->ranks[p->workers[event->worker].rank].tasks++;
}

json_t *tw__ranks_table(const struct tw__explanation *e, const struct tw__platform *p, FILE *f)
{
	enum { MOST = 40 };
	static const struct cell_column columns[] = {
		{.key = "node", .title = "node", .width = 15},
		{.key = "workers", .title = "workers"},
		{.key = "tasks", .title = "tasks"},
		{.key = "kernels", .title = "kernels", .unit = UNIT_PERCENT, .align = 'r'},
		{.key = "network", .title = "network", .unit = UNIT_PERCENT, .align = 'r'},
		{.key = "chain", .title = "chain", .unit = UNIT_PERCENT, .align = 'r'},
		{.key = "sent", .title = "sent"},
		{.key = "sent_bytes", .title = "MB", .unit = UNIT_MEGABYTES},
		{.key = "received", .title = "received"},
		{.key = "received_bytes", .title = "MB", .unit = UNIT_MEGABYTES},
		{0}};
	struct cell_table t = {.columns = columns, .is_json = !f, .indent = "  "};
	if (!e->n_ranks)
		return NULL;
	for (int r = 0; r < e->n_ranks && (!f || r < MOST); r++) {
		const struct tw__rank_use *u = &e->ranks[r];
		const double all = (double)u->n_workers * (double)e->makespan;
		tw__cells_add(&t, cell_text(p->rank_names[r]), cell_integer(u->n_workers), cell_integer(u->tasks),
		              cell_real(all > 0 ? (double)u->of[TW__WHY_KERNELS] / all : 0),
		              cell_real(all > 0 ? (double)u->of[TW__WHY_NETWORK] / all : 0),
		              cell_real(all > 0 ? (double)u->on_chain / (double)e->makespan : 0), cell_integer(u->sent),
		              cell_bytes(u->sent_bytes), cell_integer(u->received), cell_bytes(u->received_bytes));
	}
	if (!f)
		return tw__cells_array(&t);
	fputs("\nNodes: time of their workers and of the chain, and messages\n", f);
	tw__cells_print(&t, f);
	if (e->n_ranks > MOST)
		fprintf(f, "  and %d more: --format json has all\n", e->n_ranks - MOST);
	return NULL;
}
