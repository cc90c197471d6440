/* The use of links over time (links/use.h): by hand, and properties that hold for random transfers. */
#include "links/use.h"
#include "player.h"
#include "random_script.h"
#include "star.h"

#define US(n) ((tw__ns)(n)*1000)

static const struct tw__passed *link_of(const struct tw__use *u, int link)
{
	return &u->of[tw__passed_link(u->platform, link)];
}

static double share_of(const struct tw__use *u, int link)
{
	const struct tw__passed *passed = link_of(u, link);
	return passed->rate > 0 ? passed->rate / passed->capacity : 0;
}

/* Asserts the shares of three links from now until a date, and the bytes that the first one passes until then. */
static void assert_stretch(struct tw__use *u, tw__ns until, double host, double near, double other, double bytes)
{
	tw__use_clear(u);
	tw__use_look(u);
	ck_assert_double_eq_tol(share_of(u, 0), host, 1e-12);
	ck_assert_double_eq_tol(share_of(u, 1), near, 1e-12);
	ck_assert_double_eq_tol(share_of(u, 2), other, 1e-12);
	tw__use_run(u, until);
	ck_assert_double_eq_tol(link_of(u, 0)->bytes, bytes, 1e-6);
}

/* The link of the host passes 8 GB/s of one transfer, and 5 GB/s of several. With one in each direction it is full. */
START_TEST(a_host_link_full_in_both_directions_is_used_wholly)
{
	struct script s = {.step = INFINITY};
	struct tw__use u;
	script_platform(&s, RAM_TWO BRIDGE("host", "8GBps", "5GBps", "0s") LINK("near", "5GBps", "10us")
	                            LINK("other", "4GBps", "10us") TO("0", VIA("host") VIA("near"))
	                                    TO("1", VIA("host") VIA("other")));
	tw__use_init(&u, s.platform, &(struct tw__weights){0}, false);
	ck_assert(tw__use_next(&u) == TW__NEVER);
	tw__use_begin(&u, RAM, G0, 6000000);
	ck_assert(tw__use_next(&u) == US(10));
	assert_stretch(&u, US(10), 0, 0, 0, 0);
	ck_assert_int_eq(u.n_listed, 0);
	assert_stretch(&u, US(500), 5.0 / 8, 1, 0, 2.45e6);
	tw__use_begin(&u, G1, RAM, 2500000);
	assert_stretch(&u, US(510), 5.0 / 8, 1, 0, 50e3);
	/* 3.5 MB are left of the first transfer, and all of the second: both get 2.5 GB/s for 1 ms. */
	assert_stretch(&u, US(1000), 1, 2.5 / 5, 2.5 / 4, 2.45e6);
	ck_assert(tw__use_next(&u) == US(1510));
	assert_stretch(&u, US(1510), 1, 2.5 / 5, 2.5 / 4, 2.55e6);
	/* The first transfer is alone, with 1 MB: it gets 5 GB/s for 0.2 ms. */
	ck_assert(tw__use_next(&u) == US(1710));
	assert_stretch(&u, US(1550), 5.0 / 8, 1, 0, 200e3);
	assert_stretch(&u, US(2000), 5.0 / 8, 1, 0, 800e3);
	ck_assert(tw__use_next(&u) == TW__NEVER);
	tw__use_look(&u);
	tw__use_clear(&u); /* keeps what has just been counted in the list, so that callers see that it is over */
	ck_assert_int_gt(u.n_listed, 0);
	tw__use_clear(&u);
	ck_assert_int_eq(u.n_listed, 0);
	tw__use_finish(&u);
	script_finish(&s);
}
END_TEST

/* Each transfer has the whole of a fat pipe, and counts once, though a route lists the pipe twice. So a fat pipe that
 * limits all its transfers is used wholly. */
START_TEST(a_fat_pipe_is_measured_by_its_transfers)
{
	struct script s = {.step = INFINITY};
	struct tw__use u;
	script_platform(&s, RAM_TWO FATPIPE("pipe", "1GBps", "0s") LINK("near", "1GBps", "0s")
	                            LINK("other", "500MBps", "0s") TO("0", VIA("pipe") VIA("pipe") VIA("near"))
	                                    TO("1", VIA("pipe") VIA("other")));
	tw__use_init(&u, s.platform, &(struct tw__weights){0}, false);
	tw__use_begin(&u, RAM, G0, 1000000);
	tw__use_run(&u, 0); /* without latency, the transfer flows at once */
	assert_stretch(&u, US(100), 1, 1, 0, 100e3);
	tw__use_begin(&u, RAM, G1, 1000000);
	tw__use_run(&u, US(100));
	assert_stretch(&u, US(200), 1.5 / 2, 1, 1, 150e3);
	tw__use_finish(&u);
	script_finish(&s);
}
END_TEST

