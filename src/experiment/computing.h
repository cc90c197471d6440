/* Runs on engines that compute real kernels: the engine's configuration, and requests that such runs refuse. */
#ifndef TW__COMPUTING_H
#define TW__COMPUTING_H

#include "experiment/load.h"

/* Fills plan->computing, the configuration of an engine that computes. Call it once the plan's engine, platform and
 * runtime parameters are known. Does nothing for an engine that simulates, except for the checks below.
 * TW_INVALID: the request has an option that only simulations have. Or it has --check with a simulation, or --emulate
 * with a simulation of a platform other than `machine`. */
int tw__computing_init(struct tw__plan *, struct tw_error *err);
/* Removes the times on GPUs of kernels without a GPU implementation, even if the platform's file has such times. The
 * plan's truth and belief then have their own array of times. TW_INVALID: no worker can run one of the kernels any
 * more. */
int tw__computing_times(struct tw__plan *, struct tw_error *err);
void tw__computing_finish(struct tw__plan *);
/* Whether the run's kernels do nothing (engine parameter kernels=empty), so that no flops are done. */
bool tw__computing_is_empty(const struct tw__plan *);

/* Parses the value of --check: "full", "residual" or "none". */
int tw__check_parse(enum tw__check *, const char *text, struct tw_error *err);

#endif
