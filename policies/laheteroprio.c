/* laheteroprio: heteroprio with one task list per bucket and memory. A ready task joins the list of the memory that it
 * is closest to, by some formula. Workers visit the lists of their own memory first, then of close ones, then the
 * others. LAHeteroprio of Bramas 2019, section "Introducing LAHeteroprio", whose terms are used here.
 *
 * Choices where the text is silent:
 * - "exists on a memory node" means a valid copy there, scratch excepted. Only memories with workers have lists.
 * - If several memories score best, the memory of the worker that released the task (LaRU) is chosen, if it is one of
 *   them. Otherwise the memory with the highest number is chosen, as table 3 visits them. Tasks submitted by the
 *   application's thread count as released in main memory.
 * - BMD is the number of tasks for which the memory chosen at push is no longer one of the best at pop.
 * - Among formulas of equal BMD, auto takes the first of LC_SMWB, LS_SDH2, LS_SDHB, LS_SDH. All BMDs are equal at
 *   first: the first one suits the paper's three applications.
 * - Eq. 10 is normalised by the longest time. Eq. 11 uses, for each memory, the arch of the memory's first worker.
 * - Defaults of l and S: GPUs empty their own lists first, then those of main memory. CPUs visit all memories, bucket
 *   by bucket ("it is necessary to set the locality coefficient to the largest value for the GPUs"). */
#include <string.h>

#include <tilewright/policy.h>

#include "policies/support/buckets.h"
#include "policies/support/locality.h"

enum formula { LS_SDH = TW_LS_SDH, LS_SDH2, LS_SDHB, LC_SMWB, LARU, MC, N_FORMULAS, AUTO = N_FORMULAS };

static const char *const names[] = {"ls_sdh", "ls_sdh2", "ls_sdhb", "lc_smwb", "laru", "mc", "auto"};
static const enum formula automatic[] = {LC_SMWB, LS_SDH2, LS_SDHB, LS_SDH};
enum { N_AUTOMATIC = sizeof automatic / sizeof *automatic };

struct pushed {
	tw_node chosen[N_AUTOMATIC]; /* memory chosen at push by each formula in use */
	tw_node list, released;      /* memory whose list has the task; memory of the worker that released the task */
};

/* The workers of one arch in one memory. All of them visit the task lists in laheteroprio.grid in the same order. */
struct visitors {
	tw_arch arch;
	tw_node node;
	int32_t *list;           /* [visits] the list that each visit goes to, in the order of visits */
	int32_t *visit;          /* [lists] number of the visit to each list; TW_NONE: the list is never visited */
	struct tw_id_set filled; /* the visits to lists that have tasks; the next one takes 1/64 step per visit */
};

struct laheteroprio {
	struct tw_buckets buckets;  /* must be the first member */
	struct tw_task_queue *grid; /* [bucket * n_nodes + node] list of ready tasks for each bucket and memory */
	int n_queues, n_nodes;
	struct tw_task_link *links;
	struct pushed *pushed;  /* [tasks] the memories chosen for each task when it was pushed */
	struct tw_id_set nodes; /* memories with workers */
	tw_arch *arch_of;       /* [nodes] arch of the first worker of each memory */
	/* [to * n_nodes + from] transfer time between two memories, 1 for the longest (eq. 10) */
	double *transfer;
	struct tw_located *data;           /* scratch of find_best(): the handles of the task */
	double *seconds;                   /* [nodes] scratch of find_best() */
	struct tw_id_set best[N_FORMULAS]; /* result of find_best(): the best memories for the task, by each formula */
	struct visitors *visitors;
	int n_visitors, *visitors_of; /* [workers] index of the worker's group in `visitors` */
	/* Scratch of order_visits(): */
	int *own, *other;             /* [buckets] priorities of buckets, for the visitors' arch and another arch */
	double *distance;             /* [nodes] distance of each memory from the visitors' memory */
	tw_node *others;              /* [nodes] scratch of tw_grid_order() */
	struct tw_grid_place *places; /* [buckets * nodes] result of tw_grid_order() */
	unsigned visits_of;           /* value of buckets.sorted, which counts new orders, when visits were computed */
	enum formula push;            /* the formula of the parameter `push`; AUTO: all of `automatic` are in use */
	int64_t bmd[N_FORMULAS], used[N_FORMULAS];
	int64_t n_popped, n_stolen, n_moved;
};

