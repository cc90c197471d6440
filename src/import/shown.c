#include "import/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "readers/names.h"

struct kernel {
	int32_t worker, name, job; /* numbers in the lists of names; job TW_NONE: unknown */
	tw__ns start, end;
};

struct job {
	tw__ns start, end; /* of all kernels of the job together */
	bool has_kernel;
};

struct dependency {
	int32_t before, behind;
};

struct tw__shown {
	struct tw__name_list workers, names, job_names;
	struct kernel *kernels;
	struct job *jobs; /* by number in job_names */
	struct dependency *dependencies;
	size_t n_kernels, kernels_capacity, jobs_capacity, n_dependencies, dependencies_capacity;
};

struct tw__shown *tw__shown_create(void) { return tw_alloc(1, sizeof(struct tw__shown)); }

void tw__shown_destroy(struct tw__shown *s)
{
	tw__name_list_finish(&s->workers);
	tw__name_list_finish(&s->names);
	tw__name_list_finish(&s->job_names);
	free(s->kernels);
	free(s->jobs);
	free(s->dependencies);
	free(s);
}

/* Finds or adds a name. */
static int32_t name_of(struct tw__name_list *names, const char *name)
{
	int32_t number = tw__name_list_add(names, name, strlen(name));
	if (number == TW_NONE)
		tw__no_memory((size_t)names->n, 2);
	return number;
}

/* Finds or adds a job. */
static int32_t job_of(struct tw__shown *s, const char *name)
{
	int32_t n = s->job_names.n, job = name_of(&s->job_names, name);
	TW_RESERVE(s->jobs, s->jobs_capacity, (size_t)job + 1);
	if (job == n)
		s->jobs[job] = (struct job){0};
	return job;
}

void tw__shown_kernel(struct tw__shown *s, const char *worker, const char *name, const char *job_name, tw__ns start,
                      tw__ns end)
{
	struct kernel k = {.worker = name_of(&s->workers, worker),
	                   .name = name_of(&s->names, name),
	                   .job = job_name ? job_of(s, job_name) : TW_NONE,
	                   .start = start,
	                   .end = end};
	TW_RESERVE(s->kernels, s->kernels_capacity, s->n_kernels + 1);
	s->kernels[s->n_kernels++] = k;
	if (k.job == TW_NONE)
		return;
	struct job *job = &s->jobs[k.job];
	*job = (struct job){job->has_kernel ? tw__earliest(job->start, start) : start,
	                    job->has_kernel ? tw__latest(job->end, end) : end, true};
}

void tw__shown_depend(struct tw__shown *s, const char *before, const char *behind)
{
	struct dependency d = {job_of(s, before), job_of(s, behind)};
	TW_RESERVE(s->dependencies, s->dependencies_capacity, s->n_dependencies + 1);
	s->dependencies[s->n_dependencies++] = d;
}

static int by_worker_then_start(const void *a, const void *b)
{
	const struct kernel *x = a, *y = b;
	if (x->worker != y->worker)
		return x->worker < y->worker ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->end > y->end) - (x->end < y->end);
}

static int check_exclusive(struct tw__shown *s, struct tw_error *err)
{
	if (s->n_kernels > 1)
		qsort(s->kernels, s->n_kernels, sizeof *s->kernels, by_worker_then_start);
	for (size_t i = 1; i < s->n_kernels; i++) {
		const struct kernel *k = &s->kernels[i], *before = &s->kernels[i - 1];
		if (k->worker == before->worker && k->start < before->end)
			return tw_fail(err, TW_FAILED,
			               "exclusive: kernel %.60s starts on worker %.60s, where %.60s runs until %.9f s, "
			               "at %.9f s",
			               tw__name_list_text(&s->names, k->name),
			               tw__name_list_text(&s->workers, k->worker),
			               tw__name_list_text(&s->names, before->name), tw__seconds(before->end),
			               tw__seconds(k->start));
	}
	return TW_OK;
}

static bool is_checked(const struct tw__shown *s, const struct dependency *d)
{
	return s->jobs[d->before].has_kernel && s->jobs[d->behind].has_kernel;
}

static int check_dependencies(const struct tw__shown *s, struct tw_error *err)
{
	for (size_t i = 0; i < s->n_dependencies; i++) {
		const struct dependency *d = &s->dependencies[i];
		const struct job *before = &s->jobs[d->before], *behind = &s->jobs[d->behind];
		if (is_checked(s, d) && behind->start < before->end)
			return tw_fail(
				err, TW_FAILED,
				"dependencies: task %.60s starts while task %.60s, which it depends on, runs until "
				"%.9f s, at %.9f s",
				tw__name_list_text(&s->job_names, d->behind),
				tw__name_list_text(&s->job_names, d->before), tw__seconds(before->end),
				tw__seconds(behind->start));
	}
	return TW_OK;
}

int tw__shown_check(struct tw__shown *s, struct tw_error *err)
{
	int status = check_exclusive(s, err);
	return status == TW_OK ? check_dependencies(s, err) : status;
}

size_t tw__shown_n_kernels(const struct tw__shown *s) { return s->n_kernels; }

size_t tw__shown_n_dependencies(const struct tw__shown *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n_dependencies; i++)
		n += is_checked(s, &s->dependencies[i]);
	return n;
}
