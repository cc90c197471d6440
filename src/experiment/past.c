#include "experiment/past.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "request/fields.h"
#include "request/identity.h"

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
	const struct tw__platform *then = p->section.platform, *now = p->scene->platform;
	if (then->n_workers != now->n_workers)
		return differs(p, "workers", err);
	for (tw_worker w = 0; w < then->n_workers; w++)
		if (strcmp(then->workers[w].name, now->workers[w].name) != 0 ||
		    strcmp(then->archs[then->workers[w].arch].name, now->archs[now->workers[w].arch].name) != 0)
			return differs(p, "workers", err);
	if (then->n_nodes != now->n_nodes)
		return differs(p, "memories", err);
	for (tw_node n = 0; n < then->n_nodes; n++)
		if (strcmp(then->nodes[n].name, now->nodes[n].name) != 0)
			return differs(p, "memories", err);
		else if (p->section.capacity[n] != p->plan.capacity[n])
			return differs(p, "sizes of memories", err);
	return TW_OK;
}

/* --- the same files ----------------------------------------------------------------------------------------------- */

static const char *words_for(const struct tw__past *p, enum tw__input input)
{
	return input == TW__INPUT_WORKLOAD ? p->request.workload : p->request.platform;
}

/* Compares the input with the digest in the trace. *changed: it is not what it was; `err` then says why it cannot be
 * read, or is empty. */
static int compare_input(const struct tw__past *p, enum tw__input input, bool *changed, struct tw_error *err)
{
	char now[TW__DIGEST_TEXT];
	const char *then = tw__run_section_fingerprint(&p->section, tw__input_name(input));
	if (!then)
		return tw_fail(err, TW_INVALID,
		               "%s: the run cannot be made again: its run section has no line 'fingerprint,%s', as if "
		               "a program or a pipe had given the input",
		               p->section.path, tw__input_name(input));
	err->message[0] = '\0';
	*changed = tw__identify_input(input, &p->request, now, err) < 0 || strcmp(now, then) != 0;
	return TW_OK;
}

/* Says that an input has changed, and why it cannot be read now if so: reads it again to find out. */
static int has_changed(const struct tw__past *p, enum tw__input input, struct tw_error *err)
{
	static const char *const what[TW__N_INPUTS] = {"the file of platform", "the kernel times of platform",
	                                               "workload"};
	struct tw_error why = *err;
	struct tw_graph *graph = NULL;
	struct tw__platform *platform = NULL;
	char *kernels_path = NULL;
	if (input == TW__INPUT_WORKLOAD && !*why.message)
		tw__generate(&graph, p->request.workload, &why);
	if (input == TW__INPUT_PLATFORM && !*why.message)
		tw__platform_find(&platform, &kernels_path, p->request.platform, &why);
	tw_graph_destroy(graph);
	tw__platform_destroy(platform);
	free(kernels_path);
	if (*why.message)
		return tw_fail(err, TW_INVALID, "%s: %s '%.100s' is not what it was when the trace was written: %s",
		               p->section.path, what[input], words_for(p, input), why.message);
	return tw_fail(err, TW_INVALID,
	               "%s: %s '%.100s' has changed since the trace was written: expected it as it was",
	               p->section.path, what[input], words_for(p, input));
}

static bool draws_from_times(const struct tw__request *q)
{
	return q->noise && (!strcmp(q->noise, "measured") || !strcmp(q->noise, "empirical"));
}

/* Checks that the files of the run are as they were. Only mean kernel times may have changed, since the trace has them,
 * too: sets *other_times then. */
static int check_files(const struct tw__past *p, bool *other_times, struct tw_error *err)
{
	bool changed[TW__N_INPUTS];
	int status = TW_OK;
	for (int i = 0; i < TW__N_INPUTS && status == TW_OK; i++) {
		status = compare_input(p, (enum tw__input)i, &changed[i], err);
		if (status == TW_OK && changed[i] && (i != TW__INPUT_TIMES || draws_from_times(&p->request)))
			status = has_changed(p, (enum tw__input)i, err);
	}
	*other_times = status == TW_OK && changed[TW__INPUT_TIMES];
	if (*other_times)
		tw_log(TW_LOG_WARNING,
		       "%s: the kernel times of platform '%s' have changed since; those of the trace count",
		       p->section.path, p->request.platform);
	return status;
}

/* Another version may make other graphs and other times from the same files. */
static bool is_of_another_version(const struct tw__past *p)
{
	bool other = strcmp(p->section.version, tw__results_version()) != 0;
	if (other)
		tw_log(TW_LOG_WARNING, "%s: version %s wrote this trace; this is %s", p->section.path,
		       *p->section.version ? p->section.version : "unknown", tw__results_version());
	return other;
}

/* Whether the marks of the record are those of its engine. They loosen rules, so a wrong one would hide errors. */
static int check_marks(const struct tw__past *p, struct tw_error *err)
{
	const struct tw__record *r = &p->section.record;
	const char *name = p->request.engine ? p->request.engine : TW__DEFAULT_ENGINE;
	const unsigned caps = p->plan.plugins.engine->caps;
	if (r->measured != !!(caps & TW__ENGINE_COMPUTES))
		return tw_fail(err, TW_INVALID, "%s: the run section %s a line 'measured', but its engine is '%.60s'",
		               p->section.path, r->measured ? "has" : "lacks", name);
	if (r->rounds != !!(caps & TW__ENGINE_ROUNDS))
		return tw_fail(err, TW_INVALID, "%s: the run section %s a line 'rounds', but its engine is '%.60s'",
		               p->section.path, r->rounds ? "has" : "lacks", name);
	return TW_OK;
}

