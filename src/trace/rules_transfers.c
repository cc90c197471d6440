/* Checks events of transfers against the rule TRANSFER. */
#include <stdlib.h>

#include "trace/replay.h"

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

static int start(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__moving *m;
	HASH_FIND(hh, r->moving, &e->offset, sizeof e->offset, m);
	if (m)
		return tw__violation(r, TW__RULE_TRANSFER, "transfer %llu of data %d starts a second time",
		                     (unsigned long long)e->offset, (int)e->data);
	int status = check_size(r, e);
	if (status == TW_OK)
		status = check_ends(r, e);
	if (status != TW_OK)
		return status;
	m = tw_alloc(1, sizeof *m);
	*m = (struct tw__moving){.id = e->offset, .start = *e, .version = tw__copy_of(r, e->data, e->from)->valid};
	HASH_ADD(hh, r->moving, id, sizeof m->id, m);
	tw__copy_of(r, e->data, e->from)->pins++;
	tw__copy_of(r, e->data, e->node)->pins++;
	tw__copy_of(r, e->data, e->node)->incoming++;
	return TW_OK;
}

static int end(struct tw__replay *r, const struct tw__event *e)
{
	struct tw__moving *m;
	HASH_FIND(hh, r->moving, &e->offset, sizeof e->offset, m);
	if (!m || m->start.data != e->data || m->start.from != e->from || m->start.node != e->node ||
	    m->start.bytes != e->bytes)
		return tw__violation(r, TW__RULE_TRANSFER,
		                     "transfer %llu of data %d to %s ends without a matching start",
		                     (unsigned long long)e->offset, (int)e->data, tw__node_name(r, e->node));
	tw__copy_of(r, e->data, e->from)->pins--;
	tw__copy_of(r, e->data, e->node)->pins--;
	tw__copy_of(r, e->data, e->node)->incoming--;
	tw__copy_of(r, e->data, e->node)->arrived = m->version;
	HASH_DEL(r->moving, m);
	free(m);
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
	const struct tw__event *e = &r->moving->start;
	return tw__violation(r, TW__RULE_TRANSFER, "the transfer of data %d from %s to %s never ends", (int)e->data,
	                     tw__node_name(r, e->from), tw__node_name(r, e->node));
}
