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

#include "readers/csv.h"
#include "readers/starpu_job.h"
#include "readers/starpu_names.h"

enum { DATE_BYTES = 24 }; /* room for a date in ms: 15 digits before the point, and picoseconds */

/* A job's row in worker_state.csv. */
struct state {
	char memory_node[2];                     /* "1": that of an accelerator */
	char start[DATE_BYTES], end[DATE_BYTES]; /* milliseconds, as text */
};

struct tables {
	struct tw__draft *draft;
	struct tw__starpu starpu;
	struct tw__csv_table table; /* the open one */
	struct tw__name_list jobs;  /* names of the jobs that have a state */
	struct state *states;
	size_t states_capacity;
};

/* Opens the first table of `names` that is in the folder, and lets messages name it. False: none is, or an error. */
static bool open_table(struct tables *t, const char *const *names)
{
	struct tw__draft *d = t->draft;
	int status = d->status < 0 ? d->status : tw__csv_table_open(&t->table, d->file, names, d->err);
	d->status = status < 0 ? status : TW_OK;
	if (status == 1)
		snprintf(d->path, sizeof d->path, "%s", t->table.path);
	return status == 1;
}

static void find_columns(struct tables *t, const char *const *names, int *columns)
{
	t->draft->status = tw__csv_table_columns(&t->table, names, columns, t->draft->err);
}

static bool next_row(struct tables *t)
{
	int status = t->draft->status < 0 ? t->draft->status : tw__csv_table_row(&t->table, t->draft->err);
	t->draft->status = status < 0 ? status : TW_OK;
	return status == 1;
}

static uint32_t line_of(const struct tables *t) { return tw__input_line_number(t->table.in); }

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
	tw__draft_count(t->draft, "states of workers of unknown kinds, counted as accelerators", 1);
	return true;
}

static void check_state(struct tables *t, const char *resource, const char *start, const char *end)
{
	const char *dates[] = {start, end};
	double date;
	if (!*resource)
		tw__draft_fail(t->draft, line_of(t), "no ResourceId, expected the job's worker");
	for (int i = 0; i < 2; i++)
		if (*dates[i] && (!tw__text_real(dates[i], &date) || date < 0))
			tw__draft_fail(t->draft, line_of(t), "%s '%.60s', expected a number, 0 or more",
			               i ? "End" : "Start", dates[i]);
	for (int i = 0; i < 2; i++)
		if (strlen(dates[i]) >= DATE_BYTES)
			tw__draft_fail(t->draft, line_of(t), "%s '%.60s', expected at most %d characters",
			               i ? "End" : "Start", dates[i], DATE_BYTES - 1);
}

static void take_state(struct tables *t, const char *job, const char *resource, const char *start, const char *end)
{
	char room[TW__STARPU_NAME_ROOM];
	check_state(t, resource, start, end);
	const char *name = tw_starpu_job_name(job, tw_starpu_rank(resource), room, sizeof room);
	if (!name) {
		tw__draft_fail(t->draft, 0, "JobId '%.60s', expected a shorter one", job);
		return;
	}
	int32_t number = tw__name_list_add(&t->jobs, name, strlen(name));
	TW_RESERVE(t->states, t->states_capacity, (size_t)number + 1);
	struct state *state = &t->states[number];
	memcpy(state->memory_node, is_accelerator(t, resource) ? "1" : "0", sizeof state->memory_node);
	snprintf(state->start, sizeof state->start, "%s", start);
	snprintf(state->end, sizeof state->end, "%s", end);
}

