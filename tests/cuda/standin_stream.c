/* Streams: each is a thread that runs the stream's operations in order. */
#include "standin.h"

#include <signal.h>
#include <stdlib.h>

struct CUstream_st {
	struct standin_thing thing;
	int device;
	pthread_t thread;
	pthread_cond_t work;
	struct standin_op *first, *last; /* the first one stays until it is done */
	bool ends;
	double date;                   /* when all operations so far have ended */
	double copies_from, copies_to; /* the last time without a gap in which there were copies */
	int n_kernels, n_since_kernel; /* number of kernels; of records since the last one */
};

/* --- the thread --------------------------------------------------------------------------------------------------- */

static pthread_cond_t done = PTHREAD_COND_INITIALIZER; /* signalled after each operation */
static uint64_t n_enqueued;                            /* operations of all streams */
static char device_order[STANDIN_MOST_GPUS];           /* only used as addresses, for the thread sanitizer */

static double later(double a, double b) { return a > b ? a : b; }

/* The pause of STANDIN_PAUSE comes before the second record behind a kernel: the first one is the kernel's end. */
static double pause_before(struct CUstream_st *stream, const struct standin_op *op)
{
	const struct standin_settings *s = standin_settings();
	if (op->kind == STANDIN_KERNEL) {
		stream->n_kernels++;
		stream->n_since_kernel = 0;
	} else if (op->kind == STANDIN_RECORD && s->pause_every && ++stream->n_since_kernel == 2 &&
	           stream->n_kernels % s->pause_every == 0) {
		return s->pause_s;
	}
	return 0;
}

/* Computes the dates of an operation. `took_s`: how long the machine took for it. */
static void set_dates(struct CUstream_st *stream, struct standin_op *op, double took_s)
{
	standin_lock();
	const bool is_alone = op->enqueued_s >= stream->date;
	const double start = later(stream->date, op->enqueued_s) + pause_before(stream, op);
	const double longer = is_alone && op->kind == STANDIN_KERNEL ? 1 + standin_settings()->alone : 1;
	if (op->kind == STANDIN_RECORD)
		took_s = 0;
	op->end_s = start + later(longer * op->least_s, took_s);
	if (op->kind == STANDIN_COPY) {
		stream->copies_from = start > stream->copies_to ? start : stream->copies_from;
		stream->copies_to = op->end_s;
	}
	stream->date = op->end_s;
	standin_unlock();
}

static void run(struct CUstream_st *stream, int device, struct standin_op *op)
{
	STANDIN_ACQUIRE(op);
	const double start = standin_now();
	if (op->kind == STANDIN_RECORD)
		set_dates(stream, op, 0);
	op->run(op);
	if (op->kind != STANDIN_RECORD)
		set_dates(stream, op, standin_now() - start);
	STANDIN_RELEASE(stream);
	STANDIN_RELEASE(&device_order[device]);
}

static void *serve(void *arg)
{
	struct CUstream_st *stream = arg;
	standin_lock();
	int device = stream->device;
	for (;;) {
		while (!stream->first && !stream->ends)
			standin_wait(&stream->work);
		struct standin_op *op = stream->first;
		if (!op)
			break;
		standin_unlock();
		run(stream, device, op);
		standin_lock();
		stream->first = op->next;
		pthread_cond_broadcast(&done);
		free(op);
	}
	standin_unlock();
	return NULL;
}

bool standin_enqueue(const char *function, tw__cuda_stream stream, struct standin_op *op)
{
	op->enqueued_s = standin_now();
	STANDIN_RELEASE(op);
	standin_lock();
	bool is_alive = standin_is_alive(STANDIN_STREAMS, stream);
	if (is_alive) {
		op->next = NULL;
		op->number = ++n_enqueued;
		if (stream->first)
			stream->last->next = op;
		else
			stream->first = op;
		stream->last = op;
		pthread_cond_signal(&stream->work);
	}
	standin_unlock();
	if (!is_alive) {
		free(op);
		standin_refuse(0, function, "there is no stream %p", (void *)stream);
	}
	return is_alive;
}

int standin_device_of(const char *function, tw__cuda_stream stream)
{
	standin_lock();
	int device = standin_is_alive(STANDIN_STREAMS, stream) ? stream->device : -1;
	standin_unlock();
	if (device < 0)
		standin_refuse(0, function, "there is no stream %p", (void *)stream);
	return device;
}

