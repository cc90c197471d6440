/* Reads single-mode files of PSPLIB (Kolisch and Sprecher, European Journal of Operational Research 96, 1997), *.sm.
 * Sections between lines of stars list the successors and the duration of each job. The first and the last job are the
 * source and the sink of the project: with duration 0, they only order. Requests of resources are left out. */
#include <math.h>
#include <string.h>

#include "readers/draft.h"

enum { MAX_PROJECT_JOBS = 1 << 24, MAX_RESOURCES = 1 << 16 };

struct psplib {
	struct tw__draft *draft;
	const struct section *section; /* NULL: between two sections */
	bool in_rows;                  /* whether the headings of the section have ended */
	int64_t n_jobs;                /* 0: not known yet */
	int64_t n_resources;
	bool has_availabilities;
};

/* --- lines of the sections ---------------------------------------------------------------------------------------- */

/* Reads "key : number". False: the line does not begin with `key`. */
static bool read_value(const struct psplib *f, char *line, const char *key, int64_t least, int64_t most, int64_t *value)
{
	char *colon = strchr(line, ':');
	if (strncmp(line, key, strlen(key)) != 0 || !colon)
		return false;
	char *rest = colon + 1;
	*value = tw__draft_int(f->draft, &rest, key, least, most);
	return true;
}

/* Reads a line in front of all sections. Lines that tell how the file was made are passed over. */
static void read_head(struct psplib *f, char *line)
{
	int64_t projects;
	if (!read_value(f, line, "jobs", 1, MAX_PROJECT_JOBS, &f->n_jobs))
		read_value(f, line, "projects", 1, 1, &projects);
}

static void read_resources(struct psplib *f, char *line)
{
	static const char *const kinds[] = {"- renewable", "- nonrenewable", "- doubly constrained"};
	int64_t n = 0;
	for (int i = 0; i < 3; i++)
		if (read_value(f, line, kinds[i], 0, MAX_RESOURCES, &n)) {
			f->n_resources += n;
			return;
		}
	tw__draft_fail(f->draft, f->draft->line, "'%.40s', expected resources, as in '- renewable : 4'", line);
}

static void read_project(struct psplib *f, char *line)
{
	(void)line;
	tw__draft_count(f->draft, "dates and costs of the project left out", 1);
}

static int32_t read_job(const struct psplib *f, char **rest, const char *what, bool describe)
{
	return tw__draft_number(f->draft, tw__draft_int(f->draft, rest, what, 1, f->n_jobs), describe);
}

static void read_successors(struct psplib *f, char *rest)
{
	struct tw__draft *d = f->draft;
	int32_t job = read_job(f, &rest, "a job's number", true);
	tw__draft_int(d, &rest, "the number of modes", 1, 1);
	int64_t n = tw__draft_int(d, &rest, "the number of successors", 0, f->n_jobs);
	d->jobs[job].order = d->line;
	for (int64_t i = 0; i < n && d->status == TW_OK; i++)
		tw__draft_edge(d, job, read_job(f, &rest, "a successor's number", false));
	tw__draft_no_more(d, rest);
}

static void read_duration(struct psplib *f, char *rest)
{
	struct tw__draft *d = f->draft;
	int32_t job = read_job(f, &rest, "a job's number", false);
	tw__draft_int(d, &rest, "the mode", 1, 1);
	if (!isnan(d->jobs[job].seconds))
		tw__draft_fail(d, d->line, "job '%s' has a duration already, expected one",
		               tw__name_list_text(&d->job_names, job));
	/* in units until the file ends */
	d->jobs[job].seconds = (double)tw__draft_int(d, &rest, "the duration", 0, INT32_MAX);
	for (int64_t i = 0; i < f->n_resources && d->status == TW_OK; i++)
		tw__draft_count(d, "requests of resources left out",
		                tw__draft_int(d, &rest, "a request for each resource", 0, INT32_MAX) > 0);
	tw__draft_no_more(d, rest);
}

static void read_availabilities(struct psplib *f, char *line)
{
	(void)line;
	f->has_availabilities = true;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/* A section: the line that begins it, whether headings follow, up to the first line with a number in front, and what
 * reads the other lines. */
static const struct section {
	const char *title;
	bool has_headings;
	void (*read)(struct psplib *, char *line);
} sections[] = {
	{"RESOURCES", false, read_resources},
	{"PROJECT INFORMATION:", true, read_project},
	{"PRECEDENCE RELATIONS:", true, read_successors},
	{"REQUESTS/DURATIONS:", true, read_duration},
	{"RESOURCEAVAILABILITIES:", true, read_availabilities},
};
enum { N_SECTIONS = sizeof sections / sizeof sections[0] };

static void read_line(struct psplib *f, char *line)
{
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n && strchr(" \t", line[n - 1]); n--)
		line[n - 1] = '\0';
	if (!*line)
		return;
	if (line[0] == '*') {
		f->section = NULL;
		return;
	}
	for (int i = 0; i < N_SECTIONS; i++)
		if (!strcmp(line, sections[i].title)) {
			f->section = &sections[i];
			f->in_rows = !sections[i].has_headings;
			if (!f->n_jobs)
				tw__draft_fail(f->draft, f->draft->line, "'%s', expected the number of jobs before",
				               line);
			return;
		}
	f->in_rows |= *line >= '0' && *line <= '9';
	if (!f->section)
		read_head(f, line);
	else if (f->in_rows)
		f->section->read(f, line);
}

static void end(struct psplib *f)
{
	struct tw__draft *d = f->draft;
	if (!f->has_availabilities)
		tw__draft_fail(d, 0, "the file ends before RESOURCEAVAILABILITIES:, expected all sections of PSPLIB");
	if (d->job_names.n != f->n_jobs)
		tw__draft_fail(d, 0, "%d jobs, expected the %lld of the file's head", (int)d->job_names.n,
		               (long long)f->n_jobs);
	for (int32_t j = 0; j < d->job_names.n; j++)
		if (d->jobs[j].described && isnan(d->jobs[j].seconds))
			tw__draft_fail(d, d->jobs[j].line, "job '%s' has no duration, expected one",
			               tw__name_list_text(&d->job_names, j));
	if (d->status < 0)
		return;
	int32_t source = tw__draft_number(d, 1, false), sink = tw__draft_number(d, f->n_jobs, false);
	tw__draft_units(d, d->jobs[source].seconds == 0 ? source : TW_NONE,
	                d->jobs[sink].seconds == 0 && sink != source ? sink : TW_NONE);
}

void tw__read_psplib(struct tw__draft *draft)
{
	struct psplib f = {.draft = draft};
	char *line;
	tw__draft_open(draft, true); /* behind the last section, nothing can be lost */
	while ((line = tw__draft_line(draft)))
		read_line(&f, line);
	end(&f);
}