static const struct tw_param params[] = {
	{"push", TW_PARAM_CHOICE, "auto", 0, 0, "auto|laru|mc|ls_sdh|ls_sdh2|ls_sdhb|lc_smwb",
         "formula for the memory closest to a task; auto: the formula with the lowest BMD so far"},
	{"l_cpu", TW_PARAM_INT, "1", 0, 1000, NULL,
         "buckets of one memory that CPUs visit before the next memory; 0: all"},
	{"l_gpu", TW_PARAM_INT, "0", 0, 1000, NULL,
         "buckets of one memory that GPUs visit before the next memory; 0: all"},
	{"s_cpu", TW_PARAM_INT, "0", 0, 1000, NULL, "number of other memories that are close to CPUs; 0: all"},
	{"s_gpu", TW_PARAM_INT, "1", 0, 1000, NULL, "number of other memories that are close to a GPU; 0: all"},
	{"alpha", TW_PARAM_REAL, "0.5", 0, 1, NULL, "weight of bucket priorities in the distance between memories"},
	{"setup", TW_PARAM_CHOICE, "kernels", 0, 0, "kernels|auto",
         "orders and factors: kernels: from all kernel times of the workload; auto: learnt in the run, as StarPU"},
	TW_BUCKETS_PARAMS,
	TW_BUCKETS_RULES,
	{0}};

/* --- formulas for the memory that is closest to a task ------------------------------------------------------------ */

/* Sets l->best[f], for each formula f in use, to the memories that f finds best for a task. `here`: the memory of the
 * worker that releases or pops the task. */
static void find_best(const struct tw_sched *s, struct laheteroprio *l, tw_task task, tw_node here)
{
	if (l->push == MC) {
		tw_cheapest_nodes(s, task, &l->nodes, l->seconds, &l->best[MC]);
	} else if (l->push == LARU) {
		tw_id_set_clear(&l->best[LARU]);
		tw_id_set_put(&l->best[LARU], here, true);
	} else {
		int n = tw_locate(s, task, l->data);
		tw_locality_best(l->data, n, &l->nodes, l->best);
	}
}

/* The formulas in use have numbers from 0. Returns how many there are, and the formula with the number i. */
static int n_in_use(const struct laheteroprio *l) { return l->push == AUTO ? N_AUTOMATIC : 1; }
static enum formula in_use(const struct laheteroprio *l, int i) { return l->push == AUTO ? automatic[i] : l->push; }

static enum formula lowest_bmd(const struct laheteroprio *l)
{
	enum formula best = automatic[0];
	for (int i = 1; i < N_AUTOMATIC; i++)
		if (l->bmd[automatic[i]] < l->bmd[best])
			best = automatic[i];
	return best;
}

/* --- the order in which workers visit the task lists -------------------------------------------------------------- */

/* Fills priority[b->n] with the place of each bucket in the order of the arch; 0 for buckets not visited. The places
 * end at b->n - 1, so the last buckets of two archs get the same number (table 2). */
static void number_priorities(const struct tw_buckets *b, tw_arch arch, int *priority)
{
	memset(priority, 0, (size_t)b->n * sizeof *priority);
	for (int i = 0; i < b->n_ordered[arch]; i++)
		priority[b->order[arch][i]] = b->n - b->n_ordered[arch] + i;
}

/* Notes that a list has got its first task (`filled`) or lost its last one. */
static void fill(struct visitors *v, int list, bool filled)
{
	if (v->visit[list] != TW_NONE)
		tw_id_set_put(&v->filled, v->visit[list], filled);
}

static void order_visits(const struct tw_sched *s, struct laheteroprio *l, struct visitors *v)
{
	const struct tw_buckets *b = &l->buckets;
	const struct tw_args *args = tw_sched_args(s);
	int n_own = b->n_ordered[v->arch];
	number_priorities(b, v->arch, l->own);
	for (tw_node node = 0; (node = tw_id_set_next(&l->nodes, NULL, node)) != TW_NONE; node++) {
		tw_arch arch = l->arch_of[node];
		number_priorities(b, arch, l->other);
		l->distance[node] =
			tw_locality_distance(tw_priority_distance(l->own, l->other, b->n, n_own, b->n_ordered[arch]),
		                             l->transfer[v->node * l->n_nodes + node], tw_args_real(args, "alpha"));
	}
	bool gpu = tw_worker_is_accelerator(s, b->example[v->arch]);
	int stride = (int)tw_args_int(args, gpu ? "l_gpu" : "l_cpu");
	int group = (int)tw_args_int(args, gpu ? "s_gpu" : "s_cpu");
	int n = tw_grid_order(l->places, v->node, l->n_nodes, &l->nodes, l->distance, n_own, group ? group : l->n_nodes,
	                      stride ? stride : n_own + 1, l->others);
	v->list = tw_run_resize(s, v->list, (size_t)n, sizeof *v->list);
	v->visit = tw_run_resize(s, v->visit, (size_t)l->n_queues, sizeof *v->visit);
	v->filled.n_words = n / 64 + 1;
	v->filled.words = tw_run_resize(s, v->filled.words, (size_t)v->filled.n_words, sizeof *v->filled.words);
	tw_id_set_clear(&v->filled);
	for (int list = 0; list < l->n_queues; list++)
		v->visit[list] = TW_NONE;
	for (int i = 0; i < n; i++) {
		int list = b->order[v->arch][l->places[i].priority] * l->n_nodes + l->places[i].node;
		v->list[i] = list;
		v->visit[list] = i;
		fill(v, list, l->grid[list].n_tasks > 0);
	}
}

