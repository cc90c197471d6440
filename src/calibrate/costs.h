/* Costs of Tilewright's own runtime system on this machine. A turn is the work of the runtime system after kernels or
 * copies have ended, by one thread at a time. In turns, the runtime system also launches kernels and issues copies. */
#ifndef TW__CALIBRATE_COSTS_H
#define TW__CALIBRATE_COSTS_H

#include "calibrate/calibration.h"
#include "experiment/experiment.h"

/* Costs of the runtime system in microseconds; NAN: not measured. */
struct tw__costs {
	double turn_us;   /* time that the runtime system spends in turns, per task */
	double launch_us; /* time to launch a kernel on a GPU */
	double issue_us;  /* time to issue a copy to a GPU */
};

extern const struct tw__costs tw__no_costs;

/* Measures the costs of the runtime system. Turns: the median of five runs of Cholesky under dmdas, with empty kernels.
 * Launches and copies: one run with real kernels, on the GPUs only. A cost is NAN if Cholesky was not calibrated, or if
 * a run fails, which logs a warning. The folder must have the calibration's files. Of `request`, uses the choice of
 * workers, emulate and seed. */
void tw__measure_costs(struct tw__costs *, const struct tw__calibration *, const struct tw__request *,
                       const char *folder);

/* Returns the runtime parameters that model these costs, as in "turn_cost=1.2us:kernel_queue_cost=5us", malloc'ed.
 * NULL: out of memory; "": no cost was measured. */
char *tw__costs_text(const struct tw__costs *);

#endif
