/* The main thread while a run is under way: it sees to turns whose date has come, and ends a run in which nothing ends any more. It never
 * takes a turn itself: a policy that does not come back would take the watchdog along. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/wall.h"
#include "engine/real/real.h"

#define LOOK_EVERY_S 0.5
#define ANSWER_WITHIN_S 2.0
enum { BELIEFS = 100 }; /* times the longest kernel */

void tw__watch_init(struct tw__watch *w)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&w->mutex, NULL);
	pthread_cond_init(&w->changed, &attributes);
	pthread_cond_init(&w->called, &attributes);
	pthread_condattr_destroy(&attributes);
	w->until = INFINITY;
}

void tw__watch_finish(struct tw__watch *w)
{
	pthread_mutex_destroy(&w->mutex);
	pthread_cond_destroy(&w->changed);
	pthread_cond_destroy(&w->called);
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

/* Under the mutex. */
static double patience_of(const struct tw__engine *e)
{
	return fmax(e->patience_s, BELIEFS * e->watch.longest_s * e->clock.stretch);
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
	bool asks = w->asks && !w->answered;
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
	w->answered |= asks;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->mutex);
	return asks;
}

/* At most so many seconds, for a change; under the mutex. */
static void wait(struct tw__watch *w, double seconds)
{
	struct timespec t;
	if (!(seconds > 0))
		return;
	clock_gettime(CLOCK_MONOTONIC, &t);
	long long ns = t.tv_nsec + (long long)(1e9 * seconds);
	t.tv_sec += (time_t)(ns / 1000000000);
	t.tv_nsec = (long)(ns % 1000000000);
	pthread_cond_timedwait(&w->changed, &w->mutex, &t);
}

/* The turn that answers is the last. Without an answer a turn is under way, and does not end. */
static int give_up(struct tw__engine *e, double idle_s, struct tw_error *err)
{
	struct tw__watch *w = &e->watch;
	e->hangs = true;
	pthread_mutex_lock(&w->mutex);
	w->asks = true;
	pthread_mutex_unlock(&w->mutex);
	tw__baton_call(e->baton);
	pthread_mutex_lock(&w->mutex);
	if (!w->answered)
		wait(w, ANSWER_WITHIN_S);
	bool answered = w->answered;
	pthread_mutex_unlock(&w->mutex);
	if (answered)
		return tw_fail(err, TW_FAILED, "engine 'real': nothing has ended for %.1f s: the run waits for %s",
		               idle_s, w->answer);
	return tw_fail(err, TW_FAILED,
	               "engine 'real': the policy or the runtime has not come back for %.1f s, at %.3f s", idle_s,
	               tw__clock_now(&e->clock));
}

/* --- the main thread -------------------------------------------------------------------------------------------- */

/* At most until the date of the next turn; under the mutex. */
static void wait_for_date(struct tw__engine *e)
{
	struct tw__watch *w = &e->watch;
	wait(w, fmin(LOOK_EVERY_S, (w->until - tw__clock_now(&e->clock)) * e->clock.stretch));
}

