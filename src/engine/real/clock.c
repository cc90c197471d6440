/* The clock of a run, whose seconds may last longer than the machine's: see `stretch`. */
#include "engine/real/real.h"

enum { NS_PER_S = 1000000000 };

static tw__ns stretched(const struct tw__clock *c, tw__ns date)
{
	return c->stretch == 1 ? date : (tw__ns)((double)date * c->stretch);
}

tw__ns tw__clock_now(const struct tw__clock *c)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	tw__ns ns = (tw__ns)(t.tv_sec - c->zero.tv_sec) * NS_PER_S + (t.tv_nsec - c->zero.tv_nsec);
	return c->stretch == 1 ? ns : (tw__ns)((double)ns / c->stretch);
}

double tw__clock_seconds(const struct tw__clock *c, tw__ns from, tw__ns to)
{
	return to == TW__NEVER ? INFINITY : c->stretch * (double)(to - from) / TW__NS_PER_S;
}

void tw__clock_sleep(const struct tw__clock *c, tw__ns date)
{
	tw__ns ns = stretched(c, date) + c->zero.tv_nsec;
	struct timespec t = {.tv_sec = c->zero.tv_sec + (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}
