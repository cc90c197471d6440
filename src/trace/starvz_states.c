/* Writes StarVZ's tables of states and variables, with the columns that pj_dump prints for a trace of StarPU. Dates are
 * in milliseconds. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/starvz.h"
#include "base/print.h"
#include "trace/events.h"
#include "trace/teams.h"
#include "trace/usage.h"

void tw__starvz_span(FILE *f, int64_t start_ns, int64_t end_ns)
{
	fputs(", ", f);
	tw__print_milliseconds(f, start_ns);
	fputs(", ", f);
	tw__print_milliseconds(f, end_ns);
	fputs(", ", f);
	tw__print_milliseconds(f, end_ns - start_ns);
}

/* --- the table of executions and idle times ----------------------------------------------------------------------- */

static void print_state(FILE *f, const struct tw__starvz *s, tw_worker w, int64_t start_ns, int64_t end_ns)
{
	fputs("State, ", f);
	fputs(s->resources[w], f);
	fputs(", Worker State", f);
	tw__starvz_span(f, start_ns, end_ns);
	fputs(", 0.000000, ", f);
}

static void print_execution(FILE *f, const struct tw__starvz *s, const struct tw__event *e, tw_worker w,
                            int64_t start_ns)
{
	const struct tw_graph *g = s->t->graph;
	const struct tw__kernel *k = &g->kernels[g->kernel[e->task]];
	uint64_t bytes = 0;
	for (uint32_t a = g->access_start[e->task]; a < g->access_start[e->task + 1]; a++)
		bytes += g->data_bytes[tw__access_data(g->access[a])];
	print_state(f, s, w, start_ns, e->date);
	tw__print_csv(f, k->name);
	fprintf(f, ", %" PRIu64 ", ", bytes);
	tw__starvz_parameters(f, s, e->task, '_');
	fputs(", ", f);
	tw__starvz_footprint(f, s, e->task);
	fputs(", 0, ", f);
	tw__starvz_print_job(f, s, e->task);
	fputs(", ", f);
	if (e->task < s->t->program->n_tasks)
		fprintf(f, "%d", (int)s->order[e->task]);
	fputs(", ", f);
	tw__starvz_gflop(f, k->flops);
	fputs(", 0, 0, -1, -1\n", f);
}

static void print_idle(FILE *f, const struct tw__starvz *s, tw_worker w, int64_t from_ns, int64_t to_ns)
{
	if (from_ns >= to_ns)
		return;
	print_state(f, s, w, from_ns, to_ns);
	fputs("Idle, , , , , , , , , , , \n", f);
}

void tw__starvz_worker_states(FILE *f, const struct tw__starvz *s)
{
	struct tw__events all;
	int n_workers = s->t->platform->n_workers;
	struct {
		int64_t start_ns, free_ns;
	} *workers = tw_alloc((size_t)n_workers, sizeof *workers);
	struct tw__teams teams;
	tw__teams_init(&teams, n_workers, tw_alloc((size_t)n_workers, sizeof *teams.joined));
	fputs("Nature, ResourceId, Type, Start, End, Duration, Depth, Value, Size, Params, Footprint, Tag, JobId, "
	      "SubmitOrder, GFlop, X, Y, "
	      "Iteration, Subiteration\n",
	      f);
	tw__events_begin(&all, s->t->record);
	for (const struct tw__event *e; !ferror(f) && (e = tw__events_next(&all));) {
		if (tw__is_message_step(s->t->graph, e))
			continue;
		if (e->kind == TW__START) {
			workers[e->worker].start_ns = e->date;
			print_idle(f, s, e->worker, workers[e->worker].free_ns, workers[e->worker].start_ns);
		} else if (e->kind == TW__END || e->kind == TW__CANCEL) {
			const int64_t start_ns = workers[e->worker].start_ns;
			print_execution(f, s, e, e->worker, start_ns);
			workers[e->worker].free_ns = e->date;
			for (tw_worker w = 0; (w = tw__teams_next(&teams, e->task, w)) != TW_NONE; w++) {
				print_idle(f, s, w, workers[w].free_ns, start_ns);
				print_execution(f, s, e, w, start_ns);
				workers[w].free_ns = e->date;
			}
			tw__teams_leave(&teams, e->task);
		} else if (e->kind == TW__JOIN) {
			tw__teams_join(&teams, e);
		}
	}
	for (tw_worker w = 0; w < n_workers; w++)
		print_idle(f, s, w, workers[w].free_ns, s->t->end_ns);
	free(workers);
	free(teams.joined);
}

