/* Writes Chrome trace events, for Perfetto and chrome://tracing: JSON with one event per line and dates in
 * microseconds.
 *
 * Process 1 has a thread per worker. Process 2 has one or more lanes per ordered pair of memories, so that transfers
 * in a lane do not overlap. Process 3 has a counter per memory, process 4 has one per used link, and process 5 has
 * counters of ready and submitted tasks. Process 6 has a counter per link whose capacity changes. Arrows lead from
 * tasks and transfers to tasks.
 *
 * Of n > 1 nodes of a cluster, node r has process 1 + r, with its workers, the transfers within it, and its memories.
 * The numbers of other processes are n - 1 higher, and process 2 shows messages alone. Arrows also lead to messages,
 * and from them. The object otherData has platform, makespan_s, and the kernels in
 * the graph's order. It also describes the rows of processes 1, 3 and 4: workers' archs, memories' capacities (0:
 * unbounded or unknown) and links' bandwidths. The array tilewright is the run section (run_section.h). */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/print.h"
#include "graph/ranks.h"
#include "trace/event_fields.h"
#include "trace/events.h"
#include "trace/teams.h"
#include "trace/usage.h"

enum { PID_WORKERS = 1, PID_TRANSFERS = 2, PID_MEMORIES = 3, PID_LINKS = 4, PID_TASKS = 5, PID_CAPACITIES = 6 };

/* A lane: a row of process 2 with transfers between one ordered pair of memories, one at a time. */
struct lane {
	int next; /* the next lane of this pair of memories, or -1 */
	bool busy;
	size_t start; /* index of the start event of the lane's current transfer; valid while busy */
};

/* A bar: an execution or a transfer. */
struct bar {
	int pid, tid; /* the row */
	tw__ns start, end;
};

/* A copy that a transfer brought, until an execution that uses it has ended. */
struct landed {
	bool is_there;
	bool is_message; /* and no other transfer has taken it on */
	tw_task user;    /* the task that runs with it; TW_NONE: none yet */
	struct bar bar;
};

struct chrome {
	struct tw__arena memory;
	FILE *f;
	bool has_events; /* whether the list of events in the file has one */
	const struct tw__trace *t;
	size_t *other_end; /* of each transfer (tw__record_pairs) */
	int *first_lane;   /* [from * n_nodes + to] the first lane of each pair of memories, or -1 */
	struct lane *lanes;
	size_t n_lanes, lanes_capacity;

	/* Of arrows: */
	tw_task *last;         /* [n_tasks] the predecessor that was released last, so far; TW_NONE: none */
	struct bar *ran;       /* [n_tasks] the last execution of each task; start -1: none */
	struct landed *landed; /* [data * most_places + place of the memory in its cluster's node] */
	int *place, most_places;
	uint64_t n_arrows; /* so far */
	struct tw__teams teams;
};

/* Returns the number of a process, or of that of a cluster's node. */
static bool is_cluster(const struct chrome *c) { return c->t->platform->n_ranks > 1; }
static int process_of(const struct chrome *c, int pid)
{
	return is_cluster(c) ? pid + c->t->platform->n_ranks - 1 : pid;
}
static int process_of_rank(int rank) { return PID_WORKERS + rank; }

/* Writes the separator before an event, and the event's opening brace. */
static void begin_event(struct chrome *c)
{
	fputs(c->has_events ? ",\n{" : "\n{", c->f);
	c->has_events = true;
}

/* Writes two metadata events: the name and the position of a process or thread. */
static void name_row(struct chrome *c, int pid, int tid, const char *what, const char *name)
{
	begin_event(c);
	fprintf(c->f, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_name\",\"args\":{\"name\":", pid, tid, what);
	tw__print_json(c->f, name);
	fputs("}}", c->f);
	begin_event(c);
	fprintf(c->f, "\"ph\":\"M\",\"pid\":%d,\"tid\":%d,\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%d}}",
	        pid, tid, what, tid ? tid : pid);
}

/* --- arrows ------------------------------------------------------------------------------------------------------- */

/* Arrows are flow events, from the task that released another to that task, and from a transfer to the first task that
 * uses the copy. An execution has one arrow from a task: its predecessor that was released last. Others did not hold it
 * up, and some tasks have thousands. A transfer has at most one arrow. None is drawn if the copy becomes invalid before
 * a task reads it, or if only other transfers do. */

