/* Main memories, cores and NUMA nodes of a topology: where threads and allocations are to be bound. */
#include <check.h>
#include <stdlib.h>

#include <tilewright/base.h>

#include "asked.h"
#include "platform/bind.h"
#include "platform/topology.h"

static hwloc_topology_t loaded(const char *description)
{
	hwloc_topology_t t;
	ck_assert_int_eq(hwloc_topology_init(&t), 0);
	ck_assert_int_eq(hwloc_topology_set_synthetic(t, description), 0);
	ck_assert_int_eq(hwloc_topology_load(t), 0);
	return t;
}

/* Core i is near main memory i / cores_each, whose allocations are bound to the NUMA node of that number. */
START_TEST(cores_and_nodes_of_main_memories)
{
	static const struct {
		const char *description;
		int mains, cores_each;
	} cases[] = {
		{"numa:2 core:4 pu:1", 2, 4},
		{"pack:2 numa:2 core:3 pu:2", 4, 3},
		{"pack:2 [numa] [numa] core:2 pu:1", 2, 2}, /* each package has two memories: the first ones count */
		{"pack:2 core:2 pu:1", 1, 4},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		hwloc_topology_t t = loaded(cases[i].description);
		const int n = cases[i].mains;
		ck_assert_int_eq(tw__topology_n_mains(t), n);
		ck_assert_ptr_null(tw__topology_main(t, n));
		ck_assert_int_eq(tw__topology_n_cores(t), n * cases[i].cores_each);
		for (int c = 0; c < n * cases[i].cores_each; c++) {
			const int main = tw__topology_main_near(t, tw__topology_core(t, c)->cpuset);
			ck_assert_int_eq(main, c / cases[i].cores_each);
			hwloc_obj_t node = tw__topology_main(t, main);
			ck_assert(hwloc_bitmap_isincluded(tw__topology_core(t, c)->cpuset, node->cpuset));
			ck_assert_int_eq(hwloc_bitmap_weight(node->nodeset), 1);
			ck_assert(hwloc_bitmap_isset(node->nodeset, node->os_index));
		}
		for (int m = 1; m < n; m++)
			ck_assert(!hwloc_bitmap_intersects(tw__topology_main(t, m)->nodeset,
			                                   tw__topology_main(t, m - 1)->nodeset));
		if (n > 1) /* the whole machine is near several */
			ck_assert_int_lt(tw__topology_main_near(t, hwloc_get_root_obj(t)->cpuset), 0);
		hwloc_topology_destroy(t);
	}
}
END_TEST

/* Main memory m of the machine is the NUMA node of that number, whose numbers the system may give in another order. */
START_TEST(memory_is_bound_to_its_node)
{
	static char memory[3][64];
	char why[200];
	pretend("numa:3(indexes=2,0,1) core:2 pu:2");
	ck_assert_int_eq(tw__bindable_mains(why, sizeof why), 3);
	static const unsigned node_of[] = {2, 0, 1};
	for (int m = 0; m < 3; m++)
		ck_assert_int_eq(tw__bind_memory(memory[m], 10 + (size_t)m, m, why, sizeof why), TW_OK);
	int n;
	const struct asked *all = asked(&n);
	ck_assert_int_eq(n, 3);
	for (int m = 0; m < 3; m++) {
		ck_assert_ptr_eq(all[m].at, memory[m]);
		ck_assert_uint_eq(all[m].bytes, 10 + (size_t)m);
		ck_assert_uint_eq(all[m].set, node_of[m]);
		ck_assert_int_eq(all[m].n_set, 1);
	}
	for (int core = 0; core < 6; core++)
		ck_assert_int_eq(tw__core_main(core), core / 2);
	ck_assert_int_eq(tw__core_main(6), TW_NONE);
	ck_assert_int_eq(tw__core_main(-1), TW_NONE);
}
END_TEST

/* A thread is bound to one processor of a core, or to all processors near a main memory. */
START_TEST(threads_are_bound_to_cores)
{
	char why[200];
	int n;
	pretend("numa:2 core:2 pu:2");
	ck_assert_int_eq(asked_here(), -1);
	ck_assert_int_eq(tw__bind_thread(3, why, sizeof why), TW_OK);
	ck_assert_int_eq(asked_here(), 6);
	ck_assert_int_eq(tw__bind_thread_near(1, why, sizeof why), TW_OK);
	ck_assert_int_eq(asked_here(), 4);
	ck_assert_int_eq(tw__bind_thread_near(2, why, sizeof why), TW_FAILED);
	ck_assert_str_eq(why, "main memory 2: this machine has 2 NUMA nodes near cores");
	const struct asked *all = asked(&n);
	ck_assert_int_eq(n, 2);
	ck_assert_int_eq(all[0].n_set, 1);
	ck_assert_int_eq(all[1].n_set, 4);
}
END_TEST

START_TEST(a_node_that_is_not_there_is_refused)
{
	static char memory[64];
	char why[200] = "";
	int n;
	pretend(_i == 0 ? "core:2 pu:1" : "numa:2 core:2 pu:1");
	ck_assert_int_eq(tw__bindable_mains(why, sizeof why), _i + 1);
	ck_assert_int_eq(tw__bind_memory(memory, sizeof memory, 2, why, sizeof why), TW_FAILED);
	ck_assert_str_eq(why, _i == 0 ? "main memory 2: this machine has 1 NUMA node near cores"
	                              : "main memory 2: this machine has 2 NUMA nodes near cores");
	ck_assert_int_eq(tw__bind_memory(memory, sizeof memory, -1, why, sizeof why), TW_FAILED);
	asked(&n);
	ck_assert_int_eq(n, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform topology");
	TCase *cases = tcase_create("topology");
	tcase_add_test(cases, cores_and_nodes_of_main_memories);
	tcase_add_test(cases, memory_is_bound_to_its_node);
	tcase_add_test(cases, threads_are_bound_to_cores);
	tcase_add_loop_test(cases, a_node_that_is_not_there_is_refused, 0, 2);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
