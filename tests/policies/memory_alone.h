/* A run that has memory for a policy and nothing else, for code that asks a run for memory alone. */
#ifndef MEMORY_ALONE_H
#define MEMORY_ALONE_H

#include "base/memory.h"
#include "runtime/state/domain.h"

static inline struct tw_sched *memory_alone(void)
{
	static struct tw__arena memory;
	static struct tw__rt run = {.plugins_memory = &memory};
	static struct tw_sched view = {.rt = &run};
	return &view;
}

#endif
