/* The main thread while a run is under way: it wakes turns whose date has come, and ends a run in which nothing ends any more. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "engine/real/real.h"

#define LOOK_EVERY_S 0.5
enum { BELIEFS = 100 }; /* times the longest kernel */

void tw__watch_init(struct tw__watch *w)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	w->until = INFINITY;
}

void tw__watch_finish(struct tw__watch *w)
{
	pthread_mutex_destroy(&w->mutex);
	pthread_cond_destroy(&w->changed);
}

void tw__watch_tell(struct tw__watch *w, double until, bool over)
{
	pthread_mutex_lock(&w->mutex);
	w->until = until;
	w->over |= over;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->mutex);
}

void tw__watch_longest(struct tw__watch *w, double seconds)
{
	pthread_mutex_lock(&w->mutex);
	w->longest_s = seconds;
	pthread_mutex_unlock(&w->mutex);
}

/* --- who waits for what ----------------------------------------------------------------------------------------- */

static void describe(const struct tw__engine *e, const struct tw__job *job, char *text, size_t room)
{
	if (job->is_copy)
		snprintf(text, room, "the copy of data %d from '%s' to '%s', given at %.3f s", (int)job->data,
		         e->platform->nodes[job->from].name, e->platform->nodes[job->to].name, job->given);
	else
		snprintf(text, room, "task %d (%s) on worker '%s', given at %.3f s", (int)job->task,
		         e->graph->kernels[e->graph->kernel[job->task]].name, tw__real_worker_name(e, job->worker),
		         job->given);
}

/* The oldest job is in the message, and every job in the log. */
bool tw__watch_asked(struct tw__engine *e)
{
	struct tw__watch *w = &e->watch;
	const struct tw__job *oldest = NULL;
	pthread_mutex_lock(&w->mutex);
	bool asks = w->asks;
	for (size_t i = 0; asks && i < e->n_jobs; i++) {
		char text[300];
		if (isnan(e->jobs[i]->given))
			continue;
		describe(e, e->jobs[i], text, sizeof text);
		tw_log(TW_LOG_ERROR, "engine 'real': under way: %s", text);
		if (!oldest || e->jobs[i]->given < oldest->given)
			oldest = e->jobs[i];
	}
	if (asks && oldest)
		describe(e, oldest, w->answer, sizeof w->answer);
	else if (asks)
		snprintf(w->answer, sizeof w->answer, "nothing, though the run is not over");
	pthread_mutex_unlock(&w->mutex);
	return asks;
}

static int give_up(struct tw__engine *e, double idle_s, struct tw_error *err)
{
	e->hangs = true;
	if (tw__baton_is_led(e->baton))
		return tw_fail(err, TW_FAILED,
		               "engine 'real': the policy or the runtime has not come back for %.1f s, at %.3f s",
		               idle_s, tw__clock_now(&e->clock));
	pthread_mutex_lock(&e->watch.mutex);
	e->watch.asks = true;
	pthread_mutex_unlock(&e->watch.mutex);
	tw__baton_call(e->baton);
	return tw_fail(err, TW_FAILED, "engine 'real': nothing has ended for %.1f s: the run waits for %s", idle_s,
	               e->watch.answer);
}

/* --- the main thread -------------------------------------------------------------------------------------------- */

/* At most until the date of the next turn; under the mutex. */
static void wait(struct tw__engine *e)
{
	struct tw__watch *w = &e->watch;
	struct timespec t;
	double left = fmin(LOOK_EVERY_S, (w->until - tw__clock_now(&e->clock)) * e->clock.stretch);
	if (left <= 0)
		return;
	clock_gettime(CLOCK_MONOTONIC, &t);
	long long ns = t.tv_nsec + (long long)(1e9 * left);
	t.tv_sec += (time_t)(ns / 1000000000);
	t.tv_nsec = (long)(ns % 1000000000);
	pthread_cond_timedwait(&w->changed, &w->mutex, &t);
}

int tw__watch_run(struct tw__engine *e, struct tw_error *err)
{
	struct tw__watch *w = &e->watch;
	double last_s = 0;
	uint64_t turns = 0;
	for (;;) {
		pthread_mutex_lock(&w->mutex);
		if (!w->over)
			wait(e);
		bool over = w->over, due = w->until <= tw__clock_now(&e->clock);
		if (due)
			w->until = INFINITY;
		double patience_s = fmax(e->patience_s, BELIEFS * w->longest_s * e->clock.stretch);
		pthread_mutex_unlock(&w->mutex);
		if (over)
			return TW_OK;
		if (due)
			tw__baton_call(e->baton);
		double now_s = tw__clock_now(&e->clock) * e->clock.stretch, idle_s = now_s - last_s;
		if (turns != tw__baton_turns(e->baton)) {
			turns = tw__baton_turns(e->baton);
			last_s = now_s;
		} else if (idle_s > patience_s) {
			return give_up(e, idle_s, err);
		}
	}
}
