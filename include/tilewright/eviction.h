/* Eviction policies: which data leaves a full memory. Chosen with --eviction, so that every scheduler can be paired with
 * each. One in a shared object of your own is a `const struct tw_eviction tilewright_eviction`. */
#ifndef TILEWRIGHT_EVICTION_H
#define TILEWRIGHT_EVICTION_H

#include <tilewright/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which data may leave the node now: not pinned, not under way, and of a kind that this request may displace. Never TW_NONE,
 * so that a list with gaps can be asked about each place. */
struct tw_data_of_kind {
	tw_data *data;
	int32_t n;
};

struct tw_victim_query {
	const uint8_t *kind; /* [data]: why it may leave, or 0: it may not. For tw_may_evict alone */
	unsigned kinds;      /* those that may leave now: one bit each */
	/* The same from the other side, for policies that would search long where few may leave: of_kind[k], for each bit k
	 * of `kinds`, are all data that may leave, `n` in all, in no order. NULL: not told. */
	const struct tw_data_of_kind *of_kind;
	int32_t n;
	/* TW_NONE has the question asked again, with more kinds: with data that must be written back first. */
	bool more;
};

static inline bool tw_may_evict(const struct tw_victim_query *query, tw_data data)
{
	return query->kinds >> query->kind[data] & 1;
}

/* The eviction policy's own parameters; tw_sched_args are the scheduling policy's. */
const struct tw_args *tw_eviction_args(const struct tw_sched *);

/* What the scheduling policy has planned with a data. Only for eviction policies with TW_NEEDS_PLAN. */
struct tw_planned_use tw_data_planned_use(struct tw_sched *, tw_data, tw_node);

/* Uniform in [0, 1), from the eviction policy's own stream of the run's seed. */
double tw_random_victim(struct tw_sched *);

enum tw_eviction_flags {
	TW_NEEDS_PLAN = 1, /* only with policies that have `planned_use` */
	TW_EVICTS_ALL = 2  /* once a data finds no room, victims are named until there are no more */
};

#define TW_EVICTION_ABI 1

struct tw_eviction {
	int abi; /* TW_EVICTION_ABI */
	const char *name, *summary;
	const struct tw_param *params; /* ends with {0}; NULL: none */
	size_t state_size;             /* zeroed by the runtime; one state for all nodes */
	unsigned flags;                /* enum tw_eviction_flags */

	/* Optional. A negative status stops the run before it starts. */
	int (*init)(struct tw_sched *, void *state, struct tw_error *err);
	void (*finish)(struct tw_sched *, void *state);

	/* Mandatory: room was taken for it on the node. */
	void (*loaded)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Optional. */
	void (*used)(struct tw_sched *, void *state, tw_data, tw_node);    /* a task on the node has ended with it */
	void (*evicted)(struct tw_sched *, void *state, tw_data, tw_node); /* its room was given back */
	/* Optional. The workload says that it will not be used again: a first victim. */
	void (*expendable)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Mandatory: the data that should leave the node first among those for which tw_may_evict holds, or TW_NONE. */
	tw_data (*victim)(struct tw_sched *, void *state, tw_node, const struct tw_victim_query *);
};

#ifdef __cplusplus
}
#endif
#endif
