/* A platform that is read from a file has the figures that the file states. */
#include <check.h>
#include <stdio.h>

#include "look.h"
#include "platform/weights.h"
#include "temp.h"

static struct tw__platform *read_text(const char *text)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	struct temp file = temp_text(text);
	int status = tw__platform_read(&p, file.path, "test", &err);
	temp_remove(file);
	ck_assert_msg(status == TW_OK, "%s", err.message);
	return p;
}

#define HEAD                                                                                        \
	"<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n" \
	"<platform version=\"4.1\"><config><prop id=\"network/model\" value=\"CM02\"/></config>\n"  \
	"<zone id=\"z\" routing=\"Full\"><prop id=\"summary\" value=\"a &amp; b\"/>\n"              \
	"<host id=\"cores\" speed=\"1.5Gf\" core=\"3\"><prop id=\"arch\" value=\"xeon\"/></host>\n" \
	"<host id=\"main\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host>\n"              \
	"<host id=\"card\" speed=\"1Tf\"><prop id=\"arch\" value=\"v100\"/>"                        \
	"<prop id=\"memory\" value=\"3GiB\"/></host>\n"
#define TAIL "</zone></platform>\n"

START_TEST(roles_come_from_props)
{
	struct tw__platform *p = read_text(HEAD "<link id=\"l\" bandwidth=\"8Gbps\" latency=\"5us\"/>"
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
	struct tw__platform *p =
		read_text(HEAD "<link id=\"p\" bandwidth=\"9GBps\" latency=\"1us\"/>\n"
	                       "<link id=\"d\" bandwidth=\"4GBps\" latency=\"2us\" sharing_policy=\"SPLITDUPLEX\">"
	                       "<prop id=\"predicted_bandwidth\" value=\"3GBps\"/></link>\n"
	                       "<route src=\"main\" dst=\"card\"><link_ctn id=\"d\" direction=\"UP\"/>"
	                       "<link_ctn id=\"p\"/></route>" TAIL);
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
	struct tw__platform *p =
		read_text(HEAD "<link id=\"f\" bandwidth=\"4GBps\" latency=\"1us\" sharing_policy=\"FATPIPE\"/>\n"
	                       "<link id=\"s\" bandwidth=\"9GBps\" sharing_policy=\"SHARED\"/>\n"
	                       "<route src=\"main\" dst=\"card\"><link_ctn id=\"f\"/><link_ctn id=\"s\"/>"
	                       "<link_ctn id=\"f\"/></route>" TAIL);
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
	struct tw__platform *p =
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
		snprintf(text, sizeof text,
		         "<?xml version='1.0'?><platform version='4.1'><zone id='z' routing='Full'>"
		         "<host id='A' speed='1Gf'><prop id='arch' value='a'/><prop id='memory' value='1GB'/>%s</host>"
		         "<host id='B' speed='1Gf'><prop id='arch' value='a'/><prop id='memory' value='1GB'/>%s</host>"
		         "<host id='RAM' speed='1f'/><link id='l' bandwidth='1GBps' latency='0s'/>"
		         "<route src='RAM' dst='A'><link_ctn id='l'/></route>"
		         "<route src='RAM' dst='B'><link_ctn id='l'/></route>"
		         "<route src='A' dst='B'><link_ctn id='l'/></route></zone></platform>",
		         peers & 1 ? "<prop id='peer' value='yes'/>" : "",
		         peers & 2 ? "<prop id='peer' value='yes'/>" : "<prop id='peer' value='no'/>");
		struct tw__platform *p = read_text(text);
		ck_assert_int_eq(route(p, "A", "B")->n_links, peers == 3);
		ck_assert_int_eq(route(p, "B", "A")->n_links, peers == 3);
		ck_assert_int_eq(route(p, "A", "RAM")->n_links, 1);
		ck_assert_int_eq(route(p, "RAM", "B")->n_links, 1);
		tw__platform_destroy(p);
	}
}
END_TEST

