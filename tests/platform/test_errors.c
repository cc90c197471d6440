/* Errors in a platform file are reported in one line: the file, the line, the error, and what was expected. */
#include <check.h>
#include <stdlib.h>

#include "platform/platform.h"
#include "temp.h"

#define ZONE "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n"
#define RAM "<host id=\"RAM\" speed=\"1f\"/>\n"
#define CPU "<host id=\"CPU0\" speed=\"1Gf\"/>\n"
#define GPU "<host id=\"G\" speed=\"1Gf\"><prop id=\"arch\" value=\"m\"/><prop id=\"memory\" value=\"1GiB\"/></host>\n"
#define LINK "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>\n"
#define ROUTE "<route src=\"RAM\" dst=\"G\"><link_ctn id=\"l\"/></route>\n"
#define END "</zone></platform>\n"
/* Further text starts in line 8. */
#define WITH(text) ZONE RAM CPU GPU LINK ROUTE text END
#define HOST_WITH(id, props) WITH("<host id=\"" id "\" speed=\"1f\">" props "</host>\n")
#define PROP(id, value) "<prop id=\"" id "\" value=\"" value "\"/>"
#define LINK_WITH(attributes) WITH("<link id=\"m\" " attributes "/>\n")

static const struct {
	const char *text;
	int line;
	const char *message;
} cases[] = {
	/* XML itself */
	{"", 1, "expected well-formed XML"},
	{"platform: mirage\n", 1, "expected well-formed XML"},
	{ZONE RAM CPU, 5, "expected well-formed XML"},
	{ZONE RAM CPU "</zone>\n</AS>", 6, "expected well-formed XML"},
	{WITH("words\n"), 8, "text between elements"},
	{"<!DOCTYPE platform [\n<!ENTITY a \"b\">\n]>" ZONE RAM CPU END, 2, "entity 'a'"},
	{"<!DOCTYPE platform [\n<!ENTITY % a SYSTEM \"/etc/passwd\">\n%a;\n]>" ZONE RAM CPU END, 2, "entity 'a'"},
	{"<!DOCTYPE platform SYSTEM \"x.dtd\">\n" ZONE "&name;" END, 4, "entity 'name'"},
	/* elements and attributes */
	{"<system/>", 1, "<system> is not supported here, expected <platform>"},
	{"<platform/>", 1, "<platform> without 'version'"},
	{"<platform version=\"3\"/>", 1, "platform version '3': expected 4 or 4.1"},
	{"<platform version=\"4.1\"/>", 1, "no zone"},
	{"<platform version=\"4.1\">\n<cluster id=\"c\"/>", 2, "<cluster> without 'prefix', expected prefix="},
	{"<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\"/>", 2, "routing 'Floyd': expected Full"},
	{"<platform version=\"4.1\">\n<zone id=\"z\"/>", 2, "<zone> without 'routing'"},
	{WITH("<router id=\"r\"/>"), 8,
         "<router> is not supported here, expected <host>, <link>, <route>, <cluster>, <prop>"},
	{WITH("<zone id=\"y\" routing=\"Full\"/>"), 8, "<zone> is not supported here"},
	{ZONE RAM CPU "</zone>\n<zone id=\"y\" routing=\"Full\"/></platform>", 6, "a second zone 'y'"},
	{WITH("<link_ctn id=\"l\"/>"), 8, "<link_ctn> is not supported here"},
	{WITH("<host id=\"h\" speed=\"1f\"><host id=\"i\" speed=\"1f\"/></host>"), 8,
         "<host> is not supported here, expected <prop>"},
	{WITH("<host id=\"h\" speed=\"1f\" pstate=\"1\"/>"), 8,
         "attribute 'pstate' of <host> is not supported, expected id, speed, core"},
	/* hosts */
	{WITH("<host id=\"h\"/>"), 8, "<host> without 'speed'"},
	{WITH("<host id=\"\" speed=\"1f\"/>"), 8, "host id of 0 bytes"},
	{WITH("<host id=\"CPU0\" speed=\"1f\"/>"), 8, "host 'CPU0' is defined twice"},
	{WITH("<host id=\"CPU1\" speed=\"fast\"/>"), 8, "speed 'fast': expected a number above 0, such as 2Gf"},
	{WITH("<host id=\"CPU1\" speed=\"0f\"/>"), 8, "speed '0f': expected"},
	{WITH("<host id=\"CPU1\" speed=\"1GBps\"/>"), 8, "speed '1GBps': expected"},
	{WITH("<host id=\"CPU1\" speed=\"2Gf,1Gf\"/>"), 8, "speed '2Gf,1Gf': expected"},
	{WITH("<host id=\"CPU1\" speed=\"1f\" core=\"0\"/>"), 8, "core '0': expected 1 to"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"\"/></host>"), 8,
         "wattage_per_state '': expected IDLE:EPSILON:ALL"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"10\"/></host>"), 8,
         "watts, of which ALL"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"10:x\"/></host>"), 8,
         "watts from 0"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"10:20:30:40\"/></host>"), 8,
         "of which ALL"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"-1:2:3\"/></host>"), 8,
         "watts from 0"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"30:20:10\"/></host>"), 8,
         "of which ALL are not less than IDLE"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"1:2:2e6\"/></host>"), 8,
         "watts from 0 to 1e+06"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"1:2:3W\"/></host>"), 8,
         "watts from 0"},
	{WITH("<host id=\"CPU1\" speed=\"1f\"><prop id=\"wattage_per_state\" value=\"nan:1:2\"/></host>"), 8,
         "watts from 0"},
	{WITH("<host id=\"CPU1\" speed=\"1f\" core=\"many\"/>"), 8, "core 'many': expected an integer"},
	{WITH("<host id=\"CPU1\" speed=\"1f\" core=\"4096\"/>"), 8, "too many workers"},
	{WITH("<host id=\"GPU7\" speed=\"1f\"/>"), 8, "host 'GPU7' has no role: expected a prop arch"},
	{WITH("<host id=\"CUDA0\" speed=\"1f\"/>"), 8, "expected a prop memory"},
	{HOST_WITH("h", PROP("memory", "3 apples")), 8, "memory '3 apples': expected a size"},
	{HOST_WITH("h", PROP("memory", "0")), 8, "memory '0': expected a size above 0"},
	{HOST_WITH("h", PROP("memory", "1GiB")), 8, "host 'h' has no role"},
	{HOST_WITH("h", PROP("arch", "")), 8, "arch of 0 bytes"},
	{HOST_WITH("h", PROP("arch", "m")), 8, "arch 'm' of host 'h' names both a CPU and an accelerator"},
	{HOST_WITH("h", PROP("arch", "x") PROP("peer", "yes")), 8, "expected no prop peer"},
	{HOST_WITH("h", PROP("arch", "m") PROP("memory", "1") PROP("peer", "perhaps")), 8,
         "peer 'perhaps': expected yes or no"},
	{HOST_WITH("h", PROP("arch", "x") PROP("driver", "none")), 8, "is no accelerator: expected no prop driver"},
	{HOST_WITH("h", PROP("arch", "x") PROP("memory", "1") PROP("driver", "c")), 8,
         "driver 'c': expected core or none"},
	{HOST_WITH("h", PROP("role", "memory")), 8, "no route from 'h' to 'RAM', expected one"},
	{HOST_WITH("h", PROP("arch", "x") PROP("main_memory", "RAM2")), 8,
         "host 'h' has the main_memory 'RAM2', expected a host with the role memory"},
	{HOST_WITH("h", PROP("arch", "x") PROP("memory", "1") PROP("main_memory", "h")), 8,
         "host 'h' has the main_memory 'h', expected a host with the role memory"},
	{HOST_WITH("h", PROP("role", "memory") PROP("main_memory", "RAM")), 8,
         "is no worker: expected no prop main_memory"},
	{HOST_WITH("h", PROP("arch", "x") PROP("main_memory", "")), 8, "main_memory of 0 bytes"},
	{WITH("<host id=\"D\" speed=\"1f\">" PROP("role", "disk") "</host>\n<host id=\"E\" speed=\"1f\">" PROP(
		 "role", "memory") "</host>"),
         8, "host 'D' is a disk behind 2 main memories, expected one"},
	{HOST_WITH("h", PROP("role", "disk") PROP("arch", "x")), 8, "is a memory: expected no prop arch"},
	{HOST_WITH("h", PROP("role", "butler")), 8, "role 'butler': expected memory, disk or ignored"},
	{HOST_WITH("h", "<prop id=\"arch\"/>"), 8, "<prop> without 'value'"},
	{HOST_WITH("h", PROP("role", "disk")), 8, "no route from 'h' to 'RAM'"},
	{WITH("<host id=\"D\" speed=\"1f\">" PROP("role", "disk") "</host>\n<host id=\"E\" speed=\"1f\">" PROP(
		 "role", "disk") "</host>"),
         9, "host 'E' is a second disk, expected one ('D')"},
	{ZONE CPU END, 4, "no main memory, expected a host with the id RAM"},
	{ZONE RAM END, 4, "no worker, expected a host with a prop arch"},
	{ZONE END, 3, "no main memory"},
	/* properties that are set twice */
	{HOST_WITH("h", PROP("arch", "x") "\n" PROP("arch", "y")), 9, "property 'arch' is set twice, expected once"},
	{HOST_WITH("h", PROP("arch", "x") PROP("memory", "1GiB") "\n" PROP("memsize", "1")), 9,
         "property 'memsize' is set twice"},
	{HOST_WITH("h", PROP("role", "ignored") PROP("role", "ignored")), 8, "property 'role' is set twice"},
	{HOST_WITH("h", PROP("arch", "x") PROP("memory", "1") PROP("peer", "yes") PROP("memcpy_peer", "1")), 8,
         "property 'memcpy_peer' is set twice"},
	{WITH("<link id=\"m\" bandwidth=\"1\">" PROP("predicted_latency", "0") "\n" PROP("predicted_latency",
                                                                                         "0") "</link>"),
         9, "property 'predicted_latency' is set twice"},
	{ZONE PROP("summary", "a") RAM CPU PROP("summary", "b") END, 5, "property 'summary' is set twice"},
	{ZONE PROP("runtime", "a=1") RAM CPU "\n" PROP("runtime", "a=1") END, 6, "property 'runtime' is set twice"},
	/* names with control characters */
	{WITH("<host id=\"a&#10;b\" speed=\"1f\"/>"), 8, "host id 'a b': expected text without control characters"},
	{WITH("<link id=\"a&#x7f;\" bandwidth=\"1\"/>"), 8, "link id 'a ': expected text"},
	{HOST_WITH("h", PROP("arch", "a&#9;b")), 8, "arch 'a b': expected text without control characters"},
	/* links */
	{LINK_WITH("latency=\"1us\""), 8, "<link> without 'bandwidth'"},
	{LINK_WITH("bandwidth=\"0\""), 8, "bandwidth '0': expected a number above 0, such as 6GBps"},
	{LINK_WITH("bandwidth=\"-1GBps\""), 8, "bandwidth '-1GBps': expected"},
	{LINK_WITH("bandwidth=\"nan\""), 8, "bandwidth 'nan': expected"},
	{LINK_WITH("bandwidth=\"1e999\""), 8, "bandwidth '1e999': expected"},
	{LINK_WITH("bandwidth=\"1e-300Bps\""), 8,
         "bandwidth '1e-300Bps': expected a number from 1 to 1e+18, such as 6GBps"},
	{LINK_WITH("bandwidth=\"1e10GBps\""), 8, "bandwidth '1e10GBps': expected a number from 1"},
	{LINK_WITH("bandwidth=\"1\" latency=\"1e20s\""), 8, "latency '1e20s': expected at most 1000s"},
	{WITH("<link id=\"m\" bandwidth=\"1\">\n" PROP("predicted_latency", "1001s") "</link>"), 9,
         "expected at most 1000s"},
	{WITH("<link id=\"m\" bandwidth=\"1\">\n" PROP("predicted_bandwidth", "1e-5") "</link>"), 9,
         "expected a number from 1"},
	{WITH("<host id=\"CPU1\" speed=\"1e300f\"/>"), 8,
         "speed '1e300f': expected a number from 1 to 1e+18, such as 2Gf"},
	{LINK_WITH("bandwidth=\"1Gf\""), 8, "bandwidth '1Gf': expected"},
	{LINK_WITH("bandwidth=\"1\" latency=\"-1us\""), 8, "latency '-1us': expected a time"},
	{LINK_WITH("bandwidth=\"1\" latency=\"soon\""), 8, "latency 'soon': expected a time"},
	{LINK_WITH("bandwidth=\"1\" sharing_policy=\"WIFI\""), 8,
         "sharing_policy 'WIFI': expected SHARED, FATPIPE or SPLITDUPLEX"},
	{WITH("<link id=\"l\" bandwidth=\"1\"/>"), 8, "link 'l' is defined twice"},
	{WITH("<link id=\"l\" bandwidth=\"1\" sharing_policy=\"SPLITDUPLEX\"/>"), 8, "link 'l' is defined twice"},
	{WITH("<link id=\"d\" bandwidth=\"1\" sharing_policy=\"SPLITDUPLEX\"/>\n<link id=\"d\" bandwidth=\"1\"/>"), 9,
         "link 'd' is defined twice"},
	{WITH("<link id=\"d_UP\" bandwidth=\"1\"/>\n<link id=\"d\" bandwidth=\"1\" sharing_policy=\"SPLITDUPLEX\"/>"),
         9, "link 'd_UP' is defined"},
	{WITH("<link id=\"m\" bandwidth=\"1\">\n" PROP("predicted_bandwidth", "0") "</link>"), 9,
         "predicted_bandwidth '0': expected"},
	{WITH("<link id=\"m\" bandwidth=\"1\">\n" PROP("predicted_latency", "x") "</link>"), 9,
         "predicted_latency 'x': expected a time"},
	{WITH("<link id=\"m\" bandwidth=\"1\">\n" PROP("shared_bandwidth", "x") "</link>"), 9,
         "shared_bandwidth 'x': expected a number above 0"},
	{WITH("<link id=\"m\" bandwidth=\"10\">\n" PROP("shared_bandwidth", "11") "</link>"), 9,
         "shared_bandwidth '11': expected at most the link's bandwidth"},
	{WITH("<link id=\"m\" bandwidth=\"10\">\n" PROP("bandwidth_origin", "metered: here") "</link>"), 9,
         "bandwidth_origin 'metered: here': expected measured, paper, derived or assumed"},
	{WITH("<link id=\"m\" bandwidth=\"10\">\n" PROP("latency_origin", "") "</link>"), 9,
         "latency_origin '': expected measured"},
	{WITH(PROP("latency_origin", "guess")), 8, "latency_origin 'guess': expected measured"},
	{WITH("<link id=\"m\" bandwidth=\"10\">\n" PROP("latency_origin", "paper")
                      PROP("latency_origin", "paper") "</link>"),
         9, "'latency_origin' is set twice"},
	{WITH("<link id=\"m\" bandwidth=\"10\" sharing_policy=\"FATPIPE\">\n" PROP("shared_bandwidth", "9") "</link>"),
         9, "shared_bandwidth '9': expected a link that is shared"},
	{WITH("<link id=\"m\" bandwidth=\"10\">\n" PROP("shared_bandwidth", "9")
                      PROP("shared_bandwidth", "8") "</link>"),
         9, "shared_bandwidth"},
	{WITH("<link id=\"m\" bandwidth=\"10\">\n" PROP(
		 "shared_bandwidth",
		 "9") "</link>\n"
                      "<host id=\"G9\" speed=\"1f\">" PROP("arch", "gpu")
                              PROP("memory", "1GiB") "</host>\n"
                                                     "<route src=\"RAM\" dst=\"G9\"><link_ctn id=\"m\"/></route>"),
         11,
         "the route from 'RAM' to 'G9' passes 10 bytes/s alone, expected at most the shared_bandwidth of its link "
         "'m', 9"},
	/* routes */
	{WITH("<route src=\"RAM\" dst=\"H\"/>"), 8, "route dst 'H': expected the id of a host above"},
	{WITH("<route src=\"H\" dst=\"RAM\"/>"), 8, "route src 'H': expected the id of a host above"},
	{WITH("<route src=\"RAM\" dst=\"RAM\"><link_ctn id=\"l\"/></route>"), 8, "a route from 'RAM' to itself"},
	{WITH("<route src=\"RAM\" dst=\"CPU0\">\n</route>"), 9, "a route without links"},
	{WITH("<route src=\"RAM\" dst=\"CPU0\" symmetrical=\"maybe\"/>"), 8, "symmetrical 'maybe': expected YES or NO"},
	{WITH("<route src=\"RAM\" dst=\"CPU0\">\n<link_ctn id=\"k\"/></route>"), 9,
         "unknown link 'k', expected the id of a link above"},
	{WITH("<route src=\"RAM\" dst=\"CPU0\">\n<link_ctn id=\"l\" direction=\"UP\"/></route>"), 9,
         "it is not SPLITDUPLEX"},
	{WITH("<route src=\"RAM\" dst=\"CPU0\">\n<link_ctn id=\"l\" direction=\"LEFT\"/></route>"), 9,
         "direction 'LEFT': expected UP or DOWN"},
	{WITH("<link id=\"d\" bandwidth=\"1\" sharing_policy=\"SPLITDUPLEX\"/>\n"
              "<route src=\"RAM\" dst=\"CPU0\">\n<link_ctn id=\"d\"/></route>"),
         10, "link 'd' is SPLITDUPLEX, expected direction"},
	{WITH("<route src=\"G\" dst=\"RAM\"><link_ctn id=\"l\"/></route>"), 8,
         "the route from 'G' to 'RAM' is defined twice"},
	{ZONE RAM CPU GPU LINK END, 5, "no route from 'G' to 'RAM', expected one"},
	{ZONE RAM CPU GPU LINK "<route src=\"G\" dst=\"RAM\" symmetrical=\"NO\"><link_ctn id=\"l\"/></route>" END, 5,
         "no route from 'RAM' to 'G'"},
};
enum { N_CASES = sizeof cases / sizeof cases[0] };

