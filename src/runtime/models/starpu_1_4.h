/* StarPU's behaviours, one for each switch among the parameters. */
#ifndef TW__STARPU_1_4_H
#define TW__STARPU_1_4_H

#include "runtime/params.h"

/* Sets the hooks of all switches that are on. */
void tw__starpu_switches(const struct tw__runtime_params *, struct tw__runtime_hooks *);

#endif
