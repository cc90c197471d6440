#include "graph/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/utf8.h"
#include "graph/build.h"
#include "graph/reduction.h"

tw_task tw__graph_part_end(const struct tw_graph *g, int part)
{
	return part + 1 < g->n_parts ? g->parts[part + 1].first : tw__graph_own_tasks(g);
}

int tw__graph_part_of_many(const struct tw_graph *g, tw_task t)
{
	if (t >= tw__graph_own_tasks(g))
		t = g->phases[tw__graph_appended_for(g, t)].first;
	int part = g->n_parts - 1;
	while (t < g->parts[part].first)
		part--;
	return part;
}

double tw_graph_arrival(const struct tw_graph *g, tw_task t)
{
	return t >= 0 && t < g->n_tasks ? tw__seconds(tw__graph_arrival(g, t)) : 0;
}

/* --- copies of a range of a graph --------------------------------------------------------------------------------- */

/* A range of a graph, which is copied: tasks, handles and reductions. `kernel_of`: the number that each of its kernels
 * has in the other graph. */
struct range {
	const struct tw_graph *from;
	tw_task task, task_end;
	tw_data data, data_end;
	int32_t phase, phase_end;
	const tw_kernel *kernel_of;
};

/* Lengths of the arrays of a graph so far. */
struct lengths {
	uint32_t accesses, successors, phase_successors;
};

/* Lengthens an array from n to n + more elements. */
#define LENGTHEN(array, n, more) ((array) = tw_resize((array), (size_t)(n) + (size_t)(more), sizeof *(array)))
/* Lengthens it by elements of another graph's array, from `first` on. */
#define APPEND(array, n, other, first, more)                                                        \
	do {                                                                                        \
		LENGTHEN(array, n, more);                                                           \
		if (more)                                                                           \
			memcpy((array) + (n), (other) + (first), (size_t)(more) * sizeof *(array)); \
	} while (0)

/* Appends the tasks with their accesses. */
static void append_tasks(struct tw_graph *to, const struct range *r, struct lengths *at)
{
	const struct tw_graph *from = r->from;
	const tw_task n = r->task_end - r->task;
	const uint32_t first = from->access_start[r->task], accesses = from->access_start[r->task_end] - first;
	const uint32_t shift = (uint32_t)(to->n_data - r->data) << TW__ACCESS_BITS;
	LENGTHEN(to->kernel, to->n_tasks, n);
	APPEND(to->priority, to->n_tasks, from->priority, r->task, n);
	APPEND(to->critical, to->n_tasks, from->critical, r->task, n);
	LENGTHEN(to->access_start, to->n_tasks, n + 1);
	APPEND(to->access, at->accesses, from->access, first, accesses);
	for (tw_task t = 0; t < n; t++)
		to->kernel[to->n_tasks + t] = (uint16_t)r->kernel_of[from->kernel[r->task + t]];
	for (tw_task t = 0; t <= n; t++)
		to->access_start[to->n_tasks + t] = at->accesses + from->access_start[r->task + t] - first;
	for (uint32_t a = at->accesses; a < at->accesses + accesses; a++)
		to->access[a] += shift;
	at->accesses += accesses;
}

/* Appends lists of tasks: those behind the indices start[first] up to start[first + n]. */
static void append_lists(uint32_t **start, tw_task **list, uint32_t *length, size_t at, const uint32_t *other_start,
                         const tw_task *other, size_t first, size_t n, tw_task shift)
{
	const uint32_t begin = other_start[first], more = other_start[first + n] - begin;
	LENGTHEN(*start, at, n + 1);
	APPEND(*list, *length, other, begin, more);
	for (size_t i = 0; i <= n; i++)
		(*start)[at + i] = *length + other_start[first + i] - begin;
	for (uint32_t i = *length; i < *length + more; i++)
		(*list)[i] += shift;
	*length += more;
}

/* Appends the handles, with how tasks use them. */
static void append_data(struct tw_graph *to, const struct range *r)
{
	const tw_data n = r->data_end - r->data;
	APPEND(to->data_bytes, to->n_data, r->from->data_bytes, r->data, n);
	if (to->data_uses || r->from->data_uses) {
		const bool had_none = !to->data_uses;
		LENGTHEN(to->data_uses, to->n_data, n);
		for (tw_data d = 0; had_none && d < to->n_data; d++)
			to->data_uses[d] = TW__USE_PLAIN;
		for (tw_data d = 0; d < n; d++)
			to->data_uses[to->n_data + d] = (uint8_t)tw__data_use(r->from, r->data + d);
	}
}

