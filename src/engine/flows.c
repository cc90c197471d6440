#include "engine/flows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The simulator's rates are exact to about 1e-9: a little more than the bound is allowed for. */
#define MARGIN (1 + 1e-7)

/* No number here is a NaN, for which fmin and fmax are calls of functions. */
static double least(double a, double b) { return a < b ? a : b; }
static double greatest(double a, double b) { return a > b ? a : b; }

int tw__flows_init(struct tw__flows *f, const struct tw_platform *platform)
{
	*f = (struct tw__flows){.platform = platform};
	f->demand = calloc((size_t)platform->n_links + 1, sizeof *f->demand);
	f->taken = calloc((size_t)platform->n_links + 1, sizeof *f->taken);
	return f->demand && f->taken ? TW_OK : TW_NOMEM;
}

void tw__flows_finish(struct tw__flows *f)
{
	free(f->flows);
	free(f->demand);
	free(f->taken);
}

static bool is_shared(const struct tw__flows *f, int link) { return f->platform->links[link].sharing == TW__SHARED; }

static double least_share(const struct tw__flows *f, const struct tw__route *route)
{
	double share = INFINITY;
	for (int l = 0; l < route->n_links; l++) {
		int link = route->links[l];
		share = least(share, f->platform->links[link].bandwidth / (is_shared(f, link) ? f->demand[link] : 1));
	}
	return share;
}

static int times_listed(const struct tw__route *route, int link)
{
	int n = 0;
	for (int l = 0; l < route->n_links; l++)
		n += route->links[l] == link;
	return n;
}

static double greatest_share(const struct tw__flows *f, const struct tw__flow *flow)
{
	double share = INFINITY;
	for (int l = 0; l < flow->route->n_links; l++) {
		int link = flow->route->links[l];
		double bandwidth = f->platform->links[link].bandwidth;
		if (is_shared(f, link)) {
			int times = times_listed(flow->route, link);
			bandwidth = (bandwidth - f->taken[link] + times * flow->least) / times;
		}
		share = least(share, bandwidth);
	}
	return greatest(share, flow->least) * MARGIN;
}

/* What has flowed since the last update. No flow begins or ends in between. */
static void drain(struct tw__flows *f, double now)
{
	for (int i = 0; i < f->n; i++)
		if (f->flows[i]->flowing)
			f->flows[i]->left = greatest(0, f->flows[i]->left - f->flows[i]->most * (now - f->date));
	f->date = now;
}

/* The same, and the shares from now on. */
static void step(struct tw__flows *f, double now)
{
	drain(f, now);
	memset(f->demand, 0, (size_t)f->platform->n_links * sizeof *f->demand);
	memset(f->taken, 0, (size_t)f->platform->n_links * sizeof *f->taken);
	for (int i = 0; i < f->n; i++) {
		struct tw__flow *flow = f->flows[i];
		flow->flowing = flow->begin <= now;
		for (int l = 0; flow->flowing && l < flow->route->n_links; l++)
			f->demand[flow->route->links[l]]++;
	}
	for (int i = 0; i < f->n; i++) {
		struct tw__flow *flow = f->flows[i];
		if (!flow->flowing)
			continue;
		flow->least = least_share(f, flow->route);
		for (int l = 0; l < flow->route->n_links; l++)
			f->taken[flow->route->links[l]] += flow->least;
	}
	for (int i = 0; i < f->n; i++)
		if (f->flows[i]->flowing)
			f->flows[i]->most = greatest_share(f, f->flows[i]);
}

/* When the next flow begins to take bandwidth. */
static double next_begin(const struct tw__flows *f)
{
	double begin = INFINITY;
	for (int i = 0; i < f->n; i++)
		if (!f->flows[i]->flowing)
			begin = least(begin, f->flows[i]->begin);
	return begin;
}

int tw__flows_add(struct tw__flows *f, struct tw__flow *flow, const struct tw__route *route, double begin, double bytes)
{
	if (f->n == f->capacity) {
		int capacity = f->capacity ? 2 * f->capacity : 16;
		struct tw__flow **flows = realloc(f->flows, (size_t)capacity * sizeof *flows);
		if (!flows)
			return TW_NOMEM;
		f->flows = flows;
		f->capacity = capacity;
	}
	*flow = (struct tw__flow){.route = route, .begin = begin, .left = bytes, .place = f->n};
	f->flows[f->n++] = flow;
	return TW_OK;
}

void tw__flows_remove(struct tw__flows *f, struct tw__flow *flow, double now)
{
	double begin;
	now = greatest(now, f->date);
	while ((begin = next_begin(f)) < now)
		step(f, greatest(begin, f->date));
	drain(f, now);
	f->flows[flow->place] = f->flows[--f->n];
	f->flows[flow->place]->place = flow->place;
	step(f, now); /* its share is the others' from now on */
}

double tw__flows_horizon(struct tw__flows *f, double until)
{
	for (;;) {
		double end = INFINITY, begin = next_begin(f);
		for (int i = 0; i < f->n; i++)
			if (f->flows[i]->flowing)
				end = least(end, f->date + f->flows[i]->left / f->flows[i]->most);
		if (least(end, until) <= begin)
			return end;
		step(f, greatest(begin, f->date)); /* another flow takes its share */
	}
}
