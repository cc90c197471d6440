/* Reads workflows of the WfCommons project (Coleman et al., Future Generation Computer Systems 128, 2022) in its JSON
 * format. Schema 1.5 has the specification and the execution of tasks in separate places; before, each task has both.
 * Files become handles: a task writes its outputs, and tasks with such a file as input depend on the writer.
 * Recorded seconds are those of a processor. */
#include "readers/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "readers/files.h"
#include "readers/json.h"

struct workflow {
	struct tw__json json;
	struct tw__draft *draft;
	const struct tw__reading *reading;
	struct tw_error *err;
	bool split; /* whether the file has schema 1.5, which splits specification and execution */

	struct tw__files uses;
	/* Names of the workflow's files; only for schema 1.5, which lists them with their sizes. */
	struct tw__name_list files;
	uint64_t *bytes; /* [files.n] bytes of each file */
	bool *used;      /* [files.n] whether a task uses the file */
};

/* Returns the member `key` of an object, or `older`, as older files name it. */
static struct tw__json_at either(const struct tw__json_at *in, const char *key, const char *older)
{
	struct tw__json_at at = tw__json_member(in, key), old = tw__json_member(in, older);
	return at.value || !old.value ? at : old;
}

static bool is_given(const struct tw__json_at *at) { return at->value && !json_is_null(at->value); }

/* --- tasks -------------------------------------------------------------------------------------------------------- */

/* Returns the length of the part that the names of a program's tasks have in common: "blastall" in "blastall_ID000002"
 * and "blastall_2". */
static size_t category_length(const char *name)
{
	size_t length = strlen(name), n = length;
	while (n && strchr("0123456789", name[n - 1]))
		n--;
	if (n == length)
		return length;
	if (n > 3 && !strncmp(name + n - 3, "_ID", 3))
		return n - 3;
	return n > 1 && strchr("_-.", name[n - 1]) ? n - 1 : length; /* in a name like "mp3" the digits stay */
}

/* Sets the kernel of a task. Tasks of one category have one kernel; without a category, those whose names agree but for
 * a number. */
static int take_kernel(struct workflow *w, const struct tw__json_at *task, int32_t job, const char *name)
{
	struct tw__json_at category = tw__json_member(task, "category");
	char text[256];
	size_t length = category_length(name);
	if (is_given(&category) && !json_is_string(category.value))
		return tw__json_text(&w->json, &category, &name, w->err);
	if (json_is_string(category.value) && json_string_length(category.value)) {
		name = json_string_value(category.value);
		length = json_string_length(category.value);
	}
	if (length >= sizeof text)
		return tw__json_fail(&w->json, task, w->err, "a name of more than %zu bytes, expected a shorter one",
		                     sizeof text - 1);
	memcpy(text, name, length);
	text[length] = '\0';
	tw_kernel kernel = tw__draft_kernel(w->draft, text, "1", "s", 0, w->reading->recorded ? "processors" : NULL,
	                                    w->draft->jobs[job].line, w->err);
	if (kernel < 0)
		return kernel;
	w->draft->jobs[job].kernel = kernel;
	return TW_OK;
}

static int take_execution(struct workflow *w, const struct tw__json_at *task, int32_t job)
{
	struct tw__json_at seconds = either(task, "runtimeInSeconds", "runtime");
	struct tw__json_at priority = tw__json_member(task, "priority"), cores = either(task, "coreCount", "cores");
	double number = 0;
	int64_t value = 0;
	int status = TW_OK;
	if (is_given(&seconds)) {
		status = tw__json_real(&w->json, &seconds, &number, w->err);
		if (status == TW_OK && number < 0)
			status = tw__json_fail(&w->json, &seconds, w->err, "%g, expected 0 or more", number);
		if (status == TW_OK && number > TW_MAX_SECONDS)
			status = tw__json_fail(&w->json, &seconds, w->err, "%g, expected at most %g", number,
			                       TW_MAX_SECONDS);
		if (status == TW_OK && w->reading->recorded)
			w->draft->jobs[job].seconds = tw__draft_seconds(w->draft, number);
	}
	if (status == TW_OK && is_given(&priority)) {
		status = tw__json_int(&w->json, &priority, INT32_MIN, INT32_MAX, &value, w->err);
		w->draft->jobs[job].priority = (int32_t)value;
	}
	if (status == TW_OK && is_given(&cores)) {
		status = tw__json_real(&w->json, &cores, &number, w->err);
		if (status == TW_OK && number > 1)
			tw__draft_count(w->draft, "tasks on several cores, counted as on one", 1);
	}
	return status;
}

