#include "readers/starpu_job.h"

#include <stdio.h>
#include <string.h>

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

static char *value(const struct tw__starpu_record *r, enum tw__starpu_key key)
{
	return r->values[key] && r->values[key][0] ? r->values[key] : NULL;
}

static void bad_value(const struct tw__starpu_record *r, enum tw__starpu_key key, const char *text,
                      const char *expected)
{
	tw__draft_fail(r->reader->draft, r->lines[key], "%s '%.60s', expected %s", keys[key], text, expected);
}

/* Returns an integer of the record, from `least` to `most`; or `otherwise`, if the record lacks the key. */
static int64_t take_int(const struct tw__starpu_record *r, enum tw__starpu_key key, int64_t least, int64_t most,
                        int64_t otherwise)
{
	const char *text = value(r, key);
	char expected[80];
	int64_t number;
	if (text && tw__text_int(text, &number) && number >= least && number <= most)
		return number;
	snprintf(expected, sizeof expected, "a whole number from %lld to %lld", (long long)least, (long long)most);
	if (text)
		bad_value(r, key, text, expected);
	return otherwise;
}

/* Returns a number of the record, from 0 to `most`; or 0, if the record lacks the key. */
static double take_real(const struct tw__starpu_record *r, enum tw__starpu_key key, double most)
{
	const char *text = value(r, key);
	char expected[80];
	double number;
	if (text && tw__text_real(text, &number) && number >= 0 && number <= most)
		return number;
	snprintf(expected, sizeof expected, "a number from 0 to %g", most);
	if (text)
		bad_value(r, key, text, expected);
	return 0;
}

/* Returns a date in milliseconds as whole nanoseconds; -1: the record lacks the key. */
static int64_t take_date(const struct tw__starpu_record *r, enum tw__starpu_key key)
{
	const char *text = value(r, key);
	double number;
	int64_t ns = -1;
	if (!text || tw_decimal_scientific(text, 6, &ns))
		return ns;
	bool too_great = tw__text_real(text, &number) && number >= (double)TW_DECIMAL_MAX / 1e6;
	bad_value(r, key, text, too_great ? "292 years of milliseconds at most" : "a number, 0 or more");
	return -1;
}

/* --- data --------------------------------------------------------------------------------------------------------- */

/* Converts StarPU's letters of an access mode: R, W, S (scratch), X (reduction), C (commutes). Returns 0 if the text is
 * no mode. X counts as a read, because the trace also contains the tasks that combine the accumulators, which write the
 * handle. */
