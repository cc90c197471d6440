/* How transfers share links (engine/shares.h): cases by hand, the oracle, the SimGrid engine, and what must hold
 * of all rates. The parts share one player of scripts and one generator of platforms, so they are one file. */
#include "script.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "engine/shares.h"
#include "platform/bottlenecks.h"

#define ACCELERATOR(n)                                                                                \
	"<host id='G" n "' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GiB'/>" \
	"<prop id='peer' value='yes'/></host>"
#define RAM_TWO "<host id='RAM' speed='1f'/>" ACCELERATOR("0") ACCELERATOR("1")
#define RAM_THREE RAM_TWO ACCELERATOR("2")
#define LINK(id, bandwidth, latency) "<link id='" id "' bandwidth='" bandwidth "' latency='" latency "'/>"
#define FATPIPE(id, bandwidth, latency) \
	"<link id='" id "' bandwidth='" bandwidth "' latency='" latency "' sharing_policy='FATPIPE'/>"
#define BRIDGE(id, bandwidth, shared, latency)                               \
	"<link id='" id "' bandwidth='" bandwidth "' latency='" latency "'>" \
	"<prop id='shared_bandwidth' value='" shared "'/></link>"
#define TO(n, links) "<route src='RAM' dst='G" n "'>" links "</route>"
#define VIA(id) "<link_ctn id='" id "'/>"
#define ONE_LINK RAM_TWO LINK("a", "1GBps", "10us") TO("0", VIA("a")) TO("1", VIA("a"))

enum { RAM, G0, G1, G2, MAX_HAND = 4 };

/* --- by hand ----------------------------------------------------------------------------------------------------- */

