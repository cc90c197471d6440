/* Reads abstract workflows of the Pegasus project (Deelman et al., Future Generation Computer Systems 46, 2015) in its
 * XML format, DAX, of versions 2 and 3. Jobs with their files come first, then the order of the jobs. Seconds, which
 * generators of workflows write, are those of a processor. */
#include "readers/reader.h"

#include <math.h>
#include <string.h>

#include "readers/files.h"
#include "readers/input.h"
#include "readers/xml.h"

enum place { OUTSIDE, WORKFLOW, JOB, PROFILE, CHILD, N_PLACES };

struct dax {
	struct tw__draft *draft;
	const struct tw__reading *reading;
	struct tw_error *err;
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

static int read_number(const struct dax *f, const char *what, const char *text, double most, double *number,
                       uint32_t line)
{
	if (tw__text_real(text, number) && *number >= 0 && *number <= most)
		return TW_OK;
	return tw__draft_fail(f->draft, line, f->err, "%s '%.40s', expected a number from 0 to %g", what, text, most);
}

/* --- jobs --------------------------------------------------------------------------------------------------------- */

static int take_seconds(struct dax *f, const char *text, uint32_t line)
{
	double seconds = 0;
	int status = is_negative(f, text) ? TW_OK : read_number(f, "runtime", text, TW_MAX_SECONDS, &seconds, line);
	if (status == TW_OK && f->reading->recorded)
		f->draft->jobs[f->job].seconds = tw__draft_seconds(f->draft, seconds);
	return status;
}

static int take_cores(struct dax *f, const char *text, uint32_t line)
{
	double cores;
	int status = read_number(f, "cores", text, 1e9, &cores, line);
	tw__draft_count(f->draft, "tasks on several cores, counted as on one", status == TW_OK && cores > 1);
	return status;
}

static int open_job(struct dax *f, const char **attributes, uint32_t line)
{
	const char *id = tw__xml_need(f->draft->path, "job", attributes, "id", line, f->err);
	const char *name = id ? tw__xml_need(f->draft->path, "job", attributes, "name", line, f->err) : NULL;
	const char *runtime = tw__xml_attribute(attributes, "runtime");
	const char *cores = tw__xml_attribute(attributes, "cores");
	int status = TW_OK;
	if (!name)
		return TW_INVALID;
	f->job = tw__draft_describe(f->draft, id, strlen(id), line, f->err);
	tw_kernel kernel = f->job < 0 ? f->job
	                              : tw__draft_kernel(f->draft, name, "1", "s", 0,
	                                                 f->reading->recorded ? "processors" : NULL, line, f->err);
	if (kernel < 0)
		return kernel;
	f->draft->jobs[f->job].kernel = kernel;
	f->draft->jobs[f->job].order = line;
	if (runtime)
		status = take_seconds(f, runtime, line);
	if (status == TW_OK && cores)
		status = take_cores(f, cores, line);
	f->place = JOB;
	return status;
}

static bool is(const char *text, const char *word) { return text && !strcmp(text, word); }

static int take_use(struct dax *f, const char **attributes, uint32_t line)
{
	const char *name = tw__xml_attribute(attributes, "file"), *size = tw__xml_attribute(attributes, "size");
	const char *link = tw__xml_attribute(attributes, "link");
	uint64_t bytes = 0;
	if (!name && !(name = tw__xml_need(f->draft->path, "uses", attributes, "name", line, f->err))) /* version 3 */
		return TW_INVALID;
	if (is(tw__xml_attribute(attributes, "executable"), "true") ||
	    is(tw__xml_attribute(attributes, "type"), "executable")) {
		tw__draft_count(f->draft, "uses of executables left out", 1);
		return TW_OK;
	}
	enum tw_mode mode = is(link, "input") ? TW_R : is(link, "output") ? TW_W : is(link, "inout") ? TW_RW : 0;
	if (!mode && link && !is(link, "none") && !is(link, "checkpoint"))
		return tw__draft_fail(f->draft, line, f->err,
		                      "link '%.40s', expected input, output, inout, checkpoint or none", link);
	if (!mode) {
		tw__draft_count(f->draft, "uses of files that are neither input nor output left out", 1);
		return TW_OK;
	}
	if (!size)
		tw__draft_count(f->draft, "uses of files of unknown size, counted as 0 bytes", 1);
	else if (!is_negative(f, size) && !tw__draft_bytes(f->draft, size, &bytes))
		return tw__draft_fail(f->draft, line, f->err, "size '%.40s', expected bytes, from 0 to 2^60", size);
	return tw__files_use(&f->files, f->job, name, bytes, mode, line, f->err);
}

/* Pegasus' hints for a job: the keys `runtime` and `cores` of its own namespace. */
static int open_profile(struct dax *f, const char **attributes)
{
	const char *key = tw__xml_attribute(attributes, "key");
	bool own = is(tw__xml_attribute(attributes, "namespace"), "pegasus");
	f->profile_is_time = is(key, "runtime");
	if (!own || (!f->profile_is_time && !is(key, "cores")))
		return TW__PASS_OVER;
	f->place = PROFILE;
	f->length = 0;
	return TW_OK;
}

static int close_profile(struct dax *f, uint32_t line)
{
	f->place = JOB;
	while (f->length && strchr(" \t\r\n", f->text[f->length - 1]))
		f->length--;
	f->text[f->length] = '\0';
	const char *number = f->text + strspn(f->text, " \t\r\n");
	if (f->profile_is_time && !isnan(f->draft->jobs[f->job].seconds))
		return TW_OK; /* the job's own attribute counts */
	return f->profile_is_time ? take_seconds(f, number, line) : take_cores(f, number, line);
}

/* --- order -------------------------------------------------------------------------------------------------------- */

static int32_t find_job(const struct dax *f, const char *tag, const char **attributes, uint32_t line)
{
	const char *ref = tw__xml_need(f->draft->path, tag, attributes, "ref", line, f->err);
	return ref ? tw__draft_name(f->draft, ref, strlen(ref), line, f->err) : TW_INVALID;
}

static int open_child(struct dax *f, const char **attributes, uint32_t line)
{
	f->job = find_job(f, "child", attributes, line);
	f->place = CHILD;
	return f->job < 0 ? f->job : TW_OK;
}

static int take_parent(struct dax *f, const char **attributes, uint32_t line)
{
	int32_t parent = find_job(f, "parent", attributes, line);
	return parent < 0 ? parent : tw__draft_edge(f->draft, parent, f->job, f->err);
}

/* --- elements ----------------------------------------------------------------------------------------------------- */

/* Elements that describe what does not concern a simulation, or what other elements tell, too; with their content. */
static const char *const passed_over[N_PLACES][9] = {
	[WORKFLOW] = {"file", "filename", "executable", "transformation", "profile", "metadata", "invoke"},
	[JOB] = {"argument", "stdin", "stdout", "stderr", "metadata", "invoke", "filename"},
};

/* The content of an element that was taken by its attributes does not matter. */
static int leaf(int status) { return status < 0 ? status : TW__PASS_OVER; }

static int open_workflow(struct dax *f, const char **attributes, uint32_t line)
{
	const char *version = tw__xml_attribute(attributes, "version");
	f->place = WORKFLOW;
	if (version && strncmp(version, "2.", 2) != 0 && strncmp(version, "3.", 2) != 0)
		return tw__draft_fail(f->draft, line, f->err, "version '%.40s' of DAX, expected 2 or 3", version);
	return TW_OK;
}

static int on_open(void *context, const char *name, const char **attributes, uint32_t line)
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
		return tw__draft_fail(f->draft, line, f->err,
		                      "<%s>, a workflow as a job, is not supported, expected <job>", name);
	if (f->place == JOB && is(name, "profile"))
		return open_profile(f, attributes);
	if (f->place == JOB && is(name, "uses"))
		return leaf(take_use(f, attributes, line));
	if (f->place == CHILD && is(name, "parent"))
		return leaf(take_parent(f, attributes, line));
	for (const char *const *p = passed_over[f->place]; *p; p++)
		if (is(name, *p))
			return TW__PASS_OVER;
	return tw__draft_fail(f->draft, line, f->err, "<%.60s> is not supported here, expected %s", name,
	                      expected[f->place]);
}

static int on_close(void *context, const char *name, uint32_t line)
{
	struct dax *f = context;
	(void)name;
	if (f->place == PROFILE)
		return close_profile(f, line);
	f->place = f->place == WORKFLOW ? OUTSIDE : WORKFLOW;
	return TW_OK;
}

static int on_text(void *context, const char *text, size_t length, uint32_t line)
{
	struct dax *f = context;
	if (f->place != PROFILE)
		return TW_OK;
	if (length > sizeof f->text - 1 - f->length)
		return tw__draft_fail(f->draft, line, f->err, "a profile of more than %zu bytes, expected a number",
		                      sizeof f->text - 1);
	memcpy(f->text + f->length, text, length);
	f->length += length;
	return TW_OK;
}

int tw__read_dax(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	static const struct tw__xml_format format = {on_open, on_close, on_text};
	struct dax f = {.draft = draft, .reading = reading, .err = err, .files = {.draft = draft}};
	int status = tw__xml_read(reading->path, &format, &f, err);
	if (status == TW_OK)
		status = tw__files_take(&f.files, err);
	if (status == TW_OK && reading->recorded)
		tw__draft_count_unrecorded(draft);
	tw__files_finish(&f.files);
	return status;
}
