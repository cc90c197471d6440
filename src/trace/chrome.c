/* Chrome trace events, for Perfetto and chrome://tracing: JSON with one event a line, dates in microseconds.
 *
 * Process 1 has a thread per worker, process 2 one or more lanes per ordered pair of memories (as many as its transfers overlap),
 * process 3 a counter per memory. In otherData: platform, makespan_s, and the kernels in the graph's order. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <uthash.h>

#include "trace/formats.h"
#include "trace/text.h"

enum { PID_WORKERS = 1, PID_TRANSFERS = 2, PID_MEMORIES = 3 };

/* A row of process 2: transfers of one pair, one at a time. */
struct lane {
	int next; /* of the same pair, or -1 */
	bool busy;
};

struct moving {
	uint64_t id;
	int64_t start_ns;
	int lane;
	uint8_t cause; /* at the start: a prefetch may become a demand meanwhile */
	UT_hash_handle hh;
};

struct chrome {
	FILE *f;
	const struct tw__trace *t;
	bool first;       /* no event written yet */
	int64_t *started; /* [n_tasks] ns; -1 */
	uint64_t *used;   /* [n_nodes] bytes */
	int *first_lane;  /* [from * n_nodes + to], or -1 */
	struct lane *lanes;
	int n_lanes, lanes_capacity;
	struct moving *moving;
};

static void begin(struct chrome *c)
{
	fputs(c->first ? "\n{" : ",\n{", c->f);
	c->first = false;
}

/* Metadata: what a process or thread is called, and where it stands. */
static void name_row(struct chrome *c, int pid, int tid, const char *what, const char *name)
{
	begin(c);
	fprintf(c->f, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_name\",\"args\":{\"name\":", pid, tid, what);
	tw__print_json(c->f, name);
	fputs("}}", c->f);
	begin(c);
	fprintf(c->f, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%d}}",
	        pid, tid, what, tid ? tid : pid);
}

static void print_span(struct chrome *c, int pid, int tid, int64_t from_ns, int64_t to_ns)
{
	begin(c);
	fprintf(c->f, "\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":", pid, tid);
	tw__print_microseconds(c->f, from_ns);
	fputs(",\"dur\":", c->f);
	tw__print_microseconds(c->f, to_ns - from_ns);
}

static void print_task(struct chrome *c, const struct tw__event *e)
{
	const struct tw_graph *g = c->t->graph;
	const struct tw__kernel *kernel = &g->kernels[g->kernel[e->task]];
	if (c->started[e->task] < 0)
		return;
	print_span(c, PID_WORKERS, e->worker + 1, c->started[e->task], tw__nanoseconds(e->date));
	fputs(",\"cat\":\"task\",\"name\":", c->f);
	tw__print_json(c->f, kernel->name);
	fprintf(c->f, ",\"args\":{\"task\":%d,\"size\":", (int)e->task);
	tw__print_json(c->f, kernel->size);
	fputs(",\"data\":\"", c->f);
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++)
		fprintf(c->f, "%s%d %s", i > g->access_start[e->task] ? ", " : "", (int)tw__access_data(g->access[i]),
		        tw_mode_name(tw__access_mode(g->access[i])));
	fputs(e->kind == TW__CANCEL ? "\",\"cancelled\":true}}" : "\"}}", c->f);
}

/* A lane of that pair on which nothing moves, found or added; negative: out of memory. */
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

static bool start_transfer(struct chrome *c, const struct tw__event *e)
{
	struct moving *m = malloc(sizeof *m);
	int lane = take_lane(c, e->from, e->node);
	if (!m || lane < 0) {
		free(m);
		return false;
	}
	*m = (struct moving){.id = e->offset, .start_ns = tw__nanoseconds(e->date), .lane = lane, .cause = e->cause};
	HASH_ADD(hh, c->moving, id, sizeof m->id, m);
	if (!m->hh.tbl) {
		free(m);
		return false;
	}
	return true;
}

static void end_transfer(struct chrome *c, const struct tw__event *e)
{
	struct moving *m;
	HASH_FIND(hh, c->moving, &e->offset, sizeof e->offset, m);
	if (!m)
		return;
	print_span(c, PID_TRANSFERS, m->lane + 1, m->start_ns, tw__nanoseconds(e->date));
	fprintf(c->f,
	        ",\"cat\":\"transfer\",\"name\":\"data %d\",\"args\":{\"data\":%d,\"bytes\":%" PRIu64
	        ",\"cause\":\"%s\"}}",
	        (int)e->data, (int)e->data, e->bytes, tw__cause_names[m->cause]);
	c->lanes[m->lane].busy = false;
	HASH_DEL(c->moving, m);
	free(m);
}

