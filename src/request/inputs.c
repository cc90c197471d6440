#include "request/inputs.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "platform/platform.h"
#include "request/graph_words.h"
#include "request/plugins.h"
#include "request/workload.h"

void tw__inputs_init(struct tw__inputs *in)
{
	*in = (struct tw__inputs){.common = tw__request_empty(), .repetitions = 1};
}

void tw__inputs_finish(struct tw__inputs *in)
{
	for (int i = 0; i < TW__MOST_INPUTS; i++)
		tw__words_finish(&in->lists[i]);
}

struct tw__words *tw__inputs_list(struct tw__inputs *in, const char *name)
{
	const struct tw__field *f = tw__field_of(name);
	assert(f);
	return &in->lists[f - tw__fields];
}

/* --- options ------------------------------------------------------------------------------------------------------ */

static int check_value(const struct tw__field *f, const char *text, struct tw_error *err)
{
	struct tw__request request = tw__request_empty();
	int status = tw__field_set(f, &request, text, err);
	bool preset = f->preset && strcmp(text, f->preset) == 0;
	return status == TW_OK && f->check && !preset ? f->check(text, err) : status;
}

static int take_list(struct tw__words *list, const struct tw__field *f, const char *option, const char *text,
                     struct tw_error *err)
{
	switch (f->type) {
	case TW__FIELD_PARAMETER:
		return tw__ranges_init(list, option, text, 1, INT_MAX, err);
	case TW__FIELD_COUNT:
		return tw__ranges_init(list, option, text, 0, INT_MAX, err);
	case TW__FIELD_SEED:
		return tw__ranges_init(list, option, text, 0, INT64_MAX, err);
	default:
		break;
	}
	int status = tw__specs_init(list, option, text, err);
	for (int i = 0; status == TW_OK && i < list->n; i++)
		status = check_value(f, list->of[i], err);
	return status;
}

/* Appends the text to the list's only word. */
static const char *append(struct tw__words *list, const char *between, const char *text)
{
	char *joined = tw_format("%s%s%s", list->n ? list->of[0] : "", list->n ? between : "", text);
	tw__words_finish(list);
	tw__words_take(list, joined);
	return joined;
}

/* Appends the value to those before it. */
static int take_more(struct tw__words *list, struct tw__request *common, const struct tw__field *f, const char *text,
                     struct tw_error *err)
{
	const char *joined = append(list, ",", text);
	int status = f->check ? f->check(joined, err) : TW_OK;
	return status == TW_OK ? tw__field_set(f, common, joined, err) : status;
}

/* Whether the text of an option that takes lists elsewhere is a list. */
static bool is_list(const struct tw__field *f, const char *text)
{
	bool has_ranges = f->type == TW__FIELD_COUNT || f->type == TW__FIELD_SEED;
	bool is_path = f->type == TW__FIELD_TEXT && strchr(text, '/');
	return f->lists && !is_path && strpbrk(text, has_ranges ? ",:" : ",");
}

int tw__inputs_take(struct tw__inputs *in, unsigned command, const struct tw__field *f, const char *text,
                    struct tw_error *err)
{
	struct tw__words *list = &in->lists[f - tw__fields];
	char option[40];
	snprintf(option, sizeof option, "--%s", f->name);
	/* A sweep needs each row of its CSV file to be one line. */
	if (text && command == TW__FOR_SWEEP && strpbrk(text, "\r\n"))
		return tw_fail(err, TW_INVALID, "'%.200s': a line break: expected none in an option's value", text);
	if (f->type == TW__FIELD_REPETITIONS)
		return tw__word_int(&in->repetitions, option, text, 1, TW__MOST_POINTS, err);
	if (f->type == TW__FIELD_OF_FILES) {
		tw__words_finish(list);
		tw__words_take(list, tw_copy_text(text));
		return TW_OK;
	}
	if (f->type == TW__FIELD_PART) {
		int status = f->check(text, err);
		append(list, "+", text);
		return status;
	}
	if (f->lists & command)
		return take_list(list, f, option, text, err);
	if (f->flags & TW__JOINED)
		return take_more(list, &in->common, f, text, err);
	if (text && is_list(f, text))
		return tw_fail(err, TW_INVALID,
		               "%s '%.200s': a list: expected one value; 'tilewright sweep' takes lists", option, text);
	int status = check_value(f, text ? text : "yes", err);
	return status == TW_OK ? tw__field_set(f, &in->common, text ? text : "yes", err) : status;
}

/* --- workloads ---------------------------------------------------------------------------------------------------- */

