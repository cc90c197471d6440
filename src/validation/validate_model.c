#include "validation/validate.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "calibrate/calibrate.h"
#include "engine/engine.h"
#include "experiment/load.h"
#include "machine/machine.h"
#include "request/identity.h"
#include "sweep/sweep.h"

struct validate {
	const struct tw__validate_model *what;
	struct tw__validate_counts *counts;
	struct tw__results_file file;
	struct tw__column_choice columns; /* of the file */
	struct tw__kept rows;
	struct tw__identifier identifier;
	struct tw__origin origin;
	struct tw__scene *scene;
	struct tw__request scene_request;
};

/* Makes the real and the simulated request of point i. The limit of memory varies fastest, then the policy, then the
 * workload. */
static void make_point(const struct tw__validate_model *m, int64_t i, struct tw__request *real,
                       struct tw__request *simulated)
{
	static const char *const fastest_first[] = {"gpu-mem", "policy", "workload"};
	struct tw_error ignored; /* values of lists were checked */
	*real = m->inputs->common;
	for (size_t k = 0; k < sizeof fastest_first / sizeof *fastest_first; k++) {
		const struct tw__field *f = tw__field_of(fastest_first[k]);
		const struct tw__words *list = tw__inputs_list(m->inputs, f->name);
		if (list->n)
			tw__field_set(f, real, list->of[i % list->n], &ignored);
		i /= list->n ? list->n : 1;
	}
	*simulated = *real;
	simulated->engine = NULL;
	/* a platform from a file has its accelerators already, so the simulation emulates none */
	if (!tw__is_machine(real))
		simulated->emulate = NULL;
	simulated->check = NULL;
	simulated->runtime = real->runtime ? real->runtime : TW__DEFAULT_REAL_RUNTIME;
}

/* Returns the header of the file, malloc'ed. */
static char *choose_columns(struct validate *v)
{
	struct cell cells[TW__MAX_COLUMNS];
	int n = tw__column_names(tw__validation_table, cells);
	v->columns = v->what->columns;
	if (v->columns.n)
		tw__columns_resume(&v->columns, tw__validation_table);
	return tw__cells_header(cells, tw__column_choice_apply(&v->columns, cells, n));
}

static int put_row(struct validate *v, const struct tw__validation *row, struct tw_error *err)
{
	struct cell cells[TW__MAX_COLUMNS];
	char *text;
	size_t bytes;
	FILE *f = tw__text_open(&text, &bytes);
	int n = tw__column_choice_apply(&v->columns, cells, tw__validation_cells(row, cells));
	tw__cells_write(f, cells, n);
	tw__text_close(f);
	int status = tw__results_append(&v->file, text, bytes, err);
	free(text);
	return status;
}

/* Finds the scene (platform, times and graph) of a point. Neighbouring points share a scene. */
static int find_scene(struct validate *v, const struct tw__request *simulated, struct tw_error *err)
{
	if (v->scene && tw__scene_serves(v->scene, simulated))
		return TW_OK;
	tw__scene_destroy(v->scene);
	v->scene = NULL;
	v->scene_request = *simulated;
	int status = tw__scene_create_from(&v->origin, &v->scene, &v->scene_request, err);
	if (status == TW_OK)
		tw__scene_tell_cores(&v->origin, v->scene);
	return status;
}

static int make_row(struct validate *v, int64_t i, const struct tw__request *real, const struct tw__request *simulated,
                    const char *identity, struct tw_error *err)
{
	const struct tw__validate_model *m = v->what;
	struct tw_error why;
	struct tw__validation row = {.request = real, .eviction = "", .status = TW__NOT_VALIDATED};
	m->begin(m->context, real, i, v->counts->points);
	int status = find_scene(v, simulated, &why);
	if (status == TW_NOMEM)
		return tw_fail(err, status, "%s", why.message);
	if (status < 0) {
		snprintf(row.message, sizeof row.message, "%s", why.message);
	} else {
		const struct tw__validate_setup setup = {.real = real,
		                                         .simulated = simulated,
		                                         .scene = v->scene,
		                                         .repeat = m->repeat,
		                                         .most_off_cpu = m->most_off_cpu,
		                                         .tick = m->tick,
		                                         .context = m->context};
		status = tw__validate_point(&row, &setup, err);
		if (status < 0)
			return status;
	}
	memcpy(row.identity, identity, sizeof row.identity);
	status = put_row(v, &row, err);
	v->counts->done++;
	v->counts->failed += row.status != TW__VALIDATED;
	m->end(m->context, &row);
	return status;
}

/* Computes the identity of a row, to which the number of real runs contributes. */
static int identify(struct validate *v, const struct tw__request *real, char identity[TW__DIGEST_TEXT],
                    struct tw_error *err)
{
	int status = tw__identify(&v->identifier, real, identity, err);
	if (status < 0)
		return status;
	struct tw__digest d = tw__digest_start();
	tw__digest_word(&d, "validate-model");
	tw__digest_word(&d, identity);
	tw__digest_bytes(&d, &v->what->repeat, sizeof v->what->repeat);
	if (v->what->most_off_cpu != TW__MOST_OFF_CPU)
		tw__digest_bytes(&d, &v->what->most_off_cpu, sizeof v->what->most_off_cpu);
	tw__digest_print(&d, identity);
	return TW_OK;
}

