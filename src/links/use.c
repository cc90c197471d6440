#include "links/use.h"

#include <math.h>

/* Seconds are counted from an origin that moves with the date, at most twice this far behind it. So doubles keep their
 * precision in runs of any length. */
#define MOST_SECONDS 1024.0

/* A transfer under way. */
struct tw__user {
	struct tw__share share; /* the first member: a share is converted to its user */
	struct tw__user *next;  /* the next unused one */
};

/* --- counting ----------------------------------------------------------------------------------------------------- */

/* Adds the use to the list. */
static struct tw__passed *list(struct tw__use *u, struct tw__passed *passed)
{
	if (!passed->listed)
		u->listed[u->n_listed++] = (int)(passed - u->of);
	passed->listed = true;
	return passed;
}

/* Returns what a lane with flowing transfers passes, after listing it; NULL: none flows. */
static struct tw__use_lane *flowing(struct tw__use *u, const struct tw__lane *lane)
{
	struct tw__use_lane *l = &u->lanes[lane - u->shares.lanes];
	if (lane->now.flowing == 0)
		return NULL;
	for (struct tw__passed **of = l->first; l->looks != u->n_looks && of < l->pipes; of++)
		list(u, *of);
	return l;
}

/* Returns the bytes/s of all transfers of a lane together. */
static double rate_of(const struct tw__lane *lane) { return lane->now.flowing * tw__lane_rate(lane); }

