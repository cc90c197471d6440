#include "experiment/load.h"

#include <math.h>
#include <string.h>

#include "engine/real/config.h"
#include "machine/machine.h"
#include "platform/choice.h"
#include "platform/emulate.h"

/* Runs of at most so many flops get the full check by default. A serial run of them takes a few seconds. */
#define FULL_CHECK_FLOPS 1e11

static int refuse(const struct tw__plan *plan, const char *what, const char *why, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "%s: not with engine '%s': %s", what, plan->plugins.engine->name, why);
}

/* Refuses options of the request that only a simulation can honour. */
static int check_request(const struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__request *q = plan->request;
	struct tw__bounds bounds;
	if (q->noise)
		return refuse(plan, "--noise", "real kernels have real durations: expected no --noise", err);
	if (q->decision_cost)
		return refuse(plan, "--decision-cost", "a plan takes the time that it takes: expected no such option",
		              err);
	if (q->choice.no_communication)
		return refuse(plan, "--communication off", "kernels need their data: expected --communication on", err);
	if (q->choice.gpu_workers)
		return refuse(plan, "--gpu-workers", "each card has one worker: expected no such option", err);
	if (tw__runtime_params_cost(&plan->params))
		return refuse(plan, "--runtime", "expected 'real', or a runtime model without costs", err);
	if (plan->params.gpudirect)
		return refuse(plan, "--runtime gpudirect=yes",
		              "its messages go from main memory to main memory: expected gpudirect=no", err);
	int status = tw__bounds_parse(&bounds, q->choice.mem, err);
	for (int i = 0; status == TW_OK && i < bounds.n; i++)
		if (strcasecmp(bounds.of[i].node, plan->scene->platform->nodes[TW_RAM].name) == 0)
			return refuse(plan, "--mem", "expected no limit on main memory", err);
	return status;
}

/* Checks --emulate. With a platform other than `machine`, --emulate may only give the number of devices: memories and
 * links come from the platform's file. */
static int check_emulation(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__request *q = plan->request;
	const int n_nodes = plan->scene->platform->n_ranks; /* processes: each emulates its own */
	const int n_mains = tw__n_mains(plan->scene->platform) / n_nodes;
	struct tw__emulation emulation;
	int status = tw__emulation_parse(&emulation, q->emulate, err);
	if (status < 0 || tw__is_machine(q))
		return status;
	if (emulation.describes)
		return tw_fail(
			err, TW_INVALID,
			"--emulate '%.100s': platform '%.40s' has its own memories and links: expected gpus=N%s alone",
			q->emulate, plan->scene->platform->name, n_mains > 1 ? " and memories=N" : "");
	int needed = tw__platform_accelerators(plan->scene->platform) / n_nodes;
	if (emulation.gpus && emulation.gpus < needed)
		return tw_fail(
			err, TW_INVALID,
			"--emulate '%.100s': platform '%.40s' has %d accelerators: expected as many, or --gpus %d",
			q->emulate, plan->scene->platform->name, needed, emulation.gpus);
	if (emulation.memories && emulation.memories < n_mains)
		return tw_fail(
			err, TW_INVALID,
			"--emulate '%.100s': the run uses %d main memories of platform '%.40s': expected as many",
			q->emulate, n_mains, plan->scene->platform->name);
	plan->computing.config.emulates_mains = emulation.memories > 0;
	return TW_OK;
}

static int configure(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__request *q = plan->request;
	struct tw__computing *c = &plan->computing;
	c->config.check = plan->scene->graph->flops <= FULL_CHECK_FLOPS ? TW__CHECK_FULL : TW__CHECK_RESIDUAL;
	int status = q->check ? tw__check_parse(&c->config.check, q->check, err) : TW_OK;
	if (status == TW_OK)
		status = tw__workload_words_init(&c->words, q->workload, err);
	c->config.args = plan->plugins.engine_args;
	c->config.workload = c->words.spec.name;
	c->config.workload_args = c->words.args;
	c->config.emulates = q->emulate != NULL;
	return status;
}

int tw__computing_init(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw__request *q = plan->request;
	if (!(plan->plugins.engine->caps & TW__ENGINE_COMPUTES)) {
		if (q->emulate && !tw__is_machine(q))
			return tw_fail(
				err, TW_INVALID,
				"--emulate: engine '%s' simulates: expected --engine real with it, or --platform "
				"machine",
				plan->plugins.engine->name);
		return q->check ? tw_fail(err, TW_INVALID,
		                          "--check: engine '%s' simulates: expected --engine real with it",
		                          plan->plugins.engine->name)
		                : TW_OK;
	}
	if (q->own.graph)
		return refuse(plan, "a graph in memory", "its kernels are not there: expected a workload", err);
	int status = check_request(plan, err);
	if (status == TW_OK)
		status = tw__processes_check(plan, err);
	if (status == TW_OK && q->emulate)
		status = check_emulation(plan, err);
	return status == TW_OK ? configure(plan, err) : status;
}

static bool uses_gpus(const struct tw__plan *plan)
{
	return (plan->plugins.engine->caps & TW__ENGINE_COMPUTES) && plan->request->choice.gpus != 0 &&
	       !plan->request->emulate && !tw__is_machine(plan->request) && !tw__computing_is_empty(plan) &&
	       strcmp(tw_args_text(plan->plugins.engine_args, "mode"), "timed") != 0;
}

/* Whether any worker can run the kernel. */
static bool runs(const struct tw__plan *plan, tw_kernel k)
{
	const struct tw__times *times = &plan->truth;
	for (tw_arch a = 0; a < times->n_archs; a++)
		if (tw__has_worker(plan->scene->platform, a) && !isnan(times->mean[k * times->n_archs + a]))
			return true;
	return false;
}

int tw__computing_times(struct tw__plan *plan, struct tw_error *err)
{
	const struct tw_graph *g = plan->scene->graph;
	const struct tw__platform *p = plan->scene->platform;
	struct tw__times *times = &plan->truth;
	size_t n = (size_t)times->n_kernels * (size_t)times->n_archs;
	if (!uses_gpus(plan) || tw__platform_accelerators(p) == 0)
		return TW_OK;
	plan->own_mean = tw_alloc(n, sizeof *plan->own_mean);
	memcpy(plan->own_mean, times->mean, n * sizeof *plan->own_mean);
	plan->truth.mean = plan->belief.mean = plan->own_mean;
	for (tw_kernel k = 0; k < g->n_kernels; k++) {
		bool was_there = runs(plan, k);
		if (tw__real_gpus_have(plan->computing.config.workload, g->kernels[k].name))
			continue;
		for (tw_arch a = 0; a < times->n_archs; a++)
			if (p->archs[a].accelerator)
				plan->own_mean[k * times->n_archs + a] = NAN;
		if (was_there && !runs(plan, k))
			return tw_fail(err, TW_INVALID,
			               "engine 'real': kernel '%.40s' does not run on GPUs: expected --cpus 1 at least",
			               g->kernels[k].name);
	}
	return tw__scene_find_bounds(plan->scene, times, &plan->critical_path_s, &plan->area_s, err);
}

bool tw__computing_is_empty(const struct tw__plan *plan)
{
	return (plan->plugins.engine->caps & TW__ENGINE_COMPUTES) &&
	       strcmp(tw_args_text(plan->plugins.engine_args, "kernels"), "empty") == 0;
}

void tw__computing_finish(struct tw__plan *plan) { tw__workload_words_finish(&plan->computing.words); }