/* Appends the places of the handles at the start or the end, before the handles. */
static void append_places(struct tw_graph *to, const struct range *r, enum tw__place place)
{
	const tw_data n = r->data_end - r->data;
	uint16_t **memory = &to->data_places[place];
	if (!*memory && !r->from->data_places[place])
		return;
	if (!*memory)
		*memory = tw_alloc((size_t)to->n_data, sizeof **memory);
	LENGTHEN(*memory, to->n_data, n);
	for (tw_data d = 0; d < n; d++)
		(*memory)[to->n_data + d] = (uint16_t)(tw__graph_place(r->from, place, r->data + d) + 1);
}

static void append_reductions(struct tw_graph *to, const struct range *r, struct lengths *at)
{
	const struct tw_graph *from = r->from;
	const int32_t n = r->phase_end - r->phase;
	const uint32_t begin = from->access_start[r->task], end = from->access_start[r->task_end];
	APPEND(to->phases, to->n_phases, from->phases, r->phase, n);
	for (int32_t p = to->n_phases; p < to->n_phases + n; p++) {
		to->phases[p].data += to->n_data - r->data;
		to->phases[p].first += to->n_tasks - r->task;
		to->phases[p].combine = r->kernel_of[to->phases[p].combine];
	}
	const uint32_t first = tw__graph_first_contribution(from, begin),
		       last = tw__graph_first_contribution(from, end);
	LENGTHEN(to->contributions, to->n_contributions, last - first);
	for (uint32_t c = first; c < last; c++) {
		struct tw__contribution contribution = from->contributions[c];
		contribution.access += at->accesses - begin;
		contribution.phase += to->n_phases - r->phase;
		to->contributions[to->n_contributions++] = contribution;
	}
	if (n)
		append_lists(&to->phase_successor_start, &to->phase_successor, &at->phase_successors,
		             (size_t)to->n_phases, from->phase_successor_start, from->phase_successor, (size_t)r->phase,
		             (size_t)n, to->n_tasks - r->task);
}

/* Returns the number of the name in the graph's names of archs, and adds it if it is missing. */
static int arch_name(struct tw_graph *g, const char *name)
{
	int i = 0;
	while (i < g->n_arch_names && strcmp(g->arch_names[i], name) != 0)
		i++;
	if (i == g->n_arch_names) {
		LENGTHEN(g->arch_names, i, 1);
		g->arch_names[g->n_arch_names++] = tw_copy_text(name);
	}
	return i;
}

/* Appends what was recorded of the tasks: seconds, and places. */
static void append_recorded(struct tw_graph *to, const struct range *r)
{
	const struct tw_graph *from = r->from;
	const tw_task n = r->task_end - r->task;
	if (to->seconds || from->seconds) {
		const tw_task first = to->seconds ? to->n_tasks : 0;
		LENGTHEN(to->seconds, to->n_tasks, n);
		for (tw_task t = first; t < to->n_tasks + n; t++)
			to->seconds[t] =
				t < to->n_tasks || !from->seconds ? NAN : from->seconds[r->task + t - to->n_tasks];
	}
	if (to->place || from->place) {
		const tw_task first = to->place ? to->n_tasks : 0;
		LENGTHEN(to->place, to->n_tasks, n);
		for (tw_task t = first; t < to->n_tasks + n; t++)
			to->place[t] = t < to->n_tasks || !from->place ? (struct tw_recorded_place){.worker = TW_NONE}
			                                               : from->place[r->task + t - to->n_tasks];
	}
	LENGTHEN(to->arch_seconds, to->n_arch_seconds, from->n_arch_seconds);
	for (size_t i = 0; i < from->n_arch_seconds; i++) {
		struct tw__arch_seconds s = from->arch_seconds[i];
		if (s.task < r->task || s.task >= r->task_end)
			continue;
		s.task += to->n_tasks - r->task;
		s.name = arch_name(to, from->arch_names[s.name]);
		to->arch_seconds[to->n_arch_seconds++] = s;
	}
}