/* If the orders of buckets have changed, adds lists for new buckets and recomputes the order of visits. */
static void follow_buckets(const struct tw_sched *s, struct laheteroprio *l)
{
	const struct tw_buckets *b = &l->buckets;
	if (l->visits_of == b->sorted)
		return;
	l->visits_of = b->sorted;
	int n_queues = b->n * l->n_nodes;
	l->grid = tw_run_resize(s, l->grid, (size_t)n_queues, sizeof *l->grid);
	while (l->n_queues < n_queues)
		tw_task_queue_init(&l->grid[l->n_queues++], s, l->links);
	l->own = tw_run_resize(s, l->own, (size_t)b->n, sizeof *l->own);
	l->other = tw_run_resize(s, l->other, (size_t)b->n, sizeof *l->other);
	l->places = tw_run_resize(s, l->places, (size_t)n_queues, sizeof *l->places);
	for (int i = 0; i < l->n_visitors; i++)
		order_visits(s, l, &l->visitors[i]);
}

/* --- set-up, and the report at the end ---------------------------------------------------------------------------- */

static void finish(struct tw_sched *s, void *state)
{
	const struct laheteroprio *l = state;
	char name[32] = "";
	double n = l->n_popped ? (double)l->n_popped : 1;
	for (int f = 0; f < N_FORMULAS; f++) {
		bool in_use = l->push == AUTO ? f < LARU : l->push == (enum formula)f;
		if (!in_use)
			continue;
		strcpy(strcpy(name, "bmd_") + 4, names[f]);
		tw_report(s, name, (double)l->bmd[f] / n);
		if (l->push == AUTO) {
			strcpy(strcpy(name, "used_") + 5, names[f]);
			tw_report(s, name, (double)l->used[f] / n);
		}
	}
	tw_report(s, "steal_ratio", (double)l->n_stolen / n);
	tw_report(s, "moved_ratio", (double)l->n_moved / n);
}

/* Groups the workers into `visitors`, and computes the transfer times of eq. 10. */
static void look_around(const struct tw_sched *s, struct laheteroprio *l)
{
	for (tw_worker w = 0; w < tw_n_workers(s); w++) {
		tw_node node = tw_worker_node(s, w);
		tw_arch arch = tw_worker_arch(s, w);
		if (!tw_id_set_has(&l->nodes, node))
			l->arch_of[node] = arch;
		tw_id_set_put(&l->nodes, node, true);
		int i = 0;
		while (i < l->n_visitors && (l->visitors[i].arch != arch || l->visitors[i].node != node))
			i++;
		if (i == l->n_visitors)
			l->visitors[l->n_visitors++] = (struct visitors){.arch = arch, .node = node};
		l->visitors_of[w] = i;
	}
	double most = 0;
	for (tw_node to = 0; (to = tw_id_set_next(&l->nodes, NULL, to)) != TW_NONE; to++)
		for (tw_node from = 0; (from = tw_id_set_next(&l->nodes, NULL, from)) != TW_NONE; from++) {
			double time = tw_transfer_time(s, from, to, UINT64_C(1) << 30);
			l->transfer[to * l->n_nodes + from] = time;
			most = time > most ? time : most;
		}
	for (int i = 0; most > 0 && i < l->n_nodes * l->n_nodes; i++)
		l->transfer[i] /= most;
}

