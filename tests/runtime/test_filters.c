/* Divided handles (tw_graph_partition): dependencies, makespans by hand, refusals, what the validator notices, random
 * runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "random_world.h"

/* A GPU and three cores, behind a link of 1 GB/s without latency: 10 ms for a handle of 10 MB, and 5 ms for a half. */
static const char one_gpu[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='0' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";
enum { MB = 1000000, MOST = 4 };

/* Handle 0 has 10 MB, and the halves 1 and 2. Handle 1 has the parts 3 and 4. The texts are tasks: "c1RW|g0R" is one on
 * a core that updates handle 1, and one on the GPU that reads all. Tasks take 1 ms. */
static void make(struct world *w, const char *tasks)
{
	struct tw_error err = {""};
	*w = (struct world){0};
	world_platform(w, one_gpu, &(struct tw__platform_choice){.cpus = 3, .gpus = 1});
	w->graph = tw_graph_create();
	tw_graph_kernel(w->graph, "on_core", "1", "s", 1);
	tw_graph_kernel(w->graph, "on_gpu", "1", "s", 1);
	tw_graph_data(w->graph, 10 * MB);
	ck_assert_int_eq(tw_graph_partition_matrix(w->graph, 0, 2, 1, 1, 1), 1);
	ck_assert_int_eq(tw_graph_partition(w->graph, 1, 2, (const uint64_t[]){2 * MB, 3 * MB}), 3);
	for (const char *task = tasks; task; task = strchr(task, '|') ? strchr(task, '|') + 1 : NULL) {
		struct tw_access list[MOST];
		char mode[3];
		int n = 0, used;
		for (const char *at = task + 1; sscanf(at, "%d%2[RW] %n", &list[n].data, mode, &used) == 2; at += used)
			list[n++].mode = !strcmp(mode, "R") ? TW_R : !strcmp(mode, "W") ? TW_W : TW_RW;
		tw_graph_submit(w->graph, *task == 'g', 0, list, n);
	}
	ck_assert_msg(tw_graph_finish(w->graph, &err) == TW_OK, "%s", err.message);
	const bool gpu_first = w->platform->archs[0].accelerator;
	world_times(w, gpu_first ? (const double[]){NAN, 1e-3, 1e-3, NAN} : (const double[]){1e-3, NAN, NAN, 1e-3});
}

START_TEST(dependencies)
{
	static const struct {
		const char *tasks, *edges; /* pairs of digits */
	} cases[] = {
		{"c1RW|c2RW", ""},          /* parts do not overlap */
		{"c1RW|c0R", "01"},         /* the whole has the part */
		{"c0RW|c1RW|c2R", "01 02"}, /* both wait for the whole */
		{"c0R|c1R", ""},            /* all read */
		{"c0R|c1RW", "01"},         /* a reader of the whole */
		{"c3RW|c0R|c4RW", "01 12"}, /* a part of a part */
		{"c1RW|c2RW|c0RW|c1RW|c2R", "02 12 23 24"},
		{"c0RW|c1RW|c1RW", "01 12"}, /* the second writer waits for the whole by the first one */
		{"c0R|c1RW|c1RW|c0RW", "01 03 12 23"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		char edges[100] = "";
		make(&w, cases[i].tasks);
		for (tw_task t = 0; t < w.graph->n_tasks; t++) {
			int n;
			const tw_task *to = tw_graph_successors(w.graph, t, &n);
			for (int s = 0; s < n; s++)
				sprintf(edges + strlen(edges), "%s%d%d", *edges ? " " : "", (int)t, (int)to[s]);
		}
		ck_assert_str_eq(edges, cases[i].edges);
		world_finish(&w);
	}
}
END_TEST

START_TEST(makespans_by_hand)
{
	static const struct {
		const char *tasks;
		double ms;
		int64_t bytes;
	} cases[] = {
		{"c1RW|c2RW", 1, 0},        /* dividing in main memory takes no time; both at once */
		{"c1RW|c2RW|c0RW", 2, 0},   /* nor does joining */
		{"g0RW", 11, 10},           /* as without parts: 10 ms for 10 MB, and the task */
		{"g1RW", 6, 5},             /* half of it */
		{"g1RW|c2RW", 6, 5},        /* the other half meanwhile */
		{"g1RW|c2RW|c0R", 12, 10},  /* 5 + 1, back in 5, and 1 */
		{"g1RW|g2RW|g0RW", 32, 30}, /* 5 + 5 + 1; both come back until 21; 10 to the card, and 1 */
		{"g0RW|c1RW|c2RW", 22, 20}, /* 11, back in 10, and 1 for both */
		{"g0RW|g1RW", 27, 25},      /* 11, back in 10, a half in 5, and 1 */
		{"g0R|c1R", 11, 10},        /* all read: the core reads its half meanwhile */
		{"g0R|c1R|c3R", 11, 10},
		{"g0RW|g0R|c1R|c1R", 22, 20}, /* 11; back in 10 for the core, and 1 */
		{"c3RW|c4RW|c2RW|c0R", 2, 0}, /* parts of parts */
		{"g3RW|g4RW|c1RW", 12, 10},   /* 2 + 3 + 1, both are back after 5 more, and 1 */
		{"g3RW|g2RW|c0RW", 16, 14},   /* 2 + 5 + 1; first 2 to join handle 1, then 5 to join handle 0; 1 */
		{"c0W|g1R", 7, 5},            /* 1, then 5 and 1 */
		{"g1RW|g0W|c0R", 23, 20}, /* 6; the half is joined before a write, too: 5; W: 1; back in 10, and 1 */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make(&w, cases[i].tasks);
		struct outcome o =
			world_must_run(&w, &(struct setting){.runtime = "ideal:gpu_pipeline=4"}, cases[i].tasks);
		ck_assert_msg(o.counters.makespan == tw__ns_of(cases[i].ms / 1000) &&
		                      o.counters.transferred_bytes == (uint64_t)cases[i].bytes * MB,
		              "%s: %.9f s, %llu bytes", cases[i].tasks, tw__seconds(o.counters.makespan),
		              (unsigned long long)o.counters.transferred_bytes);
		world_finish(&w);
	}
}
END_TEST

/* --- refusals ----------------------------------------------------------------------------------------------------- */

static void divides_twice(struct tw_graph *g) { tw_graph_partition(g, 0, 1, (const uint64_t[]){10}); }
static void other_sum(struct tw_graph *g) { tw_graph_partition(g, 1, 2, (const uint64_t[]){2, 4}); }
static void no_part(struct tw_graph *g) { tw_graph_partition(g, 1, 0, (const uint64_t[]){2}); }
static void no_sizes(struct tw_graph *g) { tw_graph_partition(g, 1, 1, NULL); }
static void unknown(struct tw_graph *g) { tw_graph_partition(g, 7, 1, (const uint64_t[]){5}); }
static void empty_part(struct tw_graph *g) { tw_graph_partition(g, 1, 2, (const uint64_t[]){0, 5}); }
static void no_matrix(struct tw_graph *g) { tw_graph_partition_matrix(g, 1, 2, 2, 1, 1); }
static void no_blocks(struct tw_graph *g) { tw_graph_partition_matrix(g, 1, 5, 1, 0, 1); }
static void both(struct tw_graph *g) { tw_graph_submit(g, 0, 0, (struct tw_access[]){{0, TW_R}, {1, TW_R}}, 2); }
static void both_backwards(struct tw_graph *g)
{
	tw_graph_submit(g, 0, 0, (struct tw_access[]){{1, TW_R}, {0, TW_R}}, 2);
}
static void scratch(struct tw_graph *g) { tw_graph_submit(g, 0, 0, (struct tw_access[]){{1, TW_SCRATCH}}, 1); }
static void discarded(struct tw_graph *g) { tw_graph_discard(g, 1); }
static void ends(struct tw_graph *g) { tw_graph_set_end(g, 0, 0); }
static void starts(struct tw_graph *g) { tw_graph_set_home(g, 2, 0); }

START_TEST(wrong_parts_are_refused)
{
	static const struct {
		void (*wrong)(struct tw_graph *);
		const char *message;
	} cases[] = {
		{divides_twice, "data 0 is divided a second time: expected it once, and parts of parts"},
		{other_sum, "data 1 of 5 bytes in 2 parts of 6: expected the same sum"},
		{no_part, "data 1 in 0 parts: expected a known handle and at least 1 part, with sizes"},
		{no_sizes, "data 1 in 1 parts: expected a known handle and at least 1 part, with sizes"},
		{unknown, "data 7 in 1 parts: expected a known handle and at least 1 part, with sizes"},
		{empty_part, "data 3: 0 bytes, expected at least 1 byte and at most 134217728 data"},
		{no_matrix, "data 1 in blocks of 1 x 1 out of 2 x 2 elements: expected a known handle of so many "
	                    "elements, and positive numbers"},
		{no_blocks, "data 1 in blocks of 0 x 1 out of 5 x 1 elements: expected a known handle of so many "
	                    "elements, and positive numbers"},
		{both, "task 1, data 1: expected no access to a handle and to a part of it in one task"},
		{both_backwards, "task 1, data 0: expected no access to a handle and to a part of it in one task"},
		{scratch, "task 1, data 1: expected TW_R, TW_W or TW_RW for a divided handle or a part"},
		{discarded, "data 1 is divided or a part: expected no TW_SCRATCH or TW_REDUX, not to be discarded, no "
	                    "memory at the end, and of parts none at the start"},
		{ends, "data 0 is divided or a part: expected no TW_SCRATCH or TW_REDUX, not to be discarded, no "
	               "memory at the end, and of parts none at the start"},
		{starts, "data 2 is divided or a part: expected no TW_SCRATCH or TW_REDUX, not to be discarded, no "
	                 "memory at the end, and of parts none at the start"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tw_error err = {""};
		struct tw_graph *g = tw_graph_create();
		tw_graph_kernel(g, "work", "1", "s", 1);
		tw_graph_data(g, 10);
		ck_assert_int_eq(tw_graph_partition(g, 0, 2, (const uint64_t[]){5, 5}), 1);
		tw_graph_submit(g, 0, 0, NULL, 0);
		cases[i].wrong(g);
		ck_assert_int_eq(tw_graph_finish(g, &err), TW_INVALID);
		ck_assert_str_eq(err.message, cases[i].message);
		tw_graph_destroy(g);
	}
}
END_TEST

/* --- what the validator notices ----------------------------------------------------------------------------------- */

/* Returns the i-th event of that kind. */
static struct tw__event *event(struct tw__record *r, enum tw__event_kind kind, int i)
{
	size_t at = 0;
	while (r->events[at].kind != kind || i-- > 0)
		at++;
	return &r->events[at];
}

static void remove_event(struct tw__record *r, struct tw__event *e)
{
	memmove(e, e + 1, (size_t)(r->events + --r->n - e) * sizeof *e);
}

static void nothing(struct tw__validation_input *in, struct tw__record *r) { (void)in, (void)r; }
static void never_divided(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	remove_event(r, event(r, TW__FILTER, 0));
}
static void never_joined(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	remove_event(r, event(r, TW__FILTER, 1));
}
static void not_divided_again(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	remove_event(r, event(r, TW__FILTER, 2));
}
static void joined_early(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__FILTER, 1)->date = tw__ns_of(0.5e-3);
}
static void for_readers(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__FILTER, 0)->offset = TW__BOTH;
}
static void without_effect(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__FILTER, 0)->offset = TW__WHOLE;
}
static void on_the_card(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__FILTER, 0)->node = 1;
}
static void lost(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	/* the part's way back from the card */
	size_t last = r->n - 1;
	while (r->events[last].kind != TW__VALID || r->events[last].node != 0 || r->events[last].data != 1)
		last--;
	remove_event(r, &r->events[last]);
}
static void unknown_state(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__FILTER, 0)->offset = 4;
}
static void undivided(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	event(r, TW__FILTER, 0)->data = 2;
}

