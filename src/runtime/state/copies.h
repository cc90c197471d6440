/* Copies of handles on memory nodes. Only memory/ changes them. */
#ifndef TW__COPIES_H
#define TW__COPIES_H

#include "base/bits.h"
#include "runtime/state/state.h"

/* The copy of a handle on a node. */
struct replicate {
	struct request *request; /* the pending one, or NULL */
	uint64_t offset;         /* in a bounded memory, while allocated */
	uint32_t pins;           /* by assigned tasks and issued transfers: a pinned copy is never evicted */
	uint32_t queued_tasks;   /* queued tasks that it is protected for: prefetches do not evict it */
	uint32_t n_apart;        /* requests in state REQUEST_APART */
};

/* Flags that policies read often, one byte per copy, so that a scan over a task queue stays in the cache. Incoming:
 * there is a request. Loading: the request has had its turn, though it may still wait for room. */
enum { COPY_VALID = 1, COPY_INCOMING = 2, COPY_ALLOCATED = 4, COPY_LOADING = 8 };

/* Sets of nodes that each handle has. */
enum node_set {
	VALID_ON,     /* valid copies: M if one node is in it, S if several are */
	HELD_ON,      /* bounded nodes with an allocated copy */
	CLEAN_ON,     /* copies that count as clean, in StarPU's sense: tw__copy_settle() */
	REQUESTED_ON, /* a request for it is pending */
	N_NODE_SETS
};

struct data {
	uint16_t n_valid;    /* nodes in VALID_ON */
	uint16_t n_requests; /* nodes in REQUESTED_ON */
	uint16_t n_writers;  /* assigned tasks that write it; above 1 only for accumulators */
};

/* The handles whose flags on a node changed last: a ring. */
struct flag_changes {
	tw_data data[TW_MOST_CHANGES];
	uint64_t n; /* so far */
};

static inline struct replicate *replicate_of(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return &rt->replicates[(size_t)d * (size_t)rt->n_nodes + (size_t)n];
}

static inline uint8_t *copy_flags(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return &rt->copies[(size_t)n * (size_t)rt->graph->n_data + (size_t)d];
}

static inline uint64_t *nodes_of(const struct tw_sched *rt, tw_data d, enum node_set set)
{
	return &rt->node_sets[((size_t)d * N_NODE_SETS + set) * rt->node_words];
}

/* Loads ahead what is kept of a copy: runs with many handles mostly wait for the memory. */
static inline void touch_copy(const struct tw_sched *rt, tw_data d, tw_node n)
{
	__builtin_prefetch(replicate_of(rt, d, n), 1);
	__builtin_prefetch(copy_flags(rt, d, n), 1);
	__builtin_prefetch(nodes_of(rt, d, VALID_ON));
	__builtin_prefetch(&rt->data[d]);
}

/* The first node of the set from that one on; negative: none. for (n = next_node(.., 0); n >= 0; n = next_node(.., n
 * + 1)) */
static inline tw_node next_node(const struct tw_sched *rt, tw_data d, enum node_set set, tw_node from)
{
	return tw__bit_next(nodes_of(rt, d, set), rt->node_words, from);
}

static inline bool is_valid(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return tw__bit(nodes_of(rt, d, VALID_ON), n);
}
static inline bool is_loading(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return *copy_flags(rt, d, n) & COPY_LOADING;
}
static inline bool is_allocated(const struct tw_sched *rt, tw_data d, tw_node n)
{
	return *copy_flags(rt, d, n) & COPY_ALLOCATED;
}

#endif
