/* The rule MESSAGE, of runs on a cluster (graph/ranks.h). Each message is transferred once, from main memory to main
 * memory, while both of its tasks run. Nodes use their own memories and handles alone. A task reads the version of a
 * handle that the program's tasks before it have written. The versions are counted here from the order of the program
 * alone, so that neither the messages nor their order are taken on trust. */
#include <stdlib.h>

#include "graph/ranks.h"
#include "graph/reduction.h"
#include "trace/replay.h"

struct tw__messages {
	tw_task *receiving; /* [data] the assigned task that receives the handle, or TW_NONE */
	/* [messages] dates of the transfers; TW__NEVER: not yet */
	tw__ns *start, *end;
	bool *direct; /* [messages] whether the transfer goes to the receiver's handle, not to a temporary buffer */
	int16_t *from, *to; /* [messages] memories of the transfer; TW_NONE: not yet */
	uint32_t *carried;  /* [messages] version of the content that the transfer carries */
	uint32_t *content;  /* [data] number of the program's writes that the content has */
	uint32_t *expected; /* [accesses] number of writes of the program before the task */
};

/* Fills in what each access of a task must find, in the order of the program. A reduction counts as a write, of those
 * whose contributions it has: the contributors of one node. It ends before the next task that accesses its handle, or
 * what the handle's node sends of it. */
static void expect(struct tw__messages *m, const struct tw_graph *g)
{
	const struct tw__ranks *ranks = g->ranks;
	tw_data n_data = 0;
	for (tw_data d = 0; d < ranks->first_data[ranks->n]; d++)
		n_data = ranks->data_origin[d] >= n_data ? ranks->data_origin[d] + 1 : n_data;
	uint32_t *writes = tw_alloc((size_t)n_data, sizeof *writes);
	bool *is_open = tw_alloc((size_t)n_data, sizeof *is_open);
	for (tw_task i = 0; i < ranks->n_in_order; i++) {
		const tw_task t = ranks->in_order[i];
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			const tw_data d = ranks->data_origin[tw__access_data(g->access[a])];
			const bool adds = g->access[a] & TW_REDUX;
			writes[d] += is_open[d] && !adds;
			is_open[d] = adds;
			m->expected[a] = writes[d];
		}
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			writes[ranks->data_origin[tw__access_data(g->access[a])]] += !!(g->access[a] & TW_W);
	}
	free(writes);
	free(is_open);
}

void tw__replay_messages_init(struct tw__replay *r)
{
	const struct tw_graph *g = r->graph;
	if (!g->ranks)
		return;
	const size_t n = (size_t)g->ranks->n_messages, n_data = (size_t)g->n_data;
	struct tw__messages *m = r->messages = tw__arena_alloc(&r->memory, 1, sizeof *m);
	m->receiving = tw__arena_alloc(&r->memory, n_data, sizeof *m->receiving);
	m->start = tw__arena_alloc(&r->memory, n, sizeof *m->start);
	m->end = tw__arena_alloc(&r->memory, n, sizeof *m->end);
	m->direct = tw__arena_alloc(&r->memory, n, sizeof *m->direct);
	m->carried = tw__arena_alloc(&r->memory, n, sizeof *m->carried);
	m->content = tw__arena_alloc(&r->memory, n_data, sizeof *m->content);
	m->expected = tw__arena_alloc(&r->memory, g->access_start[g->n_tasks], sizeof *m->expected);
	m->from = tw__arena_alloc(&r->memory, n, sizeof *m->from);
	m->to = tw__arena_alloc(&r->memory, n, sizeof *m->to);
	for (size_t i = 0; i < n; i++) {
		m->start[i] = m->end[i] = TW__NEVER;
		m->from[i] = m->to[i] = TW_NONE;
	}
	for (size_t d = 0; d < n_data; d++)
		m->receiving[d] = TW_NONE;
	expect(m, g);
}

static int rank_of_memory(const struct tw__replay *r, tw_node n) { return r->in->platform->nodes[n].rank; }

