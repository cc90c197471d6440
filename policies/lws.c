/* lws: a queue a worker; what a worker releases goes into its own; who has none steals from the end of a neighbour's queue
 * (LWS of Gonthier et al. 2024, section 4.3, with the details of StarPU's: one task at a time, by priority).
 *
 * The paper does not say who is a neighbour. neighbours=nearest: those first from whose memory a copy is predicted to take the least
 * time, then the next in a circle. neighbours=all: all are, for each thief in turn, as in a StarPU built without hwloc. */
#include <stdlib.h>

#include <tilewright/policy.h>
#include <tilewright/stealing.h>

struct lws {
	struct tw_stealing queues;
	tw_worker *victims; /* [thief * n], by distance; NULL: all in turn */
};

static const struct tw_param params[] = {
	{"neighbours", TW_PARAM_CHOICE, "all", 0, 0, "all|nearest",
         "whom to steal from: all in turn; the nearest first, by the time of copies between the memories"},
	{0},
};

enum { PROBE_BYTES = 1 << 20 }; /* of the copies that tell distances */

static void finish(struct tw_sched *s, void *state)
{
	struct lws *l = state;
	(void)s;
	tw_stealing_finish(&l->queues);
	free(l->victims);
}

static double distance(const struct tw_sched *s, tw_worker from, tw_worker to)
{
	return tw_transfer_time(s, tw_worker_node(s, from), tw_worker_node(s, to), PROBE_BYTES);
}

/* The others in a circle behind the thief, then by distance; equals stay as they are. */
static void list_neighbours(const struct tw_sched *s, tw_worker n, tw_worker thief, tw_worker *victims)
{
	for (tw_worker step = 0; step < n; step++) {
		tw_worker victim = (thief + 1 + step) % n, i = step;
		for (; i > 0 && distance(s, victims[i - 1], thief) > distance(s, victim, thief); i--)
			victims[i] = victims[i - 1];
		victims[i] = victim;
	}
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct lws *l = state;
	tw_worker n = tw_n_workers(s);
	if (tw_stealing_init(&l->queues, s, err) < 0)
		return TW_NOMEM;
	if (tw_args_text(tw_sched_args(s), "neighbours")[0] == 'a')
		return TW_OK;
	l->victims = malloc((size_t)n * (size_t)n * sizeof *l->victims);
	if (!l->victims) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'lws': out of memory");
	}
	for (tw_worker w = 0; w < n; w++)
		list_neighbours(s, n, w, l->victims + (size_t)w * (size_t)n);
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	tw_stealing_push(&((struct lws *)state)->queues, s, task, released_by);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct lws *l = state;
	if (!l->victims)
		return tw_stealing_pop_in_turn(&l->queues, s, worker);
	return tw_stealing_pop(&l->queues, s, worker, l->victims + (size_t)worker * (size_t)l->queues.n);
}

const struct tw_policy tw_policy_lws = {
	.abi = TW_POLICY_ABI,
	.name = "lws",
	.summary = "work stealing: a queue a worker, own tasks first, then neighbours'",
	.params = params,
	.state_size = sizeof(struct lws),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
};
