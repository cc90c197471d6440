/* Saturated links: the schedule of trace/fixture.h, by hand. Its five transfers of 1000 bytes each fill bus0 for one
 * second, behind a latency of half a second. The first, the third and the last one are in the chain. */
#include <check.h>
#include <string.h>

#include "../trace/fixture.h"
#include "explain/explain.h"

static struct fixture f;
static struct tw__explanation e;

static int explain(struct tw_error *err)
{
	const struct tw__explained_run run = {.platform = &f.platform,
	                                      .graph = f.graph,
	                                      .times = &f.times,
	                                      .capacity = f.capacity,
	                                      .homes = {.first = RAM},
	                                      .record = &f.record};
	return tw__explain_schedule(&e, &run, err);
}

static const struct tw__saturated_link *the_link(void)
{
	struct tw_error err = {""};
	int status = explain(&err);
	ck_assert_msg(status == TW_OK, "%s", err.message);
	ck_assert_int_eq(e.n_saturated, 1);
	ck_assert_int_eq(e.saturated[0].link, 0);
	return &e.saturated[0];
}

static void begin(void) { fixture_init(&f); }

static void end(void)
{
	tw__explanation_finish(&e);
	fixture_finish(&f);
}

static void check_span(const struct tw__saturated_link *l, int i, double from, double until, double saturated)
{
	ck_assert_int_lt(i, l->n_spans);
	ck_assert_int_eq(l->spans[i].start, NS(from));
	ck_assert_int_eq(l->spans[i].end, NS(until));
	ck_assert_int_eq(l->spans[i].saturated, NS(saturated));
}

START_TEST(a_link_is_saturated_while_transfers_flow)
{
	begin();
	const struct tw__saturated_link *l = the_link();
	ck_assert_int_eq(l->saturated, NS(5));
	ck_assert_int_eq(l->on_chain, NS(3));
	ck_assert_int_eq(e.chain_saturated, NS(3));
	check_span(l, 0, 0.5, 1.5, 1); /* of equal spans, the first ones */
	check_span(l, 1, 2, 3, 1);
	check_span(l, 2, 4, 5, 1);
	ck_assert_int_eq(l->n_other_spans, 2);
	end();
}
END_TEST

START_TEST(short_gaps_do_not_separate_spans)
{
	begin();
	f.record.makespan = NS(60); /* gaps of 0.5 s are shorter than a hundredth of it, those of 1 s are not */
	const struct tw__saturated_link *l = the_link();
	ck_assert_int_eq(l->saturated, NS(5));
	check_span(l, 0, 0.5, 3, 2);
	check_span(l, 1, 4, 5, 1);
	check_span(l, 2, 6.5, 7.5, 1);
	ck_assert_int_eq(l->n_other_spans, 1);
	end();
}
END_TEST

START_TEST(spans_are_saturated_for_three_quarters_of_their_time)
{
	begin();
	f.record.makespan = NS(1000); /* all gaps are short */
	const struct tw__saturated_link *l = the_link();
	check_span(l, 0, 0.5, 3, 2); /* 80 %; until 5 s it would be 67 % */
	check_span(l, 1, 4, 5, 1);
	check_span(l, 2, 6.5, 7.5, 1);
	ck_assert_int_eq(l->n_other_spans, 1);
	end();
}
END_TEST

START_TEST(the_longest_spans_are_kept)
{
	begin();
	data_event(&f, TW__TRANSFER_START, A, MEM1)->bytes = 1400; /* flows from 9.5 s to 10.9 s */
	const struct tw__saturated_link *l = the_link();
	check_span(l, 0, 0.5, 1.5, 1);
	check_span(l, 1, 2, 3, 1);
	check_span(l, 2, 9.5, 10.9, 1.4);
	ck_assert_int_eq(l->n_other_spans, 2);
	end();
}
END_TEST

START_TEST(nothing_counts_behind_the_makespan)
{
	begin();
	f.record.makespan = NS(10); /* the last transfer flows from 9.5 s to 10.5 s */
	ck_assert_int_eq(the_link()->saturated, NS(4.5));
	end();
}
END_TEST

START_TEST(measured_transfers_have_their_mean_rates)
{
	struct tw_error err;
	begin();
	f.record.measured = true;
	ck_assert_int_eq(explain(&err), TW_OK);
	ck_assert_int_eq(e.n_saturated, 0); /* 667 of 1000 bytes/s */
	tw__explanation_finish(&e);
	f.links[0].bandwidth = f.links[0].shared_bandwidth = 700;
	const struct tw__saturated_link *l = the_link(); /* 95.2 % */
	ck_assert_int_eq(l->saturated, NS(7.5));
	ck_assert_int_eq(l->on_chain, NS(4.5));
	check_span(l, 0, 0, 3, 3); /* one transfer behind the other */
	end();
}
END_TEST

START_TEST(the_sentences_name_the_link)
{
	char text[2048];
	const struct tw__explained_run run = {.platform = &f.platform};
	begin();
	the_link();
	tw__explain_sentences(text, sizeof text, &e, &run);
	ck_assert_msg(strstr(text, "In 24 %, the run waits for transfers over saturated links, mostly bus0, which is "
	                           "saturated in 40 %."),
	              "%s", text);
	end();
}
END_TEST

int main(void)
{
	Suite *s = suite_create("saturated links");
	TCase *t = tcase_create("links");
	suite_add_tcase(s, t);
	tcase_add_test(t, a_link_is_saturated_while_transfers_flow);
	tcase_add_test(t, short_gaps_do_not_separate_spans);
	tcase_add_test(t, spans_are_saturated_for_three_quarters_of_their_time);
	tcase_add_test(t, the_longest_spans_are_kept);
	tcase_add_test(t, nothing_counts_behind_the_makespan);
	tcase_add_test(t, measured_transfers_have_their_mean_rates);
	tcase_add_test(t, the_sentences_name_the_link);
	SRunner *r = srunner_create(s);
	srunner_run_all(r, CK_ENV);
	int failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed ? 1 : 0;
}
