/* The expected dates: transfers wait for their latency, then share links max-min fairly, by weights; kernels queue
 * up. */
#include "platform/weights.h"
#include "script.h"

struct flow {
	int action;
	const struct tw__route *route;
	double weight, begin, left, rate;
	double counts; /* the date from which it counts as a user of its links */
	bool fixed, done;
};

/* How often a route lists a link. */
static int times(const struct tw__route *r, int link)
{
	int n = 0;
	for (int i = 0; i < r->n_links; i++)
		n += r->links[i] == link;
	return n;
}

static bool flows_now(const struct flow *f, double now) { return !f->done && f->begin <= now; }

static double bandwidth(const struct tw__link *link, int index, const struct flow *flows, int n, double now)
{
	int users = 0;
	for (int f = 0; f < n; f++)
		users += !flows[f].done && flows[f].counts <= now && times(flows[f].route, index) > 0;
	return users > 1 ? link->shared_bandwidth : link->bandwidth;
}

/* The greatest rate per weight that the link allows to all flows without a fixed rate. */
static double fair_rate(const struct tw__link *link, int index, const struct flow *flows, int n, double now)
{
	double left = bandwidth(link, index, flows, n, now), users = 0;
	for (int f = 0; f < n; f++) {
		int t = flows_now(&flows[f], now) ? times(flows[f].route, index) : 0;
		if (link->sharing == TW__FATPIPE)
			users = t * flows[f].weight > users && !flows[f].fixed ? t * flows[f].weight : users;
		else if (flows[f].fixed)
			left -= t * flows[f].rate;
		else
			users += t * flows[f].weight;
	}
	return users > 0 ? left / users : INFINITY;
}

/* Progressive filling: the narrowest link fixes the rates of the flows that cross it. */
static void share(const struct tw__platform *p, struct flow *flows, int n, double now)
{
	for (int f = 0; f < n; f++)
		flows[f].fixed = !flows_now(&flows[f], now);
	for (;;) {
		double least = INFINITY;
		int narrowest = -1;
		for (int l = 0; l < p->n_links; l++) {
			double rate = fair_rate(&p->links[l], l, flows, n, now);
			if (rate < least) {
				least = rate;
				narrowest = l;
			}
		}
		if (narrowest < 0)
			return;
		bool fat = p->links[narrowest].sharing == TW__FATPIPE;
		for (int f = 0; f < n; f++) {
			int t = times(flows[f].route, narrowest);
			double weight = flows[f].weight;
			if (flows[f].fixed || t == 0 || (fat && p->links[narrowest].bandwidth / (t * weight) > least))
				continue;
			flows[f].fixed = true;
			flows[f].rate = least * weight;
		}
	}
}

static void play_transfers(const struct script *s, struct answer *answers)
{
	static struct flow flows[MAX_ACTIONS];
	int n = 0, left;
	struct tw__weights weights;
	tw__weights_init(&weights, s->platform, s->shares);
	for (int i = 0; i < s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		if (a->what != TRANSFER)
			continue;
		const struct tw__route *route = tw__route_of(s->platform, a->from, a->to);
		double begin = a->date + route->latency;
		flows[n++] = (struct flow){
			.action = i,
			.route = route,
			.weight = tw__weight(&weights, s->platform, route),
			.begin = begin,
			.counts = begin - tw__weight_latency(&weights, s->platform, route),
			.left = a->amount,
		};
	}
	tw__weights_finish(&weights);
	left = n;
	for (double now = 0; left > 0;) {
		share(s->platform, flows, n, now);
		double next = INFINITY;
		for (int f = 0; f < n; f++)
			if (!flows[f].done)
				next = fmin(next, flows[f].counts > now  ? flows[f].counts
				                  : flows[f].begin > now ? flows[f].begin
				                                         : now + flows[f].left / flows[f].rate);
		for (int f = 0; f < n; f++) {
			if (flows[f].done || flows[f].begin > now)
				continue;
			flows[f].left -= (next - now) * flows[f].rate;
			if (flows[f].left > 1e-13 * flows[f].rate)
				continue;
			flows[f].done = true;
			left--;
			answers[flows[f].action] = (struct answer){true, 0, s->actions[flows[f].action].date, next};
		}
		now = next;
	}
}

void oracle_play(const struct script *s, struct answer *answers)
{
	double free_at[64] = {0};
	for (int i = 0; i < s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		if (a->what != EXEC)
			continue;
		double start = fmax(a->date, free_at[a->from]);
		free_at[a->from] = start + a->amount;
		answers[i] = (struct answer){true, 0, start, start + a->amount};
	}
	play_transfers(s, answers);
}
