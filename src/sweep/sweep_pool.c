/* The processes of a sweep that run points. The parent creates the scene, distributes points and receives rows.
 *
 * A process is forked with a scene. It serves points of this scene, and of scenes that differ in bounds on memories
 * alone, one after the other. A point that needs a process of its own (tw__needs_process) gets one. If a process dies,
 * its current point fails, and the next point gets a new process. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/memory.h"
#include "experiment/child.h"
#include "experiment/load.h"
#include "process/fork.h"
#include "sweep/sweep.h"

/* --- in a process of the pool ------------------------------------------------------------------------------------- */

static char *print_row(const struct tw__column_choice *columns, const struct tw__result *result, size_t *bytes)
{
	char *row;
	FILE *f = tw__text_open(&row, bytes);
	tw__result_write_row(f, columns, result);
	tw__text_close(f);
	return row;
}

bool tw__stops_sweep(int status) { return status == TW_SYSTEM; }

static struct tw__report make_report(const struct tw__result *result)
{
	struct tw__report report;
	memset(&report, 0, sizeof report); /* zero the padding, too, as all bytes are sent */
	report.status = result->status;
	report.makespan_s = tw__seconds(result->counters.makespan);
	report.gflops = result->gflops;
	memcpy(report.message, result->message, sizeof report.message);
	return report;
}

void tw__refused_row(struct tw__finished *finished, const struct tw__column_choice *columns,
                     const struct tw__point *point, const char *message)
{
	struct tw__result result;
	tw__result_refuse(&result, &point->request, message);
	memcpy(result.identity, point->identity, sizeof result.identity);
	finished->request = point->request;
	finished->row = print_row(columns, &result, &finished->row_bytes);
	finished->report = make_report(&result);
}

/* Sends report and row of a point to the parent. On failure the process exits, which tells the parent. */
static void send_row(int fd, const struct tw__column_choice *columns, const struct tw__result *result, int status)
{
	size_t bytes;
	char *row = print_row(columns, result, &bytes);
	struct tw__report report = make_report(result);
	report.stops = tw__stops_sweep(status);
	tw__send(fd, &report, sizeof report, row, bytes);
	free(row);
}

/* The scenes of a process: that with which it was forked, and the last one that was made like it. */
struct scenes {
	const struct tw__scene *forked;
	struct tw__origin *origin;
	struct tw__scene *own;
	struct tw__request request; /* of `own` */
};

static int find_scene(struct scenes *s, const struct tw__request *request, const struct tw__scene **scene,
                      struct tw_error *err)
{
	int status = TW_OK;
	*scene = s->forked;
	if (tw__scene_serves(s->forked, request))
		return TW_OK;
	if (!s->own || !tw__scene_serves(s->own, request)) {
		tw__scene_destroy(s->own);
		s->request = *request;
		status = tw__scene_create_like(s->forked, s->origin, &s->own, &s->request, err);
	}
	*scene = s->own;
	return status;
}

static void serve(struct scenes *scenes, const struct tw__column_choice *columns, const struct tw__point *point, int fd,
                  struct tw__watched_run *watched)
{
	const struct tw__scene *scene;
	struct tw__outcome outcome;
	struct tw__result result;
	struct tw__plan plan;
	struct tw_error err = {0};
	int status = tw__limit_begin(watched, point->request.time_limit_s, &err);
	if (status == TW_OK)
		status = find_scene(scenes, &point->request, &scene, &err);
	if (status == TW_OK)
		status = tw__plan_init(&plan, &point->request, scene, &err);
	bool planned = status == TW_OK;
	if (planned) {
		tw__result_begin(&result, &plan);
		tw__plan_run_here(&plan, &watched->pulse, &outcome, NULL, NULL);
		tw__result_end(&result, &plan, &outcome);
		status = outcome.status;
	} else {
		tw__result_refuse(&result, &point->request, err.message);
	}
	tw__limit_end(watched);
	memcpy(result.identity, point->identity, sizeof result.identity);
	send_row(fd, columns, &result, status);
	if (planned && !outcome.counters.hangs)
		tw__plan_finish(&plan);
}

/* Runs the points that arrive through the socket, and sends their rows back. Returns when the socket is closed, or, if
 * `once`, after the first point. */
static void serve_points(struct scenes *scenes, const struct tw__column_choice *columns, bool once, int fd,
                         struct tw__watched_run *watched)
{
	struct tw__point point;
	while (tw__read_all(fd, &point, sizeof point) == sizeof point) {
		serve(scenes, columns, &point, fd, watched);
		if (once)
			return;
	}
	tw__scene_destroy(scenes->own);
	tw__check_leaks();
}

