/* Checks that run inside a policy, with a scheduler that plug-ins and support code may use. */
#ifndef INSIDE_H
#define INSIDE_H

#include <tilewright/policy.h>

/* Asserts that `check` returns TW_OK. The init of a policy calls it, in a separate process, before any task is
 * scheduled. The workload runs on three cores and three GPUs of mirage. `planned_use` becomes the policy's; NULL: no
 * plan. */
void inside_a_run(const char *workload, int (*check)(struct tw_sched *, struct tw_error *),
                  struct tw_planned_use (*planned_use)(struct tw_sched *, void *state, tw_data, tw_node));

#endif
