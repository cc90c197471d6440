/* A run that cannot go on says why: which tasks and transfers wait for each other, or who keeps what.
 *
 * The runtime has no known way into such a state. So cycles are states that the test builds with the runtime's own
 * functions, after a fault: tasks have not reserved their room. Other tests run with a faulty policy. */
#include <string.h>

#include "runtime/memory/memory_state.h"
#include "runtime/state/domain.h"
#include "runtime/tasks.h"
#include "runtime/transfers/transfers.h"
#include "runtime/waits.h"
#include "two_gpus.h"

/* Four cores, of which GPUs take two, main memory with a disk, and two GPUs without a direct link. */
static const char platform[] =
	LINES("<host id='C' speed='1Gf' core='4'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"
              "<host id='G0' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
              "<host id='G1' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GB'/></host>"
              "<host id='D' speed='1f'><prop id='role' value='disk'/></host>"
              "<link id='p0' bandwidth='1GBps' latency='10us'/><link id='p1' bandwidth='1GBps' latency='10us'/>"
              "<link id='sata' bandwidth='100MBps' latency='0s'/>"
              "<route src='RAM' dst='G0'><link_ctn id='p0'/></route>"
              "<route src='RAM' dst='G1'><link_ctn id='p1'/></route>"
              "<route src='RAM' dst='D'><link_ctn id='sata'/></route>");

/* A run at date 0, opened and not begun. Each memory has room for two of the data. */
struct state {
	struct world w;
	struct tw__plan plan;
	struct tw__run_input in;
	struct tw__run_counters counters;
	struct tw_error err;
	struct tw__rt rt;
	tw_node ram, gpu[2];
	tw_worker core[2], card[2];
};

static void make_graph_of(struct world *w, int n_data, const char *kernel)
{
	*w = (struct world){0};
	world_platform(w, platform,
	               &(struct tw__platform_choice){.cpus = 2, .gpus = 2, .gpu_mem_bytes = 8 * MB, .mem = "RAM=8MB"});
	w->graph = tw_graph_create();
	for (int d = 0; d < n_data; d++)
		tw_graph_data(w->graph, 4 * MB);
	tw_graph_kernel(w->graph, kernel, "1", "s", 1);
}

static void make_graph(struct world *w, int n_data) { make_graph_of(w, n_data, "work"); }

static void open_state(struct state *s)
{
	two_gpus_ready(&s->w);
	s->in = world_input(&s->w, &(struct setting){0}, &s->plan);
	s->rt = (struct tw__rt){.in = &s->in,
	                        .graph = s->in.graph,
	                        .platform = s->in.platform,
	                        .params = s->in.params,
	                        .ops = s->in.engine,
	                        .err = &s->err,
	                        .n_nodes = s->in.platform->n_nodes,
	                        .counters = &s->counters};
	s->rt.pulse = &s->rt.own_pulse;
	ck_assert_msg(tw__rt_open(&s->rt) == TW_OK, "%s", s->err.message);
	if (s->in.eviction->init)
		ck_assert_int_eq(s->in.eviction->init(s->rt.root, s->rt.eviction_state, &s->err), TW_OK);
	int cores = 0, cards = 0;
	for (tw_worker w = 0; w < s->in.platform->n_workers; w++) {
		const struct tw__worker *worker = &s->in.platform->workers[w];
		if (!s->in.platform->archs[worker->arch].accelerator) {
			s->ram = worker->node;
			s->core[cores++] = w;
		} else {
			s->gpu[cards] = worker->node;
			s->card[cards++] = w;
		}
	}
}

static void close_state(struct state *s)
{
	if (s->in.eviction->finish)
		s->in.eviction->finish(s->rt.root, s->rt.eviction_state);
	tw__rt_close(&s->rt);
	tw__plan_finish(&s->plan);
	world_finish(&s->w);
}

/* Puts a valid copy into the memory; `only`: no other copy is valid. */
static void put(struct state *s, tw_data d, tw_node n, bool only)
{
	tw__memory_place(&s->rt, d, n, false);
	tw__copy_validate(&s->rt, d, n);
	if (only)
		tw__memory_own(&s->rt, d, n, true);
}

