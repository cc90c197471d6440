/* Main memories of a platform with several, as devices that copy from one to another. A NUMA node of this machine has a
 * thread, which makes the copies into the node. Of emulated main memories, emulated links make all copies. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/real/real.h"
#include "platform/bind.h"

struct tw__device {
	const struct tw__device_ops *ops;
	struct tw__engine *engine;
	tw_node node;
	struct tw__seat seat;
	pthread_t thread;
	bool runs; /* false: there is no thread, as the main memory is emulated */
};

/* Makes the copies one after the other, in the order of the turns, so in order for each memory that they come from. */
static void serve(void *arg)
{
	struct tw__device *d = arg;
	const struct tw__platform *p = d->engine->platform;
	char why[160];
	if (tw__bind_thread_near(tw__main_number(p, d->node), why, sizeof why) < 0)
		tw_log(TW_LOG_WARNING, "engine 'real': the thread of memory '%s' is not bound to its cores: %s",
		       p->nodes[d->node].name, why);
	for (struct tw__post *post; (post = tw__seat_take(&d->seat));) {
		struct tw__job *job = tw__job_of(post);
		job->start = tw__clock_now(&d->engine->clock);
		memcpy(job->target, job->source, job->bytes);
		job->end = tw__clock_now(&d->engine->clock);
		tw__job_ended(d->engine, job);
	}
}

static void device_copy(struct tw__device *d, struct tw__job *job)
{
	if (d->runs)
		tw__seat_give(&d->seat, &job->post);
	else
		tw__links_copy(d->engine->links, job);
}

static void device_close(struct tw__device *d)
{
	tw__seat_close(&d->seat);
	if (d->runs)
		pthread_join(d->thread, NULL);
	free(d);
}

static const struct tw__device_ops ops = {.copy = device_copy, .close = device_close};

int tw__main_open(struct tw__device **out, struct tw__engine *e, tw_node n, struct tw_error *err)
{
	struct tw__device *d = *out = tw__aligned_room(sizeof *d);
	memset(d, 0, sizeof *d);
	tw__seat_init(&d->seat);
	d->ops = &ops;
	d->engine = e;
	d->node = n;
	if (!e->binds)
		return TW_OK;
	int status = tw__start_thread(e, &d->thread, serve, d, "a main memory", err);
	d->runs = status == TW_OK;
	return status;
}
