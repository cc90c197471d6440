/* Options of figures: their values, which figures take them, and the figures that they ask for. */
#include "plot/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/spec.h"

/* --- values of options -------------------------------------------------------------------------------------------- */

static int take_iterations(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	struct tw__words numbers = {0};
	int status = tw__ranges_init(&numbers, option, text, 0, INT_MAX, err);
	free(o->iterations);
	o->trace.iterations = o->iterations = tw_alloc((size_t)numbers.n, sizeof *o->iterations);
	o->trace.n_iterations = numbers.n;
	for (int i = 0; i < numbers.n; i++)
		o->iterations[i] = atoi(numbers.of[i]);
	tw__words_finish(&numbers);
	return status;
}

static int take_per_colour(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	int64_t n;
	if (tw__parse_int(&n, text, err) < 0 || n < 1 || n > INT32_MAX)
		return tw_fail(err, TW_INVALID, "%s '%s': expected a number of tasks", option, text);
	o->trace.per_colour = (int)n;
	return TW_OK;
}

static int take_colours(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	static const char *const names[] = {"light", "paper", NULL};
	int paper = 0;
	int status = tw__word_choice(&paper, option, text, names, "light or paper", err);
	o->trace.as_printed = paper;
	return status;
}

/* Takes the value of --fold: kinds, or one of three words that are no kinds. */
static int take_fold(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	o->trace.fold = !strcmp(text, "all")     ? TW__FOLD_ALL
	                : !strcmp(text, "none")  ? TW__FOLD_NONE
	                : !strcmp(text, "nodes") ? TW__FOLD_NODES
	                                         : TW__FOLD_IDLE;
	tw__words_finish(&o->fold);
	return o->trace.fold == TW__FOLD_IDLE ? tw__words_init(&o->fold, option, text, err) : TW_OK;
}

static int take_x(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	(void)option;
	(void)err;
	o->figure.x_column = text;
	o->figure.x = !strcmp(text, "memory")        ? TW__X_MEMORY
	              : !strcmp(text, "working-set") ? TW__X_WORKING_SET
	                                             : TW__X_COLUMN;
	return TW_OK;
}

static int take_where(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	return tw__repeated_add(&o->where, option, text, err);
}

typedef int style_fn(struct tw__figure_style *, const char *, struct tw_error *);

static int take_style(style_fn *take, struct tw__plot_options *o, const char *option, const char *text,
                      struct tw_error *err)
{
	struct tw_error why;
	int status = take(&o->figure.style, text, &why);
	return status < 0 ? tw_fail(err, TW_INVALID, "%s '%.200s': %s", option, text, why.message) : TW_OK;
}

static int take_size(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	return take_style(tw__style_size, o, option, text, err);
}

static int take_font(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	return take_style(tw__style_font, o, option, text, err);
}

static int take_y_range(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	return take_style(tw__style_y_range, o, option, text, err);
}

static int take_legend(struct tw__plot_options *o, const char *option, const char *text, struct tw_error *err)
{
	static const char expected[] = "right, below, above, top-left, top-right, bottom-left, bottom-right or none";
	int legend = (int)o->figure.style.legend;
	int status = tw__word_choice(&legend, option, text, tw__legend_names, expected, err);
	o->figure.style.legend = (enum tw__legend)legend;
	return status;
}

/* --- all options -------------------------------------------------------------------------------------------------- */

typedef int take_fn(struct tw__plot_options *, const char *option, const char *text, struct tw_error *);

enum { OF_ONE_LEGEND = 1U << TW__OF_RESULTS | 1U << TW__OF_LEGEND };

