/* Where and when two runs executed the tasks of their graph, and what they transferred. */
#include <stdlib.h>

#include "explain/diff.h"

/* --- counts of things by a key, for each of two runs -------------------------------------------------------------- */

void tw__tally_add(struct tw__tally *t, uint64_t key, int run, uint64_t bytes)
{
	TW_RESERVE(t->counts, t->capacity, t->n + 1);
	struct tw__count *c = &t->counts[t->n++];
	*c = (struct tw__count){.key = key};
	c->n[run] = 1;
	c->bytes[run] = bytes;
}

static int by_key(const void *x, const void *y)
{
	const struct tw__count *a = x, *b = y;
	return (a->key > b->key) - (a->key < b->key);
}

void tw__tally_fold(struct tw__tally *t)
{
	size_t n = 0;
	if (t->n > 0)
		qsort(t->counts, t->n, sizeof *t->counts, by_key);
	for (size_t i = 0; i < t->n; i++) {
		const struct tw__count *c = &t->counts[i];
		if (n == 0 || t->counts[n - 1].key != c->key) {
			t->counts[n++] = *c;
			continue;
		}
		for (int run = 0; run < 2; run++) {
			t->counts[n - 1].n[run] += c->n[run];
			t->counts[n - 1].bytes[run] += c->bytes[run];
		}
	}
	t->n = n;
}

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* Fills the tasks of one run from its sorted record. */
static void list_tasks(struct tw__diff *d, int run)
{
	const struct tw__record *r = d->runs[run]->record;
	tw__ns *last_end = tw_alloc((size_t)d->runs[run]->platform->n_workers, sizeof *last_end);
	d->tasks[run] = tw__arena_alloc(&d->memory, (size_t)d->n_tasks, sizeof *d->tasks[run]);
	for (tw_task t = 0; t < d->n_tasks; t++)
		d->tasks[run][t] = (struct tw__diff_task){.assign = -1, .start = -1, .end = -1, .worker = TW_NONE};
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = &r->events[i];
		bool about_task = e->kind <= TW__RELEASE || e->kind == TW__CANCEL;
		struct tw__diff_task *t = about_task && e->task < d->n_tasks ? &d->tasks[run][e->task] : NULL;
		if (e->kind == TW__ASSIGN && t) {
			t->assign = e->date;
		} else if (e->kind == TW__START && t) {
			t->start = e->date;
			t->worker = e->worker;
		} else if (e->kind == TW__END || e->kind == TW__CANCEL) {
			if (t) {
				t->end = e->date;
				t->held = e->date - tw__latest(tw__latest(t->assign, 0), last_end[e->worker]);
			}
			last_end[e->worker] = e->date;
		}
	}
	free(last_end);
	for (size_t i = 0; i < d->of[run].n_links; i++) {
		tw_task t = d->of[run].links[i].task;
		if (t != TW_NONE && t < d->n_tasks)
			d->tasks[run][t].on_chain = true;
	}
}

/* --- both runs ---------------------------------------------------------------------------------------------------- */

/* The worker's position in the list of workers of both runs. */
static int place(const struct tw__diff *d, int run, tw_task t)
{
	tw_worker w = d->tasks[run][t].worker;
	return w == TW_NONE ? TW_NONE : d->workers.number[run][w];
}

static bool is_moved(const struct tw__diff *d, tw_task t) { return place(d, 0, t) != place(d, 1, t); }

/* The earlier of the two runs' dates; a date that a record lacks does not count. */
static tw__ns sooner(tw__ns a, tw__ns b) { return a < 0 ? b : b < 0 ? a : tw__earliest(a, b); }

static void find_parting(struct tw__diff *d)
{
	tw__ns first_start = TW__NEVER, first_assign = TW__NEVER;
	d->first_start = d->first_assign = TW_NONE;
	for (tw_task t = 0; t < d->n_tasks; t++) {
		const struct tw__diff_task *a = &d->tasks[0][t], *b = &d->tasks[1][t];
		bool moved = is_moved(d, t);
		tw__ns start = sooner(a->start, b->start), assign = sooner(a->assign, b->assign);
		d->same = d->same && !moved && a->assign == b->assign && a->start == b->start && a->end == b->end;
		d->n_other_date += !moved && a->start != b->start;
		if ((moved || a->start != b->start) && start < first_start) {
			first_start = start;
			d->first_start = t;
		}
		if (moved && assign < first_assign) {
			first_assign = assign;
			d->first_assign = t;
		}
	}
}

static tw__ns effect(const struct tw__diff *d, tw_task t) { return llabs(d->tasks[1][t].held - d->tasks[0][t].held); }

