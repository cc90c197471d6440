#include "engine/simgrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/least.h"

/* Factor on upper bounds of rates. SimGrid's rates are exact to 1e-6 at worst (simgrid_load.c), so the factor allows a
 * little more. */
#define MARGIN (1 + 1e-5)

void tw__flows_init(struct tw__flows *f, const struct tw__platform *platform, const struct tw__weights *weights)
{
	const size_t n_links = (size_t)platform->n_links;
	*f = (struct tw__flows){
		.platform = platform,
		.weights = weights,
		.demand = tw_alloc(n_links, sizeof *f->demand),
		.taken = tw_alloc(n_links, sizeof *f->taken),
		.users = tw_alloc(n_links, sizeof *f->users),
	};
}

void tw__flows_finish(struct tw__flows *f)
{
	free(f->flows);
	free(f->demand);
	free(f->taken);
	free(f->users);
}

static bool is_shared(const struct tw__flows *f, int link) { return f->platform->links[link].sharing == TW__SHARED; }

static double bandwidth(const struct tw__flows *f, int link)
{
	const struct tw__link *l = &f->platform->links[link];
	return f->users[link] > 1 ? l->shared_bandwidth : l->bandwidth;
}

static double least_share(const struct tw__flows *f, const struct tw__flow *flow)
{
	double share = INFINITY;
	for (int l = 0; l < flow->route->n_links; l++) {
		int link = flow->route->links[l];
		share = tw__least(share,
		                  bandwidth(f, link) * (is_shared(f, link) ? flow->weight / f->demand[link] : 1));
	}
	return share;
}

static double greatest_share(const struct tw__flows *f, const struct tw__flow *flow)
{
	double share = INFINITY;
	for (int l = 0; l < flow->route->n_links; l++) {
		int link = flow->route->links[l];
		double most = bandwidth(f, link);
		if (is_shared(f, link)) {
			int times = tw__times_listed(flow->route, link);
			most = (most - f->taken[link] + times * flow->least) / times;
		}
		share = tw__least(share, most);
	}
	return tw__greatest(share, flow->least) * MARGIN;
}

/* Moves all flows to `now`: subtracts the bytes that have flowed since the last update. No flow may begin or end
 * between the last update and `now`. */
static void drain(struct tw__flows *f, double now)
{
	for (int i = 0; i < f->n; i++)
		if (f->flows[i]->flowing)
			f->flows[i]->left = tw__greatest(0, f->flows[i]->left - f->flows[i]->most * (now - f->date));
	f->date = now;
}

/* Moves the flows to `now`, then computes their shares from then on. */
static void step(struct tw__flows *f, double now)
{
	drain(f, now);
	memset(f->demand, 0, (size_t)f->platform->n_links * sizeof *f->demand);
	memset(f->taken, 0, (size_t)f->platform->n_links * sizeof *f->taken);
	memset(f->users, 0, (size_t)f->platform->n_links * sizeof *f->users);
	for (int i = 0; i < f->n; i++) {
		struct tw__flow *flow = f->flows[i];
		flow->flowing = flow->begin <= now;
		flow->entered = flow->entry <= now;
		for (int l = 0; flow->flowing && l < flow->route->n_links; l++)
			f->demand[flow->route->links[l]] += flow->weight;
		for (int l = 0; flow->entered && l < flow->route->n_links; l++)
			f->users[flow->route->links[l]] += tw__is_first_listed(flow->route, l);
	}
	for (int i = 0; i < f->n; i++) {
		struct tw__flow *flow = f->flows[i];
		if (!flow->flowing)
			continue;
		flow->least = least_share(f, flow);
		for (int l = 0; l < flow->route->n_links; l++)
			f->taken[flow->route->links[l]] += flow->least;
	}
	for (int i = 0; i < f->n; i++)
		if (f->flows[i]->flowing)
			f->flows[i]->most = greatest_share(f, f->flows[i]);
}

/* Returns the date at which the next flow enters its bridges, or begins to take bandwidth. */
static double next_begin(const struct tw__flows *f)
{
	double begin = INFINITY;
	for (int i = 0; i < f->n; i++)
		if (!f->flows[i]->flowing)
			begin = tw__least(begin, f->flows[i]->entered ? f->flows[i]->begin : f->flows[i]->entry);
	return begin;
}

static bool has_bridge(const struct tw__flows *f, const struct tw__route *route)
{
	for (int l = 0; l < route->n_links; l++) {
		const struct tw__link *link = &f->platform->links[route->links[l]];
		if (link->shared_bandwidth < link->bandwidth)
			return true;
	}
	return false;
}

void tw__flows_add(struct tw__flows *f, struct tw__flow *flow, const struct tw__route *route, double begin,
                   double bytes)
{
	TW_RESERVE(f->flows, f->capacity, (size_t)f->n + 1);
	*flow = (struct tw__flow){
		.route = route,
		.weight = tw__weight(f->weights, f->platform, route),
		.begin = begin,
		.entry = has_bridge(f, route) ? begin - tw__weight_latency(f->weights, f->platform, route) : begin,
		.left = bytes,
		.place = f->n,
	};
	f->flows[f->n++] = flow;
}

void tw__flows_remove(struct tw__flows *f, struct tw__flow *flow, double now)
{
	double begin;
	now = tw__greatest(now, f->date);
	while ((begin = next_begin(f)) < now)
		step(f, tw__greatest(begin, f->date));
	drain(f, now);
	f->flows[flow->place] = f->flows[--f->n];
	f->flows[flow->place]->place = flow->place;
	step(f, now); /* the other flows get the share of the removed flow from now on */
}

void tw__flows_shift(struct tw__flows *f, double seconds)
{
	f->date -= seconds;
	for (int i = 0; i < f->n; i++) {
		f->flows[i]->begin -= seconds;
		f->flows[i]->entry -= seconds;
	}
}

double tw__flows_horizon(struct tw__flows *f, double until)
{
	for (;;) {
		double end = INFINITY, begin = next_begin(f);
		for (int i = 0; i < f->n; i++)
			if (f->flows[i]->flowing)
				end = tw__least(end, f->date + f->flows[i]->left / f->flows[i]->most);
		if (tw__least(end, until) <= begin)
			return end;
		step(f, tw__greatest(begin, f->date)); /* at this date another flow begins to share the links */
	}
}
