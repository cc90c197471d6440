/* Threads run on the cores that they are bound to, and can only be bound to cores of this machine. Each test is a
 * process with its own topology. */
#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "platform/bind.h"
#include "machine/machine.h"
#include "temp.h"

static void use_this_machine(void)
{
	unsetenv("HWLOC_XMLFILE");
	unsetenv("HWLOC_SYNTHETIC");
	unsetenv("HWLOC_THISSYSTEM");
}

static void check_bound_to(int pu)
{
	cpu_set_t now;
	ck_assert_int_eq(sched_getaffinity(0, sizeof now, &now), 0);
	ck_assert_int_eq(CPU_COUNT(&now), 1);
	ck_assert(CPU_ISSET(pu, &now));
	sched_yield();
	ck_assert_int_eq(sched_getcpu(), pu);
}

static void bind_here(int core)
{
	char why[200] = "";
	ck_assert_msg(tw__bind_thread(core, why, sizeof why) == TW_OK, "%s", why);
	check_bound_to(tw__core_pu(core));
}

START_TEST(a_thread_is_bound_to_a_core)
{
	use_this_machine();
	char why[200];
	int n = tw__bindable_cores(why, sizeof why);
	ck_assert_int_ge(n, 1);
	for (int core = n < 8 ? n : 8; core-- > 0;)
		bind_here(core);
	ck_assert_int_eq(tw__bindable_cores(why, sizeof why), n); /* as before the thread was bound */
}
END_TEST

static void *bind_to(void *core)
{
	bind_here(*(int *)core);
	return NULL;
}

START_TEST(other_threads_stay_where_they_are)
{
	use_this_machine();
	cpu_set_t before, after;
	int core = 0;
	pthread_t thread;
	ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, bind_to, &core), 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
	ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
	ck_assert(CPU_EQUAL(&before, &after));
}
END_TEST

START_TEST(there_is_a_core_for_each_worker)
{
	use_this_machine();
	char why[200];
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_msg(tw__machine_platform(&p, NULL, NULL, false, &err) == TW_OK, "%s", err.message);
	ck_assert_int_eq(tw__bindable_cores(why, sizeof why), p->n_workers);
	tw__platform_destroy(p);
}
END_TEST

