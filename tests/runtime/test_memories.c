/* Several main memories: cores and cards belong to one, and threads move data between them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_world.h"
#include "two_gpus.h"

/* --- random nodes ------------------------------------------------------------------------------------------------- */

enum { SEEDS = 2 };

START_TEST(random_runs_are_valid)
{
	const unsigned shape = ((unsigned)_i & ~(unsigned)DISK) | MAINS;
	int n_policies = 0, first = random_number("FIRST", 0), count = random_number("COUNT", SEEDS);
	while (tw__policies[n_policies])
		n_policies++;
	for (int seed = first; seed < first + count; seed++) {
		const char *runtime = random_runtimes[(seed + (int)shape) % N_RANDOM_RUNTIMES];
		const char *policy = tw__policies[(seed * N_SHAPES + _i) % n_policies]->name;
		struct world w;
		char homes[300];
		snprintf(homes, sizeof homes, "%s:homes=%s", runtime, (seed + _i) % 2 ? "interleaved" : "first");
		random_world(&w, (uint64_t)seed * 2 + ((unsigned)_i & DISK ? 1 : 0), shape, runtime);
		world_must_run(&w,
		               &(struct setting){.policy = policy,
		                                 .eviction = seed % 2 ? "fifo" : "lru",
		                                 .runtime = homes,
		                                 .seed = (uint64_t)seed},
		               policy);
		world_finish(&w);
	}
}
END_TEST

/* --- by hand ------------------------------------------------------------------------------------------------------ */

/* A core at each main memory, 1 GB/s between these, and two GPUs at 2 GB/s: "far" is near RAM1, and may have a route of
 * 1 GB/s to RAM. Handles start in RAM. */
#define NODE(far_route)                                                                                             \
	LINES("<host id='C0' speed='1Gf'><prop id='arch' value='cpu'/></host>"                                      \
	      "<host id='C1' speed='1Gf'><prop id='arch' value='cpu'/><prop id='main_memory' value='RAM1'/></host>" \
	      "<host id='X' speed='1Gf'><prop id='arch' value='cpu'/></host>"                                       \
	      "<host id='Y' speed='1Gf'><prop id='arch' value='cpu'/></host>"                                       \
	      "<host id='RAM' speed='1f'><prop id='role' value='memory'/></host>"                                   \
	      "<host id='RAM1' speed='1f'><prop id='role' value='memory'/></host>"                                  \
	      "<host id='near' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"     \
	      "<host id='far' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/>"             \
	      "<prop id='main_memory' value='RAM1'/></host>"                                                        \
	      "<link id='between' bandwidth='1GBps' latency='0s'/><link id='a' bandwidth='2GBps' latency='0s'/>"    \
	      "<link id='b' bandwidth='2GBps' latency='0s'/><link id='c' bandwidth='1GBps' latency='0s'/>"          \
	      "<route src='RAM' dst='RAM1'><link_ctn id='between'/></route>"                                        \
	      "<route src='RAM' dst='near'><link_ctn id='a'/></route>"                                              \
	      "<route src='RAM1' dst='far'><link_ctn id='b'/></route>" far_route)
static const char indirect[] = NODE("");
static const char direct[] = NODE("<route src='RAM' dst='far'><link_ctn id='c'/></route>");

/* A chain of tasks, which read and write one handle of 1 MB, and take 1 ms. Kernel "a" runs in domain one, and "b" in
 * domain two. */
static void make_chain(struct world *w, const char *xml, const char *kernels)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, xml, &(struct tw__platform_choice){.cpus = 2, .gpus = 2});
	w->graph = tw_graph_create();
	tw_kernel of[] = {tw_graph_kernel(w->graph, "a", "1", "s", 1), tw_graph_kernel(w->graph, "b", "1", "s", 1)};
	tw_data d = tw_graph_data(w->graph, MB);
	for (const char *k = kernels; *k; k++)
		tw_graph_submit(w->graph, of[*k - 'a'], 0, &(struct tw_access){d, TW_RW}, 1);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3, 1e-3, 1e-3});
}