/* `take` sets the value; or a text, a flag or words go where `offset` says. */
enum type { OWN, TEXT, FLAG, WORDS };
static const struct plot_option {
	const char *name;
	unsigned groups; /* bits */
	take_fn *take;
	enum type type;
	size_t offset;
} options[] = {
	{"keep-script", 0, NULL, FLAG, offsetof(struct tw__plot_options, keep_script)},
	{"x", 1U << TW__OF_RESULTS, take_x, OWN, 0},
	{"where", 1U << TW__OF_RESULTS, take_where, OWN, 0},
	{"facet", 1U << TW__OF_RESULTS, NULL, TEXT, offsetof(struct tw__plot_options, figure.facet)},
	{"title", 1U << TW__OF_RESULTS, NULL, TEXT, offsetof(struct tw__plot_options, figure.style.title)},
	{"size", 1U << TW__OF_RESULTS, take_size, OWN, 0},
	{"font", 1U << TW__OF_RESULTS, take_font, OWN, 0},
	{"legend", OF_ONE_LEGEND, take_legend, OWN, 0},
	{"yrange", OF_ONE_LEGEND, take_y_range, OWN, 0},
	{"names", OF_ONE_LEGEND, NULL, WORDS, offsetof(struct tw__plot_options, names)},
	{"no-bounds", OF_ONE_LEGEND, NULL, FLAG, offsetof(struct tw__plot_options, figure.no_bounds)},
	{"per", 1U << TW__OF_RESULTS, NULL, TEXT, offsetof(struct tw__plot_options, figure.per)},
	{"counter", 1U << TW__OF_RESULTS, NULL, TEXT, offsetof(struct tw__plot_options, figure.counter)},
	{"metric", 1U << TW__OF_RESULTS, NULL, TEXT, offsetof(struct tw__plot_options, figure.metric)},
	{"workers", 1U << TW__OF_TRACES, NULL, WORDS, offsetof(struct tw__plot_options, workers)},
	{"fold", 1U << TW__OF_GANTT, take_fold, OWN, 0},
	{"explain", 1U << TW__OF_GANTT, NULL, FLAG, offsetof(struct tw__plot_options, trace.explains)},
	{"iterations", 1U << TW__OF_ORDER, take_iterations, OWN, 0},
	{"workload", 1U << TW__OF_ORDER, NULL, TEXT, offsetof(struct tw__plot_options, trace.workload)},
	{"per-colour", 1U << TW__OF_ORDER, take_per_colour, OWN, 0},
	{"colours", 1U << TW__OF_ORDER, take_colours, OWN, 0},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

const char *tw__plot_option_at(const void *unused, int i)
{
	(void)unused;
	return i < N_OPTIONS ? options[i].name : NULL;
}

static const struct plot_option *find(const char *name)
{
	const struct plot_option *o = options;
	while (strcmp(o->name, name) != 0)
		o++;
	return o;
}

bool tw__plot_option_has_value(const char *name) { return find(name)->type != FLAG; }

int tw__plot_take(struct tw__plot_options *all, const char *name, const char *option, const char *text,
                  struct tw_error *err)
{
	const struct plot_option *o = find(name);
	void *member = (char *)all + o->offset;
	for (int i = 0; i < TW__N_OPTION_GROUPS; i++)
		if (o->groups >> i & 1)
			all->given[i] = o->name;
	switch (o->type) {
	case TEXT:
		*(const char **)member = text;
		return TW_OK;
	case FLAG:
		*(bool *)member = true;
		return TW_OK;
	case WORDS:
		return tw__words_init(member, option, text, err);
	default:
		return o->take(all, option, text, err);
	}
}

void tw__plot_options_finish(struct tw__plot_options *o)
{
	free(o->iterations);
	tw__words_finish(&o->workers);
	tw__words_finish(&o->fold);
	tw__words_finish(&o->names);
}

/* --- kinds of figures --------------------------------------------------------------------------------------------- */

static const struct tw__figure_kind *find_kind(const char *name)
{
	for (const struct tw__figure_kind *k = tw__figure_kinds; k->name; k++)
		if (!strcmp(name, k->name))
			return k;
	return NULL;
}

const char *tw__plot_kinds(char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "'gantt', 'order'");
	for (const struct tw__figure_kind *k = tw__figure_kinds; k->name && at < size; k++)
		at += (size_t)snprintf(text + at, size - at, "%s '%s'", k[1].name ? "," : " or", k->name);
	return text;
}

static const char *kind_at(const void *context, int i)
{
	(void)context;
	int n = 0;
	while (tw__figure_kinds[n].name)
		n++;
	return i < n ? tw__figure_kinds[i].name : i == n ? "order" : i == n + 1 ? "gantt" : NULL;
}

int tw__plot_check_kind(const char *kind, bool *of_results, struct tw_error *err)
{
	char hint[TW__NEAREST_BYTES], names[200];
	*of_results = find_kind(kind);
	if (*of_results || !strcmp(kind, "order") || !strcmp(kind, "gantt"))
		return TW_OK;
	return tw_fail(err, TW_INVALID, "plot: unknown kind of figure '%.60s'%s: expected %s", kind,
	               tw__nearest_hint(hint, kind, kind_at, NULL), tw__plot_kinds(names, sizeof names));
}