/* If a process may only use the last core, this is its core 0. */
START_TEST(cores_are_counted_among_those_allowed)
{
	use_this_machine();
	cpu_set_t allowed, one;
	ck_assert_int_eq(sched_getaffinity(0, sizeof allowed, &allowed), 0);
	int last = CPU_SETSIZE - 1;
	while (!CPU_ISSET(last, &allowed))
		last--;
	CPU_ZERO(&one);
	CPU_SET(last, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
	char why[200];
	ck_assert_int_eq(tw__bindable_cores(why, sizeof why), 1);
	ck_assert_int_eq(tw__core_pu(0), last);
	bind_here(0);
}
END_TEST

START_TEST(a_core_that_is_not_there_is_refused)
{
	use_this_machine();
	char why[200] = "";
	cpu_set_t before, after;
	ck_assert_int_eq(sched_getaffinity(0, sizeof before, &before), 0);
	ck_assert_int_eq(tw__bind_thread(1 << 20, why, sizeof why), TW_FAILED);
	ck_assert_contains(why, "core 1048576: this process may use ");
	ck_assert_int_eq(tw__bind_thread(-1, why, sizeof why), TW_FAILED);
	ck_assert_contains(why, "core -1: ");
	ck_assert_int_eq(tw__core_pu(-1), TW_NONE);
	ck_assert_int_eq(tw__core_pu(1 << 20), TW_NONE);
	ck_assert_int_eq(sched_getaffinity(0, sizeof after, &after), 0);
	ck_assert(CPU_EQUAL(&before, &after));
}
END_TEST

START_TEST(another_machine_is_refused)
{
	static const char *const names[] = {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT", "HWLOC_CPUID_PATH"};
	use_this_machine();
	setenv(names[_i], "pack:2 core:4 pu:2", 1);
	char why[200] = "", expected[200];
	snprintf(expected, sizeof expected, "%s is set: hwloc describes another machine than this one", names[_i]);
	ck_assert_int_eq(tw__bind_thread(0, why, sizeof why), TW_FAILED);
	ck_assert_str_eq(why, expected);
	ck_assert_int_eq(tw__bindable_cores(why, sizeof why), TW_FAILED);
	ck_assert_int_eq(tw__core_pu(0), TW_NONE);
}
END_TEST

/* HWLOC_COMPONENTS describes no machine, but may leave hwloc without this one. */
START_TEST(no_other_way_leads_to_another_machine)
{
	use_this_machine();
	setenv("HWLOC_COMPONENTS", "-linux,-x86,stop", 1);
	char why[200] = "";
	if (tw__bind_thread(0, why, sizeof why) == TW_OK)
		check_bound_to(tw__core_pu(0));
	else
		ck_assert_ptr_null(strchr(why, '\n'));
}
END_TEST

/* The user claims that the description is of this machine; the system decides. */
START_TEST(what_the_system_does_not_have_is_refused)
{
	use_this_machine();
	setenv("HWLOC_THISSYSTEM", "1", 1);
	setenv("HWLOC_SYNTHETIC", "pack:64 core:16 pu:1", 1);
	char why[200] = "";
	for (int core = 0; core <= 1024; core++)
		if (tw__bind_thread(core, why, sizeof why) == TW_OK)
			check_bound_to(tw__core_pu(core));
	ck_assert_contains(why, "core 1024: ");
}
END_TEST

static void *fresh_pages(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert(at != MAP_FAILED);
	return at;
}

/* A system may refuse to bind memory; what it has bound can be used. */
START_TEST(memory_of_this_machine_is_bound)
{
	use_this_machine();
	char why[200] = "";
	const size_t bytes = 1 << 20;
	const int n = tw__bindable_mains(why, sizeof why);
	ck_assert_int_ge(n, 1);
	for (int m = 0; m < n; m++) {
		char *at = fresh_pages(bytes);
		if (tw__bind_memory(at, bytes, m, why, sizeof why) < 0)
			ck_assert_contains(why, "NUMA node ");
		memset(at, 1, bytes);
		ck_assert_int_eq(munmap(at, bytes), 0);
	}
	ck_assert_int_eq(tw__bind_memory(why, sizeof why, n, why, sizeof why), TW_FAILED);
	ck_assert_contains(why, "this machine has ");
}
END_TEST

START_TEST(nodes_that_the_system_does_not_have_are_refused)
{
	use_this_machine();
	setenv("HWLOC_THISSYSTEM", "1", 1);
	setenv("HWLOC_SYNTHETIC", "numa:2(indexes=0,1000) core:1 pu:1", 1);
	char why[200] = "", *at = fresh_pages(1 << 16);
	if (tw__bindable_mains(why, sizeof why) < 2)
		return; /* no core of the second node is one that this process may run on */
	ck_assert_int_eq(tw__bind_memory(at, 1 << 16, 1, why, sizeof why), TW_FAILED);
	ck_assert_contains(why, "NUMA node 1000: ");
}
END_TEST

START_TEST(the_environment_stays)
{
	use_this_machine();
	char why[200];
	setenv("HWLOC_PLUGINS_PATH", "/somewhere", 1);
	ck_assert_int_ge(tw__bindable_cores(why, sizeof why), 1);
	ck_assert_str_eq(getenv("HWLOC_PLUGINS_PATH"), "/somewhere");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform bind");
	TCase *cases = tcase_create("bind");
	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, a_thread_is_bound_to_a_core);
	tcase_add_test(cases, other_threads_stay_where_they_are);
	tcase_add_test(cases, there_is_a_core_for_each_worker);
	tcase_add_test(cases, cores_are_counted_among_those_allowed);
	tcase_add_test(cases, a_core_that_is_not_there_is_refused);
	tcase_add_loop_test(cases, another_machine_is_refused, 0, 4);
	tcase_add_test(cases, no_other_way_leads_to_another_machine);
	tcase_add_test(cases, what_the_system_does_not_have_is_refused);
	tcase_add_test(cases, memory_of_this_machine_is_bound);
	tcase_add_test(cases, nodes_that_the_system_does_not_have_are_refused);
	tcase_add_test(cases, the_environment_stays);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
