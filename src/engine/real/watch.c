/* The main thread during a run: it triggers turns whose date has come, and ends a run in which no job ends any more. It
 * never takes a turn itself, because an endless loop in a policy would then stop the watchdog, too. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/refused.h"
#include "base/wall.h"
#include "engine/real/office.h"

#define LOOK_EVERY_S 0.5
#define ANSWER_WITHIN_S 2.0
/* OpenBLAS maps this much for each thread that computes. If it cannot, it tries again for ever. */
enum { KERNEL_BYTES = 128 << 20 };
enum { BELIEFS = 100 }; /* a factor: the watchdog waits this many times the longest modelled kernel */

void tw__watch_begin(struct tw__watch *w)
{
	w->until = TW__NEVER;
	w->over = w->leaves = false;
}

void tw__watch_tell(struct tw__watch *w, tw__ns until, bool over)
{
	tw__monitor_enter(&w->monitor);
	w->until = until;
	w->over |= over;
	tw__monitor_signal(&w->monitor);
	tw__monitor_leave(&w->monitor);
}

void tw__watch_longest(struct tw__watch *w, double seconds)
{
	tw__monitor_enter(&w->monitor);
	w->longest_s = seconds;
	tw__monitor_leave(&w->monitor);
}

double tw__watch_patience(struct tw__engine *e)
{
	tw__monitor_enter(&e->watch.monitor);
	double longest_s = e->watch.longest_s;
	tw__monitor_leave(&e->watch.monitor);
	return fmax(e->patience_s, BELIEFS * longest_s * e->clock.stretch);
}

/* --- reporting what is under way ---------------------------------------------------------------------------------- */

static void describe(const struct tw__engine *e, const struct tw__job *job, char *text, size_t room)
{
	if (job->is_message)
		snprintf(text, room, "message %d with data %d, submitted at %.3f s", (int)job->message,
		         (int)tw__program_data(e, job->data), tw__seconds(job->given));
	else if (job->is_copy)
		snprintf(text, room, "the copy of data %d from '%s' to '%s', submitted at %.3f s",
		         (int)tw__program_data(e, job->data), e->platform->nodes[job->from].name,
		         e->platform->nodes[job->to].name, tw__seconds(job->given));
	else if (job->is_content)
		snprintf(text, room, "the initial content of data %d on worker '%s', submitted at %.3f s",
		         (int)tw__program_data(e, job->data), e->platform->workers[job->worker].name,
		         tw__seconds(job->given));
	else
		snprintf(text, room, "task %d (%s) on worker '%s', submitted at %.3f s",
		         (int)tw__program_task(e, job->task), e->graph->kernels[e->graph->kernel[job->task]].name,
		         e->platform->workers[job->worker].name, tw__seconds(job->given));
}

/* Answers the watchdog with the oldest job under way, and logs every job under way. */
bool tw__watch_asked(struct tw__engine *e)
{
	struct tw__watch *w = &e->watch;
	const struct tw__job *oldest = NULL;
	tw__monitor_enter(&w->monitor);
	bool asks = w->asks && !w->answered;
	for (size_t i = 0; asks && i < e->n_jobs; i++) {
		char text[300];
		if (e->jobs[i]->given == TW__NEVER)
			continue;
		describe(e, e->jobs[i], text, sizeof text);
		tw_log(TW_LOG_ERROR, "engine 'real': under way: %s", text);
		if (!oldest || e->jobs[i]->given < oldest->given)
			oldest = e->jobs[i];
	}
	if (asks && oldest)
		describe(e, oldest, w->answer, sizeof w->answer);
	else if (asks)
		snprintf(w->answer, sizeof w->answer, "nothing: no kernel or copy is under way");
	w->answered |= asks;
	if (asks) /* only if it asks; else the main thread would wake in each turn */
		tw__monitor_signal(&w->monitor);
	tw__monitor_leave(&w->monitor);
	return asks;
}

/* Ends the run, and asks which jobs are under way. The turn that answers is the last one. If no turn answers, a turn is
 * running and does not end. */
