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

/* Returns the use at an index, after adding it to the list. */
static struct tw__passed *list(struct tw__use *u, int i)
{
	if (!u->of[i].listed)
		u->listed[u->n_listed++] = i;
	u->of[i].listed = true;
	return &u->of[i];
}

/* Adds to the bytes, or without `seconds` to the rate, of a link or memory that transfers pass. */
static void add(struct tw__passed *passed, double rate, double seconds)
{
	if (seconds > 0)
		passed->bytes += rate * seconds;
	else
		passed->rate += rate;
}

/* Calls `add` for each link and memory that the lane's transfers pass, with the bytes/s of all of them together. If the
 * route lists a link twice, this calls `add` twice, except for a fat pipe: that bounds each transfer on its own. */
static void pass(struct tw__use *u, const struct tw__lane *lane, double seconds)
{
	const struct tw__platform *p = u->platform;
	int r = lane->route;
	const struct tw__route *route = &p->routes[r];
	double rate = lane->now.flowing * tw__lane_rate(lane);
	if (!u->links_only) {
		add(list(u, tw__passed_out(p, r / p->n_nodes)), rate, seconds);
		add(list(u, tw__passed_in(r % p->n_nodes)), rate, seconds);
	}
	for (int l = 0; l < route->n_links; l++)
		if (p->links[route->links[l]].sharing == TW__SHARED || tw__is_first_listed(route, l))
			add(list(u, tw__passed_link(p, route->links[l])), rate, seconds);
}

static void pass_all(struct tw__use *u, double seconds)
{
	for (int b = 0; b < u->shares.n_busy; b++)
		if (u->shares.busy[b]->now.flowing)
			pass(u, u->shares.busy[b], seconds);
}

static void count_until(struct tw__use *u, double date)
{
	if (!(date > u->date))
		return;
	pass_all(u, date - u->date);
	u->date = date;
}

/* --- looking ------------------------------------------------------------------------------------------------------ */

/* Returns what an idle link can pass; a memory: 0. */
static double idle_capacity(const struct tw__use *u, int i)
{
	const struct tw__link *link = &u->platform->links[i - tw__passed_link(u->platform, 0)];
	return i >= tw__passed_link(u->platform, 0) && link->sharing == TW__SHARED ? link->bandwidth : 0;
}

/* Adds the bandwidth of the fat pipes of a lane, once for each flowing transfer. */
static void open_pipes(struct tw__use *u, const struct tw__lane *lane)
{
	const struct tw__platform *p = u->platform;
	const struct tw__route *route = &p->routes[lane->route];
	for (int l = 0; l < route->n_links; l++) {
		const struct tw__link *link = &p->links[route->links[l]];
		if (link->sharing == TW__FATPIPE && tw__is_first_listed(route, l))
			u->of[tw__passed_link(p, route->links[l])].capacity += lane->now.flowing * link->bandwidth;
	}
}

void tw__use_look(struct tw__use *u)
{
	const struct tw__loads *loads = &u->shares.loads;
	for (int i = 0; i < u->n_listed; i++) {
		struct tw__passed *passed = &u->of[u->listed[i]];
		passed->rate = 0;
		passed->capacity = idle_capacity(u, u->listed[i]);
	}
	pass_all(u, 0);
	for (int b = 0; b < u->shares.n_busy; b++)
		open_pipes(u, u->shares.busy[b]);
	for (int i = 0; i < loads->n_used; i++) {
		const struct tw__load *load = loads->used[i];
		if (load->now.users > 1 && load->shared_bandwidth < load->bandwidth)
			list(u, tw__passed_link(u->platform, (int)(load - loads->of)))->capacity =
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
		double changed = passed->capacity - idle_capacity(u, u->listed[i]);
		passed->listed = passed->bytes > 0 || passed->rate > 0 || fabs(changed) > 0;
		if (passed->listed)
			u->listed[n++] = u->listed[i];
		passed->bytes = 0;
	}
	u->n_listed = n;
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

void tw__use_init(struct tw__use *u, const struct tw__platform *p, const struct tw__weights *weights)
{
	size_t n = 2 * (size_t)p->n_nodes + (size_t)p->n_links;
	*u = (struct tw__use){.platform = p};
	u->of = tw__arena_alloc(&u->memory, n, sizeof *u->of);
	u->listed = tw__arena_alloc(&u->memory, n, sizeof *u->listed);
	tw__shares_init(&u->shares, p, weights);
	for (int i = 0; i < (int)n; i++)
		u->of[i].capacity = idle_capacity(u, i);
}

void tw__use_finish(struct tw__use *u)
{
	tw__shares_finish(&u->shares);
	tw__arena_finish(&u->memory);
}
