/* The run's clock. */
#include <math.h>

#include "engine/real/real.h"

double tw__clock_now(const struct tw__clock *c)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return ((double)(t.tv_sec - c->zero.tv_sec) + 1e-9 * (double)(t.tv_nsec - c->zero.tv_nsec)) / c->stretch;
}

void tw__clock_sleep(const struct tw__clock *c, double date)
{
	double seconds = date * c->stretch + 1e-9 * (double)c->zero.tv_nsec;
	struct timespec t = {.tv_sec = c->zero.tv_sec + (time_t)floor(seconds)};
	t.tv_nsec = (long)(1e9 * (seconds - floor(seconds)));
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}
