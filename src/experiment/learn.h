/* --learn FOLDER: kernel times that runs learn, kept between runs in FOLDER/kernels.csv. */
#ifndef TW__LEARN_H
#define TW__LEARN_H

#include "experiment/load.h"
#include "perf/learned.h"

/* When the plan is made: TW_INVALID for requests that it does not go with, a folder that cannot be written to, a damaged file. */
int tw__learn_check(const struct tw__plan *, struct tw_error *err);

/* One run. */
struct tw__learning {
	struct tw__learned *learned; /* NULL: the request does not learn */
	struct tw__times belief;     /* for the run's input */
	int lock;                    /* of the folder; negative: none */
};

/* Before the run. The folder is its own until the end: TW_FAILED if another run has it. */
int tw__learning_begin(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
/* After it: what was learnt is in the folder. TW_FAILED: it could not be written. */
int tw__learning_save(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
void tw__learning_finish(struct tw__learning *);

#endif
