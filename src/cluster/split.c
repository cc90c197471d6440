#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cluster/split_state.h"
#include "graph/build.h"
#include "graph/edges.h"
#include "graph/reduction.h"

/* --- the first pass: tasks and messages in the order of the program ----------------------------------------------- */

static int32_t rank_of(const struct split *s, tw_task t)
{
	const struct tw_graph *g = s->from;
	const struct tw__distribution *d = s->distribution;
	int32_t read = 0, reads = 0;
	if (d->rank && d->rank[t] != TW_NONE)
		return d->rank[t];
	for (uint32_t a = g->access_start[t + 1]; a-- > g->access_start[t];)
		if (!reads || g->access[a] & TW_R) {
			reads = g->access[a] & TW_R;
			read = d->owner[tw__access_data(g->access[a])];
		}
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		if (g->access[a] & TW_W)
			return d->owner[tw__access_data(g->access[a])];
	return read;
}

/* The messages before a task: versions that it reads and its rank lacks, and ends of tasks of other ranks. */
static void send_before(struct split *s, tw_task t, size_t *order)
{
	const struct tw_graph *g = s->from;
	const int32_t rank = s->rank[t];
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		const tw_data d = tw__access_data(g->access[a]);
		if (!(g->access[a] & TW_R) || tw__bit(valid_on(s, d), rank))
			continue;
		send_message(s, (struct sent){d, TW_NONE, s->distribution->owner[d], rank, g->priority[t]});
		tw__bit_put(valid_on(s, d), rank, true);
	}
	for (; *order < s->n_orders && s->orders[*order].to == t; ++*order) {
		const tw_task after = s->orders[*order].from;
		uint64_t *told = s->told + (size_t)after * s->words;
		if (s->rank[after] == rank || tw__bit(told, rank))
			continue;
		send_message(s, (struct sent){TW_NONE, after, s->rank[after], rank, g->priority[t]});
		tw__bit_put(told, rank, true);
	}
}

/* Handles that the task writes are then valid on its rank alone, and go to the owner. */
static void send_behind(struct split *s, tw_task t)
{
	const struct tw_graph *g = s->from;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		const tw_data d = tw__access_data(g->access[a]);
		const int32_t owner = s->distribution->owner[d];
		if (!(g->access[a] & TW_W))
			continue;
		s->version[d]++;
		memset(valid_on(s, d), 0, s->words * sizeof *s->valid);
		tw__bit_put(valid_on(s, d), s->rank[t], true);
		if (owner != s->rank[t])
			send_message(s, (struct sent){d, TW_NONE, s->rank[t], owner, g->priority[t]});
		tw__bit_put(valid_on(s, d), owner, true);
	}
}

static void go_through(struct split *s)
{
	const struct tw_graph *g = s->from;
	size_t order = 0;
	int32_t flushed = 0;
	for (tw_data d = 0; d < g->n_data; d++)
		tw__bit_put(valid_on(s, d), s->distribution->owner[d], true);
	for (tw_task t = 0; t < g->n_tasks; t++) {
		for (; flushed < g->n_flushes && g->flushes[flushed].before <= t; flushed++)
			make_owners(s, g->flushes[flushed].data);
		s->rank[t] = rank_of(s, t);
		if (s->open)
			tw__split_contribute(s, t);
		send_before(s, t, &order);
		add_step(s, s->rank[t], STEP_TASK, t);
		send_behind(s, t);
	}
	if (s->open)
		tw__split_end_reductions(s);
}

/* --- the second pass: the graphs of the ranks, one after the other ------------------------------------------------ */

/* Adds a handle to the rank that is being built; data TW_NONE: one of a byte that is none of the program's. */
static tw_data add_handle(struct split *s, tw_data d, int32_t rank, tw_node home)
{
	const struct share *share = d >= s->from->n_data ? &s->shares[d - s->from->n_data] : NULL;
	const tw_data own = tw_graph_data(s->to, d == TW_NONE ? 1 : s->from->data_bytes[share ? share->data : d]);
	if (own == TW_NONE)
		return TW_NONE;
	tw_graph_set_home(s->to, own, home);
	TW_RESERVE(s->ranks->data_origin, s->data_capacity, (size_t)own + 1);
	s->ranks->data_origin[own] = d;
	if (share ? share->rank != rank : d != TW_NONE && tw__data_use(s->from, d) == TW__USE_DISCARDED)
		tw_graph_discard(s->to, own);
	return own;
}

