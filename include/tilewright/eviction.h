/* Eviction policies choose the victims of a full memory. --eviction pairs any of them with any scheduling policy.
 *
 * A shared object of your own exports `const struct tw_eviction tilewright_eviction`. */
#ifndef TILEWRIGHT_EVICTION_H
#define TILEWRIGHT_EVICTION_H

#include <tilewright/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tw_data_of_kind {
	tw_data *data;
	int32_t n;
};

/* The possible victims: copies on the node that are not pinned, not in transfer, and of a kind that this request may
 * displace. */
struct tw_victim_query {
	const uint8_t *kind; /* [data]: the kind of each copy; 0: it may not leave. For tw_may_evict alone */
	unsigned kinds;      /* the kinds that may leave now, one bit each */
	/* The possible victims as lists, for a fast search when they are few: of_kind[k] for each bit k of `kinds`, in
	 * no order. `n` is their total number. NULL: no lists. */
	const struct tw_data_of_kind *of_kind;
	int32_t n;
	/* After TW_NONE, the runtime asks again with more kinds: copies that need a write-back first. */
	bool more;
};

/* False for TW_NONE too, so that a policy can ask for each slot of a list with gaps. */
static inline bool tw_may_evict(const struct tw_victim_query *query, tw_data data)
{
	return query->kinds >> query->kind[data] & 1;
}

/* The eviction policy's own parameters; tw_sched_args returns those of the scheduling policy. */
const struct tw_args *tw_eviction_args(const struct tw_sched *);

/* The uses of a handle on a node that the scheduling policy has planned. Only with TW_NEEDS_PLAN. */
struct tw_planned_use tw_data_planned_use(struct tw_sched *, tw_data, tw_node);

/* Uniform in [0, 1), from the eviction policy's own stream of the run's seed. */
double tw_random_victim(struct tw_sched *);

enum tw_eviction_flags {
	TW_NEEDS_PLAN = 1, /* only with policies that have `planned_use` */
	TW_EVICTS_ALL = 2  /* when an allocation fails, the runtime asks for victims until there are none left */
};

#define TW_EVICTION_ABI 1

struct tw_eviction {
	int abi; /* TW_EVICTION_ABI */
	const char *name, *summary;
	const struct tw_param *params; /* ends with {0}; NULL: none */
	size_t state_size;             /* bytes of `state`, which the runtime zeroes; one state for all nodes */
	unsigned flags;                /* enum tw_eviction_flags */

	/* Optional. A negative status stops the run before it starts. */
	int (*init)(struct tw_sched *, void *state, struct tw_error *err);
	void (*finish)(struct tw_sched *, void *state);

	/* Mandatory. The handle got its allocation on the node; its bytes may still be in transfer. */
	void (*loaded)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Optional. */
	void (*used)(struct tw_sched *, void *state, tw_data, tw_node);    /* a task that used it on the node ended */
	void (*evicted)(struct tw_sched *, void *state, tw_data, tw_node); /* its allocation was freed */
	/* Optional. The workload says that no later task uses the handle: it should be an early victim. */
	void (*expendable)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Mandatory. Returns the next victim, for which tw_may_evict must hold, or TW_NONE. */
	tw_data (*victim)(struct tw_sched *, void *state, tw_node, const struct tw_victim_query *);
};

#ifdef __cplusplus
}
#endif
#endif
