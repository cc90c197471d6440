/* The quantities and choices of DARTS (Gonthier, Thibault, Marchal 2024, Algorithm 3): a worked example, step by step, and
 * tables against plain definitions under thousands of random changes. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "policies/support/data_table.h"
#include "world.h"

/* --- a worked example -------------------------------------------------------------------------------------------- */

/* A megabyte takes 1 ms. */
static const char one_gpu[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";

enum { X, A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, N_DATA };
static const double seconds[] = {1e-3, 2e-3, 4e-3, 10e-3};

static const struct {
	tw_kernel kernel; /* its length: seconds[kernel] */
	int32_t priority;
	tw_data reads[3];
	int n;
} tasks[] = {
	{3, 0, {X}, 1},       /* 0 */
	{0, 0, {X, A}, 2},    /* 1 */
	{0, 5, {X, A}, 2},    /* 2 */
	{1, 1, {X, B}, 2},    /* 3 */
	{0, 9, {X, C}, 2},    /* 4 */
	{0, 3, {X, C, D}, 3}, /* 5 */
	{2, 0, {X, F}, 2},    /* 6: F is twice as large */
	{0, 2, {G, H}, 2},    /* 7 */
	{0, 2, {G, I}, 2},    /* 8 */
	{1, 1, {H, J}, 2},    /* 9 */
	{0, 7, {K, L, M}, 3}, /* 10 */
	{0, 8, {N, O, E}, 3}, /* 11 */
};
enum { N_TASKS = sizeof tasks / sizeof tasks[0] };

static void begin(struct world *w)
{
	*w = (struct world){0};
	world_platform(w, one_gpu, &(struct tw__platform_choice){.cpus = 0, .gpus = 1});
	w->graph = tw_graph_create();
}

static void make(struct world *w)
{
	struct tw_error err = {""};
	begin(w);
	for (tw_data d = 0; d < N_DATA; d++)
		tw_graph_data(w->graph, d == F ? 2000000 : 1000000);
	for (int k = 0; k < 4; k++)
		tw_graph_kernel(w->graph, (const char *[]){"one", "two", "four", "ten"}[k], "1", "s", 1);
	for (int t = 0; t < N_TASKS; t++) {
		struct tw_access access[3];
		for (int i = 0; i < tasks[t].n; i++)
			access[i] = (struct tw_access){tasks[t].reads[i], TW_R};
		tw_graph_submit(w->graph, tasks[t].kernel, tasks[t].priority, access, tasks[t].n);
	}
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, seconds);
}

/* The choices, one after the other, when each is carried out. */
static const struct {
	tw_data best;
	struct tw_data_score score;
	int n;
	tw_task planned[2]; /* S0, or the first of S1 */
} steps[] = {
	/* Nothing is there: X alone frees a task. All other tasks with X lack another data: |S1| is 5. */
	{X, {0.1, 1, 0, 5, 20000000}, 1, {0}},
	/* A, B and F have the ratio 1/2; A frees two tasks. C, at 1, has the highest priority and loses. */
	{A, {0.5, 2, 5, 0, 2000000}, 2, {2, 1}},
	/* B and F free one each; B's has the higher priority. */
	{B, {0.5, 1, 1, 0, 2000000}, 1, {3}},
	{F, {0.5, 1, 0, 0, 4000000}, 1, {6}},
	/* What lacks C and D is in S1 of both. */
	{C, {1, 1, 9, 1, 2000000}, 1, {4}},
	{D, {1, 1, 3, 0, 1000000}, 1, {5}},
	/* No data frees a task. G, H and I lead to priority 2, G and H to two tasks each; more work is left with H. Tasks 10 and
	 * 11 have higher priorities, but lack three data. */
	{H, {INFINITY, 0, 2, 2, 3000000}, 1, {7}},
	{J, {0.5, 1, 1, 0, 2000000}, 1, {9}},
	{I, {1, 1, 2, 0, 1000000}, 1, {8}},
	/* Neither S0 nor S1: the first of the data; the policy takes the highest priority instead. */
	{E, {INFINITY, 0, INT32_MIN, 0, 1000000}, 0, {TW_NONE}},
};

