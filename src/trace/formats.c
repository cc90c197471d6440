#include "trace/write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"
#include "graph/ranks.h"
#include "graph/reduction.h"
#include "trace/events.h"
#include "trace/formats.h"
#include "base/print.h"

/* --- the table of tasks ------------------------------------------------------------------------------------------- */

/* Returns the worker's number, from 0, among the platform's accelerators or among its processors. Accelerators come
 * first in the platform. */
static int place_in_kind(const struct tw__platform *p, int worker)
{
	int accelerators = 0;
	while (accelerators < p->n_workers && p->archs[p->workers[accelerators].arch].accelerator)
		accelerators++;
	return worker < accelerators ? worker : worker - accelerators;
}

static void print_row(FILE *f, const struct tw__trace *t, const struct tw__event *e, tw__ns end)
{
	const struct tw__kernel *kernel = &t->graph->kernels[t->graph->kernel[e->task]];
	const struct tw__worker *worker = &t->platform->workers[e->worker];
	const struct tw__arch *arch = &t->platform->archs[worker->arch];
	fprintf(f, "%d,", (int)(t->graph->ranks ? t->graph->ranks->origin[e->task] : e->task));
	tw__print_csv(f, kernel->name);
	putc(',', f);
	tw__print_csv(f, kernel->size);
	fprintf(f, ",%s,%d,", arch->accelerator ? "accelerator" : "processor", place_in_kind(t->platform, e->worker));
	tw__print_csv(f, worker->name);
	putc(',', f);
	tw__print_csv(f, arch->name);
	putc(',', f);
	tw__print_seconds(f, e->date);
	putc(',', f);
	tw__print_seconds(f, end);
	putc('\n', f);
}

/* Writes the schedule as a table: one row for each task, in the order of the kernels' starts. The policy `replay` runs
 * the schedule again. Cancelled executions have no row. Tasks that reductions append have no row, because they are
 * known only during a run. */
static void write_table(FILE *f, const struct tw__trace *t)
{
	struct tw__events all;
	const struct tw__event *e;
	tw_task n = tw__graph_own_tasks(t->graph);
	struct last {
		size_t start; /* index of the event of the task's last start */
		tw__ns end;
	} *last = tw_alloc((size_t)n, sizeof *last);
	tw__events_begin(&all, t->record);
	for (size_t i = 0; (e = tw__events_next(&all)); i++)
		if (e->kind == TW__START && e->task < n)
			last[e->task].start = i;
		else if (e->kind == TW__END && e->task < n)
			last[e->task].end = e->date;
	fputs("task,kernel,size,kind,index,worker,arch,start_s,end_s\n", f);
	tw__events_begin(&all, t->record);
	for (size_t i = 0; (e = tw__events_next(&all)); i++)
		if (e->kind == TW__START && e->task < n && last[e->task].start == i && e->worker != TW_NONE)
			print_row(f, t, e, last[e->task].end);
	free(last);
}

/* --- all formats -------------------------------------------------------------------------------------------------- */

typedef void write_fn(FILE *, const struct tw__trace *);

static const struct format {
	const char *ending;
	enum tw__trace_format format;
	write_fn *write;
} formats[] = {{".paje", TW__FORMAT_PAJE, tw__write_paje},
               {".trace", TW__FORMAT_PAJE, tw__write_paje},
               {".json", TW__FORMAT_CHROME, tw__write_chrome},
               {".csv", TW__FORMAT_TABLE, write_table},
               {".record", TW__FORMAT_RECORD, tw__write_record},
               {".twb", TW__FORMAT_RECORD, tw__write_binary},
               {"", TW__FORMAT_OTHER, NULL}};

static const struct format *format_of(const char *path, size_t length)
{
	for (const struct format *f = formats;; f++) {
		size_t n = strlen(f->ending);
		if (length >= n && !strncmp(path + length - n, f->ending, n))
			return f;
	}
}

