/* Selecting the part of a platform that a run uses, and selections that are refused. */
#include <check.h>
#include <stdlib.h>

#include "platform/platform.h"
#include "temp.h"

static struct tw__platform *mirage;

static void read_mirage(void)
{
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&mirage, &kernels, "mirage", &err) == TW_OK, "%s", err.message);
	free(kernels);
}

static void destroy_mirage(void) { tw__platform_destroy(mirage); }

static struct tw__platform *selected(const struct tw__platform *all, struct tw__platform_choice choice)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_msg(tw__platform_select(&p, all, &choice, &err) == TW_OK, "%s", err.message);
	return p;
}

static int count(const struct tw__platform *p, const char *arch)
{
	int n = 0;
	for (int w = 0; w < p->n_workers; w++)
		n += strcmp(p->archs[p->workers[w].arch].name, arch) == 0;
	return n;
}

START_TEST(each_gpu_takes_a_core)
{
	static const struct {
		int cpus, gpus, got_cpus, got_gpus;
	} cases[] = {
		{TW__ALL_WORKERS, TW__ALL_WORKERS, 9, 3},
		{TW__ALL_WORKERS, 1, 11, 1},
		{TW__ALL_WORKERS, 0, 12, 0},
		{0, TW__ALL_WORKERS, 0, 3},
		{4, 2, 4, 2},
		{9, 3, 9, 3},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw__platform *p =
			selected(mirage, (struct tw__platform_choice){.cpus = cases[i].cpus, .gpus = cases[i].gpus});
		ck_assert_int_eq(count(p, "cpu"), cases[i].got_cpus);
		int gpus = count(p, "m2070-0") + count(p, "m2070-1") + count(p, "m2070-2");
		ck_assert_int_eq(gpus, cases[i].got_gpus);
		ck_assert_int_eq(p->n_workers, cases[i].got_cpus + cases[i].got_gpus);
		ck_assert_int_eq(p->n_archs, (cases[i].got_cpus > 0) + cases[i].got_gpus);
		ck_assert_int_eq(p->n_nodes, 1 + cases[i].got_gpus);
		ck_assert_str_eq(p->name, "mirage");
		tw__platform_destroy(p);
	}
}
END_TEST

