#include "engine/simgrid_clock.h"

#include "base/least.h"

/* The clock of SimGrid 3.32, which has no call that sets it. In the models that simgrid_load.c chooses, each activity
 * has a rest, from which SimGrid subtracts the length of each step. So nothing but this number depends on the
 * origin. */
extern double simgrid_now __asm__("_ZN7simgrid6kernel10EngineImpl4now_E");

void tw__clock_follow(struct tw__engine *e)
{
	double clock = simgrid_get_clock();
	tw__ns whole = tw__origin_step(clock);
	if (whole == 0)
		return;
	double seconds = tw__seconds(whole);
	e->origin += whole;
	/* Far from the origin, rounding may have moved the clock past the runtime's date by many fractions. */
	simgrid_now = tw__least(clock - seconds, tw__clock_seconds(e, e->now));
	tw__flows_shift(&e->flows, seconds);
}