static int give_up(struct tw__engine *e, double idle_s, struct tw_error *err)
{
	struct tw__watch *w = &e->watch;
	bool in_a_turn = tw__baton_is_led(e->baton);
	double until_s = tw__wall_s() + ANSWER_WITHIN_S;
	tw__monitor_enter(&w->monitor);
	w->asks = true;
	tw__monitor_leave(&w->monitor);
	tw__baton_call(e->baton);
	tw__monitor_enter(&w->monitor);
	while (!w->answered && !w->over && tw__wall_s() < until_s)
		tw__monitor_wait(&w->monitor, until_s - tw__wall_s());
	bool answered = w->answered, over = w->over;
	tw__monitor_leave(&w->monitor);
	if (over && !answered)
		return TW_OK; /* the run has ended while this function waited */
	e->hangs = true;
	if (answered && !in_a_turn && tw__is_short_of_memory(KERNEL_BYTES))
		return tw_fail(
			err, TW_FAILED,
			"engine 'real': out of memory: kernels can map no further %d MiB (ulimit -v), and wait: %s",
			KERNEL_BYTES >> 20, w->answer);
	if (answered && !in_a_turn)
		return tw_fail(err, TW_FAILED, "engine 'real': nothing has ended for %.1f s: the run waits for %s",
		               idle_s, w->answer);
	return tw_fail(err, TW_FAILED,
	               "engine 'real': a turn of the policy or the runtime has not returned for %.1f s, at %.3f s",
	               idle_s, tw__seconds(tw__clock_now(&e->clock)));
}

/* --- the main thread -------------------------------------------------------------------------------------------- */

/* Inside the monitor: waits for a signal, at most until the date of the next turn. */
static void wait_for_date(struct tw__engine *e)
{
	double left = tw__clock_seconds(&e->clock, tw__clock_now(&e->clock), e->watch.until);
	tw__monitor_wait(&e->watch.monitor, fmin(LOOK_EVERY_S, left));
}

/* Runs the thread that takes turns whose date has come, including the first turn. */
static void call_turns(void *arg)
{
	struct tw__engine *e = arg;
	struct tw__watch *w = &e->watch;
	tw__monitor_enter(&w->monitor);
	while (!w->leaves) {
		if (!w->calls) {
			tw__monitor_wait(&w->monitor, INFINITY);
			continue;
		}
		w->calls = false;
		tw__monitor_leave(&w->monitor);
		tw__baton_call(e->baton);
		tw__monitor_enter(&w->monitor);
	}
	tw__monitor_leave(&w->monitor);
}

static void leave(struct tw__watch *w, pthread_t caller)
{
	tw__monitor_enter(&w->monitor);
	w->leaves = true;
	tw__monitor_signal(&w->monitor);
	tw__monitor_leave(&w->monitor);
	pthread_join(caller, NULL);
}

static int watch(struct tw__engine *e, struct tw_error *err)
{
	struct tw__watch *w = &e->watch;
	double last_s = 0;
	uint64_t turns = 0;
	for (;;) {
		tw__monitor_enter(&w->monitor);
		if (!w->over)
			wait_for_date(e);
		bool over = w->over;
		int failed = w->failed;
		if (w->until <= tw__clock_now(&e->clock)) {
			w->until = TW__NEVER;
			w->calls = true;
			tw__monitor_signal(&w->monitor);
		}
		tw__monitor_leave(&w->monitor);
		if (over)
			return TW_OK;
		if (failed != TW_OK) {
			e->hangs = true;
			return tw_fail(err, failed, "engine 'real': %s", w->failure.message);
		}
		double now_s = tw__clock_seconds(&e->clock, 0, tw__clock_now(&e->clock)), idle_s = now_s - last_s;
		if (turns != tw__baton_turns(e->baton)) {
			turns = tw__baton_turns(e->baton);
			last_s = now_s;
		} else if (e->office && e->n_busy == 0 && !tw__baton_is_led(e->baton)) {
			/* it waits for messages, as the thread in messages.c knows */
			last_s = now_s;
		} else if (idle_s > tw__watch_patience(e)) {
			return give_up(e, idle_s, err);
		}
	}
}

int tw__watch_run(struct tw__engine *e, struct tw_error *err)
{
	pthread_t caller;
	e->watch.calls = true;
	int status = tw__start_thread(e, &caller, call_turns, e, "turns", err);
	if (status < 0)
		return status;
	status = watch(e, err);
	if (e->hangs)
		pthread_detach(caller);
	else
		leave(&e->watch, caller);
	return status;
}
