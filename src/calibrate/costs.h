/* Costs of the runtime system on this machine: turns, kernel launches, issue of copies. */
#ifndef TW__CALIBRATE_COSTS_H
#define TW__CALIBRATE_COSTS_H

#include "calibrate/calibration.h"
#include "experiment/experiment.h"

/* Microseconds; NAN: not measured. */
struct tw__costs {
	double turn_us;   /* of turns, per task */
	double launch_us; /* to launch a kernel on a GPU */
	double issue_us;  /* to issue a copy to a GPU */
};

extern const struct tw__costs tw__no_costs;

/* Turns: median of five runs of Cholesky under dmdas with empty kernels. Launches and copies: one run with real
 * kernels, on the GPUs only.
 * NAN if Cholesky was not calibrated, or if a run fails, with a warning. The folder must have the calibration's files.
 * `request`: its choice of workers. */
void tw__measure_costs(struct tw__costs *, const struct tw__calibration *, const struct tw__request *,
                       const char *folder);

/* The runtime parameters for these costs, "turn_cost=1.2us:kernel_queue_cost=5us", malloc'ed. NULL: out of memory; "":
 * none measured. */
char *tw__costs_text(const struct tw__costs *);

#endif
