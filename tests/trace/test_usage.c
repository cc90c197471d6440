/* Counters of links and memories in traces (trace/usage.h): rates at each moment, against what links can pass. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "trace/usage.h"

enum { MOST = 64 };

struct change {
	double date_s;
	enum tw__counter kind;
	int index;
	int64_t value;
};

/* All changes that the counters have reported, and the integrals of the counters until the end of the trace. */
struct reports {
	struct change list[MOST];
	int n;
	struct tw__trace trace;
};

static void report(void *context, int64_t date_ns, enum tw__counter kind, int index, int64_t value)
{
	struct reports *r = context;
	ck_assert_int_lt(r->n, MOST);
	ck_assert(r->n == 0 || NS(r->list[r->n - 1].date_s) <= date_ns);
	r->list[r->n++] = (struct change){tw__seconds(date_ns), kind, index, value};
}

static void run(struct fixture *f, struct reports *r)
{
	tw__record_sort(&f->record);
	size_t n = f->record.n;
	*r = (struct reports){.trace = {.platform = &f->platform,
	                                .graph = f->graph,
	                                .record = &f->record,
	                                .shares = f->traced.shares,
	                                .end_ns = f->record.events[n - 1].date}};
	struct tw__usage *usage = tw__usage_create(&r->trace, TW__USAGE_USUAL | TW__USAGE_MEMORY_RATES, report, r);
	tw__usage_pass(usage, NULL);
	tw__usage_destroy(usage);
}

static void transfer(struct fixture *f, double start, double end, tw_node from, tw_node to, uint64_t bytes)
{
	struct tw__event e = {.date = NS(start), .kind = TW__TRANSFER_START, .data = A, .from = (int16_t)from};
	e.node = (int16_t)to;
	e.bytes = bytes;
	e.offset = 500 + f->record.n;
	add(f, e);
	e.kind = TW__TRANSFER_END;
	e.date = NS(end);
	add(f, e);
}

/* A link of both GPUs that passes 1000 bytes/s of one transfer and 600 of several; its latency is 0.5 s. Two transfers
 * in opposite directions fill it for 2 s; then one is alone for 1 s. */
static void two_directions(struct fixture *f)
{
	fixture_init(f);
	f->record.n = 0;
	f->links[0].shared_bandwidth = 600;
	transfer(f, 0, 2.5, RAM, MEM0, 600);
	transfer(f, 0, 2.5, MEM1, RAM, 600);
	transfer(f, 3, 4.5, RAM, MEM0, 1000);
}

static void assert_changes(const struct reports *r, enum tw__counter kind, int index, int n,
                           const double (*expected)[2])
{
	int found = 0;
	for (int i = 0; i < r->n; i++) {
		const struct change *c = &r->list[i];
		if (c->kind != kind || c->index != index)
			continue;
		ck_assert_int_lt(found, n);
		ck_assert_double_eq_tol(c->date_s, expected[found][0], 1e-12);
		ck_assert_int_eq(c->value, (int64_t)expected[found][1]);
		found++;
	}
	ck_assert_int_eq(found, n);
}

#define ASSERT_CHANGES(r, kind, index, ...)                                                           \
	assert_changes(r, kind, index, (int)(sizeof((double[][2]){__VA_ARGS__}) / sizeof(double[2])), \
	               (const double[][2]){__VA_ARGS__})

START_TEST(a_link_full_in_both_directions_passes_all_it_can)
{
	struct fixture f;
	struct reports r;
	two_directions(&f);
	run(&f, &r);
	ASSERT_CHANGES(&r, TW__LINK_USED, 0, {0, 0}, {0.5, 600}, {2.5, 0}, {3.5, 1000}, {4.5, 0});
	ASSERT_CHANGES(&r, TW__LINK_CAPACITY, 0, {0, 1000}, {0.5, 600}, {2.5, 1000});
	ASSERT_CHANGES(&r, TW__MEMORY_IN, MEM0, {0, 0}, {0.5, 300}, {2.5, 0}, {3.5, 1000}, {4.5, 0});
	ASSERT_CHANGES(&r, TW__MEMORY_OUT, MEM1, {0, 0}, {0.5, 300}, {2.5, 0});
	fixture_finish(&f);
}
END_TEST

