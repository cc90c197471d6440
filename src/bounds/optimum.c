/* The optimum of a small problem, by branch and bound. The search goes depth first over partial schedules, in the order
 * of starts, and begins with list schedules. It leaves out a partial schedule
 * - whose bound is no less than the best makespan known;
 * - if another one of the same tasks was searched in which nothing is later: no worker free, no data arrived, no last
 *   start (dominance);
 * - if another task would have ended on an idle worker before the last one started, and delayed nobody;
 * - which differs from another one by an exchange of equal tasks, or of equal groups without tasks. */
#include "bounds/optimum.h"

#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "bounds/small_problem.h"

/* Partial schedules that were searched, by a hash of their set of tasks. */
struct seen {
	struct seen *next;
	uint64_t done;
	tw__ns dates[]; /* see list_dates */
};
enum { SEEN_BITS = 18, MOST_COMPARED = 500, MOST_SEEN_BYTES = 1 << 30 };

struct child {
	tw_task task;
	int group;
	tw__ns start, end, bound;
};

/* One level of the search. */
struct level {
	struct tw__partial schedule;
	tw__ns *earliest;
	struct child *children; /* [tasks * groups] */
};

struct search {
	struct tw__problem problem;
	struct level *levels; /* [1 + tasks] */
	struct seen **seen;
	size_t seen_bytes;
	struct tw__arena arena; /* has what was seen */
	tw__ns *dates;          /* scratch memory: those of the schedule at hand */
	struct child *path, *best_path;
	tw__ns best;  /* the best makespan */
	tw__ns open;  /* after the time is over: the least bound of what was not searched */
	double end_s; /* wall time; INFINITY: no limit */
	bool stopped;
	uint64_t nodes;
};

/* --- dominance ---------------------------------------------------------------------------------------------------- */

/* Lists all dates on which the rest of a schedule depends, and returns their number. It depends on none before the last
 * start. */
static int list_dates(const struct tw__problem *p, const struct tw__partial *s, tw__ns *dates)
{
	int n = 0;
	dates[n++] = s->last;
	for (int w = 0; w < p->n_workers; w++)
		dates[n++] = tw__latest(s->free[w], s->last);
	for (tw_task t = 0; t < p->n_tasks; t++)
		for (int m = 0; m < p->n_memories && !(s->done >> t & 1) && p->before[t] & s->done; m++)
			dates[n++] = tw__latest(s->arrival[t * p->n_memories + m], s->last);
	return n;
}

static bool none_is_later(const tw__ns *dates, const tw__ns *others, int n)
{
	for (int i = 0; i < n; i++)
		if (dates[i] > others[i])
			return false;
	return true;
}

/* Whether a schedule was searched before that dominates this one. If not, this one will have been. */
static bool is_dominated(struct search *s, const struct tw__partial *schedule)
{
	const int n = list_dates(&s->problem, schedule, s->dates);
	const size_t bytes = sizeof(struct seen) + (size_t)n * sizeof *s->dates;
	struct seen **head = &s->seen[schedule->done * UINT64_C(0x9E3779B97F4A7C15) >> (64 - SEEN_BITS)];
	int compared = 0;
	for (struct seen *e = *head; e && compared < MOST_COMPARED; e = e->next) {
		if (e->done != schedule->done)
			continue;
		compared++;
		if (none_is_later(e->dates, s->dates, n))
			return true;
		if (none_is_later(s->dates, e->dates, n)) {
			memcpy(e->dates, s->dates, (size_t)n * sizeof *s->dates);
			return false;
		}
	}
	if (s->seen_bytes > MOST_SEEN_BYTES - bytes)
		return false;
	s->seen_bytes += bytes;
	struct seen *e = tw__arena_alloc(&s->arena, bytes, 1);
	e->done = schedule->done;
	memcpy(e->dates, s->dates, (size_t)n * sizeof *s->dates);
	e->next = *head;
	*head = e;
	return false;
}

/* --- branches ----------------------------------------------------------------------------------------------------- */

