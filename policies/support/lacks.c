#include "policies/support/lacks.h"

#include <stdlib.h>

#include <tilewright/containers.h>

int tw_lacks_init(struct tw_lacks *l, const struct tw_sched *s)
{
	size_t nodes = (size_t)tw_n_nodes(s);
	*l = (struct tw_lacks){
		.s = s,
		.n_entries = 1,
		.n_uses = 1,
		.entry_of = calloc((size_t)tw_max_tasks(s) + 1, sizeof *l->entry_of),
		.seen = calloc(nodes, sizeof *l->seen),
		.surprises = calloc(nodes, sizeof *l->surprises),
		.n_data = tw_graph_n_data(tw_sched_graph(s)),
	};
	l->first_use = calloc(nodes * (size_t)l->n_data + 1, sizeof *l->first_use);
	if (l->entry_of && l->first_use && l->seen && l->surprises)
		return TW_OK;
	tw_lacks_finish(l);
	return TW_NOMEM;
}

void tw_lacks_finish(struct tw_lacks *l)
{
	free(l->entries);
	free(l->uses);
	free(l->entry_of);
	free(l->first_use);
	free(l->seen);
	free(l->surprises);
	*l = (struct tw_lacks){0};
}

void tw_lacks_group_init(struct tw_lacks_group *g, tw_node node) { *g = (struct tw_lacks_group){.node = node}; }

void tw_lacks_group_finish(struct tw_lacks_group *g)
{
	free(g->heap);
	free(g->stale);
	*g = (struct tw_lacks_group){0};
}

/* --- the heap of tasks of a group --------------------------------------------------------------------------------- */

struct settling {
	struct tw_lacking *entries;
	int32_t *places;
	int32_t entry; /* the entry that is being moved and has no place yet */
};

static int32_t entry_at(const struct settling *s, int32_t place)
{
	return place == TW_NONE ? s->entry : s->places[place];
}

static bool is_readier(const void *settling, int32_t place, int32_t other)
{
	const struct settling *s = settling;
	const struct tw_lacking *a = &s->entries[entry_at(s, place)], *b = &s->entries[entry_at(s, other)];
	if (a->lack.not_valid != b->lack.not_valid)
		return a->lack.not_valid < b->lack.not_valid;
	if (a->lack.not_loading != b->lack.not_loading)
		return a->lack.not_loading < b->lack.not_loading;
	if (a->lack.not_allocated != b->lack.not_allocated)
		return a->lack.not_allocated < b->lack.not_allocated;
	return a->rank < b->rank;
}

static void move(void *settling, int32_t from, int32_t to)
{
	const struct settling *s = settling;
	int32_t entry = entry_at(s, from);
	s->places[to] = entry;
	s->entries[entry].place = to;
}

/* Puts the entry into the heap of the group. Starts at `place`, whose content may be overwritten, and shifts other
 * entries up or down until the heap is in order. */
static void settle(struct tw_lacks *l, struct tw_lacks_group *g, int32_t place, int32_t entry)
{
	struct settling settling = {l->entries, g->heap, entry};
	tw_heap_settle(&settling, g->n, place, is_readier, move);
}

static void set_stale(struct tw_lacks *l, int32_t entry)
{
	struct tw_lacking *its = &l->entries[entry];
	if (its->stale != TW_NONE)
		return;
	its->stale = its->group->n_stale;
	its->group->stale[its->group->n_stale++] = entry;
}

static int make_room(struct tw_lacks_group *g)
{
	if (g->n < g->capacity)
		return TW_OK;
	int32_t capacity = g->capacity ? 2 * g->capacity : 4;
	int32_t *heap = realloc(g->heap, (size_t)capacity * sizeof *heap);
	g->heap = heap ? heap : g->heap;
	int32_t *stale = realloc(g->stale, (size_t)capacity * sizeof *stale);
	g->stale = stale ? stale : g->stale;
	if (!heap || !stale)
		return TW_NOMEM;
	g->capacity = capacity;
	return TW_OK;
}

/* --- entries of tasks, and uses of handles ------------------------------------------------------------------------ */

static int32_t *first_use(struct tw_lacks *l, tw_data d, tw_node node)
{
	return &l->first_use[(size_t)node * (size_t)l->n_data + (size_t)d];
}

/* Returns the number of a free entry; 0: out of memory. */
static int32_t make_entry(struct tw_lacks *l)
{
	int32_t entry = l->free_entry;
	if (entry) {
		l->free_entry = l->entries[entry].first_use;
		return entry;
	}
	if (l->n_entries >= l->entry_capacity) {
		int32_t capacity = l->entry_capacity ? 2 * l->entry_capacity : 64;
		struct tw_lacking *entries = realloc(l->entries, (size_t)capacity * sizeof *entries);
		if (!entries)
			return 0;
		l->entries = entries;
		l->entry_capacity = capacity;
	}
	return l->n_entries++;
}

