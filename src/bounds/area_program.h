/* The linear program of the area bound, in GLPK's hands, to which others add rows. Column 1 is l; row 1 + r is arch r's, row
 * 1 + n_resources + k kernel k's. Seconds are in units of the longest task, so that the solver sees figures of a decent size. */
#ifndef TW__AREA_PROGRAM_H
#define TW__AREA_PROGRAM_H

#include <glpk.h>

#include "bounds/bounds.h"

struct tw__area_program {
	const struct tw__types *types;
	const double *seconds; /* [type * n_resources + resource] */
	glp_prob *lp;
	double unit;
	int *column; /* [type * n_resources + resource]; 0: it cannot run there */
};

int tw__area_program_init(struct tw__area_program *, const struct tw__types *, const double *seconds,
                          struct tw_error *err);
void tw__area_program_finish(struct tw__area_program *);

/* `*seconds`: the least l. TW_FAILED with GLPK's reason. */
int tw__area_program_solve(struct tw__area_program *, double *seconds, struct tw_error *err);

#endif
