#include "policies/support/deque_model.h"

#include <float.h>
#include <math.h>

#include "policies/support/owner.h"

static double default_cost(const struct tw_deque_model *m, const struct tw_deque_kind *k, double end)
{
	return m->alpha * (end - m->least_end) + m->beta * k->transfer;
}

/* Whether workers a and b are of one kind: same arch, same memory, and equal traits if there are any. */
static bool are_alike(const struct tw_sched *s, const double *trait, tw_worker a, tw_worker b)
{
	return tw_worker_arch(s, a) == tw_worker_arch(s, b) && tw_worker_node(s, a) == tw_worker_node(s, b) &&
	       (!trait || trait[a] == trait[b]);
}

/* Groups the workers into kinds. Fills example[] with one worker of each kind. */
static void find_kinds(struct tw_deque_model *m, const struct tw_sched *s, const double *trait, tw_worker *example)
{
	for (tw_worker w = 0; w < m->n_workers; w++) {
		int i = 0;
		while (i < m->n_kinds && !are_alike(s, trait, example[i], w))
			i++;
		if (i == m->n_kinds)
			example[m->n_kinds++] = w;
		m->kind_of[w] = i;
		m->place_of[w] = m->kinds[i].n_workers++;
	}
}

static void list_kinds(struct tw_deque_model *m, const struct tw_sched *s, const double *trait)
{
	tw_worker *next = tw_run_alloc(s, (size_t)m->n_workers, sizeof *next); /* the workers of all kinds */
	find_kinds(m, s, trait, next);
	for (struct tw_deque_kind *k = m->kinds; k < m->kinds + m->n_kinds; k++) {
		k->workers = next;
		next += k->n_workers;
		tw_availability_init(&k->available, s, k->n_workers, m->flags & TW_TELLS_LAST_END);
	}
	for (tw_worker w = 0; w < m->n_workers; w++) {
		struct tw_deque_kind *k = tw_deque_model_kind(m, w);
		k->workers[m->place_of[w]] = w;
		k->node = tw_worker_node(s, w);
	}
}

int tw_deque_model_init(const struct tw_sched *s, void *state, unsigned flags, const double *trait)
{
	struct tw_deque_model *m = state;
	const struct tw_args *args = tw_sched_args(s);
	size_t workers = (size_t)tw_n_workers(s);
	struct tw_task_link *links = tw_task_links_create(s);
	bool transfers = flags & TW_PREDICTS_TRANSFERS;
	*m = (struct tw_deque_model){
		.n_workers = tw_n_workers(s),
		.flags = flags,
		.prefetch = tw_args_flag(args, "prefetch"),
		.feedback = tw_args_flag(args, "feedback"),
		.pinned = (tw_task)tw_args_int(args, "pinned"),
		.alpha = transfers ? tw_args_real(args, "alpha") : 1,
		.beta = transfers ? tw_args_real(args, "beta") : 0,
		.cost = default_cost,
		.transfer = tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof *m->transfer),
		.deques = tw_run_alloc(s, workers, sizeof *m->deques),
		.kinds = tw_run_alloc(s, workers, sizeof *m->kinds),
		.kind_of = tw_run_alloc(s, workers, sizeof *m->kind_of),
		.place_of = tw_run_alloc(s, workers, sizeof *m->place_of),
		.wait = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *m->wait),
	};
	m->runs = tw_arch_runs(s, &m->n_runs);
	if (flags & TW_MOST_READY)
		tw_lacks_init(&m->lacks, s);
	list_kinds(m, s, trait);
	for (int w = 0; w < m->n_workers; w++)
		tw_task_queue_init(&m->deques[w].tasks, s, links);
	return TW_OK;
}

/* Updates the worker's date in the availability tree, after the worker's deque has changed. */
static void note(struct tw_deque_model *m, tw_worker worker, double now)
{
	const struct tw_deque *d = &m->deques[worker];
	tw_availability_set(&tw_deque_model_kind(m, worker)->available, m->place_of[worker], fmax(d->start, d->others),
	                    d->queued, now);
}

/* --- placing a ready task on a worker ----------------------------------------------------------------------------- */

/* Predicts the transfer time and the execution time of the task for each kind. */
static void predict_kinds(struct tw_deque_model *m, const struct tw_sched *s, tw_task task)
{
	if (m->flags & TW_PREDICTS_TRANSFERS)
		tw_task_transfer_times(s, task, m->transfer);
	for (struct tw_deque_kind *k = m->kinds; k < m->kinds + m->n_kinds; k++) {
		k->transfer = m->transfer[k->node];
		k->length = tw_task_length(s, task, k->workers[0]);
	}
}

/* Returns the predicted end of the task on a worker of the kind that is available at the date `available`. */
static double end_of(const struct tw_deque_kind *k, double now, double available)
{
	double there_at = now + k->transfer;
	return (available > there_at ? available : there_at) + k->length;
}

void tw_deque_model_predict(struct tw_deque_model *m, struct tw_sched *s, tw_task task)
{
	double now = tw_now(s);
	predict_kinds(m, s, task);
	m->least_end = INFINITY;
	for (struct tw_deque_kind *k = m->kinds; k < m->kinds + m->n_kinds; k++) {
		tw_availability_pass(&k->available, now);
		k->least_end = end_of(k, now, tw_availability_least(&k->available, now));
		m->least_end = k->least_end < m->least_end ? k->least_end : m->least_end;
	}
}

