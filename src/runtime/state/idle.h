/* Sets of workers whose threads sleep, except threads that wait for a synchronous kernel. One push may wake hundreds of
 * these workers. Most of their turns do nothing: no task is left, or the data of the held task are still in transfer.
 * So the runtime takes their empty turns for whole sets, without the steps of driver.c. The results are the same. A
 * worker's states:
 *
 *   asleep --signal--> called --turn--> polling --poll_cost later--> asking --pop--> asleep, or on with a task
 *
 * With poll_cost=0 a signalled worker asks at once. The sets are empty unless order=id. The states polling and asking
 * correspond to STEP_ISSUE of a thread outside these sets. */
#ifndef TW__IDLE_H
#define TW__IDLE_H

#include <tilewright/containers.h>
#include <tilewright/sched.h>

#include "base/date.h"

struct driver;
struct tw__rt;

enum { MAX_POLLS = 2 }; /* a worker's turn polls at most this many memories */

struct idle_ring {         /* groups of polling workers, in the order of the dates at which their polling ends */
	uint64_t *polling; /* [capacity][words of a set] a bit set of the workers of each group */
	tw__ns *date;      /* [capacity] when the workers of each group have polled, and ask for tasks */
	int first, n, capacity;
};

struct idlers {
	struct tw_id_set members; /* all workers that these sets manage, asleep or not */
	struct tw_id_set active;  /* members that do not sleep: each is in `called`, in `asking` or in a ring */
	struct tw_id_set called, asking;
	struct idle_ring ring[MAX_POLLS + 1]; /* polling members; index: number of memories that each one polls */
	struct tw_id_set holders;             /* members that hold tasks */
	struct tw_id_set full;                /* members that may not pop another task: see is_full() in threads.h */
	struct tw_id_set again;    /* members that were signalled while they polled or asked: they take another turn */
	tw__ns next_date;          /* the earliest date in the rings; TW__NEVER: no member polls */
	bool any_called, any_asks; /* false: the set `called`, or `asking`, is empty */
};

void tw__idle_open(struct tw__rt *);
void tw__idle_close(struct tw__rt *);

/* Makes the thread's worker a member of the sets. The thread is about to sleep or to poll. */
void tw__idle_join(struct driver *);

/* Updates `holders` and `full` after the tasks that the member holds have changed. */
void tw__idle_holds(struct driver *);

/* Removes a sleeping worker from the sets, because it will have work. Returns false, and changes nothing, if the worker
 * does not sleep. */
bool tw__idle_leave_asleep(struct driver *);

/* Signals the members of the sets among the workers 64 * word + i, for each bit i of `who`. Returns the bits of the
 * other workers. */
uint64_t tw__idle_signal(struct tw__rt *, int word, uint64_t who);

/* Lets the workers 64 * word + i, for each bit i of `who`, poll from now on. */
void tw__idle_poll(struct tw__rt *, int word, uint64_t who);

/* Moves all members whose polling has ended by now to the set `asking`. */
void tw__idle_wake_scheduled(struct tw__rt *);

#endif