static int describe(struct workflow *w, const struct tw__json_at *task, size_t index, uint32_t line)
{
	struct tw__json_at at = tw__json_member(task, w->split ? "id" : "name");
	struct tw__json_at named = tw__json_member(task, "name");
	const char *id, *name;
	int status = tw__json_object(&w->json, task, w->err);
	if (status == TW_OK)
		status = tw__json_text(&w->json, &at, &id, w->err);
	if (status == TW_OK)
		status = tw__json_text(&w->json, &named, &name, w->err);
	if (status < 0)
		return status;
	int32_t job = tw__draft_describe(w->draft, id, strlen(id), line, w->err);
	if (job < 0)
		return job;
	w->draft->jobs[job].order = index;
	status = take_kernel(w, task, job, name);
	return status == TW_OK && !w->split ? take_execution(w, task, job) : status;
}

/* Finds the job that a text names; negative: an error. All jobs have been described before. */
static int32_t find_job(struct workflow *w, const struct tw__json_at *at)
{
	const char *name;
	int status = tw__json_text(&w->json, at, &name, w->err);
	if (status < 0)
		return status;
	int32_t job = tw__name_list_find(&w->draft->job_names, name, strlen(name));
	return job != TW_NONE ? job
	                      : tw__json_fail(&w->json, at, w->err,
	                                      "'%.60s' is not in the file, expected the name of a task in it", name);
}

static int take_relatives(struct workflow *w, const struct tw__json_at *task, int32_t job, bool parents)
{
	struct tw__json_at list = tw__json_member(task, parents ? "parents" : "children");
	size_t n = 0;
	int status = is_given(&list) ? tw__json_array(&w->json, &list, &n, w->err) : TW_OK;
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at at = tw__json_item(&list, i);
		int32_t other = find_job(w, &at);
		status = other < 0 ? other
		                   : tw__draft_edge(w->draft, parents ? other : job, parents ? job : other, w->err);
	}
	return status;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static int file_bytes(struct workflow *w, const struct tw__json_at *file, uint64_t *bytes)
{
	struct tw__json_at at = either(file, "sizeInBytes", "size");
	return tw__json_bytes(&w->json, &at, 0, w->draft, bytes, w->err);
}

/* Reads the list of files and sizes that schema 1.5 has. */
static int take_sizes(struct workflow *w, const struct tw__json_at *list)
{
	size_t n = 0;
	int status = is_given(list) ? tw__json_array(&w->json, list, &n, w->err) : TW_OK;
	w->bytes = calloc(n + 1, sizeof *w->bytes);
	w->used = calloc(n + 1, sizeof *w->used);
	if (!w->bytes || !w->used)
		return tw__draft_no_memory(w->draft, w->err);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at file = tw__json_item(list, i), at = tw__json_member(&file, "id");
		const char *id;
		status = tw__json_object(&w->json, &file, w->err);
		if (status == TW_OK)
			status = tw__json_text(&w->json, &at, &id, w->err);
		if (status < 0)
			break;
		int32_t known = w->files.n, number = tw__name_list_add(&w->files, id, strlen(id));
		if (number == TW_NONE)
			return tw__draft_no_memory(w->draft, w->err);
		if (number < known)
			return tw__json_fail(&w->json, &at, w->err, "a second file '%.60s', expected it once", id);
		status = file_bytes(w, &file, &w->bytes[number]);
	}
	return status;
}

static int take_file(struct workflow *w, int32_t job, const char *id, uint64_t bytes, bool output)
{
	return tw__files_use(&w->uses, job, id, bytes, output ? TW_W : TW_R, w->draft->jobs[job].line, w->err);
}

/* Reads a task's inputFiles or outputFiles, as schema 1.5 has them. */
static int take_ids(struct workflow *w, const struct tw__json_at *task, int32_t job, bool output)
{
	struct tw__json_at list = tw__json_member(task, output ? "outputFiles" : "inputFiles");
	size_t n = 0;
	int status = is_given(&list) ? tw__json_array(&w->json, &list, &n, w->err) : TW_OK;
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at at = tw__json_item(&list, i);
		const char *id;
		status = tw__json_text(&w->json, &at, &id, w->err);
		if (status < 0)
			break;
		int32_t file = tw__name_list_find(&w->files, id, strlen(id));
		if (file == TW_NONE)
			tw__draft_count(w->draft, "uses of files of unknown size, counted as 0 bytes", 1);
		else
			w->used[file] = true;
		status = take_file(w, job, id, file == TW_NONE ? 0 : w->bytes[file], output);
	}
	return status;
}

