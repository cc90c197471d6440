#include "pair.h"

#include <math.h>
#include <string.h>

#include "cluster/cluster.h"
#include "exact.h"

/* --- events ----------------------------------------------------------------------------------------------------- */

static const char *name_event(const struct tw__event *e, char text[96])
{
	static const char *const kinds[] = {"submit",  "ready",          "assign",       "start", "end",
	                                    "release", "transfer start", "transfer end", "alloc", "free",
	                                    "valid",   "invalid",        "cancel"};
	snprintf(text, 96, "%s at %lld ns (task %d, data %d, worker %d, %d to %d)", kinds[e->kind], (long long)e->date,
	         (int)e->task, (int)e->data, e->worker, e->from, e->node);
	return text;
}

static size_t first_difference(const struct tw__record *a, const struct tw__record *b)
{
	size_t i = 0, n = a->n < b->n ? a->n : b->n;
	while (i < n && memcmp(&a->events[i], &b->events[i], sizeof a->events[i]) == 0)
		i++;
	return i;
}

/* --- ends that only rounding decides ---------------------------------------------------------------------------- */

static tw__ns date_of_end(const struct tw__record *r, size_t from, uint64_t id)
{
	for (size_t i = from; i < r->n; i++)
		if (r->events[i].kind == TW__TRANSFER_END && r->events[i].offset == id)
			return r->events[i].date;
	return TW__NEVER;
}

static bool ends_at_two_dates(const struct tw__record *a, const struct tw__record *b, size_t i)
{
	return i < a->n && a->events[i].kind == TW__TRANSFER_END &&
	       date_of_end(b, i, a->events[i].offset) != a->events[i].date;
}

/* Errors of more nanoseconds change dates so often that these are no rare coincidence. */
#define FINE_NS 0.01L

static struct exact_end exactly(const struct tw__run_input *in, const struct tw__record *r, size_t i)
{
	return exact_end(in->platform, tw__run_link_shares(in->params), r, i, r->events[i].offset);
}

/* Whether another transfer that ends at the date of event i ends at the same time but for rounding. */
static bool ends_with_another(const struct tw__run_input *in, const struct tw__record *r, size_t i,
                              const struct exact_end *end)
{
	size_t first = i;
	while (first > 0 && r->events[first - 1].date == r->events[i].date)
		first--;
	for (size_t j = first; j < r->n && r->events[j].date == r->events[i].date; j++)
		if (j != i && r->events[j].kind == TW__TRANSFER_END) {
			struct exact_end other = exactly(in, r, j);
			if (fabsl(end->date - other.date) <= end->error + other.error)
				return true;
		}
	return false;
}

/* Whether nothing but rounding decides in which nanosecond, or in which of two turns of one date, the transfer of event
 * i of record `a` ends. All events before i are the same in both records. */
static enum twin rounding_decides(const struct tw__run_input *in, const struct tw__record *a,
                                  const struct tw__record *b, size_t i)
{
	const struct tw__event *e = &a->events[i];
	if (i == a->n || e->kind != TW__TRANSFER_END)
		return TWIN_SAME;
	tw__ns one = e->date, other = date_of_end(b, i, e->offset);
	struct exact_end end = exactly(in, a, i);
	/* The engines' clocks count from different origins. */
	long double most_slack = tw__clock_slack(end.seconds), least_slack = tw__clock_slack(0),
		    spread = TW__NS_PER_S * tw__clock_spread(end.seconds);
	bool open = one == other ? fabsl(end.date - (one + spread)) <= end.error || ends_with_another(in, a, i, &end)
	                         : ceill(end.date - most_slack - end.error) <= tw__earliest(one, other) &&
	                                   ceill(end.date - least_slack + end.error) >= tw__latest(one, other);
	return !open ? TWIN_SAME : end.error <= FINE_NS ? TWIN_UNDECIDED : TWIN_COARSE;
}

/* Whether a transfer that ends in record `a` at the date of event i ends at another date in `b`. */
static bool one_ends_at_two_dates(const struct tw__record *a, const struct tw__record *b, size_t i)
{
	for (size_t j = i; j < a->n && a->events[j].date == a->events[i].date; j++)
		if (ends_at_two_dates(a, b, j))
			return true;
	return false;
}

/* An end may have one date in both records, but be told in two turns. Then copies become valid at two dates, or the
 * runtime does something else in another order. Looks at the ends of the last date before event i at which transfers
 * ended. */
static enum twin turns_decide(const struct tw__run_input *in, const struct tw__record *a, const struct tw__record *b,
                              size_t i)
{
	enum twin twin = TWIN_SAME;
	tw__ns date = TW__NEVER;
	for (size_t j = i; twin == TWIN_SAME && j-- > 0 && (date == TW__NEVER || a->events[j].date == date);)
		if (a->events[j].kind == TW__TRANSFER_END) {
			date = a->events[j].date;
			twin = rounding_decides(in, a, b, j);
		}
	return twin;
}

