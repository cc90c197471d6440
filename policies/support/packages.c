#include "policies/support/packages.h"

#include <stdlib.h>
#include <string.h>

/* Links both records of a handle in package p: package.held[place], and the entry of the package among the holders of
 * the handle. */
static void hold(struct tw__package_set *set, int32_t p, int32_t place)
{
	const struct tw__package *package = &set->packages[p];
	const struct tw__held *held = &package->held[place];
	size_t entry = set->sh->first_task[held->data] + (size_t)held->entry;
	set->holders[entry] = (struct tw__holder){package->holder, place};
}

static void begin(struct tw__package_set *set, const tw_task *tasks)
{
	const struct tw_sharing *sh = set->sh;
	for (int32_t p = 0; p < set->n; p++) {
		struct tw__package *package = &set->packages[p];
		size_t first = sh->first_data[tasks[p]], end = sh->first_data[tasks[p] + 1];
		package->held_room = (int32_t)(end - first);
		package->held = tw_alloc(end - first, sizeof *package->held);
		package->holder = set->name[p] = p;
		set->n_tasks[p] = 1;
		for (size_t i = first; i < end; i++) {
			tw_data d = sh->data[i];
			set->bytes[p] += sh->bytes[d];
			package->held[package->n_data] = (struct tw__held){d, set->n_holders[d]};
			set->n_open[d] = ++set->n_holders[d];
			hold(set, p, package->n_data++);
		}
		package->small_from = package->n_data;
		package->ends[TW__START] = package->ends[TW__END] =
			(struct tw__package_end){p, set->bytes[p] <= set->memory_bytes};
	}
}

void tw__package_set_init(struct tw__package_set *set, const struct tw_sharing *sh, const tw_task *tasks,
                          int32_t n_tasks, uint64_t memory_bytes)
{
	size_t n = (size_t)n_tasks, n_data = (size_t)sh->n_data, n_uses = sh->first_task[sh->n_data];
	*set = (struct tw__package_set){
		.sh = sh,
		.tasks = tasks,
		.chain = tw_alloc(n, sizeof *set->chain),
		.packages = tw_alloc(n, sizeof *set->packages),
		.n_tasks = tw_alloc(n, sizeof *set->n_tasks),
		.bytes = tw_alloc(n, sizeof *set->bytes),
		.n = n_tasks,
		.n_alive = n_tasks,
		.memory_bytes = memory_bytes,
		.holders = tw_resize(NULL, n_uses, sizeof *set->holders),
		.n_holders = tw_alloc(n_data, sizeof *set->n_holders),
		.n_open = tw_alloc(n_data, sizeof *set->n_open),
		.name = tw_resize(NULL, n, sizeof *set->name),
		.place = tw_alloc(n_data, sizeof *set->place),
		.listed = TW_NONE,
		.looked_at = TW_NONE,
		.ranks = tw_alloc(n, sizeof *set->ranks),
	};
	begin(set, tasks);
}

static void empty(struct tw__package *p)
{
	free(p->held);
	*p = (struct tw__package){0};
}

void tw__package_set_finish(struct tw__package_set *set)
{
	for (int32_t p = 0; p < set->n; p++)
		empty(&set->packages[p]);
	free(set->chain);
	free(set->packages);
	free(set->n_tasks);
	free(set->bytes);
	free(set->holders);
	free(set->n_holders);
	free(set->n_open);
	free(set->name);
	free(set->closed);
	free(set->place);
	free(set->sharing);
	free(set->ranks);
}

/* --- packages that share data with a package ---------------------------------------------------------------------- */

/* Swaps two of the holders of handle d: the packages at `entry` and at `other` in the list of holders. */
static void swap_holders(struct tw__package_set *set, tw_data d, int32_t entry, int32_t other)
{
	struct tw__holder *first = &set->holders[set->sh->first_task[d]], h = first[entry], o = first[other];
	if (entry == other)
		return;
	set->packages[set->name[h.holder]].held[h.place].entry = other;
	set->packages[set->name[o.holder]].held[o.place].entry = entry;
	first[entry] = o;
	first[other] = h;
}

