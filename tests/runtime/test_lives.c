/* Where handles are at the start and at the end: on cards, too. Makespans by hand, refusals, and what the validator
 * notices. */
#include <stdlib.h>
#include <string.h>

#include "world.h"

/* A GPU and a core, behind a link of 1 GB/s without latency: 10 ms for a handle of 10 MB. */
static const char one_gpu[] =
	"<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	"<platform version='4.1'><zone id='z' routing='Full'>"
	"<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
	"<host id='G' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
	"<link id='p' bandwidth='1GBps' latency='0' sharing_policy='SPLITDUPLEX'/>"
	"<route src='RAM' dst='G'><link_ctn id='p' direction='DOWN'/></route></zone></platform>\n";
enum { MB = 1000000, RAM = 0, GPU = 1, N = 4 };

/* Handles of 10 MB in a memory for three of them, and tasks of 1 ms on the GPU: "0R 1W|2RW" are two of them. Places are
 * texts with a digit for each handle, and '-' for none. */
struct life {
	const char *tasks, *homes, *ends, *discarded;
	double makespan_s;
	int64_t loads, writebacks;
};

static void submit(struct tw_graph *g, const char *task)
{
	struct tw_access list[N];
	char mode[3];
	int n = 0, used;
	for (; sscanf(task, "%d%2[RW] %n", &list[n].data, mode, &used) == 2; task += used)
		list[n++].mode = !strcmp(mode, "R") ? TW_R : !strcmp(mode, "W") ? TW_W : TW_RW;
	tw_graph_submit(g, 0, 0, list, n);
}

static int make(struct world *w, const struct life *life, struct tw_error *err)
{
	*w = (struct world){0};
	world_platform(w, one_gpu, &(struct tw__platform_choice){.cpus = 0, .gpus = 1, .gpu_mem_bytes = 30 * MB});
	w->graph = tw_graph_create();
	tw_graph_kernel(w->graph, "work", "1", "s", 1);
	for (tw_data d = 0; d < N; d++) {
		tw_graph_data(w->graph, 10 * MB);
		if (life->homes[d] != '-')
			tw_graph_set_home(w->graph, d, life->homes[d] - '0');
		if (life->ends[d] != '-')
			tw_graph_set_end(w->graph, d, life->ends[d] - '0');
		if (life->discarded[d] != '-')
			tw_graph_discard(w->graph, d);
	}
	for (const char *task = life->tasks; task; task = strchr(task, '|') ? strchr(task, '|') + 1 : NULL)
		submit(w->graph, task);
	int status = tw_graph_finish(w->graph, err);
	if (status == TW_OK)
		world_times(w, (const double[]){1e-3, 1e-3});
	return status;
}

START_TEST(makespans_by_hand)
{
	static const struct life lives[] = {
		{"0R", "----", "----", "----", 11e-3, 1, 0},
		{"0R", "1---", "----", "----", 1e-3, 0, 0},   /* starts on the card */
		{"0RW", "1---", "0---", "----", 11e-3, 0, 1}, /* and goes home after the task */
		{"0RW", "----", "1---", "----", 11e-3, 1, 0}, /* is on the card anyway */
		{"0R", "1---", "-1--", "----", 11e-3, 1,
	         0},                                      /* handle 1, which no task accesses, comes after the task */
		{"0W", "----", "1111", "----", -1, 0, 0}, /* four do not fit */
		{"0W", "1111", "----", "----", -1, 0, 0},
		{"0W", "1---", "1---", "----", 1e-3, 0, 0},
		/* the card is full: a write-back of 10 ms, then a load of 10 ms */
		{"3R", "111-", "----", "----", 21e-3, 1, 1},
		/* and handle 0 comes back in place of handle 3 */
		{"3R", "111-", "111-", "----", 31e-3, 2, 1},
		/* handle 0 is discarded after its task, so there is room at once: a load beside the task */
		{"0R|3R", "111-", "----", "0---", 12e-3, 1, 0},
		/* six writes of handles that die make no transfer */
		{"0W|0R 1W|1R 2W|2R 3W", "----", "----", "0123", 4e-3, 0, 0},
		/* the last one must be in main memory */
		{"0W|0R 1W|1R 2W|2R 3W", "----", "---0", "012-", 14e-3, 0, 1},
	};
	for (size_t i = 0; i < sizeof lives / sizeof *lives; i++) {
		struct world w;
		struct tw_error err = {""};
		ck_assert_msg(make(&w, &lives[i], &err) == TW_OK, "%s", err.message);
		struct setting s = {.runtime = "ideal:gpu_pipeline=1"};
		if (lives[i].makespan_s < 0) {
			struct outcome o = world_run(&w, &s);
			ck_assert_int_eq(o.status, TW_INVALID);
			ck_assert_msg(strstr(o.err.message, "memory 'G' has 30 MB usable, but the 4 data that") ==
			                      o.err.message,
			              "%s", o.err.message);
		} else {
			struct outcome o = world_must_run(&w, &s, lives[i].tasks);
			ck_assert_msg(o.counters.makespan == tw__ns_of(lives[i].makespan_s) &&
			                      o.counters.loads == lives[i].loads &&
			                      o.counters.writebacks == lives[i].writebacks,
			              "life %d: %.9f s, %lld loads, %lld write-backs", (int)i,
			              tw__seconds(o.counters.makespan), (long long)o.counters.loads,
			              (long long)o.counters.writebacks);
		}
		world_finish(&w);
	}
}
END_TEST

