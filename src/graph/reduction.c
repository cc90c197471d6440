#include "graph/reduction.h"
#include "graph/ranks.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A partial result that is not combined yet: an accumulator, and the appended task that wrote it last (TW_NONE:
 * none). */
struct partial {
	tw_data data;
	tw_task by;
};

struct tw__extension {
	const struct tw_graph *own;
	tw_task max_tasks;
	uint32_t *n_predecessors; /* [max_tasks]; also in `shared` */
	struct tw__graph_shared shared;
	int32_t *nth;     /* [own handles] number of each handle among those with reductions, or TW_NONE */
	tw_data *data_of; /* [handles with reductions] the handle of each number in `nth` */
	/* [handles with reductions] the first accumulator of each, and the ranks whose workers have them. */
	tw_data *first;
	int *rank;
	int32_t *of;   /* [accumulators] the number in `nth` of the handle of each */
	int *place;    /* [n_workers] the number of each worker on its rank */
	tw_worker *at; /* [n_workers] the workers, by rank */
	int *first_at; /* [ranks + 1] the first worker of each rank in `at` */
	/* [n_workers] Temporary arrays, used while the tasks of one reduction are appended. */
	tw_task *successor;
	struct partial *left;
	int32_t *phase; /* [appended tasks] the reduction of each appended task */
};

uint32_t tw__graph_first_contribution(const struct tw_graph *g, uint32_t access)
{
	uint32_t low = 0, high = g->n_contributions;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (g->contributions[middle].access < access)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int32_t tw__graph_phase_of(const struct tw_graph *g, uint32_t access)
{
	const uint32_t c = tw__graph_first_contribution(g, access);
	assert(c < g->n_contributions && g->contributions[c].access == access);
	return g->contributions[c].phase;
}

/* --- the copy of a graph that a run extends ----------------------------------------------------------------------- */

static void *copy_of(const void *from, size_t n, size_t room, size_t each)
{
	void *to = tw_alloc(room, each);
	if (n)
		memcpy(to, from, n * each);
	return to;
}
#define COPY(array, n, room) ((array) = copy_of((array), (n), (room), sizeof *(array)))

static void extension_destroy(struct tw__extension *x)
{
	free(x->nth);
	free(x->data_of);
	free(x->first);
	free(x->rank);
	free(x->of);
	free(x->place);
	free(x->at);
	free(x->first_at);
	free(x->successor);
	free(x->left);
	free(x->phase);
	free(x->n_predecessors);
	free(x);
}

/* Sorts the workers by rank. */
static void list_workers(struct tw__extension *x, int n_workers, const int *rank_of)
{
	const int n_ranks = rank_of ? x->own->ranks->n : 1;
	x->place = tw_alloc((size_t)n_workers, sizeof *x->place);
	x->at = tw_alloc((size_t)n_workers, sizeof *x->at);
	x->first_at = tw_alloc((size_t)n_ranks + 1, sizeof *x->first_at);
	for (int w = 0; w < n_workers; w++)
		x->place[w] = x->first_at[1 + (rank_of ? rank_of[w] : 0)]++;
	for (int r = 0; r < n_ranks; r++)
		x->first_at[r + 1] += x->first_at[r];
	for (int w = 0; w < n_workers; w++)
		x->at[x->first_at[rank_of ? rank_of[w] : 0] + x->place[w]] = (tw_worker)w;
}

static int workers_of(const struct tw__extension *x, int rank) { return x->first_at[rank + 1] - x->first_at[rank]; }

/* Numbers the accumulators of each handle with reductions. Returns how many there are. */
static tw_data list_accumulators(struct tw__extension *x, int n_reduced)
{
	const struct tw__ranks *ranks = x->own->ranks;
	tw_data n = 0;
	x->first = tw_alloc((size_t)n_reduced, sizeof *x->first);
	x->rank = tw_alloc((size_t)n_reduced, sizeof *x->rank);
	for (int r = 0; ranks && r < ranks->n; r++)
		for (tw_data d = ranks->first_data[r]; d < ranks->first_data[r + 1]; d++)
			if (x->nth[d] != TW_NONE)
				x->rank[x->nth[d]] = r;
	for (int i = 0; i < n_reduced; i++) {
		x->first[i] = n;
		n += workers_of(x, x->rank[i]);
	}
	x->of = tw_alloc((size_t)n, sizeof *x->of);
	for (int i = 0; i < n_reduced; i++)
		for (int w = 0; w < workers_of(x, x->rank[i]); w++)
			x->of[x->first[i] + w] = i;
	return n;
}

static struct tw__extension *extension_create(const struct tw_graph *own, int n_workers, int *n_reduced)
{
	struct tw__extension *x = tw_alloc(1, sizeof *x);
	*x = (struct tw__extension){.own = own,
	                            .nth = tw_alloc((size_t)own->n_data, sizeof *x->nth),
	                            .data_of = tw_alloc((size_t)own->n_phases, sizeof *x->data_of),
	                            .successor = tw_alloc((size_t)n_workers, sizeof *x->successor),
	                            .left = tw_alloc((size_t)n_workers, sizeof *x->left)};
	*n_reduced = 0;
	for (tw_data d = 0; d < own->n_data; d++)
		x->nth[d] = TW_NONE;
	for (int p = 0; p < own->n_phases; p++) {
		tw_data d = own->phases[p].data;
		if (x->nth[d] != TW_NONE)
			continue;
		x->nth[d] = *n_reduced;
		x->data_of[(*n_reduced)++] = d;
	}
	return x;
}

static void set_priorities(struct tw_graph *g)
{
	for (int p = 0; p < g->n_phases; p++) {
		g->phases[p].priority = INT32_MIN;
		g->phases[p].critical = false;
	}
	for (tw_task t = 0; t < g->n_tasks; t++)
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
			if (!(g->access[a] & TW_REDUX))
				continue;
			struct tw__phase *phase = &g->phases[tw__graph_phase_of(g, a)];
			phase->priority = g->priority[t] > phase->priority ? g->priority[t] : phase->priority;
			phase->critical |= g->critical[t];
		}
}

