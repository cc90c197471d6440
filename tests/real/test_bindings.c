/* Two main memories on a machine with two NUMA nodes, as HWLOC_SYNTHETIC describes it: each memory is bound to its
 * node, and each thread to cores of its memory's node. A parallel task computes on the cores of its team. No such
 * machine is needed: asked.c notes bindings, and binds nothing. With $SCENE_CUDA the accelerator is a GPU of the
 * stand-in for CUDA, which a core of its own node drives. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../platform/asked.h"
#include "scene.h"

/* Core c has the processors 2c and 2c + 1. Each node has a core more than the platform's main memory. */
enum { N_MAINS = 2, CORES = 4, PROCESSORS = 2 * CORES, CPUS = 3, MOST_KERNELS = 16, MOST_TASKS = 256 };

static const struct scene *scene;
static const struct tw_codelet *right[MOST_KERNELS];
static struct tw_codelet watched[MOST_KERNELS];
static atomic_int n_operands, n_elsewhere, n_parts;
static _Atomic unsigned long cores_of[MOST_TASKS]; /* where the parts of each task were computed */

/* Returns the NUMA node that has been asked for an address; negative: none. */
static int node_of(const void *at)
{
	int n;
	const struct asked *all = asked(&n);
	for (int i = 0; i < n; i++)
		if (all[i].at && (const char *)at >= (const char *)all[i].at &&
		    (const char *)at < (const char *)all[i].at + all[i].bytes)
			return (int)all[i].set;
	return -1;
}

/* Looks whether the operands are in memory of the node near the thread, and runs the kernel, or a part of it. */
static int watch(const struct tw_call *call)
{
	ck_assert_int_lt(call->task, MOST_TASKS);
	cores_of[call->task] |= 1UL << asked_here();
	n_parts += call->n_parts > 1;
	for (int i = 0; i < call->n_operands; i++) {
		n_operands++;
		n_elsewhere += asked_here() < 0 || node_of(call->operands[i].at) != asked_here() / PROCESSORS;
	}
	return right[scene->graph->kernel[call->task]]->run(call);
}

static void tamper(void *context, struct tw__job *job)
{
	(void)context;
	if (job->is_copy || scene->platform->archs[scene->platform->workers[job->worker].arch].accelerator)
		return;
	const tw_kernel k = scene->graph->kernel[job->task];
	ck_assert_int_lt(k, MOST_KERNELS);
	if (!right[k]) { /* other threads may be reading it later */
		right[k] = job->codelet;
		watched[k] = *job->codelet;
		watched[k].run = watch;
	}
	job->codelet = &watched[k];
}

