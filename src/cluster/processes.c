#include "cluster/processes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/module.h"
#include "cluster/member.h"

const struct tw__transport_ops *tw__transport_load(struct tw_error *err)
{
	return tw__module_open(TW__MPI_BUILT, "tw__transport_mpi", "module with MPI, for runs in several processes",
	                       err);
}

/* --- what the engine needs to know -------------------------------------------------------------------------------- */

/* Computes the version of the content that each message carries: the program's task that the sender's tasks before have
 * written it with. Messages are in the order of the program, so a sender has received what it passes on before. */
static tw_task *versions_of_messages(const struct tw_graph *g)
{
	const struct tw__ranks *r = g->ranks;
	tw_task *version = tw_alloc((size_t)r->n_messages, sizeof *version);
	tw_task *content = tw_resize(NULL, (size_t)g->n_data, sizeof *content);
	tw_task *next = tw_resize(NULL, (size_t)r->n, sizeof *next); /* [ranks] the first task that was not looked at */
	for (tw_data d = 0; d < g->n_data; d++)
		content[d] = TW_NONE;
	memcpy(next, r->first, (size_t)r->n * sizeof *next);
	for (int32_t m = 0; m < r->n_messages; m++) {
		const tw_task send = r->messages[m].send;
		for (tw_task *t = &next[r->messages[m].from]; *t < send; ++*t)
			for (uint32_t a = g->access_start[*t]; a < g->access_start[*t + 1]; a++)
				if (g->access[a] & TW_W)
					content[tw__access_data(g->access[a])] = r->message_of[*t] == TW_NONE
					                                                 ? r->origin[*t]
					                                                 : version[r->message_of[*t]];
		version[m] = content[tw__access_data(g->access[g->access_start[send]])];
	}
	free(content);
	free(next);
	return version;
}

/* Finds where each result of the program is: where its last task has written it. */
static tw_data *places_of_results(const struct tw_graph *program, const struct tw_graph *g)
{
	tw_data *result = tw_resize(NULL, (size_t)program->n_data, sizeof *result);
	tw_task *last = tw_resize(NULL, (size_t)program->n_data, sizeof *last);
	for (tw_data d = 0; d < program->n_data; d++)
		result[d] = last[d] = TW_NONE;
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			const tw_data own = tw__access_data(g->access[a]), d = g->ranks->data_origin[own];
			if (!(g->access[a] & TW_W) || g->ranks->origin[t] == TW_NONE || g->ranks->origin[t] < last[d])
				continue;
			last[d] = g->ranks->origin[t];
			result[d] = own;
		}
	free(last);
	return result;
}

static uint64_t bytes_of_message(const struct tw_graph *g, int32_t m)
{
	return g->data_bytes[tw__access_data(g->access[g->access_start[g->ranks->messages[m].send]])];
}

static void describe(struct tw__processes *p, const struct tw_graph *program, const struct tw_graph *whole)
{
	p->program = program;
	p->whole = whole;
	p->task_origin = whole->ranks->origin + whole->ranks->first[p->number];
	p->data_origin = whole->ranks->data_origin + whole->ranks->first_data[p->number];
	p->version = versions_of_messages(whole);
	p->result = places_of_results(program, whole);
	for (int32_t m = 0; m < whole->ranks->n_messages; m++) {
		const uint64_t bytes = bytes_of_message(whole, m);
		p->most_bytes = bytes > p->most_bytes ? bytes : p->most_bytes;
	}
}

/* --- agreement ---------------------------------------------------------------------------------------------------- */

/* Combines values, and waits for those of the others. */
static void combine(const struct tw__processes *p, bool greatest, const int64_t *own, int64_t *all, int n)
{
	const struct timespec nap = {.tv_nsec = 100000};
	p->ops->combine(p->transport, greatest, own, all, n);
	while (!p->ops->is_combined(p->transport))
		nanosleep(&nap, NULL);
}