static const struct by_hand {
	const char *xml;
	bool by_latency;
	struct {
		double date;
		tw_node from, to;
		double bytes, end;
	} transfers[MAX_HAND];
} by_hand[] = {
	/* Alone; without a byte. */
	{ONE_LINK, false, {{0.5, RAM, G0, 1e6, 0.5 + 1.01e-3}, {1, G0, RAM, 0, 1 + 10e-6}}},
	{RAM_TWO LINK("a", "2GBps", "3us") LINK("b", "1GBps", "7us") TO("0", VIA("a") VIA("b")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 1.01e-3}}},
	/* Two on one link. */
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 10e-6 + 2e-3}, {0, RAM, G1, 2e6, 10e-6 + 3e-3}}},
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 10e-6 + 1.5e-3}, {0.5e-3, RAM, G1, 1e6, 10e-6 + 2e-3}}},
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 10e-6 + 2e-3}, {0, G0, RAM, 2e6, 10e-6 + 3e-3}}},
	/* The first has ended before the latency of the second has passed; the second begins just when the first ends. */
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 1.01e-3}, {1.005e-3, RAM, G1, 1e6, 2.015e-3}}},
	{ONE_LINK, false, {{0, RAM, G0, 1e6, 1.01e-3}, {1e-3, RAM, G1, 1e6, 2.01e-3}}},
	/* Latencies of 5 and 50 us: alone for 45 us, then half each. */
	{RAM_TWO LINK("common", "1GBps", "0s") LINK("near", "9GBps", "5us") LINK("far", "9GBps", "50us")
                 TO("0", VIA("common") VIA("near")) TO("1", VIA("common") VIA("far")),
         false,
         {{0, RAM, G0, 1e6, 50e-6 + 1910e-6}, {0, RAM, G1, 1e6, 50e-6 + 1955e-6}}},
	/* A fat pipe gives all to each, however often it is listed; a narrower link behind it does not. */
	{RAM_TWO FATPIPE("a", "1GBps", "10us") TO("0", VIA("a")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 1.01e-3}, {0, RAM, G1, 1e6, 1.01e-3}, {0, RAM, G1, 2e6, 2.01e-3}}},
	{RAM_TWO FATPIPE("a", "1GBps", "5us") TO("0", VIA("a") VIA("a")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 1.01e-3}, {5e-6, RAM, G1, 1e6, 1.01e-3}}},
	{RAM_TWO FATPIPE("a", "1GBps", "0s") LINK("b", "1.5GBps", "10us") TO("0", VIA("a") VIA("b")) TO("1", VIA("b")),
         false,
         {{0, RAM, G0, 1.5e6, 10e-6 + 1.75e-3}, {0, RAM, G1, 0.75e6, 10e-6 + 1e-3}}},
	/* A bridge passes 2 GB/s of one and 1.5 GB/s of several. The first transfer counts twice: one third each, then half of 2 GB/s. */
	{RAM_TWO BRIDGE("a", "2GBps", "1.5GBps", "10us") LINK("b", "1.5GBps", "0s") TO("0", VIA("b") VIA("a"))
                 TO("1", VIA("a") VIA("a")),
         false,
         {{0, RAM, G1, 2e6, 20e-6 + 3e-3}, {10e-6, RAM, G0, 1e6, 20e-6 + 2e-3}}},
	/* A link that one route lists twice: a third of it each. */
	{RAM_TWO LINK("a", "1GBps", "10us") TO("0", VIA("a") VIA("a")) TO("1", VIA("a")),
         false,
         {{0, RAM, G0, 1e6, 20e-6 + 2e-3}, {10e-3, RAM, G0, 1e6, 13.02e-3}, {10.01e-3, RAM, G1, 1e6, 13.02e-3}}},
	/* G0 and G1 share the narrow link; the part of the wide one that G1 cannot use is G2's. */
	{RAM_THREE LINK("narrow", "1GBps", "0s") LINK("wide", "2GBps", "0s") TO("0", VIA("narrow"))
                 TO("1", VIA("narrow") VIA("wide")) TO("2", VIA("wide")),
         false,
         {{0, RAM, G2, 3e6, 2e-3}, {0, RAM, G0, 0.5e6, 1e-3}, {0, RAM, G1, 1e6, 1.5e-3}}},
	/* Weights: 10 and 30 us, three quarters and a quarter. */
	{RAM_TWO LINK("a", "1GBps", "0s") LINK("near", "9GBps", "10us") LINK("far", "9GBps", "30us")
                 TO("0", VIA("near") VIA("a")) TO("1", VIA("far") VIA("a")),
         true,
         {{0, RAM, G1, 1e6, 30e-6 + 2.5e-3}, {20e-6, RAM, G0, 1.5e6, 30e-6 + 2e-3}, {10e-3, RAM, G1, 1e6, 11.03e-3}}},
	/* ... and they do not divide a fat pipe. */
	{RAM_TWO FATPIPE("a", "1GBps", "0s") LINK("near", "9GBps", "10us") LINK("far", "9GBps", "30us")
                 TO("0", VIA("near") VIA("a")) TO("1", VIA("far") VIA("a")),
         true,
         {{0, RAM, G0, 1e6, 1.01e-3}, {0, RAM, G1, 1e6, 1.03e-3}}},
	/* With weights a transfer enters a bridge 1 us before it flows for each 20 us of latency here. The first flows at 20 us with 1 GB/s,
         * from 38 us on with 0.75, from 40 us on with 0.6 of the bridge's 1.5; the second gets 0.3, then 1.5 alone. */
	{RAM_TWO BRIDGE("a", "2GBps", "1.5GBps", "10us") LINK("b", "1.5GBps", "30us") TO("0", VIA("a") VIA("a"))
                 TO("1", VIA("b") VIA("a")),
         true,
         {{0, RAM, G0, 31.5e3, 60e-6}, {0, RAM, G1, 21e3, 70e-6}}},
};

static struct tw__shares *shares_of(const struct tw_platform *p, enum tw__link_shares shares)
{
	struct tw__shares *s = malloc(sizeof *s);
	ck_assert_int_eq(tw__shares_init(s, p, tw__weight_unit(p, shares)), TW_OK);
	return s;
}

static void shares_free(struct tw__shares *s)
{
	tw__shares_finish(s);
	free(s);
}

/* How the caller behaves. */
enum manner { PROMPT, CURIOUS, LATE, MANNERS };

struct play {
	struct tw__shares *shares;
	struct tw__share flows[MAX_ACTIONS];
	double end[MAX_ACTIONS]; /* NAN: not told */
	double last;             /* the last end told */
	int last_told, n_told;
};

static void tell(struct play *p, struct tw__share *share, double now)
{
	int i = (int)(share - p->flows);
	ck_assert(isnan(p->end[i]));
	ck_assert(share->end <= now && share->end >= p->last);
	ck_assert(share->end > p->last || i > p->last_told); /* of one date: in the order of begin */
	p->end[i] = p->last = share->end;
	p->last_told = i;
	p->n_told++;
}

static void tell_all(struct play *p, double now)
{
	for (struct tw__share *share; (share = tw__shares_end(p->shares, now));)
		tell(p, share, now);
}

