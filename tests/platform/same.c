#include "same.h"

#include <check.h>
#include <math.h>

static void expect_same_text(const char *a, const char *b)
{
	ck_assert_int_eq(a != NULL, b != NULL);
	if (a)
		ck_assert_str_eq(a, b);
}

static void expect_same_watts(double a, double b) { ck_assert(a == b || (isnan(a) && isnan(b))); }

static void expect_same_route(const struct tw__route *a, const struct tw__route *b)
{
	ck_assert_int_eq(a->n_links, b->n_links);
	for (int l = 0; l < a->n_links; l++)
		ck_assert_int_eq(a->links[l], b->links[l]);
	ck_assert_double_eq(a->latency, b->latency);
	ck_assert_double_eq(a->bandwidth, b->bandwidth);
	ck_assert_double_eq(a->predicted_latency, b->predicted_latency);
	ck_assert_double_eq(a->predicted_bandwidth, b->predicted_bandwidth);
}

static void expect_same_workers(const struct tw__platform *a, const struct tw__platform *b)
{
	ck_assert_int_eq(a->n_workers, b->n_workers);
	for (int i = 0; i < a->n_workers; i++) {
		const struct tw__worker *one = &a->workers[i], *other = &b->workers[i];
		ck_assert_str_eq(one->name, other->name);
		ck_assert_int_eq(one->arch, other->arch);
		ck_assert_int_eq(one->node, other->node);
		ck_assert_double_eq(one->speed, other->speed);
		ck_assert_int_eq(one->cores, other->cores);
		ck_assert_int_eq(one->rank, other->rank);
		ck_assert_int_eq(one->socket, other->socket);
		ck_assert_int_eq(one->undriven, other->undriven);
		expect_same_watts(one->idle_watts, other->idle_watts);
		expect_same_watts(one->busy_watts, other->busy_watts);
	}
}

static void expect_same_nodes(const struct tw__platform *a, const struct tw__platform *b)
{
	ck_assert_int_eq(a->n_nodes, b->n_nodes);
	for (int i = 0; i < a->n_nodes; i++) {
		const struct tw__node *one = &a->nodes[i], *other = &b->nodes[i];
		ck_assert_str_eq(one->name, other->name);
		ck_assert_uint_eq(one->memory_bytes, other->memory_bytes);
		ck_assert_uint_eq(one->limit_bytes, other->limit_bytes);
		ck_assert_int_eq(one->backing, other->backing);
		ck_assert_int_eq(one->main, other->main);
		ck_assert_int_eq(one->number, other->number);
		ck_assert_int_eq(one->rank, other->rank);
		ck_assert_int_eq(one->peer, other->peer);
	}
}

static void expect_same_archs(const struct tw__platform *a, const struct tw__platform *b)
{
	ck_assert_int_eq(a->n_archs, b->n_archs);
	for (int i = 0; i < a->n_archs; i++) {
		ck_assert_str_eq(a->archs[i].name, b->archs[i].name);
		ck_assert_int_eq(a->archs[i].accelerator, b->archs[i].accelerator);
		ck_assert_int_eq(a->archs[i].cores, b->archs[i].cores);
		ck_assert_int_eq(a->archs[i].wide, b->archs[i].wide);
		ck_assert_int_eq(a->archs[i].most_cores, b->archs[i].most_cores);
	}
	ck_assert_int_eq(a->n_ignored_archs, b->n_ignored_archs);
	for (int i = 0; i < a->n_ignored_archs; i++)
		ck_assert_str_eq(a->ignored_archs[i], b->ignored_archs[i]);
}

void expect_same(const struct tw__platform *a, const struct tw__platform *b)
{
	expect_same_text(a->name, b->name);
	expect_same_text(a->summary, b->summary);
	expect_same_text(a->runtime, b->runtime);
	expect_same_text(a->runtime_from, b->runtime_from);
	expect_same_workers(a, b);
	expect_same_nodes(a, b);
	expect_same_archs(a, b);
	ck_assert_int_eq(a->n_links, b->n_links);
	for (int i = 0; i < a->n_links; i++) {
		ck_assert_str_eq(a->links[i].name, b->links[i].name);
		ck_assert_double_eq(a->links[i].bandwidth, b->links[i].bandwidth);
		ck_assert_double_eq(a->links[i].shared_bandwidth, b->links[i].shared_bandwidth);
		ck_assert_double_eq(a->links[i].latency, b->links[i].latency);
		ck_assert_int_eq(a->links[i].sharing, b->links[i].sharing);
		for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
			expect_same_text(a->links[i].origins[n], b->links[i].origins[n]);
	}
	for (int r = 0; r < a->n_nodes * a->n_nodes; r++)
		expect_same_route(&a->routes[r], &b->routes[r]);
	ck_assert_int_eq(a->n_cores, b->n_cores);
	ck_assert_int_eq(a->n_ranks, 1);
	ck_assert_int_eq(b->n_ranks, 1);
	ck_assert(!a->n_kinds && !b->n_kinds && !a->rank_names && !b->rank_names);
}