START_TEST(routes_and_links_follow_their_memories)
{
	struct tw__platform *p = selected(mirage, (struct tw__platform_choice){.cpus = 2, .gpus = 1});
	ck_assert_int_eq(p->n_nodes, 2);
	/* Own links in both directions, three PCI bridges in both directions, of which two have a through link, and
	 * the host bridge. */
	ck_assert_int_eq(p->n_links, 2 + 6 + 2 + 1);
	for (int way = 0; way < 2; way++) {
		const struct tw__route *r = tw__route_of(p, way, !way), *before = tw__route_of(mirage, way, !way);
		ck_assert_int_eq(r->n_links, before->n_links);
		ck_assert_double_eq(r->bandwidth, before->bandwidth);
		ck_assert_double_eq(r->predicted_latency, before->predicted_latency);
		for (int i = 0; i < r->n_links; i++)
			ck_assert_str_eq(p->links[r->links[i]].name, mirage->links[before->links[i]].name);
	}
	tw__platform_destroy(p);

	p = selected(mirage, (struct tw__platform_choice){.cpus = 2, .gpus = 0});
	ck_assert_int_eq(p->n_links, 0);
	ck_assert_int_eq(tw__route_of(p, 0, 0)->n_links, 0);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(memories_are_bounded_as_asked)
{
	struct tw__platform *p = selected(
		mirage, (struct tw__platform_choice){
				.cpus = 9, .gpus = 3, .gpu_mem_bytes = 500 << 20, .mem = "gpu1=250MiB,ram=1GiB"});
	ck_assert_uint_eq(p->nodes[TW_RAM].limit_bytes, 1u << 30);
	ck_assert_uint_eq(p->nodes[1].limit_bytes, 500u << 20);
	ck_assert_uint_eq(p->nodes[2].limit_bytes, 250u << 20);
	ck_assert_uint_eq(p->nodes[3].limit_bytes, 500u << 20);
	ck_assert_uint_eq(p->nodes[3].memory_bytes, 5636554752u);
	tw__platform_destroy(p);
	p = selected(mirage, (struct tw__platform_choice){.cpus = 9, .gpus = 3});
	for (int n = 0; n < p->n_nodes; n++)
		ck_assert_uint_eq(p->nodes[n].limit_bytes, 0);
	tw__platform_destroy(p);
}
END_TEST

#define DISK                                                                                                     \
	"<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"                                             \
	"<host id=\"CPU0\" speed=\"1f\"/><host id=\"DISK0\" speed=\"1f\"/><host id=\"RAM\" speed=\"1f\"/>"       \
	"<host id=\"G\" speed=\"1f\"><prop id=\"arch\" value=\"g\"/><prop id=\"memory\" value=\"4GiB\"/></host>" \
	"<link id=\"l\" bandwidth=\"1GBps\"/>"                                                                   \
	"<route src=\"RAM\" dst=\"DISK0\"><link_ctn id=\"l\"/></route>"                                          \
	"<route src=\"RAM\" dst=\"G\"><link_ctn id=\"l\"/></route></zone></platform>"

static struct tw__platform *with_disk(void)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	struct temp file = temp_text(DISK);
	ck_assert_msg(tw__platform_read(&p, file.path, "disk", &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	return p;
}

START_TEST(a_disk_is_there_when_main_memory_is_bounded)
{
	struct tw__platform *all = with_disk();
	struct tw__platform *p = selected(all, (struct tw__platform_choice){.cpus = TW__ALL_WORKERS, .gpus = 1});
	ck_assert_int_eq(p->n_nodes, 2);
	ck_assert_int_eq(p->nodes[TW_RAM].backing, TW_NONE);
	ck_assert_int_eq(count(p, "cpu"), 0);
	tw__platform_destroy(p);
	p = selected(all, (struct tw__platform_choice){.cpus = 0, .gpus = 1, .mem = "RAM=1GiB,DISK0=2GiB"});
	ck_assert_int_eq(p->n_nodes, 3);
	ck_assert_str_eq(p->nodes[2].name, "DISK0");
	ck_assert_uint_eq(p->nodes[2].limit_bytes, 2ull << 30);
	ck_assert_int_eq(p->nodes[TW_RAM].backing, 2);
	ck_assert_int_eq(p->nodes[1].backing, TW_RAM);
	ck_assert_int_eq(tw__route_of(p, 2, TW_RAM)->n_links, 1);
	ck_assert_int_eq(tw__route_of(p, 2, 1)->n_links, 0);
	tw__platform_destroy(p);
	tw__platform_destroy(all);
}
END_TEST

START_TEST(accelerators_without_any_core_cost_none)
{
	struct tw__platform *all;
	struct tw_error err = {""};
	struct temp file = temp_text(
		"<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><host id=\"RAM\" speed=\"1f\"/>"
		"<host id=\"G\" speed=\"1f\"><prop id=\"arch\" value=\"g\"/><prop id=\"memory\" value=\"4GiB\"/></host>"
		"<link id=\"l\" bandwidth=\"1GBps\"/><route src=\"RAM\" dst=\"G\"><link_ctn "
		"id=\"l\"/></route></zone></platform>");
	ck_assert_msg(tw__platform_read(&all, file.path, "gpu", &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	struct tw__platform *p =
		selected(all, (struct tw__platform_choice){.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS});
	ck_assert_int_eq(p->n_workers, 1);
	tw__platform_destroy(p);
	tw__platform_destroy(all);
}
END_TEST

/* Expects "NAME of CORES ARCH", accelerators first. */
static void expect_workers(const struct tw__platform *p, const char *const *workers, int n)
{
	ck_assert_int_eq(p->n_workers, n);
	for (int w = 0; w < n; w++) {
		char text[128];
		const struct tw__worker *worker = &p->workers[w];
		snprintf(text, sizeof text, "%s of %d %s", worker->name, worker->cores, p->archs[worker->arch].name);
		ck_assert_str_eq(text, workers[w]);
		ck_assert_int_eq(p->archs[worker->arch].cores, worker->cores);
		ck_assert_int_eq(worker->node == TW_RAM, !p->archs[worker->arch].accelerator);
	}
}

START_TEST(a_group_of_cores_is_one_worker)
{
	static const struct {
		struct tw__platform_choice choice;
		int n_workers, n_archs;
		const char *workers[4];
	} cases[] = {
		{{TW__ALL_WORKERS, 0, .cpu_groups = "10+2"}, 2, 2, {"CPU0-CPU9 of 10 cpu", "CPU10-CPU11 of 2 cpu"}},
		{{TW__ALL_WORKERS, 1, .cpu_groups = "2+1+2"},
	         4,
	         3,
	         {"GPU0 of 1 m2070-0", "CPU0-CPU1 of 2 cpu", "CPU2 of 1 cpu", "CPU3-CPU4 of 2 cpu"}},
		{{TW__ALL_WORKERS, 3, .cpu_groups = "9"},
	         4,
	         4,
	         {"GPU0 of 1 m2070-0", "GPU1 of 1 m2070-1", "GPU2 of 1 m2070-2", "CPU0-CPU8 of 9 cpu"}},
		/* `cpus` counts groups, and takes the first ones. */
		{{2, 0, .cpu_groups = "5+4+3"}, 2, 2, {"CPU0-CPU4 of 5 cpu", "CPU5-CPU8 of 4 cpu"}},
		{{0, 1, .cpu_groups = "5+4"}, 1, 1, {"GPU0 of 1 m2070-0"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct tw__platform *p = selected(mirage, cases[i].choice);
		expect_workers(p, cases[i].workers, cases[i].n_workers);
		ck_assert_int_eq(p->n_archs, cases[i].n_archs);
		tw__platform_destroy(p);
	}
}
END_TEST

START_TEST(groups_of_one_core_are_cores)
{
	struct tw__platform *cores = selected(mirage, (struct tw__platform_choice){.cpus = 3, .gpus = 2});
	struct tw__platform *groups = selected(
		mirage, (struct tw__platform_choice){.cpus = TW__ALL_WORKERS, .gpus = 2, .cpu_groups = "1+1+1"});
	ck_assert_int_eq(cores->n_workers, groups->n_workers);
	ck_assert_int_eq(cores->n_archs, groups->n_archs);
	for (int w = 0; w < cores->n_workers; w++) {
		ck_assert_str_eq(cores->workers[w].name, groups->workers[w].name);
		ck_assert_int_eq(cores->workers[w].arch, groups->workers[w].arch);
		ck_assert_int_eq(cores->workers[w].cores, 1);
		ck_assert_int_eq(groups->workers[w].cores, 1);
	}
	tw__platform_destroy(cores);
	tw__platform_destroy(groups);
}
END_TEST

START_TEST(a_group_is_of_one_arch)
{
	struct tw__platform *all, *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&all, &kernels, "synthetic", &err) == TW_OK, "%s", err.message);
	free(kernels);
	p = selected(all, (struct tw__platform_choice){.cpus = TW__ALL_WORKERS, .gpus = 0, .cpu_groups = "2+2+2+6"});
	expect_workers(p,
	               (const char *const[]){"FAST.0-FAST.1 of 2 fast", "FAST.2-FAST.3 of 2 fast",
	                                     "SLOW.0-SLOW.1 of 2 slow", "SLOW.2-SLOW.7 of 6 slow"},
	               4);
	ck_assert_int_eq(p->n_archs, 3);
	tw__platform_destroy(p);

	/* Whether or not a run uses that group. */
	for (int cpus = 1; cpus <= 2; cpus++) {
		struct tw__platform_choice choice = {.cpus = cpus, .gpus = 3, .cpu_groups = "2+4"};
		ck_assert_int_eq(tw__platform_select(&p, all, &choice, &err), TW_INVALID);
		ck_assert_str_eq(err.message, "--cpu-groups '2+4': cores FAST.2 (fast) and SLOW.0 (slow) of platform "
		                              "'synthetic' in one group, expected cores of one arch");
	}
	tw__platform_destroy(all);
}
END_TEST

#define GROUPS(text, n_cpus) .cpus = (n_cpus), .gpus = 3, .cpu_groups = (text)

static const struct {
	struct tw__platform_choice choice;
	const char *message;
} refused[] = {
	{{GROUPS("5+5", TW__ALL_WORKERS)},
         "--cpu-groups '5+5': 10 cores and 3 GPUs of platform 'mirage': expected at most 9 cores (of 12; GPUs take 3)"},
	{{GROUPS("5+5", 1)}, "10 cores and 3 GPUs of platform 'mirage': expected at most 9"},
	{{GROUPS("4096+4096", 1)}, "8192 cores and 3 GPUs"},
	{{GROUPS("5+4", 3)}, "3 CPUs of --cpu-groups '5+4': expected 0 to 2, its groups"},
	{{GROUPS("5+4", -2)}, "-2 CPUs of --cpu-groups '5+4': expected 0 to 2"},
	{{.cpus = 0, .gpus = 0, .cpu_groups = "5+4"}, "no worker of platform 'mirage': expected at least one"},
	{{GROUPS("", 0)}, "--cpu-groups '': expected numbers of cores from 1 to 4096, joined by '+', as in 10+5+5"},
	{{GROUPS("0", 0)}, "--cpu-groups '0': expected numbers"},
	{{GROUPS("5+0", 0)}, "--cpu-groups '5+0': expected numbers"},
	{{GROUPS("-5", 0)}, "--cpu-groups '-5': expected numbers"},
	{{GROUPS("5+", 0)}, "--cpu-groups '5+': expected numbers"},
	{{GROUPS("+5", 0)}, "--cpu-groups '+5': expected numbers"},
	{{GROUPS("5++4", 0)}, "--cpu-groups '5++4': expected numbers"},
	{{GROUPS("5,4", 0)}, "--cpu-groups '5,4': expected numbers"},
	{{GROUPS("5+ 4", 0)}, "--cpu-groups '5+ 4': expected numbers"},
	{{GROUPS("five", 0)}, "--cpu-groups 'five': expected numbers"},
	{{GROUPS("1.5", 0)}, "--cpu-groups '1.5': expected numbers"},
	{{GROUPS("4097", 0)}, "--cpu-groups '4097': expected numbers"},
	{{GROUPS("4294967297", 0)}, "--cpu-groups '4294967297': expected numbers"},
	{{GROUPS("99999999999999999999999", 0)}, "--cpu-groups '99999999999999999999999': expected numbers"},
	{{.cpus = 10, .gpus = 3},
         "10 CPUs and 3 GPUs of platform 'mirage': expected at most 9 CPUs (12 cores, of which GPUs take 3)"},
	{{.cpus = 13, .gpus = 0}, "expected at most 12 CPUs"},
	{{.cpus = 10, .gpus = TW__ALL_WORKERS}, "expected at most 9 CPUs"},
	{{.cpus = TW__ALL_WORKERS, .gpus = 4}, "4 GPUs of platform 'mirage': expected 0 to 3"},
	{{.cpus = 1, .gpus = -2}, "-2 GPUs of platform 'mirage': expected 0 to 3"},
	{{.cpus = -2, .gpus = 0}, "-2 CPUs and 0 GPUs of platform 'mirage': expected"},
	{{.cpus = 0, .gpus = 0}, "no worker of platform 'mirage': expected at least one"},
	{{.cpus = 1, .gpus = 1, .gpu_mem_bytes = 5636554753},
         "memory 'GPU0' of platform 'mirage': bound of 5636554753 bytes, expected at most the 5636554752 bytes it has"},
	{{.cpus = 1, .gpus = 1, .mem = "GPU0=1TiB"}, "expected at most the 5.637 GB it has"},
	{{.cpus = 1, .gpus = 1, .mem = "VRAM=1"},
         "memory 'VRAM' of platform 'mirage': expected one of RAM, GPU0, GPU1, GPU2"},
	{{.cpus = 1, .gpus = 1, .mem = "GPU2=1"}, "memory 'GPU2' of platform 'mirage' is bounded but not used"},
	{{.cpus = 1, .gpus = 1, .mem = "GPU0=1,gpu0=2"}, "is bounded twice, expected once"},
};

START_TEST(what_cannot_be_had_is_refused)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__platform_select(&p, mirage, &refused[_i].choice, &err), TW_INVALID);
	ck_assert_ptr_null(p);
	ck_assert_contains(err.message, refused[_i].message);
	ck_assert_contains(err.message, "expected");
}
END_TEST

START_TEST(a_disk_cannot_be_bounded_alone)
{
	struct tw__platform *all = with_disk(), *p;
	struct tw_error err = {""};
	struct tw__platform_choice choice = {.cpus = 1, .gpus = 0, .mem = "DISK0=1"};
	ck_assert_int_eq(tw__platform_select(&p, all, &choice, &err), TW_INVALID);
	ck_assert_contains(err.message,
	                   "'DISK0' of platform 'disk' is bounded but not used, expected a bound of main memory too");
	tw__platform_destroy(all);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform select");
	TCase *cases = tcase_create("select");
	tcase_add_checked_fixture(cases, read_mirage, destroy_mirage);
	tcase_add_test(cases, each_gpu_takes_a_core);
	tcase_add_test(cases, routes_and_links_follow_their_memories);
	tcase_add_test(cases, memories_are_bounded_as_asked);
	tcase_add_test(cases, a_disk_is_there_when_main_memory_is_bounded);
	tcase_add_test(cases, accelerators_without_any_core_cost_none);
	tcase_add_test(cases, a_group_of_cores_is_one_worker);
	tcase_add_test(cases, groups_of_one_core_are_cores);
	tcase_add_test(cases, a_group_is_of_one_arch);
	tcase_add_loop_test(cases, what_cannot_be_had_is_refused, 0, sizeof refused / sizeof refused[0]);
	tcase_add_test(cases, a_disk_cannot_be_bounded_alone);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
