/* Emulated accelerators: each has a worker's thread, an arena in main memory, and copies over emulated links.
 *
 * One thread makes all copies. It delays each copy until the date at which the copy would end on the platform's links,
 * which running copies share (links/shares.h). For each ordered pair of memories, one copy is under way at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "engine/real/real.h"
#include "engine/real/family.h"
#include "links/shares.h"

/* --- links -------------------------------------------------------------------------------------------------------- */

struct way { /* copies of an ordered pair of memories */
	struct tw__share share;
	struct tw__job *job;          /* the copy of this way that is under way, or NULL */
	tw__ns copied;                /* date at which the bytes of `job` were copied */
	struct tw__job_queue waiting; /* copies that wait until `job` has ended */
};

struct tw__links {
	struct tw__seat seat;
	struct tw__engine *engine;
	struct tw__shares shares;
	struct way *ways; /* [from * n_nodes + to] copies of each ordered pair of memories */
	pthread_t thread;
	bool runs;
	int n_under_way;
	double date; /* the last date passed to `shares`, in seconds */
};

static struct way *way_of(struct tw__links *l, const struct tw__job *job)
{
	return &l->ways[job->from * l->engine->platform->n_nodes + job->to];
}

/* Returns the date at which a copy starts: now, but dates passed to `shares` must not go back. */
static tw__ns date_of_start(struct tw__links *l)
{
	l->date = fmax(l->date, tw__seconds(tw__clock_now(&l->engine->clock)));
	return tw__ns_of(l->date);
}

/* Starts the next copy of a way: from now on it takes its share of the links. */
static void start(struct tw__links *l, struct way *way)
{
	if (way->job || !way->waiting.first)
		return;
	struct tw__job *job = way->job = tw__queue_take(&way->waiting);
	way->copied = -1;
	l->n_under_way++;
	job->start = date_of_start(l);
	tw__shares_begin(&l->shares, &way->share, job->from, job->to, (double)job->bytes, l->date);
}

static void copy(struct tw__links *l, struct way *way)
{
	struct tw__job *job = way->job;
	if (!job || way->copied >= job->start)
		return;
	memcpy(job->target, job->source, job->bytes);
	way->copied = tw__clock_now(&l->engine->clock);
}

static void take(struct tw__links *l, struct tw__job *job)
{
	struct way *way = way_of(l, job);
	if (l->engine->empty) {
		job->start = job->end = date_of_start(l);
		tw__job_ended(l->engine, job);
		return;
	}
	tw__queue_put(&way->waiting, job);
	start(l, way);
	copy(l, way);
}

/* Ends the first copy. Reports the end before it copies the bytes of the following copy, which may take long. */
static void end(struct tw__links *l)
{
	l->date = fmax(l->date, tw__shares_next(&l->shares));
	struct tw__share *share = tw__shares_end(&l->shares, l->date);
	struct way *way = (struct way *)((char *)share - offsetof(struct way, share));
	struct tw__job *job = way->job;
	job->end = tw__latest(tw__latest(job->start, tw__ns_after(share->end)), way->copied);
	way->job = NULL;
	l->n_under_way--;
	start(l, way);
	tw__job_ended(l->engine, job);
	copy(l, way);
}

static tw__ns next_end(struct tw__links *l) { return tw__ns_after(tw__shares_next(&l->shares)); }

/* Sleeps until the next copy ends, or until an item is given to the seat. */
static void rest(struct tw__links *l)
{
	const struct tw__clock *clock = &l->engine->clock;
	double left_s = tw__clock_seconds(clock, tw__clock_now(clock), next_end(l));
	if (left_s > 0)
		tw__seat_wait(&l->seat, left_s);
}

/* Runs the links' thread: sleeps until the next end of a copy or the next new copy, and handles it. Returns when the
 * seat is closed and no copy is left. */
static void *serve(void *arg)
{
	struct tw__links *l = arg;
	prctl(PR_SET_TIMERSLACK, 1UL);
	for (;;) {
		struct tw__post *post = l->n_under_way ? tw__seat_poll(&l->seat) : tw__seat_take(&l->seat);
		if (!post && !l->n_under_way)
			return NULL;
		for (; post; post = tw__seat_poll(&l->seat))
			take(l, tw__job_of(post));
		while (next_end(l) <= tw__clock_now(&l->engine->clock))
			end(l);
		if (l->n_under_way)
			rest(l);
	}
}

int tw__links_create(struct tw__links **out, struct tw__engine *e, enum tw__link_shares shares, struct tw_error *err)
{
	size_t n = (size_t)e->platform->n_nodes;
	struct tw__links *l = tw__aligned_room(sizeof *l);
	*out = l;
	if (!l)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	memset(l, 0, sizeof *l);
	tw__seat_init(&l->seat);
	l->engine = e;
	l->ways = calloc(n * n, sizeof *l->ways);
	if (!l->ways || tw__shares_init(&l->shares, e->platform, tw__weight_unit(e->platform, shares)))
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	int status = tw__start_thread(&l->thread, serve, l, "the links", err);
	l->runs = status == TW_OK;
	return status;
}

void tw__links_destroy(struct tw__links *l)
{
	if (!l)
		return;
	tw__seat_close(&l->seat);
	if (l->runs)
		pthread_join(l->thread, NULL);
	if (l->ways)
		tw__shares_finish(&l->shares);
	free(l->ways);
	free(l);
}

/* --- accelerators ------------------------------------------------------------------------------------------------- */

struct tw__device {
	const struct tw__device_ops *ops;
	struct tw__engine *engine;
	tw_node node;
	struct tw__worker_thread *worker;
};

static void device_close(struct tw__device *d)
{
	if (!d)
		return;
	tw__worker_thread_destroy(d->worker);
	free(d);
}

static int device_open(struct tw__device **out, struct tw__engine *e, tw_worker worker, uint64_t arena_bytes,
                       struct tw_error *err)
{
	struct tw__device *d = calloc(1, sizeof *d);
	if (!d)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	*d = (struct tw__device){.ops = &tw__device_emulated, .engine = e, .node = e->platform->workers[worker].node};
	int status = tw__spaces_map(&e->spaces, d->node, arena_bytes, err);
	if (status == TW_OK)
		status = tw__worker_thread_create(&d->worker, e, worker, TW_NONE, err);
	if (status < 0)
		device_close(d);
	else
		*out = d;
	return status;
}

/* Returns true: an emulated accelerator has every kernel that cores have. */
static bool device_has(const char *workload, const char *kernel)
{
	(void)workload, (void)kernel;
	return true;
}

static void device_launch(struct tw__device *d, struct tw__job *job) { tw__worker_thread_give(d->worker, job); }

static void device_copy(struct tw__device *d, struct tw__job *job)
{
	tw__seat_give(&d->engine->links->seat, &job->post);
}

static void device_poison(struct tw__device *d, void *at, uint64_t bytes)
{
	(void)d;
	memset(at, 0xff, bytes);
}

static int device_fetch(struct tw__device *d, void *target, const void *source, uint64_t bytes, struct tw_error *err)
{
	(void)d, (void)err;
	memcpy(target, source, bytes);
	return TW_OK;
}

const struct tw__device_ops tw__device_emulated = {
	.has = device_has,
	.open = device_open,
	.launch = device_launch,
	.copy = device_copy,
	.poison = device_poison,
	.fetch = device_fetch,
	.close = device_close,
};