START_TEST(broken_records_are_refused)
{
	static const struct {
		const char *tasks;
		void (*mutate)(struct tw__validation_input *, struct tw__record *);
		const char *expected; /* NULL: nothing */
	} cases[] = {
		{"c1RW|c0RW", nothing, NULL},
		{"c1RW|c0RW", never_divided,
	         "filter: task 0 (on_core) starts while data 0, of which it writes a part, is not divided"},
		{"c1RW|c0RW", never_joined,
	         "filter: task 1 (on_core) starts while data 0, which it writes, is divided"},
		{"c1RW|c0RW|c1RW", not_divided_again,
	         "filter: task 2 (on_core) starts while data 0, of which it writes a part, is not divided"},
		{"c1RW|c2RW|c0RW", joined_early, "filter: data 0 is joined in RAM, where data 1 is not valid"},
		{"c1RW|c0RW", for_readers,
	         "filter: task 0 (on_core) starts while data 0, of which it writes a part, is not divided for"},
		{"c1RW|c0RW", without_effect, "filter: data 0 is divided or joined without effect"},
		{"c1RW|c0RW", on_the_card, "filter: data 0 is divided or joined outside of main memory"},
		{"g1RW|c0R", lost, "filter: data 0 is joined in RAM, where data 1 is not valid"},
		{"c1RW|c0RW", unknown_state, "filter: the event 'filter' names state 4, which the run does not have"},
		{"c1RW|c0RW", undivided, "filter: data 2 is divided or joined, but has no parts"},
		{"c3RW|c2RW|c0RW", never_joined,
	         "filter: task 0 (on_core) starts while data 1, of which it writes a part, is not divided"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		make(&w, cases[i].tasks);
		struct outcome o =
			world_run(&w, &(struct setting){.runtime = "ideal", .mutate = cases[i].mutate, .once = true});
		ck_assert_msg(o.ran && o.status == (cases[i].expected ? TW_FAILED : TW_OK), "case %d: %s", (int)i,
		              o.err.message);
		ck_assert_msg(!cases[i].expected || strstr(o.err.message, cases[i].expected), "case %d: %s", (int)i,
		              o.err.message);
		world_finish(&w);
	}
}
END_TEST

/* --- random runs -------------------------------------------------------------------------------------------------- */

START_TEST(random_runs_are_valid)
{
	static const char *const evictions[] = {"lru", "fifo", "random", "belady", "luf", "darts"};
	const int first = random_number("FIRST", 0), count = random_number("COUNT", 6);
	if (_i & DISK)
		return;
	for (int seed = first; seed < first + count; seed++) {
		struct tw__random *r =
			tw__random_create((uint64_t)(seed * N_SHAPES_RECORDED + _i), TW__STREAM_WORKLOAD);
		const char *runtime = random_runtimes[tw__random_below(r, N_RANDOM_RUNTIMES)];
		const unsigned shape = (unsigned)_i | DIVIDED | (seed % 2 ? MAINS : 0) | (seed % 5 == 4 ? WIDE : 0);
		char what[300];
		const char *policy = seed % 5 == 4 ? "parallel_heft" : random_policy(r);
		struct world w;
		snprintf(what, sizeof what, "seed %d, shape %u", seed, shape);
		random_world(&w, (uint64_t)seed, shape, runtime);
		world_must_run(&w,
		               &(struct setting){.policy = policy,
		                                 .eviction = evictions[tw__random_below(r, 6)],
		                                 .runtime = runtime,
		                                 .seed = (uint64_t)seed},
		               what);
		world_finish(&w);
		tw__random_destroy(r);
	}
}
END_TEST

int main(void)
{
	random_places = true;
	Suite *suite = suite_create("filters");
	TCase *cases = tcase_create("filters");
	tcase_set_timeout(cases, 0);
	tcase_add_test(cases, dependencies);
	tcase_add_test(cases, makespans_by_hand);
	tcase_add_test(cases, wrong_parts_are_refused);
	tcase_add_test(cases, broken_records_are_refused);
	tcase_add_loop_test(cases, random_runs_are_valid, 0, N_SHAPES_RECORDED);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
