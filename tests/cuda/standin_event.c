/* Events: whether a stream has reached them, and when. */
#include "standin.h"

#include <stdlib.h>

struct CUevent_st {
	struct standin_thing thing;
	int device;
	unsigned flags;
	unsigned n_records, reached; /* records are numbered from 1; n_records is the latest */
	double reached_s;
	unsigned n_pending; /* records that are still in streams */
	bool is_destroyed;
};

struct record {
	struct standin_op op;
	struct CUevent_st *event;
	unsigned number;
};

enum { NO_TIMING = 2 };

static void run_record(struct standin_op *op)
{
	const struct record *record = (const struct record *)op;
	struct CUevent_st *event = record->event;
	STANDIN_RELEASE(event);
	standin_lock();
	if (record->number == event->n_records) {
		event->reached = record->number;
		event->reached_s = op->end_s;
	}
	bool is_last = --event->n_pending == 0 && event->is_destroyed;
	standin_unlock();
	if (is_last)
		free(event);
}

int cudaEventCreateWithFlags(tw__cuda_event *out, unsigned flags)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (standin_current_device() >= standin_settings()->n_gpus)
		return STANDIN_NO_DEVICE;
	struct CUevent_st *event = calloc(1, sizeof *event);
	if (!event)
		return STANDIN_NO_MEMORY;
	event->device = standin_current_device();
	event->flags = flags;
	standin_lock();
	standin_add(STANDIN_EVENTS, event);
	standin_unlock();
	*out = event;
	return 0;
}

/* The memory is kept while a record is still in a stream. */
int cudaEventDestroy(tw__cuda_event event)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	standin_lock();
	bool was_alive = standin_remove(STANDIN_EVENTS, event);
	bool is_last = was_alive && event->n_pending == 0;
	if (was_alive)
		event->is_destroyed = true;
	standin_unlock();
	if (is_last)
		free(event);
	return was_alive ? 0 : standin_refuse(STANDIN_INVALID_HANDLE, __func__, "there is no event %p", (void *)event);
}

int cudaEventRecord(tw__cuda_event event, tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	int device = standin_device_of(__func__, stream);
	if (device < 0)
		return STANDIN_INVALID_HANDLE;
	struct record *record = calloc(1, sizeof *record);
	if (!record)
		return STANDIN_NO_MEMORY;
	standin_lock();
	bool is_good = standin_is_alive(STANDIN_EVENTS, event) && event->device == device;
	if (is_good) {
		event->n_pending++;
		*record = (struct record){{.run = run_record, .kind = STANDIN_RECORD}, event, ++event->n_records};
	}
	standin_unlock();
	if (is_good)
		return standin_enqueue(__func__, stream, &record->op) ? 0 : STANDIN_INVALID_HANDLE;
	free(record);
	return standin_refuse(STANDIN_INVALID_HANDLE, __func__, "GPU %d has no event %p", device, (void *)event);
}

static bool is_reached(const struct CUevent_st *event)
{
	return event->reached == event->n_records && (event->reached == 0 || standin_now() >= event->reached_s);
}

int cudaEventQuery(tw__cuda_event event)
{
	standin_lock();
	bool is_alive = standin_is_alive(STANDIN_EVENTS, event);
	bool is_ready = is_alive && is_reached(event);
	standin_unlock();
	if (is_alive && !is_ready) {
		if (standin_settings()->query_s > 0)
			standin_sleep_until(standin_now() + standin_settings()->query_s);
		return STANDIN_NOT_READY;
	}
	if (standin_fails())
		return STANDIN_UNKNOWN;
	if (!is_alive)
		return standin_refuse(STANDIN_INVALID_HANDLE, __func__, "there is no event %p", (void *)event);
	STANDIN_ACQUIRE(event);
	return 0;
}

int cudaEventElapsedTime(float *ms, tw__cuda_event start, tw__cuda_event end)
{
	if (standin_fails())
		return STANDIN_UNKNOWN;
	standin_lock();
	bool is_good = standin_is_alive(STANDIN_EVENTS, start) && standin_is_alive(STANDIN_EVENTS, end) &&
	               start->device == end->device && start->n_records && end->n_records &&
	               !((start->flags | end->flags) & NO_TIMING);
	bool is_ready = is_good && is_reached(start) && is_reached(end);
	if (is_ready)
		*ms = (float)(1e3 * (end->reached_s - start->reached_s));
	standin_unlock();
	if (!is_good)
		return standin_refuse(STANDIN_INVALID_HANDLE, __func__,
		                      "there are no recorded events %p and %p of one GPU with times", (void *)start,
		                      (void *)end);
	return is_ready ? 0 : STANDIN_NOT_READY;
}
