/* Checks events about room in memories, and about copies, against the rules. */
#include "graph/reduction.h"
#include "trace/replay.h"

/* Returns the bytes that a handle needs on the node. A scratch handle needs a part for each worker that computes
 * there. */
static uint64_t room_needed(const struct tw__replay *r, tw_data d, tw_node n)
{
	uint64_t bytes = r->graph->data_bytes[d], workers = 0;
	if (tw__data_use(r->graph, d) != TW__USE_SCRATCH)
		return bytes;
	for (tw_worker w = 0; w < r->in->platform->n_workers; w++)
		workers += r->in->platform->workers[w].node == n;
	return bytes * workers;
}

/* The rule CAPACITY, when room is allocated. The room has the size that is needed, lies inside the memory, and is the
 * only one of the handle there. It overlaps no other room (take_room), so the sum of rooms never exceeds the capacity.
 * The sum is still checked, and first, because its message says more. */
static int check_capacity(struct tw__replay *r, const struct tw__event *e)
{
	uint64_t capacity = r->in->capacity[e->node], needed = room_needed(r, e->data, e->node);
	const char *node = tw__node_name(r, e->node);
	if (r->data[e->data].is_dead)
		return tw__violation(r, TW__RULE_DISCARD, "data %d takes room in %s after its last task", (int)e->data,
		                     node);
	if (tw__copy_of(r, e->data, e->node)->room)
		return tw__violation(r, TW__RULE_CAPACITY, "data %d takes room in %s a second time", (int)e->data,
		                     node);
	if (e->bytes != needed || e->bytes == 0)
		return tw__violation(r, TW__RULE_CAPACITY, "data %d of %llu bytes takes room for %llu in %s",
		                     (int)e->data, (unsigned long long)needed, (unsigned long long)e->bytes, node);
	if (e->bytes > capacity || r->used[e->node] > capacity - e->bytes)
		return tw__violation(r, TW__RULE_CAPACITY,
		                     "data %d takes %llu bytes of %s, where %llu of %llu are taken", (int)e->data,
		                     (unsigned long long)e->bytes, node, (unsigned long long)r->used[e->node],
		                     (unsigned long long)capacity);
	if (e->offset > capacity - e->bytes)
		return tw__violation(r, TW__RULE_CAPACITY, "data %d takes bytes %llu to %llu of %s, which has %llu",
		                     (int)e->data, (unsigned long long)e->offset,
		                     (unsigned long long)(e->offset + e->bytes), node, (unsigned long long)capacity);
	return TW_OK;
}

/* The rule CAPACITY, when room is allocated: it overlaps no other room. */
static int take_room(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__intervals *rooms = &r->rooms[e->node];
	const struct tw__interval *room = tw__intervals_add(rooms, e->offset, e->bytes, e->data);
	if (!room)
		return tw__violation(r, TW__RULE_CAPACITY, "data %d takes room in %s that overlaps that of data %d",
		                     (int)e->data, tw__node_name(r, e->node),
		                     (int)tw__intervals_overlapping(rooms, e->offset, e->bytes)->owner);
	r->used[e->node] += e->bytes;
	tw__copy_of(r, e->data, e->node)->room = room;
	return TW_OK;
}

/* The rule PINNED: a copy's room is not freed while a running task or a transfer uses the copy. */
static int check_pinned(struct tw__replay *r, const struct tw__event *e)
{
	unsigned pins = tw__copy_of(r, e->data, e->node)->pins;
	if (pins)
		return tw__violation(r, TW__RULE_PINNED,
		                     "the room of data %d in %s is given back while %u task(s) or transfer(s) use it",
		                     (int)e->data, tw__node_name(r, e->node), pins);
	return TW_OK;
}

/* The rule CAPACITY, when room is freed: offset and size are those of the allocation. */
static int check_given_back(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw__copy *copy = tw__copy_of(r, e->data, e->node);
	if (!copy->room)
		return tw__violation(r, TW__RULE_CAPACITY, "data %d gives back room in %s, where it has none",
		                     (int)e->data, tw__node_name(r, e->node));
	if (e->offset != copy->room->start || e->bytes != copy->room->length)
		return tw__violation(r, TW__RULE_CAPACITY,
		                     "data %d gives back %llu bytes at %llu in %s but had taken %llu at %llu",
		                     (int)e->data, (unsigned long long)e->bytes, (unsigned long long)e->offset,
		                     tw__node_name(r, e->node), (unsigned long long)copy->room->length,
		                     (unsigned long long)copy->room->start);
	return TW_OK;
}

int tw__replay_room(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__copy *copy = tw__copy_of(r, e->data, e->node);
	int status;
	if (e->kind == TW__ALLOC) {
		status = check_capacity(r, e);
		return status == TW_OK ? take_room(r, e) : status;
	}
	status = check_given_back(r, e);
	if (status == TW_OK)
		status = check_pinned(r, e);
	if (status != TW_OK)
		return status;
	r->used[e->node] -= copy->room->length;
	tw__intervals_remove(&r->rooms[e->node], copy->room);
	copy->room = NULL;
	copy->arrived = 0;
	tw__touch(r, e->data);
	return TW_OK;
}