/* --- the same times ----------------------------------------------------------------------------------------------- */

/* Whether the workload has the kernels of all times, and the platform their archs. Unless the times are to be replaced,
 * they are those that the files of the run give. */
static int check_times(const struct tw__past *p, bool replaced, struct tw_error *err)
{
	const struct tw__times *now = &p->scene->times;
	for (size_t i = 0; i < p->section.n_times; i++) {
		const struct tw__section_time *then = &p->section.times[i];
		if (then->kernel >= now->n_kernels || then->arch >= now->n_archs)
			return tw_fail(err, TW_INVALID,
			               "%s: the workload has other kernels now than when the trace was written",
			               p->section.path);
		double seconds = now->mean[then->kernel * now->n_archs + then->arch];
		if (!replaced && (isnan(seconds) || fabs(seconds - then->seconds) > 0))
			return tw_fail(err, TW_INVALID,
			               "%s: the run section says that kernel %d takes %g s on arch %d: expected %g s, "
			               "as the platform's kernel times",
			               p->section.path, (int)then->kernel, then->seconds, (int)then->arch, seconds);
	}
	return TW_OK;
}

/* The mean times that the trace holds; kernels that it does not name run nowhere. */
static int take_times(struct tw__past *p, struct tw_error *err)
{
	const struct tw__run_section *s = &p->section;
	int n_kernels = p->scene->times.n_kernels, n_archs = p->scene->times.n_archs;
	double *mean = tw_resize(NULL, (size_t)n_kernels * (size_t)n_archs, sizeof *mean);
	for (int i = 0; i < n_kernels * n_archs; i++)
		mean[i] = NAN;
	for (size_t i = 0; i < s->n_times; i++)
		mean[s->times[i].kernel * n_archs + s->times[i].arch] = s->times[i].seconds;
	return tw__plan_replace_means(&p->plan, mean, err);
}

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* The scene of a run on this machine: its kernels are not timed again. */
static int make_scene(struct tw__past *p, struct tw_error *err)
{
	const char *learn = p->request.learn;
	if (tw__is_machine(&p->request))
		p->request.learn = "";
	p->request.factors_are_checked = true;
	int status = tw__scene_create(&p->scene, &p->request, err);
	p->request.learn = learn;
	return status;
}

static int open_run(struct tw__past *p, struct tw_error *err)
{
	bool other_times = false;
	int status = tw__arguments_request(&p->request, p->section.arguments, p->section.n_arguments, err);
	if (status < 0)
		return bad(p, err, status);
	bool other_version = is_of_another_version(p);
	status = check_files(p, &other_times, err);
	if (status < 0)
		return status;
	status = make_scene(p, err);
	if (status == TW_OK)
		status = tw__plan_init_past(&p->plan, &p->request, p->scene, err);
	if (status < 0)
		return bad(p, err, status);
	status = check_platform(p, err);
	if (status == TW_OK)
		status = check_marks(p, err);
	const bool replaces = other_times || other_version || tw__is_machine(&p->request);
	if (status == TW_OK)
		status = check_times(p, replaces, err);
	if (status == TW_OK && replaces)
		status = take_times(p, err);
	if (status == TW_OK)
		status = tw__run_section_extend(&p->section, p->scene->graph, err);
	return status;
}

int tw__past_open(struct tw__past *p, const char *path, bool *found, struct tw_error *err)
{
	*p = (struct tw__past){0};
	int status = tw__run_section_read(&p->section, path, found, err);
	return status == TW_OK && (!found || *found) ? open_run(p, err) : status;
}

int tw__past_open_shown(struct tw__past *p, const char *path, struct tw_error *err)
{
	*p = (struct tw__past){0};
	int status = tw__run_section_read(&p->section, path, NULL, err);
	return status == TW_OK ? tw__run_section_check(&p->section, p->section.platform, &p->section.graph, err)
	                       : status;
}

int tw__past_open_whole(struct tw__past *p, const char *path, struct tw_error *err)
{
	int status = tw__past_open(p, path, NULL, err);
	if (status == TW_OK)
		status = tw__run_section_check(&p->section, tw__plan_platform(&p->plan), p->scene->graph, err);
	return status;
}

void tw__past_close(struct tw__past *p)
{
	if (p->plan.scene)
		tw__plan_finish(&p->plan);
	tw__scene_destroy(p->scene);
	tw__run_section_finish(&p->section);
	*p = (struct tw__past){0};
}

struct tw__explained_run tw__past_explained(const struct tw__past *p)
{
	return tw__plan_explained(&p->plan, (struct tw__record *)(uintptr_t)&p->section.record);
}

struct tw__traced tw__past_traced(const struct tw__past *p)
{
	if (!p->scene)
		return tw__run_section_traced((struct tw__run_section *)(uintptr_t)&p->section);
	return tw__plan_traced(&p->plan, (struct tw__record *)(uintptr_t)&p->section.record);
}

void tw__past_schedule(struct tw__schedule *s, const struct tw__past *p)
{
	const struct tw__traced run = tw__past_traced(p);
	tw__schedule_of(s, &run);
}
