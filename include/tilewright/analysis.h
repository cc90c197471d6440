/* Analyses and figures: what `tilewright bounds`, describe, explain, diff, validate and plot do, for objects of run.h.
 *
 * Texts and errors are as in run.h. Options are texts "NAME=VALUE", with the names and values of these commands. A text
 * that a function sets is malloc'ed, and the caller frees it; after an error it is NULL. JSON has the members that the
 * commands print with --format json.
 *
 * Functions of runs need one that keeps its schedule (tw_run_options.records): TW_INVALID without. Use them at any time
 * after the run, which belongs to one thread at a time. Graphs and policies of the program are fine everywhere. */
#ifndef TILEWRIGHT_ANALYSIS_H
#define TILEWRIGHT_ANALYSIS_H

#include <tilewright/run.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- before runs -------------------------------------------------------------------------------------------------- */

/* Lower bounds of the makespan and of transfers: an object of JSON (docs/reference/bounds.md). Times are seconds; null:
 * unknown. Options: rounds, iterative-time, milp-time. */
int tw_scene_bounds(struct tw_scene *, const char *const *options, char **json, struct tw_error *err);

/* Measures of a graph: an object of JSON (docs/reference/describe.md). A scene also has those with the times of its
 * platform. `name`: the graph's in the description. Option: exact. */
int tw_scene_describe(struct tw_scene *, const char *const *options, char **json, struct tw_error *err);
int tw_graph_describe(const struct tw_graph *, const char *name, const char *const *options, char **json,
                      struct tw_error *err);

/* --- after runs --------------------------------------------------------------------------------------------------- */

/* Says why the run took as long as it did (docs/reference/explain.md). `format`: "text" or "json". */
int tw_run_explain(struct tw_run *, const char *format, char **text, struct tw_error *err);
/* Compares run B with run A (docs/reference/diff.md). Policies, options and platforms may differ. TW_INVALID: also if
 * their graphs differ. */
int tw_run_diff(struct tw_run *a, struct tw_run *b, const char *format, char **text, struct tw_error *err);
/* Checks the schedule against all rules of docs/reference/traces.md. TW_FAILED: it breaks a rule, which the message
 * names. */
int tw_run_validate(struct tw_run *, struct tw_error *err);
/* Writes a trace, as the run does with tw_run_options.trace: the extension selects the format. */
int tw_run_write_trace(struct tw_run *, const char *path, struct tw_error *err);

/* --- figures: they need the program gnuplot, but for an `output` that ends in .gp --------------------------------- */

/* Draws the Gantt chart of a run. `output` ends in .svg, .png, .pdf or .gp. Options: those of `plot gantt` (workers,
 * fold, explain, keep-script). TW_FAILED: gnuplot is missing or fails, or `output` cannot be written. */
int tw_run_plot_gantt(struct tw_run *, const char *output, const char *const *options, struct tw_error *err);
/* Draws any figure of `tilewright plot KIND FILE`. `file`: a CSV file of results, or a trace for gantt and order. */
int tw_plot(const char *kind, const char *file, const char *output, const char *const *options, struct tw_error *err);

#ifdef __cplusplus
}
#endif
#endif
