/* The points of `validate-model`, appended to a file; a later call continues where it ended. */
#ifndef TW__VALIDATION_VALIDATE_H
#define TW__VALIDATION_VALIDATE_H

#include "validation/row.h"

struct tw__validate_model {
	struct tw__request common; /* of the real runs: platform, engine, emulate, choice, seed ... */
	int n_workloads, n_policies, n_gpu_mems;
	char *const *workloads, *const *policies;
	const uint64_t *gpu_mem_bytes; /* 0: the platform's own */
	int repeat;
	bool force; /* accept a calibration of another machine */
	bool retry; /* run points again whose rows have failed */
	const char *output;
	/* Chosen columns. The file also gets those that a later call needs: tw__column_choice_resume. */
	struct tw__column_choice columns;
	void (*begin)(void *context, const struct tw__request *, int64_t point, int64_t n_points);
	void (*tick)(void *context, int run, bool quiet);
	void (*end)(void *context, const struct tw__validation *);
	void *context;
	int stop_fd; /* no point begins once it is readable */
};

struct tw__validate_counts {
	int64_t points, there, done, failed;
	bool stopped;
};

int tw__validate_model(const struct tw__validate_model *, struct tw__validate_counts *, struct tw_error *err);

#endif