/* Whether task `a` can run before `b` starts, on a worker that would otherwise be idle, without any later date. */
static bool fits_before(const struct tw__problem *p, const struct child *a, const struct child *b)
{
	const tw__ns delay = p->most_delay[a->task * p->n_memories + p->groups[a->group].memory];
	return a->task != b->task && a->start < b->start && a->end <= b->start &&
	       a->end + delay <= b->start + p->least[a->task];
}

static bool goes_before(const struct child *a, const struct child *b)
{
	return a->bound != b->bound   ? a->bound < b->bound
	       : a->start != b->start ? a->start < b->start
	                              : a->end > b->end;
}

/* Lists the tasks that can start next, with their groups, the most promising first. Returns their number. */
static int list_children(const struct search *s, struct level *level, tw__ns bound)
{
	const struct tw__problem *p = &s->problem;
	const struct tw__partial *now = &level->schedule;
	struct child *all = level->children;
	int n = 0, kept = 0;
	for (tw_task t = 0; t < p->n_tasks; t++) {
		const bool is_ready = !(now->done >> t & 1) && !(p->before[t] & ~now->done);
		const bool is_twin = p->twin[t] >= 0 && !(now->done >> p->twin[t] & 1);
		for (int g = 0; g < p->n_groups && is_ready && !is_twin; g++) {
			const int alike = p->groups[g].alike;
			const tw__ns start = level->earliest[t * p->n_groups + g],
				     length = p->length[t * p->n_groups + g];
			if (length == TW__NEVER || (alike >= 0 && !now->used[g] && !now->used[alike]))
				continue;
			const tw__ns end = start + length;
			all[n++] =
				(struct child){t, g, start, end, tw__latest(bound, end + p->tail[t * p->n_groups + g])};
		}
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < n && all[i].bound < s->best; k++)
			if (fits_before(p, &all[k], &all[i]))
				all[i].bound = TW__NEVER;
	for (int i = 0; i < n; i++) {
		const struct child child = all[i];
		int at = kept;
		if (child.bound >= s->best)
			continue;
		for (kept++; at > 0 && goes_before(&child, &all[at - 1]); at--)
			all[at] = all[at - 1];
		all[at] = child;
	}
	return kept;
}

static bool is_over(struct search *s)
{
	if (s->nodes % 256 == 0 && tw__wall_s() >= s->end_s)
		s->stopped = true;
	return s->stopped;
}

static void explore(struct search *s, int depth)
{
	struct level *level = &s->levels[depth];
	const struct tw__problem *p = &s->problem;
	s->nodes++;
	const tw__ns bound = tw__partial_bound(p, &level->schedule, level->earliest);
	if (bound >= s->best)
		return;
	if (depth == p->n_tasks) {
		s->best = bound;
		memcpy(s->best_path, s->path, (size_t)p->n_tasks * sizeof *s->path);
		return;
	}
	if (is_over(s)) {
		s->open = tw__earliest(s->open, bound);
		return;
	}
	if (is_dominated(s, &level->schedule))
		return;
	const int n = list_children(s, level, bound);
	for (int i = 0; i < n; i++) {
		const struct child *c = &level->children[i];
		if (c->bound >= s->best)
			continue;
		if (s->stopped) {
			s->open = tw__earliest(s->open, c->bound);
			continue;
		}
		s->path[depth] = *c;
		tw__partial_add(p, &level->schedule, &s->levels[depth + 1].schedule, c->task, c->group, c->start);
		explore(s, depth + 1);
	}
}

/* --- list schedules ----------------------------------------------------------------------------------------------- */

/* Returns the ready task with the longest tail, on the group where it ends first. With `looks`, on the group where its
 * end and the tail there are least. */
static struct child choose(const struct tw__problem *p, const struct tw__partial *s, const tw__ns *earliest, bool looks)
{
	struct child best = {.task = -1};
	for (tw_task t = 0; t < p->n_tasks; t++) {
		if (s->done >> t & 1 || p->before[t] & ~s->done ||
		    (best.task >= 0 &&
		     p->least[t] + p->least_tail[t] <= p->least[best.task] + p->least_tail[best.task]))
			continue;
		best = (struct child){.task = t, .bound = TW__NEVER};
		for (int g = 0; g < p->n_groups; g++) {
			const tw__ns start = earliest[t * p->n_groups + g], length = p->length[t * p->n_groups + g];
			const tw__ns tail = looks ? p->tail[t * p->n_groups + g] : 0;
			if (length != TW__NEVER && start + length + tail < best.bound)
				best = (struct child){t, g, start, start + length, start + length + tail};
		}
	}
	return best;
}

