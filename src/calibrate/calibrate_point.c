/* A child process measures a workload, and writes its measurements to a socket, record by record. If a kernel crashes
 * or hangs, the parent process keeps the earlier measurements. */
#include "calibrate/calibrate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/wall.h"
#include "process/fork.h"

#define MOST_COPY_BYTES (UINT64_C(64) << 20)
enum { TICK_MS = 200 };

enum record_kind { EXECUTION, WAY, SHARED, END };

struct record {
	enum record_kind kind;
	int index; /* EXECUTION: index of the kernel's entry; WAY: index of the route */
	union {
		struct tw__execution execution;
		struct tw__bus_way way;
		/* SHARED: bandwidth of the link; n_ways bools follow: whether each route crosses it */
		double bandwidth;
		int status; /* END: status of the child process; a struct tw_error follows */
	} of;
};

/* --- the child process -------------------------------------------------------------------------------------------- */

struct child {
	const struct tw__point_setup *setup;
	int fd;
	struct tw__plan plan;
	struct tw__bench *bench;
};

static double now(const struct tw__bench *unused)
{
	(void)unused;
	return tw__wall_s();
}

static bool tell_execution(void *context, int entry, const struct tw__execution *e)
{
	const struct child *child = context;
	const struct record record = {.kind = EXECUTION, .index = entry, .of.execution = *e};
	return tw__write_all(child->fd, &record, sizeof record);
}

/* Opens a bench, which times kernels or copies, with default parameters of the engine `real`. */
static int open_bench(struct child *child, const struct tw__platform *platform, uint64_t copy_bytes,
                      struct tw_error *err)
{
	const struct tw__point_setup *s = child->setup;
	const struct tw__real_config config = {
		.args = child->plan.plugins.engine_args,
		.workload = s->words->spec.name,
		.workload_args = s->words->args,
		.emulates = s->request->emulate != NULL,
	};
	const struct tw__bench_setup bench = {
		.platform = platform,
		.graph = s->graph,
		.config = &config,
		.seed = s->request->seed,
		.copy_bytes = copy_bytes,
	};
	return tw__bench_open(&child->bench, &bench, err);
}

static struct tw__source source_of(const struct child *child)
{
	return (struct tw__source){
		.bench = child->bench,
		.now = now,
		.n_shifts = tw__bench_n_shifts,
		.has = tw__bench_has,
		.kernels = tw__bench_kernels,
		.copies = tw__bench_copies,
	};
}

/* Measures the links, and tells the parent process. */
static int measure_buses(struct child *child, struct tw_error *err)
{
	struct tw__buses *b = &child->setup->calibration->buses;
	int status = open_bench(child, child->setup->bus_platform, MOST_COPY_BYTES, err);
	const struct tw__source source = source_of(child);
	if (status == TW_OK)
		status = tw__buses_measure(b, &source, MOST_COPY_BYTES, err);
	bool good = true;
	for (int w = 0; w < b->n_ways && status == TW_OK && good; w++) {
		const struct record record = {.kind = WAY, .index = w, .of.way = b->ways[w]};
		good = tw__write_all(child->fd, &record, sizeof record);
	}
	for (int i = 0; i < b->n_shared && status == TW_OK && good; i++) {
		const struct record record = {.kind = SHARED, .of.bandwidth = b->shared[i].bandwidth};
		good = tw__write_all(child->fd, &record, sizeof record) &&
		       tw__write_all(child->fd, b->shared[i].has, (size_t)b->n_ways * sizeof(bool));
	}
	tw__bench_close(child->bench);
	return status == TW_OK && !good ? tw_fail(err, TW_FAILED, "calibration: the parent process no longer reads")
	                                : status;
}

static int measure_kernels(struct child *child, struct tw_error *err)
{
	const struct tw__point_setup *s = child->setup;
	int status = open_bench(child, s->platform, 0, err);
	const struct tw__source source = source_of(child);
	const struct tw__collect collect = {
		.calibration = s->calibration,
		.source = &source,
		.platform = s->platform,
		.n_kernels = s->graph->n_kernels,
		.entry = s->entry,
		.limit_s = s->limit_s,
		.tell = tell_execution,
		.context = child,
	};
	if (status == TW_OK)
		status = tw__collect(&collect, err);
	tw__bench_close(child->bench);
	return status;
}