static void write_platform(const char *path)
{
	FILE *f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs("<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">", f);
	for (int m = 0; m < N_MAINS; m++)
		fprintf(f,
		        "<host id=\"S%d\" speed=\"1Gf\" core=\"%d\"><prop id=\"arch\" value=\"cpu\"/>"
		        "<prop id=\"main_memory\" value=\"RAM%d\"/></host>"
		        "<host id=\"RAM%d\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host>",
		        m, CPUS, m, m);
	fputs("<host id=\"GPU\" speed=\"1Gf\"><prop id=\"arch\" value=\"gpu\"/><prop id=\"memory\" value=\"4MiB\"/>"
	      "<prop id=\"main_memory\" value=\"RAM0\"/></host>"
	      "<link id=\"l\" bandwidth=\"4GBps\" latency=\"1us\"/>"
	      "<route src=\"RAM0\" dst=\"RAM1\"><link_ctn id=\"l\"/></route>"
	      "<route src=\"RAM0\" dst=\"GPU\"><link_ctn id=\"l\"/></route></zone></platform>",
	      f);
	ck_assert_int_eq(fclose(f), 0);
}

/* Counts the threads that were bound to one processor of the node, each to another one, and those to all of them. */
static void count_threads(int node, int *to_one, int *to_all)
{
	int n;
	bool seen[PROCESSORS] = {false};
	const struct asked *all = asked(&n);
	*to_one = *to_all = 0;
	for (int i = 0; i < n; i++) {
		const int processor = (int)all[i].set - node * PROCESSORS;
		if (all[i].at || processor < 0 || processor >= PROCESSORS)
			continue;
		*to_all += all[i].n_set == PROCESSORS;
		if (all[i].n_set > 1)
			continue;
		ck_assert_int_eq(processor % 2, 0);
		ck_assert(!seen[processor]);
		seen[processor] = true;
		++*to_one;
	}
}

START_TEST(memory_and_threads_are_bound_to_nodes)
{
	static const char *const homes[] = {"first", "interleaved", "first_touch"};
	const bool is_parallel = _i >= 3;
	struct scene s;
	char path[64], runtime[64];
	snprintf(path, sizeof path, "bindings-%d.xml", (int)getpid());
	snprintf(runtime, sizeof runtime, "real:homes=%s", homes[_i % 3]);
	write_platform(path);
	pretend("numa:2 core:4 pu:2");
	scene = &s;
	scene_init(&s, &(struct scene_words){.workload = "lu:nt=6:nb=48",
	                                     .platform = path,
	                                     .policy = is_parallel ? "parallel_greedy" : "random",
	                                     .cpus = TW__ALL_WORKERS,
	                                     .max_parallelism = is_parallel ? CPUS : 0,
	                                     .runtime = runtime});
	remove(path);
	s.config.tamper = tamper;
	ck_assert_msg(scene_run(&s) == TW_OK, "%s", s.err.message);
	ck_assert_int_gt(n_operands, 40);
	ck_assert_int_eq(n_elsewhere, 0);
	int n_alone = 0, n_cores = 0;
	for (tw_task t = 0; t < s.graph->n_tasks; t++) {
		const int n_of_task = __builtin_popcountl(cores_of[t]);
		n_alone += n_of_task == 1;
		n_cores += n_of_task;
	}
	ck_assert_int_eq(n_cores, n_alone + n_parts); /* each part of a task has a core of its own */
	ck_assert_int_eq(n_parts > 0, is_parallel);

	int n, n_areas[N_MAINS] = {0}, to_one, to_all;
	const struct asked *all = asked(&n);
	for (int i = 0; i < n; i++)
		if (all[i].at) {
			ck_assert_int_eq(all[i].n_set, 1);
			n_areas[all[i].set]++;
		}
	/* an emulated accelerator's memory is bound to the node that it is near */
	ck_assert_int_eq(n_areas[0], 2 - scene_uses_cuda());
	ck_assert_int_eq(n_areas[1], 1);
	count_threads(0, &to_one, &to_all);
	ck_assert_int_eq(to_one, CPUS - 1 + scene_uses_cuda()); /* an emulated GPU has no thread that drives it */
	ck_assert_int_eq(to_all, 1);
	count_threads(1, &to_one, &to_all);
	ck_assert_int_eq(to_one, CPUS);
	ck_assert_int_eq(to_all, 1);
	scene_finish(&s);
}
END_TEST

START_TEST(too_few_cores_at_a_node_are_refused)
{
	struct scene s;
	char path[64];
	snprintf(path, sizeof path, "bindings-%d.xml", (int)getpid());
	write_platform(path);
	pretend("numa:2 core:2 pu:1");
	scene_init(&s, &(struct scene_words){.workload = "lu:nt=3:nb=48", .platform = path, .cpus = TW__ALL_WORKERS});
	remove(path);
	ck_assert_int_eq(scene_run(&s), TW_INVALID);
	ck_assert_str_eq(s.err.message,
	                 "engine 'real': worker 'S1.2' needs core 2 near memory 'RAM1': this machine has 2 "
	                 "there: expected fewer --cpus, or --emulate memories=2");
	scene_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bindings");
	TCase *cases = tcase_create("bindings");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, memory_and_threads_are_bound_to_nodes, 0, 6);
	tcase_add_test(cases, too_few_cores_at_a_node_are_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