void tw__package_set_close(struct tw__package_set *set, int32_t p)
{
	const struct tw__package *package = &set->packages[p];
	TW_RESERVE(set->closed, set->closed_capacity, set->n_closed + (size_t)package->n_data);
	for (const struct tw__held *h = package->held, *end = h + package->n_data; h < end; h++) {
		if (set->n_open[h->data] == set->n_holders[h->data])
			set->closed[set->n_closed++] = h->data;
		swap_holders(set, h->data, h->entry, --set->n_open[h->data]);
	}
}

void tw__package_set_open_all(struct tw__package_set *set)
{
	if (!set->n_closed)
		return;
	for (size_t i = 0; i < set->n_closed; i++)
		set->n_open[set->closed[i]] = set->n_holders[set->closed[i]];
	set->n_closed = 0;
	set->looked_at = TW_NONE;
}

/* Begins a count of bytes that packages share with p. All values of the count are above those of earlier counts, so
 * earlier ones need not be cleared. Returns `counted_from`. */
static uint64_t begin_count(struct tw__package_set *set, int32_t p)
{
	if (set->counted_to > UINT64_MAX - set->bytes[p]) {
		for (int32_t q = 0; q < set->n; q++)
			set->ranks[q].counted = 0;
		set->counted_to = 0;
	}
	set->looked_at = TW_NONE;
	set->counted_from = set->counted_to;
	set->counted_to += set->bytes[p];
	return set->counted_from;
}

static void add_holders(struct tw__package_set *set, tw_data d, int32_t from, int32_t to)
{
	struct tw__rank *ranks = set->ranks;
	const uint64_t bytes = set->sh->bytes[d], counted_from = set->counted_from;
	const struct tw__holder *holders = set->holders + set->sh->first_task[d];
	const int32_t *name = set->name;
	TW_RESERVE(set->sharing, set->sharing_capacity, (size_t)(set->n_sharing + to - from));
	int32_t *sharing = set->sharing, n = set->n_sharing;
	set->looks += to - from;
	for (int32_t k = from; k < to; k++) {
		int32_t p = name[holders[k].holder];
		uint64_t before = ranks[p].counted;
		if (before <= counted_from) {
			sharing[n++] = p;
			before = counted_from;
		}
		ranks[p].counted = before + bytes;
	}
	set->n_sharing = n;
}

void tw__package_set_look(struct tw__package_set *set, int32_t p)
{
	const struct tw__package *package = &set->packages[p];
	if (set->looked_at == p)
		return;
	uint64_t from = begin_count(set, p);
	set->looked_at = p;
	set->n_sharing = 0;
	set->ranks[p].counted = from + 1; /* keeps p itself out of the result */
	for (int32_t i = 0; i < package->n_data; i++)
		add_holders(set, package->held[i].data, 0, set->n_open[package->held[i].data]);
	set->ranks[p].counted = from;
}

void tw__package_set_look_at_closed(struct tw__package_set *set)
{
	int32_t p = set->looked_at;
	const struct tw__package *package = &set->packages[p];
	set->ranks[p].counted = set->counted_from + 1;
	for (int32_t i = 0; i < package->n_data; i++) {
		tw_data d = package->held[i].data;
		add_holders(set, d, set->n_open[d], set->n_holders[d]);
	}
	set->ranks[p].counted = set->counted_from;
	set->looked_at = TW_NONE;
}

/* Counts the bytes that p shares with each other package in one pass. The counts only grow. So two packages that fit
 * with a count before the end of the pass also fit with the final count. */
