/* Builds a graph by sequential task flow: accesses of submitted tasks become dependencies (Augonnet 2011, section
 * 2.5.2). */
#include "base/pages.h"
#include "graph/build.h"

#include <stdlib.h>
#include <string.h>

tw_data tw_graph_data(struct tw_graph *g, uint64_t bytes)
{
	if (tw__build_refuses(g))
		return TW_NONE;
	struct tw__graph_build *b = g->build;
	if (bytes == 0 || g->n_data >= TW__MAX_DATA)
		return TW__REFUSE(g, "data %d: %llu bytes, expected at least 1 byte and at most %d data",
		                  (int)g->n_data, (unsigned long long)bytes, TW__MAX_DATA);
	size_t capacity = b->data_capacity;
	if (!TW__HAS_ROOM(b->data, capacity, (size_t)g->n_data + 1) ||
	    !TW__HAS_ROOM(g->data_bytes, b->data_capacity, (size_t)g->n_data + 1))
		return tw__build_fail_memory(g);
	b->data[g->n_data] = (struct tw__data_build){.last_user = TW_NONE,
	                                             .last_writer = TW_NONE,
	                                             .readers = TW__NOBODY,
	                                             .phase = TW_NONE,
	                                             .combine = TW_NONE,
	                                             .lineage = {TW_NONE, TW_NONE, 0}};
	g->data_bytes[g->n_data] = bytes;
	return g->n_data++;
}

static void accesses(struct tw_graph *g, tw_task task, struct tw_access access, uint32_t place)
{
	struct tw__graph_build *b = g->build;
	struct tw__data_build *data = &b->data[access.data];
	if (access.mode == TW_SCRATCH)
		return;
	if (access.mode == TW_REDUX) {
		tw__build_contribute(g, task, access.data, place);
		return;
	}
	tw__build_end_phase(g, data);
	if (b->n_levels)
		tw__build_isolate(g, access.data);
	if (b->has_lineages)
		tw__build_depend_on_lineage(g, task, access.data, access.mode & TW_W);
	if (!(access.mode & TW_W)) {
		if (data->last_writer != TW_NONE)
			tw__build_depend(g, task, data->last_writer);
		tw__build_add_reader(g, data, task);
		return;
	}
	for (uint32_t cell = data->readers; cell != TW__NOBODY; cell = b->readers[cell].next)
		tw__build_depend(g, task, b->readers[cell].task);
	if (data->readers == TW__NOBODY && data->last_writer != TW_NONE)
		tw__build_depend(g, task, data->last_writer);
	tw__build_forget_readers(g, data);
	data->last_writer = task;
	data->last_writer_access = place;
}

static bool is_mode(unsigned mode) { return (mode & ~TW_RW) == 0 ? mode != 0 : mode == TW_SCRATCH || mode == TW_REDUX; }

/* Returns, for a message, what was expected instead of a wrong access; NULL: the access is right. A handle is scratch
 * in the whole graph, or plain, or plain and with reductions. */
static const char *wrong_use(struct tw__data_build *data, unsigned mode)
{
	enum tw__data_use use = mode == TW_SCRATCH ? TW__USE_SCRATCH : mode == TW_REDUX ? TW__USE_REDUX : TW__USE_PLAIN;
	data->used_as |= (uint8_t)(1u << use);
	if (use == TW__USE_REDUX && data->combine == TW_NONE)
		return "a kernel that combines accumulators (tw_graph_reduction) before the first access with TW_REDUX";
	if ((data->used_as & 1u << TW__USE_SCRATCH) && data->used_as & (1u << TW__USE_PLAIN | 1u << TW__USE_REDUX))
		return "no other accesses to a scratch handle";
	return NULL;
}

/* Returns, for a message, what was expected instead of access i; NULL: the access is right. */
static const char *wrong_access(const struct tw_graph *g, const struct tw_access *access, int i)
{
	if (access[i].data < 0 || access[i].data >= g->n_data)
		return "a known handle";
	if (!is_mode(access[i].mode))
		return "a mode: TW_R, TW_W, TW_RW, TW_SCRATCH or TW_REDUX";
	struct tw__data_build *data = &g->build->data[access[i].data];
	if (data->last_user == g->n_tasks)
		return "each handle at most once in a task";
	data->last_user = g->n_tasks;
	const char *expected = wrong_use(data, access[i].mode);
	if (!expected && g->build->has_lineages)
		expected = tw__build_wrong_lineage(g, access[i].data, access[i].mode);
	if (!expected && g->build->n_levels)
		expected = tw__build_wrong_inside(g, access[i].data, access[i].mode);
	return expected;
}