static void expect_error(const char *text, int line, const char *part)
{
	struct tw__platform *p = NULL;
	struct tw_error err = {""};
	struct temp file = temp_text(text);
	int status = tw__platform_read(&p, file.path, "test", &err);
	temp_remove(file);
	ck_assert_msg(status == TW_INVALID, "status %d, '%s' for\n%s", status, err.message, text);
	ck_assert_ptr_null(p);

	char where[96];
	snprintf(where, sizeof where, "%s:%d: ", file.path, line);
	ck_assert_msg(strncmp(err.message, where, strlen(where)) == 0, "expected line %d in '%s'", line, err.message);
	ck_assert_contains(err.message, part);
	ck_assert_contains(err.message, "xpected");
	ck_assert_ptr_null(strchr(err.message, '\n'));
}

START_TEST(a_malformed_file_is_refused_with_its_line)
{
	expect_error(cases[_i].text, cases[_i].line, cases[_i].message);
}
END_TEST

START_TEST(the_file_the_cases_change_is_right)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	struct temp file = temp_text(WITH(""));
	ck_assert_msg(tw__platform_read(&p, file.path, "test", &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	tw__platform_destroy(p);
}
END_TEST

/* BEFORE, then `n` copies of `format` with its number, then AFTER. */
static char *repeated(const char *before, int n, const char *format, const char *after)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	fputs(before, out);
	for (int i = 0; i < n; i++)
		fprintf(out, "<%s%d\"%s", format, i,
		        strncmp(format, "host", 4) == 0 ? " speed=\"1f\"/>" : " bandwidth=\"1\"/>");
	fputs(after, out);
	fclose(out);
	return text;
}

