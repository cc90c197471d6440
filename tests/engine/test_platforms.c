/* The platforms that come with Tilewright: a single transfer on a route has its latency and bandwidth, and
 * simultaneous copies share the links that are shared by the sources. */
#include <stdlib.h>
#include <string.h>

#include "script.h"

enum { MAX_FLOWS = 5 };
static const double tolerance = 0.01;

static void find(struct script *s, const char *name)
{
	struct tw_error err = {""};
	struct tw__platform *all;
	char *kernels, mem[80];
	ck_assert_msg(tw__platform_find(&all, &kernels, name, &err) == TW_OK, "%s", err.message);
	struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS};
	if (!all->nodes[TW_RAM].memory_bytes && all->nodes[TW_RAM].backing != TW_NONE) {
		snprintf(mem, sizeof mem, "%s=1GiB", all->nodes[TW_RAM].name);
		choice.mem = mem; /* otherwise the disk is left out */
	}
	ck_assert_msg(tw__platform_select(&s->platform, all, &choice, &err) == TW_OK, "%s", err.message);
	tw__platform_destroy(all);
	free(kernels);
	s->step = INFINITY;
}

static tw_node node_called(const struct tw__platform *p, const char *name)
{
	for (tw_node n = 0; n < p->n_nodes; n++)
		if (strcmp(p->nodes[n].name, name) == 0)
			return n;
	ck_abort_msg("platform %s has no memory %s", p->name, name);
}

static double seconds_of(const struct script *s, int action)
{
	ck_assert(s->answers[action].ended);
	return s->answers[action].end - s->answers[action].start;
}

static void assert_close(double got, double expected, const char *what, const char *platform, const char *from,
                         const char *to)
{
	ck_assert_msg(fabs(got - expected) <= tolerance * expected + 1e-9, "%s of %s, %s to %s: %.9g, expected %.9g",
	              what, platform, from, to, got, expected);
}

/* A ping-pong on each route: a small copy, then one that takes a second longer. */
START_TEST(every_route_has_its_bandwidth_and_latency)
{
	const double small = 4096;
	char **names = tw__platform_names();
	struct script s = {0};
	find(&s, names[_i]);
	const struct tw__platform *p = s.platform;
	for (tw_node a = 0; a < p->n_nodes; a++)
		for (tw_node b = 0; b < p->n_nodes; b++) {
			const struct tw__route *route = tw__route_of(p, a, b);
			if (!route->n_links)
				continue;
			script_transfer(&s, 2 * s.n_actions, a, b, small);
			script_transfer(&s, 2 * s.n_actions, a, b, small + round(route->bandwidth));
		}
	if (s.n_actions)
		script_play(&s);
	for (int i = 0; i < s.n_actions; i += 2) {
		tw_node a = s.actions[i].from, b = s.actions[i].to;
		const struct tw__route *route = tw__route_of(p, a, b);
		double more = s.actions[i + 1].amount - small;
		double bandwidth = more / (seconds_of(&s, i + 1) - seconds_of(&s, i));
		double latency = seconds_of(&s, i) - small / bandwidth;
		assert_close(bandwidth, route->bandwidth, "bandwidth", names[_i], p->nodes[a].name, p->nodes[b].name);
		assert_close(latency, route->latency, "latency", names[_i], p->nodes[a].name, p->nodes[b].name);
	}
	script_finish(&s);
	for (int i = 0; names[i]; i++)
		free(names[i]);
	free(names);
}
END_TEST

/* GB/s of copies, alone or several at once. These are the figures of the sources, as quoted by the platforms'
 * comments. */
