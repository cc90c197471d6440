/* Reads Chrome traces that src/trace/chrome.c wrote: JSON with one event per line. Reading line by line needs little
 * memory, and gives error messages a line number. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>

#include "plot/paje_lines.h"
#include "plot/schedule.h"

enum { PID_WORKERS = 1, PID_MEMORIES = 3, PID_LINKS = 4, PID_TASKS = 5, PID_CAPACITIES = 6 };

struct reader {
	struct tw__schedule *s;
	const char *path;
	long line;
	bool ended; /* whether the closing brackets were read */
	struct tw_error *err;
	struct written {
		int64_t pid, tid;
		tw__ns ts, dur; /* -1: the event does not begin as our writer begins it */
	} written; /* numbers at the line's start; dates are exact, as doubles lose nanoseconds after 104 days */
};

static int bad(struct reader *r, const char *what)
{
	return tw_fail(r->err, TW_INVALID, "%s:%ld: %s", r->path, r->line, what);
}

static int no_memory(struct reader *r) { return tw_fail(r->err, TW_NOMEM, "%s: out of memory", r->path); }

/* Reads the name of a thread of the trace. Workers, memories and links come in order, numbered from 1. */
static int read_name(struct reader *r, json_t *event, json_int_t pid, json_int_t tid)
{
	const char *name = json_string_value(json_object_get(json_object_get(event, "args"), "name"));
	const char *what = json_string_value(json_object_get(event, "name"));
	struct tw__names *names = pid == PID_WORKERS    ? &r->s->workers
	                          : pid == PID_MEMORIES ? &r->s->memories
	                          : pid == PID_LINKS    ? &r->s->links
	                                                : NULL;
	if (!names || !what || strcmp(what, "thread_name") != 0)
		return TW_OK;
	if (!name)
		return bad(r, "a thread without a name");
	if (tid != names->n + 1)
		return bad(r, "expected workers, memories and links to be named in order, from tid 1");
	return tw__names_append(names, name) >= 0 ? TW_OK : no_memory(r);
}

/* Reads a date or duration in microseconds, 0 or more. `written`: its exact value as read from the line, or -1. False:
 * malformed. */
static bool read_time(json_t *event, const char *key, tw__ns written, tw__ns *ns)
{
	json_t *value = json_object_get(event, key);
	double us = json_number_value(value);
	bool good = json_is_number(value) && us >= 0 && us * 1e3 < (double)TW__LAST;
	*ns = !good ? 0 : written >= 0 ? written : llround(us * 1e3);
	return good;
}

static int read_task(struct reader *r, json_t *event, json_int_t tid)
{
	const char *name = json_string_value(json_object_get(event, "name"));
	tw__ns start, length;
	if (tid < 1 || tid > r->s->workers.n)
		return bad(r, "a task on a thread that is not named above");
	if (!name)
		return bad(r, "a task without a name");
	if (!read_time(event, "ts", r->written.ts, &start) || !read_time(event, "dur", r->written.dur, &length))
		return bad(r, "expected numbers of microseconds in ts and dur");
	json_t *task = json_object_get(json_object_get(event, "args"), "task");
	json_int_t number = json_is_integer(task) ? json_integer_value(task) : TW_NONE;
	if (number < TW_NONE || number > INT32_MAX)
		return bad(r, "expected the number of a task in args");
	int kernel = tw__names_find(&r->s->kernels, name);
	if (kernel < 0 ||
	    !tw__schedule_add_box(r->s, (int)tid - 1, kernel, (int)number, start, tw__later(start, length)))
		return no_memory(r);
	return TW_OK;
}

/* The counters of a process of the trace, one for each of its threads. */
struct counter {
	struct tw__samples *samples;
	int n; /* number of the process's threads, one for each counter */
	const char *unit;
};

static struct counter counter_of(struct tw__schedule *s, json_int_t pid)
{
	const struct counter counters[] = {[PID_MEMORIES] = {&s->used, s->memories.n, "used_bytes"},
	                                   [PID_LINKS] = {&s->flows, s->links.n, "bytes_per_s"},
	                                   [PID_TASKS] = {&s->tasks, TW__SUBMITTED_TASKS + 1, "tasks"},
	                                   [PID_CAPACITIES] = {&s->capacities, s->links.n, "bytes_per_s"}};
	return counters[pid];
}

