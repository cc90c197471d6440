/* Single calls of links/shares.h: the next end, late callers, ends of one date. */
#include "player.h"
#include "star.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"

static struct tw__shares *on_one_link(struct script *s)
{
	script_platform(s, ONE_LINK);
	return shares_of(s->platform, TW__SHARES_EQUAL);
}

START_TEST(nothing_under_way_has_no_end)
{
	struct script script = {0};
	struct tw__shares *s = on_one_link(&script);
	for (int i = 0; i < 3; i++) {
		ck_assert(isinf(tw__shares_next(s)));
		ck_assert_ptr_null(tw__shares_end(s, i < 2 ? i : INFINITY));
	}
	shares_free(s);
	script_finish(&script);
}
END_TEST

/* The first ends at 3.01 ms, which nobody asks for before the third begins. The second has had the whole link since. */
START_TEST(a_late_caller_changes_no_date)
{
	struct script script = {0};
	struct tw__shares *s = on_one_link(&script);
	struct tw__share flows[3];
	tw__shares_begin(s, &flows[0], RAM, G0, 1.5e6, 0);
	tw__shares_begin(s, &flows[1], RAM, G1, 4.5e6, 0);
	tw__shares_begin(s, &flows[2], RAM, G1, 1e6, 4e-3);
	static const int order[] = {0, 2, 1};
	static const double ends[] = {3.01e-3, 6.01e-3, 7.01e-3};
	for (int i = 0; i < 3; i++) {
		ck_assert_double_eq_tol(tw__shares_next(s), ends[i], 1e-14);
		ck_assert_ptr_eq(tw__shares_end(s, 0.1), &flows[order[i]]);
		ck_assert_double_eq_tol(flows[order[i]].end, ends[i], 1e-14);
	}
	ck_assert_ptr_null(tw__shares_end(s, 0.1));
	shares_free(s);
	script_finish(&script);
}
END_TEST

START_TEST(ends_of_one_date_come_in_the_order_of_begin)
{
	struct script script = {0};
	struct tw__shares *s = on_one_link(&script);
	struct tw__share flows[100];
	for (int i = 0; i < 100; i++)
		tw__shares_begin(s, &flows[i], i % 3 ? RAM : G0, i % 3 ? 1 + i % 2 : RAM, 1e6, 0);
	ck_assert_double_eq_tol(tw__shares_next(s), 0.10001, 1e-14);
	for (int i = 0; i < 100; i++)
		ck_assert_ptr_eq(tw__shares_end(s, i % 2 ? 1 : tw__shares_next(s)), &flows[i]);
	shares_free(s);
	script_finish(&script);
}
END_TEST

enum { MAX_LATER = 20 };

/* One transfer begins at date 0, `n` others later, with such bytes that all end at `end`. A copy over the other link
 * makes for more sums. */
static void assert_one_end(const struct tw__platform *p, tw_node to, double bytes, int n, tw_node others_to,
                           double others_bytes, double later, double end)
{
	struct tw__shares *s = shares_of(p, TW__SHARES_EQUAL);
	struct tw__share flows[1 + MAX_LATER], other;
	tw__shares_begin(s, &flows[0], RAM, to, bytes, 0);
	if (n > 1)
		tw__shares_begin(s, &other, RAM, G1, 1e12, later / 3);
	for (int i = 1; i <= n; i++)
		tw__shares_begin(s, &flows[i], RAM, others_to, others_bytes, later);
	for (int i = 0; i <= n; i++) {
		ck_assert_ptr_eq(tw__shares_end(s, 3), &flows[i]);
		ck_assert(flows[i].end == flows[0].end);
	}
	ck_assert_double_eq_tol(flows[0].end, end, 1e-12);
	shares_free(s);
}

