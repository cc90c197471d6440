/* ap: all processing units share one queue of ready tasks, sorted by priority. A unit that asks takes the task at the
 * head of the queue. The loads of the units then decide whether this unit runs the task or hands it over to another
 * unit. This is PaRSEC's Absolute Priority, after Gonthier et al. 2024, section 4.4.
 *
 * The paper says about load and cost: "they use the theoretical performance of CPUs and GPUs to balance the load". "If
 * multiple tasks use the same input data, the cost of a task will only be its computation time". This policy implements
 * both as follows.
 * - A device is a GPU, or all cores together. The performance of a worker is one number for all kernels: the greatest
 *   speedup over the slowest worker that any task has on it. The performance of a device is the sum over its workers.
 * - The cost of a task on a device is the task's time on the slowest worker, divided by the performance of the device.
 *   The transfer time of the inputs that are neither on the device nor on their way to it is added.
 * - The device with the least load plus cost gets the task; ties: the first device. The queue of each device is sorted
 *   by priority, too.
 *
 * `device=owner` chooses as PaRSEC 4.0 does (parsec_select_best_device). The GPU that wrote what the task overwrites
 * gets the task. If there is none, the device with the least load plus time does, without transfers. The GPU that wrote
 * the first such input then counts SKEW times as much. Cores count with `cores=yes`, or if no GPU can run the task. */
#include <math.h>
#include <string.h>

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/worker_runs.h"

static const double SKEW = 1 / 1.2; /* PaRSEC's default of its parameter device_load_balance_skew: 20 % */

/* A device: all workers that compute in one memory node. */
struct device {
	struct tw_task_queue tasks;
	double load; /* in seconds: cost of the tasks that the device was given and has not ended */
	int n_tasks;
};

struct ap {
	struct tw_task_queue waiting;
	struct device *devices; /* [nodes] the device of each memory node */
	struct tw_worker_run *runs;
	int n_runs;
	tw_worker *of_arch;  /* see tw_arch_workers */
	double *length;      /* [archs] the times of the task at hand */
	double *performance; /* [archs] performance of a worker: its greatest speedup over the slowest worker */
	double *transfer;    /* [nodes] the transfer times of the task at hand */
	double **of_class;   /* [classes][nodes] performance of each device for tasks of the class; NULL: not known */
	double *cost;        /* [tasks] cost of each task on its device, in seconds; valid once a device got the task */
	tw_node *owner;      /* [handles] the GPU that wrote the handle last; TW_NONE: none; NULL: device=cost */
	bool *is_gpu;        /* [nodes] whether the device is a GPU */
	bool prefetch, cores;
};

static const struct tw_param params[] = {
	{"device", TW_PARAM_CHOICE, "cost", 0, 0, "cost|owner",
         "device of a task: cost, the least load plus time and transfers; owner, as PaRSEC: where data were written"},
	{"cores", TW_PARAM_FLAG, "yes", 0, 0, NULL, "with device=owner: no, cores run only tasks that no GPU can run"},
	{"prefetch", TW_PARAM_FLAG, "yes", 0, 0, NULL, "request a task's data as soon as a device gets the task"},
	{0},
};

