#include "readers/starpu_job.h"

#include <stdio.h>
#include <string.h>

#include <tilewright/base.h>

#include "readers/input.h"
#include "readers/starpu_kernel.h"
#include "readers/starpu_names.h"

enum { MAX_HANDLES = 4096, MAX_NAME = 255, MAX_HANDLE = 32 };

static const char *const keys[TW__STARPU_N_KEYS] = {
	[TW__STARPU_CONTROL] = "Control",
	[TW__STARPU_NAME] = "Name",
	[TW__STARPU_MODEL] = "Model",
	[TW__STARPU_JOB_ID] = "JobId",
	[TW__STARPU_SUBMIT_ORDER] = "SubmitOrder",
	[TW__STARPU_PRIORITY] = "Priority",
	[TW__STARPU_DEPENDS_ON] = "DependsOn",
	[TW__STARPU_END_DEPENDENCIES] = "EndDependencies",
	[TW__STARPU_WORKER_ID] = "WorkerId",
	[TW__STARPU_MEMORY_NODE] = "MemoryNode",
	[TW__STARPU_START_TIME] = "StartTime",
	[TW__STARPU_END_TIME] = "EndTime",
	[TW__STARPU_FOOTPRINT] = "Footprint",
	[TW__STARPU_GFLOP] = "GFlop",
	[TW__STARPU_PARAMETERS] = "Parameters",
	[TW__STARPU_HANDLES] = "Handles",
	[TW__STARPU_MODES] = "Modes",
	[TW__STARPU_SIZES] = "Sizes",
	[TW__STARPU_MPI_RANK] = "MPIRank",
};

static const char *const ignored[] = {"File",      "Line",      "DepLabels", "Tag", "SubmitTime",    "ReadyTime",
                                      "Iteration", "NumaNodes", "X",         "Y",   "EstimatedTime", "Subiteration"};

enum tw__starpu_key tw__starpu_key(const char *text)
{
	for (int k = 0; k < TW__STARPU_N_KEYS; k++)
		if (text[0] == keys[k][0] && !strcmp(text, keys[k]))
			return (enum tw__starpu_key)k;
	for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++)
		if (text[0] == ignored[i][0] && !strcmp(text, ignored[i]))
			return TW__STARPU_IGNORED;
	return TW__STARPU_UNKNOWN;
}

void tw__starpu_finish(struct tw__starpu *s) { tw__name_list_finish(&s->handles); }

/* The record of the job that is being read. */
struct record {
	struct tw__starpu *s;
	const struct tw__starpu_record *of;
	int32_t rank; /* MPI rank; negative: without MPI */
};

static char *value(const struct record *r, enum tw__starpu_key key)
{
	return r->of->values[key] && r->of->values[key][0] ? r->of->values[key] : NULL;
}

static int bad_value(const struct record *r, enum tw__starpu_key key, const char *text, const char *expected)
{
	return tw__draft_fail(r->s->draft, r->of->lines[key], r->s->err, "%s '%.60s', expected %s", keys[key], text,
	                      expected);
}

/* Reads an integer of the record, from `least` to `most`. Leaves *number unchanged if the record lacks the key. */
static int take_int(const struct record *r, enum tw__starpu_key key, int64_t least, int64_t most, int64_t *number)
{
	const char *text = value(r, key);
	char expected[80];
	if (!text || (tw__text_int(text, number) && *number >= least && *number <= most))
		return TW_OK;
	snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)least, (long long)most);
	return bad_value(r, key, text, expected);
}

static int take_real(const struct record *r, enum tw__starpu_key key, double most, double *number)
{
	const char *text = value(r, key);
	char expected[80];
	if (!text || (tw__text_real(text, number) && *number >= 0 && *number <= most))
		return TW_OK;
	snprintf(expected, sizeof expected, "a number from 0 to %g", most);
	return bad_value(r, key, text, expected);
}

/* Reads a date in milliseconds as whole nanoseconds. Leaves *ns unchanged if the record lacks the key. */
static int take_date(const struct record *r, enum tw__starpu_key key, int64_t *ns)
{
	const char *text = value(r, key);
	double number;
	if (!text || tw_decimal_scientific(text, 6, ns))
		return TW_OK;
	bool too_great = tw__text_real(text, &number) && number >= (double)TW_DECIMAL_MAX / 1e6;
	return bad_value(r, key, text, too_great ? "292 years of milliseconds at most" : "a number, 0 or more");
}

/* --- data --------------------------------------------------------------------------------------------------------- */

/* Converts StarPU's letters of an access mode: R, W, S (scratch), X (reduction), C (commutes). Returns 0 if the text is
 * no mode. X counts as a read, because the trace also contains the tasks that combine the accumulators, which write the
 * handle. */
