#include "trace/replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/ranks.h"
#include "graph/reduction.h"

const char *tw__rule_name(enum tw__rule rule)
{
	static const char *const names[TW__N_RULES] = {
		[TW__RULE_ONCE] = "once",           [TW__RULE_DEPENDENCIES] = "dependencies",
		[TW__RULE_ARRIVAL] = "arrival",     [TW__RULE_DOMAIN] = "domain",
		[TW__RULE_EXCLUSIVE] = "exclusive", [TW__RULE_DURATION] = "duration",
		[TW__RULE_INPUTS] = "inputs",       [TW__RULE_COHERENCE] = "coherence",
		[TW__RULE_LAST_COPY] = "last copy", [TW__RULE_PINNED] = "pinned",
		[TW__RULE_CAPACITY] = "capacity",   [TW__RULE_TRANSFER] = "transfer",
		[TW__RULE_MAKESPAN] = "makespan",   [TW__RULE_HOME] = "home",
		[TW__RULE_DISCARD] = "discard",     [TW__RULE_END] = "end",
		[TW__RULE_TEAM] = "team",           [TW__RULE_FILTER] = "filter",
		[TW__RULE_RECURSIVE] = "recursive", [TW__RULE_MESSAGE] = "message",
	};
	return (unsigned)rule < TW__N_RULES ? names[rule] : "unknown rule";
}

int tw__violation(struct tw__replay *r, enum tw__rule rule, const char *format, ...)
{
	char what[sizeof r->err->message];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	r->broken = rule;
	return tw_fail(r->err, TW_FAILED, "%s: %s, at %.9f s", tw__rule_name(rule), what, tw__seconds(r->date));
}

void tw__touch(struct tw__replay *r, tw_data d)
{
	if (r->n_touched > 0 && r->touched[r->n_touched - 1] == d)
		return;
	TW_RESERVE(r->touched, r->touched_capacity, r->n_touched + 1);
	r->touched[r->n_touched++] = d;
}

static void list_memories(struct tw__replay *r, const struct tw__platform *p)
{
	const size_t n_nodes = (size_t)p->n_nodes, n_ranks = (size_t)p->n_ranks;
	r->memories = tw__arena_alloc(&r->memory, n_nodes, sizeof *r->memories);
	r->first_memory = tw__arena_alloc(&r->memory, n_ranks + 1, sizeof *r->first_memory);
	r->place = tw__arena_alloc(&r->memory, n_nodes, sizeof *r->place);
	for (size_t n = 0; n < n_nodes; n++)
		r->place[n] = r->first_memory[p->nodes[n].rank + 1]++;
	for (size_t rank = 0; rank < n_ranks; rank++)
		r->first_memory[rank + 1] += r->first_memory[rank];
	for (size_t n = 0; n < n_nodes; n++)
		r->memories[r->first_memory[p->nodes[n].rank] + r->place[n]] = (tw_node)n;
}

/* Makes a copy of each handle for each memory of the node that has the handle. */
static void list_copies(struct tw__replay *r)
{
	size_t n_copies = 0;
	for (tw_data d = 0; d < r->graph->n_data; d++) {
		const tw_node *memories;
		const int rank = r->graph->ranks ? tw__rank_of_data(r->graph, d) : 0;
		r->data[d] = (struct tw__data_state){.version = 1,
		                                     .writer = TW_NONE,
		                                     .commit_node = TW_NONE,
		                                     .rank = (int16_t)rank,
		                                     .copies = n_copies};
		n_copies += (size_t)tw__memories_of(r, d, &memories);
	}
	r->copies = tw__arena_alloc(&r->memory, n_copies, sizeof *r->copies);
}

void tw__replay_init(struct tw__replay *r, const struct tw__validation_input *in, const struct tw__record *record,
                     struct tw_error *err)
{
	const struct tw_graph *graph = record->extended ? record->extended : in->graph;
	size_t n_data = (size_t)graph->n_data, n_tasks = (size_t)graph->n_tasks;
	size_t n_nodes = (size_t)in->platform->n_nodes, n_workers = (size_t)in->platform->n_workers;
	const uint32_t *n_predecessors = tw__graph_predecessors(graph);
	size_t n_releasers = 0;
	for (size_t t = 0; t < n_tasks; t++)
		n_releasers += n_predecessors[t];
	*r = (struct tw__replay){
		.in = in,
		.graph = graph,
		.measured = record->measured,
		.rounds = record->rounds,
		.err = err,
	};
	r->contributions = tw__arena_alloc(&r->memory, n_data, sizeof *r->contributions);
	r->data = tw__arena_alloc(&r->memory, n_data, sizeof *r->data);
	list_memories(r, in->platform);
	list_copies(r);
	r->usable = tw__arena_alloc(&r->memory, (size_t)graph->n_lineages, sizeof *r->usable);
	memset(r->usable, TW__WHOLE, (size_t)graph->n_lineages);
	r->tasks = tw__arena_alloc(&r->memory, n_tasks, sizeof *r->tasks);
	r->releasers = tw__arena_alloc(&r->memory, n_releasers, sizeof *r->releasers);
	r->running = tw__arena_alloc(&r->memory, n_workers, sizeof *r->running);
	tw__teams_init(&r->teams, in->platform->n_workers,
	               tw__arena_alloc(&r->memory, n_workers, sizeof *r->teams.joined));
	r->rooms = tw__arena_alloc(&r->memory, n_nodes, sizeof *r->rooms);
	r->used = tw__arena_alloc(&r->memory, n_nodes, sizeof *r->used);
	for (size_t d = 0; d < n_data; d++) {
		bool valid =
			(tw_data)d < tw__graph_own_data(graph) && tw__data_use(graph, (tw_data)d) != TW__USE_SCRATCH;
		if (valid) {
			r->data[d].n_valid = 1;
			tw__copy_of(r, (tw_data)d, tw__home_of(in->homes, (tw_data)d))->valid = 1;
		}
		if (tw__home_of(in->homes, (tw_data)d) != in->homes.first)
			tw__touch(r, (tw_data)d);
		if (!valid || !tw__touch_decides(in->homes, (tw_data)d))
			continue;
		r->data[d].touch = TW__UNTOUCHED;
		r->data[d].n_valid = in->homes.n;
		for (tw_node n = 0; n < in->homes.n; n++)
			tw__copy_of(r, (tw_data)d, n)->valid = valid;
	}
	for (uint32_t a = 0; a < in->graph->access_start[in->graph->n_tasks]; a++)
		r->data[tw__access_data(in->graph->access[a])].uses_left++;
	for (size_t t = n_tasks; t-- > 0;) {
		r->tasks[t].worker = TW_NONE;
		r->tasks[t].predecessors_left = n_predecessors[t];
		n_releasers -= n_predecessors[t];
		r->tasks[t].releasers = n_releasers;
	}
	for (size_t w = 0; w < n_workers; w++)
		r->running[w] = TW_NONE;
}

void tw__replay_finish(struct tw__replay *r)
{
	HASH_CLEAR(hh, r->moving);
	for (tw_node n = 0; n < r->in->platform->n_nodes; n++)
		tw__intervals_finish(&r->rooms[n]);
	tw__arena_finish(&r->memory);
	free(r->touched);
	free(r->transfers);
}
