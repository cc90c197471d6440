#include "learned.h"

#include <math.h>

static double microseconds(const struct tw_learned_operation *o, int unit)
{
	return o->n_seconds[unit] ? 1e6 * o->seconds[unit] : 1000;
}

static double score(const struct tw_learned_order *l, int operation, int unit)
{
	const struct tw_learned_operation *o = &l->of[operation];
	int other = TW_ACCELERATOR - unit;
	double unit_time = 0;
	for (int i = 0; i < l->n; i++) {
		const struct tw_learned_operation *p = &l->of[i];
		double best = microseconds(p, TW_ACCELERATOR);
		if (p->runs_on[TW_PROCESSOR])
			best = fmin(best, microseconds(p, TW_PROCESSOR));
		unit_time += p->part * best;
	}
	double urt[TW_N_UNITS];
	for (int u = 0; u < TW_N_UNITS; u++)
		urt[u] = o->n_released ? o->released[u] : 1000;
	double own = microseconds(o, unit) / unit_time, bonus = o->n_seconds[unit] < 16 ? 99999999 : 0;
	if (!o->runs_on[other])
		return (1 + urt[unit]) * (999999999999999 - own) + bonus;
	return (1 + urt[unit] + urt[other] * (1 - o->taken[other])) * (microseconds(o, other) / unit_time - own) +
	       bonus;
}

bool is_near(double a, double b) { return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b)); }

bool push_is_learnt(struct learning *l, const struct tw_sched *s, tw_task task, int operation)
{
	const struct tw_learned_order *order = &l->order;
	double sum = 0, unit_time = 0;
	int n_successors, n_all = 0;
	for (int i = 0; i < order->n; i++)
		n_all += l->n_pushed[i] + (i == operation);
	l->n_pushed[operation]++;
	l->part[operation] += 1.0 / n_all;
	for (int i = 0; i < order->n; i++)
		sum += l->part[i];
	for (int i = 0; i < order->n; i++)
		l->part[i] /= sum;
	for (int i = 0; i < order->n; i++) {
		double best = microseconds(&order->of[i], TW_ACCELERATOR);
		if (order->of[i].runs_on[TW_PROCESSOR])
			best = fmin(best, microseconds(&order->of[i], TW_PROCESSOR));
		unit_time += l->part[i] * best;
		if (!is_near(order->of[i].part, l->part[i]))
			return false;
	}
	const tw_task *successors = tw_graph_successors(tw_sched_graph(s), task, &n_successors);
	for (int u = 0; u < TW_N_UNITS; u++) {
		double released = 0;
		for (int i = 0; i < n_successors && tw_task_is_submitted(s, successors[i]); i++) {
			int next = l->operation_of[tw_graph_task_kernel(tw_sched_graph(s), successors[i])];
			int n_run = l->n_run[next][TW_PROCESSOR] + l->n_run[next][TW_ACCELERATOR];
			double time = n_run ? microseconds(&order->of[next], u) : 0;
			released += n_run ? (double)l->n_run[next][u] / n_run * time / unit_time /
			                            tw_graph_n_predecessors(tw_sched_graph(s), successors[i])
			                  : 0;
		}
		l->released[operation][u] += (released - l->released[operation][u]) / l->n_pushed[operation];
		if (!is_near(order->of[operation].released[u], l->released[operation][u]))
			return false;
	}
	return true;
}

bool is_held_back_rightly(const struct tw_learned_order *l)
{
	for (int i = 0; i < l->n; i++) {
		const struct tw_learned_operation *o = &l->of[i];
		double slower = microseconds(o, TW_PROCESSOR) / microseconds(o, TW_ACCELERATOR);
		bool free = o->runs_on[TW_PROCESSOR] && slower <= 1;
		if (!o->runs_on[TW_PROCESSOR])
			continue;
		for (int n = 0; n < 20; n++)
			if (!tw_learned_order_may_take(l, i, TW_ACCELERATOR, n, 1) ||
			    !tw_learned_order_may_take(l, i, TW_PROCESSOR, n, 0) ||
			    (free && !tw_learned_order_may_take(l, i, TW_PROCESSOR, n, 1e308)) ||
			    tw_learned_order_may_take(l, i, TW_PROCESSOR, n, 2) !=
			            (free || n >= 2 * slower * l->n_workers[TW_ACCELERATOR]))
				return false;
	}
	return true;
}

bool is_sorted(const struct tw_learned_order *l, const struct tw_learned_order *before)
{
	int last = l->n_workers[TW_ACCELERATOR] ? TW_ACCELERATOR : TW_PROCESSOR;
	for (int u = 0; u < TW_N_UNITS; u++) {
		int n = 0;
		if (l->n_workers[u] == 0)
			continue;
		for (int i = 0; i < l->n; i++)
			n += l->of[i].runs_on[u];
		if (l->n_ordered[u] != n)
			return false;
		for (int i = 0; i < n; i++) {
			if (!l->of[l->order[u][i]].runs_on[u])
				return false;
			double above = i ? score(before, l->order[u][i - 1], u) : INFINITY;
			double own = score(before, l->order[u][i], u);
			if (u == last && fabs(l->scores[i] - own) > 1e-9 * fabs(own))
				return false; /* the scores of the last type are still stored */
			if (own > above || (own == above && l->order[u][i] < l->order[u][i - 1]))
				return false;
		}
	}
	return true;
}
