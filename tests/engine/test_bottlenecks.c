/* Links that are left out of simulated routes. Leaving them out does not change any date. */
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "platform/bottlenecks.h"
#include "script.h"

#define MEMORY "<prop id='memory' value='1GiB'/>"
#define HOSTS                                                                                                   \
	"<host id='C' speed='1Gf' core='3'><prop id='arch' value='cpu'/></host><host id='RAM' speed='1f'/>"     \
	"<host id='G0' speed='2Gf'><prop id='arch' value='gpu'/>" MEMORY "<prop id='peer' value='yes'/></host>" \
	"<host id='G1' speed='2Gf'><prop id='arch' value='gpu'/>" MEMORY "<prop id='peer' value='yes'/></host>"
#define LINK(name, gb_per_s) "<link id='" name "' bandwidth='" gb_per_s "GBps' latency='1us'/>"
#define FAT_LINK(name, gb_per_s) \
	"<link id='" name "' bandwidth='" gb_per_s "GBps' latency='1us' sharing_policy='FATPIPE'/>"
#define ROUTE(from, to, links) "<route src='" from "' dst='" to "' symmetrical='NO'>" links "</route>"
#define ON(name) "<link_ctn id='" name "'/>"

struct narrowing {
	const char *xml;
	const char *left[4]; /* links that are left on RAM to G0, G0 to RAM, RAM to G1, G1 to RAM */
};

#define OTHER_WAYS(a, b) ROUTE("G0", "RAM", ON(a)) ROUTE("RAM", "G1", ON(b)) ROUTE("G1", "RAM", ON(b))

static const struct narrowing narrowings[] = {
	/* In series: the narrower one stays; of equal ones, one stays. */
	{HOSTS LINK("a", "5") LINK("b", "6") LINK("c", "9") ROUTE("RAM", "G0", ON("a") ON("b")) OTHER_WAYS("c", "c"),
         {"a", "c", "c", "c"}},
	{HOSTS LINK("a", "5") LINK("b", "5") LINK("c", "9") ROUTE("RAM", "G0", ON("a") ON("b")) OTHER_WAYS("c", "c"),
         {"b", "c", "c", "c"}},
	/* A wider link that other routes cross, too. */
	{HOSTS LINK("a", "5") LINK("b", "6") LINK("c", "9") ROUTE("RAM", "G0", ON("a") ON("b")) OTHER_WAYS("b", "c"),
         {"a b", "b", "c", "c"}},
	/* A link for both directions of a bridge, with more than the sum of both, or less. */
	{HOSTS LINK("up", "5") LINK("down", "5") LINK("sum", "10") LINK("c", "9")
                 ROUTE("RAM", "G0", ON("down") ON("sum")) ROUTE("G0", "RAM", ON("up") ON("sum"))
                         ROUTE("RAM", "G1", ON("c")) ROUTE("G1", "RAM", ON("c")),
         {"down", "up", "c", "c"}},
	{HOSTS LINK("up", "5") LINK("down", "5") LINK("sum", "9.9") LINK("c", "9")
                 ROUTE("RAM", "G0", ON("down") ON("sum")) ROUTE("G0", "RAM", ON("up") ON("sum"))
                         ROUTE("RAM", "G1", ON("c")) ROUTE("G1", "RAM", ON("c")),
         {"down sum", "up sum", "c", "c"}},
	/* A link that is crossed twice gives half its bandwidth. */
	{HOSTS LINK("a", "6") LINK("b", "6") LINK("c", "9") ROUTE("RAM", "G0", ON("a") ON("b") ON("b"))
                 OTHER_WAYS("c", "c"),
         {"b b", "c", "c", "c"}},
	/* A link that is not shared bounds each flow on its own, not the sum of flows. */
	{HOSTS FAT_LINK("fat", "5") LINK("a", "5") LINK("c", "9") ROUTE("RAM", "G0", ON("fat") ON("a"))
                 OTHER_WAYS("c", "c"),
         {"a", "c", "c", "c"}},
	{HOSTS FAT_LINK("fat", "5") LINK("a", "5.1") LINK("c", "9") ROUTE("RAM", "G0", ON("fat") ON("a"))
                 OTHER_WAYS("c", "c"),
         {"fat a", "c", "c", "c"}},
	/* ... even if it is listed several times. */
	{HOSTS FAT_LINK("fat", "1") FAT_LINK("fatter", "1.5") LINK("c", "9")
                 ROUTE("RAM", "G0", ON("fat") ON("fatter") ON("fatter")) OTHER_WAYS("c", "c"),
         {"fat", "c", "c", "c"}},
};

