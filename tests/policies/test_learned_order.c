/* The values that the automatic Heteroprio learns about three operations, on cores and a GPU or on one of the two.
 * Expected are the known times, and the score as learned_order.h defines it. */
#include <math.h>
#include <stdlib.h>

#include "learned.h"
#include "world.h"

static const char core_and_gpu[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='RAM' speed='1f'/><host id='C' speed='1Gf' core='3'><prop id='arch' value='core'/></host>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='0s' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";

enum { ROWS = 65, WIDTH = 4 };
static const double seconds_on[TW_N_UNITS][N_KERNELS] = {{4e-3, 1e-3, NAN}, {1e-3, 1e-3, 2e-3}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct learning *l = state;
	(void)err;
	tw_task_queue_init(&l->ready, s, tw_task_links_create(s));
	for (int k = 0; k < N_KERNELS; k++)
		l->operation_of[k] = TW_NONE;
	tw_learned_order_init(&l->order, s);
	return TW_OK;
}

struct finding {
	struct learning *l;
	struct tw_sched *s;
};

static int operation_of(void *context, tw_task task)
{
	const struct finding *f = context;
	tw_kernel kernel = tw_graph_task_kernel(tw_sched_graph(f->s), task);
	int *operation = &f->l->operation_of[kernel];
	const struct tw_learned_order *order = &f->l->order;
	bool on_cores = kernel != ALONE && order->n_workers[TW_PROCESSOR] > 0;
	if (*operation == TW_NONE)
		*operation = tw_learned_order_add(&f->l->order, f->s,
		                                  (const bool[]){on_cores, order->n_workers[TW_ACCELERATOR] > 0});
	const bool *runs_on = order->of[*operation].runs_on;
	if (runs_on[TW_PROCESSOR] != (on_cores || order->n_workers[TW_PROCESSOR] == 0) || !runs_on[TW_ACCELERATOR])
		tw_abort_run(f->s, "wrong types can run the operation"); /* a type without workers runs everything */
	return *operation;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct learning *l = state;
	struct finding finding = {l, s};
	bool is_last = task == tw_max_tasks(s) - 1;
	if (!tw_task_is_submitted(s, task) || (released_by == TW_NONE && !is_last && tw_task_is_submitted(s, task + 1)))
		tw_abort_run(s, "tasks behind the one being submitted count as submitted");
	operation_of(&finding, task); /* so that `before` knows it */
	struct tw_learned_order before = l->order;
	struct tw_learned_operation of[N_KERNELS];
	for (int i = 0; i < before.n; i++)
		of[i] = before.of[i];
	before.of = of;
	bool sorted;
	int operation = tw_learned_order_push(&l->order, s, task, operation_of, &finding, &sorted);
	l->n_sorted += sorted;
	if (sorted && !is_sorted(&l->order, &before))
		tw_abort_run(s, "the order does not follow the score");
	if (!push_is_learnt(l, s, task, operation))
		tw_abort_run(s, "wrong parts of tasks, or wrong released times");
	if (!is_held_back_rightly(&l->order))
		tw_abort_run(s, "processors are held back wrongly, or not held back");
	tw_task_queue_add(&l->ready, task, 0);
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct learning *l = state;
	tw_task task = tw_task_queue_oldest_for(&l->ready, s, worker);
	if (task != TW_NONE)
		tw_task_queue_remove(&l->ready, task, 0);
	return task;
}

static void started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct learning *l = state;
	(void)task;
	tw_learned_order_begin(&l->order, s, worker);
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct learning *l = state;
	int n = 0;
	tw_kernel kernel = tw_graph_task_kernel(tw_sched_graph(s), task);
	tw_learned_order_end(&l->order, s, l->operation_of[kernel], worker);
	if (++l->n_done == ROWS * WIDTH && l->n_sorted != (ROWS * WIDTH - 1) / 32)
		tw_abort_run(s, "the order is not recomputed every 32 tasks");
	for (int i = 0; i < l->order.n; i++)
		for (int u = 0; u < TW_N_UNITS; u++)
			n += l->order.of[i].n_seconds[u];
	if (n != l->n_done)
		tw_abort_run(s, "it learnt from tasks that have not ended");
	int unit = tw_unit_of(s, worker), *n_run = l->n_run[l->operation_of[kernel]];
	n_run[unit]++;
	for (int u = 0; u < TW_N_UNITS; u++)
		if (!is_near(l->order.of[l->operation_of[kernel]].taken[u], (double)n_run[u] / (n_run[0] + n_run[1])))
			tw_abort_run(s, "wrong parts of types");
	double known = l->order.of[l->operation_of[kernel]].seconds[unit];
	if (fabs(known - seconds_on[unit][kernel]) > 1e-9)
		tw_abort_run(s, "wrong times of kernels");
}

