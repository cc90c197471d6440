/* Speed-ups of kernels on some archs, relative to their tasks' seconds on processors: --speedup. */
#ifndef TW__SPEEDUP_H
#define TW__SPEEDUP_H

#include "graph/graph.h"
#include "platform/platform.h"

/* One item of the list. */
struct tw__speedup {
	char *kernel;      /* the name of a kernel, or "*" for all; before tw__speedups_bind perhaps with "@ARCHS" */
	const char *archs; /* archs as in tw_graph_restrict; NULL: accelerators. In the text of `kernel` */
	double factor;     /* above 0 and finite */
	bool known;        /* whether tw__speedups_bind has found its kernel and arch */
	bool used;         /* whether a task takes its time from it */
};

struct tw__speedups {
	int n;
	struct tw__speedup *of;
	const struct tw__platform *all; /* after tw__speedups_bind: the platform with all its archs */
};

/* Parses a list "KERNEL[@ARCHS]=FACTOR,...", in which `\,` is a comma of a name. The caller calls tw__speedups_finish,
 * also after an error. */
int tw__speedups_parse(struct tw__speedups *, const char *text, struct tw_error *err);
void tw__speedups_finish(struct tw__speedups *);

/* Finds the kernels and archs of the items that no earlier call has found; goes through all of them also if one is
 * unknown. `all`: the platform with all its archs, which must outlive the list. TW_INVALID: a kernel or an arch is
 * unknown; the message suggests names. */
int tw__speedups_bind(struct tw__speedups *, const struct tw__platform *all, const struct tw_graph *,
                      struct tw_error *err);

/* Returns the item for a kernel on an arch, or NULL. A kernel's name has precedence over "*", then archs over none. */
struct tw__speedup *tw__speedup_of(const struct tw__speedups *, const struct tw__kernel *, const struct tw__arch *);

/* Warns of items that no task takes its time from, though the platform has an arch for them. */
void tw__speedups_tell_unused(const struct tw__speedups *, const struct tw__platform *, const char *workload);

#endif
