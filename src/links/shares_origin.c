/* Moves the origin of the shares' dates, so that late dates keep their precision. */
#include "links/shares.h"

/* Moves the places of a lane's state on its part's scale by `by` and its dates by `seconds`. Reduces its sums of bytes,
 * which would lose precision as late dates do. */
static void shift_lane(struct tw__lane_state *state, double by, double seconds, double bytes)
{
	state->since -= by;
	state->end -= by;
	state->start -= seconds;
	state->served -= bytes;
	state->least -= bytes;
}

static void shift_part(struct tw__part_state *state, double clock, double seconds)
{
	state->start -= seconds;
	state->end -= seconds;
	state->since -= seconds;
	state->clock -= clock;
}

/* Moves the origins of a part's dates and of its clock, for the part and its lanes. */
static void shift(const struct tw__shares *s, struct tw__part *part, double seconds)
{
	const double clock = tw__part_is_saved(s, part) ? part->saved.clock : part->now.clock;
	const double by_now = part->now.level > 0 ? clock : seconds, by_saved = part->saved.level > 0 ? clock : seconds;
	shift_part(&part->now, clock, seconds);
	shift_part(&part->saved, clock, seconds);
	for (int b = 0; b < part->n_busy; b++) {
		struct tw__lane *lane = part->busy[b];
		double bytes = tw__lane_is_saved(s, lane) ? lane->saved.served : lane->now.served;
		shift_lane(&lane->now, by_now, seconds, bytes);
		shift_lane(&lane->saved, by_saved, seconds, bytes);
		lane->starts.at = lane->now.start;
		lane->ends.at = lane->now.end;
		for (struct tw__share *share = lane->transfers.first; share; share = share->next) {
			share->begin -= seconds;
			share->until -= bytes;
		}
	}
}

void tw__shares_shift(struct tw__shares *s, double seconds)
{
	s->date -= seconds;
	s->start -= seconds;
	s->end -= seconds;
	s->saved_date -= seconds;
	s->saved_start -= seconds;
	s->saved_end -= seconds;
	for (int a = 0; a < s->n_active; a++)
		shift(s, s->active[a], seconds);
	for (struct tw__share *share = s->ended.first; share; share = share->next)
		share->end -= seconds;
}
