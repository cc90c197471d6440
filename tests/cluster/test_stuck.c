/* Runs on clusters that cannot go on: the error says which message waits for what, or who keeps a task back. */
#include <stdlib.h>
#include <string.h>

#include "cluster_world.h"
#include "graph/ranks.h"

static void keep(struct tw_sched *s, void *state, tw_task t, tw_worker by) { (void)s, (void)state, (void)t, (void)by; }

static tw_task keep_all(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return TW_NONE;
}

static const struct tw_policy keeps = {.abi = TW_POLICY_ABI, .name = "keeps", .push = keep, .pop = keep_all};

static void as_it_is(struct tw__ranks *ranks) { (void)ranks; }

/* Node 0 sends the second version first. */
static void out_of_order(struct tw__ranks *ranks)
{
	ranks->messages[0].send = 3;
	ranks->messages[1].send = 1;
	ranks->message_of[1] = 1;
	ranks->message_of[3] = 0;
}

/* Node 1 receives the second version first. */
static void late_receiver(struct tw__ranks *ranks)
{
	ranks->messages[0].receive = 6;
	ranks->messages[1].receive = 4;
	ranks->message_of[4] = 1;
	ranks->message_of[6] = 0;
}

START_TEST(deadlocks_say_what_waits)
{
	static const char *const lines[] = {"0 : a+", "1 : a b+", "0 : a+", "1 : a b+", NULL};
	static const struct {
		void (*change)(struct tw__ranks *);
		const struct tw_policy *policy;
		const char *mem, *expected;
		int status;
	} cases[] = {
		{out_of_order, NULL, NULL,
	         "at 1.000000000 s: stuck: message 0 with version 1 of data 0, from node 'n0' to node 'n1', waits for "
	         "node 'n0', which does not send it: its task 3 is not ready",
	         TW_FAILED},
		{out_of_order, NULL, "RAM=2GB",
	         "stuck: message 0 with version 1 of data 0, from node 'n0' to node 'n1', waits for node 'n0', which "
	         "does not send it: its task 3 is not ready",
	         TW_FAILED},
		{late_receiver, NULL, NULL,
	         "stuck: message 0 with version 1 of data 0, from node 'n0' to node 'n1', waits for node 'n1', which "
	         "does not receive it: its task 6 is not ready",
	         TW_FAILED},
		{late_receiver, NULL, "RAM=2GB",
	         "stuck: message 0 with version 1 of data 0, from node 'n0' to node 'n1', waits for node 'n1', which "
	         "does not receive it: its task 6 is not ready",
	         TW_FAILED},
		{as_it_is, &keeps, NULL, "node 'n0': at 0.000000000 s: policy 'keeps' keeps 1 ready task back",
	         TW_FAILED},
		{as_it_is, NULL, "RAM=1.5GB", "node 'n1': task 1 (work) needs 2 GB for its 2 data", TW_INVALID},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		cluster_program(&w, 2, "01", lines, cases[i].mem);
		cases[i].change(w.graph->ranks);
		struct outcome o = world_run(&w, &(struct setting){.own_policy = cases[i].policy});
		ck_assert_msg(!o.ran && o.status == cases[i].status, "case %d: %s", (int)i, o.err.message);
		ck_assert_msg(strstr(o.err.message, cases[i].expected), "case %d: %s", (int)i, o.err.message);
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("stuck");
	TCase *cases = tcase_create("stuck");
	tcase_set_timeout(cases, 0);
	tcase_add_test(cases, deadlocks_say_what_waits);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
