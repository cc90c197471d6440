/* This machine as a platform, with emulated accelerators. */
#include <check.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "look.h"
#include "temp.h"

static struct tw__emulation parse(const char *text)
{
	struct tw__emulation e;
	struct tw_error err = {""};
	ck_assert_msg(tw__emulation_parse(&e, text, &err) == TW_OK, "%s: %s", text, err.message);
	return e;
}

/* A synthetic machine, so that the tests know what it has. */
static struct tw__platform *synthetic(const char *emulated)
{
	struct tw__emulation e = parse(emulated ? emulated : "");
	struct tw__platform *p;
	struct tw_error err = {""};
	unsetenv("HWLOC_XMLFILE");
	setenv("HWLOC_SYNTHETIC", "pack:2 core:4 pu:2", 1);
	ck_assert_msg(tw__machine_platform(&p, emulated ? &e : NULL, NULL, false, &err) == TW_OK, "%s", err.message);
	return p;
}

START_TEST(a_machine_has_a_worker_for_each_core)
{
	struct tw__platform *p = synthetic(NULL);
	ck_assert_str_eq(p->name, "machine");
	ck_assert_str_eq(p->summary, "8 cores on 2 packages");
	ck_assert_int_eq(p->n_workers, 8);
	ck_assert_int_eq(p->n_nodes, 1);
	ck_assert_int_eq(p->n_archs, 1);
	for (int w = 0; w < 8; w++) {
		char name[16];
		snprintf(name, sizeof name, "CPU%d", w);
		ck_assert_str_eq(p->workers[w].name, name);
	}
	tw__platform_destroy(p);
}
END_TEST

START_TEST(accelerators_come_first_and_are_one_arch)
{
	struct tw__platform *p = synthetic("gpus=3:mem=64MiB:bandwidth=2GB/s");
	ck_assert_str_eq(p->summary, "8 cores on 2 packages, 3 emulated GPUs (emulated)");
	ck_assert_int_eq(p->n_workers, 11);
	ck_assert_int_eq(p->n_archs, 2);
	ck_assert_int_eq(p->n_nodes, 4);
	for (int w = 0; w < 3; w++) {
		char name[16];
		snprintf(name, sizeof name, "GPU%d", w);
		ck_assert_str_eq(p->workers[w].name, name);
		ck_assert_str_eq(p->nodes[p->workers[w].node].name, name);
		ck_assert_uint_eq(p->nodes[p->workers[w].node].memory_bytes, 64 << 20);
		ck_assert_int_eq(p->workers[w].arch, p->workers[0].arch);
		ck_assert(p->archs[p->workers[w].arch].accelerator);
	}
	ck_assert_str_eq(p->archs[p->workers[0].arch].name, "emulated");
	ck_assert_str_eq(p->workers[3].name, "CPU0");
	tw__platform_destroy(p);
}
END_TEST

