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
		static const char *const starts[] = {"first", "interleaved", "first_touch"};
		snprintf(homes, sizeof homes, "%s:homes=%s", runtime, starts[(seed + _i) % 3]);
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

/* A core at each main memory, with 1 GB/s between these. X and Y drive two GPUs at 2 GB/s: "far" is near RAM1, and may
 * have a route of 1 GB/s to RAM. Handles start in RAM. */
#define NODE(far_route)                                                                                             \
	LINES("<host id='C0' speed='1Gf'><prop id='arch' value='cpu'/></host>"                                      \
	      "<host id='C1' speed='1Gf'><prop id='arch' value='cpu'/><prop id='main_memory' value='RAM1'/></host>" \
	      "<host id='X' speed='1Gf'><prop id='arch' value='cpu'/></host>"                                       \
	      "<host id='Y' speed='1Gf'><prop id='arch' value='cpu'/><prop id='main_memory' value='RAM1'/></host>"  \
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
 * domain two. `home`: the main memory where the handle starts; TW_NONE: not said. `mem`: as --mem, or NULL. */
static void make_chain(struct world *w, const char *xml, const char *kernels, tw_node home, const char *mem)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, xml, &(struct tw__platform_choice){.cpus = 2, .gpus = 2, .mem = mem});
	w->graph = tw_graph_create();
	tw_kernel of[] = {tw_graph_kernel(w->graph, "a", "1", "s", 1), tw_graph_kernel(w->graph, "b", "1", "s", 1)};
	tw_data d = tw_graph_data(w->graph, MB);
	if (home != TW_NONE)
		tw_graph_set_home(w->graph, d, home);
	for (const char *k = kernels; *k; k++)
		tw_graph_submit(w->graph, of[*k - 'a'], 0, &(struct tw_access){d, TW_RW}, 1);
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	world_times(w, (const double[]){1e-3, 1e-3, 1e-3, 1e-3});
}

/* Runs the world and finishes it. */
static void must_take(struct world *w, const struct setting *s, int number, double makespan_s)
{
	struct outcome o = world_must_run(w, s, s->policy);
	ck_assert_msg(o.counters.makespan == tw__ns_of(makespan_s), "case %d, %s: %.9f s, expected %.9f", number,
	              s->policy, tw__seconds(o.counters.makespan), makespan_s);
	world_finish(w);
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
		make_chain(&w, cases[i].xml, cases[i].kernels, TW_NONE, NULL);
		struct setting s = {.policy = cases[i].policy, .assign = "b=two", .runtime = "ideal:gpu_pipeline=1"};
		must_take(&w, &s, (int)i, cases[i].makespan_s);
	}
}
END_TEST

/* Homes by the first touch, and by the graph: 0 is RAM, 1 is RAM1, 2 is the near card, 3 the far one. */
START_TEST(homes_by_hand)
{
	static const struct {
		const char *kernels, *policy, *homes, *mem;
		tw_node home;
		double makespan_s;
	} cases[] = {
		{"a", "one=C0:eager+two=C0:eager", "first_touch", NULL, TW_NONE, 1e-3},
		{"a", "one=C1:eager+two=C0:eager", "first_touch", NULL, TW_NONE, 1e-3},     /* the handle is in RAM1 */
		{"aa", "one=C1:eager+two=C0:eager", "first_touch", NULL, TW_NONE, 2e-3},    /* and stays there */
		{"ab", "one=C1:eager+two=C0:eager", "first_touch", NULL, TW_NONE, 3e-3},    /* 1 ms from RAM1 to RAM */
		{"a", "one=near:eager+two=C0:eager", "first_touch", NULL, TW_NONE, 1.5e-3}, /* 0.5 ms to the card */
		{"a", "one=far:eager+two=C0:eager", "first_touch", NULL, TW_NONE, 1.5e-3},  /* 0.5 ms from RAM1 */
		{"ab", "one=far:eager+two=C0:eager", "first_touch", NULL, TW_NONE, 4e-3},   /* and 0.5 + 1 ms to RAM */
		{"a", "one=C1:eager+two=C0:eager", "first_touch", "RAM1=10MB", TW_NONE, 2e-3}, /* bounded: in RAM */
		{"a", "one=C1:eager+two=C0:eager", "first_touch", NULL, 0, 2e-3},              /* the graph says RAM */
		{"a", "one=C1:eager+two=C0:eager", "first", NULL, 1, 1e-3},
		{"a", "one=C0:eager+two=C0:eager", "first", NULL, 1, 2e-3},        /* 1 ms from RAM1 */
		{"a", "one=far:eager+two=C0:eager", "first", NULL, 1, 1.5e-3},     /* 0.5 ms from RAM1 */
		{"a", "one=near:eager+two=C0:eager", "first", NULL, 1, 2.5e-3},    /* 1 + 0.5 ms by way of RAM */
		{"a", "one=C0:eager+two=C0:eager", "interleaved", NULL, 1, 2e-3},  /* else it were in RAM */
		{"a", "one=C0:eager+two=C0:eager", "first", "RAM1=10MB", 1, 1e-3}, /* bounded: in RAM */
		{"a", "one=near:eager+two=C0:eager", "first", NULL, 2, 1e-3},
		{"a", "one=near:eager+two=C0:eager", "first_touch", "near=2MB", 2, 1e-3},
		{"a", "one=C0:eager+two=C0:eager", "interleaved", NULL, 2, 1.5e-3}, /* 0.5 ms to RAM */
		{"a", "one=C1:eager+two=C0:eager", "first", "near=2MB", 2, 2.5e-3}, /* and 1 ms to RAM1 */
		{"a", "one=far:eager+two=C0:eager", "first", NULL, 2, 3e-3},        /* and 0.5 ms to the other card */
		{"ab", "one=C1:eager+two=far:eager", "first", NULL, 3, 3e-3},       /* 0.5 ms to RAM1, and back */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		char runtime[100];
		make_chain(&w, indirect, cases[i].kernels, cases[i].home, cases[i].mem);
		snprintf(runtime, sizeof runtime, "ideal:gpu_pipeline=1:homes=%s", cases[i].homes);
		struct setting s = {.policy = cases[i].policy, .assign = "b=two", .runtime = runtime};
		must_take(&w, &s, (int)i, cases[i].makespan_s);
	}
}
END_TEST

