/* The tables of DARTS (policies/support/data_table.h), compared with plain definitions, under thousands of random
 * changes. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "policies/support/data_table.h"
#include "world.h"

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)s, (void)state, (void)task, (void)released_by;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s, (void)state, (void)worker;
	return TW_NONE;
}

static bool same_score(const struct tw_data_score *a, const struct tw_data_score *b)
{
	return a->ratio == b->ratio && a->s0 == b->s0 && a->max_prio == b->max_prio && a->s1 == b->s1 &&
	       a->left_ns == b->left_ns;
}

enum { MAX_TASKS = 200, MAX_DATA = 400, MAX_UNITS = 4, N_CHANGES = 1500 };

struct oracle {
	struct tw_data_table *t;
	int unit[MAX_TASKS];
	bool taken[MAX_TASKS], present[MAX_UNITS][MAX_DATA];
};

static uint64_t seed;

static bool accesses(const struct tw_sched *s, tw_task task, tw_data d, unsigned modes)
{
	for (int i = 0; i < tw_task_n_accesses(s, task); i++)
		if (tw_task_access(s, task, i).data == d && (tw_task_access(s, task, i).mode & modes))
			return true;
	return false;
}

static bool there(const struct oracle *o, tw_data d, int k)
{
	bool there = o->present[k][d];
	for (tw_task task = 0; task < tw_graph_n_tasks(tw_sched_graph(o->t->s)); task++)
		there |= o->unit[task] == k && accesses(o->t->s, task, d, TW_RW);
	return there;
}

static int missing(const struct oracle *o, tw_task task, int k)
{
	int n = 0;
	for (int i = 0; i < tw_task_n_accesses(o->t->s, task); i++) {
		struct tw_access access = tw_task_access(o->t->s, task, i);
		n += (access.mode & TW_R) && !there(o, access.data, k);
	}
	return n;
}

static int64_t length(const struct oracle *o, tw_task task, int k)
{
	return llround(1e9 * tw_task_length(o->t->s, task, o->t->units[k].workers[0]));
}

/* The contribution of the task to the computation time: its length, if all units are equal. */
static int64_t worth(const struct oracle *o, tw_task task, int k)
{
	int64_t least = INT64_MAX;
	for (int unit = 0; unit < o->t->n_units; unit++)
		least = length(o, task, unit) < least ? length(o, task, unit) : least;
	return llround((double)least * (double)least / (double)length(o, task, k));
}

/* Returns false if the handle is there, or if no ready task uses it. */
static bool score(const struct oracle *o, tw_data d, int k, struct tw_data_score *score)
{
	struct tw_sched *s = o->t->s;
	tw_node node = o->t->units[k].node;
	int64_t computation = 0;
	int32_t prio[2] = {INT32_MIN, INT32_MIN};
	*score = (struct tw_data_score){.ratio = INFINITY, .max_prio = INT32_MIN};
	for (tw_task task = 0; task < tw_graph_n_tasks(tw_sched_graph(s)); task++) {
		if (o->unit[task] != TW_READY || !accesses(s, task, d, TW_R))
			continue;
		int others = missing(o, task, k) - 1;
		score->left_ns += length(o, task, k);
		if (others > 1)
			continue;
		computation += others ? 0 : worth(o, task, k);
		++*(others ? &score->s1 : &score->s0);
		if (others >= 0 && tw_task_priority(s, task) > prio[others])
			prio[others] = tw_task_priority(s, task);
	}
	if (score->s0)
		score->ratio = tw_data_transfer_time(s, d, node) / ((double)computation / 1e9);
	score->max_prio = score->s0 ? prio[0] : prio[1];
	if (o->t->by_count)
		*score = (struct tw_data_score){.s0 = score->s0};
	return !there(o, d, k) && (o->t->by_count ? score->s0 > 0 : score->left_ns > 0);
}

static bool better(const struct oracle *o, const struct tw_data_score *a, const struct tw_data_score *b)
{
	if (o->t->by_count)
		return a->s0 > b->s0;
	return a->ratio != b->ratio         ? a->ratio < b->ratio
	       : a->s0 != b->s0             ? a->s0 > b->s0
	       : a->max_prio != b->max_prio ? a->max_prio > b->max_prio
	       : a->s1 != b->s1             ? a->s1 > b->s1
	                                    : a->left_ns > b->left_ns;
}

