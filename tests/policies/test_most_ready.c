/* The readiest task of a long queue: the order that is kept agrees with a look at all tasks, and so does the number of
 * tasks that Ready looks at. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/lacks.h"
#include "world.h"

/* Tasks go to the GPUs in turn. Each GPU takes the readiest of its own tasks, and prefetches the data of the tasks it
 * is given. */
enum { GPUS = 3, TASKS_OF_A_LEVEL = 2000 };

struct ours {
	struct tw_lacks lacks;
	struct tw_task_queue queues[GPUS];
	int next;
	int64_t looks; /* tasks that a walk looks at, from the oldest to the first one that lacks nothing */
	int kept;      /* pops of a queue that keeps what tasks lack */
	int forgotten; /* pops of a queue that has just stopped keeping it */
	bool prefetch, levels, keeps[GPUS];
};

static bool with_prefetch, with_levels;

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct ours *o = state;
	(void)err;
	*o = (struct ours){.prefetch = with_prefetch, .levels = with_levels};
	tw_lacks_init(&o->lacks, s);
	struct tw_task_link *links = tw_task_links_create(s);
	for (int q = 0; q < GPUS; q++)
		tw_task_queue_init(&o->queues[q], s, links);
	return TW_OK;
}

/* Aborts if the run did not exercise the code under test; the run is in a process of its own. */
static void finish(struct tw_sched *s, void *state)
{
	struct ours *o = state;
	tw_report(s, "walked", (double)o->looks);
	if (tw_looks_cost(s)) /* the cost moves pops, which may then exercise less */
		return;
	if (o->kept == 0 || (o->forgotten == 0 && !o->levels))
		abort();
}

static int32_t level(const struct ours *o, tw_task task) { return o->levels ? -(task / TASKS_OF_A_LEVEL) : 0; }

static tw_worker worker_of(const struct tw_sched *s, int queue)
{
	tw_worker w = 0;
	while (!tw_worker_is_accelerator(s, w) || queue-- > 0)
		w++;
	return w;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct ours *o = state;
	int q = o->next++ % GPUS;
	(void)released_by;
	tw_task_queue_add(&o->queues[q], task, level(o, task));
	if (o->prefetch)
		tw_prefetch_task(s, task, tw_worker_node(s, worker_of(s, q)));
	tw_wake(s, worker_of(s, q));
}

static tw_task readiest_of_all(const struct tw_task_queue *q, const struct tw_sched *s, tw_node node, int64_t *looks)
{
	struct tw_lack least = TW_LACKS_ALL;
	tw_task best = TW_NONE;
	for (tw_task t = tw_task_queue_oldest(q); t != TW_NONE; t = q->links[t].behind) {
		*looks += least.not_valid > 0;
		if (tw_task_lacks_less(s, t, node, &least))
			best = t;
	}
	return best;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct ours *o = state;
	int i = 0;
	if (!tw_worker_is_accelerator(s, worker))
		return TW_NONE;
	while (worker_of(s, i) != worker)
		i++;
	struct tw_task_queue *q = &o->queues[i];
	tw_node node = tw_worker_node(s, worker);
	tw_task expected = readiest_of_all(q, s, node, &o->looks), task = tw_task_queue_most_ready(q, &o->lacks, node);
	if (task != expected) {
		fprintf(stderr, "took task %d, not %d\n", (int)task, (int)expected);
		abort();
	}
	bool kept = q->n_levels > 0 && q->levels[q->n_levels - 1].by_lacks;
	o->forgotten += o->keeps[i] && !kept && q->n_tasks > 1;
	o->kept += o->keeps[i] = kept;
	if (task != TW_NONE)
		tw_task_queue_remove(q, task, level(o, task));
	return task;
}

static const struct tw_policy policy = {
	.abi = TW_POLICY_ABI,
	.name = "ours",
	.summary = "",
	.state_size = sizeof(struct ours),
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
};

/* Room for all data, for a tenth, and for a few tasks. */
static const uint64_t memory[] = {UINT64_C(5000000000), 300000000, 80000000};

START_TEST(what_is_kept_is_what_looking_says)
{
	struct world w;
	world_mirage(&w, 1, GPUS, memory[_i % 3], "cholesky:nt=40");
	with_prefetch = _i / 3 % 2;
	with_levels = _i / 6;
	world_must_run(&w, &(struct setting){.own_policy = &policy, .runtime = "starpu"}, "most ready");
	struct setting setting = {.own_policy = &policy, .runtime = "starpu:scan_cost=1ns"};
	struct outcome o = world_must_run(&w, &setting, "looks");
	int figure = 0;
	while (strcmp(o.counters.figures[figure].name, "walked") != 0)
		figure++;
	ck_assert_int_gt(o.counters.looks, 0);
	ck_assert_int_eq(o.counters.looks, (int64_t)o.counters.figures[figure].value);
	world_finish(&w);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("most ready");
	TCase *cases = tcase_create("most ready");
	tcase_set_timeout(cases, 120);
	/* every fifth has each memory, prefetches or none, and levels or none */
	for (int i = 0; i<12; i += world_every()> 1 ? 5 : 1)
		tcase_add_loop_test(cases, what_is_kept_is_what_looking_says, i, i + 1);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
