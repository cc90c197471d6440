#include "experiment/explained.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explain/print.h"

/* Returns how long a worker may wait for a ready task before the policy is blamed. It is the cost of the runtime's
 * steps in between, as each step may wait for the same steps of all other workers. */
static tw__ns patience(const struct tw__plan *plan, bool measured)
{
	const struct tw__runtime_params *p = &plan->params;
	const struct tw_platform *platform = plan->scene->platform;
	double step_s = p->push_cost + p->turn_cost + p->poll_cost * platform->n_nodes;
	return tw__ns_of(step_s * platform->n_workers + (measured ? 100e-6 : 0));
}

struct tw__explained_run tw__plan_explained(const struct tw__plan *plan, struct tw__record *record)
{
	const struct tw_platform *platform = plan->scene->platform;
	return (struct tw__explained_run){
		.platform = platform,
		.graph = plan->scene->graph,
		.times = &plan->truth,
		.capacity = plan->capacity,
		.home = tw__run_home(platform, plan->capacity),
		.shares = tw__run_link_shares(&plan->params),
		.patience = patience(plan, record->measured),
		.record = record,
	};
}

static int write_json(FILE *f, const struct tw__explanation *e, const struct tw__explained_run *run,
                      const struct tw__explained_name *name, struct tw_error *err)
{
	json_t *json = tw__explanation_json(e, run, name);
	int status = json ? TW_OK : tw_fail(err, TW_NOMEM, "out of memory");
	if (json && json_dumpf(json, f, JSON_REAL_PRECISION(15)) < 0)
		status = tw_fail(err, TW_FAILED, "the explanation cannot be written: %s", strerror(errno));
	json_decref(json);
	return status;
}

int tw__plan_explain(const struct tw__plan *plan, struct tw__record *record, FILE *f, struct tw_error *err)
{
	const struct tw__request *request = plan->request;
	const struct tw__explained_run run = tw__plan_explained(plan, record);
	const struct tw__explained_name name = {
		.platform = request->platform, .workload = request->workload, .policy = request->policy};
	struct tw__explanation e;
	int status = tw__explain_schedule(&e, &run, err);
	if (status < 0)
		return status;
	if (request->explain == TW__EXPLAIN_JSON)
		status = write_json(f, &e, &run, &name, err);
	else
		tw__explanation_print(f, &e, &run, &name, false);
	tw__explanation_finish(&e);
	if (status == TW_OK && (fflush(f) != 0 || ferror(f)))
		status = tw_fail(err, TW_FAILED, "the explanation cannot be written: %s", strerror(errno));
	return status;
}
