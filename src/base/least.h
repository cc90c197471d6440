/* The lesser and the greater of two numbers, neither of which is NaN. So these avoid the library calls of fmin and
 * fmax. */
#ifndef TW__LEAST_H
#define TW__LEAST_H

static inline double tw__least(double a, double b) { return a < b ? a : b; }
static inline double tw__greatest(double a, double b) { return a > b ? a : b; }

#endif
