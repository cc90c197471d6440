/* The choice of the next handle to load, from a table of data (data_table.h). Each unit has a tournament among its
 * handles. Before a choice, the handles whose sums have changed play their matches again. */
#include <math.h>

#include "policies/support/data_table.h"

static int32_t highest_priority(const struct tw_data_table *t, tw_data d, int k, int32_t missing)
{
	int32_t highest = INT32_MIN;
	for (int32_t use = t->ready_uses[d]; use != TW_NONE; use = t->uses[use].behind) {
		int32_t entry = t->uses[use].entry;
		if (tw__data_length_ns(t, entry, k) >= 0 && *tw__data_missing(t, entry, k) == missing &&
		    tw_task_priority(t->s, t->tasks[entry].task) > highest)
			highest = tw_task_priority(t->s, t->tasks[entry].task);
	}
	return highest;
}

static int64_t left_ns(const struct tw_data_table *t, tw_data d, int k)
{
	return t->left_ns[(size_t)d * (size_t)t->n_kinds + (size_t)t->units[k].kind];
}

static struct tw_data_score score_of(const struct tw_data_table *t, tw_data d, int k)
{
	const struct tw_data_cell *cell = &t->units[k].cells[d];
	if (t->by_count)
		return (struct tw_data_score){.s0 = cell->s0};
	double transfer = cell->s0 ? tw_data_transfer_time(t->s, d, t->units[k].node) : 0;
	return (struct tw_data_score){
		.ratio = cell->s0 ? transfer / ((double)cell->computation_ns / 1e9) : INFINITY,
		.s0 = cell->s0,
		.max_prio = cell->s0 || cell->s1 ? highest_priority(t, d, k, cell->s0 ? 1 : 2) : INT32_MIN,
		.s1 = cell->s1,
		.left_ns = left_ns(t, d, k),
	};
}

static bool better(const struct tw_data_unit *u, tw_data x, tw_data y, bool by_count)
{
	const struct tw_data_score *a = &u->cells[x].score, *b = &u->cells[y].score;
	if (by_count)
		return a->s0 != b->s0 ? a->s0 > b->s0 : x < y;
	if (a->ratio != b->ratio)
		return a->ratio < b->ratio;
	if (a->s0 != b->s0)
		return a->s0 > b->s0;
	if (a->max_prio != b->max_prio)
		return a->max_prio > b->max_prio;
	if (a->s1 != b->s1)
		return a->s1 > b->s1;
	return a->left_ns != b->left_ns ? a->left_ns > b->left_ns : x < y;
}

/* Computes the score of handle d for unit k again, and replays the matches of d in the tournament of the unit. */
static void play(struct tw_data_table *t, tw_data d, int k)
{
	struct tw_data_unit *u = &t->units[k];
	struct tw_data_cell *cell = &u->cells[d];
	bool candidate = !u->states[d].there && (t->by_count ? cell->s0 > 0 : left_ns(t, d, k) > 0);
	tw_data *winner = &u->best[t->first_leaf + d];
	u->states[d].stale = false;
	if (!candidate && *winner == TW_NONE)
		return;
	u->n_candidates += candidate - (*winner != TW_NONE);
	if (candidate)
		cell->score = score_of(t, d, k);
	*winner = candidate ? d : (tw_data)TW_NONE;
	for (int32_t i = (t->first_leaf + d) / 2; i > 0; i /= 2) {
		tw_data a = u->best[2 * i], b = u->best[2 * i + 1], before = u->best[i];
		u->best[i] = b == TW_NONE || (a != TW_NONE && better(u, a, b, t->by_count)) ? a : b;
		if (u->best[i] == before && before != d)
			return;
	}
}

tw_data tw_data_table_best(struct tw_data_table *t, int k, struct tw_data_score *score)
{
	struct tw_data_unit *u = &t->units[k];
	tw_data_table_score(t);
	for (int32_t i = 0; i < u->n_stale; i++)
		play(t, u->stale[i], k);
	u->n_stale = 0;
	tw_looked_at(t->s, u->n_candidates);
	tw_data best = u->best[1];
	if (best != TW_NONE && score)
		*score = u->cells[best].score;
	return best;
}

static bool goes_before(const struct tw_data_table *t, tw_task a, tw_task b)
{
	int32_t x = tw_task_priority(t->s, a), y = tw_task_priority(t->s, b);
	return x != y ? x > y : a < b;
}

int tw_data_table_set(const struct tw_data_table *t, tw_data d, int k, int others, tw_task *tasks, int max)
{
	int n = 0, written = 0;
	for (int32_t use = t->ready_uses[d]; use != TW_NONE; use = t->uses[use].behind) {
		int32_t entry = t->uses[use].entry;
		if (t->units[k].states[d].there || tw__data_length_ns(t, entry, k) < 0 ||
		    *tw__data_missing(t, entry, k) != 1 + others)
			continue;
		tw_task task = t->tasks[entry].task;
		n++;
		int i = written < max ? written++ : max;
		if (i == max && (max == 0 || !goes_before(t, task, tasks[--i])))
			continue;
		for (; i > 0 && goes_before(t, task, tasks[i - 1]); i--)
			tasks[i] = tasks[i - 1];
		tasks[i] = task;
	}
	return n;
}
