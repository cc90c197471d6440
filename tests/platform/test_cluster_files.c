/* Files of clusters: which platforms their nodes have, which files of theirs count, and what is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/cluster.h"
#include "temp.h"

#define BEGIN "<platform version=\"4.1\">\n"
#define TAG(radical, attributes)                                        \
	"<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"" radical \
	"\" speed=\"1f\" bw=\"1GBps\" lat=\"1us\" " attributes ">\n"
#define NODE(value) "<prop id=\"node\" value=\"" value "\"/>\n"
#define TAGGED(radical, attributes) BEGIN TAG(radical, attributes) NODE("bertha") "</cluster></platform>"
#define TREE(parameters) TAGGED("0-15", "topology=\"FAT_TREE\" topo_parameters=\"" parameters "\"")
#define FLY(parameters) TAGGED("0-15", "topology=\"DRAGONFLY\" topo_parameters=\"" parameters "\"")
#define TORUS(parameters) TAGGED("0-15", "topology=\"TORUS\" topo_parameters=\"" parameters "\"")
#define ZONED(text) BEGIN "<zone id=\"z\" routing=\"Full\">\n" text "</zone></platform>"
#define LINKED "<link id=\"l\" bandwidth=\"1GBps\"/><route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>"
#define HOST(id, text) "<host id=\"" id "\" speed=\"1f\">" text "</host>\n"

static const struct {
	const char *text, *message;
} refused[] = {
	{BEGIN TAG("0-3", "") "</cluster></platform>", ":2: cluster 'c' without the prop node, expected the platform"},
	{BEGIN TAG("0-3", "") NODE("none") "</cluster></platform>", ":3: node: unknown platform 'none'"},
	{BEGIN TAG("0-3", "") NODE("machine") "</cluster></platform>", ":3: node 'machine' has no file"},
	{BEGIN TAG("0-3", "") NODE("no/such") "</cluster></platform>", "no/such"},
	{BEGIN TAG("0-3", "") NODE("bertha:3") "</cluster></platform>", ":3: node 'bertha:3': expected a platform, or"},
	{BEGIN TAG("0-3", "") NODE("bertha:5") "</cluster></platform>", "numbers of nodes that sum up to 4"},
	{BEGIN TAG("0-3", "") NODE("bertha,mirage") "</cluster></platform>", "numbers of nodes that sum up to 4"},
	{BEGIN TAG("0-3", "") NODE("bertha:0,mirage:4") "</cluster></platform>", "numbers of nodes that sum up to 4"},
	{BEGIN TAG("0-3", "") NODE("bertha:99999999999999999999") "</cluster></platform>", "numbers of nodes that sum"},
	{BEGIN TAG("0-3", "") NODE("bertha") NODE("mirage") "</cluster></platform>",
         ":4: property 'node' is set twice"},
	{ZONED(NODE("bertha") TAG("0-3", "") NODE("mirage") "</cluster>"), ":5: property 'node' is set twice"},
	{TAGGED("0-999999999", ""), ":2: radical '0-999999999': expected at most 1024 hosts"},
	{TAGGED("0-99999999999999999999", ""), ":2: radical '0-99999999999999999999': expected numbers and ranges"},
	{TAGGED("", ""), ":2: radical '': expected numbers and ranges, as in 0-9,12"},
	{TAGGED("3-1", ""), ":2: radical '3-1': expected numbers"},
	{TAGGED("1,", ""), ":2: radical '1,': expected numbers"},
	{TAGGED("1;2", ""), ":2: radical '1;2': expected numbers"},
	{TAGGED("-4", ""), ":2: radical '-4': expected numbers"},
	{TAGGED("0-3,2", ""), ":2: host 'n2' is defined twice"},
	{TAGGED("0-3", "topology=\"RING\""), ":2: topology 'RING': expected one of FLAT, FAT_TREE, DRAGONFLY, TORUS"},
	{TAGGED("0-3", "topology=\"TORUS\""), ":2: topology without topo_parameters"},
	{TAGGED("0-3", "sharing_policy=\"FATPIPE\""), ":2: sharing_policy 'FATPIPE': expected one of SPLITDUPLEX"},
	{TAGGED("0-3", "bb_lat=\"1us\""), ":2: bb_lat without bb_bw"},
	{TAGGED("0-3", "bb_bw=\"0\""), ":2: bb_bw '0': expected a number above 0"},
	{TAGGED("0-3", "limiter_link=\"x\""), ":2: limiter_link 'x': expected"},
	{TAGGED("0-3", "bb_bw=\"1GBps\" topology=\"TORUS\" topo_parameters=\"4\""),
         ":2: bb_bw of a cluster with a topol"},
	{TREE("2;4,4;1,2"), ":2: topo_parameters '2;4,4;1,2': expected numbers from 1 to 65536, as in 2;4,4;1,2;1,2"},
	{TREE("2;4,4;1,2;1,2;1"), "expected numbers from 1"},
	{TREE("2;4,4;1,2;1"), "expected 2 numbers in each list"},
	{TREE("3;4,4;1,2;1,2"), "expected 3 numbers in each list"},
	{TREE("2;4,4;1,0;1,2"), "expected numbers from 1"},
	{TREE("2;4,3;1,2;1,2"), "are of 12 hosts, but radical has 16"},
	{TREE("8;65536,65536,65536,65536,65536,65536,65536,65536;1,1,1,1,1,1,1,1;1,1,1,1,1,1,1,1"),
         "but radical has 16"},
	{TREE("2;1,16;2000,1;1,1"), "make more than 8192 switches"},
	{TREE("2;4,4;1,2;65536,65536"), "make more than 65536 links"},
	{FLY("3,4;4,3;5,1;2"), "are of 120 hosts, but radical has 16"},
	{FLY("65536,1;65536,1;65536,1;65536"), "but radical has 16"},
	{FLY("4,1;2,1;2,1;1"), "4 groups, but 2 routers in a chassis"},
	{FLY("4,65536;1,1;4,1;1,1"), "expected numbers from 1"},
	{TORUS("4,5"), "are of 20 hosts"},
	{TORUS("4,4,"), "expected numbers from 1"},
	{TORUS("65536,65536,65536,65536"), "but radical has 16"},
	{TORUS("1,1,1,1,1,1,1,1,16"), "expected numbers from 1"},
	{TAGGED("0-1023", "topology=\"TORUS\" topo_parameters=\"1024\""), "list more than 16777216 links"},
	{BEGIN TAG("0-3", "") NODE("bertha") "</cluster>" TAG("4-5", "") "</cluster></platform>",
         ":4: a second cluster"},
	{ZONED(TAG("0-3", "") NODE("bertha") "</cluster>" HOST("h", "")), "host 'h' beside a cluster"},
	{ZONED(HOST("h", "") TAG("0-3", "") NODE("bertha") "</cluster>"), "cluster 'c' beside hosts"},
	{ZONED(TAG("0-1", "") NODE("bertha") "</cluster><route src=\"n0\" dst=\"n1\"/>"), "a route beside a cluster"},
	{ZONED(NODE("bertha")), "a cluster without nodes"},
	{ZONED(NODE("bertha") HOST("a", "") HOST("b", "")), ":4: no route from 'a' to 'b', expected one"},
	{ZONED(HOST("a", NODE("bertha")) HOST("b", "") "<link id=\"l\" bandwidth=\"1GBps\"/><route src=\"a\" dst=\"b\">"
                                                       "<link_ctn id=\"l\"/></route>"),
         "host 'b' without the prop node, which other hosts have"},
	{ZONED(NODE("bertha") HOST("a", "<prop id=\"arch\" value=\"cpu\"/>")),
         "host 'a' of a cluster: expected no prop arch"},
	{BEGIN TAG("0-512", "") NODE("mirage") "</cluster></platform>",
         "513 nodes with 2052 memories and 7695 workers, expected at most 2048 memories and 32767 workers"},
};

START_TEST(what_makes_no_cluster_is_refused)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	char *kernels, *xml;
	struct temp file = temp_text(refused[_i].text);
	xml = tw_format("%s.xml", file.path);
	ck_assert_int_eq(rename(file.path, xml), 0);
	ck_assert_int_eq(tw__platform_find(&p, &kernels, xml, &err), TW_INVALID);
	ck_assert_ptr_null(p);
	ck_assert_ptr_null(kernels);
	ck_assert_contains(err.message, refused[_i].message);
	ck_assert_contains(err.message, xml);
	ck_assert_ptr_null(strchr(err.message, '\n'));
	unlink(xml);
	free(xml);
}
END_TEST

static char folder[] = "/tmp/tilewright-test-XXXXXX";

/* Writes a file in `folder`. */
static void put(const char *name, const char *text)
{
	char *path = tw_format("%s/%s", folder, name);
	FILE *f = fopen(path, "w");
	ck_assert_ptr_nonnull(f);
	fputs(text, f);
	fclose(f);
	free(path);
}

