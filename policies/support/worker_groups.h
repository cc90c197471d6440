/* Workers that can run parallel tasks together: those of one kind, one memory and, unless across=yes, one socket. They
 * have consecutive numbers. */
#ifndef TILEWRIGHT_WORKER_GROUPS_H
#define TILEWRIGHT_WORKER_GROUPS_H

#include <tilewright/sched.h>

#define TW_WORKER_GROUPS_PARAM                                                                                  \
	{                                                                                                       \
		"across", TW_PARAM_FLAG, "no", 0, 0, NULL, "workers of several sockets may run a task together" \
	}

/* Whether two workers may be in one group. */
static inline bool tw_may_group(const struct tw_sched *s, tw_worker a, tw_worker b)
{
	return tw_worker_arch(s, a) == tw_worker_arch(s, b) && tw_worker_node(s, a) == tw_worker_node(s, b) &&
	       (tw_worker_socket(s, a) == tw_worker_socket(s, b) || tw_args_flag(tw_sched_args(s), "across"));
}

/* Returns the size of the largest group of workers `first`, `first` + 1, ... that can run a task together. */
static inline int tw_worker_group_size(const struct tw_sched *s, tw_worker first)
{
	int n = 1;
	while (n < tw_max_parallelism(s, first) && first + n < tw_n_workers(s) && tw_may_group(s, first, first + n))
		n++;
	return n;
}

#endif
