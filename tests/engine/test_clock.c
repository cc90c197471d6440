/* Waiting: dates do not depend on how often one asks, and agree with a simulation written anew for this test. */
#include "script.h"

#include "base/random.h"

#define MEMORY "<prop id='memory' value='1GiB'/>"

static const char node[] =
	"<host id='C' speed='1Gf' core='5'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G0' speed='2Gf'><prop id='arch' value='gpu'/>" MEMORY "<prop id='peer' value='yes'/></host>"
	"<host id='G1' speed='2Gf'><prop id='arch' value='gpu'/>" MEMORY "<prop id='peer' value='yes'/></host>"
	"<host id='G2' speed='2Gf'><prop id='arch' value='gpu'/>" MEMORY "</host>"
	"<link id='host' bandwidth='8GBps' latency='0s'/>"
	"<link id='fat' bandwidth='3GBps' latency='1us' sharing_policy='FATPIPE'/>"
	"<link id='p0' bandwidth='6GBps' latency='5us' sharing_policy='SPLITDUPLEX'/>"
	"<link id='p1' bandwidth='5GBps' latency='50us'/><link id='p2' bandwidth='4GBps' latency='0s'/>"
	"<route src='RAM' dst='G0'><link_ctn id='host'/><link_ctn id='p0' direction='DOWN'/></route>"
	"<route src='RAM' dst='G1'><link_ctn id='host'/><link_ctn id='p1'/></route>"
	"<route src='RAM' dst='G2'><link_ctn id='host'/><link_ctn id='p2'/><link_ctn id='fat'/></route>"
	"<route src='G0' dst='G1'><link_ctn id='p0' direction='UP'/><link_ctn id='host'/><link_ctn id='host'/>"
	"<link_ctn id='p1'/></route>";

/* --- single waits ----------------------------------------------------------------------------------------------- */

struct waits {
	struct stage stage;
	int n[4];
	double now[4];
	struct tw__completion last;
};

static int wait_around(void *arg)
{
	static const double until[] = {0.4e-3, 1e-3, 2e-3};
	struct waits *w = arg;
	const struct tw__engine_ops *ops = w->stage.ops;
	ops->exec(w->stage.engine, 0, 0, 1e-3, 77);
	for (int i = 0; i < 3; i++) {
		w->n[i] = ops->wait(w->stage.engine, until[i], &w->last, 1);
		w->now[i] = ops->now(w->stage.engine);
	}
	w->n[3] = ops->wait(w->stage.engine, INFINITY, &w->last, 1);
	return 0;
}

START_TEST(a_wait_ends_at_its_date_or_at_a_completion)
{
	struct script s = {0};
	struct waits w = {0};
	script_platform(&s, node);
	stage_run(s.platform, TW__SHARES_EQUAL, wait_around, &w, &w.stage);
	ck_assert_int_eq(w.n[0], 0); /* before it ends */
	ck_assert_double_eq(w.now[0], 0.4e-3);
	ck_assert_int_eq(w.n[1], 1); /* at that very date */
	assert_date(w.now[1], 1e-3);
	ck_assert_uint_eq(w.last.token, 77);
	assert_date(w.last.end, 1e-3);
	ck_assert_int_eq(w.n[2], 0); /* afterwards */
	ck_assert_double_eq(w.now[2], 2e-3);
	ck_assert_int_lt(w.n[3], 0); /* nothing under way, no date */
	script_finish(&s);
}
END_TEST

static int wait_beyond(void *arg)
{
	struct waits *w = arg;
	const struct tw__engine_ops *ops = w->stage.ops;
	ops->exec(w->stage.engine, 0, 0, 1e-3, 1);
	ops->transfer(w->stage.engine, 0, 1, 0, 6000000, 2);
	for (int i = 0; i < 3; i++) {
		w->n[i] = ops->wait(w->stage.engine, 5e-3, &w->last, 1);
		w->now[i] = ops->now(w->stage.engine);
	}
	return 0;
}

START_TEST(a_wait_stops_at_each_completion_before_its_date)
{
	struct script s = {0};
	struct waits w = {0};
	script_platform(&s, node);
	stage_run(s.platform, TW__SHARES_EQUAL, wait_beyond, &w, &w.stage);
	static const double dates[] = {1e-3, 1.005e-3, 5e-3};
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(w.n[i], i < 2);
		assert_date(w.now[i], dates[i]);
	}
	script_finish(&s);
}
END_TEST

static int wait_for_few(void *arg)
{
	struct waits *w = arg;
	const struct tw__engine_ops *ops = w->stage.ops;
	struct tw__completion two[2];
	for (int i = 0; i < 5; i++)
		ops->exec(w->stage.engine, i % 4, 0, i < 4 ? 1e-3 : 0, (uint64_t)i);
	for (int i = 0; i < 4; i++) {
		w->n[i] = ops->wait(w->stage.engine, INFINITY, two, 2);
		w->now[i] = ops->now(w->stage.engine);
		w->last = two[0];
	}
	return 0;
}

START_TEST(the_rest_of_a_date_comes_with_the_next_call)
{
	struct script s = {0};
	struct waits w = {0};
	script_platform(&s, node);
	stage_run(s.platform, TW__SHARES_EQUAL, wait_for_few, &w, &w.stage);
	static const int n[] = {2, 2, 1, TW_FAILED};
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(w.n[i], n[i]);
		assert_date(w.now[i], 1e-3);
	}
	script_finish(&s);
}
END_TEST

/* --- random schedules ------------------------------------------------------------------------------------------- */

static void random_schedule(struct script *s, uint64_t seed)
{
	static const tw_node ways[][2] = {{0, 1}, {1, 0}, {0, 2}, {2, 0}, {0, 3}, {3, 0}, {1, 2}, {2, 1}};
	struct tw__random *r = tw__random_create(seed, TW__STREAM_POLICY);
	double date = 0;
	script_platform(s, node);
	for (int i = 0; i < 150; i++) {
		uint32_t way = tw__random_below(r, 8);
		date += tw__random_below(r, 3) ? 2e-4 * tw__random_uniform(r) : 0; /* several at one date, too */
		if (tw__random_below(r, 2))
			script_exec(s, date, (tw_worker)tw__random_below(r, (uint32_t)s->platform->n_workers),
			            1e-3 * tw__random_uniform(r));
		else
			script_transfer(s, date, ways[way][0], ways[way][1], floor(1 + 3e6 * tw__random_uniform(r)));
	}
	tw__random_destroy(r);
}

/* Steps of a tenth of a microsecond, of a microsecond ..., and no steps. */
START_TEST(random_schedules_agree_with_the_oracle)
{
	static const double steps[] = {1e-6, 1e-5, 1e-4, 1.7e-3, INFINITY};
	struct answer expected[MAX_ACTIONS] = {{0}};
	struct script s = {0};
	random_schedule(&s, (uint64_t)_i / 5);
	s.step = steps[_i % 5];
	oracle_play(&s, expected);
	script_play(&s);
	ck_assert_int_eq(s.n_ended, s.n_actions);
	for (int i = 0; i < s.n_actions; i++)
		assert_answer(&s, i, expected[i].start, expected[i].end);
	script_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("clock");
	TCase *cases = tcase_create("clock");
	tcase_add_test(cases, a_wait_ends_at_its_date_or_at_a_completion);
	tcase_add_test(cases, a_wait_stops_at_each_completion_before_its_date);
	tcase_add_test(cases, the_rest_of_a_date_comes_with_the_next_call);
	tcase_add_loop_test(cases, random_schedules_agree_with_the_oracle, 0, 100);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
