/* Sequential task flow: from submitted accesses to dependencies (Augonnet 2011, section 2.5.2). */
#include "graph/build.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NOBODY UINT32_MAX

/* The readers of a data since its last write: a list through one pool of cells, freed cells being used again. */
struct reader {
	tw_task task;
	uint32_t next;
};

struct data_state {
	tw_task last_writer;         /* TW_NONE: none */
	uint32_t last_writer_access; /* its place in graph->access, for the hint "will not be used" */
	uint32_t readers;            /* first cell, or NOBODY */
};

struct tw__graph_build {
	struct tw_error error; /* the first */
	int status;
	size_t tasks_capacity, accesses_capacity, data_capacity, predecessors_capacity, readers_capacity,
		seconds_capacity;
	tw_task *predecessors; /* of all tasks, in order; their counts stand in graph->n_predecessors */
	size_t n_predecessors;
	struct data_state *data;
	struct reader *readers;
	uint32_t n_readers, free_readers;
	tw_task *mark; /* [tasks]: the last task that counts this one among its predecessors */
};

struct tw__graph_build *tw__graph_build_create(void)
{
	struct tw__graph_build *b = calloc(1, sizeof *b);
	if (b)
		b->free_readers = NOBODY;
	return b;
}

void tw__graph_build_destroy(struct tw__graph_build *b)
{
	if (!b)
		return;
	free(b->predecessors);
	free(b->data);
	free(b->readers);
	free(b->mark);
	free(b);
}

static int grow(void **array, size_t *capacity, size_t needed, size_t element)
{
	if (needed <= *capacity)
		return TW_OK;
	size_t wanted = *capacity ? *capacity + *capacity / 2 : 64;
	if (wanted < needed)
		wanted = needed;
	void *bigger = realloc(*array, wanted * element);
	if (!bigger)
		return TW_NOMEM;
	*array = bigger;
	*capacity = wanted;
	return TW_OK;
}

#define GROW(array, capacity, needed) grow((void **)&(array), &(capacity), (needed), sizeof *(array))

static bool failed(const struct tw_graph *g) { return !g->build || g->build->status != TW_OK; }

static int out_of_memory(struct tw_graph *g)
{
	g->build->status = tw_fail(&g->build->error, TW_NOMEM, "out of memory after %d tasks", (int)g->n_tasks);
	return TW_NONE;
}

tw_data tw_graph_data(struct tw_graph *g, uint64_t bytes)
{
	if (failed(g))
		return TW_NONE;
	struct tw__graph_build *b = g->build;
	if (bytes == 0 || g->n_data >= TW__MAX_DATA) {
		b->status = tw_fail(&b->error, TW_INVALID,
		                    "data %d: %llu bytes, expected at least 1 byte and at most %d data", (int)g->n_data,
		                    (unsigned long long)bytes, TW__MAX_DATA);
		return TW_NONE;
	}
	size_t capacity = b->data_capacity;
	if (GROW(b->data, capacity, (size_t)g->n_data + 1) ||
	    GROW(g->data_bytes, b->data_capacity, (size_t)g->n_data + 1))
		return out_of_memory(g);
	b->data[g->n_data] = (struct data_state){TW_NONE, 0, NOBODY};
	g->data_bytes[g->n_data] = bytes;
	return g->n_data++;
}

tw_kernel tw_graph_kernel(struct tw_graph *g, const char *name, const char *size, const char *precision, double flops)
{
	if (failed(g))
		return TW_NONE;
	for (int k = 0; k < g->n_kernels; k++)
		if (!strcmp(g->kernels[k].name, name) && !strcmp(g->kernels[k].size, size) &&
		    !strcmp(g->kernels[k].precision, precision))
			return k;
	if (g->n_kernels > UINT16_MAX) {
		g->build->status = tw_fail(&g->build->error, TW_INVALID, "kernel '%s': more than %d kernels", name,
		                           UINT16_MAX + 1);
		return TW_NONE;
	}
	struct tw__kernel *kernels = realloc(g->kernels, ((size_t)g->n_kernels + 1) * sizeof *kernels);
	if (!kernels)
		return out_of_memory(g);
	g->kernels = kernels;
	struct tw__kernel *kernel = &kernels[g->n_kernels];
	*kernel = (struct tw__kernel){strdup(name), strdup(size), strdup(precision), flops, NULL, NULL};
	g->n_kernels++;
	if (!kernel->name || !kernel->size || !kernel->precision)
		return out_of_memory(g);
	return g->n_kernels - 1;
}