static void assert_links(const struct tw__platform *p, tw_node from, tw_node to, const char *expected)
{
	char got[64] = "";
	const struct tw__route *route = tw__route_of(p, from, to);
	for (int l = 0; l < route->n_links; l++) {
		strcat(got, l ? " " : "");
		strcat(got, p->links[route->links[l]].name);
	}
	ck_assert_str_eq(got, expected);
}

START_TEST(links_that_never_fill_first_are_left_out)
{
	const struct narrowing *n = &narrowings[_i];
	struct script s = {0};
	struct tw__platform narrowed;
	script_platform(&s, n->xml);
	tw__bottlenecks_init(&narrowed, s.platform);
	assert_links(&narrowed, 0, 1, n->left[0]);
	assert_links(&narrowed, 1, 0, n->left[1]);
	assert_links(&narrowed, 0, 2, n->left[2]);
	assert_links(&narrowed, 2, 0, n->left[3]);
	ck_assert_double_eq(tw__route_of(&narrowed, 0, 1)->latency, tw__route_of(s.platform, 0, 1)->latency);
	tw__bottlenecks_finish(&narrowed);
	script_finish(&s);
}
END_TEST

/* --- dates, compared with the oracle, which uses all links
 * --------------------------------------------------------- */

static const char *const machines[] = {"mirage",       "idgraf", "gemini",   "gemini-starpu", "attila2011",
                                       "hannibal2011", "v100x4", "k40-hipc", "synthetic"};
enum { MACHINES = sizeof machines / sizeof machines[0] };

static void find(struct script *s, const char *name)
{
	struct tw_error err = {""};
	struct tw__platform *all;
	char *kernels;
	ck_assert_msg(tw__platform_find(&all, &kernels, name, &err) == TW_OK, "%s", err.message);
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS};
	ck_assert_msg(tw__platform_select(&s->platform, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);
	free(kernels);
	s->step = INFINITY;
}

START_TEST(transfers_on_whole_machines_agree_with_the_oracle)
{
	static const double steps[] = {INFINITY, 1e-5, 1e-4};
	struct answer expected[MAX_ACTIONS] = {{0}};
	struct script s = {0};
	find(&s, machines[_i % MACHINES]);
	s.step = steps[_i / MACHINES % 3];
	s.shares = _i / MACHINES % 2 ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL;
	struct tw__random *r = tw__random_create((uint64_t)_i, TW__STREAM_POLICY);
	uint32_t n_nodes = (uint32_t)s.platform->n_nodes;
	double date = 0;
	while (s.n_actions < 200) {
		tw_node from = (tw_node)tw__random_below(r, n_nodes), to = (tw_node)tw__random_below(r, n_nodes);
		if (from == to || !tw__route_of(s.platform, from, to)->n_links)
			continue;
		date += tw__random_below(r, 3) ? 1e-3 * tw__random_uniform(r) : 0;
		script_transfer(&s, date, from, to, floor(1 + 8e6 * tw__random_uniform(r)));
	}
	tw__random_destroy(r);
	oracle_play(&s, expected);
	script_play(&s);
	for (int i = 0; i < s.n_actions; i++)
		assert_answer(&s, i, expected[i].start, expected[i].end);
	script_finish(&s);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("bottlenecks");
	TCase *cases = tcase_create("bottlenecks");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, links_that_never_fill_first_are_left_out, 0,
	                    (int)(sizeof narrowings / sizeof narrowings[0]));
	add_every(cases, transfers_on_whole_machines_agree_with_the_oracle, 6 * MACHINES);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