/* Whether a task may have this kernel and these accesses; otherwise the graph fails. */
static bool is_task(struct tw_graph *g, tw_kernel kernel, const struct tw_access *access, int n)
{
	const tw_task task = g->n_tasks;
	int status = TW_OK;
	if (kernel < 0 || kernel >= g->n_kernels)
		status = TW__REFUSE(g, "task %d, kernel %d: expected a known kernel", (int)task, (int)kernel);
	else if (n < 0 || n > g->n_data || (n > 0 && !access))
		status = TW__REFUSE(g, "task %d: expected an array of 0 to %d accesses, at most one to each handle",
		                    (int)task, (int)g->n_data);
	else if (task == INT32_MAX - 2 || (task > 0 && g->access_start[task] > UINT32_MAX - (uint32_t)n))
		status = TW__REFUSE(g, "task %d: expected fewer tasks, and at most %u accesses of all", (int)task,
		                    UINT32_MAX);
	for (int i = 0; i < n && status == TW_OK; i++) {
		const char *expected = wrong_access(g, access, i);
		if (expected)
			status = TW__REFUSE(g, "task %d, data %d: expected %s", (int)task, (int)access[i].data,
			                    expected);
	}
	return status == TW_OK;
}

tw_task tw_graph_submit(struct tw_graph *g, tw_kernel kernel, int32_t priority, const struct tw_access *access, int n)
{
	if (tw__build_refuses(g))
		return TW_NONE;
	tw_task task = g->n_tasks;
	if (!is_task(g, kernel, access, n))
		return TW_NONE;
	uint32_t first = task ? g->access_start[task] : 0;
	if (!tw__build_has_room(g, 1) ||
	    !TW__HAS_ROOM(g->access, g->build->accesses_capacity, (size_t)first + (size_t)n + 1))
		return tw__build_fail_memory(g);
	g->access_start[0] = 0;
	g->kernel[task] = (uint16_t)kernel;
	g->priority[task] = priority;
	g->critical[task] = false;
	g->build->in_degree[task] = 0;
	g->access_start[task + 1] = first + (uint32_t)n;
	g->build->mark[task] = TW_NONE;
	g->n_tasks++;
	for (int i = 0; i < n; i++) {
		g->access[first + (uint32_t)i] = (uint32_t)access[i].data << TW__ACCESS_BITS | (uint32_t)access[i].mode;
		accesses(g, task, access[i], first + (uint32_t)i);
	}
	return tw__build_failed(g) ? TW_NONE : task;
}

void tw_graph_mark_critical(struct tw_graph *g, tw_task task)
{
	if (tw__build_is_known(g, "a mark on", task))
		g->critical[task] = true;
}

void tw_graph_depend(struct tw_graph *g, tw_task on)
{
	if (tw__build_refuses(g))
		return;
	const tw_task task = g->n_tasks - 1;
	if (on >= 0 && on < task && !tw__build_may_depend(g, on))
		TW__REFUSE(g, "task %d depends on task %d, expected both inside one recursive task, or none", (int)task,
		           (int)on);
	else if (on >= 0 && on < task)
		tw__build_depend(g, task, on);
	else if (task < 0)
		TW__REFUSE(g, "a dependency on task %d before the first task, expected it after the task", (int)on);
	else
		TW__REFUSE(g, "task %d depends on task %d, expected one submitted before", (int)task, (int)on);
}

void tw_graph_reduction(struct tw_graph *g, tw_data data, tw_kernel combine)
{
	if (tw__build_refuses(g))
		return;
	if (data >= 0 && data < g->n_data && combine >= 0 && combine < g->n_kernels)
		g->build->data[data].combine = combine;
	else
		TW__REFUSE(g, "reduction of data %d by kernel %d: expected a known handle and a known kernel",
		           (int)data, (int)combine);
}

void tw_graph_will_not_be_used(struct tw_graph *g, tw_data data)
{
	if (tw__build_refuses(g))
		return;
	if (data < 0 || data >= g->n_data) {
		TW__REFUSE(g, "data %d will not be used: expected a known handle", (int)data);
		return;
	}
	const struct tw__data_build *state = &g->build->data[data];
	if (state->last_writer >= 0 && state->phase == TW_NONE && !tw__build_is_part_newer(g, data, state->last_writer))
		g->access[state->last_writer_access] |= TW__ACCESS_LAST_WRITE;
}

