#include "trace/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "base/least.h"
#include "graph/parts.h"
#include "trace/formats.h"
#include "trace/teams.h"

static void finish_samples(struct tw__samples *s)
{
	for (int c = 0; c < s->n_counters; c++)
		free(s->of[c].list);
	free(s->of);
}

void tw__schedule_finish(struct tw__schedule *s)
{
	for (int i = 0; i < s->n_made; i++)
		free(s->made[i]);
	free(s->made);
	free(s->kernels);
	free(s->capacity_bytes);
	free(s->links);
	free(s->boxes);
	finish_samples(&s->used);
	finish_samples(&s->use);
	finish_samples(&s->tasks);
	*s = (struct tw__schedule){0};
}

void tw__schedule_add_box(struct tw__schedule *s, int worker, int kernel, int task, tw__ns start, tw__ns end)
{
	TW_RESERVE(s->boxes, s->boxes_capacity, s->n_boxes + 1);
	s->boxes[s->n_boxes++] = (struct tw__box){worker, kernel, start, end, 1, task};
}

void tw__series_add(struct tw__series *s, tw__ns date, double value)
{
	TW_RESERVE(s->list, s->capacity, s->n + 1);
	s->list[s->n++] = (struct tw__sample){date, value};
}

void tw__samples_init(struct tw__samples *s, int n)
{
	*s = (struct tw__samples){.of = tw_alloc((size_t)n, sizeof *s->of), .n_counters = n};
}

size_t tw__samples_count(const struct tw__samples *s)
{
	size_t n = 0;
	for (int c = 0; c < s->n_counters; c++)
		n += s->of[c].n;
	return n;
}

/* --- from a record ------------------------------------------------------------------------------------------------ */

struct link_use {
	int index;          /* of the link in schedule.links; TW_NONE: unused */
	double passes, can; /* bytes/s that it passes, and can pass */
};

struct maker {
	struct tw__schedule *s;
	const struct tw__trace *trace;
	struct link_use *links; /* [n_links of the platform] */
	tw__ns *started;        /* [n_workers] start of the kernel that each worker runs */
	int *kernel_of; /* [parts of the graph * names of the trace] kernel in the schedule; TW_NONE: no task has it */
	struct tw__teams teams;
	tw__usage_fn *also; /* or NULL */
	void *context;
};

static int *kernel_of(const struct maker *m, tw_task task)
{
	const struct tw__trace *t = m->trace;
	return &m->kernel_of[tw__graph_part_of(t->graph, task) * t->n_names +
	                     t->name_of_kernel[t->graph->kernel[task]]];
}

/* Names the kernels, and tells apart those that tasks of several graphs have. */
static void name_kernels(struct maker *m)
{
	const struct tw__trace *t = m->trace;
	struct tw__schedule *s = m->s;
	const int n_parts = tw__graph_n_parts(t->graph);
	const size_t most = (size_t)n_parts * (size_t)t->n_names;
	m->kernel_of = tw_alloc(most, sizeof *m->kernel_of);
	s->kernels = tw_alloc(most, sizeof *s->kernels);
	s->made = tw_alloc(most, sizeof *s->made);
	for (size_t i = 0; i < most; i++)
		m->kernel_of[i] = TW_NONE;
	for (tw_task task = 0; n_parts > 1 && task < t->graph->n_tasks; task++)
		*kernel_of(m, task) = 0;
	for (int i = 0; i < t->n_names; i++) {
		int users = 0;
		for (int part = 0; part < n_parts; part++)
			users += m->kernel_of[part * t->n_names + i] != TW_NONE;
		for (int part = 0; part < n_parts && users > 1; part++) {
			int *kernel = &m->kernel_of[part * t->n_names + i];
			if (*kernel == TW_NONE)
				continue;
			s->made[s->n_made] = tw_format("%s of graph %d", t->names[i], part);
			s->kernels[s->n_kernels] = s->made[s->n_made++];
			*kernel = s->n_kernels++;
		}
		for (int part = 0; part < n_parts && users <= 1; part++)
			m->kernel_of[part * t->n_names + i] = s->n_kernels;
		if (users <= 1)
			s->kernels[s->n_kernels++] = t->names[i];
	}
}

/* Adds the use of a link from `date` on, if it differs from the last one. Replaces the last one if it has this date. */
static void add_use(struct maker *m, const struct link_use *link, tw__ns date)
{
	struct tw__series *use = &m->s->use.of[link->index];
	double share = link->can > 0 ? tw__least(1, link->passes / link->can) : 0;
	struct tw__sample *last = use->n > 0 ? &use->list[use->n - 1] : NULL;
	if (last && last->date == date)
		last->value = share;
	else if (!last || fabs(last->value - share) > 0)
		tw__series_add(use, date, share);
}