/* Returns the handle that the a-th access of the program means on the rank. */
static tw_data accessed(const struct split *s, uint32_t a, int32_t rank)
{
	return s->from->access[a] & TW_REDUX ? tw__split_contributes_to(s, a, rank)
	                                     : tw__access_data(s->from->access[a]);
}

static void mark_accesses(struct split *s, tw_task t)
{
	const struct tw_graph *g = s->from;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		s->copy_of[accessed(s, a, s->rank[t])] = MARKED;
}

/* Adds the handles that a rank owns, or accesses in its steps, in the program's order. */
static void add_handles(struct split *s, int32_t rank, tw_node home, const struct step *steps, size_t n)
{
	const tw_data n_data = s->from->n_data + (tw_data)s->n_shares;
	for (tw_data d = 0; d < s->from->n_data; d++)
		s->copy_of[d] = s->distribution->owner[d] == rank ? MARKED : TW_NONE;
	for (tw_data d = s->from->n_data; d < n_data; d++)
		s->copy_of[d] = TW_NONE;
	for (size_t i = 0; i < n; i++)
		if (steps[i].kind == STEP_TASK)
			mark_accesses(s, steps[i].number);
		else if (steps[i].kind != STEP_COMBINE && s->sent[steps[i].number].data != TW_NONE)
			s->copy_of[s->sent[steps[i].number].data] = MARKED;
	for (tw_data d = 0; d < n_data; d++)
		if (s->copy_of[d] == MARKED)
			s->copy_of[d] = add_handle(s, d, rank, home);
}

static tw_task submit(struct split *s, tw_kernel k, int32_t priority, const struct tw_access *access, int n,
                      tw_task origin, int32_t message)
{
	struct tw__ranks *r = s->ranks;
	const tw_task t = tw_graph_submit(s->to, k, priority, access, n);
	if (t == TW_NONE)
		return t;
	TW_RESERVE(r->origin, s->tasks_capacity, (size_t)t + 1);
	TW_RESERVE(r->message_of, s->receivers_capacity, (size_t)t + 1);
	r->origin[t] = origin;
	r->message_of[t] = message;
	return t;
}

static void submit_message(struct split *s, const struct step *step, tw_node home)
{
	const struct sent *sent = &s->sent[step->number];
	struct tw__message *m = &s->ranks->messages[step->number];
	const bool sends = step->kind == STEP_SEND;
	const struct tw_access access = {sent->data == TW_NONE ? add_handle(s, TW_NONE, step->rank, home)
	                                                       : s->copy_of[sent->data],
	                                 sends ? TW_R : TW_W};
	const tw_task t = submit(s, sends ? s->send : s->receive, sent->priority, &access, 1, TW_NONE, step->number);
	*(sends ? &m->send : &m->receive) = t;
	m->from = sent->from;
	m->to = sent->to;
	m->version = sent->version;
	if (sent->data != TW_NONE || t == TW_NONE)
		return;
	if (sends)
		tw_graph_depend(s->to, s->task_of[sent->after]);
	else
		s->heard[sent->after] = t;
}

/* Adds what other ranks have contributed to a handle. */
static void submit_combined(struct split *s, int32_t number)
{
	struct combined *c = &s->combined[number];
	const struct tw_access access[] = {{s->copy_of[s->from->n_data + c->share], TW_R},
	                                   {s->copy_of[s->shares[c->share].data], TW_RW}};
	c->task = submit(s, c->kernel, c->priority, access, 2, s->from->n_tasks + number, TW_NONE);
}

static void copy_seconds(struct split *s, tw_task from, tw_task to)
{
	const struct tw_graph *g = s->from;
	const struct tw__arch_seconds *end, *on = tw__graph_seconds_on(g, from, &end);
	if (g->seconds && !isnan(g->seconds[from]))
		tw_graph_set_seconds(s->to, to, g->seconds[from]);
	for (; on < end; on++)
		tw_graph_set_seconds_on(s->to, g->arch_names[on->name], on->seconds);
}

