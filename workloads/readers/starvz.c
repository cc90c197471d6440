/* Reads a folder of tables that StarVZ (Schnorr et al. 2020) makes of a trace of StarPU:
 *
 *     rec.tasks.csv                              jobs, with the keys of tasks.rec as columns
 *     dag.csv                                    more dependencies (Dependent comes before JobId); optional
 *     paje.worker_state.csv, worker_state.csv    the kind of the worker of each job; optional
 *
 * Each table may be compressed (.gz). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/containers.h>

#include "readers/csv.h"
#include "readers/starpu_job.h"
#include "readers/starpu_names.h"

enum { DATE_BYTES = 24 }; /* room for a date in ms: 15 digits before the point, and picoseconds */

/* A job's row in worker_state.csv. */
struct state {
	bool accelerator;
	char start[DATE_BYTES], end[DATE_BYTES]; /* milliseconds, as text */
};

struct tables {
	struct tw__starpu starpu;
	const char *folder;
	struct tw__name_list jobs; /* names of the jobs that have a state */
	struct state *states;
	size_t states_capacity;
};

/* Opens the first table of `names` that is in the folder. `*found`: whether one is; if none is, that is no error. */
static int open_table(struct tables *t, struct tw__csv_table *table, const char *const *names, bool *found)
{
	*found = false;
	for (; *names && !*found; names++) {
		char *path;
		if (asprintf(&path, "%s/%s", t->folder, *names) < 0)
			return tw__draft_no_memory(t->starpu.draft, t->starpu.err);
		int status = TW_OK;
		if (access(path, F_OK) == 0) {
			*found = true;
			/* Let messages name the table. */
			snprintf(t->starpu.draft->path, sizeof t->starpu.draft->path, "%s", path);
			status = tw__csv_table_open(table, path, t->starpu.err);
		}
		free(path);
		if (status < 0)
			return status;
	}
	return TW_OK;
}

static int missing_column(const struct tables *t, const char *column)
{
	return tw__draft_fail(t->starpu.draft, 1, t->starpu.err, "no column %s, expected one", column);
}

/* --- workers ------------------------------------------------------------------------------------------------------ */

/* Whether a resource of the trace is a worker of this kind. Resources are "CPU0", "CUDA0_0", or, with MPI, "0_CPU0". */
static bool has_kind(const char *resource, const char *kind)
{
	const char *found = strstr(resource, kind);
	return found && (found == resource || found[-1] == '_');
}

static bool is_accelerator(struct tables *t, const char *resource)
{
	static const char *const kinds[] = {"CUDA", "OpenCL", "HIP", "SYCL", "FPGA", "Max", "MIC", NULL};
	if (has_kind(resource, "CPU"))
		return false;
	for (const char *const *kind = kinds; *kind; kind++)
		if (has_kind(resource, *kind))
			return true;
	tw__draft_count(t->starpu.draft, "states of workers of unknown kinds, counted as accelerators", 1);
	return true;
}

static int check_state(const struct tables *t, const struct tw__csv_table *table, const char *resource,
                       const char *start, const char *end)
{
	const char *dates[] = {start, end};
	double date;
	if (!*resource)
		return tw__input_fail(table->in, t->starpu.err, "no ResourceId, expected the job's worker");
	for (int i = 0; i < 2; i++)
		if (*dates[i] && (!tw__text_real(dates[i], &date) || date < 0))
			return tw__input_fail(table->in, t->starpu.err, "%s '%.60s', expected a number, 0 or more",
			                      i ? "End" : "Start", dates[i]);
	for (int i = 0; i < 2; i++)
		if (strlen(dates[i]) >= DATE_BYTES)
			return tw__input_fail(table->in, t->starpu.err, "%s '%.60s', expected at most %d characters",
			                      i ? "End" : "Start", dates[i], DATE_BYTES - 1);
	return TW_OK;
}

static int keep_state(struct tables *t, const char *job, const char *resource, const char *start, const char *end)
{
	char room[TW__STARPU_NAME_ROOM];
	const char *name = tw_starpu_job_name(job, tw_starpu_rank(resource), room, sizeof room);
	if (!name)
		return tw__draft_fail(t->starpu.draft, 0, t->starpu.err, "JobId '%.60s', expected a shorter one", job);
	int32_t number = tw__name_list_add(&t->jobs, name, strlen(name));
	if (number == TW_NONE || !TW_HAS_ROOM(t->states, t->states_capacity, (size_t)number + 1))
		return tw__draft_no_memory(t->starpu.draft, t->starpu.err);
	struct state *state = &t->states[number];
	state->accelerator = is_accelerator(t, resource);
	snprintf(state->start, sizeof state->start, "%s", start);
	snprintf(state->end, sizeof state->end, "%s", end);
	return TW_OK;
}

