/* lws: locality work stealing with one queue per worker (LWS of Gonthier et al. 2024, section 4.3). A released task
 * joins the queue of the worker that released it. A worker with an empty queue steals a task from the tail of a
 * neighbour's queue. Details are StarPU's: a thief takes one task per steal, and queues are sorted by priority.
 *
 * The paper does not define neighbours. StarPU takes the workers whose cores are nearest in hwloc's tree.
 * - neighbours=nearest: a thief tries the workers in ascending order of distance, the predicted time of a copy from
 *   their memory to the thief's. Ties: in a circle behind the thief.
 * - neighbours=all: a thief tries all workers in turn, as in a StarPU built without hwloc. Then lws is ws. */
#include <math.h>

#include <tilewright/policy.h>

#include "policies/support/stealing.h"

/* The workers to steal from, for thieves in one memory node: one set of workers for each distance, the nearest set
 * first. */
struct rings {
	struct tw_id_set *of; /* the n sets of workers; there are at most as many as memory nodes */
	int n;
};

struct lws {
	struct tw_stealing queues; /* must be the first member */
	struct rings *rings; /* [nodes] workers to steal from, for thieves in each memory; NULL with neighbours=all */
};

static const struct tw_param params[] = {
	{"neighbours", TW_PARAM_CHOICE, "all", 0, 0, "all|nearest",
         "victims: all workers in turn, as ws; nearest: by the time of a copy between the memories"},
	{0},
};

enum { PROBE_BYTES = 1 << 20 }; /* the distance of two memories is the predicted time of a copy of this size */

static double distance(const struct tw_sched *s, tw_worker from, tw_node to)
{
	return tw_transfer_time(s, tw_worker_node(s, from), to, PROBE_BYTES);
}

/* Fills the set with the nearest workers among those whose distance to `node` is above `last`. Returns the distance of
 * these workers. */
static double fill_ring(struct tw_id_set *ring, const struct tw_sched *s, tw_node node, double last)
{
	double least = INFINITY;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (distance(s, w, node) > last)
			least = fmin(least, distance(s, w, node));
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		tw_id_set_put(ring, w, distance(s, w, node) == least);
	return least;
}

static void list_rings(struct rings *r, const struct tw_sched *s, tw_node node)
{
	double last = -INFINITY, farthest = 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		farthest = fmax(farthest, distance(s, w, node));
	r->of = tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof *r->of);
	while (last < farthest) {
		r->of[r->n] = tw_run_id_set(s, tw_n_workers(s));
		last = fill_ring(&r->of[r->n++], s, node, last);
	}
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct lws *l = state;
	(void)err;
	tw_stealing_init(&l->queues, s);
	if (tw_args_text(tw_sched_args(s), "neighbours")[0] == 'a')
		return TW_OK;
	l->rings = tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof *l->rings);
	for (tw_node node = 0; node < tw_n_nodes(s); node++)
		list_rings(&l->rings[node], s, node);
	return TW_OK;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct lws *l = state;
	if (!l->rings)
		return tw_stealing_pop_in_turn(&l->queues, s, worker);
	const struct rings *r = &l->rings[tw_worker_node(s, worker)];
	tw_worker first = (worker + 1) % l->queues.n, victim;
	tw_task task = tw_stealing_pop_own(&l->queues, s, worker);
	for (int i = 0; task == TW_NONE && i < r->n; i++)
		task = tw_stealing_rob_circle(&l->queues, s, worker, first, &r->of[i], &victim);
	return task;
}

const struct tw_policy tw_policy_lws = {
	.abi = TW_POLICY_ABI,
	.name = "lws",
	.summary = "locality work stealing: one queue per worker; an idle worker steals from neighbours",
	.params = params,
	.state_size = sizeof(struct lws),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.push = tw_stealing_push,
	.pop = pop,
	.pops_in_vain = tw_stealing_pops_in_vain,
};
