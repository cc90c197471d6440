#include "cli/run_progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/date.h"
#include "base/wall.h"
#include "cli/progress.h"

#define QUIET_S 2.0
#define DRAW_EVERY_S 0.2

volatile sig_atomic_t run_progress_is_drawn;

void run_progress_init(struct run_progress *p, int n_runs)
{
	*p = (struct run_progress){.shows = isatty(STDERR_FILENO), .n_runs = n_runs, .start_s = tw__wall_s()};
}

/* "1234 of 5000 tasks done, date 0.012 s"; of several runs, their sums. */
static void describe(char *text, size_t room, const struct tw__running *running, int n)
{
	long long n_done = 0, n_tasks = 0;
	bool over = true, before = true;
	for (int i = 0; i < n; i++) {
		int stage = running[i].pulse->stage;
		over &= stage == TW__PULSE_OVER;
		before &= stage == TW__PULSE_BEFORE;
		n_done += running[i].pulse->n_done;
		n_tasks += running[i].pulse->n_tasks;
	}
	if (before)
		snprintf(text, room, "starts");
	else if (over)
		snprintf(text, room, "all %lld tasks done, checks and writes", n_tasks);
	else if (n > 1)
		snprintf(text, room, "%lld of %lld tasks done", n_done, n_tasks);
	else
		snprintf(text, room, "%lld of %lld tasks done, date %.6g s", n_done, n_tasks,
		         tw__seconds(running->pulse->now));
}

void run_progress_draw(struct run_progress *p, int done, const struct tw__running *running, int n)
{
	const double now_s = tw__wall_s();
	char tasks[160], runs[80] = "", since[32];
	if (!p->shows || now_s - p->start_s < QUIET_S || now_s - p->drawn_s < DRAW_EVERY_S)
		return;
	p->drawn_s = now_s;
	describe(tasks, sizeof tasks, running, n);
	progress_duration(since, sizeof since, now_s - p->start_s);
	if (n > 1)
		snprintf(runs, sizeof runs, "%d of %d runs done, %d at once: ", done, p->n_runs, n);
	else if (p->n_runs > 1)
		snprintf(runs, sizeof runs, "run %d of %d: ", running->row + 1, p->n_runs);
	run_progress_is_drawn = 1;
	fprintf(stderr, RUN_PROGRESS_WIPE "%s%s, %s", runs, tasks, since);
	fflush(stderr);
}

void run_progress_wipe(struct run_progress *p)
{
	if (run_progress_is_drawn)
		fputs(RUN_PROGRESS_WIPE, stderr);
	run_progress_is_drawn = 0;
	p->drawn_s = 0;
}
