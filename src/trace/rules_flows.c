/* TRANSFER: the ends of simulated transfers, recomputed from their starts. They must be those of the model of shared
 * links (links/shares.h). So two transfers that together use more than their link has are refused, although each alone
 * is slow enough. */
#include <math.h>
#include <stdlib.h>

#include "base/least.h"
#include "links/dated.h"
#include "platform/bottlenecks.h"
#include "trace/replay_flows.h"

static int no_memory(struct tw__replay *r) { return tw_fail(r->err, TW_NOMEM, "out of memory while validating"); }

/* Lists the transfers; the rules of single transfers have made sure that each has both events. */
static int collect(struct tw__flows_of *f, const struct tw__record *record)
{
	size_t *other_end = malloc((record->n + 1) * sizeof *other_end);
	for (size_t i = 0; i < record->n; i++)
		f->n += record->events[i].kind == TW__TRANSFER_START;
	f->of = calloc(f->n + 1, sizeof *f->of);
	bool ok = other_end && f->of && tw__record_pairs(record, other_end);
	size_t n = 0;
	for (size_t i = 0; ok && i < record->n; i++)
		if (record->events[i].kind == TW__TRANSFER_START) {
			f->of[n].start = &record->events[i];
			f->of[n++].end = &record->events[other_end[i]];
		}
	free(other_end);
	return ok ? TW_OK : no_memory(f->r);
}

/* Computes what the weights of the platform's routes mean for the tolerance. SimGrid's solver takes a sum of weights
 * below 1e-6 for zero (engine/simgrid_load.c), so it is wrong by up to that about flows with less weight. */
static void weigh(struct tw__flows_of *f)
{
	const struct tw_platform *p = f->r->in->platform;
	double lightest = INFINITY;
	f->unit = tw__weight_unit(p, f->r->in->shares);
	for (int i = 0; i < p->n_nodes * p->n_nodes; i++)
		if (p->routes[i].n_links) {
			f->heaviest = tw__greatest(f->heaviest, tw__weight(&p->routes[i], f->unit));
			lightest = tw__least(lightest, tw__weight(&p->routes[i], f->unit));
		}
	f->rate_error = lightest < 1e-5 ? 1e-6 : 1e-12;
}

/* Doubles round to the nearest of their units, which grow with the date. Between two dates that are equal but for
 * rounding, ends come with these errors:
 *
 * - Both engines subtract tw__clock_slack() from the end, and round up to a date: so an end on a whole nanosecond stays
 *   there. The slack is more than the rounding error of an end that the model computes. An end may also wait for
 *   another one within the slack. So 3/4 of the slack is the tolerance; a whole slack would let pass the next date.
 * - The native engine computes as this model does, in seconds from an origin that moves. So nothing more is lost.
 * - SimGrid's clock counts from another origin, which moves as well (engine/simgrid.h). In each of its steps the
 *   clock and the bytes that are left lose half a unit, and dates that are less than 1e-6 ns apart become one
 *   (engine/simgrid_load.c). A transfer sees a step for each event meanwhile, and some that have no event. When a
 *   transfer of more weight joins, a light one becomes slower by as much, so it takes longer for the bytes that the
 *   clock has lost before. Its bytes have the error of its rates. */
static double off_ns(const struct tw__flows_of *f, const struct tw__flow_of *of, tw__ns origin)
{
	const struct tw__event *start = of->start, *end = of->end;
	const double model_ns = of->share.end * TW__NS_PER_S, lasted_ns = (double)(end->date - start->date);
	const double slack = tw__clock_slack(of->share.end), is = (double)(end->date - origin);
	double tolerance = 0.75 * slack;
	if (f->r->rounds) {
		const struct tw__route *route = tw__route_of(f->r->in->platform, start->from, start->node);
		double clock_ns = tw__least((double)end->date, TW__FARTHEST_S * TW__NS_PER_S + lasted_ns),
		       slower = f->heaviest / tw__weight(route, f->unit);
		tolerance += (16 + 0.5 * (double)(end - start)) * (1e-6 + clock_ns * slower * 0x1p-52) +
		             f->rate_error * lasted_ns;
	}
	bool good = is >= ceil(model_ns - slack - tolerance) && is <= ceil(model_ns - slack + tolerance);
	return good ? 0 : is - model_ns;
}

static int check_end(struct tw__flows_of *f, const struct tw__dated *m, const struct tw__flow_of *of)
{
	struct tw__replay *r = f->r;
	double off = off_ns(f, of, m->origin);
	if (!(fabs(off) > 0))
		return TW_OK;
	r->date = of->end->date;
	return tw__violation(r, TW__RULE_TRANSFER,
	                     "data %d, which left %s for %s at %.9f s, ended %.9g s %s than with the transfers that "
	                     "share its links",
	                     (int)of->start->data, tw__node_name(r, of->start->from), tw__node_name(r, of->start->node),
	                     tw__seconds(of->start->date), fabs(off) / TW__NS_PER_S, off < 0 ? "earlier" : "later");
}

/* Checks the transfers that the model ends by `date`. `n_told` is the number of ends in the record until now: an engine
 * removes a transfer from the model when it tells the end. */
static int check_ended(struct tw__flows_of *f, struct tw__dated *m, tw__ns date, size_t n_told)
{
	int status = TW_OK;
	for (; status == TW_OK && f->n_ended < n_told && tw__dated_next(m) <= date; f->n_ended++)
		status = check_end(f, m, (struct tw__flow_of *)(void *)tw__dated_end(m));
	return status;
}

static int recompute(struct tw__flows_of *f, struct tw__dated *m, const struct tw__record *record)
{
	int status = TW_OK;
	size_t n_told = 0;
	const struct tw__event *at = record->events;
	for (size_t i = 0; i < f->n && status == TW_OK; i++) {
		const struct tw__event *e = f->of[i].start;
		for (; at < e; at++)
			n_told += at->kind == TW__TRANSFER_END;
		status = check_ended(f, m, e->date, n_told);
		tw__dated_begin(m, &f->of[i].share, e->from, e->node, (double)e->bytes, e->date);
	}
	return status == TW_OK ? check_ended(f, m, TW__LAST, f->n) : status;
}

static int check_model(struct tw__flows_of *f, const struct tw__record *record)
{
	struct tw_platform narrowed;
	struct tw__dated m;
	if (tw__bottlenecks_init(&narrowed, f->r->in->platform)) {
		tw__bottlenecks_finish(&narrowed);
		return no_memory(f->r);
	}
	int status = tw__dated_init(&m, &narrowed, f->unit) == TW_OK ? recompute(f, &m, record) : no_memory(f->r);
	tw__dated_finish(&m);
	tw__bottlenecks_finish(&narrowed);
	return status;
}

int tw__replay_flows(struct tw__replay *r, const struct tw__record *record)
{
	struct tw__flows_of f = {.r = r};
	if (r->measured && r->in->moves_nothing)
		return TW_OK;
	weigh(&f);
	int status = collect(&f, record);
	if (status == TW_OK && f.n)
		status = r->measured ? tw__replay_links(&f) : check_model(&f, record);
	free(f.of);
	return status;
}
