/* Dates as they must be: transfers wait their latency, then share links max-min fairly; kernels queue up. */
#include "script.h"

struct flow {
	int action;
	const struct tw__route *route;
	double begin, left, rate;
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

/* The greatest rate that the flows not yet fixed can all have by that link. */
static double fair_rate(const struct tw__link *link, int index, const struct flow *flows, int n, double now)
{
	double left = link->bandwidth, users = 0;
	for (int f = 0; f < n; f++) {
		int t = flows[f].done || flows[f].begin > now ? 0 : times(flows[f].route, index);
		if (link->sharing == TW__FATPIPE)
			users = t > users && !flows[f].fixed ? t : users;
		else if (flows[f].fixed)
			left -= t * flows[f].rate;
		else
			users += t;
	}
	return users > 0 ? left / users : INFINITY;
}

/* Progressive filling: the narrowest link fixes the rates of those that cross it. */
static void share(const struct tw_platform *p, struct flow *flows, int n, double now)
{
	for (int f = 0; f < n; f++)
		flows[f].fixed = flows[f].done || flows[f].begin > now;
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
			if (flows[f].fixed || t == 0 || (fat && p->links[narrowest].bandwidth / t > least))
				continue;
			flows[f].fixed = true;
			flows[f].rate = least;
		}
	}
}

static void play_transfers(const struct script *s, struct answer *answers)
{
	static struct flow flows[MAX_ACTIONS];
	int n = 0, left;
	for (int i = 0; i < s->n_actions; i++) {
		const struct action *a = &s->actions[i];
		if (a->what != TRANSFER)
			continue;
		const struct tw__route *route = tw__route_of(s->platform, a->from, a->to);
		flows[n++] = (struct flow){
			.action = i, .route = route, .begin = a->date + route->latency, .left = a->amount};
	}
	left = n;
	for (double now = 0; left > 0;) {
		share(s->platform, flows, n, now);
		double next = INFINITY;
		for (int f = 0; f < n; f++)
			if (!flows[f].done)
				next = fmin(next, flows[f].begin > now ? flows[f].begin
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