/* The worker takes the task, and asks for all its data. The fault: it has reserved no room. */
static struct hold *take(struct state *s, tw_task t, tw_worker w)
{
	struct driver *d = &s->rt.drivers[w];
	struct hold *h = held(d, d->n_held++);
	*h = (struct hold){.activity = {ACTIVITY_KERNEL},
	                   .driver = d,
	                   .task = t,
	                   .state = HOLD_FETCHING,
	                   .admitted = true,
	                   .access = h->access};
	tw__fetch_resolve(&s->rt, h);
	d->fetching = h;
	s->rt.remaining[t] = UINT32_MAX;
	for (d->fetch_index = 0; d->fetch_index < h->n_accesses; d->fetch_index++)
		tw__fetch_access(&s->rt, h, d->fetch_index);
	return h;
}

static void is_told(struct state *s, const char *message)
{
	tw__stuck(&s->rt);
	ck_assert_int_eq(s->rt.status, TW_FAILED);
	ck_assert_str_eq(s->err.message, message);
	close_state(s);
}

START_TEST(two_tasks_hold_one_memory)
{
	struct state s = {0};
	make_graph(&s.w, 4);
	TASK(&s.w, {0, TW_R}, {1, TW_R});
	TASK(&s.w, {2, TW_R}, {3, TW_R});
	open_state(&s);
	put(&s, 0, s.ram, false);
	put(&s, 2, s.ram, false);
	take(&s, 0, s.core[0]);
	take(&s, 1, s.core[1]);
	is_told(&s, "at 0.000000000 s: stuck: task 0 (work) on 'C.0' needs data 1 (4 MB) and waits for room in "
	            "'RAM' (8 of 8 MB used): pinned there: 1 data (4 MB), by task 1 (work) on 'C.1', which "
	            "needs data 3 (4 MB) and waits for room in 'RAM' (8 of 8 MB used): pinned there: 1 data (4 "
	            "MB), by task 0 (work) on 'C.0': a cycle");
}
END_TEST

/* A task on a GPU waits for a hop through main memory, which a task of a core fills. The latter writes a handle whose
 * prefetch waits for room on the GPU. */
static void hop_and_prefetch(const char *kernel, const char *message)
{
	struct state s = {0};
	make_graph_of(&s.w, 4, kernel);
	TASK(&s.w, {0, TW_R}, {1, TW_R});
	TASK(&s.w, {2, TW_R}, {3, TW_RW});
	open_state(&s);
	put(&s, 0, s.gpu[0], false);
	put(&s, 1, s.gpu[1], true);
	put(&s, 2, s.ram, false);
	put(&s, 3, s.ram, false);
	tw__prefetch(&s.rt, 3, s.gpu[0], TW_R, 0, CLASS_PREFETCH);
	take(&s, 0, s.card[0]);
	struct request *r = replicate_of(&s.rt, 1, s.gpu[0])->request;
	tw__memory_place(&s.rt, 1, s.gpu[0], false);
	tw__request_dequeue(&s.rt, r);
	tw__request_wait_for_hop(&s.rt, r);
	take(&s, 1, s.core[0]);
	is_told(&s, message);
}

START_TEST(a_hop_and_a_prefetch)
{
	hop_and_prefetch("work",
	                 "at 0.000000000 s: stuck: task 0 (work) on 'G0' waits for the transfer of data 1 from 'RAM' "
	                 "to 'G0', which needs a copy in 'RAM' first, by the transfer of data 1 from 'G1' to 'RAM', "
	                 "which waits for room in 'RAM' (8 of 8 MB used): pinned there: 2 data (8 MB), by task 1 "
	                 "(work) on 'C.0', which waits for the transfer of data 3 from 'RAM' to 'G0', which waits "
	                 "for room in 'G0' (8 of 8 MB used): pinned there: 2 data (8 MB), by task 0 (work) on 'G0': "
	                 "a cycle");
}
END_TEST

/* A message has 511 characters: the steps before the last one are left out. */
START_TEST(a_long_cycle)
{
	hop_and_prefetch("a_kernel_with_a_long_name",
	                 "at 0.000000000 s: stuck: task 0 (a_kernel_with_a_long_name) on 'G0' waits for the transfer "
	                 "of data 1 from 'RAM' to 'G0', which needs a copy in 'RAM' first, by the transfer of data 1 "
	                 "from 'G1' to 'RAM', which waits for room in 'RAM' (8 of 8 MB used): pinned there: 2 data "
	                 "(8 MB), by task 1 (a_kernel_with_a_long_name) on 'C.0', which waits for one more task or "
	                 "transfer, which waits for task 0 (a_kernel_with_a_long_name) on 'G0': a cycle");
	hop_and_prefetch("a_kernel_with_such_a_long_name_that_the_message_has_hardly_any_room",
	                 "at 0.000000000 s: stuck: task 0 (a_kernel_with_such_a_long_name_that_the_message_has_hardly_"
	                 "any_room) on 'G0' waits for the transfer of data 1 from 'RAM' to 'G0', which needs a copy in "
	                 "'RAM' first, by the transfer of data 1 from 'G1' to 'RAM', which waits for room in 'RAM' (8 "
	                 "of 8 MB used): pinned there: 2 data (8 MB), by 2 more tasks or transfers, the last of which "
	                 "waits for task 0 (a_kernel_with_such_a_long_name_that_the_message_has_hardly_any_room) on "
	                 "'G0': a cycle");
}
END_TEST

