/* ap: one queue sorted by priority that all processing units share; who becomes available takes the task at its head, and
 * the load of each unit decides whether to run it or to hand it over (PaRSEC's Absolute Priority, after Gonthier et al. 2024,
 * section 4.4).
 *
 * What the paper says of load and cost, and what we make of it: "they use the theoretical performance of CPUs and GPUs to
 * balance the load". A device is a GPU, or all cores together. Its performance is one figure for all kernels: the greatest
 * speedup over the slowest worker that any task has there. A task costs its time on the slowest worker over that, whatever
 * its own speedup. "If multiple tasks use the same input data, the cost of a task will only be its computation time": what it
 * reads and what is neither on the device nor on its way there is added. The device with the least load plus cost gets the
 * task, the first in case of a tie; its own queue is sorted by priority, too. */
#include <math.h>
#include <stdlib.h>

#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

struct device { /* the workers of a memory */
	struct tw_task_queue tasks;
	double load; /* seconds, of what it was given and has not ended */
	int n_tasks;
};

struct ap {
	struct tw_task_queue waiting;
	struct device *devices; /* [nodes] */
	double *performance;    /* [workers] in those of the slowest */
	double *cost;           /* [tasks] of those that a device was given */
	struct tw_task_link *links;
	bool prefetch;
};

static const struct tw_param params[] = {
	{"prefetch", TW_PARAM_FLAG, "yes", 0, 0, NULL, "ask for a task's data as soon as a device is given it"},
	{0},
};

static void finish(struct tw_sched *s, void *state)
{
	struct ap *ap = state;
	tw_task_queue_finish(&ap->waiting);
	for (tw_node n = 0; ap->devices && n < tw_n_nodes(s); n++)
		tw_task_queue_finish(&ap->devices[n].tasks);
	free(ap->devices);
	free(ap->performance);
	free(ap->cost);
	free(ap->links);
}

/* On the slowest worker that can run it. */
static double work(const struct tw_sched *s, tw_task task)
{
	double longest = 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		double length = tw_task_length(s, task, w);
		longest = isinf(length) ? longest : fmax(longest, length);
	}
	return longest;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct ap *ap = state;
	size_t nodes = (size_t)tw_n_nodes(s), workers = (size_t)tw_n_workers(s), tasks = (size_t)tw_max_tasks(s);
	*ap = (struct ap){
		.devices = calloc(nodes, sizeof *ap->devices),
		.performance = calloc(workers, sizeof *ap->performance),
		.cost = malloc((tasks + 1) * sizeof *ap->cost),
		.links = tw_task_links_create(s),
		.prefetch = tw_args_flag(tw_sched_args(s), "prefetch"),
	};
	if (!ap->devices || !ap->performance || !ap->cost || !ap->links) {
		finish(s, state);
		return tw_fail(err, TW_NOMEM, "policy 'ap': out of memory");
	}
	tw_task_queue_init(&ap->waiting, ap->links);
	for (size_t n = 0; n < nodes; n++)
		tw_task_queue_init(&ap->devices[n].tasks, ap->links);
	for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++) {
		double longest = work(s, t);
		for (size_t w = 0; w < workers; w++)
			ap->performance[w] = fmax(ap->performance[w], longest / tw_task_length(s, t, (tw_worker)w));
	}
	for (size_t w = 0; w < workers; w++) /* only what reductions append can run there */
		ap->performance[w] = ap->performance[w] > 0 ? ap->performance[w] : 1;
	return TW_OK;
}

static void add(struct tw_sched *s, struct tw_task_queue *q, tw_task task)
{
	if (tw_task_queue_add(q, task, tw_task_priority(s, task)))
		tw_abort_run(s, "out of memory for a queue");
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
	add(s, &((struct ap *)state)->waiting, task);
	tw_wake_first_idle(s, task);
}

/* With all its workers that can run the task; INFINITY: none can. */
static double cost_on(const struct ap *ap, const struct tw_sched *s, tw_task task, tw_node device, double longest)
{
	double performance = 0;
	for (tw_worker w = 0; w < tw_n_workers(s); w++)
		if (tw_worker_node(s, w) == device && !isinf(tw_task_length(s, task, w)))
			performance += ap->performance[w];
	return performance > 0 ? longest / performance + tw_task_transfer_time(s, task, device) : INFINITY;
}

/* The task becomes that of a device. */
static tw_node give(struct ap *ap, struct tw_sched *s, tw_task task)
{
	tw_node best = TW_NONE;
	double least = INFINITY, longest = work(s, task);
	for (tw_node n = 0; n < tw_n_nodes(s); n++) {
		double cost = cost_on(ap, s, task, n, longest);
		if (ap->devices[n].load + cost < least) {
			least = ap->devices[n].load + cost;
			ap->cost[task] = cost;
			best = n;
		}
	}
	ap->devices[best].load += ap->cost[task];
	ap->devices[best].n_tasks++;
	add(s, &ap->devices[best].tasks, task);
	if (ap->prefetch)
		tw_prefetch_task(s, task, best);
	return best;
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
		for (tw_worker w = 0; task == TW_NONE && w < tw_n_workers(s); w++)
			if (tw_worker_node(s, w) == device && w != worker)
				tw_wake(s, w);
	}
	return task;
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct ap *ap = state;
	struct device *d = &ap->devices[tw_worker_node(s, worker)];
	d->load = --d->n_tasks ? d->load - ap->cost[task] : 0; /* no rounding errors stay */
}

const struct tw_policy tw_policy_ap = {
	.abi = TW_POLICY_ABI,
	.name = "ap",
	.summary = "absolute priority: one queue by priority; units share by performance",
	.params = params,
	.state_size = sizeof(struct ap),
	.flags = TW_SORTS_BY_PRIORITY,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.done = done,
};
