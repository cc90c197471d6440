/* Measures the kernels of workloads in rounds, until all kernel times are certain. Each round divides the remaining
 * time among the workloads. */
#include "calibrate/calibrate.h"

#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/new_file.h"
#include "base/wall.h"
#include "machine/machine.h"

#define WRITE_EVERY_S 5.0

const char *const tw__calibrate_workloads[] = {
	"cholesky:nt=8:nb=320:precision=s",
	"cholesky:nt=8:nb=320:precision=d",
	"cholesky:nt=8:nb=640:precision=s",
	"cholesky:nt=8:nb=640:precision=d",
	"cholesky:nt=8:nb=960:precision=s",
	"cholesky:nt=8:nb=960:precision=d",
	"lu:nt=8:nb=320:precision=s",
	"lu:nt=8:nb=320:precision=d",
	"lu:nt=8:nb=640:precision=s",
	"lu:nt=8:nb=640:precision=d",
	"lu:nt=8:nb=960:precision=s",
	"lu:nt=8:nb=960:precision=d",
	"qr:nt=8:nb=320:precision=s",
	"qr:nt=8:nb=320:precision=d",
	"qr:nt=8:nb=640:precision=s",
	"qr:nt=8:nb=640:precision=d",
	"qr:nt=8:nb=960:precision=s",
	"qr:nt=8:nb=960:precision=d",
	"matmul2d:nt=8:output=yes:precision=s",
	"matmul2d:nt=8:output=yes:precision=d",
	"stencil:precision=s",
	"stencil:precision=d",
	"life",
	"reduction:n=100",
	NULL,
};

/* A workload whose kernels are measured. */
struct visit {
	const char *text;
	struct tw__workload_words words;
	struct tw_graph *graph;
	/* [n_kernels * n_archs]: the calibration's entry for each kernel on each arch; TW_NONE: not measured with this
	 * workload */
	int *entry;
	bool failed;
};

struct calibrate {
	const struct tw__calibrate_setup *setup;
	struct tw__calibrate_result *result;
	struct tw__platform *platform;     /* platform of this machine, with only the workers that measure */
	struct tw__platform *bus_platform; /* the same with all memories */
	struct visit *visits;
	const struct visit *now;
	double start_s, written_s;
	double load; /* load average of the machine before the calibration; NAN: unknown */
	struct tw__costs costs;
	struct tw_error write_err; /* message of an error in writing the calibration's files */
	int write_status;
};

/* --- kernels to measure ------------------------------------------------------------------------------------------- */

static bool is_run(const struct tw_graph *g, tw_kernel k)
{
	for (tw_task t = 0; t < g->n_tasks; t++)
		if (g->kernel[t] == k)
			return true;
	for (int p = 0; p < g->n_phases; p++)
		if (g->phases[p].combine == k)
			return true;
	return false;
}

/* Finds or adds the entries of a workload's kernels in the calibration. If several workloads have the same kernel, only
 * the first workload measures it. */
static void find_entries(struct calibrate *c, struct visit *v)
{
	const struct tw__platform *p = c->platform;
	struct tw__calibration *calibration = &c->result->calibration;
	v->entry = tw_alloc((size_t)v->graph->n_kernels * (size_t)p->n_archs, sizeof *v->entry);
	for (tw_kernel k = 0; k < v->graph->n_kernels; k++)
		for (tw_arch a = 0; a < p->n_archs; a++) {
			const struct tw__kernel *kernel = &v->graph->kernels[k];
			int *entry = &v->entry[k * p->n_archs + a];
			*entry = TW_NONE;
			if (!tw__has_worker(p, a) || !is_run(v->graph, k))
				continue;
			*entry = tw__calibration_entry(calibration, v->words.spec.name, kernel->name, p->archs[a].name,
			                               p->archs[a].cores, kernel->size, kernel->precision);
			if (strcmp(calibration->kernels[*entry].workload, v->words.spec.name) != 0)
				*entry = TW_NONE;
		}
}

static int visit_init(struct calibrate *c, struct visit *v, const char *text, struct tw_error *err)
{
	v->text = text;
	int status = tw__workload_words_init(&v->words, text, err);
	if (status == TW_OK)
		status = tw__generate(&v->graph, text, err);
	if (status == TW_OK)
		find_entries(c, v);
	return status;
}

/* Whether the workload has kernels whose times are uncertain. After the first round, kernels without executions do not
 * count, because no worker can run them. */
static bool is_open(const struct calibrate *c, const struct visit *v, bool was_visited)
{
	const struct tw__calibration *calibration = &c->result->calibration;
	for (int i = 0; i < v->graph->n_kernels * c->platform->n_archs; i++) {
		if (v->entry[i] == TW_NONE)
			continue;
		const struct tw__calibrated *kernel = &calibration->kernels[v->entry[i]];
		if (tw__calibrated_is_wide(kernel) && (kernel->n > 0 || !was_visited))
			return !v->failed;
	}
	return false;
}

/* --- progress ----------------------------------------------------------------------------------------------------- */

