/* How well types of tasks suit kinds of workers: the scores of HeteroPrio for any number of resource types (Beaumont,
 * Cojean, Eyraud-Dubois, Guermouche, Kumar 2016, HiPC, section III.B).
 *
 * Types t (kernels) and resources r (archs) are numbered from 0. Tables have n_types rows of n_resources. E(t, r) is
 * in seconds, INFINITY if t cannot run on r; each type can run on some resource. A greater score means that r suits t
 * better. The score is 0 if t cannot run on r. */
#ifndef TILEWRIGHT_AFFINITY_H
#define TILEWRIGHT_AFFINITY_H

#include <tilewright/sched.h>

struct tw_affinity {
	int n_types, n_resources;
	const double *seconds; /* E: [type * n_resources + resource] */
	const double *tasks;   /* [types] number of tasks, above 0 */
	const double *workers; /* [resources] number of workers, above 0 */
};

/* Het. Index(t, r) = Emax(t) Emin(t) / E(t, r)^2. */
void tw_het_index_scores(double *scores, const struct tw_affinity *);

/* Area: the part of the tasks of type t that r would run if all workers were always busy and there were no
 * dependencies. It is the solution, by GLPK, of the linear program of the area bound:
 *     min l, with sum_t E(t, r) x(t, r) <= workers(r) l for each r, and sum_r x(t, r) = tasks(t) for each t.
 *     TW_NOMEM; TW_FAILED with GLPK's reason. */
int tw_area_scores(double *scores, const struct tw_affinity *, struct tw_error *err);

/* A resource is fast if the geometric mean of its times of all types is below the arithmetic mean of these means over
 * all workers. The geometric mean is over the types that the resource can run. A resource that can run none does not
 * count, and is slow. If no resource is below the mean, because all are equal, all are fast. */
void tw_fast_resources(bool *fast, const struct tw_affinity *);

enum tw_score_scale {
	TW_SCALE_FREE,  /* Het. Index: no fixed range */
	TW_SCALE_PARTS, /* Area: parts of a whole, percentages in the paper's table IIb */
};

/* The order of types on a resource, by descending score, and their groups; a fast resource treats a group as one type
 * (section III.B.b). A group takes in the types whose score is less than `within` below its highest score, or equal
 * to it. Groups do not chain. On a free scale `within` is relative to the highest score; for parts it is a
 * difference: 0.25 is 25 points. Ties: the lower number. Types that the resource cannot run are left out. order[i] is
 * a type, and group[i] is its group, ascending from 0; both arrays have n_types entries. Returns the number of types
 * in the order. */
int tw_affinity_order(int *order, int *group, const double *scores, const struct tw_affinity *, int resource,
                      double within, enum tw_score_scale);

#endif
