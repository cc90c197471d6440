/* The calibration finds known links: the rate of each way alone, and the rates of all sets of ways together. */
#include <check.h>
#include <math.h>
#include <stdlib.h>

#include "calibrate/calibrate.h"
#include "standin.h"

#define GPU(n)                                                                   \
	"<host id=\"GPU" #n "\" speed=\"1Gf\"><prop id=\"arch\" value=\"gpu\"/>" \
	"<prop id=\"memory\" value=\"1GiB\"/><prop id=\"peer\" value=\"yes\"/></host>\n"
#define RAM                                                                                    \
	"<host id=\"CPU\" speed=\"1Gf\" core=\"8\"><prop id=\"arch\" value=\"cpu\"/></host>\n" \
	"<host id=\"RAM\" speed=\"1f\"/>\n"
#define RAM1                                                                           \
	"<host id=\"CPU1\" speed=\"1Gf\" core=\"8\"><prop id=\"arch\" value=\"cpu\"/>" \
	"<prop id=\"main_memory\" value=\"RAM1\"/></host>\n"                           \
	"<host id=\"RAM1\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host>\n"
#define RAM2 "<host id=\"RAM2\" speed=\"1f\"><prop id=\"role\" value=\"memory\"/></host>\n"
#define LINK(id, rate, latency, policy) \
	"<link id=\"" id "\" bandwidth=\"" rate "\" latency=\"" latency "\" sharing_policy=\"" policy "\"/>\n"
#define DOWN(id) "<link_ctn id=\"" id "\" direction=\"DOWN\"/>"
#define UP(id) "<link_ctn id=\"" id "\" direction=\"UP\"/>"
#define BOTH(id) "<link_ctn id=\"" id "\"/>"
#define ROUTE(from, to, links) "<route src=\"" from "\" dst=\"" to "\">" links "</route>\n"
#define ONE_WAY(from, to, links) "<route src=\"" from "\" dst=\"" to "\" symmetrical=\"NO\">" links "</route>\n"

