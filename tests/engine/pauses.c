#include "pauses.h"

#include <sched.h>
#include <time.h>

static _Thread_local uint32_t chance = 1;

void set_chance(uint32_t seed) { chance = seed; }

uint32_t draw(uint32_t below)
{
	chance ^= chance << 13;
	chance ^= chance >> 17;
	chance ^= chance << 5;
	return chance % below;
}

void doze_us(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

void pause_at_random(void)
{
	uint32_t kind = draw(4096);
	if (kind == 0)
		doze_us(draw(50));
	else if (kind < 64)
		sched_yield();
	else if (kind < 512)
		for (volatile uint32_t i = draw(300); i > 0; i--)
			;
}

double now_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