/* Dates of runs of days are exact, since seconds are counted from an origin that moves. */
START_TEST(late_transfers_are_exact)
{
	struct script s = {.step = INFINITY};
	struct tw__use u;
	const tw__ns day = tw__ns_of(86400);
	script_platform(&s, ONE_LINK);
	tw__use_init(&u, s.platform, &(struct tw__weights){0}, false);
	tw__use_begin(&u, RAM, G0, 1);
	for (int i = 1; i <= 30; i++) {
		tw__use_run(&u, i * day + 1);
		tw__use_clear(&u);
		tw__use_begin(&u, RAM, G0, 1000000);
		ck_assert(tw__use_next(&u) == i * day + 1 + US(10));
		tw__use_run(&u, i * day + 1 + US(10));
		ck_assert(tw__use_next(&u) == i * day + 1 + US(1010));
	}
	tw__use_finish(&u);
	script_finish(&s);
}
END_TEST

/* Whether a link of the lane's route passes all it can. */
static bool is_limited(const struct tw__use *u, const struct tw__lane *lane)
{
	const struct tw__route *route = &u->platform->routes[lane->route];
	for (int l = 0; l < route->n_links; l++) {
		const struct tw__link *link = &u->platform->links[route->links[l]];
		const struct tw__passed *passed = link_of(u, route->links[l]);
		/* A fat pipe limits each of its transfers, perhaps not all. */
		if (link->sharing == TW__FATPIPE ? tw__lane_rate(lane) >= link->bandwidth * (1 - 1e-9)
		                                 : passed->rate >= passed->capacity * (1 - 1e-9))
			return true;
	}
	return false;
}

/* Counts until `until`. No link passes more than it can, and some link limits each transfer that flows. */
static void run(struct tw__use *u, tw__ns until, double *sums)
{
	tw__use_clear(u);
	tw__use_look(u);
	for (int l = 0; l < u->platform->n_links; l++)
		ck_assert_double_le(link_of(u, l)->rate, link_of(u, l)->capacity * (1 + 1e-9));
	for (int b = 0; b < u->shares.n_busy; b++)
		ck_assert(!u->shares.busy[b]->now.flowing || is_limited(u, u->shares.busy[b]));
	tw__use_run(u, until);
	for (int i = 0; i < 2 * u->platform->n_nodes + u->platform->n_links; i++)
		sums[i] += u->of[i].bytes;
}

/* The bytes that a script's transfers take through each memory and link. */
static void expect(const struct script *s, double *expected)
{
	const struct tw__platform *p = s->platform;
	for (int i = 0; i < s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		const struct tw__route *route = tw__route_of(p, a->from, a->to);
		double bytes = floor(a->amount);
		expected[tw__passed_in(a->to)] += bytes;
		expected[tw__passed_out(p, a->from)] += bytes;
		for (int l = 0; l < route->n_links; l++)
			if (p->links[route->links[l]].sharing == TW__SHARED || tw__is_first_listed(route, l))
				expected[tw__passed_link(p, route->links[l])] += bytes;
	}
}

START_TEST(bytes_add_up_and_some_link_limits_each_transfer)
{
	struct script s = {.step = INFINITY};
	struct tw__use u;
	double sums[128] = {0}, expected[128] = {0};
	random_script(&s, _i);
	int n = 2 * s.platform->n_nodes + s.platform->n_links;
	ck_assert_int_le(n, 128);
	struct tw__weights weights;
	tw__weights_init(&weights, s.platform, s.shares);
	tw__use_init(&u, s.platform, &weights, false);
	tw__weights_finish(&weights);
	expect(&s, expected);
	tw__ns now = 0;
	for (int begun = 0;;) {
		for (; begun < s.n_actions && tw__ns_of(s.actions[begun].date) <= now; begun++) {
			const struct action *a = &s.actions[begun];
			tw__use_begin(&u, a->from, a->to, (uint64_t)a->amount);
		}
		tw__use_run(&u, now);
		tw__ns next = begun < s.n_actions ? tw__ns_of(s.actions[begun].date) : TW__NEVER;
		next = tw__earliest(next, tw__use_next(&u));
		if (next == TW__NEVER)
			break;
		next = tw__latest(next, now + 1);
		run(&u, next, sums);
		now = next;
	}
	for (int i = 0; i < n; i++)
		ck_assert_double_eq_tol(sums[i], expected[i], 1e-3);
	tw__use_finish(&u);
	script_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("use");
	TCase *tests = tcase_create("use");
	tcase_add_test(tests, a_host_link_full_in_both_directions_is_used_wholly);
	tcase_add_test(tests, a_fat_pipe_is_measured_by_its_transfers);
	tcase_add_test(tests, late_transfers_are_exact);
	add_every(tests, bytes_add_up_and_some_link_limits_each_transfer, SCENARIOS);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