/* Reads a task's files with their sizes, as schema 1.4 has them; their member `link` is input or output. */
static int take_links(struct workflow *w, const struct tw__json_at *task, int32_t job)
{
	struct tw__json_at list = tw__json_member(task, "files");
	size_t n = 0;
	int status = is_given(&list) ? tw__json_array(&w->json, &list, &n, w->err) : TW_OK;
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at file = tw__json_item(&list, i);
		struct tw__json_at named = either(&file, "name", "id"), linked = tw__json_member(&file, "link");
		const char *name, *link;
		uint64_t bytes = 0;
		if ((status = tw__json_object(&w->json, &file, w->err)) < 0 ||
		    (status = tw__json_text(&w->json, &named, &name, w->err)) < 0 ||
		    (status = tw__json_text(&w->json, &linked, &link, w->err)) < 0 ||
		    (status = file_bytes(w, &file, &bytes)) < 0)
			break;
		bool output = !strcmp(link, "output");
		if (!output && strcmp(link, "input") != 0)
			return tw__json_fail(&w->json, &linked, w->err, "'%.40s', expected input or output", link);
		status = take_file(w, job, name, bytes, output);
	}
	return status;
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static int take_task(struct workflow *w, const struct tw__json_at *task, int32_t job)
{
	int status = take_relatives(w, task, job, true);
	if (status == TW_OK)
		status = take_relatives(w, task, job, false);
	if (status == TW_OK && !w->split)
		return take_links(w, task, job);
	if (status == TW_OK)
		status = take_ids(w, task, job, false);
	return status == TW_OK ? take_ids(w, task, job, true) : status;
}

/* Describes all tasks first, and then reads their references to other tasks. */
static int take_tasks(struct workflow *w, const struct tw__json_at *list)
{
	size_t n;
	int status = tw__json_array(&w->json, list, &n, w->err);
	uint32_t *lines = status == TW_OK ? tw__json_lines(&w->json, list) : NULL;
	if (status == TW_OK && !lines)
		status = tw__draft_no_memory(w->draft, w->err);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at task = tw__json_item(list, i);
		status = describe(w, &task, i, lines[i]);
	}
	free(lines);
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at task = tw__json_item(list, i);
		status = take_task(w, &task, (int32_t)i); /* the i-th task that was described is job i */
	}
	return status;
}

static int take_executions(struct workflow *w, const struct tw__json_at *list)
{
	size_t n = 0;
	int status = is_given(list) ? tw__json_array(&w->json, list, &n, w->err) : TW_OK;
	for (size_t i = 0; i < n && status == TW_OK; i++) {
		struct tw__json_at task = tw__json_item(list, i), id = tw__json_member(&task, "id");
		status = tw__json_object(&w->json, &task, w->err);
		int32_t job = status == TW_OK ? find_job(w, &id) : status;
		status = job < 0 ? job : take_execution(w, &task, job);
	}
	return status;
}

static int take_workflow(struct workflow *w)
{
	struct tw__json_at root = tw__json_root(&w->json), version = tw__json_member(&root, "schemaVersion");
	struct tw__json_at workflow = tw__json_member(&root, "workflow");
	struct tw__json_at specification = tw__json_member(&workflow, "specification");
	struct tw__json_at execution = tw__json_member(&workflow, "execution");
	const char *schema = "1.";
	int status = tw__json_object(&w->json, &workflow, w->err);
	if (status == TW_OK && is_given(&version))
		status = tw__json_text(&w->json, &version, &schema, w->err);
	if (status == TW_OK && is_given(&execution))
		status = tw__json_object(&w->json, &execution, w->err);
	if (status < 0)
		return status;
	if (strncmp(schema, "1.", 2) != 0)
		return tw__json_fail(&w->json, &version, w->err, "'%.40s', expected 1.0 to 1.5", schema);
	w->split = specification.value;
	struct tw__json_at tasks = tw__json_member(w->split ? &specification : &workflow, "tasks");
	struct tw__json_at jobs = tw__json_member(&workflow, "jobs"); /* before schema 1.3 */
	if (tasks.value && jobs.value)
		return tw__json_fail(&w->json, &jobs, w->err, "tasks and jobs, expected one of them");
	struct tw__json_at files = tw__json_member(&specification, "files");
	struct tw__json_at executed = tw__json_member(&execution, "tasks");
	struct tw__json_at machines = tw__json_member(w->split ? &execution : &workflow, "machines");
	size_t n_machines = 0;
	if (is_given(&machines))
		status = tw__json_array(&w->json, &machines, &n_machines, w->err);
	if (status == TW_OK)
		status = take_sizes(w, &files);
	if (status == TW_OK)
		status = take_tasks(w, jobs.value ? &jobs : &tasks);
	if (status == TW_OK)
		status = take_executions(w, &executed);
	if (status == TW_OK)
		status = tw__files_take(&w->uses, w->err);
	for (int32_t i = 0; i < w->files.n; i++)
		tw__draft_count(w->draft, "files left out that no task uses", !w->used[i]);
	tw__draft_count(w->draft, "machines left out", n_machines);
	if (status == TW_OK && w->reading->recorded)
		tw__draft_count_unrecorded(w->draft);
	return status;
}

int tw__read_wfcommons(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct workflow w = {.draft = draft, .reading = reading, .err = err, .uses = {.draft = draft}};
	int status = tw__json_read(&w.json, reading->path, err);
	if (status == TW_OK)
		status = take_workflow(&w);
	tw__json_finish(&w.json);
	tw__files_finish(&w.uses);
	tw__name_list_finish(&w.files);
	free(w.bytes);
	free(w.used);
	return status;
}
