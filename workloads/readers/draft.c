/* Collects the contents of a file in a draft: see draft.h. */
#include "readers/draft.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_JOBS = 1 << 27, MAX_EDGES = 1 << 27, MAX_ACCESSES = 1 << 28 };
/* Limit on the bytes of all handles together, so that sums do not overflow. */
static const uint64_t max_data_bytes = (uint64_t)1 << 60;
static const double least_seconds = 1e-9;

void tw__draft_init(struct tw__draft *d, struct tw_graph *graph, const char *file, struct tw_error *err)
{
	*d = (struct tw__draft){.graph = graph, .err = err, .file = file, .priority_scope = TW_PRIORITY_FOR_ALL};
	snprintf(d->path, sizeof d->path, "%s", file);
}

void tw__draft_finish(struct tw__draft *d)
{
	tw__name_list_finish(&d->job_names);
	tw__name_list_finish(&d->arch_names);
	tw__name_list_finish(&d->data_names);
	tw__name_list_finish(&d->kernel_names);
	tw__input_close(d->in);
	free(d->jobs);
	free(d->edges);
	free(d->accesses);
	free(d->hints);
	free(d->seconds_on);
	free(d->data_group);
	free(d->kernels);
	*d = (struct tw__draft){0};
}

void tw__draft_begin(struct tw__draft *d, struct tw_graph *graph)
{
	tw__name_list_finish(&d->kernel_names);
	d->graph = graph;
}

int tw__draft_fail(struct tw__draft *d, uint32_t line, const char *format, ...)
{
	char text[sizeof d->err->message];
	va_list values;
	if (d->status < 0)
		return d->status;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	d->status = line ? tw_fail(d->err, TW_INVALID, "%s:%u: %s", d->path, (unsigned)line, text)
	                 : tw_fail(d->err, TW_INVALID, "%s: %s", d->path, text);
	return d->status;
}

void tw__draft_refused(struct tw__draft *d, uint32_t line)
{
	struct tw_error why;
	int status = tw_graph_finish(d->graph, &why);
	if (d->status == TW_OK) {
		tw__draft_fail(d, line, "%s", why.message);
		d->status = status; /* perhaps TW_NOMEM */
	}
}

/* --- lines of the file -------------------------------------------------------------------------------------------- */

void tw__draft_open(struct tw__draft *d, bool open_end)
{
	d->status = tw__input_open(&d->in, d->file, d->err);
	if (d->in && open_end)
		tw__input_pass_open_end(d->in);
}

char *tw__draft_line(struct tw__draft *d)
{
	char *line;
	if (d->status < 0)
		return NULL;
	int status = tw__input_line(d->in, &line, d->err);
	d->status = status < 0 ? status : TW_OK;
	d->line = tw__input_line_number(d->in);
	return status == 1 ? line : NULL;
}

int64_t tw__draft_int(struct tw__draft *d, char **rest, const char *what, int64_t least, int64_t most)
{
	const char *word = tw__text_word(rest);
	int64_t number;
	if (word && tw__text_int(word, &number) && number >= least && number <= most)
		return number;
	if (!word)
		tw__draft_fail(d, d->line, "the line ends, expected %s", what);
	else if (least == most)
		tw__draft_fail(d, d->line, "'%.40s', expected %s: %lld", word, what, (long long)least);
	else
		tw__draft_fail(d, d->line, "'%.40s', expected %s: a whole number from %lld to %lld", word, what,
		               (long long)least, (long long)most);
	return least;
}

void tw__draft_no_more(struct tw__draft *d, char *rest)
{
	const char *word = tw__text_word(&rest);
	if (word)
		tw__draft_fail(d, d->line, "'%.40s', expected the end of the line", word);
}

/* --- jobs, dependencies, handles ---------------------------------------------------------------------------------- */

