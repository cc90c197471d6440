/* Streams: a GPU has one each for kernels, for copies to the GPU, for copies from it, and for copies between GPUs. The
 * jobs of one stream run in order. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "engine/real/cuda/cuda.h"

/* --- entries ---------------------------------------------------------------------------------------------------- */

static struct tw__entry *entry_get(struct tw__device *d)
{
	struct tw__entry *entry = d->unused;
	if (entry) {
		d->unused = entry->next;
		return entry;
	}
	entry = tw_alloc(1, sizeof *entry);
	if (TW__CUDA(d, cudaEventCreateWithFlags, &entry->start, TW__CUDA_EVENT_DEFAULT) &&
	    TW__CUDA(d, cudaEventCreateWithFlags, &entry->end, TW__CUDA_EVENT_DEFAULT))
		return entry;
	if (entry->start)
		d->api->cudaEventDestroy(entry->start);
	free(entry);
	return NULL;
}

static void entry_put(struct tw__device *d, struct tw__entry *entry)
{
	entry->next = d->unused;
	d->unused = entry;
}

bool tw__streams_open(struct tw__device *d)
{
	bool good = true;
	for (int i = 0; i < TW__N_LANES && good; i++)
		good = TW__CUDA(d, cudaStreamCreateWithFlags, &d->streams[i].cuda, TW__CUDA_STREAM_NON_BLOCKING);
	return good;
}

void tw__streams_close(struct tw__device *d)
{
	for (int i = 0; i < TW__N_LANES; i++)
		if (d->streams[i].cuda)
			TW__CUDA(d, cudaStreamDestroy, d->streams[i].cuda);
	if (d->reference.event)
		TW__CUDA(d, cudaEventDestroy, d->reference.event);
	for (struct tw__entry *entry = d->unused, *next; entry; entry = next) {
		next = entry->next;
		TW__CUDA(d, cudaEventDestroy, entry->start);
		TW__CUDA(d, cudaEventDestroy, entry->end);
		free(entry);
	}
}

/* --- dates ------------------------------------------------------------------------------------------------------ */

/* A reference serves this long. Then the GPU's clock may be some microseconds apart from this machine's, and CUDA's
 * times, which are floats, lose their digits. */
#define REFERENCE_LASTS TW__NS_PER_S

/* Makes an event of the idle GPU the reference, and waits for it. If this thread has lost its core meanwhile, the wait
 * was long, and the event's date is uncertain: then it tries again. */
static bool set_reference(struct tw__device *d)
{
	enum { TRIALS = 5, SHORT_NS = 20000 };
	const struct tw__clock *clock = &d->engine->clock;
	tw__cuda_stream stream = d->streams[TW__LANE_KERNELS].cuda;
	struct tw__reference *r = &d->reference;
	if (!r->event && !TW__CUDA(d, cudaEventCreateWithFlags, &r->event, TW__CUDA_EVENT_DEFAULT))
		return false;
	tw__ns before = 0;
	for (int i = 0; i == 0 || (i < TRIALS && r->date - before > SHORT_NS); i++) {
		before = tw__clock_now(clock);
		if (!TW__CUDA(d, cudaEventRecord, r->event, stream) || !TW__CUDA(d, cudaStreamSynchronize, stream))
			return false;
		r->date = tw__clock_now(clock);
	}
	r->zero = clock->zero;
	r->least_delay = TW__NEVER;
	return true;
}

/* Whether a job may start now: an idle GPU gets a new reference if there is none of this run's clock, or an old one. */
static bool has_reference(struct tw__device *d)
{
	const struct tw__reference *r = &d->reference;
	const struct tw__clock *clock = &d->engine->clock;
	if (d->n_under_way ||
	    (r->event && r->zero.tv_sec == clock->zero.tv_sec && r->zero.tv_nsec == clock->zero.tv_nsec &&
	     tw__clock_now(clock) - r->date < REFERENCE_LASTS))
		return true;
	return set_reference(d);
}

/* Returns the date at which the GPU reached an event. */
static tw__ns date_of(struct tw__device *d, tw__cuda_event event)
{
	float ms = 0;
	TW__CUDA(d, cudaEventElapsedTime, &ms, d->reference.event, event);
	return d->reference.date + (tw__ns)llround(1e6 * (double)ms);
}

/* Makes the end of a job the reference, once the reference is old. Of many ends, one is seen almost at once. So the
 * least delay since the last reference tells how far the two clocks have drifted apart. */
static void renew_reference(struct tw__device *d, struct tw__entry *entry, tw__ns end)
{
	struct tw__reference *r = &d->reference;
	if (end - r->date < REFERENCE_LASTS)
		return;
	tw__cuda_event old = r->event;
	r->event = entry->end;
	entry->end = old;
	r->date = end + r->least_delay;
	r->least_delay = TW__NEVER;
}

/* --- jobs ------------------------------------------------------------------------------------------------------- */

static enum tw__gpu_lane lane_of(const struct tw__device *d, const struct tw__job *job)
{
	const struct tw__platform *p = d->engine->platform;
	if (!job->is_copy)
		return TW__LANE_KERNELS;
	return tw__is_main(p, job->from) ? TW__LANE_TO_DEVICE
	       : tw__is_main(p, job->to) ? TW__LANE_TO_HOST
	                                 : TW__LANE_PEERS;
}

