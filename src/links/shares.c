#include "links/shares.h"

#include <assert.h>
#include <math.h>

/* Ends whose dates differ by less than this factor are one date: rounding alone may tell such dates apart. */
#define SAME (1 + 1e-13)

/* Return the lesser and the greater one. No argument is ever NaN, so these avoid the library calls of fmin and fmax. */
static double least(double a, double b) { return a < b ? a : b; }
static double greatest(double a, double b) { return a > b ? a : b; }

/* --- saved states ------------------------------------------------------------------------------------------------ */

/* Saves the state of a lane, if the shares are ahead. Called before the lane's state changes. */
static void save(struct tw__shares *s, struct tw__lane *lane)
{
	if (!s->ahead || tw__lane_is_saved(s, lane))
		return;
	lane->saved = lane->now;
	lane->saved_ahead = lane->part->saved_ahead = s->n_ahead;
}

/* Restores the saved states of a part's lanes. Marks a part that has any as changed, so that the next change recomputes
 * the part's rates. */
static void restore(struct tw__shares *s, struct tw__part *part)
{
	if (part->saved_ahead != s->n_ahead)
		return;
	for (int b = 0; b < part->n_busy; b++)
		if (tw__lane_is_saved(s, part->busy[b]))
			part->busy[b]->now = part->busy[b]->saved;
	part->changed = true;
	part->levels_known = false;
	part->start = part->end = -INFINITY;
	part->beside = 0;
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

/* Adds the bytes that the lane has served until `date`. */
static void bring_to(struct tw__lane_state *now, double date)
{
	now->served += now->rate * (date - now->since);
	now->since = date;
}

/* Updates what is known about levels, after the transfers on a lane have changed. If the part's levels are known,
 * computes the lane's level. They stay known only if no other lane crosses the lane's links, except for the hub. */
static void find_level(struct tw__lane *lane)
{
	struct tw__part *part = lane->part;
	double level = tw__sharer_level_beside(&lane->sharer);
	part->beside = least(part->beside, level);
	if (!part->levels_known)
		return;
	if (lane->now.flowing) {
		lane->sharer.level = level;
		part->beside_most = greatest(part->beside_most, level);
	}
	part->levels_known = tw__sharer_is_alone(&lane->sharer, lane->now.flowing);
}

/* Computes the levels of a part's lanes. If the hub is the narrowest link of all lanes, other links are not read. If
 * the hub is the narrowest link of no lane, find_level() may have computed all levels already. Returns false if the
 * levels are wrong, as tw__loads_full_levels does. */
static bool find_full_levels(struct tw__shares *s, struct tw__part *part)
{
	int n = 0;
	part->one_level = part->hub && part->hub->full_level <= part->beside ? part->hub->full_level : 0;
	if (part->one_level > 0) {
		part->levels_known = false;
		return true;
	}
	if (part->levels_known && part->hub->full_level >= part->beside_most)
		return true;
	for (int b = 0; b < part->n_busy; b++)
		if (part->busy[b]->now.flowing)
			s->sharers[n++] = &part->busy[b]->sharer;
	bool full = tw__loads_full_levels(&s->loads, s->sharers, n, &part->beside, &part->beside_most);
	part->levels_known = full && part->hub && part->hub->full_level >= part->beside_most;
	return full;
}

/* Computes the levels of the lanes of all parts. Rates are summed in the order of the busy lanes. */
static void find_levels(struct tw__shares *s)
{
	int n = 0;
	for (int a = 0; a < s->n_active; a++) {
		s->active[a]->one_level = 0;
		s->active[a]->levels_known = false;
	}
	for (int b = 0; b < s->n_busy; b++)
		if (s->busy[b]->now.flowing) {
			s->sharers[n] = &s->busy[b]->sharer;
			s->flowing[n++] = s->busy[b]->now.flowing;
		}
	tw__loads_levels(&s->loads, s->sharers, s->flowing, n);
}

/* Updates the rates of a part's lanes, and the dates of its next start and end. */
static void plan_part(struct tw__shares *s, struct tw__part *part)
{
	const double one_level = part->one_level;
	double start = INFINITY, end = INFINITY;
	for (int b = 0; b < part->n_busy; b++) {
		struct tw__lane *lane = part->busy[b];
		double rate = (one_level > 0 ? one_level : lane->sharer.level) * lane->sharer.weight;
		if (lane->now.flowing && rate != lane->now.rate) {
			save(s, lane);
			bring_to(&lane->now, s->date);
			lane->now.rate = rate;
			lane->now.end = s->date + greatest(0, lane->now.least - lane->now.served) / rate;
		}
		end = least(end, lane->now.end);
		start = least(start, lane->now.start);
	}
	part->start = start;
	part->end = end;
}

/* Updates rates, and the dates of the next start and end. Called after each change. */
static void plan(struct tw__shares *s)
{
	bool full = true;
	for (int a = 0; a < s->n_active; a++)
		if (s->active[a]->changed)
			full = find_full_levels(s, s->active[a]) && full;
	if (!full)
		find_levels(s);
	s->start = s->end = INFINITY;
	for (int a = 0; a < s->n_active; a++) {
		struct tw__part *part = s->active[a];
		if (part->changed || !full)
			plan_part(s, part);
		part->changed = !full; /* rates may have been summed in another order, so recompute next time */
		s->end = least(s->end, part->end);
		s->start = least(s->start, part->start);
	}
}

static double next_start(const struct tw__lane *lane, const struct tw__lane_state *state)
{
	return least(state->enters ? state->enters->begin - lane->lead : INFINITY,
	             state->flows ? state->flows->begin : INFINITY);
}

/* Lets the lane's waiting transfers enter and flow whose date has come. */
static void start_due(struct tw__shares *s, struct tw__lane *lane, double date)
{
	struct tw__lane_state *now = &lane->now;
	int entered = now->entered, flowing = now->flowing;
	for (; now->enters && now->enters->begin - lane->lead <= date; now->enters = now->enters->next)
		now->entered++;
	for (; now->flows && now->flows->begin <= date; now->flows = now->flows->next) {
		now->flowing++;
		now->flows->until = now->served + now->flows->bytes;
		now->least = least(now->least, now->flows->until);
	}
	if (now->entered != entered || now->flowing != flowing)
		tw__loads_change(&s->loads, &lane->sharer, now->entered - entered, flowing, now->flowing);
	now->start = next_start(lane, now);
}

static void take_out(struct tw__share **first, struct tw__share **last, struct tw__share *share)
{
	*(share->before ? &share->before->next : first) = share->next;
	*(share->next ? &share->next->before : last) = share->before;
}

/* Inserts a transfer into the list of ended transfers: by date, then by order of begin. */
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

/* Removes the lane's flowing transfers that have ended at `date`, which is the lane's next end up to rounding. */
static void end_due(struct tw__shares *s, struct tw__lane *lane, double date)
{
	struct tw__lane_state *now = &lane->now;
	double done = greatest(now->least, now->served + now->rate * date * (SAME - 1));
	int n = 0;
	now->least = INFINITY;
	for (struct tw__share *share = lane->first, *next; share != now->flows; share = next) {
		next = share->next;
		if (share->until > done) {
			now->least = least(now->least, share->until);
			continue;
		}
		take_out(&lane->first, &lane->last, share);
		append_ended(s, share, date);
		n++;
	}
	tw__loads_change(&s->loads, &lane->sharer, -n, now->flowing, now->flowing - n);
	now->flowing -= n;
	now->entered -= n;
}

static void retire_if_empty(struct tw__shares *s, struct tw__lane *lane)
{
	struct tw__part *part = lane->part;
	if (lane->first)
		return;
	s->busy[lane->place] = s->busy[--s->n_busy];
	s->busy[lane->place]->place = lane->place;
	part->busy[lane->part_place] = part->busy[--part->n_busy];
	part->busy[lane->part_place]->part_place = lane->part_place;
	if (part->n_busy > 0)
		return;
	s->active[part->place] = s->active[--s->n_active];
	s->active[part->place]->place = part->place;
}

static bool starts_next(const struct tw__shares *s) { return s->start < s->end; }

static double next_change(const struct tw__shares *s) { return starts_next(s) ? s->start : s->end; }

/* Inserts a lane into the list `due`: by place, the greatest first. */
static void insert_due(struct tw__lane **due, int n, struct tw__lane *lane)
{
	for (; n > 0 && due[n - 1]->place < lane->place; n--)
		due[n] = due[n - 1];
	due[n] = lane;
}

/* Finds the lanes with an end by `last_end` or a start by `last_start`, and marks their parts as changed. */
static int find_due(struct tw__shares *s, double last_end, double last_start)
{
	int n = 0;
	for (int a = 0; a < s->n_active; a++) {
		struct tw__part *part = s->active[a];
		if (part->end > last_end && part->start > last_start)
			continue;
		for (int b = 0; b < part->n_busy; b++)
			if (part->busy[b]->now.end <= last_end || part->busy[b]->now.start <= last_start)
				insert_due(s->due, n++, part->busy[b]);
		part->changed = true;
	}
	return n;
}

/* Makes the next change: all ends and starts of the next date. */
static void change(struct tw__shares *s)
{
	double date = s->date = greatest(s->date, next_change(s)), last_end = starts_next(s) ? -INFINITY : date * SAME;
	int n_due = find_due(s, last_end, date);
	for (int d = 0; d < n_due; d++) {
		struct tw__lane *lane = s->due[d];
		save(s, lane);
		bring_to(&lane->now, date);
		if (lane->now.end <= last_end)
			end_due(s, lane, date);
		start_due(s, lane, date);
		lane->now.rate = 0; /* plan() below replaces the rate and the end */
		lane->now.end = INFINITY;
		find_level(lane);
		retire_if_empty(s, lane);
	}
	plan(s);
}

/* --- the state at a date ----------------------------------------------------------------------------------------- */

/* Makes the next change, which is a start, before its date has come. */
static void run_ahead(struct tw__shares *s)
{
	if (!s->ahead) {
		tw__loads_save(&s->loads);
		s->saved_date = s->date;
		s->saved_start = s->start;
		s->saved_end = s->end;
		s->ahead = true;
		s->n_ahead++;
	}
	change(s);
}

/* Makes all changes at or before `now`. A state that is ahead of `now` stays: only starts lie between. */
static void run_until(struct tw__shares *s, double now)
{
	if (s->date > now)
		return;
	s->ahead = false;
	while (next_change(s) <= now && next_change(s) < INFINITY)
		change(s);
}

/* Returns the shares to their state at `now`, if they are ahead. */
static void run_back(struct tw__shares *s, double now)
{
	if (!s->ahead)
		return;
	for (int a = 0; a < s->n_active; a++)
		restore(s, s->active[a]);
	tw__loads_restore(&s->loads);
	s->date = s->saved_date;
	s->start = s->saved_start;
	s->end = s->saved_end;
	run_until(s, now);
}

/* --- transfers --------------------------------------------------------------------------------------------------- */

static void follow(struct tw__lane *lane, struct tw__lane_state *state, struct tw__share *share)
{
	if (!state->enters)
		state->enters = share;
	if (!state->flows)
		state->flows = share;
	state->start = next_start(lane, state);
}

static void join_busy(struct tw__shares *s, struct tw__lane *lane)
{
	struct tw__part *part = lane->part;
	lane->now = lane->saved = (struct tw__lane_state){.least = INFINITY, .end = INFINITY, .start = INFINITY};
	lane->place = s->n_busy;
	s->busy[s->n_busy++] = lane;
	lane->part_place = part->n_busy;
	part->busy[part->n_busy++] = lane;
	if (part->n_busy > 1)
		return;
	part->start = part->end = INFINITY;
	part->beside = 0;
	part->levels_known = false;
	part->place = s->n_active;
	s->active[s->n_active++] = part;
}

static void append(struct tw__shares *s, struct tw__lane *lane, struct tw__share *share)
{
	if (!lane->first)
		join_busy(s, lane);
	share->before = lane->last;
	*(lane->last ? &lane->last->next : &lane->first) = share;
	lane->last = share;
	follow(lane, &lane->now, share);
	if (tw__lane_is_saved(s, lane))
		follow(lane, &lane->saved, share);
}

void tw__shares_begin(struct tw__shares *s, struct tw__share *share, tw_node from, tw_node to, double bytes, double now)
{
	struct tw__lane *lane = &s->lanes[from * s->n_nodes + to];
	assert(lane->sharer.weight > 0); /* the caller must pass memories with a route */
	*share = (struct tw__share){
		.lane = lane, .begin = now + lane->latency, .bytes = bytes, .sequence = s->sequence++};
	double enters = share->begin - lane->lead;
	run_until(s, now);
	if (enters <= s->date) /* the sums of one date must be in one order */
		run_back(s, now);
	append(s, lane, share);
	lane->part->start = least(lane->part->start, enters);
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
