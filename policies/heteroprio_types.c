/* heteroprio_types: HeteroPrio for any number of resource types (Beaumont, Cojean, Eyraud-Dubois, Guermouche, Kumar
 * 2016, HiPC, section III.B). The type of a task is its kernel, of one size and precision. Tasks of
 * one kernel are of two types if recorded seconds let some of them run on more archs. A resource is an arch: a
 * kind of cores, of groups of cores, or of GPUs.
 *
 * Ready tasks wait in one queue per type. A worker that asks takes a task of the type with the best score on the
 * worker's resource (parameter score: policies/support/affinity.h). Fast resources treat types with similar scores as
 * one queue (parameter merge), and take the task of the highest priority. The priority of a task is its distance to the
 * end of the graph (parameter rank). Slow resources take the task of the lowest priority.
 *
 * Spoliation: a fast worker that holds no task and finds none may cancel a task that runs on a slow worker, and run it
 * itself. It does so if the task then ends earlier; the work done so far is lost. With spoliation=any, a rule of our
 * own, the task may also run on another fast worker.
 *
 * If several workers are idle when tasks become ready, fast workers go first. Among fast workers, the one whose task
 * has the best score goes first; ties: the worker that ends its task sooner.
 *
 * Choices where the paper is silent:
 * - The order of idle workers is the one above.
 * - The distance to the end counts each task's time on the fastest worker; with rank=mean it counts the mean, as in
 *   HEFT.
 * - E(t, r) is the mean time of the tasks of type t on resource r.
 * - Each worker counts in the mean that separates fast from slow resources. With average=resources each resource
 *   counts once, whatever the number of its workers; the text allows both.
 * - Types merge "when the difference in score is below 25 %". Area scores are percentages (table IIb), so the limit is
 *   25 points. Het. Index scores have no fixed range, so the limit is 25 % of the greatest score in the group.
 * - Types with equal scores form one queue ("treats both types of tasks indifferently"). Ties of priorities: the type
 *   with the better score, then the task that became ready first.
 * - Spoliation chooses the task with the latest expected end. Ties: the higher priority, then the lower worker number
 *   (the order of the paper's reference [10], from memory). The predicted new end includes the time of transfers.
 * - The paper spoliates by simulating ahead and holding the task back. Here, the running kernel is cancelled.
 * - Tasks that reductions append go before all others, to the first worker that asks. */
#include <math.h>
#include <string.h>

#include <tilewright/containers.h>
#include <tilewright/policy.h>
#include <tilewright/task_queue.h>

#include "policies/support/type_orders.h"
#include "policies/support/upward_rank.h"

/* The task that a worker would take next, and the queue in which it waits. */
struct choice {
	tw_task task; /* TW_NONE: the worker would take no task */
	int type;
	int32_t priority;
	int n_looks; /* number of queues with tasks that it was chosen from */
};

struct heteroprio {
	tw_task n_tasks; /* number of tasks of the graph, without those that reductions append */
	struct tw_type_orders orders;
	int32_t *priority;           /* [tasks] distance to the end of the graph: 0 to 2^20 (upward_rank.h) */
	struct tw_task_queue *ready; /* [types] ready tasks of each type, sorted by priority */
	struct tw_task_queue appended;
	int *held;                  /* [workers] number of tasks that the worker has taken and not ended */
	struct tw_id_set *idle;     /* [resources] workers of the resource that hold no task */
	struct tw_id_set spoliated; /* workers that hold a task and may lose it to a fast worker */
	struct tw_id_set idle_fast; /* workers of fast resources that hold no task */
	int n_spoliated;
	double lost_s; /* seconds that cancelled kernels had run: lost work */
	bool spoliates, spoliates_any;
	bool waits; /* whether some worker waits for another worker to take a task first */
};

