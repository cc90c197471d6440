/* Numbers of kernels on some archs: --speedup, relative to their tasks' seconds on processors; --amdahl, the part that
 * stays sequential on several cores; --time-factor, by which their times are multiplied. */
#ifndef TW__FACTORS_H
#define TW__FACTORS_H

#include "graph/graph.h"
#include "platform/platform.h"

/* An option whose value is such a list. */
struct tw__factor_option {
	const char *name, *expected; /* without "--"; the value, for messages */
	bool (*is_valid)(double);
	bool accelerators;  /* whether items without archs hold on accelerators; else on processors */
	const char *unused; /* why an item of a known kernel may change nothing */
};

extern const struct tw__factor_option tw__speedup_option, tw__amdahl_option, tw__time_factor_option;

/* One item of the list. */
struct tw__factor {
	char *kernel;      /* the name of a kernel, or "*" for all; before tw__factors_bind perhaps with "@ARCHS" */
	const char *archs; /* archs as in tw_graph_restrict; NULL: as the option says. In the text of `kernel` */
	double value;
	bool known; /* whether tw__factors_bind has found its kernel and arch */
	bool used;  /* whether a task takes its time from it */
};

struct tw__factors {
	const struct tw__factor_option *option;
	int n;
	struct tw__factor *of;
	const struct tw__platform *all; /* after tw__factors_bind: the platform with all its archs */
};

/* Parses a list "KERNEL[@ARCHS]=NUMBER,...", in which `\,` is a comma of a name. The caller calls tw__factors_finish,
 * also after an error. */
int tw__factors_parse(struct tw__factors *, const struct tw__factor_option *, const char *text, struct tw_error *err);
void tw__factors_finish(struct tw__factors *);

/* Finds the kernels and archs of the items that no earlier call has found; goes through all of them also if one is
 * unknown. `all`: the platform with all its archs, which must outlive the list. TW_INVALID: a kernel or an arch is
 * unknown; the message suggests names. */
int tw__factors_bind(struct tw__factors *, const struct tw__platform *all, const struct tw_graph *,
                     struct tw_error *err);

/* Returns the item for a kernel on an arch, or NULL. A kernel's name has precedence over "*", then archs over none. */
struct tw__factor *tw__factor_of(const struct tw__factors *, const struct tw__kernel *, const struct tw__arch *);

/* Warns of items that no task takes its time from, though the platform has an arch for them. */
void tw__factors_tell_unused(const struct tw__factors *, const struct tw__platform *, const char *workload);

#endif
