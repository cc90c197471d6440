/* The inputs of a run as names and values, as traces keep them. Names are those of the options of `tilewright run`,
 * without "--". Options that were not given have no argument. */
#ifndef TW__ARGUMENTS_H
#define TW__ARGUMENTS_H

#include "experiment/experiment.h"
#include "trace/write.h"

/* The arguments of a request, *n of them; the caller calls tw__arguments_free. NULL: out of memory. */
struct tw__run_argument *tw__arguments_of(const struct tw__request *, int *n);
void tw__arguments_free(struct tw__run_argument *, int n);

/* Makes the request that these arguments describe. Its texts are those of the arguments, which must outlive it.
 * TW_INVALID: an argument has an unknown name, or a value of the wrong type. */
int tw__arguments_request(struct tw__request *, const struct tw__run_argument *, int n, struct tw_error *err);

#endif
