/* Traces and figures for programs. */
#include <tilewright/analysis.h>

#include <string.h>

#include "api/api.h"
#include "base/nearest.h"
#include "plot/options.h"
#include "trace/write.h"

/* --- traces ------------------------------------------------------------------------------------------------------- */

int tw_run_write_trace(struct tw_run *run, const char *path, struct tw_error *err)
{
	int status = tw__run_needs_record(run, err);
	if (status < 0)
		return status;
	if (!path)
		return tw_fail(err, TW_INVALID, "trace: expected its path");
	TW__RETURN_BEHIND_DOOR(tw__plan_write_trace(&run->plan, path, &run->record, err), err);
}

/* --- figures ------------------------------------------------------------------------------------------------------ */

static int take(void *options, const char *name, const char *value, struct tw_error *err)
{
	char option[TW__NEAREST_BYTES + 2];
	int i = 0;
	while (tw__plot_option_at(NULL, i) && strcmp(tw__plot_option_at(NULL, i), name) != 0)
		i++;
	if (!tw__plot_option_at(NULL, i))
		return tw__unknown_name_in("option", name, tw__plot_option_at, NULL, err);
	bool needs_value = tw__plot_option_has_value(name);
	if (needs_value != !!value)
		return value ? tw__option_has_value(name, value, err) : tw__option_lacks_value(name, "VALUE", err);
	snprintf(option, sizeof option, "--%s", name);
	return tw__plot_take(options, name, option, value, err);
}

/* Takes the options of a figure. The caller finishes them in any case. */
static int take_all(struct tw__plot_options *o, const char *kind, const char *output, const char *const *options,
                    struct tw_error *err)
{
	*o = (struct tw__plot_options){0};
	if (!output)
		return tw_fail(err, TW_INVALID, "plot %s: expected a path of the figure", kind);
	int status = tw__options_each(options, take, o, err);
	return status == TW_OK ? tw__plot_check(o, kind, err) : status;
}

static int draw_run(struct tw_run *run, const char *output, const char *const *options, struct tw_error *err)
{
	struct tw__plot_options o;
	int status = take_all(&o, "gantt", output, options, err);
	if (status == TW_OK) {
		const struct tw__traced traced = tw__plan_traced(&run->plan, &run->record);
		const struct tw__explained_run explained = tw__plan_explained(&run->plan, &run->record);
		status = tw__plot_run(&o, &traced, &explained, run->request->platform, output, err);
	}
	tw__plot_options_finish(&o);
	return status;
}

int tw_run_plot_gantt(struct tw_run *run, const char *output, const char *const *options, struct tw_error *err)
{
	int status = tw__run_needs_record(run, err);
	if (status < 0)
		return status;
	TW__RETURN_BEHIND_DOOR(draw_run(run, output, options, err), err);
}

static int draw_file(const char *kind, const char *file, const char *output, const char *const *options,
                     struct tw_error *err)
{
	struct tw__plot_options o;
	bool of_results;
	int status = tw__plot_check_kind(kind ? kind : "", &of_results, err);
	if (status < 0)
		return status;
	if (!file)
		return tw_fail(err, TW_INVALID, "plot %s: expected a file of %s", kind,
		               of_results ? "results" : "a trace");
	status = take_all(&o, kind, output, options, err);
	if (status == TW_OK)
		status = tw__plot_file(&o, kind, file, output, err);
	tw__plot_options_finish(&o);
	return status;
}

int tw_plot(const char *kind, const char *file, const char *output, const char *const *options, struct tw_error *err)
{
	TW__RETURN_BEHIND_DOOR(draw_file(kind, file, output, options, err), err);
}
