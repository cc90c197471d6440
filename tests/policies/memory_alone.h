/* A run that has memory for a policy and nothing else, for code that asks a run for memory alone. */
#ifndef MEMORY_ALONE_H
#define MEMORY_ALONE_H

#include "runtime/state/state.h"

static inline struct tw_sched *memory_alone(void)
{
	static struct block blocks = {&blocks, &blocks};
	static struct tw_sched run = {.blocks = &blocks};
	return &run;
}

#endif
