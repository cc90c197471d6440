/* Buckets that the user describes: the example of Bramas 2019, sections "Multi-priorities" and "Speedup factors".
 *
 * "This means that for the example given in the section Multi-Priorities, we have two arrays of four items for the
 * different operations, one to tell which processing units is the fastest, and a second one to provide the speedup. The
 * description of the example tells us that the GPU cannot compute T_A, so CPU are the fastest by default, and that T_C
 * and T_C' are the same operation but with different granularities. As a results, the arrays could be Best = {CPU, GPU,
 * GPU, GPU} and Speedup = {1, 1.1, 1.4, 3}." */
#include <math.h>
#include <string.h>

#include "policies/support/buckets.h"
#include "two_gpus.h"

extern const struct tw_policy tw_policy_heteroprio;

enum { TA, TB, TC, TC_LARGE, N_KERNELS, TASKS_EACH = 20 };

#define ORDERS "cpu=ta+tb+tc@1+tc@2:gpu=tc@2+tc@1+tb"

/* The limits are for two GPUs: a core may take while a bucket holds more than 2 S tasks. */
static const struct described {
	const char *policy;
	int n_buckets, cpu_order[N_KERNELS], n_gpu, gpu_order[N_KERNELS];
	int cpu_from[N_KERNELS]; /* the least number of ready tasks with which a core may take from each bucket */
	int gpu_from[N_KERNELS]; /* the same for a GPU */
} described[] = {
	/* The paper's arrays: A_CPU = {0, 1, 2, 3}; A_GPU = {3, 2, ...}. */
	{"heteroprio:sizes=yes:" ORDERS ":best_cpu=ta:best_gpu=tb+tc:speedup=ta*1+tb*1.1+tc@1*1.4+tc@2*3",
         4,
         {TA, TB, TC, TC_LARGE},
         3,
         {TC_LARGE, TC, TB},
         {1, 3, 3, 7},
         {0, 1, 1, 1}},
	/* "only if there are six or more" for S = 3 and two GPUs */
	{"heteroprio:sizes=yes:at_least=yes:" ORDERS ":speedup=tb*1.1+tc*3+tc@1*1.4",
         4,
         {TA, TB, TC, TC_LARGE},
         3,
         {TC_LARGE, TC, TB},
         {1, 3, 3, 6},
         {0, 1, 1, 1}},
	/* From the times: S = 2, 1.6 and 8; cores first take the operations that they are least slow for. */
	{"heteroprio:sizes=yes", 4, {TA, TC, TB, TC_LARGE}, 3, {TC_LARGE, TB, TC}, {1, 5, 4, 17}, {0, 1, 1, 1}},
	/* One bucket for both sizes: S = (3.2 + 8) / (2 + 1). */
	{"heteroprio", 3, {TA, TB, TC}, 2, {TC, TB}, {1, 5, 8}, {0, 1, 1}},
	/* Cores as the best type, for which GPUs leave 2 x 1.4 tasks, or 2 x 1 / 2 by the times. */
	{"heteroprio:best_cpu=tb+tc:speedup=tc*1.4", 3, {TA, TB, TC}, 2, {TC, TB}, {1, 1, 1}, {0, 2, 3}},
	{"heteroprio:factor=2:speedup=tc*3", 3, {TA, TB, TC}, 2, {TC, TB}, {1, 9, 13}, {0, 1, 1}},
	{"heteroprio:factor=0:speedup=tc*3", 3, {TA, TB, TC}, 2, {TC, TB}, {1, 1, 1}, {0, 1, 1}},
};

static const struct described *at_hand;

static void fill(struct world *w)
{
	static const char *const names[] = {"ta", "tb", "tc", "tc"}, *const sizes[] = {"1", "1", "1", "2"};
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, two_gpus, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	w->graph = tw_graph_create();
	tw_graph_data(w->graph, MB);
	for (int k = 0; k < N_KERNELS; k++)
		tw_graph_kernel(w->graph, names[k], sizes[k], "s", 1);
	for (int i = 0; i < N_KERNELS * TASKS_EACH; i++)
		tw_graph_submit(w->graph, i / TASKS_EACH, 0, &(struct tw_access){0, TW_R}, 1);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){NAN, 1e-3, 1e-3, 2e-3, 2e-3, 3.2e-3, 1e-3, 8e-3});
}

static int check_order(const struct tw_buckets *b, tw_arch a, const int *order, int n, struct tw_error *err)
{
	if (b->n_ordered[a] != n)
		return tw_fail(err, TW_FAILED, "arch %d visits %d buckets", a, b->n_ordered[a]);
	for (int i = 0; i < n; i++)
		if (b->order[a][i] != order[i])
			return tw_fail(err, TW_FAILED, "arch %d visits bucket %d at place %d", a, b->order[a][i], i);
	return TW_OK;
}

/* Returns the least number of ready tasks with which the arch may take from the bucket; 0: never. */
static int least(struct tw_buckets *b, int bucket, tw_arch a)
{
	int32_t before = b->of[bucket].n_ready;
	int from = 0;
	for (int n = 1; n <= TASKS_EACH && !from; n++) {
		b->of[bucket].n_ready = n;
		from = (b->of[bucket].archs >> a & 1) && tw_buckets_may_take(b, bucket, a) ? n : 0;
	}
	b->of[bucket].n_ready = before;
	return from;
}

