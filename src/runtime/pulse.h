/* How far a run is. The run's process writes it, and another process may read it at any time, through shared memory. */
#ifndef TW__PULSE_H
#define TW__PULSE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum tw__pulse_stage {
	TW__PULSE_BEFORE, /* the first turn has not begun; all members may be 0 */
	TW__PULSE_RUNS,
	TW__PULSE_OVER /* the last task is done, or the run has failed */
};

/* The function of a plug-in that is being called. */
enum tw__pulse_call {
	TW__CALL_NONE,
	TW__CALL_INIT,
	TW__CALL_PUSH,
	TW__CALL_POP,
	TW__CALL_DONE,
	TW__CALL_EVICTION_INIT,
	TW__CALL_VICTIM
};

struct tw__pulse {
	_Atomic int stage, call; /* the enums above */
	_Atomic int32_t n_done, n_tasks;
	_Atomic int64_t now; /* tw__ns */
};

/* No other memory depends on these values, so no order is needed. */
static inline void tw__pulse_set(_Atomic int *member, int value)
{
	atomic_store_explicit(member, value, memory_order_relaxed);
}

/* Writes the call that is under way, as in "in pop of policy 'eager'"; "" if there is none. */
void tw__pulse_call_text(const struct tw__pulse *, const char *policy, const char *eviction, char *text, size_t room);

#endif
