/* Faults of jobs, to be planted into a run that is right without. */
#ifndef FAULTS_H
#define FAULTS_H

#include "scene.h"

#define CHOLESKY "cholesky:nt=5:nb=48"
#define AMPLE "gpus=2:mem=64MiB:bandwidth=4GB/s"

/* It is planted into one job for which `bites` is true. */
struct fault {
	const char *name, *workload, *emulate;
	int cpus;
	const char *kernel; /* of a job that is a kernel; NULL: any */
	bool (*bites)(const struct tw__job *);
	void (*plant)(struct tw__job *);
	const char *says; /* what the message has; NULL: any message */
	bool sometimes;   /* at some jobs it does no harm: what is copied is there already, or not read any more */
	bool cores_alone; /* GPUs have no kernels of reductions, and no parts of kernels */
	bool is_parallel; /* two cores run parallel tasks; otherwise, without `emulate`, they are a group */
};

extern const struct fault faults[];
extern const int n_faults;

/* Before scene_run: its engine will be `engine`, and kernels of that name may go wrong (NULL: none will). */
void faults_open(struct scene *, const char *kernel);
extern struct tw__engine *engine;

/* A fault may leave a copy for later: called before each job, the first makes the copy when its time has come. */
void faults_make_late_copy(void);
void faults_no_late_copy(void);

#endif