/* With weights, the transfer of the shorter latency gets more. The link is as full. */
START_TEST(weights_change_shares_and_not_the_use)
{
	struct fixture f;
	struct reports r;
	two_directions(&f);
	f.traced.shares = TW__SHARES_BY_LATENCY;
	f.routes[MEM1 * N_NODES + RAM].latency = 1;
	run(&f, &r);
	/* From 1 s on the first transfer gets two thirds of 600 bytes/s. The second one enters the link 2 us before it
	 * flows, so that the first one gets 600 then. When it has ended, the second one gets 1000. */
	int full = 0;
	for (int i = 0; i < r.n; i++)
		full += r.list[i].kind == TW__LINK_USED && r.list[i].value == 600;
	ck_assert_int_eq(full, 1);
	ASSERT_CHANGES(&r, TW__MEMORY_OUT, MEM1, {0, 0}, {1, 200}, {1.250002, 1000}, {1.8000016, 0});
	fixture_finish(&f);
}
END_TEST

/* Rates of measured transfers are unknown: each counts with its mean rate, and the link passes what it is said to. */
START_TEST(measured_transfers_have_mean_rates)
{
	struct fixture f;
	struct reports r;
	two_directions(&f);
	f.record.measured = true;
	run(&f, &r);
	ASSERT_CHANGES(&r, TW__LINK_USED, 0, {0, 0}, {0, 480}, {2.5, 0}, {3, 667}, {4.5, 0});
	ASSERT_CHANGES(&r, TW__LINK_CAPACITY, 0, {0, 1000}, {0, 600}, {2.5, 1000});
	fixture_finish(&f);
}
END_TEST

START_TEST(a_fat_pipe_can_pass_more_of_more_transfers)
{
	struct fixture f;
	struct reports r;
	two_directions(&f);
	f.links[0].shared_bandwidth = 1000;
	f.links[0].sharing = TW__FATPIPE;
	run(&f, &r);
	ASSERT_CHANGES(&r, TW__LINK_USED, 0, {0, 0}, {0.5, 2000}, {1.1, 0}, {3.5, 1000}, {4.5, 0});
	ASSERT_CHANGES(&r, TW__LINK_CAPACITY, 0, {0, 0}, {0.5, 2000}, {1.1, 0}, {3.5, 1000}, {4.5, 0});
	fixture_finish(&f);
}
END_TEST

/* A link that always passes its bandwidth has no counter of that. One that nothing crosses has none at all. */
START_TEST(links_that_never_change_have_no_counter)
{
	struct fixture f;
	struct reports r;
	two_directions(&f);
	f.links[0].shared_bandwidth = 1000;
	run(&f, &r);
	for (int i = 0; i < r.n; i++)
		ck_assert(r.list[i].kind != TW__LINK_CAPACITY && (r.list[i].kind != TW__LINK_USED || !r.list[i].index));
	fixture_finish(&f);
}
END_TEST

/* The model may end the last transfer later than a record whose dates another model has rounded. */
START_TEST(no_counter_changes_after_the_end)
{
	struct fixture f;
	struct reports r;
	two_directions(&f);
	transfer(&f, 5, 6.5 - 1e-9, RAM, MEM0, 1000);
	run(&f, &r);
	ck_assert(NS(r.list[r.n - 1].date_s) == NS(6.5) - 1 && r.list[r.n - 1].value == 0);
	fixture_finish(&f);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("usage");
	TCase *tests = tcase_create("usage");
	tcase_add_test(tests, a_link_full_in_both_directions_passes_all_it_can);
	tcase_add_test(tests, weights_change_shares_and_not_the_use);
	tcase_add_test(tests, measured_transfers_have_mean_rates);
	tcase_add_test(tests, a_fat_pipe_can_pass_more_of_more_transfers);
	tcase_add_test(tests, links_that_never_change_have_no_counter);
	tcase_add_test(tests, no_counter_changes_after_the_end);
	suite_add_tcase(suite, tests);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed != 0;
}
