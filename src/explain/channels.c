/* Channels: sets of transfers that wait for each other. There are three for each memory: transfers into it; those from
 * it to main memory; those from it to another memory, which are also in the first of that one. */
#include <stdlib.h>

#include "explain/past_items.h"

static int channel_of(const struct tw__past_items *items, tw_node from, tw_node to)
{
	return to == TW_RAM ? items->n_nodes + from : to;
}

/* The channels of a transfer; returns their number. */
static int channels_of(const struct tw__past_items *items, const struct tw__past_move *m, int channels[2])
{
	channels[0] = channel_of(items, m->from, m->to);
	channels[1] = 2 * items->n_nodes + m->from;
	return m->from != TW_RAM && m->to != TW_RAM ? 2 : 1;
}

void tw__past_sort_channels(struct tw__past_items *items)
{
	int n = 3 * items->n_nodes, channels[2];
	int32_t *first = items->first_ended = tw_alloc((size_t)n + 2, sizeof *first);
	int32_t *sorted = tw_alloc(2 * (size_t)items->n_ended, sizeof *sorted);
	for (int32_t i = 0; i < items->n_ended; i++)
		for (int k = channels_of(items, &items->moves[items->ended[i]], channels); k-- > 0;)
			first[channels[k] + 2]++;
	for (int c = 2; c < n + 2; c++)
		first[c] += first[c - 1];
	for (int32_t i = 0; i < items->n_ended; i++) /* first[c + 1] moves from the channel's start to its end */
		for (int k = channels_of(items, &items->moves[items->ended[i]], channels); k-- > 0;)
			sorted[first[channels[k] + 1]++] = items->ended[i];
	free(items->ended);
	items->ended = sorted;
}

/* The last transfer of the channel that ended by `date`. */
static struct tw__held last_ended(const struct tw__past_items *items, int channel, tw__ns date)
{
	int32_t low = items->first_ended[channel], high = items->first_ended[channel + 1];
	while (low < high) { /* the first that ended after `date` */
		int32_t middle = low + (high - low) / 2;
		if (items->moves[items->ended[middle]].end <= date)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == items->first_ended[channel])
		return (struct tw__held){.kind = TW__HELD_BY_NOTHING};
	int32_t last = items->ended[low - 1];
	return (struct tw__held){.kind = TW__HELD_BY_TRANSFER, .item = last, .date = items->moves[last].end};
}

int tw__past_in_channels(const struct tw__past_items *items, const struct tw__past_move *m, tw_node final, tw__ns date,
                         struct tw__held held[TW__MOST_CHANNELS])
{
	int n = 0;
	held[n++] = last_ended(items, channel_of(items, m->from, m->to), date);
	if (m->to != TW_RAM)
		held[n++] = last_ended(items, 2 * items->n_nodes + m->to, date);
	if (m->from != TW_RAM && m->to != TW_RAM)
		held[n++] = last_ended(items, m->from, date);
	if (final != m->to && final != TW_RAM)
		held[n++] = last_ended(items, final, date);
	return n;
}
