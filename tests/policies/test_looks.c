/* How many candidates policies look at, for queues made by hand. Tasks are independent, and each reads one handle. They
 * all are ready before a worker asks, each worker holds one task, and nothing but looks costs time. */
#include <stdlib.h>
#include <string.h>

#include "platform/choice.h"
#include "world.h"

enum { DATA_BYTES = 1 << 20, LOOK_NS = 1000, SECONDS = 1 };

struct queue {
	const char *policy;
	/* A letter for each task. It names the handle that the task reads; capitals have the priority 1, others 0. A
	 * task '-' reads a handle of its own, and only cores can run it; all other tasks are for GPUs alone, with two
	 * GPUs for all workers. */
	const char *tasks;
	int64_t looks, decision_looks;
	int room; /* number of handles that fit in the memory of a GPU; 0: all */
	const char *eviction;
	int cpus, gpus; /* 0 and 0: one GPU */
};

/* Ready looks at the queued tasks of the highest priority, up to the first one that lacks nothing. */
static const struct queue ready[] = {
	{"dmdar:prefetch=no", "abc", 3 + 2 + 1, 0, 0, NULL, 0, 0},
	{"dmdar:prefetch=no", "aaaa", 4 + 1 + 1 + 1, 0, 0, NULL, 0, 0},
	{"dmdar:prefetch=no", "abab", 4 + 2 + 2 + 1, 0, 0, NULL, 0, 0},
	{"dmdas:prefetch=no", "abc", 3 + 2 + 1, 0, 0, NULL, 0, 0},
	{"dmdas:prefetch=no", "AaBbb", 2 + 1 + 1 + 1 + 1, 0, 0, NULL, 0, 0},
	{"dmdas:prefetch=no", "ABaCbc", 3 + 2 + 1 + 1 + 1 + 1, 0, 0, NULL, 0, 0},
};

/* The policies with lists made before the run: Ready among the tasks of a list, or the first task of it. Packing counts
 * each package that has a handle of the package looked at; orders count pairs of tasks that share a handle. */
static const struct queue lists[] = {
	{"hfp", "abc", 3 + 2 + 1, 3 + 3 + 1 + 1 + 1, 0, NULL, 0, 0},
	{"hfp", "aaaa", 4 + 1 + 1 + 1, (4 + 3 + 2 + 1) + (4 + 2) + (2 + 1) + 2, 0, NULL, 0, 0},
	{"hfp", "abab", 4 + 1 + 2 + 1, (2 + 2 + 1 + 1) + (2 + 2) + 2 + 2 + 1, 0, NULL, 0, 0},
	{"hfp:ready=no", "abab", 4, 15, 0, NULL, 0, 0},
	{"metis", "aaaa", 2 + 1 + 2 + 1, 16 + 2 * (2 + 1 + 2), 0, NULL, 0, 2},
	{"mst", "abc", 3, 3, 0, NULL, 0, 0},
	{"mst", "aaaa", 4, 16, 0, NULL, 0, 0},
	{"mst", "abab", 4, 8, 0, NULL, 0, 0},
	{"rcm", "abc", 3, 3 + 2 * 3, 0, NULL, 0, 0},
	{"rcm", "aaaa", 4, 16 + 2 * 4, 0, NULL, 0, 0},
	{"rcm", "abab", 4, 8 + 2 * 4, 0, NULL, 0, 0},
	{"heft", "abc", 0, 3, 0, NULL, 0, 0},
	{"heft", "abc", 0, 3 * 2, 0, NULL, 0, 2},
	{"heft", "-a-", 0, 1 + 1 + 1, 0, NULL, 1, 1},
};

/* Handles: those that the unit lacks and that ready tasks use. data_first also looks at its taskBuffer. */
static const struct queue handles[] = {
	{"darts:buffer=0", "abc", 3 + 2 + 1, 0, 0, "lru", 0, 0},
	{"darts:buffer=0", "aaaa", 1, 0, 0, "lru", 0, 0},
	{"darts:buffer=0", "abab", 2 + 1, 0, 0, "lru", 0, 0},
	{"data_first:buffer=0", "abc", 3 + 2 + 1 + 3, 0, 0, "lru", 0, 0},
	{"data_first:buffer=0", "aaaa", 1 + 4, 0, 0, "lru", 0, 0},
	{"data_first:buffer=0", "abab", 2 + 1 + 4, 0, 0, "lru", 0, 0},
	{"dynamic_outer", "abc", 3 + 2 + 1, 0, 0, "lru", 0, 0},
	{"dynamic_outer", "aaaa", 1, 0, 0, "lru", 0, 0},
	{"dynamic_outer", "abab", 2 + 1, 0, 0, "lru", 0, 0},
};