static bool same_choice(const struct oracle *o, int k)
{
	struct tw_data_score best = {0}, now;
	tw_data expected = TW_NONE;
	for (tw_data d = 0; d < o->t->n_data; d++)
		if (score(o, d, k, &now) && (expected == TW_NONE || better(o, &now, &best))) {
			expected = d;
			best = now;
		}
	if (tw_data_table_best(o->t, k, &now) != expected)
		return false;
	if (expected == TW_NONE)
		return true;
	tw_task set[MAX_TASKS];
	bool good = same_score(&now, &best) && tw_data_table_set(o->t, expected, k, 0, set, MAX_TASKS) == best.s0;
	for (int i = 0; i < best.s0; i++)
		good &= missing(o, set[i], k) == 1 &&
		        (i == 0 || tw_task_priority(o->t->s, set[i]) <= tw_task_priority(o->t->s, set[i - 1]));
	return good &&
	       (o->t->by_count || (tw_data_table_set(o->t, expected, k, 1, set, 1) == best.s1 &&
	                           (best.s0 || !best.s1 || tw_task_priority(o->t->s, set[0]) == best.max_prio)));
}

static int64_t completion(const struct oracle *o, tw_task task, int k)
{
	struct tw_sched *s = o->t->s;
	double bring = 0;
	int64_t sum = length(o, task, k);
	for (tw_task other = 0; other < tw_graph_n_tasks(tw_sched_graph(s)); other++)
		if (o->unit[other] == k)
			sum += length(o, other, k);
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		struct tw_access access = tw_task_access(s, task, i);
		if ((access.mode & TW_R) && !there(o, access.data, k))
			bring += tw_data_transfer_time(s, access.data, o->t->units[k].node);
	}
	return sum + llround(1e9 * bring);
}

/* The unit with all inputs of the task that has the fewest tasks planned or taken; TW_NONE: there is none. */
static int holder_of_fewest(const struct oracle *o, tw_task task)
{
	int best = TW_NONE, fewest = 0;
	for (int unit = 0; unit < o->t->n_units; unit++) {
		int queued = 0;
		for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(o->t->s)); t++)
			queued += o->unit[t] == unit;
		if (missing(o, task, unit) > 0 || (best != TW_NONE && queued >= fewest))
			continue;
		best = unit;
		fewest = queued;
	}
	return best;
}

/* Checks the next ready task, from that number on: where it ends first, and which unit has all its inputs. */
static bool same_completion(const struct oracle *o, tw_task from, int k, struct tw__random *r)
{
	tw_task n_tasks = tw_graph_n_tasks(tw_sched_graph(o->t->s)), task = TW_NONE;
	int64_t more_ns[MAX_UNITS], least = INT64_MAX;
	int first = k, holder = TW_NONE;
	for (tw_task i = 0; i < n_tasks && task == TW_NONE; i++)
		task = o->unit[(from + i) % n_tasks] == TW_READY ? (from + i) % n_tasks : (tw_task)TW_NONE;
	if (task == TW_NONE)
		return true;
	for (int unit = 0; unit < o->t->n_units; unit++) {
		more_ns[unit] = tw__random_below(r, 5) * 1000000;
		if (tw_data_table_completion_ns(o->t, task, unit) != completion(o, task, unit))
			return false;
		if (more_ns[unit] + completion(o, task, unit) < least)
			least = more_ns[unit] + completion(o, task, unit);
		if (missing(o, task, unit) == 0 &&
		    (holder == TW_NONE || completion(o, task, unit) < completion(o, task, holder)))
			holder = unit;
	}
	for (int unit = o->t->n_units - 1; unit >= 0; unit--)
		if (more_ns[unit] + completion(o, task, unit) == least && more_ns[k] + completion(o, task, k) > least)
			first = unit;
	return tw_data_table_first(o->t, task, k, more_ns) == first &&
	       tw_data_table_holder(o->t, task, false) == holder &&
	       tw_data_table_holder(o->t, task, true) == holder_of_fewest(o, task);
}