static bool same_score(const struct tw_data_score *a, const struct tw_data_score *b)
{
	return a->ratio == b->ratio && a->s0 == b->s0 && a->max_prio == b->max_prio && a->s1 == b->s1 &&
	       a->left_ns == b->left_ns;
}

static int walk(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_data_table t;
	tw_node gpu = tw_worker_node(s, 0);
	(void)state;
	if (tw_data_table_init(&t, s, err))
		return TW_NOMEM;
	for (tw_task task = 0; task < N_TASKS; task++)
		tw_data_table_add(&t, task);
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		struct tw_data_score score;
		tw_task set[2] = {TW_NONE, TW_NONE};
		tw_data best = tw_data_table_best(&t, 0, &score);
		if (best != steps[i].best || !same_score(&score, &steps[i].score))
			return tw_fail(err, TW_FAILED,
			               "step %d: data %d, ratio %g, S0 %d, max_prio %d, S1 %d, left %lld", (int)i,
			               (int)best, score.ratio, (int)score.s0, (int)score.max_prio, (int)score.s1,
			               (long long)score.left_ns);
		tw_data_table_set(&t, best, 0, score.s0 == 0, set, steps[i].n);
		for (int j = 0; j < steps[i].n; j++) {
			if (set[j] != steps[i].planned[j])
				return tw_fail(err, TW_FAILED, "step %d: task %d", (int)i, (int)set[j]);
			tw_data_table_plan(&t, set[j], 0);
		}
	}
	/* Two tasks of A are planned, one of them taken: A leaves, and the other is ready again. */
	tw_data_table_take(&t, 2);
	struct tw_planned_use use = tw_plan_use(&t.plan, A, gpu);
	bool good = use.taken == 1 && use.planned == 1 && tw_data_table_planned(&t, A, 0) == 1;
	tw_data_table_set_present(&t, A, 0, true);
	tw_data_table_set_present(&t, A, 0, false);
	tw_data_table_unplan(&t, 1);
	good &= tw_data_table_missing(&t, 1, 0) == 0; /* task 2 has A brought back */
	tw_data_table_drop(&t, 2);
	good &= tw_data_table_missing(&t, 1, 0) == 1;
	tw_data_table_finish(&t);
	return tw_fail(err, TW_FAILED, good ? "as worked out" : "planned uses differ");
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)s, (void)state, (void)task, (void)released_by;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	(void)s, (void)state, (void)worker;
	return TW_NONE;
}

static const struct tw_policy walking = {.abi = TW_POLICY_ABI,
                                         .name = "walking",
                                         .summary = "",
                                         .flags = TW_SORTS_BY_PRIORITY,
                                         .init = walk,
                                         .push = push,
                                         .pop = pop};

START_TEST(scores_are_those_of_the_worked_example)
{
	struct world w;
	make(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &walking});
	ck_assert_str_eq(o.err.message, "as worked out");
	world_finish(&w);
}
END_TEST

/* Runs it under the policy, and holds the order in which tasks are taken against that, and what is loaded. */
static void check_order(const struct world *w, const char *policy, const tw_task *order, int n_tasks, uint64_t bytes)
{
	int n = 0;
	struct outcome o = world_must_run(
		w, &(struct setting){.policy = policy, .eviction = "darts", .keep_record = true}, policy);
	for (size_t i = 0; i < o.n_events; i++)
		if (o.events[i].kind == TW__ASSIGN) {
			ck_assert_int_lt(n, n_tasks);
			ck_assert_msg(o.events[i].task == order[n], "%s: task %d is number %d", policy,
			              (int)o.events[i].task, n);
			n++;
		}
	ck_assert_int_eq(n, n_tasks);
	ck_assert_uint_eq(o.counters.transferred_bytes, bytes); /* each data once */
	free(o.events);
}