START_TEST(starpus_model_names_the_arch)
{
	struct tw__platform *p =
		read_text("<platform version=\"4\"><AS id=\"AS0\" routing=\"Full\"><host id=\"MAIN\" speed=\"1f\"/>\n"
	                  "<host id=\"CUDA0\" speed=\"2Gf\"><prop id=\"model\" value=\"Tesla K40m\"/>"
	                  "<prop id=\"memsize\" value=\"12\"/></host>"
	                  "<host id=\"RAM\" speed=\"1f\"/><link id=\"l\" bandwidth=\"1\"/>"
	                  "<route src=\"RAM\" dst=\"CUDA0\"><link_ctn id=\"l\"/></route></AS></platform>");
	ck_assert_int_eq(p->n_workers, 1);
	ck_assert_str_eq(p->archs[p->workers[0].arch].name, "tesla-k40m");
	tw__platform_destroy(p);
}
END_TEST

#define CARD(id)                                                                                                   \
	"<host id=\"" id "\" speed=\"1Tf\"><prop id=\"arch\" value=\"v100\"/><prop id=\"memory\" value=\"3GiB\"/>" \
	"<prop id=\"peer\" value=\"1\"/></host>\n"
#define LINK(id, latency) "<link id=\"" id "\" bandwidth=\"8GBps\" latency=\"" latency "\"/>"
#define ROUTE(from, to, links) "<route src=\"" from "\" dst=\"" to "\">" links "</route>\n"
#define CROSSES(link) "<link_ctn id=\"" link "\"/>"

/* The cards b and c share the host's link: their unit is b's latency. The link from b to c is apart. */
START_TEST(weights_depend_on_the_routes_that_share_links)
{
	struct tw__platform *p = read_text(
		HEAD CARD("b") CARD("c") LINK("bus", "5us") LINK("far", "3us") LINK("bridge", "2us")
			LINK("own", "0.5us") ROUTE("main", "b", CROSSES("bus"))
				ROUTE("main", "c", CROSSES("bus") CROSSES("far")) ROUTE("b", "c", CROSSES("bridge"))
					ROUTE("main", "card", CROSSES("own")) TAIL);
	struct tw__weights weights;
	tw__weights_init(&weights, p, TW__SHARES_BY_LATENCY);
	ck_assert_double_eq(tw__weight(&weights, p, route(p, "main", "b")), 1);
	ck_assert_double_eq_tol(tw__weight(&weights, p, route(p, "c", "main")), 5. / 8, 1e-15);
	ck_assert_double_eq_tol(tw__weight_latency(&weights, p, route(p, "c", "main")), 1.6e-6, 1e-20);
	ck_assert_double_eq(tw__weight(&weights, p, route(p, "b", "c")), 1);
	ck_assert_double_eq(tw__weight(&weights, p, route(p, "main", "card")), 1);
	ck_assert_double_eq(tw__weight_latency(&weights, p, route(p, "main", "card")), 0); /* too short */
	tw__weights_finish(&weights);
	tw__weights_init(&weights, p, TW__SHARES_EQUAL);
	ck_assert_double_eq(tw__weight(&weights, p, route(p, "c", "main")), 1);
	ck_assert_double_eq(tw__weight_latency(&weights, p, route(p, "c", "main")), 0);
	tw__weights_finish(&weights);
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform");
	TCase *cases = tcase_create("read");
	tcase_add_test(cases, roles_come_from_props);
	tcase_add_test(cases, a_duplex_link_is_two);
	tcase_add_test(cases, a_fatpipe_is_not_divided);
	tcase_add_test(cases, a_disk_backs_main_memory);
	tcase_add_test(cases, only_peers_exchange_directly);
	tcase_add_test(cases, starpus_model_names_the_arch);
	tcase_add_test(cases, weights_depend_on_the_routes_that_share_links);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
