/* hwloc's data become a platform file that can be read. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "machine/detect.h"
#include "look.h"
#include "temp.h"

/* Reads the platform in `file`, and closes it. */
static struct tw__platform *read_back(FILE *file)
{
	static char text[1 << 16];
	rewind(file);
	text[fread(text, 1, sizeof text - 1, file)] = '\0';
	fclose(file);
	struct temp copy = temp_text(text);
	struct tw__platform *p;
	struct tw_error err = {""};
	int status = tw__platform_read(&p, copy.path, "test", &err);
	temp_remove(copy);
	ck_assert_msg(status == TW_OK, "%s in %s", err.message, text);
	return p;
}

static struct tw__platform *described(const char *description, bool numa)
{
	struct tw_error err = {""};
	FILE *file = tmpfile();
	unsetenv("HWLOC_XMLFILE");
	setenv("HWLOC_SYNTHETIC", description, 1);
	ck_assert_msg(tw__detect(file, "node", NULL, numa, &err) == TW_OK, "%s", err.message);
	return read_back(file);
}

static struct tw__platform *synthetic(const char *description) { return described(description, false); }

START_TEST(a_worker_is_a_physical_core)
{
	struct tw__platform *p = synthetic("pack:2 l3:1 core:6 pu:2");
	ck_assert_int_eq(p->n_workers, 12);
	ck_assert_int_eq(p->n_cores, 12);
	ck_assert_int_eq(p->n_archs, 1);
	ck_assert_str_eq(p->archs[0].name, "cpu");
	ck_assert_str_eq(p->workers[0].name, "CPU0.0");
	ck_assert_str_eq(p->workers[11].name, "CPU1.5");
	ck_assert_int_eq(p->n_nodes, 1);
	ck_assert_uint_eq(p->nodes[TW_RAM].memory_bytes, 0); /* a bound would need a disk */
	tw__platform_destroy(p);
}
END_TEST

START_TEST(without_cores_or_packages_there_are_units)
{
	struct tw__platform *p = synthetic("numa:2 pu:3");
	ck_assert_int_eq(p->n_workers, 6);
	ck_assert_str_eq(p->workers[5].name, "CPU.5");
	tw__platform_destroy(p);
}
END_TEST

static void expect_error(const char *description, const char *message)
{
	struct tw_error err = {""};
	FILE *file = tmpfile();
	unsetenv("HWLOC_XMLFILE");
	setenv("HWLOC_SYNTHETIC", description, 1);
	ck_assert_int_eq(tw__detect(file, NULL, NULL, false, &err), TW_INVALID);
	ck_assert_contains(err.message, message);
	fclose(file);
}

START_TEST(what_is_no_machine_is_told)
{
	expect_error("pack:2 gnu:7", "pack:2 gnu:7: hwloc cannot read it: expected a topology");
	expect_error("numa:1 pu:4097", "4097 cores, expected 1 to 4096");
}
END_TEST

/* Names of the links, "pci0_UP pci1_DOWN"; "" if there is no route. */
static const char *links(const struct tw__platform *p, const char *from, const char *to)
{
	static char text[256];
	const struct tw__route *r = route(p, from, to);
	text[0] = '\0';
	for (int i = 0; i < r->n_links; i++) {
		strcat(text, i ? " " : "");
		strcat(text, p->links[r->links[i]].name);
	}
	return text;
}

/* Bridge 0 has two switches below it, 1 and 2 (of unknown speed), with GPUs 0 and 1, 2 and 3. GPU 4, of another
 * vendor, is below 2. Nothing is known about GPU 5. */
static struct tw__platform *two_switches(void)
{
	static const struct tw__machine machine = {
		.version = "2",
		.cpu = "<!-- -- -->",
		.n_packages = 1,
		.n_cores = 8,
		.n_pus = 8,
		.n_runs = 2,
		.runs = {{.cores = 4, .arch = "cpu-big"}, {.cores = 4, .arch = "cpu-little"}},
		.n_bridges = 3,
		.bridges = {{.place = "a", .bandwidth = 30e9, .parent = TW_NONE},
	                    {.place = "b", .bandwidth = 20e9},
	                    {.place = "c"}},
		.n_gpus = 6,
		.gpus = {{.arch = "x", .vendor = 1, .bandwidth = 12e9, .bridge = 1, .memory_bytes = 1 << 20},
	                 {.arch = "x", .vendor = 1, .bandwidth = 12e9, .bridge = 1, .model = "\"Model\" --> \x80"},
	                 {.arch = "x", .vendor = 1, .bandwidth = 12e9, .bridge = 2},
	                 {.arch = "x", .vendor = 1, .bandwidth = 12e9, .bridge = 2},
	                 {.arch = "y", .vendor = 2, .bandwidth = 12e9, .bridge = 2, .named_memory_bytes = 5},
	                 {.arch = "z", .bridge = TW_NONE}},
	};
	FILE *file = tmpfile();
	tw__machine_write(file, &machine, "node");
	return read_back(file);
}