/* The thread that takes turns whose date has come, the first one among them. */
static void *call_turns(void *arg)
{
	struct tw__engine *e = arg;
	struct tw__watch *w = &e->watch;
	pthread_mutex_lock(&w->mutex);
	while (!w->leaves) {
		if (!w->calls) {
			pthread_cond_wait(&w->called, &w->mutex);
			continue;
		}
		w->calls = false;
		pthread_mutex_unlock(&w->mutex);
		tw__baton_call(e->baton);
		pthread_mutex_lock(&w->mutex);
	}
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

static void leave(struct tw__watch *w, pthread_t caller)
{
	pthread_mutex_lock(&w->mutex);
	w->leaves = true;
	pthread_cond_signal(&w->called);
	pthread_mutex_unlock(&w->mutex);
	pthread_join(caller, NULL);
}

static int watch(struct tw__engine *e, struct tw_error *err)
{
	struct tw__watch *w = &e->watch;
	double last_s = 0;
	uint64_t turns = 0;
	for (;;) {
		pthread_mutex_lock(&w->mutex);
		if (!w->over)
			wait_for_date(e);
		bool over = w->over;
		if (w->until <= tw__clock_now(&e->clock)) {
			w->until = INFINITY;
			w->calls = true;
			pthread_cond_signal(&w->called);
		}
		double patience_s = patience_of(e);
		pthread_mutex_unlock(&w->mutex);
		if (over)
			return TW_OK;
		double now_s = tw__clock_now(&e->clock) * e->clock.stretch, idle_s = now_s - last_s;
		if (turns != tw__baton_turns(e->baton)) {
			turns = tw__baton_turns(e->baton);
			last_s = now_s;
		} else if (idle_s > patience_s) {
			return give_up(e, idle_s, err);
		}
	}
}

int tw__watch_run(struct tw__engine *e, struct tw_error *err)
{
	pthread_t caller;
	e->watch.calls = true;
	int reason = pthread_create(&caller, NULL, call_turns, e);
	if (reason)
		return tw_fail(err, TW_FAILED, "engine 'real': no thread for turns: %s", strerror(reason));
	int status = watch(e, err);
	if (e->hangs)
		pthread_detach(caller);
	else
		leave(&e->watch, caller);
	return status;
}

/* --- outside of the run ----------------------------------------------------------------------------------------- */

struct watched {
	struct tw__engine *engine;
	int (*work)(struct tw__engine *, struct tw_error *);
};

void tw__watch_step(struct tw__engine *e, double patience, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	pthread_mutex_lock(&e->watch.mutex);
	e->watch.n_steps++;
	e->watch.step_patience = patience;
	vsnprintf(e->watch.step, sizeof e->watch.step, format, args);
	pthread_mutex_unlock(&e->watch.mutex);
	va_end(args);
}

/* What it has on its own stack is there as long as the thread is. */
static void *do_work(void *arg)
{
	struct watched watched = *(struct watched *)arg;
	struct tw__watch *w = &watched.engine->watch;
	free(arg);
	w->work_status = watched.work(watched.engine, &w->work_err);
	pthread_mutex_lock(&w->mutex);
	w->worked = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->mutex);
	return NULL;
}

/* Until it has worked, or a step takes too long: false, and what it was doing is in err. */
static bool watch_steps(struct tw__engine *e, struct tw_error *err)
{
	struct tw__watch *w = &e->watch;
	uint64_t n_steps = 0;
	double idle_s = 0;
	bool late = false;
	pthread_mutex_lock(&w->mutex);
	while (!w->worked && !late) {
		double start_s = tw__wall_s();
		wait(w, LOOK_EVERY_S);
		idle_s = w->n_steps == n_steps ? idle_s + tw__wall_s() - start_s : 0;
		n_steps = w->n_steps;
		late = !w->worked && idle_s > w->step_patience * patience_of(e);
	}
	if (late)
		tw_fail(err, TW_FAILED, "engine 'real': %s has not come back for %.1f s", w->step, idle_s);
	pthread_mutex_unlock(&w->mutex);
	return !late;
}

int tw__watch_work(struct tw__engine *e, int (*work)(struct tw__engine *, struct tw_error *), struct tw_error *err)
{
	struct tw__watch *w = &e->watch;
	struct watched *watched = malloc(sizeof *watched);
	pthread_t thread;
	if (!watched)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	*watched = (struct watched){e, work};
	w->worked = false;
	w->step_patience = 1;
	int reason = pthread_create(&thread, NULL, do_work, watched);
	if (reason) {
		free(watched);
		return tw_fail(err, TW_FAILED, "engine 'real': no thread for kernels: %s", strerror(reason));
	}
	if (!watch_steps(e, err)) {
		e->hangs = true;
		pthread_detach(thread);
		return TW_FAILED;
	}
	pthread_join(thread, NULL);
	return w->work_status < 0 ? tw_fail(err, w->work_status, "%s", w->work_err.message) : w->work_status;
}