/* Whether the specification of the first graph is one of a file, and whether it sets the parameter `key`. */
static int look_at(const char *workload, const char *key, bool *is_file, bool *sets, struct tw_error *err)
{
	struct tw__spec spec;
	char *first = tw_format("%.*s", (int)(tw__further_graphs(workload) - workload), workload);
	int status = tw__spec_parse(&spec, first, err);
	free(first);
	if (status < 0)
		return tw_fail(err, status, "workload %s", err->message);
	*is_file = strcmp(spec.name, "file") == 0;
	*sets = false;
	for (int i = 0; i < spec.n; i++)
		*sets |= spec.items[i].key && strcmp(spec.items[i].key, key) == 0;
	tw__spec_finish(&spec);
	return TW_OK;
}

/* Returns the workload with a parameter more of its first graph. */
static char *set_param(const char *workload, const char *key, const char *value)
{
	const char *end = tw__further_graphs(workload);
	return tw_format("%.*s:%s=%s%s", (int)(end - workload), workload, key, value, end);
}

/* Replaces the list by one with a word for each word and value: "cholesky" and 10, 20 of nt become cholesky:nt=10 and
 * cholesky:nt=20. */
static int expand(struct tw__words *workloads, const char *key, const struct tw__words *values, struct tw_error *err)
{
	struct tw__words longer = {0};
	int status = TW_OK;
	for (int w = 0; w < workloads->n && status == TW_OK; w++) {
		bool is_file, sets = false;
		status = look_at(workloads->of[w], key, &is_file, &sets, err);
		if (sets)
			status = tw_fail(err, TW_INVALID, "--%s: workload '%.100s' has its own: expected one of them",
			                 key, workloads->of[w]);
		for (int v = 0; v < values->n && status == TW_OK; v++)
			tw__words_take(&longer, set_param(workloads->of[w], key, values->of[v]));
	}
	tw__words_finish(workloads);
	*workloads = longer;
	return status;
}

/* Gives each workload 'file:PATH' that does not set it itself the parameter default_seconds, and warns of workloads
 * that are no files. */
static int add_default_seconds(struct tw__words *workloads, const char *text, struct tw_error *err)
{
	static const char key[] = "default_seconds";
	double seconds;
	char number[32] = "";
	int n_files = 0, status = TW_OK;
	if (tw__parse_seconds(&seconds, text, err) < 0 || !(seconds > 0 && seconds <= 1e9))
		return tw_fail(err, TW_INVALID,
		               "--default-seconds '%.200s': expected a time above 0 and up to 1e9 s, as in 10ms", text);
	tw__print_exactly(number, sizeof number, seconds);
	for (int i = 0; i < workloads->n && status == TW_OK; i++) {
		bool is_file = false, sets = false;
		status = look_at(workloads->of[i], key, &is_file, &sets, err);
		n_files += is_file;
		if (status < 0 || !is_file || sets)
			continue;
		char *longer = set_param(workloads->of[i], key, number);
		free(workloads->of[i]);
		workloads->of[i] = longer;
	}
	if (status == TW_OK && n_files == 0)
		return tw_fail(err, TW_INVALID,
		               "--default-seconds '%.200s': none of the workloads is a file: expected a workload "
		               "file:PATH with it",
		               text);
	for (int i = 0; i < workloads->n && status == TW_OK; i++) {
		bool is_file = true, sets;
		status = look_at(workloads->of[i], key, &is_file, &sets, err);
		if (!is_file)
			tw_log(TW_LOG_WARNING,
			       "--default-seconds '%.100s': nothing changes for workload '%.200s', which is no file",
			       text, workloads->of[i]);
	}
	return status;
}

/* --- checks ------------------------------------------------------------------------------------------------------- */

static int by_value(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
	return (left > right) - (left < right);
}

/* Checks that seeds differ by at least the repetitions. Repetition r of a seed runs with the seed plus r. So
 * repetitions of nearer seeds would be the same run, and would wrongly count as independent. */
static int check_seeds(const struct tw__inputs *in, struct tw_error *err)
{
	const struct tw__field *f = tw__field_of("seed");
	const struct tw__words *list = &in->lists[f - tw__fields];
	int n = list->n ? list->n : 1, status = TW_OK;
	uint64_t *sorted = tw_alloc((size_t)n, sizeof *sorted);
	sorted[0] = in->common.seed;
	for (int i = 0; i < list->n; i++)
		sorted[i] = strtoull(list->of[i], NULL, 10);
	qsort(sorted, (size_t)n, sizeof *sorted, by_value);
	if (sorted[n - 1] > (uint64_t)INT64_MAX - (uint64_t)(in->repetitions - 1))
		status = tw_fail(err, TW_INVALID, "--seed '%" PRIu64 "': expected at most %lld with --repeat %d",
		                 sorted[n - 1], (long long)INT64_MAX - (in->repetitions - 1), in->repetitions);
	for (int i = 1; status == TW_OK && i < n; i++) {
		uint64_t gap = sorted[i] - sorted[i - 1];
		if (gap > 0 && gap < (uint64_t)in->repetitions)
			status = tw_fail(err, TW_INVALID,
			                 "--seed: %" PRIu64 " and %" PRIu64 " with --repeat %d: repetition %" PRIu64
			                 " of the first is the second: expected seeds at least %d apart",
			                 sorted[i - 1], sorted[i], in->repetitions, gap, in->repetitions);
	}
	free(sorted);
	return status;
}