START_TEST(ends_that_rounding_tells_apart_are_one_date)
{
	struct script s = {0};
	struct tw__random *random = tw__random_create(1, TW__STREAM_POLICY);
	script_platform(&s, RAM_THREE LINK("a", "1GBps", "0s") LINK("b", "3GBps", "10us") LINK("c", "9GBps", "0s")
	                            TO("0", VIA("a")) TO("1", VIA("b")) TO("2", VIA("a") VIA("c")));
	for (int i = 0; i < 200; i++) {
		double end = 1 + tw__random_uniform(random), later = tw__random_uniform(random), left = end - later;
		assert_one_end(s.platform, G0, 1e9 * end, 1, G1, 3e9 * (left - 10e-6), later, end);
		assert_one_end(s.platform, G1, 3e9 * (end - 10e-6), 1, G0, 1e9 * left, later, end);
		for (int n = 1; n <= MAX_LATER; n++) {
			double each = 1e9 * left / (n + 1);
			assert_one_end(s.platform, G0, 1e9 * later + each, n, G0, each, later, end);
			assert_one_end(s.platform, G2, 1e9 * later + each, n, G0, each, later, end);
		}
	}
	tw__random_destroy(random);
	script_finish(&s);
}
END_TEST

/* The next end is asked for while the second waits; then a third comes that flows before the second. */
START_TEST(a_question_for_the_next_end_changes_nothing)
{
	struct script script = {0};
	script_platform(&script, RAM_TWO LINK("a", "1GBps", "10us") LINK("far", "9GBps", "990us") TO("0", VIA("a"))
	                                 TO("1", VIA("a") VIA("far")));
	struct tw__shares *s = shares_of(script.platform, TW__SHARES_EQUAL);
	struct tw__share flows[3];
	tw__shares_begin(s, &flows[0], RAM, G0, 2e6, 0);
	tw__shares_begin(s, &flows[1], RAM, G1, 1e6, 0);
	ck_assert_double_eq_tol(tw__shares_next(s), 3e-3, 1e-14);
	tw__shares_begin(s, &flows[2], RAM, G0, 245e3, 490e-6);
	/* 490 us alone, half until the third has its bytes at 990 us, alone until 1 ms, half again. */
	ck_assert_double_eq_tol(tw__shares_next(s), 990e-6, 1e-14);
	ck_assert_ptr_eq(tw__shares_end(s, 1), &flows[2]);
	ck_assert_ptr_eq(tw__shares_end(s, 1), &flows[1]);
	ck_assert_double_eq_tol(flows[1].end, 3e-3, 1e-14);
	ck_assert_ptr_eq(tw__shares_end(s, 1), &flows[0]);
	ck_assert_double_eq_tol(flows[0].end, 3.255e-3, 1e-14);
	shares_free(s);
	script_finish(&script);
}
END_TEST

enum { MANY = 40 };

/* Transfers to many memories behind one link. The n-th has n MB. All have one rate, until the part has few lanes. */
START_TEST(many_lanes_share_one_link)
{
	char xml[MANY * 300] = "<host id='RAM' speed='1f'/>" LINK("a", "1GBps", "10us");
	struct script script = {0};
	for (int i = 0; i < MANY; i++)
		sprintf(strchr(xml, '\0'),
		        "<host id='G%d' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GiB'/>"
		        "</host><route src='RAM' dst='G%d'><link_ctn id='a'/></route>",
		        i, i);
	script_platform(&script, xml);
	struct tw__shares *s = shares_of(script.platform, TW__SHARES_EQUAL);
	struct tw__share flows[MANY];
	double end = 10e-6;
	for (int i = 0; i < MANY; i++)
		tw__shares_begin(s, &flows[i], RAM, G0 + i, 1e6 * (i + 1), 0);
	for (int i = 0; i < MANY; i++) {
		end += (MANY - i) * 1e-3;
		ck_assert_double_eq_tol(tw__shares_next(s), end, 1e-12);
		ck_assert_int_eq(tw__shares_first(s)->now.level > 0, s->n_busy > 16);
		ck_assert_ptr_eq(tw__shares_end(s, end + 1e-9), &flows[i]);
	}
	shares_free(s);
	script_finish(&script);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shares calls");
	TCase *cases = tcase_create("shares calls");
	tcase_set_timeout(cases, 100);
	tcase_add_test(cases, nothing_under_way_has_no_end);
	tcase_add_test(cases, a_late_caller_changes_no_date);
	tcase_add_test(cases, ends_of_one_date_come_in_the_order_of_begin);
	tcase_add_test(cases, ends_that_rounding_tells_apart_are_one_date);
	tcase_add_test(cases, a_question_for_the_next_end_changes_nothing);
	tcase_add_test(cases, many_lanes_share_one_link);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
