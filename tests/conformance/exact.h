/* The exact ends of transfers in a record, with more digits than the engines have. */
#ifndef EXACT_H
#define EXACT_H

#include "platform/platform.h"
#include "trace/record.h"

/* In nanoseconds and their fractions. NAN: the transfer does not end. */
struct exact_end {
	long double date, error; /* SimGrid's date, in doubles, is at most so far from the exact one */
	double seconds;          /* at most so many have passed on the engines' clocks, since their origins */
};

/* Returns the end of the transfer `id`. The first n events of the sorted record have all transfers that begin before
 * this end. */
struct exact_end exact_end(const struct tw__platform *, enum tw__link_shares, const struct tw__record *, size_t n,
                           uint64_t id);

#endif
