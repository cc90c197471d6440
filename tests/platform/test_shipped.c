/* The platforms that come with Tilewright have the figures that their files state; mirage is StarPU's. */
#include <check.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "look.h"
#include "temp.h"

static struct tw__platform *mirage(void)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, "mirage", &err) == TW_OK, "%s", err.message);
	ck_assert_contains(kernels, "/mirage/kernels.csv");
	free(kernels);
	return p;
}

START_TEST(mirage_has_its_workers_and_memories)
{
	struct tw__platform *p = mirage();
	ck_assert_str_eq(p->name, "mirage");
	ck_assert_uint_gt(strlen(p->summary), 0);
	ck_assert_int_eq(p->n_workers, 15);
	ck_assert_int_eq(p->n_cores, 12);
	ck_assert_int_eq(p->n_nodes, 4);
	ck_assert_int_eq(p->n_archs, 4);
	static const char *const archs[] = {"m2070-0", "m2070-1", "m2070-2", "cpu"};
	for (int w = 0; w < 15; w++) {
		const struct tw__worker *worker = &p->workers[w];
		ck_assert_str_eq(p->archs[worker->arch].name, archs[w < 3 ? w : 3]);
		ck_assert_int_eq(p->archs[worker->arch].accelerator, w < 3);
		ck_assert_int_eq(worker->node, w < 3 ? w + 1 : TW_RAM);
		ck_assert_int_eq(worker->cores, 1);
		ck_assert_double_eq(worker->speed, 2e9);
	}
	ck_assert_str_eq(p->workers[3].name, "CPU0");
	ck_assert_str_eq(p->nodes[TW_RAM].name, "RAM");
	ck_assert_int_eq(p->nodes[TW_RAM].backing, TW_NONE);
	ck_assert_uint_eq(p->nodes[TW_RAM].memory_bytes, 0);
	for (int n = 1; n < 4; n++) {
		ck_assert_uint_eq(p->nodes[n].memory_bytes, 5636554752u);
		ck_assert_uint_eq(p->nodes[n].limit_bytes, 0);
		ck_assert_int_eq(p->nodes[n].backing, TW_RAM);
		ck_assert(p->nodes[n].peer);
	}
	tw__platform_destroy(p);
}
END_TEST

