#include "process/limit.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "base/wall.h"
#include "base/date.h"
#include "process/fork.h"

struct tw__watched_run *tw__watched_create(int n)
{
	void *shared = mmap(NULL, (size_t)n * sizeof(struct tw__watched_run), PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return shared == MAP_FAILED ? NULL : shared;
}

void tw__watched_destroy(struct tw__watched_run *runs, int n)
{
	if (runs)
		munmap(runs, (size_t)n * sizeof *runs);
}

/* The timer of this process, which executes one run at a time. */
static timer_t timer;
static bool has_timer;

int tw__kill_after(double limit_s, struct tw_error *err)
{
	/* SIGKILL: no plug-in or library can block or catch it. */
	struct sigevent kills = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
	const struct itimerspec after = {
		.it_value = {(time_t)limit_s, (long)(fmod(limit_s, 1) * 1e9)},
	};
	if (timer_create(CLOCK_MONOTONIC, &kills, &timer) < 0 || timer_settime(timer, 0, &after, NULL) < 0)
		return tw_fail(err, TW_SYSTEM, "no timer for a time limit: %s", strerror(errno));
	has_timer = true;
	return TW_OK;
}

int tw__limit_begin(struct tw__watched_run *run, double limit_s, struct tw_error *err)
{
	memset(run, 0, sizeof *run);
	if (limit_s <= 0)
		return TW_OK;
	run->deadline_s = tw__wall_s() + limit_s;
	return tw__kill_after(limit_s, err);
}

void tw__limit_end(struct tw__watched_run *run)
{
	if (has_timer)
		timer_delete(timer);
	has_timer = false;
	run->deadline_s = 0;
}

/* How far the run was, for the end of a sentence. */
static void describe(char *text, size_t room, const struct tw__pulse *pulse, const char *policy, const char *eviction)
{
	const int n_done = pulse->n_done, n_tasks = pulse->n_tasks;
	char call[300];
	tw__pulse_call_text(pulse, policy, eviction ? eviction : "of the policy", call, sizeof call);
	const char *comma = *call ? ", " : "";
	if (pulse->stage == TW__PULSE_OVER)
		snprintf(text, room, "all its %d tasks were done, but not what follows: checks, trace", n_tasks);
	else if (pulse->stage == TW__PULSE_BEFORE)
		snprintf(text, room, "its first task had not been submitted%s%s", comma, call);
	else
		snprintf(text, room, "%d of %d tasks were done, the date was %.9g s%s%s", n_done, n_tasks,
		         tw__seconds(pulse->now), comma, call);
}

void tw__limit_explain(struct tw_error *err, const struct tw__watched_run *run, double limit_s, const char *policy,
                       const char *eviction, int wait_status)
{
	char where[400];
	bool killed = WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL;
	if (!killed || run->deadline_s == 0 || tw__wall_s() < run->deadline_s) {
		tw__explain_end(err, "the run's process", wait_status);
		return;
	}
	describe(where, sizeof where, &run->pulse, policy, eviction);
	tw_fail(err, TW_FAILED, "stopped after %g s (--time-limit): %s", limit_s, where);
}
