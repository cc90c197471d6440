#include "runtime/filters.h"

#include "base/memory.h"
#include "runtime/memory/memory.h"
#include "runtime/state/wakeups.h"
#include "runtime/tasks.h"
#include "runtime/transfers/transfers.h"

/* A task that waits for a handle to change. */
struct kept {
	struct kept *next;
	tw_task task;
	tw_worker released_by;
};

/* A handle that is divided. A change of it is like a task in main memory that reads and writes the whole and the
 * parts. */
struct divided {
	tw_data whole;
	enum tw__usable usable, becomes; /* `becomes`: of a change under way, or 0 */
	struct divided *next;            /* of those that the thread changes */
	struct kept *first, **end;       /* tasks that wait for the change */
	struct hold hold;
	tw__access access[]; /* [1 + n_parts] of the hold */
};

struct filters {
	struct divided **of;     /* [lineages] NULL: the handle is not divided */
	struct driver **threads; /* [n_mains] */
	struct kept *unused;
};

static const struct tw__lineage *lineage_of(const struct tw__rt *rt, tw_data d) { return &rt->graph->lineages[d]; }

static struct divided *divided_of(const struct tw__rt *rt, tw_data d)
{
	return d < rt->graph->n_lineages ? rt->filters->of[d] : NULL;
}

void tw__filters_open(struct tw__rt *rt)
{
	const tw_data n = rt->graph->n_lineages;
	if (!n && !rt->graph->around)
		return;
	struct filters *f = rt->filters = tw__arena_alloc(rt->plugins_memory, 1, sizeof *f);
	f->of = tw__arena_alloc(rt->plugins_memory, (size_t)n, sizeof(struct divided *));
	f->threads = tw__arena_alloc(rt->plugins_memory, (size_t)rt->n_mains, sizeof(struct driver *));
	for (tw_data d = 0; d < n; d++) {
		const size_t parts = (size_t)lineage_of(rt, d)->n_parts;
		if (!parts)
			continue;
		f->of[d] = tw__arena_alloc(rt->plugins_memory, 1,
		                           sizeof(struct divided) + (parts + 1) * sizeof(tw__access));
		f->of[d]->whole = d;
		f->of[d]->usable = TW__WHOLE;
		f->of[d]->end = &f->of[d]->first;
	}
	for (tw_node main = 0; main < rt->n_mains; main++) {
		struct driver *thread = f->threads[main] = &rt->drivers[rt->n_drivers++];
		thread->worker = TW_NONE;
		thread->node = main;
	}
}

/* --- changing a handle -------------------------------------------------------------------------------------------- */

/* The accesses of a change, from [now] to [then]: to the whole, and to the parts. 0: none. */
static const struct {
	uint8_t whole, parts;
} accesses[TW__BOTH + 1][TW__BOTH + 1] = {
	[TW__WHOLE] = {[TW__PARTS] = {TW_RW, TW_W}, [TW__BOTH] = {TW_R, TW_W}},
	[TW__PARTS] = {[TW__WHOLE] = {TW_W, TW_RW}, [TW__BOTH] = {TW_W, TW_R}},
	[TW__BOTH] = {[TW__WHOLE] = {0, TW_W}, [TW__PARTS] = {TW_W, 0}},
};

static struct driver *thread_of(const struct tw__rt *rt, tw_data d)
{
	while (lineage_of(rt, d)->parent != TW_NONE)
		d = lineage_of(rt, d)->parent;
	return rt->filters->threads[rt->platform->nodes[tw__home_of(rt->homes, d)].main];
}

static void list(struct hold *h, tw_data d, uint8_t mode)
{
	if (mode)
		h->access[h->n_accesses++] = (tw__access)d << TW__ACCESS_BITS | mode;
}

/* Begins to change the handle, unless a change of it is under way. Returns the handle. */
static struct divided *change(struct tw__rt *rt, struct divided *v, enum tw__usable becomes, tw_task t)
{
	const struct tw__lineage *lineage = lineage_of(rt, v->whole);
	struct driver *thread = thread_of(rt, v->whole);
	struct hold *h = &v->hold;
	if (v->becomes)
		return v;
	v->becomes = becomes;
	v->next = thread->changing;
	thread->changing = v;
	*h = (struct hold){.driver = thread, .task = t, .state = HOLD_FETCHING, .access = v->access};
	list(h, v->whole, accesses[v->usable][becomes].whole);
	for (tw_data part = 0; part < lineage->n_parts; part++)
		list(h, lineage->first_part + part, accesses[v->usable][becomes].parts);
	for (int i = 0; i < h->n_accesses; i++) {
		tw__touch(rt, tw__access_data(h->access[i]), thread->node);
		tw__fetch_access(rt, h, i);
	}
	tw__rt_signal(thread);
	return v;
}

