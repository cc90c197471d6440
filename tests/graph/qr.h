/* Graphs of tile QR of many shapes, and their kernels. */
#ifndef QR_H
#define QR_H

#include "generated.h"

enum { GEQRT, ORMQR, TSQRT, TSMQR, TTQRT, TTMQR, LACPY, N_KERNELS };

/* Shapes of one to three domains and more, of domains that differ, of one column, square and tall. */
struct shape {
	int mt, nt, domains; /* 0: each row is a domain */
};
enum { N_SHAPES = 14 };
extern const struct shape shapes[N_SHAPES];

struct tw_graph *shaped(int shape, const char *options); /* "", or what is behind "qr:..." */
int kernel_of(const struct tw_graph *, tw_task);
void count_kernels(const struct tw_graph *, int counts[N_KERNELS]);

#endif