static bool is_there(const struct validate *v, const char *identity)
{
	const struct tw__row_key *key = tw__kept_find(&v->rows, identity);
	return key && !(key->failed && v->what->retry);
}

static bool is_stopped(const struct validate *v)
{
	struct pollfd polled = {v->what->stop_fd, POLLIN, 0};
	return poll(&polled, 1, 0) > 0;
}

static int make_rows(struct validate *v, struct tw_error *err)
{
	int status = TW_OK;
	for (int64_t i = 0; i < v->counts->points && status == TW_OK; i++) {
		struct tw__request real, simulated;
		char identity[TW__DIGEST_TEXT];
		make_point(v->what, i, &real, &simulated);
		status = identify(v, &real, identity, err);
		if (status < 0)
			break;
		if (is_there(v, identity)) {
			v->counts->there++;
			continue;
		}
		v->counts->stopped = is_stopped(v);
		if (v->counts->stopped)
			break;
		status = make_row(v, i, &real, &simulated, identity, err);
	}
	return status;
}

/* Identifies this machine, to compare it with the platform's. Emulated GPUs count as those of the platform. */
static int identify_machine(const struct tw__validate_model *m, const struct tw__identity *there,
                            struct tw__identity *here, struct tw_error *err)
{
	struct tw__request q = {.platform = TW__MACHINE_NAME, .choice = m->inputs->common.choice};
	struct tw__platform *machine;
	q.choice.gpus = m->inputs->common.emulate ? 0 : m->inputs->common.choice.gpus;
	int status = tw__machine_all(&machine, &q, false, err);
	if (status < 0)
		return status;
	tw__identity_of(here, machine);
	tw__platform_destroy(machine);
	if (m->inputs->common.emulate) {
		memcpy(here->gpus, there->gpus, sizeof here->gpus);
		memcpy(here->emulate, there->emulate, sizeof here->emulate);
	}
	return TW_OK;
}

static int compare_machines(const struct tw__validate_model *m, const char *folder, struct tw_error *err)
{
	struct tw__identity here, there;
	char how[400];
	bool found;
	int status = tw__calibration_identity(&there, folder, &found, err);
	if (status == TW_OK && !found)
		return tw_fail(err, TW_INVALID,
		               "--platform '%.200s': it has no calibration.json, so it may be another machine: "
		               "expected a platform that tilewright calibrate has made here, or --force",
		               m->inputs->common.platform);
	if (status == TW_OK)
		status = identify_machine(m, &there, &here, err);
	if (status < 0 || !tw__identity_differs(&there, &here, how, sizeof how))
		return status;
	if (tw__identity_emulates(&there, &here))
		return tw_fail(err, TW_INVALID, "--platform '%.200s': its GPUs are emulated: expected --emulate %s",
		               m->inputs->common.platform, there.emulate);
	return tw_fail(err, TW_INVALID, "--platform '%.200s': it is another machine: %s: expected --force",
	               m->inputs->common.platform, how);
}

/* Checks that the platform was measured on this machine, because times of another machine do not apply. Timed runs do
 * not depend on the machine. */
static int check_platform(const struct tw__validate_model *m, struct tw_error *err)
{
	char *files[TW__PLATFORM_FILES];
	if (m->force || tw__is_machine(&m->inputs->common) || tw__is_timed(&m->inputs->common))
		return TW_OK;
	int status = tw__platform_files(files, m->inputs->common.platform, err);
	if (status < 0)
		return status;
	char *slash = strrchr(files[0], '/');
	if (slash)
		*slash = '\0';
	status = compare_machines(m, slash ? files[0] : ".", err);
	for (int i = 0; i < TW__PLATFORM_FILES; i++)
		free(files[i]);
	return status;
}

int tw__validate_model(const struct tw__validate_model *m, struct tw__validate_counts *counts, struct tw_error *err)
{
	struct validate v = {.what = m, .counts = counts};
	*counts = (struct tw__validate_counts){.points = tw__inputs_points(m->inputs)};
	int status = check_platform(m, err);
	char *header = choose_columns(&v);
	if (status == TW_OK)
		status = tw__results_open(&v.file, m->output, header, &v.rows, err);
	free(header);
	if (status == TW_OK) {
		status = make_rows(&v, err);
		struct tw_error why;
		int synced = tw__results_sync(&v.file, &why);
		if (status == TW_OK && synced < 0)
			status = tw_fail(err, synced, "%s", why.message);
		tw__kept_finish(&v.rows);
		tw__results_close(&v.file);
	}
	tw__scene_destroy(v.scene);
	tw__origin_finish(&v.origin);
	tw__identifier_finish(&v.identifier);
	return status;
}
