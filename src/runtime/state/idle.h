/* Workers whose threads sleep, except those that compute. One push may wake hundreds of them, and most of their turns
 * do nothing: no task is left, or the data of the held task are still on their way. So the runtime keeps these
 * workers as sets, and takes empty turns without the steps of driver.c. Results are the same:
 *
 *   asleep --signal--> called --turn--> polling --poll_cost later--> asking --pop--> asleep, or on with a task
 *
 * With poll_cost=0 a signal leads to asking at once. Only order=id has members. A member that polls or asks is like a
 * driver at STEP_ISSUE. */
#ifndef TW__IDLE_H
#define TW__IDLE_H

#include <tilewright/containers.h>
#include <tilewright/sched.h>

#include "base/date.h"

struct driver;

enum { MAX_POLLS = 2 }; /* most memories that a worker looks after */

struct idle_ring {         /* groups of workers, in the order of their dates */
	uint64_t *polling; /* [capacity][words of a set] */
	tw__ns *date;      /* [capacity] at which the group's workers ask */
	int first, n, capacity;
};

struct idlers {
	struct tw_id_set members; /* all of them */
	struct tw_id_set active;  /* members that do not sleep: they are in one of these sets, or in a ring */
	struct tw_id_set called, asking;
	struct idle_ring ring[MAX_POLLS + 1]; /* [polls that each worker takes] */
	struct tw_id_set holders;             /* members that hold tasks */
	struct tw_id_set full;                /* members that may not pop another task */
	struct tw_id_set again;               /* signalled while they polled or asked: they take another turn */
	tw__ns next_date;                     /* the first of the rings' */
	bool any_called, any_asks;            /* false: that set is empty */
};

int tw__idle_open(struct tw_sched *); /* TW_NOMEM: close is due even then */
void tw__idle_close(struct tw_sched *);

/* A worker that will sleep or poll becomes a member. */
void tw__idle_join(struct driver *);

/* The tasks that the member holds have changed. */
void tw__idle_holds(struct driver *);

/* A sleeping member leaves, because it will have work. False: the member does not sleep, and stays. */
bool tw__idle_leave_asleep(struct driver *);

/* Signals the members among these workers (64 * word + i, for each bit i). Returns those that are no members. */
uint64_t tw__idle_signal(struct tw_sched *, int word, uint64_t who);

/* These workers (64 * word + i) poll from now on. */
void tw__idle_poll(struct tw_sched *, int word, uint64_t who);

/* Members whose polling ends by now begin to ask. */
void tw__idle_wake_scheduled(struct tw_sched *);

#endif
