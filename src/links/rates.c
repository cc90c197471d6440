#include "links/rates.h"

#include <math.h>
#include <stddef.h>

#include "base/least.h"

/* --- loads ------------------------------------------------------------------------------------------------------- */

static void use(struct tw__loads *loads, struct tw__load *load)
{
	load->place = loads->n_used;
	loads->used[loads->n_used++] = load;
}

static void stop_using(struct tw__loads *loads, struct tw__load *load)
{
	struct tw__load *last = loads->used[--loads->n_used];
	loads->used[load->place] = last;
	last->place = load->place;
}

static double room_of(const struct tw__load *load)
{
	return load->now.users > 1 ? load->shared_bandwidth : load->bandwidth;
}

static void set_full_level(struct tw__load *load) { load->full_level = room_of(load) / load->now.demand; }

/* Saves the state of a load, unless it was saved since the last tw__loads_save. Called before the load changes. */
static void save(struct tw__loads *loads, struct tw__load *load)
{
	if (load->saves == loads->saves)
		return;
	load->saved = load->now;
	load->saves = loads->saves;
}

/* Adds a number to a link's demand. */
static void add_demand(struct tw__load_state *now, double more)
{
	double sum = now->demand + more, of_demand = sum - more, of_more = sum - of_demand;
	now->rest += (now->demand - of_demand) + (more - of_more);
	now->demand = sum + now->rest;
	now->rest -= now->demand - sum;
}

/* Adds a weight `n` times. Each number that is added is exact: the weight times a power of two. */
static void add_weights(struct tw__load_state *now, double weight, int n)
{
	const int step = n < 0 ? -1 : 1;
	for (; n; n /= 2, weight *= 2)
		if (n % 2)
			add_demand(now, step * weight);
}

void tw__loads_change(struct tw__loads *loads, const struct tw__sharer *sharer, int entered, int before, int after)
{
	int lanes = (after > 0) - (before > 0);
	for (int c = 0; c < sharer->n_crossings; c++) {
		struct tw__load *load = sharer->crossings[c].load;
		save(loads, load);
		if (load->now.users == 0)
			use(loads, load);
		load->now.users += entered;
		load->now.lanes += lanes;
		if (after != before)
			add_weights(&load->now, sharer->weight, (after - before) * sharer->crossings[c].times);
		if (load->now.lanes == 0)
			load->now.demand = load->now.rest = 0;
		set_full_level(load);
		if (load->now.users == 0)
			stop_using(loads, load);
	}
}

void tw__loads_save(struct tw__loads *loads)
{
	loads->saved_n_used = loads->n_used;
	loads->saves++;
}

void tw__loads_restore(struct tw__loads *loads)
{
	for (int u = 0; u < loads->n_used; u++) {
		struct tw__load *load = loads->used[u];
		if (load->saves != loads->saves)
			continue;
		load->now = load->saved;
		set_full_level(load);
	}
	loads->n_used = loads->saved_n_used;
}

/* --- the level at which each lane's narrowest link is full -------------------------------------------------------- */

static struct tw__load *find_narrowest_beside(const struct tw__sharer *sharer, double *level)
{
	struct tw__load *narrowest = NULL;
	*level = sharer->most;
	for (int c = 1; c < sharer->n_crossings; c++) {
		struct tw__load *load = sharer->crossings[c].load;
		if (load->full_level < *level) {
			*level = load->full_level;
			narrowest = load;
		}
	}
	return narrowest;
}

bool tw__sharer_is_alone(const struct tw__sharer *sharer, bool flows, double *level)
{
	const int own_lanes = flows;
	bool alone = true;
	*level = sharer->most;
	for (int c = 1; c < sharer->n_crossings; c++) {
		const struct tw__load *load = sharer->crossings[c].load;
		*level = tw__least(*level, load->full_level);
		alone = alone && load->now.lanes == own_lanes;
	}
	return alone;
}

bool tw__loads_full_levels(struct tw__loads *loads, struct tw__sharer *const *sharers, int n, double *beside_least,
                           double *beside_most)
{
	int n_others = 0; /* number of lanes that cross another lane's narrowest link, but have a narrower one */
	loads->round++;
	*beside_least = INFINITY;
	*beside_most = 0;
	for (int i = 0; i < n; i++) {
		struct tw__sharer *sharer = sharers[i];
		struct tw__load *narrowest = find_narrowest_beside(sharer, &sharer->level);
		*beside_least = tw__least(*beside_least, sharer->level);
		*beside_most = tw__greatest(*beside_most, sharer->level);
		if (sharer->n_crossings && sharer->crossings[0].load->full_level < sharer->level) {
			narrowest = sharer->crossings[0].load;
			sharer->level = narrowest->full_level;
		}
		if (!narrowest)
			continue;
		if (narrowest->round != loads->round) {
			narrowest->round = loads->round;
			n_others += narrowest->now.lanes;
		}
		n_others--;
	}
	return n_others == 0;
}

/* --- progressive filling: the first round ------------------------------------------------------------------------ */

