/* Runs a sweep from its first missing point to its last. */
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "experiment/load.h"
#include "machine/machine.h"
#include "request/identity.h"
#include "sweep/sweep.h"

enum { TICK_MS = 200 };

struct sweep {
	const struct tw__sweep *what;
	const struct tw__sweep_watch *watch;
	struct tw__sweep_counts *counts;
	struct tw__kept rows;
	struct tw__results_file file;
	struct tw__agenda agenda;
	struct tw__pool *pool;
	int64_t next; /* index in agenda.missing of the next point to start */

	struct tw__origin origin; /* files of the last scene's platform */
	/* The next four are the scene of the last point started; if it could not be made, `scene` is NULL and
	 * `no_scene` has the reason. */
	struct tw__request request; /* the request that the scene was made for */
	struct tw__scene *scene;
	int scene_status; /* what making the scene returned */
	struct tw_error no_scene;
	/* The first of the scenes that differ in bounds on memories alone, and its request; others are made like it. */
	struct tw__scene *root;
	struct tw__request root_request;
};

/* Appends the row of a finished point to the file, and reports progress. */
static int put_row(struct sweep *s, struct tw__finished *finished, struct tw_error *err)
{
	int status = tw__results_append(&s->file, finished->row, finished->row_bytes, err);
	free(finished->row);
	finished->row = NULL;
	if (status < 0)
		return status;
	s->counts->done++;
	s->counts->failed += finished->report.status != TW__RUN_OK;
	s->watch->point(s->watch->context, s->counts, finished);
	return TW_OK;
}

/* A scene that memory does not suffice for is refused, and the sweep goes on. */
static int make_scene(struct sweep *s)
{
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door)) {
		s->origin = (struct tw__origin){0}; /* half-made */
		return tw__out_of_memory(&s->no_scene);
	}
	int status = s->root ? tw__scene_create_like(s->root, &s->origin, &s->scene, &s->request, &s->no_scene)
	                     : tw__scene_create_from(&s->origin, &s->scene, &s->request, &s->no_scene);
	tw__door_close(&door);
	return status;
}

static void drop_scene(struct sweep *s)
{
	if (s->scene != s->root)
		tw__scene_destroy(s->scene);
	s->scene = NULL;
}

static void drop_root(struct sweep *s)
{
	tw__pool_leave_scene(s->pool);
	tw__scene_destroy(s->root);
	s->root = NULL;
}

/* Makes a new scene if the last one does not serve the request. Neighbouring points share scenes. */
static void find_scene(struct sweep *s, const struct tw__request *request)
{
	if (s->scene && tw__scene_serves(s->scene, request))
		return;
	drop_scene(s);
	if (s->root && !tw__scene_is_like(s->root, request))
		drop_root(s);
	s->request = *request;
	s->scene_status = make_scene(s);
	if (s->scene_status < 0) {
		s->scene = NULL;
		return;
	}
	if (!s->root) {
		s->root = s->scene;
		s->root_request = s->request;
		s->root->request = &s->root_request;
	}
	tw__scene_tell(&s->origin, s->scene);
}

static int start_next(struct sweep *s, struct tw_error *err)
{
	struct tw__point point;
	struct tw__finished refused;
	memset(&point, 0, sizeof point); /* zero the padding, too, as all bytes are sent */
	tw__inputs_point(s->what->inputs, s->agenda.missing[s->next++], &point.request);
	int status = tw__identify(&s->agenda.identifier, &point.request, point.identity, err);
	if (status < 0)
		return status;
	find_scene(s, &point.request);
	if (!s->scene && tw__stops_sweep(s->scene_status))
		return tw_fail(err, s->scene_status, "%s", s->no_scene.message);
	const char *message = s->scene ? NULL : s->no_scene.message;
	struct tw_error why;
	if (s->scene && tw__scene_check_spread(s->scene, &point.request, &why) < 0)
		message = why.message;
	if (!message)
		return tw__pool_start(s->pool, s->scene, &s->origin, &point, err);
	tw__refused_row(&refused, &s->what->columns, &point, message);
	return put_row(s, &refused, err);
}

/* Whether the next point can start now. A new scene of the platform `machine` times kernels, so no point may run
 * meanwhile. */
static bool can_start(const struct sweep *s)
{
	struct tw__request request;
	int busy = tw__pool_busy(s->pool);
	if (s->next == s->agenda.n || busy == s->what->jobs)
		return false;
	tw__inputs_point(s->what->inputs, s->agenda.missing[s->next], &request);
	return busy == 0 || !tw__is_machine(&request) || (s->scene && tw__scene_serves(s->scene, &request));
}

static int run_missing(struct sweep *s, struct tw_error *err)
{
	int status = TW_OK;
	while (status >= 0 && !s->counts->stopped && (s->next < s->agenda.n || tw__pool_busy(s->pool) > 0)) {
		if (can_start(s))
			status = start_next(s, err);
		if (status < 0)
			break;
		/* If another point can start, do not wait, but collect a point that is done. */
		bool waits = tw__pool_busy(s->pool) > 0 && !can_start(s);
		struct tw__finished finished;
		status = tw__pool_wait(s->pool, s->watch->stop_fd, waits ? TICK_MS : 0, &finished, &s->counts->stopped,
		                       err);
		if (status > 0)
			status = put_row(s, &finished, err);
		else if (status == 0)
			s->watch->tick(s->watch->context, s->counts);
	}
	return status;
}

static int run(struct sweep *s, struct tw_error *err)
{
	int status = tw__agenda_init(&s->agenda, s->what, err);
	const struct tw__engine_ops *engine = status == TW_OK ? tw__engine_of(&s->what->inputs->common) : NULL;
	if (engine && !tw__engine_load(engine, err)) /* load the engine once, before the forks */
		status = TW_INVALID;
	char *header = tw__result_header(&s->what->columns);
	if (status == TW_OK)
		status = tw__results_open(&s->file, s->what->output, header, &s->rows, err);
	free(header);
	if (status < 0)
		return status;
	tw__agenda_compare(&s->agenda, &s->rows, s->what->retry);
	*s->counts = (struct tw__sweep_counts){
		.points = s->agenda.points,
		.there = s->agenda.there,
		.there_failed = s->agenda.there_failed,
	};
	s->watch->begin(s->watch->context, s->counts, &s->rows);
	s->pool = tw__pool_create(s->what->jobs, &s->what->columns);
	status = run_missing(s, err);
	if (tw__stops_sweep(status))
		tw_fail(err, status, "%.400s: the sweep stops, and the same command continues", err->message);
	/* Sync rows in any case, also after an error. */
	struct tw_error later;
	int synced = tw__results_sync(&s->file, &later);
	return status < 0 ? status : synced < 0 ? tw_fail(err, synced, "%s", later.message) : TW_OK;
}

int tw__sweep_run(const struct tw__sweep *what, const struct tw__sweep_watch *watch, struct tw__sweep_counts *counts,
                  struct tw_error *err)
{
	struct sweep s = {.what = what, .watch = watch, .counts = counts, .file = {.fd = -1}};
	*counts = (struct tw__sweep_counts){0};
	int status = run(&s, err);
	tw__pool_destroy(s.pool);
	drop_scene(&s);
	tw__scene_destroy(s.root);
	tw__origin_finish(&s.origin);
	tw__agenda_finish(&s.agenda);
	tw__kept_finish(&s.rows);
	tw__results_close(&s.file);
	return status;
}
