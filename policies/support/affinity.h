/* How well types of tasks suit kinds of workers: the scores of HeteroPrio for any number of resource types (Beaumont, Cojean,
 * Eyraud-Dubois, Guermouche, Kumar 2016, HiPC, section III.B). A help for policies.
 *
 * Types t (kernels) and resources r (archs) are numbered from 0; tables have n_types rows of n_resources. E(t, r) is in
 * seconds, INFINITY where t cannot run on r; each type can run somewhere. Scores: the greater, the better r suits t; 0 where
 * t cannot run. */
#ifndef TILEWRIGHT_AFFINITY_H
#define TILEWRIGHT_AFFINITY_H

#include <tilewright/sched.h>

struct tw_affinity {
	int n_types, n_resources;
	const double *seconds; /* E: [type * n_resources + resource] */
	const double *tasks;   /* [types] how many, above 0 */
	const double *workers; /* [resources] how many, above 0 */
};

/* Het. Index(t, r) = Emax(t) Emin(t) / E(t, r)^2. */
void tw_het_index_scores(double *scores, const struct tw_affinity *);

/* Area: the part of the tasks of type t that r would run, if all workers were busy all the time and dependencies did not
 * count: from the linear program of the area bound, min l with sum_t E(t, r) x(t, r) <= workers(r) l for each r, sum_r x(t, r) =
 * tasks(t) for each t. Solved by GLPK. TW_NOMEM; TW_FAILED with GLPK's reason. */
int tw_area_scores(double *scores, const struct tw_affinity *, struct tw_error *err);

/* Fast: those whose geometric mean of the times of all types is below the arithmetic mean of these means, in which each
 * worker counts. A resource's mean is over what it can run; one that can run nothing does not count, and is slow. One that is equal to
 * all others is not below; then all are said to be fast. */
void tw_fast_resources(bool *fast, const struct tw_affinity *);

enum tw_score_scale {
	TW_SCALE_FREE,  /* Het. Index: any numbers */
	TW_SCALE_PARTS, /* Area: parts of a whole, which are percentages in the paper's table IIb */
};

/* The order in which a resource looks at types, best score first, and which of them it treats as one (fast resources
 * only: section III.B.b). A group takes in those whose score is less than `within` below its highest, or equal to it; no chaining.
 * On a free scale `within` is a part of the highest, of parts it is a difference: 0.25 is 25 points. Among equal scores, the
 * lower number first. Types that it cannot run are left out. `order` and `group` have n_types entries; order[i] is a type,
 * group[i] counts from 0, never falling. Returns how many types are in. */
int tw_affinity_order(int *order, int *group, const double *scores, const struct tw_affinity *, int resource,
                      double within, enum tw_score_scale);

#endif