/* One look for each task that the worker cannot run, and for each queue that a thief tries. */
static const struct queue queues[] = {
	{"eager", "abc", 1 + 1 + 1, 0, 0, NULL, 0, 0},
	{"eager", "a", 1, 0, 0, NULL, 0, 0},
	{"eager", "--a", 3 + 1 + 1, 0, 0, NULL, 1, 1},
	{"ws", "aaaa", 0, 0, 0, NULL, 0, 2},
	{"ws", "aaa", 1 + 1, 0, 0, NULL, 1, 2}, /* the core may not run the GPU's second task, and the other GPU may */
	{"ws", "a-a", 0, 0, 0, NULL, 1, 2},
	{"lws", "aaaa", 0, 0, 0, NULL, 0, 2},
	{"lws", "aaa", 1 + 1, 0, 0, NULL, 1, 2},
	{"lws", "a-a", 0, 0, 0, NULL, 1, 2},
};

/* Queues with tasks: each bucket, list of a bucket and memory, queue of a type, or worker that keeps tasks. */
static const struct queue buckets[] = {
	{"heteroprio", "abc", 3, 0, 0, NULL, 0, 0},
	{"heteroprio", "aaaa", 4, 0, 0, NULL, 0, 0},
	{"heteroprio", "a--a", 2 + 2, 0, 0, NULL, 1, 1},
	{"heteroprio_auto", "abc", 3, 0, 0, NULL, 0, 0},
	{"heteroprio_auto", "aaaa", 4, 0, 0, NULL, 0, 0},
	{"heteroprio_auto", "a--a", 2 + 2, 0, 0, NULL, 1, 1},
	{"laheteroprio", "abc", 3, 0, 0, NULL, 0, 0},
	{"laheteroprio", "aaaa", 4, 0, 0, NULL, 0, 0},
	{"laheteroprio", "a--a", 2 + 2, 0, 0, NULL, 1, 1},
	{"laheteroprio", "aaab", 4, 0, 0, NULL, 0, 2},
	{"laheteroprio", "a-", 2, 0, 0, NULL, 1, 1},
	{"heteroprio_types", "abc", 3, 0, 0, NULL, 0, 0},
	{"heteroprio_types", "aaaa", 4, 0, 0, NULL, 0, 0},
	{"heteroprio_types", "a--a", 2 + 2, 0, 0, NULL, 1, 1},
	/* the GPU looks at the core's second task, which it cannot run: after its own task, and when that one starts */
	{"heteroprio_types:spoliation=any", "a--", 1 + 2 + 2, 0, 0, NULL, 1, 1},
};

/* Victims: belady looks at all handles that may leave. The others stop at one that no task needs. */
static const struct queue victims[] = {
	{"hfp:ready=no", "abc", 3 + 2, 9, 2, "belady", 0, 0},
	{"hfp:ready=no", "abcd", 4 + 2 + 2, 4 + 4 + 1 + 1 + 4 + 2, 2, "belady", 0, 0},
	{"hfp:ready=no", "abcd", 4 + 3, 4 + 4 + 1 + 1 + 4 + 2, 3, "belady", 0, 0},
	{"dynamic_outer", "abc", 3 + 2 + 1 + 1, 0, 2, "luf", 0, 0},
	{"dynamic_outer", "abcd", 4 + 3 + 2 + 1 + 2, 0, 2, "luf", 0, 0},
	{"dynamic_outer", "abcd", 4 + 3 + 2 + 1 + 1, 0, 3, "luf", 0, 0},
	{"darts:buffer=0", "abc", 3 + 2 + 1 + 1, 0, 2, "darts", 0, 0},
	{"darts:buffer=0", "abcd", 4 + 3 + 2 + 1 + 2, 0, 2, "darts", 0, 0},
	{"darts:buffer=0", "abcd", 4 + 3 + 2 + 1 + 1, 0, 3, "darts", 0, 0},
};

