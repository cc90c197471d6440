/* Work before and after a run: filling, checking, replaying a log. A watchdog ends the run if a step takes too long. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/wall.h"
#include "engine/real/office.h"

#define LOOK_EVERY_S 0.5

/* A lower bound on a kernel's rate, because a kernel may have no time, or one of another machine. */
#define LEAST_FLOPS_PER_S 1e8

void tw__watched_step(struct tw__engine *e, double patience_s, const char *format, ...)
{
	struct tw__watched *w = &e->watched;
	va_list args;
	va_start(args, format);
	tw__monitor_enter(&w->monitor);
	w->n_steps++;
	w->patience_s = patience_s;
	vsnprintf(w->step, sizeof w->step, format, args);
	tw__monitor_leave(&w->monitor);
	va_end(args);
}

double tw__watched_kernel_s(struct tw__engine *e, tw_task t)
{
	const struct tw_graph *g = tw__program_graph(e);
	double flops = t < g->n_tasks ? g->kernels[g->kernel[t]].flops : 0;
	return tw__watch_patience(e) + flops / LEAST_FLOPS_PER_S;
}

static void do_work(void *arg)
{
	struct tw__engine *e = arg;
	struct tw__watched *w = &e->watched;
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door)) {
		w->status = tw__out_of_memory(&w->err);
	} else {
		w->status = w->work(e, &w->err);
		tw__door_close(&door);
	}
	tw__monitor_enter(&w->monitor);
	w->done = true;
	tw__monitor_signal(&w->monitor);
	tw__monitor_leave(&w->monitor);
}

/* Waits until the work is done. Returns false if a step takes too long; err then names the step. */
static bool watch_steps(struct tw__engine *e, struct tw_error *err)
{
	struct tw__watched *w = &e->watched;
	uint64_t n_steps = 0;
	double idle_s = 0;
	bool late = false;
	tw__monitor_enter(&w->monitor);
	while (!w->done && !late) {
		double start_s = tw__wall_s();
		tw__monitor_wait(&w->monitor, LOOK_EVERY_S);
		idle_s = w->n_steps == n_steps ? idle_s + tw__wall_s() - start_s : 0;
		n_steps = w->n_steps;
		late = !w->done && idle_s > w->patience_s;
	}
	if (late)
		tw_fail(err, TW_FAILED, "engine 'real': %s has not returned for %.1f s", w->step, idle_s);
	tw__monitor_leave(&w->monitor);
	return !late;
}

int tw__watched_work(struct tw__engine *e, int (*work)(struct tw__engine *, struct tw_error *), struct tw_error *err)
{
	struct tw__watched *w = &e->watched;
	pthread_t thread;
	w->work = work;
	w->done = false;
	tw__watched_step(e, tw__watch_patience(e), "the memory of the run");
	int status = tw__start_thread(e, &thread, do_work, e, "kernels", err);
	if (status < 0)
		return status;
	if (!watch_steps(e, err)) {
		e->hangs = true;
		pthread_detach(thread);
		return TW_FAILED;
	}
	pthread_join(thread, NULL);
	return w->status < 0 ? tw_fail(err, w->status, "%s", w->err.message) : w->status;
}
