#include "links/shares.h"

#include <assert.h>
#include <math.h>

#include "base/least.h"

/* Ends whose dates differ by less than this factor are one date: rounding alone may tell such dates apart. */
#define SAME (1 + 1e-15)

/* --- changes ------------------------------------------------------------------------------------------------------ */

/* The order of parts by their next change. At one date, parts in which a transfer ends come first. */
static bool changes_before(const struct tw__heap_item *a, const struct tw__heap_item *b)
{
	const struct tw__part *x = TW__CONTAINER(a, struct tw__part, in_heap),
			      *y = TW__CONTAINER(b, struct tw__part, in_heap);
	const double at_x = tw__part_change(x), at_y = tw__part_change(y);
	if (at_x != at_y)
		return at_x < at_y;
	return tw__part_starts(x) != tw__part_starts(y) ? tw__part_starts(y) : x < y;
}

static double next_start(const struct tw__lane *lane, const struct tw__lane_state *state)
{
	return tw__least(state->enters ? state->enters->begin - lane->lead : INFINITY,
	                 state->flows ? state->flows->begin : INFINITY);
}

/* Lets the lane's waiting transfers enter and flow whose date has come. */
static void start_due(struct tw__shares *s, struct tw__lane *lane)
{
	struct tw__lane_state *now = &lane->now;
	int entered = now->entered, flowing = now->flowing;
	for (; now->enters && now->enters->begin - lane->lead <= s->date; now->enters = now->enters->next)
		now->entered++;
	for (; now->flows && now->flows->begin <= s->date; now->flows = now->flows->next) {
		now->flowing++;
		now->flows->until = now->served + now->flows->bytes;
		now->least = tw__least(now->least, now->flows->until);
	}
	if (now->entered != entered || now->flowing != flowing)
		tw__loads_change(&s->loads, &lane->sharer, now->entered - entered, flowing, now->flowing);
	now->start = next_start(lane, now);
	tw__sorted_put(&lane->part->starts, &lane->starts, now->start);
}

static void take_out(struct tw__share_list *list, struct tw__share *share)
{
	*(share->before ? &share->before->next : &list->first) = share->next;
	*(share->next ? &share->next->before : &list->last) = share->before;
}

/* Inserts a transfer into the list of ended transfers: by date, then by order of begin. */
static void append_ended(struct tw__share_list *ended, struct tw__share *share, double date)
{
	struct tw__share *before = ended->last;
	share->end = date;
	share->ended = true;
	while (before && before->end == date && before->sequence > share->sequence)
		before = before->before;
	share->before = before;
	share->next = before ? before->next : ended->first;
	*(before ? &before->next : &ended->first) = share;
	*(share->next ? &share->next->before : &ended->last) = share;
}

/* Removes the lane's flowing transfers that end at the current date. */
static void end_due(struct tw__shares *s, struct tw__lane *lane)
{
	struct tw__lane_state *now = &lane->now;
	double done = tw__greatest(now->least, now->served + tw__lane_rate(lane) * s->date * (SAME - 1));
	int n = 0;
	now->least = INFINITY;
	for (struct tw__share *share = lane->transfers.first, *next; share != now->flows; share = next) {
		next = share->next;
		if (share->until > done) {
			now->least = tw__least(now->least, share->until);
			continue;
		}
		take_out(&lane->transfers, share);
		append_ended(&s->ended, share, s->date);
		n++;
	}
	tw__loads_change(&s->loads, &lane->sharer, -n, now->flowing, now->flowing - n);
	now->flowing -= n;
	now->entered -= n;
}

static void retire(struct tw__shares *s, struct tw__lane *lane)
{
	struct tw__part *part = lane->part;
	s->busy[lane->place] = s->busy[--s->n_busy];
	s->busy[lane->place]->place = lane->place;
	part->busy[lane->part_place] = part->busy[--part->n_busy];
	part->busy[lane->part_place]->part_place = lane->part_place;
}