static int measure(struct child *child, struct tw_error *err)
{
	int status = tw__find_engine(&child->plan.plugins, "real", err);
	if (status == TW_OK && child->setup->bus_platform)
		status = measure_buses(child, err);
	if (status == TW_OK)
		status = measure_kernels(child, err);
	tw__plan_finish(&child->plan);
	return status;
}

static void work(const void *arg, int fd)
{
	struct child child = {.setup = arg, .fd = fd};
	struct tw_error err = {0};
	struct record record = {.kind = END};
	record.of.status = measure(&child, &err);
	if (!tw__write_all(fd, &record, sizeof record) || !tw__write_all(fd, &err, sizeof err))
		_exit(1);
}

/* --- the parent process ------------------------------------------------------------------------------------------- */

struct reader {
	const struct tw__point_setup *setup;
	char *bytes;
	size_t n, capacity;
	int last; /* entry of the kernel measured last; TW_NONE: none yet */
	bool ended;
	int status;
	struct tw_error err;
};

static size_t tail_bytes(const struct reader *r, enum record_kind kind)
{
	return kind == SHARED ? (size_t)r->setup->calibration->buses.n_ways * sizeof(bool)
	       : kind == END  ? sizeof r->err
	                      : 0;
}

static void take_record(struct reader *r, const struct record *record, const char *tail)
{
	struct tw__calibration *c = r->setup->calibration;
	switch (record->kind) {
	case EXECUTION:
		r->last = record->index;
		tw__calibrated_add(&c->kernels[record->index], record->of.execution);
		break;
	case WAY:
		c->buses.ways[record->index] = record->of.way;
		break;
	case SHARED:
		memcpy(tw__buses_share(&c->buses, record->of.bandwidth)->has, tail, tail_bytes(r, SHARED));
		break;
	case END:
		r->ended = true;
		r->status = record->of.status;
		memcpy(&r->err, tail, sizeof r->err);
		break;
	}
}

/* Takes all complete records from the bytes received so far. */
static void take_records(struct reader *r)
{
	size_t at = 0;
	while (r->n - at >= sizeof(struct record)) {
		struct record record;
		memcpy(&record, r->bytes + at, sizeof record);
		size_t bytes = sizeof record + tail_bytes(r, record.kind);
		if (r->n - at < bytes)
			break;
		take_record(r, &record, r->bytes + at + sizeof record);
		at += bytes;
	}
	memmove(r->bytes, r->bytes + at, r->n - at);
	r->n -= at;
}

/* Receives records from the child process. Returns whether the data have ended. */
static bool receive(struct reader *r, int fd)
{
	TW_RESERVE(r->bytes, r->capacity, r->n + 65536);
	ssize_t n = read(fd, r->bytes + r->n, r->capacity - r->n);
	if (n < 0 && errno == EINTR)
		return false;
	r->n += n > 0 ? (size_t)n : 0;
	take_records(r);
	return n <= 0;
}

/* Receives records until the child process ends. False: the caller has to kill the process. */
static bool listen_to(struct reader *r, int fd)
{
	bool ended = false, goes_on = true;
	while (!ended && goes_on) {
		struct pollfd polled[] = {{fd, POLLIN, 0}, {r->setup->stop_fd, POLLIN, 0}};
		int ready = poll(polled, 2, TICK_MS);
		if (ready > 0 && polled[1].revents)
			goes_on = false;
		else if (ready > 0)
			ended = receive(r, fd);
		goes_on &= r->setup->tick(r->setup->context, r->last);
	}
	return goes_on;
}

int tw__point_run(const struct tw__point_setup *setup, struct tw_error *err)
{
	struct reader r = {.setup = setup, .last = TW_NONE};
	pid_t pid;
	int fd;
	int status = tw__fork(&pid, &fd, work, setup, "a calibration", err);
	if (status < 0)
		return status;
	bool goes_on = listen_to(&r, fd);
	if (!r.ended)
		kill(pid, SIGKILL);
	tw__close_hidden(fd);
	int wait_status = tw__wait_for(pid);
	free(r.bytes);
	if (!goes_on)
		return TW_OK;
	if (!r.ended) {
		struct tw_error why;
		tw__explain_end(&why, "the run's process", wait_status);
		return tw_fail(err, TW_FAILED, "%s", why.message);
	}
	if (r.status == TW_OK && setup->bus_platform)
		setup->calibration->has_buses = true;
	return r.status == TW_OK ? TW_OK : tw_fail(err, r.status, "%s", r.err.message);
}
