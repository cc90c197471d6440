/* --learn FOLDER: kernel times that runs learn, kept between runs in FOLDER/kernels.csv. */
#ifndef TW__LEARN_H
#define TW__LEARN_H

#include "experiment/load.h"
#include "perf/learned.h"

/* Checks the option --learn of a new plan. TW_INVALID: the engine or another option excludes --learn, the folder cannot
 * be written to, or its kernels.csv is damaged. */
int tw__learn_check(const struct tw__plan *, struct tw_error *err);

/* State of one run that learns kernel times. */
struct tw__learning {
	struct tw__learned *learned; /* the times learnt so far; NULL: the request has no --learn */
	struct tw__times belief;     /* the kernel times that policies see in the run */
	int lock;                    /* file descriptor of the lock on the folder; negative: none */
};

/* Call before the run. Locks the folder of --learn until tw__learning_finish, and reads its kernel times. TW_FAILED:
 * another run has locked the folder. */
int tw__learning_begin(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
/* Call after the run. Writes the learnt kernel times to the folder of --learn. TW_FAILED: the file cannot be
 * written. */
int tw__learning_save(struct tw__learning *, const struct tw__plan *, struct tw_error *err);
void tw__learning_finish(struct tw__learning *);

#endif
