#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "calibrate/calibrate.h"
#include "perf/rows.h"

/* State of reading calibration.json. */
struct reading {
	struct tw__calibration *c;
	char *path;
	struct tw_error *err;
};

/* The command that calibrates can start again. */
static const char *way_out(const struct reading *r) { return r->c ? " (--force starts again)" : ""; }

static int damaged(const struct reading *r, const char *what, const char *expected)
{
	return tw_fail(r->err, TW_INVALID, "%.400s: %s: expected %s, as tilewright calibrate writes it%s", r->path,
	               what, expected, way_out(r));
}

/* Returns the value of a JSON number; NAN for null and other types. */
static double number_of(const json_t *json) { return json_is_number(json) ? json_number_value(json) : NAN; }

/* --- the machine -------------------------------------------------------------------------------------------------- */

static int read_machine(const struct reading *r, const json_t *root, struct tw__identity *id)
{
	const char *host, *cpu, *gpus;
	const json_t *machine = json_object_get(root, "machine");
	*id = (struct tw__identity){0};
	if (json_unpack((json_t *)machine, "{s:s, s:s, s:i, s:s}", "host", &host, "cpu", &cpu, "cores", &id->cores,
	                "gpus", &gpus))
		return damaged(r, "'machine'", "host, cpu, cores and gpus");
	snprintf(id->host, sizeof id->host, "%s", host);
	snprintf(id->cpu, sizeof id->cpu, "%s", cpu);
	snprintf(id->gpus, sizeof id->gpus, "%s", gpus);
	const char *emulate = json_string_value(json_object_get(json_object_get(root, "conditions"), "emulate"));
	snprintf(id->emulate, sizeof id->emulate, "%s", emulate ? emulate : "");
	return TW_OK;
}

/* A calibration continues with the main memories that it has. Those of earlier versions have one. */
static int check_mains(const struct reading *r, const json_t *root)
{
	const json_t *n = json_object_get(json_object_get(root, "conditions"), "main_memories");
	const bool has_several = json_integer_value(n) > 1;
	if (has_several == (r->c->buses.n_mains > 1))
		return TW_OK;
	return tw_fail(r->err, TW_INVALID,
	               "%.400s: the calibration is with%s --numa: expected the same, another folder, or --force",
	               r->path, has_several ? "" : "out");
}

static int check_machine(const struct reading *r, const json_t *root)
{
	struct tw__identity id;
	char how[400];
	int status = read_machine(r, root, &id);
	if (status < 0 || !tw__identity_differs(&id, &r->c->identity, how, sizeof how))
		return status < 0 ? status : check_mains(r, root);
	if (tw__identity_emulates(&id, &r->c->identity))
		return tw_fail(
			r->err, TW_INVALID,
			"%.400s: the calibration is with %s%.200s: expected the same, another folder, or --force",
			r->path, *id.emulate ? "--emulate " : "no --emulate", id.emulate);
	return tw_fail(r->err, TW_INVALID,
	               "%.400s: the calibration is of another machine: %s: expected another folder, or --force",
	               r->path, how);
}

/* --- kernels ------------------------------------------------------------------------------------------------------ */

static void take_executions(struct tw__calibrated *c, const struct tw__models *models, const struct tw__row *row)
{
	for (size_t i = 0; i < row->draws.n; i++) {
		const struct tw__execution e = {.seconds = 1e-6 * row->mean_us * models->factors[row->draws.first + i],
		                                .is_warm = true};
		tw__calibrated_add(c, e);
	}
	if (c->n)
		free(tw__calibrated_estimate(c));
}

static int take_kernel(const struct reading *r, const json_t *json, const struct tw__models *models)
{
	const char *kernel, *arch, *size, *precision, *workload;
	json_int_t cores, slow, interrupted, outliers;
	if (json_unpack((json_t *)json, "{s:s, s:s, s:I, s:s, s:s, s:s, s:I, s:I, s:I}", "kernel", &kernel, "arch",
	                &arch, "cores", &cores, "size", &size, "precision", &precision, "workload", &workload,
	                "slow_start", &slow, "interrupted", &interrupted, "outliers", &outliers) ||
	    cores < 1 || cores > TW__MAX_CORES || slow < 0 || interrupted < 0 || outliers < 0)
		return damaged(r, "an entry of 'kernels'",
		               "kernel, arch, cores, size, precision, workload and counts of dropped executions");
	const struct tw__row *row = tw__models_find(models, kernel, size, precision, arch, (int)cores);
	int entry = tw__calibration_entry(r->c, workload, kernel, arch, (int)cores, size, precision);
	struct tw__calibrated *c = &r->c->kernels[entry];
	c->n_dropped[TW__SLOW_START] = (size_t)slow;
	c->n_dropped[TW__INTERRUPTED] = (size_t)interrupted;
	c->n_dropped[TW__OUTLIER] = (size_t)outliers;
	c->worst_s = 1e-6 * fmax(0, number_of(json_object_get(json, "worst_outlier_us")));
	c->in_run = json_is_true(json_object_get(json, "in_run"));
	c->past_launch_s = 1e-6 * fmax(0, number_of(json_object_get(json, "launch_us")));
	if (row)
		take_executions(c, models, row);
	return TW_OK;
}

