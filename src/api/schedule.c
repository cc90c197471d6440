/* The schedule of a run as arrays: executions, transfers, and memory in use. */
#include <stdlib.h>

#include "api/api.h"
#include "graph/ranks.h"
#include "trace/events.h"

static void count(struct tw_run *run)
{
	struct tw__events all;
	tw__events_begin(&all, &run->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		run->n_tasks += e->kind == TW__START && e->worker != TW_NONE;
		run->n_members += e->kind == TW__JOIN;
		run->n_transfers += e->kind == TW__TRANSFER_START;
		run->n_memory += e->kind == TW__ALLOC || e->kind == TW__FREE;
	}
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

/* A task before its kernel starts. */
struct known {
	int64_t ready, assigned;
	size_t execution; /* the last one */
};

static void list_tasks(struct tw_run *run)
{
	const struct tw__record *r = &run->record;
	const struct tw_graph *g = r->extended ? r->extended : run->scene->scene->graph;
	struct known *known = tw_alloc((size_t)g->n_tasks, sizeof *known);
	size_t n = 0, n_members = 0;
	struct tw__events all;
	tw__events_begin(&all, r);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		if (tw__is_message_step(g, e))
			continue;
		struct known *k = &known[e->kind <= TW__RELEASE || e->kind == TW__CANCEL ? e->task : 0];
		if (e->kind == TW__READY) {
			k->ready = e->date;
		} else if (e->kind == TW__ASSIGN) {
			k->assigned = e->date;
		} else if (e->kind == TW__START) {
			k->execution = n;
			run->tasks[n++] = (struct tw_run_task){
				.task = tw__origin_of_task(g, e->task),
				.kernel = g->kernel[e->task],
				.worker = e->worker,
				.ready_ns = k->ready,
				.assigned_ns = k->assigned,
				.start_ns = e->date,
				.end_ns = -1,
			};
		} else if (e->kind == TW__END || e->kind == TW__CANCEL) {
			run->tasks[k->execution].end_ns = e->date;
			run->tasks[k->execution].cancelled = e->kind == TW__CANCEL;
		} else if (e->kind == TW__JOIN) {
			run->members[n_members++] = (struct tw_run_member){e->task, e->worker, e->date};
		}
	}
	free(known);
}

/* --- transfers and memory ----------------------------------------------------------------------------------------- */

static void list_transfers(struct tw_run *run)
{
	const struct tw__record *r = &run->record;
	const struct tw__ranks *ranks = run->scene->scene->graph->ranks;
	size_t *pairs = tw__record_pairs(r), n = 0;
	for (size_t i = 0; i < r->n; i++) {
		const struct tw__event *e = &r->events[i];
		if (e->kind == TW__TRANSFER_START)
			run->transfers[n++] = (struct tw_run_transfer){
				.data = ranks && e->data < ranks->first_data[ranks->n] ? ranks->data_origin[e->data]
			                                                               : e->data,
				.from = e->from,
				.to = e->node,
				.cause = e->cause,
				.bytes = e->bytes,
				.start_ns = e->date,
				.end_ns = pairs[i] == SIZE_MAX ? -1 : r->events[pairs[i]].date,
			};
	}
	free(pairs);
}

/* One entry for all that is allocated and freed in a memory at one date. */
static void list_memory(struct tw_run *run)
{
	const size_t n_nodes = (size_t)run->scene->scene->platform->n_nodes;
	uint64_t *used = tw_alloc(n_nodes, sizeof *used);
	size_t *last = tw_alloc(n_nodes, sizeof *last), n = 0; /* last: index + 1 of each memory's last entry */
	struct tw__events all;
	tw__events_begin(&all, &run->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		if (e->kind != TW__ALLOC && e->kind != TW__FREE)
			continue;
		used[e->node] += e->kind == TW__ALLOC ? e->bytes : -e->bytes;
		if (!last[e->node] || run->memory[last[e->node] - 1].date_ns != e->date)
			last[e->node] = ++n;
		run->memory[last[e->node] - 1] = (struct tw_run_memory){e->date, used[e->node], e->node};
	}
	run->n_memory = n;
	free(used);
	free(last);
}

/* --- for programs ------------------------------------------------------------------------------------------------- */

void tw__run_make_schedule(struct tw_run *run)
{
	tw__record_sort(&run->record);
	count(run);
	run->tasks = tw_alloc(run->n_tasks, sizeof *run->tasks);
	run->members = tw_alloc(run->n_members, sizeof *run->members);
	run->transfers = tw_alloc(run->n_transfers, sizeof *run->transfers);
	run->memory = tw_alloc(run->n_memory, sizeof *run->memory);
	list_tasks(run);
	list_transfers(run);
	list_memory(run);
}

size_t tw_run_tasks(struct tw_run *run, const struct tw_run_task **tasks)
{
	*tasks = run ? run->tasks : NULL;
	return run ? run->n_tasks : 0;
}

size_t tw_run_members(struct tw_run *run, const struct tw_run_member **members)
{
	*members = run ? run->members : NULL;
	return run ? run->n_members : 0;
}

size_t tw_run_transfers(struct tw_run *run, const struct tw_run_transfer **transfers)
{
	*transfers = run ? run->transfers : NULL;
	return run ? run->n_transfers : 0;
}

size_t tw_run_memory(struct tw_run *run, const struct tw_run_memory **memory)
{
	*memory = run ? run->memory : NULL;
	return run ? run->n_memory : 0;
}
