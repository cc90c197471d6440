/* Reads abstract workflows of the Pegasus project (Deelman et al., Future Generation Computer Systems 46, 2015) in its
 * XML format, DAX, of versions 2 and 3. Jobs with their files come first, then the order of the jobs. Seconds, which
 * generators of workflows write, are those of a processor. */
#include <math.h>
#include <string.h>

#include "readers/files.h"
#include "readers/xml.h"

enum place { OUTSIDE, WORKFLOW, JOB, PROFILE, CHILD, N_PLACES };

struct dax {
	struct tw__draft *draft;
	struct tw__files files;
	enum place place;     /* the innermost open element, of those that matter */
	int32_t job;          /* the open job, or the one that the open <child> names */
	bool profile_is_time; /* whether the open <profile> tells seconds; else it tells cores */
	char text[40];        /* content of the open <profile> */
	size_t length;
};

/* Whether a text is a negative number, which counts as 0: generators of workflows write such ones. */
static bool is_negative(const struct dax *f, const char *text)
{
	double number;
	bool negative = tw__text_real(text, &number) && number < 0;
	tw__draft_count(f->draft, "negative sizes and runtimes, counted as 0", negative);
	return negative;
}

static double read_number(const struct dax *f, const char *what, const char *text, double most, uint32_t line)
{
	double number;
	if (tw__text_real(text, &number) && number >= 0 && number <= most)
		return number;
	tw__draft_fail(f->draft, line, "%s '%.40s', expected a number from 0 to %g", what, text, most);
	return 0;
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static void take_seconds(struct dax *f, const char *text, uint32_t line)
{
	double seconds = is_negative(f, text) ? 0 : read_number(f, "runtime", text, TW_MAX_SECONDS, line);
	tw__draft_seconds(f->draft, f->job, seconds);
}

static void take_cores(struct dax *f, const char *text, uint32_t line)
{
	double cores = read_number(f, "cores", text, 1e9, line);
	tw__draft_count(f->draft, "tasks on several cores, counted as on one", cores > 1);
}

static bool open_job(struct dax *f, const char **attributes, uint32_t line)
{
	const char *id = tw__xml_need(f->draft, "job", attributes, "id", line);
	const char *name = tw__xml_need(f->draft, "job", attributes, "name", line);
	const char *runtime = tw__xml_attribute(attributes, "runtime");
	const char *cores = tw__xml_attribute(attributes, "cores");
	f->place = JOB;
	f->job = tw__draft_describe(f->draft, id, line);
	struct tw__draft_job *job = &f->draft->jobs[f->job];
	job->kernel = tw__draft_kernel(f->draft, name, "1", "s", 0, "processors", line);
	job->order = line;
	if (runtime)
		take_seconds(f, runtime, line);
	if (cores)
		take_cores(f, cores, line);
	return true;
}

static bool is(const char *text, const char *word) { return text && !strcmp(text, word); }

static void take_use(struct dax *f, const char **attributes, uint32_t line)
{
	const char *name = tw__xml_attribute(attributes, "file"), *size = tw__xml_attribute(attributes, "size");
	const char *link = tw__xml_attribute(attributes, "link");
	uint64_t bytes = 0;
	if (!name)
		name = tw__xml_need(f->draft, "uses", attributes, "name", line); /* version 3 */
	if (is(tw__xml_attribute(attributes, "executable"), "true") ||
	    is(tw__xml_attribute(attributes, "type"), "executable")) {
		tw__draft_count(f->draft, "uses of executables left out", 1);
		return;
	}
	enum tw_mode mode = is(link, "input") ? TW_R : is(link, "output") ? TW_W : is(link, "inout") ? TW_RW : 0;
	if (!mode && link && !is(link, "none") && !is(link, "checkpoint"))
		tw__draft_fail(f->draft, line, "link '%.40s', expected input, output, inout, checkpoint or none", link);
	if (!mode) {
		tw__draft_count(f->draft, "uses of files that are neither input nor output left out", 1);
		return;
	}
	if (!size)
		tw__draft_count(f->draft, "uses of files of unknown size, counted as 0 bytes", 1);
	else if (!is_negative(f, size) && !tw__draft_bytes(f->draft, size, &bytes))
		tw__draft_fail(f->draft, line, "size '%.40s', expected bytes, from 0 to 2^60", size);
	tw__files_use(&f->files, f->job, name, bytes, mode, line);
}

/* Pegasus' hints for a job: the keys `runtime` and `cores` of its own namespace. */
static bool open_profile(struct dax *f, const char **attributes)
{
	const char *key = tw__xml_attribute(attributes, "key");
	bool own = is(tw__xml_attribute(attributes, "namespace"), "pegasus");
	f->profile_is_time = is(key, "runtime");
	if (!own || (!f->profile_is_time && !is(key, "cores")))
		return false;
	f->place = PROFILE;
	f->length = 0;
	return true;
}

static void close_profile(struct dax *f, uint32_t line)
{
	f->place = JOB;
	while (f->length && strchr(" \t\r\n", f->text[f->length - 1]))
		f->length--;
	f->text[f->length] = '\0';
	const char *number = f->text + strspn(f->text, " \t\r\n");
	if (!f->profile_is_time)
		take_cores(f, number, line);
	else if (isnan(f->draft->jobs[f->job].seconds)) /* otherwise the job's own attribute counts */
		take_seconds(f, number, line);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static int32_t find_job(const struct dax *f, const char *tag, const char **attributes, uint32_t line)
{
	return tw__draft_name(f->draft, tw__xml_need(f->draft, tag, attributes, "ref", line), line);
}

static bool open_child(struct dax *f, const char **attributes, uint32_t line)
{
	f->job = find_job(f, "child", attributes, line);
	f->place = CHILD;
	return true;
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

/* Elements that describe what does not concern a simulation, or what other elements tell, too; with their content. */
static const char *const passed_over[N_PLACES][9] = {
	[WORKFLOW] = {"file", "filename", "executable", "transformation", "profile", "metadata", "invoke"},
	[JOB] = {"argument", "stdin", "stdout", "stderr", "metadata", "invoke", "filename"},
};

static bool open_workflow(struct dax *f, const char **attributes, uint32_t line)
{
	const char *version = tw__xml_attribute(attributes, "version");
	f->place = WORKFLOW;
	if (version && strncmp(version, "2.", 2) != 0 && strncmp(version, "3.", 2) != 0)
		tw__draft_fail(f->draft, line, "version '%.40s' of DAX, expected 2 or 3", version);
	return true;
}

static bool on_open(void *context, const char *name, const char **attributes, uint32_t line)
{
	static const char *const expected[N_PLACES] = {"<adag>", "<job> or <child>", "<uses>", "a number", "<parent>"};
	struct dax *f = context;
	if (f->place == OUTSIDE && is(name, "adag"))
		return open_workflow(f, attributes, line);
	if (f->place == WORKFLOW && is(name, "job"))
		return open_job(f, attributes, line);
	if (f->place == WORKFLOW && is(name, "child"))
		return open_child(f, attributes, line);
	if (f->place == WORKFLOW && (is(name, "dax") || is(name, "dag")))
		tw__draft_fail(f->draft, line, "<%s>, a workflow as a job, is not supported, expected <job>", name);
	if (f->place == JOB && is(name, "profile"))
		return open_profile(f, attributes);
	/* The content of the elements below does not matter. */
	bool known = true;
	if (f->place == JOB && is(name, "uses"))
		take_use(f, attributes, line);
	else if (f->place == CHILD && is(name, "parent"))
		tw__draft_edge(f->draft, find_job(f, "parent", attributes, line), f->job);
	else
		known = false;
	for (const char *const *p = passed_over[f->place]; *p && !known; p++)
		known = is(name, *p);
	if (!known)
		tw__draft_fail(f->draft, line, "<%.60s> is not supported here, expected %s", name, expected[f->place]);
	return false;
}

static void on_close(void *context, uint32_t line)
{
	struct dax *f = context;
	if (f->place == PROFILE)
		close_profile(f, line);
	else
		f->place = f->place == WORKFLOW ? OUTSIDE : WORKFLOW;
}

static void on_text(void *context, const char *text, size_t length, uint32_t line)
{
	struct dax *f = context;
	if (f->place != PROFILE)
		return;
	if (length > sizeof f->text - 1 - f->length) {
		tw__draft_fail(f->draft, line, "a profile of more than %zu bytes, expected a number",
		               sizeof f->text - 1);
		return;
	}
	memcpy(f->text + f->length, text, length);
	f->length += length;
}

void tw__read_dax(struct tw__draft *draft)
{
	static const struct tw__xml_format format = {on_open, on_close, on_text};
	struct dax f = {.draft = draft, .files = {.draft = draft}};
	tw__xml_read(draft, &format, &f);
	if (draft->status == TW_OK)
		tw__files_take(&f.files);
	tw__draft_count_unrecorded(draft);
	tw__files_finish(&f.files);
}
