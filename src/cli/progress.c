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

enum { BAR = 30 };

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

static void draw(struct progress *p, const struct tw__sweep_counts *c)
{
	char bar[BAR + 1], left[32] = "?";
	int64_t there = c->there + c->done;
	double seconds = tw__wall_s() - p->start_s, rate = seconds > 0 ? (double)c->done / seconds : 0;
	int full = c->points ? (int)(BAR * there / c->points) : BAR;
	memset(bar, '.', BAR);
	memset(bar, '#', (size_t)full);
	bar[BAR] = '\0';
	if (c->done > 0)
		progress_duration(left, sizeof left, (double)(c->points - there) / rate);
	fprintf(stderr, "\r[%s] %lld of %lld points, %lld failed, %.1f a second, %s left\033[K", bar, (long long)there,
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
