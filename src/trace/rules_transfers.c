/* The rule TRANSFER: of single transfers, and of the ends of all transfers together, recomputed from their starts. In a
 * simulated run, they must be those of the model of shared links (links/shares.h). So two transfers that together use
 * more than their link has are refused, although each alone is slow enough. rules_links.c is for measured runs. */
#include <math.h>
#include <stdlib.h>

#include "base/least.h"
#include "links/dated.h"
#include "platform/bottlenecks.h"
#include "trace/replay.h"

/* --- single transfers --------------------------------------------------------------------------------------------- */

/* The rule TRANSFER, about its size: all bytes of the handle are transferred. */
static int check_size(struct tw__replay *r, const struct tw__event *e)
{
	if (e->bytes != r->graph->data_bytes[e->data])
		return tw__violation(r, TW__RULE_TRANSFER, "%llu bytes of data %d, which has %llu, go from %s to %s",
		                     (unsigned long long)e->bytes, (int)e->data,
		                     (unsigned long long)r->graph->data_bytes[e->data], tw__node_name(r, e->from),
		                     tw__node_name(r, e->node));
	return TW_OK;
}

/* The rule TRANSFER, about its ends: the source is a valid copy that no task is writing, and the destination has
 * room. */
static int check_ends(struct tw__replay *r, const struct tw__event *e)
{
	const struct tw__copy *source = tw__copy_of(r, e->data, e->from), *target = tw__copy_of(r, e->data, e->node);
	const char *from = tw__node_name(r, e->from), *to = tw__node_name(r, e->node);
	if (r->data[e->data].touch == TW__UNTOUCHED)
		return tw__violation(r, TW__RULE_HOME, "data %d leaves %s before its first touch", (int)e->data, from);
	if (r->data[e->data].writer != TW_NONE)
		return tw__violation(r, TW__RULE_TRANSFER, "data %d leaves %s while task %d is writing it",
		                     (int)e->data, from, (int)r->data[e->data].writer);
	if (!source->valid)
		return tw__violation(r, TW__RULE_TRANSFER, "data %d leaves %s, where it is not valid", (int)e->data,
		                     from);
	if (tw__bounded(r, e->from) && !source->room)
		return tw__violation(r, TW__RULE_TRANSFER, "data %d leaves %s, where it has no room", (int)e->data,
		                     from);
	if (tw__bounded(r, e->node) && !target->room)
		return tw__violation(r, TW__RULE_TRANSFER, "data %d goes to %s, where it has no room", (int)e->data,
		                     to);
	return TW_OK;
}

int tw__replay_moves(struct tw__replay *r, const struct tw__event *e, uint32_t version)
{
	struct tw__moving *m;
	HASH_FIND(hh, r->moving, &e->offset, sizeof e->offset, m);
	if (m)
		return tw__violation(r, TW__RULE_TRANSFER, "transfer %llu of data %d starts a second time",
		                     (unsigned long long)e->offset, (int)e->data);
	m = r->ended ? r->ended : tw__arena_alloc(&r->memory, 1, sizeof *m);
	r->ended = m->next;
	*m = (struct tw__moving){.id = e->offset, .number = r->n_transfers, .version = version};
	TW_RESERVE(r->transfers, r->transfers_capacity, r->n_transfers + 1);
	r->transfers[r->n_transfers++] = (struct tw__ends){.start = e};
	HASH_ADD(hh, r->moving, id, sizeof m->id, m);
	return TW_OK;
}

static int start(struct tw__replay *r, const struct tw__event *e)
{
	int status = check_size(r, e);
	if (status == TW_OK)
		status = check_ends(r, e);
	if (status == TW_OK)
		status = tw__replay_moves(r, e, tw__copy_of(r, e->data, e->from)->valid);
	if (status != TW_OK)
		return status;
	tw__copy_of(r, e->data, e->from)->pins++;
	tw__copy_of(r, e->data, e->node)->pins++;
	tw__copy_of(r, e->data, e->node)->incoming++;
	return TW_OK;
}

int tw__replay_moved(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__moving *m;
	HASH_FIND(hh, r->moving, &e->offset, sizeof e->offset, m);
	const struct tw__event *start = m ? r->transfers[m->number].start : NULL;
	if (!start || start->data != e->data || start->from != e->from || start->node != e->node ||
	    start->bytes != e->bytes)
		return tw__violation(r, TW__RULE_TRANSFER,
		                     "transfer %llu of data %d to %s ends without a matching start",
		                     (unsigned long long)e->offset, (int)e->data, tw__node_name(r, e->node));
	r->transfers[m->number].end = e;
	HASH_DEL(r->moving, m);
	m->next = r->ended;
	r->ended = m;
	return TW_OK;
}

static int end(struct tw__replay *r, const struct tw__event *e)
{
	int status = tw__replay_moved(r, e);
	if (status != TW_OK)
		return status;
	tw__copy_of(r, e->data, e->from)->pins--;
	tw__copy_of(r, e->data, e->node)->pins--;
	tw__copy_of(r, e->data, e->node)->incoming--;
	tw__copy_of(r, e->data, e->node)->arrived = r->ended->version;
	return TW_OK;
}

