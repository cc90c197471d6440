/* Transfers take latency + bytes / bandwidth. They share links equally, or by latency if requested. */
#include "script.h"

#define GPU(n) "<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GiB'/></host>"
#define RAM_ONE "<host id='RAM' speed='1f'/>" GPU("0")
#define RAM_TWO RAM_ONE GPU("1")
#define RAM_THREE RAM_TWO GPU("2")
#define LINK(id, bandwidth, latency, sharing) \
	"<link id='" id "' bandwidth='" bandwidth "' latency='" latency "' sharing_policy='" sharing "'/>"
#define TO(n, links) "<route src='RAM' dst='G" n "'>" links "</route>"
#define VIA(id) "<link_ctn id='" id "'/>"

enum { RAM, G0, G1, G2 };

START_TEST(one_alone)
{
	static const struct {
		double bytes;
		tw_node from, to;
	} cases[] = {{1e6, RAM, G0}, {1, RAM, G0}, {123456789, G0, RAM}};
	struct script s = {0};
	script_platform(&s, RAM_ONE LINK("a", "2GBps", "3us", "SHARED") LINK("b", "1GBps", "7us", "SHARED")
	                            TO("0", VIA("a") VIA("b")));
	script_transfer(&s, 0.5, cases[_i].from, cases[_i].to, cases[_i].bytes);
	script_play(&s);
	assert_answer(&s, 0, 0.5, 0.5 + 10e-6 + cases[_i].bytes / 1e9);
	script_finish(&s);
}
END_TEST

START_TEST(without_latency)
{
	struct script s = {0};
	script_platform(&s, RAM_ONE LINK("a", "1GBps", "0s", "SHARED") TO("0", VIA("a")));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 2e-3, RAM, G0, 1);
	script_play(&s);
	assert_answer(&s, 0, 0, 1e-3);
	assert_answer(&s, 1, 2e-3, 2e-3 + 1e-9);
	script_finish(&s);
}
END_TEST

START_TEST(two_together_share_equally)
{
	struct script s = {0};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "10us", "SHARED") TO("0", VIA("a")) TO("1", VIA("a")));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 0, RAM, G1, 2e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 10e-6 + 2e-3);
	assert_answer(&s, 1, 0, 10e-6 + 3e-3);
	script_finish(&s);
}
END_TEST

START_TEST(a_later_one_shares_from_its_start)
{
	struct script s = {0};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "10us", "SHARED") TO("0", VIA("a")) TO("1", VIA("a")));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 0.5e-3, RAM, G1, 1e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 10e-6 + 1.5e-3);
	assert_answer(&s, 1, 0.5e-3, 10e-6 + 2e-3);
	script_finish(&s);
}
END_TEST

/* By itself, SimGrid would give less to the flow with the greater latency. */
START_TEST(latency_does_not_change_the_shares)
{
	struct script s = {0};
	script_platform(&s, RAM_TWO LINK("common", "1GBps", "0s", "SHARED") LINK("near", "9GBps", "5us", "SHARED")
	                            LINK("far", "9GBps", "50us", "SHARED") TO("0", VIA("common") VIA("near"))
	                                    TO("1", VIA("common") VIA("far")));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 0, RAM, G1, 1e6);
	script_play(&s);
	/* Alone for 45 us, then half each. */
	assert_answer(&s, 0, 0, 50e-6 + 1910e-6);
	assert_answer(&s, 1, 0, 50e-6 + 1910e-6 + 45e-6);
	script_finish(&s);
}
END_TEST

START_TEST(both_ways_of_a_duplex_link_are_apart)
{
	struct script s = {0};
	script_platform(&s, RAM_ONE LINK("a", "1GBps", "10us", "SPLITDUPLEX")
	                            TO("0", "<link_ctn id='a' direction='DOWN'/>"));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 0, G0, RAM, 2e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 10e-6 + 1e-3);
	assert_answer(&s, 1, 0, 10e-6 + 2e-3);
	script_finish(&s);
}
END_TEST

START_TEST(both_ways_of_a_shared_link_share_it)
{
	struct script s = {0};
	script_platform(&s, RAM_ONE LINK("a", "1GBps", "10us", "SHARED") TO("0", VIA("a")));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 0, G0, RAM, 2e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 10e-6 + 2e-3);
	assert_answer(&s, 1, 0, 10e-6 + 3e-3);
	script_finish(&s);
}
END_TEST

START_TEST(a_fat_pipe_gives_all_to_each)
{
	struct script s = {0};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "10us", "FATPIPE") TO("0", VIA("a")) TO("1", VIA("a")));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 0, RAM, G1, 1e6);
	script_transfer(&s, 0, RAM, G1, 2e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 10e-6 + 1e-3);
	assert_answer(&s, 1, 0, 10e-6 + 1e-3);
	assert_answer(&s, 2, 0, 10e-6 + 2e-3);
	script_finish(&s);
}
END_TEST

