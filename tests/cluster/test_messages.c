/* Small runs on clusters of one-core nodes, whose outcome is computed by hand, and records of such runs that are broken
 * in one place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_world.h"
#include "graph/ranks.h"

START_TEST(makespans_by_hand)
{
	static const struct {
		const char *what;
		int nodes;
		const char *owners, *runtime;
		const char *lines[8];
		double makespan;
		int messages;
	} cases[] = {
		{"one message", 2, "01", "ideal", {"0 : a+", "1 : a b+"}, 1 + 1.002 + 1, 1},
		{"readers of one node share it", 2, "011", "ideal", {"0 : a+", "1 : a b+", "1 : a c+"}, 4.002, 1},
		/* the second version comes when the first was read: at 3.002 s, not at 2 s */
		{"two versions", 2, "01", "ideal", {"0 : a+", "1 : a b+", "0 : a+", "1 : a b+"}, 3.002 + 1.002 + 1, 2},
		/* both leave node 0 over one link: 2 s */
		{"a link for two", 3, "012", "ideal", {"0 : a+", "1 : a b+", "2 : a c+"}, 1 + 2.002 + 1, 2},
		{"one at a time", 3, "012", "ideal:send_limit=1", {"0 : a+", "1 : a b+", "2 : a c+"}, 4.004, 2},
		/* The first one goes at once. The third comes before the second. */
		{"by priority",
	         4,
	         "01232",
	         "ideal:send_limit=1",
	         {"0 : a+", "1 : a b+", "2 : a c+", "3^: a d+", "2 : c e+"},
	         1 + 3 * 1.002 + 2,
	         3},
		/* it is sent back to its owner */
		{"a task elsewhere", 2, "01", "ideal", {"1 : a+", "0 : a"}, 1.002 + 1 + 1.002 + 1, 2},
		{"nothing to read", 2, "01", "ideal", {"1 : a!", "0 : a"}, 1 + 1.002 + 1, 1},
		{"a dependency alone", 2, "01", "ideal", {"0 : a+", "1 : b+ < 0"}, 1 + 0.002 + 1e-9 + 1, 1},
		{"the same for two", 2, "01", "ideal", {"0 : a+", "1 : b+ < 0", "1 : b+ < 0"}, 3.002 + 1e-9, 1},
		{"flushed", 2, "01", "ideal", {"0 : a+", "1 : a b+", "f: a", "1 : a b+"}, 1 + 1.002 + 1 + 1.002 + 1, 2},
		{"kept", 2, "01", "ideal", {"0 : a+", "1 : a b+", "1 : a b+"}, 1 + 1.002 + 2, 1},
		{"both threads", 2, "01", "ideal:message_cost=10ms", {"0 : a+", "1 : a b+"}, 1 + 1.002 + 0.01 + 1, 1},
		/* the accumulator goes to the share, the share to the owner, and there to the handle */
		{"a share", 2, "0", "ideal", {"1 : a*", "1 : a*", "0 : a+"}, 2 + 1 + 1.002 + 1 + 1, 1},
		{"the owner adds, too", 2, "0", "ideal", {"0 : a*", "1 : a*", "0 : a"}, 1 + 1 + 1.002 + 1 + 1, 1},
		{"the owner alone adds", 2, "01", "ideal", {"0 : a*", "1 : a b+"}, 1 + 1 + 1.002 + 1, 1},
		/* two shares come over one link; they are added one after the other */
		{"two shares", 3, "0", "ideal", {"1 : a*", "2 : a*", "0 : a"}, 1 + 1 + 2.002 + 2 + 1, 2},
		{"read elsewhere", 2, "01", "ideal", {"1 : a*", "1 : a b+"}, 1 + 1 + 1.002 + 1 + 1.002 + 1, 2},
		/* the node adds to its share again once it is sent, at 3.002 s */
		{"two reductions", 2, "0", "ideal", {"1 : a*", "0 : a+", "1 : a*", "0 : a"}, 3.002 + 2 + 1.002 + 2, 2},
		{"at the end", 2, "0", "ideal", {"1 : a*"}, 1 + 1 + 1.002 + 1, 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		cluster_program(&w, cases[i].nodes, cases[i].owners, cases[i].lines, NULL);
		struct outcome o = world_run(&w, &(struct setting){.policy = "prio", .runtime = cases[i].runtime});
		ck_assert_msg(o.status == TW_OK, "%s: %s", cases[i].what, o.err.message);
		ck_assert_msg(o.counters.messages == cases[i].messages, "%s: %d messages", cases[i].what,
		              (int)o.counters.messages);
		ck_assert_msg(fabs((double)o.counters.makespan * 1e-9 - cases[i].makespan) < 5e-9,
		              "%s: %.9f s, not %.9f", cases[i].what, (double)o.counters.makespan * 1e-9,
		              cases[i].makespan);
		world_finish(&w);
	}
}
END_TEST