START_TEST(handles_that_must_be_somewhere_are_not_discarded)
{
	struct world w;
	struct tw_error err = {""};
	ck_assert_int_eq(make(&w, &(struct life){"0R", "----", "0---", "0---", 0, 0, 0}, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "data 0 must be in a memory at the end: expected no scratch or discarded handle");
	world_finish(&w);
}
END_TEST

/* --- what the validator notices ----------------------------------------------------------------------------------- */

/* Removes the last event of that kind. */
static void leave_out(struct tw__record *r, enum tw__event_kind kind)
{
	size_t i = r->n - 1;
	while (r->events[i].kind != kind)
		i--;
	memmove(&r->events[i], &r->events[i + 1], (--r->n - i) * sizeof *r->events);
}

static void nothing(struct tw__validation_input *in, struct tw__record *r) { (void)in, (void)r; }
static void without_room(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	leave_out(r, TW__ALLOC);
}
static void without_arrival(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	leave_out(r, TW__VALID);
}
static void too_short(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	r->makespan = tw__ns_of(1e-3);
}
static void stays(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	leave_out(r, TW__INVALID);
	leave_out(r, TW__FREE);
}
static void takes_room_again(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	struct tw__event e = r->events[r->n - 1];
	while (e.kind != TW__FREE)
		e = r->events[--r->n - 1];
	e.kind = TW__ALLOC;
	tw__record_add(r, &e);
}

START_TEST(wrong_lives_are_noticed)
{
	static const struct {
		struct life life;
		void (*mutate)(struct tw__validation_input *, struct tw__record *);
		const char *expected; /* NULL: nothing */
	} cases[] = {
		{{"0RW", "1---", "0---", "----", 0, 0, 0}, nothing, NULL},
		{{"0RW", "11--", "----", "----", 0, 0, 0},
	         without_room,
	         "coherence: data 1 is valid in G, where it has no room"},
		{{"0RW", "1---", "0---", "----", 0, 0, 0},
	         without_arrival,
	         "end: data 0 is not valid in RAM, where it must be at the end"},
		{{"0RW", "1---", "0---", "----", 0, 0, 0}, too_short, "makespan: the run goes on after its makespan"},
		{{"0RW", "1---", "----", "0---", 0, 0, 0}, nothing, NULL},
		{{"0RW", "1---", "----", "0---", 0, 0, 0}, stays, "discard: data 0 is valid in G after its last task"},
		{{"0RW", "1---", "----", "0---", 0, 0, 0},
	         takes_room_again,
	         "discard: data 0 takes room in G after its last task"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		struct tw_error err = {""};
		ck_assert_msg(make(&w, &cases[i].life, &err) == TW_OK, "%s", err.message);
		struct outcome o = world_run(&w, &(struct setting){.runtime = "ideal", .mutate = cases[i].mutate});
		ck_assert_msg(o.status == (cases[i].expected ? TW_FAILED : TW_OK), "case %d: %s", (int)i,
		              o.err.message);
		ck_assert_msg(!cases[i].expected || strstr(o.err.message, cases[i].expected), "case %d: %s", (int)i,
		              o.err.message);
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("lives");
	TCase *cases = tcase_create("lives");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, makespans_by_hand);
	tcase_add_test(cases, handles_that_must_be_somewhere_are_not_discarded);
	tcase_add_test(cases, wrong_lives_are_noticed);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