static void print_end(struct chrome *c, const char *phase, const char *kind, const struct bar *bar, tw__ns date)
{
	begin_event(c);
	fprintf(c->f, "\"ph\":%s,\"pid\":%d,\"tid\":%d,\"ts\":", phase, bar->pid, bar->tid);
	tw__print_microseconds(c->f, date);
	fprintf(c->f, ",\"id\":%" PRIu64 ",\"cat\":\"%s\",\"name\":\"%s\"}", c->n_arrows, kind, kind);
}

/* Viewers attach each end to the bar that encloses the date, and at the edge between two bars they choose differently.
 * So both dates lie a nanosecond within their bars. */
static void print_arrow(struct chrome *c, const char *kind, const struct bar *from, const struct bar *to)
{
	c->n_arrows++;
	print_end(c, "\"s\"", kind, from, tw__latest(from->start, from->end - 1));
	print_end(c, "\"f\",\"bp\":\"e\"", kind, to, tw__earliest(to->start + 1, to->end));
}

static struct landed *landed_at(const struct chrome *c, tw_data d, tw_node n)
{
	return &c->landed[(size_t)d * (size_t)c->most_places + (size_t)c->place[n]];
}

/* The task takes the copies that it reads. A copy that it only writes is no longer the one that was transferred. */
static void take_copies(const struct chrome *c, const struct tw__event *e)
{
	const struct tw_graph *g = c->t->graph;
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++) {
		enum tw_mode mode = tw__access_mode(g->access[i]);
		struct landed *l = landed_at(c, tw__access_data(g->access[i]), e->node);
		if (l->user == TW_NONE && (mode & TW_R))
			l->user = e->task;
		else if (mode == TW_W)
			l->is_there = false;
	}
}

/* Writes the arrows to an execution. */
static void print_arrows(struct chrome *c, const struct tw__event *e, const struct bar *bar)
{
	const struct tw_graph *g = c->t->graph;
	if (c->last[e->task] != TW_NONE)
		print_arrow(c, "dependency", &c->ran[c->last[e->task]], bar);
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++) {
		struct landed *l = landed_at(c, tw__access_data(g->access[i]), e->node);
		if (l->is_there && l->user == e->task) {
			print_arrow(c, "transfer", &l->bar, bar);
			l->is_there = false;
		}
	}
}

/* Writes the arrow to a message from the task that wrote its content, or from a message to the first transfer that
 * takes it on within the node. */
static void print_message_arrow(struct chrome *c, const struct tw__event *e, const struct bar *bar, bool is_message)
{
	const struct tw__ranks *ranks = c->t->graph->ranks;
	if (is_message) {
		const int32_t message = ranks ? tw__message_of_transfer(ranks, e->offset) : TW_NONE;
		const tw_task from = message == TW_NONE ? TW_NONE : c->last[ranks->messages[message].send];
		if (from != TW_NONE && c->ran[from].start >= 0)
			print_arrow(c, "message", &c->ran[from], bar);
		return;
	}
	struct landed *l = landed_at(c, e->data, e->from);
	if (l->is_there && l->is_message)
		print_arrow(c, "message", &l->bar, bar);
	l->is_message = false;
}

/* --- bars --------------------------------------------------------------------------------------------------------- */

static void print_span(struct chrome *c, const struct bar *bar)
{
	begin_event(c);
	fprintf(c->f, "\"ph\":\"X\",\"pid\":%d,\"tid\":%d,\"ts\":", bar->pid, bar->tid);
	tw__print_microseconds(c->f, bar->start);
	fputs(",\"dur\":", c->f);
	tw__print_microseconds(c->f, bar->end - bar->start);
}

/* Writes a task's execution on the worker, unless the record lacks its start. */
static void print_task(struct chrome *c, const struct tw__event *e, tw_worker w)
{
	const struct tw_graph *g = c->t->graph;
	const struct tw__kernel *kernel = &g->kernels[g->kernel[e->task]];
	struct bar bar = c->ran[e->task];
	if (bar.start < 0)
		return;
	bar.tid = w + 1;
	print_span(c, &bar);
	fputs(",\"cat\":\"task\",\"name\":", c->f);
	tw__print_json(c->f, kernel->name);
	fprintf(c->f, ",\"args\":{\"task\":%d,\"size\":", (int)e->task);
	tw__print_json(c->f, kernel->size);
	fputs(",\"data\":\"", c->f);
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++)
		fprintf(c->f, "%s%d %s", i > g->access_start[e->task] ? ", " : "", (int)tw__access_data(g->access[i]),
		        tw_mode_name(tw__access_mode(g->access[i])));
	fputs(e->kind == TW__CANCEL ? "\",\"cancelled\":true}}" : "\"}}", c->f);
	if (w == e->worker)
		print_arrows(c, e, &bar);
}

