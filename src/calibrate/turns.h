/* What a turn of the runtime system takes on this machine. */
#ifndef TW__TURNS_H
#define TW__TURNS_H

#include "calibrate/calibration.h"
#include "experiment/experiment.h"

/* Microseconds a task, in runs of Cholesky under dmdas with kernels that do nothing; NAN: no Cholesky was calibrated, or a run failed. The
 * calibration has been written to the folder. `request`: whose workers. */
double tw__measure_turns(const struct tw__calibration *, const struct tw__request *, const char *folder);

#endif
