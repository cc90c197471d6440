#include "policies/support/buckets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the order in which each arch visits the buckets -------------------------------------------------------------- */

static double mean_seconds(const struct tw_bucket *k, tw_arch a)
{
	return k->archs >> a & 1 ? k->seconds[a] / k->n_seen : INFINITY;
}

/* Returns the mean time of the bucket's tasks on the best arch of another type, divided by their mean time on arch a.
 * INFINITY: no other type can run them. */
static double advantage(const struct tw_buckets *b, int bucket, tw_arch a)
{
	const struct tw_bucket *k = &b->of[bucket];
	double own = mean_seconds(k, a), best = INFINITY;
	for (tw_arch other = 0; other < b->n_archs; other++)
		if (b->type_of[other] != b->type_of[a])
			best = fmin(best, mean_seconds(k, other));
	if (own > 0)
		return best / own;
	return best > 0 ? INFINITY : 1;
}

static int by_standing(const void *a, const void *b)
{
	const struct tw_standing *x = a, *y = b;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->bucket - y->bucket;
}

/* Fills b->standings with the buckets that the arch visits, and the keys to sort them by. Returns their number. */
static int fill_standings(struct tw_buckets *b, tw_arch a, enum tw_unit unit)
{
	const int *rank = b->names.rank[unit == TW_ACCELERATOR];
	int n = 0, n_known = b->learns ? b->learned.n_ordered[unit] : b->n;
	for (int i = 0; i < n_known; i++) {
		int bucket = b->learns ? b->learned.order[unit][i] : i;
		if (b->of[bucket].archs >> a & 1)
			b->standings[n++] = (struct tw_standing){rank[b->of[bucket].name], bucket,
			                                         b->learns ? -i : advantage(b, bucket, a)};
	}
	return n;
}

static void sort(struct tw_buckets *b)
{
	for (tw_arch a = 0; a < b->n_archs; a++) {
		if (b->example[a] == TW_NONE)
			continue;
		int n = fill_standings(b, a, tw_unit_of(b->s, b->example[a]));
		if (n) /* a domain without tasks has no buckets */
			qsort(b->standings, (size_t)n, sizeof *b->standings, by_standing);
		for (int i = 0; i < n; i++)
			b->order[a][i] = b->standings[i].bucket;
		b->n_ordered[a] = n;
	}
	b->sorted++;
}

/* --- tasks enter and leave buckets -------------------------------------------------------------------------------- */

static int make(struct tw_buckets *b, int name, uint64_t archs)
{
	if (b->n == b->capacity) {
		b->capacity = 2 * b->capacity + 8;
		b->of = tw_run_resize(b->s, b->of, (size_t)b->capacity, sizeof *b->of);
		b->standings = tw_run_resize(b->s, b->standings, (size_t)b->capacity, sizeof *b->standings);
		for (tw_arch a = 0; a < b->n_archs; a++)
			b->order[a] = tw_run_resize(b->s, b->order[a], (size_t)b->capacity, sizeof *b->order[a]);
	}
	bool runs_on[TW_N_UNITS] = {false};
	for (tw_arch a = 0; a < b->n_archs; a++)
		runs_on[b->is_accelerator[a]] |= archs >> a & 1;
	if (b->learns)
		tw_learned_order_add(&b->learned, b->s, runs_on);
	b->of[b->n] = (struct tw_bucket){
		.name = name,
		.archs = archs,
		.best = b->names.best[name],
		.speedup = b->names.speedup[name],
		.seconds = tw_run_alloc(b->s, (size_t)b->n_archs, sizeof(double)),
		.namesake = b->newest_of[name],
	};
	return b->newest_of[name] = b->n++;
}

/* Returns the bucket of the task, which is created if necessary. */
static int find(struct tw_buckets *b, tw_task task)
{
	int *bucket = &b->bucket_of[tw_task_class(b->s, task)];
	if (*bucket != TW_NONE)
		return *bucket;
	uint64_t archs = 0;
	for (tw_arch a = 0; a < b->n_archs; a++)
		if (b->example[a] != TW_NONE && !isinf(tw_task_length(b->s, task, b->example[a])))
			archs |= UINT64_C(1) << a;
	int name = b->names.of[tw_graph_task_kernel(tw_sched_graph(b->s), task)];
	for (int i = b->newest_of[name]; i != TW_NONE; i = b->of[i].namesake)
		if (b->of[i].archs == archs)
			return *bucket = i;
	return *bucket = make(b, name, archs);
}

/* Whether the arch is of the type that the user called the fastest; also if the user called none so. */
static bool is_of_best(const struct tw_buckets *b, const struct tw_bucket *k, tw_arch a)
{
	return k->best == TW_N_UNITS || b->is_accelerator[a] == (k->best == TW_ACCELERATOR);
}

static void see(struct tw_buckets *b, tw_task task)
{
	int bucket = find(b, task); /* may move b->of */
	struct tw_bucket *k = &b->of[bucket];
	k->n_seen++;
	k->fastest = TW_NONE;
	for (tw_arch a = 0; a < b->n_archs; a++) {
		if (!(k->archs >> a & 1))
			continue;
		k->seconds[a] += tw_task_length(b->s, task, b->example[a]);
		if (is_of_best(b, k, a) && (k->fastest == TW_NONE || k->seconds[a] < k->seconds[k->fastest]))
			k->fastest = a;
	}
}

