#include "cli/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/spec.h"
#include "base/wall.h"
#include "cli/cli.h"

/* --- of a sweep --------------------------------------------------------------------------------------------------- */

void progress_init(struct progress *p, const char *output, bool quiet)
{
	*p = (struct progress){.quiet = quiet, .bar = !quiet && isatty(STDERR_FILENO), .output = output};
}

static void wipe(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->drawn = false;
}

void progress_duration(char *text, size_t room, double seconds)
{
	if (seconds < 100)
		snprintf(text, room, "%.0f s", seconds);
	else if (seconds < 6000)
		snprintf(text, room, "%.0f min", seconds / 60);
	else
		snprintf(text, room, "%.1f h", seconds / 3600);
}

void progress_bar(double part)
{
	enum { CELLS = 30 };
	int full = (int)(CELLS * part);
	fprintf(stderr, "\r[%.*s%.*s] ", full, "##############################", CELLS - full,
	        "..............................");
}

static void draw(struct progress *p, const struct tw__sweep_counts *c)
{
	char left[32] = "?";
	int64_t there = c->there + c->done;
	double seconds = tw__wall_s() - p->start_s, rate = seconds > 0 ? (double)c->done / seconds : 0;
	if (c->done > 0)
		progress_duration(left, sizeof left, (double)(c->points - there) / rate);
	progress_bar(c->points ? (double)there / (double)c->points : 1);
	fprintf(stderr, "%lld of %lld points, %lld failed, %.1f a second, %s left\033[K", (long long)there,
	        (long long)c->points, (long long)(c->there_failed + c->failed), rate, left);
	p->drawn = true;
	p->drawn_s = tw__wall_s();
}

void progress_begin(void *context, const struct tw__sweep_counts *c, const struct tw__kept *rows)
{
	struct progress *p = context;
	p->start_s = tw__wall_s();
	if (*rows->dropped)
		cli_fail(0, "%s: %s: dropped it; its point runs again", p->output, rows->dropped);
	if (p->quiet)
		return;
	if (c->there > 0)
		cli_fail(0, "%s: has %lld of %lld points, %lld missing", p->output, (long long)c->there,
		         (long long)c->points, (long long)(c->points - c->there));
	if (p->bar)
		draw(p, c);
}

struct name {
	char *text;
	size_t at, room;
};

static TW_PRINTF(2, 3) void append(struct name *n, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	size_t length = (size_t)vsnprintf(n->text + n->at, n->room - n->at, format, values);
	va_end(values);
	n->at = length < n->room - n->at ? n->at + length : n->room - 1;
}

void progress_name(char *text, size_t room, const struct tw__request *q)
{
	struct name n = {text, 0, room};
	struct tw__request own = *q;
	own.seed = tw__seed_of(q);
	append(&n, "%.100s %.100s %.100s%s%.100s", q->platform, q->workload, q->policy, q->eviction ? " " : "",
	       q->eviction ? q->eviction : "");
	for (const struct tw__field *f = tw__fields; f->name; f++) {
		char value[TW__FIELD_ROOM];
		const char *given = tw__field_text(f, &own, value);
		bool is_named = f->needs & TW__FOR_SWEEP || strcmp(f->name, "eviction") == 0;
		bool varies = f->lists & TW__FOR_SWEEP || f->type == TW__FIELD_REPETITIONS;
		if (!given || is_named || !varies)
			continue;
		if (f->type == TW__FIELD_SIZE)
			given = tw__size_text(value, sizeof value, strtoull(given, NULL, 10));
		append(&n, ", %s %.100s", f->name, given);
	}
}

static void print_point(const struct tw__sweep_counts *c, const struct tw__finished *finished)
{
	char name[1024];
	progress_name(name, sizeof name, &finished->request);
	fprintf(stderr, "%lld/%lld %s: ", (long long)(c->there + c->done), (long long)c->points, name);
	if (finished->report.status != TW__RUN_OK)
		fprintf(stderr, "failed: %s\n", finished->report.message);
	else
		fprintf(stderr, "%.6g s\n", finished->report.makespan_s);
}

void progress_point(void *context, const struct tw__sweep_counts *c, const struct tw__finished *finished)
{
	struct progress *p = context;
	bool failed = finished->report.status != TW__RUN_OK;
	if (!p->quiet && (failed || !p->bar)) {
		wipe(p);
		print_point(c, finished);
	}
	progress_tick(context, c);
}

void progress_tick(void *context, const struct tw__sweep_counts *c)
{
	struct progress *p = context;
	if (p->bar && tw__wall_s() - p->drawn_s > 0.1)
		draw(p, c);
}

void progress_end(struct progress *p) { wipe(p); }

/* --- of runs ------------------------------------------------------------------------------------------------------ */

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
