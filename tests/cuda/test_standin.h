/* Shared by the tests of the stand-in (test_standin.c). */
#ifndef TEST_STANDIN_H
#define TEST_STANDIN_H

#include <check.h>

#include "standin.h"

enum { ROOM = 64 };

/* One GPU, and the objects that a test needs on it. */
struct lab {
	tw__cuda_stream stream;
	tw__cublas blas;
	tw__cusolver solver;
	char *device[3];
	int *info;
	bool is_double;
};

void good(int error);
void open_lab(struct lab *lab, bool is_double);
void close_lab(struct lab *lab);

/* Copy n numbers, in the precision of the lab. */
void put(const struct lab *lab, int matrix, const double *numbers, int n);
void get(const struct lab *lab, int matrix, double *numbers, int n);
void fill(double *numbers, int n, unsigned seed);
void near(const struct lab *lab, double is, double expected);

/* m, n, k and the leading dimensions all differ, so that mixing them up is noticed. */
enum { M = 7, N = 5, K = 6, LD = 9, ALL = LD * 8 };

/* An element of op(A). */
double element(const double *a, int trans, int i, int j);

void add_device_tests(TCase *cases);
void add_memory_tests(TCase *cases);
void add_stream_tests(TCase *cases);
void add_driver_tests(TCase *cases);
void add_blas_tests(TCase *cases);
void add_triangle_tests(TCase *cases);
void add_call_tests(TCase *cases);

#endif
