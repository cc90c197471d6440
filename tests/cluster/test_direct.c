/* GPUDirect: small runs whose outcome is computed by hand, on both engines, and records of such a run that are broken
 * in one place. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster_world.h"
#include "graph/ranks.h"
#include "pair.h"

/* Three nodes compute on one card each, with 4 GB behind a PCI link of so many GB/s. */
static void program(struct world *w, const char *pci, bool is_shared, const char *owners, const char *const *lines,
                    const char *mem)
{
	char xml[2000];
	snprintf(xml, sizeof xml,
	         "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
	         "<platform version='4.1'><zone id='z' routing='Full'><host id='RAM' speed='1f'/>"
	         "<host id='C' speed='1f'><prop id='arch' value='cpu'/></host><host id='G' speed='1f'>"
	         "<prop id='arch' value='gpu'/><prop id='memory' value='4GB'/></host>"
	         "<link id='pci' bandwidth='%sGBps' latency='0s' sharing_policy='%s'/><route src='RAM' dst='G'>"
	         "<link_ctn id='pci'%s/></route></zone></platform>\n",
	         pci, is_shared ? "SHARED" : "SPLITDUPLEX", is_shared ? "" : " direction='DOWN'");
	cluster_program_on(w, xml, 3, owners, lines, mem);
}

/* Handles have 1 GB, tasks take 1 s, and the network passes 1 GB/s after 2 ms. */
#define ON "ideal:gpudirect=yes"

static const struct {
	const char *what, *owners;
	const char *lines[8];
	double makespan;
	int transfers;
	const char *pci, *mem; /* pci NULL: 2 GB/s */
	bool is_shared, is_off;
} cases[] = {
	/* Loaded, written at 1.5 s, written back, sent, and loaded behind it. */
	{"by main memories", "01", {"0 : a+", "1 : b+", "1 : a b+"}, 1.5 + 0.5 + 1.002 + 0.5 + 1, 4, .is_off = true},
	{"the network limits", "01", {"0 : a+", "1 : b+", "1 : a b+"}, 1.5 + 1.002 + 1, 2},
	{"the PCI link limits", "01", {"0 : a+", "1 : b+", "1 : a b+"}, 3 + 2.002 + 1, 2, "0.5"},
	/* From 2.002 s on, c and the message have half of the link each. The last 2 MB are the message's. */
	{"a load, too", "010", {"0 : a+", "1 : b+", "1 : a b+", "0 : c+ < 0"}, 2 + 2 + 1, 3, "1", .is_shared = true},
	{"two messages", "012", {"0 : a+", "1 : b+", "2 : c+", "1 : a b+", "2 : a c+"}, 1.5 + 2.002 + 1, 3},
	/* The card of node 1 does not have b, so a goes to main memory. */
	{"no card of the reader", "01", {"0 : a+", "1 : a b+"}, 1.5 + 1.002 + 0.5 + 0.5 + 1, 3},
	/* a starts in main memory, and goes at date 0. */
	{"from main memory", "01", {"1 : b+", "1 : a b+"}, 1.5 + 0.5 + 1, 2},
	/* The second version comes when the first was read. */
	{"two versions", "01", {"0 : a+", "1 : b+", "1 : a b+", "0 : a+", "1 : a b+"}, 3.502 + 1.002 + 1, 2},
	/* Three handles of a running task have the whole card: a goes to main memory. */
	{"no room", "0111", {"0 : a+", "1 : b+ c d", "1 : a b+"}, 1.5 + 1.002 + 0.5 + 1, 5, .mem = "G=3GB"},
	{"room for four", "0111", {"0 : a+", "1 : b+ c d", "1 : a b+"}, 1.5 + 1.002 + 1, 4, .mem = "G=4GB"},
	/* At 3.5 s, b is written back for 0.5 s and leaves. Then a comes to its place. */
	{"it evicts",
         "011",
         {"0 : a+", "0 : a+", "0 : a+", "1 : b+", "1 : c+", "1 : a c+"},
         4 + 1.002 + 1,
         4,
         .mem = "G=2GB"},
	{"it need not evict",
         "011",
         {"0 : a+", "0 : a+", "0 : a+", "1 : b+", "1 : c+", "1 : a c+"},
         3.5 + 1.002 + 1,
         3,
         .mem = "G=3GB"},
};

