/* Checks that run where a policy does, with a scheduler that plug-ins and helps for policies may ask. */
#ifndef INSIDE_H
#define INSIDE_H

#include <tilewright/policy.h>

/* Asserts that `check` returns TW_OK: called by a policy's init, in a process of its own, before anything is scheduled. The
 * workload is on three cores and three GPUs of mirage. `planned_use` is the policy's; NULL: it plans nothing. */
void inside_a_run(const char *workload, int (*check)(struct tw_sched *, struct tw_error *),
                  struct tw_planned_use (*planned_use)(struct tw_sched *, void *state, tw_data, tw_node));

#endif