static unsigned read_mode(const struct record *r, const char *text)
{
	unsigned mode = 0;
	for (const char *c = text; *c; c++) {
		if (!strchr("RWSXC", *c))
			return 0;
		mode |= *c == 'W' ? TW_W : *c == 'R' || *c == 'X' ? TW_R : *c == 'S' ? TW_SCRATCH : 0;
	}
	if (strchr(text, 'X'))
		tw__draft_count(r->s->draft, "accesses for reductions, counted as reads", 1);
	if (strchr(text, 'C') && !r->s->draft->replay)
		tw__draft_count(r->s->draft, "accesses that commute, in the order of submission", 1);
	return mode & TW_SCRATCH ? TW_SCRATCH : mode;
}

/* The operands of a task that identify its kernel: all that are not scratch. */
struct operands {
	const char *parameters[MAX_HANDLES];
	unsigned long long bytes[MAX_HANDLES];
	tw_data data[MAX_HANDLES];
	int n, n_distinct;
};

/* Writes the name of a handle, "rank handle bytes" and `use`, to `name`. Returns the length of the part "rank
 * handle". */
static size_t name_handle(const struct record *r, const char *handle, const char *bytes, const char *use, char *name,
                          size_t room)
{
	char rank[16];
	snprintf(rank, sizeof rank, "%d", (int)r->rank);
	const char *parts[] = {rank, " ", handle, " ", bytes, use};
	size_t used = 0, first = 0;
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		size_t length = strnlen(parts[i], room / 4);
		memcpy(name + used, parts[i], length);
		used += length;
		first = i == 2 ? used : first;
	}
	name[used] = '\0';
	return first;
}

/* Finds the handle of an address in the trace. StarPU reuses addresses, so another size means another handle, and so
 * does scratch. Each MPI rank has its own handles. */
static tw_data find_data(const struct record *r, const char *handle, const char *size, uint64_t bytes, bool scratch)
{
	char name[168];
	size_t group_length = name_handle(r, handle, size, scratch ? " S" : "", name, sizeof name - 8);
	int32_t group = tw__name_list_add(&r->s->handles, name, group_length);
	if (group == TW_NONE)
		return tw__draft_no_memory(r->s->draft, r->s->err);
	tw_data data =
		tw__draft_data(r->s->draft, name, strlen(name), bytes, r->of->lines[TW__STARPU_SIZES], r->s->err);
	if (data >= 0)
		r->s->draft->data_group[data] = group;
	return data;
}

static int take_access(const struct record *r, int32_t job, const char *handle, const char *mode, const char *size,
                       const char *parameters, struct operands *o)
{
	uint64_t bytes;
	unsigned access = read_mode(r, mode);
	if (strlen(handle) > MAX_HANDLE)
		return bad_value(r, TW__STARPU_HANDLES, handle, "addresses in hexadecimal");
	if (!access)
		return bad_value(r, TW__STARPU_MODES, mode, "letters of R, W, S, X and C");
	if (!tw__draft_bytes(r->s->draft, size, &bytes))
		return bad_value(r, TW__STARPU_SIZES, size, "bytes, from 0 to 2^60");
	tw_data data = find_data(r, handle, size, bytes, access == TW_SCRATCH);
	if (data < 0)
		return data;
	bool again = false;
	for (int i = 0; i < o->n && !again; i++)
		again = o->data[i] == data;
	if (access != TW_SCRATCH) {
		o->n_distinct += !again;
		o->data[o->n] = data;
		o->bytes[o->n] = bytes;
		o->parameters[o->n++] = parameters;
	}
	return tw__draft_access(r->s->draft, job, data, access, r->s->err);
}

static int count_words(const char *text)
{
	int n = 0;
	for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
		n++;
		text += strcspn(text, " \t");
	}
	return n;
}