START_TEST(a_link_listed_twice_counts_twice)
{
	struct script s = {0};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "10us", "SHARED") TO("0", VIA("a") VIA("a")) TO("1", VIA("a")));
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 10e-3, RAM, G0, 1e6);
	script_transfer(&s, 10e-3 + 10e-6, RAM, G1, 1e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 20e-6 + 2e-3);
	/* Both get a third of the link, which is crossed three times in all. */
	assert_answer(&s, 1, 10e-3, 10e-3 + 20e-6 + 3e-3);
	assert_answer(&s, 2, 10e-3 + 10e-6, 10e-3 + 20e-6 + 3e-3);
	script_finish(&s);
}
END_TEST

/* G0 and G1 share the narrow link. G2 gets the rest of the wide one. */
START_TEST(three_flows_max_min)
{
	struct script s = {0};
	script_platform(&s, RAM_THREE LINK("narrow", "1GBps", "0s", "SHARED") LINK("wide", "2GBps", "0s", "SHARED")
	                            TO("0", VIA("narrow")) TO("1", VIA("narrow") VIA("wide")) TO("2", VIA("wide")));
	script_transfer(&s, 0, RAM, G2, 3e6);
	script_transfer(&s, 0, RAM, G0, 0.5e6);
	script_transfer(&s, 0, RAM, G1, 1e6);
	script_play(&s);
	assert_answer(&s, 1, 0, 1e-3);
	/* From 1 ms on, G1 has the narrow link alone, and so half of the wide one. */
	assert_answer(&s, 2, 0, 1.5e-3);
	/* G2: 1.5 GB/s for 1 ms, 1 GB/s for 0.5 ms, then 2 GB/s. */
	assert_answer(&s, 0, 0, 2e-3);
	script_finish(&s);
}
END_TEST

START_TEST(many_on_one_link)
{
	struct script s = {0};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "10us", "SHARED") TO("0", VIA("a")) TO("1", VIA("a")));
	for (int i = 0; i < 100; i++)
		script_transfer(&s, 0, i % 3 ? RAM : G0, i % 3 ? G0 : RAM, 1e6);
	script_play(&s);
	for (int i = 0; i < 100; i++) {
		assert_answer(&s, i, 0, 10e-6 + 0.1);
		ck_assert_int_eq(s.answers[i].place, i); /* at one date: in the order of their starts */
	}
	script_finish(&s);
}
END_TEST

/* Latencies of 10 and 30 us: three quarters and a quarter. */
START_TEST(shares_can_be_by_latency)
{
	struct script s = {.shares = TW__SHARES_BY_LATENCY};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "0s", "SHARED") LINK("near", "9GBps", "10us", "SHARED")
	                            LINK("far", "9GBps", "30us", "SHARED") TO("0", VIA("near") VIA("a"))
	                                    TO("1", VIA("far") VIA("a")));
	script_transfer(&s, 0, RAM, G1, 1e6);
	script_transfer(&s, 20e-6, RAM, G0, 1.5e6);
	script_transfer(&s, 10e-3, RAM, G1, 1e6);
	script_play(&s);
	assert_answer(&s, 1, 20e-6, 30e-6 + 2e-3);
	/* Half of it is done by then; the rest flows alone. */
	assert_answer(&s, 0, 0, 30e-6 + 2.5e-3);
	assert_answer(&s, 2, 10e-3, 10e-3 + 30e-6 + 1e-3);
	script_finish(&s);
}
END_TEST

/* Without latencies, there are no weights. */
START_TEST(shares_by_no_latency_are_equal)
{
	struct script s = {.shares = TW__SHARES_BY_LATENCY};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "0s", "SHARED") LINK("far", "9GBps", "30us", "SHARED")
	                            TO("0", VIA("a")) TO("1", VIA("far") VIA("a")));
	script_transfer(&s, 0, RAM, G1, 1e6);
	script_transfer(&s, 30e-6, RAM, G0, 1e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 30e-6 + 2e-3);
	assert_answer(&s, 1, 30e-6, 30e-6 + 2e-3);
	script_finish(&s);
}
END_TEST

#define BRIDGE "<link id='b' bandwidth='2GBps' latency='0s'><prop id='shared_bandwidth' value='1.5GBps'/></link>"

