/* All of a description, and its JSON. Measures that do not exist, or were not computed, are null. */
#include <math.h>

#include "base/json_text.h"
#include "describe/described.h"
#include "graph/parts.h"

int tw__describe_all(struct tw__described *d, const struct tw_graph *g, bool exact, struct tw_error *err)
{
	int status = tw__describe(&d->graph, g, exact, err);
	if (status == TW_OK && d->platform)
		tw__describe_timed(&d->timed, g, d->times, d->platform);
	return status;
}

void tw__described_finish(struct tw__described *d)
{
	tw__timed_finish(&d->timed);
	tw__description_finish(&d->graph);
}

bool tw__described_runs_on(const struct tw__described *d, tw_kernel k, tw_arch a)
{
	int i = k * d->times->n_archs + a;
	return !isnan(d->times->mean[i]) || d->times->recorded[i];
}

/* --- JSON --------------------------------------------------------------------------------------------------------- */

/* Whole numbers without a fraction, as far as doubles hold them exactly. */
static json_t *number(double value)
{
	if (!isfinite(value))
		return json_null();
	return value == floor(value) && fabs(value) < 9e15 ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }
static json_t *ratio(double a, double b) { return b > 0 ? real(a / b) : json_null(); }

static json_t *counts(const tw_task *of, tw_task n)
{
	json_t *list = json_array();
	for (tw_task i = 0; i < n; i++)
		tw__json_append(list, json_integer(of[i]));
	return list;
}

/* The archs with a time for the kernel. */
static json_t *archs_of(const struct tw__described *d, tw_kernel k)
{
	json_t *list = json_array();
	for (int i = 0; i < d->timed.n_archs; i++)
		if (tw__described_runs_on(d, k, d->timed.on[i].arch))
			tw__json_append(list, tw__json_text(d->platform->archs[d->timed.on[i].arch].name));
	return list;
}

static json_t *kernel(const struct tw__described *d, tw_kernel k)
{
	const struct tw__kernel *of = &d->graph.graph->kernels[k];
	return json_pack("{s:o, s:o, s:o, s:i, s:o, s:o, s:o}", "name", tw__json_text(of->name), "size",
	                 tw__json_text(of->size), "precision", tw__json_text(of->precision), "tasks",
	                 (int)d->graph.kernel_tasks[k], "flops", number(of->flops), "restricted_to",
	                 of->archs ? tw__json_text(of->archs) : json_null(), "archs",
	                 d->platform ? archs_of(d, k) : json_null());
}

static json_t *kernels(const struct tw__described *d)
{
	json_t *list = json_array();
	for (tw_kernel k = 0; k < d->graph.graph->n_kernels; k++)
		tw__json_append(list, kernel(d, k));
	return list;
}

/* The graphs of which this one consists; NULL: it is one. */
static json_t *graphs(const struct tw_graph *g)
{
	json_t *list = g->n_parts ? json_array() : NULL;
	for (int i = 0; i < g->n_parts; i++)
		tw__json_append(list, json_pack("{s:o, s:f, s:i, s:o}", "name", tw__json_text(g->parts[i].name),
		                                "arrival_s", tw__seconds(g->parts[i].arrival), "tasks",
		                                (int)(tw__graph_part_end(g, i) - g->parts[i].first), "flops",
		                                number(g->parts[i].flops)));
	return list;
}

static json_t *accesses(const struct tw__description *d)
{
	json_t *object = json_object();
	for (int i = 0; i < TW__N_MODES; i++)
		tw__json_set(object, tw_mode_name(tw__described_modes[i]), json_integer((json_int_t)d->accesses[i]));
	return object;
}

static json_t *degrees(const struct tw__degrees *d)
{
	json_t *histogram = json_array();
	for (tw_task degree = d->least; degree <= d->most; degree++)
		if (d->n_tasks[degree])
			tw__json_append(histogram, json_pack("[i, i]", (int)degree, (int)d->n_tasks[degree]));
	return json_pack("{s:i, s:f, s:i, s:o}", "min", (int)d->least, "mean", d->mean, "max", (int)d->most,
	                 "histogram", histogram);
}

