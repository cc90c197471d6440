/* From rows to lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort_double.h>

#include "experiment/points.h"
#include "plot/chart.h"

/* ":nt=20", or any ":key=NUMBER" where there is no nt. */
static bool is_size(const char *item, size_t length, bool has_nt)
{
	if (has_nt)
		return length > 4 && !strncmp(item, ":nt=", 4);
	const char *equals = memchr(item, '=', length);
	return equals && strspn(equals + 1, "0123456789.") == (size_t)(item + length - equals - 1);
}

char *tw__workload_family(const char *workload)
{
	char *family = malloc(strlen(workload) + 1), *to = family;
	bool has_nt = strstr(workload, ":nt=");
	for (size_t length; family && *workload; workload += length) {
		length = 1 + strcspn(workload + 1, ":");
		if (is_size(workload, length, has_nt))
			continue;
		memcpy(to, workload, length);
		to += length;
	}
	if (family)
		*to = '\0';
	return family;
}

const char *tw__memory_text(char *text, size_t size, double bytes)
{
	if (!isfinite(bytes))
		snprintf(text, size, "unbounded");
	else if (bytes >= 1073741824)
		snprintf(text, size, "%.3g GiB", bytes / 1073741824);
	else
		snprintf(text, size, "%.4g MiB", bytes / 1048576);
	return text;
}

void tw__column_text(char *text, size_t size, const char *column, const char *value)
{
	char memory[32];
	if (!strcmp(column, "gpus") || !strcmp(column, "cpus"))
		snprintf(text, size, "%s %s%s", value, *column == 'g' ? "GPU" : "CPU", strcmp(value, "1") ? "s" : "");
	else if (!strcmp(column, "gpu_mem_bytes"))
		snprintf(text, size, "%s a GPU", tw__memory_text(memory, sizeof memory, *value ? atof(value) : NAN));
	else if (!strcmp(column, "noise") || !strcmp(column, "belief_error") || !strcmp(column, "cpu_groups") ||
	         !strcmp(column, "communication"))
		snprintf(text, size, "%s %s", column, *value ? value : "none");
	else
		snprintf(text, size, "%s", value);
	for (char *c = text; !strncmp(column, "belief_error", 12) && *c; c++)
		*c = *c == '_' ? ' ' : *c;
}

/* The lines found so far, each by its first row. */
struct finder {
	const struct tw__series_input *in;
	char **family; /* [rows] */
	int first[TW__MAX_CURVES], n;
	int *line; /* [rows] -1: no point */
};

static const char *cell(const struct finder *f, int row, int c)
{
	int column = f->in->columns[c];
	return column >= 0 && column == f->in->workload ? f->family[row] : tw__rows_text(f->in->rows, row, column);
}

static bool agree(const struct finder *f, int a, int b, const bool *shown)
{
	for (int c = 0; c < f->in->n_columns; c++)
		if ((!shown || shown[c]) && strcmp(cell(f, a, c), cell(f, b, c)) != 0)
			return false;
	return true;
}

static int find_lines(struct finder *f, int room, struct tw_error *err)
{
	const struct tw__series_input *in = f->in;
	for (int row = 0; row < in->rows->n_rows; row++) {
		int i = 0;
		f->line[row] = -1;
		if (!isfinite(in->x[row]) || !isfinite(in->y[row]))
			continue;
		while (i < f->n && !agree(f, f->first[i], row, NULL))
			i++;
		if (i == room)
			return tw_fail(
				err, TW_INVALID,
				"%s: more than %d lines, which a figure has no room for: choose rows, as with --where gpus=1",
				in->rows->path, TW__MAX_CURVES);
		if (i == f->n)
			f->first[f->n++] = row;
		f->line[row] = i;
	}
	return TW_OK;
}