static bool copy(struct tw__device *d, const struct tw__job *job, tw__cuda_stream stream)
{
	const struct tw__engine *e = d->engine;
	if (tw__is_main(e->platform, job->from))
		return TW__CUDA(d, cudaMemcpyAsync, job->target, job->source, job->bytes, TW__CUDA_TO_DEVICE, stream);
	if (tw__is_main(e->platform, job->to))
		return TW__CUDA(d, cudaMemcpyAsync, job->target, job->source, job->bytes, TW__CUDA_TO_HOST, stream);
	return TW__CUDA(d, cudaMemcpyPeerAsync, job->target, e->devices[job->to]->index, job->source,
	                e->devices[job->from]->index, job->bytes, stream);
}

/* Starts a kernel. If it has a result, that is copied to main memory after the kernel. */
static bool run(struct tw__device *d, const struct tw__job *job, struct tw__entry *entry, tw__cuda_stream stream)
{
	const struct tw__cuda_codelet *codelet = d->codelets[d->engine->graph->kernel[job->task]];
	struct tw__cuda_call call = {.device = d,
	                             .codelet = codelet,
	                             .shape = d->engine->family->shape,
	                             .n_operands = job->n_operands,
	                             .operands = job->operands,
	                             .work = d->work};
	entry->info = -1;
	if (!codelet) {
		snprintf(d->why, sizeof d->why, "'%s' does not have this kernel: expected no time for it there",
		         d->name);
		return false;
	}
	if (!codelet->tells_info)
		return codelet->run(&call);
	entry->info = d->next_info++ % TW__MOST_INFOS;
	call.info = d->info + entry->info;
	return codelet->run(&call) && TW__CUDA(d, cudaMemcpyAsync, d->host_info + entry->info, call.info, sizeof(int),
	                                       TW__CUDA_TO_HOST, stream);
}

static void fail(struct tw__device *d, struct tw__job *job)
{
	job->start = job->end = tw__clock_now(&d->engine->clock);
	job->why = d->why;
	tw__job_ended(d->engine, job);
}

void tw__streams_start(struct tw__device *d, struct tw__job *job)
{
	struct tw__stream *stream = &d->streams[lane_of(d, job)];
	/* Once a call has failed, no other call is made. */
	struct tw__entry *entry = *d->why || !has_reference(d) ? NULL : entry_get(d);
	if (!entry) {
		fail(d, job);
		return;
	}
	entry->job = job;
	entry->next = NULL;
	job->start = tw__clock_now(&d->engine->clock);
	if (!TW__CUDA(d, cudaEventRecord, entry->start, stream->cuda) ||
	    !(job->is_copy ? copy(d, job, stream->cuda) : run(d, job, entry, stream->cuda)) ||
	    !TW__CUDA(d, cudaEventRecord, entry->end, stream->cuda)) {
		entry_put(d, entry);
		fail(d, job);
		return;
	}
	job->call = tw__clock_now(&d->engine->clock) - job->start;
	if (stream->first)
		stream->last->next = entry;
	else
		stream->first = entry;
	stream->last = entry;
	d->n_under_way++;
}

/* Sets the dates of a job from its events. No end is later than now, so if one seems to be, the reference has too late
 * a date. */
static void set_dates(struct tw__device *d, struct tw__stream *stream, struct tw__entry *entry)
{
	struct tw__job *job = entry->job;
	const tw__ns given = tw__latest(job->start, stream->ended), now = tw__clock_now(&d->engine->clock);
	job->start = job->end = now;
	if (!*d->why) {
		tw__ns start = date_of(d, entry->start), end = date_of(d, entry->end);
		const tw__ns late = tw__latest(0, end - now);
		start -= late;
		end -= late;
		d->reference.date -= late;
		d->reference.least_delay = tw__earliest(d->reference.least_delay, now - end);
		job->end = tw__latest(given, end);
		job->start = tw__earliest(job->end, tw__latest(given, start));
		renew_reference(d, entry, end);
	}
	stream->ended = job->end;
}

static void finish(struct tw__device *d, struct tw__stream *stream, struct tw__entry *entry)
{
	struct tw__job *job = entry->job;
	set_dates(d, stream, entry);
	/* After a failure it is unknown whether the kernel's result has arrived. */
	if (!job->is_copy && entry->info >= 0 && !*d->why)
		job->code = d->host_info[entry->info];
	job->why = *d->why ? d->why : NULL;
	stream->first = entry->next;
	entry_put(d, entry);
	d->n_under_way--;
	tw__job_ended(d->engine, job);
}

bool tw__streams_look(struct tw__device *d)
{
	bool any = false;
	for (int i = 0; i < TW__N_LANES; i++)
		while (d->streams[i].first) {
			struct tw__entry *entry = d->streams[i].first;
			int status = *d->why ? TW__CUDA_SUCCESS : d->api->cudaEventQuery(entry->end);
			if (status == TW__CUDA_NOT_READY)
				break;
			if (!*d->why)
				tw__cuda_good(d, "cudaEventQuery", status);
			finish(d, &d->streams[i], entry);
			any = true;
		}
	return any;
}