/* The main memory from which a task sends, or to which it receives: the rank's first. */
static bool is_its_main(const struct tw__replay *r, int rank, tw_node n)
{
	return tw__is_main(r->in->platform, n) && rank_of_memory(r, n) == rank &&
	       (n == 0 || rank_of_memory(r, n - 1) != rank);
}

/* Whether a message may leave from the memory, or go to it: that main memory, or a card's. Only with gpudirect is there
 * a route then. */
static bool is_its_memory(const struct tw__replay *r, int rank, tw_node n)
{
	return is_its_main(r, rank, n) || (rank_of_memory(r, n) == rank && tw__is_card(r->in->platform, n));
}

static int32_t message_of(const struct tw__replay *r, tw_task t) { return tw__message_of_task(r->graph->ranks, t); }

static bool sends(const struct tw__replay *r, tw_task t)
{
	return r->graph->ranks->messages[message_of(r, t)].send == t;
}

static tw_data data_of(const struct tw__replay *r, tw_task t)
{
	return tw__access_data(r->graph->access[r->graph->access_start[t]]);
}

int tw__replay_rank(struct tw__replay *r, const struct tw__event *e, const char *fields)
{
	const struct tw__ranks *ranks = r->graph->ranks;
	int rank = TW_NONE;
	if (!ranks || tw__replay_is_sent(r, e))
		return TW_OK;
	for (; *fields; fields++) {
		int own = TW_NONE;
		if (*fields == 't')
			own = tw__rank_of_task(r->graph, e->task);
		else if (*fields == 'd')
			own = tw__rank_of_data(r->graph, e->data);
		else if (*fields == 'n' || *fields == 'f')
			own = rank_of_memory(r, *fields == 'n' ? e->node : e->from);
		else if ((*fields == 'w' || *fields == 'r') && e->worker != TW_NONE)
			own = r->in->platform->workers[e->worker].rank;
		if (own != TW_NONE && rank != TW_NONE && own != rank)
			return tw__violation(r, TW__RULE_MESSAGE, "an event of node %s is also one of node %s",
			                     r->in->platform->rank_names[rank], r->in->platform->rank_names[own]);
		rank = own == TW_NONE ? rank : own;
	}
	return TW_OK;
}

bool tw__replay_receives(const struct tw__replay *r, tw_data d)
{
	return r->messages && r->messages->receiving[d] != TW_NONE;
}

bool tw__replay_is_sent(const struct tw__replay *r, const struct tw__event *e)
{
	return r->messages && (e->kind == TW__TRANSFER_START || e->kind == TW__TRANSFER_END) &&
	       rank_of_memory(r, e->from) != rank_of_memory(r, e->node);
}

int tw__replay_message(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__messages *m = r->messages;
	const int32_t number = message_of(r, e->task);
	const tw__ns date = e->kind == TW__START ? m->start[number] : m->end[number];
	const int16_t its = e->kind == TW__ASSIGN ? TW_NONE : sends(r, e->task) ? m->from[number] : m->to[number];
	if (e->worker != TW_NONE ||
	    (its == TW_NONE ? !is_its_main(r, tw__rank_of_task(r->graph, e->task), e->node) : e->node != its))
		return tw__violation(r, TW__RULE_MESSAGE,
		                     "task %d, which %s message %d, runs on a worker, or in memory %s", (int)e->task,
		                     sends(r, e->task) ? "sends" : "receives", (int)number, tw__node_name(r, e->node));
	if (e->kind == TW__ASSIGN && !sends(r, e->task))
		m->receiving[data_of(r, e->task)] = e->task;
	r->tasks[e->task].node = e->node;
	/* A message may come early, to a temporary buffer: it is received later then. */
	const bool is_early = !sends(r, e->task) && date < e->date;
	if ((e->kind == TW__START || e->kind == TW__END) && e->date != date && !is_early)
		return tw__violation(r, TW__RULE_MESSAGE, "task %d %ss at another date than the transfer of message %d",
		                     (int)e->task, e->kind == TW__START ? "start" : "end", (int)number);
	if (e->kind == TW__RELEASE && !sends(r, e->task)) {
		m->content[data_of(r, e->task)] = m->carried[number];
		m->receiving[data_of(r, e->task)] = TW_NONE;
	}
	return TW_OK;
}