/* Checks that all processes were started with the same options, on equal platforms. */
static int check_equal(const struct tw__processes *p, const struct tw__run_input *in, struct tw_error *err)
{
	const uint64_t parts[] = {in->seed,
	                          (uint64_t)in->graph->n_tasks,
	                          (uint64_t)in->graph->n_data,
	                          (uint64_t)in->graph->ranks->n_messages,
	                          (uint64_t)in->platform->n_workers,
	                          (uint64_t)in->platform->n_nodes,
	                          in->record != NULL};
	uint64_t hash = 0;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		hash = (hash ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15) >> 2;
	const int64_t own[2] = {(int64_t)hash, -(int64_t)hash};
	int64_t all[2];
	combine(p, true, own, all, 2);
	return all[0] == -all[1]
	               ? TW_OK
	               : tw_fail(err, TW_INVALID,
	                         "the processes have other workloads, platforms or options: expected equal ones");
}

/* --- counters and records, to process 0 --------------------------------------------------------------------------- */

static void gather_counters(const struct tw__processes *p, struct tw__run_counters *own, struct tw__run_counters *all)
{
	if (p->number != 0)
		p->ops->put(p->transport, 0, own, sizeof *own);
	for (int i = 1; p->number == 0 && i < p->n; i++) {
		p->ops->get(p->transport, i, own, sizeof *own);
		tw__count_member(all, own);
		all->messages += own->messages;
		all->network_bytes += own->network_bytes;
		all->engine.turn_s = fmax(all->engine.turn_s, own->engine.turn_s);
		all->engine.off_cpu = fmax(all->engine.off_cpu, own->engine.off_cpu);
	}
}

static void gather_record(const struct tw__processes *p, struct tw__record *record)
{
	uint64_t n = record->n;
	if (p->number != 0) {
		p->ops->put(p->transport, 0, &n, sizeof n);
		p->ops->put(p->transport, 0, record->events, n * sizeof *record->events);
	}
	for (int i = 1; p->number == 0 && i < p->n; i++) {
		p->ops->get(p->transport, i, &n, sizeof n);
		TW_RESERVE(record->events, record->capacity, record->n + n);
		p->ops->get(p->transport, i, record->events + record->n, n * sizeof *record->events);
		record->n += n;
	}
}

/* Both ends of a message have dates of their own. The record gets one transfer, while both are under way, and its dates
 * become those of both tasks. The transfers go before all other events: those of equal dates stand in this order. */
static void add_transfers(const struct tw__processes *p, const tw_node *mains, struct tw__record *record)
{
	const struct tw__ranks *r = p->whole->ranks;
	const size_t n = record->n, n_messages = (size_t)r->n_messages;
	tw__ns *start = tw_alloc(n_messages, sizeof *start), *end = tw_alloc(n_messages, sizeof *end);
	for (size_t i = 0; i < n_messages; i++)
		end[i] = TW__NEVER;
	for (int pass = 0; pass < 2; pass++)
		for (size_t i = 0; i < n; i++) {
			struct tw__event *e = &record->events[i];
			const bool starts = e->kind == TW__START;
			const int32_t m = starts || e->kind == TW__END ? r->message_of[e->task] : TW_NONE;
			if (m == TW_NONE)
				continue;
			if (pass)
				e->date = starts ? start[m] : tw__latest(start[m], end[m]);
			else if (starts)
				start[m] = tw__latest(start[m], e->date);
			else
				end[m] = tw__earliest(end[m], e->date);
		}
	TW_RESERVE(record->events, record->capacity, n + 2 * n_messages);
	memmove(record->events + 2 * n_messages, record->events, n * sizeof *record->events);
	record->n += 2 * n_messages;
	for (int32_t m = 0; m < r->n_messages; m++) {
		struct tw__event e =
			tw__event_of_message(p->whole, m, mains[r->messages[m].from], mains[r->messages[m].to]);
		e.kind = TW__TRANSFER_START;
		e.date = start[m];
		record->events[m] = e;
		e.kind = TW__TRANSFER_END;
		e.date = tw__latest(start[m], end[m]);
		record->events[n_messages + (size_t)m] = e;
	}
	free(start);
	free(end);
}

