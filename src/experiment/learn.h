/* --learn FOLDER: kernel times that runs learn, kept between runs in FOLDER/kernels.csv. */
#ifndef TW__LEARN_H
#define TW__LEARN_H

#include "experiment/load.h"
#include "perf/learned.h"

/* For a new plan. TW_INVALID: the request excludes --learn, the folder cannot be written to, or its file is damaged. */
int tw__learn_check(const struct tw__plan *, struct tw_error *err);

/* State of one run that learns. */
struct tw__learning {
	struct tw__learned *learned; /* NULL: the request does not learn */
	struct tw__times belief;     /* for the run's input */
	int lock;                    /* descriptor of the folder's lock; negative: none */
};

/* Call before the run. Locks the folder until the end; TW_FAILED if another run has locked it. */
int tw__learning_begin(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
/* Call after the run: writes the learnt times to the folder. TW_FAILED: that failed. */
int tw__learning_save(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
void tw__learning_finish(struct tw__learning *);

#endif
