#include "policies/support/learned_order.h"

#include <math.h>

enum { MEMORY = 256, SAMPLES = 16, INTERVAL = 32 };

/* Times in the learning are in microseconds, as in StarPU, because some of its constants are absolute. */
static const double ENDLESS = 999999999999999, LONG = 1e8, FAIR = 1000, FIRST = 99999999;
/* Least time of a task, not from StarPU: a thread that is late may note the begin of a task at its end. */
static const double SHORTEST_S = 1e-9;

void tw_learned_order_init(struct tw_learned_order *l, const struct tw_sched *s)
{
	*l = (struct tw_learned_order){.began = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *l->began)};
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		l->n_workers[tw_unit_of(s, w)]++;
}

/* --- times that the orders are computed from ---------------------------------------------------------------------- */

static double time_on(const struct tw_learned_operation *o, int unit)
{
	if (o->n_seconds[unit] > 0)
		return 1e6 * o->seconds[unit];
	return o->runs_on[unit] ? FAIR : LONG;
}

static double best_time(const struct tw_learned_operation *o)
{
	double best = ENDLESS;
	for (int u = 0; u < TW_N_UNITS; u++)
		if (o->runs_on[u])
			best = fmin(best, time_on(o, u));
	return best;
}

/* Returns the unit of relative times: the mean over all tasks of their time on the best type of unit. */
static double unit_of_time(const struct tw_learned_order *l)
{
	double sum = 0;
	for (int i = 0; i < l->n; i++)
		sum += l->of[i].part * best_time(&l->of[i]);
	return sum;
}

static double relative_time(const struct tw_learned_operation *o, int unit, double unit_time)
{
	return unit_time > 0 ? time_on(o, unit) / unit_time : 1;
}

static double released_by(const struct tw_learned_operation *o, int unit)
{
	return o->n_released > 0 ? o->released[unit] : FAIR;
}

/* Recomputes held_back of all operations. As in StarPU, it changes only when tasks are pushed. */
static void set_factors(struct tw_learned_order *l)
{
	for (int i = 0; i < l->n; i++) {
		struct tw_learned_operation *o = &l->of[i];
		double on_processor = time_on(o, TW_PROCESSOR), on_accelerator = time_on(o, TW_ACCELERATOR);
		bool accelerator =
			o->runs_on[TW_ACCELERATOR] && (!o->runs_on[TW_PROCESSOR] || on_accelerator < on_processor);
		o->held_back = accelerator ? on_processor / on_accelerator : 0;
	}
}

/* --- orders of operations ----------------------------------------------------------------------------------------- */

static double score(const struct tw_learned_operation *o, int unit, double unit_time)
{
	int other = unit == TW_PROCESSOR ? TW_ACCELERATOR : TW_PROCESSOR;
	double own_time = relative_time(o, unit, unit_time), other_time = ENDLESS, urt = released_by(o, unit);
	if (o->runs_on[other]) {
		other_time = relative_time(o, other, unit_time);
		urt += released_by(o, other) * (1 - o->taken[other]);
	}
	double value = (1 + urt) * (other_time - own_time);
	return o->n_seconds[unit] < SAMPLES ? value + FIRST : value;
}

/* Sorts the operations for each type of unit. Insertion sort: operations are few, and operations with equal scores must
 * keep their order. */
static void sort(struct tw_learned_order *l)
{
	double unit_time = unit_of_time(l);
	for (int u = 0; u < TW_N_UNITS; u++) {
		int n = 0;
		for (int i = 0; i < l->n; i++) {
			if (!l->of[i].runs_on[u] || l->n_workers[u] == 0)
				continue;
			double own = score(&l->of[i], u, unit_time);
			int at = n++;
			for (; at > 0 && l->scores[at - 1] < own; at--) {
				l->scores[at] = l->scores[at - 1];
				l->order[u][at] = l->order[u][at - 1];
			}
			l->scores[at] = own;
			l->order[u][at] = i;
		}
	}
}

bool tw_learned_order_may_take(const struct tw_learned_order *l, int operation, enum tw_unit unit, int n_ready,
                               double factor)
{
	double held_back = l->of[operation].held_back;
	if (unit == TW_ACCELERATOR || held_back == 0 || factor == 0)
		return true;
	return n_ready >= factor * l->n_workers[TW_ACCELERATOR] * held_back;
}

