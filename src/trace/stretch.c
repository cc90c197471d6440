#include "trace/stretch.h"

static void find_start(struct tw__stretch *s)
{
	do
		s->start = tw__events_next(&s->events);
	while (s->start && s->start->kind != TW__TRANSFER_START);
}

static tw__ns next_start(const struct tw__stretch *s) { return s->start ? s->start->date : TW__NEVER; }

/* Begins the transfers that start at the stretch's end, and looks at the rates from then on. */
static void look_ahead(struct tw__stretch *s)
{
	while (s->start && s->start->date <= s->until) {
		tw__use_begin(&s->use, s->start->from, s->start->node, s->start->bytes);
		find_start(s);
	}
	tw__use_run(&s->use, s->until); /* transfers without latency flow at once */
	tw__use_look(&s->use);
}

void tw__stretch_open(struct tw__stretch *s, const struct tw__trace *t, const struct tw__platform *narrowed,
                      bool links_only)
{
	struct tw__weights weights;
	*s = (struct tw__stretch){.from = 0};
	tw__events_begin(&s->events, t->record);
	tw__weights_init(&weights, t->platform, t->shares);
	tw__use_init(&s->use, narrowed, &weights, links_only);
	tw__weights_finish(&weights);
	find_start(s);
	look_ahead(s);
}

void tw__stretch_next(struct tw__stretch *s)
{
	tw__use_clear(&s->use);
	s->from = s->until;
	if (s->from == TW__NEVER)
		return;
	s->until = tw__earliest(tw__use_next(&s->use), next_start(s));
	if (s->until == TW__NEVER)
		return;
	s->until = tw__latest(s->until, s->from + 1);
	tw__use_run(&s->use, s->until);
	look_ahead(s);
}
