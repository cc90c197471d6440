/* Functions that the files of src/runtime/ share: tasks, threads, opening and closing, stuck runs. */
#ifndef TW__TASKS_H
#define TW__TASKS_H

#include "runtime/state/state.h"

/* Functions of submit.c: */
void tw__submit_open(struct tw__rt *);
void tw__submit_close(struct tw__rt *);
/* Lets all threads begin at a date, or when their graphs arrive. */
void tw__submit_begin(struct tw__rt *, tw__ns begin);
/* Lets the next thread submit tasks until a step costs time, or until its window is full or its tasks are submitted. */
void tw__submit(struct tw__rt *);
/* Notes the end of a task, for a window or for the dates of graphs. */
void tw__submit_ended(struct tw__rt *, const struct hold *);
/* Notes for a window that tasks of this one's graph are done, or are not needed. */
void tw__submit_done(struct tw__rt *, tw_task, tw_task n);
/* Fills the counters' dates of each graph. */
void tw__submit_count(struct tw__rt *);

/* Functions of task.c: */
/* Fails the run, because the policy of that view has given the worker a task that is not for it. */
void tw__task_refuse(const struct driver *, const struct tw_sched *from, tw_task);
void tw__task_assigned(struct driver *, struct hold *);
/* Commits the writes of a task that has ended, and unpins its handles. */
void tw__task_commit(struct driver *, struct hold *);
void tw__task_over(struct tw__rt *); /* counts one task more that is done */
void tw__task_end(struct driver *, struct hold *);
/* Releases successors of driver->releasing until one becomes ready, and stores it in driver->pushing. False: none is
 * left. */
bool tw__task_release_next(struct driver *);
/* All successors of driver->releasing are released, once for each task. If it was the last one inside a recursive task,
 * that one has ended, too, and is driver->releasing now. */
bool tw__task_leave(struct driver *);
/* Whether the ended task was the last writer of one more handle; driver->hint is then the access to it. */
bool tw__task_has_hint(struct driver *);
void tw__task_take_hint(struct driver *);
/* Gives the worker's first held task, whose kernel was cancelled, back to the policy. */
void tw__task_cancel(struct driver *, struct hold *);
/* The arch on which the held task runs: that of the thread's worker, or of its team. */
tw_arch tw__task_arch(const struct driver *, const struct hold *);
/* The modelled time of the held task's kernel there. */
tw__ns tw__task_length_on(const struct driver *, const struct hold *);
/* How long the launch of a kernel blocks the thread of an accelerator (launch_blocks): before the kernel starts, or
 * after that. The kernel starts as soon as possible, but it does not end before the launch. */
tw__ns tw__task_launch_blocks(const struct driver *, const struct hold *, bool has_started);

/* Functions of fetch.c: */
/* Fills hold->access with the accesses that the task requests, written handles first. */
void tw__fetch_resolve(struct tw__rt *, struct hold *);
void tw__fetch_access(struct tw__rt *, struct hold *, int index);
/* Whether all inputs of the task are there, and no request still needs the old value of a handle that it writes. */
bool tw__fetch_settled(struct tw__rt *, struct hold *);
/* Makes the worker's memory the owner of the handles that the task writes, once tw__fetch_settled has returned true. */
void tw__fetch_own(struct tw__rt *, struct hold *);
/* Lists the accesses of the held task in the graph's order, each with the handle's current offset. Returns the number
 * of accesses. */
int tw__fetch_placed(const struct tw__rt *, const struct hold *, struct tw__placed *access);

/* Functions of reduce.c: */
void tw__reduce_open(struct tw__rt *);
void tw__reduce_close(struct tw__rt *);
/* Returns the access to the worker's accumulator that replaces a reduction's access: TW_W | TW_REDUX. All contributing
 * tasks on the worker but the first one also read the accumulator. */
tw__access tw__reduce_access(const struct tw__rt *, tw__access, tw_worker);
/* Updates the contributions of accumulators after a task has ended. After the last contribution, appends the tasks that
 * combine the accumulators. */
void tw__reduce_ended(struct tw__rt *, struct hold *);

/* Functions of driver.c, which describes the loop: */
void tw__driver_run(struct driver *);             /* runs the thread until it sleeps or a step takes time */
struct hold *tw__driver_running(struct driver *); /* returns the held task whose kernel runs, or NULL */
/* Whether a turn of the thread's loop may find work: with tasks that the worker holds (begin), or with transfers
 * (move). */
bool tw__driver_may_begin(const struct driver *);
bool tw__driver_may_move(const struct driver *);
void tw__driver_set_idle(struct driver *); /* notes that the worker's last pop returned no task */
void tw__driver_drop(struct driver *);     /* removes the worker's first held task, whose kernel was cancelled */

/* In idle_turns.c: lets some workers of the sets in state/idle.h go on. These must come before `next`, the first other
 * runnable thread (NULL: there is none). Returns false if no worker of the sets comes before `next`. */
bool tw__idle_go_on(struct tw__rt *, const struct driver *next);

/* Functions of ends.c: */
void tw__ends_open(struct tw__rt *); /* adds the threads behind all others */
void tw__ends_close(struct tw__rt *);
/* All tasks have ended, and no thread is at work: lets the next threads begin. False: there are none. */
bool tw__ends_begin(struct tw__rt *);
void tw__ends_are_at(struct driver *); /* all handles of the thread are in its memory */

/* In open.c. tw__rt_close is due even if tw__rt_open has failed. */
int tw__rt_open(struct tw__rt *);
void tw__rt_close(struct tw__rt *);

/* In stuck.c: fails the run. If tasks wait for each other, the message names the cycle. If one waits for something that
 * nobody will give, it names that. Otherwise the policy keeps ready tasks back. */
void tw__stuck(struct tw__rt *);

#endif