static void append(struct tw_graph *to, const struct range *r, struct lengths *at)
{
	const struct tw_graph *from = r->from;
	const tw_task n = r->task_end - r->task, shift = to->n_tasks - r->task;
	append_reductions(to, r, at);
	tw__insides_append(to, r->from, r->task, n);
	append_recorded(to, r);
	append_tasks(to, r, at);
	append_lists(&to->successor_start, &to->successor, &at->successors, (size_t)to->n_tasks, from->successor_start,
	             from->successor, (size_t)r->task, (size_t)n, shift);
	append_places(to, r, TW__HOME);
	append_places(to, r, TW__END_PLACE);
	tw__lineages_append(to, r->from, r->data, r->data_end - r->data);
	append_data(to, r);
	to->n_tasks += n;
	to->n_data += r->data_end - r->data;
	to->n_phases += r->phase_end - r->phase;
}

/* --- graphs ------------------------------------------------------------------------------------------------------- */

static struct tw_graph *create(void)
{
	struct tw_graph *g = tw_alloc(1, sizeof *g);
	g->shared = tw_alloc(1, sizeof *g->shared);
	atomic_init(&g->shared->uses, 1);
	atomic_init(&g->shared->n_predecessors, NULL);
	return g;
}

/* Files and traces hold text. */
static bool is_utf8(const char *text)
{
	int n;
	while ((n = tw__utf8_length(text)))
		text += n;
	return !*text;
}

/* Finishes and checks the graphs. */
static int check_graphs(const struct tw_joined_graph *joined, int n, struct tw_error *err)
{
	if (!joined || n < 1 || n > TW_MOST_JOINED)
		return tw_fail(err, TW_INVALID, "%d graphs to join: expected 1 to %d", joined ? n : 0, TW_MOST_JOINED);
	for (int i = 0; i < n; i++) {
		const struct tw_joined_graph *of = &joined[i];
		struct tw_error why;
		int status = tw_graph_finish(of->graph, &why);
		if (status == TW_OK && of->graph->n_parts)
			status = tw_fail(&why, TW_INVALID, "it has several graphs: expected one");
		if (status == TW_OK && !(of->arrival_s >= 0 && of->arrival_s <= TW_MAX_SECONDS))
			status = tw_fail(&why, TW_INVALID, "arrival at %g s: expected a date from 0 to %g",
			                 of->arrival_s, TW_MAX_SECONDS);
		if (status == TW_OK && of->name && !is_utf8(of->name))
			status = tw_fail(&why, TW_INVALID, "its name: expected UTF-8");
		if (status == TW_OK && of->domain && !*of->domain)
			status = tw_fail(&why, TW_INVALID, "domain '': expected the name of a domain, or NULL");
		if (status < 0)
			return tw_fail(err, status, "graph %d to join: %s", i, why.message);
	}
	return TW_OK;
}

static int check_sizes(const struct tw_joined_graph *joined, int n, struct tw_error *err)
{
	int64_t tasks = 0, data = 0, accesses = 0, successors = 0;
	for (int i = 0; i < n; i++) {
		const struct tw_graph *g = joined[i].graph;
		tasks += g->n_tasks;
		data += g->n_data;
		accesses += g->access_start[g->n_tasks];
		successors += g->successor_start[g->n_tasks];
	}
	if (tasks >= INT32_MAX - 2 || data > TW__MAX_DATA || accesses > UINT32_MAX || successors > UINT32_MAX)
		return tw_fail(
			err, TW_INVALID,
			"%d graphs have %lld tasks, %lld handles and %lld accesses together: expected at most %d, "
			"%d and %u",
			n, (long long)tasks, (long long)data, (long long)accesses, INT32_MAX - 2, TW__MAX_DATA,
			UINT32_MAX);
	return TW_OK;
}

/* Appends a graph as a part. */
static void append_part(struct tw_graph *to, const struct tw_joined_graph *joined, struct tw__kernel_entry **known,
                        struct lengths *at)
{
	const struct tw_graph *from = joined->graph;
	struct tw__graph_part *part = &to->parts[to->n_parts];
	*part = (struct tw__graph_part){
		.first = to->n_tasks,
		.first_data = to->n_data,
		.first_phase = to->n_phases,
		.arrival = tw__ns_of(joined->arrival_s),
		.domain = joined->domain ? tw_copy_text(joined->domain) : NULL,
		.name = joined->name && *joined->name ? tw_copy_text(joined->name) : tw_format("graph %d", to->n_parts),
		.n_kernels = from->n_kernels,
		.kernels = tw_alloc((size_t)from->n_kernels, sizeof *part->kernels),
		.flops = from->flops,
		.priorities = from->priorities,
		.priority_scope = from->priority_scope,
	};
	to->n_parts++;
	for (tw_kernel k = 0; k < from->n_kernels; k++)
		part->kernels[k] = tw__find_equal_kernel(to, known, &from->kernels[k]);
	append(to,
	       &(struct range){.from = from,
	                       .task_end = from->n_tasks,
	                       .data_end = from->n_data,
	                       .phase_end = from->n_phases,
	                       .kernel_of = part->kernels},
	       at);
}