/* Each end at its date. */
static void tell_until(struct play *p, double now)
{
	for (double next; isfinite(next = tw__shares_next(p->shares)) && next <= now;) {
		struct tw__share *share = tw__shares_end(p->shares, next);
		ck_assert_ptr_nonnull(share);
		ck_assert(share->end == next);
		tell(p, share, next);
	}
}

/* Questions at dates at which nothing need happen. */
static void ask_around(struct play *p, double from, double until)
{
	for (int i = 0; i <= 8; i++) {
		double now = isfinite(until) ? from + (until - from) * i / 8 : from;
		double next = tw__shares_next(p->shares);
		ck_assert(i % 2 == 0 || next == tw__shares_next(p->shares));
		tell_all(p, now);
		ck_assert(tw__shares_next(p->shares) > now);
	}
}

static struct play *play_new(const struct tw_platform *platform, enum tw__link_shares shares)
{
	struct play *p = calloc(1, sizeof *p);
	p->shares = shares_of(platform, shares);
	p->last_told = -1;
	for (int i = 0; i < MAX_ACTIONS; i++)
		p->end[i] = NAN;
	return p;
}

static void play_free(struct play *p)
{
	shares_free(p->shares);
	free(p);
}

static struct play *play(const struct script *s, const struct tw_platform *platform, enum manner manner)
{
	struct play *p = play_new(platform, s->shares);
	double before = 0;
	for (int i = 0; i <= s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		double now = i < s->n_actions ? a->date : INFINITY;
		if (manner == CURIOUS)
			ask_around(p, before, now);
		if (manner != LATE)
			tell_until(p, now);
		if (i < s->n_actions)
			tw__shares_begin(p->shares, &p->flows[i], a->from, a->to, a->amount, now);
		before = now;
	}
	tell_all(p, INFINITY);
	ck_assert_int_eq(p->n_told, s->n_actions);
	ck_assert(isinf(tw__shares_next(p->shares)));
	ck_assert_int_eq(p->shares->n_busy, 0);
	return p;
}

static void script_by_hand(struct script *s, const struct by_hand *c)
{
	s->shares = c->by_latency ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL;
	script_platform(s, c->xml);
	for (int i = 0; i < MAX_HAND && c->transfers[i].from != c->transfers[i].to; i++)
		script_transfer(s, c->transfers[i].date, c->transfers[i].from, c->transfers[i].to,
		                c->transfers[i].bytes);
}

START_TEST(dates_are_as_by_hand)
{
	const struct by_hand *c = &by_hand[_i / MANNERS];
	struct script s = {0};
	script_by_hand(&s, c);
	struct play *p = play(&s, s.platform, _i % MANNERS);
	for (int i = 0; i < s.n_actions; i++)
		ck_assert_double_eq_tol(p->end[i], c->transfers[i].end, 1e-14);
	play_free(p);
	script_finish(&s);
}
END_TEST

START_TEST(simgrid_has_the_dates_by_hand)
{
	const struct by_hand *c = &by_hand[_i];
	struct script s = {0};
	script_by_hand(&s, c);
	script_play(&s);
	for (int i = 0; i < s.n_actions; i++)
		assert_answer(&s, i, c->transfers[i].date, c->transfers[i].end);
	script_finish(&s);
}
END_TEST

/* --- single calls ------------------------------------------------------------------------------------------------ */

static struct tw__shares *on_one_link(struct script *s)
{
	script_platform(s, ONE_LINK);
	return shares_of(s->platform, TW__SHARES_EQUAL);
}

START_TEST(nothing_under_way_has_no_end)
{
	struct script script = {0};
	struct tw__shares *s = on_one_link(&script);
	for (int i = 0; i < 3; i++) {
		ck_assert(isinf(tw__shares_next(s)));
		ck_assert_ptr_null(tw__shares_end(s, i < 2 ? i : INFINITY));
	}
	shares_free(s);
	script_finish(&script);
}
END_TEST

/* The first ends at 3.01 ms, which nobody asks for before the third begins. The second has had the whole link since. */
START_TEST(a_late_caller_changes_no_date)
{
	struct script script = {0};
	struct tw__shares *s = on_one_link(&script);
	struct tw__share flows[3];
	tw__shares_begin(s, &flows[0], RAM, G0, 1.5e6, 0);
	tw__shares_begin(s, &flows[1], RAM, G1, 4.5e6, 0);
	tw__shares_begin(s, &flows[2], RAM, G1, 1e6, 4e-3);
	static const int order[] = {0, 2, 1};
	static const double ends[] = {3.01e-3, 6.01e-3, 7.01e-3};
	for (int i = 0; i < 3; i++) {
		ck_assert_double_eq_tol(tw__shares_next(s), ends[i], 1e-14);
		ck_assert_ptr_eq(tw__shares_end(s, 0.1), &flows[order[i]]);
		ck_assert_double_eq_tol(flows[order[i]].end, ends[i], 1e-14);
	}
	ck_assert_ptr_null(tw__shares_end(s, 0.1));
	shares_free(s);
	script_finish(&script);
}
END_TEST

