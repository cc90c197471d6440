/* Reads workflows of the WfCommons project (Coleman et al., Future Generation Computer Systems 128, 2022) in its JSON
 * format. Schema 1.5 has the specification and the execution of tasks in separate places; before, each task has both.
 * Files become handles: a task writes its outputs, and tasks with such a file as input depend on the writer.
 * Recorded seconds are those of a processor. */
#include <stdlib.h>
#include <string.h>

#include "readers/files.h"
#include "readers/json.h"

struct workflow {
	struct tw__draft *draft;
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
static void take_kernel(struct workflow *w, const struct tw__json_at *task, int32_t job, const char *name)
{
	struct tw__json_at category = tw__json_member(task, "category");
	char text[256];
	size_t length = category_length(name);
	if (is_given(&category) && !json_is_string(category.value))
		tw__json_text(&category); /* fails */
	if (json_is_string(category.value) && json_string_length(category.value)) {
		name = json_string_value(category.value);
		length = json_string_length(category.value);
	}
	if (length >= sizeof text) {
		tw__json_fail(task, "a name of more than %zu bytes, expected a shorter one", sizeof text - 1);
		return;
	}
	memcpy(text, name, length);
	text[length] = '\0';
	w->draft->jobs[job].kernel =
		tw__draft_kernel(w->draft, text, "1", "s", 0, "processors", w->draft->jobs[job].line);
}

static void take_execution(struct workflow *w, const struct tw__json_at *task, int32_t job)
{
	struct tw__json_at seconds = either(task, "runtimeInSeconds", "runtime");
	struct tw__json_at priority = tw__json_member(task, "priority"), cores = either(task, "coreCount", "cores");
	if (is_given(&seconds)) {
		double number = tw__json_amount(&seconds);
		if (number > TW_MAX_SECONDS)
			tw__json_fail(&seconds, "%g, expected at most %g", number, TW_MAX_SECONDS);
		tw__draft_seconds(w->draft, job, number);
	}
	if (is_given(&priority))
		w->draft->jobs[job].priority = (int32_t)tw__json_int(&priority, INT32_MIN, INT32_MAX);
	if (is_given(&cores) && tw__json_real(&cores) > 1)
		tw__draft_count(w->draft, "tasks on several cores, counted as on one", 1);
}

static void describe(struct workflow *w, const struct tw__json_at *task, uint32_t line)
{
	struct tw__json_at id = tw__json_member(task, w->split ? "id" : "name"), name = tw__json_member(task, "name");
	if (!tw__json_object(task))
		return;
	int32_t job = tw__draft_describe(w->draft, tw__json_text(&id), line);
	w->draft->jobs[job].order = task->index;
	take_kernel(w, task, job, tw__json_text(&name));
	if (!w->split)
		take_execution(w, task, job);
}

static void take_relatives(struct workflow *w, const struct tw__json_at *task, int32_t job, bool parents)
{
	struct tw__json_at list = tw__json_member(task, parents ? "parents" : "children"), at = {0};
	while (is_given(&list) && tw__json_next(&list, &at)) {
		int32_t other = tw__json_job(&at);
		if (other >= 0)
			tw__draft_edge(w->draft, parents ? other : job, parents ? job : other);
	}
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static uint64_t file_bytes(const struct tw__json_at *file)
{
	struct tw__json_at at = either(file, "sizeInBytes", "size");
	return tw__json_bytes(&at, 0);
}

/* Reads the list of files and sizes that schema 1.5 has. */
static void take_sizes(struct workflow *w, const struct tw__json_at *list)
{
	struct tw__json_at file = {0};
	size_t n = is_given(list) ? tw__json_array(list) : 0;
	w->bytes = tw_alloc(n, sizeof *w->bytes);
	w->used = tw_alloc(n, sizeof *w->used);
	while (n && tw__json_next(list, &file) && tw__json_object(&file)) {
		struct tw__json_at at = tw__json_member(&file, "id");
		const char *id = tw__json_text(&at);
		int32_t known = w->files.n, number = tw__name_list_add(&w->files, id, strlen(id));
		if (number < known)
			tw__json_fail(&at, "a second file '%.60s', expected it once", id);
		w->bytes[number] = file_bytes(&file);
	}
}

static void take_file(struct workflow *w, int32_t job, const char *id, uint64_t bytes, bool output)
{
	tw__files_use(&w->uses, job, id, bytes, output ? TW_W : TW_R, w->draft->jobs[job].line);
}

/* Reads a task's inputFiles or outputFiles, as schema 1.5 has them. */
static void take_ids(struct workflow *w, const struct tw__json_at *task, int32_t job, bool output)
{
	struct tw__json_at list = tw__json_member(task, output ? "outputFiles" : "inputFiles"), at = {0};
	while (is_given(&list) && tw__json_next(&list, &at)) {
		const char *id = tw__json_text(&at);
		int32_t file = tw__name_list_find(&w->files, id, strlen(id));
		if (file == TW_NONE)
			tw__draft_count(w->draft, "uses of files of unknown size, counted as 0 bytes", 1);
		else
			w->used[file] = true;
		take_file(w, job, id, file == TW_NONE ? 0 : w->bytes[file], output);
	}
}

/* Reads a task's files with their sizes, as schema 1.4 has them; their member `link` is input or output. */
static void take_links(struct workflow *w, const struct tw__json_at *task, int32_t job)
{
	struct tw__json_at list = tw__json_member(task, "files"), file = {0};
	while (is_given(&list) && tw__json_next(&list, &file) && tw__json_object(&file)) {
		struct tw__json_at named = either(&file, "name", "id"), linked = tw__json_member(&file, "link");
		const char *name = tw__json_text(&named), *link = tw__json_text(&linked);
		uint64_t bytes = file_bytes(&file);
		bool output = !strcmp(link, "output");
		if (!output && strcmp(link, "input") != 0)
			tw__json_fail(&linked, "'%.40s', expected input or output", link);
		take_file(w, job, name, bytes, output);
	}
}

/* --- the whole ---------------------------------------------------------------------------------------------------- */

static void take_task(struct workflow *w, const struct tw__json_at *task, int32_t job)
{
	take_relatives(w, task, job, true);
	take_relatives(w, task, job, false);
	if (w->split) {
		take_ids(w, task, job, false);
		take_ids(w, task, job, true);
	} else {
		take_links(w, task, job);
	}
}

/* Describes all tasks first, and then reads their references to other tasks. */
static void take_tasks(struct workflow *w, const struct tw__json_at *list)
{
	struct tw__json_at task = {0}, again = {0};
	uint32_t *lines = tw__json_lines(list);
	while (tw__json_next(list, &task))
		describe(w, &task, lines[task.index]);
	free(lines);
	while (tw__json_next(list, &again))
		take_task(w, &again, (int32_t)again.index); /* the i-th task that was described is job i */
}

static void take_executions(struct workflow *w, const struct tw__json_at *list)
{
	struct tw__json_at task = {0};
	while (is_given(list) && tw__json_next(list, &task) && tw__json_object(&task)) {
		struct tw__json_at id = tw__json_member(&task, "id");
		int32_t job = tw__json_job(&id);
		if (job >= 0)
			take_execution(w, &task, job);
	}
}

static void take_workflow(struct workflow *w, const struct tw__json_at *root)
{
	struct tw__json_at version = tw__json_member(root, "schemaVersion"),
			   workflow = tw__json_member(root, "workflow");
	struct tw__json_at specification = tw__json_member(&workflow, "specification");
	struct tw__json_at execution = tw__json_member(&workflow, "execution");
	tw__json_object(&workflow);
	const char *schema = is_given(&version) ? tw__json_text(&version) : "1.";
	if (is_given(&execution))
		tw__json_object(&execution);
	if (strncmp(schema, "1.", 2) != 0)
		tw__json_fail(&version, "'%.40s', expected 1.0 to 1.5", schema);
	w->split = specification.value;
	struct tw__json_at tasks = tw__json_member(w->split ? &specification : &workflow, "tasks");
	struct tw__json_at jobs = tw__json_member(&workflow, "jobs"); /* before schema 1.3 */
	if (tasks.value && jobs.value)
		tw__json_fail(&jobs, "tasks and jobs, expected one of them");
	struct tw__json_at files = tw__json_member(&specification, "files");
	struct tw__json_at executed = tw__json_member(&execution, "tasks");
	struct tw__json_at machines = tw__json_member(w->split ? &execution : &workflow, "machines");
	size_t n_machines = is_given(&machines) ? tw__json_array(&machines) : 0;
	take_sizes(w, &files);
	take_tasks(w, jobs.value ? &jobs : &tasks);
	take_executions(w, &executed);
	tw__files_take(&w->uses);
	for (int32_t i = 0; i < w->files.n; i++)
		tw__draft_count(w->draft, "files left out that no task uses", !w->used[i]);
	tw__draft_count(w->draft, "machines left out", n_machines);
	tw__draft_count_unrecorded(w->draft);
}

void tw__read_wfcommons(struct tw__draft *draft)
{
	struct workflow w = {.draft = draft, .uses = {.draft = draft}};
	struct tw__json json;
	struct tw__json_at root = tw__json_read(&json, draft);
	take_workflow(&w, &root);
	tw__json_finish(&json);
	tw__files_finish(&w.uses);
	tw__name_list_finish(&w.files);
	free(w.bytes);
	free(w.used);
}
