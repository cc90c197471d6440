/* The runs of an experiment, several at once, each in its own process. Rows are told in the order of the requests. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/child.h"

enum { TICK_MS = 200 };

/* One process, and its run. */
struct slot {
	bool busy, ready; /* ready: bytes of its result have arrived */
	int row;
	struct tw__child child;
	struct tw__outcome outcome;
};

struct batch {
	const struct tw__experiment *experiment;
	const struct tw__experiment_watch *watch;
	struct tw__result *results;
	int n;    /* rows to make; fewer after a run that refused to start */
	int next; /* row to start */
	int told; /* rows told */
	bool *done;
	int jobs, busy;
	int most;           /* runs at once; fewer than `jobs` if the system has no more processes or files */
	struct slot *slots; /* [jobs] */
	struct tw__watched_run *watched; /* [jobs] */
	struct pollfd *polled;           /* [jobs] */
	struct tw__running *running;     /* [jobs] */
	struct tw_error refusal;         /* of row n, if fewer than all rows are made */
};

static void kill_run(struct batch *b, struct slot *slot)
{
	tw__child_kill(&slot->child);
	slot->busy = false;
	b->busy--;
}

/* The run has ended. A run that refused to start ends the list: no row behind it counts. */
static void end_row(struct batch *b, struct slot *slot)
{
	b->busy -= slot->busy;
	slot->busy = false;
	if (slot->outcome.status == TW_INVALID) {
		b->n = slot->row;
		b->refusal = slot->outcome.err;
		for (struct slot *s = b->slots; s < b->slots + b->jobs; s++)
			if (s->busy && s->row > b->n)
				kill_run(b, s);
		return;
	}
	tw__result_end(&b->results[slot->row], tw__experiment_plan(b->experiment, slot->row), &slot->outcome);
	b->results[slot->row].explanation = slot->child.explanation;
	b->done[slot->row] = true;
}

/* The system has no process or file for another run: goes on with those that there are. */
static void be_content(struct batch *b, struct slot *failed)
{
	tw_log(TW_LOG_WARNING, "--jobs: only %d runs at once: %s", b->busy, failed->outcome.err.message);
	b->most = b->busy;
	b->next = failed->row;
}

/* False: it could not be started, for the reason in its outcome. */
static bool start_row(struct batch *b, struct slot *slot, struct tw__watched_run *watched)
{
	const struct tw__plan *plan = tw__experiment_plan(b->experiment, slot->row);
	tw__experiment_begin_row(b->experiment, slot->row, &b->results[slot->row]);
	return tw__child_start(&slot->child, plan, watched, &slot->outcome, false, NULL);
}

static void start_rows(struct batch *b)
{
	for (int i = 0; i < b->jobs && b->next < b->n && b->busy < b->most; i++) {
		struct slot *slot = &b->slots[i];
		if (slot->busy)
			continue;
		slot->row = b->next++;
		slot->busy = start_row(b, slot, &b->watched[i]);
		b->busy += slot->busy;
		if (!slot->busy && b->busy)
			be_content(b, slot);
		else if (!slot->busy)
			end_row(b, slot);
	}
}

static int wait(struct batch *b, struct tw_error *err)
{
	nfds_t n = 0;
	for (int i = 0; i < b->jobs; i++)
		if (b->slots[i].busy)
			b->polled[n++] = (struct pollfd){b->slots[i].child.fd, POLLIN, 0};
	if (poll(b->polled, n, TICK_MS) < 0)
		return errno == EINTR ? TW_OK
		                      : tw_fail(err, TW_SYSTEM, "cannot wait for processes: %s", strerror(errno));
	const struct pollfd *polled = b->polled;
	for (int i = 0; i < b->jobs; i++) {
		struct slot *slot = &b->slots[i];
		slot->ready = slot->busy && polled++->revents;
	}
	for (int i = 0; i < b->jobs; i++)
		if (b->slots[i].ready && b->slots[i].busy && tw__child_receive(&b->slots[i].child))
			end_row(b, &b->slots[i]); /* which may end runs in other slots */
	return TW_OK;
}

static void tell(struct batch *b)
{
	int n = 0;
	for (; b->told < b->n && b->done[b->told]; b->told++)
		if (b->watch->row)
			b->watch->row(b->watch->context, b->told);
	for (int i = 0; i < b->jobs; i++)
		if (b->slots[i].busy)
			b->running[n++] = (struct tw__running){b->slots[i].row, &b->watched[i].pulse};
	if (n > 0 && b->watch->tick)
		b->watch->tick(b->watch->context, b->running, n);
}

static int make_rows(struct batch *b, struct tw_error *err)
{
	int status = TW_OK;
	while (status == TW_OK && b->told < b->n) {
		start_rows(b);
		status = wait(b, err);
		tell(b);
	}
	return status;
}

int tw__experiment_rows(const struct tw__experiment *experiment, int n, int jobs, struct tw__result *results,
                        const struct tw__experiment_watch *watch, struct tw_error *err)
{
	jobs = jobs < n ? jobs : n;
	struct batch b = {
		.experiment = experiment,
		.watch = watch,
		.results = results,
		.n = n,
		.jobs = jobs,
		.most = jobs,
		.done = tw_alloc((size_t)n, sizeof *b.done),
		.slots = tw_alloc((size_t)jobs, sizeof *b.slots),
		.watched = tw__watched_create(jobs + 1),
		.polled = tw_alloc((size_t)jobs, sizeof *b.polled),
		.running = tw_alloc((size_t)jobs, sizeof *b.running),
	};
	int status = make_rows(&b, err);
	for (int i = 0; i < jobs; i++)
		if (b.slots[i].busy)
			kill_run(&b, &b.slots[i]);
	if (status == TW_OK && b.n < n)
		status = tw_fail(err, TW_INVALID, "%s", b.refusal.message);
	tw__watched_destroy(b.watched, jobs + 1);
	free(b.done);
	free(b.slots);
	free(b.polled);
	free(b.running);
	return status;
}

int tw__experiment_run(const struct tw__request *request, struct tw__result *result, struct tw_error *err)
{
	struct tw__experiment *e;
	int status = tw__experiment_create(&e, request, 1, err);
	if (status < 0)
		return status;
	status = tw__experiment_rows(e, 1, 1, result, &(struct tw__experiment_watch){0}, err);
	tw__experiment_destroy(e);
	return status;
}
