#include "trace/schedule.h"

#include <math.h>
#include <stdlib.h>

#include "base/least.h"
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
	struct tw__teams teams;
	tw__usage_fn *also; /* or NULL */
	void *context;
};

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
	const struct tw__trace *t = m->trace;
	(void)i;
	if (e->kind == TW__JOIN) {
		tw__teams_join(&m->teams, e);
	} else if (e->kind == TW__START) {
		m->started[e->worker] = e->date;
	} else if (e->kind == TW__END || e->kind == TW__CANCEL) {
		const int kernel = t->name_of_kernel[t->graph->kernel[e->task]];
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
		.kernels = trace.names,
		.n_kernels = trace.n_names,
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
	tw__teams_init(&m.teams, p->n_workers, tw_alloc((size_t)p->n_workers, sizeof *m.teams.joined));
	const unsigned counters = TW__USAGE_USUAL | (also ? TW__USAGE_SATURATED : 0);
	struct tw__usage *usage = tw__usage_create(&trace, counters, take_counter, &m);
	list_links(&m, usage);
	tw__usage_pass(usage, take_event);
	tw__usage_destroy(usage);
	free(m.links);
	free(m.started);
	free(m.teams.joined);
	trace.names = NULL; /* they are the schedule's now */
	tw__trace_finish(&trace);
}
