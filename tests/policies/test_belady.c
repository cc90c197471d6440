/* Belady's eviction policy is optimal for a fixed order. It is compared with all other policies and with an
 * exhaustive search, in a model and in the runtime. The last part is the example of Gonthier, Marchal, Thibault 2021,
 * figure 2. */
#include <stdlib.h>
#include <string.h>

#include "policies/support/plan.h"
#include "inside.h"
#include "reuse.h"
#include "world.h"

/* --- in the model ----------------------------------------------------------------------------------------------- */

static struct reuse at_hand;
static int task_at_hand;

static struct tw_planned_use use_at_hand(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s, (void)state, (void)node;
	struct tw_planned_use use = {.next = reuse_next(&at_hand, task_at_hand, d)};
	use.taken = at_hand.inputs[task_at_hand] >> d & 1;
	for (int t = task_at_hand + 1; t < at_hand.n_tasks; t++)
		use.planned += at_hand.inputs[t] >> d & 1;
	return use;
}

/* Runs a check inside a run with 36 handles, more than the model ever has. */
static void holds(int (*check)(struct tw_sched *, struct tw_error *))
{
	inside_a_run("cholesky:nt=8", check, use_at_hand);
}

static int loads_of(struct tw_sched *s, const struct reuse *u, const struct tw_eviction *e)
{
	at_hand = *u;
	return reuse_loads(u, s, e, &task_at_hand);
}

static const struct tw_eviction *named(const char *name)
{
	for (int e = 0; tw__evictions[e]; e++)
		if (strcmp(tw__evictions[e]->name, name) == 0)
			return tw__evictions[e];
	ck_abort_msg("no eviction policy '%s'", name);
	return NULL;
}

static int beats_all(struct tw_sched *s, struct tw_error *err)
{
	int better = 0;
	for (uint64_t seed = 1; seed <= 5000; seed++) {
		struct reuse u = random_reuse(seed, MAX_REUSE_DATA, MAX_REUSE_TASKS, 12);
		int belady = loads_of(s, &u, named("belady"));
		for (int e = 0; tw__evictions[e]; e++) {
			int loads = loads_of(s, &u, tw__evictions[e]);
			if (loads < 0 || belady > loads)
				return tw_fail(err, TW_FAILED, "case %d: %d loads with belady, %d with %s", (int)seed,
				               belady, loads, tw__evictions[e]->name);
			better += belady < loads;
		}
	}
	return better > 10000 ? TW_OK : tw_fail(err, TW_FAILED, "better only %d times", better);
}

START_TEST(belady_loads_at_most_what_any_other_does) { holds(beats_all); }
END_TEST

static int equals_the_fewest(struct tw_sched *s, struct tw_error *err)
{
	for (uint64_t seed = 1; seed <= 5000; seed++) {
		struct reuse u = random_reuse(seed, 7, 12, 5);
		int belady = loads_of(s, &u, named("belady")), fewest = reuse_fewest_loads(&u);
		if (belady != fewest)
			return tw_fail(err, TW_FAILED, "case %d: %d loads, the fewest are %d", (int)seed, belady,
			               fewest);
	}
	return TW_OK;
}

START_TEST(belady_is_the_optimum) { holds(equals_the_fewest); }
END_TEST

/* --- in the runtime --------------------------------------------------------------------------------------------- */

/* Tasks run in the order of submission, on one worker, without prefetch. */
struct line {
	tw_task next;
	tw_task n_ready;
	struct tw_plan plan;
};

static int line_init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct line *l = state;
	(void)err;
	tw_plan_init(&l->plan, s);
	for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++)
		tw_plan_append(&l->plan, s, t, tw_worker_node(s, 0));
	return TW_OK;
}

static void line_push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)task, (void)released_by;
	((struct line *)state)->n_ready++; /* tasks are independent, so they become ready in the order of submission */
	tw_wake(s, 0);
}

static tw_task line_pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct line *l = state;
	if (l->next == l->n_ready)
		return TW_NONE;
	task_at_hand = l->next;
	tw_plan_take(&l->plan, s, l->next, tw_worker_node(s, worker));
	return l->next++;
}

static void line_done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	(void)worker;
	tw_plan_remove(&((struct line *)state)->plan, s, task);
}

static struct tw_planned_use line_use(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s;
	return tw_plan_use(&((struct line *)state)->plan, d, node);
}

static const struct tw_policy line = {.abi = TW_POLICY_ABI,
                                      .name = "line",
                                      .summary = "",
                                      .state_size = sizeof(struct line),
                                      .init = line_init,
                                      .push = line_push,
                                      .pop = line_pop,
                                      .done = line_done,
                                      .planned_use = line_use};

