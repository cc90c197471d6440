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
	tw__ns date;
};

static inline bool tw__held_by_move(const struct tw__held *h)
{
	return h->kind == TW__HELD_BY_TRANSFER || h->kind == TW__HELD_BY_WRITE_BACK;
}

/* One execution of a task on a worker. A task has one, and one more for each time that its kernel was cancelled. A
 * parallel task has one for each of its workers: that of the first, and equal ones behind it. Dates are -1 if
 * the record lacks them. A record may have millions of runs and transfers, so they hold numbers of what they waited
 * for; the functions below make a tw__held of each. TW_NONE: nothing. */
struct tw__past_run {
	tw_task task;
	tw_worker worker;
	tw__ns submit, ready, assign, start;
	tw__ns end; /* also the date of a cancellation */
	tw__ns release;
	tw__ns joined; /* when the last worker of a parallel task had joined it; -1: it is none */
	size_t start_event;
	/* The run whose release made the task ready, or the task's own run that was cancelled. On a cluster: or the
	 * transfer of a message. */
	int32_t pushed;
	bool pushed_by_move;
	int32_t slot;        /* the last run that had ended on the worker when it took the task */
	int32_t before;      /* the last run that had started on the worker before this one */
	int32_t worker_free; /* the last run that had ended on the worker before the start */
	int32_t data;        /* the last transfer that brought a handle to read */
	int32_t room;        /* the last eviction that made room for a handle */
	/* The run that used the memory and was released when the run's handles got free room. They may have waited for
	 * it: a memory admits only tasks whose handles are sure to find room. */
	int32_t admitted;
	bool cancelled;
	tw__ns data_at; /* when the handle that `data` brought became valid */
};

struct tw__past_move {
	tw__ns start, end;
	tw__ns room_at; /* when it got room that evictions had made; -1: it needed none */
	/* When the transfer that brought the source had made it valid; -1: a run wrote the source, or nothing did. */
	tw__ns source_at;
	size_t start_event;
	int32_t source;   /* that transfer, or that run */
	int32_t for_run;  /* of the runs that needed it, the one assigned first; TW_NONE: none did */
	int32_t room;     /* the eviction that made its room */
	int32_t admitted; /* as for a run, if the transfer started at that date */
	tw_data data;
	int16_t from, to;
	bool for_room; /* a write-back that makes room */
	bool again;    /* the copy had been evicted with the same content */
	bool message;  /* to another node of a cluster; `data` is the receiver's handle */
};

/* A copy that left a memory to make room. */
struct tw__past_eviction {
	struct tw__held held; /* what had to come before this one and those before it at the same date */
	size_t event;         /* that stands for `held` in the order of the record */
	tw_data victim;
	int32_t before; /* the eviction before it, if no handle has got its room yet; TW_NONE: none */
};

struct tw__past_items {
	const struct tw_graph *graph; /* with the tasks that reductions appended */
	int n_nodes;
	size_t n_runs, runs_capacity, n_moves, moves_capacity, n_evictions, evictions_capacity;
	struct tw__past_run *runs;   /* in the order of their starts */
	struct tw__past_move *moves; /* in the order of their starts */
	struct tw__past_eviction *evictions;
	size_t n_ended, ended_capacity;
	int32_t *ended; /* transfers that have ended, in the order of their ends; then by channel, in that order */
	int32_t *first_ended; /* [channels + 1] a channel's transfers are ended[first_ended[c]] ... */
	int32_t last;         /* the run that was released last; TW_NONE: none was */
};

/* The record must be sorted. */
void tw__past_items_init(struct tw__past_items *, const struct tw__explained_run *, struct tw__explanation *);
void tw__past_items_finish(struct tw__past_items *);

/* Returns the event that made the task of a run ready; NOTHING: its submission. */
struct tw__held tw__past_pushed(const struct tw__past_items *, const struct tw__past_run *);
/* The event that let the worker take the task, which may hold others: an end, or the last transfer for another one. */
struct tw__held tw__past_slot(const struct tw__past_items *, const struct tw__past_run *);
/* The last transfer that brought a handle which the run reads. */
struct tw__held tw__past_data(const struct tw__past_run *);
/* Returns the event that made the source of a transfer valid. */
struct tw__held tw__past_source(const struct tw__past_items *, const struct tw__past_move *);
/* Returns the event that an eviction, and those before it at its date, had to wait for. */
struct tw__held tw__past_room(const struct tw__past_items *, int32_t eviction);
/* Returns the date from which a run of a parallel task only waited for its other workers; TW__NEVER: it is none. */
tw__ns tw__past_gathers(const struct tw__past_items *, const struct tw__past_run *);
/* The end, or the release, of a run. */
struct tw__held tw__past_end(const struct tw__past_items *, int32_t run);
struct tw__held tw__past_admitted(const struct tw__past_items *, int32_t run);

/* Fills `held` with the last transfers that ended by `date` in the channels of a transfer, and returns their number.
 * `final`: the memory where the handle goes in the end. The first of two hops waits for its channel, too. */
enum { TW__MOST_CHANNELS = 4 };
int tw__past_in_channels(const struct tw__past_items *, const struct tw__past_move *, tw_node final, tw__ns date,
                         struct tw__held held[TW__MOST_CHANNELS]);

/* chain.c: finds the chain that the makespan hangs on. */
void tw__explain_chain(struct tw__explanation *, const struct tw__explained_run *, const struct tw__past_items *);
/* workers.c: splits the time of workers. */
void tw__explain_workers(struct tw__explanation *, const struct tw__explained_run *, const struct tw__past_items *);
/* Of a run with several graphs: when each ended, and its kernels in the chain, which is there. */
void tw__explain_graphs(struct tw__explanation *, const struct tw__past_items *);
/* ranks.c: before kinds of workers are merged. */
void tw__explain_ranks(struct tw__explanation *, const struct tw__explained_run *);
/* links.c: finds the times in which links were saturated, once the chain is known. */
void tw__explain_links(struct tw__explanation *, const struct tw__explained_run *);

#endif
