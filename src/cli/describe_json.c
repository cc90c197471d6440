/* A description as JSON. Measures that do not exist, or were not computed, are null. */
#include <math.h>

#include "cli/describe_print.h"
#include "experiment/json_text.h"

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
	json_t *array = json_array();
	for (tw_task i = 0; i < n; i++)
		json_array_append_new(array, json_integer(of[i]));
	return array;
}

static json_t *archs_of(const struct described *d, tw_kernel k)
{
	const char *archs = d->graph.graph->kernels[k].archs;
	if (!d->platform)
		return archs ? tw__json_text(archs) : json_null();
	json_t *array = json_array();
	for (int i = 0; i < d->timed.n_archs; i++)
		if (described_runs_on(d, k, d->timed.on[i].arch))
			json_array_append_new(array, tw__json_text(d->platform->archs[d->timed.on[i].arch].name));
	return array;
}

static json_t *kernels(const struct described *d)
{
	const struct tw_graph *g = d->graph.graph;
	json_t *array = json_array();
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		const struct tw__kernel *kernel = &g->kernels[k];
		json_array_append_new(array, json_pack("{s:o, s:o, s:o, s:i, s:o, s:o}", "name",
		                                       tw__json_text(kernel->name), "size", tw__json_text(kernel->size),
		                                       "precision", tw__json_text(kernel->precision), "tasks",
		                                       (int)d->graph.kernel_tasks[k], "flops", number(kernel->flops),
		                                       "archs", archs_of(d, k)));
	}
	return array;
}

static json_t *accesses(const struct tw__description *d)
{
	json_t *object = json_object();
	for (int i = 0; i < TW__N_MODES; i++)
		json_object_set_new(object, tw_mode_name(tw__described_modes[i]),
		                    json_integer((json_int_t)d->accesses[i]));
	return object;
}

static json_t *degrees(const struct tw__degrees *d, tw_task n_tasks)
{
	json_t *histogram = json_array();
	for (tw_task degree = d->least; n_tasks && degree <= d->most; degree++)
		if (d->n_tasks[degree])
			json_array_append_new(histogram, json_pack("[i, i]", (int)degree, (int)d->n_tasks[degree]));
	return json_pack("{s:i, s:f, s:i, s:o}", "min", (int)d->least, "mean", d->mean, "max", (int)d->most,
	                 "histogram", histogram);
}

static json_t *computed(int64_t value) { return value == TW__NOT_COMPUTED ? json_null() : json_integer(value); }

static json_t *of_graph(const struct described *described)
{
	const struct tw__description *d = &described->graph;
	const struct tw_graph *g = d->graph;
	json_t *data = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o}", "handles", (int)g->n_data, "handle_bytes",
	                         number(d->handle_bytes), "working_set_bytes", number(d->working_set_bytes),
	                         "largest_task_bytes", number(d->largest_task_bytes), "accesses", accesses(d),
	                         "access_bytes", number(d->access_bytes));
	json_t *flops = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "flops", number(g->flops), "task_flops",
	                          number(d->task_flops), "critical_path_flops", number(d->critical_flops),
	                          "bytes_per_flop", ratio(d->access_bytes, d->task_flops), "recorded_s",
	                          real(d->recorded_s), "critical_path_recorded_s", real(d->critical_recorded_s));
	json_t *shape = json_pack(
		"{s:I, s:o, s:o, s:o, s:i, s:i, s:i, s:i, s:o, s:o, s:o}", "dependencies",
		(json_int_t)d->n_dependencies, "transitive_dependencies", computed(d->n_transitive), "predecessors",
		degrees(&d->in, g->n_tasks), "successors", degrees(&d->out, g->n_tasks), "components",
		(int)d->n_components, "largest_component_tasks", (int)d->largest_component, "depth", (int)d->depth,
		"level_width", (int)d->level_width, "antichain", computed(d->antichain), "tasks_per_level",
		ratio((double)g->n_tasks, (double)d->depth), "level_tasks", counts(d->level_tasks, d->depth));
	json_t *object = json_pack("{s:o, s:o, s:i, s:o}", "workload", tw__json_text(described->workload), "platform",
	                           described->platform ? tw__json_text(described->platform_name) : json_null(), "tasks",
	                           (int)g->n_tasks, "kernels", kernels(described));
	json_object_update(object, data);
	json_object_update(object, flops);
	json_object_update(object, shape);
	json_decref(data);
	json_decref(flops);
	json_decref(shape);
	return object;
}

static json_t *archs(const struct described *d)
{
	json_t *array = json_array();
	for (int i = 0; i < d->timed.n_archs; i++) {
		const struct tw__on_arch *on = &d->timed.on[i];
		const struct tw__arch *arch = &d->platform->archs[on->arch];
		json_array_append_new(array, json_pack("{s:o, s:i, s:i, s:o, s:o}", "arch", tw__json_text(arch->name),
		                                       "cores", arch->cores, "tasks_without_time",
		                                       (int)on->n_without_time, "critical_path_s",
		                                       real(on->critical_path_s), "work_s", real(on->work_s)));
	}
	return array;
}

static json_t *parallelism(const struct tw__timed *d)
{
	json_t *means = json_array();
	for (int b = 0; b < TW__PARALLELISM_BINS; b++)
		json_array_append_new(means, json_real(d->running[b]));
	return json_pack("{s:o, s:i, s:f, s:o}", "mean", ratio(d->work_s, d->critical_path_s), "max",
	                 (int)d->most_running, "bin_s", d->critical_path_s / TW__PARALLELISM_BINS, "bins", means);
}

static json_t *of_platform(const struct described *described)
{
	const struct tw__timed *d = &described->timed;
	return json_pack("{s:o, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "archs", archs(described), "critical_path_s",
	                 d->critical_path_s, "work_s", d->work_s, "parallelism", parallelism(d), "read_transfer_s",
	                 real(d->read_transfer_s), "handle_transfer_s", real(d->handle_transfer_s),
	                 "read_transfer_per_work", ratio(d->read_transfer_s, d->work_s), "handle_transfer_per_work",
	                 ratio(d->handle_transfer_s, d->work_s));
}

json_t *describe_json(const struct described *d)
{
	json_t *object = of_graph(d);
	json_t *timed = d->platform ? of_platform(d) : NULL;
	if (timed)
		json_object_update(object, timed);
	json_decref(timed);
	return object;
}
