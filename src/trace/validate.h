/* Checks a schedule by its record alone, independent of the runtime's state.
 *
 * Assumptions of the rules about a record:
 * - At the start each handle is valid at home, without events; in an accelerator's memory with a bound, it takes its
 *   room at date 0. With homes=first_touch it is valid in several main
 *   memories, and TW__INVALID of the others comes with the first touch. Scratch handles and accumulators are valid
 *   nowhere. Unbounded memories need no TW__ALLOC; bounded memories do, even the home of a handle.
 * - A task uses its handles from TW__START to TW__RELEASE. A write ends with the release. TW__VALID in the writer's
 *   memory (if the copy was not valid there) and TW__INVALID of the other copies come between TW__END and the date of
 *   TW__RELEASE. A prefetch for writing may invalidate other copies earlier, while a valid copy remains.
 * - TW__VALID follows the TW__TRANSFER_END that brought the copy. If a task starts to write the handle during a
 *   transfer, the transfer brings nothing.
 * - A task that adds to an accumulator (TW_REDUX) commits the addition with its release, as a write. The tasks that
 *   reductions have appended are in record->extended. They must bring each contribution to the handle once
 *   (DEPENDENCIES).
 * - TW__CANCEL ends a kernel without effect: its task has not written, and is assigned again later.
 * - With record->measured, DURATION, TRANSFER and MAKESPAN take durations from the record, not from the models. Links
 *   then only limit how much passes in an interval.
 * - Events of one date count in the record's order. */
#ifndef TW__VALIDATE_H
#define TW__VALIDATE_H

#include "perf/models.h"
#include "platform/platform.h"
#include "trace/domains.h"
#include "trace/record.h"

enum tw__rule {
	/* Each task is submitted, ready, assigned, started and ended exactly once, in that order, on one worker.
	 * After a cancelled kernel, it is assigned and started again. The run has all that events name. */
	TW__RULE_ONCE,
	/* No task is ready or starts before all its predecessors have been released. It is released by the worker of
	 * one of them, or by its submission if that came after them. */
	TW__RULE_DEPENDENCIES,
	TW__RULE_ARRIVAL,   /* no task is submitted before its graph arrives */
	TW__RULE_DOMAIN,    /* a task runs on a worker of its scheduling domain */
	TW__RULE_EXCLUSIVE, /* a worker runs one task at a time */
	TW__RULE_DURATION,  /* a kernel takes its modelled time */
	/* During the whole kernel, all handles of its task have room in the worker's memory, and the inputs are valid
	 * there. */
	TW__RULE_INPUTS,
	/* After a write no other copy is valid. A copy becomes valid only by a write or by a transfer to it. */
	TW__RULE_COHERENCE,
	TW__RULE_LAST_COPY, /* at every date each handle is valid on some memory, unless a task is writing it */
	TW__RULE_PINNED,    /* the room of a copy is not freed while a task or a transfer uses the copy */
	/* At every date the allocated bytes of a memory fit its capacity, and rooms do not overlap. Each has the size
	 * that its handle needs. */
	TW__RULE_CAPACITY,
	/* A transfer goes from a valid copy over a route into allocated room. Simulated transfers end when the model of
	 * shared links says. Measured ones use no link for more than it can carry. */
	TW__RULE_TRANSFER,
	/* The makespan is the date of the last release, and at least the critical path. If handles must be somewhere at
	 * the end, it may be later. In simulations, only transfers start and end after it. */
	TW__RULE_MAKESPAN,
	/* With homes=first_touch: the first worker with a task that accesses a handle, or the first prefetch, leaves
	 * the handle in its main memory alone. */
	TW__RULE_HOME,
	/* A discarded handle (tw_graph_discard) takes no room after the release of its last task. It is valid nowhere
	 * at the end, unless a transfer is still under way. */
	TW__RULE_DISCARD,
	TW__RULE_END, /* at the end each handle is valid where it must be (tw_graph_set_end) */
	/* A parallel task runs on workers of one kind, one memory and its domain. They join it before its start, and
	 * run nothing else until its end. */
	TW__RULE_TEAM,
	/* A task accesses a divided handle, or a part, only while it is usable, and alone if it writes. A handle is
	 * divided in a main memory where it is valid, and joined where all its parts are. */
	TW__RULE_FILTER,
	/* A recursive task runs, or the tasks inside do, from when it is ready; then it is released after them. */
	TW__RULE_RECURSIVE,
	/* On a cluster, each message is transferred once, when its content was written and its room is there. Tasks
	 * read the version that the program's order gives them. Nodes use their own workers, memories and handles
	 * alone. */
	TW__RULE_MESSAGE,
	TW__N_RULES
};

struct tw__validation_input {
	const struct tw__platform *platform; /* the workers and memories of the run */
	const struct tw_graph *graph;
	const struct tw__times *times;
	const uint64_t *capacity;    /* [n_nodes] usable bytes of each memory; UINT64_MAX: unbounded */
	struct tw__homes homes;      /* the memory where handles are valid at the start */
	enum tw__link_shares shares; /* how transfers share links in the run's model */
	struct tw__run_domains domains;
	bool moves_nothing; /* a measured run without real copies (kernels=empty): links limit nothing */
};

/* Sorts the record and checks it. TW_FAILED: a rule is broken. `err` then has the rule's name, and what happened, where
 * and when. *broken: the rule; `broken` may be NULL. */
int tw__validate(const struct tw__validation_input *, struct tw__record *, enum tw__rule *broken, struct tw_error *err);
const char *tw__rule_name(enum tw__rule);

#endif