START_TEST(mirage_routes_are_as_measured)
{
	struct tw__platform *p = mirage();
	for (int from = 0; from < 4; from++)
		for (int to = 0; to < 4; to++)
			ck_assert_int_eq(tw__route_of(p, from, to)->n_links > 0, from != to);

	const struct tw__route *r = route(p, "RAM", "GPU0");
	ck_assert_int_eq(r->n_links, 7);
	ck_assert_str_eq(p->links[r->links[0]].name, "RAM-GPU0");
	ck_assert_int_eq(times_listed(p, r, "host"), 1);
	ck_assert_double_eq(r->bandwidth, 6010679672.232608);
	ck_assert_double_eq_tol(r->latency, 9.836008e-6, 1e-15);
	ck_assert_double_eq(r->predicted_bandwidth, 6030996807.0);
	ck_assert_double_eq_tol(r->predicted_latency, 9.836008e-6, 1e-15);

	r = route(p, "GPU1", "RAM");
	ck_assert_double_eq(r->bandwidth, 6516266098.599698);
	ck_assert_double_eq(r->predicted_bandwidth, 6517940403.0);
	ck_assert_double_eq_tol(r->predicted_latency, 12.277023e-6, 1e-15);

	/* Within a socket: the host bridge is not on the way. */
	r = route(p, "GPU1", "GPU2");
	ck_assert_int_eq(r->n_links, 8);
	ck_assert_int_eq(times_listed(p, r, "host"), 0);
	ck_assert_double_eq(r->bandwidth, 5296205823.0);
	ck_assert_double_eq_tol(r->latency, 17.178188e-6, 1e-15);
	ck_assert_double_eq_tol(r->predicted_latency, 17.178188e-6, 1e-15);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(a_link_listed_twice_counts_twice)
{
	struct tw__platform *p = mirage();
	const struct tw__route *r = route(p, "GPU1", "GPU0");
	ck_assert_int_eq(r->n_links, 13);
	ck_assert_int_eq(times_listed(p, r, "host"), 2);
	/* Half of what the host bridge passes for one alone. */
	ck_assert_double_eq(r->bandwidth, 3834443072.0);
	ck_assert_double_eq(r->predicted_bandwidth, 3834443072.0);
	/* The other way the pair's own link is the narrowest. */
	ck_assert_double_eq(route(p, "GPU0", "GPU1")->bandwidth, 3074666060.0);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(synthetic_has_a_bit_of_everything)
{
	static const char *const archs[] = {"gpu-a", "gpu-b", "fast", "slow"};
	static const int n_workers[] = {2, 1, 4, 8};
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, "synthetic", &err) == TW_OK, "%s", err.message);
	free(kernels);
	ck_assert_int_eq(p->n_archs, 4);
	for (int a = 0; a < 4; a++) {
		int n = 0;
		for (int w = 0; w < p->n_workers; w++)
			n += p->workers[w].arch == a;
		ck_assert_str_eq(p->archs[a].name, archs[a]);
		ck_assert_int_eq(p->archs[a].accelerator, a < 2);
		ck_assert_int_eq(p->archs[a].cores, 1);
		ck_assert_int_eq(n, n_workers[a]);
	}
	/* Each core has its part of its host's watts. */
	ck_assert_double_eq(p->workers[0].idle_watts, 40);
	ck_assert_double_eq(p->workers[0].busy_watts, 300);
	ck_assert_double_eq(p->workers[3].idle_watts, 3);
	ck_assert_double_eq(p->workers[3].busy_watts, 15);
	/* Memories that differ, and main memory that is as great as anybody likes until it is bounded. */
	ck_assert_uint_eq(p->nodes[node(p, "GPU1")].memory_bytes, 8ull << 30);
	ck_assert_uint_eq(p->nodes[node(p, "GPU2")].memory_bytes, 4ull << 30);
	ck_assert_uint_eq(p->nodes[TW_RAM].memory_bytes, 0);
	ck_assert_int_eq(p->nodes[TW_RAM].backing, node(p, "DISK"));
	/* The equal GPUs have a link of their own, apart from the host's, which all share. */
	ck_assert(p->nodes[node(p, "GPU0")].peer && p->nodes[node(p, "GPU1")].peer);
	ck_assert_double_eq(route(p, "GPU0", "GPU1")->bandwidth, 40e9);
	ck_assert_int_eq(times_listed(p, route(p, "GPU0", "GPU1"), "host_DOWN"), 0);
	ck_assert_int_eq(route(p, "GPU0", "GPU2")->n_links, 0);
	for (int gpu = 1; gpu <= 3; gpu++) {
		ck_assert_int_eq(times_listed(p, tw__route_of(p, TW_RAM, gpu), "host_DOWN"), 1);
		ck_assert_int_eq(times_listed(p, tw__route_of(p, gpu, TW_RAM), "host_UP"), 1);
		ck_assert_double_eq(tw__route_of(p, TW_RAM, gpu)->bandwidth, 16e9);
	}
	tw__platform_destroy(p);
}
END_TEST

