/* Writes the schedule as a table: one row for each task, in the order of the kernels' starts. The policy `replay` runs
 * the schedule again. Cancelled executions have no row. Tasks that reductions append have no row, because they are
 * known only during a run. */
#include <stdlib.h>

#include "graph/reduction.h"
#include "trace/formats.h"
#include "base/print.h"

/* Returns the worker's number, from 0, among the platform's accelerators or among its processors. Accelerators come
 * first in the platform. */
static int place_in_kind(const struct tw_platform *p, int worker)
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
	fprintf(f, "%d,", (int)e->task);
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

int tw__write_schedule(FILE *f, const struct tw__trace *t)
{
	const struct tw__record *r = t->record;
	tw_task n = tw__graph_own_tasks(t->graph);
	struct last {
		size_t start; /* index of the event of the task's last start */
		tw__ns end;
	} *last = malloc(((size_t)n + 1) * sizeof *last);
	if (!last)
		return TW_NOMEM;
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = &r->events[i];
		if (e->kind == TW__START && e->task < n)
			last[e->task].start = i;
		else if (e->kind == TW__END && e->task < n)
			last[e->task].end = e->date;
	}
	fputs("task,kernel,size,kind,index,worker,arch,start_s,end_s\n", f);
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = &r->events[i];
		if (e->kind == TW__START && e->task < n && last[e->task].start == i)
			print_row(f, t, e, last[e->task].end);
	}
	free(last);
	return TW_OK;
}
