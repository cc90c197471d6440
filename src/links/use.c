#include "links/use.h"

#include <math.h>
#include <stdlib.h>

#include <tilewright/containers.h>

/* Seconds are counted from an origin that moves with the date, at most twice this far behind it. So doubles keep their
 * precision in runs of any length. */
#define MOST_SECONDS 1024.0

/* A transfer under way. */
struct tw__user {
	struct tw__share share; /* the first member: a share is converted to its user */
	struct tw__user *next;  /* the next unused one */
};

/* --- counting ----------------------------------------------------------------------------------------------------- */

static struct tw__passed *list(struct tw__use *u, int i)
{
	if (!u->of[i].listed)
		u->listed[u->n_listed++] = i;
	u->of[i].listed = true;
	return &u->of[i];
}

/* Counts what the flowing transfers of one lane pass in so many seconds. */
static void count_lane(struct tw__use *u, const struct tw__lane *lane, double seconds)
{
	const struct tw_platform *p = u->platform;
	int r = (int)(lane - u->shares.lanes), flowing = lane->now.flowing;
	const struct tw__route *route = &p->routes[r];
	double bytes = flowing * lane->now.rate * seconds;
	list(u, tw__passed_out(p, r / p->n_nodes))->bytes += bytes;
	list(u, tw__passed_in(r % p->n_nodes))->bytes += bytes;
	for (int l = 0; l < route->n_links; l++) {
		const struct tw__link *link = &p->links[route->links[l]];
		struct tw__passed *passed = list(u, tw__passed_link(p, route->links[l]));
		bool is_fat = link->sharing == TW__FATPIPE;
		if (is_fat && !tw__is_first_listed(route, l))
			continue; /* a fat pipe bounds each transfer on its own, however often the route lists it */
		passed->bytes += bytes;
		passed->extra += is_fat ? flowing * link->bandwidth * seconds : 0;
	}
}

/* Counts what links that pass less for several transfers than for one cannot pass in so many seconds. */
static void count_bridges(struct tw__use *u, double seconds)
{
	const struct tw__loads *loads = &u->shares.loads;
	for (int i = 0; i < loads->n_used; i++) {
		const struct tw__load *load = loads->used[i];
		if (load->now.users > 1 && load->shared_bandwidth < load->bandwidth)
			list(u, tw__passed_link(u->platform, (int)(load - loads->of)))->extra -=
				(load->bandwidth - load->shared_bandwidth) * seconds;
	}
}

static void count_until(struct tw__use *u, double date)
{
	double seconds = date - u->date;
	if (!(seconds > 0))
		return;
	for (int b = 0; b < u->shares.n_busy; b++)
		if (u->shares.busy[b]->now.flowing)
			count_lane(u, u->shares.busy[b], seconds);
	count_bridges(u, seconds);
	u->date = date;
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

int tw__use_begin(struct tw__use *u, tw_node from, tw_node to, uint64_t bytes)
{
	struct tw__user *user = u->unused;
	if (user)
		u->unused = user->next;
	else if (TW_HAS_ROOM(u->users, u->users_capacity, u->n_users + 1) && (user = malloc(sizeof *user)))
		u->users[u->n_users++] = user;
	if (!user)
		return TW_NOMEM;
	tw__shares_begin(&u->shares, &user->share, from, to, (double)bytes, u->date);
	return TW_OK;
}

void tw__use_clear(struct tw__use *u)
{
	int n = 0;
	for (int i = 0; i < u->n_listed; i++) {
		struct tw__passed *passed = &u->of[u->listed[i]];
		passed->listed = fabs(passed->bytes) > 0 || fabs(passed->extra) > 0;
		if (passed->listed)
			u->listed[n++] = u->listed[i];
		passed->bytes = passed->extra = 0;
	}
	u->n_listed = n;
}

/* --- opening and closing ------------------------------------------------------------------------------------------ */

int tw__use_init(struct tw__use *u, const struct tw_platform *p, double unit)
{
	size_t n = 2 * (size_t)p->n_nodes + (size_t)p->n_links;
	*u = (struct tw__use){
		.platform = p, .of = calloc(n + 1, sizeof *u->of), .listed = calloc(n + 1, sizeof *u->listed)};
	int status = tw__shares_init(&u->shares, p, unit);
	return u->of && u->listed ? status : TW_NOMEM;
}

void tw__use_finish(struct tw__use *u)
{
	tw__shares_finish(&u->shares);
	for (size_t i = 0; i < u->n_users; i++)
		free(u->users[i]);
	free(u->users);
	free(u->of);
	free(u->listed);
}