/* --- the run ------------------------------------------------------------------------------------------------------ */

static tw_node *main_memories(const struct tw__platform *p)
{
	tw_node *mains = tw_alloc((size_t)p->n_ranks, sizeof *mains);
	for (tw_node n = tw__n_mains(p); n-- > 0;)
		mains[p->nodes[n].rank] = n;
	return mains;
}

static int run_member(struct tw__member *m, struct tw__processes *p, struct tw_error *err)
{
	m->in.engine = m->cluster->in->engine;
	m->in.pulse = m->cluster->in->pulse;
	m->rank.processes = p;
	m->rank.announces = false; /* main memory has no bound */
	const int status = tw__run(&m->in, &m->counters, &m->err);
	m->counters.messages = p->received;
	m->counters.network_bytes = p->received_bytes;
	return status == TW_OK ? TW_OK : tw_fail(err, status, "%s", m->err.message);
}

static void gather(struct tw__processes *p, struct tw__member *m, const struct tw__run_input *in,
                   struct tw__run_counters *counters)
{
	*counters = m->counters;
	counters->n_figures = 0; /* they are those of one node */
	gather_counters(p, &m->counters, counters);
	if (!in->record)
		return;
	gather_record(p, in->record);
	if (p->number != 0)
		return;
	tw_node *mains = main_memories(in->platform);
	add_transfers(p, mains, in->record);
	in->record->makespan = counters->makespan;
	free(mains);
}

/* A run that has failed leaves this behind, as MPI may still use it. For the leak sanitizer it stays reachable. */
static void *volatile left[2];

static int run(struct tw__processes *p, const struct tw__run_input *in, struct tw__run_counters *counters,
               struct tw_error *err)
{
	struct tw__cluster c = {.in = in, .ranks = in->graph->ranks, .n = in->graph->ranks->n, .err = err};
	struct tw_error why;
	int status = check_equal(p, in, err);
	if (status < 0)
		return status;
	struct tw__member *m = tw_alloc(1, sizeof *m);
	left[1] = m;
	tw__member_init(&c, m, p->number);
	status = run_member(m, p, &why);
	*counters = m->counters;
	if (status < 0)
		return tw_fail(err, status, "process %d: %s", p->number, why.message);
	gather(p, m, in, counters);
	tw__member_finish(m);
	free(m);
	return TW_OK;
}

int tw__processes_run(const struct tw__run_input *in, const struct tw_graph *program, struct tw__run_counters *counters,
                      struct tw_error *err)
{
	struct tw__processes *p = tw_alloc(1, sizeof *p);
	left[0] = p;
	*counters = (struct tw__run_counters){.engine = {NAN, NAN, NAN, NAN, NAN}};
	p->ops = tw__transport_load(err);
	int status = p->ops ? p->ops->open(&p->transport, &p->number, &p->n, err) : TW_INVALID;
	if (status == TW_OK && p->n != in->graph->ranks->n)
		status = tw_fail(err, TW_INVALID, "MPI has %d processes, and the platform %d nodes: expected as many",
		                 p->n, in->graph->ranks->n);
	if (status == TW_OK && in->record && !p->ops->is_one_machine(p->transport))
		status = tw_fail(err, TW_INVALID,
		                 "--validate or --explain: several machines have no common clock: expected neither");
	if (status < 0)
		return status;
	p->seed = in->seed;
	describe(p, program, in->graph);
	status = run(p, in, counters, err);
	if (status < 0)
		return status;
	p->ops->close(p->transport);
	free((void *)(uintptr_t)p->version);
	free((void *)(uintptr_t)p->result);
	free(p);
	return TW_OK;
}
