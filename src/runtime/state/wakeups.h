/* Threads: asleep, waiting for a date, or runnable. */
#ifndef TW__WAKEUPS_H
#define TW__WAKEUPS_H

#include "runtime/state/threads.h"

int tw__turns_open(struct tw_sched *);
void tw__turns_close(struct tw_sched *);
void tw__rt_signal(struct driver *);                                   /* it takes a turn of its loop */
void tw__rt_signal_workers(struct tw_sched *, int word, uint64_t who); /* 64 * word + i, for each bit i */
void tw__rt_schedule(struct driver *, tw__ns delay);                   /* go on after a delay */
void tw__rt_sleep(struct driver *);                                    /* until signalled */
void tw__rt_wake_scheduled(struct tw_sched *);                         /* makes threads runnable whose date has come */
struct driver *tw__turns_first(
	const struct tw_sched *); /* the first runnable one, idle.h's excepted; NULL: none. Not with order=random */
struct driver *tw__turns_take(struct tw_sched *); /* takes the next runnable one, idle.h's excepted; NULL: none */

#endif