static const struct tw_policy policy = {.abi = TW_POLICY_ABI,
                                        .name = "learning",
                                        .summary = "",
                                        .state_size = sizeof(struct learning),
                                        .init = init,
                                        .push = push,
                                        .pop = pop,
                                        .started = started,
                                        .done = done};

/* Rows of tasks. Each task reads what one or two tasks of the row before wrote, and kernels alternate. Windows keep
 * submission from running ahead, so that some successors are not submitted yet. */
START_TEST(orders_follow_the_score_of_what_has_ended)
{
	static const struct {
		int cpus, gpus, shift, n_kernels;
		const char *runtime;
	} cases[] = {
		{2, 1, 0, N_KERNELS, "ideal"},          {2, 1, 1, N_KERNELS, "ideal"},
		{2, 1, 0, N_KERNELS, "ideal:window=6"}, {3, 0, 0, ALONE, "ideal:window=40"},
		{0, 1, 1, N_KERNELS, "ideal:window=5"},
	};
	int shift = cases[_i].shift;
	struct world w = {0};
	struct tw_error err = {""};
	world_platform(&w, core_and_gpu, &(struct tw__platform_choice){.cpus = cases[_i].cpus, .gpus = cases[_i].gpus});
	w.graph = tw_graph_create();
	tw_graph_kernel(w.graph, "both", "1", "s", 1);
	tw_graph_kernel(w.graph, "even", "1", "s", 1);
	tw_graph_kernel(w.graph, "alone", "1", "s", 1);
	for (int i = 0; i < ROWS * WIDTH; i++)
		tw_graph_data(w.graph, 8);
	for (int row = 0; row < ROWS; row++)
		for (int i = 0; i < WIDTH; i++) {
			struct tw_access access[3] = {{row * WIDTH + i, TW_W}};
			int n = 1;
			if (row > 0)
				access[n++] = (struct tw_access){(row - 1) * WIDTH + i, TW_R};
			if (row > 0 && i % 2 == shift)
				access[n++] = (struct tw_access){(row - 1) * WIDTH + (i + 1) % WIDTH, TW_R};
			tw_graph_submit(w.graph, (row + i * (1 + shift)) % cases[_i].n_kernels, 0, access, n);
		}
	ck_assert_msg(tw_graph_finish(w.graph, &err) == TW_OK, "%s", err.message);
	double times[N_KERNELS * TW_N_UNITS]; /* of the GPU, then of the core, if they take part */
	int n = 0;
	for (int k = 0; k < N_KERNELS; k++) {
		if (cases[_i].gpus)
			times[n++] = seconds_on[TW_ACCELERATOR][k];
		if (cases[_i].cpus)
			times[n++] = seconds_on[TW_PROCESSOR][k];
	}
	world_times(&w, times);
	struct outcome o =
		world_must_run(&w, &(struct setting){.own_policy = &policy, .runtime = cases[_i].runtime}, "learning");
	ck_assert_int_eq(o.counters.tasks, ROWS * WIDTH);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("learned order");
	TCase *cases = tcase_create("learned order");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, orders_follow_the_score_of_what_has_ended, 0, 5);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
