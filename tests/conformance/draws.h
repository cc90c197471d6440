/* Random choices of campaigns: values of parameters, from the tables of plug-ins and runtime models, and plug-ins. */
#ifndef DRAWS_H
#define DRAWS_H

#include <tilewright/eviction.h>

#include "base/random.h"

enum which_value { LEAST, GREATEST, RANDOM };

/* Writes a value of the parameter as users write it: the least or the greatest of its range or of its type, or a random
 * one. A choice has its first, its last or a random word. A text is empty, or has names of kernels that may exist. */
enum { VALUE_BYTES = 200 };
void write_value(struct tw__random *, const struct tw_param *, enum which_value, char value[VALUE_BYTES]);

/* Returns a random eviction policy that works with the scheduling policy, and the other way around. */
const struct tw_eviction *draw_eviction(struct tw__random *);
const struct tw_policy *draw_policy(struct tw__random *);

#endif