/* --- the pool ----------------------------------------------------------------------------------------------------- */

/* A slot of the pool, for one process at a time. */
struct slot {
	pid_t pid;     /* process that serves this slot; 0: none */
	pid_t leaving; /* previous process of this slot, about to end; 0: none, or already waited for */
	int fd;        /* socket to the process */
	bool busy;
	bool once;  /* whether the process ends after its current point */
	bool stale; /* whether the process was forked with an earlier scene than the pool's */
	struct tw__point point;
	struct tw__inbox inbox; /* report and row, as far as they have arrived */
};

struct tw__pool {
	int n, busy;
	const struct tw__column_choice *columns;
	struct slot *slots;
	struct tw__watched_run *watched; /* [n] the runs of the slots' points, watched for their time limits */
	struct pollfd *polled;           /* [n + 1] the sockets of all slots, and stop_fd */
};

struct tw__pool *tw__pool_create(int jobs, const struct tw__column_choice *columns)
{
	struct tw__pool *pool = tw_alloc(1, sizeof *pool);
	*pool = (struct tw__pool){
		.n = jobs,
		.columns = columns,
		.slots = tw_alloc((size_t)jobs, sizeof *pool->slots),
		.polled = tw_alloc((size_t)jobs + 1, sizeof *pool->polled),
		.watched = tw__watched_create(jobs),
	};
	for (int i = 0; i < jobs; i++)
		pool->slots[i].inbox.least = sizeof(struct tw__report);
	return pool;
}

int tw__pool_busy(const struct tw__pool *pool) { return pool->busy; }

/* --- processes ---------------------------------------------------------------------------------------------------- */

/* Closes the socket to the slot's process, which ends an idle process. reap() waits for that process later. */
static void retire(struct slot *slot)
{
	tw__close_hidden(slot->fd);
	if (slot->leaving)
		tw__wait_for(slot->leaving);
	slot->leaving = slot->pid;
	slot->pid = 0;
}

static void reap(struct tw__pool *pool)
{
	for (int i = 0; i < pool->n; i++)
		if (pool->slots[i].leaving && waitpid(pool->slots[i].leaving, NULL, WNOHANG) != 0)
			pool->slots[i].leaving = 0;
}

void tw__pool_destroy(struct tw__pool *pool)
{
	if (!pool)
		return;
	for (int i = 0; i < pool->n; i++) {
		struct slot *slot = &pool->slots[i];
		if (slot->busy)
			kill(slot->pid, SIGKILL);
		if (slot->pid)
			retire(slot);
	}
	for (int i = 0; i < pool->n; i++) {
		if (pool->slots[i].leaving)
			tw__wait_for(pool->slots[i].leaving);
		tw__inbox_finish(&pool->slots[i].inbox);
	}
	free(pool->slots);
	free(pool->polled);
	tw__watched_destroy(pool->watched, pool->n);
	free(pool);
}

void tw__pool_leave_scene(struct tw__pool *pool)
{
	for (int i = 0; i < pool->n; i++) {
		struct slot *slot = &pool->slots[i];
		slot->stale = slot->busy;
		if (slot->pid && !slot->busy)
			retire(slot);
	}
}

struct start {
	const struct tw__pool *pool;
	const struct tw__scene *scene;
	struct tw__origin *origin;
	struct tw__watched_run *watched;
	bool once;
};

static void be_process(const void *arg, int fd)
{
	const struct start *start = arg;
	struct scenes scenes = {.forked = start->scene, .origin = start->origin};
	serve_points(&scenes, start->pool->columns, start->once, fd, start->watched);
}

static int fork_process(struct tw__pool *pool, struct slot *slot, const struct tw__scene *scene,
                        struct tw__origin *origin, struct tw_error *err)
{
	const struct start start = {pool, scene, origin, &pool->watched[slot - pool->slots], slot->once};
	pid_t pid;
	int status = tw__fork(&pid, &slot->fd, be_process, &start, "a point", err);
	slot->pid = status == TW_OK ? pid : 0;
	slot->stale = false;
	return status;
}

/* --- points ------------------------------------------------------------------------------------------------------- */

/* Returns a slot that is not busy. For a point that can share a process, it prefers a slot that has one; for a point
 * that cannot (`once`), an empty slot. */
static struct slot *find_slot(struct tw__pool *pool, bool once)
{
	struct slot *found = pool->slots;
	while (found->busy)
		found++;
	for (struct slot *slot = found; slot < pool->slots + pool->n; slot++)
		if (!slot->busy && once == !slot->pid)
			return slot;
	return found;
}