void tw__graph_free_arrays(struct tw_graph *g)
{
	free(g->kernel);
	free(g->priority);
	free(g->critical);
	free(g->access_start);
	free(g->access);
	free(g->successor_start);
	free(g->successor);
	free(g->phases);
	free(g->data_bytes);
	free(g->data_uses);
	for (int p = 0; p < TW__N_PLACES; p++)
		free(g->data_places[p]);
	free(g->seconds);
	if (g->extension)
		return;
	free(g->lineages);
	free(g->around);
	free(g->inside_end);
	free(g->tiles);
	free(g->flushes);
}

struct tw_graph *tw__graph_extend_ranks(const struct tw_graph *own, int n_workers, const int *rank_of)
{
	struct tw_graph *g = tw_alloc(1, sizeof *g);
	int n_reduced;
	struct tw__extension *x = extension_create(own, n_workers, &n_reduced);
	list_workers(x, n_workers, rank_of);
	const size_t accumulators = (size_t)list_accumulators(x, n_reduced);
	size_t appended = 0; /* number of tasks that reductions may append: one per accumulator */
	for (int p = 0; p < own->n_phases; p++) {
		const uint32_t most = (uint32_t)workers_of(x, x->rank[x->nth[own->phases[p].data]]);
		appended += own->phases[p].n_contributors < most ? own->phases[p].n_contributors : most;
	}
	size_t tasks = (size_t)own->n_tasks, accesses = own->access_start[tasks], data = (size_t)own->n_data;
	size_t successors = own->successor_start[tasks], of_phases = own->phase_successor_start[own->n_phases];
	*g = *own;
	g->extension = x;
	g->shared = &x->shared;
	x->max_tasks = own->n_tasks + (tw_task)appended;
	x->n_predecessors = tw_alloc(tasks + appended, sizeof *x->n_predecessors);
	tw__graph_count_predecessors(own, x->n_predecessors);
	atomic_init(&x->shared.n_predecessors, x->n_predecessors);
	x->phase = tw_alloc(appended, sizeof *x->phase);
	COPY(g->kernel, tasks, tasks + appended);
	COPY(g->priority, tasks, tasks + appended);
	COPY(g->critical, tasks, tasks + appended);
	COPY(g->access_start, tasks + 1, tasks + appended + 1);
	COPY(g->access, accesses, accesses + 2 * appended);
	COPY(g->successor_start, tasks + 1, tasks + appended + 1);
	COPY(g->successor, successors, successors + appended + of_phases);
	COPY(g->phases, (size_t)own->n_phases, (size_t)own->n_phases);
	COPY(g->data_bytes, data, data + accumulators);
	COPY(g->data_uses, data, data + accumulators);
	for (int p = 0; p < TW__N_PLACES; p++)
		if (own->data_places[p])
			COPY(g->data_places[p], data, data + accumulators);
	if (own->seconds)
		COPY(g->seconds, tasks, tasks + appended);
	for (size_t t = tasks; own->seconds && t < tasks + appended; t++)
		g->seconds[t] = NAN;
	for (size_t a = 0; a < accumulators; a++)
		g->data_bytes[data + a] = own->data_bytes[x->data_of[x->of[a]]];
	g->n_data += (tw_data)accumulators;
	set_priorities(g);
	return g;
}

void tw__graph_unextend(struct tw_graph *g)
{
	extension_destroy(g->extension);
	tw__graph_free_arrays(g);
	free(g);
}

tw_task tw__graph_own_tasks(const struct tw_graph *g) { return g->extension ? g->extension->own->n_tasks : g->n_tasks; }
tw_task tw__graph_max_tasks(const struct tw_graph *g) { return g->extension ? g->extension->max_tasks : g->n_tasks; }
tw_data tw__graph_own_data(const struct tw_graph *g) { return g->extension ? g->extension->own->n_data : g->n_data; }

int32_t tw__graph_appended_for(const struct tw_graph *g, tw_task t)
{
	return g->extension->phase[t - g->extension->own->n_tasks];
}

