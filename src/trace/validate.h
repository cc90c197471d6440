/* Checks a schedule from its record alone, independent of the runtime's state.
 *
 * Assumptions of the rules about a record:
 *    - At the start each handle is valid at home, without events. Scratch and accumulators are valid nowhere.
 *      Unbounded memories need no TW__ALLOC; bounded ones do, even a handle's home.
 *    - A task uses its handles from TW__START to TW__RELEASE. A write ends with the release: TW__VALID in the
 *      writer's memory (if it was not valid there) and TW__INVALID of the other copies come between TW__END and the
 *      date of TW__RELEASE. Other copies may be invalidated earlier, by a prefetch for writing, while a valid one
 *      remains.
 *    - TW__VALID follows the TW__TRANSFER_END that brought the copy. A transfer brings nothing if a task starts to
 *      write the handle meanwhile.
 *    - A task that adds to an accumulator (TW_REDUX) commits this with its release, as a write. The tasks that
 *      reductions have appended are in record->extended. They must bring each contribution to the handle once
 *      (DEPENDENCIES).
 *    - TW__CANCEL ends a kernel without effect: its task has not written, and is assigned again later.
 *    - With record->measured, DURATION, TRANSFER and MAKESPAN take durations from the record, not from the models.
 *    - Events of one date count in the record's order. */
#ifndef TW__VALIDATE_H
#define TW__VALIDATE_H

#include "perf/models.h"
#include "trace/record.h"

enum tw__rule {
	/* Each task is submitted, ready, assigned, started and ended exactly once, in that order, on one worker.
	 * After a cancelled kernel, it is assigned and started again. */
	TW__RULE_ONCE,
	TW__RULE_DEPENDENCIES, /* no task is ready (or starts) before all its predecessors have been released */
	TW__RULE_EXCLUSIVE,    /* one task per worker at a time */
	TW__RULE_DURATION,     /* end - start is the modelled time */
	/* Everything accessed has room on the worker's node during the whole kernel, and its inputs are valid there. */
	TW__RULE_INPUTS,
	/* After a write no other copy is valid. A copy becomes valid only by a write or by a transfer that carried
	 * it. */
	TW__RULE_COHERENCE,
	TW__RULE_LAST_COPY, /* at every instant each handle is valid somewhere, unless a task is writing it */
	TW__RULE_PINNED,    /* no room is freed while a task or a transfer uses it */
	TW__RULE_CAPACITY,  /* bytes resident <= capacity at every instant, and no two handles overlap in one memory */
	/* From a valid copy, over a route, in at least latency + bytes/bandwidth, into allocated room. */
	TW__RULE_TRANSFER,
	TW__RULE_MAKESPAN, /* makespan = the last release, and >= critical path with the best times */
	TW__N_RULES
};

struct tw__validation_input {
	const struct tw_platform *platform; /* as selected for the run */
	const struct tw_graph *graph;
	const struct tw__times *times;
	const uint64_t *capacity; /* [n_nodes] usable bytes; UINT64_MAX: unbounded */
	tw_node home;             /* the memory where handles are valid at the start */
};

/* Sorts the record and checks it. TW_FAILED at the first violation: `err` starts with the rule's name and says what,
 * where and when. *broken (may be NULL) is the rule. */
int tw__validate(const struct tw__validation_input *, struct tw__record *, enum tw__rule *broken, struct tw_error *err);
const char *tw__rule_name(enum tw__rule);

#endif
