/* Scores that tell how well types of tasks suit kinds of workers. The scores are those of HeteroPrio for any number of
 * resource types (Beaumont, Cojean, Eyraud-Dubois, Guermouche, Kumar 2016, HiPC, section III.B).
 *
 * Types t (kernels) and resources r (archs) are numbered from 0. A table has n_types rows of n_resources entries. E(t,
 * r) is the mean time of the tasks of type t on resource r, in seconds; INFINITY if r cannot run t. Each type can run
 * on some resource. A greater score means that r suits t better. The score is 0 if r cannot run t. */
#ifndef TILEWRIGHT_AFFINITY_H
#define TILEWRIGHT_AFFINITY_H

#include <tilewright/sched.h>

struct tw_affinity {
	int n_types, n_resources;
	const double *seconds; /* [type * n_resources + resource] E: mean time of a task of the type on the resource */
	const double *tasks;   /* [types] number of tasks of the type in the graph, above 0 */
	const double *workers; /* [resources] number of workers of the arch, above 0 */
};

/* Fills scores[type * n_resources + resource] with Het. Index(t, r) = Emax(t) Emin(t) / E(t, r)^2. Emax and Emin are
 * the greatest and the least time of the type on any resource. */
void tw_het_index_scores(double *scores, const struct tw_affinity *);

/* Fills scores[type * n_resources + resource] with Area scores. The Area score of t on r is the part of the tasks of
 * type t that r runs in an ideal schedule. In this schedule, all workers are always busy, and there are no
 * dependencies. GLPK computes it as the solution of the linear program of the area bound:
 *     min l
 *     with sum_t E(t, r) x(t, r) <= workers(r) l for each r
 *     and sum_r x(t, r) = tasks(t) for each t.
 * TW_FAILED: GLPK finds no solution, and `err` has its codes. */
int tw_area_scores(double *scores, const struct tw_affinity *, struct tw_error *err);

/* Fills fast[n_resources]. For each resource, the geometric mean of its times is taken over all types that it can run.
 * A resource is fast if its mean is below the average: the arithmetic mean of these means, over all workers with
 * `by_worker`, otherwise over the resources. A resource that can run no type does not count, and is slow. If no
 * resource is below the average, because all are equal, all are fast. */
void tw_fast_resources(bool *fast, const struct tw_affinity *, bool by_worker);

enum tw_score_scale {
	TW_SCALE_FREE,  /* for Het. Index scores, which have no fixed range */
	TW_SCALE_PARTS, /* for Area scores, which are parts of a whole: percentages in the table IIb of the paper */
};

/* Fills order[n_types] and group[n_types] for one resource: order[i] is a type, and group[i] the group of that type.
 * Types are in descending order of their scores; ties: the lower number first. Groups are numbered from 0, in ascending
 * order. A fast resource treats the types of a group as one type (section III.B.b). Types that the resource cannot run
 * are left out. Returns the number of types in the order.
 *
 * A group takes in the types whose score equals the group's highest score, or is less than `within` below it. Groups do
 * not chain. With TW_SCALE_FREE, `within` is relative to the highest score. With TW_SCALE_PARTS it is a difference:
 * 0.25 is 25 points. */
int tw_affinity_order(int *order, int *group, const double *scores, const struct tw_affinity *, int resource,
                      double within, enum tw_score_scale);

#endif
