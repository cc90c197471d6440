#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/json_text.h"
#include "base/new_file.h"
#include "calibrate/calibrate.h"
#include "perf/rows.h"

/* --- kernels.csv and samples.csv ---------------------------------------------------------------------------------- */

static void put_names(FILE *f, const struct tw__calibrated *c)
{
	tw__table_put_names(f, c->kernel, c->arch, c->cores, c->size, c->precision);
}

static void put_kernel(FILE *f, const struct tw__calibrated *c)
{
	const struct tw__estimate *e = &c->estimate;
	put_names(f, c);
	fprintf(f, "%.9g,%.6g,%zu,", 1e6 * fmax(e->mean_s, 1e-9), 1e6 * e->stddev_s, e->n[TW__COUNTS]);
	if (!tw__estimate_is_wide(e))
		fputc('\n', f);
	else if (isfinite(e->interval))
		fprintf(f, "wide: the median's 95 %% interval is %.1f %% of it\n", 100 * e->interval);
	else
		fputs("wide: too few samples\n", f);
}

static void put_kernels(FILE *f, struct tw__calibration *c, const struct tw__conditions *conditions)
{
	(void)conditions;
	fprintf(f, "# Made by tilewright calibrate; see calibration.json\n%s\n", tw__kernels_header);
	for (int i = 0; i < c->n; i++)
		if (c->kernels[i].n)
			put_kernel(f, &c->kernels[i]);
}

static void put_samples_of(FILE *f, struct tw__calibrated *c)
{
	enum tw__verdict *verdicts = tw__calibrated_estimate(c);
	for (size_t i = 0; i < c->n; i++) {
		if (verdicts[i] != TW__COUNTS)
			continue;
		put_names(f, c);
		fprintf(f, "%.9g\n", 1e6 * fmax(c->executions[i].seconds, 1e-9));
	}
	free(verdicts);
}

/* Writes samples.csv: the times of all executions that count. Also updates the estimates of all kernels. */
static void put_samples(FILE *f, struct tw__calibration *c, const struct tw__conditions *conditions)
{
	(void)conditions;
	fprintf(f, "# Made by tilewright calibrate; see calibration.json\n%s\n", tw__samples_header);
	for (int i = 0; i < c->n; i++)
		if (c->kernels[i].n)
			put_samples_of(f, &c->kernels[i]);
}

/* --- platform.xml ------------------------------------------------------------------------------------------------- */

static void put_platform(FILE *f, struct tw__calibration *c, const struct tw__conditions *conditions)
{
	char comment[200];
	if (c->has_buses)
		tw__buses_apply(&c->buses, c->platform);
	snprintf(comment, sizeof comment, "Made by tilewright calibrate, %s; see calibration.json", conditions->date);
	tw__platform_write_xml(c->platform, comment, f);
}

/* --- calibration.json --------------------------------------------------------------------------------------------- */

