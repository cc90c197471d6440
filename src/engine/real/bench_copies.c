/* Times the copies of a bench. */
#include <math.h>
#include <stdlib.h>

#include "engine/real/bench_state.h"

static void begin_copy(struct tw__bench *b, int i)
{
	const struct tw__way *way = &b->ways[i];
	struct tw__bench_way *state = &b->way_states[i];
	if (state->n_left == 0 || b->stops)
		return;
	state->n_left--;
	int status = tw__engine_real.transfer(b->engine, way->from, way->to, state->room, state->bytes, (uint64_t)i);
	if (status < 0)
		tw__bench_fail(b, status, NULL);
	else
		b->n_busy++;
}

/* Takes a turn of the bench. Each way has one copy under way and one queued, so the next one starts without a turn. */
static bool copies_turn(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__bench *b = arg;
	(void)now;
	*until = TW__NEVER;
	if (n == 0 && b->n_busy == 0)
		for (int i = 0; b->way_states[i].next; i++) {
			begin_copy(b, i);
			begin_copy(b, i);
		}
	for (int i = 0; i < n; i++) {
		struct tw__bench_way *state = &b->way_states[ended[i].token];
		b->n_busy--;
		if (ended[i].status < 0)
			tw__bench_fail(b, ended[i].status, ended[i].why);
		*state->next++ = (struct tw__timed_copy){tw__seconds(ended[i].start), tw__seconds(ended[i].end)};
		begin_copy(b, (int)ended[i].token);
	}
	return b->n_busy > 0;
}

static tw_data room_of(const struct tw__bench *b, const struct tw__way *way)
{
	tw_node accelerator = way->from == TW_RAM ? way->to : way->from;
	int which = way->from == TW_RAM ? TW__ROOM_IN : TW__ROOM_OUT;
	return tw__part_room(&b->part, TW__N_BENCH_ROOMS * tw__bench_number(b, accelerator) + which);
}

int tw__bench_copies(struct tw__bench *b, const struct tw__way *ways, const uint64_t *bytes, int n_ways, int n_copies,
                     struct tw__timed_copy *copies, struct tw_error *err)
{
	b->ways = ways;
	b->way_states = calloc((size_t)n_ways + 1, sizeof *b->way_states);
	if (!b->way_states)
		return tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
	for (int i = 0; i < n_ways; i++)
		b->way_states[i] = (struct tw__bench_way){room_of(b, &ways[i]), bytes[i], n_copies,
		                                          copies + (size_t)i * (size_t)n_copies};
	int status = tw__bench_drive(b, copies_turn, err);
	if (!b->engine->hangs)
		free(b->way_states);
	return status;
}