enum { DATA_BYTES = 1 << 20 };

/* The model's case as a graph, on one GPU with that much memory. */
static void world_of(struct world *w, const struct reuse *u)
{
	struct tw__platform_choice choice = {.gpus = 1, .gpu_mem_bytes = (uint64_t)u->room * DATA_BYTES};
	struct tw__platform *all;
	struct tw_error err;
	char *kernels;
	ck_assert_int_eq(tw__platform_find(&all, &kernels, "mirage", &err), TW_OK);
	ck_assert_int_eq(tw__platform_select(&w->platform, all, &choice, &err), TW_OK);
	tw__platform_destroy(all);
	free(kernels);
	w->graph = tw_graph_create();
	tw_kernel kernel = tw_graph_kernel(w->graph, "read", "1", "b", 1);
	for (int d = 0; d < u->n_data; d++)
		tw_graph_data(w->graph, DATA_BYTES);
	for (int t = 0; t < u->n_tasks; t++) {
		struct tw_access access[MAX_REUSE_DATA];
		int n = 0;
		for (tw_data d = 0; d < u->n_data; d++)
			if (u->inputs[t] >> d & 1)
				access[n++] = (struct tw_access){d, TW_R};
		tw_graph_submit(w->graph, kernel, 0, access, n);
	}
	ck_assert_int_eq(tw_graph_finish(w->graph, &err), TW_OK);
	world_times(w, (double[]){0.001});
}

/* The eviction policy that the run uses, for the model to use it first. */
static const struct tw_eviction *eviction_at_hand;
static bool in_model;

static int model_first(struct tw_sched *s, void *state, struct tw_error *err)
{
	in_model = true;
	tw_report(s, "model", reuse_loads(&at_hand, s, eviction_at_hand, &task_at_hand));
	in_model = false;
	return line_init(s, state, err);
}

static struct tw_planned_use model_or_line_use(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	return in_model ? use_at_hand(s, state, d, node) : line_use(s, state, d, node);
}

static int64_t run_loads(const struct reuse *u, const struct tw_eviction *e, const struct tw_policy *policy,
                         double *in_the_model)
{
	struct world w = {0};
	world_of(&w, u);
	at_hand = *u;
	eviction_at_hand = e;
	struct setting s = {.own_policy = policy, .own_eviction = e, .runtime = "ideal:gpu_pipeline=1"};
	struct outcome o = world_must_run(&w, &s, e->name);
	if (in_the_model)
		*in_the_model = o.counters.figures[0].value;
	world_finish(&w);
	return o.counters.loads;
}

START_TEST(the_runtime_loads_what_the_model_does)
{
	struct tw_policy both = line;
	if (_i % world_every() != 0)
		return;
	both.init = model_first;
	both.planned_use = model_or_line_use;
	struct reuse u = random_reuse((uint64_t)_i, 16, 60, 8);
	int64_t belady = 0;
	for (int i = -1; i < 0 || tw__evictions[i]; i++) { /* belady first */
		const struct tw_eviction *e = i < 0 ? named("belady") : tw__evictions[i];
		double in_the_model;
		int64_t loads = run_loads(&u, e, &both, &in_the_model);
		if (i < 0)
			belady = loads;
		ck_assert_msg(belady <= loads, "%d loads with belady, %d with %s", (int)belady, (int)loads, e->name);
		if (strcmp(e->name, "random") != 0) /* draws different numbers */
			ck_assert_msg((int)in_the_model == loads, "%s: %d loads, %d in the model", e->name, (int)loads,
			              (int)in_the_model);
	}
}
END_TEST

/* --- the paper's figure 2 --------------------------------------------------------------------------------------- */

/* Our text of the paper has only the figure's caption. There are five tasks in their natural order, and M = 3. Before
 * each task these data leave: v(1) = v(2) = {}, v(3) = {1}, v(4) = {2}, v(5) = {3, 4}. The total is 7 loads. The test
 * tries each graph that fits the caption. Handles are numbered as they come. Victims are not inputs of the task, and
 * make just the room that is needed. */
enum { N_TASKS = 5, M = 3, LOADS = 7 };

static const uint32_t v[N_TASKS] = {0, 0, 1 << 0, 1 << 1, 1 << 2 | 1 << 3};

struct figures {
	int n, least[LOADS + 1]; /* number of graphs; by the fewest loads over all orders */
	void (*each)(struct figures *, const struct reuse *);
	struct tw_sched *s;
	int bad;
};

