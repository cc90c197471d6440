#include "engine/shares.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* Ends are one date if rounding may be all that tells them apart: relative to the date. */
#define SAME (1 + 1e-13)

/* No number here is a NaN, for which fmin and fmax are calls of functions. */
static double least(double a, double b) { return a < b ? a : b; }
static double greatest(double a, double b) { return a > b ? a : b; }

/* --- the platform ------------------------------------------------------------------------------------------------ */

static bool is_bridge(const struct tw__link *link) { return link->shared_bandwidth < link->bandwidth; }

/* Each shared link once; fat pipes bound each transfer on its own, however often they are listed. */
static void lane_init(struct tw__lane *lane, const struct tw_platform *p, const struct tw__route *route, double unit,
                      struct tw__load *loads)
{
	double most = INFINITY;
	lane->weight = tw__weight(route, unit);
	lane->latency = route->latency;
	for (int l = 0; l < route->n_links; l++) {
		const struct tw__link *link = &p->links[route->links[l]];
		if (link->sharing == TW__FATPIPE)
			most = least(most, link->bandwidth);
		else if (tw__is_first_listed(route, l))
			lane->crossings[lane->n_crossings++] = (struct tw__crossing){
				&loads[route->links[l]], tw__times_listed(route, route->links[l])};
		if (is_bridge(link))
			lane->lead = tw__weight_latency(route, unit);
	}
	lane->most = most / lane->weight;
}

int tw__shares_init(struct tw__shares *s, const struct tw_platform *p, double unit)
{
	size_t n_lanes = (size_t)p->n_nodes * (size_t)p->n_nodes, n_links = (size_t)p->n_links, n_crossings = 0;
	for (size_t r = 0; r < n_lanes; r++)
		n_crossings += (size_t)p->routes[r].n_links;
	*s = (struct tw__shares){
		.n_nodes = p->n_nodes,
		.lanes = calloc(n_lanes + 1, sizeof *s->lanes),
		.crossings = calloc(n_crossings + 1, sizeof *s->crossings),
		.loads = calloc(n_links + 1, sizeof *s->loads),
		.busy = calloc(n_lanes + 1, sizeof(struct tw__lane *)),
		.open = calloc(n_lanes + 1, sizeof(struct tw__lane *)),
		.used = calloc(n_links + 1, sizeof(struct tw__load *)),
		.start = INFINITY,
		.end = INFINITY,
	};
	if (!s->lanes || !s->crossings || !s->loads || !s->busy || !s->open || !s->used)
		return TW_NOMEM;
	for (size_t l = 0; l < n_links; l++) {
		s->loads[l].bandwidth = p->links[l].bandwidth;
		s->loads[l].shared_bandwidth = p->links[l].shared_bandwidth;
	}
	struct tw__crossing *crossings = s->crossings;
	for (size_t r = 0; r < n_lanes; r++) {
		if (!p->routes[r].n_links)
			continue; /* that lane's pages are never touched: platforms of many memories have few routes */
		s->lanes[r].crossings = crossings;
		lane_init(&s->lanes[r], p, &p->routes[r], unit, s->loads);
		crossings += p->routes[r].n_links;
	}
	return TW_OK;
}

void tw__shares_finish(struct tw__shares *s)
{
	free(s->lanes);
	free(s->crossings);
	free(s->loads);
	free(s->busy);
	free(s->open);
	free(s->used);
}

/* --- rates: progressive filling ---------------------------------------------------------------------------------- */

/* Sums up the loads of the links before any lane has a rate. Returns the number of open lanes. */
static int sum_loads(struct tw__shares *s)
{
	int n_open = 0;
	s->n_used = 0;
	for (int b = 0; b < s->n_busy; b++) {
		struct tw__lane *lane = s->busy[b];
		int entered = lane->now.entered, flowing = lane->now.flowing;
		if (flowing)
			s->open[n_open++] = lane;
		for (int c = 0; entered && c < lane->n_crossings; c++) {
			struct tw__load *load = lane->crossings[c].load;
			if (load->users == 0) {
				s->used[s->n_used++] = load;
				load->demand = 0;
			}
			load->users += entered;
			load->lanes += flowing > 0;
			load->demand += flowing * lane->weight * lane->crossings[c].times;
		}
	}
	for (int u = 0; u < s->n_used; u++) {
		struct tw__load *load = s->used[u];
		load->room = load->users > 1 ? load->shared_bandwidth : load->bandwidth;
		load->users = 0;
	}
	return n_open;
}

