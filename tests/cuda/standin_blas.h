/* Shared by the routines of cuBLAS (standin_blas.c). */
#ifndef STANDIN_BLAS_H
#define STANDIN_BLAS_H

#include "standin.h"

/* A call, with the letters that Fortran takes. All numbers are doubles: a float converts exactly, so alpha and beta
 * do not change. */
struct standin_call {
	struct standin_op op;
	bool is_double;
	char side, uplo, trans[2], diag;
	int m, n, k;
	double alpha, beta;
	struct standin_matrix a, b, c;
};

double standin_number(const void *at, bool is_double);
struct standin_matrix standin_matrix(bool is_double, const void *at, int rows, int columns, int ld, char part);

/* The letter for a value of an enumeration; 0: invalid value. */
char standin_letter(const char *letters, int n, int value);
char standin_trans(int value);
char standin_uplo(int value);

/* Whether an operand is also the result, in the same order. */
bool standin_is_in_place(const struct standin_matrix *operand, char trans, const struct standin_matrix *result);
/* Whether an operand does not overlap the result improperly; if it does, prints a line on stderr. */
bool standin_is_apart(const char *function, const char *name, const struct standin_matrix *operand,
                      const struct standin_matrix *result);

/* Enqueues a copy of the call in the handle's stream. */
int standin_enqueue_call(const char *function, const struct standin_handle *handle, const struct standin_call *call,
                         void (*run)(struct standin_op *));

#endif
