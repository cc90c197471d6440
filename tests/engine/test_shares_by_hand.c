/* How transfers share links (links/shares.h): dates computed by hand, which the SimGrid engine has, too. */
#include "player.h"
#include "star.h"

enum { MAX_HAND = 4 };

static const struct by_hand {
	const char *xml;
	bool by_latency;
	struct {
		double date;
		tw_node from, to;
		double bytes, end;
	} transfers[MAX_HAND];
} by_hand[] = {
	/* Alone; without a byte. */
	{ONE_LINK, false, {{0.5, RAM, G0, 1e6, 0.5 + 1.01e-3}, {1, G0, RAM, 0, 1 + 10e-6}}},
	{RAM_TWO LINK("a", "2GBps", "3us") LINK("b", "1GBps", "7us") TO("0", VIA("a") VIA("b")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 1.01e-3}}},
	/* Two on one link. */
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 10e-6 + 2e-3}, {0, RAM, G1, 2e6, 10e-6 + 3e-3}}},
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 10e-6 + 1.5e-3}, {0.5e-3, RAM, G1, 1e6, 10e-6 + 2e-3}}},
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 10e-6 + 2e-3}, {0, G0, RAM, 2e6, 10e-6 + 3e-3}}},
	/* The first has ended before the latency of the second has passed; the second begins just when the first
	 * ends. */
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 1.01e-3}, {1.005e-3, RAM, G1, 1e6, 2.015e-3}}},
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 1.01e-3}, {1e-3, RAM, G1, 1e6, 2.01e-3}}},
	/* Latencies of 5 and 50 us: alone for 45 us, then half each. */
	{RAM_TWO LINK("common", "1GBps", "0s") LINK("near", "9GBps", "5us") LINK("far", "9GBps", "50us")
                 TO("0", VIA("common") VIA("near")) TO("1", VIA("common") VIA("far")),
         false,
         {{0, RAM, G0, 1e6, 50e-6 + 1910e-6}, {0, RAM, G1, 1e6, 50e-6 + 1955e-6}}},
	/* A fat pipe gives all to each, however often it is listed; a narrower link behind it does not. */
	{RAM_TWO FATPIPE("a", "1GBps", "10us") TO("0", VIA("a")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 1.01e-3}, {0, RAM, G1, 1e6, 1.01e-3}, {0, RAM, G1, 2e6, 2.01e-3}}},
	{RAM_TWO FATPIPE("a", "1GBps", "5us") TO("0", VIA("a") VIA("a")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 1.01e-3}, {5e-6, RAM, G1, 1e6, 1.01e-3}}},
	{RAM_TWO FATPIPE("a", "1GBps", "0s") LINK("b", "1.5GBps", "10us") TO("0", VIA("a") VIA("b")) TO("1", VIA("b")),
         false,
         {{0, RAM, G0, 1.5e6, 10e-6 + 1.75e-3}, {0, RAM, G1, 0.75e6, 10e-6 + 1e-3}}},
	/* A bridge passes 2 GB/s of one and 1.5 GB/s of several. The first transfer counts twice: one third each,
	 * then half of 2 GB/s. */
	{RAM_TWO BRIDGE("a", "2GBps", "1.5GBps", "10us") LINK("b", "1.5GBps", "0s") TO("0", VIA("b") VIA("a"))
                 TO("1", VIA("a") VIA("a")),
         false,
         {{0, RAM, G1, 2e6, 20e-6 + 3e-3}, {10e-6, RAM, G0, 1e6, 20e-6 + 2e-3}}},
	/* A link that one route lists twice: a third of it each. */
	{RAM_TWO LINK("a", "1GBps", "10us") TO("0", VIA("a") VIA("a")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 20e-6 + 2e-3}, {10e-3, RAM, G0, 1e6, 13.02e-3}, {10.01e-3, RAM, G1, 1e6, 13.02e-3}}},
	/* G0 and G1 share the narrow link; the part of the wide one that G1 cannot use is G2's. */
	{RAM_THREE LINK("narrow", "1GBps", "0s") LINK("wide", "2GBps", "0s") TO("0", VIA("narrow"))
                 TO("1", VIA("narrow") VIA("wide")) TO("2", VIA("wide")),
         false,
         {{0, RAM, G2, 3e6, 2e-3}, {0, RAM, G0, 0.5e6, 1e-3}, {0, RAM, G1, 1e6, 1.5e-3}}},
	/* Weights: 10 and 30 us, three quarters and a quarter. */
	{RAM_TWO LINK("a", "1GBps", "0s") LINK("near", "9GBps", "10us") LINK("far", "9GBps", "30us")
                 TO("0", VIA("near") VIA("a")) TO("1", VIA("far") VIA("a")),
         true,
         {{0, RAM, G1, 1e6, 30e-6 + 2.5e-3}, {20e-6, RAM, G0, 1.5e6, 30e-6 + 2e-3}, {10e-3, RAM, G1, 1e6, 11.03e-3}}},
	/* ... and they do not divide a fat pipe. */
	{RAM_TWO FATPIPE("a", "1GBps", "0s") LINK("near", "9GBps", "10us") LINK("far", "9GBps", "30us")
                 TO("0", VIA("near") VIA("a")) TO("1", VIA("far") VIA("a")),
         true,
         {{0, RAM, G0, 1e6, 1.01e-3}, {0, RAM, G1, 1e6, 1.03e-3}}},
	/* With weights a transfer enters a bridge 1 us before it flows for each 20 us of latency here. The first
	 * transfer flows from 20 us on with 1 GB/s, from 38 us on with 0.75. From 40 us on it has 0.6 of the bridge's
	 * 1.5 GB/s. The second transfer gets 0.3, then 1.5 alone. */
	{RAM_TWO BRIDGE("a", "2GBps", "1.5GBps", "10us") LINK("b", "1.5GBps", "30us") TO("0", VIA("a") VIA("a"))
                 TO("1", VIA("b") VIA("a")),
         true,
         {{0, RAM, G0, 31.5e3, 60e-6}, {0, RAM, G1, 21e3, 70e-6}}},
};
enum { N_BY_HAND = sizeof by_hand / sizeof by_hand[0] };

