/* A mutex and a condition, whose waits may end by themselves. */
#ifndef TW__MONITOR_H
#define TW__MONITOR_H

#include <pthread.h>

struct tw__monitor {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

void tw__monitor_init(struct tw__monitor *);
void tw__monitor_finish(struct tw__monitor *);
void tw__monitor_enter(struct tw__monitor *);
void tw__monitor_leave(struct tw__monitor *);
/* Inside: tells who waits. */
void tw__monitor_signal(struct tw__monitor *);
/* Inside: waits for a signal for at most so many seconds. It may wake for no reason. */
void tw__monitor_wait(struct tw__monitor *, double seconds);

#endif