double tw_deque_model_last_end(struct tw_deque_model *m, double now)
{
	double last = now;
	for (struct tw_deque_kind *k = m->kinds; k < m->kinds + m->n_kinds; k++) {
		tw_availability_pass(&k->available, now);
		double greatest = tw_availability_greatest(&k->available, now);
		last = greatest > last ? greatest : last;
	}
	return last;
}

double tw_deque_model_cost(const struct tw_deque_model *m, const struct tw_deque_kind *k, double end)
{
	double cost = m->cost(m, k, end);
	return cost < DBL_MAX ? cost : DBL_MAX;
}

struct offer {
	const struct tw_deque_model *m;
	const struct tw_deque_kind *k;
	double now, cost;
};

static bool is_as_cheap(const void *what, double available)
{
	const struct offer *o = what;
	return tw_deque_model_cost(o->m, o->k, end_of(o->k, o->now, available)) <= o->cost;
}

/* Returns the worker with the least cost for the task just predicted, among those that can run it; ties: the lowest
 * number. */
static tw_worker cheapest(const struct tw_deque_model *m, double now)
{
	tw_worker best = TW_NONE;
	struct offer least = {.m = m, .now = now, .cost = DBL_MAX};
	for (struct tw_deque_kind *k = m->kinds; k < m->kinds + m->n_kinds; k++) {
		k->cost = k->length < INFINITY ? tw_deque_model_cost(m, k, k->least_end) : INFINITY;
		least.cost = k->cost < least.cost ? k->cost : least.cost;
	}
	for (least.k = m->kinds; least.k < m->kinds + m->n_kinds; least.k++) {
		if (least.k->cost > least.cost || (best != TW_NONE && least.k->workers[0] > best))
			continue;
		int32_t place = tw_availability_first(&least.k->available, now, is_as_cheap, &least);
		tw_worker w = least.k->workers[place];
		best = best == TW_NONE || w < best ? w : best;
	}
	return best;
}

tw_worker tw_deque_model_choose(struct tw_deque_model *m, struct tw_sched *s, tw_task task)
{
	return task < m->pinned ? tw_owner(s, m->runs, m->n_runs, task) : cheapest(m, tw_now(s));
}

static int32_t level(const struct tw_deque_model *m, const struct tw_sched *s, tw_task task)
{
	return m->flags & TW_SORTED_DEQUES ? tw_task_priority(s, task) : 0;
}

void tw_deque_model_give(struct tw_deque_model *m, struct tw_sched *s, tw_task task, tw_worker worker)
{
	struct tw_deque *d = &m->deques[worker];
	const struct tw_deque_kind *k = tw_deque_model_kind(m, worker);
	double now = tw_now(s);
	m->wait[task] = fmax(0, now + k->transfer - tw_deque_available(d, now));
	d->start = fmax(d->start, now);
	*(m->feedback ? &d->queued : &d->start) += m->wait[task] + k->length;
	note(m, worker, now);
	tw_task_queue_add(&d->tasks, task, level(m, s, task));
	tw_place(s, task, worker);
	if (m->prefetch)
		tw_prefetch_task(s, task, tw_worker_node(s, worker));
	tw_wake(s, worker);
}

void tw_deque_model_push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct tw_deque_model *m = state;
	(void)released_by;
	tw_deque_model_predict(m, s, task);
	tw_deque_model_give(m, s, task, tw_deque_model_choose(m, s, task));
}

/* --- a worker pops, starts and ends a task ------------------------------------------------------------------------ */

tw_task tw_deque_model_pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct tw_deque_model *m = state;
	struct tw_deque *d = &m->deques[worker];
	tw_task task = m->flags & TW_MOST_READY
	                       ? tw_task_queue_most_ready(&d->tasks, &m->lacks, tw_worker_node(s, worker))
	                       : tw_task_queue_oldest(&d->tasks);
	if (task == TW_NONE)
		return task;
	tw_task_queue_remove(&d->tasks, task, level(m, s, task));
	if (m->feedback) {
		d->queued -= m->wait[task];
		d->pipeline += m->wait[task];
		d->start = tw_now(s) + d->pipeline;
		note(m, worker, tw_now(s));
	}
	return task;
}

void tw_deque_model_started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_deque_model *m = state;
	struct tw_deque *d = &m->deques[worker];
	double length = tw_task_length(s, task, worker);
	if (!m->feedback)
		return;
	d->queued -= length;
	d->pipeline += length - m->wait[task];
	d->start = tw_now(s) + d->pipeline;
	note(m, worker, tw_now(s));
}

void tw_deque_model_done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_deque_model *m = state;
	struct tw_deque *d = &m->deques[worker];
	if (!m->feedback)
		return;
	d->pipeline -= tw_task_length(s, task, worker);
	d->start = fmax(d->start, tw_now(s) + d->pipeline);
	note(m, worker, tw_now(s));
}

void tw_deque_model_placed(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_deque_model *m = state;
	struct tw_deque *d = &m->deques[worker];
	double length = tw_task_length(s, task, worker);
	d->others = fmax(d->others, tw_now(s)) + (isinf(length) ? 0 : length);
	note(m, worker, tw_now(s));
}