int32_t tw__draft_name(struct tw__draft *d, const char *name, uint32_t line)
{
	int32_t known = d->job_names.n, job = tw__name_list_add(&d->job_names, name, strlen(name));
	TW_RESERVE(d->jobs, d->jobs_capacity, (size_t)job + 1);
	if (job == MAX_JOBS)
		tw__draft_fail(d, line, "more than %d tasks, expected fewer", MAX_JOBS);
	if (job == known)
		d->jobs[job] = (struct tw__draft_job){
			.seconds = NAN, .start_ns = -1, .line = line, .kernel = TW_NONE, .worker = TW_NONE};
	return job;
}

int32_t tw__draft_describe(struct tw__draft *d, const char *name, uint32_t line)
{
	int32_t index = tw__draft_name(d, name, line);
	struct tw__draft_job *job = &d->jobs[index];
	if (job->described && job->line)
		tw__draft_fail(d, line, "task '%.60s' is on line %u already, expected it once", name,
		               (unsigned)job->line);
	else if (job->described)
		tw__draft_fail(d, line, "a second task '%.60s', expected it once", name);
	job->described = true;
	job->line = line;
	return index;
}

int32_t tw__draft_number(struct tw__draft *d, int64_t number, bool describe)
{
	char name[24];
	snprintf(name, sizeof name, "%lld", (long long)number);
	return describe ? tw__draft_describe(d, name, d->line) : tw__draft_name(d, name, d->line);
}

void tw__draft_edge(struct tw__draft *d, int32_t from, int32_t to)
{
	if (d->n_edges == MAX_EDGES)
		tw__draft_fail(d, 0, "more than %d dependencies, expected fewer", MAX_EDGES);
	TW_RESERVE(d->edges, d->edges_capacity, d->n_edges + 1);
	d->edges[d->n_edges++] = (struct tw__draft_edge){from, to};
}

void tw__draft_access(struct tw__draft *d, int32_t job, tw_data data, unsigned mode)
{
	if (d->n_accesses == MAX_ACCESSES)
		tw__draft_fail(d, 0, "more than %d accesses to data, expected fewer", MAX_ACCESSES);
	TW_RESERVE(d->accesses, d->accesses_capacity, d->n_accesses + 1);
	d->accesses[d->n_accesses++] = (struct tw__draft_access){job, data, (uint8_t)mode};
}

void tw__draft_hint(struct tw__draft *d, int32_t group, uint64_t order)
{
	TW_RESERVE(d->hints, d->hints_capacity, d->n_hints + 1);
	d->hints[d->n_hints++] = (struct tw__draft_hint){order, group};
}

bool tw__draft_bytes(struct tw__draft *d, const char *text, uint64_t *bytes)
{
	int64_t whole;
	double number;
	if (!tw__text_int(text, &whole)) /* whole numbers of more than 53 bits are not rounded */
		return tw__text_real(text, &number) && tw__draft_whole_bytes(d, number, bytes);
	*bytes = (uint64_t)whole;
	return whole >= 0 && *bytes <= max_data_bytes;
}

bool tw__draft_whole_bytes(struct tw__draft *d, double number, uint64_t *bytes)
{
	if (!(number >= 0 && number <= (double)max_data_bytes))
		return false;
	*bytes = (uint64_t)ceil(number);
	tw__draft_count(d, "sizes with a fraction of a byte, rounded up", number != ceil(number));
	return true;
}

tw_data tw__draft_data(struct tw__draft *d, const char *name, uint64_t bytes, uint32_t line)
{
	int32_t known = d->data_names.n, data = tw__name_list_add(&d->data_names, name, strlen(name));
	TW_RESERVE(d->data_group, d->groups_capacity, (size_t)data + 1);
	if (data < known)
		return data;
	if (bytes > max_data_bytes || d->data_bytes + bytes > max_data_bytes)
		return tw__draft_fail(d, line, "data '%.60s' has %llu bytes, expected at most 2^60 with all others",
		                      name, (unsigned long long)bytes);
	if (bytes == 0)
		tw__draft_count(d, "data of 0 bytes, counted as 1 byte", 1);
	d->data_bytes += bytes ? bytes : 1;
	d->data_group[data] = data;
	tw_data added = tw_graph_data(d->graph, bytes ? bytes : 1);
	if (added != data)
		tw__draft_refused(d, line);
	return added;
}