static bool give_point(const struct slot *slot) { return tw__write_all(slot->fd, &slot->point, sizeof slot->point); }

int tw__pool_start(struct tw__pool *pool, const struct tw__scene *scene, struct tw__origin *origin,
                   const struct tw__point *point, struct tw_error *err)
{
	bool once = tw__needs_process(&point->request);
	struct slot *slot = find_slot(pool, once);
	memcpy(&slot->point, point, sizeof slot->point);
	slot->once = once;
	tw__inbox_empty(&slot->inbox);
	if (slot->pid && (once || !give_point(slot))) /* sending failed: the idle process was killed */
		retire(slot);
	if (!slot->pid) {
		int status = fork_process(pool, slot, scene, origin, err);
		if (status < 0)
			return status;
		(void)give_point(slot); /* if sending fails, the process has ended, which its socket will show */
	}
	slot->busy = true;
	pool->busy++;
	return TW_OK;
}

/* Takes the report and row of the slot's point; if they are not whole, makes a failed row with the reason. `ended`:
 * the process has ended. */
static int finish(struct tw__pool *pool, struct slot *slot, bool ended, struct tw__finished *finished,
                  struct tw_error *err)
{
	int wait_status = 0;
	enum tw__inbox_state state = tw__inbox_state(&slot->inbox);
	slot->busy = false;
	pool->busy--;
	if (state == TW__INBOX_SPOILT)
		kill(slot->pid, SIGKILL);
	if (ended || state == TW__INBOX_SPOILT) {
		tw__close_hidden(slot->fd);
		wait_status = tw__wait_for(slot->pid);
		slot->pid = 0;
	} else if (slot->stale) {
		retire(slot);
	}
	if (state != TW__INBOX_WHOLE) {
		struct tw_error why;
		if (state == TW__INBOX_SPOILT)
			tw__explain_spoilt(&why);
		else
			tw__limit_explain(&why, &pool->watched[slot - pool->slots], slot->point.request.time_limit_s,
			                  slot->point.request.policy, slot->point.request.eviction, wait_status);
		tw__refused_row(finished, pool->columns, &slot->point, why.message);
		return TW_OK;
	}
	size_t bytes;
	const char *result = tw__inbox_result(&slot->inbox, &bytes);
	struct tw__report *report = &finished->report;
	memcpy(report, result, sizeof *report);
	if (report->stops)
		return tw_fail(err, TW_SYSTEM, "%s", report->message);
	finished->request = slot->point.request;
	finished->row_bytes = bytes - sizeof *report;
	finished->row = tw_alloc(finished->row_bytes, 1);
	memcpy(finished->row, result + sizeof *report, finished->row_bytes);
	return TW_OK;
}

/* Reads from the slot's socket, which is readable. Returns 1 if the slot's point is done, otherwise 0, or an error. */
static int look_at(struct tw__pool *pool, struct slot *slot, struct tw__finished *finished, struct tw_error *err)
{
	if (!slot->busy) { /* an idle process sends nothing: it has ended */
		retire(slot);
		return 0;
	}
	bool ended = tw__inbox_receive(&slot->inbox, slot->fd);
	enum tw__inbox_state state = tw__inbox_state(&slot->inbox);
	bool waits = state == TW__INBOX_PARTIAL || (state == TW__INBOX_WHOLE && slot->once);
	if (!ended && waits)
		return 0;
	int status = finish(pool, slot, ended, finished, err);
	return status < 0 ? status : 1;
}

int tw__pool_wait(struct tw__pool *pool, int stop_fd, int timeout_ms, struct tw__finished *finished, bool *stopped,
                  struct tw_error *err)
{
	reap(pool);
	for (int i = 0; i < pool->n; i++)
		pool->polled[i] = (struct pollfd){pool->slots[i].pid ? pool->slots[i].fd : -1, POLLIN, 0};
	pool->polled[pool->n] = (struct pollfd){stop_fd, POLLIN, 0};
	int ready = poll(pool->polled, (nfds_t)pool->n + 1, timeout_ms), status = 0;
	if (ready < 0 && errno != EINTR)
		return tw_fail(err, TW_SYSTEM, "cannot wait for processes: %s", strerror(errno));
	*stopped = ready > 0 && pool->polled[pool->n].revents;
	for (int i = 0; ready > 0 && !*stopped && status == 0 && i < pool->n; i++)
		if (pool->polled[i].revents)
			status = look_at(pool, &pool->slots[i], finished, err);
	return status;
}
