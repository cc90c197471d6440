#include "links/dated.h"

#include "base/least.h"

void tw__dated_init(struct tw__dated *d, const struct tw_platform *platform, double unit)
{
	d->origin = 0;
	d->now = 0;
	tw__shares_init(&d->shares, platform, unit);
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
