#include "runtime/pulse.h"

#include <stdbool.h>
#include <stdio.h>

void tw__pulse_call_text(const struct tw__pulse *pulse, const char *policy, const char *eviction, char *text,
                         size_t room)
{
	static const char *const functions[] = {
		[TW__CALL_INIT] = "init", [TW__CALL_PUSH] = "push",          [TW__CALL_POP] = "pop",
		[TW__CALL_DONE] = "done", [TW__CALL_EVICTION_INIT] = "init", [TW__CALL_VICTIM] = "victim",
	};
	int call = atomic_load_explicit(&pulse->call, memory_order_relaxed);
	*text = '\0';
	if (call == TW__CALL_NONE)
		return;
	bool evicts = call >= TW__CALL_EVICTION_INIT;
	snprintf(text, room, "in %s of %s '%.100s'", functions[call], evicts ? "eviction policy" : "policy",
	         evicts ? eviction : policy);
}
