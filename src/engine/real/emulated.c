/* Emulated accelerators: each has a worker's thread, an arena in main memory, and copies over emulated links.
 *
 * One thread makes all copies. It delays each copy until the date at which the copy would end on the platform's links
 * (job.c). */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/memory.h"
#include "engine/real/real.h"

/* --- links -------------------------------------------------------------------------------------------------------- */

struct tw__links {
	struct tw__seat seat;
	struct tw__engine *engine;
	struct tw__copy_queues copies;
	pthread_t thread;
	bool runs;
};

static tw__ns now(const struct tw__links *l) { return tw__clock_now(&l->engine->clock); }

/* Copies the bytes of a copy that has started. */
static void copy(struct tw__links *l, struct tw__copy_queue *queue, const struct tw__job *job)
{
	if (!job)
		return;
	memcpy(job->target, job->source, job->bytes);
	queue->copied = now(l);
}

static void take(struct tw__links *l, struct tw__job *job)
{
	if (l->engine->empty) {
		job->start = job->end = now(l);
		tw__job_ended(l->engine, job);
		return;
	}
	struct tw__copy_queue *queue = tw__copy_queue_put(&l->copies, job);
	copy(l, queue, tw__copy_queue_start(&l->copies, queue, now(l)));
}

/* Ends the first copy. Reports the end before it copies the bytes of the following copy, which may take long. */
static void end(struct tw__links *l)
{
	struct tw__copy_queue *queue;
	struct tw__job *job = tw__copy_queue_end(&l->copies, &queue);
	job->end = tw__latest(job->end, queue->copied);
	const struct tw__job *next = tw__copy_queue_start(&l->copies, queue, now(l));
	tw__job_ended(l->engine, job);
	copy(l, queue, next);
}

/* Sleeps until the next copy ends, or until an item is given to the seat. */
static void rest(struct tw__links *l)
{
	double left_s = tw__clock_seconds(&l->engine->clock, now(l), tw__copy_queues_next(&l->copies));
	if (left_s > 0)
		tw__seat_wait(&l->seat, left_s);
}

/* Runs the links' thread: sleeps until the next end of a copy or the next new copy, and handles it. Returns when the
 * seat is closed and no copy is left. */
static void serve(void *arg)
{
	struct tw__links *l = arg;
	prctl(PR_SET_TIMERSLACK, 1UL);
	for (;;) {
		struct tw__post *post = l->copies.n_under_way ? tw__seat_poll(&l->seat) : tw__seat_take(&l->seat);
		if (!post && !l->copies.n_under_way)
			return;
		for (; post; post = tw__seat_poll(&l->seat))
			take(l, tw__job_of(post));
		while (tw__copy_queues_next(&l->copies) <= now(l))
			end(l);
		if (l->copies.n_under_way)
			rest(l);
	}
}

int tw__links_create(struct tw__links **out, struct tw__engine *e, enum tw__link_shares shares, struct tw_error *err)
{
	struct tw__links *l = *out = tw__aligned_room(sizeof *l);
	memset(l, 0, sizeof *l);
	tw__seat_init(&l->seat);
	l->engine = e;
	tw__copy_queues_init(&l->copies, e->platform, shares);
	int status = tw__start_thread(e, &l->thread, serve, l, "the links", err);
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
	tw__copy_queues_finish(&l->copies);
	free(l);
}

void tw__links_copy(struct tw__links *l, struct tw__job *job) { tw__seat_give(&l->seat, &job->post); }

/* --- accelerators ------------------------------------------------------------------------------------------------- */

struct tw__device {
	const struct tw__device_ops *ops;
	struct tw__engine *engine;
	struct tw__worker_thread *worker;
};

static void device_close(struct tw__device *d) { tw__worker_thread_destroy(d->worker); }

static int device_open(struct tw__device **out, struct tw__engine *e, tw_worker worker, uint64_t arena_bytes,
                       struct tw_error *err)
{
	struct tw__device *d = *out = tw__arena_alloc(&e->memory, 1, sizeof *d);
	d->ops = &tw__device_emulated;
	d->engine = e;
	int status = tw__spaces_map(&e->spaces, e->platform->workers[worker].node, arena_bytes, err);
	return status == TW_OK ? tw__worker_thread_create(&d->worker, e, worker, err) : status;
}

static void device_launch(struct tw__device *d, struct tw__job *job) { tw__worker_thread_give(d->worker, job); }

static void device_copy(struct tw__device *d, struct tw__job *job) { tw__links_copy(d->engine->links, job); }

const struct tw__device_ops tw__device_emulated = {
	.open = device_open,
	.launch = device_launch,
	.copy = device_copy,
	.close = device_close,
};