static int read_counter(struct reader *r, json_t *event, json_int_t pid, json_int_t tid)
{
	const struct counter c = counter_of(r->s, pid);
	json_t *value = json_object_get(json_object_get(event, "args"), c.unit);
	tw__ns date;
	if (tid < 1 || tid > c.n)
		return bad(r, "a counter on a thread that is not named above");
	if (!read_time(event, "ts", r->written.ts, &date) || !json_is_number(value) ||
	    !isfinite(json_number_value(value)) || json_number_value(value) < 0)
		return tw_fail(r->err, TW_INVALID, "%s:%ld: expected a number of microseconds in ts, and one in %s",
		               r->path, r->line, c.unit);
	return tw__schedule_add_sample(r->s, c.samples, (int)tid - 1, date, json_number_value(value)) ? TW_OK
	                                                                                              : no_memory(r);
}

/* Whether the text at *s begins with `text`. Then *s moves behind it. */
static bool skip(const char **s, const char *text)
{
	size_t length = strlen(text);
	bool there = !strncmp(*s, text, length);
	*s += there ? length : 0;
	return there;
}

static bool skip_number(const char **s, double *value)
{
	char digits[32];
	size_t n = strspn(*s, "0123456789.");
	if (n == 0 || n >= sizeof digits)
		return false;
	memcpy(digits, *s, n);
	digits[n] = '\0';
	*s += n;
	return tw__paje_number(digits, value);
}

static bool skip_decimal(const char **s, int decimals, int64_t *value)
{
	size_t n = strspn(*s, decimals ? "0123456789." : "0123456789");
	const char *digits = *s;
	*s += n;
	return tw_decimal(digits, n, decimals, value);
}

/* Reads the numbers at the start of an event, if it begins as our writer begins it. Returns the position behind them;
 * NULL: it begins otherwise. */
static const char *read_begin(const char *line, char phase, struct written *w)
{
	const char *s = line;
	struct written found = {.dur = -1};
	*w = (struct written){.ts = -1, .dur = -1};
	if (!skip(&s, "{\"ph\":\"") || *s++ != phase || !skip(&s, "\",\"pid\":") || !skip_decimal(&s, 0, &found.pid) ||
	    !skip(&s, ",\"tid\":") || !skip_decimal(&s, 0, &found.tid) || !skip(&s, ",\"ts\":") ||
	    !skip_decimal(&s, 3, &found.ts) ||
	    (phase == 'X' && (!skip(&s, ",\"dur\":") || !skip_decimal(&s, 3, &found.dur))) || *s != ',')
		return NULL;
	*w = found;
	return s;
}

/* Reads a line that is a counter exactly as our writer prints it, without a JSON parser: most lines of a large trace
 * are. Returns 1, or 0 if the line is something else. */
static int read_counter_as_written(struct reader *r, const char *line, size_t length)
{
	const struct written *w = &r->written;
	const char *s = read_begin(line, 'C', &r->written);
	double value;
	if (!s || !skip(&s, ",\"name\":\"") || w->pid < PID_MEMORIES || w->pid > PID_CAPACITIES)
		return 0;
	const struct counter c = counter_of(r->s, w->pid);
	s += strcspn(s, "\"\\");
	if (!skip(&s, "\",\"args\":{\"") || !skip(&s, c.unit) || !skip(&s, "\":") || !skip_number(&s, &value) ||
	    strcmp(s, "}}") != 0 || (size_t)(s - line) + 2 != length || w->tid < 1 || w->tid > c.n)
		return 0;
	return tw__schedule_add_sample(r->s, c.samples, (int)w->tid - 1, w->ts, value) ? 1 : no_memory(r);
}

static int read_event(struct reader *r, json_t *event)
{
	const char *phase = json_string_value(json_object_get(event, "ph"));
	json_int_t pid = json_integer_value(json_object_get(event, "pid")),
		   tid = json_integer_value(json_object_get(event, "tid"));
	if (!phase)
		return bad(r, "expected an event with a phase (ph)");
	if (!strcmp(phase, "M"))
		return read_name(r, event, pid, tid);
	if (!strcmp(phase, "X") && pid == PID_WORKERS)
		return read_task(r, event, tid);
	if (!strcmp(phase, "C") && pid >= PID_MEMORIES && pid <= PID_CAPACITIES)
		return read_counter(r, event, pid, tid);
	return TW_OK;
}

/* Reads the optional parts of the head, which traces of earlier versions lack. Ignores values of an unexpected type.
 * False: out of memory. */