static const struct tw_param params[] = {
	{"score", TW_PARAM_CHOICE, "het_index", 0, 0, "het_index|area", "score of a task type on a resource"},
	{"merge", TW_PARAM_REAL, "0.25", 0, 1, NULL,
         "fast workers: types whose scores differ by less than this part are one queue"},
	{"spoliation", TW_PARAM_CHOICE, "yes", 0, 0, "yes|any|no",
         "idle fast workers restart tasks that run on slow workers; any: on any worker slower for the task"},
	{"average", TW_PARAM_CHOICE, "workers", 0, 0, "workers|resources",
         "fast resources are below the mean over workers, or over resources"},
	TW_UPWARD_RANK_PARAM("fastest"),
	{0},
};

static int resource_of(const struct heteroprio *h, const struct tw_sched *s, tw_worker w)
{
	return h->orders.resource_of[tw_worker_arch(s, w)];
}

static bool is_fast(const struct heteroprio *h, const struct tw_sched *s, tw_worker w)
{
	return h->orders.of[resource_of(h, s, w)].fast;
}

static int32_t priority_of(const struct heteroprio *h, tw_task task)
{
	return task < h->n_tasks ? h->priority[task] : INT32_MAX;
}

/* --- set-up before the run ---------------------------------------------------------------------------------------- */

/* Whether a fast worker may cancel a task that runs on this worker, and run it itself. */
static bool is_spoliated(const struct heteroprio *h, const struct tw_sched *s, tw_worker w)
{
	return h->spoliates && (h->spoliates_any || !is_fast(h, s, w));
}

static void hold(struct heteroprio *h, const struct tw_sched *s, tw_worker w, int tasks)
{
	bool idle = (h->held[w] += tasks) == 0;
	tw_id_set_put(&h->idle[resource_of(h, s, w)], w, idle);
	tw_id_set_put(&h->spoliated, w, !idle && is_spoliated(h, s, w));
	tw_id_set_put(&h->idle_fast, w, idle && is_fast(h, s, w));
}

static void finish(struct tw_sched *s, void *state)
{
	const struct heteroprio *h = state;
	if (h->spoliates) {
		tw_report(s, "spoliations", h->n_spoliated);
		tw_report(s, "spoliated_s", h->lost_s);
	}
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct heteroprio *h = state;
	const struct tw_args *args = tw_sched_args(s);
	const char *spoliation = tw_args_text(args, "spoliation");
	bool spoliates = strcmp(spoliation, "no") != 0, area = strcmp(tw_args_text(args, "score"), "area") == 0;
	tw_worker n_workers = tw_n_workers(s);
	struct tw_task_link *links = tw_task_links_create(s);
	if (spoliates && !tw_can_cancel(s))
		return tw_fail(
			err, TW_INVALID,
			"policy 'heteroprio_types': spoliation cancels kernels, which this engine cannot: expected "
			"spoliation=no, or an engine that can, such as simgrid");
	*h = (struct heteroprio){
		.n_tasks = tw_graph_n_tasks(tw_sched_graph(s)),
		.spoliates = spoliates,
		.spoliates_any = strcmp(spoliation, "any") == 0,
		.priority = tw_upward_rank_levels(s),
		.held = tw_run_alloc(s, (size_t)n_workers, sizeof *h->held),
		.spoliated = tw_run_id_set(s, n_workers),
		.idle_fast = tw_run_id_set(s, n_workers),
	};
	bool by_worker = strcmp(tw_args_text(args, "average"), "workers") == 0;
	int status = tw_type_orders_init(&h->orders, s, area, tw_args_real(args, "merge"), by_worker, err);
	h->ready = tw_run_alloc(s, (size_t)h->orders.n_types, sizeof *h->ready);
	for (int t = 0; t < h->orders.n_types; t++)
		tw_task_queue_init(&h->ready[t], s, links);
	tw_task_queue_init(&h->appended, s, links);
	h->idle = tw_run_alloc(s, (size_t)h->orders.n_resources, sizeof *h->idle);
	for (int r = 0; r < h->orders.n_resources; r++)
		h->idle[r] = tw_run_id_set(s, n_workers);
	for (tw_worker w = 0; w < n_workers; w++)
		hold(h, s, w, 0);
	return status;
}