static unsigned read_mode(const struct tw__starpu_record *r, const char *text)
{
	unsigned mode = 0;
	for (const char *c = text; *c; c++) {
		if (!strchr("RWSXC", *c))
			return 0;
		mode |= *c == 'W' ? TW_W : *c == 'R' || *c == 'X' ? TW_R : *c == 'S' ? TW_SCRATCH : 0;
	}
	if (strchr(text, 'X'))
		tw__draft_count(r->reader->draft, "accesses for reductions, counted as reads", 1);
	if (strchr(text, 'C') && !r->reader->draft->replay)
		tw__draft_count(r->reader->draft, "accesses that commute, in the order of submission", 1);
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
static size_t name_handle(const struct tw__starpu_record *r, const char *handle, const char *bytes, const char *use,
                          char *name, size_t room)
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
static tw_data find_data(const struct tw__starpu_record *r, const char *handle, const char *size, uint64_t bytes,
                         bool scratch)
{
	char name[168];
	size_t group_length = name_handle(r, handle, size, scratch ? " S" : "", name, sizeof name - 8);
	int32_t group = tw__name_list_add(&r->reader->handles, name, group_length);
	tw_data data = tw__draft_data(r->reader->draft, name, bytes, r->lines[TW__STARPU_SIZES]);
	if (data >= 0)
		r->reader->draft->data_group[data] = group;
	return data;
}

static void take_access(const struct tw__starpu_record *r, int32_t job, const char *handle, const char *mode,
                        const char *size, const char *parameters, struct operands *o)
{
	uint64_t bytes;
	unsigned access = read_mode(r, mode);
	if (strlen(handle) > MAX_HANDLE)
		bad_value(r, TW__STARPU_HANDLES, handle, "addresses in hexadecimal");
	else if (!access)
		bad_value(r, TW__STARPU_MODES, mode, "letters of R, W, S, X and C");
	else if (!tw__draft_bytes(r->reader->draft, size, &bytes))
		bad_value(r, TW__STARPU_SIZES, size, "bytes, from 0 to 2^60");
	if (r->reader->draft->status < 0)
		return;
	tw_data data = find_data(r, handle, size, bytes, access == TW_SCRATCH);
	bool again = false;
	for (int i = 0; i < o->n && !again; i++)
		again = o->data[i] == data;
	if (access != TW_SCRATCH) {
		o->n_distinct += !again;
		o->data[o->n] = data;
		o->bytes[o->n] = bytes;
		o->parameters[o->n++] = parameters;
	}
	tw__draft_access(r->reader->draft, job, data, access);
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

static void take_data(const struct tw__starpu_record *r, int32_t job, struct operands *o)
{
	char *handles = value(r, TW__STARPU_HANDLES), *modes = value(r, TW__STARPU_MODES);
	char *sizes = value(r, TW__STARPU_SIZES), *parameters = value(r, TW__STARPU_PARAMETERS);
	int n = handles ? count_words(handles) : 0, n_modes = modes ? count_words(modes) : 0;
	int n_sizes = sizes ? count_words(sizes) : 0;
	if (n != n_modes || n != n_sizes)
		tw__draft_fail(r->reader->draft, r->lines[TW__STARPU_HANDLES],
		               "%d Handles, %d Modes, %d Sizes, expected as many of each", n, n_modes, n_sizes);
	if (n > MAX_HANDLES)
		tw__draft_fail(r->reader->draft, r->lines[TW__STARPU_HANDLES], "%d Handles, expected at most %d", n,
		               MAX_HANDLES);
	if (parameters && count_words(parameters) > n)
		parameters = NULL; /* the codelet writes its parameters in a format of its own */
	for (int i = 0; i < n && r->reader->draft->status == TW_OK; i++) {
		char *parameter = parameters ? tw__text_word(&parameters) : NULL;
		take_access(r, job, tw__text_word(&handles), tw__text_word(&modes), tw__text_word(&sizes), parameter,
		            o);
	}
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

/* Takes what the record says of the execution: worker, start and end. */
static void take_execution(const struct tw__starpu_record *r, int32_t number)
{
	struct tw__draft *d = r->reader->draft;
	struct tw__draft_job *job = &d->jobs[number];
	job->worker = (int32_t)take_int(r, TW__STARPU_WORKER_ID, 0, INT32_MAX, TW_NONE);
	job->rank = r->rank;
	job->accelerator = take_int(r, TW__STARPU_MEMORY_NODE, 0, INT32_MAX, 0) != 0;
	int64_t start = take_date(r, TW__STARPU_START_TIME), end = take_date(r, TW__STARPU_END_TIME);
	if (start < 0 || end < 0)
		return;
	if (end < start)
		tw__draft_fail(d, r->lines[TW__STARPU_END_TIME],
		               "EndTime %s before StartTime %s, expected a later EndTime",
		               value(r, TW__STARPU_END_TIME), value(r, TW__STARPU_START_TIME));
	if ((double)(end - start) > TW_MAX_SECONDS * 1e9)
		tw__draft_fail(d, r->lines[TW__STARPU_END_TIME],
		               "EndTime %s, StartTime %s, expected at most %g s between", value(r, TW__STARPU_END_TIME),
		               value(r, TW__STARPU_START_TIME), TW_MAX_SECONDS);
	job->start_ns = start;
	tw__draft_seconds(d, number, (double)(end - start) / 1e9);
}

static void take_task(const struct tw__starpu_record *r, int32_t number)
{
	struct tw__draft *d = r->reader->draft;
	struct operands operands;
	operands.n = operands.n_distinct = 0;
	take_execution(r, number);
	int64_t priority = take_int(r, TW__STARPU_PRIORITY, INT32_MIN, INT32_MAX, 0);
	double gflop = take_real(r, TW__STARPU_GFLOP, TW__DRAFT_MAX_FLOPS / 1e9);
	take_data(r, number, &operands);
	for (int k = TW__STARPU_NAME; k <= TW__STARPU_MODEL; k++)
		if (value(r, k) && strlen(value(r, k)) > MAX_NAME)
			tw__draft_fail(d, r->lines[k], "a %s of more than %d bytes, expected a shorter one", keys[k],
			               MAX_NAME);
	if (r->rank > 0)
		tw__draft_count(d, "tasks of MPI ranks other than 0, which run on the same node", 1);
	struct tw__starpu_kernel k;
	tw__starpu_kernel(&k, value(r, TW__STARPU_MODEL), value(r, TW__STARPU_NAME), operands.parameters,
	                  operands.bytes, operands.n, operands.n_distinct, value(r, TW__STARPU_FOOTPRINT));
	struct tw__draft_job *job = &d->jobs[number];
	job->kernel = tw__draft_kernel(d, k.name, k.size, k.precision, gflop * 1e9,
	                               job->accelerator ? "accelerators" : "processors", job->line);
	job->priority = (int32_t)priority;
	d->flops += gflop * 1e9;
}

static void take_dependencies(const struct tw__starpu_record *r, int32_t job)
{
	char *list = value(r, TW__STARPU_DEPENDS_ON), room[TW__STARPU_NAME_ROOM];
	struct tw__draft *d = r->reader->draft;
	for (char *id; list && d->status == TW_OK && (id = tw__text_word(&list));) {
		const char *name = tw_starpu_job_name(id, r->rank, room, sizeof room);
		if (name)
			tw__draft_edge(d, tw__draft_name(d, name, r->lines[TW__STARPU_DEPENDS_ON]), job);
		else
			bad_value(r, TW__STARPU_DEPENDS_ON, id, "shorter JobIds");
	}
	if (value(r, TW__STARPU_END_DEPENDENCIES))
		tw__draft_count(d, "jobs whose EndDependencies are left out", 1);
}

/* Takes a record with the key Control, which is no job. WontUse is the hint that the handles "will not be used" from
 * that point of the program on. */
static void take_control(const struct tw__starpu_record *r, uint64_t order)
{
	struct tw__draft *d = r->reader->draft;
	char *handles = value(r, TW__STARPU_HANDLES), name[160];
	if (strcmp(value(r, TW__STARPU_CONTROL), "WontUse") != 0) {
		tw__draft_count(d, "records of other controls than WontUse left out", 1);
		return;
	}
	if (value(r, TW__STARPU_DEPENDS_ON) || value(r, TW__STARPU_END_DEPENDENCIES))
		tw__draft_count(d, "controls whose dependencies are left out", 1);
	if (!handles || !*handles)
		tw__draft_count(d, "records of WontUse without handles", 1);
	for (char *handle; handles && (handle = tw__text_word(&handles));) {
		size_t length = name_handle(r, handle, "", "", name, sizeof name);
		tw__draft_hint(d, tw__name_list_add(&r->reader->handles, name, length), order);
	}
}

/* Reads the MPI rank of a record: MPIRank, else the one in front of JobId. */
static void take_rank(struct tw__starpu_record *r)
{
	const char *id = value(r, TW__STARPU_JOB_ID);
	int32_t in_id = id ? tw_starpu_rank(id) : -1;
	int64_t rank = take_int(r, TW__STARPU_MPI_RANK, -1, INT32_MAX, -1);
	r->rank = rank < 0 ? in_id : (int32_t)rank;
	if (in_id >= 0 && in_id != r->rank)
		bad_value(r, TW__STARPU_JOB_ID, id, "an id of its MPIRank");
}

const char *tw__starpu_record_name(struct tw__starpu_record *r, char *room)
{
	const char *id = value(r, TW__STARPU_JOB_ID), *name = NULL;
	take_rank(r);
	if (!id)
		tw__draft_fail(r->reader->draft, r->line, "a job without a JobId, expected one");
	else if (!(name = tw_starpu_job_name(id, r->rank, room, TW__STARPU_NAME_ROOM)))
		bad_value(r, TW__STARPU_JOB_ID, id, "a shorter one");
	return name;
}

void tw__starpu_job(struct tw__starpu_record *r)
{
	struct tw__starpu *s = r->reader;
	char room[TW__STARPU_NAME_ROOM];
	int64_t order = take_int(r, TW__STARPU_SUBMIT_ORDER, 0, INT64_MAX, 0);
	if (value(r, TW__STARPU_CONTROL)) {
		take_rank(r);
		take_control(r, (uint64_t)order);
		return;
	}
	const char *name = tw__starpu_record_name(r, room);
	if (!name)
		return;
	int32_t job = tw__draft_describe(s->draft, name, r->line);
	s->n_ranks += s->n_ranks == 0 || s->last_rank != r->rank;
	s->last_rank = r->rank;
	take_dependencies(r, job);
	/* StarPU's internal jobs run on no worker: they only pass on dependencies, and become no tasks. */
	if (!value(r, TW__STARPU_WORKER_ID)) {
		tw__draft_count(s->draft, "tasks left out that ran on no worker", value(r, TW__STARPU_HANDLES) != NULL);
		return;
	}
	if (!value(r, TW__STARPU_SUBMIT_ORDER))
		tw__draft_fail(s->draft, r->line, "task '%.60s' without a SubmitOrder, expected one", name);
	s->draft->jobs[job].order = (uint64_t)order;
	take_task(r, job);
}
