/* Submits the jobs of a draft to a task graph. A job without a kernel is not submitted: jobs that depend on it depend
 * on its predecessors instead. */
#include "readers/draft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "readers/draft_steps.h"

enum { MAX_PASSED_ON = 1 << 27 };

/* A passage stands for a job without a kernel: the tasks [first, first + n) of `passed`, on which the job's successors
 * depend. */
struct passage {
	size_t first;
	uint32_t n;
};

struct submission {
	struct tw__draft *draft;
	struct tw_error *err;
	struct tw__neighbours predecessors;
	struct tw__draft_accesses accesses;
	int32_t *sequence; /* the jobs in topological order */
	int32_t *number;   /* [n_jobs] number of the job's task, or ~index of the job's passage */
	struct passage *passages;
	int32_t n_passages;
	tw_task *passed;
	size_t n_passed, passed_capacity;
	uint64_t passed_on; /* number of dependencies passed on by jobs without kernels so far */
	int32_t *mark;      /* [n_tasks] the last passage that contains the task */
};

static bool is_task(const struct tw__draft *d, int32_t job) { return d->jobs[job].kernel != TW_NONE; }

static int check_described(struct submission *s)
{
	struct tw__draft *d = s->draft;
	int32_t tasks = 0;
	for (int32_t j = 0; j < d->job_names.n; j++) {
		tasks += is_task(d, j);
		if (d->jobs[j].described)
			continue;
		if (!d->unknown_jobs_pass)
			return tw__draft_fail(d, d->jobs[j].line, s->err,
			                      "'%.60s' is not in the file, expected the name of a task in it",
			                      tw__name_list_text(&d->job_names, j));
		tw__draft_count(d, "jobs that are named but not in the file", 1);
	}
	return tasks ? TW_OK : tw__draft_fail(d, 0, s->err, "no tasks, expected at least one");
}

static int fail_passed_on(struct submission *s, int32_t job)
{
	return tw__draft_fail(s->draft, s->draft->jobs[job].line, s->err,
	                      "'%.60s': more than %d dependencies through jobs that are no tasks, expected fewer",
	                      tw__name_list_text(&s->draft->job_names, job), MAX_PASSED_ON);
}

static int add_passed(struct submission *s, int32_t passage, tw_task task)
{
	if (s->mark[task] == passage)
		return TW_OK;
	s->mark[task] = passage;
	if (!TW_HAS_ROOM(s->passed, s->passed_capacity, s->n_passed + 1))
		return tw__draft_no_memory(s->draft, s->err);
	s->passed[s->n_passed++] = task;
	s->passages[passage].n++;
	return TW_OK;
}

/* Makes the passage of a job without a kernel: collects the tasks on which the job depends. */
static int pass_on(struct submission *s, int32_t job)
{
	int32_t passage = s->n_passages++;
	s->number[job] = ~passage;
	s->passages[passage] = (struct passage){s->n_passed, 0};
	int status = TW_OK;
	for (uint32_t p = s->predecessors.start[job]; p < s->predecessors.start[job + 1] && status == TW_OK; p++) {
		int32_t number = s->number[s->predecessors.job[p]];
		if (number >= 0) {
			status = add_passed(s, passage, number);
			continue;
		}
		struct passage before = s->passages[~number];
		if ((s->passed_on += before.n) > MAX_PASSED_ON)
			return fail_passed_on(s, job);
		for (uint32_t i = 0; i < before.n && status == TW_OK; i++)
			status = add_passed(s, passage, s->passed[before.first + i]);
	}
	return status;
}

static int depend(struct submission *s, int32_t job)
{
	for (uint32_t p = s->predecessors.start[job]; p < s->predecessors.start[job + 1]; p++) {
		int32_t number = s->number[s->predecessors.job[p]];
		if (number >= 0) {
			tw_graph_depend(s->draft->graph, number);
			continue;
		}
		struct passage before = s->passages[~number];
		if ((s->passed_on += before.n) > MAX_PASSED_ON)
			return fail_passed_on(s, job);
		for (uint32_t i = 0; i < before.n; i++)
			tw_graph_depend(s->draft->graph, s->passed[before.first + i]);
	}
	return TW_OK;
}

