#include <tilewright/deque_model.h>

#include <math.h>
#include <stdlib.h>

#include <tilewright/owner.h>

static void list_kinds(struct tw_deque_model *m, const struct tw_sched *s)
{
	for (tw_worker w = 0; w < m->n_workers; w++) {
		int i = 0;
		while (i < m->n_kinds && (tw_worker_arch(s, m->kinds[i].worker) != tw_worker_arch(s, w) ||
		                          tw_worker_node(s, m->kinds[i].worker) != tw_worker_node(s, w)))
			i++;
		if (i == m->n_kinds)
			m->kinds[m->n_kinds++] = (struct tw_deque_kind){.worker = w};
		m->kind_of[w] = i;
	}
}

int tw_deque_model_init(struct tw_sched *s, void *state, unsigned flags, struct tw_error *err)
{
	struct tw_deque_model *m = state;
	const struct tw_args *args = tw_sched_args(s);
	size_t workers = (size_t)tw_n_workers(s), tasks = (size_t)tw_max_tasks(s);
	bool transfers = flags & TW_PREDICTS_TRANSFERS;
	*m = (struct tw_deque_model){
		.n_workers = tw_n_workers(s),
		.flags = flags,
		.prefetch = tw_args_flag(args, "prefetch"),
		.feedback = tw_args_flag(args, "feedback"),
		.pinned = (tw_task)tw_args_int(args, "pinned"),
		.alpha = transfers ? tw_args_real(args, "alpha") : 1,
		.beta = transfers ? tw_args_real(args, "beta") : 0,
		.deques = calloc(workers, sizeof *m->deques),
		.kinds = calloc(workers, sizeof *m->kinds),
		.kind_of = malloc(workers * sizeof *m->kind_of),
		.links = tw_task_links_create(s),
		.wait = malloc(tasks * sizeof *m->wait),
		.end = malloc(workers * sizeof *m->end),
	};
	if (!m->deques || !m->links || !m->wait || !m->end || !m->kinds || !m->kind_of) {
		tw_deque_model_finish(s, m);
		return tw_fail(err, TW_NOMEM, "out of memory for the queues of %d workers", m->n_workers);
	}
	list_kinds(m, s);
	for (int w = 0; w < m->n_workers; w++)
		tw_task_queue_init(&m->deques[w].tasks, m->links);
	return TW_OK;
}

void tw_deque_model_finish(struct tw_sched *s, void *state)
{
	struct tw_deque_model *m = state;
	(void)s;
	for (int w = 0; m->deques && w < m->n_workers; w++)
		tw_task_queue_finish(&m->deques[w].tasks);
	free(m->deques);
	free(m->kinds);
	free(m->kind_of);
	free(m->links);
	free(m->wait);
	free(m->end);
}

/* --- placing a task --------------------------------------------------------------------------------------------- */

/* Neighbours often share a memory: its transfers are predicted once. */
static void predict_kinds(struct tw_deque_model *m, const struct tw_sched *s, tw_task task)
{
	tw_node before = TW_NONE;
	double transfer = 0;
	for (struct tw_deque_kind *k = m->kinds; k < m->kinds + m->n_kinds; k++) {
		tw_node node = tw_worker_node(s, k->worker);
		if ((m->flags & TW_PREDICTS_TRANSFERS) && node != before)
			transfer = tw_task_transfer_time(s, task, node);
		before = node;
		k->transfer = transfer;
		k->length = tw_task_length(s, task, k->worker);
	}
}

void tw_deque_model_predict(struct tw_deque_model *m, struct tw_sched *s, tw_task task)
{
	double now = tw_now(s), least_end = INFINITY;
	predict_kinds(m, s, task);
	for (tw_worker w = 0; w < m->n_workers; w++) {
		const struct tw_deque_kind *k = tw_deque_model_kind(m, w);
		double free_at = tw_deque_available(&m->deques[w], now), there_at = now + k->transfer;
		double end = (free_at > there_at ? free_at : there_at) + k->length;
		m->end[w] = end;
		least_end = end < least_end ? end : least_end;
	}
	m->least_end = least_end;
}

tw_worker tw_deque_model_choose(struct tw_deque_model *m, struct tw_sched *s, tw_task task)
{
	tw_worker best = TW_NONE;
	double least_cost = INFINITY;
	if (task < m->pinned)
		return tw_owner(s, task);
	for (tw_worker w = 0; w < m->n_workers; w++) {
		double cost = m->alpha * (m->end[w] - m->least_end) + m->beta * tw_deque_model_kind(m, w)->transfer;
		if (cost < least_cost) {
			least_cost = cost;
			best = w;
		}
	}
	return best;
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
	if (tw_task_queue_add(&d->tasks, task, level(m, s, task))) {
		tw_abort_run(s, "out of memory for the queue of a worker");
		return;
	}
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

/* --- working it off --------------------------------------------------------------------------------------------- */

tw_task tw_deque_model_pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct tw_deque_model *m = state;
	struct tw_deque *d = &m->deques[worker];
	tw_task task = m->flags & TW_MOST_READY ? tw_task_queue_most_ready(&d->tasks, s, tw_worker_node(s, worker))
	                                        : tw_task_queue_oldest(&d->tasks);
	if (task == TW_NONE)
		return task;
	tw_task_queue_remove(&d->tasks, task, level(m, s, task));
	if (m->feedback) {
		d->queued -= m->wait[task];
		d->pipeline += m->wait[task];
		d->start = tw_now(s) + d->pipeline;
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
}

void tw_deque_model_done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_deque_model *m = state;
	struct tw_deque *d = &m->deques[worker];
	if (!m->feedback)
		return;
	d->pipeline -= tw_task_length(s, task, worker);
	d->start = fmax(d->start, tw_now(s) + d->pipeline);
}