static int bucket_of(void *buckets, tw_task task) { return find(buckets, task); }

int tw_buckets_push(struct tw_buckets *b, tw_task task)
{
	int before = b->n;
	bool sorted = false;
	if (b->learns)
		tw_learned_order_push(&b->learned, b->s, task, bucket_of, b, &sorted);
	int bucket = find(b, task);
	if (!b->learns && b->n > before)
		see(b, task);
	if (sorted || b->n > before)
		sort(b);
	b->of[bucket].n_ready++;
	return bucket;
}

void tw_buckets_started(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_buckets *b = state;
	(void)task;
	if (b->learns)
		tw_learned_order_begin(&b->learned, s, worker);
}

void tw_buckets_done(struct tw_sched *s, void *state, tw_task task, tw_worker worker)
{
	struct tw_buckets *b = state;
	if (b->learns)
		tw_learned_order_end(&b->learned, s, find(b, task), worker);
}

tw_task tw_buckets_pop(struct tw_buckets *b, int bucket, struct tw_task_queue *list)
{
	if (list->n_tasks == 0)
		return TW_NONE;
	/* All tasks in the list were added with one priority. */
	tw_task task = b->newest ? list->levels[0].newest : list->levels[0].oldest;
	tw_task_queue_remove(list, task, 0);
	b->of[bucket].n_ready--;
	return task;
}

/* Returns the speedup factor that the user gave. Without it, the mean time of the bucket's tasks on this arch, divided
 * by their mean time on the fastest arch. */
static double slowdown(const struct tw_bucket *k, tw_arch a)
{
	if (k->speedup > 0)
		return k->speedup;
	double fastest = k->seconds[k->fastest];
	if (fastest > 0)
		return k->seconds[a] / fastest;
	return k->seconds[a] > 0 ? INFINITY : 1;
}

bool tw_holds_enough(int32_t n_ready, int n_fastest, double slowdown, bool at_least)
{
	double limit = n_fastest * slowdown;
	return at_least ? n_ready >= limit : n_ready > limit;
}

/* Whether the arch is of the bucket's fastest type. */
static bool is_fast(const struct tw_buckets *b, const struct tw_bucket *k, tw_arch a)
{
	return k->best == TW_N_UNITS ? b->type_of[a] == b->type_of[k->fastest] : is_of_best(b, k, a);
}

bool tw_buckets_may_take(const struct tw_buckets *b, int bucket, tw_arch a)
{
	const struct tw_bucket *k = &b->of[bucket];
	if (b->learns)
		return tw_learned_order_may_take(&b->learned, bucket, b->is_accelerator[a], k->n_ready, b->factor);
	if (b->factor == 0 || is_fast(b, k, a))
		return true;
	int n_fastest = 0;
	for (tw_arch other = 0; other < b->n_archs; other++)
		if ((k->archs >> other & 1) && is_fast(b, k, other))
			n_fastest += b->n_workers[other];
	return tw_holds_enough(k->n_ready, n_fastest, b->factor * slowdown(k, a), b->at_least);
}

/* --- set-up before the run ---------------------------------------------------------------------------------------- */

static void allocate(struct tw_buckets *b, const struct tw_sched *s)
{
	size_t archs = (size_t)tw_n_archs(s), kernels = (size_t)tw_graph_n_kernels(tw_sched_graph(s));
	*b = (struct tw_buckets){
		.s = s,
		.n_archs = (int)archs,
		.example = tw_run_alloc(s, archs, sizeof *b->example),
		.is_accelerator = tw_run_alloc(s, archs, sizeof *b->is_accelerator),
		.n_workers = tw_run_alloc(s, archs, sizeof *b->n_workers),
		.type_of = tw_run_alloc(s, archs, sizeof *b->type_of),
		.order = tw_run_alloc(s, archs, sizeof *b->order),
		.n_ordered = tw_run_alloc(s, archs, sizeof *b->n_ordered),
		.bucket_of = tw_run_alloc(s, (size_t)tw_n_task_classes(s), sizeof *b->bucket_of),
		.newest_of = tw_run_alloc(s, kernels, sizeof *b->newest_of),
	};
	for (size_t k = 0; k < kernels; k++)
		b->newest_of[k] = TW_NONE;
}

/* Whether both workers take the same time, within 10 %, for all tasks of the graph together. Both must be able to run
 * the same tasks. */
static bool as_fast(const struct tw_sched *s, tw_worker x, tw_worker y)
{
	double sum_x = 0, sum_y = 0;
	for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++) {
		if (!tw_task_is_mine(s, t))
			continue;
		double on_x = tw_task_length(s, t, x), on_y = tw_task_length(s, t, y);
		if (isinf(on_x) != isinf(on_y))
			return false;
		sum_x += isinf(on_x) ? 0 : on_x;
		sum_y += isinf(on_y) ? 0 : on_y;
	}
	return sum_x <= 1.1 * sum_y && sum_y <= 1.1 * sum_x;
}

