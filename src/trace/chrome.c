/* Writes Chrome trace events, for Perfetto and chrome://tracing: JSON with one event per line and dates in
 * microseconds.
 *
 * Process 1 has a thread per worker. Process 2 has one or more lanes per ordered pair of memories, so that transfers
 * in a lane do not overlap. Process 3 has a counter per memory, process 4 has one per used link, and process 5 has
 * counters of ready and submitted tasks. Process 6 has a counter per link whose capacity changes. Arrows lead from
 * tasks and transfers to tasks (chrome_arrows.h). The object otherData has platform, makespan_s, and the kernels in
 * the graph's order. It also describes the rows of processes 1, 3 and 4: workers' archs, memories' capacities (0:
 * unbounded or unknown) and links' bandwidths. The array tilewright is the run section (run_section.h). */
#include <inttypes.h>
#include <stdlib.h>

#include "trace/chrome_arrows.h"
#include "trace/event_fields.h"
#include "trace/run_section.h"
#include "base/print.h"
#include "trace/usage.h"

enum { PID_WORKERS = 1, PID_TRANSFERS = 2, PID_MEMORIES = 3, PID_LINKS = 4, PID_TASKS = 5, PID_CAPACITIES = 6 };

/* A lane: a row of process 2 with transfers between one ordered pair of memories, one at a time. */
struct lane {
	int next; /* the next lane of this pair of memories, or -1 */
	bool busy;
	size_t start; /* index of the start event of the lane's current transfer; valid while busy */
};

struct chrome {
	FILE *f;
	struct tw__chrome_list list; /* the events in the file */
	const struct tw__trace *t;
	struct tw__chrome_arrows *arrows;
	int64_t *started; /* [n_tasks] date of each task's start in ns; -1: not started */
	struct tw__usage *usage;
	int *first_lane; /* [from * n_nodes + to] the first lane of each pair of memories, or -1 */
	struct lane *lanes;
	int n_lanes, lanes_capacity;
};

/* Writes two metadata events: the name and the position of a process or thread. */
static void name_row(struct chrome *c, int pid, int tid, const char *what, const char *name)
{
	tw__chrome_begin(&c->list);
	fprintf(c->f, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_name\",\"args\":{\"name\":", pid, tid, what);
	tw__print_json(c->f, name);
	fputs("}}", c->f);
	tw__chrome_begin(&c->list);
	fprintf(c->f, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%d}}",
	        pid, tid, what, tid ? tid : pid);
}

static void print_span(struct chrome *c, const struct tw__chrome_bar *bar)
{
	tw__chrome_begin(&c->list);
	fprintf(c->f, "\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":", bar->pid, bar->tid);
	tw__print_microseconds(c->f, bar->start);
	fputs(",\"dur\":", c->f);
	tw__print_microseconds(c->f, bar->end - bar->start);
}

/* Writes a task's execution, and sets *bar. Returns `bar`; NULL: the record lacks the start. */
static const struct tw__chrome_bar *print_task(struct chrome *c, const struct tw__event *e, struct tw__chrome_bar *bar)
{
	const struct tw_graph *g = c->t->graph;
	const struct tw__kernel *kernel = &g->kernels[g->kernel[e->task]];
	if (c->started[e->task] < 0)
		return NULL;
	*bar = (struct tw__chrome_bar){PID_WORKERS, e->worker + 1, c->started[e->task], e->date};
	print_span(c, bar);
	fputs(",\"cat\":\"task\",\"name\":", c->f);
	tw__print_json(c->f, kernel->name);
	fprintf(c->f, ",\"args\":{\"task\":%d,\"size\":", (int)e->task);
	tw__print_json(c->f, kernel->size);
	fputs(",\"data\":\"", c->f);
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++)
		fprintf(c->f, "%s%d %s", i > g->access_start[e->task] ? ", " : "", (int)tw__access_data(g->access[i]),
		        tw_mode_name(tw__access_mode(g->access[i])));
	fputs(e->kind == TW__CANCEL ? "\",\"cancelled\":true}}" : "\"}}", c->f);
	return bar;
}

