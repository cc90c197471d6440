#include "engine/real/monitor.h"

#include <math.h>
#include <time.h>

void tw__monitor_init(struct tw__monitor *m)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&m->mutex, NULL);
	pthread_cond_init(&m->changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

void tw__monitor_finish(struct tw__monitor *m)
{
	pthread_mutex_destroy(&m->mutex);
	pthread_cond_destroy(&m->changed);
}

void tw__monitor_enter(struct tw__monitor *m) { pthread_mutex_lock(&m->mutex); }
void tw__monitor_leave(struct tw__monitor *m) { pthread_mutex_unlock(&m->mutex); }
void tw__monitor_signal(struct tw__monitor *m) { pthread_cond_broadcast(&m->changed); }

void tw__monitor_wait(struct tw__monitor *m, double seconds)
{
	struct timespec t;
	if (!(seconds > 0))
		return;
	if (isinf(seconds)) {
		pthread_cond_wait(&m->changed, &m->mutex);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &t);
	double whole = floor(seconds);
	long ns = t.tv_nsec + (long)(1e9 * (seconds - whole));
	t.tv_sec += (time_t)whole + ns / 1000000000;
	t.tv_nsec = ns % 1000000000;
	pthread_cond_timedwait(&m->changed, &m->mutex, &t);
}