/* Returns a JSON number; null for a value that is not finite. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }
static json_t *text_or_null(const char *text) { return text ? json_string(text) : json_null(); }

static json_t *machine_json(const struct tw__identity *id)
{
	return json_pack("{s:s, s:s, s:i, s:s}", "host", id->host, "cpu", id->cpu, "cores", id->cores, "gpus",
	                 id->gpus);
}

static json_t *conditions_json(const struct tw__conditions *c)
{
	return json_pack("{s:i, s:i, s:i, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "cpus", c->cpus, "gpus",
	                 c->gpus, "main_memories", c->main_memories, "cpu_groups", text_or_null(c->cpu_groups),
	                 "emulate", text_or_null(c->emulate), "seed", (json_int_t)c->seed, "load_before",
	                 number(c->load), "seconds", number(c->seconds), "turn_us_per_task", number(c->costs.turn_us),
	                 "launch_us_per_kernel", number(c->costs.launch_us), "launch_growth_us_per_gpu",
	                 number(c->costs.launch_growth_us), "issue_us_per_copy", number(c->costs.issue_us));
}

static json_int_t dropped(const struct tw__calibrated *c, enum tw__verdict verdict)
{
	return (json_int_t)(c->estimate.n[verdict] + c->n_dropped[verdict]);
}

static json_t *kernel_json(const struct tw__calibrated *c)
{
	const struct tw__estimate *e = &c->estimate;
	const double launch_s = tw__calibrated_launch_s(c);
	return json_pack("{s:s, s:s, s:i, s:s, s:s, s:s, s:o, s:o, s:o, s:b, s:I, s:I, s:I, s:I, s:o, s:o, s:b}",
	                 "kernel", c->kernel, "arch", c->arch, "cores", c->cores, "size", c->size, "precision",
	                 c->precision, "workload", c->workload, "mean_us", number(1e6 * e->mean_s), "median_us",
	                 number(1e6 * e->median_s), "interval", number(e->interval), "wide", tw__estimate_is_wide(e),
	                 "samples", (json_int_t)e->n[TW__COUNTS], "slow_start", dropped(c, TW__SLOW_START),
	                 "interrupted", dropped(c, TW__INTERRUPTED), "outliers", dropped(c, TW__OUTLIER),
	                 "worst_outlier_us", number(1e6 * fmax(e->worst_s, c->worst_s)), "launch_us",
	                 number(launch_s > 0 ? 1e6 * launch_s : NAN), "in_run", c->in_run);
}

static json_t *way_json(const struct tw__platform *p, const struct tw__bus_way *w)
{
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:i}", "from", p->nodes[w->way.from].name, "to",
	                 p->nodes[w->way.to].name, "bandwidth", number(w->line.bandwidth), "latency_s",
	                 number(w->line.latency_s), "residual", number(w->line.residual), "copies", w->copies);
}

static json_t *shared_json(const struct tw__buses *b, const struct tw__bus_shared *s)
{
	json_t *ways = json_array();
	for (int w = 0; w < b->n_ways; w++)
		if (s->has[w])
			tw__json_append(ways, json_integer(w));
	return json_pack("{s:o, s:o}", "ways", ways, "bandwidth", number(s->bandwidth));
}

static json_t *calibration_json(const struct tw__calibration *c, const struct tw__conditions *conditions)
{
	json_t *kernels = json_array(), *ways = json_array(), *shared = json_array();
	for (int i = 0; i < c->n; i++)
		if (c->kernels[i].n)
			tw__json_append(kernels, kernel_json(&c->kernels[i]));
	for (int w = 0; w < c->buses.n_ways && c->has_buses; w++)
		tw__json_append(ways, way_json(c->platform, &c->buses.ways[w]));
	for (int i = 0; i < c->buses.n_shared && c->has_buses; i++)
		tw__json_append(shared, shared_json(&c->buses, &c->buses.shared[i]));
	return json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "format", TW__CALIBRATION_FORMAT, "date",
	                 conditions->date, "version", tw_version(), "machine", machine_json(&c->identity), "conditions",
	                 conditions_json(conditions), "kernels", kernels, "links", ways, "shared", shared);
}

static void put_json(FILE *f, struct tw__calibration *c, const struct tw__conditions *conditions)
{
	tw__json_write(f, calibration_json(c, conditions), JSON_INDENT(1) | JSON_REAL_PRECISION(9));
}

int tw__calibration_write(struct tw__calibration *c, const char *folder, const struct tw__conditions *conditions,
                          struct tw_error *err)
{
	static const struct {
		const char *name;
		void (*put)(FILE *, struct tw__calibration *, const struct tw__conditions *);
	} files[] = {{"samples.csv", put_samples},
	             {"kernels.csv", put_kernels},
	             {"platform.xml", put_platform},
	             {"calibration.json", put_json}};
	int status = TW_OK;
	for (int i = 0; i < 4 && status == TW_OK; i++) {
		struct tw__new_file d;
		status = tw__new_file_in(&d, "--output", folder, files[i].name, err);
		if (status < 0)
			break;
		files[i].put(d.f, c, conditions);
		status = tw__new_file_close(&d, err);
	}
	return status;
}