static int begin(struct tw__replay *r, const struct tw__event *e, int32_t number)
{
	struct tw__messages *m = r->messages;
	const struct tw__message *of = &r->graph->ranks->messages[number];
	const tw_data sent = data_of(r, of->send);
	struct tw__copy *source = tw__copy_of(r, sent, e->from), *target = tw__copy_of(r, e->data, e->node);
	const char *wrong = NULL;
	if (m->start[number] != TW__NEVER)
		wrong = "is sent a second time";
	else if (!is_its_memory(r, of->from, e->from) || !is_its_memory(r, of->to, e->node))
		wrong = "goes from or to a memory that is not its";
	else if (r->tasks[of->send].step != TW__ASSIGNED)
		wrong = "is sent before its task is ready";
	else if (!source->valid || r->data[sent].writer != TW_NONE || (tw__bounded(r, e->from) && !source->room))
		wrong = "is sent while its handle is not valid there";
	else if ((tw__bounded(r, e->node) && !target->room) ||
	         ((tw__bounded(r, e->node) || !is_its_main(r, of->to, e->node)) &&
	          r->tasks[of->receive].step != TW__ASSIGNED))
		wrong = "goes to a memory where its handle has no room";
	else if (e->bytes != r->graph->data_bytes[e->data])
		wrong = "has not the size of its handle";
	if (wrong)
		return tw__violation(r, TW__RULE_MESSAGE, "message %d with data %d %s", (int)number, (int)e->data,
		                     wrong);
	m->start[number] = e->date;
	m->from[number] = e->from;
	m->to[number] = e->node;
	m->carried[number] = m->content[sent];
	m->direct[number] = r->tasks[of->receive].step == TW__ASSIGNED;
	source->pins++;
	target->pins += m->direct[number];
	return tw__replay_moves(r, e, source->valid);
}

int tw__replay_sent(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__messages *m = r->messages;
	const int32_t number = tw__message_of_transfer(r->graph->ranks, e->offset);
	if (number == TW_NONE || data_of(r, r->graph->ranks->messages[number].receive) != e->data)
		return tw__violation(r, TW__RULE_MESSAGE, "data %d goes from %s to %s, but no task receives it",
		                     (int)e->data, tw__node_name(r, e->from), tw__node_name(r, e->node));
	if (e->kind == TW__TRANSFER_START)
		return begin(r, e, number);
	if (tw__replay_moved(r, e) < 0)
		return TW_FAILED;
	m->end[number] = e->date;
	tw__copy_of(r, data_of(r, r->graph->ranks->messages[number].send), e->from)->pins--;
	tw__copy_of(r, e->data, e->node)->pins -= m->direct[number];
	return TW_OK;
}

void tw__replay_reduced(struct tw__replay *r, tw_data d)
{
	if (r->messages)
		r->messages->content[d]++;
}

int tw__replay_versions(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__messages *m = r->messages;
	const struct tw_graph *g = r->graph;
	if (!m || message_of(r, e->task) != TW_NONE || e->task >= tw__graph_own_tasks(g))
		return TW_OK;
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++) {
		const tw_data d = tw__access_data(g->access[a]);
		if (e->kind == TW__RELEASE && g->access[a] & TW_W)
			m->content[d] = m->expected[a] + 1;
		if (e->kind == TW__START && g->access[a] & (TW_R | TW_REDUX) && m->content[d] != m->expected[a])
			return tw__violation(
				r, TW__RULE_MESSAGE,
				"task %d reads version %u of data %d, where the program's order gives it %u",
				(int)e->task, (unsigned)m->content[d], (int)d, (unsigned)m->expected[a]);
	}
	return TW_OK;
}