/* Inserts a lane into the list `due`: by place, the greatest first. */
static void insert_due(struct tw__lane **due, int n, struct tw__lane *lane)
{
	for (; n > 0 && due[n - 1]->place < lane->place; n--)
		due[n] = due[n - 1];
	due[n] = lane;
}

/* Sets `last_due` of a part. If the part has an end by `last_end`, its first end is due, whatever the rounding. */
static void find_last_due(struct tw__shares *s, struct tw__part *part, double last_end)
{
	const double clock = tw__part_read(s, part);
	part->last_due = last_end;
	if (part->now.level > 0 && part->now.end <= last_end)
		part->last_due = tw__greatest(tw__sorted_first(&part->ends),
		                              clock + part->now.level * (last_end - part->now.since));
}

/* Lists the lanes of a part with an end by `last_end` or a start by this date. Returns the new length of `due`. */
static int find_due(struct tw__shares *s, struct tw__part *part, double last_end, int n)
{
	const struct tw__sorted *item;
	tw__part_save(s, part);
	find_last_due(s, part, last_end);
	for (item = part->ends.next; item != &part->ends && item->at <= part->last_due; item = item->next)
		insert_due(s->due, n++, TW__CONTAINER(item, struct tw__lane, ends));
	for (item = part->starts.next; item != &part->starts && item->at <= s->date; item = item->next) {
		struct tw__lane *lane = TW__CONTAINER(item, struct tw__lane, starts);
		if (lane->now.end > part->last_due)
			insert_due(s->due, n++, lane);
	}
	return n;
}

/* Makes a lane's ends and starts of this date. The plan then gives the lane a rate. */
static void change_lane(struct tw__shares *s, struct tw__lane *lane)
{
	const struct tw__part *part = lane->part;
	tw__lane_save(s, lane);
	tw__lane_bring(lane, part->now.level > 0 ? part->now.clock : s->date);
	if (lane->now.end <= part->last_due)
		end_due(s, lane);
	if (lane->now.start <= s->date)
		start_due(s, lane);
	lane->now.rate = 0;
	lane->now.end = INFINITY;
	tw__sorted_take(&lane->ends);
	if (!lane->transfers.first)
		retire(s, lane);
}

/* Makes the next change: all ends and starts of the date at which the first part changes. */
static void change(struct tw__shares *s)
{
	struct tw__part *part = tw__shares_first(s);
	const bool starts = tw__part_starts(part);
	const double date = s->date = tw__greatest(s->date, tw__part_change(part)),
		     last_end = starts ? -INFINITY : date * SAME, last = starts ? date : last_end;
	int n_due = s->n_due_parts = 0;
	for (; part && tw__part_change(part) <= last; part = tw__shares_first(s)) {
		tw__heap_remove(&s->parts_by_date, &part->in_heap, changes_before);
		s->due_parts[s->n_due_parts++] = part;
		n_due = find_due(s, part, last_end, n_due);
	}
	for (int d = 0; d < n_due; d++)
		change_lane(s, s->due[d]);
	tw__plan(s, n_due);
	for (int p = 0; p < s->n_due_parts; p++)
		if (s->due_parts[p]->n_busy > 0)
			tw__heap_push(&s->parts_by_date, &s->due_parts[p]->in_heap, changes_before);
}

/* --- the state at a date ----------------------------------------------------------------------------------------- */

/* Makes the next change, which is a start, before its date has come. */
static void run_ahead(struct tw__shares *s)
{
	if (!s->ahead) {
		tw__loads_save(&s->loads);
		s->saved_date = s->date;
		s->ahead = true;
		s->n_ahead++;
		s->first_saved = NULL;
		s->first_saved_part = NULL;
	}
	change(s);
}

/* Makes all changes at or before `now`. A state that is ahead of `now` stays: only starts lie between. */
static void run_until(struct tw__shares *s, double now)
{
	if (s->date > now)
		return;
	s->ahead = false;
	while (tw__shares_change(s) <= now && tw__shares_first(s))
		change(s);
}

