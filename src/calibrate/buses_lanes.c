/* Routes whose copies are made one at a time, in runs as in a calibration. Their lane is a main memory's thread for
 * copies from other main memories, a card's stream for copies from main memories, or its stream for copies to them. A
 * lane has several routes only where there are several main memories. */
#include "calibrate/calibrate.h"

struct tw__bus_shared *tw__buses_share(struct tw__buses *b, double bandwidth)
{
	TW_RESERVE(b->shared, b->shared_capacity, (size_t)b->n_shared + 1);
	b->shared[b->n_shared] = (struct tw__bus_shared){tw_alloc((size_t)b->n_ways, sizeof(bool)), bandwidth};
	return &b->shared[b->n_shared++];
}

/* Whether copies on two routes are of one lane. */
static bool is_one_lane(const struct tw__buses *b, int v, int w)
{
	const struct tw__way one = b->ways[v].way, other = b->ways[w].way;
	return tw__buses_has_main(b, one.from)
	               ? tw__buses_has_main(b, other.from) && one.to == other.to
	               : tw__buses_has_main(b, one.to) && tw__buses_has_main(b, other.to) && one.from == other.from;
}

bool tw__buses_has_faster(const struct tw__buses *b, const bool *set, int w)
{
	const double own = b->ways[w].line.bandwidth;
	for (int v = 0; v < b->n_ways; v++)
		if ((!set || set[v]) && v != w && is_one_lane(b, v, w) &&
		    (b->ways[v].line.bandwidth > own || (b->ways[v].line.bandwidth == own && v < w)))
			return true;
	return false;
}

void tw__buses_share_lanes(struct tw__buses *b)
{
	for (int w = 0; w < b->n_ways; w++) {
		struct tw__bus_shared *shared = NULL;
		for (int v = 0; v < b->n_ways && !tw__buses_has_faster(b, NULL, w); v++)
			if (v != w && is_one_lane(b, v, w)) {
				shared = shared ? shared : tw__buses_share(b, b->ways[w].line.bandwidth);
				shared->has[v] = shared->has[w] = true;
			}
	}
}