static void print_memory(struct chrome *c, tw_node n, double date)
{
	begin(c);
	fprintf(c->f, "\"ph\":\"C\",\"pid\":%d,\"tid\":%d,\"ts\":", PID_MEMORIES, (int)n + 1);
	tw__print_microseconds(c->f, tw__nanoseconds(date));
	fputs(",\"name\":", c->f);
	tw__print_json(c->f, c->t->platform->nodes[n].name);
	fprintf(c->f, ",\"args\":{\"used_bytes\":%" PRIu64 "}}", c->used[n]);
}

static bool print_event(struct chrome *c, const struct tw__event *e)
{
	switch (e->kind) {
	case TW__START:
		c->started[e->task] = tw__nanoseconds(e->date);
		return true;
	case TW__END:
	case TW__CANCEL:
		print_task(c, e);
		return true;
	case TW__TRANSFER_START:
		return start_transfer(c, e);
	case TW__TRANSFER_END:
		end_transfer(c, e);
		return true;
	case TW__ALLOC:
	case TW__FREE:
		c->used[e->node] += e->kind == TW__ALLOC ? e->bytes : -e->bytes;
		if (c->t->shows_memory[e->node])
			print_memory(c, e->node, e->date);
		return true;
	default:
		return true;
	}
}

static bool print_all(struct chrome *c)
{
	const struct tw_platform *p = c->t->platform;
	const struct tw__record *r = c->t->record;
	fputs("{\"displayTimeUnit\":\"ms\",\"otherData\":{\"platform\":", c->f);
	tw__print_json(c->f, p->name);
	fputs(",\"makespan_s\":", c->f);
	tw__print_seconds(c->f, tw__nanoseconds(r->makespan));
	fputs(",\"kernels\":[", c->f);
	for (int i = 0; i < c->t->n_names; i++) {
		fputs(i ? "," : "", c->f);
		tw__print_json(c->f, c->t->names[i]);
	}
	fputs("]},\"traceEvents\":[", c->f);
	name_row(c, PID_WORKERS, 0, "process", "Workers");
	name_row(c, PID_TRANSFERS, 0, "process", "Transfers");
	name_row(c, PID_MEMORIES, 0, "process", "Memory used");
	for (tw_worker w = 0; w < p->n_workers; w++)
		name_row(c, PID_WORKERS, w + 1, "thread", p->workers[w].name);
	for (tw_node n = 0; n < p->n_nodes; n++) {
		/* Memories stand in order, whether or not anything is known of their use. */
		name_row(c, PID_MEMORIES, n + 1, "thread", p->nodes[n].name);
		if (c->t->shows_memory[n])
			print_memory(c, n, 0);
	}
	for (size_t i = 0; i < r->n && !ferror(c->f); i++)
		if (!print_event(c, &r->events[i]))
			return false;
	fputs("\n]}\n", c->f);
	return true;
}

int tw__write_chrome(FILE *f, const struct tw__trace *t)
{
	size_t n_tasks = (size_t)t->graph->n_tasks, n_nodes = (size_t)t->platform->n_nodes;
	struct chrome c = {
		.f = f,
		.t = t,
		.first = true,
		.started = malloc((n_tasks + 1) * sizeof *c.started),
		.used = calloc(n_nodes + 1, sizeof *c.used),
		.first_lane = malloc((n_nodes * n_nodes + 1) * sizeof *c.first_lane),
	};
	bool ok = c.started && c.used && c.first_lane;
	if (ok) {
		for (size_t i = 0; i < n_tasks; i++)
			c.started[i] = -1;
		for (size_t i = 0; i < n_nodes * n_nodes; i++)
			c.first_lane[i] = -1;
		ok = print_all(&c);
	}
	struct moving *m, *next;
	HASH_ITER(hh, c.moving, m, next)
	{
		HASH_DEL(c.moving, m);
		free(m);
	}
	free(c.started);
	free(c.used);
	free(c.first_lane);
	free(c.lanes);
	return ok ? TW_OK : TW_NOMEM;
}
