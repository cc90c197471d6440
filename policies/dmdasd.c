/* dmdasd: dmdas whose decision is sorted, too. A task overtakes the queued tasks of lower priorities, so they do not
 * delay it: the predicted end of the task on a worker leaves them out. This is StarPU's dmdasd. All else is as with
 * dmdas. */
#include <math.h>
#include <string.h>

#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

/* The queued tasks of one priority on a worker. */
struct level {
	int32_t priority;
	int32_t n;
	double seconds; /* the sum of their predicted waits and lengths */
};

struct levels {
	struct level *of; /* [n] by ascending priority */
	int32_t n, capacity;
};

struct dmdasd {
	/* Must be the first member: the functions of the model use a pointer to this struct as a pointer to `model`. */
	struct tw_deque_model model;
	struct levels *queued; /* [workers] */
	double *end;           /* [workers] for the task that is being placed: its predicted end */
};

static const struct tw_param params[] = {TW_DEQUE_MODEL_PARAMS, TW_DEQUE_MODEL_WEIGHTS, {0}};

/* --- the queued tasks of a worker, by priority -------------------------------------------------------------------- */

/* Returns the index of the first level that is not below the priority. */
static int32_t find(const struct levels *l, int32_t priority)
{
	int32_t low = 0, high = l->n;
	while (low < high) {
		int32_t middle = (low + high) / 2;
		if (l->of[middle].priority < priority)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void add(struct levels *l, const struct tw_sched *s, int32_t priority, double seconds)
{
	int32_t i = find(l, priority);
	if (i == l->n || l->of[i].priority != priority) {
		if (l->n == l->capacity) {
			l->capacity = 2 * l->capacity + 4;
			l->of = tw_run_resize(s, l->of, (size_t)l->capacity, sizeof *l->of);
		}
		memmove(&l->of[i + 1], &l->of[i], (size_t)(l->n++ - i) * sizeof *l->of);
		l->of[i] = (struct level){.priority = priority};
	}
	l->of[i].n++;
	l->of[i].seconds += seconds;
}

static void take(struct levels *l, int32_t priority, double seconds)
{
	int32_t i = find(l, priority);
	l->of[i].seconds -= seconds;
	if (--l->of[i].n == 0)
		memmove(&l->of[i], &l->of[i + 1], (size_t)(--l->n - i) * sizeof *l->of);
}

/* Returns the seconds of the queued tasks of lower priorities. */
static double below(const struct levels *l, int32_t priority)
{
	double seconds = 0;
	for (int32_t i = 0; i < l->n && l->of[i].priority < priority; i++)
		seconds += l->of[i].seconds;
	return seconds;
}

/* --- the policy --------------------------------------------------------------------------------------------------- */

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct dmdasd *d = state;
	(void)err;
	d->queued = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *d->queued);
	d->end = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *d->end);
	return tw_deque_model_init(s, &d->model, TW_PREDICTS_TRANSFERS | TW_SORTED_DEQUES | TW_MOST_READY, NULL);
}

/* Predicts the end of the task on each worker. */
static void predict(struct dmdasd *d, struct tw_sched *s, tw_task task)
{
	struct tw_deque_model *m = &d->model;
	double now = tw_now(s);
	int32_t priority = tw_task_priority(s, task);
	tw_deque_model_predict(m, s, task);
	m->least_end = INFINITY;
	for (tw_worker w = 0; w < m->n_workers; w++) {
		const struct tw_deque_kind *k = tw_deque_model_kind(m, w);
		double from = tw_deque_available(&m->deques[w], now) - below(&d->queued[w], priority);
		d->end[w] = fmax(from, now + k->transfer) + k->length;
		m->least_end = fmin(m->least_end, d->end[w]);
	}
}

/* Returns the worker with the least cost; ties: the lowest number. */
static tw_worker choose(const struct dmdasd *d)
{
	tw_worker best = TW_NONE;
	double least = INFINITY;
	for (tw_worker w = 0; w < d->model.n_workers; w++) {
		const struct tw_deque_kind *k = tw_deque_model_kind(&d->model, w);
		double cost = k->length < INFINITY ? tw_deque_model_cost(&d->model, k, d->end[w]) : INFINITY;
		if (cost < least) {
			least = cost;
			best = w;
		}
	}
	return best;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct dmdasd *d = state;
	(void)released_by;
	predict(d, s, task);
	tw_worker worker = task < d->model.pinned ? tw_deque_model_choose(&d->model, s, task) : choose(d);
	tw_deque_model_give(&d->model, s, task, worker);
	add(&d->queued[worker], s, tw_task_priority(s, task),
	    d->model.wait[task] + tw_deque_model_kind(&d->model, worker)->length);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct dmdasd *d = state;
	tw_task task = tw_deque_model_pop(s, &d->model, worker);
	if (task != TW_NONE)
		take(&d->queued[worker], tw_task_priority(s, task),
		     d->model.wait[task] + tw_task_length(s, task, worker));
	return task;
}

const struct tw_policy tw_policy_dmdasd = {
	.abi = TW_POLICY_ABI,
	.name = "dmdasd",
	.summary = "as dmdas; queued tasks of lower priority do not delay a task",
	.params = params,
	.state_size = sizeof(struct dmdasd),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.push = push,
	.pop = pop,
	.started = tw_deque_model_started,
	.done = tw_deque_model_done,
	.placed = tw_deque_model_placed,
};