/* Replaces control characters and invalid bytes in a kernel's name by '?', because kernel names are shown on terminals
 * and written to files. Returns whether the text changed. */
static bool clean(char *text)
{
	bool changed = false;
	for (char *c = text; *c;) {
		size_t n = tw_character_bytes(c);
		if (n == 0)
			*c = '?';
		changed |= n == 0;
		c += n ? n : 1;
	}
	return changed;
}

tw_kernel tw__draft_kernel(struct tw__draft *d, const char *name, const char *size, const char *precision, double flops,
                           const char *recorded_on, uint32_t line)
{
	if (!d->recorded)
		recorded_on = NULL;
	else if (!recorded_on && d->default_seconds > 0)
		recorded_on = "processors+accelerators";
	const char *parts[] = {name, size, precision, recorded_on ? recorded_on : ""};
	char key[512], *copies[4]; /* key: the four parts, each ended by '\0' */
	size_t length = 0;
	bool changed = false;
	for (int i = 0; i < 4; i++) {
		size_t n = strlen(parts[i]) + 1;
		if (length + n > sizeof key)
			return tw__draft_fail(d, line,
			                      "kernel '%.60s': name and size of more than %zu bytes, expected fewer",
			                      name, sizeof key);
		copies[i] = memcpy(key + length, parts[i], n);
		changed |= clean(copies[i]);
		length += n;
	}
	for (int i = 1; i < 4; i++)
		copies[i][-1] = '\n'; /* joins the four parts to one name; clean() has removed line breaks from them */
	int32_t known = d->kernel_names.n, number = tw__name_list_add(&d->kernel_names, key, length - 1);
	for (int i = 1; i < 4; i++)
		copies[i][-1] = '\0';
	TW_RESERVE(d->kernels, d->kernels_capacity, (size_t)number + 1);
	struct tw__draft_kernel *kernel = &d->kernels[number];
	if (number < known) {
		tw__draft_count(d, "tasks whose flops differ from the first ones of their kernel, which are used",
		                flops > 0 && flops != kernel->flops);
		return kernel->number;
	}
	tw__draft_count(d, "kernels with invalid characters in their names, replaced by ?", changed);
	kernel->flops = flops;
	kernel->number = recorded_on
	                         ? tw_graph_recorded_kernel(d->graph, copies[0], copies[1], copies[2], flops, copies[3])
	                         : tw_graph_kernel(d->graph, copies[0], copies[1], copies[2], flops);
	if (kernel->number == TW_NONE)
		tw__draft_refused(d, line);
	return kernel->number;
}

/* --- times -------------------------------------------------------------------------------------------------------- */

static double raised(struct tw__draft *d, double seconds)
{
	if (seconds < least_seconds)
		tw__draft_count(d, "tasks of 0 s, counted as 1 ns", 1);
	return fmax(seconds, least_seconds);
}

void tw__draft_seconds(struct tw__draft *d, int32_t job, double seconds)
{
	if (d->recorded)
		d->jobs[job].seconds = raised(d, seconds);
}

void tw__draft_seconds_on(struct tw__draft *d, int32_t job, const char *arch, size_t length, double seconds)
{
	int32_t name = tw__name_list_add(&d->arch_names, arch, length);
	struct tw__draft_job *j = &d->jobs[job];
	TW_RESERVE(d->seconds_on, d->seconds_on_capacity, d->n_seconds_on + 1);
	if (j->n_seconds_on++ == 0)
		j->first_seconds_on = d->n_seconds_on;
	d->seconds_on[d->n_seconds_on++] = (struct tw__draft_seconds_on){name, raised(d, seconds)};
}

void tw__draft_default(struct tw__draft *d, tw_task task)
{
	if (!(d->default_seconds > 0))
		return;
	tw_graph_set_seconds(d->graph, task, fmax(d->default_seconds, least_seconds));
	tw__draft_count(d, "tasks without a time, which take default_seconds", 1);
}

