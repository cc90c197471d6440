/* Moves the origin of the shares' dates, so that late dates keep their precision. */
#include "links/shares.h"

/* Moves the dates of a lane's state, and reduces its sums of bytes, which would lose precision as late dates do. */
static void shift_state(struct tw__lane_state *state, double seconds, double bytes)
{
	state->since -= seconds;
	state->end -= seconds;
	state->start -= seconds;
	state->served -= bytes;
	state->least -= bytes;
}

void tw__shares_shift(struct tw__shares *s, double seconds)
{
	s->date -= seconds;
	s->start -= seconds;
	s->end -= seconds;
	s->saved_date -= seconds;
	s->saved_start -= seconds;
	s->saved_end -= seconds;
	for (int a = 0; a < s->n_active; a++) {
		s->active[a]->start -= seconds;
		s->active[a]->end -= seconds;
	}
	for (int b = 0; b < s->n_busy; b++) {
		struct tw__lane *lane = s->busy[b];
		double bytes = tw__lane_is_saved(s, lane) ? lane->saved.served : lane->now.served;
		shift_state(&lane->now, seconds, bytes);
		shift_state(&lane->saved, seconds, bytes);
		for (struct tw__share *share = lane->first; share; share = share->next) {
			share->begin -= seconds;
			share->until -= bytes;
		}
	}
	for (struct tw__share *share = s->first_ended; share; share = share->next)
		share->end -= seconds;
}