/* A column is shown if it tells lines apart that those shown before it do not; the policy is shown always. */
static void choose_columns(const struct finder *f, bool *shown)
{
	memset(shown, 0, TW__MAX_POINT_COLUMNS * sizeof *shown);
	for (int c = 0; c < f->in->n_columns; c++)
		shown[c] = f->in->columns[c] >= 0 && !strcmp(f->in->rows->names[f->in->columns[c]], "policy");
	for (int c = 0; c < f->in->n_columns; c++)
		for (int i = 0; i < f->n && !shown[c]; i++)
			for (int j = 0; j < i && !shown[c]; j++)
				shown[c] = agree(f, f->first[i], f->first[j], shown) &&
				           strcmp(cell(f, f->first[i], c), cell(f, f->first[j], c)) != 0;
}

static bool has_word(const char *words, const char *word, size_t length)
{
	for (const char *at = strchr(words, ':'); at; at = strchr(at + 1, ':'))
		if (1 + strcspn(at + 1, ":") == length && !strncmp(at, word, length))
			return true;
	return false;
}

void tw__workload_apart(char *text, size_t size, const char *workload, const char *const *others, int n_others)
{
	size_t length = strcspn(workload, ":"), at = (size_t)snprintf(text, size, "%.*s", (int)length, workload);
	for (const char *word = workload + length; *word && at < size; word += length) {
		bool all = n_others > 1;
		length = 1 + strcspn(word + 1, ":");
		for (int i = 0; i < n_others && all; i++)
			all = has_word(others[i], word, length);
		if (!all)
			at += (size_t)snprintf(text + at, size - at, "%.*s", (int)length, word);
	}
}

static void write_workload(const struct finder *f, int line, int c, char *text, size_t size)
{
	const char *workloads[TW__MAX_CURVES];
	for (int i = 0; i < f->n; i++)
		workloads[i] = cell(f, f->first[i], c);
	tw__workload_apart(text, size, workloads[line], workloads, f->n);
}

static void write_label(const struct finder *f, int line, const bool *shown, char *label)
{
	size_t at = 0;
	label[0] = '\0';
	if (f->in->bound)
		at = (size_t)snprintf(label, TW__CHART_LABEL, "%s", f->in->bound);
	for (int c = 0; c < f->in->n_columns && at < TW__CHART_LABEL; c++) {
		char text[TW__CHART_LABEL];
		if (!shown[c])
			continue;
		const char *column = f->in->rows->names[f->in->columns[c]];
		if (!strcmp(column, "workload"))
			write_workload(f, line, c, text, sizeof text);
		else
			tw__column_text(text, sizeof text, column, cell(f, f->first[line], c));
		at += (size_t)snprintf(label + at, TW__CHART_LABEL - at, "%s%s", at ? ", " : "", text);
	}
}

struct value {
	double x, y;
};

static int by_x(const void *a, const void *b)
{
	const struct value *v = a, *w = b;
	return (v->x > w->x) - (v->x < w->x);
}

static struct tw__dot best_of(double *y, int n, double share, double x)
{
	gsl_sort(y, 1, (size_t)n);
	int among = (int)ceil(share * n);
	return (struct tw__dot){x, y[n - 1], y[n - among], y[n - 1], n};
}

/* Values of one x are repetitions. */
static int fill(struct tw__chart *chart, struct tw__curve *curve, const struct finder *f, int line,
                struct value *values, double *y)
{
	int n = 0;
	for (int row = 0; row < f->in->rows->n_rows; row++)
		if (f->line[row] == line)
			values[n++] = (struct value){f->in->x[row], f->in->y[row]};
	qsort(values, (size_t)n, sizeof *values, by_x);
	curve->dots = malloc(((size_t)n + 1) * sizeof *curve->dots);
	if (!curve->dots)
		return TW_NOMEM;
	for (int from = 0, to; from < n; from = to) {
		for (to = from; to < n && values[to].x <= values[from].x; to++)
			y[to - from] = values[to].y;
		struct tw__stats s = tw__stats_of(y, to - from);
		double half = s.n > 1 ? s.ci95 : 0;
		struct tw__dot dot = {values[from].x, s.mean, s.mean - half, s.mean + half, s.n};
		if (f->in->best_share > 0)
			dot = best_of(y, s.n, f->in->best_share, values[from].x);
		curve->dots[curve->n_dots++] = dot;
		if (!curve->is_bound && s.n > chart->most_repetitions)
			chart->most_repetitions = s.n;
	}
	return TW_OK;
}