/* --- events of the run: tasks are pushed, begun and ended --------------------------------------------------------- */

int tw_learned_order_add(struct tw_learned_order *l, const struct tw_sched *s, const bool *runs_on)
{
	if (l->n == l->capacity) {
		l->capacity = 2 * l->capacity + 8;
		l->of = tw_run_resize(s, l->of, (size_t)l->capacity, sizeof *l->of);
		l->scores = tw_run_resize(s, l->scores, (size_t)l->capacity, sizeof *l->scores);
		for (int u = 0; u < TW_N_UNITS; u++)
			l->order[u] = tw_run_resize(s, l->order[u], (size_t)l->capacity, sizeof *l->order[u]);
	}
	l->of[l->n] = (struct tw_learned_operation){0};
	for (int u = 0; u < TW_N_UNITS; u++) {
		l->of[l->n].runs_on[u] = runs_on[u] || l->n_workers[u] == 0;
		if (runs_on[u])
			l->order[u][l->n_ordered[u]++] = l->n;
	}
	return l->n++;
}

/* Counts a new value of a mean in *n, up to MEMORY. Returns the weight of the new value in the mean. */
static double newest_of(int32_t *n)
{
	*n += *n < MEMORY;
	return 1.0 / *n;
}

static void mix(double *mean, double value, double weight) { *mean += weight * (value - *mean); }

/* Counts a task of the operation: raises `part` of the operation, and lowers that of the others so that all parts add
 * up to 1. */
static void count_task(struct tw_learned_order *l, struct tw_learned_operation *o)
{
	int64_t n_counted = 0;
	double sum = 0;
	newest_of(&o->n_pushed);
	for (int i = 0; i < l->n; i++)
		n_counted += l->of[i].n_pushed;
	o->part += 1.0 / (double)n_counted;
	for (int i = 0; i < l->n; i++)
		sum += l->of[i].part;
	for (int i = 0; i < l->n; i++)
		l->of[i].part /= sum;
}

int tw_learned_order_push(struct tw_learned_order *l, const struct tw_sched *s, tw_task task,
                          tw_operation_of operation_of, void *context, bool *sorted)
{
	int operation = operation_of(context, task), n;
	*sorted = l->since_sort++ == INTERVAL;
	if (*sorted) {
		sort(l);
		l->since_sort = 1;
	}
	count_task(l, &l->of[operation]);

	double released[TW_N_UNITS] = {0}, unit_time = unit_of_time(l);
	const tw_task *successors = tw_graph_successors(tw_sched_graph(s), task, &n);
	for (int i = 0; i < n; i++) {
		if (!tw_task_is_submitted(s, successors[i]))
			continue;
		int after = operation_of(context, successors[i]); /* may move l->of */
		const struct tw_learned_operation *o = &l->of[after];
		for (int u = 0; u < TW_N_UNITS; u++)
			released[u] += o->taken[u] * relative_time(o, u, unit_time) /
			               tw_graph_n_predecessors(tw_sched_graph(s), successors[i]);
	}
	struct tw_learned_operation *o = &l->of[operation];
	double weight = newest_of(&o->n_released);
	for (int u = 0; u < TW_N_UNITS; u++)
		mix(&o->released[u], released[u], weight);
	set_factors(l);
	return operation;
}

void tw_learned_order_begin(struct tw_learned_order *l, const struct tw_sched *s, tw_worker worker)
{
	l->began[worker] = tw_now(s);
}

void tw_learned_order_end(struct tw_learned_order *l, const struct tw_sched *s, int operation, tw_worker worker)
{
	struct tw_learned_operation *o = &l->of[operation];
	enum tw_unit unit = tw_unit_of(s, worker);
	newest_of(&o->n_taken);
	o->taken[unit] += 1.0 / (o->n_taken > 1 ? o->n_taken - 1 : 1);
	double sum = o->taken[TW_PROCESSOR] + o->taken[TW_ACCELERATOR];
	for (int u = 0; u < TW_N_UNITS; u++)
		o->taken[u] /= sum;
	mix(&o->seconds[unit], fmax(tw_now(s) - l->began[worker], SHORTEST_S), newest_of(&o->n_seconds[unit]));
}
