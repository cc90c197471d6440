/* Checks before a run whether the data of every task fit into each memory where the task may run. The check looks at
 * sets of handles that one memory must hold at the same time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/spec.h"
#include "runtime/room/room.h"
#include "runtime/run.h"

/* Sizes, the greatest first. */
struct set {
	uint64_t *bytes, sum; /* the sum saturates at UINT64_MAX */
	int n;
};

/* One task of each sort. Tasks of one sort fit the same memories: they have one kernel, handles of the same sizes and
 * uses, and the same archs run them, as policies believe. Graphs have few sorts. */
struct unlike {
	tw_task *tasks; /* [n] the first of each sort, in the graph's order */
	size_t n, capacity;
	uint32_t *slots; /* [n_slots] a hash table of indices in `tasks`, plus 1; 0: free */
	size_t n_slots;
};

static void add(struct set *set, uint64_t bytes)
{
	set->bytes[set->n++] = bytes;
	set->sum = bytes < UINT64_MAX - set->sum ? set->sum + bytes : UINT64_MAX;
}

static int greatest_first(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

static void sort(const struct set *set) { qsort(set->bytes, (size_t)set->n, sizeof *set->bytes, greatest_first); }

static uint64_t need_of(const struct tw_graph *g, uint32_t access)
{
	tw_data d = tw__access_data(g->access[access]);
	return g->data_bytes[d] << 1 | (tw__data_use(g, d) == TW__USE_SCRATCH);
}

static int domain_of(const struct tw__run_input *in, tw_task t) { return in->domain_of ? in->domain_of[t] : 0; }

/* Whether the same workers run both tasks, which have one kernel. */
static bool run_alike(const struct tw__run_input *in, tw_task s, tw_task t)
{
	if (domain_of(in, s) != domain_of(in, t))
		return false;
	for (tw_arch a = 0; a < in->platform->n_archs && in->belief->has_recorded; a++)
		if (tw__task_can_run(in->belief, in->graph, s, a) != tw__task_can_run(in->belief, in->graph, t, a))
			return false;
	return true;
}

static bool are_alike(const struct tw__run_input *in, tw_task s, tw_task t)
{
	const struct tw_graph *g = in->graph;
	uint32_t a = g->access_start[s], b = g->access_start[t], n = g->access_start[s + 1] - a;
	if (g->kernel[s] != g->kernel[t] || g->access_start[t + 1] - b != n || !run_alike(in, s, t))
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (need_of(g, a + i) != need_of(g, b + i))
			return false;
	return true;
}

static uint64_t hash_of(const struct tw_graph *g, tw_task t)
{
	uint64_t hash = g->kernel[t];
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
		hash = (hash ^ need_of(g, a)) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

/* The slot of the task's sort, or the free slot for it. */
static uint32_t *slot_of(const struct unlike *u, const struct tw__run_input *in, tw_task t)
{
	size_t slot = hash_of(in->graph, t) & (u->n_slots - 1);
	while (u->slots[slot] && !are_alike(in, u->tasks[u->slots[slot] - 1], t))
		slot = (slot + 1) & (u->n_slots - 1);
	return &u->slots[slot];
}

static void grow_slots(struct unlike *u, const struct tw__run_input *in)
{
	size_t n_slots = u->n_slots ? 2 * u->n_slots : 64;
	free(u->slots);
	u->slots = tw_alloc(n_slots, sizeof *u->slots);
	u->n_slots = n_slots;
	for (size_t i = 0; i < u->n; i++)
		*slot_of(u, in, u->tasks[i]) = (uint32_t)i + 1;
}

static void unlike_init(struct unlike *u, const struct tw__run_input *in)
{
	for (tw_task t = 0; t < in->graph->n_tasks; t++) {
		if (t > 0 && are_alike(in, t - 1, t))
			continue;
		if (2 * u->n >= u->n_slots)
			grow_slots(u, in);
		uint32_t *slot = slot_of(u, in, t);
		if (*slot)
			continue;
		TW_RESERVE(u->tasks, u->capacity, u->n + 1);
		u->tasks[u->n++] = t;
		*slot = (uint32_t)u->n;
	}
}

/* The handles of a task that runs on a worker of the memory. `bytes`: room for their sizes. */
static struct set set_of_task(const struct tw__run_input *in, tw_task t, tw_node n, uint64_t *bytes)
{
	struct set set = {.bytes = bytes};
	int computing = 0;
	for (int w = 0; in->graph->data_uses && w < in->platform->n_workers; w++)
		computing += in->platform->workers[w].node == n;
	for (int i = 0; i < tw_graph_n_accesses(in->graph, t); i++) {
		tw_data d = tw_graph_access(in->graph, t, i).data;
		bool scratch = tw__data_use(in->graph, d) == TW__USE_SCRATCH;
		add(&set, tw_graph_data_bytes(in->graph, d) * (uint64_t)(scratch ? computing : 1));
	}
	sort(&set);
	return set;
}

/* The two accumulators of a step that combines them. */
static struct set set_of_reduction(const struct tw__run_input *in, int32_t phase, uint64_t *bytes)
{
	struct set set = {.bytes = bytes};
	for (int i = 0; i < 2; i++)
		add(&set, tw_graph_data_bytes(in->graph, in->graph->phases[phase].data));
	return set;
}

/* Returns the smallest capacity that holds the set, if the memory is empty before.
 *
 * Room is taken in the order of `bytes`, and none is given back. So the room taken is one piece from offset 0, and its
 * size does not depend on the capacity. */
static uint64_t set_room(const struct set *set, uint64_t chunk_bytes, uint64_t chunk_data_bytes)
{
	if (!chunk_bytes || !set->n || set->sum == UINT64_MAX)
		return set->sum;
	if (set->bytes[0] <= chunk_data_bytes && set->sum + (uint64_t)set->n * TW__ROOM_GRAIN <= chunk_bytes)
		return chunk_bytes; /* one chunk takes them all */
	struct tw__room room;
	uint64_t offset;
	int allocations, status = TW_OK;
	tw__room_init(&room, UINT64_MAX, chunk_bytes, chunk_data_bytes);
	for (int i = 0; status == TW_OK && i < set->n; i++)
		status = tw__room_take(&room, set->bytes[i], &offset, &allocations);
	uint64_t taken = UINT64_MAX - room.space.free_bytes;
	tw__room_finish(&room);
	return status == TW_OK ? taken : UINT64_MAX;
}

enum { SIZE_TEXT = 32 };

/* A set that is too large for a memory. */
struct misfit {
	struct set set;   /* its number of handles, and their sum */
	const char *what; /* "task"; NULL: all fits */
	int number;       /* of it */
	tw_kernel kernel;
	const struct tw__worker *worker;
};

/* The demands of all that may run, on each worker. */
struct demand {
	const struct tw__run_input *in;
	const uint64_t *capacity;
	struct unlike unlike;
	uint64_t *bytes;     /* of the handles of one set */
	uint64_t *of_worker; /* [n_workers] the smallest capacity of its memory that will do; unbounded memories: 0 */
	struct misfit first; /* in the order of workers */
};

/* Looks at one set on a worker. `what` and `number` name its owner: "task", 3. */
static void add_set(struct demand *d, const struct set *set, const char *what, int number, tw_kernel kernel,
                    tw_worker w)
{
	const struct tw__worker *worker = &d->in->platform->workers[w];
	uint64_t chunk = tw__run_chunk_bytes(d->in->platform, d->in->params, worker->node);
	uint64_t least = set_room(set, chunk, d->in->params->chunk_data_bytes);
	if (least > d->of_worker[w])
		d->of_worker[w] = least;
	if (least > d->capacity[worker->node] && !d->first.what)
		d->first = (struct misfit){*set, what, number, kernel, worker};
}

/* Looks at all that may run on the worker. */
static void add_worker(struct demand *d, tw_worker w)
{
	const struct tw__run_input *in = d->in;
	const struct tw_graph *g = in->graph;
	tw_arch arch = in->platform->workers[w].arch;
	for (size_t i = 0; i < d->unlike.n; i++) {
		tw_task t = d->unlike.tasks[i];
		if (!tw__domain_has(&in->domains[domain_of(in, t)], w) ||
		    isnan(tw__task_seconds(in->belief, g, t, arch)))
			continue;
		struct set set = set_of_task(in, t, in->platform->workers[w].node, d->bytes);
		add_set(d, &set, "task", (int)t, g->kernel[t], w);
	}
	for (int32_t p = 0; p < g->n_phases; p++) {
		tw_kernel combine = g->phases[p].combine;
		if (isnan(in->belief->mean[combine * in->belief->n_archs + arch]) ||
		    !tw__domain_has(&in->domains[domain_of(in, g->phases[p].first)], w))
			continue;
		struct set set = set_of_reduction(in, p, d->bytes);
		add_set(d, &set, "combining accumulators of data", (int)g->phases[p].data, combine, w);
	}
}

/* Checks the number of accumulators: each worker may need one for each handle of a reduction. */
static int check_accumulators(const struct tw__run_input *in, struct tw_error *err)
{
	int64_t reduced = 0, n_data = in->graph->n_data, n_workers = in->platform->n_workers;
	for (tw_data d = 0; in->graph->n_phases && d < in->graph->n_data; d++)
		reduced += tw__data_use(in->graph, d) == TW__USE_REDUX;
	if (n_data + reduced * n_workers <= TW__MAX_DATA)
		return TW_OK;
	return tw_fail(
		err, TW_INVALID,
		"reductions of %lld data on %d workers: up to %lld accumulators beside %d data, expected at most "
		"%d in all",
		(long long)reduced, (int)n_workers, (long long)(reduced * n_workers), (int)n_data, TW__MAX_DATA);
}

/* Whether every task that fits into one worker's memory also fits into the other's, because arch and memory are
 * alike. */
static bool hold_alike(const struct tw__run_input *in, const struct tw__worker *v, const struct tw__worker *w,
                       const uint64_t *capacity)
{
	if (v->arch != w->arch || in->domain_of)
		return false;
	if (v->node == w->node)
		return true;
	return !in->graph->data_uses && /* scratch handles take room for each worker of a memory */
	       capacity[v->node] == capacity[w->node] &&
	       tw__run_chunk_bytes(in->platform, in->params, v->node) ==
	               tw__run_chunk_bytes(in->platform, in->params, w->node);
}

static void demand_finish(struct demand *d)
{
	free(d->unlike.tasks);
	free(d->unlike.slots);
	free(d->bytes);
	free(d->of_worker);
}

static void demand_init(struct demand *d, const struct tw__run_input *in, const uint64_t *capacity)
{
	const struct tw__platform *p = in->platform;
	*d = (struct demand){.in = in, .capacity = capacity};
	d->bytes = tw_alloc((size_t)tw_graph_most_accesses(in->graph), sizeof *d->bytes);
	d->of_worker = tw_alloc((size_t)p->n_workers, sizeof *d->of_worker);
	unlike_init(&d->unlike, in);
	for (tw_worker w = 0; w < p->n_workers; w++) {
		tw_worker v = 0;
		if (capacity[p->workers[w].node] == UINT64_MAX)
			continue;
		while (v < w && !hold_alike(in, &p->workers[v], &p->workers[w], capacity))
			v++;
		if (v < w)
			d->of_worker[w] = d->of_worker[v];
		else
			add_worker(d, w);
	}
}

static uint64_t demand_of_node(const struct demand *d, tw_node n)
{
	uint64_t least = 0;
	for (tw_worker w = 0; w < d->in->platform->n_workers; w++)
		if (d->in->platform->workers[w].node == n && d->of_worker[w] > least)
			least = d->of_worker[w];
	return least;
}

/* The message about the first misfit. */
static int refuse(const struct demand *d, struct tw_error *err)
{
	const struct tw__run_input *in = d->in;
	const struct misfit *m = &d->first;
	tw_node n = m->worker->node;
	uint64_t chunk = tw__run_chunk_bytes(in->platform, in->params, n);
	const uint64_t least = demand_of_node(d, n), usable = d->capacity[n];
	char whole[160] = "", needed_text[SIZE_TEXT], usable_text[SIZE_TEXT], least_text[SIZE_TEXT];
	if (chunk)
		snprintf(whole, sizeof whole, " in whole chunks (chunk_bytes) of %s, which data of up to %s share",
		         tw__size_text(needed_text, SIZE_TEXT, chunk),
		         tw__size_text(usable_text, SIZE_TEXT, in->params->chunk_data_bytes));
	return tw_fail(err, TW_INVALID,
	               "%s %d (%s) needs %s for its %d data, memory '%s' of worker '%s' has %s usable%s: "
	               "expected at least %s",
	               m->what, m->number, tw_graph_kernel_name(in->graph, m->kernel),
	               tw__size_beside(needed_text, SIZE_TEXT, m->set.sum, usable), m->set.n,
	               in->platform->nodes[n].name, m->worker->name,
	               tw__size_beside(usable_text, SIZE_TEXT, usable, least), whole,
	               tw__size_beside(least_text, SIZE_TEXT, least, usable));
}

void tw__run_least_capacities(const struct tw__run_input *in, const uint64_t *capacity, uint64_t *least)
{
	struct demand d;
	demand_init(&d, in, capacity);
	for (tw_node n = 0; n < in->platform->n_nodes; n++)
		least[n] = demand_of_node(&d, n);
	demand_finish(&d);
}

/* The handles that start or end in a memory have room there together. */
static int check_place(const struct tw__run_input *in, enum tw__place place, tw_node n, uint64_t capacity,
                       struct tw_error *err)
{
	const tw_data n_data = in->graph->n_data;
	struct set set = {.bytes = tw_alloc((size_t)n_data, sizeof *set.bytes)};
	char needed[SIZE_TEXT], usable[SIZE_TEXT];
	for (tw_data d = 0; d < n_data; d++)
		if (tw__graph_place(in->graph, place, d) == n)
			add(&set, in->graph->data_bytes[d]);
	sort(&set);
	uint64_t least = set_room(&set, tw__run_chunk_bytes(in->platform, in->params, n), in->params->chunk_data_bytes);
	free(set.bytes);
	if (least <= capacity)
		return TW_OK;
	return tw_fail(err, TW_INVALID, "memory '%s' has %s usable, but the %d data that %s there need %s",
	               in->platform->nodes[n].name, tw__size_beside(usable, SIZE_TEXT, capacity, least), set.n,
	               place == TW__HOME ? "start" : "must be at the end",
	               tw__size_beside(needed, SIZE_TEXT, least, capacity));
}

/* The platform has the memories where the graph says that handles start or end. */
static int check_places(const struct tw__run_input *in, enum tw__place place, const uint64_t *capacity,
                        struct tw_error *err)
{
	const struct tw__platform *p = in->platform;
	int n = p->n_nodes;
	while (!tw__is_main(p, n - 1) && !tw__is_card(p, n - 1))
		n--; /* disks are the last memories */
	for (tw_data d = 0; in->graph->data_places[place] && d < in->graph->n_data; d++)
		if (tw__graph_place(in->graph, place, d) >= n)
			return tw_fail(err, TW_INVALID, "data %d %s in memory %d, but the run has %d %s, from 0 on",
			               (int)d, place == TW__HOME ? "starts" : "must be at the end",
			               (int)tw__graph_place(in->graph, place, d), n, n == 1 ? "memory" : "memories");
	int status = TW_OK;
	for (n--; in->graph->data_places[place] && n >= 0 && status == TW_OK; n--)
		if (capacity[n] != UINT64_MAX && (place == TW__END_PLACE || tw__is_card(p, n)))
			status = check_place(in, place, n, capacity[n], err);
	return status;
}

int tw__run_check_fit(const struct tw__run_input *in, const uint64_t *capacity, struct tw_error *err)
{
	const struct tw__platform *p = in->platform;
	int status = check_places(in, TW__HOME, capacity, err);
	if (status == TW_OK)
		status = check_places(in, TW__END_PLACE, capacity, err);
	for (tw_node n = 0; in->graph->n_lineages && n < tw__n_mains(p) && status == TW_OK; n++)
		if (capacity[n] != UINT64_MAX)
			status = tw_fail(
				err, TW_INVALID,
				"main memory '%s' is bounded, and the workload divides handles: expected no bound",
				p->nodes[n].name);
	if (status < 0 || in->fits)
		return status;
	if (tw__run_home(p, capacity) == TW_RAM && capacity[TW_RAM] != UINT64_MAX) {
		uint64_t sum = 0;
		for (tw_data d = 0; d < in->graph->n_data; d++)
			sum += in->graph->data_bytes[d];
		char bound[SIZE_TEXT], needed[SIZE_TEXT];
		return tw_fail(err, TW_INVALID,
		               "main memory '%s' is bounded to %s and has no backing memory: expected a platform with "
		               "a disk (the workload has %s)",
		               p->nodes[TW_RAM].name, tw__size_beside(bound, SIZE_TEXT, capacity[TW_RAM], sum),
		               tw__size_beside(needed, SIZE_TEXT, sum, capacity[TW_RAM]));
	}
	struct demand d;
	status = check_accumulators(in, err);
	if (status < 0)
		return status;
	demand_init(&d, in, capacity);
	if (d.first.what)
		status = refuse(&d, err);
	demand_finish(&d);
	return status;
}
