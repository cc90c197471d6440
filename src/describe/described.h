/* A description of a task graph, with or without a platform, and its JSON. */
#ifndef TW__DESCRIBED_H
#define TW__DESCRIBED_H

#include <jansson.h>

#include "describe/describe.h"
#include "describe/timed.h"

struct tw__described {
	const char *workload; /* as the user wrote it */
	struct tw__description graph;

	/* NULL without a platform; then the next three are unset */
	const char *platform_name;
	const struct tw__platform *platform;
	const struct tw__times *times;
	struct tw__timed timed;
};

/* Describes the graph; names, platform and times are set. `exact`: see tw__describe. The caller finishes it, also after
 * an error. */
int tw__describe_all(struct tw__described *, const struct tw_graph *, bool exact, struct tw_error *err);
void tw__described_finish(struct tw__described *);

/* Whether any task of the kernel can run on the arch. `d` has a platform. */
bool tw__described_runs_on(const struct tw__described *d, tw_kernel, tw_arch);

/* An object of JSON, which the caller releases: docs/reference/describe.md. */
json_t *tw__described_json(const struct tw__described *);

#endif
