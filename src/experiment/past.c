#include "experiment/past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "experiment/arguments.h"
#include "experiment/identity.h"
#include "experiment/machine.h"

static int bad(const struct tw__past *p, struct tw_error *err, int status)
{
	struct tw_error why = *err;
	return tw_fail(err, status, "%s: the run cannot be made again: %s", p->section.path, why.message);
}

/* --- the same platform -------------------------------------------------------------------------------------------- */

static int differs(const struct tw__past *p, const char *what, struct tw_error *err)
{
	return tw_fail(err, TW_INVALID, "%s: platform '%.100s' has other %s now than when the trace was written",
	               p->section.path, p->request.platform, what);
}

/* Dates and numbers of the record mean the workers and memories that the run had. */
static int check_platform(const struct tw__past *p, struct tw_error *err)
{
	const struct tw__run_section *s = &p->section;
	const struct tw_platform *platform = p->scene->platform;
	if (s->n_workers != platform->n_workers)
		return differs(p, "workers", err);
	for (tw_worker w = 0; w < s->n_workers; w++)
		if (strcmp(s->workers[w].name, platform->workers[w].name) != 0 ||
		    strcmp(s->workers[w].arch, platform->archs[platform->workers[w].arch].name) != 0)
			return differs(p, "workers", err);
	if (s->n_memories != platform->n_nodes)
		return differs(p, "memories", err);
	for (tw_node n = 0; n < s->n_memories; n++)
		if (strcmp(s->memories[n].name, platform->nodes[n].name) != 0)
			return differs(p, "memories", err);
		else if (s->memories[n].capacity != p->plan.capacity[n])
			return differs(p, "sizes of memories", err);
	return TW_OK;
}

/* --- the same times ----------------------------------------------------------------------------------------------- */

/* Whether all inputs of the run are as they were. Warns if not. */
static bool is_unchanged(const struct tw__past *p)
{
	char identity[TW__DIGEST_TEXT] = "";
	struct tw_error err;
	struct tw__identifier *identifier = NULL;
	if (*p->section.version && strcmp(p->section.version, tw__results_version()) != 0) {
		tw_log(TW_LOG_WARNING, "%s: version %s wrote this trace; this is %s", p->section.path,
		       p->section.version, tw__results_version());
		return false;
	}
	int status = tw__identifier_create(&identifier, &err);
	if (status == TW_OK)
		status = tw__identify(identifier, &p->request, identity, &err);
	tw__identifier_destroy(identifier);
	if (status == TW_OK && (!*p->section.identity || !strcmp(identity, p->section.identity)))
		return true;
	if (status < 0)
		tw_log(TW_LOG_WARNING, "%s: an input of the run is not there any more: %s", p->section.path,
		       err.message);
	else
		tw_log(TW_LOG_WARNING,
		       "%s: a file that the run read has changed since; kernel times are those of the trace",
		       p->section.path);
	return false;
}

/* The mean times that the trace holds; kernels that it does not name run nowhere. */
static int take_times(struct tw__past *p, struct tw_error *err)
{
	const struct tw__run_section *s = &p->section;
	int n_kernels = p->scene->times.n_kernels, n_archs = p->scene->times.n_archs;
	double *mean = malloc(((size_t)n_kernels * (size_t)n_archs + 1) * sizeof *mean);
	if (!mean)
		return tw_fail(err, TW_NOMEM, "out of memory");
	for (int i = 0; i < n_kernels * n_archs; i++)
		mean[i] = NAN;
	for (size_t i = 0; i < s->n_times; i++) {
		if (s->times[i].kernel >= n_kernels || s->times[i].arch >= n_archs) {
			free(mean);
			return tw_fail(err, TW_INVALID,
			               "%s: the workload has other kernels now than when the trace was written",
			               s->path);
		}
		mean[s->times[i].kernel * n_archs + s->times[i].arch] = s->times[i].seconds;
	}
	return tw__plan_replace_means(&p->plan, mean, err);
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* The scene of a run on this machine: its kernels are not timed again. */
static int make_scene(struct tw__past *p, struct tw_error *err)
{
	const char *learn = p->request.learn;
	if (tw__is_machine(&p->request))
		p->request.learn = "";
	int status = tw__scene_create(&p->scene, &p->request, err);
	p->request.learn = learn;
	return status;
}

static int open_run(struct tw__past *p, struct tw_error *err)
{
	int status = tw__arguments_request(&p->request, p->section.arguments, p->section.n_arguments, err);
	if (status == TW_OK)
		status = make_scene(p, err);
	if (status == TW_OK)
		status = tw__plan_init_past(&p->plan, &p->request, p->scene, err);
	if (status < 0)
		return bad(p, err, status);
	status = check_platform(p, err);
	if (status == TW_OK && (!is_unchanged(p) || tw__is_machine(&p->request)))
		status = take_times(p, err);
	if (status == TW_OK)
		status = tw__run_section_extend(&p->section, p->scene->graph, err);
	return status;
}

int tw__past_open(struct tw__past *p, const char *path, bool *found, struct tw_error *err)
{
	*p = (struct tw__past){0};
	int status = tw__run_section_read(&p->section, path, found, err);
	return status == TW_OK && *found ? open_run(p, err) : status;
}

void tw__past_close(struct tw__past *p)
{
	if (p->plan.scene)
		tw__plan_finish(&p->plan);
	tw__scene_destroy(p->scene);
	tw__run_section_finish(&p->section);
	*p = (struct tw__past){0};
}

struct tw__validation_input tw__past_validation(const struct tw__past *p)
{
	return (struct tw__validation_input){
		.platform = p->scene->platform,
		.graph = p->scene->graph,
		.times = &p->plan.truth,
		.capacity = p->plan.capacity,
		.home = tw__run_home(p->scene->platform, p->plan.capacity),
		.shares = tw__run_link_shares(&p->plan.params),
	};
}

/* Returns how long a worker may wait for a ready task before the policy is blamed. It is the cost of the runtime's steps
 * in between, as each step may wait for the same steps of all other workers. */
static tw__ns patience(const struct tw__plan *plan, const struct tw_platform *platform, bool measured)
{
	const struct tw__runtime_params *p = &plan->params;
	double step_s = p->push_cost + p->turn_cost + p->poll_cost * platform->n_nodes;
	return tw__ns_of(step_s * platform->n_workers + (measured ? 100e-6 : 0));
}

struct tw__explained_run tw__past_explained(const struct tw__past *p)
{
	return (struct tw__explained_run){
		.platform = p->scene->platform,
		.graph = p->scene->graph,
		.times = &p->plan.truth,
		.capacity = p->plan.capacity,
		.home = tw__run_home(p->scene->platform, p->plan.capacity),
		.patience = patience(&p->plan, p->scene->platform, p->section.record.measured),
		.record = (struct tw__record *)(uintptr_t)&p->section.record,
	};
}
