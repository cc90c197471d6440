/* heteroprio_auto: heteroprio for an application that provides neither orders of buckets nor speedup factors. It has
 * the defaults of StarPU 1.4 (Flint, Paillat and Bramas 2022; policies/support/learned_order.h):
 * - The policy learns orders and factors during the run. Of each bucket, a worker takes the newest task first. If
 *   processors are the fastest workers for a bucket, all workers may take from it. Otherwise, processors take from the
 *   bucket only if it holds enough tasks ("six or more" in the paper's example). Enough is the number of accelerators
 *   times the slowdown of processors.
 * - A worker takes two tasks at a time while at least as many tasks are ready as there are workers. It runs the more
 *   urgent (or critical) task first; ties: the second. It keeps the other task and requests its data. A worker that
 *   finds no task steals a kept task from a worker of its type (processor or accelerator). A worker can keep a task for
 *   long, so makespans can be 50 % longer than with heteroprio. */
#include <math.h>

#include <tilewright/containers.h>
#include <tilewright/policy.h>

#include "policies/support/buckets.h"

enum { MAX_KEPT = 2 };

struct kept {
	tw_task of[MAX_KEPT]; /* the first n: tasks that the worker has taken and not started, in the order of taking */
	int n;
};

struct heteroprio {
	struct tw_bucket_queues queues; /* must be the first member */
	struct kept *kept; /* [workers] tasks that each worker has taken out of buckets and keeps for later */
	/* [unit types] workers of the type (processors, accelerators) that keep tasks */
	struct tw_id_set keepers[TW_N_UNITS];
};

static const struct tw_param params[] = {TW_BUCKETS_PARAMS, {0}};

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct heteroprio *h = state;
	h->kept = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *h->kept);
	for (int unit = 0; unit < TW_N_UNITS; unit++)
		h->keepers[unit] = tw_run_id_set(s, tw_n_workers(s));
	return tw_bucket_queues_init(&h->queues, s, "heteroprio_auto", true, err);
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_bucket_queues_push(state, task);
	tw_wake_first_idle(s, task);
}

static int n_ready_for(const struct tw_sched *s, const struct tw_buckets *b, tw_worker worker)
{
	int n = 0;
	for (int i = 0; i < b->n_ordered[tw_worker_arch(s, worker)]; i++)
		n += b->of[b->order[tw_worker_arch(s, worker)][i]].n_ready;
	return n;
}

/* Updates the sets of keepers after the number of tasks that the worker keeps has changed. */
static void list_keeper(const struct tw_sched *s, struct heteroprio *h, tw_worker worker)
{
	tw_id_set_put(&h->keepers[tw_unit_of(s, worker)], worker, h->kept[worker].n > 0);
}

/* Takes tasks out of the buckets until the worker keeps two tasks, or one if few are ready. Returns how many tasks it
 * took. */
static int fill(struct tw_sched *s, struct heteroprio *h, tw_worker worker)
{
	struct kept *k = &h->kept[worker];
	int n_ready = n_ready_for(s, &h->queues.buckets, worker), n = 0;
	int wanted = n_ready < tw_n_workers(s) ? k->n == 0 : MAX_KEPT - k->n;
	for (; n < wanted && n < n_ready; n++) {
		tw_task task = tw_bucket_queues_pop(s, h, worker);
		if (task == TW_NONE)
			break;
		k->of[k->n++] = task;
	}
	list_keeper(s, h, worker);
	return n;
}

/* Takes the most urgent of the tasks that `keeper` keeps and `worker` can run; ties: the task that `keeper` took last.
 * TW_NONE: there is no such task. */
static tw_task take_kept(const struct tw_sched *s, struct heteroprio *h, tw_worker keeper, tw_worker worker)
{
	struct kept *k = &h->kept[keeper];
	int best = TW_NONE;
	for (int i = k->n - 1; i >= 0; i--)
		if (!isinf(tw_task_length(s, k->of[i], worker)) &&
		    (best == TW_NONE || tw_task_priority(s, k->of[i]) > tw_task_priority(s, k->of[best])))
			best = i;
	if (best == TW_NONE)
		return TW_NONE;
	tw_task task = k->of[best];
	k->n--;
	for (int i = best; i < k->n; i++)
		k->of[i] = k->of[i + 1];
	list_keeper(s, h, keeper);
	return task;
}

static tw_task steal(const struct tw_sched *s, struct heteroprio *h, tw_worker thief)
{
	const struct tw_id_set *keepers = &h->keepers[tw_unit_of(s, thief)];
	tw_worker first = (thief + 1) % tw_n_workers(s), victim = TW_NONE;
	tw_task task = TW_NONE;
	int n_looks = 0;
	for (; task == TW_NONE && (victim = tw_id_set_next_in_circle(keepers, NULL, first, victim)) != TW_NONE;
	     n_looks++)
		task = take_kept(s, h, victim, thief);
	tw_looked_at(s, n_looks);
	return task;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct heteroprio *h = state;
	struct kept *k = &h->kept[worker];
	int n_new = fill(s, h, worker);
	if (k->n == 0)
		return steal(s, h, worker);
	tw_task task = take_kept(s, h, worker, worker);
	for (int i = k->n - 1; n_new > 0 && i >= 0 && n_ready_for(s, &h->queues.buckets, worker) > 0; i--, n_new--)
		tw_prefetch_task(s, k->of[i], tw_worker_node(s, worker));
	return task;
}

/* Skips the pops of workers that keep no task and find none; none if what they look at costs time. */
static uint64_t pops_in_vain(struct tw_sched *s, void *state, tw_worker first, uint64_t who)
{
	const struct heteroprio *h = state;
	tw_arch known = TW_NONE;
	bool finds_none = !tw_looks_cost(s);
	uint64_t left = who;
	for (; left && finds_none; left &= left - 1) {
		tw_worker w = first + __builtin_ctzll(left);
		if (tw_worker_arch(s, w) != known) {
			known = tw_worker_arch(s, w);
			finds_none = !tw_bucket_queues_offer(&h->queues, known) &&
			             tw_id_set_next(&h->keepers[tw_unit_of(s, w)], NULL, 0) == TW_NONE;
		}
		if (!finds_none)
			break;
	}
	return who & ~left;
}

const struct tw_policy tw_policy_heteroprio_auto = {
	.abi = TW_POLICY_ABI,
	.name = "heteroprio_auto",
	.summary = "heteroprio that learns its orders during the run, as in StarPU 1.4",
	.params = params,
	.state_size = sizeof(struct heteroprio),
	.flags = TW_SEES_CRITICAL | TW_POP_ONLY_TAKES,
	.init = init,
	.push = push,
	.pop = pop,
	.pops_in_vain = pops_in_vain,
	.started = tw_buckets_started,
	.done = tw_buckets_done,
};