static void submit_orders(struct split *s, tw_task t, int32_t rank, size_t *order)
{
	while (*order < s->n_orders && s->orders[*order].to < t)
		++*order;
	for (; *order < s->n_orders && s->orders[*order].to == t; ++*order) {
		const tw_task after = s->orders[*order].from;
		tw_graph_depend(s->to, s->rank[after] == rank ? s->task_of[after] : s->heard[after]);
	}
}

static void submit_task(struct split *s, tw_task from, int32_t rank, struct tw_access *access, size_t *order)
{
	const struct tw_graph *g = s->from;
	const uint32_t first = g->access_start[from], n = g->access_start[from + 1] - first;
	for (uint32_t a = 0; a < n; a++) {
		const tw__access of = g->access[first + a];
		access[a] = (struct tw_access){s->copy_of[accessed(s, first + a, rank)], tw__access_mode(of)};
		if (of & TW_REDUX)
			tw_graph_reduction(s->to, access[a].data, g->phases[tw__graph_phase_of(g, first + a)].combine);
	}
	const tw_task to = submit(s, g->kernel[from], g->priority[from], access, (int)n, from, TW_NONE);
	if (to == TW_NONE)
		return;
	s->task_of[from] = to;
	if (g->critical[from])
		tw_graph_mark_critical(s->to, to);
	copy_seconds(s, from, to);
	submit_orders(s, from, rank, order);
}

/* Sorts the steps by rank, and keeps their order on each. first[rank]: the first of each. */
static struct step *steps_by_rank(const struct split *s, size_t *first)
{
	struct step *sorted = tw_resize(NULL, s->n_steps + 1, sizeof *sorted);
	for (size_t i = 0; i < s->n_steps; i++)
		first[s->steps[i].rank + 1]++;
	for (int r = 0; r < s->n_ranks; r++)
		first[r + 1] += first[r];
	for (size_t i = 0; i < s->n_steps; i++)
		sorted[first[s->steps[i].rank]++] = s->steps[i];
	memmove(first + 1, first, (size_t)s->n_ranks * sizeof *first);
	first[0] = 0;
	return sorted;
}

static void submit_all(struct split *s, const tw_node *main_of)
{
	struct tw__ranks *r = s->ranks;
	struct tw_access *access = tw_alloc((size_t)tw_graph_most_accesses(s->from), sizeof *access);
	size_t *first = tw_alloc((size_t)s->n_ranks + 1, sizeof *first);
	struct step *steps = steps_by_rank(s, first);
	for (int32_t rank = 0; rank < s->n_ranks; rank++) {
		size_t order = 0;
		r->first[rank] = s->to->n_tasks;
		r->first_data[rank] = s->to->n_data;
		r->first_phase[rank] = s->to->n_phases;
		add_handles(s, rank, main_of[rank], steps + first[rank], first[rank + 1] - first[rank]);
		for (size_t i = first[rank]; i < first[rank + 1]; i++)
			if (steps[i].kind == STEP_TASK)
				submit_task(s, steps[i].number, rank, access, &order);
			else if (steps[i].kind == STEP_COMBINE)
				submit_combined(s, steps[i].number);
			else
				submit_message(s, &steps[i], main_of[rank]);
	}
	r->first[s->n_ranks] = s->to->n_tasks;
	r->first_data[s->n_ranks] = s->to->n_data;
	r->first_phase[s->n_ranks] = s->to->n_phases;
	free(access);
	free(first);
	free(steps);
}

/* The hints that a handle is not written again stand at accesses. */
static void copy_hints(const struct split *s)
{
	const struct tw_graph *g = s->from;
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			s->to->access[s->to->access_start[s->task_of[t]] + a - g->access_start[t]] |=
				g->access[a] & TW__ACCESS_LAST_WRITE;
}

/* Lists the tasks in the order of the program. */
static void list_in_order(struct split *s)
{
	struct tw__ranks *r = s->ranks;
	r->in_order = tw_alloc((size_t)s->from->n_tasks + s->n_combined, sizeof *r->in_order);
	for (size_t i = 0; i < s->n_steps; i++)
		if (s->steps[i].kind == STEP_TASK)
			r->in_order[r->n_in_order++] = s->task_of[s->steps[i].number];
		else if (s->steps[i].kind == STEP_COMBINE)
			r->in_order[r->n_in_order++] = s->combined[s->steps[i].number].task;
}

