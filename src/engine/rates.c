#include "engine/rates.h"

#include <math.h>

/* No number here is a NaN, for which fmin is a call of a function. */
static double least(double a, double b) { return a < b ? a : b; }

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

void tw__loads_change(struct tw__loads *loads, const struct tw__sharer *sharer, int entered, int before, int after)
{
	int lanes = (after > 0) - (before > 0);
	double demand = (after - before) * sharer->weight;
	for (int c = 0; c < sharer->n_crossings; c++) {
		struct tw__load *load = sharer->crossings[c].load;
		if (load->now.users == 0)
			use(loads, load);
		load->now.users += entered;
		load->now.lanes += lanes;
		load->now.demand += demand * sharer->crossings[c].times;
		if (load->now.lanes == 0)
			load->now.demand = 0; /* without what rounding has left */
		if (load->now.users == 0)
			stop_using(loads, load);
	}
}

void tw__loads_save(struct tw__loads *loads)
{
	loads->saved_n_used = loads->n_used;
	for (int u = 0; u < loads->n_used; u++)
		loads->used[u]->saved = loads->used[u]->now;
}

void tw__loads_restore(struct tw__loads *loads)
{
	for (int u = 0; u < loads->saved_n_used; u++)
		loads->used[u]->now = loads->used[u]->saved;
	for (int u = loads->saved_n_used; u < loads->n_used; u++)
		loads->used[u]->now = (struct tw__load_state){0};
	loads->n_used = loads->saved_n_used;
}

/* --- progressive filling ----------------------------------------------------------------------------------------- */

static void open_loads(struct tw__loads *loads)
{
	for (int u = 0; u < loads->n_used; u++) {
		struct tw__load *load = loads->used[u];
		load->room = load->now.users > 1 ? load->shared_bandwidth : load->bandwidth;
		load->demand = load->now.demand;
		load->open = load->now.lanes;
		load->tight = 0;
		load->level = load->room / load->demand;
	}
}

/* The level at which the first of the sharer's links is full. Returns whether another sharer may be full before at another level. */
static void find_level(struct tw__sharer *sharer)
{
	sharer->level = sharer->most;
	for (int c = 0; c < sharer->n_crossings; c++)
		sharer->level = least(sharer->level, sharer->crossings[c].load->level);
	for (int c = 0; c < sharer->n_crossings; c++)
		sharer->crossings[c].load->tight += sharer->crossings[c].load->level == sharer->level;
}

/* When all rates rise together, its first full link is full of sharers that have no narrower one: they keep their rates from there on. */
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

static void settle(const struct tw__sharer *sharer, int flowing)
{
	for (int c = 0; c < sharer->n_crossings; c++) {
		struct tw__load *load = sharer->crossings[c].load;
		double demand = flowing * sharer->crossings[c].times * sharer->weight;
		load->room -= demand * sharer->level;
		load->demand -= demand;
		load->open--;
	}
}

/* The links of those without a rate, after others have got theirs. */
static void reopen(struct tw__sharer **sharers, int n)
{
	for (int i = 0; i < n; i++)
		for (int c = 0; c < sharers[i]->n_crossings; c++) {
			struct tw__load *load = sharers[i]->crossings[c].load;
			load->level = load->room / load->demand;
			load->tight = 0;
		}
}

void tw__loads_levels(struct tw__loads *loads, struct tw__sharer **sharers, int *flowing, int n)
{
	open_loads(loads);
	while (n > 0) {
		int n_left = 0;
		for (int i = 0; i < n; i++)
			find_level(sharers[i]);
		for (int i = 0; i < n; i++) {
			if (is_settled(sharers[i]))
				continue;
			struct tw__sharer *sharer = sharers[i];
			int flows = flowing[i];
			sharers[i] = sharers[n_left];
			flowing[i] = flowing[n_left];
			sharers[n_left] = sharer;
			flowing[n_left++] = flows;
		}
		if (n_left > 0) {
			for (int i = n_left; i < n; i++)
				settle(sharers[i], flowing[i]);
			reopen(sharers, n_left);
		}
		n = n_left;
	}
}
