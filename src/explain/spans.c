/* The times in which single workers computed nothing, with their causes: for pictures. */
#include <stdlib.h>

#include <tilewright/containers.h>

#include "explain/workers.h"

void tw__account_span(struct tw__account *a, tw_worker worker, enum tw__why why, tw__ns start, tw__ns end)
{
	struct tw__explanation *e = a->e;
	if (start >= end || a->out_of_memory)
		return;
	if (!TW_HAS_ROOM(e->spans, e->spans_capacity, e->n_spans + 1)) {
		a->out_of_memory = true;
		return;
	}
	e->spans[e->n_spans++] = (struct tw__idle_span){worker, why, start, end};
}

void tw__account_note_idle(struct tw__account *a, struct tw__account_arch *arch, enum tw__why why)
{
	if (arch->n_turns > 0 && arch->turns[arch->n_turns - 1].why == why)
		return;
	if (!TW_HAS_ROOM(arch->turns, arch->turns_capacity, arch->n_turns + 1)) {
		a->out_of_memory = true;
		return;
	}
	arch->turns[arch->n_turns++] = (struct tw__idle_turn){why, a->date};
}

void tw__account_idle_spans(struct tw__account *a, const struct tw__account_worker *w)
{
	const struct tw__account_arch *arch = &a->archs[w->arch];
	tw__ns patience = a->run->patience;
	size_t i = arch->n_turns;
	while (i > 0 && arch->turns[i - 1].date > w->since)
		i--;
	for (i = i > 0 ? i - 1 : 0; i < arch->n_turns; i++) {
		tw__ns start = tw__latest(w->since, arch->turns[i].date);
		tw__ns end = i + 1 < arch->n_turns ? tw__earliest(arch->turns[i + 1].date, a->date) : a->date;
		tw__ns ours =
			arch->turns[i].why == TW__WHY_POLICY && end > start ? tw__earliest(patience, end - start) : 0;
		patience -= ours;
		tw__account_span(a, (tw_worker)(w - a->workers), TW__WHY_RUNTIME, start, start + ours);
		tw__account_span(a, (tw_worker)(w - a->workers), arch->turns[i].why, start + ours, end);
	}
}
