/* Functions that fail the run and that add events to its record. Every part of the runtime may call them. */
#include "runtime/state/state.h"

#include "base/door.h"
#include "base/memory.h"
#include "graph/reduction.h"
#include "runtime/state/threads.h"
#include "trace/event_fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tw__rt_fail(struct tw__rt *rt, int status, const char *format, ...)
{
	if (rt->status != TW_OK)
		return;
	char text[2 * sizeof rt->err->message]; /* tw_fail marks a message that is too long */
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	rt->status = tw_fail(rt->err, status, "%s", text);
}

int tw__rt_most_figures(const struct tw__rt *rt)
{
	return rt->domain_of || rt->newest_child ? TW__MOST_FIGURES : TW_MAX_FIGURES;
}

bool tw__rt_report(struct tw__rt *rt, const char *name, double value)
{
	struct tw__run_counters *c = rt->counters;
	int i = 0;
	while (i < c->n_figures && strcmp(c->figures[i].name, name) != 0)
		i++;
	if (i == tw__rt_most_figures(rt) + TW__OWN_FIGURES)
		return false;
	if (i == c->n_figures)
		snprintf(c->figures[c->n_figures++].name, sizeof c->figures->name, "%s", name);
	c->figures[i].value = value;
	return true;
}

static int32_t number_of_task(const struct tw__rank *rank, tw_task t)
{
	return t < rank->n_tasks ? t + rank->first_task : rank->appended[t - rank->n_tasks];
}

static tw_data number_of_data(const struct tw__rank *rank, const struct tw_graph *own, tw_data d)
{
	tw_data of;
	tw_worker worker;
	if (!tw__graph_is_accumulator(own, d, &of, &worker))
		return d + rank->first_data;
	return tw__graph_accumulator(rank->extended, of + rank->first_data, rank->workers[worker]);
}

/* Gives an event of a cluster's node the numbers of the whole cluster. `own`: the node's graph. */
static void renumber(const struct tw__rank *rank, const struct tw_graph *own, struct tw__event *e)
{
	for (const char *field = tw__event_fields((enum tw__event_kind)e->kind); *field; field++)
		switch (*field) {
		case 't':
			e->task = number_of_task(rank, e->task);
			break;
		case 'd':
			e->data = number_of_data(rank, own, e->data);
			break;
		case 'w':
		case 'r':
			e->worker = (int16_t)(e->worker == TW_NONE ? TW_NONE : rank->workers[e->worker]);
			break;
		case 'n':
			e->node = (int16_t)rank->nodes[e->node];
			break;
		case 'f':
			e->from = (int16_t)rank->nodes[e->from];
			break;
		default: /* bytes, offsets and causes */
			break;
		}
	if (rank->n > 1 && (e->kind == TW__TRANSFER_START || e->kind == TW__TRANSFER_END))
		e->offset = e->offset * (uint64_t)(rank->n + 1) + (uint64_t)rank->number;
}

void tw__rt_record_event(struct tw__rt *rt, struct tw__event e)
{
	if (rt->in->rank)
		renumber(rt->in->rank, rt->graph, &e);
	tw__record_add(rt->in->record, &e);
}

void tw__rt_record_kernel(struct tw__rt *rt, const struct hold *h, tw__ns start, uint8_t kind, tw__ns end, tw__ns call)
{
	if (!rt->in->record)
		return;
	struct tw__event e = {.kind = TW__START,
	                      .date = start,
	                      .task = h->task,
	                      .worker = (int16_t)h->driver->worker,
	                      .node = (int16_t)h->driver->node};
	tw__rt_record_event(rt, e);
	e.kind = kind;
	e.date = end;
	e.bytes = (uint64_t)call;
	tw__rt_record_event(rt, e);
}

static struct tw__event event_of(const struct tw__rt *rt, const struct request *r, uint8_t kind, tw__ns date)
{
	return (struct tw__event){.kind = kind,
	                          .date = date,
	                          .data = r->data,
	                          .from = (int16_t)r->from,
	                          .node = (int16_t)r->to,
	                          .bytes = rt->graph->data_bytes[r->data],
	                          .offset = r->sequence,
	                          .cause = (uint8_t)r->cause};
}

size_t tw__rt_record_transfer(struct tw__rt *rt, const struct request *r)
{
	struct tw__record *record = rt->in->record;
	if (!record)
		return 0;
	size_t place = record->n;
	tw__rt_record_event(rt, event_of(rt, r, TW__TRANSFER_START, rt->now));
	return place;
}

void tw__rt_record_landing(struct tw__rt *rt, const struct request *r, tw__ns start, tw__ns end)
{
	struct tw__record *record = rt->in->record;
	if (!record)
		return;
	record->events[r->start_event].date = start;
	tw__rt_record_event(rt, event_of(rt, r, TW__TRANSFER_END, end));
}

/* Memory that runs out would leave by a door (base/memory.h). The frames of the program's own plug-in are in the way,
 * so the run fails here, and the function returns. */
int32_t tw__act(struct tw__rt *rt, tw__action *take, int32_t number, tw_node n)
{
	struct tw__door door;
	struct tw_error err;
	if (!rt->in->own_frames)
		return take(rt, number, n);
	if (rt->status != TW_OK)
		return TW_NONE;
	if (TW__MEMORY_RUNS_OUT(&door)) {
		tw__rt_fail(rt, tw__out_of_memory(&err), "%s", err.message);
		return TW_NONE;
	}
	int32_t result = take(rt, number, n);
	tw__door_close(&door);
	return result;
}
