/* Inputs of several runs: a value of some inputs, and lists of others. Each combination of values is a point. */
#ifndef TW__INPUTS_H
#define TW__INPUTS_H

#include "request/fields.h"
#include "request/words.h"

enum { TW__MOST_POINTS = 10000000 };

struct tw__inputs {
	struct tw__request common; /* the inputs that all points share */
	/* The lists, by row of tw__fields. A list that is not empty replaces the value in `common`. */
	struct tw__words lists[TW__MOST_INPUTS];
	int repetitions;
};

void tw__inputs_init(struct tw__inputs *);
void tw__inputs_finish(struct tw__inputs *);

/* Checks and adds an option of `command`, which is one of TW__FOR_*, or 0: it takes no lists. `text`, NULL for an
 * option without a value, must outlive the struct. Of a repeated option, the last value counts. */
int tw__inputs_take(struct tw__inputs *, unsigned command, const struct tw__field *, const char *text,
                    struct tw_error *err);
/* Completes the inputs of a command. The platform is `machine` if the engine computes and no other is given. Workloads
 * are expanded by lists of their parameters, as --nt and --nb are; those of files get their default seconds.
 * TW_INVALID: an option that the command needs is missing, there are more than `most` points, or two repetitions share
 * a seed. `name`: the command, for messages. */
int tw__inputs_complete(struct tw__inputs *, unsigned command, const char *name, int most, struct tw_error *err);

/* The list of an input. */
struct tw__words *tw__inputs_list(struct tw__inputs *, const char *name);
/* Returns the number of points. The next function makes the request of point i, from 0. */
int64_t tw__inputs_points(const struct tw__inputs *);
void tw__inputs_point(const struct tw__inputs *, int64_t i, struct tw__request *);

#endif