/* Looks up the times of the task. Returns the seconds that it takes on the slowest worker that can run it. */
static double work(const struct ap *ap, const struct tw_sched *s, tw_task task)
{
	double longest = 0;
	tw_arch_lengths(s, ap->of_arch, task, ap->length);
	for (tw_arch arch = 0; arch < tw_n_archs(s); arch++)
		longest = isinf(ap->length[arch]) ? longest : fmax(longest, ap->length[arch]);
	return longest;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct ap *ap = state;
	size_t nodes = (size_t)tw_n_nodes(s), archs = (size_t)tw_n_archs(s);
	struct tw_task_link *links = tw_task_links_create(s);
	const struct tw_args *args = tw_sched_args(s);
	(void)err;
	*ap = (struct ap){
		.devices = tw_run_alloc(s, nodes, sizeof *ap->devices),
		.of_class = tw_run_alloc(s, (size_t)tw_n_task_classes(s), sizeof *ap->of_class),
		.cost = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *ap->cost),
		.is_gpu = tw_run_alloc(s, nodes, sizeof *ap->is_gpu),
		.prefetch = tw_args_flag(args, "prefetch"),
		.cores = tw_args_flag(args, "cores"),
	};
	if (strcmp(tw_args_text(args, "device"), "owner") == 0) {
		tw_data n = tw_graph_n_data(tw_sched_graph(s));
		ap->owner = tw_run_alloc(s, (size_t)n, sizeof *ap->owner);
		for (tw_data d = 0; d < n; d++)
			ap->owner[d] = TW_NONE;
	}
	tw_task_queue_init(&ap->waiting, s, links);
	for (size_t n = 0; n < nodes; n++)
		tw_task_queue_init(&ap->devices[n].tasks, s, links);
	ap->runs = tw_worker_runs(s, &ap->n_runs);
	for (int i = 0; i < ap->n_runs; i++)
		ap->is_gpu[ap->runs[i].node] |= tw_worker_is_accelerator(s, ap->runs[i].first);
	ap->of_arch = tw_arch_workers(s);
	ap->length = tw_run_alloc(s, archs, sizeof *ap->length);
	ap->performance = tw_run_alloc(s, archs, sizeof *ap->performance);
	ap->transfer = tw_run_alloc(s, nodes, sizeof *ap->transfer);
	for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++) {
		if (!tw_task_is_mine(s, t))
			continue;
		double longest = work(ap, s, t);
		for (size_t arch = 0; arch < archs; arch++)
			ap->performance[arch] = fmax(ap->performance[arch], longest / ap->length[arch]);
	}
	for (size_t arch = 0; arch < archs; arch++) /* 1: its workers can only run tasks that reductions append */
		ap->performance[arch] = ap->performance[arch] > 0 ? ap->performance[arch] : 1;
	return TW_OK;
}

static tw_task take(struct tw_sched *s, struct tw_task_queue *q, tw_task task)
{
	if (task != TW_NONE)
		tw_task_queue_remove(q, task, tw_task_priority(s, task));
	return task;
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	(void)released_by;
	tw_task_queue_add(&((struct ap *)state)->waiting, task, tw_task_priority(s, task));
	tw_wake_first_idle(s, task);
}

/* Returns the performance of each device for the task: the sum over its workers that can run it. */
static const double *performance_for(struct ap *ap, const struct tw_sched *s, tw_task task)
{
	double **known = &ap->of_class[tw_task_class(s, task)];
	if (*known)
		return *known;
	*known = tw_run_alloc(s, (size_t)tw_n_nodes(s), sizeof **known);
	for (const struct tw_worker_run *run = ap->runs; run < ap->runs + ap->n_runs; run++) {
		double *device = &(*known)[run->node];
		if (!isinf(tw_task_length(s, task, run->first)))
			*device = tw_add_times(*device, ap->performance[run->arch], run->n);
	}
	return *known;
}

static tw_node least_loaded(struct ap *ap, const struct tw_sched *s, tw_task task)
{
	tw_node best = TW_NONE;
	double least = INFINITY, longest = work(ap, s, task);
	const double *performance = performance_for(ap, s, task);
	tw_task_transfer_times(s, task, ap->transfer);
	for (tw_node n = 0; n < tw_n_nodes(s); n++) {
		if (performance[n] <= 0)
			continue;
		double cost = longest / performance[n] + ap->transfer[n];
		if (best == TW_NONE || ap->devices[n].load + cost < least) {
			least = ap->devices[n].load + cost;
			ap->cost[task] = cost;
			best = n;
		}
	}
	return best;
}

/* Returns the GPU that wrote the first handle that the task accesses in this mode, and that a GPU which can run the
 * task has written; TW_NONE: there is none. */
