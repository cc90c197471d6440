/* Latency and bandwidth of a link, from copies of several sizes. */
#ifndef TW__LINE_H
#define TW__LINE_H

/* Duration of a copy. */
struct tw__copy_time {
	double bytes, seconds;
};

struct tw__line {
	double latency_s, bandwidth; /* bytes/s */
	double residual;             /* largest relative distance of a point from the line */
};

/* Least squares of relative errors, so that small copies, which determine the latency, have the same weight as large
 * ones. Needs at least two points, of different sizes. A negative latency becomes 0. */
void tw__line_fit(struct tw__line *, const struct tw__copy_time *, int n);

#endif