void tw__package_set_rank(struct tw__package_set *set, int32_t p, uint64_t limit)
{
	const struct tw__package *package = &set->packages[p];
	struct tw__rank *ranks = set->ranks;
	const int32_t *name = set->name;
	uint64_t from = begin_count(set, p), most = ranks[p].most;
	for (int32_t k = 0; k < package->n_data; k++) {
		tw_data d = package->held[k].data;
		uint64_t bytes = set->sh->bytes[d];
		const struct tw__holder *holder = set->holders + set->sh->first_task[d];
		const struct tw__holder *end = holder + set->n_open[d];
		set->looks += set->n_open[d];
		for (; holder < end; holder++) {
			int32_t q = name[holder->holder];
			struct tw__rank *other = &ranks[q];
			uint64_t before = other->counted, counted = (before > from ? before : from) + bytes;
			uint64_t shared = counted - from;
			other->counted = counted;
			if ((shared > most || shared > other->most) && p != q &&
			    tw__packages_fit(set, p, q, shared, limit)) {
				most = shared > most ? shared : most;
				other->most = shared > other->most ? shared : other->most;
			}
		}
	}
	ranks[p].most = most;
}

void tw__package_set_count(struct tw__package_set *set, int32_t p, enum tw__end end)
{
	const struct tw__package *package = &set->packages[p];
	uint64_t from = begin_count(set, p);
	for (int32_t place = 0; place < package->n_data; place++) {
		const struct tw__held *h = &package->held[place];
		const struct tw__holder *holder = set->holders + set->sh->first_task[h->data];
		int32_t n = tw__held_ends(package, place) == 1 << end ? set->n_open[h->data] : 0;
		for (set->looks += n; n > 0; n--, holder++)
			set->ranks[set->name[holder->holder]].counted =
				from + tw__package_set_counted(set, set->name[holder->holder]) +
				set->sh->bytes[h->data];
	}
}

/* --- merging two packages ----------------------------------------------------------------------------------------- */

void tw__package_set_tasks(const struct tw__package_set *set, int32_t p, tw_task *tasks)
{
	int32_t before = TW_NONE;
	for (int32_t task = set->packages[p].ends[TW__START].task; task != TW_NONE;) {
		int32_t next = tw__package_next(set, task, before);
		*tasks++ = set->tasks[task];
		before = task;
		task = next;
	}
}

void tw__package_set_list(struct tw__package_set *set, int32_t p)
{
	const struct tw__package *package = &set->packages[p];
	if (set->listed == p)
		return;
	for (int32_t k = 0; k < package->n_data; k++)
		set->place[package->held[k].data] = k;
	set->listed = p;
	set->steps = 0;
}

void tw__package_set_list_for(struct tw__package_set *set, int32_t p, int32_t q)
{
	const struct tw__package *package = &set->packages[q];
	if (set->listed == p)
		return;
	for (const struct tw__held *h = package->held, *end = h + package->n_data; h < end; h++)
		set->steps += set->n_holders[h->data];
	if (set->steps > set->packages[p].n_data)
		tw__package_set_list(set, p);
}

uint64_t tw__package_set_shared(struct tw__package_set *set, int32_t p, int32_t q)
{
	const struct tw__package *package = &set->packages[p];
	uint64_t shared = 0;
	tw__package_set_list_for(set, q, p);
	for (const struct tw__held *h = package->held, *end = h + package->n_data; h < end; h++)
		if (tw__package_place(set, q, h->data) != TW_NONE)
			shared += set->sh->bytes[h->data];
	return shared;
}

int32_t tw__package_set_larger(const struct tw__package_set *set, int32_t i, int32_t j)
{
	return set->packages[i].n_data >= set->packages[j].n_data ? i : j;
}

enum { FEW_HANDLES = 16 };

/* Makes room for n handles in all. If these are not few, makes room for half as many more, so that few merges copy the
 * handles of the larger package. */
static void make_data_room(struct tw__package *p, int32_t n)
{
	if (n <= p->held_room)
		return;
	p->held_room = n < FEW_HANDLES ? n : n + n / 2;
	p->held = tw_resize(p->held, (size_t)p->held_room, sizeof *p->held);
}

/* Removes an entry from the holders of handle d. The last open holder takes the place of an open one, and the last
 * holder takes the gap that this leaves. */
static void remove_holder(struct tw__package_set *set, tw_data d, int32_t entry)
{
	if (entry < set->n_open[d]) {
		swap_holders(set, d, entry, --set->n_open[d]);
		entry = set->n_open[d];
	}
	swap_holders(set, d, entry, --set->n_holders[d]);
}

