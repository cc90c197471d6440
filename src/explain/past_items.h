/* The kernels and transfers of a record, with their dates and what each of them waited for. */
#ifndef TW__EXPLAIN_PAST_H
#define TW__EXPLAIN_PAST_H

#include "explain/explain.h"

enum tw__held_kind {
	TW__HELD_BY_NOTHING,
	TW__HELD_BY_WORKER,    /* the end of another run, on the same worker */
	TW__HELD_BY_RELEASE,   /* the release of a predecessor, or of the task that wrote the source */
	TW__HELD_BY_CANCEL,    /* the cancellation of an earlier run of the same task */
	TW__HELD_BY_TRANSFER,  /* a transfer that brought a handle, or that used the same channel */
	TW__HELD_BY_USE,       /* room that became free: the end of the last run that used it */
	TW__HELD_BY_WRITE_BACK /* room that became free: the end of the write-back of what was there */
};

/* An event of the record that something else had to wait for. */
struct tw__held {
	enum tw__held_kind kind;
	int32_t item; /* a transfer, for TRANSFER and WRITE_BACK; otherwise a run */
	size_t event; /* index in the record */
	tw__ns date;
};

static inline bool tw__held_by_move(const struct tw__held *h)
{
	return h->kind == TW__HELD_BY_TRANSFER || h->kind == TW__HELD_BY_WRITE_BACK;
}

/* One execution of a task. A task has one, and one more for each time that its kernel was cancelled. Dates are -1 if
 * the record lacks them. */
struct tw__past_run {
	tw_task task;
	tw_worker worker;
	tw__ns submit, ready, assign, start;
	tw__ns end; /* also the date of a cancellation */
	tw__ns release;
	bool cancelled;
	size_t start_event;
	struct tw__held pushed; /* what made the task ready; NOTHING: its submission */
	/* The event that let the worker take the task, which may hold others: an end, or the last transfer for another
	 * one. */
	struct tw__held slot;
	struct tw__held worker_free, data, room; /* what had to come before the start */
	/* A release of a task that used the memory, at the date when the run's handles got free room. They may have
	 * waited for it: a memory admits only tasks whose handles are sure to find room. */
	struct tw__held admitted;
};

struct tw__past_move {
	tw__ns start, end;
	size_t start_event;
	tw_data data;
	tw_node from, to;
	int32_t for_run;              /* of the runs that needed it, the one assigned first; TW_NONE: none did */
	tw__ns room_at;               /* when it got room that evictions had made; -1: it needed none */
	bool for_room;                /* a write-back that makes room */
	bool again;                   /* the copy had been evicted with the same content */
	struct tw__held source, room; /* what had to come before */
	struct tw__held admitted;     /* as for a run, if the transfer started at that date */
};

struct tw__past_items {
	const struct tw_graph *graph; /* with the tasks that reductions appended */
	int n_nodes;
	int32_t n_runs, n_moves;
	struct tw__past_run *runs;   /* in the order of their starts */
	struct tw__past_move *moves; /* in the order of their starts */
	int32_t n_ended;
	int32_t *ended; /* transfers that have ended, in the order of their ends; then by channel, in that order */
	int32_t *first_ended; /* [channels + 1] a channel's transfers are ended[first_ended[c]] ... */
	int32_t last;         /* the run that was released last; TW_NONE: none was */
};

/* The record must be sorted. */
void tw__past_items_init(struct tw__past_items *, const struct tw__explained_run *, struct tw__explanation *);
void tw__past_items_finish(struct tw__past_items *);

/* Fills `held` with the last transfers that ended by `date` in the channels of a transfer, and returns their number.
 * `final`: the memory where the handle goes in the end. The first of two hops waits for its channel, too. */
enum { TW__MOST_CHANNELS = 4 };
int tw__past_in_channels(const struct tw__past_items *, const struct tw__past_move *, tw_node final, tw__ns date,
                         struct tw__held held[TW__MOST_CHANNELS]);

/* chain.c: finds the chain that the makespan hangs on. */
void tw__explain_chain(struct tw__explanation *, const struct tw__explained_run *, const struct tw__past_items *);
/* workers.c: splits the time of workers. */
void tw__explain_workers(struct tw__explanation *, const struct tw__explained_run *, const struct tw__past_items *);
/* links.c: finds the times in which links were saturated, once the chain is known. */
int tw__explain_links(struct tw__explanation *, const struct tw__explained_run *, struct tw_error *err);

#endif