static int submit_task(struct submission *s, int32_t job)
{
	struct tw_graph *g = s->draft->graph;
	const struct tw__draft_job *from = &s->draft->jobs[job];
	struct tw_access *list;
	int n;
	int status = tw__draft_accesses_list(&s->accesses, s->draft, job, &list, &n, s->err);
	tw_task task = status == TW_OK ? tw_graph_submit(g, from->kernel, from->priority, list, n) : TW_NONE;
	free(list);
	if (status < 0)
		return status;
	if (task == TW_NONE)
		return tw__draft_refused(s->draft, from->line, s->err);
	s->number[job] = task;
	if (from->critical)
		tw_graph_mark_critical(g, task);
	if (!isnan(from->seconds))
		tw_graph_set_seconds(g, task, from->seconds);
	else if (from->n_seconds_on == 0)
		tw__draft_default(s->draft, task);
	for (size_t i = 0; i < from->n_seconds_on; i++) {
		const struct tw__draft_seconds_on *on = &s->draft->seconds_on[from->first_seconds_on + i];
		if (!tw_graph_set_seconds_on(g, tw__name_list_text(&s->draft->arch_names, on->arch), on->seconds))
			return tw__draft_refused(s->draft, from->line, s->err);
	}
	if (s->draft->replay)
		tw_graph_set_recorded_place(
			g, task, (struct tw_recorded_place){from->accelerator, from->worker, (int32_t)from->order});
	for (uint32_t i = s->accesses.start[job]; i < s->accesses.start[job + 1]; i++) {
		const struct tw__draft_access *access = &s->draft->accesses[s->accesses.place[i]];
		if (access->mode & TW__LAST_WRITE)
			tw_graph_will_not_be_used(g, access->data);
	}
	return depend(s, job);
}

static int submit_all(struct submission *s)
{
	struct tw__draft *d = s->draft;
	size_t jobs = (size_t)d->job_names.n + 1;
	s->number = malloc(jobs * sizeof *s->number);
	s->passages = malloc(jobs * sizeof *s->passages);
	s->mark = malloc(jobs * sizeof *s->mark);
	if (!s->number || !s->passages || !s->mark)
		return tw__draft_no_memory(d, s->err);
	memset(s->mark, -1, jobs * sizeof *s->mark);
	int status = TW_OK;
	for (int32_t i = 0; i < d->job_names.n && status == TW_OK; i++) {
		int32_t job = s->sequence[i];
		status = is_task(d, job) ? submit_task(s, job) : pass_on(s, job);
	}
	return status;
}

int tw__draft_submit(struct tw__draft *d, struct tw_error *err)
{
	struct submission s = {.draft = d, .err = err};
	int status = check_described(&s);
	if (status == TW_OK)
		status = tw__draft_accesses_init(&s.accesses, d, err);
	if (status == TW_OK)
		status = tw__draft_place_hints(d, &s.accesses, err);
	if (status == TW_OK && d->replay)
		status = tw__draft_order_as_recorded(d, err);
	if (status == TW_OK)
		status = tw__neighbours_init(&s.predecessors, d, true, err);
	if (status == TW_OK)
		status = tw__draft_order(&s.sequence, d, &s.predecessors, err);
	if (status == TW_OK)
		status = submit_all(&s);
	tw__neighbours_finish(&s.predecessors);
	tw__draft_accesses_finish(&s.accesses);
	free(s.sequence);
	free(s.number);
	free(s.passages);
	free(s.passed);
	free(s.mark);
	if (status == TW_OK) {
		tw_graph_set_flops(d->graph, d->flops);
		tw_graph_set_priority_scope(d->graph, d->priority_scope);
	}
	return status;
}