/* A victim's write-back waits for room in main memory, which a task of a core fills. The latter writes a handle whose
 * prefetch waits for the room of the victim. */
START_TEST(a_victim_and_a_prefetch)
{
	struct state s = {0};
	tw__ns cost;
	make_graph(&s.w, 5);
	TASK(&s.w, {0, TW_R}, {1, TW_R});
	TASK(&s.w, {2, TW_R}, {3, TW_RW});
	open_state(&s);
	put(&s, 0, s.gpu[0], false);
	put(&s, 4, s.gpu[0], true);
	put(&s, 2, s.ram, false);
	put(&s, 3, s.ram, false);
	tw__prefetch(&s.rt, 3, s.gpu[0], TW_R, 0, CLASS_PREFETCH);
	take(&s, 0, s.card[0]);
	ck_assert_int_eq(tw__memory_acquire(&s.rt, replicate_of(&s.rt, 1, s.gpu[0])->request, &cost), ACQUIRE_LATER);
	take(&s, 1, s.core[0]);
	is_told(&s, "at 0.000000000 s: stuck: the transfer of data 4 from 'G0' to 'RAM' waits for room in "
	            "'RAM' (8 of 8 MB used): pinned there: 2 data (8 MB), by task 1 (work) on 'C.0', which "
	            "waits for the transfer of data 3 from 'RAM' to 'G0', which waits for room in 'G0' (8 of 8 "
	            "MB used): a victim leaves by the transfer of data 4 from 'G0' to 'RAM': a cycle");
}
END_TEST

/* --- real runs ---------------------------------------------------------------------------------------------------- */

/* First come, first served; MODE says what is wrong. */
static enum { FAULTLESS, NEVER_WAKES, KEEPS_THE_LAST } mode;
struct queue {
	tw_task of[100];
	int first, n;
};

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	struct queue *q = state;
	(void)w;
	q->of[q->n++] = t;
	if (mode != NEVER_WAKES)
		tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	struct queue *q = state;
	(void)s, (void)w;
	return q->n - q->first > (mode == KEEPS_THE_LAST) ? q->of[q->first++] : TW_NONE;
}

static const struct tw_policy wrong = {
	.abi = TW_POLICY_ABI, .name = "wrong", .state_size = sizeof(struct queue), .push = push, .pop = pop};

/* After the first kernel, data 0 stays pinned. */
static void pin_for_ever(struct tw_sched *s, void *state, tw_task t, tw_worker w)
{
	static bool has_pinned;
	(void)state, (void)t;
	if (!has_pinned)
		tw__memory_pin(s->rt, 0, tw_worker_node(s, w), PIN_USED);
	has_pinned = true;
}

START_TEST(a_pin_that_was_never_given_back)
{
	struct tw_policy leaky = wrong;
	struct world w;
	leaky.done = pin_for_ever;
	two_gpus_make(&w, 1, 8 * MB, (const uint64_t[]){4 * MB, 4 * MB, 4 * MB}, 3);
	TASK(&w, {0, TW_R});
	TASK(&w, {1, TW_R}, {2, TW_R});
	two_gpus_ready(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &leaky});
	ck_assert_int_eq(o.status, TW_FAILED);
	ck_assert_str_eq(o.err.message,
	                 "at 0.009020000 s: stuck: task 1 (work) on 'G0' waits to reserve 8 MB in 'G0', which is "
	                 "emptied for it: data 0 (4 MB) is pinned there by no task and no transfer: a pin was never "
	                 "given back");
	world_finish(&w);
}
END_TEST

/* Submission takes time, so that workers sleep when tasks are pushed. */
static void policy_is_told(int its_mode, const char *runtime, const char *message)
{
	struct world w;
	mode = (unsigned)its_mode;
	two_gpus_make(&w, 2, 0, (const uint64_t[]){MB}, 1);
	for (int t = 0; t < 3; t++)
		TASK(&w, {0, TW_R});
	two_gpus_ready(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &wrong, .runtime = runtime});
	ck_assert_int_eq(o.status, TW_FAILED);
	ck_assert_str_eq(o.err.message, message);
	world_finish(&w);
}