static int take_data(const struct record *r, int32_t job, struct operands *o)
{
	char *handles = value(r, TW__STARPU_HANDLES), *modes = value(r, TW__STARPU_MODES);
	char *sizes = value(r, TW__STARPU_SIZES), *parameters = value(r, TW__STARPU_PARAMETERS);
	int n = handles ? count_words(handles) : 0, n_modes = modes ? count_words(modes) : 0;
	int n_sizes = sizes ? count_words(sizes) : 0;
	if (n != n_modes || n != n_sizes)
		return tw__draft_fail(r->s->draft, r->of->lines[TW__STARPU_HANDLES], r->s->err,
		                      "%d Handles, %d Modes, %d Sizes, expected as many of each", n, n_modes, n_sizes);
	if (n > MAX_HANDLES)
		return tw__draft_fail(r->s->draft, r->of->lines[TW__STARPU_HANDLES], r->s->err,
		                      "%d Handles, expected at most %d", n, MAX_HANDLES);
	if (parameters && count_words(parameters) > n)
		parameters = NULL; /* the codelet writes its parameters in a format of its own */
	int status = TW_OK;
	for (int i = 0; i < n && status == TW_OK; i++) {
		char *parameter = parameters ? tw__text_word(&parameters) : NULL;
		status = take_access(r, job, tw__text_word(&handles), tw__text_word(&modes), tw__text_word(&sizes),
		                     parameter, o);
	}
	return status;
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* Takes what the record says of the execution: worker, start and end. */
static int take_execution(const struct record *r, struct tw__draft_job *job)
{
	int64_t worker = TW_NONE, node = 0;
	int64_t start = -1, end = -1;
	int status = take_int(r, TW__STARPU_WORKER_ID, 0, INT32_MAX, &worker);
	if (status == TW_OK)
		status = take_int(r, TW__STARPU_MEMORY_NODE, 0, INT32_MAX, &node);
	if (status == TW_OK)
		status = take_date(r, TW__STARPU_START_TIME, &start);
	if (status == TW_OK)
		status = take_date(r, TW__STARPU_END_TIME, &end);
	if (status < 0)
		return status;
	job->worker = (int32_t)worker;
	job->rank = r->rank;
	job->accelerator = node != 0;
	if (start < 0 || end < 0)
		return TW_OK;
	if (end < start)
		return tw__draft_fail(r->s->draft, r->of->lines[TW__STARPU_END_TIME], r->s->err,
		                      "EndTime %s before StartTime %s, expected a later EndTime",
		                      value(r, TW__STARPU_END_TIME), value(r, TW__STARPU_START_TIME));
	if ((double)(end - start) > TW_MAX_SECONDS * 1e9)
		return tw__draft_fail(r->s->draft, r->of->lines[TW__STARPU_END_TIME], r->s->err,
		                      "EndTime %s, StartTime %s, expected at most %g s between",
		                      value(r, TW__STARPU_END_TIME), value(r, TW__STARPU_START_TIME), TW_MAX_SECONDS);
	job->start_ns = start;
	if (r->s->reading->recorded)
		job->seconds = tw__draft_seconds(r->s->draft, (double)(end - start) / 1e9);
	return TW_OK;
}

static int take_task(const struct record *r, int32_t number)
{
	struct tw__draft *d = r->s->draft;
	struct operands operands;
	operands.n = operands.n_distinct = 0;
	int64_t priority = 0;
	double gflop = 0;
	int status = take_execution(r, &d->jobs[number]);
	if (status == TW_OK)
		status = take_int(r, TW__STARPU_PRIORITY, INT32_MIN, INT32_MAX, &priority);
	if (status == TW_OK)
		status = take_real(r, TW__STARPU_GFLOP, TW__DRAFT_MAX_FLOPS / 1e9, &gflop);
	if (status == TW_OK)
		status = take_data(r, number, &operands);
	if (status < 0)
		return status;
	for (int k = TW__STARPU_NAME; k <= TW__STARPU_MODEL; k++)
		if (value(r, k) && strlen(value(r, k)) > MAX_NAME)
			return tw__draft_fail(d, r->of->lines[k], r->s->err,
			                      "a %s of more than %d bytes, expected a shorter one", keys[k], MAX_NAME);
	if (r->rank > 0)
		tw__draft_count(d, "tasks of MPI ranks other than 0, which run on the same node", 1);
	struct tw__starpu_kernel k;
	tw__starpu_kernel(&k, value(r, TW__STARPU_MODEL), value(r, TW__STARPU_NAME), operands.parameters,
	                  operands.bytes, operands.n, operands.n_distinct, value(r, TW__STARPU_FOOTPRINT));
	const char *kind = d->jobs[number].accelerator ? "accelerators" : "processors";
	tw_kernel kernel = tw__draft_kernel(d, k.name, k.size, k.precision, gflop * 1e9,
	                                    r->s->reading->recorded ? kind : NULL, d->jobs[number].line, r->s->err);
	if (kernel < 0)
		return kernel;
	d->jobs[number].kernel = kernel;
	d->jobs[number].priority = (int32_t)priority;
	d->flops += gflop * 1e9;
	return TW_OK;
}

static int take_dependencies(const struct record *r, int32_t job)
{
	char *list = value(r, TW__STARPU_DEPENDS_ON), room[TW__STARPU_NAME_ROOM];
	int status = TW_OK;
	for (char *id; list && status == TW_OK && (id = tw__text_word(&list));) {
		const char *name = tw_starpu_job_name(id, r->rank, room, sizeof room);
		if (!name)
			return bad_value(r, TW__STARPU_DEPENDS_ON, id, "shorter JobIds");
		int32_t on =
			tw__draft_name(r->s->draft, name, strlen(name), r->of->lines[TW__STARPU_DEPENDS_ON], r->s->err);
		status = on < 0 ? on : tw__draft_edge(r->s->draft, on, job, r->s->err);
	}
	if (value(r, TW__STARPU_END_DEPENDENCIES))
		tw__draft_count(r->s->draft, "jobs whose EndDependencies are left out", 1);
	return status;
}

/* Takes a record with the key Control, which is no job. WontUse is the hint that the handles "will not be used" from
 * that point of the program on. */
static int take_control(const struct record *r, uint64_t order)
{
	const char *control = value(r, TW__STARPU_CONTROL);
	char *handles = value(r, TW__STARPU_HANDLES), name[160];
	int status = TW_OK;
	if (strcmp(control, "WontUse") != 0) {
		tw__draft_count(r->s->draft, "records of other controls than WontUse left out", 1);
		return TW_OK;
	}
	if (value(r, TW__STARPU_DEPENDS_ON) || value(r, TW__STARPU_END_DEPENDENCIES))
		tw__draft_count(r->s->draft, "controls whose dependencies are left out", 1);
	if (!handles || !*handles)
		tw__draft_count(r->s->draft, "records of WontUse without handles", 1);
	for (char *handle; handles && status == TW_OK && (handle = tw__text_word(&handles));) {
		size_t length = name_handle(r, handle, "", "", name, sizeof name);
		int32_t group = tw__name_list_add(&r->s->handles, name, length);
		status = group == TW_NONE ? tw__draft_no_memory(r->s->draft, r->s->err)
		                          : tw__draft_hint(r->s->draft, group, order, r->s->err);
	}
	return status;
}

/* Reads the MPI rank of a record: MPIRank, else the one in front of JobId. */
static int take_rank(struct record *r)
{
	const char *id = value(r, TW__STARPU_JOB_ID);
	int32_t in_id = id ? tw_starpu_rank(id) : -1;
	int64_t rank = -1;
	int status = take_int(r, TW__STARPU_MPI_RANK, -1, INT32_MAX, &rank);
	if (status < 0)
		return status;
	r->rank = rank < 0 ? in_id : (int32_t)rank;
	return in_id < 0 || in_id == r->rank ? TW_OK : bad_value(r, TW__STARPU_JOB_ID, id, "an id of its MPIRank");
}

const char *tw__starpu_record_name(struct tw__starpu *s, const struct tw__starpu_record *record, char *room,
                                   int32_t *rank)
{
	struct record r = {s, record, -1};
	const char *id = value(&r, TW__STARPU_JOB_ID), *name = NULL;
	if (take_rank(&r) < 0)
		return NULL;
	*rank = r.rank;
	if (!id)
		tw__draft_fail(s->draft, record->line, s->err, "a job without a JobId, expected one");
	else if (!(name = tw_starpu_job_name(id, r.rank, room, TW__STARPU_NAME_ROOM)))
		bad_value(&r, TW__STARPU_JOB_ID, id, "a shorter one");
	return name;
}

int tw__starpu_job(struct tw__starpu *s, const struct tw__starpu_record *record)
{
	struct record r = {s, record, -1};
	char room[TW__STARPU_NAME_ROOM];
	int64_t order = 0;
	int status = take_int(&r, TW__STARPU_SUBMIT_ORDER, 0, INT64_MAX, &order);
	if (status == TW_OK && value(&r, TW__STARPU_CONTROL)) {
		status = take_rank(&r);
		return status == TW_OK ? take_control(&r, (uint64_t)order) : status;
	}
	if (status < 0)
		return status;
	const char *name = tw__starpu_record_name(s, record, room, &r.rank);
	if (!name)
		return TW_INVALID;
	int32_t job = tw__draft_describe(s->draft, name, strlen(name), record->line, s->err);
	if (job < 0)
		return job;
	s->n_ranks += s->n_ranks == 0 || s->last_rank != r.rank;
	s->last_rank = r.rank;
	status = take_dependencies(&r, job);
	if (status < 0)
		return status;
	/* StarPU's internal jobs run on no worker: they only pass on dependencies, and become no tasks. */
	if (!value(&r, TW__STARPU_WORKER_ID)) {
		if (value(&r, TW__STARPU_HANDLES))
			tw__draft_count(s->draft, "tasks left out that ran on no worker", 1);
		return TW_OK;
	}
	if (!value(&r, TW__STARPU_SUBMIT_ORDER))
		return tw__draft_fail(s->draft, record->line, s->err,
		                      "task '%.60s' without a SubmitOrder, expected one", name);
	s->draft->jobs[job].order = (uint64_t)order;
	return take_task(&r, job);
}
