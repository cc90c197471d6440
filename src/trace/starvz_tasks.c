/* Writes StarVZ's tables about the graph: tasks, dependencies and handles. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/starvz.h"
#include "base/print.h"

static const struct tw__kernel *kernel_of(const struct tw__starvz *s, tw_task task)
{
	const struct tw_graph *g = s->t->graph;
	return &g->kernels[g->kernel[task]];
}

static int element_bytes(const struct tw__kernel *k)
{
	return !strcmp(k->precision, "s") ? 4 : !strcmp(k->precision, "d") ? 8 : !strcmp(k->precision, "b") ? 1 : 0;
}

void tw__starvz_handle(FILE *f, tw_data data) { fprintf(f, "%x", (unsigned)data + 1); }

void tw__starvz_rank(FILE *f, const struct tw__starvz *s, int rank)
{
	if (s->t->platform->n_ranks > 1)
		fprintf(f, "%d_", rank);
}

int tw__starvz_rank_of(const struct tw__starvz *s, tw_task task)
{
	return s->t->graph->ranks ? tw__rank_of_task(s->t->graph, task) : 0;
}

void tw__starvz_print_job(FILE *f, const struct tw__starvz *s, tw_task task)
{
	tw__starvz_rank(f, s, tw__starvz_rank_of(s, task));
	fprintf(f, "%d", tw__starvz_job(task));
}

void tw__starvz_memory(FILE *f, const struct tw__starvz *s, const char *what, tw_node n)
{
	tw__starvz_rank(f, s, s->t->platform->nodes[n].rank);
	fprintf(f, "%s%d", what, s->memory[n]);
}

/* Prints a number of flops in GFlop. */
void tw__starvz_gflop(FILE *f, double flops)
{
	tw__print_seconds(f, flops < 9e18 ? tw__nanoseconds(flops * 1e-9) : INT64_MAX);
}

/* Returns the number of handles of a task, without scratch handles. *squares: whether all have the bytes of a square
 * tile of this side, in elements of `element` bytes. */
static int count_operands(const struct tw_graph *g, tw_task task, int64_t side, int element, bool *squares)
{
	int n = 0;
	*squares = true;
	for (uint32_t a = g->access_start[task]; a < g->access_start[task + 1]; a++) {
		if (tw__access_mode(g->access[a]) == TW_SCRATCH)
			continue;
		n++;
		*squares =
			*squares && g->data_bytes[tw__access_data(g->access[a])] == (uint64_t)(side * side * element);
	}
	return n;
}

/* Whether size and precision of the task's kernel give the dimensions of its handles, which StarPU prints as
 * "M960x960x4" for each handle. SQUARES: all handles are square tiles; DIMENSIONS: the size lists the dimensions. */
enum told { NOTHING, SQUARES, DIMENSIONS };
static enum told told_by_parameters(const struct tw__starvz *s, tw_task task)
{
	const struct tw__kernel *k = kernel_of(s, task);
	bool squares;
	char *end;
	int64_t side = strtoll(k->size, &end, 10);
	int n = count_operands(s->t->graph, task, side < 1 << 28 ? side : 0, element_bytes(k), &squares), parts = 1;
	for (const char *c = k->size; *c; c++)
		parts += *c == '+';
	if (!element_bytes(k) || n == 0 || k->size[strspn(k->size, "0123456789x+")] != '\0' || side <= 0)
		return NOTHING;
	if (*end == '\0')
		return squares ? SQUARES : NOTHING;
	return parts == n ? DIMENSIONS : NOTHING;
}

void tw__starvz_parameters(FILE *f, const struct tw__starvz *s, tw_task task, char between)
{
	const struct tw_graph *g = s->t->graph;
	const struct tw__kernel *k = kernel_of(s, task);
	enum told told = told_by_parameters(s, task);
	const char *part = k->size;
	for (uint32_t a = g->access_start[task]; told != NOTHING && a < g->access_start[task + 1]; a++) {
		if (a > g->access_start[task])
			putc(between, f);
		if (tw__access_mode(g->access[a]) == TW_SCRATCH) {
			fputs("M1x1x1", f);
		} else if (told == SQUARES) {
			fprintf(f, "M%sx%sx%d", k->size, k->size, element_bytes(k));
		} else {
			int length = (int)strcspn(part, "+");
			fprintf(f, "M%.*sx%d", length, part, element_bytes(k));
			part += length + 1;
		}
	}
}

void tw__starvz_footprint(FILE *f, const struct tw__starvz *s, tw_task task)
{
	const struct tw__kernel *k = kernel_of(s, task);
	char text[512];
	if (told_by_parameters(s, task) != NOTHING)
		fputs("0", f);
	else if (snprintf(text, sizeof text, "%s:%s", k->size, k->precision) < (int)sizeof text)
		tw__print_csv(f, text);
}