START_TEST(makespans_by_hand)
{
	static const struct {
		const char *xml, *kernels, *policy;
		double makespan_s;
	} cases[] = {
		{indirect, "a", "one=C0:eager+two=C0:eager", 1e-3},     /* the core sees the handle's memory */
		{indirect, "a", "one=C1:eager+two=C0:eager", 2e-3},     /* 1 ms from RAM to RAM1 */
		{indirect, "a", "one=near:eager+two=C0:eager", 1.5e-3}, /* 0.5 ms to the card */
		{indirect, "a", "one=far:eager+two=C0:eager", 2.5e-3},  /* 1 ms to RAM1, 0.5 ms to the card */
		{direct, "a", "one=far:eager+two=C0:eager", 2e-3},      /* 1 ms to the card */
		{indirect, "ab", "one=C1:eager+two=C0:eager", 4e-3},    /* 1 ms there, 1 ms back */
		{indirect, "ab", "one=far:eager+two=C1:eager", 4e-3},   /* 1 + 0.5 ms there; 0.5 ms back to RAM1 */
		{indirect, "ab", "one=far:eager+two=C0:eager", 5e-3},   /* and 1 ms more to RAM */
		{indirect, "aa", "one=C1:eager+two=C0:eager", 3e-3},    /* the handle stays in RAM1 */
		{indirect, "ab", "one=near:eager+two=far:eager",
	         4.5e-3}, /* 0.5 ms there; 0.5 + 1 + 0.5 ms to the other card */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make_chain(&w, cases[i].xml, cases[i].kernels);
		struct setting s = {.policy = cases[i].policy, .assign = "b=two", .runtime = "ideal:gpu_pipeline=1"};
		struct outcome o = world_must_run(&w, &s, cases[i].policy);
		ck_assert_msg(o.counters.makespan == tw__ns_of(cases[i].makespan_s),
		              "case %d, %s: %.9f s, expected %.9f", (int)i, cases[i].policy,
		              tw__seconds(o.counters.makespan), cases[i].makespan_s);
		world_finish(&w);
	}
}
END_TEST

/* Two cards of HANNIBAL (Augonnet 2011, figure 3.18), driven from cores at RAM. GPU 2 is near that memory, GPU 0 is
 * far. Bandwidths in GB/s there and back: near 6.4 and 7.4, far 5.6 and 5.1. */
static const char hannibal[] =
	LINES("<host id='C0' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host>"
              "<host id='RAM' speed='1f'><prop id='role' value='memory'/></host>"
              "<host id='RAM1' speed='1f'><prop id='role' value='memory'/></host>"
              "<host id='GPU0' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='3GB'/>"
              "<prop id='main_memory' value='RAM1'/></host>"
              "<host id='GPU2' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='3GB'/></host>"
              "<link id='qpi' bandwidth='10GBps' latency='0s'/>"
              "<link id='near-there' bandwidth='6.4GBps' latency='0s'/>"
              "<link id='near-back' bandwidth='7.4GBps' latency='0s'/>"
              "<link id='far-there' bandwidth='5.6GBps' latency='0s'/>"
              "<link id='far-back' bandwidth='5.1GBps' latency='0s'/>"
              "<route src='RAM' dst='RAM1'><link_ctn id='qpi'/></route>"
              "<route src='RAM' dst='GPU2' symmetrical='NO'><link_ctn id='near-there'/></route>"
              "<route src='GPU2' dst='RAM' symmetrical='NO'><link_ctn id='near-back'/></route>"
              "<route src='RAM' dst='GPU0' symmetrical='NO'><link_ctn id='far-there'/></route>"
              "<route src='GPU0' dst='RAM' symmetrical='NO'><link_ctn id='far-back'/></route>"
              "<route src='RAM1' dst='GPU0'><link_ctn id='near-there'/></route>");

/* A card changes the handle of 1 MB, and then a core does: 1 ms each, and the way there and back. */
START_TEST(near_and_far_cards)
{
	static const struct {
		const char *policy;
		double there, back; /* GB/s */
	} cases[] = {{"one=GPU2:eager+two=cpu:eager", 6.4, 7.4}, {"one=GPU0:eager+two=cpu:eager", 5.6, 5.1}};
	for (int i = 0; i < 2; i++) {
		struct world w;
		make_chain(&w, hannibal, "ab");
		struct setting s = {.policy = cases[i].policy, .assign = "b=two", .runtime = "ideal:gpu_pipeline=1"};
		struct outcome o = world_must_run(&w, &s, cases[i].policy);
		double expected_s = MB / (cases[i].there * 1e9) + MB / (cases[i].back * 1e9) + 2e-3;
		ck_assert_msg(fabs(tw__seconds(o.counters.makespan) - expected_s) < 3e-9, "%s: %.9f s, expected %.9f",
		              cases[i].policy, tw__seconds(o.counters.makespan), expected_s);
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("memories");
	TCase *cases = tcase_create("memories");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, random_runs_are_valid, 0, N_SHAPES_RECORDED);
	tcase_add_test(cases, makespans_by_hand);
	tcase_add_test(cases, near_and_far_cards);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