START_TEST(ends_of_one_date_come_in_the_order_of_begin)
{
	struct script script = {0};
	struct tw__shares *s = on_one_link(&script);
	struct tw__share flows[100];
	for (int i = 0; i < 100; i++)
		tw__shares_begin(s, &flows[i], i % 3 ? RAM : G0, i % 3 ? 1 + i % 2 : RAM, 1e6, 0);
	ck_assert_double_eq_tol(tw__shares_next(s), 0.10001, 1e-14);
	for (int i = 0; i < 100; i++)
		ck_assert_ptr_eq(tw__shares_end(s, i % 2 ? 1 : tw__shares_next(s)), &flows[i]);
	shares_free(s);
	script_finish(&script);
}
END_TEST

enum { MAX_LATER = 20 };

/* One transfer begins at date 0, `n` others later, with such bytes that all end at `end`. A copy over the other link makes for more sums. */
static void assert_one_end(const struct tw_platform *p, tw_node to, double bytes, int n, tw_node others_to,
                           double others_bytes, double later, double end)
{
	struct tw__shares *s = shares_of(p, TW__SHARES_EQUAL);
	struct tw__share flows[1 + MAX_LATER], other;
	tw__shares_begin(s, &flows[0], RAM, to, bytes, 0);
	if (n > 1)
		tw__shares_begin(s, &other, RAM, G1, 1e12, later / 3);
	for (int i = 1; i <= n; i++)
		tw__shares_begin(s, &flows[i], RAM, others_to, others_bytes, later);
	for (int i = 0; i <= n; i++) {
		ck_assert_ptr_eq(tw__shares_end(s, 3), &flows[i]);
		ck_assert(flows[i].end == flows[0].end);
	}
	ck_assert_double_eq_tol(flows[0].end, end, 1e-12);
	shares_free(s);
}

START_TEST(ends_that_rounding_tells_apart_are_one_date)
{
	struct script s = {0};
	struct tw__random *random = tw__random_create(1, TW__STREAM_POLICY);
	script_platform(&s, RAM_THREE LINK("a", "1GBps", "0s") LINK("b", "3GBps", "10us") LINK("c", "9GBps", "0s")
	                            TO("0", VIA("a")) TO("1", VIA("b")) TO("2", VIA("a") VIA("c")));
	for (int i = 0; i < 200; i++) {
		double end = 1 + tw__random_uniform(random), later = tw__random_uniform(random), left = end - later;
		assert_one_end(s.platform, G0, 1e9 * end, 1, G1, 3e9 * (left - 10e-6), later, end);
		assert_one_end(s.platform, G1, 3e9 * (end - 10e-6), 1, G0, 1e9 * left, later, end);
		for (int n = 1; n <= MAX_LATER; n++) {
			double each = 1e9 * left / (n + 1);
			assert_one_end(s.platform, G0, 1e9 * later + each, n, G0, each, later, end);
			assert_one_end(s.platform, G2, 1e9 * later + each, n, G0, each, later, end);
		}
	}
	tw__random_destroy(random);
	script_finish(&s);
}
END_TEST

/* The next end is asked for while the second waits; then a third comes that flows before the second. */
START_TEST(a_question_for_the_next_end_changes_nothing)
{
	struct script script = {0};
	script_platform(&script, RAM_TWO LINK("a", "1GBps", "10us") LINK("far", "9GBps", "990us") TO("0", VIA("a"))
	                                 TO("1", VIA("a") VIA("far")));
	struct tw__shares *s = shares_of(script.platform, TW__SHARES_EQUAL);
	struct tw__share flows[3];
	tw__shares_begin(s, &flows[0], RAM, G0, 2e6, 0);
	tw__shares_begin(s, &flows[1], RAM, G1, 1e6, 0);
	ck_assert_double_eq_tol(tw__shares_next(s), 3e-3, 1e-14);
	tw__shares_begin(s, &flows[2], RAM, G0, 245e3, 490e-6);
	/* 490 us alone, half until the third has its bytes at 990 us, alone until 1 ms, half again. */
	ck_assert_double_eq_tol(tw__shares_next(s), 990e-6, 1e-14);
	ck_assert_ptr_eq(tw__shares_end(s, 1), &flows[2]);
	ck_assert_ptr_eq(tw__shares_end(s, 1), &flows[1]);
	ck_assert_double_eq_tol(flows[1].end, 3e-3, 1e-14);
	ck_assert_ptr_eq(tw__shares_end(s, 1), &flows[0]);
	ck_assert_double_eq_tol(flows[0].end, 3.255e-3, 1e-14);
	shares_free(s);
	script_finish(&script);
}
END_TEST