/* Written, each worker is a host of its own, with its own watts. */
START_TEST(watts_are_written)
{
	struct tw__platform *p, *again;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, "synthetic", &err) == TW_OK, "%s", err.message);
	free(kernels);
	struct temp file = temp_text("");
	FILE *f = fopen(file.path, "w");
	ck_assert(f);
	tw__platform_write_xml(p, "", f);
	ck_assert(fclose(f) == 0);
	ck_assert_msg(tw__platform_read(&again, file.path, "again", &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	ck_assert_int_eq(again->n_workers, p->n_workers);
	for (int w = 0; w < p->n_workers; w++) {
		ck_assert_double_eq(again->workers[w].idle_watts, p->workers[w].idle_watts);
		ck_assert_double_eq(again->workers[w].busy_watts, p->workers[w].busy_watts);
	}
	tw__platform_destroy(p);
	tw__platform_destroy(again);
}
END_TEST

#define STARPU "/usr/share/starpu/perfmodels/sampling/bus/"

START_TEST(starpu_files_load)
{
	glob_t files;
	if (glob(STARPU "*.platform.v4.xml", 0, NULL, &files) != 0) {
		fprintf(stderr, "not tested: no platform files of StarPU in %s\n", STARPU);
		return;
	}
	for (size_t i = 0; i < files.gl_pathc; i++) {
		struct tw__platform *p;
		struct tw_error err = {""};
		int status = tw__platform_read(&p, files.gl_pathv[i], "starpu", &err);
		ck_assert_msg(status == TW_OK, "%s", err.message);
		ck_assert_str_eq(p->archs[0].name, "cuda");
		ck_assert_str_eq(p->archs[1].name, "cpu");
		for (int w = 0; w < p->n_workers; w++)
			ck_assert(strncmp(p->workers[w].name, "OpenCL", 6) != 0 &&
			          strcmp(p->workers[w].name, "MAIN") != 0);
		tw__platform_destroy(p);
	}
	globfree(&files);
}
END_TEST

/* Copies on our mirage share the same links as on StarPU's, under other names. */
START_TEST(mirage_is_starpus_mirage)
{
	if (access(STARPU "mirage.platform.v4.xml", R_OK) != 0) {
		fprintf(stderr, "not tested: no mirage.platform.v4.xml in %s\n", STARPU);
		return;
	}
	struct tw__platform *ours = mirage(), *theirs;
	struct tw_error err = {""};
	ck_assert_msg(tw__platform_read(&theirs, STARPU "mirage.platform.v4.xml", "starpu", &err) == TW_OK, "%s",
	              err.message);
	ck_assert_int_eq(theirs->n_workers, ours->n_workers);
	ck_assert_int_eq(theirs->n_cores, ours->n_cores);
	ck_assert_int_eq(theirs->n_nodes, ours->n_nodes + 1);
	ck_assert_str_eq(theirs->nodes[4].name, "DISK0");
	ck_assert_int_eq(theirs->nodes[TW_RAM].backing, 4);
	for (int from = 0; from < 4; from++)
		for (int to = 0; to < 4; to++) {
			const struct tw__route *a = tw__route_of(ours, from, to), *b = tw__route_of(theirs, from, to);
			ck_assert_int_eq(a->n_links, b->n_links);
			for (int i = 1; i < a->n_links; i++) { /* the first is the route's own: as measured */
				const struct tw__link *x = &ours->links[a->links[i]], *y = &theirs->links[b->links[i]];
				ck_assert_double_eq(x->shared_bandwidth, y->bandwidth);
				ck_assert_double_eq(x->latency, y->latency);
				ck_assert_int_eq(x->sharing, y->sharing);
			}
		}
	for (int n = 0; n < 4; n++) {
		ck_assert_uint_eq(theirs->nodes[n].memory_bytes, ours->nodes[n].memory_bytes);
		ck_assert_int_eq(theirs->nodes[n].peer, ours->nodes[n].peer);
	}
	tw__platform_destroy(ours);
	tw__platform_destroy(theirs);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("shipped");
	TCase *cases = tcase_create("read");
	tcase_add_test(cases, mirage_has_its_workers_and_memories);
	tcase_add_test(cases, mirage_routes_are_as_measured);
	tcase_add_test(cases, a_link_listed_twice_counts_twice);
	tcase_add_test(cases, synthetic_has_a_bit_of_everything);
	tcase_add_test(cases, watts_are_written);
	tcase_add_test(cases, starpu_files_load);
	tcase_add_test(cases, mirage_is_starpus_mirage);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
