/* The plan of shares: the rates of all lanes, and the dates of the next start and end of each part. */
#include "links/shares.h"

#include "base/least.h"

/* --- levels ------------------------------------------------------------------------------------------------------- */

/* Updates what is known about levels, after the transfers on a lane have changed. If the part's levels are known,
 * computes the lane's level. They stay known only if no other lane crosses the lane's links, except for the hub. */
static void find_level(struct tw__lane *lane)
{
	struct tw__part *part = lane->part;
	double level;
	if (!part->hub)
		return;
	const bool alone = tw__sharer_is_alone(&lane->sharer, lane->now.flowing, &level);
	part->now.beside = tw__least(part->now.beside, level);
	part->levels_known = part->levels_known && alone;
	if (!part->levels_known || !lane->now.flowing)
		return;
	lane->sharer.level = level;
	part->beside_most = tw__greatest(part->beside_most, level);
}

/* Up to this number of flowing lanes a part has no clock: updating them all costs little. */
enum { FEW_LANES = 16 };

/* If the hub is the narrowest link of all lanes, gives them its level and returns true. A link that limits a lane as
 * much does not count. So the answer depends on the lanes alone, though `beside` depends on earlier changes, too. */
static bool find_one_level(struct tw__part *part)
{
	part->next_level = 0;
	if (!part->hub || !(part->hub->full_level < part->now.beside))
		return false;
	part->levels_known = false;
	part->all_changed = part->hub->now.lanes <= FEW_LANES;
	for (int b = 0; b < part->n_busy && part->all_changed; b++)
		part->busy[b]->sharer.level = part->hub->full_level;
	part->next_level = part->all_changed ? 0 : part->hub->full_level;
	return true;
}

/* Whether find_level() has computed the levels of all lanes of a part, and the hub is the narrowest link of no lane. */
static bool knows_levels(const struct tw__part *part)
{
	return part->levels_known && part->hub->full_level >= part->beside_most;
}

/* Computes the levels of a part's lanes. If the hub is the narrowest link of all lanes, other links are not read.
 * Returns false if the levels are wrong, as tw__loads_full_levels does. */
static bool find_full_levels(struct tw__shares *s, struct tw__part *part)
{
	int n = 0;
	part->all_changed = false;
	if (find_one_level(part) || knows_levels(part))
		return true;
	part->all_changed = true;
	for (int b = 0; b < part->n_busy; b++)
		if (part->busy[b]->now.flowing)
			s->sharers[n++] = &part->busy[b]->sharer;
	bool full = tw__loads_full_levels(&s->loads, s->sharers, n, &part->now.beside, &part->beside_most);
	part->levels_known = full && part->hub;
	part->levels_known = knows_levels(part);
	find_one_level(part);
	return full;
}

/* Computes the levels of a part's lanes. Rates are summed in the order of the busy lanes. */
static void find_levels(struct tw__shares *s, struct tw__part *part)
{
	int n = 0;
	if (find_full_levels(s, part))
		return;
	part->next_level = 0;
	part->all_changed = true;
	part->levels_known = false;
	for (int b = 0; b < part->n_busy; b++)
		if (part->busy[b]->now.flowing) {
			s->sharers[n] = &part->busy[b]->sharer;
			s->flowing[n++] = part->busy[b]->now.flowing;
		}
	tw__loads_levels(&s->loads, s->sharers, s->flowing, n);
}

/* --- rates and dates ---------------------------------------------------------------------------------------------- */

/* Updates a lane's rate and its next end. The clock of the lane's part has been read at this date. */
static void plan_lane(struct tw__shares *s, struct tw__lane *lane)
{
	const struct tw__part_state *part = &lane->part->now;
	const double rate = part->level > 0 ? lane->sharer.weight : lane->sharer.level * lane->sharer.weight;
	if (!lane->now.flowing || rate == lane->now.rate)
		return;
	const double at = part->level > 0 ? part->clock : s->date;
	tw__lane_save(s, lane);
	tw__lane_bring(lane, at);
	lane->now.rate = rate;
	lane->now.end = at + tw__greatest(0, lane->now.least - lane->now.served) / rate;
	tw__sorted_put(&lane->part->ends, &lane->ends, lane->now.end);
}

/* Moves the lanes of a part to its new scale. They get their rates later. `at`: the date, on the scale before. */
static void change_scale(struct tw__shares *s, struct tw__part *part, double at)
{
	part->now.clock = 0;
	part->now.since = s->date;
	for (int b = 0; b < part->n_busy; b++) {
		struct tw__lane *lane = part->busy[b];
		if (!lane->now.flowing)
			continue;
		tw__lane_save(s, lane);
		tw__lane_bring(lane, at);
		lane->now.since = part->now.level > 0 ? 0 : s->date;
		lane->now.rate = 0;
	}
	part->all_changed = true;
}

static void plan_part(struct tw__shares *s, struct tw__part *part)
{
	const double before = part->now.level;
	tw__part_save(s, part);
	if (part->next_level != before) {
		double at = tw__part_read(s, part);
		part->now.level = part->next_level;
		if (!(before > 0) || !(part->next_level > 0))
			change_scale(s, part, at);
	}
	for (int b = 0; b < part->n_busy && part->all_changed; b++)
		plan_lane(s, part->busy[b]);
}

static void find_dates(struct tw__part *part)
{
	struct tw__part_state *now = &part->now;
	now->start = tw__sorted_first(&part->starts);
	now->end = tw__sorted_first(&part->ends);
	if (now->level > 0)
		now->end = now->since + tw__greatest(0, now->end - now->clock) / now->level;
}

void tw__plan(struct tw__shares *s, int n_due)
{
	for (int d = 0; d < n_due; d++)
		find_level(s->due[d]);
	for (int p = 0; p < s->n_due_parts; p++) {
		find_levels(s, s->due_parts[p]);
		plan_part(s, s->due_parts[p]);
	}
	for (int d = 0; d < n_due; d++)
		if (!s->due[d]->part->all_changed)
			plan_lane(s, s->due[d]);
	for (int p = 0; p < s->n_due_parts; p++)
		find_dates(s->due_parts[p]);
}
