/* TRANSFER: the ends of simulated transfers, recomputed from their starts. They must be those of the model of shared
 * links (links/shares.h). So two transfers that together use more than their link has are refused, although each alone
 * is slow enough. */
#include <math.h>
#include <stdlib.h>

#include "links/shares.h"
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

/* Shares count seconds from an origin that moves with the dates, so that doubles keep their precision. */
#define MOST_SECONDS 1024.0

/* How far an end may be from the model's, in nanoseconds. The engine rounds ends up to whole nanoseconds. SimGrid's
 * rates are exact to 1e-6, and its clock loses digits in long runs. */
static double tolerance_ns(const struct tw__replay *r, const struct tw__flow_of *f)
{
	double took = (double)(f->end->date - f->start->date), date = (double)f->end->date;
	return r->rounds ? fmax(100, 2e-6 * took) + 4 * date * 0x1p-52 : fmax(3, 1e-9 * took);
}

/* Checks the end of a transfer that the model ends `end_s` seconds after `origin`. Ends are compared relative to the
 * origin: a double resolves 128 ns at a date of 1e9 s. */
static int check_end(struct tw__replay *r, const struct tw__flow_of *f, tw__ns origin, double end_s)
{
	double late_ns = (double)(f->end->date - origin) - end_s * TW__NS_PER_S;
	if (fabs(late_ns) <= tolerance_ns(r, f))
		return TW_OK;
	r->date = f->end->date;
	return tw__violation(r, TW__RULE_TRANSFER,
	                     "data %d, which left %s for %s at %.9f s, ended %.9g s %s than with the transfers that "
	                     "share its links",
	                     (int)f->start->data, tw__node_name(r, f->start->from), tw__node_name(r, f->start->node),
	                     tw__seconds(f->start->date), fabs(late_ns) / TW__NS_PER_S,
	                     late_ns < 0 ? "earlier" : "later");
}

/* Checks all transfers that the model has ended at or before `now`, in seconds from `origin`. */
static int check_ended(struct tw__flows_of *f, struct tw__shares *shares, tw__ns origin, double now)
{
	int status = TW_OK;
	for (struct tw__share *s; status == TW_OK && (s = tw__shares_end(shares, now));)
		status = check_end(f->r, (const struct tw__flow_of *)(void *)s, origin, s->end);
	return status;
}

static int recompute(struct tw__flows_of *f, struct tw__shares *shares)
{
	tw__ns origin = 0;
	int status = TW_OK;
	for (size_t i = 0; i < f->n && status == TW_OK; i++) {
		const struct tw__event *e = f->of[i].start;
		double now = tw__seconds(e->date - origin);
		if (now > MOST_SECONDS) {
			double whole = floor(now);
			status = check_ended(f, shares, origin, now);
			tw__shares_shift(shares, whole);
			origin += (tw__ns)(whole * TW__NS_PER_S);
			now = tw__seconds(e->date - origin);
		}
		if (status == TW_OK)
			status = check_ended(f, shares, origin, now);
		if (status == TW_OK)
			tw__shares_begin(shares, &f->of[i].share, e->from, e->node, (double)e->bytes, now);
	}
	return status == TW_OK ? check_ended(f, shares, origin, INFINITY) : status;
}

static int check_model(struct tw__flows_of *f)
{
	struct tw_platform narrowed;
	struct tw__shares shares;
	if (tw__bottlenecks_init(&narrowed, f->r->in->platform)) {
		tw__bottlenecks_finish(&narrowed);
		return no_memory(f->r);
	}
	int status = tw__shares_init(&shares, &narrowed, tw__weight_unit(f->r->in->platform, f->r->in->shares)) == TW_OK
	                     ? recompute(f, &shares)
	                     : no_memory(f->r);
	tw__shares_finish(&shares);
	tw__bottlenecks_finish(&narrowed);
	return status;
}

int tw__replay_flows(struct tw__replay *r, const struct tw__record *record)
{
	struct tw__flows_of f = {.r = r};
	if (r->measured && r->in->moves_nothing)
		return TW_OK;
	int status = collect(&f, record);
	if (status == TW_OK && f.n)
		status = r->measured ? tw__replay_links(&f) : check_model(&f);
	free(f.of);
	return status;
}