static void set_archs(struct tw_graph *g, tw_kernel kernel, bool recorded, const char *archs)
{
	if (failed(g) || kernel < 0 || kernel >= g->n_kernels)
		return;
	char **to = recorded ? &g->kernels[kernel].recorded_on : &g->kernels[kernel].archs;
	free(*to);
	*to = archs ? strdup(archs) : NULL;
	if (archs && !*to)
		out_of_memory(g);
}

void tw_graph_restrict(struct tw_graph *g, tw_kernel kernel, const char *archs) { set_archs(g, kernel, false, archs); }
void tw_graph_recorded_on(struct tw_graph *g, tw_kernel kernel, const char *archs)
{
	set_archs(g, kernel, true, archs);
}

/* Makes `task` (the one being submitted) depend on `on`, once. */
static void depend(struct tw_graph *g, tw_task task, tw_task on)
{
	struct tw__graph_build *b = g->build;
	if (b->mark[on] == task)
		return;
	b->mark[on] = task;
	if (GROW(b->predecessors, b->predecessors_capacity, b->n_predecessors + 1)) {
		out_of_memory(g);
		return;
	}
	b->predecessors[b->n_predecessors++] = on;
	g->n_predecessors[task]++;
}

static void add_reader(struct tw_graph *g, struct data_state *data, tw_task task)
{
	struct tw__graph_build *b = g->build;
	uint32_t cell = b->free_readers;
	if (cell != NOBODY) {
		b->free_readers = b->readers[cell].next;
	} else {
		if (GROW(b->readers, b->readers_capacity, (size_t)b->n_readers + 1)) {
			out_of_memory(g);
			return;
		}
		cell = b->n_readers++;
	}
	b->readers[cell] = (struct reader){task, data->readers};
	data->readers = cell;
}

static void accesses(struct tw_graph *g, tw_task task, struct tw_access access, uint32_t place)
{
	struct tw__graph_build *b = g->build;
	struct data_state *data = &b->data[access.data];
	if (!(access.mode & TW_W)) {
		if (data->last_writer != TW_NONE)
			depend(g, task, data->last_writer);
		add_reader(g, data, task);
		return;
	}
	if (data->readers != NOBODY) {
		uint32_t last = data->readers;
		for (uint32_t cell = data->readers; cell != NOBODY; cell = b->readers[cell].next) {
			depend(g, task, b->readers[cell].task);
			last = cell;
		}
		b->readers[last].next = b->free_readers;
		b->free_readers = data->readers;
		data->readers = NOBODY;
	} else if (data->last_writer != TW_NONE) {
		depend(g, task, data->last_writer);
	}
	data->last_writer = task;
	data->last_writer_access = place;
}

static bool bad_accesses(const struct tw_graph *g, const struct tw_access *access, int n)
{
	if (n < 0 || n > TW_MAX_ACCESSES)
		return true;
	for (int i = 0; i < n; i++) {
		if (access[i].data < 0 || access[i].data >= g->n_data || !(access[i].mode & TW_RW) ||
		    (access[i].mode & ~TW_RW))
			return true;
		for (int j = 0; j < i; j++)
			if (access[j].data == access[i].data)
				return true;
	}
	return false;
}

static int grow_tasks(struct tw_graph *g, int n_accesses)
{
	struct tw__graph_build *b = g->build;
	size_t needed = (size_t)g->n_tasks + 2, wanted = b->tasks_capacity; /* access_start has one entry more */
	size_t n = g->n_tasks ? g->access_start[g->n_tasks] : 0;
	if (needed > wanted) {
		size_t c[4] = {wanted, wanted, wanted, wanted};
		if (GROW(g->kernel, c[0], needed) || GROW(g->priority, c[1], needed) ||
		    GROW(g->n_predecessors, c[2], needed) || GROW(g->access_start, c[3], needed) ||
		    GROW(b->mark, b->tasks_capacity, needed))
			return TW_NOMEM;
	}
	return GROW(g->access, b->accesses_capacity, n + (size_t)n_accesses + 1);
}