/* Finds or adds an idle lane of this pair of memories, and marks it busy. Negative: out of memory. */
static int take_lane(struct chrome *c, tw_node from, tw_node to)
{
	int pair = from * c->t->platform->n_nodes + to, last = -1;
	for (int i = c->first_lane[pair]; i >= 0; i = c->lanes[i].next) {
		if (!c->lanes[i].busy) {
			c->lanes[i].busy = true;
			return i;
		}
		last = i;
	}
	if (c->n_lanes == c->lanes_capacity) {
		int capacity = c->lanes_capacity ? c->lanes_capacity * 2 : 32;
		struct lane *lanes = realloc(c->lanes, (size_t)capacity * sizeof *lanes);
		if (!lanes)
			return -1;
		c->lanes = lanes;
		c->lanes_capacity = capacity;
	}
	int added = c->n_lanes++;
	c->lanes[added] = (struct lane){.next = -1, .busy = true};
	if (last < 0)
		c->first_lane[pair] = added;
	else
		c->lanes[last].next = added;
	char name[256];
	snprintf(name, sizeof name, "%s to %s", c->t->platform->nodes[from].name, c->t->platform->nodes[to].name);
	name_row(c, PID_TRANSFERS, added + 1, "thread", name);
	return added;
}

static bool start_transfer(struct chrome *c, const struct tw__event *e, size_t i)
{
	int lane = take_lane(c, e->from, e->node);
	if (lane >= 0)
		c->lanes[lane].start = i;
	return lane >= 0;
}

/* Writes a transfer with the cause of its start event, because a prefetch may have become a demand since. Sets *bar,
 * and returns `bar`; NULL: the record lacks the start. */
static const struct tw__chrome_bar *end_transfer(struct chrome *c, const struct tw__event *e, size_t start,
                                                 struct tw__chrome_bar *bar)
{
	const struct tw__event *begun = &c->t->record->events[start];
	int lane = c->first_lane[e->from * c->t->platform->n_nodes + e->node];
	while (lane >= 0 && (!c->lanes[lane].busy || c->lanes[lane].start != start))
		lane = c->lanes[lane].next;
	if (lane < 0)
		return NULL;
	*bar = (struct tw__chrome_bar){PID_TRANSFERS, lane + 1, begun->date, e->date};
	print_span(c, bar);
	fprintf(c->f,
	        ",\"cat\":\"transfer\",\"name\":\"data %d\",\"args\":{\"data\":%d,\"bytes\":%" PRIu64
	        ",\"cause\":\"%s\"}}",
	        (int)e->data, (int)e->data, e->bytes, tw__cause_names[begun->cause]);
	c->lanes[lane].busy = false;
	return bar;
}

static void print_counter(void *context, int64_t date_ns, enum tw__counter kind, int i, int64_t value)
{
	struct chrome *c = context;
	const struct tw_platform *p = c->t->platform;
	int pid, tid = i + 1;
	const char *name, *unit;
	switch (kind) {
	case TW__MEMORY_USED:
		pid = PID_MEMORIES, name = p->nodes[i].name, unit = "used_bytes";
		break;
	case TW__LINK_USED:
		pid = PID_LINKS, name = p->links[i].name, unit = "bytes_per_s";
		break;
	case TW__LINK_CAPACITY:
		pid = PID_CAPACITIES, name = p->links[i].name, unit = "bytes_per_s";
		break;
	case TW__TASKS_READY:
		pid = PID_TASKS, name = "ready", unit = "tasks";
		break;
	case TW__TASKS_SUBMITTED:
		pid = PID_TASKS, tid = 2, name = "submitted", unit = "tasks";
		break;
	default:
		return;
	}
	tw__chrome_begin(&c->list);
	fprintf(c->f, "\"ph\":\"C\",\"pid\":%d,\"tid\":%d,\"ts\":", pid, tid);
	tw__print_microseconds(c->f, date_ns);
	fputs(",\"name\":", c->f);
	tw__print_json(c->f, name);
	fprintf(c->f, ",\"args\":{\"%s\":%" PRId64 "}}", unit, value);
}

static bool print_event(struct chrome *c, size_t i)
{
	const struct tw__event *e = &c->t->record->events[i];
	struct tw__chrome_bar memory;
	const struct tw__chrome_bar *bar = NULL;
	bool ok = true;
	switch (e->kind) {
	case TW__START:
		c->started[e->task] = e->date;
		break;
	case TW__END:
	case TW__CANCEL:
		bar = print_task(c, e, &memory);
		break;
	case TW__TRANSFER_START:
		ok = start_transfer(c, e, i);
		break;
	case TW__TRANSFER_END:
		if (c->t->other_end[i] != SIZE_MAX)
			bar = end_transfer(c, e, c->t->other_end[i], &memory);
		break;
	default:
		break;
	}
	return ok && tw__chrome_arrows_step(c->arrows, e, bar, &c->list) == TW_OK;
}

static void print_array(struct chrome *c, const char *key, int n, void (*print)(FILE *, const struct tw__trace *, int))
{
	fprintf(c->f, ",\"%s\":[", key);
	for (int i = 0; i < n; i++) {
		fputs(i ? "," : "", c->f);
		print(c->f, c->t, i);
	}
	putc(']', c->f);
}

