/* Reads the wall time. */
#ifndef TW__WALL_H
#define TW__WALL_H

#include <time.h>

/* Returns seconds of a monotonic clock, since an arbitrary date in the past. */
static inline double tw__wall_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
