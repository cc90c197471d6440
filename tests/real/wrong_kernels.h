/* Kernels that are wrong, one job at a time, on cores and on GPUs: see faults.c. */
#ifndef WRONG_KERNELS_H
#define WRONG_KERNELS_H

#include "engine/real/real.h"

enum wrong {
	LEFT_OUT,
	RUN_TWICE,
	REPORTS_AN_ERROR,
	LEAVES_A_NAN,
	FLIPS_A_BIT, /* the second highest of the first mantissa, in single precision */
	FLIPS_A_BIT_OF_DOUBLE,
	IS_SYRK,
	TAKES_ITS_TIME, /* 30 ms more */
	COMPUTES_THE_FIRST_PART,
	N_WRONGS
};

/* The job's kernel, which is about to be given to its worker, goes wrong in that way. */
void wrong_kernel(struct tw__engine *, struct tw__job *, enum wrong);

/* The operand that a kernel writes, the last of them. */
const struct tw_operand *wrong_kernel_result(const struct tw_operand *, int n_operands);

/* wrong_kernels_cuda.c: GPUs have codelets of their own, not the job's. */

/* Before any job: kernels of that name may go wrong later. NULL: none will. */
void wrong_kernels_cuda_init(struct tw__engine *, const char *kernel);
void wrong_kernel_cuda(struct tw__engine *, struct tw__job *, enum wrong);
/* A copy to or from a GPU, which has ended when this returns. Other streams go on. */
void wrong_copy_cuda(struct tw__engine *, const struct tw__job *);

#endif