START_TEST(a_push_without_a_wake)
{
	policy_is_told(NEVER_WAKES, "ideal:submit_cost=1ms",
	               "at 0.003000000 s: policy 'wrong' keeps 3 ready tasks back while all 2 workers sleep (0 of "
	               "3 tasks done): the last push was at 0.003000000 s, and no worker was woken since: a "
	               "tw_wake is missing. Task 0 (work), the first of them, can run on 2 workers");
}
END_TEST
START_TEST(a_pop_that_keeps_a_task)
{
	policy_is_told(KEEPS_THE_LAST, "ideal:submit_cost=1ms",
	               "at 0.005010000 s: policy 'wrong' keeps 1 ready task back while all 2 workers sleep (2 of "
	               "3 tasks done): the last push was at 0.003000000 s, since then pop was called 8 times and "
	               "gave none: it must give them, or call tw_wake once it would. Task 2 (work), the first of "
	               "them, can run on 2 workers");
}
END_TEST

START_TEST(a_message_that_is_too_long_says_so)
{
	static char name[600];
	struct tw_policy named = wrong;
	struct world w;
	mode = KEEPS_THE_LAST;
	memset(name, 'n', sizeof name - 1);
	named.name = name;
	two_gpus_make(&w, 2, 0, (const uint64_t[]){MB}, 1);
	TASK(&w, {0, TW_R});
	two_gpus_ready(&w);
	struct outcome o = world_run(&w, &(struct setting){.own_policy = &named});
	ck_assert_int_eq(o.status, TW_FAILED);
	ck_assert_uint_eq(strlen(o.err.message), sizeof o.err.message - 1);
	ck_assert_str_eq(o.err.message + sizeof o.err.message - 6, "nn...");
	world_finish(&w);
}
END_TEST

/* --- any state ---------------------------------------------------------------------------------------------------- */

/* Explains all waiting tasks in the middle of a run: the reasons must be complete sentences in every state. */
static tw_task ask(struct tw_sched *s, void *state, tw_worker w)
{
	const struct tw__rt *rt = s->rt;
	for (int i = 0; i < rt->n_drivers; i++)
		for (int k = 0; k < rt->drivers[i].n_held; k++) {
			struct tw__text t = {0};
			struct tw__waiting next = {.hold = held(&rt->drivers[i], k)};
			for (int step = 0; step < 20 && (next.hold || next.request); step++) {
				tw__waiting_name(rt, next, &t);
				next = tw__waiting_explain(rt, next, &t);
			}
			ck_assert(t.at == strlen(t.of) && t.at > 0);
		}
	return pop(s, state, w);
}

START_TEST(any_state_can_be_explained)
{
	static const struct tw_policy asks = {
		.abi = TW_POLICY_ABI, .name = "asks", .state_size = sizeof(struct queue), .push = push, .pop = ask};
	static const char *const runtimes[] = {"ideal", "starpu:chunk_bytes=0", "ideal:gpu_pipeline=3:demand_limit=1"};
	struct world w;
	mode = KEEPS_THE_LAST + 1;
	for (size_t r = 0; r < sizeof runtimes / sizeof *runtimes; r++) {
		make_graph(&w, 9);
		for (int t = 0; t < 90; t++)
			TASK(&w, {(t * 7) % 9, TW_RW},
			     {(t * 5 + 1) % 9 == (t * 7) % 9 ? (t * 7 + 1) % 9 : (t * 5 + 1) % 9, TW_R});
		two_gpus_ready(&w);
		world_must_run(&w, &(struct setting){.own_policy = &asks, .runtime = runtimes[r]}, "asks");
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stuck");
	TCase *cases = tcase_create("stuck");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, two_tasks_hold_one_memory);
	tcase_add_test(cases, a_hop_and_a_prefetch);
	tcase_add_test(cases, a_long_cycle);
	tcase_add_test(cases, a_victim_and_a_prefetch);
	tcase_add_test(cases, a_pin_that_was_never_given_back);
	tcase_add_test(cases, a_push_without_a_wake);
	tcase_add_test(cases, a_pop_that_keeps_a_task);
	tcase_add_test(cases, a_message_that_is_too_long_says_so);
	tcase_add_test(cases, any_state_can_be_explained);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
