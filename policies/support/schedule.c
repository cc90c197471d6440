#include "policies/support/schedule.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/base.h>
#include <tilewright/csv.h>

enum column { TASK, KIND, INDEX, START, KERNEL, N_USED, UNUSED = N_USED, UNKNOWN };

static const char *const names[] = {"task", "kind", "index", "start_s", "kernel", "size", "worker", "arch", "end_s"};

enum { N_NAMES = sizeof names / sizeof *names, MAX_COLUMNS = 64 };

struct reader {
	const char *path;
	const struct tw_graph *graph;
	struct tw_error *err;
	FILE *file;
	char *text; /* [TW_CSV_LINE_BYTES + 1] the current line, cut into fields */
	int32_t line;
	struct tw_csv csv;
	char *fields[MAX_COLUMNS];
	int n_columns;
	int place[N_USED]; /* index in `fields` of each column in use; -1: the file has no such column */
	struct tw_scheduled *tasks;
	int64_t *start_ns; /* [tasks] start of each task, in nanoseconds */
	tw_task n_tasks, n_read;
};

/* --- reading lines ------------------------------------------------------------------------------------------------ */

/* Replaces characters that could control a terminal by '?', so that messages can quote the field. */
static const char *shown(char *field)
{
	for (char *c = field; *c;) {
		size_t n = tw_character_bytes(c);
		if (n == 0)
			*c = '?';
		c += n ? n : 1;
	}
	return field;
}

static int split(struct reader *r, char *line)
{
	int n = tw_csv_cut(&r->csv, line);
	if (n > 0)
		return n;
	if (n == TW_CSV_TOO_MANY)
		return tw_fail(r->err, TW_INVALID, "%s:%d: more than %d columns: expected no more", r->path,
		               (int)r->line, MAX_COLUMNS);
	if (n == TW_CSV_STRAY_RETURN)
		return tw_fail(
			r->err, TW_INVALID,
			"%s:%d: column %d: a stray carriage return: expected it in quotes, or before a line feed",
			r->path, (int)r->line, r->csv.n);
	return tw_fail(r->err, TW_INVALID,
	               "%s:%d: column %d: expected quotes around the whole field or no quotes, and doubled quotes "
	               "inside",
	               r->path, (int)r->line, r->csv.n);
}

/* Reads a line and returns its number of fields; 0: end of the file; below 0: an error. */
static int read_line(struct reader *r)
{
	int found = tw_csv_read_line(r->file, r->text);
	if (found == 0)
		return 0;
	if (found == TW_CSV_UNREADABLE)
		return tw_fail(r->err, tw_status_of_errno(errno), "%s: cannot be read: %s", r->path, strerror(errno));
	r->line++;
	if (found == TW_CSV_ZERO_BYTE)
		return tw_fail(r->err, TW_INVALID, "%s:%d: a zero byte: expected text", r->path, (int)r->line);
	if (found == TW_CSV_LONG_LINE)
		return tw_fail(r->err, TW_INVALID, "%s:%d: more than %d bytes: expected a shorter line", r->path,
		               (int)r->line, TW_CSV_LINE_BYTES);
	return split(r, r->line == 1 ? tw_csv_text(r->text) : r->text);
}

/* --- the first line: names of columns ----------------------------------------------------------------------------- */

static int read_header(struct reader *r)
{
	int unknown = 0;
	char *first_unknown = NULL;
	r->n_columns = read_line(r);
	if (r->n_columns < 0)
		return r->n_columns;
	for (int used = 0; used < N_USED; used++)
		r->place[used] = -1;
	for (int i = 0; i < r->n_columns; i++) {
		int name = 0;
		while (name < N_NAMES && strcmp(r->fields[i], names[name]) != 0)
			name++;
		if (name == N_NAMES && unknown++ == 0)
			first_unknown = r->fields[i];
		if (name >= N_USED)
			continue;
		if (r->place[name] >= 0)
			return tw_fail(r->err, TW_INVALID, "%s:1: column '%s' is there twice: expected it once",
			               r->path, names[name]);
		r->place[name] = i;
	}
	for (int used = 0; used < N_USED; used++)
		if (r->place[used] < 0 && used != KERNEL)
			return tw_fail(
				r->err, TW_INVALID,
				"%s:1: no column '%s': expected task, kind, index and start_s, as 'tilewright run "
				"--trace FILE.csv' writes them",
				r->path, names[used]);
	if (unknown)
		tw_log(TW_LOG_WARNING, "%s:1: %d unknown columns are ignored, the first is '%.40s'", r->path, unknown,
		       shown(first_unknown));
	return TW_OK;
}

/* --- the other lines: one task each ------------------------------------------------------------------------------- */

static int complain(struct reader *r, enum column column, const char *expected)
{
	return tw_fail(r->err, TW_INVALID, "%s:%d: %s '%.40s': expected %s", r->path, (int)r->line, names[column],
	               shown(r->fields[r->place[column]]), expected);
}