/* --- random platforms -------------------------------------------------------------------------------------------- */

enum { MAX_NODES = 5, MAX_LINKS = 9, MAX_LISTED = 5 };

struct sketch {
	struct tw__random *random;
	int n_nodes, n_links;
	double bandwidth[MAX_LINKS], passes[MAX_LINKS]; /* at most, by any route alone */
	bool fat[MAX_LINKS];
	int listed[MAX_NODES][MAX_NODES][MAX_LISTED], n_listed[MAX_NODES][MAX_NODES];
};

static int below(struct sketch *k, int n) { return (int)tw__random_below(k->random, (uint32_t)n); }

static void sketch_route(struct sketch *k, int from, int to)
{
	double alone = INFINITY;
	int n = 1 + below(k, MAX_LISTED), times[MAX_LINKS] = {0}, n_listed = 0;
	for (int i = 0; i < n; i++) {
		int link = below(k, k->n_links);
		if (k->fat[link] && times[link]) /* which the oracle divides by two */
			continue;
		times[link]++;
		alone = fmin(alone, k->bandwidth[link] / times[link]);
		k->listed[from][to][n_listed++] = link;
	}
	k->n_listed[from][to] = n_listed;
	for (int i = 0; i < n_listed; i++)
		k->passes[k->listed[from][to][i]] = fmax(k->passes[k->listed[from][to][i]], alone);
}

static void write_links(struct sketch *k, FILE *xml)
{
	for (int l = 0; l < k->n_links; l++) {
		double shared = fmax(k->passes[l], k->bandwidth[l] * tw__random_uniform(k->random));
		double latency = 1e-6 + 30e-6 * tw__random_uniform(k->random) * below(k, 2);
		fprintf(xml, "<link id='l%d' bandwidth='%.17gBps' latency='%.17gs' sharing_policy='%s'>", l,
		        k->bandwidth[l], latency, k->fat[l] ? "FATPIPE" : "SHARED");
		if (!k->fat[l] && below(k, 2))
			fprintf(xml, "<prop id='shared_bandwidth' value='%.17gBps'/>", shared);
		fputs("</link>", xml);
	}
}

static void name_node(FILE *xml, const char *attribute, int node)
{
	if (node == RAM)
		fprintf(xml, " %s='RAM'", attribute);
	else
		fprintf(xml, " %s='G%d'", attribute, node - 1);
}

static void write_routes(struct sketch *k, FILE *xml)
{
	for (int from = 0; from < k->n_nodes; from++)
		for (int to = 0; to < k->n_nodes; to++) {
			if (!k->n_listed[from][to])
				continue;
			fputs("<route symmetrical='NO'", xml);
			name_node(xml, "src", from);
			name_node(xml, "dst", to);
			fputs(">", xml);
			for (int i = 0; i < k->n_listed[from][to]; i++)
				fprintf(xml, "<link_ctn id='l%d'/>", k->listed[from][to][i]);
			fputs("</route>", xml);
		}
}

/* Fat pipes, bridges, links that are listed several times; bandwidths are often equal. */
static void random_platform(struct script *s, struct tw__random *random)
{
	struct sketch k = {.random = random};
	k.n_nodes = 2 + below(&k, MAX_NODES - 1);
	k.n_links = 1 + below(&k, MAX_LINKS);
	for (int l = 0; l < k.n_links; l++) {
		k.bandwidth[l] = 1e9 * (1 + below(&k, 4)) * (below(&k, 2) ? 1 : 1 + tw__random_uniform(random));
		k.fat[l] = below(&k, 5) == 0;
	}
	for (int from = 0; from < k.n_nodes; from++)
		for (int to = 0; to < k.n_nodes; to++)
			if (from != to && (from == RAM || to == RAM || below(&k, 2)))
				sketch_route(&k, from, to);
	char *text;
	size_t length;
	FILE *xml = open_memstream(&text, &length);
	fputs("<host id='RAM' speed='1f'/>", xml);
	for (int n = 1; n < k.n_nodes; n++)
		fprintf(xml,
		        "<host id='G%d' speed='1Gf'><prop id='arch' value='gpu'/><prop id='memory' value='1GiB'/>"
		        "<prop id='peer' value='yes'/></host>",
		        n - 1);
	write_links(&k, xml);
	write_routes(&k, xml);
	fclose(xml);
	script_platform(s, text);
	free(text);
}