tw_data tw__graph_accumulator(const struct tw_graph *g, tw_data d, tw_worker worker)
{
	const struct tw__extension *x = g->extension;
	return x->own->n_data + x->first[x->nth[d]] + x->place[worker];
}

bool tw__graph_is_accumulator(const struct tw_graph *g, tw_data accumulator, tw_data *of, tw_worker *worker)
{
	const struct tw__extension *x = g->extension;
	if (!x || accumulator < x->own->n_data)
		return false;
	const int32_t number = accumulator - x->own->n_data, i = x->of[number];
	*of = x->data_of[i];
	*worker = x->at[x->first_at[x->rank[i]] + number - x->first[i]];
	return true;
}

/* --- appending the tasks of a reduction --------------------------------------------------------------------------- */

static tw_task append(struct tw_graph *g, const struct tw__phase *phase, tw_data to, tw_data from)
{
	tw_task t = g->n_tasks++;
	assert(t < g->extension->max_tasks);
	g->extension->phase[t - g->extension->own->n_tasks] = (int32_t)(phase - g->phases);
	uint32_t a = g->access_start[t];
	g->kernel[t] = (uint16_t)phase->combine;
	g->priority[t] = phase->priority;
	g->critical[t] = phase->critical;
	g->access[a] = (uint32_t)from << TW__ACCESS_BITS | TW_R;
	g->access[a + 1] = (uint32_t)to << TW__ACCESS_BITS | TW_RW;
	g->access_start[t + 1] = a + 2;
	g->successor_start[t + 1] = g->successor_start[t];
	return t;
}

static void add_successor(struct tw_graph *g, tw_task t, tw_task successor)
{
	g->successor[g->successor_start[t + 1]++] = successor;
}

tw_task tw__graph_append_reduction(struct tw_graph *g, int32_t number, const tw_data *accumulators, int n)
{
	const struct tw__phase *phase = &g->phases[number];
	tw_task first = g->n_tasks, *waits_for = g->extension->successor;
	struct partial *left = g->extension->left;
	for (int i = 0; i < n; i++)
		left[i] = (struct partial){accumulators[i], TW_NONE};
	/* Each round combines pairs of partial results: the second is added to the first. */
	while (n > 1) {
		int kept = 0;
		for (int i = 0; i < n; i += 2) {
			struct partial result = left[i];
			if (i + 1 < n) {
				result.by = append(g, phase, left[i].data, left[i + 1].data);
				for (int part = i; part < i + 2; part++)
					if (left[part].by != TW_NONE) {
						waits_for[left[part].by - first] = result.by;
						g->extension->n_predecessors[result.by]++;
					}
			}
			left[kept++] = result;
		}
		n = kept;
	}
	tw_task last = append(g, phase, phase->data, left[0].data);
	if (left[0].by != TW_NONE) {
		waits_for[left[0].by - first] = last;
		g->extension->n_predecessors[last]++;
	}
	for (tw_task t = first; t < last; t++) {
		g->successor_start[t + 1] = g->successor_start[t];
		add_successor(g, t, waits_for[t - first]);
	}
	g->successor_start[last + 1] = g->successor_start[last];
	for (uint32_t s = g->phase_successor_start[number]; s < g->phase_successor_start[number + 1]; s++)
		add_successor(g, last, g->phase_successor[s]);
	return first;
}

/* Adds a handle to an ascending array without duplicates. Returns its new length. */
static int insert(tw_data *sorted, int n, tw_data d)
{
	int at = n;
	while (at > 0 && sorted[at - 1] > d)
		at--;
	if (at > 0 && sorted[at - 1] == d)
		return n;
	memmove(sorted + at + 1, sorted + at, (size_t)(n - at) * sizeof *sorted);
	sorted[at] = d;
	return n + 1;
}

int tw__graph_appended(const struct tw_graph *g, tw_task first, tw_data *used, tw_task *next)
{
	const int32_t phase = tw__graph_appended_for(g, first);
	const tw_data own_data = tw__graph_own_data(g);
	int n = 0;
	for (*next = first; *next < g->n_tasks && tw__graph_appended_for(g, *next) == phase; ++*next)
		for (uint32_t a = g->access_start[*next]; a < g->access_start[*next + 1]; a++)
			if (tw__access_data(g->access[a]) >= own_data)
				n = insert(used, n, tw__access_data(g->access[a]));
	return n;
}

int tw__graph_combiners(tw_kernel **out, const struct tw_graph *g, struct tw_error *err)
{
	tw_kernel *combine = *out = tw_alloc((size_t)g->n_data, sizeof *combine);
	bool same = true;
	for (tw_data d = 0; d < g->n_data; d++)
		combine[d] = TW_NONE;
	for (int p = 0; p < g->n_phases; p++) {
		tw_kernel *of = &combine[g->phases[p].data];
		same = same && (*of == TW_NONE || *of == g->phases[p].combine);
		*of = g->phases[p].combine;
	}
	if (same)
		return TW_OK;
	free(combine);
	return tw_fail(
		err, TW_FAILED,
		"two kernels combine one handle, one after the other: expected one kernel for each handle, as the "
		"format stores one");
}