static void script_by_hand(struct script *s, const struct by_hand *c)
{
	s->shares = c->by_latency ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL;
	script_platform(s, c->xml);
	for (int i = 0; i < MAX_HAND && c->transfers[i].from != c->transfers[i].to; i++)
		script_transfer(s, c->transfers[i].date, c->transfers[i].from, c->transfers[i].to,
		                c->transfers[i].bytes);
}

START_TEST(dates_are_as_by_hand)
{
	const struct by_hand *c = &by_hand[_i / MANNERS];
	struct script s = {0};
	script_by_hand(&s, c);
	struct play *p = play(&s, s.platform, _i % MANNERS);
	for (int i = 0; i < s.n_actions; i++)
		ck_assert_double_eq_tol(p->end[i], c->transfers[i].end, 1e-14);
	play_free(p);
	script_finish(&s);
}
END_TEST

START_TEST(simgrid_has_the_dates_by_hand)
{
	const struct by_hand *c = &by_hand[_i];
	struct script s = {0};
	script_by_hand(&s, c);
	script_play(&s);
	for (int i = 0; i < s.n_actions; i++)
		assert_answer(&s, i, c->transfers[i].date, c->transfers[i].end);
	script_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shares by hand");
	TCase *cases = tcase_create("shares by hand");
	tcase_set_timeout(cases, 100);
	tcase_add_loop_test(cases, dates_are_as_by_hand, 0, MANNERS * N_BY_HAND);
	tcase_add_loop_test(cases, simgrid_has_the_dates_by_hand, 0, N_BY_HAND);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
