/* Scheduling policies: one `const struct tw_policy` per file in policies/, or in a shared object of your own.
 *
 * A shared object exports its policy under the name `tilewright_policy`:
 *     const struct tw_policy tilewright_policy = { .abi = TW_POLICY_ABI, .name = "mine", ... };
 * and runs with `--policy ./mine.so` (parameters follow as usual: `./mine.so:window=50`).
 *
 * The life of a task, as its policy sees it:
 *     push      the last predecessor of the task has ended; the policy now owns the task
 *     pop       a worker asks for a task; the returned task belongs to that worker
 *     started   the kernel of the task was launched, or is the next that the worker launches
 *     done      the task has ended
 * Each task is pushed once and must be popped once. If a policy keeps a task while all workers wait, the run fails.
 * After tw_cancel the policy owns the task again, as if no worker had popped it; the task is started once more.
 *
 * A shared object's policy runs in a process of its own: its errors cost its own run alone, and printf writes to
 * standard error. A process that it forks is killed with the run. A program's own policy runs in the program (run.h).
 * No policy may change the rounding mode of floating-point. */
#ifndef TILEWRIGHT_POLICY_H
#define TILEWRIGHT_POLICY_H

#include <tilewright/sched.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TW_POLICY_ABI TW_ABI(6, struct tw_policy)

enum tw_policy_flags {
	/* The policy sees the tasks' priorities, whatever their enum tw_priority_scope. */
	TW_SORTS_BY_PRIORITY = 1,
	/* The policy sees the tasks' priorities unless their scope is TW_PRIORITY_FOR_SORTING. With that scope it sees
	 * 1 for critical tasks and 0 for others. */
	TW_SEES_CRITICAL = 2,
	/* While no task is ready, the runtime does not call pop. The policy promises that pop would then return
	 * TW_NONE, change nothing and draw no random number. With scheduling domains, pop may be called all the
	 * same. */
	TW_POP_ONLY_TAKES = 4,
	/* The policy plans all its tasks in init, so no policy of the run may split tasks (`splits`). */
	TW_PLANS_ALL = 8
};

/* The uses of a handle on a memory node that a policy has planned, for eviction policies that look ahead. */
struct tw_planned_use {
	int64_t next;    /* position, in the node's planned order, of the first unfinished task that uses the handle;
	                  * TW_NEVER: there is none */
	int32_t taken;   /* number of tasks that use the handle, popped by the node's workers and not done */
	int32_t planned; /* number of tasks that use the handle, planned for the node and not popped */
};
#define TW_NEVER INT64_MAX

struct tw_policy {
	int abi; /* must be TW_POLICY_ABI */
	const char *name, *summary;
	const struct tw_param *params; /* table of the policy's parameters, which ends with {0}; NULL: none */
	size_t state_size;             /* bytes of the argument `state`, which the runtime allocates and zeroes */
	unsigned flags;                /* set of enum tw_policy_flags */
	const char *eviction;          /* name of the policy's default eviction policy; NULL: lru */

	/* Optional. Sets up `state` before the run. A negative status stops the run before its start. */
	int (*init)(struct tw_sched *, void *state, struct tw_error *err);
	void (*finish)(struct tw_sched *, void *state);

	/* Mandatory. A task has become ready. `released_by`: the worker that ended its last predecessor; TW_NONE: the
	 * submission of the task made it ready, or a worker outside of the policy's scheduling domain did. */
	void (*push)(struct tw_sched *, void *state, tw_task, tw_worker released_by);
	/* Mandatory. Returns a task for the worker that asks; TW_NONE: the worker gets no task now. */
	tw_task (*pop)(struct tw_sched *, void *state, tw_worker);

	/* Optional. The kernel of the task was launched, or is the next that the worker launches. */
	void (*started)(struct tw_sched *, void *state, tw_task, tw_worker);
	/* Optional. The task has ended; its successors are not pushed yet. */
	void (*done)(struct tw_sched *, void *state, tw_task, tw_worker);
	/* Optional. data_loaded: a transfer of the handle has landed on the node. data_evicted: the handle's allocation
	 * in a bounded memory was freed. Do not prefetch in these two functions: the valid copies of the handle may be
	 * changing. */
	void (*data_loaded)(struct tw_sched *, void *state, tw_data, tw_node);
	void (*data_evicted)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Optional: skips pops that return TW_NONE. The workers first + i, for each bit i of `who`, are about to pop in
	 * ascending order; `first` is a multiple of 64. If the pops of the first few workers would all return TW_NONE,
	 * the function returns the bits of these workers. It changes `state` as these pops would, and the runtime then
	 * does not call them. 0: no pop is skipped. The function must not wake workers or prefetch. The runtime calls
	 * it only with its parameter order=id, and not with scheduling domains. */
	uint64_t (*pops_in_vain)(struct tw_sched *, void *state, tw_worker first, uint64_t who);
	/* Optional, for policies that plan ahead. Returns the planned uses of the handle on the node, for eviction
	 * policies with TW_NEEDS_PLAN. See also tw_show_planned_uses. */
	struct tw_planned_use (*planned_use)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Optional. A task of another domain will run on a worker that both domains have: its policy has placed it
	 * there (tw_place), or the worker has popped it. For policies that predict when workers are available. */
	void (*placed)(struct tw_sched *, void *state, tw_task, tw_worker);
	/* Optional. A recursive task is ready (tw_graph_begin_recursive). true: it is split, so the tasks inside are
	 * pushed in its place. false: it is pushed itself. Without the function no task is split. */
	bool (*splits)(struct tw_sched *, void *state, tw_task);
};

#ifdef __cplusplus
}
#endif
#endif