/* Returns the row of a lane. */
static struct bar row_of_lane(const struct chrome *c, tw_node from, tw_node to, int lane)
{
	const struct tw__platform *p = c->t->platform;
	const int rank = p->nodes[to].rank;
	if (is_cluster(c) && p->nodes[from].rank == rank)
		return (struct bar){.pid = process_of_rank(rank), .tid = p->n_workers + lane + 1};
	return (struct bar){.pid = process_of(c, PID_TRANSFERS), .tid = lane + 1};
}

/* Finds or adds an idle lane of this pair of memories. */
static int find_lane(struct chrome *c, tw_node from, tw_node to)
{
	int pair = from * c->t->platform->n_nodes + to, last = -1;
	for (int i = c->first_lane[pair]; i >= 0; i = c->lanes[i].next) {
		if (!c->lanes[i].busy)
			return i;
		last = i;
	}
	TW_RESERVE(c->lanes, c->lanes_capacity, c->n_lanes + 1);
	int added = (int)c->n_lanes++;
	c->lanes[added] = (struct lane){.next = -1};
	if (last < 0)
		c->first_lane[pair] = added;
	else
		c->lanes[last].next = added;
	char name[256];
	snprintf(name, sizeof name, "%s to %s", c->t->platform->nodes[from].name, c->t->platform->nodes[to].name);
	const struct bar row = row_of_lane(c, from, to, added);
	name_row(c, row.pid, row.tid, "thread", name);
	return added;
}

static void start_transfer(struct chrome *c, const struct tw__event *e, size_t i)
{
	int lane = find_lane(c, e->from, e->node);
	c->lanes[lane].busy = true;
	c->lanes[lane].start = i;
}

