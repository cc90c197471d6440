/* Sets of handles that one memory must hold at the same time: those of a task, or of a step of a reduction. */
#include "runtime/room/sets.h"

#include <stdlib.h>

#include <tilewright/containers.h>

#include "runtime/room/room.h"

/* Does not clear all of it: the structure is long, and tasks are many. */
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
	set->sum = bytes < UINT64_MAX - set->sum ? set->sum + bytes : UINT64_MAX;
}

static uint64_t need_of(const struct tw_graph *g, uint32_t access)
{
	tw_data d = tw__access_data(g->access[access]);
	return g->data_bytes[d] << 1 | (tw__data_use(g, d) == TW__USE_SCRATCH);
}

/* Whether the same archs run both tasks, which have one kernel. */
static bool run_alike(const struct tw__run_input *in, tw_task s, tw_task t)
{
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

static int grow_slots(struct unlike *u, const struct tw__run_input *in)
{
	size_t n_slots = u->n_slots ? 2 * u->n_slots : 64;
	uint32_t *slots = calloc(n_slots, sizeof *slots);
	if (!slots)
		return TW_NOMEM;
	free(u->slots);
	u->slots = slots;
	u->n_slots = n_slots;
	for (size_t i = 0; i < u->n; i++)
		*slot_of(u, in, u->tasks[i]) = (uint32_t)i + 1;
	return TW_OK;
}

int tw__unlike_init(struct unlike *u, const struct tw__run_input *in)
{
	*u = (struct unlike){0};
	for (tw_task t = 0; t < in->graph->n_tasks; t++) {
		if (t > 0 && are_alike(in, t - 1, t))
			continue;
		if (2 * u->n >= u->n_slots && grow_slots(u, in))
			return TW_NOMEM;
		uint32_t *slot = slot_of(u, in, t);
		if (*slot)
			continue;
		if (!TW_HAS_ROOM(u->tasks, u->capacity, u->n + 1))
			return TW_NOMEM;
		u->tasks[u->n++] = t;
		*slot = (uint32_t)u->n;
	}
	return TW_OK;
}

void tw__unlike_finish(struct unlike *u)
{
	free(u->tasks);
	free(u->slots);
}

struct set tw__set_of_task(const struct tw__run_input *in, tw_task t, tw_node n)
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

struct set tw__set_of_reduction(const struct tw__run_input *in, int32_t phase)
{
	struct set set;
	begin(&set);
	for (int i = 0; i < 2; i++)
		add(&set, tw_graph_data_bytes(in->graph, in->graph->phases[phase].data));
	return set;
}

/* Room is taken in the order of `bytes`, and none is given back. So the room taken is one piece from offset 0, and its
 * size does not depend on the capacity. */
int tw__set_room(const struct set *set, uint64_t chunk_bytes, uint64_t chunk_data_bytes, uint64_t *least)
{
	*least = set->sum;
	if (!chunk_bytes || !set->n || set->sum == UINT64_MAX)
		return TW_OK;
	if (set->bytes[0] <= chunk_data_bytes && set->sum + (uint64_t)set->n * TW__ROOM_GRAIN <= chunk_bytes) {
		*least = chunk_bytes; /* one chunk takes them all */
		return TW_OK;
	}
	struct tw__room room;
	uint64_t offset;
	int allocations, status = tw__room_init(&room, UINT64_MAX, chunk_bytes, chunk_data_bytes);
	for (int i = 0; status == TW_OK && i < set->n; i++)
		status = tw__room_take(&room, set->bytes[i], &offset, &allocations);
	*least = status == TW_OK ? UINT64_MAX - room.space.free_bytes : UINT64_MAX;
	tw__room_finish(&room);
	return status == TW_NOMEM ? TW_NOMEM : TW_OK;
}
