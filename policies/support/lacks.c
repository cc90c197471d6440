#include "policies/support/lacks.h"

#include <tilewright/containers.h>

void tw_lacks_init(struct tw_lacks *l, const struct tw_sched *s)
{
	size_t nodes = (size_t)tw_n_nodes(s), n_data = (size_t)tw_graph_n_data(tw_sched_graph(s));
	*l = (struct tw_lacks){
		.s = s,
		.n_entries = 1,
		.n_uses = 1,
		.entry_of = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *l->entry_of),
		.first_use = tw_run_alloc(s, nodes * n_data, sizeof *l->first_use),
		.seen = tw_run_alloc(s, nodes, sizeof *l->seen),
		.surprises = tw_run_alloc(s, nodes, sizeof *l->surprises),
		.n_data = (tw_data)n_data,
	};
}

void tw_lacks_group_init(struct tw_lacks_group *g, tw_node node) { *g = (struct tw_lacks_group){.node = node}; }

struct tw_lacks_group *tw_lacks_group_make(struct tw_lacks *l, tw_node node)
{
	struct tw_lacks_group *g = l->unused;
	if (g)
		l->unused = g->next_unused;
	else
		g = tw_run_alloc(l->s, 1, sizeof *g);
	g->node = node;
	g->looked_at = 0;
	return g;
}

void tw_lacks_group_put_away(struct tw_lacks *l, struct tw_lacks_group *g)
{
	g->next_unused = l->unused;
	l->unused = g;
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

static void make_room(const struct tw_lacks *l, struct tw_lacks_group *g)
{
	if (g->n < g->capacity)
		return;
	g->capacity = g->capacity ? 2 * g->capacity : 4;
	g->heap = tw_run_resize(l->s, g->heap, (size_t)g->capacity, sizeof *g->heap);
	g->stale = tw_run_resize(l->s, g->stale, (size_t)g->capacity, sizeof *g->stale);
}

/* --- entries of tasks, and uses of handles ------------------------------------------------------------------------ */

static int32_t *first_use(struct tw_lacks *l, tw_data d, tw_node node)
{
	return &l->first_use[(size_t)node * (size_t)l->n_data + (size_t)d];
}

static int32_t make_entry(struct tw_lacks *l)
{
	int32_t entry = l->free_entry;
	if (entry) {
		l->free_entry = l->entries[entry].first_use;
		return entry;
	}
	if (l->n_entries >= l->entry_capacity) {
		l->entry_capacity = l->entry_capacity ? 2 * l->entry_capacity : 64;
		l->entries = tw_run_resize(l->s, l->entries, (size_t)l->entry_capacity, sizeof *l->entries);
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
		l->use_capacity = l->use_capacity ? 2 * l->use_capacity : 256;
		l->uses = tw_run_resize(l->s, l->uses, (size_t)l->use_capacity, sizeof *l->uses);
	}
	return l->n_uses++;
}

static void add_use(struct tw_lacks *l, int32_t entry, tw_data d, tw_node node)
{
	int32_t use = make_use(l), *first = first_use(l, d, node);
	l->uses[use] = (struct tw_lacks_use){d, entry, 0, *first, l->entries[entry].first_use};
	l->uses[*first].before = use; /* use 0 belongs to no task, so that it may be written */
	*first = use;
	l->entries[entry].first_use = use;
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

void tw_lacks_add(struct tw_lacks *l, struct tw_lacks_group *g, tw_task task, int32_t rank)
{
	const struct tw_sched *s = l->s;
	int32_t entry = make_entry(l);
	make_room(l, g);
	l->entries[entry] = (struct tw_lacking){TW_LACKS_ALL, g, task, rank, TW_NONE, TW_NONE, 0};
	for (int a = 0; a < tw_task_n_accesses(s, task); a++) {
		struct tw_access access = tw_task_access(s, task, a);
		if (access.mode & TW_RW)
			add_use(l, entry, access.data, g->node);
	}
	l->entry_of[task] = entry;
	settle(l, g, g->n++, entry);
	set_stale(l, entry);
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
