/* A mutex and a condition variable whose waits have a timeout. */
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
/* Inside the monitor: wakes the threads that wait. */
void tw__monitor_signal(struct tw__monitor *);
/* Inside the monitor: waits for a signal, at most `seconds` (INFINITY: no limit). Spurious wake-ups are possible. */
void tw__monitor_wait(struct tw__monitor *, double seconds);

#endif
