/* The tasks and transfers of a record, with their dates and what each of them waited for. */
#ifndef TW__EXPLAIN_PAST_H
#define TW__EXPLAIN_PAST_H

#include "explain/explain.h"

enum tw__held_kind {
	TW__HELD_BY_NOTHING,
	TW__HELD_BY_TASK,     /* the kernel of another task, on the same worker */
	TW__HELD_BY_RELEASE,  /* the release of a predecessor, or of the task that wrote the source */
	TW__HELD_BY_TRANSFER, /* a transfer that brought a handle, or that used the same channel */
	TW__HELD_BY_ROOM      /* room that became free */
};

/* What one waits for: an event of the record that had to come first. */
struct tw__held {
	enum tw__held_kind kind;
	int32_t item; /* task or transfer; TW_NONE with ROOM: nothing is known before */
	bool by_task; /* ROOM: `item` is a task that had used the room; otherwise it is a transfer */
	size_t event; /* index in the record */
	tw__ns date;
};

/* The last execution of a task. Dates are -1 if the record lacks them. */
struct tw__past_run {
	tw__ns submit, ready, assign, start, end, release;
	size_t start_event;
	tw_worker worker;
	tw_task releaser; /* the predecessor that was released last, or TW_NONE */
	size_t ready_event;
	struct tw__held worker_free, data, room; /* TW__HELD_BY_TASK, _TRANSFER, _ROOM, or _NOTHING */
};

struct tw__past_move {
	tw__ns start, end;
	size_t start_event;
	tw_data data;
	tw_node from, to;
	tw_task for_task;                      /* the first task that used the copy there; TW_NONE: none did */
	bool for_room;                         /* a write-back that makes room */
	bool again;                            /* the copy had been evicted with the same content */
	struct tw__held source, room, channel; /* what had to come before */
};

struct tw__past_items {
	const struct tw_graph *graph; /* with the tasks that reductions appended */
	tw_task n_tasks;
	struct tw__past_run *tasks;
	int32_t n_moves;
	struct tw__past_move *moves; /* in the order of their starts */
	tw_task last;                /* the task that was released last; TW_NONE: no task was */
};

/* The record must be sorted. TW_NOMEM. */
int tw__past_items_init(struct tw__past_items *, const struct tw__explained_run *, struct tw__explanation *,
                        struct tw_error *err);
void tw__past_items_finish(struct tw__past_items *);

/* chain.c: finds the chain that the makespan hangs on. */
int tw__explain_chain(struct tw__explanation *, const struct tw__explained_run *, const struct tw__past_items *,
                      struct tw_error *err);
/* workers.c: splits the time of workers. */
int tw__explain_workers(struct tw__explanation *, const struct tw__explained_run *, const struct tw__past_items *,
                        struct tw_error *err);
/* gaps.c: splits the gaps to the bounds. */
int tw__explain_gaps(struct tw__explanation *, const struct tw__explained_run *, struct tw_error *err);

#endif