static void add_kernels(struct split *s)
{
	for (tw_kernel k = 0; k < s->from->n_kernels; k++)
		tw__find_equal_kernel(s->to, &s->to->build->kernels, &s->from->kernels[k]);
	s->to->build->kernels_capacity = (size_t)s->to->n_kernels;
	s->send = tw_graph_kernel(s->to, "send", "message", "b", 0);
	s->receive = tw_graph_kernel(s->to, "receive", "message", "b", 0);
	if (s->send != TW_NONE && s->receive != TW_NONE)
		s->to->kernels[s->send].is_message = s->to->kernels[s->receive].is_message = true;
}

static int build(struct split *s, const tw_node *main_of, struct tw_error *err)
{
	const struct tw_graph *g = s->from;
	s->ranks = tw_alloc(1, sizeof *s->ranks);
	s->ranks->n = s->n_ranks;
	s->ranks->first = tw_alloc((size_t)s->n_ranks + 1, sizeof *s->ranks->first);
	s->ranks->first_data = tw_alloc((size_t)s->n_ranks + 1, sizeof *s->ranks->first_data);
	s->ranks->first_phase = tw_alloc((size_t)s->n_ranks + 1, sizeof *s->ranks->first_phase);
	s->ranks->n_messages = (int32_t)s->n_sent;
	s->ranks->messages = tw_alloc(s->n_sent, sizeof *s->ranks->messages);
	s->copy_of = tw_resize(NULL, (size_t)g->n_data + s->n_shares, sizeof *s->copy_of);
	s->task_of = tw_resize(NULL, (size_t)g->n_tasks, sizeof *s->task_of);
	s->heard = tw_resize(NULL, (size_t)g->n_tasks, sizeof *s->heard);
	s->to = tw_graph_create();
	if (s->to) {
		add_kernels(s);
		submit_all(s, main_of);
	}
	int status = tw_graph_finish(s->to, err);
	if (status < 0)
		return status;
	copy_hints(s);
	list_in_order(s);
	s->to->flops = g->flops;
	s->to->priorities = TW__PRIORITIES_WORKLOAD;
	s->to->priority_scope = g->priority_scope;
	s->to->ranks = s->ranks;
	s->ranks = NULL;
	return TW_OK;
}

/* --- both --------------------------------------------------------------------------------------------------------- */

static int check(const struct tw_graph *g, struct tw_error *err)
{
	const char *what = g->n_parts      ? "several graphs"
	                   : g->n_lineages ? "divided handles"
	                   : g->around     ? "recursive tasks"
	                   : g->data_places[TW__HOME] || g->data_places[TW__END_PLACE]
	                           ? "memories where handles start or end"
	                           : NULL;
	return what ? tw_fail(err, TW_INVALID, "a graph with %s on a cluster: expected one without", what) : TW_OK;
}

int tw__split(struct tw_graph **out, const struct tw_graph *g, const struct tw__distribution *distribution, int n_ranks,
              const tw_node *main_of, struct tw_error *err)
{
	struct split s = {.from = g, .distribution = distribution, .n_ranks = n_ranks, .words = tw__bit_words(n_ranks)};
	*out = NULL;
	int status = check(g, err);
	if (status == TW_OK)
		status = tw__graph_orders(&s.orders, &s.n_orders, g, err);
	if (status == TW_OK) {
		s.valid = tw_alloc((size_t)g->n_data * s.words, sizeof *s.valid);
		s.version = tw_alloc((size_t)g->n_data, sizeof *s.version);
		s.told = s.n_orders ? tw_alloc((size_t)g->n_tasks * s.words, sizeof *s.told) : NULL;
		s.rank = tw_resize(NULL, (size_t)g->n_tasks, sizeof *s.rank);
		tw__split_open_reductions(&s);
		go_through(&s);
		free(s.valid);
		free(s.version);
		free(s.told);
		status = build(&s, main_of, err);
	}
	if (status == TW_OK)
		*out = s.to;
	else
		tw_graph_destroy(s.to);
	tw__ranks_destroy(s.ranks);
	tw__split_close_reductions(&s);
	free(s.orders);
	free(s.rank);
	free(s.sent);
	free(s.steps);
	free(s.copy_of);
	free(s.task_of);
	free(s.heard);
	return status;
}