static struct tw__platform *find(const char *text, const char *expected_kernels, struct tw_error *err)
{
	struct tw__platform *p;
	char *kernels;
	put("platform.xml", text);
	int status = tw__platform_find(&p, &kernels, folder, err);
	ck_assert_msg((status == TW_OK) == (expected_kernels != NULL), "%s", err->message);
	if (expected_kernels)
		ck_assert_contains(kernels, expected_kernels);
	free(kernels);
	return p;
}

#define SMALL(memory)                                                                                              \
	"<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\"><prop id=\"runtime\" value=\"push_cost=2us\"/>" \
	"<host id=\"CPU0\" speed=\"1f\"/><host id=\"RAM\" speed=\"1f\"><prop id=\"memory\" value=\"" memory        \
	"\"/></host></zone></platform>"

START_TEST(files_of_nodes_count)
{
	struct tw_error err = {""};
	char **files;
	int n;
	ck_assert_ptr_nonnull(mkdtemp(folder));
	char *nodes = tw_format("%s/nodes", folder), *small = tw_format("%s/nodes/small", folder);
	ck_assert_int_eq(mkdir(nodes, 0777) | mkdir(small, 0777), 0);
	put("nodes/small/platform.xml", SMALL("1GiB"));
	put("nodes/big.xml", SMALL("2GiB"));

	/* one platform, whose path starts at the file */
	struct tw__platform *p = find(BEGIN TAG("0-1", "") NODE("nodes/small") "</cluster></platform>",
	                              "/nodes/small/kernels.csv", &err);
	ck_assert_str_eq(p->nodes[1].name, "n1.RAM");
	ck_assert_str_eq(p->archs[0].name, "cpu");
	ck_assert_str_eq(p->summary, "2 nodes: 2 small");
	ck_assert_str_eq(p->runtime, "push_cost=2us");
	tw__platform_destroy(p);
	char *xml = tw_format("%s/platform.xml", folder);
	ck_assert_int_eq(tw__platform_node_files(&files, &n, xml, &err), TW_OK);
	ck_assert_int_eq(n, TW__PLATFORM_FILES);
	ck_assert_contains(files[0], "/nodes/small/platform.xml");
	for (int i = 0; i < n; i++)
		free(files[i]);
	free(files);

	/* runtime parameters and times of the cluster itself */
	put("kernels.csv", "");
	p = find(BEGIN TAG("0-1", "") NODE("nodes/small") "<prop id=\"runtime\" value=\"push_cost=1us\"/>"
	                                                  "<prop id=\"summary\" value=\"two\"/></cluster></platform>",
	         folder, &err);
	ck_assert_str_eq(p->runtime, "push_cost=1us");
	ck_assert_str_eq(p->summary, "two");
	tw__platform_destroy(p);

	/* two platforms, of hosts or in a row */
	p = find(ZONED(NODE("nodes/small") HOST("a", "") HOST("b", NODE("nodes/big.xml")) LINKED), folder, &err);
	ck_assert_uint_eq(p->nodes[1].memory_bytes, 2ull << 30);
	ck_assert_str_eq(p->archs[1].name, "big.cpu");
	ck_assert_str_eq(p->runtime, "");
	tw__platform_destroy(p);
	p = find(BEGIN TAG("0-2", "") NODE("nodes/big.xml:2,nodes/small:1") "</cluster></platform>", folder, &err);
	ck_assert_str_eq(p->summary, "3 nodes: 2 big, 1 small");
	tw__platform_destroy(p);

	char *kernels = tw_format("%s/kernels.csv", folder);
	unlink(kernels);
	find(BEGIN TAG("0-2", "") NODE("nodes/big.xml:2,nodes/small:1") "</cluster></platform>", NULL, &err);
	ck_assert_contains(err.message,
	                   "kernels.csv, expected one, as the nodes are of several platforms: 'tilewright platform "
	                   "cluster' writes it");

	/* a cluster is no node */
	put("nodes/small/platform.xml", TAGGED("0-1", ""));
	find(BEGIN TAG("0-1", "") NODE("nodes/small") "</cluster></platform>", NULL, &err);
	ck_assert_contains(err.message,
	                   "nodes/small/platform.xml: the platform of a cluster, expected that of a single node");
	char *command = tw_format("rm -rf %s", folder);
	ck_assert_int_eq(system(command), 0); /* NOLINT: a folder of this test */
	free(command);
	free(kernels);
	free(xml);
	free(nodes);
	free(small);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("files of clusters");
	TCase *cases = tcase_create("files");
	tcase_add_loop_test(cases, what_makes_no_cluster_is_refused, 0, sizeof refused / sizeof refused[0]);
	tcase_add_test(cases, files_of_nodes_count);
	tcase_set_timeout(cases, 60);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