int tw__plot_check(const struct tw__plot_options *o, const char *kind, struct tw_error *err)
{
	const struct tw__figure_kind *of_results = find_kind(kind);
	const bool of_order = !strcmp(kind, "order");
	static const char *const of_group[] = {[TW__OF_RESULTS] = "figures of results",
	                                       [TW__OF_ORDER] = "'order'",
	                                       [TW__OF_GANTT] = "'gantt'",
	                                       [TW__OF_TRACES] = "'gantt' and 'order'"};
	const bool takes[TW__N_OPTION_GROUPS] = {[TW__OF_RESULTS] = of_results,
	                                         [TW__OF_LEGEND] = true,
	                                         [TW__OF_ORDER] = of_order,
	                                         [TW__OF_GANTT] = !of_results && !of_order,
	                                         [TW__OF_TRACES] = !of_results};
	for (int i = 0; i < TW__N_OPTION_GROUPS; i++)
		if (o->given[i] && !takes[i])
			return tw_fail(err, TW_INVALID, "plot %s: --%s: expected it for %s only", kind, o->given[i],
			               of_group[i]);
	if (o->figure.x != TW__X_WORKING_SET && of_results && !of_results->has_x)
		return tw_fail(err, TW_INVALID, "plot %s: --x '%.60s': expected it for figures of lines only", kind,
		               o->figure.x_column);
	if (o->figure.per && of_results && (!of_results->has_x || !strcmp(kind, "ratio")))
		return tw_fail(err, TW_INVALID,
		               "plot %s: --per '%.60s': expected it for 'gflops', 'transfers' and 'counters' only",
		               kind, o->figure.per);
	if (o->figure.facet && of_results && !of_results->has_facets)
		return tw_fail(err, TW_INVALID,
		               "plot %s: --facet '%.60s': expected it for figures without panels of their own", kind,
		               o->figure.facet);
	if (o->given[TW__OF_LEGEND] && of_results && !of_results->has_legend)
		return tw_fail(err, TW_INVALID, "plot %s: --%s: expected it for figures with one legend", kind,
		               o->given[TW__OF_LEGEND]);
	if (o->figure.counter && strcmp(kind, "counters") != 0)
		return tw_fail(err, TW_INVALID, "plot %s: --counter '%s': expected it for 'counters' only", kind,
		               o->figure.counter);
	if (o->figure.metric && strcmp(kind, "bars") != 0)
		return tw_fail(err, TW_INVALID, "plot %s: --metric '%s': expected it for 'bars' only", kind,
		               o->figure.metric);
	return TW_OK;
}

/* --- drawing ------------------------------------------------------------------------------------------------------ */

static const struct tw__trace_request *trace_request(struct tw__plot_options *o, const char *trace, const char *output)
{
	o->trace.trace = trace;
	o->trace.output = output;
	o->trace.keep_script = o->keep_script;
	o->trace.workers = (const char *const *)o->workers.of;
	o->trace.n_workers = o->workers.n;
	o->trace.kinds = (const char *const *)o->fold.of;
	o->trace.n_kinds = o->fold.n;
	return &o->trace;
}

int tw__plot_file(struct tw__plot_options *o, const char *kind, const char *file, const char *output,
                  struct tw_error *err)
{
	if (!strcmp(kind, "gantt"))
		return tw__plot_gantt(trace_request(o, file, output), err);
	if (!strcmp(kind, "order"))
		return tw__plot_order(trace_request(o, file, output), err);
	o->figure.kind = kind;
	o->figure.results = file;
	o->figure.output = output;
	o->figure.keep_script = o->keep_script;
	o->figure.where = o->where.of;
	o->figure.names = (const char *const *)o->names.of;
	return tw__plot_results(&o->figure, err);
}

int tw__plot_run(struct tw__plot_options *o, const struct tw__traced *run, const struct tw__explained_run *explained,
                 const char *name, const char *output, struct tw_error *err)
{
	return tw__gantt_of_run(run, o->trace.explains ? explained : NULL, trace_request(o, name, output), err);
}