void tw__draft_count_unrecorded(struct tw__draft *d)
{
	uint64_t n = 0;
	if (!d->recorded || d->default_seconds > 0)
		return;
	for (int32_t j = 0; j < d->job_names.n; j++)
		n += d->jobs[j].kernel != TW_NONE && isnan(d->jobs[j].seconds);
	tw__draft_count(d, "tasks without recorded seconds, which take kernel times", n);
}

static void take_units(struct tw__draft *d, int32_t job, double unit_s)
{
	struct tw__draft_job *j = &d->jobs[job];
	double seconds = j->seconds * unit_s;
	if (!(seconds <= TW_MAX_SECONDS))
		tw__draft_fail(d, j->line,
		               "task '%.60s' takes %g units of time, which are %g s, expected at most %g s; or another "
		               "unit_seconds=",
		               tw__name_list_text(&d->job_names, job), j->seconds, seconds, TW_MAX_SECONDS);
	j->kernel = tw__draft_kernel(d, "task", "1", "s", 0, "processors+accelerators", j->line);
	j->seconds = NAN;
	tw__draft_seconds(d, job, seconds);
}

void tw__draft_units(struct tw__draft *d, int32_t entry, int32_t exit)
{
	uint64_t n = 0;
	for (int32_t j = 0; j < d->job_names.n && d->status == TW_OK; j++) {
		if (j == entry || j == exit) {
			d->jobs[j].seconds = NAN;
		} else if (d->jobs[j].described) {
			take_units(d, j, d->unit_seconds > 0 ? d->unit_seconds : 1);
			n++;
		}
	}
	if (d->recorded && d->unit_seconds == 0)
		tw__draft_count(d, "times without a unit, counted in seconds (unit_seconds= sets another)", n);
	tw__draft_count(d, "entry and exit that only order", (entry != TW_NONE) + (exit != TW_NONE));
}

int tw__draft_priority_scope(const char *name)
{
	int scope = TW_N_PRIORITY_SCOPES - 1;
	while (scope >= 0 && strcmp(name, tw_priority_scope_name((enum tw_priority_scope)scope)) != 0)
		scope--;
	return scope;
}

/* --- summary ------------------------------------------------------------------------------------------------------ */

void tw__draft_count(struct tw__draft *d, const char *what, uint64_t n)
{
	size_t i = 0, most = sizeof d->tally / sizeof d->tally[0];
	while (i < most - 1 && d->tally[i].what && strcmp(d->tally[i].what, what) != 0)
		i++;
	if (n)
		d->tally[i] = (struct tw__tally){what, d->tally[i].n + n};
}

/* Returns the seconds from the first recorded start to the last recorded end; NAN: nothing was recorded. */
static double recorded_makespan(const struct tw__draft *d)
{
	int64_t first = INT64_MAX;
	double last = NAN;
	for (int32_t j = 0; j < d->job_names.n; j++)
		if (d->jobs[j].start_ns >= 0 && d->jobs[j].start_ns < first)
			first = d->jobs[j].start_ns;
	for (int32_t j = 0; j < d->job_names.n; j++)
		if (d->jobs[j].start_ns >= 0) /* at first `last` is NAN, which fmax ignores */
			last = fmax(last, (double)(d->jobs[j].start_ns - first) / 1e9 + d->jobs[j].seconds);
	return last;
}

void tw__draft_log(const struct tw__draft *d, const char *format)
{
	char text[3500] = "", recorded[64] = "";
	size_t used = 0;
	double makespan = recorded_makespan(d);
	if (!isnan(makespan))
		snprintf(recorded, sizeof recorded, ", recorded in %.6g s", makespan);
	for (size_t i = 0; i < sizeof d->tally / sizeof d->tally[0] && d->tally[i].what && used < sizeof text; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, "; %s: %llu", d->tally[i].what,
		                         (unsigned long long)d->tally[i].n);
	tw_log(used ? TW_LOG_WARNING : TW_LOG_INFO, "%s (%s): %d tasks, %d data%s%s", d->path, format,
	       (int)tw_graph_n_tasks(d->graph), (int)tw_graph_n_data(d->graph), recorded, text);
}