void tw_graph_discard(struct tw_graph *g, tw_data data)
{
	if (tw__build_refuses(g))
		return;
	if (data >= 0 && data < g->n_data)
		g->build->data[data].used_as |= 1u << TW__USE_DISCARDED;
	else
		TW__REFUSE(g, "data %d is discarded: expected a known handle", (int)data);
}

static void set_place(struct tw_graph *g, enum tw__place place, tw_data data, tw_node memory)
{
	if (tw__build_refuses(g))
		return;
	if (data >= 0 && data < g->n_data && memory >= 0 && memory < TW_MAX_MEMORIES)
		g->build->data[data].place[place] = (uint16_t)(memory + 1);
	else
		TW__REFUSE(g, "data %d %s in memory %d: expected a known handle and a memory from 0 to %d", (int)data,
		           place == TW__HOME ? "starts" : "ends", (int)memory, TW_MAX_MEMORIES - 1);
}

void tw_graph_set_home(struct tw_graph *g, tw_data data, tw_node memory) { set_place(g, TW__HOME, data, memory); }
void tw_graph_set_end(struct tw_graph *g, tw_data data, tw_node memory) { set_place(g, TW__END_PLACE, data, memory); }

void tw__graph_set_discards(struct tw_graph *g, enum tw__discards discards) { g->build->discards = discards; }

/* Turns the lists of predecessors into lists of successors: counts them, sums the counts up, and distributes tasks. */
static int link_successors(struct tw_graph *g)
{
	struct tw__graph_build *b = g->build;
	g->successor_start = calloc((size_t)g->n_tasks + 2, sizeof *g->successor_start);
	g->successor = malloc((b->n_predecessors + 1) * sizeof *g->successor);
	if (!g->successor_start || !g->successor || b->n_predecessors > UINT32_MAX)
		return TW_NOMEM;
	uint32_t *start = g->successor_start;
	for (size_t i = 0; i < b->n_predecessors; i++)
		if (!tw__is_phase(b->predecessors[i]))
			start[b->predecessors[i] + 2]++;
	for (tw_task t = 2; t <= g->n_tasks; t++)
		start[t] += start[t - 1];
	size_t i = 0;
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t p = 0; p < b->in_degree[t]; p++, i++)
			if (!tw__is_phase(b->predecessors[i]))
				g->successor[start[b->predecessors[i] + 1]++] = t;
	return tw__build_link_phases(g);
}

/* Moves the large arrays to huge pages; while they grew, they were in small pages. */
static void use_huge_pages(struct tw_graph *g)
{
	size_t tasks = (size_t)g->n_tasks;
	tw__pages_collapse(g->kernel, tasks * sizeof *g->kernel);
	tw__pages_collapse(g->priority, tasks * sizeof *g->priority);
	tw__pages_collapse(g->access_start, tasks * sizeof *g->access_start);
	tw__pages_collapse(g->access, g->access_start[tasks] * sizeof *g->access);
	tw__pages_collapse(g->successor_start, tasks * sizeof *g->successor_start);
	tw__pages_collapse(g->successor, g->successor_start[tasks] * sizeof *g->successor);
}

int tw_graph_finish(struct tw_graph *g, struct tw_error *err)
{
	if (!g)
		return tw_fail(err, TW_NOMEM, "there is no task graph: perhaps tw_graph_create was out of memory");
	struct tw__graph_build *b = g->build;
	if (g->changed_late)
		return tw_fail(err, TW_INVALID,
		               "the task graph was changed after its end (tw_graph_finish), expected no change");
	if (!b)
		return TW_OK;
	if (b->status == TW_OK && g->n_tasks == 0)
		TW__REFUSE(g, "the task graph is empty, expected at least one task");
	if (b->status == TW_OK && (tw__build_data_uses(g) || tw__build_data_places(g, TW__HOME) ||
	                           tw__build_data_places(g, TW__END_PLACE) || tw__build_lineages(g)))
		tw__build_fail_memory(g);
	if (b->status == TW_OK)
		tw__build_insides(g);
	if (b->status == TW_OK) {
		free(b->data);
		free(b->readers);
		free(b->mark);
		b->data = NULL;
		b->readers = NULL;
		b->mark = NULL;
		if (link_successors(g) || tw__build_complete_recorded(g))
			tw__build_fail_memory(g);
	}
	int status = b->status;
	if (status != TW_OK) {
		*err = b->error;
		return status;
	}
	tw__graph_build_destroy(b);
	g->build = NULL;
	use_huge_pages(g);
	return TW_OK;
}
