/* Times of kernels from real runs of the user's workloads. So the times have the queues, the caches and the contention
 * of these runs, as those of history-based models. */
#include "calibrate/calibrate.h"

#include <stdlib.h>

#include "trace/history.h"

/* A kernel with fewer executions on an arch keeps its time from the calibration. */
enum { RUNS = 5, LEAST_EXECUTIONS = 10 };

/* Executions of each kernel on each arch of the scene, from all runs of a workload. */
struct in_run {
	const struct tw__scene *scene;
	struct tw__calibrated *sums; /* [kernel * n_archs + arch] */
	int n;
};

static void take(struct in_run *r, const struct tw__history *h)
{
	for (tw_task t = 0; t < h->n_tasks; t++) {
		const struct tw__past_task *task = &h->tasks[t];
		if (task->end == 0)
			continue;
		const tw_arch arch = r->scene->platform->workers[task->worker].arch;
		struct tw__calibrated *sum = &r->sums[r->scene->graph->kernel[t] * r->scene->platform->n_archs + arch];
		/* runs begin with a warm-up, so no execution is dropped */
		tw__calibrated_add(sum, (struct tw__execution){.seconds = tw__seconds(task->end - task->start),
		                                               .launch_s = tw__seconds(task->call),
		                                               .worker = task->worker,
		                                               .is_warm = true});
	}
}

static int run(struct in_run *r, const struct tw__request *q, struct tw_error *err)
{
	struct tw__history *h = tw__history_create(r->scene->graph->n_tasks);
	struct tw__outcome outcome = {0};
	struct tw__plan plan;
	if (!h)
		return tw_fail(err, TW_NOMEM, "calibration: out of memory");
	int status = tw__plan_init(&plan, q, r->scene, err);
	if (status == TW_OK) {
		plan.history = h;
		tw__plan_run(&plan, &outcome, NULL, NULL);
		tw__plan_finish(&plan);
		status = outcome.status == TW_OK ? TW_OK : tw_fail(err, outcome.status, "%s", outcome.err.message);
	}
	if (status == TW_OK)
		take(r, h);
	tw__history_destroy(h);
	return status;
}

/* Replaces the executions of the calibration by those of the runs. */
static void replace(struct tw__calibration *c, const struct in_run *r, const char *workload)
{
	const struct tw__platform *p = r->scene->platform;
	for (int i = 0; i < r->n; i++) {
		const struct tw__kernel *kernel = &r->scene->graph->kernels[i / p->n_archs];
		const struct tw__arch *arch = &p->archs[i % p->n_archs];
		if (r->sums[i].n < LEAST_EXECUTIONS)
			continue;
		struct tw__calibrated *to = &c->kernels[tw__calibration_entry(
			c, workload, kernel->name, arch->name, arch->cores, kernel->size, kernel->precision)];
		to->n = 0;
		to->in_run = true;
		for (size_t e = 0; e < r->sums[i].n; e++)
			tw__calibrated_add(to, r->sums[i].executions[e]);
		free(tw__calibrated_estimate(to));
	}
}

int tw__in_run(struct tw__calibration *c, const struct tw__request *request, const char *policy, const char *workload,
               const char *folder, struct tw_error *err)
{
	struct tw__scene *scene = NULL;
	char platform[4200], emulate[40];
	struct in_run r = {0};
	snprintf(platform, sizeof platform, "%.4100s/platform.xml", folder);
	snprintf(emulate, sizeof emulate, "gpus=%d", tw__platform_accelerators(c->platform));
	struct tw__request q = {
		.platform = platform,
		.workload = workload,
		.policy = policy,
		.check = "none",
		.choice = request->choice,
		.seed = request->seed,
	};
	int status = tw__scene_create(&scene, &q, err);
	q.engine = "real";
	q.emulate = request->emulate ? emulate : NULL;
	if (status == TW_OK) {
		r = (struct in_run){.scene = scene, .n = scene->graph->n_kernels * scene->platform->n_archs};
		r.sums = tw_alloc((size_t)r.n, sizeof *r.sums);
	}
	for (int i = 0; i < RUNS && status == TW_OK; i++)
		status = run(&r, &q, err);
	if (status == TW_OK)
		replace(c, &r, workload);
	for (int i = 0; i < r.n; i++)
		free(r.sums[i].executions);
	free(r.sums);
	tw__scene_destroy(scene);
	return status;
}
