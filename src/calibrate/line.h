/* Finds latency and bandwidth of a link, from the times of copies of several sizes. */
#ifndef TW__LINE_H
#define TW__LINE_H

/* Size and duration of a copy. */
struct tw__copy_time {
	double bytes, seconds;
};

struct tw__line {
	double latency_s, bandwidth; /* latency in seconds, bandwidth in bytes/s */
	double residual;             /* largest difference between a copy's time and the line, relative to the line */
};

/* Fits a line to the times of copies by least squares of relative errors. So small copies, which determine the latency,
 * have the same weight as large ones. Needs at least two points, of different sizes. A negative latency becomes 0. */
void tw__line_fit(struct tw__line *, const struct tw__copy_time *, int n);

#endif
