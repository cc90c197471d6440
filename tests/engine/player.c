#include "player.h"

#include <stdlib.h>

struct tw__shares *shares_of(const struct tw__platform *p, enum tw__link_shares shares)
{
	struct tw__shares *s = malloc(sizeof *s);
	struct tw__weights weights;
	tw__weights_init(&weights, p, shares);
	tw__shares_init(s, p, &weights);
	tw__weights_finish(&weights);
	return s;
}

void shares_free(struct tw__shares *s)
{
	tw__shares_finish(s);
	free(s);
}

void play_tell(struct play *p, struct tw__share *share, double now)
{
	int i = (int)(share - p->flows);
	ck_assert(isnan(p->end[i]));
	ck_assert(share->end <= now && share->end >= p->last);
	ck_assert(share->end > p->last || i > p->last_told); /* of one date: in the order of begin */
	p->end[i] = p->last = share->end;
	p->last_told = i;
	p->n_told++;
}

void play_tell_all(struct play *p, double now)
{
	for (struct tw__share *share; (share = tw__shares_end(p->shares, now));)
		play_tell(p, share, now);
}

/* Each end at its date. */
static void tell_until(struct play *p, double now)
{
	for (double next; isfinite(next = tw__shares_next(p->shares)) && next <= now;) {
		struct tw__share *share = tw__shares_end(p->shares, next);
		ck_assert_ptr_nonnull(share);
		ck_assert(share->end == next);
		play_tell(p, share, next);
	}
}

/* Questions at dates at which nothing need happen. */
static void ask_around(struct play *p, double from, double until)
{
	for (int i = 0; i <= 8; i++) {
		double now = isfinite(until) ? from + (until - from) * i / 8 : from;
		double next = tw__shares_next(p->shares);
		ck_assert(i % 2 == 0 || next == tw__shares_next(p->shares));
		play_tell_all(p, now);
		ck_assert(tw__shares_next(p->shares) > now);
	}
}

struct play *play_new(const struct tw__platform *platform, enum tw__link_shares shares)
{
	struct play *p = calloc(1, sizeof *p);
	p->shares = shares_of(platform, shares);
	p->last_told = -1;
	for (int i = 0; i < MAX_ACTIONS; i++)
		p->end[i] = NAN;
	return p;
}

void play_free(struct play *p)
{
	shares_free(p->shares);
	free(p);
}

struct play *play(const struct script *s, const struct tw__platform *platform, enum manner manner)
{
	struct play *p = play_new(platform, s->shares);
	double before = 0;
	for (int i = 0; i <= s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		double now = i < s->n_actions ? a->date : INFINITY;
		if (manner == CURIOUS)
			ask_around(p, before, now);
		if (manner != LATE)
			tell_until(p, now);
		if (i < s->n_actions)
			tw__shares_begin(p->shares, &p->flows[i], a->from, a->to, a->amount, now);
		before = now;
	}
	play_tell_all(p, INFINITY);
	ck_assert_int_eq(p->n_told, s->n_actions);
	ck_assert(isinf(tw__shares_next(p->shares)));
	ck_assert_int_eq(p->shares->n_busy, 0);
	return p;
}
