/* The linear program of the area bound, for GLPK; other bounds add rows. Column 1 is l, the makespan to minimise. Row 1
 * + r is the constraint of arch r, and row 1 + n_resources + k that of kernel k. The unit of time is the longest task,
 * so that numbers are well scaled. */
#ifndef TW__AREA_PROGRAM_H
#define TW__AREA_PROGRAM_H

#include <glpk.h>

#include "base/memory.h"
#include "bounds/bounds.h"
#include "perf/classes.h"

/* Numbers and durations of tasks by type, and numbers of workers by arch (resource), for linear programs. A type is a
 * class of tasks that the graph has: tasks of one kernel that run on the same archs. Archs without workers are left
 * out. */
struct tw__types {
	struct tw__classes classes;
	int *of_class; /* [classes] type of each class; TW_NONE: the graph has no such task */
	int n_types, n_resources;
	tw_kernel *kernel; /* [n_types] the kernel of each type of task */
	tw_arch *arch;     /* [n_resources] the arch of each resource, a group of equal workers */
	double *tasks;     /* [n_types] number of tasks of each type */
	double *workers;   /* [n_resources] number of workers of each arch */
	/* [type * n_resources + resource] mean duration of the type's tasks on the arch, in s, and duration of the
	 * shortest; INFINITY: they cannot run there. */
	double *mean, *least;
};

/* Returns the type of a task of the graph. */
static inline int tw__type_of(const struct tw__types *types, const struct tw_graph *g, tw_task t)
{
	return types->of_class[tw__class_of(&types->classes, g, t)];
}

struct tw__area_program {
	struct tw__arena arena; /* has all arrays, also those of the bound that adds rows */
	struct tw__types types;
	const double *seconds; /* [type * n_resources + resource] duration of a task in s */
	glp_prob *lp;
	double unit;
	double end_s; /* the wall time at which tw__area_program_solve() gives up; 0: never */
	bool timed_out;
	int *column; /* [type * n_resources + resource] number of the column; 0: the kernel cannot run on the arch */
};

/* Calls work(arg, err) as tw__glpk_try does, with the types of tasks. It calls the next two functions. The program is
 * freed afterwards. */
int tw__area_program_try(struct tw__area_program *, const struct tw__bounded *,
                         int (*work)(void *arg, struct tw_error *err), void *arg, struct tw_error *err);
/* Makes the program for tasks of these durations: the types' mean or least ones. */
void tw__area_program_init(struct tw__area_program *, const double *seconds);
/* Solves the program. *seconds: the least l. TW_FAILED: GLPK failed, and err has the reason; or it took too long, which
 * sets `timed_out`. */
int tw__area_program_solve(struct tw__area_program *, double *seconds, struct tw_error *err);

/* Work with GLPK that may run out of memory. By default, GLPK ends the process then. */

/* Calls work(arg, err), and returns its status. If memory runs out, in GLPK or elsewhere, `work` does not return: its
 * own allocations must be reachable from `arg`. All programs of this thread are then gone (glp_free_env), and the
 * result is TW_NOMEM. */
int tw__glpk_try(int (*work)(void *arg, struct tw_error *err), void *arg, struct tw_error *err);

#endif