tw_task tw_graph_submit(struct tw_graph *g, tw_kernel kernel, int32_t priority, const struct tw_access *access, int n)
{
	if (failed(g))
		return TW_NONE;
	struct tw__graph_build *b = g->build;
	tw_task task = g->n_tasks;
	if (kernel < 0 || kernel >= g->n_kernels || task == INT32_MAX - 2 || bad_accesses(g, access, n)) {
		b->status = tw_fail(
			&b->error, TW_INVALID,
			"task %d: expected a known kernel and 0 to %d accesses to known data, each once and with a mode",
			(int)task, TW_MAX_ACCESSES);
		return TW_NONE;
	}
	if (grow_tasks(g, n))
		return out_of_memory(g);
	if (task == 0)
		g->access_start[0] = 0;
	uint32_t first = g->access_start[task];
	g->kernel[task] = (uint16_t)kernel;
	g->priority[task] = priority;
	g->n_predecessors[task] = 0;
	g->access_start[task + 1] = first + (uint32_t)n;
	b->mark[task] = TW_NONE;
	g->n_tasks++;
	for (int i = 0; i < n; i++) {
		g->access[first + (uint32_t)i] = (uint32_t)access[i].data << TW__ACCESS_BITS | (uint32_t)access[i].mode;
		accesses(g, task, access[i], first + (uint32_t)i);
	}
	return failed(g) ? TW_NONE : task;
}

static bool is_new(struct tw_graph *g, const char *what, tw_task task, tw_task last)
{
	if (failed(g))
		return false;
	if (task >= 0 && task <= last)
		return true;
	g->build->status =
		tw_fail(&g->build->error, TW_INVALID, "%s task %d, expected one submitted before", what, (int)task);
	return false;
}

static int grow_seconds(struct tw_graph *g, size_t needed)
{
	size_t known = g->build->seconds_capacity;
	if (GROW(g->seconds, g->build->seconds_capacity, needed))
		return TW_NOMEM;
	for (; known < g->build->seconds_capacity; known++)
		g->seconds[known] = NAN;
	return TW_OK;
}

void tw_graph_set_seconds(struct tw_graph *g, tw_task task, double seconds)
{
	if (!is_new(g, "seconds of", task, g->n_tasks - 1))
		return;
	struct tw__graph_build *b = g->build;
	if (!(seconds > 0) || isinf(seconds)) {
		b->status = tw_fail(&b->error, TW_INVALID, "task %d takes %g s, expected a time above 0", (int)task,
		                    seconds);
		return;
	}
	if (grow_seconds(g, (size_t)task + 1))
		out_of_memory(g);
	else
		g->seconds[task] = seconds;
}

void tw_graph_depend(struct tw_graph *g, tw_task on)
{
	if (is_new(g, "a task depends on", on, g->n_tasks - 2))
		depend(g, g->n_tasks - 1, on);
}

void tw_graph_will_not_be_used(struct tw_graph *g, tw_data data)
{
	if (failed(g) || data < 0 || data >= g->n_data)
		return;
	const struct data_state *state = &g->build->data[data];
	if (state->last_writer != TW_NONE)
		g->access[state->last_writer_access] |= TW__ACCESS_LAST_WRITE;
}

/* Predecessor lists, in task order, become successor lists: count, sum up, distribute. */
static int link_successors(struct tw_graph *g)
{
	struct tw__graph_build *b = g->build;
	g->successor_start = calloc((size_t)g->n_tasks + 2, sizeof *g->successor_start);
	g->successor = malloc((b->n_predecessors + 1) * sizeof *g->successor);
	if (!g->successor_start || !g->successor || b->n_predecessors > UINT32_MAX)
		return TW_NOMEM;
	uint32_t *start = g->successor_start;
	for (size_t i = 0; i < b->n_predecessors; i++)
		start[b->predecessors[i] + 2]++;
	for (tw_task t = 2; t <= g->n_tasks; t++)
		start[t] += start[t - 1];
	size_t i = 0;
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t p = 0; p < g->n_predecessors[t]; p++)
			g->successor[start[b->predecessors[i++] + 1]++] = t;
	return TW_OK;
}

int tw_graph_finish(struct tw_graph *g, struct tw_error *err)
{
	struct tw__graph_build *b = g->build;
	if (!b)
		return TW_OK;
	if (b->status == TW_OK && g->n_tasks == 0)
		b->status = tw_fail(&b->error, TW_INVALID, "the task graph is empty, expected at least one task");
	if (b->status == TW_OK) {
		free(b->data);
		free(b->readers);
		free(b->mark);
		b->data = NULL;
		b->readers = NULL;
		b->mark = NULL;
		if (link_successors(g) || (g->seconds && grow_seconds(g, (size_t)g->n_tasks)))
			out_of_memory(g);
	}
	int status = b->status;
	if (status != TW_OK) {
		*err = b->error;
		return status;
	}
	tw__graph_build_destroy(b);
	g->build = NULL;
	return TW_OK;
}
