/* Checks before a run whether the data of every task fit into each memory where the task may run. A query for policies
 * tells whether all data of the graph fit into a memory. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <tilewright/containers.h>

#include "runtime/memory/memory.h"
#include "runtime/memory/memory_state.h"

/* Sizes in bytes of the handles that one memory must hold at the same time, the greatest first. */
struct set {
	uint64_t bytes[TW_MAX_ACCESSES], sum;
	int n;
};

/* Empties the set. It does not clear the whole struct, which is long, because it is called for each task. */
static void begin(struct set *set)
{
	set->bytes[0] = 0;
	set->sum = 0;
	set->n = 0;
}

static void add(struct set *set, uint64_t bytes)
{
	int i = set->n++;
	for (; i > 0 && set->bytes[i - 1] < bytes; i--)
		set->bytes[i] = set->bytes[i - 1];
	set->bytes[i] = bytes;
	set->sum += bytes;
}

/* One task of each sort. Tasks of one sort fit into the same memories: they have the same kernel, and handles of the
 * same sizes and uses. All or none of them have times of their own. Graphs have few sorts. */
struct unlike {
	tw_task *tasks; /* [n] the first task of each sort, in the graph's order */
	size_t n, capacity;
	uint32_t *slots; /* [n_slots] a hash table: each slot has an index in `tasks`, plus 1; 0: the slot is free */
	size_t n_slots;
};

static uint64_t need_of(const struct tw_graph *g, uint32_t access)
{
	tw_data d = tw__access_data(g->access[access]);
	return g->data_bytes[d] << 1 | (tw__data_use(g, d) == TW__USE_SCRATCH);
}

static bool has_own_seconds(const struct tw_graph *g, tw_task t) { return g->seconds && !isnan(g->seconds[t]); }