START_TEST(homes_must_exist)
{
	static const tw_node homes[] = {4, TW_MAX_MEMORIES - 1};
	for (int i = 0; i < 2; i++) {
		struct world w;
		char expected[100];
		make_chain(&w, indirect, "a", homes[i], NULL);
		struct outcome o = world_run(&w, &(struct setting){.policy = "one=C0:eager+two=C1:eager"});
		snprintf(expected, sizeof expected, "data 0 starts in memory %d, but the run has 4 memories, from 0 on",
		         (int)homes[i]);
		ck_assert_int_eq(o.status, TW_INVALID);
		ck_assert_str_eq(o.err.message, expected);
		world_finish(&w);
	}
}
END_TEST

/* --- the rule HOME ------------------------------------------------------------------------------------------------ */

static struct tw__event *find(struct outcome *o, enum tw__event_kind kind)
{
	size_t i = 0;
	while (o->events[i].kind != kind)
		ck_assert_uint_lt(++i, o->n_events);
	return &o->events[i];
}
static void nothing(struct outcome *o) { (void)o; }
static void stays_in_both(struct outcome *o)
{
	struct tw__event *e = find(o, TW__INVALID);
	memmove(e, e + 1, (size_t)(o->events + --o->n_events - e) * sizeof *e);
}
static void stays_in_the_other(struct outcome *o) { find(o, TW__INVALID)->node ^= 1; }
static void leaves_before(struct outcome *o) { find(o, TW__TRANSFER_START)->date = 0; }