/* --- broken records ----------------------------------------------------------------------------------------------- */

static struct tw__event *find(struct tw__record *r, enum tw__event_kind kind, int32_t number)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == kind &&
		    (kind <= TW__RELEASE ? r->events[i].task : r->events[i].data) == number)
			return &r->events[i];
	ck_abort_msg("no such event");
	return NULL;
}

static void drop(struct tw__record *r, struct tw__event *e)
{
	memmove(e, e + 1, (size_t)(r->events + r->n - (e + 1)) * sizeof *e);
	r->n--;
}

/* The program of the records below has a task that writes a on node 0, a task that reads a and writes b on node 1, and
 * both once more. Node 0 has tasks 0 to 3 (task, send, task, send) and handle 0. Node 1 has tasks 4 to 7 (receive,
 * task, receive, task), and handles 1 (a) and 2 (b). */
static void nothing(struct tw__validation_input *in, struct tw__record *r) { (void)in, (void)r; }

static void lost(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	drop(r, find(r, TW__TRANSFER_START, 1));
	drop(r, find(r, TW__TRANSFER_END, 1));
}

static void twice(struct tw__validation_input *in, struct tw__record *r)
{
	struct tw__event start = *find(r, TW__TRANSFER_START, 1), end = *find(r, TW__TRANSFER_END, 1);
	(void)in;
	tw__record_add(r, &start);
	tw__record_add(r, &end);
}

/* The first message leaves before the task that writes its handle has ended. */
static void too_early(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__TRANSFER_START, 1)->date = 1000;
}

static void late(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__END, 4)->date -= 5;
}

static void too_short(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__TRANSFER_START, 1)->bytes--;
	find(r, TW__TRANSFER_END, 1)->bytes--;
}

static void elsewhere(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind >= TW__ASSIGN && r->events[i].kind <= TW__RELEASE && r->events[i].task == 0)
			r->events[i].worker = r->events[i].node = 1;
}

static void of_others(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	tw__record_add(r, &(struct tw__event){.kind = TW__VALID, .date = 1, .data = 1, .node = 0});
}

static void on_a_worker(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind >= TW__ASSIGN && r->events[i].kind <= TW__RELEASE && r->events[i].task == 1)
			r->events[i].worker = 0;
}

/* In the program's order the second writer comes before the first reader: so that one reads an old version. */
static void old_version(struct tw__validation_input *in, struct tw__record *r)
{
	struct tw__ranks *ranks = in->graph->ranks;
	(void)r;
	ranks->in_order[1] = 2;
	ranks->in_order[2] = 5;
}

static void swapped(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == TW__TRANSFER_START || r->events[i].kind == TW__TRANSFER_END)
			r->events[i].offset = r->events[i].offset == 2 ? 5 : 2;
}

/* The first message takes less time than its links need. */
static void too_fast(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__TRANSFER_END, 1)->date -= 1000000;
	find(r, TW__END, 1)->date -= 1000000;
	find(r, TW__END, 4)->date -= 1000000;
}

static void of_an_invalid_copy(struct tw__validation_input *in, struct tw__record *r)
{
	struct tw__event *start = find(r, TW__TRANSFER_START, 1), *last = &r->events[r->n - 1];
	const struct tw__event invalid = {.kind = TW__INVALID, .date = start->date, .data = 0, .node = start->from};
	(void)in;
	tw__record_add(r, last); /* makes room */
	start = find(r, TW__TRANSFER_START, 1);
	memmove(start + 1, start, (size_t)(r->events + r->n - 1 - start) * sizeof *start);
	*start = invalid;
}

/* Main memories are bounded here. */
static void without_room(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	drop(r, find(r, TW__ALLOC, 1));
}

