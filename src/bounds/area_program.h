/* The linear program of the area bound, for GLPK; other bounds add rows. Column 1 is l, the makespan to minimise. Row 1
 * + r is the constraint of arch r, and row 1 + n_resources + k that of kernel k. The unit of time is the longest task,
 * so that numbers are well scaled. */
#ifndef TW__AREA_PROGRAM_H
#define TW__AREA_PROGRAM_H

#include <glpk.h>
#include <tilewright/base.h>

#include "bounds/bounds.h"

struct tw__area_program {
	struct tw__types *types;
	const double *seconds; /* [type * n_resources + resource] duration of a task in s */
	glp_prob *lp;
	double unit;
	int *column; /* [type * n_resources + resource] number of the column; 0: the kernel cannot run on the arch */
};

void tw__area_program_init(struct tw__area_program *, struct tw__types *, const double *seconds);
/* Calls work(arg, err), which initialises and solves the program, with tw__glpk_try. Then frees the program, which is
 * zero or initialised. */
int tw__area_program_try(struct tw__area_program *, int (*work)(void *arg, struct tw_error *err), void *arg,
                         struct tw_error *err);

/* Solves the program. *seconds: the least l. TW_FAILED: GLPK failed; err has the reason. */
int tw__area_program_solve(struct tw__area_program *, double *seconds, struct tw_error *err);

/* Work with GLPK that may run out of memory. By default, GLPK ends the process then. */

/* Calls work(arg, err), and returns its status. If memory runs out, in GLPK or elsewhere, `work` does not return: its own
 * allocations must be reachable from `arg`. All programs of this thread are then gone (glp_free_env), and the result is
 * TW_NOMEM. */
int tw__glpk_try(int (*work)(void *arg, struct tw_error *err), void *arg, struct tw_error *err);

#endif
