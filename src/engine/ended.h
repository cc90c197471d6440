/* Completions that wait for a turn of the runtime. A turn gets those whose dates have come, in the order in which their
 * kernels and transfers were started. */
#ifndef TW__ENDED_H
#define TW__ENDED_H

#include <stdlib.h>

#include "engine/engine.h"

/* Zeroed: none waits. */
struct tw__ended {
	struct tw__completion *waiting; /* [n] by `sequence` */
	size_t n, capacity;
	struct tw__completion *told; /* the completions that the next turn gets */
	size_t told_capacity;
};

static inline void tw__ended_add(struct tw__ended *ended, struct tw__completion completion)
{
	TW_RESERVE(ended->waiting, ended->capacity, ended->n + 1);
	size_t i = ended->n++;
	for (; i > 0 && ended->waiting[i - 1].sequence > completion.sequence; i--)
		ended->waiting[i] = ended->waiting[i - 1];
	ended->waiting[i] = completion;
}

/* Moves the completions whose dates are at or before `until` to `told`. Returns their number. */
static inline int tw__ended_tell(struct tw__ended *ended, tw__ns until)
{
	size_t n = 0, kept = 0;
	TW_RESERVE(ended->told, ended->told_capacity, ended->n);
	for (size_t i = 0; i < ended->n; i++)
		if (ended->waiting[i].end <= until)
			ended->told[n++] = ended->waiting[i];
		else
			ended->waiting[kept++] = ended->waiting[i];
	ended->n = kept;
	return (int)n;
}

/* Returns the first date of a completion that waits; TW__NEVER: there is none. */
static inline tw__ns tw__ended_next(const struct tw__ended *ended)
{
	tw__ns next = TW__NEVER;
	for (size_t i = 0; i < ended->n; i++)
		next = tw__earliest(next, ended->waiting[i].end);
	return next;
}

static inline void tw__ended_finish(struct tw__ended *ended)
{
	free(ended->waiting);
	free(ended->told);
}

#endif
