/* Hooks that imitate behaviours of StarPU 1.4. A parameter of params.h switches each of them on. */
#ifndef TW__STARPU_1_4_H
#define TW__STARPU_1_4_H

#include "runtime/params.h"

/* Sets the hooks of all behaviours that the parameters switch on. */
void tw__starpu_switches(const struct tw__runtime_params *, struct tw__runtime_hooks *);

#endif
