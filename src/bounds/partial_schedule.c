/* Partial schedules of a small problem, and the least makespans of schedules that begin like them. */
#include <string.h>

#include "bounds/small_problem.h"

void tw__partial_init(struct tw__partial *s, struct tw__problem *p)
{
	const size_t arrivals = (size_t)(p->n_tasks * p->n_memories);
	*s = (struct tw__partial){0};
	s->free = tw__arena_alloc(&p->arena, (size_t)p->n_workers, sizeof *s->free);
	s->arrival = tw__arena_alloc(&p->arena, arrivals, sizeof *s->arrival);
	s->used = tw__arena_alloc(&p->arena, (size_t)p->n_groups, sizeof *s->used);
	if (arrivals)
		memcpy(s->arrival, p->initial, arrivals * sizeof *s->arrival);
}

void tw__partial_add(const struct tw__problem *p, const struct tw__partial *from, struct tw__partial *to, tw_task task,
                     int g, tw__ns start)
{
	const struct tw__group *group = &p->groups[g];
	const tw__ns end = start + p->length[task * p->n_groups + g];
	to->done = from->done | UINT64_C(1) << task;
	to->last = start;
	memcpy(to->free, from->free, (size_t)p->n_workers * sizeof *to->free);
	memcpy(to->arrival, from->arrival, (size_t)(p->n_tasks * p->n_memories) * sizeof *to->arrival);
	memcpy(to->used, from->used, (size_t)p->n_groups * sizeof *to->used);
	to->used[g] = true;
	tw__ns *free = &to->free[group->first];
	int w = 1;
	for (; w < group->n_workers && free[w] < end; w++)
		free[w - 1] = free[w];
	free[w - 1] = end;
	for (tw_task t = task + 1; t < p->n_tasks; t++)
		for (int m = 0; m < p->n_memories && p->before[t] >> task & 1; m++) {
			tw__ns *arrival = &to->arrival[t * p->n_memories + m];
			*arrival = tw__latest(*arrival, end + tw__delay(p, task, t, group->memory, m));
		}
}

tw__ns tw__partial_makespan(const struct tw__problem *p, const struct tw__partial *s)
{
	tw__ns makespan = 0;
	for (int g = 0; g < p->n_groups; g++)
		makespan = tw__latest(makespan, s->free[p->groups[g].first + p->groups[g].n_workers - 1]);
	return makespan;
}

/* --- bounds ------------------------------------------------------------------------------------------------------- */

/* Fills the earliest starts of a task, after those of all tasks before it. Returns a bound from the longest path
 * through the task. */
static tw__ns find_earliest(const struct tw__problem *p, const struct tw__partial *s, tw_task j, tw__ns *earliest)
{
	tw__ns bound = TW__NEVER;
	for (int g = 0; g < p->n_groups; g++) {
		const int memory = p->groups[g].memory;
		tw__ns start = tw__latest(s->last, s->free[p->groups[g].first]);
		start = tw__latest(start, s->arrival[j * p->n_memories + memory]);
		for (uint64_t waits = p->before[j] & ~s->done; waits; waits &= waits - 1) {
			const tw_task i = __builtin_ctzll(waits);
			tw__ns arrival = TW__NEVER;
			for (int h = 0; h < p->n_groups; h++)
				if (p->length[i * p->n_groups + h] != TW__NEVER)
					arrival = tw__earliest(arrival,
					                       earliest[i * p->n_groups + h] +
					                               p->length[i * p->n_groups + h] +
					                               tw__delay(p, i, j, p->groups[h].memory, memory));
			start = tw__latest(start, arrival);
		}
		earliest[j * p->n_groups + g] = start;
		if (p->length[j * p->n_groups + g] != TW__NEVER)
			bound = tw__earliest(bound,
			                     start + p->length[j * p->n_groups + g] + p->tail[j * p->n_groups + g]);
	}
	return bound;
}

/* Fills `order` with the workers of all groups by the dates when they are free. */
static void sort_workers(const struct tw__problem *p, const struct tw__partial *s, struct tw__free *order)
{
	int n = 0;
	for (int g = 0; g < p->n_groups; g++)
		for (int w = 0; w < p->groups[g].n_workers; w++) {
			const tw__ns at = s->free[p->groups[g].first + w];
			int i = n++;
			for (; i > 0 && order[i - 1].at > at; i--)
				order[i] = order[i - 1];
			order[i] = (struct tw__free){at, g};
		}
}

/* Returns the earliest date when the workers together can have done work of this cost, none of it before `from`. */
static tw__ns done_at(const struct tw__problem *p, const struct tw__prices *prices, int64_t cost, tw__ns from)
{
	tw__ns at = from;
	int64_t price = 0, paid = 0;
	for (int i = 0; i < p->n_workers && cost > 0; i++) {
		/* with all workers before this one; `paid` is their price times the dates when they begin */
		const tw__ns begin = tw__latest(from, p->order[i].at);
		if (price > 0 && at <= begin)
			break;
		price += prices->of_group[p->order[i].group];
		paid += prices->of_group[p->order[i].group] * begin;
		if (price > 0)
			at = (cost + paid + price - 1) / price;
	}
	return at;
}

/* Returns a bound from the sets of tasks with long tails: the workers must do them all, and the tail follows. */
static tw__ns bound_of_areas(const struct tw__problem *p, const struct tw__partial *s, const tw__ns *earliest)
{
	tw__ns bound = 0, from = TW__NEVER;
	int64_t cost[TW__N_PRICES] = {0};
	sort_workers(p, s, p->order);
	for (int i = 0; i < p->n_tasks; i++) {
		const tw_task t = p->by_tail[i];
		if (s->done >> t & 1)
			continue;
		for (int g = 0; g < p->n_groups; g++)
			if (p->length[t * p->n_groups + g] != TW__NEVER)
				from = tw__earliest(from, earliest[t * p->n_groups + g]);
		for (int k = 0; k < TW__N_PRICES; k++) {
			cost[k] += p->prices[k].cost[t];
			bound = tw__latest(bound, done_at(p, &p->prices[k], cost[k], from) + p->least_tail[t]);
		}
	}
	return bound;
}

tw__ns tw__partial_bound(const struct tw__problem *p, const struct tw__partial *s, tw__ns *earliest)
{
	tw__ns bound = tw__partial_makespan(p, s);
	for (tw_task j = 0; j < p->n_tasks; j++)
		if (!(s->done >> j & 1))
			bound = tw__latest(bound, find_earliest(p, s, j, earliest));
	return tw__latest(bound, bound_of_areas(p, s, earliest));
}
