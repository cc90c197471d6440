/* Reads single-mode files of PSPLIB (Kolisch and Sprecher, European Journal of Operational Research 96, 1997), *.sm.
 * Sections between lines of stars list the successors and the duration of each job. The first and the last job are the
 * source and the sink of the project: with duration 0, they only order. Requests of resources are left out. */
#include "readers/reader.h"

#include <math.h>
#include <string.h>

#include "readers/input.h"

enum { MAX_PROJECT_JOBS = 1 << 24, MAX_RESOURCES = 1 << 16 };

struct psplib {
	struct tw__input *in;
	struct tw__draft *draft;
	const struct tw__reading *reading;
	struct tw_error *err;
	const struct section *section; /* NULL: between two sections */
	bool in_rows;                  /* whether the headings of the section have ended */
	int64_t n_jobs;                /* 0: not known yet */
	int64_t n_resources;
	bool has_availabilities;
};

/* --- lines of the sections ---------------------------------------------------------------------------------------- */

/* Reads "key : number" if the line begins with `key`. Returns 1; or 0 if it does not. */
static int read_value(const struct psplib *f, char *line, const char *key, int64_t least, int64_t most, int64_t *value)
{
	char *colon = strchr(line, ':');
	if (strncmp(line, key, strlen(key)) != 0 || !colon)
		return 0;
	char *rest = colon + 1;
	int status = tw__input_int(f->in, &rest, key, least, most, value, f->err);
	return status < 0 ? status : 1;
}

/* Reads a line in front of all sections. Lines that tell how the file was made are passed over. */
static int read_head(struct psplib *f, char *line)
{
	int64_t projects;
	int status = read_value(f, line, "jobs", 1, MAX_PROJECT_JOBS, &f->n_jobs);
	if (status == 0)
		status = read_value(f, line, "projects", 1, 1, &projects);
	return status < 0 ? status : TW_OK;
}

static int read_resources(struct psplib *f, char *line)
{
	static const char *const kinds[] = {"- renewable", "- nonrenewable", "- doubly constrained"};
	int64_t n = 0;
	int status = 0;
	for (int i = 0; i < 3 && status == 0; i++)
		status = read_value(f, line, kinds[i], 0, MAX_RESOURCES, &n);
	if (status == 0)
		return tw__input_fail(f->in, f->err, "'%.40s', expected resources, as in '- renewable : 4'", line);
	f->n_resources += n;
	return status < 0 ? status : TW_OK;
}

static int read_project(struct psplib *f, char *line)
{
	(void)line;
	tw__draft_count(f->draft, "dates and costs of the project left out", 1);
	return TW_OK;
}

static int32_t read_job(const struct psplib *f, char **rest, const char *what, bool describe)
{
	int64_t number;
	int status = tw__input_int(f->in, rest, what, 1, f->n_jobs, &number, f->err);
	return status < 0 ? status : tw__draft_number(f->draft, number, describe, tw__input_line_number(f->in), f->err);
}

static int read_mode(const struct psplib *f, char **rest, const char *what)
{
	int64_t mode;
	return tw__input_int(f->in, rest, what, 1, 1, &mode, f->err);
}

static int read_successors(struct psplib *f, char *rest)
{
	int64_t n = 0;
	int32_t job = read_job(f, &rest, "a job's number", true);
	int status = job < 0 ? job : read_mode(f, &rest, "the number of modes");
	if (status == TW_OK)
		status = tw__input_int(f->in, &rest, "the number of successors", 0, f->n_jobs, &n, f->err);
	if (status == TW_OK)
		f->draft->jobs[job].order = tw__input_line_number(f->in);
	for (int64_t i = 0; i < n && status == TW_OK; i++) {
		int32_t behind = read_job(f, &rest, "a successor's number", false);
		status = behind < 0 ? behind : tw__draft_edge(f->draft, job, behind, f->err);
	}
	return status < 0 ? status : tw__input_no_more(f->in, rest, f->err);
}

