/* Numbers out of range, which plug-ins hand to functions of tilewright/sched.h. The run fails with a message that names
 * the function, and the function returns a neutral value. */
#ifndef TW__RUNTIME_WRONG_H
#define TW__RUNTIME_WRONG_H

#include "runtime/state/domain.h"

/* Fails the run: in a call of `function`, the `what` of that number is none of 0 .. n - 1. */
__attribute__((cold, noinline)) void tw__rt_wrong(const struct tw_sched *, const char *function, const char *what,
                                                  int32_t given, int32_t n);

static inline bool is_wrong(const struct tw_sched *s, const char *function, const char *what, int32_t given, int32_t n)
{
	if (__builtin_expect((uint32_t)given < (uint32_t)n, 1))
		return false;
	tw__rt_wrong(s, function, what, given, n);
	return true;
}

#define WRONG_TASK(s, t) is_wrong(s, __func__, "task", t, (s)->rt->graph->n_tasks)
#define WRONG_DATA(s, d) is_wrong(s, __func__, "data", d, (s)->rt->graph->n_data)
#define WRONG_WORKER(s, w) is_wrong(s, __func__, "worker", w, (s)->n_workers)
#define WRONG_NODE(s, n) is_wrong(s, __func__, "memory node", n, (s)->rt->n_nodes)

#endif