/* In a list schedule, tasks may start before others that were placed earlier. */
static void list_schedule(struct search *s, bool looks)
{
	const struct tw__problem *p = &s->problem;
	for (int i = 0; i < p->n_tasks; i++) {
		struct tw__partial *now = &s->levels[i].schedule;
		now->last = 0;
		tw__partial_bound(p, now, s->levels[i].earliest);
		s->path[i] = choose(p, now, s->levels[i].earliest, looks);
		tw__partial_add(p, now, &s->levels[i + 1].schedule, s->path[i].task, s->path[i].group,
		                s->path[i].start);
	}
	const tw__ns makespan = tw__partial_makespan(p, &s->levels[p->n_tasks].schedule);
	if (makespan < s->best) {
		s->best = makespan;
		memcpy(s->best_path, s->path, (size_t)p->n_tasks * sizeof *s->path);
	}
}

/* --- the result --------------------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
	const struct child *x = a, *y = b;
	return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
	       : x->end != y->end   ? (x->end > y->end) - (x->end < y->end)
	                            : (x->task > y->task) - (x->task < y->task);
}

/* Gives each task a worker of its group: the first one that is free. */
static void name_workers(const struct search *s, const struct tw__platform *platform, struct tw__optimum *o)
{
	const struct tw__problem *p = &s->problem;
	tw__ns *free_at = tw_alloc((size_t)platform->n_workers, sizeof *free_at);
	qsort(s->best_path, (size_t)p->n_tasks, sizeof *s->best_path, by_start);
	for (int i = 0; i < p->n_tasks; i++) {
		const struct child *c = &s->best_path[i];
		const struct tw__group *g = &p->groups[c->group];
		tw_worker w = 0;
		while (platform->workers[w].arch != g->arch || platform->workers[w].node != g->node ||
		       free_at[w] > c->start)
			w++;
		free_at[w] = c->end;
		o->tasks[c->task] = (struct tw__optimum_task){w, c->start, c->end};
	}
	free(free_at);
}

static void search(struct search *s, struct tw__optimum *o)
{
	struct tw__problem *p = &s->problem;
	const size_t n = (size_t)p->n_tasks, pairs = n * (size_t)p->n_groups;
	s->levels = tw__arena_alloc(&p->arena, n + 1, sizeof *s->levels);
	for (size_t i = 0; i <= n; i++) {
		tw__partial_init(&s->levels[i].schedule, p);
		s->levels[i].earliest = tw__arena_alloc(&p->arena, pairs, sizeof *s->levels[i].earliest);
		s->levels[i].children = tw__arena_alloc(&p->arena, pairs, sizeof *s->levels[i].children);
	}
	s->path = tw__arena_alloc(&p->arena, n, sizeof *s->path);
	s->best_path = tw__arena_alloc(&p->arena, n, sizeof *s->best_path);
	s->seen = tw__arena_alloc(&s->arena, (size_t)1 << SEEN_BITS, sizeof *s->seen);
	s->dates = tw__arena_alloc(&s->arena, 1 + (size_t)p->n_workers + n * (size_t)p->n_memories, sizeof *s->dates);
	s->best = s->open = TW__NEVER;
	list_schedule(s, false);
	list_schedule(s, true);
	explore(s, 0);
	o->makespan = s->best;
	o->bound = tw__earliest(s->best, s->open);
	o->nodes = s->nodes;
}

int tw__optimum(const struct tw__bounded *in, const char *workload, double limit_s, struct tw__optimum *o,
                struct tw_error *err)
{
	struct search s = {.end_s = limit_s > 0 ? tw__wall_s() + limit_s : INFINITY};
	*o = (struct tw__optimum){0};
	int status = tw__problem_init(&s.problem, in, workload, err);
	if (status == TW_OK) {
		search(&s, o);
		name_workers(&s, in->platform, o);
	}
	tw__arena_finish(&s.arena);
	tw__problem_finish(&s.problem);
	return status;
}