START_TEST(numbers_of_things_are_bounded)
{
	char *text = repeated(ZONE RAM, 4096, "host id=\"CPU", END);
	expect_error(text, 4, "too many hosts, expected at most 4096");
	free(text);

	text = repeated(ZONE RAM CPU, 65537, "link id=\"l", END);
	expect_error(text, 5, "too many links, expected at most 65536");
	free(text);

	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	fputs(ZONE RAM CPU LINK "<route src=\"RAM\" dst=\"CPU0\">", out);
	for (int i = 0; i < 4097; i++)
		fputs("<link_ctn id=\"l\"/>", out);
	fputs("</route>" END, out);
	fclose(out);
	expect_error(text, 6, "too many links in a route, expected at most 4096");
	free(text);

	char id[257];
	memset(id, 'x', sizeof id - 1);
	id[sizeof id - 1] = '\0';
	ck_assert_int_gt(asprintf(&text, ZONE "<host id=\"%s\" speed=\"1f\"/>" END, id), 0);
	expect_error(text, 3, "host id of 256 bytes");
	free(text);
}
END_TEST

START_TEST(depth_does_not_recurse)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	fputs(ZONE, out);
	for (int i = 0; i < 100000; i++)
		fputs("<prop id=\"a\" value=\"b\">", out);
	fclose(out);
	expect_error(text, 3, "<prop> is not supported here, expected nothing");
	free(text);
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_named)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	ck_assert_int_eq(tw__platform_read(&p, "/nowhere/platform.xml", "x", &err), TW_INVALID);
	ck_assert_contains(err.message, "/nowhere/platform.xml: No such file");
	ck_assert_int_eq(tw__platform_read(&p, "/tmp", "x", &err), TW_INVALID);
	ck_assert_contains(err.message, "/tmp: Is a directory");
}
END_TEST

