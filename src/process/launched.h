/* Processes of one program that an MPI launcher, such as mpirun, has started together. */
#ifndef TW__LAUNCHED_H
#define TW__LAUNCHED_H

#include <tilewright/base.h>

struct tw__launched {
	int number, n;           /* this process, and how many there are; n 1: no launcher, or one process alone */
	int number_here, n_here; /* the same for those on this machine */
};

/* Reads the variables that launchers set. */
struct tw__launched tw__launched(void);

/* Leaves this process its share of the cores of this machine, if the launcher has not bound it to some. */
void tw__launched_share_cores(const struct tw__launched *);

/* Makes the launcher end all processes, as this one fails with the exit status. Open MPI's and Slurm's do that by
 * themselves. */
void tw__launched_fail(int exit_status);

#endif