static void backwards(struct tw__validation_input *in, struct tw__record *r)
{
	struct tw__event *ends[] = {find(r, TW__TRANSFER_START, 1), find(r, TW__TRANSFER_END, 1)};
	(void)in;
	for (int i = 0; i < 2; i++) {
		const int16_t from = ends[i]->from;
		ends[i]->from = ends[i]->node;
		ends[i]->node = from;
	}
}

static void to_nobody(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__TRANSFER_START, 1)->date = 0;
	find(r, TW__TRANSFER_START, 1)->data = 2;
}

/* The program of the records below has a task on each node that adds to a, and one on node 0 that reads it. Node 0 has
 * tasks 0 to 3 (adds, receives, combines, reads), handle 0 (a) and handle 1 (the share of node 1). Node 1 has tasks 4
 * and 5 (adds, sends) and handle 2 (its share). Tasks 6 and 7 are appended, on node 0 and on node 1. */
static void read_before(struct tw__validation_input *in, struct tw__record *r)
{
	(void)r;
	in->graph->ranks->in_order[2] = 3;
	in->graph->ranks->in_order[3] = 2;
}

static void appended_elsewhere(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind >= TW__ASSIGN && r->events[i].kind <= TW__RELEASE && r->events[i].task == 7)
			r->events[i].worker = r->events[i].node = 0;
}

static void share_too_early(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__TRANSFER_START, 1)->date = 1500000000;
}

/* A node's reduction ends without what a second task has added. */
static void not_added(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	r->extended->phases[1].n_contributors++;
}

START_TEST(broken_records_are_refused)
{
	static const char *const lines[] = {"0 : a+", "1 : a b+", "0 : a+", "1 : a b+", NULL}, *const reducing[] = {
												       "0 : a*",
												       "1 : a*",
												       "0 : a", NULL};
	static const struct {
		void (*mutate)(struct tw__validation_input *, struct tw__record *);
		const char *expected; /* NULL: nothing */
		bool reduces;
		const char *mem;
	} cases[] = {
		{nothing, NULL},
		{nothing, NULL, .mem = "RAM=2GB"},
		{swapped, "message: message 1 with data 1 is sent before its task is ready"},
		{too_fast,
	         "transfer: data 1, which left n0.RAM for n1.RAM at 1.000000000 s, ended 0.001 s earlier than"},
		{of_an_invalid_copy, "message: message 0 with data 1 is sent while its handle is not valid there"},
		{without_room, "message: message 0 with data 1 goes to a memory where its handle has no room",
	         .mem = "RAM=2GB"},
		{backwards, "message: message 0 with data 1 goes from or to a memory that is not its"},
		{lost, "message: task 1 starts at another date than the transfer of message 0"},
		{twice, "message: message 0 with data 1 is sent a second time"},
		{too_early, "message: message 0 with data 1 is sent before its task is ready"},
		{late, "message: task 4 ends at another date than the transfer of message 0"},
		{too_short, "message: message 0 with data 1 has not the size of its handle"},
		{elsewhere, "message: an event of node n0 is also one of node n1"},
		{of_others, "message: an event of node n1 is also one of node n0"},
		{on_a_worker, "message: task 1, which sends message 0, runs on a worker"},
		{old_version, "message: task 5 reads version 1 of data 1, where the program's order gives it 2"},
		{to_nobody, "message: data 2 goes from n0.RAM to n1.RAM, but no task receives it"},
		{nothing, NULL, true},
		{lost, "message: task 5 starts at another date than the transfer of message 0", true},
		{twice, "message: message 0 with data 1 is sent a second time", true},
		{read_before, "message: task 3 reads version 2 of data 0, where the program's order gives it 1", true},
		{appended_elsewhere, "message: an event of node n1 is also one of node n0", true},
		{share_too_early, "message: message 0 with data 1 is sent before its task is ready", true},
		{not_added, "dependencies: the reduction of data 3 ends with 1 of 2 contributions", true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		cluster_program(&w, 2, "01", cases[i].reduces ? reducing : lines, cases[i].mem);
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

int main(void)
{
	Suite *suite = suite_create("messages");
	TCase *cases = tcase_create("messages");
	tcase_set_timeout(cases, 0);
	tcase_add_test(cases, makespans_by_hand);
	tcase_add_test(cases, broken_records_are_refused);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