START_TEST(copies_take_the_bridges_on_their_way)
{
	struct tw__platform *p = two_switches();
	ck_assert_str_eq(links(p, "RAM", "GPU0"), "bridge0_DOWN bridge1_DOWN pci0_DOWN");
	ck_assert_str_eq(links(p, "GPU1", "RAM"), "pci1_UP bridge1_UP bridge0_UP");
	ck_assert_str_eq(links(p, "RAM", "GPU3"), "bridge0_DOWN pci3_DOWN"); /* its switch is unknown */
	ck_assert_str_eq(links(p, "RAM", "GPU5"), "pci5_DOWN");
	ck_assert_double_eq(tw__route_of(p, TW_RAM, node(p, "GPU0"))->bandwidth, 12e9);
	ck_assert_double_eq(tw__route_of(p, TW_RAM, node(p, "GPU5"))->bandwidth, 12e9);
	ck_assert_double_eq(tw__route_of(p, TW_RAM, node(p, "GPU0"))->latency, 10e-6);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(gpus_of_one_vendor_below_one_bridge_are_peers)
{
	struct tw__platform *p = two_switches();
	ck_assert_str_eq(links(p, "GPU0", "GPU1"), "pci0_UP pci1_DOWN");
	ck_assert_str_eq(links(p, "GPU0", "GPU2"), "pci0_UP bridge1_UP pci2_DOWN");
	ck_assert_str_eq(links(p, "GPU2", "GPU1"), "pci2_UP bridge1_DOWN pci1_DOWN");
	ck_assert_str_eq(links(p, "GPU3", "GPU4"), "");
	ck_assert_str_eq(links(p, "GPU0", "GPU5"), "");
	for (int i = 0; i < 6; i++)
		ck_assert_int_eq(p->nodes[1 + i].peer, i < 4);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(memories_are_told_named_or_assumed)
{
	struct tw__platform *p = two_switches();
	ck_assert_uint_eq(p->nodes[node(p, "GPU0")].memory_bytes, 1 << 20);
	ck_assert_uint_eq(p->nodes[node(p, "GPU4")].memory_bytes, 5);
	ck_assert_uint_eq(p->nodes[node(p, "GPU5")].memory_bytes, UINT64_C(8) << 30);
	ck_assert_str_eq(p->summary,
	                 "8 cores on 1 package, 4 GPUs (x), 1 GPU (y), 1 GPU (z); detected, no kernel times");
	tw__platform_destroy(p);
}
END_TEST

START_TEST(numa_nodes_are_main_memories)
{
	struct tw__platform *p = described("numa:3 core:2 pu:2", true);
	ck_assert_int_eq(p->n_nodes, 3);
	ck_assert_int_eq(tw__n_mains(p), 3);
	ck_assert_str_eq(p->nodes[0].name, "RAM");
	ck_assert_str_eq(p->nodes[2].name, "RAM2");
	for (tw_worker w = 0; w < 6; w++)
		ck_assert_int_eq(p->workers[w].node, w / 2);
	/* 500 ns for each end, and the links of both ends are shared */
	ck_assert_double_eq_tol(tw__route_of(p, 0, 2)->latency, 1e-6, 1e-12);
	ck_assert_double_eq(tw__route_of(p, 2, 0)->bandwidth, 20e9);
	ck_assert_int_eq(tw__route_of(p, 0, 1)->links[0], tw__route_of(p, 0, 2)->links[0]);
	ck_assert_int_eq(tw__route_of(p, 1, 2)->links[1], tw__route_of(p, 0, 2)->links[1]);
	tw__platform_destroy(p);
	p = described("pack:2 core:2 pu:1", true); /* a NUMA node of the whole machine */
	ck_assert_int_eq(p->n_nodes, 1);
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform detect");
	TCase *cases = tcase_create("detect");
	tcase_set_timeout(cases, 60); /* hwloc takes a second for thousands of cores */
	tcase_add_test(cases, a_worker_is_a_physical_core);
	tcase_add_test(cases, without_cores_or_packages_there_are_units);
	tcase_add_test(cases, what_is_no_machine_is_told);
	tcase_add_test(cases, copies_take_the_bridges_on_their_way);
	tcase_add_test(cases, gpus_of_one_vendor_below_one_bridge_are_peers);
	tcase_add_test(cases, memories_are_told_named_or_assumed);
	tcase_add_test(cases, numa_nodes_are_main_memories);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
