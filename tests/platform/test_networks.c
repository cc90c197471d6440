/* The networks of clusters have the routes that SimGrid makes of the same files. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <xbt/dynar.h>

#include "platform/platform.h"
#include "temp.h"

#define HEAD                                                                                        \
	"<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" \
	"<platform version=\"4.1\"><zone id=\"world\" routing=\"Full\"><prop id=\"node\" value=\"bertha\"/>"
#define CLUSTER(radical, attributes)                                   \
	HEAD "<cluster id=\"bob\" prefix=\"node-\" radical=\"" radical \
	     "\" suffix=\".org\" speed=\"1Gf\" bw=\"125MBps\" "        \
	     "lat=\"50us\" " attributes "/></zone></platform>"

static const char *const files[] = {
	CLUSTER("0-9", ""),
	CLUSTER("5,0-3,7-8", "bb_bw=\"2GBps\" bb_lat=\"500us\""),
	CLUSTER("0-4", "bb_bw=\"2GBps\" bb_lat=\"5us\" bb_sharing_policy=\"FATPIPE\" sharing_policy=\"SHARED\""),
	CLUSTER("0-4", "limiter_link=\"150MBps\" loopback_bw=\"1GBps\" loopback_lat=\"1us\""),
	CLUSTER("0-4", "limiter_link=\"150MBps\" bb_bw=\"1GBps\" sharing_policy=\"SHARED\" router_id=\"r\" core=\"4\""),
	CLUSTER("0-15", "topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\""),
	CLUSTER("0-15", "topology=\"FAT_TREE\" topo_parameters=\"2;4,4;2,3;2,3\" sharing_policy=\"SHARED\""),
	CLUSTER("0-23", "topology=\"FAT_TREE\" topo_parameters=\"3;4,3,2;1,2,2;1,2,3\" limiter_link=\"1GBps\""),
	CLUSTER("3-50", "topology=\"FAT_TREE\" topo_parameters=\"3;4,3,4;3,2,5;2,3,1\""),
	CLUSTER("0-119", "topology=\"DRAGONFLY\" topo_parameters=\"3,4;4,3;5,1;2\""),
	CLUSTER("0-119", "topology=\"DRAGONFLY\" topo_parameters=\"5,4;4,3;6,1;1\" sharing_policy=\"SHARED\""),
	CLUSTER("0-35", "topology=\"DRAGONFLY\" topo_parameters=\"2,1;3,2;3,3;2\" limiter_link=\"1GBps\""),
	CLUSTER("0-11", "topology=\"TORUS\" topo_parameters=\"3,2,2\""),
	CLUSTER("10-44", "topology=\"TORUS\" topo_parameters=\"5,7\" limiter_link=\"1GBps\" sharing_policy=\"SHARED\""),
	CLUSTER("0-47", "topology=\"TORUS\" topo_parameters=\"4,1,6,2\""),
	HEAD "<host id=\"a\" speed=\"1f\"/><host id=\"b\" speed=\"1f\"/><host id=\"c\" speed=\"1f\"/>"
	     "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>"
	     "<link id=\"f\" bandwidth=\"2GBps\" latency=\"2us\" sharing_policy=\"FATPIPE\"/>"
	     "<link id=\"d\" bandwidth=\"3GBps\" latency=\"3us\" sharing_policy=\"SPLITDUPLEX\"/>"
	     "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/><link_ctn id=\"f\"/>"
	     "<link_ctn id=\"d\" direction=\"UP\"/></route>"
	     "<route src=\"a\" dst=\"c\" symmetrical=\"NO\"><link_ctn id=\"f\"/></route>"
	     "<route src=\"c\" dst=\"a\" symmetrical=\"NO\"><link_ctn id=\"l\"/></route>"
	     "<route src=\"c\" dst=\"b\"><link_ctn id=\"d\" direction=\"DOWN\"/></route></zone></platform>",
};

/* Compares two routes: the links are those of SimGrid, in their order. Fills in `theirs`, [n_links of the platform]:
 * SimGrid's link for each link of the platform. */
static void expect_route(const struct tw__platform *p, int from, int to, sg_link_t *theirs)
{
	const struct tw__route *route = tw__route_of(p, from, to);
	xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
	sg_host_get_route(sg_host_by_name(p->rank_names[from]), sg_host_by_name(p->rank_names[to]), links);
	ck_assert_uint_eq((size_t)route->n_links, xbt_dynar_length(links));
	for (int l = 0; l < route->n_links; l++) {
		const struct tw__link *link = &p->links[route->links[l]];
		sg_link_t their = xbt_dynar_get_as(links, (unsigned)l, sg_link_t);
		/* Decimal numbers may be rounded in another way. */
		ck_assert_double_eq_tol(link->bandwidth, sg_link_get_bandwidth(their), 1e-12 * link->bandwidth);
		ck_assert_double_eq_tol(link->latency, sg_link_get_latency(their), 1e-15);
		ck_assert_int_eq(link->sharing == TW__SHARED, sg_link_is_shared(their) != 0);
		sg_link_t *same = &theirs[route->links[l]];
		ck_assert_msg(!*same || *same == their, "link %s is %s and %s", link->name, sg_link_get_name(*same),
		              sg_link_get_name(their));
		*same = their;
	}
	xbt_dynar_free(&links);
}

START_TEST(routes_are_those_of_simgrid)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels;
	struct temp file = {"/tmp/tilewright-test-XXXXXX.xml"};
	int fd = mkstemps(file.path, 4);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, files[_i], strlen(files[_i])), (ssize_t)strlen(files[_i]));
	close(fd);
	ck_assert_msg(tw__platform_find(&p, &kernels, file.path, &err) == TW_OK, "%s", err.message);
	free(kernels);

	int argc = 1;
	char name[] = "test", *argv[] = {name, NULL};
	simgrid_init(&argc, argv);
	simgrid_load_platform(file.path);
	temp_remove(file);
	ck_assert_uint_eq(sg_host_count(), (size_t)p->n_ranks);
	sg_link_t *theirs = tw_alloc((size_t)p->n_links, sizeof *theirs);
	for (int from = 0; from < p->n_ranks; from++)
		for (int to = 0; to < p->n_ranks; to++)
			if (from != to)
				expect_route(p, from, to, theirs);
	for (int l = 0; l < p->n_links; l++)
		for (int other = 0; other < l && theirs[l]; other++)
			ck_assert_msg(theirs[l] != theirs[other], "links %s and %s are %s", p->links[l].name,
			              p->links[other].name, sg_link_get_name(theirs[l]));
	free(theirs);
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("networks of clusters");
	TCase *cases = tcase_create("networks");
	tcase_add_loop_test(cases, routes_are_those_of_simgrid, 0, sizeof files / sizeof files[0]);
	tcase_set_timeout(cases, 60);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