static int read_duration(struct psplib *f, char *rest)
{
	int64_t duration, request;
	int32_t job = read_job(f, &rest, "a job's number", false);
	int status = job < 0 ? job : read_mode(f, &rest, "the mode");
	if (status == TW_OK && !isnan(f->draft->jobs[job].seconds))
		return tw__input_fail(f->in, f->err, "job '%s' has a duration already, expected one",
		                      tw__name_list_text(&f->draft->job_names, job));
	if (status == TW_OK)
		status = tw__input_int(f->in, &rest, "the duration", 0, INT32_MAX, &duration, f->err);
	if (status == TW_OK)
		f->draft->jobs[job].seconds = (double)duration; /* in units until the file ends */
	for (int64_t i = 0; i < f->n_resources && status == TW_OK; i++) {
		status = tw__input_int(f->in, &rest, "a request for each resource", 0, INT32_MAX, &request, f->err);
		tw__draft_count(f->draft, "requests of resources left out", status == TW_OK && request > 0);
	}
	return status < 0 ? status : tw__input_no_more(f->in, rest, f->err);
}

static int read_availabilities(struct psplib *f, char *line)
{
	(void)line;
	f->has_availabilities = true;
	return TW_OK;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* A section: the line that begins it, whether headings follow, up to the first line with a number in front, and what
 * reads the other lines. */
static const struct section {
	const char *title;
	bool has_headings;
	int (*read)(struct psplib *, char *line);
} sections[] = {
	{"RESOURCES", false, read_resources},
	{"PROJECT INFORMATION:", true, read_project},
	{"PRECEDENCE RELATIONS:", true, read_successors},
	{"REQUESTS/DURATIONS:", true, read_duration},
	{"RESOURCEAVAILABILITIES:", true, read_availabilities},
};
enum { N_SECTIONS = sizeof sections / sizeof sections[0] };

static int read_line(struct psplib *f, char *line)
{
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n && strchr(" \t", line[n - 1]); n--)
		line[n - 1] = '\0';
	if (!*line)
		return TW_OK;
	if (line[0] == '*') {
		f->section = NULL;
		return TW_OK;
	}
	for (int i = 0; i < N_SECTIONS; i++)
		if (!strcmp(line, sections[i].title)) {
			f->section = &sections[i];
			f->in_rows = !sections[i].has_headings;
			return f->n_jobs ? TW_OK
			                 : tw__input_fail(f->in, f->err, "'%s', expected the number of jobs before",
			                                  line);
		}
	if (!f->section)
		return read_head(f, line);
	f->in_rows |= *line >= '0' && *line <= '9';
	return f->in_rows ? f->section->read(f, line) : TW_OK;
}

static int end(struct psplib *f)
{
	struct tw__draft *d = f->draft;
	if (!f->has_availabilities)
		return tw__draft_fail(d, 0, f->err,
		                      "the file ends before RESOURCEAVAILABILITIES:, expected all sections of PSPLIB");
	if (d->job_names.n != f->n_jobs)
		return tw__draft_fail(d, 0, f->err, "%d jobs, expected the %lld of the file's head",
		                      (int)d->job_names.n, (long long)f->n_jobs);
	for (int32_t j = 0; j < d->job_names.n; j++)
		if (d->jobs[j].described && isnan(d->jobs[j].seconds))
			return tw__draft_fail(d, d->jobs[j].line, f->err, "job '%s' has no duration, expected one",
			                      tw__name_list_text(&d->job_names, j));
	int32_t source = tw__draft_number(d, 1, false, 0, f->err);
	int32_t sink = tw__draft_number(d, f->n_jobs, false, 0, f->err);
	if (source < 0 || sink < 0)
		return source < 0 ? source : sink;
	return tw__take_units(d, f->reading, d->jobs[source].seconds == 0 ? source : TW_NONE,
	                      d->jobs[sink].seconds == 0 && sink != source ? sink : TW_NONE, f->err);
}

int tw__read_psplib(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct psplib f = {.draft = draft, .reading = reading, .err = err};
	char *line;
	size_t length;
	int status = tw__input_open(&f.in, reading->path, err);
	if (status == TW_OK)
		tw__input_pass_open_end(f.in); /* behind the last section, where nothing can be lost */
	while (status == TW_OK && (status = tw__input_line(f.in, &line, &length, err)) == 1)
		status = read_line(&f, line);
	if (status == TW_OK)
		status = end(&f);
	tw__input_close(f.in);
	return status;
}
