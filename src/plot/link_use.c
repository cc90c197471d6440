#include "plot/link_use.h"

#include <math.h>

#include "plot/visible.h"

/* Adds the use of a link from `date` on, if it differs from the last one. Replaces the last one if it has this date. */
static bool add(struct tw__schedule *s, int link, tw__ns date, double used, double capacity)
{
	double share = capacity > 0 ? fmin(1, used / capacity) : 0;
	struct tw__sample *last = s->use.n > 0 ? &s->use.list[s->use.n - 1] : NULL;
	if (last && last->counter == link && last->date == date) {
		last->value = share;
		return true;
	}
	if (last && last->counter == link && fabs(last->value - share) <= 0)
		return true;
	return tw__schedule_add_sample(s, &s->use, link, date, share);
}

/* Whether the next sample of `a` comes before the next one of `b`, or with it. Both lists are sorted. */
static bool is_next(const struct tw__samples *a, size_t i, const struct tw__samples *b, size_t j, int link)
{
	bool has_a = i < a->n && a->list[i].counter == link, has_b = j < b->n && b->list[j].counter == link;
	return has_a && (!has_b || a->list[i].date <= b->list[j].date);
}

bool tw__link_use(struct tw__schedule *s)
{
	const struct tw__samples *flows = &s->flows, *capacities = &s->capacities;
	size_t f = 0, c = 0;
	bool ok = tw__sort_samples(&s->flows, s->links.n) && tw__sort_samples(&s->capacities, s->links.n);
	for (int link = 0; ok && link < s->links.n; link++) {
		double used = 0, capacity = tw__numbers_at(&s->bandwidth, link);
		bool known = capacity > 0;
		while (ok && ((f < flows->n && flows->list[f].counter == link) ||
		              (c < capacities->n && capacities->list[c].counter == link))) {
			bool is_flow = is_next(flows, f, capacities, c, link);
			const struct tw__sample *sample = is_flow ? &flows->list[f++] : &capacities->list[c++];
			*(is_flow ? &used : &capacity) = sample->value;
			ok = !known || add(s, link, sample->date, used, capacity);
		}
	}
	return ok;
}