static void change(struct oracle *o, struct tw__random *r)
{
	tw_task task = (tw_task)tw__random_below(r, (uint32_t)tw_graph_n_tasks(tw_sched_graph(o->t->s)));
	int k = (int)tw__random_below(r, (uint32_t)o->t->n_units);
	if (tw__random_below(r, 2)) {
		tw_data d = (tw_data)tw__random_below(r, (uint32_t)o->t->n_data);
		o->present[k][d] = !o->present[k][d];
		tw_data_table_set_present(o->t, d, k, o->present[k][d]);
	} else if (o->unit[task] == TW_NOT_IN_TABLE) {
		o->unit[task] = TW_READY;
		o->taken[task] = false;
		tw_data_table_add(o->t, task);
	} else if (o->unit[task] == TW_READY && tw__random_below(r, 4)) {
		o->unit[task] = k;
		tw_data_table_plan(o->t, task, k);
	} else if (o->unit[task] == TW_READY || o->taken[task]) {
		o->unit[task] = TW_NOT_IN_TABLE;
		tw_data_table_drop(o->t, task);
	} else if (tw__random_below(r, 2)) {
		o->unit[task] = TW_READY;
		tw_data_table_unplan(o->t, task);
	} else {
		o->taken[task] = true;
		tw_data_table_take(o->t, task);
	}
}

static int compare(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_data_table t;
	struct oracle *o = calloc(1, sizeof *o);
	struct tw__random *r = tw__random_create(seed, TW__STREAM_ORDER);
	bool good = true;
	(void)state;
	tw_data_table_init(&t, s);
	t.by_count = seed % 5 == 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) /* all workers are GPUs with memories of their own */
		good &= t.unit_of_worker[w] == w && t.units[w].node == tw_worker_node(s, w);
	good &= t.n_units == tw_n_workers(s);
	o->t = &t;
	for (int i = 0; i < MAX_TASKS; i++)
		o->unit[i] = TW_NOT_IN_TABLE;
	for (int i = 0; i < N_CHANGES && good; i++) {
		change(o, r);
		int k = (int)tw__random_below(r, (uint32_t)t.n_units);
		good = i % 5 ||
		       (same_choice(o, k) && same_completion(o, i % tw_graph_n_tasks(tw_sched_graph(s)), k, r));
	}
	tw__random_destroy(r);
	free(o);
	return tw_fail(err, TW_FAILED, good ? "all the same" : "not the same");
}

static const struct tw_policy comparing = {.abi = TW_POLICY_ABI,
                                           .name = "comparing",
                                           .summary = "",
                                           .flags = TW_SORTS_BY_PRIORITY,
                                           .init = compare,
                                           .push = push,
                                           .pop = pop};

START_TEST(choices_equal_plain_definitions)
{
	static const char *const workloads[] = {"cholesky:nt=8", "layered:n=90:seed=3", "matmul2d:nt=8"};
	struct tw__request request = {.platform =
	                                      _i % 4 < 2 ? "mirage" : "synthetic", /* synthetic has two kinds of GPUs */
	                              .workload = workloads[_i % 3],
	                              .choice = {.cpus = 0, .gpus = 1 + _i % 2 * 2},
	                              .extrapolate = true};
	struct tw__scene *scene;
	struct tw_error err = {""};
	ck_assert_msg(!tw__scene_create(&scene, &request, &err), "%s", err.message);
	ck_assert_int_le(tw_graph_n_tasks(scene->graph), MAX_TASKS);
	ck_assert_int_le(tw_graph_n_data(scene->graph), MAX_DATA);
	seed = (uint64_t)_i;
	struct outcome o = world_run(&(struct world){scene->platform, scene->graph, scene->times},
	                             &(struct setting){.own_policy = &comparing});
	ck_assert_str_eq(o.err.message, "all the same");
	tw__scene_destroy(scene);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("data_changes");
	TCase *cases = tcase_create("data_changes");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, choices_equal_plain_definitions, 0, 18);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
