/* Scheduling policies: one `const struct tw_policy` per file in policies/, or in a shared object of your own.
 *
 * A shared object exports its policy under the name `tilewright_policy`:
 *     const struct tw_policy tilewright_policy = { .abi = TW_POLICY_ABI, .name = "mine", ... };
 * and runs with `--policy ./mine.so` (parameters follow as usual: `./mine.so:window=50`).
 *
 * The life of a task, as its policy sees it: push (its last predecessor has ended: the task is the policy's),
 * pop (a worker asks; the task returned is that worker's), started, done. Each task is pushed once, and must be
 * popped once: a run whose policy keeps a task back while every worker waits ends with an error that says so. A policy that
 * cancels a kernel (tw_cancel) has its task back as if it had not been popped; it is started again then. */
#ifndef TILEWRIGHT_POLICY_H
#define TILEWRIGHT_POLICY_H

#include <tilewright/sched.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TW_POLICY_ABI = 4 };

enum tw_policy_flags {
	TW_SORTS_BY_PRIORITY = 1, /* sees priorities of any scope */
	TW_SEES_CRITICAL =
		2, /* sees them, but where they are for those that sort: there, 1 for tasks marked as critical */
	TW_POP_ONLY_TAKES =
		4 /* while no task is ready, pop returns TW_NONE, changes nothing, and draws no random number: it is not called */
};

/* What a policy has planned with a data on a memory node, for eviction policies that look ahead. */
struct tw_planned_use {
	int64_t next;  /* place in the node's planned order of the first task, not done, that uses it; TW_NEVER: none */
	int32_t taken; /* tasks that use it, popped by the node's workers and not done */
	int32_t planned; /* tasks that use it, planned for the node and not popped */
};
#define TW_NEVER INT64_MAX

struct tw_policy {
	int abi; /* TW_POLICY_ABI */
	const char *name, *summary;
	const struct tw_param *params; /* ends with {0}; NULL: none */
	size_t state_size;             /* the runtime allocates that many zeroed bytes: `state` below */
	unsigned flags;                /* enum tw_policy_flags */
	const char *eviction;          /* the eviction policy it runs with if the user names none; NULL: lru */

	/* Optional. A negative status stops the run before it starts. */
	int (*init)(struct tw_sched *, void *state, struct tw_error *err);
	void (*finish)(struct tw_sched *, void *state);

	/* A task is ready; the worker that released it, or TW_NONE when that was its submission. */
	void (*push)(struct tw_sched *, void *state, tw_task, tw_worker released_by);
	/* A worker asks for a task; TW_NONE: nothing for this worker now. */
	tw_task (*pop)(struct tw_sched *, void *state, tw_worker);

	/* Optional. */
	void (*started)(struct tw_sched *, void *state, tw_task,
	                tw_worker); /* its kernel is launched, or its turn has come */
	void (*done)(struct tw_sched *, void *state, tw_task, tw_worker); /* before its successors are pushed */
	/* A transfer of the data has landed on the node; its room in a bounded memory was given back, for whatever
	 * reason. Neither is the time to prefetch: ownership may be changing hands. */
	void (*data_loaded)(struct tw_sched *, void *state, tw_data, tw_node);
	void (*data_evicted)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Optional: skips pops that find nothing. These workers are about to pop, in the order of their numbers:
	 * worker first + i for each bit i of `who`; `first` is a multiple of 64. Does to `state` what the pops do
	 * of some at the front that return TW_NONE, and returns these: they are not asked. It ends before the
	 * first worker whose pop may return a task; 0: nobody is skipped. It must not wake workers or prefetch.
	 * Called with the runtime parameter order=id alone. */
	uint64_t (*pops_in_vain)(struct tw_sched *, void *state, tw_worker first, uint64_t who);
	/* Optional: policies that plan ahead. Without it, eviction policies with TW_NEEDS_PLAN refuse to run. */
	struct tw_planned_use (*planned_use)(struct tw_sched *, void *state, tw_data, tw_node);
};

#ifdef __cplusplus
}
#endif
#endif