int tw__graph_join(struct tw_graph **out, const struct tw_joined_graph *joined, int n, struct tw_error *err)
{
	*out = NULL;
	int status = check_graphs(joined, n, err);
	if (status == TW_OK)
		status = check_sizes(joined, n, err);
	if (status < 0)
		return status;
	struct tw_graph *g = create();
	struct lengths at = {0};
	struct tw__kernel_entry *known = NULL;
	bool flops_are_known = true;
	g->parts = tw_alloc((size_t)n, sizeof *g->parts);
	for (int i = 0; i < n && status == TW_OK; i++) {
		append_part(g, &joined[i], &known, &at);
		if (joined[i].graph->priorities == TW__PRIORITIES_BOTTOM_LEVEL)
			g->priorities = TW__PRIORITIES_BOTTOM_LEVEL;
		flops_are_known &= joined[i].graph->flops > 0;
		g->flops += joined[i].graph->flops;
		if (g->n_kernels > UINT16_MAX + 1)
			status = tw_fail(err, TW_INVALID, "%d graphs have %d kernels together: expected at most %d", n,
			                 g->n_kernels, UINT16_MAX + 1);
	}
	tw__kernel_entries_destroy(known);
	g->flops = flops_are_known ? g->flops : 0;
	if (status < 0)
		tw_graph_destroy(g);
	else
		*out = g;
	return status;
}

int tw_graph_join_into(struct tw_graph *empty, const struct tw_joined_graph *of, int n, struct tw_error *err)
{
	struct tw_graph *joined, was;
	struct tw__door door;
	if (!empty || !empty->build || empty->n_tasks || empty->n_data || empty->n_kernels)
		return tw_fail(err, TW_INVALID, "graphs to join into another one: expected an empty one");
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = tw__graph_join(&joined, of, n, err);
	tw__door_close(&door);
	if (status < 0)
		return status;
	was = *empty;
	*empty = *joined;
	*joined = was;
	tw_graph_destroy(joined);
	return TW_OK;
}

/* Returns a graph with copies of the first n of those kernels, and of the range. */
static struct tw_graph *copy(struct range range, const tw_kernel *kernels, int n)
{
	struct tw_graph *g = create();
	struct lengths at = {0};
	struct tw__kernel_entry *known = NULL;
	tw_kernel *kernel_of = tw_alloc((size_t)range.from->n_kernels, sizeof *kernel_of);
	for (int number = 0; number < n; number++) {
		tw_kernel k = kernels ? kernels[number] : number;
		kernel_of[k] = tw__find_equal_kernel(g, &known, &range.from->kernels[k]);
	}
	tw__kernel_entries_destroy(known);
	range.kernel_of = kernel_of;
	append(g, &range, &at);
	free(kernel_of);
	return g;
}

struct tw_graph *tw__graph_part(const struct tw_graph *whole, int i, bool all_kernels)
{
	const struct tw__graph_part *part = &whole->parts[i];
	const bool is_last = i + 1 == whole->n_parts;
	struct tw_graph *g = copy((struct range){.from = whole,
	                                         .task = part->first,
	                                         .task_end = tw__graph_part_end(whole, i),
	                                         .data = part->first_data,
	                                         .data_end = is_last ? whole->n_data : part[1].first_data,
	                                         .phase = part->first_phase,
	                                         .phase_end = is_last ? whole->n_phases : part[1].first_phase},
	                          all_kernels ? NULL : part->kernels, all_kernels ? whole->n_kernels : part->n_kernels);
	g->flops = part->flops;
	g->priorities = part->priorities;
	g->priority_scope = part->priority_scope;
	return g;
}

struct tw_graph *tw__graph_range(const struct tw_graph *whole, const tw_task tasks[2], const tw_data data[2],
                                 const int32_t phases[2])
{
	const struct range r = {whole, tasks[0], tasks[1], data[0], data[1], phases[0], phases[1], NULL};
	return copy(r, NULL, whole->n_kernels);
}