static char warned[512];
static void keep_warning(enum tw_log_level level, const char *message, void *context)
{
	(void)context;
	if (level == TW_LOG_WARNING)
		snprintf(warned, sizeof warned, "%s", message);
}

START_TEST(a_property_of_others_is_not_passed_over_in_silence)
{
	struct tw__platform *p;
	struct tw_error err = {""};
	struct temp file =
		temp_text(ZONE RAM CPU "<host id=\"CPU1\" speed=\"1f\">" PROP("memroy", "1GiB") "</host>" END);
	tw_set_log(keep_warning, NULL);
	ck_assert_msg(tw__platform_read(&p, file.path, "test", &err) == TW_OK, "%s", err.message);
	temp_remove(file);
	ck_assert_contains(warned, ":5: property 'memroy' of a host is unknown and has no effect");
	tw__platform_destroy(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("platform errors");
	TCase *errors = tcase_create("errors");
	tcase_add_loop_test(errors, a_malformed_file_is_refused_with_its_line, 0, N_CASES);
	tcase_add_test(errors, the_file_the_cases_change_is_right);
	tcase_add_test(errors, numbers_of_things_are_bounded);
	tcase_add_test(errors, depth_does_not_recurse);
	tcase_add_test(errors, a_file_that_cannot_be_read_is_named);
	tcase_add_test(errors, a_property_of_others_is_not_passed_over_in_silence);
	tcase_set_timeout(errors, 30);
	suite_add_tcase(suite, errors);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