static const char *const zones[] = {
	/* independent directions */
	GPU(0) RAM LINK("p", "12GBps", "10us", "SPLITDUPLEX") ROUTE("RAM", "GPU0", DOWN("p")),
	/* directions that share a link */
	GPU(0) RAM LINK("p", "12GBps", "10us", "SHARED") ROUTE("RAM", "GPU0", BOTH("p")),
	/* directions with different rates */
	GPU(0) RAM LINK("d", "12GBps", "3us", "SHARED") LINK("u", "9GBps", "100us", "SHARED")
		ONE_WAY("RAM", "GPU0", BOTH("d")) ONE_WAY("GPU0", "RAM", BOTH("u")),
	/* two GPUs below one link with independent directions */
	GPU(0) GPU(1) RAM LINK("p0", "12GBps", "10us", "SPLITDUPLEX") LINK("p1", "12GBps", "12us", "SPLITDUPLEX")
		LINK("s", "20GBps", "1us", "SPLITDUPLEX") ROUTE("RAM", "GPU0", DOWN("s") DOWN("p0"))
			ROUTE("RAM", "GPU1", DOWN("s") DOWN("p1")),
	/* two GPUs below one link for both directions */
	GPU(0) GPU(1) RAM LINK("p0", "12GBps", "10us", "SPLITDUPLEX") LINK("p1", "12GBps", "12us", "SPLITDUPLEX")
		LINK("s", "30GBps", "1us", "SHARED") ROUTE("RAM", "GPU0", BOTH("s") DOWN("p0"))
			ROUTE("RAM", "GPU1", BOTH("s") DOWN("p1")),
	/* three GPUs below a root link, two of them also below a switch */
	GPU(0) GPU(1) GPU(2) RAM LINK("p0", "12GBps", "10us", "SPLITDUPLEX") LINK("p1", "12GBps", "10us", "SPLITDUPLEX")
		LINK("p2", "12GBps", "10us", "SPLITDUPLEX") LINK("s", "14GBps", "1us", "SPLITDUPLEX")
			LINK("r", "22GBps", "1us", "SPLITDUPLEX") ROUTE("RAM", "GPU0", DOWN("r") DOWN("s") DOWN("p0"))
				ROUTE("RAM", "GPU1", DOWN("r") DOWN("s") DOWN("p1"))
					ROUTE("RAM", "GPU2", DOWN("r") DOWN("p2")),
	/* two switches with two GPUs each */
	GPU(0) GPU(1) GPU(2) GPU(3) RAM LINK("p0", "12GBps", "10us", "SPLITDUPLEX")
		LINK("p1", "12GBps", "10us", "SPLITDUPLEX") LINK("p2", "12GBps", "10us", "SPLITDUPLEX")
			LINK("p3", "12GBps", "10us", "SPLITDUPLEX") LINK("s", "13GBps", "1us", "SPLITDUPLEX")
				LINK("t", "13GBps", "1us", "SPLITDUPLEX") LINK("r", "20GBps", "1us", "SPLITDUPLEX")
					ROUTE("RAM", "GPU0", DOWN("r") DOWN("s") DOWN("p0"))
						ROUTE("RAM", "GPU1", DOWN("r") DOWN("s") DOWN("p1"))
							ROUTE("RAM", "GPU2", DOWN("r") DOWN("t") DOWN("p2"))
								ROUTE("RAM", "GPU3", DOWN("r") DOWN("t") DOWN("p3")),
	/* a direct link beside those to main memory */
	GPU(0) GPU(1) RAM LINK("p0", "12GBps", "10us", "SPLITDUPLEX") LINK("p1", "12GBps", "10us", "SPLITDUPLEX")
		LINK("n", "40GBps", "2us", "SPLITDUPLEX") ROUTE("RAM", "GPU0", DOWN("p0"))
			ROUTE("RAM", "GPU1", DOWN("p1")) ROUTE("GPU0", "GPU1", UP("n")),
	/* a direct route over the links to main memory */
	GPU(0) GPU(1) RAM LINK("p0", "12GBps", "10us", "SPLITDUPLEX") LINK("p1", "12GBps", "10us", "SPLITDUPLEX")
		ROUTE("RAM", "GPU0", DOWN("p0")) ROUTE("RAM", "GPU1", DOWN("p1"))
			ROUTE("GPU0", "GPU1", UP("p0") DOWN("p1")),
	/* low bandwidths, and a high latency */
	GPU(0) GPU(1) RAM LINK("p0", "80MBps", "1ms", "SPLITDUPLEX") LINK("p1", "50MBps", "0us", "SPLITDUPLEX")
		ROUTE("RAM", "GPU0", DOWN("p0")) ROUTE("RAM", "GPU1", DOWN("p1")),
	/* two main memories, and a GPU that is near the first one */
	GPU(0) RAM RAM1 LINK("p", "12GBps", "10us", "SPLITDUPLEX") LINK("q", "20GBps", "1us", "SPLITDUPLEX")
		ROUTE("RAM", "RAM1", UP("q")) ROUTE("RAM", "GPU0", DOWN("p"))
			ROUTE("RAM1", "GPU0", DOWN("q") DOWN("p")),
	/* three main memories, which get bytes from one other at a time: two of a socket share the link to the third */
	RAM RAM1 RAM2 LINK("0", "30GBps", "1us", "SHARED") LINK("1", "30GBps", "1us", "SHARED")
		LINK("u", "20GBps", "2us", "SPLITDUPLEX") ONE_WAY("RAM1", "RAM", BOTH("0"))
			ONE_WAY("RAM", "RAM1", BOTH("1")) ONE_WAY("RAM2", "RAM", DOWN("u") BOTH("0"))
				ONE_WAY("RAM2", "RAM1", DOWN("u") BOTH("1")) ONE_WAY("RAM", "RAM2", UP("u"))
					ONE_WAY("RAM1", "RAM2", UP("u")),
};
enum { N_ZONES = sizeof zones / sizeof zones[0] };

/* Computes the rate of each way of the set from the platform: ways share each link of their routes. */
static void true_rates(const struct tw__platform *p, const struct tw__buses *b, unsigned set, double *rates)
{
	struct tw__buses exact = {.n_ways = b->n_ways, .ways = calloc(16, sizeof *exact.ways)};
	struct tw__bus_shared shared[64];
	bool has[64][16] = {{0}}, chosen[16];
	exact.shared = shared;
	for (int w = 0; w < b->n_ways; w++) {
		exact.ways[w] = b->ways[w];
		exact.ways[w].line.bandwidth = tw__route_of(p, b->ways[w].way.from, b->ways[w].way.to)->bandwidth;
		chosen[w] = set & (1u << w);
	}
	for (int l = 0; l < p->n_links; l++) {
		shared[l] = (struct tw__bus_shared){has[l], p->links[l].shared_bandwidth};
		for (int w = 0; w < b->n_ways; w++)
			has[l][w] = tw__times_listed(tw__route_of(p, b->ways[w].way.from, b->ways[w].way.to), l) > 0;
	}
	exact.n_shared = p->n_links;
	tw__buses_rates(&exact, chosen, rates);
	free(exact.ways);
}