START_TEST(makespans_by_hand)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct world w;
		program(&w, cases[i].pci ? cases[i].pci : "2", cases[i].is_shared, cases[i].owners, cases[i].lines,
		        cases[i].mem);
		struct outcome o = world_run(&w, &(struct setting){.policy = "prio",
		                                                   .runtime = cases[i].is_off ? "ideal" : ON,
		                                                   .afterwards = pair_compare});
		ck_assert_msg(o.status == TW_OK && o.twin == TWIN_SAME, "%s: %s", cases[i].what, o.err.message);
		ck_assert_msg(fabs((double)o.counters.makespan * 1e-9 - cases[i].makespan) < 5e-9,
		              "%s: %.9f s, not %.9f", cases[i].what, (double)o.counters.makespan * 1e-9,
		              cases[i].makespan);
		ck_assert_msg(o.counters.transfers == cases[i].transfers, "%s: %d transfers, not %d", cases[i].what,
		              (int)o.counters.transfers, cases[i].transfers);
		world_finish(&w);
	}
}
END_TEST

/* --- broken records ----------------------------------------------------------------------------------------------- */

/* The memories of nodes 0 and 1. Main memories come first, one for each of three nodes. */
enum { MAIN_0, MAIN_1, CARD_0 = 3, CARD_1 };

/* In the record below, task 0 writes a on node 0, and task 1 sends it, data 0. On node 1, task 2 writes b, task 3
 * receives a, and task 4 reads it. */
enum { SENDS = 1, RECEIVES = 3 };

static struct tw__event *find(struct tw__record *r, enum tw__event_kind kind, int32_t task)
{
	struct tw__event *e = r->events;
	const bool is_message = kind == TW__TRANSFER_START || kind == TW__TRANSFER_END;
	while (e < r->events + r->n &&
	       (e->kind != kind || (is_message ? e->from != CARD_0 || e->node != CARD_1 : e->task != task)))
		e++;
	ck_assert_msg(e < r->events + r->n, "no such event");
	return e;
}

static void nothing(struct tw__validation_input *in, struct tw__record *r) { (void)in, (void)r; }

static void move(struct tw__record *r, int16_t from, int16_t to)
{
	for (int end = 0; end < 2; end++) {
		struct tw__event *e = find(r, end ? TW__TRANSFER_END : TW__TRANSFER_START, 0);
		e->from = from;
		e->node = to;
	}
}

static void from_main(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	move(r, MAIN_0, CARD_1);
}

static void to_main(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	move(r, CARD_0, MAIN_1);
}

static void from_another_node(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	move(r, CARD_0 + 2, CARD_1);
}

/* The run had no gpudirect, so there is no such route. */
static void without_a_route(struct tw__validation_input *in, struct tw__record *r)
{
	(void)r;
	((struct tw__platform *)(uintptr_t)in->platform)->routes[CARD_0 * in->platform->n_nodes + CARD_1].n_links = 0;
}

static void without_room(struct tw__validation_input *in, struct tw__record *r)
{
	const tw_data received = find(r, TW__TRANSFER_START, 0)->data;
	(void)in;
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == TW__ALLOC && r->events[i].data == received)
			r->events[i].date = find(r, TW__TRANSFER_END, 0)->date;
}

/* The message arrives on the card before its task is there, though only main memory has temporary buffers. */
static void too_early(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__ASSIGN, RECEIVES)->date = find(r, TW__TRANSFER_START, 0)->date + 1;
}