static bool read_about(struct tw__schedule *s, json_t *other)
{
	json_t *item;
	size_t i;
	bool ok = true;
	const struct {
		const char *key;
		char **text;
	} words[] = {{"workload", &s->workload}, {"policy", &s->policy}};
	for (int w = 0; w < 2 && ok; w++) {
		const char *text = json_string_value(json_object_get(other, words[w].key));
		*words[w].text = text ? strdup(text) : NULL;
		ok = !text || *words[w].text;
	}
	json_array_foreach(json_object_get(other, "archs"), i, item)
	{
		const char *arch = json_string_value(item);
		ok = ok && tw__names_append(&s->archs, arch ? arch : "") >= 0;
	}
	json_array_foreach(json_object_get(other, "capacity_bytes"), i, item)
	{
		ok = ok && tw__numbers_append(&s->capacity_bytes, fmax(0, json_number_value(item)));
	}
	json_array_foreach(json_object_get(other, "bandwidth_bytes_per_s"), i, item)
	{
		ok = ok && tw__numbers_append(&s->bandwidth, fmax(0, json_number_value(item)));
	}
	return ok;
}

/* Returns the makespan of the head. The text has it exactly; its double is inexact beyond 104 days. */
static tw__ns read_makespan(const char *head, double makespan_s)
{
	tw__ns makespan;
	const char *s =
		strstr(head, ",\"makespan_s\":"); /* no JSON string contains this: its quotes would be escaped */
	bool exact = s && skip(&s, ",\"makespan_s\":") && skip_decimal(&s, 9, &makespan) && *s == ',';
	return exact ? makespan : tw__ns_of(makespan_s);
}

/* Reads line 1, the object around the events, up to the opening bracket of their list. With closing brackets added, it
 * is JSON with the makespan and the order of kernels. */
static int read_head(struct reader *r, const char *line, size_t length)
{
	static const char expected[] =
		"expected the first line of a Chrome trace that tilewright wrote, up to \"traceEvents\":[";
	if (length == 0 || line[length - 1] != '[')
		return bad(r, expected);
	char *closed = malloc(length + 3);
	if (!closed)
		return no_memory(r);
	memcpy(closed, line, length);
	strcpy(closed + length, "]}");
	json_t *head = json_loads(closed, JSON_REJECT_DUPLICATES, NULL);
	free(closed);
	json_t *other = json_object_get(head, "otherData"), *makespan = json_object_get(other, "makespan_s"), *kernel;
	double makespan_s = json_number_value(makespan);
	int status = TW_OK;
	if (!json_is_array(json_object_get(head, "traceEvents")) || !json_is_number(makespan) || makespan_s < 0 ||
	    makespan_s * TW__NS_PER_S >= (double)TW__LAST)
		status = bad(r, expected);
	else
		r->s->end = tw__latest(r->s->end, read_makespan(line, makespan_s));
	size_t i;
	json_array_foreach(json_object_get(other, "kernels"), i,
	                   kernel) if (status == TW_OK && json_is_string(kernel) &&
	                               tw__names_find(&r->s->kernels, json_string_value(kernel)) < 0) status =
		no_memory(r);
	if (status == TW_OK && !read_about(r->s, other))
		status = no_memory(r);
	json_decref(head);
	return status;
}

static int read_line(struct reader *r, char *line, size_t length)
{
	if (r->line == 1)
		return read_head(r, line, length);
	r->ended = r->ended || !strcmp(line, "],\"tilewright\":[");
	if (r->ended) /* the run section (trace/run_section.h) follows */
		return TW_OK;
	if (length > 0 && line[length - 1] == ',')
		line[--length] = '\0';
	int read = read_counter_as_written(r, line, length);
	if (read != 0)
		return read < 0 ? read : TW_OK;
	if (r->written.ts < 0)
		read_begin(line, 'X', &r->written);
	r->ended = r->ended || (length == 2 && !memcmp(line, "]}", 2));
	if (length == 0 || (length == 2 && !memcmp(line, "]}", 2)))
		return TW_OK;
	json_error_t error;
	json_t *event = json_loadb(line, length, 0, &error);
	if (!event)
		return tw_fail(r->err, TW_INVALID, "%s:%ld: expected one event: %s", r->path, r->line, error.text);
	int status = read_event(r, event);
	json_decref(event);
	return status;
}

int tw__schedule_read_chrome(struct tw__schedule *s, FILE *f, const char *path, struct tw_error *err)
{
	struct reader r = {.s = s, .path = path, .err = err};
	char *line = NULL;
	size_t capacity = 0;
	ssize_t length;
	int status = TW_OK;
	while (status == TW_OK && (length = getline(&line, &capacity, f)) >= 0) {
		r.line++;
		while (length > 0 && (line[length - 1] == '\n' || line[length - 1] == '\r'))
			line[--length] = 0;
		status = read_line(&r, line, (size_t)length);
	}
	free(line);
	if (status == TW_OK && !r.ended)
		tw_log(TW_LOG_WARNING, "%s:%ld: the trace ends without its closing brackets: it is incomplete", path,
		       r.line);
	return status;
}