START_TEST(recovered)
{
	struct tw__platform *truth = standin_platform(zones[_i]), *found = standin_platform(zones[_i]);
	struct tw__buses b;
	struct tw_error err = {""};
	struct standin s = {.platform = truth};
	struct tw__source source = standin_source(&s);
	tw__buses_init(&b, truth);
	ck_assert_msg(tw__buses_measure(&b, &source, UINT64_C(64) << 20, &err) == TW_OK, "%s", err.message);
	tw__buses_apply(&b, found);
	for (int w = 0; w < b.n_ways; w++) {
		const struct tw__route *route = tw__route_of(truth, b.ways[w].way.from, b.ways[w].way.to);
		const struct tw__route *got = tw__route_of(found, b.ways[w].way.from, b.ways[w].way.to);
		ck_assert_double_eq_tol(got->bandwidth, route->bandwidth, 0.01 * route->bandwidth);
		ck_assert_double_eq_tol(got->latency, route->latency, 0.02 * route->latency + 1e-9);
		ck_assert_double_eq(got->predicted_bandwidth, got->bandwidth);
		ck_assert_str_eq(found->links[w].origins[TW__LINK_BANDWIDTH], "measured");
	}
	ck_assert_int_le(b.n_ways, 8);
	for (unsigned set = 1; set < 1u << b.n_ways; set++) {
		double expected[16], rates[16], sum = 0, expected_sum = 0;
		bool chosen[16];
		for (int w = 0; w < b.n_ways; w++)
			chosen[w] = set & (1u << w);
		true_rates(truth, &b, set, expected);
		tw__buses_rates(&b, chosen, rates);
		for (int w = 0; w < b.n_ways; w++) {
			sum += rates[w];
			expected_sum += expected[w];
		}
		ck_assert_msg(fabs(sum / expected_sum - 1) < 0.05, "platform %d, set %x: %g GB/s in all instead of %g",
		              _i, set, sum / 1e9, expected_sum / 1e9);
	}
	tw__buses_finish(&b);
	tw__platform_destroy(truth);
	tw__platform_destroy(found);
}
END_TEST

/* The directions of one platform are independent; those of the next share a link. */
START_TEST(directions)
{
	int shared[2];
	for (int i = 0; i < 2; i++) {
		struct tw__platform *truth = standin_platform(zones[i]);
		struct tw__buses b;
		struct tw_error err = {""};
		struct standin s = {.platform = truth};
		struct tw__source source = standin_source(&s);
		tw__buses_init(&b, truth);
		ck_assert_int_eq(tw__buses_measure(&b, &source, UINT64_C(64) << 20, &err), TW_OK);
		shared[i] = b.n_shared;
		tw__buses_finish(&b);
		tw__platform_destroy(truth);
	}
	ck_assert_int_eq(shared[0], 0);
	ck_assert_int_eq(shared[1], 1);
}
END_TEST

START_TEST(line)
{
	const double sizes[] = {1000, 1e6, 2e6};
	const double exact[] = {1e-5 + 1e-6, 1e-5 + 1e-3, 1e-5 + 2e-3}, below[] = {0.9e-6, 1e-3, 2.01e-3};
	struct tw__line fitted;
	tw__line_fit(&fitted, sizes, exact, 3);
	ck_assert_double_eq_tol(fitted.latency_s, 1e-5, 1e-12);
	ck_assert_double_eq_tol(fitted.bandwidth, 1e9, 1);
	ck_assert_double_lt(fitted.residual, 1e-9);
	tw__line_fit(&fitted, sizes, below, 3);
	ck_assert_double_eq(fitted.latency_s, 0);
	ck_assert_double_eq_tol(fitted.bandwidth, 1e9, 0.1e9);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("calibrate buses");
	TCase *tests = tcase_create("all");
	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, recovered, 0, N_ZONES);
	tcase_add_test(tests, directions);
	tcase_add_test(tests, line);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