/* The same, by darts: all tasks are ready before the GPU asks. */
START_TEST(darts_takes_the_tasks_in_that_order)
{
	static const struct {
		const char *policy;
		tw_task order[N_TASKS];
	} cases[] = {
		{"darts", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"darts:buffer=0", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"darts:buffer=4", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"darts:choice=count", {0, 2, 1, 3, 4, 5, 6, 11, 10, 7, 8, 9}},
		{"data_first:few=0:buffer=0", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		{"data_first:few=0:buffer=4:pick=head", {0, 2, 1, 3, 6, 4, 5, 7, 9, 8, 11, 10}},
		/* When 2 starts, 1, 3, 6, 4 and 5 are in the buffer, with their data: 4 is the most urgent. I comes at the
		 * date at which the GPU asks for the task after 7, in time for 8. */
		{"data_first:few=0:buffer=4", {0, 2, 4, 5, 3, 7, 8, 9, 1, 11, 6, 10}},
		/* B, C, D and F free one task each; then nothing does, and priorities 8, 7 and 2 come, which brings I and J. */
		{"data_first:few=0:choice=count:pick=head", {0, 2, 1, 3, 4, 5, 6, 11, 10, 7, 8, 9}},
		/* All data fit, so it goes by urgency; but 4 makes 0 free, which comes next, and 2 makes 1 free. */
		{"data_first:buffer=0", {4, 0, 11, 10, 2, 1, 5, 7, 8, 3, 9, 6}},
	};
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		struct world w;
		make(&w);
		check_order(&w, cases[c].policy, cases[c].order, N_TASKS, 17000000);
		world_finish(&w);
	}
}
END_TEST

/* Six tasks read X; the first of them releases a seventh, of a higher priority, which finds all it reads there. When it does, 1 is taken and
 * 2 and 3 are in the buffer. */
START_TEST(data_first_takes_what_is_released_before_what_is_planned)
{
	enum { N_HERE = 7 };
	struct world w;
	struct tw_error err = {""};
	begin(&w);
	tw_graph_kernel(w.graph, "one", "1", "s", 1);
	tw_data x = tw_graph_data(w.graph, 1000000), y = tw_graph_data(w.graph, 1000000);
	for (tw_task t = 0; t < N_HERE; t++)
		tw_graph_submit(w.graph, 0, t == 6, (struct tw_access[]){{x, TW_R}, {y, t == 0 ? TW_W : TW_R}},
		                t == 0 || t == 6 ? 2 : 1);
	ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
	world_times(&w, seconds);
	check_order(&w, "data_first", (tw_task[N_HERE]){0, 1, 6, 2, 3, 4, 5}, N_HERE, 1000000);
	check_order(&w, "data_first:pick=head", (tw_task[N_HERE]){0, 1, 2, 3, 4, 5, 6}, N_HERE, 1000000);
	check_order(&w, "darts", (tw_task[N_HERE]){0, 1, 2, 3, 4, 5, 6}, N_HERE, 1000000);
	world_finish(&w);
}
END_TEST

/* --- plain definitions ------------------------------------------------------------------------------------------- */

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

/* What the task counts for in the ratio: its length, where all units have the same. */
static int64_t worth(const struct oracle *o, tw_task task, int k)
{
	int64_t least = INT64_MAX;
	for (int unit = 0; unit < o->t->n_units; unit++)
		least = length(o, task, unit) < least ? length(o, task, unit) : least;
	return llround((double)least * (double)least / (double)length(o, task, k));
}

/* False: it is there, or no ready task uses it. */
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

/* Of the units where the task lacks nothing, that with the fewest planned and taken tasks; TW_NONE: there is none. */
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

/* The next ready task, from that number on: where it would end first, and where it lacks nothing. */
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
	return tw_data_table_first(o->t, task, k, more_ns) == first && tw_data_table_holder(o->t, task) == holder &&
	       tw_data_table_holder_of_fewest(o->t, task) == holder_of_fewest(o, task);
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
	if (tw_data_table_init(&t, s, err))
		return TW_NOMEM;
	t.by_count = seed % 5 == 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) /* all are GPUs, and have memories of their own */
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
	tw_data_table_finish(&t);
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
	struct tw__request request = {.platform = _i % 4 < 2 ? "mirage" : "synthetic", /* of two kinds of GPUs */
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
	Suite *suite = suite_create("data_table");
	TCase *cases = tcase_create("data_table");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, scores_are_those_of_the_worked_example);
	tcase_add_test(cases, darts_takes_the_tasks_in_that_order);
	tcase_add_test(cases, data_first_takes_what_is_released_before_what_is_planned);
	tcase_add_loop_test(cases, choices_equal_plain_definitions, 0, 18);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