/* Computes the level at which each open lane's narrowest link is full, or its fat pipe. Returns the least of these levels. */
static double least_level(struct tw__shares *s, int n_open)
{
	double lowest = INFINITY;
	for (int u = 0; u < s->n_used; u++) {
		struct tw__load *load = s->used[u];
		if (load->lanes)
			load->level = load->room / load->demand;
	}
	for (int o = 0; o < n_open; o++) {
		struct tw__lane *lane = s->open[o];
		lane->level = lane->most;
		for (int c = 0; c < lane->n_crossings; c++)
			lane->level = least(lane->level, lane->crossings[c].load->level);
		lowest = least(lowest, lane->level);
	}
	return lowest;
}

static void set_rate(struct tw__lane *lane, double level)
{
	lane->now.rate = level * lane->weight;
	for (int c = 0; c < lane->n_crossings; c++) {
		struct tw__load *load = lane->crossings[c].load;
		double times = lane->now.flowing * lane->crossings[c].times;
		load->room -= times * lane->now.rate;
		load->demand -= times * lane->weight;
		load->lanes--;
	}
}

/* All rates rise together, by weights, until a link is full. Its lanes keep their rates; the rates of the others rise further. */
static void set_rates(struct tw__shares *s)
{
	double level = 0;
	for (int n_open = sum_loads(s), n; n_open; n_open = n) {
		level = greatest(level, least_level(s, n_open)); /* rounding makes no rate fall */
		n = 0;
		for (int o = 0; o < n_open; o++)
			if (s->open[o]->level <= level)
				set_rate(s->open[o], level);
			else
				s->open[n++] = s->open[o];
	}
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

static double next_start(const struct tw__lane *lane)
{
	const struct tw__lane_state *now = &lane->now;
	return least(now->enters ? now->enters->begin - lane->lead : INFINITY,
	             now->flows ? now->flows->begin : INFINITY);
}

/* After a change: rates, and the dates of the next start and end. */
static void plan(struct tw__shares *s)
{
	set_rates(s);
	s->start = s->end = INFINITY;
	for (int b = 0; b < s->n_busy; b++) {
		struct tw__lane_state *now = &s->busy[b]->now;
		now->end = now->flowing ? s->date + greatest(0, now->least - now->served) / now->rate : INFINITY;
		s->end = least(s->end, now->end);
		s->start = least(s->start, next_start(s->busy[b]));
	}
}

/* Time passes without a change. */
static void pass(struct tw__shares *s, double date)
{
	for (int b = 0; b < s->n_busy; b++)
		if (s->busy[b]->now.flowing)
			s->busy[b]->now.served += s->busy[b]->now.rate * (date - s->date);
	s->date = date;
}

/* Waiting transfers enter and flow. */
static void start_due(struct tw__lane *lane, double date)
{
	struct tw__lane_state *now = &lane->now;
	for (; now->enters && now->enters->begin - lane->lead <= date; now->enters = now->enters->next)
		now->entered++;
	for (; now->flows && now->flows->begin <= date; now->flows = now->flows->next) {
		now->flowing++;
		now->flows->until = now->served + now->flows->bytes;
		now->least = least(now->least, now->flows->until);
	}
}

static void take_out(struct tw__share **first, struct tw__share **last, struct tw__share *share)
{
	*(share->before ? &share->before->next : first) = share->next;
	*(share->next ? &share->next->before : last) = share->before;
}

/* By date, and of one date in the order of begin. */
static void append_ended(struct tw__shares *s, struct tw__share *share, double date)
{
	struct tw__share *before = s->last_ended;
	share->end = date;
	share->ended = true;
	while (before && before->end == date && before->sequence > share->sequence)
		before = before->before;
	share->before = before;
	share->next = before ? before->next : s->first_ended;
	*(before ? &before->next : &s->first_ended) = share;
	*(share->next ? &share->next->before : &s->last_ended) = share;
}

/* Takes out the flowing transfers that are done at `date`, the lane's next end but for rounding. */
static void end_due(struct tw__shares *s, struct tw__lane *lane, double date)
{
	struct tw__lane_state *now = &lane->now;
	double done = greatest(now->least, now->served + now->rate * date * (SAME - 1));
	now->least = INFINITY;
	for (struct tw__share *share = lane->first, *next; share != now->flows; share = next) {
		next = share->next;
		if (share->until > done) {
			now->least = least(now->least, share->until);
			continue;
		}
		take_out(&lane->first, &lane->last, share);
		append_ended(s, share, date);
		now->flowing--;
		now->entered--;
	}
}

static void retire_if_empty(struct tw__shares *s, struct tw__lane *lane)
{
	if (lane->first)
		return;
	s->busy[lane->place] = s->busy[--s->n_busy];
	s->busy[lane->place]->place = lane->place;
}

static bool starts_next(const struct tw__shares *s) { return s->start < s->end; }

static double next_change(const struct tw__shares *s) { return starts_next(s) ? s->start : s->end; }

/* The next change: all ends and starts of its date. */
static void change(struct tw__shares *s)
{
	bool ends = !starts_next(s);
	double date = greatest(s->date, next_change(s));
	pass(s, date);
	for (int b = s->n_busy - 1; b >= 0; b--) {
		struct tw__lane *lane = s->busy[b];
		if (ends && lane->now.end <= date * SAME)
			end_due(s, lane, date);
		start_due(lane, date);
		retire_if_empty(s, lane);
	}
	plan(s);
}

/* --- the state at a date ----------------------------------------------------------------------------------------- */

/* Makes the next change before its date has come. It is a start. */
static void run_ahead(struct tw__shares *s)
{
	if (!s->ahead) {
		for (int b = 0; b < s->n_busy; b++)
			s->busy[b]->saved = s->busy[b]->now;
		s->saved_date = s->date;
		s->saved_start = s->start;
		s->saved_end = s->end;
		s->ahead = true;
	}
	change(s);
}

/* Makes all changes at or before `now`. A state that is ahead of `now` stays: nothing but starts is between them. */
static void run_until(struct tw__shares *s, double now)
{
	if (s->date > now)
		return;
	s->ahead = false;
	while (next_change(s) <= now && next_change(s) < INFINITY)
		change(s);
}

/* Takes a state that is ahead back to `now`. */
static void run_back(struct tw__shares *s, double now)
{
	if (!s->ahead)
		return;
	for (int b = 0; b < s->n_busy; b++)
		s->busy[b]->now = s->busy[b]->saved;
	s->date = s->saved_date;
	s->start = s->saved_start;
	s->end = s->saved_end;
	run_until(s, now);
}

/* --- transfers --------------------------------------------------------------------------------------------------- */

static void follow(struct tw__lane_state *state, struct tw__share *share)
{
	if (!state->enters)
		state->enters = share;
	if (!state->flows)
		state->flows = share;
}

static void append(struct tw__shares *s, struct tw__lane *lane, struct tw__share *share)
{
	if (!lane->first) {
		lane->now = lane->saved = (struct tw__lane_state){.least = INFINITY, .end = INFINITY};
		lane->place = s->n_busy;
		s->busy[s->n_busy++] = lane;
	}
	share->before = lane->last;
	*(lane->last ? &lane->last->next : &lane->first) = share;
	lane->last = share;
	follow(&lane->now, share);
	follow(&lane->saved, share);
}

void tw__shares_begin(struct tw__shares *s, struct tw__share *share, tw_node from, tw_node to, double bytes, double now)
{
	struct tw__lane *lane = &s->lanes[from * s->n_nodes + to];
	assert(lane->weight > 0); /* there is a route */
	*share = (struct tw__share){
		.lane = lane, .begin = now + lane->latency, .bytes = bytes, .sequence = s->sequence++};
	double enters = share->begin - lane->lead;
	run_until(s, now);
	if (enters < s->date)
		run_back(s, now);
	append(s, lane, share);
	s->start = least(s->start, enters);
}

double tw__shares_next(struct tw__shares *s)
{
	if (s->first_ended)
		return s->first_ended->end;
	while (starts_next(s))
		run_ahead(s);
	return s->end;
}

struct tw__share *tw__shares_end(struct tw__shares *s, double now)
{
	run_until(s, now);
	struct tw__share *share = s->first_ended;
	if (share)
		take_out(&s->first_ended, &s->last_ended, share);
	return share;
}

/* --- the origin of dates ----------------------------------------------------------------------------------------- */

/* Sums of bytes become small again, too, else they were as inexact as late dates. */
static void shift_state(struct tw__lane_state *state, double seconds, double bytes)
{
	state->end -= seconds;
	state->served -= bytes;
	state->least -= bytes;
}

void tw__shares_shift(struct tw__shares *s, double seconds)
{
	s->date -= seconds;
	s->start -= seconds;
	s->end -= seconds;
	s->saved_date -= seconds;
	s->saved_start -= seconds;
	s->saved_end -= seconds;
	for (int b = 0; b < s->n_busy; b++) {
		struct tw__lane *lane = s->busy[b];
		double bytes = s->ahead ? lane->saved.served : lane->now.served;
		shift_state(&lane->now, seconds, bytes);
		shift_state(&lane->saved, seconds, bytes);
		for (struct tw__share *share = lane->first; share; share = share->next) {
			share->begin -= seconds;
			share->until -= bytes;
		}
	}
	for (struct tw__share *share = s->first_ended; share; share = share->next)
		share->end -= seconds;
}