/* --- pairs ------------------------------------------------------------------------------------------------------ */

static void run_native(const struct tw__run_input *simgrid, const struct tw__engine_ops *native,
                       struct tw__record *record, struct outcome *o)
{
	struct tw__run_input in = *simgrid;
	in.engine = native;
	in.record = record;
	tw__record_init(record);
	o->status = tw__cluster_run(&in, &o->counters, &o->err);
}

static void compare(const struct tw__run_input *in, struct tw__record *native, const struct outcome *n,
                    struct outcome *o)
{
	struct tw__record *simgrid = in->record;
	char one[96] = "none", other[96] = "none";
	if ((o->ran ? TW_OK : o->status) != n->status) {
		o->status = tw_fail(&o->err, TW_FAILED, "the engines differ: status %d and %d: %.200s", o->status,
		                    n->status, n->err.message);
		return;
	}
	tw__record_sort(simgrid); /* the validator has sorted it, but a failed run is not validated */
	tw__record_sort(native);
	size_t i = first_difference(simgrid, native);
	if (i == simgrid->n && i == native->n)
		return;
	/* If a transfer ends at two dates, that must be open; it may hide another one, which ends at one date. */
	bool ours = ends_at_two_dates(simgrid, native, i), theirs = ends_at_two_dates(native, simgrid, i);
	if (ours || !theirs)
		o->twin = rounding_decides(in, simgrid, native, i);
	if ((theirs && !ours) || (!theirs && !ours && o->twin == TWIN_SAME))
		o->twin = rounding_decides(in, native, simgrid, i);
	if (o->twin == TWIN_SAME && !one_ends_at_two_dates(simgrid, native, i) &&
	    !one_ends_at_two_dates(native, simgrid, i))
		o->twin = turns_decide(in, simgrid, native, i);
	if (o->twin != TWIN_SAME)
		return;
	if (i < simgrid->n)
		name_event(&simgrid->events[i], one);
	if (i < native->n)
		name_event(&native->events[i], other);
	o->status = tw_fail(&o->err, TW_FAILED,
	                    "the engines differ: event %zu of %zu: %s and %s; makespans %lld and %lld ns", i,
	                    simgrid->n, one, other, (long long)simgrid->makespan, (long long)native->makespan);
}

void pair_compare(const struct tw__run_input *in, struct outcome *o)
{
	struct outcome n = {0}, again = {0};
	struct tw__record record, repeated;
	run_native(in, &tw__engine_native, &record, &n);
	run_native(in, &tw__engine_native, &repeated, &again);
	if (n.status != again.status || first_difference(&record, &repeated) != record.n || record.n != repeated.n)
		o->status = tw_fail(&o->err, TW_FAILED, "a second run of the native engine gave another schedule");
	else if (o->status == TW_OK || !o->ran)
		compare(in, &record, &n, o);
	tw__record_finish(&record);
	tw__record_finish(&repeated);
}

/* --- a planted fault -------------------------------------------------------------------------------------------- */

static struct {
	const struct tw__platform *platform;
	int64_t n, faulty; /* transfers so far; the one that takes longer */
} planted;

static void transfer_longer(struct tw__engine *e, tw_node from, tw_node to, tw_data data, uint64_t bytes,
                            uint64_t token)
{
	const struct tw__route *route = tw__route_of(planted.platform, from, to);
	double most = 1;
	for (int l = 0; l < route->n_links; l++)
		most = fmax(most, planted.platform->links[route->links[l]].bandwidth / TW__NS_PER_S);
	bytes += planted.n++ == planted.faulty ? (uint64_t)ceil(most) : 0;
	tw__engine_native.transfer(e, from, to, data, bytes, token);
}

void pair_find_fault(const struct tw__run_input *in, struct outcome *o)
{
	struct tw__engine_ops faulty = tw__engine_native;
	struct outcome n = {0};
	struct tw__record record;
	if (o->status != TW_OK || o->counters.transfers == 0)
		return;
	run_native(in, &tw__engine_native, &record, &n);
	compare(in, &record, &n, o);
	tw__record_finish(&record);
	if (o->status != TW_OK || o->twin != TWIN_SAME) /* without the fault, too, there is a difference */
		return;
	planted.platform = in->platform;
	planted.faulty = o->counters.transfers / 2;
	faulty.transfer = transfer_longer;
	run_native(in, &faulty, &record, &n);
	compare(in, &record, &n, o);
	tw__record_finish(&record);
	/* at late dates rounding errors exceed the fault */
	o->status = o->status == TW_OK && o->twin != TWIN_COARSE
	                    ? tw_fail(&o->err, TW_FAILED, "the comparison does not find a planted fault")
	                    : TW_OK;
}
