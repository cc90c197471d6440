/* The descriptions that `tilewright describe` prints. */
#ifndef TW__DESCRIBE_PRINT_H
#define TW__DESCRIBE_PRINT_H

#include <jansson.h>

#include "describe/describe.h"
#include "describe/timed.h"

struct described {
	const char *workload; /* as the user wrote it */
	struct tw__description graph;

	/* NULL without --platform; then the next three are unset */
	const char *platform_name;
	const struct tw__platform *platform;
	const struct tw__times *times;
	struct tw__timed timed;
};

/* Whether any task of the kernel can run on the arch. `d` has a platform. */
bool described_runs_on(const struct described *d, tw_kernel, tw_arch);

void describe_print_text(const struct described *);
json_t *describe_json(const struct described *);

#endif
