/* Submits the jobs of a draft to a task graph. A job without a kernel is not submitted: jobs that depend on it depend
 * on its predecessors instead. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "readers/draft_steps.h"

enum { MAX_PASSED_ON = 1 << 27 };

/* --- accesses, job by job ----------------------------------------------------------------------------------------- */

void tw__draft_accesses_init(struct tw__draft_accesses *a, const struct tw__draft *d)
{
	size_t jobs = (size_t)d->job_names.n, data = (size_t)d->data_names.n;
	*a = (struct tw__draft_accesses){
		.start = tw_alloc(jobs + 2, sizeof *a->start),
		.place = tw_resize(NULL, d->n_accesses, sizeof *a->place),
		.holder = tw_resize(NULL, data, sizeof *a->holder),
		.held = tw_resize(NULL, data, sizeof *a->held),
	};
	memset(a->holder, -1, data * sizeof *a->holder);
	for (size_t i = 0; i < d->n_accesses; i++)
		a->start[d->accesses[i].job + 2]++;
	for (size_t j = 2; j < jobs + 2; j++)
		a->start[j] += a->start[j - 1];
	for (size_t i = 0; i < d->n_accesses; i++)
		a->place[a->start[d->accesses[i].job + 1]++] = (uint32_t)i;
}

void tw__draft_accesses_finish(struct tw__draft_accesses *a)
{
	free(a->start);
	free(a->place);
	free(a->holder);
	free(a->held);
	free(a->list);
}

/* Lists the accesses of one job as tw_graph_submit takes them, in `list`: each handle once. Returns their
 * number. */
static int list_accesses(struct tw__draft_accesses *a, const struct tw__draft *d, int32_t job)
{
	int n = 0;
	TW_RESERVE(a->list, a->list_capacity, a->start[job + 1] - a->start[job]);
	for (uint32_t i = a->start[job]; i < a->start[job + 1]; i++) {
		const struct tw__draft_access *access = &d->accesses[a->place[i]];
		enum tw_mode mode = (enum tw_mode)(access->mode & ~TW__LAST_WRITE);
		if (a->holder[access->data] == job) {
			a->list[a->held[access->data]].mode |= mode;
			continue;
		}
		a->holder[access->data] = job;
		a->held[access->data] = (uint32_t)n;
		a->list[n++] = (struct tw_access){access->data, mode};
	}
	return n;
}

/* --- submission --------------------------------------------------------------------------------------------------- */

/* A passage stands for a job without a kernel: the tasks [first, first + n) of `passed`, on which the job's successors
 * depend. */
struct passage {
	size_t first;
	uint32_t n;
};

struct submission {
	struct tw__draft *draft;
	struct tw__neighbours predecessors;
	struct tw__draft_accesses accesses;
	int32_t *number; /* [n_jobs] number of the job's task, or ~index of the job's passage */
	struct passage *passages;
	int32_t n_passages;
	tw_task *passed;
	size_t n_passed, passed_capacity;
	uint64_t passed_on; /* number of dependencies passed on by jobs without kernels so far */
	int32_t *mark;      /* [n_tasks] the last passage that contains the task */
};

static bool is_task(const struct tw__draft *d, int32_t job) { return d->jobs[job].kernel != TW_NONE; }

static void check_described(struct tw__draft *d)
{
	int32_t tasks = 0;
	for (int32_t j = 0; j < d->job_names.n; j++) {
		tasks += is_task(d, j);
		if (d->jobs[j].described)
			continue;
		if (!d->unknown_jobs_pass)
			tw__draft_fail(d, d->jobs[j].line,
			               "'%.60s' is not in the file, expected the name of a task in it",
			               tw__name_list_text(&d->job_names, j));
		tw__draft_count(d, "jobs that are named but not in the file", 1);
	}
	if (!tasks)
		tw__draft_fail(d, 0, "no tasks, expected at least one");
}

/* Adds a task to a passage. With TW_NONE, the last submitted task depends on it. */
static void take_predecessor(struct submission *s, int32_t passage, tw_task task)
{
	if (passage == TW_NONE) {
		tw_graph_depend(s->draft->graph, task);
		return;
	}
	if (s->mark[task] == passage)
		return;
	s->mark[task] = passage;
	TW_RESERVE(s->passed, s->passed_capacity, s->n_passed + 1);
	s->passed[s->n_passed++] = task;
	s->passages[passage].n++;
}

