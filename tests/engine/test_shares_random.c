/* Random transfers share links (links/shares.h), on random platforms and on ours. Dates are those of the oracle and of
 * the SimGrid engine, whatever the order of calls. */
#include "player.h"
#include "random_script.h"

#include <stdlib.h>

#include "platform/bottlenecks.h"

/* Each loop has 250 platforms. */
#ifdef __SANITIZE_ADDRESS__
enum { LOOPS = 4 };
#else
enum { LOOPS = 40 };
#endif

/* The greatest error of a duration; 1: all of it. */
static double greatest_error(const struct script *s, const double *ends, const struct answer *expected)
{
	double greatest = 0;
	for (int i = 0; i < s->n_actions; i++)
		greatest = fmax(greatest, fabs(ends[i] - expected[i].end) / (expected[i].end - s->actions[i].date));
	return greatest;
}

START_TEST(random_transfers_agree_with_the_oracle)
{
	for (int i = 0; i < SCENARIOS; i += script_every()) {
		struct answer expected[MAX_ACTIONS] = {{0}};
		struct script s = {0};
		random_script(&s, _i * SCENARIOS + i);
		oracle_play(&s, expected);
		struct play *p = play(&s, s.platform, PROMPT);
		ck_assert_double_le(greatest_error(&s, p->end, expected), 1e-9);
		play_free(p);
		script_finish(&s);
	}
}
END_TEST

START_TEST(dates_do_not_depend_on_how_often_one_asks)
{
	for (int i = 0; i < SCENARIOS; i += script_every()) {
		struct script s = {0};
		random_script(&s, 1000000 + _i * SCENARIOS + i);
		struct play *p[MANNERS];
		for (enum manner m = 0; m < MANNERS; m++)
			p[m] = play(&s, s.platform, m);
		for (int a = 0; a < s.n_actions; a++)
			for (enum manner m = 1; m < MANNERS; m++)
				ck_assert(p[m]->end[a] == p[0]->end[a]);
		for (enum manner m = 0; m < MANNERS; m++)
			play_free(p[m]);
		script_finish(&s);
	}
}
END_TEST

/* The origin follows the dates of begin. */
static void play_shifted(struct play *p, const struct script *s, double *ends)
{
	double origin = 0;
	for (int i = 0; i <= s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		double now = i < s->n_actions ? a->date - origin : INFINITY;
		for (struct tw__share *share; (share = tw__shares_end(p->shares, now));)
			ends[share - p->flows] = share->end + origin;
		if (i == s->n_actions)
			continue;
		if (i % 3 == 0) {
			double shift = ldexp(floor(ldexp(now, 16)), -16); /* sums are exact */
			tw__shares_shift(p->shares, shift);
			origin += shift;
			now -= shift;
		}
		tw__shares_begin(p->shares, &p->flows[i], a->from, a->to, a->amount, now);
	}
}

START_TEST(a_later_origin_changes_no_length)
{
	for (int i = 0; i < SCENARIOS; i += script_every()) {
		double ends[MAX_ACTIONS] = {0};
		struct script s = {0};
		random_script(&s, 4000000 + _i * SCENARIOS + i);
		struct play *early = play(&s, s.platform, PROMPT), *late = play_new(s.platform, s.shares);
		play_shifted(late, &s, ends);
		for (int a = 0; a < s.n_actions; a++)
			ck_assert_double_eq_tol(ends[a], early->end[a], 1e-12);
		play_free(early);
		play_free(late);
		script_finish(&s);
	}
}
END_TEST

START_TEST(bottlenecks_alone_give_the_same_dates)
{
	for (int i = 0; i < SCENARIOS; i += script_every()) {
		struct script s = {0};
		struct tw__platform narrowed;
		random_script(&s, 2000000 + _i * SCENARIOS + i);
		tw__bottlenecks_init(&narrowed, s.platform);
		struct play *all = play(&s, s.platform, PROMPT), *less = play(&s, &narrowed, PROMPT);
		for (int a = 0; a < s.n_actions; a++)
			ck_assert_double_eq_tol(less->end[a], all->end[a], 1e-12);
		play_free(all);
		play_free(less);
		tw__bottlenecks_finish(&narrowed);
		script_finish(&s);
	}
}
END_TEST

START_TEST(random_transfers_agree_with_simgrid)
{
	struct script s = {0};
	random_script(&s, 3000000 + _i);
	struct play *p = play(&s, s.platform, PROMPT);
	s.step = _i % 2 ? 1e-4 : INFINITY;
	script_play(&s);
	for (int i = 0; i < s.n_actions; i++)
		assert_answer(&s, i, s.actions[i].date, p->end[i]);
	play_free(p);
	script_finish(&s);
}
END_TEST

static void find(struct script *s, const char *name)
{
	struct tw_error err = {""};
	struct tw__platform *all;
	char *kernels;
	ck_assert_msg(tw__platform_find(&all, &kernels, name, &err) == TW_OK, "%s", err.message);
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS};
	ck_assert_msg(tw__platform_select(&s->platform, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);
	free(kernels);
	s->step = INFINITY;
}

START_TEST(transfers_on_our_platforms_agree_with_the_oracle_and_simgrid)
{
	char **names = tw__platform_names();
	struct answer expected[MAX_ACTIONS] = {{0}};
	struct script s = {.shares = _i % 2 ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL};
	find(&s, names[_i / 2]);
	for (int i = 0; names[i]; i++)
		free(names[i]);
	free(names);
	if (s.platform->n_nodes > 1) {
		struct tw__random *random = tw__random_create((uint64_t)_i, TW__STREAM_POLICY);
		random_transfers(&s, random, 150);
		tw__random_destroy(random);
		oracle_play(&s, expected);
		struct play *p = play(&s, s.platform, PROMPT);
		ck_assert_double_le(greatest_error(&s, p->end, expected), 1e-9);
		script_play(&s);
		for (int i = 0; i < s.n_actions; i++)
			assert_answer(&s, i, s.actions[i].date, p->end[i]);
		play_free(p);
	}
	script_finish(&s);
}
END_TEST

int main(void)
{
	char **names = tw__platform_names();
	int n = 0;
	for (; names && names[n]; n++)
		free(names[n]);
	free(names);

	Suite *suite = suite_create("shares random");
	TCase *cases = tcase_create("shares random");
	tcase_set_timeout(cases, 100);
	tcase_add_loop_test(cases, random_transfers_agree_with_the_oracle, 0, LOOPS);
	tcase_add_loop_test(cases, dates_do_not_depend_on_how_often_one_asks, 0, 4);
	tcase_add_loop_test(cases, a_later_origin_changes_no_length, 0, 2);
	tcase_add_loop_test(cases, bottlenecks_alone_give_the_same_dates, 0, 4);
	add_every(cases, random_transfers_agree_with_simgrid, 60);
	add_every(cases, transfers_on_our_platforms_agree_with_the_oracle_and_simgrid, 2 * n);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