/* --- the table of counters ---------------------------------------------------------------------------------------- */

/* StarPU's names of counters, and units. StarPU's MB are MiB for memory, and 10^6 bytes for bandwidths. StarPU has no
 * counters of links. "LINK" stands for the link's name. */
static const struct {
	const char *resource, *type;
	double unit;
} variables[TW__N_COUNTERS] = {
	[TW__MEMORY_USED] = {"MEMMANAGER", "Used (MB)", 1 << 20},
	[TW__MEMORY_IN] = {"MEMMANAGER", "Bandwidth In (MB/s)", 1e6},
	[TW__MEMORY_OUT] = {"MEMMANAGER", "Bandwidth Out (MB/s)", 1e6},
	[TW__LINK_USED] = {"LINK", "Bandwidth (MB/s)", 1e6},
	[TW__LINK_CAPACITY] = {"LINK", "Capacity (MB/s)", 1e6},
	[TW__TASKS_READY] = {"scheduler", "Number of Ready Tasks", 1},
	[TW__TASKS_SUBMITTED] = {"scheduler", "Number of Submitted Uncompleted Tasks", 1},
};

struct counting {
	FILE *f;
	const struct tw__starvz *s;
	struct {
		int64_t since_ns, value; /* value of a counter since this date; since_ns -1: no value yet */
	} * last[TW__N_COUNTERS];
};

static void print_resource(FILE *f, const struct tw__starvz *s, enum tw__counter kind, int i)
{
	const struct tw__platform *p = s->t->platform;
	if (kind == TW__LINK_USED || kind == TW__LINK_CAPACITY) {
		fputs("LINK_", f);
		for (const char *c = p->links[i].name; *c; c++)
			putc(isalnum((unsigned char)*c) || *c == '-' ? *c : '_', f);
	} else if (kind == TW__TASKS_READY || kind == TW__TASKS_SUBMITTED) {
		fputs(variables[kind].resource, f);
	} else {
		tw__starvz_memory(f, s, variables[kind].resource, i);
	}
}

/* Writes the counter's last value, with the time from its change to `until_ns`. */
static void print_variable(struct counting *c, enum tw__counter kind, int i, int64_t until_ns)
{
	if (c->last[kind][i].since_ns < 0 || c->last[kind][i].since_ns >= until_ns)
		return;
	fputs("Variable, ", c->f);
	print_resource(c->f, c->s, kind, i);
	fprintf(c->f, ", %s", variables[kind].type);
	tw__starvz_span(c->f, c->last[kind][i].since_ns, until_ns);
	fputs(", ", c->f);
	/* Prints the value with six decimals, for which it uses the function for milliseconds. */
	tw__print_milliseconds(c->f, tw__nanoseconds((double)c->last[kind][i].value / variables[kind].unit * 1e-3));
	putc('\n', c->f);
}

static void count(void *context, int64_t date_ns, enum tw__counter kind, int i, int64_t value)
{
	struct counting *c = context;
	print_variable(c, kind, i, date_ns);
	c->last[kind][i].since_ns = date_ns;
	c->last[kind][i].value = value;
}

void tw__starvz_variables(FILE *f, const struct tw__starvz *s)
{
	const struct tw__platform *p = s->t->platform;
	struct counting c = {.f = f, .s = s};
	const int n[TW__N_COUNTERS] = {p->n_nodes, p->n_nodes, p->n_nodes, p->n_links, p->n_links, 1, 1};
	for (int kind = 0; kind < TW__N_COUNTERS; kind++) {
		c.last[kind] = tw_alloc((size_t)n[kind], sizeof *c.last[kind]);
		for (int i = 0; i < n[kind]; i++)
			c.last[kind][i].since_ns = -1;
	}
	struct tw__usage *usage = tw__usage_create(s->t, TW__USAGE_USUAL | TW__USAGE_MEMORY_RATES, count, &c);
	fputs("Nature, ResourceId, Type, Start, End, Duration, Value\n", f);
	tw__usage_pass(usage, NULL);
	tw__usage_destroy(usage);
	for (int kind = 0; kind < TW__N_COUNTERS; kind++) {
		for (int i = 0; i < n[kind]; i++)
			print_variable(&c, (enum tw__counter)kind, i, s->t->end_ns);
		free(c.last[kind]);
	}
}