static void count_until(struct tw__use *u, double date)
{
	if (!(date > u->date))
		return;
	for (int b = 0; b < u->shares.n_busy && !u->rates_only; b++) {
		const struct tw__use_lane *l = flowing(u, u->shares.busy[b]);
		const double bytes = rate_of(u->shares.busy[b]) * (date - u->date);
		for (struct tw__passed **of = l ? l->first : NULL; l && of < l->pipes; of++)
			(*of)->bytes += bytes;
	}
	u->date = date;
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

void tw__use_look(struct tw__use *u)
{
	const struct tw__loads *loads = &u->shares.loads;
	for (int i = 0; i < u->n_listed; i++) {
		struct tw__passed *passed = &u->of[u->listed[i]];
		passed->rate = 0;
		passed->capacity = passed->idle;
	}
	for (int b = 0; b < u->shares.n_busy; b++) {
		const struct tw__lane *lane = u->shares.busy[b];
		const double rate = rate_of(lane);
		struct tw__use_lane *l = flowing(u, lane);
		if (!l)
			continue;
		l->looks = u->n_looks + 1;
		for (struct tw__passed **of = l->first; of < l->pipes; of++)
			(*of)->rate += rate;
		for (struct tw__passed **of = l->pipes; of < l->end; of++)
			(*of)->capacity += lane->now.flowing * (*of)->bandwidth;
	}
	u->n_looks++;
	for (int i = 0; i < loads->n_used; i++) {
		const struct tw__load *load = loads->used[i];
		if (load->now.users > 1 && load->shared_bandwidth < load->bandwidth)
			list(u, &u->of[tw__passed_link(u->platform, (int)(load - loads->of))])->capacity =
				load->shared_bandwidth;
	}
}

/* --- transfers ---------------------------------------------------------------------------------------------------- */

static void take_ended(struct tw__use *u)
{
	for (struct tw__share *share; (share = tw__shares_end(&u->shares, u->date));) {
		struct tw__user *user = (struct tw__user *)(void *)share;
		user->next = u->unused;
		u->unused = user;
	}
}

static void run_until(struct tw__use *u, double date)
{
	for (double change; (change = tw__shares_change(&u->shares)) <= date;) {
		count_until(u, change);
		take_ended(u);
	}
	count_until(u, date);
}

void tw__use_run(struct tw__use *u, tw__ns date)
{
	/* No date may become negative, so the origin moves only over time that has been counted. */
	while (tw__seconds(date - u->origin) >= 2 * MOST_SECONDS) {
		run_until(u, MOST_SECONDS);
		tw__shares_shift(&u->shares, MOST_SECONDS);
		u->date -= MOST_SECONDS;
		u->origin += tw__ns_of(MOST_SECONDS);
	}
	run_until(u, tw__seconds(date - u->origin));
}

tw__ns tw__use_next(const struct tw__use *u)
{
	tw__ns after = tw__ns_after(tw__shares_change(&u->shares));
	return after == TW__NEVER ? after : tw__later(u->origin, after);
}

void tw__use_begin(struct tw__use *u, tw_node from, tw_node to, uint64_t bytes)
{
	struct tw__user *user = u->unused;
	if (user)
		u->unused = user->next;
	else
		user = tw__arena_alloc(&u->memory, 1, sizeof *user);
	tw__shares_begin(&u->shares, &user->share, from, to, (double)bytes, u->date);
}

void tw__use_clear(struct tw__use *u)
{
	int n = 0;
	for (int i = 0; i < u->n_listed; i++) {
		struct tw__passed *passed = &u->of[u->listed[i]];
		passed->listed = passed->bytes > 0 || passed->rate > 0 || fabs(passed->capacity - passed->idle) > 0;
		if (passed->listed)
			u->listed[n++] = u->listed[i];
		passed->bytes = 0;
	}
	u->n_listed = n;
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

/* Lists all that a lane passes, from `to` on. If the route lists a link twice, so does this, except for a fat pipe:
 * that bounds each transfer on its own. Returns the end of the list. */
static struct tw__passed **list_lane(struct tw__use *u, int number, struct tw__passed **to)
{
	const struct tw__platform *p = u->platform;
	const int r = u->shares.lanes[number].route;
	const struct tw__route *route = &p->routes[r];
	struct tw__use_lane *l = &u->lanes[number];
	l->first = to;
	if (!u->links_only) {
		*to++ = &u->of[tw__passed_out(p, r / p->n_nodes)];
		*to++ = &u->of[tw__passed_in(r % p->n_nodes)];
	}
	for (int i = 0; i < route->n_links; i++)
		if (p->links[route->links[i]].sharing == TW__SHARED || tw__is_first_listed(route, i))
			*to++ = &u->of[tw__passed_link(p, route->links[i])];
	l->pipes = to;
	for (int i = 0; i < route->n_links; i++)
		if (p->links[route->links[i]].sharing == TW__FATPIPE && tw__is_first_listed(route, i))
			*to++ = &u->of[tw__passed_link(p, route->links[i])];
	l->end = to;
	return to;
}

void tw__use_init(struct tw__use *u, const struct tw__platform *p, const struct tw__weights *weights, bool links_only)
{
	size_t n = 2 * (size_t)p->n_nodes + (size_t)p->n_links, n_passed = 0;
	*u = (struct tw__use){.platform = p, .links_only = links_only, .n_looks = 1};
	u->of = tw__arena_alloc(&u->memory, n, sizeof *u->of);
	u->listed = tw__arena_alloc(&u->memory, n, sizeof *u->listed);
	for (int l = 0; l < p->n_links; l++) {
		struct tw__passed *passed = &u->of[tw__passed_link(p, l)];
		passed->bandwidth = p->links[l].bandwidth;
		passed->capacity = passed->idle = p->links[l].sharing == TW__SHARED ? passed->bandwidth : 0;
	}
	tw__shares_init(&u->shares, p, weights);
	u->lanes = tw__arena_alloc(&u->memory, (size_t)u->shares.n_lanes, sizeof *u->lanes);
	for (int l = 0; l < u->shares.n_lanes; l++)
		n_passed += 2 + 2 * (size_t)p->routes[u->shares.lanes[l].route].n_links;
	struct tw__passed **passed = tw__arena_alloc(&u->memory, n_passed, sizeof(struct tw__passed *));
	for (int l = 0; l < u->shares.n_lanes; l++)
		passed = list_lane(u, l, passed);
}

void tw__use_finish(struct tw__use *u)
{
	tw__shares_finish(&u->shares);
	tw__arena_finish(&u->memory);
}