static int32_t make_use(struct tw_lacks *l)
{
	int32_t use = l->free_use;
	if (use) {
		l->free_use = l->uses[use].next;
		return use;
	}
	if (l->n_uses >= l->use_capacity) {
		int32_t capacity = l->use_capacity ? 2 * l->use_capacity : 256;
		struct tw_lacks_use *uses = realloc(l->uses, (size_t)capacity * sizeof *uses);
		if (!uses)
			return 0;
		l->uses = uses;
		l->use_capacity = capacity;
	}
	return l->n_uses++;
}

static int add_use(struct tw_lacks *l, int32_t entry, tw_data d, tw_node node)
{
	int32_t use = make_use(l), *first = first_use(l, d, node);
	if (!use)
		return TW_NOMEM;
	l->uses[use] = (struct tw_lacks_use){d, entry, 0, *first, l->entries[entry].first_use};
	l->uses[*first].before = use; /* use 0 belongs to no task, so that it may be written */
	*first = use;
	l->entries[entry].first_use = use;
	return TW_OK;
}

static void free_uses(struct tw_lacks *l, int32_t entry)
{
	struct tw_lacking *its = &l->entries[entry];
	while (its->first_use) {
		int32_t use = its->first_use;
		struct tw_lacks_use *u = &l->uses[use];
		*(u->before ? &l->uses[u->before].behind : first_use(l, u->data, its->group->node)) = u->behind;
		l->uses[u->behind].before = u->before;
		its->first_use = u->next;
		u->next = l->free_use;
		l->free_use = use;
	}
}

static void free_entry(struct tw_lacks *l, int32_t entry)
{
	free_uses(l, entry);
	l->entries[entry].first_use = l->free_entry;
	l->free_entry = entry;
}

/* --- adding and removing tasks ------------------------------------------------------------------------------------ */

int tw_lacks_add(struct tw_lacks *l, struct tw_lacks_group *g, tw_task task, int32_t rank)
{
	const struct tw_sched *s = l->s;
	int32_t entry = make_room(g) ? 0 : make_entry(l);
	if (!entry)
		return TW_NOMEM;
	l->entries[entry] = (struct tw_lacking){TW_LACKS_ALL, g, task, rank, TW_NONE, TW_NONE, 0};
	for (int a = 0; a < tw_task_n_accesses(s, task); a++) {
		struct tw_access access = tw_task_access(s, task, a);
		if ((access.mode & TW_RW) && add_use(l, entry, access.data, g->node)) {
			free_entry(l, entry);
			return TW_NOMEM;
		}
	}
	l->entry_of[task] = entry;
	settle(l, g, g->n++, entry);
	set_stale(l, entry);
	return TW_OK;
}

void tw_lacks_remove(struct tw_lacks *l, tw_task task)
{
	int32_t entry = l->entry_of[task];
	if (!entry)
		return;
	const struct tw_lacking *its = &l->entries[entry];
	struct tw_lacks_group *g = its->group;
	if (its->stale != TW_NONE) {
		int32_t last = g->stale[--g->n_stale];
		g->stale[its->stale] = last;
		l->entries[last].stale = its->stale;
	}
	int32_t last = g->heap[--g->n];
	if (last != entry)
		settle(l, g, its->place, last);
	free_entry(l, entry);
	l->entry_of[task] = 0;
}

/* --- finding the readiest task ------------------------------------------------------------------------------------ */

/* Marks tasks as stale whose data have changed on the node, in all groups of the node. */
static void find_stale(struct tw_lacks *l, tw_node node)
{
	tw_data changed[TW_MOST_CHANGES];
	int n = tw_copies_changed(l->s, node, &l->seen[node], changed);
	l->surprises[node] += n == TW_NONE;
	for (int i = 0; i < n; i++)
		for (int32_t use = *first_use(l, changed[i], node); use; use = l->uses[use].behind)
			set_stale(l, l->uses[use].entry);
}

tw_task tw_lacks_readiest(struct tw_lacks *l, struct tw_lacks_group *g)
{
	find_stale(l, g->node);
	for (int32_t i = 0; i < g->n && g->looked_at < l->surprises[g->node]; i++)
		set_stale(l, g->heap[i]);
	g->looked_at = l->surprises[g->node];
	while (g->n > 1 && g->n_stale > 0) {
		int32_t entry = g->stale[--g->n_stale];
		struct tw_lacking *its = &l->entries[entry];
		its->stale = TW_NONE;
		its->lack = TW_LACKS_ALL;
		tw_task_lacks_less(l->s, its->task, g->node, &its->lack);
		settle(l, g, its->place, entry);
	}
	return g->n ? l->entries[g->heap[0]].task : (tw_task)TW_NONE;
}
