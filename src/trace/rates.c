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

int tw__rates_init(struct tw__rates *r, const struct tw__record *record, const struct tw_platform *p, double unit)
{
	*r = (struct tw__rates){.record = record};
	find_start(r);
	return tw__use_init(&r->use, p, unit);
}

void tw__rates_finish(struct tw__rates *r) { tw__use_finish(&r->use); }

static int begin_transfers(struct tw__rates *r)
{
	int status = TW_OK;
	while (status == TW_OK && next_start(r) <= r->from) {
		const struct tw__event *e = &r->record->events[r->next++];
		status = tw__use_begin(&r->use, e->from, e->node, e->bytes);
		find_start(r);
	}
	return status;
}

int tw__rates_next(struct tw__rates *r)
{
	tw__use_clear(&r->use);
	r->from = r->until;
	if (r->from == TW__NEVER)
		return TW_OK;
	int status = begin_transfers(r);
	tw__use_run(&r->use, r->from); /* transfers without latency flow at once */
	r->until = tw__earliest(tw__use_next(&r->use), next_start(r));
	if (r->until == TW__NEVER)
		return status;
	r->until = tw__latest(r->until, r->from + 1);
	tw__use_run(&r->use, r->until);
	return status;
}

static double seconds_of(const struct tw__rates *r) { return tw__seconds(r->until - r->from); }

double tw__rates_used(const struct tw__rates *r, int i)
{
	return r->until == TW__NEVER ? 0 : r->use.of[i].bytes / seconds_of(r);
}

double tw__rates_capacity(const struct tw__rates *r, int link)
{
	const struct tw_platform *p = r->use.platform;
	double seconds = r->until == TW__NEVER ? 1 : seconds_of(r);
	return tw__most_bytes(&p->links[link], &r->use.of[tw__passed_link(p, link)], seconds) / seconds;
}