static int read_states(struct tables *t)
{
	static const char *const names[] = {"paje.worker_state.csv.gz", "paje.worker_state.csv", "worker_state.csv.gz",
	                                    "worker_state.csv", NULL};
	struct tw__csv_table table;
	bool found;
	int status = open_table(t, &table, names, &found);
	if (status < 0 || !found)
		return status;
	int resource = tw__csv_table_column(&table, "ResourceId"), job = tw__csv_table_column(&table, "JobId");
	int start = tw__csv_table_column(&table, "Start"), end = tw__csv_table_column(&table, "End");
	if (resource < 0 || job < 0 || start < 0 || end < 0)
		status = missing_column(t, resource < 0 ? "ResourceId"
		                           : job < 0    ? "JobId"
		                           : start < 0  ? "Start"
		                                        : "End");
	table.short_rows = true; /* rows of idle workers lack the job */
	while (status == TW_OK && (status = tw__csv_table_row(&table, t->starpu.err)) == 1) {
		char **v = table.values;
		status = *v[job] ? check_state(t, &table, v[resource], v[start], v[end]) : TW_OK;
		if (status == TW_OK && *v[job])
			status = keep_state(t, v[job], v[resource], v[start], v[end]);
	}
	tw__csv_table_close(&table);
	return status;
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* Completes a job's values with those from its state that the table of tasks lacks. A table of states without the ranks
 * of workers may have the JobId alone. */
static int complete(struct tables *t, struct tw__starpu_record *record)
{
	static char processor[] = "0", accelerator[] = "1";
	char **values = record->values, room[TW__STARPU_NAME_ROOM];
	int32_t rank;
	if (!t->jobs.n || (values[TW__STARPU_CONTROL] && *values[TW__STARPU_CONTROL]))
		return TW_OK;
	const char *name = tw__starpu_record_name(&t->starpu, record, room, &rank);
	if (!name)
		return TW_INVALID;
	int32_t job = tw__name_list_find(&t->jobs, name, strlen(name));
	if (job == TW_NONE)
		job = tw__name_list_find(&t->jobs, values[TW__STARPU_JOB_ID], strlen(values[TW__STARPU_JOB_ID]));
	if (job == TW_NONE)
		return TW_OK;
	struct state *state = &t->states[job];
	values[TW__STARPU_MEMORY_NODE] = state->accelerator ? accelerator : processor;
	if (!values[TW__STARPU_START_TIME] || !*values[TW__STARPU_START_TIME])
		values[TW__STARPU_START_TIME] = state->start;
	if (!values[TW__STARPU_END_TIME] || !*values[TW__STARPU_END_TIME])
		values[TW__STARPU_END_TIME] = state->end;
	return TW_OK;
}

static int read_jobs(struct tables *t)
{
	static const char *const names[] = {"rec.tasks.csv.gz", "rec.tasks.csv", NULL};
	struct tw__csv_table table;
	enum tw__starpu_key keys[TW__CSV_TABLE_COLUMNS];
	bool found;
	int status = open_table(t, &table, names, &found);
	if (status == TW_OK && !found)
		return tw__draft_fail(t->starpu.draft, 0, t->starpu.err,
		                      "no rec.tasks.csv, expected a folder of StarVZ's tables");
	if (status < 0)
		return status;
	for (int c = 0; c < table.n_columns; c++) {
		keys[c] = tw__starpu_key(table.names[c]);
		if (keys[c] == TW__STARPU_UNKNOWN)
			tw__draft_count(t->starpu.draft, "unknown columns left out", 1);
	}
	if (tw__csv_table_column(&table, "JobId") < 0)
		status = missing_column(t, "JobId");
	while (status == TW_OK && (status = tw__csv_table_row(&table, t->starpu.err)) == 1) {
		struct tw__starpu_record record = {.line = tw__input_line_number(table.in)};
		for (int k = 0; k < TW__STARPU_N_KEYS; k++)
			record.lines[k] = record.line;
		for (int c = 0; c < table.n_columns; c++)
			if (keys[c] < TW__STARPU_N_KEYS)
				record.values[keys[c]] = table.values[c];
		status = complete(t, &record);
		if (status == TW_OK)
			status = tw__starpu_job(&t->starpu, &record);
	}
	tw__csv_table_close(&table);
	return status;
}

/* Whether a row of dag.csv says that a job has a tag, as "tag_b,5->tag_b[style=dashed]" does of job 5. Such a row
 * orders nothing. */
static bool names_a_tag(const char *from, const char *to)
{
	const char *arrow = strstr(to, "->");
	size_t length = strlen(from);
	return !strncmp(from, "tag_", 4) && arrow && !strncmp(arrow + 2, from, length) &&
	       (!arrow[2 + length] || arrow[2 + length] == '[');
}

static bool is_job(const char *name) { return *name && strncmp(name, "tag_", 4) != 0; }

/* Finds or adds the job of an id of dag.csv, which has no ranks: they stand before the ids. If all jobs are of one
 * rank, the ids may lack it. */
static int32_t find_job(struct tables *t, const struct tw__csv_table *table, const char *id)
{
	char room[TW__STARPU_NAME_ROOM];
	const struct tw__starpu *s = &t->starpu;
	bool is_number = id[strspn(id, "0123456789")] == '\0';
	if (is_number && s->n_ranks > 1)
		return tw__input_fail(table->in, s->err,
		                      "JobId '%.60s', expected its MPI rank before it, as in 0_%.60s", id, id);
	const char *name = is_number && s->n_ranks == 1 ? tw_starpu_job_name(id, s->last_rank, room, sizeof room) : id;
	if (!name)
		return tw__input_fail(table->in, s->err, "JobId '%.60s', expected a shorter one", id);
	return tw__draft_name(s->draft, name, strlen(name), 0, s->err);
}

/* Adds the dependency of a row. A job that rec.tasks.csv lacks is one without a kernel: the jobs behind it wait for
 * those before it. Dependencies between tags are lost, because a tag can have several jobs. */
static int add_dependency(struct tables *t, const struct tw__csv_table *table, const char *from, const char *to)
{
	struct tw__draft *d = t->starpu.draft;
	if (names_a_tag(from, to))
		return TW_OK;
	if (!is_job(from) || !is_job(to)) {
		tw__draft_count(d, "rows of dag.csv left out, not between two jobs", 1);
		return TW_OK;
	}
	int32_t i = find_job(t, table, from);
	int32_t j = i < 0 ? i : find_job(t, table, to);
	return j < 0 ? j : tw__draft_edge(d, i, j, t->starpu.err);
}

static int read_dependencies(struct tables *t)
{
	static const char *const names[] = {"dag.csv.gz", "dag.csv", NULL};
	struct tw__csv_table table;
	bool found;
	int status = open_table(t, &table, names, &found);
	if (status < 0 || !found)
		return status;
	int before = tw__csv_table_column(&table, "Dependent"), behind = tw__csv_table_column(&table, "JobId");
	if (before < 0 || behind < 0)
		status = missing_column(t, before < 0 ? "Dependent" : "JobId");
	while (status == TW_OK && (status = tw__csv_table_row(&table, t->starpu.err)) == 1)
		status = add_dependency(t, &table, table.values[before], table.values[behind]);
	tw__csv_table_close(&table);
	return status;
}

int tw__read_starvz(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct tables t = {.starpu = {.draft = draft, .reading = reading, .err = err}, .folder = reading->path};
	draft->unknown_jobs_pass = true;
	char folder[sizeof draft->path];
	memcpy(folder, draft->path, sizeof folder);
	int status = read_states(&t);
	memcpy(draft->path, folder, sizeof folder); /* messages about a missing rec.tasks.csv name the folder */
	if (status == TW_OK)
		status = read_jobs(&t);
	char tasks[sizeof draft->path];
	memcpy(tasks, draft->path, sizeof tasks);
	if (status == TW_OK)
		status = read_dependencies(&t);
	if (status == TW_OK && reading->recorded)
		tw__draft_count_unrecorded(draft);
	/* Later messages name rec.tasks.csv, which the jobs' line numbers refer to. */
	memcpy(draft->path, tasks, sizeof tasks);
	tw__starpu_finish(&t.starpu);
	tw__name_list_finish(&t.jobs);
	free(t.states);
	return status;
}