START_TEST(wrong_homes_are_noticed)
{
	static const struct {
		const char *policy;
		void (*mutate)(struct outcome *);
		const char *expected; /* NULL: none */
	} cases[] = {
		{"one=C1:eager+two=C0:eager", nothing, NULL},
		{"one=C1:eager+two=C0:eager", stays_in_both,
	         "home: data 0 is valid in 2 memories after its first touch"},
		{"one=C1:eager+two=C0:eager", stays_in_the_other,
	         "home: data 0 is in RAM, but was first touched in RAM1"},
		{"one=far:eager+two=C0:eager", nothing, NULL},
		{"one=far:eager+two=C0:eager", leaves_before, "home: data 0 leaves RAM1 before its first touch"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		struct tw__plan plan;
		struct tw_error err = {""};
		uint64_t capacity[4];
		make_chain(&w, indirect, "a", TW_NONE, NULL);
		struct setting s = {
			.policy = cases[i].policy, .runtime = "starpu:homes=first_touch", .keep_record = true};
		struct outcome o = world_must_run(&w, &s, cases[i].policy);
		cases[i].mutate(&o);
		world_input(&w, &s, &plan);
		tw__run_capacities(w.platform, &plan.params, capacity);
		const struct tw__validation_input in = {
			.platform = w.platform,
			.graph = w.graph,
			.times = &w.times,
			.capacity = capacity,
			.homes = tw__run_homes(w.platform, w.graph, &plan.params, capacity),
			.domains = tw__plan_domains(&plan)};
		struct tw__record record;
		tw__record_init(&record);
		for (size_t e = 0; e < o.n_events; e++)
			tw__record_add(&record, &o.events[e]);
		record.makespan = o.counters.makespan;
		enum tw__rule broken = TW__N_RULES;
		int status = tw__validate(&in, &record, &broken, &err);
		ck_assert_msg(status == (cases[i].expected ? TW_FAILED : TW_OK), "case %d: %s", (int)i, err.message);
		ck_assert_int_eq(broken, cases[i].expected ? TW__RULE_HOME : TW__N_RULES);
		ck_assert_msg(!cases[i].expected || !strncmp(err.message, cases[i].expected, strlen(cases[i].expected)),
		              "case %d: %s", (int)i, err.message);
		tw__record_finish(&record);
		free(o.events);
		tw__plan_finish(&plan);
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
		make_chain(&w, hannibal, "ab", TW_NONE, NULL);
		struct setting s = {.policy = cases[i].policy, .assign = "b=two", .runtime = "ideal:gpu_pipeline=1"};
		struct outcome o = world_must_run(&w, &s, cases[i].policy);
		double expected_s = MB / (cases[i].there * 1e9) + MB / (cases[i].back * 1e9) + 2e-3;
		ck_assert_msg(fabs(tw__seconds(o.counters.makespan) - expected_s) < 3e-9, "%s: %.9f s, expected %.9f",
		              cases[i].policy, tw__seconds(o.counters.makespan), expected_s);
		world_finish(&w);
	}
}
END_TEST

/* --- mutations ---------------------------------------------------------------------------------------------------- */

/* Moves all tasks to the worker of that name, in a run without domains. */
static void move_to(struct tw__validation_input *in, struct tw__record *r, const char *name)
{
	tw_worker worker = 0;
	while (strcmp(in->platform->workers[worker].name, name) != 0)
		worker++;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind >= TW__ASSIGN && r->events[i].kind <= TW__RELEASE) {
			r->events[i].worker = (int16_t)worker;
			r->events[i].node = (int16_t)in->platform->workers[worker].node;
		}
	in->domains.n = 0;
}

static void moved_to_c0(struct tw__validation_input *in, struct tw__record *r) { move_to(in, r, "C0"); }
static void moved_to_c1(struct tw__validation_input *in, struct tw__record *r) { move_to(in, r, "C1"); }
static void moved_to_near(struct tw__validation_input *in, struct tw__record *r) { move_to(in, r, "near"); }

static void no_copy_becomes_valid(struct tw__validation_input *in, struct tw__record *r)
{
	size_t n = 0;
	(void)in;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind != TW__VALID)
			r->events[n++] = r->events[i];
	ck_assert(n < r->n);
	r->n = n;
}

/* Transfers to the card pass by the main memory that it is near. */
static void all_from_the_first_memory(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == TW__TRANSFER_START || r->events[i].kind == TW__TRANSFER_END)
			r->events[i].from = 0;
}

/* The validator finds a kernel that runs elsewhere, and one whose data are elsewhere. */
START_TEST(a_worker_sees_its_memory_alone)
{
	static const struct {
		const char *policy;
		void (*mutate)(struct tw__validation_input *, struct tw__record *);
		const char *rule;
	} cases[] = {
		{"one=C0:eager", moved_to_c1, "inputs: "},
		{"one=C0:eager", moved_to_near, "inputs: "},
		{"one=C1:eager", moved_to_c0, "inputs: "},
		{"one=C1:eager", no_copy_becomes_valid, "inputs: "},
		{"one=far:eager", all_from_the_first_memory, "transfer: "},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make_chain(&w, indirect, "a", TW_NONE, NULL);
		struct setting s = {.policy = cases[i].policy};
		world_must_run(&w, &s, cases[i].policy);
		s.mutate = cases[i].mutate;
		struct outcome o = world_run(&w, &s);
		ck_assert_int_eq(o.status, TW_FAILED);
		ck_assert_msg(!strncmp(o.err.message, cases[i].rule, strlen(cases[i].rule)), "case %d: %s", (int)i,
		              o.err.message);
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
	tcase_add_test(cases, homes_by_hand);
	tcase_add_test(cases, homes_must_exist);
	tcase_add_test(cases, wrong_homes_are_noticed);
	tcase_add_test(cases, a_worker_sees_its_memory_alone);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
