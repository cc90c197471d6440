/* Platforms read from files have the figures that the files state. */
#include <check.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "temp.h"

static struct tw_platform *read_text(const char *text)
{
	struct tw_platform *p;
	struct tw_error err = {""};
	struct temp file = temp_text(text);
	int status = tw__platform_read(&p, file.path, "test", &err);
	temp_remove(file);
	ck_assert_msg(status == TW_OK, "%s", err.message);
	return p;
}

static struct tw_platform *mirage(void)
{
	struct tw_platform *p;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, "mirage", &err) == TW_OK, "%s", err.message);
	ck_assert_contains(kernels, "/mirage/kernels.csv");
	free(kernels);
	return p;
}

static tw_node node(const struct tw_platform *p, const char *name)
{
	for (tw_node n = 0; n < p->n_nodes; n++)
		if (strcmp(p->nodes[n].name, name) == 0)
			return n;
	ck_abort_msg("no node %s", name);
	return TW_NONE;
}

static const struct tw__route *route(const struct tw_platform *p, const char *from, const char *to)
{
	return tw__route_of(p, node(p, from), node(p, to));
}

static int times_listed(const struct tw_platform *p, const struct tw__route *r, const char *link)
{
	int n = 0;
	for (int i = 0; i < r->n_links; i++)
		n += strcmp(p->links[r->links[i]].name, link) == 0;
	return n;
}