int standin_n_driven(void)
{
	bool is_driven[STANDIN_MOST_GPUS] = {false};
	int n = 0;
	standin_lock();
	for (const struct CUstream_st *s = (void *)standin_first(STANDIN_STREAMS); s; s = (void *)s->thing.next) {
		n += !is_driven[s->device];
		is_driven[s->device] = true;
	}
	standin_unlock();
	return n > 0 ? n : 1;
}

bool standin_copies(void)
{
	const double now = standin_now();
	bool any = false;
	standin_lock();
	for (const struct CUstream_st *s = (void *)standin_first(STANDIN_STREAMS); s; s = (void *)s->thing.next)
		any |= s->copies_from <= now && now < s->copies_to;
	standin_unlock();
	return any;
}

/* --- waiting ------------------------------------------------------------------------------------------------------ */

static bool is_behind(const struct CUstream_st *stream, uint64_t number)
{
	return stream->first && stream->first->number <= number;
}

static bool any_is_behind(int device, uint64_t number)
{
	for (const struct CUstream_st *s = (void *)standin_first(STANDIN_STREAMS); s; s = (void *)s->thing.next)
		if (s->device == device && is_behind(s, number))
			return true;
	return false;
}

void standin_wait_for_device(int device)
{
	double date = 0;
	standin_lock();
	uint64_t number = n_enqueued;
	while (any_is_behind(device, number))
		standin_wait(&done);
	for (const struct CUstream_st *s = (void *)standin_first(STANDIN_STREAMS); s; s = (void *)s->thing.next)
		date = s->device == device ? later(date, s->date) : date;
	standin_unlock();
	standin_sleep_until(date);
	STANDIN_ACQUIRE(&device_order[device]);
}

int cudaStreamSynchronize(tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (standin_device_of(__func__, stream) < 0)
		return STANDIN_INVALID_HANDLE;
	standin_lock();
	uint64_t number = n_enqueued;
	while (standin_is_alive(STANDIN_STREAMS, stream) && is_behind(stream, number))
		standin_wait(&done);
	const double date = standin_is_alive(STANDIN_STREAMS, stream) ? stream->date : 0;
	standin_unlock();
	standin_sleep_until(date);
	STANDIN_ACQUIRE(stream);
	return 0;
}

/* --- streams ------------------------------------------------------------------------------------------------------ */

/* Blocks signals: they are for the user's threads. */
static int start(struct CUstream_st *stream)
{
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	int reason = pthread_create(&stream->thread, NULL, serve, stream);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return reason;
}

int cudaStreamCreateWithFlags(tw__cuda_stream *out, unsigned flags)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (flags > TW__CUDA_STREAM_NON_BLOCKING)
		return standin_refuse(STANDIN_INVALID_VALUE, __func__, "flags are %u: expected 0 or 1", flags);
	if (standin_current_device() >= standin_settings()->n_gpus)
		return STANDIN_NO_DEVICE;
	struct CUstream_st *stream = calloc(1, sizeof *stream);
	if (!stream)
		return STANDIN_NO_MEMORY;
	stream->device = standin_current_device();
	pthread_cond_init(&stream->work, NULL);
	if (start(stream)) {
		pthread_cond_destroy(&stream->work);
		free(stream);
		return STANDIN_NO_MEMORY;
	}
	standin_lock();
	standin_add(STANDIN_STREAMS, stream);
	standin_unlock();
	*out = stream;
	return 0;
}

/* Waits for the stream's thread without telling the thread sanitizer, because CUDA does not wait. */
int cudaStreamDestroy(tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	standin_lock();
	bool was_alive = standin_remove(STANDIN_STREAMS, stream);
	if (was_alive) {
		stream->ends = true;
		pthread_cond_signal(&stream->work);
	}
	standin_unlock();
	if (!was_alive)
		return standin_refuse(STANDIN_INVALID_HANDLE, __func__, "there is no stream %p", (void *)stream);
	standin_join(stream->thread);
	standin_lock();
	const double date = stream->date;
	standin_unlock();
	standin_sleep_until(date);
	pthread_cond_destroy(&stream->work);
	free(stream);
	return 0;
}