static void make(struct world *w, const struct queue *q)
{
	struct tw__platform_choice choice = {.cpus = q->cpus, .gpus = q->gpus ? q->gpus : 1};
	struct tw__platform *all;
	struct tw_error err;
	char *kernels;
	choice.gpu_mem_bytes = (uint64_t)q->room * DATA_BYTES;
	ck_assert_int_eq(tw__platform_find(&all, &kernels, "mirage", &err), TW_OK);
	ck_assert_int_eq(tw__platform_select(&w->platform, all, &choice, &err), TW_OK);
	tw__platform_destroy(all);
	free(kernels);
	w->graph = tw_graph_create();
	tw_kernel on_gpus = tw_graph_kernel(w->graph, "read", "1", "b", 1);
	tw_kernel on_cores = tw_graph_kernel(w->graph, "core", "1", "b", 1);
	tw_data of_letter['z' + 1];
	memset(of_letter, 0xff, sizeof of_letter);
	for (const char *task = q->tasks; *task; task++) {
		int letter = *task >= 'A' && *task <= 'Z' ? *task - 'A' + 'a' : *task;
		if (letter == '-' || of_letter[letter] < 0)
			of_letter[letter] = tw_graph_data(w->graph, DATA_BYTES);
		struct tw_access access = {of_letter[letter], TW_R};
		tw_graph_submit(w->graph, letter == '-' ? on_cores : on_gpus, letter != *task, &access, 1);
	}
	ck_assert_int_eq(tw_graph_finish(w->graph, &err), TW_OK);
	double seconds[2 * 8];
	for (int a = 0; a < w->platform->n_archs; a++) {
		bool gpu = w->platform->archs[a].accelerator;
		seconds[a] = gpu ? SECONDS : NAN;
		seconds[w->platform->n_archs + a] = gpu ? NAN : SECONDS;
	}
	world_times(w, seconds);
}

static struct outcome run(const struct world *w, const struct queue *q, const char *runtime)
{
	struct setting setting = {.policy = q->policy, .eviction = q->eviction, .runtime = runtime};
	return world_must_run(w, &setting, q->policy);
}

static void check_queue(const struct queue *q)
{
	struct world w;
	make(&w, q);
	struct outcome free_of_cost = run(&w, q, "ideal:gpu_pipeline=1:order=id");
	struct outcome o = run(&w, q, "ideal:gpu_pipeline=1:order=id:scan_cost=1us");
	int64_t looks = o.counters.looks - o.counters.decision_looks;
	ck_assert_msg(looks == q->looks, "%s, tasks %s: %lld looks, not %lld", q->policy, q->tasks, (long long)looks,
	              (long long)q->looks);
	ck_assert_msg(o.counters.decision_looks == q->decision_looks,
	              "%s, tasks %s: %lld looks before the run, not %lld", q->policy, q->tasks,
	              (long long)o.counters.decision_looks, (long long)q->decision_looks);
	ck_assert_int_eq(free_of_cost.counters.looks, 0);
	/* One worker waits for each of its looks. */
	if (!q->cpus && q->gpus < 2)
		ck_assert_int_eq(o.counters.makespan - free_of_cost.counters.makespan, looks * LOOK_NS);
	world_finish(&w);
}

#define N_OF(array) ((int)(sizeof(array) / sizeof *(array)))

START_TEST(ready_counts_up_to_the_first_that_lacks_nothing) { check_queue(&ready[_i]); }
END_TEST

START_TEST(lists_count_before_and_during_the_run) { check_queue(&lists[_i]); }
END_TEST

START_TEST(handles_count_once_per_choice) { check_queue(&handles[_i]); }
END_TEST

START_TEST(scanned_queues_count) { check_queue(&queues[_i]); }
END_TEST

START_TEST(buckets_with_tasks_count) { check_queue(&buckets[_i]); }
END_TEST

START_TEST(victims_count) { check_queue(&victims[_i]); }
END_TEST

int main(void)
{
	Suite *suite = suite_create("looks");
	TCase *cases = tcase_create("looks");
	tcase_add_loop_test(cases, ready_counts_up_to_the_first_that_lacks_nothing, 0, N_OF(ready));
	tcase_add_loop_test(cases, lists_count_before_and_during_the_run, 0, N_OF(lists));
	tcase_add_loop_test(cases, handles_count_once_per_choice, 0, N_OF(handles));
	tcase_add_loop_test(cases, scanned_queues_count, 0, N_OF(queues));
	tcase_add_loop_test(cases, buckets_with_tasks_count, 0, N_OF(buckets));
	tcase_add_loop_test(cases, victims_count, 0, N_OF(victims));
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
