/* Latency and bandwidth of a link, from copies of several sizes. */
#ifndef TW__LINE_H
#define TW__LINE_H

/* A copy of so many bytes takes so long. */
struct tw__copy_time {
	double bytes, seconds;
};

struct tw__line {
	double latency_s, bandwidth; /* bytes/s */
	double residual;             /* the greatest distance of a point from the line, as a part of the line */
};

/* Least squares with relative errors, so that small copies, which tell the latency, count as much as great ones. Two points at
 * least, of different sizes. A latency below 0 becomes 0. */
void tw__line_fit(struct tw__line *, const struct tw__copy_time *, int n);

#endif