/* Takes the new value of a counter. */
static void take_counter(void *context, int64_t date, enum tw__counter kind, int i, int64_t value)
{
	struct maker *m = context;
	struct tw__schedule *s = m->s;
	if (m->also)
		m->also(m->context, date, kind, i, value);
	switch (kind) {
	case TW__MEMORY_USED:
		tw__series_add(&s->used.of[i], date, (double)value);
		break;
	case TW__LINK_USED:
	case TW__LINK_CAPACITY:
		*(kind == TW__LINK_USED ? &m->links[i].passes : &m->links[i].can) = (double)value;
		if (m->links[i].index != TW_NONE)
			add_use(m, &m->links[i], date);
		break;
	case TW__TASKS_READY:
	case TW__TASKS_SUBMITTED:
		tw__series_add(&s->tasks.of[kind == TW__TASKS_READY ? TW__READY_TASKS : TW__SUBMITTED_TASKS], date,
		               (double)value);
		break;
	default:
		break;
	}
}

static bool take_event(void *context, const struct tw__event *e, size_t i)
{
	struct maker *m = context;
	(void)i;
	if (e->kind == TW__JOIN) {
		tw__teams_join(&m->teams, e);
	} else if (e->kind == TW__START) {
		m->started[e->worker] = e->date;
	} else if (e->kind == TW__END || e->kind == TW__CANCEL) {
		const int kernel = *kernel_of(m, e->task);
		tw__schedule_add_box(m->s, e->worker, kernel, e->task, m->started[e->worker], e->date);
		for (tw_worker w = 0; (w = tw__teams_next(&m->teams, e->task, w)) != TW_NONE; w++)
			tw__schedule_add_box(m->s, w, kernel, e->task, m->started[e->worker], e->date);
		tw__teams_leave(&m->teams, e->task);
	}
	return true;
}

/* Lists the links that transfers use. */
static void list_links(struct maker *m, const struct tw__usage *usage)
{
	const struct tw__platform *p = m->trace->platform;
	for (int l = 0; l < p->n_links; l++) {
		bool is_used = tw__usage_moves(usage, TW__LINK_USED, l);
		m->links[l] = (struct link_use){is_used ? m->s->n_links : TW_NONE, 0, rint(p->links[l].bandwidth)};
		if (is_used)
			m->s->links[m->s->n_links++] = l;
	}
	tw__samples_init(&m->s->use, m->s->n_links);
}

void tw__schedule_of(struct tw__schedule *s, const struct tw__traced *of) { tw__schedule_with(s, of, NULL, NULL); }

void tw__schedule_with(struct tw__schedule *s, const struct tw__traced *of, tw__usage_fn *also, void *context)
{
	const struct tw__platform *p = of->platform;
	const size_t n_links = (size_t)p->n_links;
	struct tw__trace trace;
	tw__record_sort(of->record);
	tw__trace_init(&trace, of);
	*s = (struct tw__schedule){
		.platform = p,
		.graph = of->graph,
		.workload = of->workload,
		.policy = of->policy,
		.domains = of->domains,
		.end = trace.end_ns,
		.capacity_bytes = tw_alloc((size_t)p->n_nodes, sizeof *s->capacity_bytes),
		.links = tw_alloc(n_links, sizeof *s->links),
	};
	for (tw_node n = 0; n < p->n_nodes; n++)
		s->capacity_bytes[n] = (double)tw__trace_capacity(&trace, n);
	tw__samples_init(&s->used, p->n_nodes);
	tw__samples_init(&s->tasks, TW__N_TASK_COUNTERS);
	struct maker m = {
		.s = s,
		.trace = &trace,
		.links = tw_alloc(n_links, sizeof *m.links),
		.started = tw_alloc((size_t)p->n_workers, sizeof *m.started),
		.also = also,
		.context = context,
	};
	name_kernels(&m);
	tw__teams_init(&m.teams, p->n_workers, tw_alloc((size_t)p->n_workers, sizeof *m.teams.joined));
	const unsigned counters = TW__USAGE_USUAL | (also ? TW__USAGE_SATURATED : 0);
	struct tw__usage *usage = tw__usage_create(&trace, counters, take_counter, &m);
	list_links(&m, usage);
	tw__usage_pass(usage, take_event);
	tw__usage_destroy(usage);
	free(m.links);
	free(m.kernel_of);
	free(m.started);
	free(m.teams.joined);
	tw__trace_finish(&trace);
}