static int check(struct tw_buckets *b, struct tw_error *err)
{
	const struct described *d = at_hand;
	tw_arch cpu = b->is_accelerator[0], gpu = !cpu;
	int status = check_order(b, cpu, d->cpu_order, d->n_buckets, err);
	if (status == TW_OK)
		status = check_order(b, gpu, d->gpu_order, d->n_gpu, err);
	for (int i = 0; i < d->n_buckets && status == TW_OK; i++)
		if (least(b, i, cpu) != d->cpu_from[i] || least(b, i, gpu) != d->gpu_from[i])
			status = tw_fail(err, TW_FAILED, "bucket %d: cores from %d tasks, GPUs from %d", i,
			                 least(b, i, cpu), least(b, i, gpu));
	return status < 0 ? status : tw_fail(err, TW_FAILED, "as it should be");
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct tw_bucket_queues *q = state;
	int status = tw_policy_heteroprio.init(s, state, err);
	return status < 0 ? status : check(&q->buckets, err);
}

START_TEST(buckets_are_as_described)
{
	struct tw_policy policy = tw_policy_heteroprio;
	struct world w;
	policy.init = init;
	at_hand = &described[_i];
	fill(&w);
	struct outcome o = world_run(&w, &(struct setting){.policy = at_hand->policy, .own_policy = &policy});
	ck_assert_msg(!strcmp(o.err.message, "as it should be"), "%s: %s", at_hand->policy, o.err.message);
	world_finish(&w);
}
END_TEST

/* Runs to the end, of both policies. */
START_TEST(described_buckets_run)
{
	static const char *const policies[] = {
		"heteroprio:sizes=yes:" ORDERS ":best_cpu=ta:best_gpu=tb+tc:speedup=ta*1+tb*1.1+tc@1*1.4+tc@2*3",
		"laheteroprio:sizes=yes:" ORDERS ":best_cpu=ta:best_gpu=tb+tc:speedup=ta*1+tb*1.1+tc@1*1.4+tc@2*3",
		"laheteroprio:best_cpu=tb+tc:speedup=tc*1000000",
	};
	for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
		struct world w;
		fill(&w);
		struct outcome o = world_must_run(&w, &(struct setting){.policy = policies[i]}, policies[i]);
		ck_assert_int_eq(o.counters.tasks, N_KERNELS * TASKS_EACH);
		if (i == 2) /* GPUs leave one tb to the cores, and tc altogether */
			ck_assert_int_le(o.counters.gpu_tasks, TASKS_EACH);
		world_finish(&w);
	}
}
END_TEST

START_TEST(wrong_descriptions_are_refused)
{
	static const struct {
		const char *policy, *message;
	} wrong[] = {
		{"heteroprio:best_gpu=ta", "policy 'heteroprio': best_gpu: no GPU of this run can run tasks of 'ta'"},
		{"heteroprio:best_cpu=tb:best_gpu=tc+tb",
	         "policy 'heteroprio': best_gpu: 'tb': expected a kernel that best_cpu does not name"},
		{"heteroprio:speedup=tb*0",
	         "policy 'heteroprio': speedup: 'tb*0': expected a number from above 0 to 1e9 "
	         "behind the kernel's name, as in gemm*3"},
		{"heteroprio:speedup=tb", "policy 'heteroprio': speedup: 'tb': expected a number from above 0 to 1e9 "
	                                  "behind the kernel's name, as in gemm*3"},
		{"laheteroprio:speedup=tb*2s",
	         "policy 'laheteroprio': speedup: 'tb*2s': expected a number from above 0 "
	         "to 1e9 behind the kernel's name, as in gemm*3"},
		{"heteroprio:speedup=td*2",
	         "policy 'heteroprio': speedup: no kernel is named 'td': expected names of the "
	         "workload's kernels, joined by '+'"},
		{"heteroprio:cpu=tc@1", "policy 'heteroprio': cpu: no kernel is named 'tc@1': expected names of the "
	                                "workload's kernels, joined by '+'"},
		{"heteroprio:sizes=yes:cpu=tc@3",
	         "policy 'heteroprio': cpu: no kernel is named 'tc@3': expected names of "
	         "the workload's kernels, joined by '+'"},
		{"laheteroprio:setup=auto:sizes=yes",
	         "policy 'laheteroprio': setup=auto learns factors: expected neither "
	         "sizes, best_cpu, best_gpu nor speedup"},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct world w;
		fill(&w);
		struct outcome o = world_run(&w, &(struct setting){.policy = wrong[i].policy});
		ck_assert_int_lt(o.status, 0);
		ck_assert_str_eq(o.err.message, wrong[i].message);
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bucket rules");
	TCase *cases = tcase_create("bucket rules");
	tcase_add_loop_test(cases, buckets_are_as_described, 0, sizeof described / sizeof *described);
	tcase_add_test(cases, described_buckets_run);
	tcase_add_test(cases, wrong_descriptions_are_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