/* --- during the run: push, pop, done ------------------------------------------------------------------------------ */

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct heteroprio *h = state;
	(void)released_by;
	bool appended = task >= h->n_tasks;
	struct tw_task_queue *queue = appended ? &h->appended : &h->ready[h->orders.type_of[tw_task_class(s, task)]];
	tw_task_queue_add(queue, task, appended ? 0 : h->priority[task]);
	tw_wake(s, TW_ALL);
}

/* Returns the task that a worker of the resource takes next; best.task is TW_NONE if there is none. The task comes from
 * the first group of types that has ready tasks; types of one group count as one queue. */
static struct choice choose_for(const struct heteroprio *h, const struct tw_type_order *r)
{
	struct choice best = {.task = TW_NONE};
	for (int i = 0; i < r->n_types && (best.task == TW_NONE || r->group[i] == r->group[i - 1]); i++) {
		const struct tw_task_queue *queue = &h->ready[r->types[i]];
		if (queue->n_tasks == 0)
			continue;
		best.n_looks++;
		const struct tw_task_level *level = &queue->levels[r->fast ? queue->n_levels - 1 : 0];
		if (best.task == TW_NONE ||
		    (r->fast ? level->priority > best.priority : level->priority < best.priority))
			best = (struct choice){level->oldest, r->types[i], level->priority, best.n_looks};
	}
	return best;
}

/* The criteria for which of several idle workers takes a task first. */
struct turn {
	bool fast;      /* whether the worker is of a fast resource */
	double score;   /* score, on this resource, of the type of task that the worker would take */
	double seconds; /* predicted time of this task on the worker */
	tw_worker worker;
};

static bool goes_before(const struct turn *a, const struct turn *b)
{
	if (a->fast != b->fast)
		return a->fast;
	if (a->score != b->score)
		return a->score > b->score;
	return a->seconds != b->seconds ? a->seconds < b->seconds : a->worker < b->worker;
}

/* Returns the idle worker that takes a task first; TW_NONE: no idle worker would take one. Workers of one resource are
 * equal, so only the first idle one is examined. */
static tw_worker whose_turn(const struct heteroprio *h, const struct tw_sched *s)
{
	struct turn earliest = {.worker = TW_NONE};
	for (int i = 0; i < h->orders.n_resources; i++) {
		const struct tw_type_order *r = &h->orders.of[i];
		tw_worker w = tw_id_set_next(&h->idle[i], NULL, 0);
		struct choice its = w == TW_NONE ? (struct choice){.task = TW_NONE} : choose_for(h, r);
		if (its.task == TW_NONE)
			continue;
		struct turn turn = {r->fast, h->orders.scores[its.type * h->orders.n_resources + i],
		                    tw_task_length(s, its.task, w), w};
		if (earliest.worker == TW_NONE || goes_before(&turn, &earliest))
			earliest = turn;
	}
	return earliest.worker;
}

/* Whether the worker may take a task now. Only the first of the idle workers may; a worker that runs a task may if no
 * idle worker would take one. */
static bool is_its_turn(const struct heteroprio *h, const struct tw_sched *s, tw_worker worker)
{
	tw_worker first = whose_turn(h, s);
	return first == TW_NONE || first == worker;
}

/* Returns the worker whose running task the worker `idle` should cancel and run itself; TW_NONE: there is none. */
static tw_worker find_victim(const struct heteroprio *h, const struct tw_sched *s, tw_worker idle)
{
	double now = tw_now(s), latest = 0;
	tw_worker victim = TW_NONE;
	int32_t priority = 0;
	int n_looks = 0;
	for (tw_worker w = -1; (w = tw_id_set_next(&h->spoliated, NULL, w + 1)) != TW_NONE;) {
		double start;
		tw_task task = tw_running_task(s, w, &start);
		if (task == TW_NONE || !tw_task_is_mine(s, task))
			continue;
		n_looks++;
		double end = start + tw_task_length(s, task, w), here = tw_task_length(s, task, idle);
		bool later = end > latest || (end == latest && priority_of(h, task) > priority);
		if (!later || now + here + tw_task_transfer_time(s, task, tw_worker_node(s, idle)) >= end)
			continue;
		victim = w;
		latest = end;
		priority = priority_of(h, task);
	}
	tw_looked_at(s, n_looks);
	return victim;
}