/* Whether a task has just written the handle in this memory: its kernel has ended, and the date of its release is not
 * over. */
static bool written_here(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw__data_state *d = &r->data[e->data];
	if (d->writer != TW_NONE) {
		const struct tw__task_state *t = &r->tasks[d->writer];
		return t->step == TW__ENDED && t->node == e->node;
	}
	return d->commit_node == e->node && d->commit_date == e->date;
}

/* The rule COHERENCE, when a copy becomes valid that no task has written: a transfer has brought the current
 * content. */
static int check_becomes_valid(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw__copy *copy = tw__copy_of(r, e->data, e->node);
	const char *node = tw__node_name(r, e->node);
	if (copy->arrived != r->data[e->data].version)
		return tw__violation(r, TW__RULE_COHERENCE,
		                     "data %d becomes valid in %s, where no task wrote it and %s", (int)e->data, node,
		                     copy->arrived ? "the transfer brought a content that was overwritten since"
		                                   : "no transfer brought it");
	if (copy->valid)
		return tw__violation(r, TW__RULE_COHERENCE, "data %d becomes valid in %s, where it is valid",
		                     (int)e->data, node);
	return TW_OK;
}

/* The rule INPUTS, when a copy becomes invalid: no running task reads the copy. */
static int check_not_read(struct tw__replay *r, const struct tw__event *e)
{
	if (tw__copy_of(r, e->data, e->node)->readers)
		return tw__violation(r, TW__RULE_INPUTS,
		                     "data %d is no longer valid in %s, where a running task reads it", (int)e->data,
		                     tw__node_name(r, e->node));
	return TW_OK;
}

int tw__replay_copy(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__copy *copy = tw__copy_of(r, e->data, e->node);
	struct tw__data_state *d = &r->data[e->data];
	tw__touch(r, e->data);
	if (e->kind == TW__VALID) {
		int status = written_here(r, e) ? TW_OK : check_becomes_valid(r, e);
		if (status != TW_OK)
			return status;
		d->n_valid += !copy->valid;
		copy->valid = d->version;
		copy->arrived = 0;
		return TW_OK;
	}
	if (!copy->valid)
		return tw__violation(r, TW__RULE_COHERENCE, "data %d is invalidated in %s, where it is not valid",
		                     (int)e->data, tw__node_name(r, e->node));
	int status = check_not_read(r, e);
	if (status != TW_OK)
		return status;
	d->n_valid--;
	copy->valid = 0;
	tw__replay_prefetched(r, e);
	return TW_OK;
}

/* The rule LAST COPY: a handle is valid on some memory. Exceptions: a task is writing it, or nobody needs a content.
 * Nobody needs that of scratch handles, of accumulators without contributions, and of discarded handles whose last task
 * is released. */
static int check_last_copy(struct tw__replay *r, tw_data d)
{
	enum tw__data_use use = tw__data_use(r->graph, d);
	bool worthless = use == TW__USE_SCRATCH || tw__replay_receives(r, d) ||
	                 (use == TW__USE_DISCARDED && r->data[d].uses_left == 0) ||
	                 (d >= tw__graph_own_data(r->graph) && r->contributions[d] == 0);
	if (r->data[d].n_valid == 0 && !worthless)
		return tw__violation(r, TW__RULE_LAST_COPY, "data %d is valid nowhere, and no task is writing it",
		                     (int)d);
	return TW_OK;
}

/* The rule COHERENCE, at the end of a date: each valid copy has the current version, and has room. */
static int check_copies(struct tw__replay *r, tw_data d)
{
	const tw_node *memories;
	const int n_memories = tw__memories_of(r, d, &memories);
	for (int i = 0; i < n_memories; i++) {
		const tw_node n = memories[i];
		const struct tw__copy *copy = tw__copy_of(r, d, n);
		if (copy->valid && copy->valid != r->data[d].version)
			return tw__violation(r, TW__RULE_COHERENCE,
			                     "data %d is still valid in %s after a write elsewhere", (int)d,
			                     tw__node_name(r, n));
		/* At the start a handle is valid at home without room, even in a bounded main memory. */
		if (copy->valid && !copy->room && tw__bounded(r, n) &&
		    (tw__is_card(r->in->platform, n) || n != tw__home_of(r->in->homes, d)))
			return tw__violation(r, TW__RULE_COHERENCE, "data %d is valid in %s, where it has no room",
			                     (int)d, tw__node_name(r, n));
	}
	return TW_OK;
}

int tw__replay_settle(struct tw__replay *r)
{
	int status = TW_OK;
	for (size_t i = 0; i < r->n_touched && status == TW_OK; i++) {
		tw_data d = r->touched[i];
		status = tw__replay_home(r, d);
		if (r->data[d].writer != TW_NONE)
			continue; /* the copies are checked when the write is committed */
		if (status == TW_OK)
			status = check_last_copy(r, d);
		if (status == TW_OK)
			status = check_copies(r, d);
	}
	r->n_touched = 0;
	return status;
}