/* Transfers of a few kilobytes to a few megabytes, that often begin at one date. */
static void random_transfers(struct script *s, struct tw__random *random, int n)
{
	uint32_t n_nodes = (uint32_t)s->platform->n_nodes;
	double date = 0, most_bytes = tw__random_below(random, 2) ? 4e6 : 1e5;
	while (s->n_actions < n) {
		tw_node from = (tw_node)tw__random_below(random, n_nodes),
			to = (tw_node)tw__random_below(random, n_nodes);
		if (!tw__route_of(s->platform, from, to)->n_links)
			continue;
		date += tw__random_below(random, 3) ? most_bytes / 2e9 * tw__random_uniform(random) : 0;
		script_transfer(s, date, from, to, floor(1 + most_bytes * tw__random_uniform(random)));
	}
}

static void random_script(struct script *s, int seed)
{
	struct tw__random *random = tw__random_create((uint64_t)seed, TW__STREAM_POLICY);
	s->shares = tw__random_below(random, 2) ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL;
	random_platform(s, random);
	random_transfers(s, random, 1 + (int)tw__random_below(random, 40));
	tw__random_destroy(random);
}

/* The greatest error of a duration; 1: all of it. */
static double greatest_error(const struct script *s, const double *ends, const struct answer *expected)
{
	double greatest = 0;
	for (int i = 0; i < s->n_actions; i++)
		greatest = fmax(greatest, fabs(ends[i] - expected[i].end) / (expected[i].end - s->actions[i].date));
	return greatest;
}

enum { SCENARIOS = 250 }; /* in one process */

START_TEST(random_transfers_agree_with_the_oracle)
{
	for (int i = 0; i < SCENARIOS; i++) {
		struct answer expected[MAX_ACTIONS] = {{0}};
		struct script s = {0};
		random_script(&s, _i * SCENARIOS + i);
		oracle_play(&s, expected);
		struct play *p = play(&s, s.platform, PROMPT);
		ck_assert_double_le(greatest_error(&s, p->end, expected), 1e-9);
		play_free(p);
		script_finish(&s);
	}
}
END_TEST

START_TEST(dates_do_not_depend_on_how_often_one_asks)
{
	for (int i = 0; i < SCENARIOS; i++) {
		struct script s = {0};
		random_script(&s, 1000000 + _i * SCENARIOS + i);
		struct play *p[MANNERS];
		for (enum manner m = 0; m < MANNERS; m++)
			p[m] = play(&s, s.platform, m);
		for (int a = 0; a < s.n_actions; a++)
			for (enum manner m = 1; m < MANNERS; m++)
				ck_assert(p[m]->end[a] == p[0]->end[a]);
		for (enum manner m = 0; m < MANNERS; m++)
			play_free(p[m]);
		script_finish(&s);
	}
}
END_TEST

/* The origin follows the dates of begin. */
static void play_shifted(struct play *p, const struct script *s, double *ends)
{
	double origin = 0;
	for (int i = 0; i <= s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		double now = i < s->n_actions ? a->date - origin : INFINITY;
		for (struct tw__share *share; (share = tw__shares_end(p->shares, now));)
			ends[share - p->flows] = share->end + origin;
		if (i == s->n_actions)
			continue;
		if (i % 3 == 0) {
			double shift = ldexp(floor(ldexp(now, 16)), -16); /* sums are exact */
			tw__shares_shift(p->shares, shift);
			origin += shift;
			now -= shift;
		}
		tw__shares_begin(p->shares, &p->flows[i], a->from, a->to, a->amount, now);
	}
}

START_TEST(a_later_origin_changes_no_length)
{
	for (int i = 0; i < SCENARIOS; i++) {
		double ends[MAX_ACTIONS] = {0};
		struct script s = {0};
		random_script(&s, 4000000 + _i * SCENARIOS + i);
		struct play *early = play(&s, s.platform, PROMPT), *late = play_new(s.platform, s.shares);
		play_shifted(late, &s, ends);
		for (int a = 0; a < s.n_actions; a++)
			ck_assert_double_eq_tol(ends[a], early->end[a], 1e-12);
		play_free(early);
		play_free(late);
		script_finish(&s);
	}
}
END_TEST