/* Sets the lane's level to the one at which its narrowest link is full. Returns true if the level is final: no other
 * lane crosses that link, or it is a fat pipe. */
static bool find_full_level(const struct tw__loads *loads, struct tw__sharer *sharer)
{
	double own = sharer->most, shared = INFINITY;
	for (int c = 0; c < sharer->n_crossings; c++) {
		const struct tw__load *load = sharer->crossings[c].load;
		if (load->now.lanes == 1)
			own = tw__least(own, load->full_level);
		else
			shared = tw__least(shared, load->full_level);
	}
	sharer->level = tw__least(own, shared);
	for (int c = 0; c < sharer->n_crossings && shared <= own; c++) {
		struct tw__load *load = sharer->crossings[c].load;
		if (load->full_level != shared)
			continue;
		load->tight = load->round == loads->round ? load->tight + 1 : 1;
		load->round = loads->round;
	}
	return own <= shared;
}

/* Whether a link of the lane is the narrowest link of all lanes that cross it. Then this level is final for all of
 * them. */
static bool is_full(const struct tw__sharer *sharer)
{
	for (int c = 0; c < sharer->n_crossings; c++) {
		const struct tw__load *load = sharer->crossings[c].load;
		if (load->full_level == sharer->level && load->tight == load->now.lanes)
			return true;
	}
	return false;
}

/* --- the later rounds -------------------------------------------------------------------------------------------- */

static void open_loads(struct tw__sharer *const *sharers, int n)
{
	for (int i = 0; i < n; i++)
		for (int c = 0; c < sharers[i]->n_crossings; c++) {
			struct tw__load *load = sharers[i]->crossings[c].load;
			load->room = room_of(load);
			load->open = load->now.lanes;
		}
}

static void settle(const struct tw__sharer *sharer, int flowing)
{
	for (int c = 0; c < sharer->n_crossings; c++) {
		struct tw__load *load = sharer->crossings[c].load;
		load->room -= flowing * sharer->crossings[c].times * sharer->weight * sharer->level;
		load->open--;
	}
}

/* Recomputes the levels of the links of lanes without a final rate, after other lanes have got theirs. */
static void reopen(struct tw__sharer **sharers, const int *flowing, int n)
{
	for (int i = 0; i < n; i++)
		for (int c = 0; c < sharers[i]->n_crossings; c++)
			sharers[i]->crossings[c].load->demand = 0;
	for (int i = 0; i < n; i++)
		for (int c = 0; c < sharers[i]->n_crossings; c++) {
			const struct tw__crossing *crossing = &sharers[i]->crossings[c];
			crossing->load->demand += flowing[i] * crossing->times * sharers[i]->weight;
		}
	for (int i = 0; i < n; i++)
		for (int c = 0; c < sharers[i]->n_crossings; c++) {
			struct tw__load *load = sharers[i]->crossings[c].load;
			load->level = load->room / load->demand;
			load->tight = 0;
		}
}

static void find_level(struct tw__sharer *sharer)
{
	sharer->level = sharer->most;
	for (int c = 0; c < sharer->n_crossings; c++)
		sharer->level = tw__least(sharer->level, sharer->crossings[c].load->level);
	for (int c = 0; c < sharer->n_crossings; c++)
		sharer->crossings[c].load->tight += sharer->crossings[c].load->level == sharer->level;
}

static bool is_settled(const struct tw__sharer *sharer)
{
	if (sharer->level == sharer->most)
		return true;
	for (int c = 0; c < sharer->n_crossings; c++) {
		const struct tw__load *load = sharer->crossings[c].load;
		if (load->level == sharer->level && load->tight == load->open)
			return true;
	}
	return false;
}

/* --- all rounds -------------------------------------------------------------------------------------------------- */

static void swap(struct tw__sharer **sharers, int *flowing, int i, int j)
{
	struct tw__sharer *sharer = sharers[i];
	int flows = flowing[i];
	sharers[i] = sharers[j];
	flowing[i] = flowing[j];
	sharers[j] = sharer;
	flowing[j] = flows;
}

/* Computes levels in rounds. Each round moves the lanes without a final rate to the front of the arrays. */
void tw__loads_levels(struct tw__loads *loads, struct tw__sharer **sharers, int *flowing, int n)
{
	int n_open = 0, n_left = 0;
	loads->round++;
	for (int i = 0; i < n; i++)
		if (!find_full_level(loads, sharers[i]))
			swap(sharers, flowing, i, n_open++);
	for (int i = 0; i < n_open; i++)
		if (!is_full(sharers[i]))
			swap(sharers, flowing, i, n_left++);
	if (n_left > 0)
		open_loads(sharers, n);
	while (n_left > 0) {
		for (int i = n_left; i < n; i++)
			settle(sharers[i], flowing[i]);
		n = n_left;
		n_left = 0;
		reopen(sharers, flowing, n);
		for (int i = 0; i < n; i++)
			find_level(sharers[i]);
		for (int i = 0; i < n; i++)
			if (!is_settled(sharers[i]))
				swap(sharers, flowing, i, n_left++);
	}
}