static int init(struct tw_sched *s, void *state, struct tw_error *err)
{
	struct laheteroprio *l = state;
	size_t nodes = (size_t)tw_n_nodes(s), workers = (size_t)tw_n_workers(s);
	bool learns = strcmp(tw_args_text(tw_sched_args(s), "setup"), "auto") == 0;
	while (strcmp(names[l->push], tw_args_text(tw_sched_args(s), "push")) != 0)
		l->push++;
	l->n_nodes = tw_n_nodes(s);
	l->links = tw_task_links_create(s);
	l->pushed = tw_run_alloc(s, (size_t)tw_max_tasks(s), sizeof *l->pushed);
	l->data = tw_located_create(s, l->n_nodes);
	l->seconds = tw_run_alloc(s, nodes, sizeof *l->seconds);
	l->arch_of = tw_run_alloc(s, nodes, sizeof *l->arch_of);
	l->transfer = tw_run_alloc(s, nodes * nodes, sizeof *l->transfer);
	l->visitors = tw_run_alloc(s, workers, sizeof *l->visitors);
	l->visitors_of = tw_run_alloc(s, workers, sizeof *l->visitors_of);
	l->distance = tw_run_alloc(s, nodes, sizeof *l->distance);
	l->others = tw_run_alloc(s, nodes, sizeof *l->others);
	l->nodes = tw_run_id_set(s, l->n_nodes);
	for (int f = 0; f < N_FORMULAS; f++)
		l->best[f] = tw_run_id_set(s, l->n_nodes);
	const struct tw_args *args = tw_sched_args(s);
	if (learns && (tw_args_flag(args, "sizes") || *tw_args_text(args, "best_cpu") ||
	               *tw_args_text(args, "best_gpu") || *tw_args_text(args, "speedup")))
		return tw_fail(err, TW_INVALID,
		               "policy 'laheteroprio': setup=auto learns factors: expected neither "
		               "sizes, best_cpu, best_gpu nor speedup");
	int status = tw_buckets_init(&l->buckets, s, "laheteroprio", learns, err);
	if (status != TW_OK)
		return status;
	look_around(s, l);
	follow_buckets(s, l);
	return TW_OK;
}

/* --- tasks: push, pop, done --------------------------------------------------------------------------------------- */
/* Returns the memory of the worker. TW_NONE: the application's thread, whose place is main memory or the first memory
 * with workers. */
static tw_node place_of(const struct tw_sched *s, const struct laheteroprio *l, tw_worker worker)
{
	return worker == TW_NONE ? tw_id_set_next(&l->nodes, NULL, 0) : tw_worker_node(s, worker);
}

static void push(struct tw_sched *s, void *state, tw_task task, tw_worker released_by)
{
	struct laheteroprio *l = state;
	struct pushed *p = &l->pushed[task];
	tw_node here = place_of(s, l, released_by);
	int bucket = tw_buckets_push(&l->buckets, task);
	enum formula used = l->push == AUTO ? lowest_bmd(l) : l->push;
	find_best(s, l, task, here);
	for (int i = 0; i < n_in_use(l); i++) {
		p->chosen[i] = tw_choose_node(&l->best[in_use(l, i)], here);
		if (in_use(l, i) == used)
			p->list = p->chosen[i];
	}
	l->used[used]++;
	p->released = here;
	int queue = bucket * l->n_nodes + p->list;
	follow_buckets(s, l);
	tw_task_queue_add(&l->grid[queue], task, 0);
	for (int i = 0; i < l->n_visitors && l->grid[queue].n_tasks == 1; i++)
		fill(&l->visitors[i], queue, true);
	tw_wake(s, TW_ALL); /* also wakes workers that a bucket has held back until now */
}

/* Counts a task popped by a worker in memory `here`. Counts the BMD of each formula in use, and whether the task was
 * stolen or moved to another memory. */
static void count(const struct tw_sched *s, struct laheteroprio *l, tw_task task, tw_node here)
{
	const struct pushed *p = &l->pushed[task];
	find_best(s, l, task, here);
	for (int i = 0; i < n_in_use(l); i++) {
		enum formula f = in_use(l, i);
		l->bmd[f] += !tw_id_set_has(&l->best[f], p->chosen[i]);
	}
	l->n_popped++;
	l->n_stolen += p->list != here;
	l->n_moved += p->released != here;
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct laheteroprio *l = state;
	const struct visitors *v = &l->visitors[l->visitors_of[worker]];
	int held_back = TW_NONE; /* a bucket that the worker may not take from: visits to its lists often follow */
	tw_task task = TW_NONE;
	int n_looks = 0;
	for (int visit = -1; (visit = tw_id_set_next(&v->filled, NULL, visit + 1)) != TW_NONE && task == TW_NONE;) {
		int queue = v->list[visit], bucket = queue / l->n_nodes;
		n_looks++;
		if (bucket == held_back)
			continue;
		if (!tw_buckets_may_take(&l->buckets, bucket, v->arch)) {
			held_back = bucket;
			continue;
		}
		task = tw_buckets_pop(&l->buckets, bucket, &l->grid[queue]);
		for (int i = 0; i < l->n_visitors && l->grid[queue].n_tasks == 0; i++)
			fill(&l->visitors[i], queue, false);
		count(s, l, task, v->node);
	}
	tw_looked_at(s, n_looks);
	return task;
}

const struct tw_policy tw_policy_laheteroprio = {
	.abi = TW_POLICY_ABI,
	.name = "laheteroprio",
	.summary = "heteroprio with one list per bucket and memory, chosen by where the data are",
	.params = params,
	.state_size = sizeof(struct laheteroprio),
	.flags = TW_POP_ONLY_TAKES,
	.init = init,
	.finish = finish,
	.push = push,
	.pop = pop,
	.started = tw_buckets_started,
	.done = tw_buckets_done,
};
