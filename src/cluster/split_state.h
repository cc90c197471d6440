/* The state of a split, for split.c and split_reductions.c alone. */
#ifndef TW__SPLIT_STATE_H
#define TW__SPLIT_STATE_H

#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cluster/split.h"

/* A message of the program. */
struct sent {
	tw_data data; /* from n_data on: a share; TW_NONE: a dependency on the task `after` without data */
	tw_task after;
	int32_t from, to, priority;
	int32_t version; /* the program's writes of the data before; send_message sets it */
};

/* The handle in which a rank other than the owner's reduces what its tasks contribute. Its number in the split is
 * behind the program's handles. It begins empty in each reduction. */
struct share {
	tw_data data;
	int32_t rank;
};

/* The task that adds a share to its handle, on the owner's rank. */
struct combined {
	int32_t share, priority;
	tw_kernel kernel;
	tw_task task; /* in the new graph */
};

/* A rank submits a task, one end of a message, or a task that adds a share. */
struct step {
	int32_t rank, number; /* of the task, the message or the struct combined */
	enum { STEP_TASK, STEP_SEND, STEP_RECEIVE, STEP_COMBINE } kind;
};

enum { MARKED = -2 }; /* in copy_of: the rank has the handle, which has no number so far */

struct split {
	const struct tw_graph *from;
	const struct tw__distribution *distribution;
	int n_ranks;
	size_t words;     /* of a set of ranks */
	uint64_t *valid;  /* [data][words] the ranks that have the current version */
	int32_t *version; /* [data] the program's writes so far */
	uint64_t *told;   /* [tasks][words] the ranks that are sent word of the end of the task */
	int32_t *rank;    /* [tasks] */
	struct sent *sent;
	size_t n_sent, sent_capacity;
	struct step *steps; /* in the order of the program */
	size_t n_steps, steps_capacity;
	struct tw__edge *orders; /* dependencies without data */
	size_t n_orders;

	/* Reductions: NULL and 0 if there are none. */
	int32_t *open;     /* [data] the reduction that collects contributions, or TW_NONE */
	int32_t *priority; /* [reductions] the greatest of the contributors */
	uint64_t *adding;  /* [data][words] the ranks that contribute to the open one */
	int32_t *share_of; /* [data][ranks] 1 + the number of the handle's share; 0: none */
	struct share *shares;
	struct combined *combined;
	size_t n_shares, shares_capacity, n_combined, combined_capacity;

	/* The second pass: */
	struct tw_graph *to;
	struct tw__ranks *ranks;
	tw_data *copy_of; /* [data, shares] the handle of the rank that is being built; TW_NONE: none so far */
	tw_task *task_of; /* [tasks] number in the new graph */
	tw_task *heard;   /* [tasks] the rank's task that receives word of the task's end */
	tw_kernel send, receive;
	size_t tasks_capacity, receivers_capacity, data_capacity;
};

/* The ranks with the handle's current version. */
static inline uint64_t *valid_on(const struct split *s, tw_data d) { return s->valid + (size_t)d * s->words; }

static inline void add_step(struct split *s, int32_t rank, int kind, int32_t number)
{
	TW_RESERVE(s->steps, s->steps_capacity, s->n_steps + 1);
	s->steps[s->n_steps++] = (struct step){rank, number, kind};
}

static inline void send_message(struct split *s, struct sent sent)
{
	const int32_t number = (int32_t)s->n_sent;
	TW_RESERVE(s->sent, s->sent_capacity, s->n_sent + 1);
	sent.version = sent.data >= 0 && sent.data < s->from->n_data ? s->version[sent.data] : 0;
	s->sent[s->n_sent++] = sent;
	add_step(s, sent.from, STEP_SEND, number);
	add_step(s, sent.to, STEP_RECEIVE, number);
}

/* The handle is then valid on its owner's rank alone. */
static inline void make_owners(struct split *s, tw_data d)
{
	memset(valid_on(s, d), 0, s->words * sizeof *s->valid);
	tw__bit_put(valid_on(s, d), s->distribution->owner[d], true);
}

/* Functions of split_reductions.c: */
void tw__split_open_reductions(struct split *);
void tw__split_close_reductions(struct split *);
/* Notes the task's contributions. Before that, ends reductions whose handles it accesses otherwise. */
void tw__split_contribute(struct split *, tw_task);
void tw__split_end_reductions(struct split *);
/* Returns the handle to which an access with TW_REDUX of a rank's task contributes: the owner's is the program's. */
tw_data tw__split_contributes_to(const struct split *, uint32_t access, int32_t rank);

#endif
