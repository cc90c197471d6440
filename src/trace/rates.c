#include "trace/rates.h"

static void find_start(struct tw__rates *r)
{
	while (r->next < r->record->n && r->record->events[r->next].kind != TW__TRANSFER_START)
		r->next++;
}

static tw__ns next_start(const struct tw__rates *r)
{
	return r->next < r->record->n ? r->record->events[r->next].date : TW__NEVER;
}

/* Begins the transfers that start at the stretch's end, and looks at the rates from then on. */
static int look_ahead(struct tw__rates *r)
{
	int status = TW_OK;
	while (status == TW_OK && next_start(r) <= r->until) {
		const struct tw__event *e = &r->record->events[r->next++];
		status = tw__use_begin(&r->use, e->from, e->node, e->bytes);
		find_start(r);
	}
	tw__use_run(&r->use, r->until); /* transfers without latency flow at once */
	tw__use_look(&r->use);
	return status;
}

int tw__rates_init(struct tw__rates *r, const struct tw__record *record, const struct tw_platform *p, double unit)
{
	*r = (struct tw__rates){.record = record};
	int status = tw__use_init(&r->use, p, unit);
	find_start(r);
	return status == TW_OK ? look_ahead(r) : status;
}

void tw__rates_finish(struct tw__rates *r) { tw__use_finish(&r->use); }

int tw__rates_next(struct tw__rates *r)
{
	tw__use_clear(&r->use);
	r->from = r->until;
	if (r->from == TW__NEVER)
		return TW_OK;
	r->until = tw__earliest(tw__use_next(&r->use), next_start(r));
	if (r->until == TW__NEVER)
		return TW_OK;
	r->until = tw__latest(r->until, r->from + 1);
	tw__use_run(&r->use, r->until);
	return look_ahead(r);
}
