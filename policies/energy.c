/* energy: dmda with energy in the cost (heft-tmdp-pr extended by energy, Augonnet 2011, section 3.7.1 and figure 3.19).
 * Each ready task goes to the worker with the least cost:
 *
 *     cost(worker) = alpha (end - least end of all workers) + beta transfer + gamma joules
 *
 * Here, `end` is the predicted end of the task on the worker, and `transfer` the predicted time of the task's
 * transfers. The joules are those of the task on that worker. If the task delays the predicted end of the run so far,
 * the idle energy of all workers during the delay is added. The parameter gamma is in seconds per joule; its default,
 * 0.001, is StarPU's.
 *
 * The watts of workers come from the platform, whereas users provide them in the thesis. For workers without watts in
 * the platform, the parameters of this policy apply. Their defaults are assumptions, not measurements. */
#include <math.h>

#include <tilewright/policy.h>

#include "policies/support/deque_model.h"

struct energy {
	/* Must be the first member: the functions of the model use a pointer to this struct as a pointer to `model`. */
	struct tw_deque_model model;
	double gamma;
	double idle_watts;  /* power of all workers together while they idle */
	double *busy_watts; /* [workers] power of each worker while it computes */
	/* Predicted date, in seconds, when the last worker ends its queue; without the task that is being placed. */
	double last_end;
};

static const struct tw_param params[] = {
	TW_DEQUE_MODEL_PARAMS,
	TW_DEQUE_MODEL_WEIGHTS,
	{"gamma", TW_PARAM_REAL, "0.001", 0, 1e9, NULL, "weight of the energy in the cost, in seconds per joule"},
	{"core_idle", TW_PARAM_REAL, "5", 0, 1e6, NULL, "watts of an idle core, if the platform has none"},
	{"core_busy", TW_PARAM_REAL, "15", 0, 1e6, NULL, "watts of a busy core, if the platform has none"},
	{"gpu_idle", TW_PARAM_REAL, "60", 0, 1e6, NULL, "watts of an idle GPU, if the platform has none"},
	{"gpu_busy", TW_PARAM_REAL, "225", 0, 1e6, NULL, "watts of a busy GPU, if the platform has none"},
	{0},
};

/* Returns what the platform says, or the watts of an accelerator, or those of each core. */
static double watts(const struct tw_sched *s, tw_worker w, double told, double accelerator, double core)
{
	double assumed = tw_worker_is_accelerator(s, w) ? accelerator : core * tw_worker_cores(s, w);
	return isnan(told) ? assumed : told;
}

static double cost(const struct tw_deque_model *m, const struct tw_deque_kind *k, double end)
{
	const struct energy *e = (const struct energy *)m;
	double later = end > e->last_end ? end - e->last_end : 0;
	double joules = e->busy_watts[k->workers[0]] * k->length + e->idle_watts * later;
	return m->alpha * (end - m->least_end) + m->beta * k->transfer + e->gamma * joules;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct energy *e = state;
	(void)err;
	const struct tw_args *args = tw_sched_args(s);
	e->gamma = tw_args_real(args, "gamma");
	double core_idle = tw_args_real(args, "core_idle"), core_busy = tw_args_real(args, "core_busy");
	double gpu_idle = tw_args_real(args, "gpu_idle"), gpu_busy = tw_args_real(args, "gpu_busy");
	e->busy_watts = tw_run_alloc(s, (size_t)tw_n_workers(s), sizeof *e->busy_watts);
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		e->idle_watts += watts(s, w, tw_worker_idle_watts(s, w), gpu_idle, core_idle);
		e->busy_watts[w] = watts(s, w, tw_worker_busy_watts(s, w), gpu_busy, core_busy);
	}
	tw_deque_model_init(s, &e->model, TW_PREDICTS_TRANSFERS | TW_TELLS_LAST_END, e->busy_watts);
	e->model.cost = cost;
	return TW_OK;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct energy *e = state;
	(void)released_by;
	tw_deque_model_predict(&e->model, s, task);
	e->last_end = tw_deque_model_last_end(&e->model, tw_now(s));
	tw_deque_model_give(&e->model, s, task, tw_deque_model_choose(&e->model, s, task));
}

const struct tw_policy tw_policy_energy = {
	.abi = TW_POLICY_ABI,
	.name = "energy",
	.summary = "as dmda, plus the energy of the task and of waiting workers",
	.params = params,
	.state_size = sizeof(struct energy),
	.init = init,
	.push = push,
	.pop = tw_deque_model_pop,
	.started = tw_deque_model_started,
	.done = tw_deque_model_done,
	.placed = tw_deque_model_placed,
};
