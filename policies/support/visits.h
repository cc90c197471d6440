/* The order in which workers visit task lists, and the set of visits to lists that have tasks. Finding the next list
 * with tasks costs 1/64 step per list without tasks. For policies whose workers search many lists. */
#ifndef TILEWRIGHT_VISITS_H
#define TILEWRIGHT_VISITS_H

#include <tilewright/containers.h>
#include <tilewright/sched.h>

struct tw_visits {
	int32_t *list;           /* [visits] the list that each visit goes to, in the order of visits */
	int32_t *visit;          /* [lists] number of the visit to each list; TW_NONE: the list is never visited */
	struct tw_id_set filled; /* the visits to lists that have tasks */
};

/* Makes room for visit numbers below n_visits and list numbers below n_lists, in memory of the run. No list is visited
 * yet. */
static inline void tw_visits_begin(struct tw_visits *v, const struct tw_sched *s, int32_t n_visits, int32_t n_lists)
{
	v->list = tw_run_resize(s, v->list, (size_t)n_visits, sizeof *v->list);
	v->visit = tw_run_resize(s, v->visit, (size_t)n_lists, sizeof *v->visit);
	for (int32_t list = 0; list < n_lists; list++)
		v->visit[list] = TW_NONE;
	v->filled.n_words = n_visits / 64 + 1;
	v->filled.words = tw_run_resize(s, v->filled.words, (size_t)v->filled.n_words, sizeof(uint64_t));
	tw_id_set_clear(&v->filled);
}

/* Notes that the list has got tasks (`filled`) or has become empty. */
static inline void tw_visits_fill(struct tw_visits *v, int32_t list, bool filled)
{
	if (v->visit[list] != TW_NONE)
		tw_id_set_put(&v->filled, v->visit[list], filled);
}

/* Lets visit number `visit` go to `list`, which has tasks if `filled`. A list has at most one visit. */
static inline void tw_visits_set(struct tw_visits *v, int32_t visit, int32_t list, bool filled)
{
	v->list[visit] = list;
	v->visit[list] = visit;
	tw_visits_fill(v, list, filled);
}

/* Returns the number of the first visit, from `visit` on, to a list with tasks; TW_NONE: there is none. */
static inline int32_t tw_visits_next(const struct tw_visits *v, int32_t visit)
{
	return tw_id_set_next(&v->filled, NULL, visit);
}

#endif
