/* Where and when two runs executed the tasks of their graph, and what they transferred. */
#include <stdlib.h>

#include "base/hash.h"
#include "explain/diff.h"
#include "graph/ranks.h"
#include "trace/events.h"

/* --- one run ------------------------------------------------------------------------------------------------------ */

/* NULL: the program's graph has no such task. */
static struct tw__diff_task *task_of(const struct tw__diff *d, int run, tw_task t)
{
	tw_task origin = t == TW_NONE ? TW_NONE : tw__origin_of_task(d->runs[run]->graph, t);
	return origin != TW_NONE && origin < d->n_tasks ? &d->tasks[run][origin] : NULL;
}

/* Fills the tasks of one run from its sorted record. */
static void list_tasks(struct tw__diff *d, int run)
{
	struct tw__events all;
	tw__ns *last_end = tw_alloc((size_t)d->runs[run]->platform->n_workers, sizeof *last_end);
	d->tasks[run] = tw__arena_alloc(&d->memory, (size_t)d->n_tasks, sizeof *d->tasks[run]);
	for (tw_task t = 0; t < d->n_tasks; t++)
		d->tasks[run][t] = (struct tw__diff_task){.assign = -1, .start = -1, .end = -1, .worker = TW_NONE};
	tw__events_begin(&all, d->runs[run]->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		if (tw__is_message_step(d->runs[run]->graph, e))
			continue;
		bool about_task = e->kind <= TW__RELEASE || e->kind == TW__CANCEL;
		struct tw__diff_task *t = about_task ? task_of(d, run, e->task) : NULL;
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
		struct tw__diff_task *t = task_of(d, run, d->of[run].links[i].task);
		if (t)
			t->on_chain = true;
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

/* Tasks from one place to another, in a hash table. */
struct moved {
	uint64_t key; /* from * n + to, of n places */
	int64_t tasks;
	UT_hash_handle hh;
};

static void count_move(struct moved **all, int from, int to, int n)
{
	const uint64_t key = (uint64_t)from * (uint64_t)n + (uint64_t)to;
	struct moved *m;
	HASH_FIND(hh, *all, &key, sizeof key, m);
	if (!m) {
		m = tw_alloc(1, sizeof *m);
		m->key = key;
		HASH_ADD(hh, *all, key, sizeof m->key, m);
	}
	m->tasks++;
}

/* Lists what was counted, and frees it. */
static struct tw__diff_move *list_moves(struct tw__diff *d, struct moved *all, int n, size_t *n_moves)
{
	struct tw__diff_move *moves = tw__arena_alloc(&d->memory, HASH_COUNT(all), sizeof *moves);
	struct moved *m, *next;
	HASH_ITER(hh, all, m, next)
	{
		moves[(*n_moves)++] =
			(struct tw__diff_move){(int)(m->key / (uint64_t)n), (int)(m->key % (uint64_t)n), m->tasks};
		HASH_DEL(all, m);
		free(m);
	}
	qsort(moves, *n_moves, sizeof *moves, by_tasks);
	return moves;
}

static void count_moves(struct tw__diff *d)
{
	struct moved *kinds = NULL, *workers = NULL;
	for (tw_task t = 0; t < d->n_tasks; t++) {
		int from = place(d, 0, t), to = place(d, 1, t);
		if (from == to || from == TW_NONE || to == TW_NONE)
			continue;
		int from_kind = d->kind_of[0][d->tasks[0][t].worker], to_kind = d->kind_of[1][d->tasks[1][t].worker];
		d->n_other_worker++;
		d->n_other_kind += from_kind != to_kind;
		count_move(&workers, from, to, d->workers.n);
		count_move(&kinds, from_kind, to_kind, d->kinds.n);
		rank(d, t);
	}
	d->kind_moves = list_moves(d, kinds, d->kinds.n, &d->n_kind_moves);
	d->worker_moves = list_moves(d, workers, d->workers.n, &d->n_worker_moves);
}

void tw__diff_tasks(struct tw__diff *d)
{
	list_tasks(d, 0);
	list_tasks(d, 1);
	find_parting(d);
	count_moves(d);
}

/* --- transfers, by memories and causes ---------------------------------------------------------------------------- */

/* The transfers of a direction and a cause, among those of all. */
static struct tw__diff_bytes *bytes_of(struct tw__diff_bytes *all, int n, int from, int to, int cause)
{
	return &all[((size_t)from * (size_t)n + (size_t)to) * TW__N_CAUSES + (size_t)cause];
}

static void add_bytes(const struct tw__diff *d, struct tw__diff_bytes *all, int run)
{
	struct tw__events events;
	const int *number = d->memories.number[run];
	const struct tw__node *nodes = d->runs[run]->platform->nodes;
	tw__events_begin(&events, d->runs[run]->record);
	for (const struct tw__event *e; (e = tw__events_next(&events));) {
		if (e->kind != TW__TRANSFER_START || nodes[e->from].rank != nodes[e->node].rank)
			continue;
		struct tw__diff_bytes *b = bytes_of(all, d->memories.n, number[e->from], number[e->node], e->cause);
		b->transfers[run]++;
		b->bytes[run] += e->bytes;
	}
}

void tw__diff_bytes(struct tw__diff *d)
{
	const int n = d->memories.n;
	d->bytes = tw__arena_alloc(&d->memory, (size_t)n * (size_t)n * TW__N_CAUSES, sizeof *d->bytes);
	add_bytes(d, d->bytes, 0);
	add_bytes(d, d->bytes, 1);
	for (int from = 0; from < n; from++)
		for (int to = 0; to < n; to++)
			for (int cause = 0; cause < TW__N_CAUSES; cause++) {
				struct tw__diff_bytes *b = bytes_of(d->bytes, n, from, to, cause);
				b->from = from;
				b->to = to;
				b->cause = (enum tw__cause)cause;
				if (b->transfers[0] || b->transfers[1])
					d->bytes[d->n_bytes++] = *b;
			}
}
