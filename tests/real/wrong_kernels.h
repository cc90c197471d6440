/* Wrong kernels, for one job at a time, on cores and on GPUs: see faults.c. */
#ifndef WRONG_KERNELS_H
#define WRONG_KERNELS_H

#include "engine/real/real.h"

enum wrong {
	LEFT_OUT,
	RUN_TWICE,
	REPORTS_AN_ERROR,
	LEAVES_A_NAN,
	FLIPS_A_BIT, /* the second highest bit of the first mantissa, in single precision */
	FLIPS_A_BIT_OF_DOUBLE,
	IS_SYRK,
	TAKES_ITS_TIME, /* takes 30 ms longer */
	COMPUTES_THE_FIRST_PART,
	N_WRONGS
};

/* Makes the job's kernel go wrong in that way; to be called before the job is passed to its worker. */
void wrong_kernel(struct tw__engine *, struct tw__job *, enum wrong);

/* The last operand that a kernel writes. */
const struct tw_operand *wrong_kernel_result(const struct tw_operand *, int n_operands);

/* wrong_kernels_cuda.c: GPUs use their own codelets, not the job's. */

/* To be called before any job: kernels of that name may go wrong later. NULL: none will. */
void wrong_kernels_cuda_init(struct tw__engine *, const char *kernel);
void wrong_kernel_cuda(struct tw__engine *, struct tw__job *, enum wrong);
/* Copies synchronously to or from a GPU. Other streams continue. */
void wrong_copy_cuda(struct tw__engine *, const struct tw__job *);

#endif
