/* The transport of engine/transport.h, over MPI: the module tilewright-mpi.so.
 *
 * A message is one MPI message, whose tag is its number: the envelope, then the content. Sends are synchronous, so that
 * one that was lost does not end. A process that fails leaves without MPI_Finalize, which would wait
 * for the others; its exit status makes the launcher end them. */
#include "engine/transport.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include <mpi.h>

#include "base/memory.h"

struct tw__transport {
	MPI_Comm messages, blocks;
	int number, n;
	bool is_one_machine;
	MPI_Request *ends; /* [n_ends] of messages; MPI_REQUEST_NULL: unused */
	int *unused, *ended;
	int n_ends, n_unused;
	size_t ends_capacity, unused_capacity, ended_capacity;
	MPI_Request combined;
	int64_t own[TW__TRANSPORT_MOST_VALUES];
};

/* MPI's own waits spin. Other threads of this process need the core. */
static void wait_for(MPI_Request *request)
{
	enum { SPINS = 1000 };
	const struct timespec nap = {.tv_nsec = 200000};
	int done = 0;
	for (int i = 0; !done; i++) {
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		if (!done && i > SPINS)
			nanosleep(&nap, NULL);
	}
}

static int open_transport(struct tw__transport **out, int *number, int *n, struct tw_error *err)
{
	int provided, n_here;
	MPI_Comm here;
	*out = NULL;
	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
	    provided < MPI_THREAD_SERIALIZED)
		return tw_fail(err, TW_SYSTEM, "MPI does not start with threads: expected MPI_THREAD_SERIALIZED");
	struct tw__transport *w = *out = tw_alloc(1, sizeof *w);
	MPI_Comm_rank(MPI_COMM_WORLD, &w->number);
	MPI_Comm_size(MPI_COMM_WORLD, &w->n);
	MPI_Comm_dup(MPI_COMM_WORLD, &w->messages);
	MPI_Comm_dup(MPI_COMM_WORLD, &w->blocks);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
	MPI_Comm_size(here, &n_here);
	MPI_Comm_free(&here);
	w->is_one_machine = n_here == w->n;
	*number = w->number;
	*n = w->n;
	return TW_OK;
}

static void close_transport(struct tw__transport *w)
{
	MPI_Request all;
	MPI_Ibarrier(w->blocks, &all);
	wait_for(&all);
	MPI_Comm_free(&w->messages);
	MPI_Comm_free(&w->blocks);
	MPI_Finalize();
	free(w->ends);
	free(w->unused);
	free(w->ended);
	free(w);
}

static int64_t most_messages(const struct tw__transport *w)
{
	int *bound, is_set;
	MPI_Comm_get_attr(w->messages, MPI_TAG_UB, (void *)&bound, &is_set);
	return is_set ? (int64_t)*bound + 1 : SHRT_MAX; /* the least that the standard allows */
}

static bool is_one_machine(const struct tw__transport *w) { return w->is_one_machine; }

static int unused_end(struct tw__transport *w)
{
	if (w->n_unused)
		return w->unused[--w->n_unused];
	const size_t n = (size_t)w->n_ends + 1;
	TW_RESERVE(w->ends, w->ends_capacity, n);
	TW_RESERVE(w->unused, w->unused_capacity, n);
	TW_RESERVE(w->ended, w->ended_capacity, n);
	return w->n_ends++;
}

static int begin(struct tw__transport *w, bool sends, int peer, int32_t message, struct tw__envelope *envelope,
                 void *content, uint64_t bytes)
{
	const int end = unused_end(w), lengths[2] = {sizeof *envelope, (int)bytes};
	MPI_Aint places[2];
	MPI_Datatype both;
	MPI_Get_address(envelope, &places[0]);
	MPI_Get_address(content, &places[1]);
	MPI_Type_create_hindexed(2, lengths, places, MPI_BYTE, &both);
	MPI_Type_commit(&both);
	if (sends)
		MPI_Issend(MPI_BOTTOM, 1, both, peer, message, w->messages, &w->ends[end]);
	else
		MPI_Irecv(MPI_BOTTOM, 1, both, peer, message, w->messages, &w->ends[end]);
	MPI_Type_free(&both);
	return end;
}

static const int *ended(struct tw__transport *w, int *n)
{
	*n = 0;
	if (w->n_ends > w->n_unused)
		MPI_Testsome(w->n_ends, w->ends, n, w->ended, MPI_STATUSES_IGNORE);
	for (int i = 0; i < *n; i++)
		w->unused[w->n_unused++] = w->ended[i];
	return w->ended;
}

static bool finds(struct tw__transport *w, int *from, int32_t *message)
{
	int is_there;
	MPI_Status status;
	MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->messages, &is_there, &status);
	*from = status.MPI_SOURCE;
	*message = status.MPI_TAG;
	return is_there;
}

static void combine(struct tw__transport *w, bool greatest, const int64_t *own, int64_t *all, int n)
{
	for (int i = 0; i < n; i++)
		w->own[i] = own[i];
	MPI_Iallreduce(w->own, all, n, MPI_INT64_T, greatest ? MPI_MAX : MPI_SUM, w->blocks, &w->combined);
}

static bool is_combined(struct tw__transport *w)
{
	int done;
	MPI_Test(&w->combined, &done, MPI_STATUS_IGNORE);
	return done;
}

static void start(struct tw__transport *w, void *bytes, int n_bytes)
{
	MPI_Request all;
	MPI_Ibarrier(w->blocks, &all);
	wait_for(&all); /* the others may come much later */
	MPI_Bcast(bytes, n_bytes, MPI_BYTE, 0, w->blocks);
	MPI_Barrier(w->blocks);
}

/* MPI counts bytes in int. */
enum { BLOCK = 1 << 30 };

static int block_of(uint64_t bytes) { return bytes < BLOCK ? (int)bytes : BLOCK; }

static void put(struct tw__transport *w, int to, const void *bytes, uint64_t n_bytes)
{
	for (uint64_t at = 0; at < n_bytes; at += BLOCK) {
		MPI_Request request;
		MPI_Isend((const char *)bytes + at, block_of(n_bytes - at), MPI_BYTE, to, 0, w->blocks, &request);
		wait_for(&request);
	}
}

static void get(struct tw__transport *w, int from, void *bytes, uint64_t n_bytes)
{
	for (uint64_t at = 0; at < n_bytes; at += BLOCK) {
		MPI_Request request;
		MPI_Irecv((char *)bytes + at, block_of(n_bytes - at), MPI_BYTE, from, 0, w->blocks, &request);
		wait_for(&request);
	}
}

extern const struct tw__transport_ops tw__transport_mpi;
const struct tw__transport_ops tw__transport_mpi = {
	.open = open_transport,
	.close = close_transport,
	.most_messages = most_messages,
	.is_one_machine = is_one_machine,
	.begin = begin,
	.ended = ended,
	.finds = finds,
	.combine = combine,
	.is_combined = is_combined,
	.start = start,
	.put = put,
	.get = get,
};