/* Restores the saved states of lanes and parts. The next changes of these parts recompute their rates. */
static void restore(struct tw__shares *s)
{
	for (struct tw__lane *lane = s->first_saved; lane; lane = lane->next_saved) {
		lane->now = lane->saved;
		tw__sorted_put(&lane->part->starts, &lane->starts, lane->now.start);
		tw__sorted_put(&lane->part->ends, &lane->ends, lane->now.end);
	}
	for (struct tw__part *part = s->first_saved_part; part; part = part->next_saved) {
		part->now = part->saved;
		part->now.start = tw__sorted_first(&part->starts); /* transfers may have begun since */
		part->levels_known = false;
		tw__heap_replace(&s->parts_by_date, &part->in_heap, &part->in_heap, changes_before);
	}
}

/* Returns the shares to their state at `now`, if they are ahead. */
static void run_back(struct tw__shares *s, double now)
{
	if (!s->ahead)
		return;
	restore(s);
	tw__loads_restore(&s->loads);
	s->date = s->saved_date;
	run_until(s, now);
}

/* --- transfers --------------------------------------------------------------------------------------------------- */

static void follow(struct tw__lane *lane, struct tw__lane_state *state, struct tw__share *share)
{
	state->enters = state->enters ? state->enters : share;
	state->flows = state->flows ? state->flows : share;
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
	tw__sorted_init(&part->starts);
	tw__sorted_init(&part->ends);
	part->now = (struct tw__part_state){.start = INFINITY, .end = INFINITY, .beside = INFINITY};
	part->beside_most = 0;
	part->levels_known = part->hub;
	tw__heap_push(&s->parts_by_date, &part->in_heap, changes_before);
}

static void append(struct tw__shares *s, struct tw__lane *lane, struct tw__share *share)
{
	struct tw__share_list *transfers = &lane->transfers;
	if (!transfers->first)
		join_busy(s, lane);
	share->before = transfers->last;
	*(transfers->last ? &transfers->last->next : &transfers->first) = share;
	transfers->last = share;
	follow(lane, &lane->now, share);
	tw__sorted_put(&lane->part->starts, &lane->starts, lane->now.start);
	if (tw__lane_is_saved(s, lane))
		follow(lane, &lane->saved, share);
}

void tw__shares_begin_since(struct tw__shares *s, struct tw__share *share, tw_node from, tw_node to, double bytes,
                            double since, double now)
{
	const int route = from * s->n_nodes + to;
	struct tw__lane *lane = &s->lanes[s->lane_of[route]];
	assert(s->lane_of[route] < s->n_lanes && lane->route == route); /* the caller must pass memories with a route */
	*share = (struct tw__share){.lane = lane,
	                            .begin = tw__greatest(now, since + lane->sleep) + lane->wait,
	                            .bytes = bytes,
	                            .sequence = s->sequence++};
	double enters = share->begin - lane->lead;
	run_until(s, now);
	if (enters <= s->date) /* the sums of one date must be in one order */
		run_back(s, now);
	append(s, lane, share);
	if (enters >= lane->part->now.start)
		return;
	lane->part->now.start = enters;
	tw__heap_replace(&s->parts_by_date, &lane->part->in_heap, &lane->part->in_heap, changes_before);
}

double tw__shares_next(struct tw__shares *s)
{
	if (s->ended.first)
		return s->ended.first->end;
	const struct tw__part *part;
	while ((part = tw__shares_first(s)) && tw__part_starts(part))
		run_ahead(s);
	return part ? part->now.end : INFINITY;
}

struct tw__share *tw__shares_end(struct tw__shares *s, double now)
{
	run_until(s, now);
	struct tw__share *share = s->ended.first;
	if (share)
		take_out(&s->ended, share);
	return share;
}