static void each_graph(struct figures *f, struct reuse *u, int t, uint32_t there, int loads)
{
	if (t == N_TASKS) {
		if (loads == LOADS) {
			f->n++;
			f->each(f, u);
		}
		return;
	}
	if ((there & v[t]) != v[t])
		return;
	there &= ~v[t];
	for (int n_new = 0; n_new <= M; n_new++, u->n_data++) {
		uint32_t brought = ((1u << n_new) - 1) << (u->n_data - n_new);
		for (uint32_t old = 0; old < 1u << (u->n_data - n_new); old++) {
			uint32_t inputs = old | brought, then = there | inputs;
			int n = __builtin_popcount(then);
			if (inputs == 0 || (inputs & v[t]) || n > M || (t > 1 && n < M))
				continue;
			u->inputs[t] = inputs;
			each_graph(f, u, t + 1, then, loads + __builtin_popcount(inputs & ~there));
		}
	}
	u->n_data -= M + 1;
}

/* Recursively tries each order of the tasks from the k-th on. */
static void all_orders(struct figures *f, struct reuse *u, int k, int *belady, int *fewest)
{
	if (k == N_TASKS) {
		int with_belady = loads_of(f->s, u, named("belady")), least = reuse_fewest_loads(u);
		*belady = with_belady < *belady ? with_belady : *belady;
		*fewest = least < *fewest ? least : *fewest;
		return;
	}
	for (int i = k; i < N_TASKS; i++) {
		uint32_t inputs = u->inputs[k];
		u->inputs[k] = u->inputs[i];
		u->inputs[i] = inputs;
		all_orders(f, u, k + 1, belady, fewest);
		u->inputs[i] = u->inputs[k];
		u->inputs[k] = inputs;
	}
}

static void try_all_orders(struct figures *f, const struct reuse *u)
{
	struct reuse permuted = *u;
	int belady = LOADS + 1, fewest = LOADS + 1;
	all_orders(f, &permuted, 0, &belady, &fewest);
	f->bad += belady != fewest || fewest > reuse_fewest_loads(u) || fewest < u->n_data;
	f->least[fewest]++;
}

static int find_the_minimum(struct tw_sched *s, struct tw_error *err)
{
	struct figures f = {.each = try_all_orders, .s = s};
	struct reuse u = {.n_tasks = N_TASKS, .room = M};
	each_graph(&f, &u, 0, 0, 0);
	printf("figure 2: %d graphs;", f.n);
	for (int l = 0; l <= LOADS; l++)
		if (f.least[l])
			printf(" at least %d loads in the best order: %d;", l, f.least[l]);
	printf("\n");
	fflush(stdout); /* a child process ends without it */
	return f.bad || f.n == 0 ? tw_fail(err, TW_FAILED, "%d of %d graphs", f.bad, f.n) : TW_OK;
}

START_TEST(belady_in_the_best_order_is_the_minimum) { holds(find_the_minimum); }
END_TEST

/* Evicts the data of the caption before each task. */
static tw_data scripted_victim(struct tw_sched *s, void *state, tw_node node, const struct tw_victim_query *query)
{
	(void)s, (void)state, (void)node;
	for (tw_data d = 0; d < LOADS; d++)
		if ((v[task_at_hand] >> d & 1) && tw_may_evict(query, d))
			return d;
	return TW_NONE;
}

static void no_matter(struct tw_sched *s, void *state, tw_data d, tw_node node)
{
	(void)s, (void)state, (void)d, (void)node;
}

static const struct tw_eviction scripted = {
	.name = "scripted", .summary = "", .loaded = no_matter, .victim = scripted_victim};

static void run_some(struct figures *f, const struct reuse *u)
{
	if (f->n % 97 == 1) {
		ck_assert_int_eq(run_loads(u, &scripted, &line, NULL), LOADS);
		ck_assert_int_eq(run_loads(u, named("belady"), &line, NULL), reuse_fewest_loads(u));
	}
}

START_TEST(the_given_order_and_eviction_take_7_loads)
{
	struct figures f = {.each = run_some};
	struct reuse u = {.n_tasks = N_TASKS, .room = M};
	each_graph(&f, &u, 0, 0, 0);
	ck_assert_int_gt(f.n, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("belady");
	TCase *cases = tcase_create("belady");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, belady_loads_at_most_what_any_other_does);
	tcase_add_test(cases, belady_is_the_optimum);
	tcase_add_loop_test(cases, the_runtime_loads_what_the_model_does, 0, 60);
	tcase_add_test(cases, belady_in_the_best_order_is_the_minimum);
	tcase_add_test(cases, the_given_order_and_eviction_take_7_loads);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
