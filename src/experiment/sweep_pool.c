/* One process a point, several at once. A process makes its row all by itself; the parent, which has the graph ready, only passes the
 * row on. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tilewright/array.h>

#include "experiment/fork.h"
#include "experiment/load.h"
#include "experiment/sweep.h"

struct slot {
	pid_t pid; /* 0: idle */
	int fd;    /* where its report comes from */
	struct tw__request request;
	char identity[TW__DIGEST_TEXT];
	char *text; /* a report and its row, as far as they have come */
	size_t bytes, capacity;
};

struct tw__pool {
	int n, busy;
	struct slot *slots;
	struct pollfd *polled; /* [n + 1] */
};

int tw__pool_create(struct tw__pool **out, int jobs, struct tw_error *err)
{
	struct tw__pool *pool = *out = calloc(1, sizeof *pool);
	if (pool) {
		pool->n = jobs;
		pool->slots = calloc((size_t)jobs, sizeof *pool->slots);
		pool->polled = calloc((size_t)jobs + 1, sizeof *pool->polled);
	}
	if (pool && pool->slots && pool->polled)
		return TW_OK;
	tw__pool_destroy(pool);
	*out = NULL;
	return tw_fail(err, TW_NOMEM, "out of memory");
}

void tw__pool_destroy(struct tw__pool *pool)
{
	if (!pool)
		return;
	for (int i = 0; pool->slots && i < pool->n; i++) {
		struct slot *slot = &pool->slots[i];
		if (slot->pid) {
			kill(slot->pid, SIGKILL);
			close(slot->fd);
			tw__wait_for(slot->pid);
		}
		free(slot->text);
	}
	free(pool->slots);
	free(pool->polled);
	free(pool);
}

int tw__pool_busy(const struct tw__pool *pool) { return pool->busy; }

static char *print_row(const struct tw__result *result, size_t *bytes)
{
	char *row = NULL;
	FILE *f = open_memstream(&row, bytes);
	if (f)
		tw__result_write_row(f, result);
	if (f && fclose(f) == 0)
		return row;
	free(row);
	return NULL;
}

static struct tw__report make_report(const struct tw__result *result, size_t row_bytes)
{
	struct tw__report report = {
		.status = result->status,
		.makespan_s = tw__seconds(result->counters.makespan),
		.gflops = result->gflops,
		.row_bytes = row_bytes,
	};
	memcpy(report.message, result->message, sizeof report.message);
	return report;
}

/* Everything but the scene: the parent has the next point to look after. */
static void run_point(struct tw__result *result, const struct tw__scene *scene, const struct tw__request *request,
                      struct tw__plan *plan)
{
	static struct tw__outcome outcome;
	struct tw_error err = {0};
	if (tw__plan_init(plan, request, scene, &err) < 0) {
		tw__result_refuse(result, request, err.message);
		return;
	}
	tw__result_begin(result, plan);
	tw__plan_run_here(plan, &outcome);
	tw__result_end(result, plan, &outcome);
}

struct point {
	const struct slot *slot;
	const struct tw__scene *scene;
};

static void make_row(const void *arg, int fd)
{
	const struct point *point = arg;
	static struct tw__result result;
	struct tw__plan plan;
	size_t bytes;
	run_point(&result, point->scene, &point->slot->request, &plan);
	memcpy(result.identity, point->slot->identity, sizeof result.identity);
	char *row = print_row(&result, &bytes);
	struct tw__report report = make_report(&result, bytes);
	if (!row || !tw__write_all(fd, &report, sizeof report) || !tw__write_all(fd, row, bytes))
		_exit(1);
}

int tw__pool_start(struct tw__pool *pool, struct tw__scene *scene, const struct tw__request *request,
                   const char *identity, struct tw_error *err)
{
	struct slot *slot = pool->slots;
	while (slot->pid)
		slot++;
	slot->request = *request;
	slot->bytes = 0;
	memcpy(slot->identity, identity, sizeof slot->identity);
	const struct point point = {slot, scene};
	int status = tw__fork(&slot->pid, &slot->fd, make_row, &point, "a point", err);
	if (status < 0) {
		slot->pid = 0;
		return status;
	}
	pool->busy++;
	return TW_OK;
}

int tw__refused_row(struct tw__finished *finished, const struct tw__request *request, const char *identity,
                    const char *message, struct tw_error *err)
{
	struct tw__result result;
	size_t bytes;
	tw__result_refuse(&result, request, message);
	memcpy(result.identity, identity, sizeof result.identity);
	finished->request = *request;
	finished->row = print_row(&result, &bytes);
	finished->report = make_report(&result, bytes);
	return finished->row ? TW_OK : tw_fail(err, TW_NOMEM, "results: out of memory");
}

/* What the process has left, or why it has not. */
static int finish(struct tw__pool *pool, struct slot *slot, struct tw__finished *finished, struct tw_error *err)
{
	close(slot->fd);
	int wait_status = tw__wait_for(slot->pid);
	slot->pid = 0;
	pool->busy--;
	struct tw__report *report = &finished->report;
	if (slot->bytes >= sizeof *report)
		memcpy(report, slot->text, sizeof *report);
	if (slot->bytes < sizeof *report || slot->bytes != sizeof *report + report->row_bytes) {
		struct tw_error why;
		tw__explain_end(&why, wait_status);
		return tw__refused_row(finished, &slot->request, slot->identity, why.message, err);
	}
	finished->request = slot->request;
	finished->row = malloc(report->row_bytes);
	if (!finished->row)
		return tw_fail(err, TW_NOMEM, "results: out of memory");
	memcpy(finished->row, slot->text + sizeof *report, report->row_bytes);
	return TW_OK;
}

/* 1: that was all. */
static int receive(struct slot *slot, struct tw_error *err)
{
	if (!TW_HAS_ROOM(slot->text, slot->capacity, slot->bytes + 4096))
		return tw_fail(err, TW_NOMEM, "results: out of memory");
	ssize_t n = read(slot->fd, slot->text + slot->bytes, slot->capacity - slot->bytes);
	if (n < 0 && errno == EINTR)
		return 0;
	slot->bytes += n > 0 ? (size_t)n : 0;
	return n <= 0;
}

int tw__pool_wait(struct tw__pool *pool, int stop_fd, int timeout_ms, struct tw__finished *finished, bool *stopped,
                  struct tw_error *err)
{
	for (int i = 0; i < pool->n; i++)
		pool->polled[i] = (struct pollfd){pool->slots[i].pid ? pool->slots[i].fd : -1, POLLIN, 0};
	pool->polled[pool->n] = (struct pollfd){stop_fd, POLLIN, 0};
	int ready = poll(pool->polled, (nfds_t)pool->n + 1, timeout_ms);
	if (ready < 0 && errno != EINTR)
		return tw_fail(err, TW_FAILED, "cannot wait for processes: %s", strerror(errno));
	*stopped = ready > 0 && pool->polled[pool->n].revents;
	for (int i = 0; ready > 0 && !*stopped && i < pool->n; i++)
		if (pool->polled[i].revents) {
			int status = receive(&pool->slots[i], err);
			if (status > 0)
				status = finish(pool, &pool->slots[i], finished, err);
			else if (status == 0)
				continue;
			return status < 0 ? status : 1;
		}
	return 0;
}