static bool are_alike(const struct tw_graph *g, tw_task s, tw_task t)
{
	uint32_t a = g->access_start[s], b = g->access_start[t], n = g->access_start[s + 1] - a;
	if (g->kernel[s] != g->kernel[t] || has_own_seconds(g, s) != has_own_seconds(g, t) ||
	    g->access_start[t + 1] - b != n)
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

/* Returns the slot of the task's sort; if the sort is new, the free slot for it. */
static uint32_t *slot_of(const struct unlike *u, const struct tw_graph *g, tw_task t)
{
	size_t slot = hash_of(g, t) & (u->n_slots - 1);
	while (u->slots[slot] && !are_alike(g, u->tasks[u->slots[slot] - 1], t))
		slot = (slot + 1) & (u->n_slots - 1);
	return &u->slots[slot];
}

static int grow_slots(struct unlike *u, const struct tw_graph *g)
{
	size_t n_slots = u->n_slots ? 2 * u->n_slots : 64;
	uint32_t *slots = calloc(n_slots, sizeof *slots);
	if (!slots)
		return TW_NOMEM;
	free(u->slots);
	u->slots = slots;
	u->n_slots = n_slots;
	for (size_t i = 0; i < u->n; i++)
		*slot_of(u, g, u->tasks[i]) = (uint32_t)i + 1;
	return TW_OK;
}

static int unlike_init(struct unlike *u, const struct tw_graph *g)
{
	*u = (struct unlike){0};
	for (tw_task t = 0; t < g->n_tasks; t++) {
		if (t > 0 && are_alike(g, t - 1, t))
			continue;
		if (2 * u->n >= u->n_slots && grow_slots(u, g))
			return TW_NOMEM;
		uint32_t *slot = slot_of(u, g, t);
		if (*slot)
			continue;
		if (!TW_HAS_ROOM(u->tasks, u->capacity, u->n + 1))
			return TW_NOMEM;
		u->tasks[u->n++] = t;
		*slot = (uint32_t)u->n;
	}
	return TW_OK;
}

static void unlike_finish(struct unlike *u)
{
	free(u->tasks);
	free(u->slots);
}

static struct set set_of_task(const struct tw__run_input *in, tw_task t, tw_node n)
{
	struct set set;
	begin(&set);
	int computing = 0;
	for (int w = 0; in->graph->data_uses && w < in->platform->n_workers; w++)
		computing += in->platform->workers[w].node == n;
	for (int i = 0; i < tw_graph_n_accesses(in->graph, t); i++) {
		tw_data d = tw_graph_access(in->graph, t, i).data;
		bool scratch = tw__data_use(in->graph, d) == TW__USE_SCRATCH;
		add(&set, tw_graph_data_bytes(in->graph, d) * (uint64_t)(scratch ? computing : 1));
	}
	return set;
}

static struct set set_of_reduction(const struct tw__run_input *in, int32_t phase)
{
	struct set set;
	begin(&set);
	for (int i = 0; i < 2; i++)
		add(&set, tw_graph_data_bytes(in->graph, in->graph->phases[phase].data));
	return set;
}

/* Returns TW_OK if the handles fit into a memory of this capacity, TW_FAILED if they do not, or TW_NOMEM. */
static int fits(const struct set *set, uint64_t capacity, uint64_t chunk_bytes, uint64_t chunk_data_bytes)
{
	if (set->sum > capacity)
		return TW_FAILED;
	if (!chunk_bytes || (chunk_bytes <= capacity && set->bytes[0] <= chunk_data_bytes &&
	                     set->sum + (uint64_t)set->n * TW__ROOM_GRAIN <= chunk_bytes))
		return TW_OK; /* the set fits: there are no chunks, or one chunk takes all handles */
	struct tw__room room;
	uint64_t offset;
	int allocations;
	int status = tw__room_init(&room, capacity, chunk_bytes, chunk_data_bytes);
	for (int i = 0; status == TW_OK && i < set->n; i++)
		status = tw__room_take(&room, set->bytes[i], &offset, &allocations);
	tw__room_finish(&room);
	return status;
}

/* Fails if the set does not fit into the worker's memory. For the message, `what` and `number` name the owner of the
 * set, for example "task" and 3. */
static int check(const struct tw__run_input *in, const struct set *set, const char *what, int number, tw_kernel kernel,
                 const struct tw__worker *w, uint64_t capacity, struct tw_error *err)
{
	uint64_t chunk = tw__memory_chunk_bytes(in->platform, in->params, w->node);
	int status = fits(set, capacity, chunk, in->params->chunk_data_bytes);
	if (status == TW_OK)
		return TW_OK;
	if (status == TW_NOMEM)
		return tw_fail(err, TW_NOMEM, "out of memory for a run of %d tasks", (int)in->graph->n_tasks);
	char whole[128] = "";
	if (chunk)
		snprintf(whole, sizeof whole, " in whole chunks (chunk_bytes) of %llu, which data of up to %llu share",
		         (unsigned long long)chunk, (unsigned long long)in->params->chunk_data_bytes);
	return tw_fail(
		err, TW_INVALID,
		"%s %d (%s) needs %llu bytes for its %d data, memory '%s' of worker '%s' has %llu usable bytes%s: "
		"expected room for each task",
		what, number, tw_graph_kernel_name(in->graph, kernel), (unsigned long long)set->sum, set->n,
		in->platform->nodes[w->node].name, w->name, (unsigned long long)capacity, whole);
}

/* Checks all tasks and combinations of accumulators that may run on the worker. */
static int check_worker(const struct tw__run_input *in, const struct unlike *unlike, const struct tw__worker *w,
                        uint64_t capacity, struct tw_error *err)
{
	const struct tw_graph *g = in->graph;
	int status = TW_OK;
	for (size_t i = 0; i < unlike->n && status == TW_OK; i++) {
		tw_task t = unlike->tasks[i];
		if (isnan(tw__task_seconds(in->belief, g, t, w->arch)))
			continue;
		struct set set = set_of_task(in, t, w->node);
		status = check(in, &set, "task", (int)t, g->kernel[t], w, capacity, err);
	}
	for (int32_t p = 0; p < g->n_phases && status == TW_OK; p++) {
		tw_kernel combine = g->phases[p].combine;
		if (isnan(in->belief->mean[combine * in->belief->n_archs + w->arch]))
			continue;
		struct set set = set_of_reduction(in, p);
		status = check(in, &set, "combining accumulators of data", (int)g->phases[p].data, combine, w, capacity,
		               err);
	}
	return status;
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
	if (v->arch != w->arch)
		return false;
	if (v->node == w->node)
		return true;
	return !in->graph->data_uses && /* scratch handles take room for each worker of a memory */
	       capacity[v->node] == capacity[w->node] &&
	       tw__memory_chunk_bytes(in->platform, in->params, v->node) ==
	               tw__memory_chunk_bytes(in->platform, in->params, w->node);
}

int tw__run_check_fit(const struct tw__run_input *in, const uint64_t *capacity, struct tw_error *err)
{
	const struct tw_platform *p = in->platform;
	if (in->eviction->flags & TW_NEEDS_PLAN && !in->policy->planned_use)
		return tw_fail(err, TW_INVALID,
		               "eviction '%s': policy '%.60s' plans nothing ahead, expected one that does",
		               in->eviction->name, in->policy->name);
	if (in->fits)
		return TW_OK;
	if (tw__run_home(p, capacity) == TW_RAM && capacity[TW_RAM] != UINT64_MAX) {
		uint64_t sum = 0;
		for (tw_data d = 0; d < in->graph->n_data; d++)
			sum += in->graph->data_bytes[d];
		return tw_fail(
			err, TW_INVALID,
			"main memory '%s' is bounded to %llu bytes and has no backing memory, expected a platform "
			"with a disk (the workload has %llu bytes)",
			p->nodes[TW_RAM].name, (unsigned long long)capacity[TW_RAM], (unsigned long long)sum);
	}
	struct unlike unlike;
	int status = check_accumulators(in, err);
	if (unlike_init(&unlike, in->graph) && status == TW_OK)
		status = tw_fail(err, TW_NOMEM, "out of memory for a run of %d tasks", (int)in->graph->n_tasks);
	for (int w = 0; w < p->n_workers && status == TW_OK; w++) {
		bool seen = capacity[p->workers[w].node] == UINT64_MAX;
		for (int v = 0; v < w && !seen; v++)
			seen = hold_alike(in, &p->workers[v], &p->workers[w], capacity);
		status = seen ? TW_OK : check_worker(in, &unlike, &p->workers[w], capacity[p->workers[w].node], err);
	}
	unlike_finish(&unlike);
	return status;
}

bool tw_node_holds_all(const struct tw_sched *rt, tw_node n)
{
	const struct memory *m = &rt->memory[n];
	if (!is_bounded(rt, n))
		return true;
	uint64_t left = m->capacity, offset;
	/* refuses as soon as too few bytes are left, because the sum may be huge */
	for (tw_data d = 0; d < rt->graph->n_data; d++) {
		if (room_bytes(rt, d, n) > left)
			return false;
		left -= room_bytes(rt, d, n);
	}
	struct tw__room room;
	int allocations;
	bool all = tw__room_init(&room, m->capacity, m->room.chunk_bytes, m->room.chunk_data_bytes) == TW_OK;
	for (tw_data d = 0; all && d < rt->graph->n_data; d++)
		all = tw__room_take(&room, room_bytes(rt, d, n), &offset, &allocations) == TW_OK;
	tw__room_finish(&room);
	return all;
}
