/* The run section of a trace, once it has been read. */
#include "trace/run_section.h"

#include <stdlib.h>
#include <string.h>

#include "graph/reduction.h"
#include "trace/event_fields.h"
#include "trace/events.h"

void tw__run_section_finish(struct tw__run_section *s)
{
	tw__arena_finish(&s->memory);
	tw__record_finish(&s->record);
	*s = (struct tw__run_section){0};
}

const char *tw__run_section_argument(const struct tw__run_section *s, const char *name)
{
	return tw__run_argument(s->arguments, s->n_arguments, name);
}

const char *tw__run_section_fingerprint(const struct tw__run_section *s, const char *input)
{
	return tw__run_argument(s->fingerprints, s->n_fingerprints, input);
}

struct tw__traced tw__run_section_traced(struct tw__run_section *s)
{
	return (struct tw__traced){
		.platform = s->platform,
		.graph = &s->graph,
		.record = &s->record,
		.workload = tw__run_section_argument(s, "workload"),
		.policy = tw__run_section_argument(s, "policy"),
		.capacity = s->capacity,
		.shares = s->weighted ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL,
		.domains = {.n = s->n_domains, .names = s->domain_names, .workers = s->domain_workers}};
}

/* --- reductions --------------------------------------------------------------------------------------------------- */

/* Whether the graph has the phase, no earlier reduction was of it, and the accumulators are different ones of its
 * handle, at most as many as the phase has contributors. */
static bool is_possible(const struct tw__run_section *s, size_t i, const struct tw_graph *extended)
{
	const struct tw__section_reduction *r = &s->reductions[i];
	if (r->phase >= extended->n_phases || (uint32_t)r->n > extended->phases[r->phase].n_contributors)
		return false;
	for (size_t other = 0; other < i; other++)
		if (s->reductions[other].phase == r->phase)
			return false;
	for (int a = 0; a < r->n; a++) {
		tw_data of;
		tw_worker worker;
		if (r->accumulators[a] >= extended->n_data || (a > 0 && r->accumulators[a] <= r->accumulators[a - 1]) ||
		    !tw__graph_is_accumulator(extended, r->accumulators[a], &of, &worker) ||
		    of != extended->phases[r->phase].data)
			return false;
	}
	return true;
}

int tw__run_section_extend(struct tw__run_section *s, const struct tw_graph *graph, struct tw_error *err)
{
	if (graph->n_phases == 0 && s->n_reductions == 0)
		return TW_OK;
	s->record.extended = tw__record_extend(graph, s->platform);
	for (size_t i = 0; i < s->n_reductions; i++) {
		const struct tw__section_reduction *r = &s->reductions[i];
		if (!is_possible(s, i, s->record.extended))
			return tw_fail(err, TW_INVALID,
			               "%s: the graph has no reduction of phase %d with these accumulators", s->path,
			               (int)r->phase);
		tw__graph_append_reduction(s->record.extended, r->phase, r->accumulators, r->n);
	}
	return TW_OK;
}

/* --- ranges ------------------------------------------------------------------------------------------------------- */

/* Whether the run has all that a binary record names. False: perhaps not. */
static bool has_all(const struct tw__record *r, const struct tw__platform *p, const struct tw_graph *g)
{
	const struct tw__named *most = &r->named;
	bool has = r->bytes && most->task < g->n_tasks && most->data < g->n_data && most->worker < p->n_workers &&
	           most->node < p->n_nodes && !most->to_itself;
	for (int i = 0; i < p->n_nodes * p->n_nodes && has; i++)
		has = p->routes[i].n_links > 0 ||
		      i % (p->n_nodes + 1) == 0; /* no route leads from a memory to itself */
	return has;
}

int tw__run_section_check(const struct tw__run_section *s, const struct tw__platform *platform,
                          const struct tw_graph *graph, struct tw_error *err)
{
	const struct tw_graph *g = s->record.extended ? s->record.extended : graph;
	char named[40];
	struct tw__events all;
	size_t i = 0;
	if (has_all(&s->record, platform, g))
		return TW_OK;
	tw__events_begin(&all, &s->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		i++;
		if (!tw__event_exists(e, platform, g, named))
			return tw_fail(err, TW_INVALID,
			               "%s: event %zu (%s) of the run section names %s, which the run does not have",
			               s->path, i, tw__event_names[e->kind], named);
	}
	return TW_OK;
}
