/* The runtime system's own costs on this machine: turns, launching kernels, issuing copies. */
#ifndef TW__CALIBRATE_COSTS_H
#define TW__CALIBRATE_COSTS_H

#include "calibrate/calibration.h"
#include "experiment/experiment.h"

/* Microseconds; NAN: not measured. */
struct tw__costs {
	double turn_us;   /* of turns, for each task */
	double launch_us; /* of giving a kernel to a GPU */
	double issue_us;  /* of giving a copy to a GPU */
};

extern const struct tw__costs tw__no_costs;

/* Turns: from five runs of Cholesky under dmdas with kernels that do nothing. Launching and copying: from one run with real kernels, on the GPUs
 * alone. NAN if no Cholesky was calibrated, or a run fails, of which a warning tells. The calibration has been written to the folder. `request`:
 * whose workers. */
void tw__measure_costs(struct tw__costs *, const struct tw__calibration *, const struct tw__request *,
                       const char *folder);

/* "turn_cost=1.2us:kernel_queue_cost=5us": the runtime parameters that stand for them, malloc'ed. NULL: out of memory; "": none was
 * measured. */
char *tw__costs_text(const struct tw__costs *);

#endif
