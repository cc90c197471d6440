/* Properties of all rates that links/shares.h gives: bytes are conserved, and sharing is weighted max-min. */
#include "player.h"
#include "random_script.h"

static bool is_flowing(const struct tw__share *share)
{
	const struct tw__share *first = share->lane ? share->lane->now.flows : NULL;
	return share->lane && !share->ended && (!first || share->sequence < first->sequence);
}

static bool has_entered(const struct tw__share *share)
{
	const struct tw__share *first = share->lane ? share->lane->now.enters : NULL;
	return share->lane && !share->ended && (!first || share->sequence < first->sequence);
}

/* Bytes/s that may pass the link, less what does pass; the greatest level of its transfers. */
static double room_of(const struct script *s, const struct play *p, int link, double *level)
{
	double taken = 0;
	int users = 0;
	*level = 0;
	for (int i = 0; i < s->n_actions; i++) {
		const struct tw__share *share = &p->flows[i];
		int times = tw__times_listed(tw__route_of(s->platform, s->actions[i].from, s->actions[i].to), link);
		if (!times)
			continue;
		users += has_entered(share);
		if (is_flowing(share)) {
			taken += times * tw__lane_rate(share->lane);
			*level = fmax(*level, tw__lane_rate(share->lane) / share->lane->sharer.weight);
		}
	}
	return (users > 1 ? s->platform->links[link].shared_bandwidth : s->platform->links[link].bandwidth) - taken;
}

/* No link is overloaded. Each transfer crosses a full link, or a fat pipe, on which no transfer gets more by its
 * weight. Only weighted max-min sharing has both properties. */
static void assert_max_min(const struct script *s, const struct play *p)
{
	double room[MAX_LINKS], level[MAX_LINKS];
	for (int l = 0; l < s->platform->n_links; l++) {
		const struct tw__link *link = &s->platform->links[l];
		room[l] = room_of(s, p, l, &level[l]);
		ck_assert(link->sharing == TW__FATPIPE || room[l] >= -1e-12 * link->bandwidth);
	}
	for (int i = 0; i < s->n_actions; i++) {
		const struct tw__route *route = tw__route_of(s->platform, s->actions[i].from, s->actions[i].to);
		bool bound = !is_flowing(&p->flows[i]);
		for (int n = 0; !bound && n < route->n_links; n++) {
			int l = route->links[n];
			double rate = tw__lane_rate(p->flows[i].lane), weight = p->flows[i].lane->sharer.weight;
			double bandwidth = s->platform->links[l].bandwidth;
			if (s->platform->links[l].sharing == TW__FATPIPE)
				bound = rate >= (1 - 1e-12) * bandwidth;
			else
				bound = room[l] <= 1e-9 * bandwidth && rate / weight >= (1 - 1e-9) * level[l];
		}
		ck_assert(bound);
	}
}

/* Rates are constant between the dates of changes: rate by time, summed up, are the bytes. */
static void conserve(const struct script *s)
{
	struct play *p = play_new(s->platform, s->shares);
	double given[MAX_ACTIONS] = {0}, now = 0;
	for (int begun = 0; p->n_told < s->n_actions;) {
		double next = fmax(now, tw__shares_change(p->shares));
		if (begun < s->n_actions)
			next = fmin(next, s->actions[begun].date);
		for (int i = 0; i < begun; i++)
			if (is_flowing(&p->flows[i]))
				given[i] += tw__lane_rate(p->flows[i].lane) * (next - now);
		now = next;
		for (struct tw__share *share; (share = tw__shares_end(p->shares, now));) {
			int i = (int)(share - p->flows);
			play_tell(p, share, now);
			ck_assert_double_eq_tol(given[i], s->actions[i].amount, 1e-9 * s->actions[i].amount + 1e-3);
		}
		for (; begun < s->n_actions && s->actions[begun].date <= now; begun++)
			tw__shares_begin(p->shares, &p->flows[begun], s->actions[begun].from, s->actions[begun].to,
			                 s->actions[begun].amount, now);
		play_tell_all(p, now); /* some may enter a bridge at once */
		assert_max_min(s, p);
	}
	play_free(p);
}

START_TEST(bytes_are_conserved_and_rates_are_max_min)
{
	for (int i = 0; i < SCENARIOS; i += script_every()) {
		struct script s = {0};
		random_script(&s, 4000000 + _i * SCENARIOS + i);
		conserve(&s);
		script_finish(&s);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shares rates");
	TCase *cases = tcase_create("shares rates");
	tcase_set_timeout(cases, 100);
	tcase_add_loop_test(cases, bytes_are_conserved_and_rates_are_max_min, 0, 4);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