/* The copies of a change are there: commits it. Tasks that have waited go on. */
static void finish(struct tw__rt *rt, struct divided *v)
{
	const struct hold *h = &v->hold;
	const tw_node n = h->driver->node;
	tw__rt_record(
		rt, (struct tw__event){.kind = TW__FILTER, .data = v->whole, .node = (int16_t)n, .offset = v->becomes});
	for (int i = 0; i < h->n_accesses; i++) {
		const tw_data d = tw__access_data(h->access[i]);
		if (h->access[i] & TW_W) {
			tw__memory_own(rt, d, n, true);
			tw__memory_unpin(rt, d, n, PIN_WRITTEN);
		}
		tw__memory_unpin(rt, d, n, PIN_USED);
	}
	v->usable = v->becomes;
	v->becomes = 0;
	struct kept *k = v->first;
	v->first = NULL;
	v->end = &v->first;
	while (k && rt->status == TW_OK) {
		struct kept *next = k->next;
		if (tw__filters_admit(rt, k->task, k->released_by))
			tw__task_push_usable(rt, k->task, k->released_by);
		k->next = rt->filters->unused;
		rt->filters->unused = k;
		k = next;
	}
}

void tw__filters_turn(struct driver *d)
{
	struct divided **link = &d->changing, *ready = NULL, **end = &ready;
	while (*link) {
		struct divided *v = *link;
		if (v->hold.missing || !tw__fetch_settled(d->rt, &v->hold)) {
			link = &v->next;
			continue;
		}
		*link = v->next;
		v->next = NULL;
		*end = v;
		end = &v->next;
	}
	while (ready) {
		struct divided *v = ready;
		ready = v->next;
		finish(d->rt, v);
	}
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

/* Makes the whole usable, and for a writer its parts unusable. Returns a handle that must change first; NULL: none. */
static struct divided *join(struct tw__rt *rt, tw_data d, bool writes, tw_task t)
{
	struct divided *v = divided_of(rt, d), *first = NULL;
	if (!v || v->usable == TW__WHOLE || (v->usable == TW__BOTH && !writes))
		return NULL;
	const struct tw__lineage *lineage = lineage_of(rt, d);
	for (tw_data part = lineage->first_part; part < lineage->first_part + lineage->n_parts; part++) {
		struct divided *of_part = join(rt, part, writes, t);
		first = of_part ? of_part : first;
	}
	return first ? first : change(rt, v, writes ? TW__WHOLE : TW__BOTH, t);
}

/* Makes the parts of a handle usable, and for a writer the whole unusable; first so for the handles of which it is a
 * part itself. Returns as the function above. */
static struct divided *divide(struct tw__rt *rt, tw_data d, bool writes, tw_task t)
{
	if (d == TW_NONE)
		return NULL;
	struct divided *v = divided_of(rt, d), *above = divide(rt, lineage_of(rt, d)->parent, writes, t);
	if (above || v->usable == TW__PARTS || (v->usable == TW__BOTH && !writes))
		return above;
	return change(rt, v, writes ? TW__PARTS : TW__BOTH, t);
}

bool tw__filters_admit(struct tw__rt *rt, tw_task t, tw_worker released_by)
{
	const struct tw_graph *g = rt->graph;
	struct divided *first = NULL;
	for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++) {
		const tw_data d = tw__access_data(g->access[a]);
		const bool writes = g->access[a] & TW_W;
		if (!tw__graph_lineage(g, d))
			continue;
		struct divided *changes = divide(rt, lineage_of(rt, d)->parent, writes, t);
		changes = changes ? changes : join(rt, d, writes, t);
		first = changes ? changes : first;
	}
	if (!first)
		return true;
	struct kept *k = rt->filters->unused;
	if (k)
		rt->filters->unused = k->next;
	else
		k = tw__arena_alloc(rt->plugins_memory, 1, sizeof *k);
	*k = (struct kept){.task = t, .released_by = released_by};
	*first->end = k;
	first->end = &k->next;
	return false;
}