static double elapsed_s(const struct calibrate *c) { return tw__wall_s() - c->start_s; }

static int write_files(struct calibrate *c, struct tw_error *err)
{
	const struct tw__request *q = c->setup->request;
	char date[32] = "";
	time_t now = time(NULL);
	struct tm utc;
	int gpus = tw__platform_accelerators(c->platform);
	if (gmtime_r(&now, &utc))
		strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc);
	const struct tw__conditions conditions = {
		.date = date,
		.emulate = q->emulate,
		.cpus = c->platform->n_workers - gpus,
		.gpus = gpus,
		.main_memories = c->result->calibration.buses.n_mains,
		.cpu_groups = q->choice.cpu_groups,
		.seed = q->seed,
		.load = c->load,
		.seconds = elapsed_s(c),
		.costs = c->costs,
	};
	c->written_s = tw__wall_s();
	return tw__calibration_write(&c->result->calibration, c->setup->folder, &conditions, err);
}

static void tell_progress(const struct calibrate *c, int entry)
{
	const struct tw__calibration *calibration = &c->result->calibration;
	struct tw__calibrate_progress p = {
		.workload = c->now->text,
		.last = entry == TW_NONE ? NULL : &calibration->kernels[entry],
		.seconds = elapsed_s(c),
		.limit_s = c->setup->limit_s,
		.n = calibration->n,
	};
	for (int i = 0; i < calibration->n; i++)
		p.n_narrow += !tw__calibrated_is_wide(&calibration->kernels[i]);
	c->setup->tick(c->setup->context, &p);
}

static bool tick(void *context, int entry)
{
	struct calibrate *c = context;
	if (tw__wall_s() - c->written_s > WRITE_EVERY_S && !tw__calibration_is_incomplete(&c->result->calibration))
		c->write_status = write_files(c, &c->write_err);
	tell_progress(c, entry);
	return c->write_status == TW_OK;
}