static tw_task spoliate(struct heteroprio *h, struct tw_sched *s, tw_worker idle)
{
	tw_worker victim = find_victim(h, s, idle);
	double start;
	if (victim == TW_NONE || tw_running_task(s, victim, &start) == TW_NONE)
		return TW_NONE;
	tw_task task = tw_cancel(s, victim);
	if (task != TW_NONE) {
		hold(h, s, victim, -1);
		h->n_spoliated++;
		h->lost_s += tw_now(s) - start;
	}
	return task;
}

static tw_task take(struct heteroprio *h, struct tw_sched *s, tw_worker worker)
{
	const struct tw_type_order *r = &h->orders.of[resource_of(h, s, worker)];
	tw_task appended = tw_task_queue_oldest_for(&h->appended, s, worker);
	if (appended != TW_NONE) {
		tw_task_queue_remove(&h->appended, appended, 0);
		return appended;
	}
	struct choice choice = choose_for(h, r);
	tw_looked_at(s, choice.n_looks);
	if (choice.task == TW_NONE)
		return h->spoliates && r->fast && h->held[worker] == 0 ? spoliate(h, s, worker) : TW_NONE;
	if (!is_its_turn(h, s, worker)) {
		h->waits = true;
		return TW_NONE;
	}
	tw_task_queue_remove(&h->ready[choice.type], choice.task, choice.priority);
	return choice.task;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct heteroprio *h = state;
	tw_task task = take(h, s, worker);
	if (task == TW_NONE)
		return TW_NONE;
	hold(h, s, worker, 1);
	if (h->waits) { /* the workers that let this one go first wait until this pop has taken a task */
		h->waits = false;
		tw_wake(s, TW_ALL);
	}
	return task;
}

/* Skips the pops of workers that let another worker go first, and of workers that find no task; none if what they look
 * at costs time. */
static uint64_t pops_in_vain(struct tw_sched *s, void *state, tw_worker first, uint64_t who)
{
	struct heteroprio *h = state;
	uint64_t wait = 0, find_nothing = 0;
	if (h->appended.n_tasks || tw_looks_cost(s))
		return 0;
	tw_worker turn = whose_turn(h, s);
	bool any_spoliated = tw_id_set_next(&h->spoliated, NULL, 0) != TW_NONE;
	for (int i = 0; i < h->orders.n_resources; i++) {
		const struct tw_type_order *r = &h->orders.of[i];
		uint64_t of_resource = who & h->idle[i].words[first / 64];
		if (of_resource && choose_for(h, r).task != TW_NONE)
			wait |= of_resource;
		else if (!r->fast || !any_spoliated)
			find_nothing |= of_resource;
	}
	if (turn != TW_NONE && turn / 64 == first / 64)
		wait &= ~(UINT64_C(1) << turn % 64);
	uint64_t asked = who & ~(wait | find_nothing), spared = asked ? who & ((asked & -asked) - 1) : who;
	h->waits |= (spared & wait) != 0;
	return spared;
}

/* Wakes the idle fast workers: one of them may end the started task sooner than `worker`. */
static void started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	const struct heteroprio *h = state;
	(void)task;
	if (is_spoliated(h, s, worker))
		tw_wake_set(s, &h->idle_fast);
}

static void done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct heteroprio *h = state;
	(void)task;
	hold(h, s, worker, -1);
}

const struct tw_policy tw_policy_heteroprio_types = {
	.abi = TW_POLICY_ABI,
	.name = "heteroprio_types",
	.summary = "HeteroPrio for any number of resource types: tasks by score, spoliation by idle fast workers",
	.params = params,
	.state_size = sizeof(struct heteroprio),
	.flags = TW_PLANS_ALL,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.pops_in_vain = pops_in_vain,
	.started = started,
	.done = done,
};