static void print_kernel(FILE *f, const struct tw__trace *t, int i) { tw__print_json(f, t->names[i]); }
static void print_arch(FILE *f, const struct tw__trace *t, int i)
{
	tw__print_json(f, t->platform->archs[t->platform->workers[i].arch].name);
}
static void print_capacity(FILE *f, const struct tw__trace *t, int i)
{
	fprintf(f, "%" PRIu64, tw__trace_capacity(t, i));
}
static void print_bandwidth(FILE *f, const struct tw__trace *t, int i)
{
	fprintf(f, "%.0f", t->platform->links[i].bandwidth);
}

static void print_head(struct chrome *c)
{
	const struct tw_platform *p = c->t->platform;
	fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"platform\":", c->f);
	tw__print_json(c->f, p->name);
	if (c->t->workload) {
		fputs(",\"workload\":", c->f);
		tw__print_json(c->f, c->t->workload);
	}
	if (c->t->policy) {
		fputs(",\"policy\":", c->f);
		tw__print_json(c->f, c->t->policy);
	}
	fputs(",\"makespan_s\":", c->f);
	tw__print_seconds(c->f, c->t->record->makespan);
	print_array(c, "kernels", c->t->n_names, print_kernel);
	print_array(c, "archs", p->n_workers, print_arch);
	print_array(c, "capacity_bytes", p->n_nodes, print_capacity);
	print_array(c, "bandwidth_bytes_per_s", p->n_links, print_bandwidth);
	fputs("},\"traceEvents\":[", c->f);
}

struct section {
	FILE *f;
	bool first; /* no line written yet */
};

static void print_section_line(void *context, const char *line)
{
	struct section *s = context;
	fputs(s->first ? "\n" : ",\n", s->f);
	s->first = false;
	tw__print_json(s->f, line);
}

static bool print_all(struct chrome *c)
{
	const struct tw_platform *p = c->t->platform;
	const struct tw__record *r = c->t->record;
	static const char *const processes[] = {"Workers",   "Transfers", "Memory used",
	                                        "Link used", "Tasks",     "Link capacity"};
	print_head(c);
	for (int i = 0; i < 6; i++)
		name_row(c, PID_WORKERS + i, 0, "process", processes[i]);
	for (tw_worker w = 0; w < p->n_workers; w++)
		name_row(c, PID_WORKERS, w + 1, "thread", p->workers[w].name);
	/* Name all memories and links in order, even those that are never used. */
	for (tw_node n = 0; n < p->n_nodes; n++)
		name_row(c, PID_MEMORIES, n + 1, "thread", p->nodes[n].name);
	for (int l = 0; l < p->n_links; l++)
		name_row(c, PID_LINKS, l + 1, "thread", p->links[l].name);
	tw__usage_begin(c->usage);
	for (size_t i = 0; i < r->n && !ferror(c->f); i++) {
		tw__usage_step(c->usage, i);
		if (!print_event(c, i))
			return false;
	}
	if (tw__usage_end(c->usage) < 0)
		return false;
	fputs("\n" TW__RUN_CHROME_LINE, c->f);
	struct section section = {c->f, true};
	int status = tw__run_section_put(c->t, print_section_line, &section);
	fputs("\n]}\n", c->f);
	return status == TW_OK;
}

int tw__write_chrome(FILE *f, const struct tw__trace *t)
{
	size_t n_tasks = (size_t)t->graph->n_tasks, n_nodes = (size_t)t->platform->n_nodes;
	struct chrome c = {
		.f = f,
		.t = t,
		.list = {f, true},
		.started = malloc((n_tasks + 1) * sizeof *c.started),
		.first_lane = malloc((n_nodes * n_nodes + 1) * sizeof *c.first_lane),
	};
	c.usage = tw__usage_create(t, print_counter, &c);
	c.arrows = tw__chrome_arrows_create(t, PID_WORKERS);
	bool ok = c.started && c.usage && c.arrows && c.first_lane;
	if (ok) {
		for (size_t i = 0; i < n_tasks; i++)
			c.started[i] = -1;
		for (size_t i = 0; i < n_nodes * n_nodes; i++)
			c.first_lane[i] = -1;
		ok = print_all(&c);
	}
	free(c.started);
	tw__usage_destroy(c.usage);
	tw__chrome_arrows_destroy(c.arrows);
	free(c.first_lane);
	free(c.lanes);
	return ok ? TW_OK : TW_NOMEM;
}
