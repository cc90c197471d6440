/* Eviction policies choose the victims in a full memory. The option --eviction pairs any eviction policy with any
 * scheduling policy.
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

/* For idle write-backs: the copies on the node that became dirty last, a ring. A search need not look again at a copy
 * that was not dirty, unless the copy became dirty since: tilewright/data_list.h. */
enum { TW_MOST_DIRTIED = 16 };
struct tw_dirtied {
	tw_data data[TW_MOST_DIRTIED]; /* the i-th copy, from 0, is data[i % TW_MOST_DIRTIED] */
	uint64_t n;                    /* number of copies that became dirty since the start of the run */
};

/* The possible victims: copies on the node that are not pinned, not in transfer, and of a kind that this request may
 * displace. The runtime sorts copies into kinds, such as clean ones. */
struct tw_victim_query {
	const uint8_t *kind; /* [data]: the kind of each handle's copy on the node; 0: the copy may not leave. Only
	                      * tw_may_evict reads it */
	unsigned kinds;      /* set of the kinds that may leave now: bit k is for kind k */
	/* The possible victims as lists, for a fast search when there are few victims. For each bit k of `kinds`,
	 * of_kind[k] has the victims of kind k, in no order. `n` is the number of all victims. NULL: no lists. */
	const struct tw_data_of_kind *of_kind;
	int32_t n;
	/* Whether the runtime asks again with more kinds if the policy returns TW_NONE. The additional copies need a
	 * write-back first. */
	bool more;
	/* The victim of the query before, if it may not leave any more, and nothing else has changed since. A policy
	 * with one order of all handles may search behind it. NULL: it must search all. */
	const tw_data *behind;
	const struct tw_dirtied *dirtied; /* NULL: the query is not for an idle write-back */
};

/* Whether the copy of a handle may leave now. False for TW_NONE: a policy can ask for each slot of a list with gaps. */
static inline bool tw_may_evict(const struct tw_victim_query *query, tw_data data)
{
	return query->kinds >> query->kind[data] & 1;
}

/* Returns the eviction policy's own parameters; tw_sched_args returns those of the scheduling policy. */
const struct tw_args *tw_eviction_args(const struct tw_sched *);

/* Returns the planned uses of a handle on a node. Only for eviction policies with TW_NEEDS_PLAN. If the scheduling
 * policy plans nothing, the order of submission is the plan: `next` is the number of the first unfinished task that
 * uses the handle. A task that no worker has popped counts for every node. */
struct tw_planned_use tw_data_planned_use(struct tw_sched *, tw_data, tw_node);
/* Returns the planned uses of all handles on a node, as an array [data]; NULL: ask tw_data_planned_use for each. */
const struct tw_planned_use *tw_planned_uses(const struct tw_sched *, tw_node);

/* Returns a random number, uniform in [0, 1), from the eviction policy's own stream of the run's seed. */
double tw_random_victim(struct tw_sched *);

enum tw_eviction_flags {
	TW_NEEDS_PLAN = 1, /* the eviction policy asks for planned uses */
	TW_EVICTS_ALL = 2  /* when an allocation fails, the runtime asks for victims until the policy returns TW_NONE */
};

#define TW_EVICTION_ABI TW_ABI(3, struct tw_eviction)

struct tw_eviction {
	int abi; /* must be TW_EVICTION_ABI */
	const char *name, *summary;
	const struct tw_param *params; /* table of the eviction policy's parameters, which ends with {0}; NULL: none */
	size_t state_size;             /* bytes of `state`, which the runtime zeroes; all nodes share one state */
	unsigned flags;                /* set of enum tw_eviction_flags */

	/* Optional. Sets up `state` before the run. A negative status stops the run before its start. */
	int (*init)(struct tw_sched *, void *state, struct tw_error *err);
	void (*finish)(struct tw_sched *, void *state);

	/* Mandatory. The handle got an allocation on the node; its bytes may still be in transfer. */
	void (*loaded)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Optional. used: a task that used the handle on the node has ended. evicted: its room there was freed. */
	void (*used)(struct tw_sched *, void *state, tw_data, tw_node);
	void (*evicted)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Optional. The workload has said that no later task uses the handle: its copy should be an early victim. */
	void (*expendable)(struct tw_sched *, void *state, tw_data, tw_node);
	/* Mandatory. Returns the next victim, for which tw_may_evict must be true; TW_NONE: the policy has none. */
	tw_data (*victim)(struct tw_sched *, void *state, tw_node, const struct tw_victim_query *);
};

#ifdef __cplusplus
}
#endif
#endif