static json_t *computed(int64_t value) { return value == TW__NOT_COMPUTED ? json_null() : json_integer(value); }

static json_t *data(const struct tw__description *d)
{
	return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "handles", (int)d->graph->n_data,
	                 "divided_handles", d->n_divided, "parts", d->n_parts, "handle_bytes", number(d->handle_bytes),
	                 "working_set_bytes", number(d->working_set_bytes), "peak_live_bytes",
	                 number(d->peak_live_bytes), "largest_task_bytes", number(d->largest_task_bytes), "accesses",
	                 accesses(d), "access_bytes", number(d->access_bytes));
}

static json_t *work(const struct tw__description *d)
{
	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "flops", number(d->graph->flops), "task_flops",
	                 number(d->task_flops), "critical_path_flops", number(d->critical_flops), "bytes_per_flop",
	                 ratio(d->access_bytes, d->task_flops), "recorded_s", real(d->recorded_s),
	                 "critical_path_recorded_s", real(d->critical_recorded_s));
}

static json_t *shape(const struct tw__description *d)
{
	return json_pack("{s:I, s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "dependencies",
	                 (json_int_t)d->n_dependencies, "transitive_dependencies", computed(d->n_transitive),
	                 "predecessors", degrees(&d->in), "successors", degrees(&d->out), "components",
	                 (int)d->n_components, "largest_component_tasks", (int)d->largest_component, "depth",
	                 (int)d->depth, "level_width", (int)d->level_width, "antichain", computed(d->antichain),
	                 "tasks_per_level", ratio((double)d->graph->n_tasks, (double)d->depth), "level_tasks",
	                 counts(d->level_tasks, d->depth));
}

static json_t *archs(const struct tw__described *d)
{
	json_t *list = json_array();
	for (int i = 0; i < d->timed.n_archs; i++) {
		const struct tw__on_arch *on = &d->timed.on[i];
		const struct tw__arch *arch = &d->platform->archs[on->arch];
		tw__json_append(list,
		                json_pack("{s:o, s:i, s:i, s:o, s:o}", "arch", tw__json_text(arch->name), "cores",
		                          arch->cores, "tasks_without_time", (int)on->n_without_time, "critical_path_s",
		                          real(on->critical_path_s), "work_s", real(on->work_s)));
	}
	return list;
}

static json_t *parallelism(const struct tw__timed *d)
{
	json_t *means = json_array();
	for (int b = 0; b < TW__PARALLELISM_BINS; b++)
		tw__json_append(means, json_real(d->running[b]));
	return json_pack("{s:o, s:i, s:f, s:o}", "mean", ratio(d->work_s, d->critical_path_s), "max",
	                 (int)d->most_running, "bin_s", d->critical_path_s / TW__PARALLELISM_BINS, "bins", means);
}

static json_t *timed(const struct tw__described *described)
{
	const struct tw__timed *d = &described->timed;
	return json_pack("{s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "archs", archs(described), "critical_path_s",
	                 d->critical_path_s, "work_s", d->work_s, "parallelism", parallelism(d), "read_transfer_s",
	                 real(d->read_transfer_s), "handle_transfer_s", real(d->handle_transfer_s),
	                 "read_transfer_per_work", ratio(d->read_transfer_s, d->work_s), "handle_transfer_per_work",
	                 ratio(d->handle_transfer_s, d->work_s));
}

/* Moves the members of `part` to the end of `object`. */
static void add(json_t *object, json_t *part)
{
	if (json_object_update(object, part) < 0)
		tw__no_memory(1, 1);
	json_decref(part);
}

json_t *tw__described_json(const struct tw__described *d)
{
	json_t *object =
		json_pack("{s:o, s:o, s:i, s:o*, s:o}", "workload", tw__json_text(d->workload), "platform",
	                  d->platform ? tw__json_text(d->platform_name) : json_null(), "tasks",
	                  (int)d->graph.graph->n_tasks, "graphs", graphs(d->graph.graph), "kernels", kernels(d));
	add(object, data(&d->graph));
	add(object, work(&d->graph));
	add(object, shape(&d->graph));
	if (d->platform)
		add(object, timed(d));
	return object;
}
