/* Shared by tests of the baton: pauses at random, a clock, items with numbers. */
#ifndef PAUSES_H
#define PAUSES_H

#include "engine/baton.h"

enum { STALL_S = 10 }; /* nothing takes so long that goes on at all */

/* Each thread draws numbers of its own. */
void set_chance(uint32_t seed); /* not 0 */
uint32_t draw(uint32_t below);

void doze_us(long us);
void pause_at_random(void);
double now_s(void);

struct parcel {
	struct tw__post post; /* first: a post is a parcel */
	int from, number;
};

#endif