static bool is_stopped(struct calibrate *c)
{
	struct pollfd polled = {c->setup->stop_fd, POLLIN, 0};
	c->result->stopped |= poll(&polled, 1, 0) > 0;
	return c->result->stopped;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static void bring_estimates(struct calibrate *c, const struct visit *v)
{
	for (int i = 0; i < v->graph->n_kernels * c->platform->n_archs; i++)
		if (v->entry[i] != TW_NONE && c->result->calibration.kernels[v->entry[i]].n)
			free(tw__calibrated_estimate(&c->result->calibration.kernels[v->entry[i]]));
}

/* Measures the kernels of one workload. If this fails, reports the failure, and later rounds skip the workload. */
static int make_visit(struct calibrate *c, struct visit *v, double limit_s, struct tw_error *err)
{
	struct tw_error why;
	c->now = v;
	const struct tw__point_setup point = {
		.calibration = &c->result->calibration,
		.request = c->setup->request,
		.platform = c->platform,
		.graph = v->graph,
		.words = &v->words,
		.entry = v->entry,
		.limit_s = limit_s,
		.bus_platform = tw__calibration_lacks_links(&c->result->calibration) ? c->bus_platform : NULL,
		.tick = tick,
		.context = c,
		.stop_fd = c->setup->stop_fd,
	};
	int status = tw__point_run(&point, &why);
	if (status == TW_NOMEM)
		return tw_fail(err, status, "%s", why.message);
	if (c->write_status < 0)
		return tw_fail(err, c->write_status, "%s", c->write_err.message);
	if (status < 0) {
		v->failed = true;
		c->result->n_failed++;
		c->setup->failed(c->setup->context, v->text, why.message);
	}
	bring_estimates(c, v);
	return TW_OK;
}

/* Measures all workloads that still have uncertain kernel times. Each of them gets an equal part of the remaining
 * time. */
static int make_round(struct calibrate *c, bool is_first, struct tw_error *err)
{
	const int n = c->setup->n_workloads;
	int status = TW_OK;
	for (int i = 0; i < n && status == TW_OK && !is_stopped(c); i++) {
		double left_s = c->setup->limit_s - elapsed_s(c);
		int n_open = 0;
		for (int j = i; j < n; j++)
			n_open += is_open(c, &c->visits[j], !is_first);
		if (is_open(c, &c->visits[i], !is_first) && (is_first || left_s > 0))
			status = make_visit(c, &c->visits[i], fmax(left_s, 0) / n_open, err);
	}
	return status;
}

static bool any_open(const struct calibrate *c)
{
	for (int i = 0; i < c->setup->n_workloads; i++)
		if (is_open(c, &c->visits[i], true))
			return true;
	return false;
}

static int make_rounds(struct calibrate *c, struct tw_error *err)
{
	int status = make_round(c, true, err);
	while (status == TW_OK && !is_stopped(c) && any_open(c) && elapsed_s(c) < c->setup->limit_s)
		status = make_round(c, false, err);
	return status;
}

/* --- the whole calibration ---------------------------------------------------------------------------------------- */

/* Selects the workers that are there while links are measured: all, so that all memories are. */
static int select_for_links(struct calibrate *c, struct tw_error *err)
{
	const struct tw__platform *all = c->result->calibration.platform;
	const struct tw__platform_choice choice = {.cpus = TW__ALL_WORKERS, .gpus = TW__ALL_WORKERS};
	int status = tw__platform_select(&c->bus_platform, all, &choice, err);
	if (status == TW_OK && c->bus_platform->n_nodes < all->n_nodes)
		return tw_fail(err, TW_INVALID,
		               "calibrate: GPUs take all cores of a main memory: expected fewer GPUs, or no --numa");
	return status;
}

/* Makes the platform of this machine, and reads earlier measurements of the machine from the folder. */
static int open_machine(struct calibrate *c, struct tw_error *err)
{
	struct tw__calibration *calibration = &c->result->calibration;
	const struct tw__request *q = c->setup->request;
	bool found;
	int status = tw__nodes_check(c->setup->numa, err);
	if (status == TW_OK)
		status = tw__machine_all(&calibration->platform, q, c->setup->numa, err);
	if (status == TW_OK)
		status = tw__platform_select(&c->platform, calibration->platform, &q->choice, err);
	if (status == TW_OK)
		status = select_for_links(c, err);
	if (status == TW_OK)
		tw__buses_init(&calibration->buses, calibration->platform);
	else
		return status;
	tw__identity_of(&calibration->identity, calibration->platform);
	snprintf(calibration->identity.emulate, sizeof calibration->identity.emulate, "%s",
	         q->emulate ? q->emulate : "");
	status = tw__new_file_try("--output", c->setup->folder, "calibration.json", err);
	return status == TW_OK && !c->setup->force ? tw__calibration_read(calibration, c->setup->folder, &found, err)
	                                           : status;
}

/* Measures the costs of Tilewright's own runtime system and stores them in the platform, for simulations. Real runs
 * have these costs anyway. */
static int add_costs(struct calibrate *c, struct tw_error *err)
{
	struct tw__platform *p = c->result->calibration.platform;
	tw__measure_costs(&c->costs, &c->result->calibration, c->setup->request, c->setup->folder);
	char *runtime = tw__costs_text(&c->costs, &c->result->calibration);
	if (!*runtime) {
		free(runtime);
		return TW_OK;
	}
	free(p->runtime);
	p->runtime = runtime;
	return write_files(c, err);
}

/* Takes times of kernels from real runs of the workloads. A workload whose runs fail keeps its times. */
static int learn_in_runs(struct calibrate *c, struct tw_error *err)
{
	const struct tw__calibrate_setup *s = c->setup;
	struct tw_error why;
	for (int i = 0; i < s->n_workloads && !is_stopped(c); i++) {
		if (c->visits[i].failed)
			continue;
		c->now = &c->visits[i];
		tell_progress(c, TW_NONE);
		int status =
			tw__in_run(&c->result->calibration, s->request, s->in_run, s->workloads[i], s->folder, &why);
		if (status == TW_NOMEM)
			return tw_fail(err, status, "%s", why.message);
		if (status < 0) {
			c->result->n_failed++;
			s->failed(s->context, s->workloads[i], why.message);
		}
	}
	return write_files(c, err);
}

static int calibrate(struct calibrate *c, struct tw_error *err)
{
	int status = open_machine(c, err);
	for (int i = 0; i < c->setup->n_workloads && status == TW_OK; i++)
		status = visit_init(c, &c->visits[i], c->setup->workloads[i], err);
	if (status == TW_OK)
		status = make_rounds(c, err);
	if (status == TW_OK && tw__calibration_is_incomplete(&c->result->calibration))
		return c->result->stopped ? TW_OK
		                          : tw_fail(err, TW_FAILED,
		                                    "calibrate: copies between main memories were not measured: "
		                                    "'%.200s' is left as it was",
		                                    c->setup->folder);
	if (status == TW_OK)
		status = write_files(c, err);
	if (status == TW_OK && !c->result->stopped)
		status = add_costs(c, err);
	if (status == TW_OK && c->setup->in_run)
		status = learn_in_runs(c, err);
	c->result->seconds = elapsed_s(c);
	return status;
}

int tw__calibrate(struct tw__calibrate_result *result, const struct tw__calibrate_setup *setup, struct tw_error *err)
{
	*result = (struct tw__calibrate_result){0};
	struct calibrate c = {.setup = setup, .result = result, .start_s = tw__wall_s(), .costs = tw__no_costs};
	c.written_s = c.start_s;
	if (getloadavg(&c.load, 1) != 1)
		c.load = NAN;
	c.visits = tw_alloc((size_t)setup->n_workloads, sizeof *c.visits);
	int status = calibrate(&c, err);
	for (int i = 0; i < setup->n_workloads; i++) {
		if (c.visits[i].text)
			tw__workload_words_finish(&c.visits[i].words);
		tw_graph_destroy(c.visits[i].graph);
		free(c.visits[i].entry);
	}
	free(c.visits);
	tw__platform_destroy(c.platform);
	tw__platform_destroy(c.bus_platform);
	return status;
}