static const struct together {
	const char *platform;
	struct flow {
		const char *from, *to;
		double gb_per_s;
	} flows[MAX_FLOWS];
} together[] = {
	{"p100", {{"RAM", "GPU0", 13}}},
	{"p100", {{"GPU0", "GPU1", 10}}},
	{"p100", {{"RAM", "GPU0", 13}, {"RAM", "GPU1", 13}, {"GPU0", "GPU1", 10}, {"GPU1", "GPU0", 10}}},

	{"v100x4", {{"RAM", "GPU2", 12}}},
	{"v100x4", {{"GPU0", "GPU1", 24}}},
	{"v100x4", {{"GPU3", "GPU2", 48}}},
	{"v100x4", {{"RAM", "GPU0", 6}, {"RAM", "GPU1", 6}}},
	{"v100x4", {{"RAM", "GPU0", 11}, {"RAM", "GPU2", 11}}},
	{"v100x4", {{"RAM", "GPU0", 5.5}, {"RAM", "GPU1", 5.5}, {"RAM", "GPU2", 5.5}, {"RAM", "GPU3", 5.5}}},
	{"v100x4", {{"RAM", "GPU0", 12}, {"GPU1", "RAM", 12}, {"GPU0", "GPU3", 48}, {"GPU1", "GPU3", 24}}},

	/* a switch for two GPUs: 12.36 GB/s; a socket for four: 22 GB/s */
	{"gemini", {{"RAM", "GPU2", 10.81712}}},
	{"gemini", {{"RAM", "GPU0", 6.18082}, {"RAM", "GPU1", 6.18082}}},
	{"gemini", {{"RAM", "GPU0", 10.79747}, {"RAM", "GPU2", 10.81712}, {"GPU1", "RAM", 12.32872}}},
	{"gemini", {{"RAM", "GPU0", 5.5}, {"RAM", "GPU1", 5.5}, {"RAM", "GPU2", 5.5}, {"RAM", "GPU3", 5.5}}},
	{"gemini",
         {{"RAM", "GPU0", 5.5},
          {"RAM", "GPU1", 5.5},
          {"RAM", "GPU2", 5.5},
          {"RAM", "GPU3", 5.5},
          {"RAM", "GPU4", 9.866544}}},
	{"gemini", {{"GPU0", "GPU1", 24.09082}, {"RAM", "GPU0", 10.79747}, {"GPU0", "GPU3", 47.81663}}},
	/* copies between the sockets pass both */
	{"gemini", {{"GPU0", "GPU5", 6.18082}, {"GPU1", "RAM", 6.18082}}},
	{"gemini", {{"GPU5", "GPU0", 6.18082}, {"RAM", "GPU0", 6.18082}}},

	{"gemini-starpu", {{"RAM", "GPU2", 10.81712}}},
	{"gemini-starpu", {{"RAM", "GPU0", 6.18082}, {"RAM", "GPU4", 6.18082}}},
	{"gemini-starpu",
         {{"RAM", "GPU0", 3.09041}, {"RAM", "GPU2", 3.09041}, {"GPU4", "RAM", 3.09041}, {"GPU6", "RAM", 3.09041}}},

	{"a100x4", {{"GPU1", "RAM", 12}}},
	{"a100x4", {{"RAM", "GPU0", 12}, {"RAM", "GPU1", 12}, {"RAM", "GPU2", 12}, {"RAM", "GPU3", 12}}},
	{"a100x4", {{"GPU0", "GPU1", 24}, {"GPU0", "GPU2", 24}, {"GPU0", "GPU3", 24}, {"GPU1", "GPU0", 24}}},

	{"cpu-outofcore", {{"DISK", "RAM", 0.094}}},
	{"cpu-outofcore", {{"DISK", "RAM", 0.047}, {"RAM", "DISK", 0.047}}},

	{"k40-hipc", {{"RAM", "GPU3", 10.5}}},
	{"k40-hipc", {{"GPU3", "GPU2", 10.5}}},
	{"k40-hipc", {{"RAM", "GPU0", 10.5}, {"RAM", "GPU1", 10.5}, {"RAM", "GPU2", 10.5}, {"RAM", "GPU3", 10.5}}},
	{"k40-hipc", {{"RAM", "GPU1", 5.25}, {"GPU0", "GPU1", 5.25}}},

	{"hannibal2011", {{"RAM", "GPU0", 5.989}}},
	{"hannibal2011", {{"RAM", "GPU2", 3.15}}},
	{"hannibal2011", {{"RAM", "GPU0", 2.9945}, {"RAM", "GPU1", 2.9945}}},
	{"hannibal2011", {{"RAM", "GPU0", 2.9945}, {"GPU2", "RAM", 2.9945}}},

	{"mordor", {{"RAM", "GPU0", 2}}},
	{"mordor", {{"RAM", "GPU0", 0.5}, {"RAM", "GPU1", 0.5}, {"RAM", "GPU2", 0.5}, {"GPU3", "RAM", 0.5}}},

	{"barracuda", {{"GPU0", "RAM", 3.6}}},
	{"barracuda", {{"RAM", "GPU0", 2.9945}, {"RAM", "GPU1", 2.9945}}},

	{"attila2011", {{"GPU2", "RAM", 7.4}}},
	{"attila2011", {{"RAM", "GPU0", 3.65}, {"RAM", "GPU1", 3.65}, {"RAM", "GPU2", 6.4}}},

	{"mirage", {{"RAM", "GPU1", 3.005258}, {"RAM", "GPU2", 3.005258}}},
};

/* Each copy moves one second's bytes at its expected bandwidth, so if all are right, all end at the same date. */
START_TEST(copies_share_what_is_shared)
{
	const struct together *case_ = &together[_i];
	struct script s = {0};
	find(&s, case_->platform);
	for (const struct flow *f = case_->flows; f < case_->flows + MAX_FLOWS && f->from; f++)
		script_transfer(&s, 0, node_called(s.platform, f->from), node_called(s.platform, f->to),
		                f->gb_per_s * 1e9);
	script_play(&s);
	for (int i = 0; i < s.n_actions; i++)
		assert_close(case_->flows[i].gb_per_s / seconds_of(&s, i), case_->flows[i].gb_per_s, "GB/s",
		             case_->platform, case_->flows[i].from, case_->flows[i].to);
	script_finish(&s);
}
END_TEST

int main(void)
{
	char **names = tw__platform_names();
	int n = 0;
	for (; names && names[n]; n++)
		free(names[n]);
	free(names);

	Suite *suite = suite_create("platforms");
	TCase *cases = tcase_create("platforms");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, every_route_has_its_bandwidth_and_latency, 0, n);
	tcase_add_loop_test(cases, copies_share_what_is_shared, 0, (int)(sizeof together / sizeof together[0]));
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
