/* GPUs found by their driver library, in the platform of this machine. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "platform/bind.h"
#include "machine/machine.h"
#include "temp.h"

/* Two models, which copy directly to each other. */
static const struct tw__gpus two = {
	.n = 2,
	.gpu = {{.name = "NVIDIA H200",
                 .major = 9,
                 .free_bytes = 10ULL << 30,
                 .to_device = 50e9,
                 .to_host = 40e9,
                 .latency_s = 2e-6,
                 .to_peer = {0, 300e9}},
                {.name = "Tesla T4",
                 .major = 7,
                 .free_bytes = 1ULL << 30,
                 .to_device = 10e9,
                 .to_host = 11e9,
                 .latency_s = 9e-6,
                 .to_peer = {200e9}}},
};

static struct tw__platform *on(const char *machine, const struct tw__gpus *gpus)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	unsetenv("HWLOC_XMLFILE");
	setenv("HWLOC_SYNTHETIC", machine, 1);
	ck_assert_msg(tw__machine_platform(&p, NULL, gpus, false, &err) == TW_OK, "%s", err.message);
	return p;
}

START_TEST(models_are_archs)
{
	struct tw__platform *p = on("core:4 pu:1", &two);
	ck_assert_int_eq(p->n_workers, 6);
	ck_assert_str_eq(p->archs[p->workers[0].arch].name, "nvidia-h200");
	ck_assert_str_eq(p->archs[p->workers[1].arch].name, "tesla-t4");
	ck_assert(p->archs[p->workers[0].arch].accelerator);
	tw__platform_destroy(p);
	struct tw__gpus same = two;
	strcpy(same.gpu[1].name, same.gpu[0].name);
	p = on("core:4 pu:1", &same);
	ck_assert_int_eq(p->workers[0].arch, p->workers[1].arch);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(memory_is_most_of_what_is_free)
{
	struct tw__platform *p = on("core:4 pu:1", &two);
	ck_assert_uint_eq(p->nodes[p->workers[0].node].memory_bytes, 9216ULL << 20);
	ck_assert_uint_eq(p->nodes[p->workers[1].node].memory_bytes, 921ULL << 20);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(each_direction_has_its_link)
{
	struct tw__platform *p = on("core:4 pu:1", &two);
	tw_node first = p->workers[0].node, second = p->workers[1].node;
	ck_assert_double_eq(tw__route_of(p, TW_RAM, first)->bandwidth, 50e9);
	ck_assert_double_eq(tw__route_of(p, first, TW_RAM)->bandwidth, 40e9);
	ck_assert_double_eq(tw__route_of(p, TW_RAM, second)->latency, 9e-6);
	ck_assert_double_eq(tw__route_of(p, first, second)->bandwidth, 300e9);
	ck_assert_double_eq(tw__route_of(p, second, first)->bandwidth, 200e9);
	tw__platform_destroy(p);
}
END_TEST

/* Otherwise CPU workers would have no core. */
START_TEST(a_gpu_takes_a_core_if_one_is_left)
{
	struct tw__platform *p = on("core:3 pu:1", &two);
	ck_assert(!p->workers[0].undriven && !p->workers[1].undriven);
	tw__platform_destroy(p);
	p = on("core:2 pu:1", &two);
	ck_assert(p->workers[0].undriven && p->workers[1].undriven);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(a_name_without_letters_is_an_arch_too)
{
	static const char *const names[] = {"", "!!!", "CPU killer"};
	struct tw__gpu gpu = {.major = 8, .minor = 6};
	char arch[80];
	for (int i = 0; i < 3; i++) {
		strcpy(gpu.name, names[i]);
		tw__gpus_arch(&gpu, arch, sizeof arch);
		ck_assert_str_eq(arch, "gpu-8.6");
	}
}
END_TEST

START_TEST(where_nobody_knows_every_core_is_near)
{
	char why[160];
	unsetenv("HWLOC_SYNTHETIC");
	for (int core = 0; core < tw__bindable_cores(why, sizeof why); core++) {
		ck_assert(tw__core_is_near(core, "ffff:ff:ff.f"));
		ck_assert(tw__core_is_near(core, ""));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform gpus");
	TCase *cases = tcase_create("gpus");
	tcase_add_test(cases, models_are_archs);
	tcase_add_test(cases, memory_is_most_of_what_is_free);
	tcase_add_test(cases, each_direction_has_its_link);
	tcase_add_test(cases, a_gpu_takes_a_core_if_one_is_left);
	tcase_add_test(cases, a_name_without_letters_is_an_arch_too);
	tcase_add_test(cases, where_nobody_knows_every_core_is_near);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
