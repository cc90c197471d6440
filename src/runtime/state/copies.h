/* Copies of handles on memory nodes. Only functions of src/runtime/memory/ change copies. */
#ifndef TW__COPIES_H
#define TW__COPIES_H

#include "base/bits.h"
#include "runtime/state/state.h"

/* The state of the copy of a handle on a memory node. */
struct replicate {
	struct request *request; /* the pending request for this copy, or NULL */
	uint64_t offset;         /* place of the copy in a bounded memory, in bytes; valid while allocated */
	uint32_t pins; /* reference count: tasks and transfers that use the copy; above 0: it is never evicted */
	uint32_t queued_tasks; /* queued tasks that prefetched the copy; above 0: prefetches do not evict it */
	uint32_t n_apart;      /* requests for this copy in state REQUEST_APART */
	int32_t place;         /* index of the copy in the list of its kind; unused for the kind STAYS */
};

/* Flags of a copy, in one byte, so that a scan over a task queue stays in the cache. COPY_INCOMING: a request for the
 * copy is pending. COPY_LOADING: a thread has begun to issue that request, which may still wait for room. */
enum { COPY_VALID = 1, COPY_INCOMING = 2, COPY_ALLOCATED = 4, COPY_LOADING = 8 };

/* Each handle has these sets of memory nodes. */
enum node_set {
	VALID_ON, /* nodes with a valid copy of the handle; in MSI: state M if one node is in the set, S if several */
	HELD_ON,  /* bounded nodes where a copy of the handle is allocated */
	CLEAN_ON, /* nodes whose copy idle write-backs count as clean, as StarPU would: memory/copy.c */
	REQUESTED_ON, /* nodes with a pending request for the handle */
	N_NODE_SETS
};

struct data {
	uint16_t n_valid;    /* number of nodes with a valid copy of the handle */
	uint16_t n_requests; /* number of nodes with a pending request for the handle */
	uint16_t n_writers;  /* assigned tasks that write the handle; above 1 only for accumulators of reductions */
};

/* A ring of the handles whose copies on one node changed their flags last. */
struct flag_changes {
	tw_data data[TW_MOST_CHANGES];
	uint64_t n; /* number of changes of flags on the node since the start of the run */
};

/* Returns the state of a copy. If there has been no such copy so far, it has no request, no pins and no place. */
static inline struct replicate *replicate_of(const struct tw__rt *rt, tw_data d, tw_node n)
{
	return &rt->replicates[rt->copy_numbers[n][d]];
}

static inline uint8_t *copy_flags(const struct tw__rt *rt, tw_data d, tw_node n) { return &rt->copies[n][d]; }

static inline uint64_t *nodes_of(const struct tw__rt *rt, tw_data d, enum node_set set)
{
	return &rt->node_sets[((size_t)d * N_NODE_SETS + set) * rt->node_words];
}

/* Returns the first node >= `from` in the handle's set; a negative number: there is none. All nodes of a set:
 * for (n = next_node(.., 0); n >= 0; n = next_node(.., n + 1)) */
static inline tw_node next_node(const struct tw__rt *rt, tw_data d, enum node_set set, tw_node from)
{
	return tw__bit_next(nodes_of(rt, d, set), rt->node_words, from);
}

static inline bool is_valid(const struct tw__rt *rt, tw_data d, tw_node n)
{
	return tw__bit(nodes_of(rt, d, VALID_ON), n);
}
static inline bool is_loading(const struct tw__rt *rt, tw_data d, tw_node n)
{
	return *copy_flags(rt, d, n) & COPY_LOADING;
}
static inline bool is_allocated(const struct tw__rt *rt, tw_data d, tw_node n)
{
	return *copy_flags(rt, d, n) & COPY_ALLOCATED;
}

/* Whether the handle is discarded, and all its tasks have ended: nobody needs its copies. */
static inline bool is_dead(const struct tw__rt *rt, tw_data d)
{
	return rt->uses_left && tw__data_use(rt->graph, d) == TW__USE_DISCARDED && rt->uses_left[d] == 0;
}

#endif