/* Takes all tasks on which a job depends. */
static void take_predecessors(struct submission *s, int32_t job, int32_t passage)
{
	for (uint32_t p = s->predecessors.start[job]; p < s->predecessors.start[job + 1]; p++) {
		int32_t number = s->number[s->predecessors.job[p]];
		if (number >= 0) {
			take_predecessor(s, passage, number);
			continue;
		}
		struct passage before = s->passages[~number];
		if ((s->passed_on += before.n) > MAX_PASSED_ON) {
			tw__draft_fail(
				s->draft, s->draft->jobs[job].line,
				"'%.60s': more than %d dependencies through jobs that are no tasks, expected fewer",
				tw__name_list_text(&s->draft->job_names, job), MAX_PASSED_ON);
			return;
		}
		for (uint32_t i = 0; i < before.n; i++)
			take_predecessor(s, passage, s->passed[before.first + i]);
	}
}

/* Makes the passage of a job without a kernel: collects the tasks on which the job depends. */
static void pass_on(struct submission *s, int32_t job)
{
	int32_t passage = s->n_passages++;
	s->number[job] = ~passage;
	s->passages[passage] = (struct passage){s->n_passed, 0};
	take_predecessors(s, job, passage);
}

static void submit_task(struct submission *s, int32_t job)
{
	struct tw__draft *d = s->draft;
	struct tw_graph *g = d->graph;
	const struct tw__draft_job *from = &d->jobs[job];
	int n = list_accesses(&s->accesses, d, job);
	tw_task task = s->number[job] = tw_graph_submit(g, from->kernel, from->priority, s->accesses.list, n);
	bool refused = task == TW_NONE;
	if (!refused && from->critical)
		tw_graph_mark_critical(g, task);
	if (!refused && !isnan(from->seconds))
		tw_graph_set_seconds(g, task, from->seconds);
	else if (!refused && from->n_seconds_on == 0)
		tw__draft_default(d, task);
	for (size_t i = 0; i < from->n_seconds_on && !refused; i++) {
		const struct tw__draft_seconds_on *on = &d->seconds_on[from->first_seconds_on + i];
		refused = !tw_graph_set_seconds_on(g, tw__name_list_text(&d->arch_names, on->arch), on->seconds);
	}
	if (refused) {
		tw__draft_refused(d, from->line);
		return;
	}
	if (d->replay)
		tw_graph_set_recorded_place(
			g, task, (struct tw_recorded_place){from->accelerator, from->worker, (int32_t)from->order});
	for (uint32_t i = s->accesses.start[job]; i < s->accesses.start[job + 1]; i++) {
		const struct tw__draft_access *access = &d->accesses[s->accesses.place[i]];
		if (access->mode & TW__LAST_WRITE)
			tw_graph_will_not_be_used(g, access->data);
	}
	take_predecessors(s, job, TW_NONE);
}

static void submit_all(struct submission *s)
{
	struct tw__draft *d = s->draft;
	size_t jobs = (size_t)d->job_names.n;
	int32_t *sequence = tw__draft_order(d, &s->predecessors);
	s->number = tw_resize(NULL, jobs, sizeof *s->number);
	s->passages = tw_resize(NULL, jobs, sizeof *s->passages);
	s->mark = tw_resize(NULL, jobs, sizeof *s->mark);
	memset(s->mark, -1, jobs * sizeof *s->mark);
	for (size_t i = 0; i < jobs && d->status == TW_OK; i++)
		if (is_task(d, sequence[i]))
			submit_task(s, sequence[i]);
		else
			pass_on(s, sequence[i]);
	free(sequence);
	free(s->number);
	free(s->passages);
	free(s->passed);
	free(s->mark);
}

void tw__draft_submit(struct tw__draft *d)
{
	struct submission s = {.draft = d};
	check_described(d);
	if (d->status < 0)
		return;
	tw__draft_accesses_init(&s.accesses, d);
	tw__draft_place_hints(d, &s.accesses);
	if (d->replay)
		tw__draft_order_as_recorded(d);
	if (d->status == TW_OK) {
		s.predecessors = tw__neighbours_of(d, true);
		submit_all(&s);
		tw__neighbours_finish(&s.predecessors);
	}
	tw__draft_accesses_finish(&s.accesses);
	tw_graph_set_flops(d->graph, d->flops);
	tw_graph_set_priority_scope(d->graph, d->priority_scope);
}
