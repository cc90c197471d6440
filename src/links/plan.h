/* The plan of shares: the rates of all lanes, and the dates of the next start and end of each part. For the files of
 * src/links/ alone. */
#ifndef TW__PLAN_H
#define TW__PLAN_H

#include "links/shares.h"

/* Save the state of a lane, with its part, or of a part, if the shares are ahead. Called before the state changes. */
static inline void tw__part_save(struct tw__shares *s, struct tw__part *part)
{
	if (!s->ahead || part->saved_ahead == s->n_ahead)
		return;
	part->saved = part->now;
	part->saved_ahead = s->n_ahead;
}

static inline void tw__lane_save(struct tw__shares *s, struct tw__lane *lane)
{
	if (!s->ahead || lane->saved_ahead == s->n_ahead)
		return;
	lane->saved = lane->now;
	lane->saved_ahead = s->n_ahead;
	lane->next_saved = s->first_saved;
	s->first_saved = lane;
	tw__part_save(s, lane->part);
}

/* Returns where on a part's scale the current date is, after reading the clock if the part has one. Called while the
 * part's level is still that of the time before. */
static inline double tw__part_read(const struct tw__shares *s, struct tw__part *part)
{
	struct tw__part_state *now = &part->now;
	if (!(now->level > 0))
		return s->date;
	now->clock += now->level * (s->date - now->since);
	now->since = s->date;
	return now->clock;
}

/* Updates rates, and the dates of the next start and end. Called after each change. The first n lanes of `due` have
 * changed, and have no rate. */
void tw__plan(struct tw__shares *, int n_due);

#endif
