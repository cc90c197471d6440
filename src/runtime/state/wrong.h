/* Numbers out of range, which plug-ins hand to functions of tilewright/sched.h. The run fails with a message that names
 * the function, and the function returns a neutral value. */
#ifndef TW__RUNTIME_WRONG_H
#define TW__RUNTIME_WRONG_H

#include "runtime/state/state.h"

/* Fails the run: in a call of `function`, the `what` of that number is none of 0 .. n - 1. */
__attribute__((cold, noinline)) void tw__rt_wrong(const struct tw__rt *, const char *function, const char *what,
                                                  int32_t given, int32_t n);

static inline bool is_wrong(const struct tw__rt *rt, const char *function, const char *what, int32_t given, int32_t n)
{
	if (__builtin_expect((uint32_t)given < (uint32_t)n, 1))
		return false;
	tw__rt_wrong(rt, function, what, given, n);
	return true;
}

#define WRONG_TASK(rt, t) is_wrong(rt, __func__, "task", t, (rt)->graph->n_tasks)
#define WRONG_DATA(rt, d) is_wrong(rt, __func__, "data", d, (rt)->graph->n_data)
#define WRONG_WORKER(rt, w) is_wrong(rt, __func__, "worker", w, (rt)->platform->n_workers)
#define WRONG_NODE(rt, n) is_wrong(rt, __func__, "memory node", n, (rt)->n_nodes)

#endif