/* Swaps two handles of package p. No other package may be the one listed last. */
static void swap_held(struct tw__package_set *set, int32_t p, int32_t a, int32_t b)
{
	struct tw__held *held = set->packages[p].held, at_a = held[a];
	held[a] = held[b];
	held[b] = at_a;
	hold(set, p, a);
	hold(set, p, b);
	set->place[held[a].data] = a;
	set->place[held[b].data] = b;
}

/* Adds the handles of package `small` to package `large`. In the merged package, `large` is at the end `end`. Its array
 * of handles must have room for all. No other package may be the one listed last. */
static void unite_data(struct tw__package_set *set, int32_t large, int32_t small, enum tw__end end)
{
	struct tw__package *l = &set->packages[large], *s = &set->packages[small];
	l->large_last = end == TW__END;
	l->both_from = l->small_from = l->n_data;
	for (int32_t k = 0; k < s->n_data; k++) {
		tw_data d = s->held[k].data;
		int32_t place = tw__package_place(set, large, d);
		if (place != TW_NONE) {
			swap_held(set, large, place, --l->both_from);
			remove_holder(set, d, s->held[k].entry);
			continue;
		}
		set->place[d] = l->n_data;
		l->held[l->n_data] = (struct tw__held){d, s->held[k].entry};
		set->bytes[large] += set->sh->bytes[d];
		hold(set, large, l->n_data++);
	}
}

static void rename_package(struct tw__package_set *set, int32_t from, int32_t to)
{
	set->packages[to] = set->packages[from];
	set->name[set->packages[to].holder] = to;
	set->bytes[to] = set->bytes[from];
	set->n_tasks[to] = set->n_tasks[from];
	set->n_tasks[from] = 0;
	set->packages[from] = (struct tw__package){0};
}

/* Joins the chains of packages i and j. Sets ends[] to those of the merged package. */
static void join_chains(struct tw__package_set *set, int32_t i, bool i_reversed, int32_t j, bool j_reversed,
                        struct tw__package_end ends[2])
{
	const struct tw__package *first = &set->packages[i], *second = &set->packages[j];
	int32_t meets = first->ends[i_reversed ? TW__START : TW__END].task;
	int32_t met = second->ends[j_reversed ? TW__END : TW__START].task;
	set->chain[meets] ^= (uint32_t)met + 1;
	set->chain[met] ^= (uint32_t)meets + 1;
	ends[TW__START].task = first->ends[i_reversed ? TW__END : TW__START].task;
	ends[TW__END].task = second->ends[j_reversed ? TW__START : TW__END].task;
	ends[TW__START].fits = set->bytes[i] <= set->memory_bytes;
	ends[TW__END].fits = set->bytes[j] <= set->memory_bytes;
}

int32_t tw__package_set_merge(struct tw__package_set *set, int32_t i, bool i_reversed, int32_t j, bool j_reversed)
{
	int32_t large = tw__package_set_larger(set, i, j), small = large == i ? j : i, kept = i < j ? i : j;
	struct tw__package_end ends[2];
	struct tw__package *l = &set->packages[large], *s = &set->packages[small];
	join_chains(set, i, i_reversed, j, j_reversed, ends);
	tw__package_set_list_for(set, large, small);
	set->listed = set->listed == large ? large : (int32_t)TW_NONE;
	make_data_room(l, l->n_data + s->n_data);
	unite_data(set, large, small, large == i ? TW__START : TW__END);
	l->split = set->n_tasks[i];
	l->ends[TW__START] = ends[TW__START];
	l->ends[TW__END] = ends[TW__END];
	set->n_tasks[large] += set->n_tasks[small];
	set->n_tasks[small] = 0;
	empty(s);
	if (kept != large)
		rename_package(set, large, kept);
	set->n_alive--;
	set->listed = set->listed == large ? kept : (int32_t)TW_NONE;
	set->looked_at = TW_NONE;
	return kept;
}