static void read_states(struct tables *t)
{
	static const char *const tables[] = {"paje.worker_state.csv.gz", "paje.worker_state.csv", "worker_state.csv.gz",
	                                     "worker_state.csv", NULL};
	static const char *const names[] = {"ResourceId", "JobId", "Start", "End", NULL};
	enum { RESOURCE, JOB, START, END, N };
	int columns[N];
	if (!open_table(t, tables))
		return;
	find_columns(t, names, columns);
	t->table.short_rows = true; /* rows of idle workers lack the job */
	while (next_row(t)) {
		char **v = t->table.values;
		if (*v[columns[JOB]])
			take_state(t, v[columns[JOB]], v[columns[RESOURCE]], v[columns[START]], v[columns[END]]);
	}
	tw__csv_table_close(&t->table);
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* Completes a job's values with those from its state that the table of tasks lacks. A table of states without the ranks
 * of workers may have the JobId alone. */
static void complete(struct tables *t, struct tw__starpu_record *record)
{
	char **values = record->values, room[TW__STARPU_NAME_ROOM];
	if (!t->jobs.n || (values[TW__STARPU_CONTROL] && *values[TW__STARPU_CONTROL]))
		return;
	const char *name = tw__starpu_record_name(record, room);
	if (!name)
		return;
	int32_t job = tw__name_list_find(&t->jobs, name, strlen(name));
	if (job == TW_NONE)
		job = tw__name_list_find(&t->jobs, values[TW__STARPU_JOB_ID], strlen(values[TW__STARPU_JOB_ID]));
	if (job == TW_NONE)
		return;
	struct state *state = &t->states[job];
	values[TW__STARPU_MEMORY_NODE] = state->memory_node;
	if (!values[TW__STARPU_START_TIME] || !*values[TW__STARPU_START_TIME])
		values[TW__STARPU_START_TIME] = state->start;
	if (!values[TW__STARPU_END_TIME] || !*values[TW__STARPU_END_TIME])
		values[TW__STARPU_END_TIME] = state->end;
}

static void read_jobs(struct tables *t)
{
	static const char *const tables[] = {"rec.tasks.csv.gz", "rec.tasks.csv", NULL};
	static const char *const names[] = {"JobId", NULL};
	enum tw__starpu_key keys[TW__CSV_TABLE_COLUMNS];
	int job;
	if (!open_table(t, tables)) {
		tw__draft_fail(t->draft, 0, "no rec.tasks.csv, expected a folder of StarVZ's tables");
		return;
	}
	for (int c = 0; c < t->table.n_columns; c++) {
		keys[c] = tw__starpu_key(t->table.names[c]);
		tw__draft_count(t->draft, "unknown columns left out", keys[c] == TW__STARPU_UNKNOWN);
	}
	find_columns(t, names, &job);
	while (next_row(t)) {
		struct tw__starpu_record record = {.reader = &t->starpu, .line = line_of(t)};
		for (int k = 0; k < TW__STARPU_N_KEYS; k++)
			record.lines[k] = record.line;
		for (int c = 0; c < t->table.n_columns; c++)
			if (keys[c] < TW__STARPU_N_KEYS)
				record.values[keys[c]] = t->table.values[c];
		complete(t, &record);
		tw__starpu_job(&record);
	}
	tw__csv_table_close(&t->table);
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
static int32_t find_job(struct tables *t, const char *id)
{
	char room[TW__STARPU_NAME_ROOM];
	const struct tw__starpu *s = &t->starpu;
	bool is_number = id[strspn(id, "0123456789")] == '\0';
	if (is_number && s->n_ranks > 1)
		tw__draft_fail(t->draft, line_of(t), "JobId '%.60s', expected its MPI rank before it, as in 0_%.60s",
		               id, id);
	const char *name = is_number && s->n_ranks == 1 ? tw_starpu_job_name(id, s->last_rank, room, sizeof room) : id;
	if (!name)
		tw__draft_fail(t->draft, line_of(t), "JobId '%.60s', expected a shorter one", id);
	return tw__draft_name(t->draft, name ? name : id, 0);
}

/* Adds the dependency of a row. A job that rec.tasks.csv lacks is one without a kernel: the jobs behind it wait for
 * those before it. Dependencies between tags are lost, because a tag can have several jobs. */
static void add_dependency(struct tables *t, const char *from, const char *to)
{
	if (names_a_tag(from, to))
		return;
	if (!is_job(from) || !is_job(to)) {
		tw__draft_count(t->draft, "rows of dag.csv left out, not between two jobs", 1);
		return;
	}
	int32_t before = find_job(t, from);
	tw__draft_edge(t->draft, before, find_job(t, to));
}

static void read_dependencies(struct tables *t)
{
	static const char *const tables[] = {"dag.csv.gz", "dag.csv", NULL};
	static const char *const names[] = {"Dependent", "JobId", NULL};
	int columns[2];
	if (!open_table(t, tables))
		return;
	find_columns(t, names, columns);
	while (next_row(t))
		add_dependency(t, t->table.values[columns[0]], t->table.values[columns[1]]);
	tw__csv_table_close(&t->table);
}

void tw__read_starvz(struct tw__draft *draft)
{
	struct tables t = {.draft = draft, .starpu = {.draft = draft}};
	char folder[sizeof draft->path], tasks[sizeof draft->path];
	draft->unknown_jobs_pass = true;
	memcpy(folder, draft->path, sizeof folder);
	read_states(&t);
	memcpy(draft->path, folder, sizeof folder); /* messages about a missing rec.tasks.csv name the folder */
	read_jobs(&t);
	memcpy(tasks, draft->path, sizeof tasks);
	read_dependencies(&t);
	memcpy(draft->path, tasks, sizeof tasks); /* the jobs' line numbers refer to rec.tasks.csv */
	tw__draft_count_unrecorded(draft);
	tw__starpu_finish(&t.starpu);
	tw__name_list_finish(&t.jobs);
	free(t.states);
}