START_TEST(mirage_has_its_workers_and_memories)
{
	struct tw_platform *p = mirage();
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
	struct tw_platform *p = mirage();
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
	struct tw_platform *p = mirage();
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

#define HEAD                                                                                        \
	"<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" \
	"<platform version=\"4.1\"><config><prop id=\"network/model\" value=\"CM02\"/></config>\n"  \
	"<zone id=\"z\" routing=\"Full\"><prop id=\"summary\" value=\"a &amp; b\"/>\n"              \
	"<host id=\"cores\" speed=\"1.5Gf\" core=\"3\"><prop id=\"arch\" value=\"xeon\"/></host>\n" \
	"<host id=\"main\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host>\n"              \
	"<host id=\"card\" speed=\"1Tf\"><prop id=\"arch\" value=\"v100\"/><prop id=\"memory\" value=\"3GiB\"/></host>\n"
#define TAIL "</zone></platform>\n"

START_TEST(roles_come_from_props)
{
	struct tw_platform *p = read_text(HEAD "<link id=\"l\" bandwidth=\"8Gbps\" latency=\"5us\"/>"
	                                       "<route src=\"main\" dst=\"card\"><link_ctn id=\"l\"/></route>" TAIL);
	ck_assert_str_eq(p->summary, "a & b");
	ck_assert_int_eq(p->n_workers, 4);
	ck_assert_int_eq(p->n_cores, 3);
	ck_assert_str_eq(p->workers[0].name, "card");
	ck_assert_int_eq(p->workers[0].node, 1);
	ck_assert_double_eq(p->workers[0].speed, 1e12);
	ck_assert_str_eq(p->workers[1].name, "cores.0");
	ck_assert_str_eq(p->workers[3].name, "cores.2");
	ck_assert_double_eq(p->workers[3].speed, 1.5e9);
	ck_assert_str_eq(p->archs[p->workers[3].arch].name, "xeon");
	ck_assert_str_eq(p->nodes[TW_RAM].name, "main");
	ck_assert_uint_eq(p->nodes[1].memory_bytes, 3ull << 30);
	ck_assert(!p->nodes[1].peer);
	/* Routes go both ways unless told otherwise, and belief is truth. */
	for (int way = 0; way < 2; way++) {
		const struct tw__route *r = tw__route_of(p, way, !way);
		ck_assert_int_eq(r->n_links, 1);
		ck_assert_double_eq(r->bandwidth, 1e9);
		ck_assert_double_eq(r->latency, 5e-6);
		ck_assert_double_eq(r->predicted_bandwidth, 1e9);
		ck_assert_double_eq(r->predicted_latency, 5e-6);
	}
	tw__platform_destroy(p);
}
END_TEST

START_TEST(a_duplex_link_is_two)
{
	struct tw_platform *p = read_text(
		HEAD
		"<link id=\"p\" bandwidth=\"9GBps\" latency=\"1us\"/>\n"
		"<link id=\"d\" bandwidth=\"4GBps\" latency=\"2us\" sharing_policy=\"SPLITDUPLEX\">"
		"<prop id=\"predicted_bandwidth\" value=\"3GBps\"/></link>\n"
		"<route src=\"main\" dst=\"card\"><link_ctn id=\"d\" direction=\"UP\"/><link_ctn id=\"p\"/></route>" TAIL);
	const struct tw__route *to = route(p, "main", "card"), *back = route(p, "card", "main");
	ck_assert_int_eq(p->n_links, 3);
	ck_assert_str_eq(p->links[to->links[0]].name, "d_UP");
	ck_assert_str_eq(p->links[to->links[1]].name, "p");
	ck_assert_str_eq(p->links[back->links[0]].name, "p");
	ck_assert_str_eq(p->links[back->links[1]].name, "d_DOWN");
	ck_assert_double_eq(back->bandwidth, 4e9);
	ck_assert_double_eq_tol(back->latency, 3e-6, 1e-18);
	/* The first link as listed gives the belief of both ways. */
	ck_assert_double_eq(to->predicted_bandwidth, 3e9);
	ck_assert_double_eq(back->predicted_bandwidth, 3e9);
	ck_assert_double_eq(back->predicted_latency, back->latency);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(a_fatpipe_is_not_divided)
{
	struct tw_platform *p = read_text(
		HEAD
		"<link id=\"f\" bandwidth=\"4GBps\" latency=\"1us\" sharing_policy=\"FATPIPE\"/>\n"
		"<link id=\"s\" bandwidth=\"9GBps\" sharing_policy=\"SHARED\"/>\n"
		"<route src=\"main\" dst=\"card\"><link_ctn id=\"f\"/><link_ctn id=\"s\"/><link_ctn id=\"f\"/></route>" TAIL);
	ck_assert_int_eq(p->links[0].sharing, TW__FATPIPE);
	ck_assert_int_eq(p->links[1].sharing, TW__SHARED);
	ck_assert_double_eq(p->links[1].latency, 0);
	ck_assert_double_eq(route(p, "main", "card")->bandwidth, 4e9);
	ck_assert_double_eq(route(p, "main", "card")->latency, 2e-6);
	tw__platform_destroy(p);
}
END_TEST

START_TEST(a_disk_backs_main_memory)
{
	struct tw_platform *p =
		read_text(HEAD "<host id=\"nvme\" speed=\"1f\"><prop id=\"role\" value=\"disk\"/></host>\n"
	                       "<link id=\"l\" bandwidth=\"1GBps\" latency=\"5us\"/>\n"
	                       "<route src=\"main\" dst=\"card\"><link_ctn id=\"l\"/></route>\n"
	                       "<route src=\"nvme\" dst=\"main\"><link_ctn id=\"l\"/></route>" TAIL);
	ck_assert_int_eq(p->n_nodes, 3);
	ck_assert_int_eq(p->nodes[TW_RAM].backing, node(p, "nvme"));
	ck_assert_int_eq(p->nodes[node(p, "nvme")].backing, TW_NONE);
	ck_assert_int_eq(p->nodes[node(p, "card")].backing, TW_RAM);
	ck_assert_int_eq(route(p, "card", "nvme")->n_links, 0);
	tw__platform_destroy(p);
}
END_TEST

/* A route between accelerators is for peers; to main memory, and to a disk, for all. */
START_TEST(only_peers_exchange_directly)
{
	for (int peers = 0; peers < 4; peers++) {
		char text[1024];
		snprintf(
			text, sizeof text,
			"<?xml version='1.0'?><platform version='4.1'><zone id='z' routing='Full'>"
			"<host id='A' speed='1Gf'><prop id='arch' value='a'/><prop id='memory' value='1GB'/>%s</host>"
			"<host id='B' speed='1Gf'><prop id='arch' value='a'/><prop id='memory' value='1GB'/>%s</host>"
			"<host id='RAM' speed='1f'/><link id='l' bandwidth='1GBps' latency='0s'/>"
			"<route src='RAM' dst='A'><link_ctn id='l'/></route><route src='RAM' dst='B'><link_ctn id='l'/></route>"
			"<route src='A' dst='B'><link_ctn id='l'/></route></zone></platform>",
			peers & 1 ? "<prop id='peer' value='yes'/>" : "",
			peers & 2 ? "<prop id='peer' value='yes'/>" : "<prop id='peer' value='no'/>");
		struct tw_platform *p = read_text(text);
		ck_assert_int_eq(route(p, "A", "B")->n_links, peers == 3);
		ck_assert_int_eq(route(p, "B", "A")->n_links, peers == 3);
		ck_assert_int_eq(route(p, "A", "RAM")->n_links, 1);
		ck_assert_int_eq(route(p, "RAM", "B")->n_links, 1);
		tw__platform_destroy(p);
	}
}
END_TEST

START_TEST(synthetic_has_a_bit_of_everything)
{
	static const char *const archs[] = {"gpu-a", "gpu-b", "fast", "slow"};
	static const int n_workers[] = {2, 1, 4, 8};
	struct tw_platform *p;
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
	struct tw_platform *p, *again;
	struct tw_error err = {""};
	char *kernels;
	ck_assert_msg(tw__platform_find(&p, &kernels, "synthetic", &err) == TW_OK, "%s", err.message);
	free(kernels);
	struct temp file = temp_text("");
	FILE *f = fopen(file.path, "w");
	ck_assert(f && tw__platform_write_xml(p, "", f, &err) == TW_OK && fclose(f) == 0);
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
		struct tw_platform *p;
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

/* What copies share on our mirage is what they share on StarPU's, link by link, under other names. */
START_TEST(mirage_is_starpus_mirage)
{
	if (access(STARPU "mirage.platform.v4.xml", R_OK) != 0) {
		fprintf(stderr, "not tested: no mirage.platform.v4.xml in %s\n", STARPU);
		return;
	}
	struct tw_platform *ours = mirage(), *theirs;
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

START_TEST(starpus_model_names_the_arch)
{
	struct tw_platform *p = read_text(
		"<platform version=\"4\"><AS id=\"AS0\" routing=\"Full\"><host id=\"MAIN\" speed=\"1f\"/>\n"
		"<host id=\"CUDA0\" speed=\"2Gf\"><prop id=\"model\" value=\"Tesla K40m\"/><prop id=\"memsize\" value=\"12\"/></host>"
		"<host id=\"RAM\" speed=\"1f\"/><link id=\"l\" bandwidth=\"1\"/>"
		"<route src=\"RAM\" dst=\"CUDA0\"><link_ctn id=\"l\"/></route></AS></platform>");
	ck_assert_int_eq(p->n_workers, 1);
	ck_assert_str_eq(p->archs[p->workers[0].arch].name, "tesla-k40m");
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform");
	TCase *cases = tcase_create("read");
	tcase_add_test(cases, mirage_has_its_workers_and_memories);
	tcase_add_test(cases, mirage_routes_are_as_measured);
	tcase_add_test(cases, a_link_listed_twice_counts_twice);
	tcase_add_test(cases, roles_come_from_props);
	tcase_add_test(cases, a_duplex_link_is_two);
	tcase_add_test(cases, a_fatpipe_is_not_divided);
	tcase_add_test(cases, a_disk_backs_main_memory);
	tcase_add_test(cases, only_peers_exchange_directly);
	tcase_add_test(cases, synthetic_has_a_bit_of_everything);
	tcase_add_test(cases, watts_are_written);
	tcase_add_test(cases, starpu_files_load);
	tcase_add_test(cases, mirage_is_starpus_mirage);
	tcase_add_test(cases, starpus_model_names_the_arch);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