START_TEST(bottlenecks_alone_give_the_same_dates)
{
	for (int i = 0; i < SCENARIOS; i++) {
		struct script s = {0};
		struct tw_platform narrowed;
		random_script(&s, 2000000 + _i * SCENARIOS + i);
		ck_assert_int_eq(tw__bottlenecks_init(&narrowed, s.platform), TW_OK);
		struct play *all = play(&s, s.platform, PROMPT), *less = play(&s, &narrowed, PROMPT);
		for (int a = 0; a < s.n_actions; a++)
			ck_assert_double_eq_tol(less->end[a], all->end[a], 1e-12);
		play_free(all);
		play_free(less);
		tw__bottlenecks_finish(&narrowed);
		script_finish(&s);
	}
}
END_TEST

START_TEST(random_transfers_agree_with_simgrid)
{
	struct script s = {0};
	random_script(&s, 3000000 + _i);
	struct play *p = play(&s, s.platform, PROMPT);
	s.step = _i % 2 ? 1e-4 : INFINITY;
	script_play(&s);
	for (int i = 0; i < s.n_actions; i++)
		assert_answer(&s, i, s.actions[i].date, p->end[i]);
	play_free(p);
	script_finish(&s);
}
END_TEST

/* --- the platforms that come with Tilewright --------------------------------------------------------------------- */

static void find(struct script *s, const char *name)
{
	struct tw_error err = {""};
	struct tw_platform *all;
	char *kernels;
	ck_assert_msg(tw__platform_find(&all, &kernels, name, &err) == TW_OK, "%s", err.message);
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS};
	ck_assert_msg(tw__platform_select(&s->platform, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);
	free(kernels);
	s->step = INFINITY;
}

START_TEST(transfers_on_our_platforms_agree_with_the_oracle_and_simgrid)
{
	char **names = tw__platform_names();
	struct answer expected[MAX_ACTIONS] = {{0}};
	struct script s = {.shares = _i % 2 ? TW__SHARES_BY_LATENCY : TW__SHARES_EQUAL};
	find(&s, names[_i / 2]);
	for (int i = 0; names[i]; i++)
		free(names[i]);
	free(names);
	if (s.platform->n_nodes > 1) {
		struct tw__random *random = tw__random_create((uint64_t)_i, TW__STREAM_POLICY);
		random_transfers(&s, random, 150);
		tw__random_destroy(random);
		oracle_play(&s, expected);
		struct play *p = play(&s, s.platform, PROMPT);
		ck_assert_double_le(greatest_error(&s, p->end, expected), 1e-9);
		script_play(&s);
		for (int i = 0; i < s.n_actions; i++)
			assert_answer(&s, i, s.actions[i].date, p->end[i]);
		play_free(p);
	}
	script_finish(&s);
}
END_TEST

/* --- what must hold of all rates --------------------------------------------------------------------------------- */

static bool is_flowing(const struct tw__share *share)
{
	const struct tw__share *first = share->lane ? share->lane->now.flows : NULL;
	return share->lane && !share->ended && (!first || share->sequence < first->sequence);
}

static bool has_entered(const struct tw__share *share)
{
	const struct tw__share *first = share->lane ? share->lane->now.enters : NULL;
	return share->lane && !share->ended && (!first || share->sequence < first->sequence);
}

/* Bytes/s that may pass the link, less what does pass; the greatest level of its transfers. */
static double room_of(const struct script *s, const struct play *p, int link, double *level)
{
	double taken = 0;
	int users = 0;
	*level = 0;
	for (int i = 0; i < s->n_actions; i++) {
		const struct tw__share *share = &p->flows[i];
		int times = tw__times_listed(tw__route_of(s->platform, s->actions[i].from, s->actions[i].to), link);
		if (!times)
			continue;
		users += has_entered(share);
		if (is_flowing(share)) {
			taken += times * share->lane->now.rate;
			*level = fmax(*level, share->lane->now.rate / share->lane->sharer.weight);
		}
	}
	return (users > 1 ? s->platform->links[link].shared_bandwidth : s->platform->links[link].bandwidth) - taken;
}

/* No link is overloaded, and each transfer meets a link that is full, or a fat pipe, where none has more than it by its weight: only
 * weighted max-min sharing is so. */