static void print_accesses(FILE *f, const struct tw__starvz *s, tw_task task)
{
	const struct tw_graph *g = s->t->program;
	uint32_t from = g->access_start[task], to = g->access_start[task + 1];
	for (uint32_t a = from; a < to; a++) {
		fputs(a > from ? " " : "", f);
		tw__starvz_handle(f, tw__access_data(g->access[a]));
	}
	putc(',', f);
	for (uint32_t a = from; a < to; a++) {
		enum tw_mode mode = tw__access_mode(g->access[a]);
		fprintf(f, "%s%s", a > from ? " " : "",
		        mode == TW_SCRATCH ? "S"
		        : mode == TW_REDUX ? "X"
		                           : tw_mode_name(mode));
	}
	putc(',', f);
	for (uint32_t a = from; a < to; a++)
		fprintf(f, "%s%" PRIu64, a > from ? " " : "", g->data_bytes[tw__access_data(g->access[a])]);
}

static void print_date(FILE *f, int64_t ns)
{
	if (ns >= 0)
		tw__print_milliseconds(f, ns);
	putc(',', f);
}

/* Prints the row of a task; tw__starvz_tasks prints the header. *edge: index of the next edge. */
static void print_task(FILE *f, const struct tw__starvz *s, tw_task task, size_t *edge)
{
	const struct tw_graph *g = s->t->program;
	const struct tw__platform *p = s->t->platform;
	int worker = s->worker[task];
	putc(',', f);
	tw__print_csv(f, kernel_of(s, task)->name);
	putc(',', f);
	tw__print_csv(f, kernel_of(s, task)->name);
	putc(',', f);
	tw__starvz_print_job(f, s, task);
	fprintf(f, ",%d,%d,0,", (int)s->order[task], (int)g->priority[task]);
	if (worker >= 0)
		fprintf(f, "%d,%d,", s->place[worker], s->memory[p->workers[worker].node]);
	else
		fputs(",,", f);
	print_date(f, s->submit[task]);
	print_date(f, s->ready[task]);
	print_date(f, s->start[task]);
	print_date(f, s->end[task]);
	tw__starvz_footprint(f, s, task);
	putc(',', f);
	tw__starvz_parameters(f, s, task, ' ');
	putc(',', f);
	print_accesses(f, s, task);
	fprintf(f, ",%d,", p->n_ranks > 1 ? tw__starvz_rank_of(s, task) : -1);
	/* Edges are grouped by the task that waits. */
	size_t first = *edge;
	for (; *edge < s->n_edges && s->edges[*edge].to == task; (*edge)++) {
		fputs(*edge > first ? " " : "", f);
		tw__starvz_print_job(f, s, s->edges[*edge].from);
	}
	putc(',', f);
	for (size_t i = first; i < *edge; i++)
		fputs(i > first ? " task" : "task", f);
	putc(',', f);
	tw__starvz_gflop(f, kernel_of(s, task)->flops);
	putc('\n', f);
}

/* Prints rows for the task's hints that handles will not be used. In StarPU hints are jobs of their own, after the last
 * writers of the handles. Their job numbers follow those of all tasks. */
static void print_hints(FILE *f, const struct tw__starvz *s, tw_task task, int *n_hints)
{
	const struct tw_graph *g = s->t->program;
	int n = 0;
	for (uint32_t a = g->access_start[task]; a < g->access_start[task + 1]; a++) {
		if (!(g->access[a] & TW__ACCESS_LAST_WRITE))
			continue;
		fputs("WontUse,,,", f);
		tw__starvz_rank(f, s, tw__starvz_rank_of(s, task));
		fprintf(f, "%d,%d,,,,,", tw__starvz_job(s->t->graph->n_tasks) + (*n_hints)++,
		        (int)s->order[task] + ++n);
		print_date(f, s->submit[task]);
		fputs(",,,,,", f);
		tw__starvz_handle(f, tw__access_data(g->access[a]));
		fprintf(f, ",,,%d,,,\n", s->t->platform->n_ranks > 1 ? tw__starvz_rank_of(s, task) : -1);
	}
}

void tw__starvz_tasks(FILE *f, const struct tw__starvz *s)
{
	size_t edge = 0;
	int n_hints = 0;
	fputs("Control,Name,Model,JobId,SubmitOrder,Priority,Tag,WorkerId,MemoryNode,SubmitTime,ReadyTime,StartTime,"
	      "EndTime,Footprint,Parameters,Handles,Modes,Sizes,MPIRank,DependsOn,DepLabels,GFlop\n",
	      f);
	for (tw_task task = 0; task < s->t->program->n_tasks && !ferror(f); task++) {
		print_task(f, s, task, &edge);
		print_hints(f, s, task, &n_hints);
	}
}

void tw__starvz_dag(FILE *f, const struct tw__starvz *s)
{
	fputs("Dependent,JobId\n", f);
	for (size_t i = 0; i < s->n_edges && !ferror(f); i++) {
		tw__starvz_print_job(f, s, s->edges[i].from);
		putc(',', f);
		tw__starvz_print_job(f, s, s->edges[i].to);
		putc('\n', f);
	}
}

void tw__starvz_handles(FILE *f, const struct tw__starvz *s)
{
	const struct tw_graph *g = s->t->program;
	fputs("Handle,HomeNode,Size,Description\n", f);
	for (tw_data d = 0; d < g->n_data && !ferror(f); d++) {
		tw__starvz_handle(f, d);
		fprintf(f, ",0,%" PRIu64 ",%" PRIu64 "\n", g->data_bytes[d], g->data_bytes[d]);
	}
}