/* Puts the task among those whose time differs most. */
static void rank(struct tw__diff *d, tw_task t)
{
	int i = d->n_most;
	if (effect(d, t) == 0 || (i == TW__MOST_MOVED && effect(d, d->most[i - 1]) >= effect(d, t)))
		return;
	i -= i == TW__MOST_MOVED;
	d->n_most = i + 1;
	for (; i > 0 && effect(d, d->most[i - 1]) < effect(d, t); i--)
		d->most[i] = d->most[i - 1];
	d->most[i] = t;
}

static int by_tasks(const void *x, const void *y)
{
	const struct tw__diff_move *a = x, *b = y;
	if (a->tasks != b->tasks)
		return a->tasks < b->tasks ? 1 : -1;
	return a->from != b->from ? a->from - b->from : a->to - b->to;
}

/* Keys of the tally are from * n + to. */
static struct tw__diff_move *list_moves(struct tw__diff *d, struct tw__tally *tally, int n, size_t *n_moves)
{
	tw__tally_fold(tally);
	struct tw__diff_move *moves = tw__arena_alloc(&d->memory, tally->n, sizeof *moves);
	for (size_t i = 0; i < tally->n; i++) {
		const struct tw__count *c = &tally->counts[i];
		moves[i] = (struct tw__diff_move){(int)(c->key / (uint64_t)n), (int)(c->key % (uint64_t)n), c->n[0]};
	}
	qsort(moves, tally->n, sizeof *moves, by_tasks);
	*n_moves = tally->n;
	free(tally->counts);
	return moves;
}

static void count_moves(struct tw__diff *d)
{
	struct tw__tally kinds = {0}, workers = {0};
	for (tw_task t = 0; t < d->n_tasks; t++) {
		int from = place(d, 0, t), to = place(d, 1, t);
		if (from == to || from == TW_NONE || to == TW_NONE)
			continue;
		int from_kind = d->kind_of[0][d->tasks[0][t].worker], to_kind = d->kind_of[1][d->tasks[1][t].worker];
		d->n_other_worker++;
		d->n_other_kind += from_kind != to_kind;
		tw__tally_add(&workers, (uint64_t)from * (uint64_t)d->workers.n + (uint64_t)to, 0, 0);
		tw__tally_add(&kinds, (uint64_t)from_kind * (uint64_t)d->kinds.n + (uint64_t)to_kind, 0, 0);
		rank(d, t);
	}
	d->kind_moves = list_moves(d, &kinds, d->kinds.n, &d->n_kind_moves);
	d->worker_moves = list_moves(d, &workers, d->workers.n, &d->n_worker_moves);
}

void tw__diff_tasks(struct tw__diff *d)
{
	list_tasks(d, 0);
	list_tasks(d, 1);
	find_parting(d);
	count_moves(d);
}

/* --- transfers, by memories and causes ---------------------------------------------------------------------------- */

/* A key for each direction and cause; keys are in the order of the memories, then of the causes. */
static uint64_t key_of(const struct tw__diff *d, int run, const struct tw__event *e)
{
	const int *number = d->memories.number[run];
	uint64_t direction = (uint64_t)number[e->from] * (uint64_t)d->memories.n + (uint64_t)number[e->node];
	return direction * TW__N_CAUSES + e->cause;
}

static struct tw__diff_bytes row_of(const struct tw__diff *d, const struct tw__count *c)
{
	uint64_t direction = c->key / TW__N_CAUSES, n = (uint64_t)d->memories.n;
	return (struct tw__diff_bytes){.from = (int)(direction / n),
	                               .to = (int)(direction % n),
	                               .cause = (enum tw__cause)(c->key % TW__N_CAUSES),
	                               .transfers = {c->n[0], c->n[1]},
	                               .bytes = {c->bytes[0], c->bytes[1]}};
}

void tw__diff_bytes(struct tw__diff *d)
{
	struct tw__tally tally = {0};
	for (int run = 0; run < 2; run++) {
		const struct tw__record *r = d->runs[run]->record;
		for (size_t i = 0; i < r->n; i++)
			if (r->events[i].kind == TW__TRANSFER_START)
				tw__tally_add(&tally, key_of(d, run, &r->events[i]), run, r->events[i].bytes);
	}
	tw__tally_fold(&tally);
	d->bytes = tw__arena_alloc(&d->memory, tally.n, sizeof *d->bytes);
	for (size_t i = 0; i < tally.n; i++)
		d->bytes[d->n_bytes++] = row_of(d, &tally.counts[i]);
	free(tally.counts);
}
