/* Moves the origin of the shares' dates, so that late dates keep their precision. */
#include "links/dated.h"

#include "base/least.h"

/* --- the origin of shares ----------------------------------------------------------------------------------------- */

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
static void shift_all(const struct tw__shares *s, struct tw__part *part, double seconds)
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
	s->saved_date -= seconds;
	for (int32_t i = 0; i < s->parts_by_date.n; i++)
		shift_all(s, TW__CONTAINER(s->parts_by_date.items[i], struct tw__part, in_heap), seconds);
	for (struct tw__share *share = s->ended.first; share; share = share->next)
		share->end -= seconds;
}

/* --- dates -------------------------------------------------------------------------------------------------------- */

void tw__dated_init(struct tw__dated *d, const struct tw__platform *platform, const struct tw__weights *weights)
{
	d->origin = 0;
	d->now = 0;
	tw__shares_init(&d->shares, platform, weights);
}

void tw__dated_finish(struct tw__dated *d) { tw__shares_finish(&d->shares); }

static void shift(struct tw__dated *d, double seconds)
{
	tw__shares_shift(&d->shares, seconds);
	d->now -= seconds;
}

/* Moves the origin if `date` is far from it. Returns the date in seconds from the origin. */
static double seconds_of(struct tw__dated *d, tw__ns date)
{
	double seconds = tw__seconds(date - d->origin);
	tw__ns whole = tw__origin_step(seconds);
	if (whole == 0)
		return seconds;
	shift(d, tw__seconds(whole));
	d->origin += whole;
	seconds = tw__seconds(date - d->origin);
	if (d->now > seconds) /* far from the origin, an end may have been rounded down by many fractions */
		shift(d, d->now - seconds);
	return seconds;
}

void tw__dated_begin(struct tw__dated *d, struct tw__share *share, tw_node from, tw_node to, double bytes, tw__ns date)
{
	double since = seconds_of(d, date);
	d->now = tw__greatest(d->now, since);
	tw__shares_begin_since(&d->shares, share, from, to, bytes, since, d->now);
}

struct tw__share *tw__dated_end(struct tw__dated *d)
{
	d->now = tw__greatest(d->now, tw__shares_next(&d->shares));
	return tw__shares_end(&d->shares, d->now);
}
