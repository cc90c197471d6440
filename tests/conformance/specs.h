/* Random specifications of workloads, policies and runtime models, and random numbers for campaigns. */
#ifndef SPECS_H
#define SPECS_H

#include <stdbool.h>

#include "base/random.h"
#include "registry.h"

enum { MAX_SPEC = 1024 }; /* the size of texts for specifications */

uint32_t draw_below(struct tw__random *, uint32_t n);
int draw_from(struct tw__random *, int low, int high); /* both are among the results */
double draw_between(struct tw__random *, double low, double high);
double draw_magnitude(struct tw__random *, double low, double high); /* log-uniform: each magnitude is as likely */

#define DRAW_ONE(r, array) (array)[draw_below(r, sizeof(array) / sizeof((array)[0]))]

void spec_workload(struct tw__random *, char *spec);
/* Every third parameter of the policy gets a random value. */
void spec_policy(struct tw__random *, const struct tw_policy *, char *spec);
/* A runtime model, of whose parameters some have random values. */
void spec_runtime(struct tw__random *, char *spec);

#endif