static int read_kernels(const struct reading *r, const json_t *root, const char *folder)
{
	const json_t *kernels = json_object_get(root, "kernels");
	struct tw__models *models = NULL;
	if (!json_is_array(kernels))
		return damaged(r, "'kernels'", "a list");
	char *path = tw_format("%s/kernels.csv", folder);
	int status = tw__models_read(&models, path, r->c->platform, r->err);
	for (size_t i = 0; i < json_array_size(kernels) && status == TW_OK; i++)
		status = take_kernel(r, json_array_get(kernels, i), models);
	tw__models_destroy(models);
	free(path);
	return status;
}

/* --- links -------------------------------------------------------------------------------------------------------- */

static int way_named(const struct reading *r, const char *from, const char *to)
{
	const struct tw__buses *b = &r->c->buses;
	const struct tw__node *nodes = r->c->platform->nodes;
	for (int w = 0; w < b->n_ways; w++)
		if (strcmp(nodes[b->ways[w].way.from].name, from) == 0 &&
		    strcmp(nodes[b->ways[w].way.to].name, to) == 0)
			return w;
	return TW_NONE;
}

static int take_way(const struct reading *r, const json_t *json, int *way)
{
	const char *from, *to;
	int copies;
	double bandwidth = number_of(json_object_get(json, "bandwidth")),
	       latency_s = number_of(json_object_get(json, "latency_s"));
	if (json_unpack((json_t *)json, "{s:s, s:s, s:i}", "from", &from, "to", &to, "copies", &copies) ||
	    !(bandwidth > 0) || !(latency_s >= 0))
		return damaged(r, "an entry of 'links'", "from, to, bandwidth, latency_s and copies");
	*way = way_named(r, from, to);
	if (*way == TW_NONE)
		return damaged(r, "an entry of 'links'", "memories of this machine");
	struct tw__bus_way *w = &r->c->buses.ways[*way];
	w->copies = copies;
	w->line = (struct tw__line){latency_s, bandwidth, fmax(0, number_of(json_object_get(json, "residual")))};
	return TW_OK;
}

/* Reads an entry of 'shared': a link that several routes share. `ways`, [listed]: the route of each entry of
 * 'links'. */
static int take_shared(const struct reading *r, const json_t *json, const int *ways, size_t listed)
{
	const json_t *members = json_object_get(json, "ways");
	struct tw__bus_shared *shared = tw__buses_share(&r->c->buses, number_of(json_object_get(json, "bandwidth")));
	for (size_t i = 0; i < json_array_size(members); i++) {
		json_int_t way = json_integer_value(json_array_get(members, i));
		if (way < 0 || (size_t)way >= listed)
			return damaged(r, "an entry of 'shared'", "numbers of 'links'");
		shared->has[ways[way]] = true;
	}
	return json_array_size(members) > 1 && shared->bandwidth > 0
	               ? TW_OK
	               : damaged(r, "an entry of 'shared'", "ways and bandwidth");
}

/* Reads the measured links. If the machine now has more routes, as with other accelerators, all links are measured
 * again. */
static int read_links(const struct reading *r, const json_t *root)
{
	const json_t *links = json_object_get(root, "links"), *shared = json_object_get(root, "shared");
	size_t n = json_array_size(links);
	if (!json_is_array(links) || !json_is_array(shared))
		return damaged(r, "'links', 'shared'", "lists");
	if (n == 0)
		return TW_OK;
	int *ways = tw_alloc(n, sizeof *ways), status = TW_OK;
	for (size_t i = 0; i < n && status == TW_OK; i++)
		status = take_way(r, json_array_get(links, i), &ways[i]);
	for (size_t i = 0; i < json_array_size(shared) && status == TW_OK; i++)
		status = take_shared(r, json_array_get(shared, i), ways, n);
	r->c->has_buses = status == TW_OK && n == (size_t)r->c->buses.n_ways;
	free(ways);
	return status;
}

/* --- the whole file ----------------------------------------------------------------------------------------------- */

static int read_json(const struct reading *r, const json_t *root, const char *folder)
{
	if (json_integer_value(json_object_get(root, "format")) != TW__CALIBRATION_FORMAT)
		return damaged(r, "'format'", "1");
	int status = check_machine(r, root);
	if (status == TW_OK)
		status = read_kernels(r, root, folder);
	return status == TW_OK ? read_links(r, root) : status;
}

/* Opens calibration.json in the folder; *root: NULL if it is not there. The caller frees r->path. */
static int open_json(struct reading *r, const char *folder, json_t **root, bool *found)
{
	json_error_t error;
	r->path = tw_format("%s/calibration.json", folder);
	*found = access(r->path, F_OK) == 0;
	*root = *found ? json_load_file(r->path, JSON_REJECT_DUPLICATES, &error) : NULL;
	return *found && !*root ? tw_fail(r->err, TW_INVALID,
	                                  "%.400s:%d: %.160s: expected JSON, as tilewright calibrate writes it%s",
	                                  r->path, error.line, error.text, way_out(r))
	                        : TW_OK;
}

int tw__calibration_read(struct tw__calibration *c, const char *folder, bool *found, struct tw_error *err)
{
	struct reading r = {.c = c, .err = err};
	json_t *root;
	int status = open_json(&r, folder, &root, found);
	if (root)
		status = read_json(&r, root, folder);
	json_decref(root);
	free(r.path);
	return status;
}

int tw__calibration_identity(struct tw__identity *id, const char *folder, bool *found, struct tw_error *err)
{
	struct reading r = {.err = err};
	json_t *root;
	int status = open_json(&r, folder, &root, found);
	if (root)
		status = read_machine(&r, root, id);
	json_decref(root);
	free(r.path);
	return status;
}
