/* Turns: dates do not depend on the frequency of turns, and agree with a separate simulation. */
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

/* --- single turns ----------------------------------------------------------------------------------------------- */

struct turns {
	struct stage stage;
	void (*begin)(struct turns *);
	const double *until; /* after each turn; the run ends after the last one */
	int n_until, n_turns;
	int n[6];
	double now[6];
	struct tw__completion last;
};

static bool turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct turns *t = arg;
	int i = t->n_turns++;
	if (i == 0)
		t->begin(t);
	t->n[i] = n;
	t->now[i] = tw__seconds(now);
	if (n)
		t->last = ended[n - 1];
	*until = i < t->n_until ? tw__ns_of(t->until[i]) : TW__NEVER;
	return i < t->n_until;
}

static void one_kernel(struct turns *t) { stage_exec(&t->stage, 0, 1e-3, 77); }

START_TEST(a_turn_comes_at_its_date_or_at_a_completion)
{
	static const double until[] = {0.4e-3, 1e-3, 2e-3};
	struct script s = {0};
	struct turns t = {.begin = one_kernel, .until = until, .n_until = 3};
	script_platform(&s, node);
	ck_assert_int_eq(stage_run(s.platform, TW__SHARES_EQUAL, turn, &t, &t.stage), TW_OK);
	ck_assert_double_eq(t.now[0], 0);
	ck_assert_int_eq(t.n[1], 0); /* before the kernel ends */
	ck_assert_double_eq(t.now[1], 0.4e-3);
	ck_assert_int_eq(t.n[2], 1); /* at the date of the end */
	assert_date(t.now[2], 1e-3);
	ck_assert_uint_eq(t.last.token, 77);
	assert_date(tw__seconds(t.last.end), 1e-3);
	ck_assert_int_eq(t.n[3], 0); /* after the end */
	ck_assert_double_eq(t.now[3], 2e-3);
	script_finish(&s);
}
END_TEST

START_TEST(a_run_that_waits_for_nothing_fails)
{
	static const double until[] = {INFINITY, INFINITY};
	struct script s = {0};
	struct turns t = {.begin = one_kernel, .until = until, .n_until = 2};
	script_platform(&s, node);
	ck_assert_int_eq(stage_run(s.platform, TW__SHARES_EQUAL, turn, &t, &t.stage), TW_FAILED);
	ck_assert_int_eq(t.n_turns, 2);
	ck_assert_int_eq(t.n[1], 1);
	script_finish(&s);
}
END_TEST

static void kernel_and_transfer(struct turns *t)
{
	stage_exec(&t->stage, 0, 1e-3, 1);
	t->stage.ops->transfer(t->stage.engine, 0, 1, 0, 6000000, 2);
}

START_TEST(a_turn_comes_at_each_completion_before_its_date)
{
	static const double until[] = {5e-3, 5e-3, 5e-3}, dates[] = {0, 1e-3, 1.005e-3, 5e-3};
	struct script s = {0};
	struct turns t = {.begin = kernel_and_transfer, .until = until, .n_until = 3};
	script_platform(&s, node);
	ck_assert_int_eq(stage_run(s.platform, TW__SHARES_EQUAL, turn, &t, &t.stage), TW_OK);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(t.n[i], i == 1 || i == 2);
		assert_date(t.now[i], dates[i]);
	}
	script_finish(&s);
}
END_TEST

enum { MANY = 150 };

struct crowd {
	struct stage stage;
	int n_turns, n_ended;
	double date; /* of the last turn */
};

static bool crowd_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct crowd *c = arg;
	(void)ended;
	for (int i = 0; i < MANY && c->n_turns == 0; i++)
		stage_exec(&c->stage, i % 4, i < 4 ? 1e-3 : 0, (uint64_t)i);
	if (c->n_turns > 0)
		ck_assert_int_gt(n, 0);
	c->n_turns++;
	c->n_ended += n;
	c->date = tw__seconds(now);
	*until = TW__NEVER;
	return c->n_ended < MANY;
}

START_TEST(all_of_a_date_comes_in_one_turn)
{
	struct script s = {0};
	struct crowd c = {.n_turns = 0};
	script_platform(&s, node);
	ck_assert_int_eq(stage_run(s.platform, TW__SHARES_EQUAL, crowd_turn, &c, &c.stage), TW_OK);
	ck_assert_int_eq(c.n_ended, MANY);
	ck_assert_int_eq(c.n_turns, 2);
	assert_date(c.date, 1e-3);
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
		/* Several actions may have the same date. */
		date += tw__random_below(r, 3) ? 2e-4 * tw__random_uniform(r) : 0;
		if (tw__random_below(r, 2))
			script_exec(s, date, (tw_worker)tw__random_below(r, (uint32_t)s->platform->n_workers),
			            1e-3 * tw__random_uniform(r));
		else
			script_transfer(s, date, ways[way][0], ways[way][1], floor(1 + 3e6 * tw__random_uniform(r)));
	}
	tw__random_destroy(r);
}

/* Steps of 0.1 us, 1 us ..., and no steps. */
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
	tcase_add_test(cases, a_turn_comes_at_its_date_or_at_a_completion);
	tcase_add_test(cases, a_run_that_waits_for_nothing_fails);
	tcase_add_test(cases, a_turn_comes_at_each_completion_before_its_date);
	tcase_add_test(cases, all_of_a_date_comes_in_one_turn);
	add_every(cases, random_schedules_agree_with_the_oracle, 100);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