static void assert_max_min(const struct script *s, const struct play *p)
{
	double room[MAX_LINKS], level[MAX_LINKS];
	for (int l = 0; l < s->platform->n_links; l++) {
		const struct tw__link *link = &s->platform->links[l];
		room[l] = room_of(s, p, l, &level[l]);
		ck_assert(link->sharing == TW__FATPIPE || room[l] >= -1e-12 * link->bandwidth);
	}
	for (int i = 0; i < s->n_actions; i++) {
		const struct tw__route *route = tw__route_of(s->platform, s->actions[i].from, s->actions[i].to);
		bool bound = !is_flowing(&p->flows[i]);
		for (int n = 0; !bound && n < route->n_links; n++) {
			int l = route->links[n];
			double rate = p->flows[i].lane->now.rate, weight = p->flows[i].lane->sharer.weight;
			double bandwidth = s->platform->links[l].bandwidth;
			if (s->platform->links[l].sharing == TW__FATPIPE)
				bound = rate >= (1 - 1e-12) * bandwidth;
			else
				bound = room[l] <= 1e-9 * bandwidth && rate / weight >= (1 - 1e-9) * level[l];
		}
		ck_assert(bound);
	}
}

/* Rates are constant between the dates of changes: rate by time, summed up, are the bytes. */
static void conserve(const struct script *s)
{
	struct play *p = play_new(s->platform, s->shares);
	double given[MAX_ACTIONS] = {0}, now = 0;
	for (int begun = 0; p->n_told < s->n_actions;) {
		double next = p->shares->start > now ? fmin(p->shares->start, p->shares->end) : p->shares->end;
		if (begun < s->n_actions)
			next = fmin(next, s->actions[begun].date);
		for (int i = 0; i < begun; i++)
			if (is_flowing(&p->flows[i]))
				given[i] += p->flows[i].lane->now.rate * (next - now);
		now = next;
		for (struct tw__share *share; (share = tw__shares_end(p->shares, now));) {
			int i = (int)(share - p->flows);
			tell(p, share, now);
			ck_assert_double_eq_tol(given[i], s->actions[i].amount, 1e-9 * s->actions[i].amount + 1e-3);
		}
		for (; begun < s->n_actions && s->actions[begun].date <= now; begun++)
			tw__shares_begin(p->shares, &p->flows[begun], s->actions[begun].from, s->actions[begun].to,
			                 s->actions[begun].amount, now);
		tell_all(p, now); /* some may enter a bridge at once */
		assert_max_min(s, p);
	}
	play_free(p);
}

START_TEST(bytes_are_conserved_and_rates_are_max_min)
{
	for (int i = 0; i < SCENARIOS; i++) {
		struct script s = {0};
		random_script(&s, 4000000 + _i * SCENARIOS + i);
		conserve(&s);
		script_finish(&s);
	}
}
END_TEST

/* --- all --------------------------------------------------------------------------------------------------------- */

int main(void)
{
	char **names = tw__platform_names();
	int n = 0;
	for (; names && names[n]; n++)
		free(names[n]);
	free(names);

	Suite *suite = suite_create("shares");
	TCase *cases = tcase_create("shares");
	tcase_set_timeout(cases, 100);
	tcase_add_loop_test(cases, dates_are_as_by_hand, 0, MANNERS * (int)(sizeof by_hand / sizeof by_hand[0]));
	tcase_add_loop_test(cases, simgrid_has_the_dates_by_hand, 0, (int)(sizeof by_hand / sizeof by_hand[0]));
	tcase_add_test(cases, nothing_under_way_has_no_end);
	tcase_add_test(cases, a_late_caller_changes_no_date);
	tcase_add_test(cases, ends_of_one_date_come_in_the_order_of_begin);
	tcase_add_test(cases, ends_that_rounding_tells_apart_are_one_date);
	tcase_add_test(cases, a_question_for_the_next_end_changes_nothing);
	tcase_add_loop_test(cases, random_transfers_agree_with_the_oracle, 0, 40); /* 10,000 platforms */
	tcase_add_loop_test(cases, dates_do_not_depend_on_how_often_one_asks, 0, 4);
	tcase_add_loop_test(cases, a_later_origin_changes_no_length, 0, 2);
	tcase_add_loop_test(cases, bottlenecks_alone_give_the_same_dates, 0, 4);
	tcase_add_loop_test(cases, random_transfers_agree_with_simgrid, 0, 60);
	tcase_add_loop_test(cases, transfers_on_our_platforms_agree_with_the_oracle_and_simgrid, 0, 2 * n);
	tcase_add_loop_test(cases, bytes_are_conserved_and_rates_are_max_min, 0, 4);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