START_TEST(a_bridge_gives_one_alone_more_than_several)
{
	struct script s = {0};
	script_platform(&s, RAM_THREE BRIDGE LINK("a", "1GBps", "10us", "SHARED") LINK("c", "1.5GBps", "0s", "SHARED")
	                            TO("0", VIA("a") VIA("b") VIA("b")) TO("1", VIA("c") VIA("b")) TO("2", VIA("a")));
	/* First a copy alone, then one beside a flow that does not cross the bridge. */
	script_transfer(&s, 0, RAM, G0, 1e6);
	script_transfer(&s, 10e-3, RAM, G0, 1e6);
	script_transfer(&s, 12e-3, RAM, G2, 1e6);
	/* Two copies: 0.5 GB/s for the one that crosses the bridge twice, and for the other one, which then has it
	 * alone again. */
	script_transfer(&s, 20e-3, RAM, G1, 1e6);
	script_transfer(&s, 20e-3, RAM, G0, 1e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 10e-6 + 1e-3);
	assert_answer(&s, 1, 10e-3, 10e-3 + 10e-6 + 1e-3);
	assert_answer(&s, 2, 12e-3, 12e-3 + 10e-6 + 1e-3);
	const double before = 10e-6 * 1.5e9, both = (1e6 - before) / 0.5e9;
	assert_answer(&s, 3, 20e-3, 20e-3 + 10e-6 + both);
	assert_answer(&s, 4, 20e-3, 20e-3 + 10e-6 + both + (1e6 - both * 0.5e9) / 1e9);
	script_finish(&s);
}
END_TEST

/* G1's copy counts on the bridge for a tenth of its latency before it flows. Meanwhile G0's copy gets less, and G2's
 * more. */
START_TEST(a_bridge_is_shared_before_a_late_copy_flows)
{
	struct script s = {.shares = TW__SHARES_BY_LATENCY};
	script_platform(
		&s, RAM_THREE
		"<link id='b' bandwidth='3GBps' latency='0s'><prop id='shared_bandwidth' value='1.5GBps'/></link>" LINK(
			"x", "2GBps", "0s", "SHARED") LINK("a", "9GBps", "10us", "SHARED")
			LINK("late", "1GBps", "1ms", "SHARED") LINK("c", "9GBps", "10us", "SHARED")
				TO("0", VIA("a") VIA("x") VIA("b") VIA("b")) TO("1", VIA("late") VIA("b"))
					TO("2", VIA("c") VIA("x")));
	s.step = 1e-5;
	script_transfer(&s, 0, RAM, G0, 1e7);
	script_transfer(&s, 0, RAM, G2, 2e6);
	script_transfer(&s, 1.01e-3, RAM, G1, 1e6);
	script_play(&s);
	/* 1 GB/s for 1.9 ms, then 1.25 GB/s. */
	assert_answer(&s, 1, 0, 10e-6 + 1.9e-3 + 80e-6);
	script_finish(&s);
}
END_TEST

/* Weights only apply to shared links. */
START_TEST(a_fat_pipe_gives_all_to_each_by_latency_too)
{
	struct script s = {.shares = TW__SHARES_BY_LATENCY};
	script_platform(&s, RAM_TWO LINK("a", "1GBps", "0s", "FATPIPE") LINK("near", "9GBps", "10us", "SHARED")
	                            LINK("far", "9GBps", "30us", "SHARED") TO("0", VIA("near") VIA("a"))
	                                    TO("1", VIA("far") VIA("a")));
	script_transfer(&s, 0, RAM, G1, 1e6);
	script_transfer(&s, 20e-6, RAM, G0, 1e6);
	script_play(&s);
	assert_answer(&s, 0, 0, 30e-6 + 1e-3);
	assert_answer(&s, 1, 20e-6, 30e-6 + 1e-3);
	script_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("transfers");
	TCase *cases = tcase_create("transfers");
	tcase_add_loop_test(cases, one_alone, 0, 3);
	tcase_add_test(cases, without_latency);
	tcase_add_test(cases, two_together_share_equally);
	tcase_add_test(cases, a_later_one_shares_from_its_start);
	tcase_add_test(cases, latency_does_not_change_the_shares);
	tcase_add_test(cases, both_ways_of_a_duplex_link_are_apart);
	tcase_add_test(cases, both_ways_of_a_shared_link_share_it);
	tcase_add_test(cases, a_fat_pipe_gives_all_to_each);
	tcase_add_test(cases, a_link_listed_twice_counts_twice);
	tcase_add_test(cases, three_flows_max_min);
	tcase_add_test(cases, many_on_one_link);
	tcase_add_test(cases, shares_can_be_by_latency);
	tcase_add_test(cases, shares_by_no_latency_are_equal);
	tcase_add_test(cases, a_fat_pipe_gives_all_to_each_by_latency_too);
	tcase_add_test(cases, a_bridge_gives_one_alone_more_than_several);
	tcase_add_test(cases, a_bridge_is_shared_before_a_late_copy_flows);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
