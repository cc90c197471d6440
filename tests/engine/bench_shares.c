/* Time per transfer in the code that shares links (links/shares.h). A fixed number of transfers is under way on
 * random routes. Each begin and end is followed by a query for the next end. Times are processor time, so that other
 * load on the machine matters little. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/random.h"
#include "links/shares.h"
#include "platform/bottlenecks.h"

enum { MAX_FLOWS = 32, WAYS = 4096, TRANSFERS = 500000 };

static const double most_ns = 5000;

struct way {
	tw_node from, to;
	double bytes;
};

static void draw_ways(struct way *ways, const struct tw__platform *p)
{
	struct tw__random *r = tw__random_create(1, TW__STREAM_POLICY);
	uint32_t n_nodes = (uint32_t)p->n_nodes;
	for (int i = 0; r && i < WAYS;) {
		tw_node from = (tw_node)tw__random_below(r, n_nodes), to = (tw_node)tw__random_below(r, n_nodes);
		if (tw__route_of(p, from, to)->n_links)
			ways[i++] = (struct way){from, to, 1e6 + 8e6 * tw__random_uniform(r)};
	}
	tw__random_destroy(r);
}

/* Nanoseconds per transfer; negative: out of memory. */
static double time_shares(const struct tw__platform *p, const struct way *ways, int n_flows)
{
	struct tw__share flows[MAX_FLOWS];
	struct tw__shares s;
	double now = 0;
	struct tw__weights weights;
	tw__weights_init(&weights, p, TW__SHARES_BY_LATENCY);
	tw__shares_init(&s, p, &weights);
	tw__weights_finish(&weights);
	clock_t start = clock();
	for (int i = 0; i < TRANSFERS; i++) {
		struct tw__share *share = i < n_flows ? &flows[i] : NULL;
		if (!share) {
			now = tw__shares_next(&s);
			share = tw__shares_end(&s, now);
		}
		const struct way *way = &ways[i % WAYS];
		tw__shares_begin(&s, share, way->from, way->to, way->bytes, now);
	}
	double took = (double)(clock() - start) / CLOCKS_PER_SEC;
	tw__shares_finish(&s);
	return 1e9 * took / TRANSFERS;
}

static int time_platform(const char *name)
{
	static const int n_flows[] = {1, 2, 8, MAX_FLOWS};
	static struct way ways[WAYS];
	struct tw_error err = {""};
	struct tw__platform *all, narrowed;
	char *kernels;
	int slow = 0;
	if (tw__platform_find(&all, &kernels, name, &err) < 0) {
		fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	draw_ways(ways, all);
	tw__bottlenecks_init(&narrowed, all);
	for (size_t i = 0; i < sizeof n_flows / sizeof n_flows[0]; i++) {
		double whole = time_shares(all, ways, n_flows[i]), less = time_shares(&narrowed, ways, n_flows[i]);
		printf("%s, %d flows: %.0f ns a transfer, %.0f ns with bottlenecks alone (at most %.0f)\n", name,
		       n_flows[i], whole, less, most_ns);
		slow |= whole < 0 || less < 0 || whole > most_ns || less > most_ns;
	}
	tw__bottlenecks_finish(&narrowed);
	tw__platform_destroy(all);
	free(kernels);
	return slow;
}

int main(void) { return time_platform("mirage") | time_platform("sirocco"); }