/* Writes a transfer with the cause of its start event, because a prefetch may have become a demand since. */
static void end_transfer(struct chrome *c, const struct tw__event *e, size_t start)
{
	const struct tw__event *begun = &c->t->record->events[start];
	int lane = c->first_lane[e->from * c->t->platform->n_nodes + e->node];
	while (lane >= 0 && (!c->lanes[lane].busy || c->lanes[lane].start != start))
		lane = c->lanes[lane].next;
	if (lane < 0)
		return; /* the record lacks the start */
	struct bar bar = row_of_lane(c, e->from, e->node, lane);
	bar.start = begun->date;
	bar.end = e->date;
	print_span(c, &bar);
	const bool is_message = c->t->platform->nodes[e->from].rank != c->t->platform->nodes[e->node].rank;
	fprintf(c->f,
	        ",\"cat\":\"%s\",\"name\":\"data %d\",\"args\":{\"data\":%d,\"bytes\":%" PRIu64 ",\"cause\":\"%s\"}}",
	        is_message ? "message" : "transfer", (int)e->data, (int)e->data, e->bytes,
	        tw__cause_names[begun->cause]);
	c->lanes[lane].busy = false;
	if (is_cluster(c))
		print_message_arrow(c, e, &bar, is_message);
	*landed_at(c, e->data, e->node) = (struct landed){true, is_message, TW_NONE, bar};
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static void print_counter(void *context, int64_t date_ns, enum tw__counter kind, int i, int64_t value)
{
	struct chrome *c = context;
	const struct tw__platform *p = c->t->platform;
	int pid, tid = i + 1;
	const char *name, *unit;
	switch (kind) {
	case TW__MEMORY_USED:
		pid = PID_MEMORIES, tid = is_cluster(c) ? 0 : tid, name = p->nodes[i].name, unit = "used_bytes";
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
	pid = kind == TW__MEMORY_USED && is_cluster(c) ? process_of_rank(p->nodes[i].rank) : process_of(c, pid);
	begin_event(c);
	fprintf(c->f, "\"ph\":\"C\",\"pid\":%d,\"tid\":%d,\"ts\":", pid, tid);
	tw__print_microseconds(c->f, date_ns);
	fputs(",\"name\":", c->f);
	tw__print_json(c->f, name);
	fprintf(c->f, ",\"args\":{\"%s\":%" PRId64 "}}", unit, value);
}

static bool print_event(void *context, const struct tw__event *e, size_t i)
{
	struct chrome *c = context;
	const struct tw_graph *g = c->t->graph;
	switch (e->kind) {
	case TW__START:
		c->ran[e->task] = (struct bar){process_of_rank(c->t->platform->workers[e->worker].rank), e->worker + 1,
		                               e->date, e->date};
		take_copies(c, e);
		break;
	case TW__END:
	case TW__CANCEL:
		c->ran[e->task].end = e->date;
		print_task(c, e, e->worker);
		for (tw_worker w = 0; (w = tw__teams_next(&c->teams, e->task, w)) != TW_NONE; w++)
			print_task(c, e, w);
		tw__teams_leave(&c->teams, e->task);
		break;
	case TW__JOIN:
		tw__teams_join(&c->teams, e);
		break;
	case TW__RELEASE:
		for (uint32_t s = g->successor_start[e->task]; s < g->successor_start[e->task + 1]; s++)
			c->last[g->successor[s]] = e->task;
		break;
	case TW__TRANSFER_START:
		start_transfer(c, e, i);
		break;
	case TW__TRANSFER_END:
		if (c->other_end[i] != SIZE_MAX)
			end_transfer(c, e, c->other_end[i]);
		break;
	case TW__INVALID:
	case TW__FREE:
		landed_at(c, e->data, e->node)->is_there = false;
		break;
	default:
		break;
	}
	return !ferror(c->f);
}

static void print_all(struct chrome *c)
{
	const struct tw__platform *p = c->t->platform;
	const char *const processes[] = {"Workers",     is_cluster(c) ? "Messages" : "Transfers",
	                                 "Memory used", "Link used",
	                                 "Tasks",       "Link capacity"};
	tw__chrome_head(c->f, c->t);
	for (int r = 0; is_cluster(c) && r < p->n_ranks; r++)
		name_row(c, process_of_rank(r), 0, "process", p->rank_names[r]);
	for (int i = 0; i < 6; i++)
		if (!is_cluster(c) || (i != PID_WORKERS - 1 && i != PID_MEMORIES - 1))
			name_row(c, process_of(c, PID_WORKERS + i), 0, "process", processes[i]);
	for (tw_worker w = 0; w < p->n_workers; w++)
		name_row(c, process_of_rank(p->workers[w].rank), w + 1, "thread", p->workers[w].name);
	/* Name all memories and links in order, even those that are never used. */
	for (tw_node n = 0; !is_cluster(c) && n < p->n_nodes; n++)
		name_row(c, PID_MEMORIES, n + 1, "thread", p->nodes[n].name);
	for (int l = 0; l < p->n_links; l++)
		name_row(c, process_of(c, PID_LINKS), l + 1, "thread", p->links[l].name);
	struct tw__usage *usage = tw__usage_create(c->t, TW__USAGE_USUAL, print_counter, c);
	tw__usage_pass(usage, print_event);
	tw__usage_destroy(usage);
	tw__chrome_end(c->f, c->t);
}

void tw__write_chrome(FILE *f, const struct tw__trace *t)
{
	size_t n_tasks = (size_t)t->graph->n_tasks, n_nodes = (size_t)t->platform->n_nodes;
	struct chrome c = {.f = f, .t = t, .other_end = tw__record_pairs(t->record)};
	c.first_lane = tw__arena_alloc(&c.memory, n_nodes * n_nodes, sizeof *c.first_lane);
	c.last = tw__arena_alloc(&c.memory, n_tasks, sizeof *c.last);
	c.ran = tw__arena_alloc(&c.memory, n_tasks, sizeof *c.ran);
	c.place = tw__arena_alloc(&c.memory, n_nodes, sizeof *c.place);
	int *placed = tw__arena_alloc(&c.memory, (size_t)t->platform->n_ranks + 1, sizeof *placed);
	for (size_t n = 0; n < n_nodes; n++) {
		c.place[n] = placed[t->platform->nodes[n].rank]++;
		c.most_places = c.place[n] >= c.most_places ? c.place[n] + 1 : c.most_places;
	}
	c.landed = tw__arena_alloc(&c.memory, (size_t)t->graph->n_data * (size_t)c.most_places, sizeof *c.landed);
	for (size_t i = 0; i < n_tasks; i++) {
		c.ran[i].start = -1;
		c.last[i] = TW_NONE;
	}
	for (size_t i = 0; i < n_nodes * n_nodes; i++)
		c.first_lane[i] = -1;
	tw__teams_init(&c.teams, t->platform->n_workers,
	               tw__arena_alloc(&c.memory, (size_t)t->platform->n_workers, sizeof *c.teams.joined));
	print_all(&c);
	free(c.lanes);
	free(c.other_end);
	tw__arena_finish(&c.memory);
}