/* Domains take the place of the policy. */
static int take_domains(struct tw__inputs *in, struct tw_error *err)
{
	struct tw__words *domains = tw__inputs_list(in, "domain"), *policies = tw__inputs_list(in, "policy");
	if (!domains->n)
		return TW_OK;
	if (policies->n || in->common.policy)
		return tw_fail(err, TW_INVALID,
		               "--domain '%.100s': expected no policy with it, neither here nor in a plan",
		               domains->of[0]);
	in->common.policy = domains->of[0];
	return tw__policy_check(in->common.policy, err);
}

/* Further graphs become part of each workload. */
static int add_graphs(struct tw__inputs *in, struct tw_error *err)
{
	const struct tw__words *graphs = tw__inputs_list(in, "with");
	struct tw__words *workloads = tw__inputs_list(in, "workload");
	int status = TW_OK;
	for (int i = 0; graphs->n && i < workloads->n && status == TW_OK; i++) {
		char *longer = tw_format("%s+%s", workloads->of[i], graphs->of[0]);
		free(workloads->of[i]);
		workloads->of[i] = longer;
		status = tw__workload_named(longer, err);
	}
	return status;
}

static int check_needed(const struct tw__inputs *in, unsigned command, const char *name, struct tw_error *err)
{
	char room[TW__FIELD_ROOM];
	for (const struct tw__field *f = tw__fields; f->name; f++)
		if (f->needs & command && !in->lists[f - tw__fields].n && !tw__field_text(f, &in->common, room))
			return tw_fail(err, TW_INVALID,
			               "%s: option --%s is missing: expected it, see 'tilewright %s --help'", name,
			               f->name, name);
	return TW_OK;
}

int tw__inputs_complete(struct tw__inputs *in, unsigned command, const char *name, int most, struct tw_error *err)
{
	struct tw__words *workloads = tw__inputs_list(in, "workload"),
			 *seconds = tw__inputs_list(in, "default-seconds");
	double n = in->repetitions;
	if (!in->common.platform && !tw__inputs_list(in, "platform")->n && tw__computes(&in->common))
		in->common.platform = TW__MACHINE_NAME;
	int status = take_domains(in, err);
	if (status == TW_OK)
		status = check_needed(in, command, name, err);
	for (int i = 0; tw__fields[i].name; i++)
		n *= in->lists[i].n ? in->lists[i].n : 1;
	if (status == TW_OK && n > most)
		status = tw_fail(err, TW_INVALID, "%s: %.0f %s: expected at most %d", name, n,
		                 command == TW__FOR_RUN ? "runs" : "points", most);
	if (status == TW_OK)
		status = check_seeds(in, err);
	if (status == TW_OK && seconds->n)
		status = add_default_seconds(workloads, seconds->of[0], err);
	for (const struct tw__field *f = tw__fields; f->name && status == TW_OK; f++) {
		struct tw__words *values = &in->lists[f - tw__fields];
		if (f->type != TW__FIELD_PARAMETER || !values->n)
			continue;
		status = expand(workloads, f->name, values, err);
		tw__words_finish(values);
	}
	return status == TW_OK ? add_graphs(in, err) : status;
}

/* --- points ------------------------------------------------------------------------------------------------------- */

int64_t tw__inputs_points(const struct tw__inputs *in)
{
	int64_t points = in->repetitions;
	for (int i = 0; tw__fields[i].name; i++)
		points *= in->lists[i].n ? in->lists[i].n : 1;
	return points;
}

void tw__inputs_point(const struct tw__inputs *in, int64_t i, struct tw__request *request)
{
	struct tw_error ignored; /* values of lists were checked */
	const struct tw__field *last = tw__fields;
	*request = in->common;
	request->repeat = (int)(i % in->repetitions);
	i /= in->repetitions;
	while (last[1].name)
		last++;
	for (const struct tw__field *f = last; f >= tw__fields; f--) {
		const struct tw__words *list = &in->lists[f - tw__fields];
		if (!list->n || f->flags & TW__JOINED || f->type == TW__FIELD_OF_FILES)
			continue;
		tw__field_set(f, request, list->of[i % list->n], &ignored);
		i /= list->n;
	}
}