START_TEST(routes_are_what_was_asked_for)
{
	struct tw__platform *p = synthetic("gpus=2:bandwidth=1234567891B/s:latency=13us");
	for (int back = 0; back < 2; back++)
		for (int gpu = 0; gpu < 2; gpu++) {
			const char *name = gpu ? "GPU1" : "GPU0";
			const struct tw__route *r = back ? route(p, name, "RAM") : route(p, "RAM", name);
			ck_assert_int_eq(r->n_links, 1);
			ck_assert_double_eq(r->bandwidth, 1234567891);
			ck_assert_double_eq(r->latency, 13e-6);
			ck_assert_double_eq(r->predicted_bandwidth, r->bandwidth);
		}
	/* Each direction has its own link, and each accelerator, too. */
	ck_assert_int_eq(p->n_links, 4);
	ck_assert_int_eq(route(p, "GPU0", "GPU1")->n_links, 0);
	ck_assert(!p->nodes[node(p, "GPU0")].peer);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(a_shared_link_holds_all_accelerators_back)
{
	struct tw__platform *p = synthetic("gpus=2:bandwidth=3GB/s:shared=4GB/s:peer=yes");
	const struct tw__route *a = route(p, "RAM", "GPU0"), *b = route(p, "RAM", "GPU1");
	ck_assert_int_eq(a->n_links, 2);
	ck_assert_int_eq(a->links[0], b->links[0]);
	ck_assert_int_ne(a->links[1], b->links[1]);
	ck_assert_double_eq(p->links[a->links[0]].bandwidth, 4e9);
	ck_assert_double_eq(p->links[a->links[0]].shared_bandwidth, 4e9);
	ck_assert_double_eq(a->bandwidth, 3e9);
	ck_assert_double_eq(a->latency, 10e-6);
	/* The other direction has its own link, and copies between accelerators cross neither. */
	ck_assert_int_ne(route(p, "GPU0", "RAM")->links[1], a->links[0]);
	ck_assert_str_eq(p->links[a->links[0]].name, "shared_DOWN");
	ck_assert_str_eq(p->links[route(p, "GPU0", "RAM")->links[1]].name, "shared_UP");
	ck_assert_int_eq(route(p, "GPU0", "GPU1")->n_links, 1);
	tw__platform_destroy(p);
	p = synthetic("gpus=2:bandwidth=3GB/s:shared=1GB/s"); /* then a single copy is slower, too */
	ck_assert_double_eq(route(p, "GPU1", "RAM")->bandwidth, 1e9);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(peers_copy_to_each_other)
{
	struct tw__platform *p = synthetic("gpus=16:bandwidth=3GB/s:peer=yes:latency=0");
	for (int a = 1; a <= 16; a++)
		for (int b = 1; b <= 16; b++) {
			const struct tw__route *r = tw__route_of(p, a, b);
			ck_assert_int_eq(r->n_links, a != b);
			if (a == b)
				continue;
			ck_assert_double_eq(r->bandwidth, 3e9);
			ck_assert_double_eq(r->latency, 0);
			ck_assert_int_ne(r->links[0], tw__route_of(p, b, a)->links[0]);
		}
	ck_assert_int_eq(p->n_links, 2 * 16 + 16 * 15);
	tw__platform_destroy(p);
}
END_TEST

static struct tw__platform *select_from(const struct tw__platform *all, int cpus, int gpus, const char *groups)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	const struct tw__platform_choice choice = {.cpus = cpus, .gpus = gpus, .cpu_groups = groups};
	ck_assert_msg(tw__platform_select(&p, all, &choice, &err) == TW_OK, "%s", err.message);
	return p;
}

START_TEST(accelerators_take_no_core)
{
	struct tw__platform *all = synthetic("gpus=9:bandwidth=3GB/s"); /* more accelerators than cores */
	struct tw__platform *p = select_from(all, TW__ALL_WORKERS, TW__ALL_WORKERS, NULL);
	ck_assert_int_eq(p->n_workers, 17);
	tw__platform_destroy(p);
	p = select_from(all, 3, 2, NULL);
	ck_assert_int_eq(p->n_workers, 5);
	tw__platform_destroy(p);
	p = select_from(all, TW__ALL_WORKERS, 1, "2+5+1");
	ck_assert_str_eq(p->workers[2].name, "CPU2-CPU6");
	tw__platform_destroy(p);

	const struct tw__platform_choice greedy = {.cpus = 9, .gpus = 2};
	struct tw_error err = {""};
	ck_assert_int_eq(tw__platform_select(&p, all, &greedy, &err), TW_INVALID);
	ck_assert_contains(err.message, "expected at most 8 CPUs (8 cores, of which GPUs take 0)");
	tw__platform_destroy(all);
}
END_TEST

/* So runs on this machine can be simulated from a file. */
START_TEST(a_written_platform_reads_back)
{
	struct tw__platform *p = synthetic("gpus=2:bandwidth=3GB/s:shared=4GB/s:peer=yes:latency=7us"), *again, *used;
	struct tw_error err = {""};
	struct temp file = temp_text("");
	FILE *f = fopen(file.path, "w");
	ck_assert(f);
	tw__platform_write_xml(p, "", f);
	ck_assert(fclose(f) == 0);
	ck_assert_msg(tw__platform_read(&again, file.path, "again", &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	used = select_from(again, TW__ALL_WORKERS, TW__ALL_WORKERS, NULL);
	ck_assert_int_eq(used->n_workers, p->n_workers);
	for (int w = 0; w < p->n_workers; w++) {
		ck_assert_str_eq(used->workers[w].name, p->workers[w].name);
		ck_assert_int_eq(used->workers[w].undriven, p->workers[w].undriven);
	}
	for (int r = 0; r < p->n_nodes * p->n_nodes; r++) {
		ck_assert_double_eq(again->routes[r].bandwidth, p->routes[r].bandwidth);
		ck_assert_double_eq(again->routes[r].latency, p->routes[r].latency);
	}
	tw__platform_destroy(used);
	tw__platform_destroy(again);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(what_a_machine_needs_is_asked_for)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	struct tw__emulation e = parse("bandwidth=1GB/s");
	ck_assert_int_eq(tw__machine_platform(&p, &e, NULL, false, &err), TW_INVALID);
	ck_assert_str_eq(err.message, "--emulate: parameter 'gpus' is missing: expected it, such as gpus=2");
	ck_assert_ptr_null(p);
	e = parse("gpus=1");
	ck_assert_int_eq(tw__machine_platform(&p, &e, NULL, false, &err), TW_INVALID);
	ck_assert_str_eq(err.message,
	                 "--emulate: parameter 'bandwidth' is missing: expected it, such as bandwidth=2GB/s");
	setenv("HWLOC_SYNTHETIC", "gnu:7", 1);
	ck_assert_int_eq(tw__machine_platform(&p, NULL, NULL, false, &err), TW_INVALID);
	ck_assert_contains(err.message, "gnu:7: hwloc cannot read it");
}
END_TEST

/* The machine that runs the tests. */
static struct tw__platform *this_machine(void)
{
	struct tw__emulation e = parse("gpus=1:bandwidth=1GB/s");
	struct tw__platform *p;
	struct tw_error err = {""};
	unsetenv("HWLOC_XMLFILE");
	unsetenv("HWLOC_SYNTHETIC");
	ck_assert_msg(tw__machine_platform(&p, &e, NULL, false, &err) == TW_OK, "%s", err.message);
	return p;
}

START_TEST(cores_are_those_that_the_process_may_use)
{
	cpu_set_t allowed, one;
	ck_assert_int_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	struct tw__platform *p = this_machine();
	ck_assert_int_ge(p->n_workers, 2);
	ck_assert_int_le(p->n_workers - 1, CPU_COUNT(&allowed));
	tw__platform_destroy(p);

	int last = CPU_SETSIZE - 1;
	while (!CPU_ISSET(last, &allowed))
		last--;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
	p = this_machine();
	ck_assert_int_eq(p->n_workers, 2);
	ck_assert_int_eq(p->n_cores, 1);
	ck_assert_str_eq(p->workers[1].name, "CPU0");
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform machine");
	TCase *cases = tcase_create("machine");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, a_machine_has_a_worker_for_each_core);
	tcase_add_test(cases, accelerators_come_first_and_are_one_arch);
	tcase_add_test(cases, routes_are_what_was_asked_for);
	tcase_add_test(cases, a_shared_link_holds_all_accelerators_back);
	tcase_add_test(cases, peers_copy_to_each_other);
	tcase_add_test(cases, accelerators_take_no_core);
	tcase_add_test(cases, a_written_platform_reads_back);
	tcase_add_test(cases, what_a_machine_needs_is_asked_for);
	tcase_add_test(cases, cores_are_those_that_the_process_may_use);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