static void freed(struct tw__record *r, tw_data d, int16_t card)
{
	const tw__ns date = find(r, TW__TRANSFER_START, 0)->date + 1000;
	struct tw__event room = {0};
	for (size_t i = 0; i < r->n; i++)
		if (r->events[i].kind == TW__ALLOC && r->events[i].data == d && r->events[i].node == card)
			room = r->events[i];
	room.kind = TW__FREE;
	room.cause = TW__EVICTION;
	room.date = date;
	tw__record_add(r, &room);
}

static void sent_copy_leaves(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	freed(r, 0, CARD_0);
}

static void received_copy_leaves(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	freed(r, find(r, TW__TRANSFER_START, 0)->data, CARD_1);
}

static void sends_elsewhere(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__START, SENDS)->node = find(r, TW__END, SENDS)->node = MAIN_0;
}

static void received_elsewhere(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__RELEASE, RECEIVES)->node = MAIN_1;
}

static void taken_on_a_card(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__ASSIGN, RECEIVES)->node = CARD_1;
}

/* The PCI links would pass it in half of the time. */
static void too_fast(struct tw__validation_input *in, struct tw__record *r)
{
	(void)in;
	find(r, TW__TRANSFER_END, 0)->date -= 500000000;
	find(r, TW__END, SENDS)->date -= 500000000;
	find(r, TW__END, RECEIVES)->date -= 500000000;
}

static void with_a_small_card(struct tw__validation_input *in, struct tw__record *r)
{
	(void)r;
	((uint64_t *)(uintptr_t)in->capacity)[CARD_1] = 1500000000;
}

START_TEST(broken_records_are_refused)
{
	static const char *const lines[] = {"0 : a+", "1 : b+", "1 : a b+", NULL};
	static const struct {
		void (*mutate)(struct tw__validation_input *, struct tw__record *);
		const char *expected; /* NULL: nothing */
	} broken[] = {
		{nothing, NULL},
		{from_main, "message: message 0 with data 1 is sent while its handle is not valid there"},
		{to_main, "message: task 3, which receives message 0, runs on a worker, or in memory n1.G"},
		{from_another_node, "message: message 0 with data 1 goes from or to a memory that is not its"},
		{without_a_route,
	         "transfer: the event 'transfer_start' names the route from memory 3 to 4, which the run"},
		{without_room, "message: message 0 with data 1 goes to a memory where its handle has no room"},
		{too_early, "message: message 0 with data 1 goes to a memory where its handle has no room"},
		{sent_copy_leaves, "pinned: the room of data 0"},
		{received_copy_leaves, "pinned: the room of data 1"},
		{sends_elsewhere, "message: task 1, which sends message 0, runs on a worker, or in memory n0.RAM"},
		{received_elsewhere,
	         "message: task 3, which receives message 0, runs on a worker, or in memory n1.RAM"},
		{taken_on_a_card, "message: task 3, which receives message 0, runs on a worker, or in memory n1.G"},
		{too_fast, "transfer: data 1, which left n0.G for n1.G at 1.500000000 s, ended 0.5 s earlier than"},
		{with_a_small_card, "capacity: "},
	};
	for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
		struct world w;
		program(&w, "2", false, "01", lines, NULL);
		struct outcome o =
			world_run(&w, &(struct setting){.runtime = ON, .mutate = broken[i].mutate, .once = true});
		ck_assert_msg(o.ran && o.status == (broken[i].expected ? TW_FAILED : TW_OK), "case %d: %s", (int)i,
		              o.err.message);
		ck_assert_msg(!broken[i].expected || strstr(o.err.message, broken[i].expected), "case %d: %s", (int)i,
		              o.err.message);
		world_finish(&w);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("direct");
	TCase *tcase = tcase_create("direct");
	tcase_set_timeout(tcase, 0);
	tcase_add_test(tcase, makespans_by_hand);
	tcase_add_test(tcase, broken_records_are_refused);
	suite_add_tcase(suite, tcase);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