/* Whether lines of one policy differ there: an eviction policy that goes with the policy tells nothing more. */
static bool varies(const struct finder *f, int c, const bool *is_policy)
{
	for (int i = 0; i < f->n; i++)
		for (int j = 0; j < i; j++)
			if (agree(f, f->first[i], f->first[j], is_policy) &&
			    strcmp(cell(f, f->first[i], c), cell(f, f->first[j], c)) != 0)
				return true;
	return false;
}

/* Gives each line the number of its policy, and that of all else that tells lines apart. */
static void number(struct tw__chart *chart, struct tw__curve *curves, const struct finder *f)
{
	bool is_policy[TW__MAX_POINT_COLUMNS] = {false}, is_other[TW__MAX_POINT_COLUMNS];
	for (int c = 0; c < f->in->n_columns; c++)
		is_policy[c] = f->in->columns[c] >= 0 && !strcmp(f->in->rows->names[f->in->columns[c]], "policy");
	for (int c = 0; c < f->in->n_columns; c++)
		is_other[c] = varies(f, c, is_policy);
	for (int i = 0; i < f->n; i++) {
		int policy = 0, other = 0;
		while (!agree(f, f->first[policy], f->first[i], is_policy))
			policy++;
		while (!agree(f, f->first[other], f->first[i], is_other))
			other++;
		curves[i].policy = policy < i ? curves[policy].policy : chart->n_policies++;
		curves[i].other = other < i ? curves[other].other : chart->n_others++;
	}
}

static int add(struct tw__chart *chart, struct finder *f, struct value *values, double *y, struct tw_error *err)
{
	const struct tw__rows *rows = f->in->rows;
	bool shown[TW__MAX_POINT_COLUMNS];
	int status = TW_OK;
	for (int row = 0; row < rows->n_rows && status == TW_OK; row++) {
		f->family[row] = tw__workload_family(tw__rows_text(rows, row, f->in->workload));
		status = f->family[row] ? TW_OK : tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
	}
	if (status == TW_OK)
		status = find_lines(f, TW__MAX_CURVES - chart->n_curves, err);
	if (status < 0)
		return status;
	if (f->in->line)
		memcpy(f->in->line, f->line, (size_t)rows->n_rows * sizeof *f->line);
	choose_columns(f, shown);
	for (int i = 0; i < f->n; i++) {
		struct tw__curve *curve = &chart->curves[chart->n_curves++];
		*curve = (struct tw__curve){.is_bound = f->in->bound};
		chart->n_series += !f->in->bound;
		write_label(f, i, shown, curve->label);
		if (fill(chart, curve, f, i, values, y) < 0)
			return tw_fail(err, TW_NOMEM, "%s: out of memory", rows->path);
	}
	if (!f->in->bound)
		number(chart, &chart->curves[chart->n_curves - f->n], f);
	return TW_OK;
}

int tw__chart_add(struct tw__chart *chart, const struct tw__series_input *in, struct tw_error *err)
{
	size_t n = (size_t)in->rows->n_rows + 1;
	struct finder f = {.in = in, .family = calloc(n, sizeof(char *)), .line = calloc(n, sizeof(int))};
	struct value *values = calloc(n, sizeof *values);
	double *y = calloc(n, sizeof *y);
	int status = f.family && f.line && values && y ? add(chart, &f, values, y, err)
	                                               : tw_fail(err, TW_NOMEM, "%s: out of memory", in->rows->path);
	for (size_t i = 0; f.family && i < n; i++)
		free(f.family[i]);
	free(f.family);
	free(f.line);
	free(values);
	free(y);
	return status;
}

void tw__chart_finish(struct tw__chart *chart)
{
	for (int i = 0; i < chart->n_curves; i++)
		free(chart->curves[i].dots);
	*chart = (struct tw__chart){0};
}