static tw_node owner_of(const struct ap *ap, const struct tw_sched *s, tw_task task, enum tw_mode mode,
                        const double *performance)
{
	for (int i = 0; i < tw_task_n_accesses(s, task); i++) {
		const struct tw_access a = tw_task_access(s, task, i);
		const tw_node n = ap->owner[a.data];
		if ((a.mode & mode) && n != TW_NONE && performance[n] > 0)
			return n;
	}
	return TW_NONE;
}

/* PaRSEC's choice. It looks at the GPUs first, from the last one on. */
static tw_node owner_or_least_loaded(struct ap *ap, const struct tw_sched *s, tw_task task)
{
	const double longest = work(ap, s, task), *performance = performance_for(ap, s, task);
	tw_node best = owner_of(ap, s, task, TW_W, performance);
	if (best == TW_NONE) {
		tw_node reader = owner_of(ap, s, task, TW_R, performance);
		double least = INFINITY;
		best = reader;
		if (reader != TW_NONE)
			least = SKEW * (ap->devices[reader].load + longest / performance[reader]);
		for (tw_node n = tw_n_nodes(s) - 1; n >= 0; n--) {
			if (performance[n] <= 0 || (best != TW_NONE && !ap->is_gpu[n] && !ap->cores))
				continue;
			double end = ap->devices[n].load + longest / performance[n];
			if (best == TW_NONE || end < least) {
				least = end;
				best = n;
			}
		}
	}
	ap->cost[task] = longest / performance[best];
	return best;
}

/* Gives the task to a device. Returns the device's memory node. */
static tw_node give(struct ap *ap, struct tw_sched *s, tw_task task)
{
	tw_node best = ap->owner ? owner_or_least_loaded(ap, s, task) : least_loaded(ap, s, task);
	ap->devices[best].load += ap->cost[task];
	ap->devices[best].n_tasks++;
	tw_task_queue_add(&ap->devices[best].tasks, task, tw_task_priority(s, task));
	if (ap->prefetch)
		tw_prefetch_task(s, task, best);
	return best;
}

/* Wakes the workers of the device, but not `asking`. */
static void wake_device(const struct ap *ap, struct tw_sched *s, tw_node device, tw_worker asking)
{
	for (const struct tw_worker_run *run = ap->runs; run < ap->runs + ap->n_runs; run++)
		for (tw_worker w = run->first; run->node == device && w < run->first + run->n; w++)
			if (w != asking)
				tw_wake(s, w);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct ap *ap = state;
	tw_node own = tw_worker_node(s, worker);
	struct tw_task_queue *q = &ap->devices[own].tasks;
	tw_task task = take(s, q, tw_task_queue_oldest_for(q, s, worker));
	while (task == TW_NONE && ap->waiting.n_tasks > 0) {
		tw_node device = give(ap, s, take(s, &ap->waiting, tw_task_queue_oldest(&ap->waiting)));
		task = take(s, q, tw_task_queue_oldest_for(q, s, worker));
		if (task == TW_NONE)
			wake_device(ap, s, device, worker);
	}
	return task;
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct ap *ap = state;
	struct device *d = &ap->devices[tw_worker_node(s, worker)];
	/* An idle device has load 0, so that rounding errors do not add up. */
	d->load = --d->n_tasks ? d->load - ap->cost[task] : 0;
	for (int i = 0; ap->owner && i < tw_task_n_accesses(s, task); i++) {
		const struct tw_access a = tw_task_access(s, task, i);
		if (a.mode & TW_W)
			ap->owner[a.data] = tw_worker_is_accelerator(s, worker) ? tw_worker_node(s, worker) : TW_NONE;
	}
}

const struct tw_policy tw_policy_ap = {
	.abi = TW_POLICY_ABI,
	.name = "ap",
	.summary = "absolute priority: one queue by priority, load balanced by device performance",
	.params = params,
	.state_size = sizeof(struct ap),
	.flags = TW_SORTS_BY_PRIORITY | TW_POP_ONLY_TAKES,
	.init = init,
	.push = push,
	.pop = pop,
	.done = done,
};