int tw__replay_transfer(struct tw__replay *r, const struct tw__event *e)
{
	return e->kind == TW__TRANSFER_START ? start(r, e) : end(r, e);
}

/* The rule TRANSFER, at the end of a run: all transfers have ended. */
int tw__replay_transfers_end(struct tw__replay *r)
{
	if (!r->moving)
		return TW_OK;
	const struct tw__event *e = r->transfers[r->moving->number].start;
	return tw__violation(r, TW__RULE_TRANSFER, "the transfer of data %d from %s to %s never ends", (int)e->data,
	                     tw__node_name(r, e->from), tw__node_name(r, e->node));
}

/* --- all transfers ------------------------------------------------------------------------------------------------ */

struct flow {
	struct tw__share share;
	const struct tw__event *start, *end;
};

struct flows {
	struct tw__replay *r;
	struct flow *of;   /* [n] in the order of their starts */
	size_t n, n_ended; /* n_ended: how many the model has ended */
	struct tw__weights weights;
	double heaviest;   /* the greatest weight of a route */
	double rate_error; /* the relative error of SimGrid's rates on this platform */
};

/* Lists the transfers; the rules of single transfers have made sure that each has both events. */
static void collect(struct flows *f)
{
	f->n = f->r->n_transfers;
	f->of = tw_alloc(f->n, sizeof *f->of);
	for (size_t i = 0; i < f->n; i++) {
		f->of[i].start = f->r->transfers[i].start;
		f->of[i].end = f->r->transfers[i].end;
	}
}

/* Computes what the weights of the platform's routes mean for the tolerance. SimGrid's solver takes a sum of weights
 * below 1e-6 for zero (engine/simgrid_load.c), so it is wrong by up to that about flows with less weight. */
static void weigh(struct flows *f)
{
	const struct tw__platform *p = f->r->in->platform;
	double lightest = INFINITY;
	tw__weights_init(&f->weights, p, f->r->in->shares);
	for (int i = 0; i < p->n_nodes * p->n_nodes; i++)
		if (p->routes[i].n_links) {
			f->heaviest = tw__greatest(f->heaviest, tw__weight(&f->weights, p, &p->routes[i]));
			lightest = tw__least(lightest, tw__weight(&f->weights, p, &p->routes[i]));
		}
	f->rate_error = lightest < 1e-5 ? 1e-6 : 1e-12;
}

/* --- simulated runs ----------------------------------------------------------------------------------------------- */

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
 *   clock has lost before. Its bytes have the error of its rates. The transfer may start when a kernel ends that has
 *   run for years: that end has lost half a unit of its date. */
static double off_ns(const struct flows *f, const struct flow *of, tw__ns origin)
{
	const struct tw__event *start = of->start, *end = of->end;
	const double model_ns = of->share.end * TW__NS_PER_S, lasted_ns = (double)(end->date - start->date);
	const double slack = tw__clock_slack(of->share.end), is = (double)(end->date - origin);
	double tolerance = 0.75 * slack;
	if (f->r->rounds) {
		const struct tw__route *route = tw__route_of(f->r->in->platform, start->from, start->node);
		double clock_ns = tw__least((double)end->date, TW__FARTHEST_S * TW__NS_PER_S + lasted_ns),
		       slower = f->heaviest / tw__weight(&f->weights, f->r->in->platform, route);
		tolerance += (16 + 0.5 * (double)(end - start)) * (1e-6 + clock_ns * slower * 0x1p-52) +
		             (double)start->date * 0x1p-53 + f->rate_error * lasted_ns;
	}
	bool good = is >= ceil(model_ns - slack - tolerance) && is <= ceil(model_ns - slack + tolerance);
	return good ? 0 : is - model_ns;
}

static int check_end(struct flows *f, const struct tw__dated *m, const struct flow *of)
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
static int check_ended(struct flows *f, struct tw__dated *m, tw__ns date, size_t n_told)
{
	int status = TW_OK;
	for (; status == TW_OK && f->n_ended < n_told && tw__dated_next(m) <= date; f->n_ended++)
		status = check_end(f, m, (struct flow *)(void *)tw__dated_end(m));
	return status;
}

static int recompute(struct flows *f, struct tw__dated *m, const struct tw__record *record)
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

static int check_model(struct flows *f, const struct tw__record *record)
{
	struct tw__platform narrowed;
	struct tw__dated m;
	tw__bottlenecks_init(&narrowed, f->r->in->platform);
	tw__dated_init(&m, &narrowed, &f->weights);
	int status = recompute(f, &m, record);
	tw__dated_finish(&m);
	tw__bottlenecks_finish(&narrowed);
	return status;
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

int tw__replay_flows(struct tw__replay *r, const struct tw__record *record)
{
	struct flows f = {.r = r};
	if (r->measured)
		return r->in->moves_nothing ? TW_OK : tw__replay_links(r);
	weigh(&f);
	collect(&f);
	int status = f.n ? check_model(&f, record) : TW_OK;
	tw__weights_finish(&f.weights);
	free(f.of);
	return status;
}