/* Returns the number below 2^31 that the whole text is; -1: the text is no such number. */
static int32_t number(const char *text)
{
	int64_t n = 0;
	size_t digits = strspn(text, "0123456789");
	if (digits == 0 || digits > 10 || text[digits])
		return -1;
	for (size_t i = 0; i < digits; i++)
		n = 10 * n + (text[i] - '0');
	return n <= INT32_MAX ? (int32_t)n : -1;
}

static int read_row(struct reader *r)
{
	char **f = r->fields, what[128];
	tw_task task = number(f[r->place[TASK]]);
	if (task < 0 || task >= r->n_tasks) {
		snprintf(what, sizeof what, "the number of one of the workload's %d tasks, from 0", (int)r->n_tasks);
		return complain(r, TASK, what);
	}
	struct tw_scheduled *t = &r->tasks[task];
	if (t->line)
		return tw_fail(r->err, TW_INVALID, "%s:%d: task %d again, after line %d: expected one row for each",
		               r->path, (int)r->line, (int)task, (int)t->line);
	t->place.accelerator = strcmp(f[r->place[KIND]], "accelerator") == 0;
	if (!t->place.accelerator && strcmp(f[r->place[KIND]], "processor") != 0)
		return complain(r, KIND, "processor or accelerator");
	t->place.worker = number(f[r->place[INDEX]]);
	if (t->place.worker < 0)
		return complain(r, INDEX, "a number from 0");
	const char *start = f[r->place[START]];
	if (*start == '.' || !tw_decimal_scientific(start, 9, &r->start_ns[task]))
		return complain(r, START, "seconds, 0 or more");
	const char *kernel = tw_graph_kernel_name(r->graph, tw_graph_task_kernel(r->graph, task));
	if (r->place[KERNEL] >= 0 && strcmp(f[r->place[KERNEL]], kernel) != 0) {
		snprintf(what, sizeof what, "'%.40s', the kernel of task %d in this workload", kernel, (int)task);
		return complain(r, KERNEL, what);
	}
	t->line = r->line;
	r->n_read++;
	return TW_OK;
}

static int by_start(const void *a, const void *b, void *reader)
{
	const struct reader *r = reader;
	tw_task i = *(const tw_task *)a, j = *(const tw_task *)b;
	return r->start_ns[i] != r->start_ns[j]
	               ? (r->start_ns[i] > r->start_ns[j]) - (r->start_ns[i] < r->start_ns[j])
	               : (r->tasks[i].line > r->tasks[j].line) - (r->tasks[i].line < r->tasks[j].line);
}

static void put_in_order(struct reader *r)
{
	tw_task *order = tw_alloc((size_t)r->n_tasks, sizeof *order);
	for (tw_task t = 0; t < r->n_tasks; t++)
		order[t] = t;
	qsort_r(order, (size_t)r->n_tasks, sizeof *order, by_start, r);
	for (tw_task i = 0; i < r->n_tasks; i++)
		r->tasks[order[i]].place.order = i;
	free(order);
}

static int read_all(struct reader *r)
{
	int n, status = read_header(r);
	while (status == TW_OK && (n = read_line(r)) != 0) {
		if (n < 0)
			status = n;
		else if (n != r->n_columns)
			status = tw_fail(r->err, TW_INVALID, "%s:%d: %d fields: expected %d, as in line 1", r->path,
			                 (int)r->line, n, r->n_columns);
		else
			status = read_row(r);
	}
	if (status < 0)
		return status;
	for (tw_task t = 0; t < r->n_tasks; t++)
		if (!r->tasks[t].line)
			return tw_fail(r->err, TW_INVALID,
			               "%s:%d: the file ends without task %d: expected %d tasks, read %d", r->path,
			               (int)r->line, (int)t, (int)r->n_tasks, (int)r->n_read);
	put_in_order(r);
	return TW_OK;
}

int tw_schedule_read(struct tw_scheduled **tasks, const char *path, const struct tw_graph *graph, struct tw_error *err)
{
	size_t n = (size_t)tw_graph_n_tasks(graph);
	struct reader r = {.path = path,
	                   .graph = graph,
	                   .err = err,
	                   .n_tasks = (tw_task)n,
	                   .file = fopen(path, "re"),
	                   .csv = {.fields = r.fields, .most = MAX_COLUMNS}};
	*tasks = NULL;
	if (!r.file)
		return tw_fail(err, tw_status_of_errno(errno), "%s: cannot be read: %s", path, strerror(errno));
	r.tasks = tw_alloc(n, sizeof *r.tasks);
	r.start_ns = tw_alloc(n, sizeof *r.start_ns);
	r.text = tw_alloc(TW_CSV_LINE_BYTES + 1, 1);
	int status = read_all(&r);
	fclose(r.file);
	free(r.text);
	free(r.start_ns);
	if (status < 0)
		free(r.tasks);
	else
		*tasks = r.tasks;
	return status;
}