enum tw__trace_format tw__trace_format_of(const char *path, bool compressed)
{
	size_t length = strlen(path);
	length -= compressed && length > 3 && !strcmp(path + length - 3, ".gz") ? 3 : 0;
	return format_of(path, length)->format;
}

static int unknown(const char *path, struct tw_error *err)
{
	return tw_fail(
		err, TW_INVALID,
		"%s: unknown kind of trace; expected a name that ends in .paje, .trace, .json, .csv, .record, .twb "
		"or /",
		path);
}

/* Whether the path names a folder for StarVZ's tables. */
static bool is_folder(const char *path)
{
	size_t length = strlen(path);
	return length > 0 && path[length - 1] == '/';
}

static int check_folder(const char *path, struct tw_error *err)
{
	struct stat about;
	if (mkdir(path, 0777) == 0) {
		rmdir(path);
		return TW_OK;
	}
	int reason = errno;
	if (reason == EEXIST)
		reason = stat(path, &about) < 0 ? errno : access(path, W_OK | X_OK) < 0 ? errno : 0;
	return reason ? tw_fail(err, TW_INVALID, "%s: cannot be written: %s", path, strerror(reason)) : TW_OK;
}

int tw__trace_check_path(const char *path, struct tw_error *err)
{
	if (is_folder(path))
		return check_folder(path, err);
	if (!format_of(path, strlen(path))->write)
		return unknown(path, err);
	/* Open the file for writing, but neither truncate it nor leave a new one: the run may still fail. */
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd >= 0) {
		close(fd);
		unlink(path);
		return TW_OK;
	}
	if (errno == EEXIST)
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return tw_fail(err, TW_INVALID, "%s: cannot be written: %s", path, strerror(errno));
	close(fd);
	return TW_OK;
}

const char *tw__run_argument(const struct tw__run_argument *pairs, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(pairs[i].name, name))
			return pairs[i].value;
	return NULL;
}

void tw__trace_finish(struct tw__trace *t)
{
	free(t->names);
	free(t->name_of_kernel);
}

void tw__trace_init(struct tw__trace *t, const struct tw__traced *of)
{
	const struct tw__record *r = of->record;
	const struct tw_graph *g = r->extended ? r->extended : of->graph;
	*t = (struct tw__trace){
		.platform = of->platform,
		.graph = g,
		.program = of->graph,
		.record = r,
		.workload = of->workload,
		.policy = of->policy,
		.capacity = of->capacity,
		.about = of->about,
		.shares = of->shares,
		.domains = of->domains,
		.end_ns = tw__record_end(r),
		.names = tw_alloc((size_t)g->n_kernels, sizeof *t->names),
		.name_of_kernel = tw_alloc((size_t)g->n_kernels, sizeof *t->name_of_kernel),
	};
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		int i = 0;
		while (i < t->n_names && strcmp(t->names[i], g->kernels[k].name) != 0)
			i++;
		if (i == t->n_names)
			t->names[t->n_names++] = g->kernels[k].name;
		t->name_of_kernel[k] = i;
	}
}

static int write_file(const char *path, write_fn *write, const struct tw__trace *trace, struct tw_error *err)
{
	struct tw__new_file file;
	int status = tw__new_file_open(&file, path, err);
	if (status < 0)
		return status;
	setvbuf(file.f, NULL, _IOFBF, 1 << 18);
	write(file.f, trace);
	return tw__new_file_close(&file, err);
}

int tw__trace_write(const char *path, const struct tw__traced *of, struct tw_error *err)
{
	write_fn *write = format_of(path, strlen(path))->write;
	if (!write && !is_folder(path))
		return unknown(path, err);
	tw__record_spread(of->record);
	tw__record_sort(of->record);
	struct tw__trace trace;
	tw__trace_init(&trace, of);
	int status = is_folder(path) ? tw__write_starvz(path, &trace, err) : write_file(path, write, &trace, err);
	tw__trace_finish(&trace);
	return status;
}
