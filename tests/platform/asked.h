/* Functions of hwloc that bind, in place of hwloc's own: they note the bindings they are asked for, and bind nothing.
 * So a test sees the bindings on a machine that only HWLOC_SYNTHETIC describes. A program with asked.c must export its
 * symbols to the module with hwloc. */
#ifndef ASKED_H
#define ASKED_H

#include <stddef.h>

struct asked {
	const void *at; /* the memory; NULL: a thread */
	size_t bytes;
	unsigned
		set; /* the NUMA node of the memory, or the first processor of the thread, as the system numbers them */
	int n_set;   /* how many nodes or processors */
};

/* Describes a machine to hwloc. Call it before anything looks at the machine. */
void pretend(const char *synthetic);

/* Returns the first processor that the calling thread has asked for; negative: it is not bound. */
int asked_here(void);

/* Returns what has been asked for so far, in this order, and sets *n to the number. */
const struct asked *asked(int *n);

#endif
