/* All measures of a graph that need no platform. */
#include "describe/describe.h"

#include <stdlib.h>

#include "base/module.h"

static int describe_measures(struct tw__description *d, struct tw__dependencies deps, bool exact, struct tw_error *err)
{
	const struct tw__measures *module =
		tw__module_open(TW__MEASURES_BUILT, "tw__measures", "measures of graphs", err);
	return module ? module->describe(d, deps, exact, err) : TW_INVALID;
}

int tw__describe(struct tw__description *d, const struct tw_graph *g, bool exact, struct tw_error *err)
{
	struct tw__edge *edges = NULL;
	size_t n = 0;
	*d = (struct tw__description){.graph = g, .n_transitive = TW__NOT_COMPUTED, .antichain = TW__NOT_COMPUTED};
	int status = tw__graph_dependencies(&edges, &n, g, err);
	const struct tw__dependencies deps = {edges, n};
	exact = exact || (double)g->n_tasks * ((double)g->n_tasks + (double)n) <= TW__MOST_STEPS;
	if (status == TW_OK)
		status = tw__describe_counts(d, err);
	if (status == TW_OK)
		status = tw__describe_levels(d, deps, err);
	if (status == TW_OK && exact)
		status = tw__describe_transitive(d, deps, err);
	if (status == TW_OK)
		status = describe_measures(d, deps, exact, err);
	free(edges);
	return status;
}

void tw__description_finish(struct tw__description *d)
{
	free(d->kernel_tasks);
	free(d->level_tasks);
	free(d->in.n_tasks);
	free(d->out.n_tasks);
	*d = (struct tw__description){0};
}