static void find_types(struct tw_buckets *b, const struct tw_sched *s)
{
	for (tw_arch a = 0; a < b->n_archs; a++) {
		tw_worker w = b->example[a];
		tw_arch same = 0;
		for (; w != TW_NONE && same < a; same++) {
			tw_worker other = b->example[same];
			if (other != TW_NONE && b->type_of[same] == same &&
			    tw_worker_is_accelerator(s, other) == tw_worker_is_accelerator(s, w) &&
			    tw_worker_cores(s, other) == tw_worker_cores(s, w) && as_fast(s, other, w))
				break;
		}
		b->type_of[a] = w == TW_NONE ? a : same;
	}
}

/* Fails if the user called a type the fastest for a bucket that it cannot run. */
static int check_best(const struct tw_buckets *b, const char *policy, struct tw_error *err)
{
	for (int i = 0; i < b->n; i++)
		if (b->of[i].fastest == TW_NONE)
			return tw_fail(err, TW_INVALID, "policy '%s': best_%s of this run can run tasks of '%.100s'",
			               policy, b->of[i].best == TW_ACCELERATOR ? "gpu: no GPU" : "cpu: no CPU",
			               tw_graph_kernel_name(tw_sched_graph(b->s), b->of[i].name));
	return TW_OK;
}

int tw_buckets_init(struct tw_buckets *b, const struct tw_sched *s, const char *policy, bool learns,
                    struct tw_error *err)
{
	const struct tw_args *args = tw_sched_args(s);
	if (tw_n_archs(s) > 64)
		return tw_fail(err, TW_INVALID, "policy '%s': %d kinds of workers: expected at most 64", policy,
		               tw_n_archs(s));
	allocate(b, s);
	for (tw_arch a = 0; a < b->n_archs; a++)
		b->example[a] = TW_NONE;
	for (tw_worker w = tw_n_workers(s) - 1; w >= 0; w--) {
		b->example[tw_worker_arch(s, w)] = w;
		b->is_accelerator[tw_worker_arch(s, w)] = tw_worker_is_accelerator(s, w);
		b->n_workers[tw_worker_arch(s, w)]++;
	}
	find_types(b, s);
	for (int c = 0; c < tw_n_task_classes(s); c++)
		b->bucket_of[c] = TW_NONE;
	b->learns = learns;
	b->newest = learns || tw_args_flag(args, "newest");
	b->at_least = learns || tw_args_flag(args, "at_least");
	tw_learned_order_init(&b->learned, s);
	b->factor = tw_args_real(args, "factor");
	int status = tw_bucket_names_init(&b->names, s, policy, !learns, err);
	if (status != TW_OK || learns)
		return status;
	for (tw_task t = 0; t < tw_graph_n_tasks(tw_sched_graph(s)); t++)
		if (tw_task_is_mine(s, t))
			see(b, t);
	sort(b);
	return check_best(b, policy, err);
}

/* --- buckets with one queue each ---------------------------------------------------------------------------------- */

int tw_bucket_queues_init(struct tw_bucket_queues *q, const struct tw_sched *s, const char *policy, bool learns,
                          struct tw_error *err)
{
	q->links = tw_task_links_create(s);
	return tw_buckets_init(&q->buckets, s, policy, learns, err);
}

void tw_bucket_queues_push(struct tw_bucket_queues *q, tw_task task)
{
	int bucket = tw_buckets_push(&q->buckets, task);
	const struct tw_sched *s = q->buckets.s;
	if (q->n < q->buckets.n)
		q->of = tw_run_resize(s, q->of, (size_t)q->buckets.n, sizeof *q->of);
	while (q->n < q->buckets.n)
		tw_task_queue_init(&q->of[q->n++], s, q->links);
	tw_task_queue_add(&q->of[bucket], task, 0);
}

bool tw_bucket_queues_offer(const struct tw_bucket_queues *q, tw_arch arch)
{
	const struct tw_buckets *b = &q->buckets;
	for (int i = 0; i < b->n_ordered[arch]; i++)
		if (b->of[b->order[arch][i]].n_ready > 0 && tw_buckets_may_take(b, b->order[arch][i], arch))
			return true;
	return false;
}

tw_task tw_bucket_queues_pop(struct tw_sched *s, void *state, tw_worker worker)
{
	struct tw_bucket_queues *q = state;
	struct tw_buckets *b = &q->buckets;
	tw_arch arch = tw_worker_arch(s, worker);
	tw_task task = TW_NONE;
	int n_looks = 0;
	for (int i = 0; i < b->n_ordered[arch] && task == TW_NONE; i++) {
		int bucket = b->order[arch][i];
		n_looks += b->of[bucket].n_ready > 0;
		if (b->of[bucket].n_ready > 0 && tw_buckets_may_take(b, bucket, arch))
			task = tw_buckets_pop(b, bucket, &q->of[bucket]);
	}
	tw_looked_at(s, n_looks);
	return task;
}
