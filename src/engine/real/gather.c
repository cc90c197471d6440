/* The results of all processes, on process 0. */
#include "engine/real/office.h"

/* Where this process has a handle of the whole. */
static void *own_place(const struct tw__engine *e, tw_data in_whole)
{
	const struct tw__processes *p = e->processes;
	return tw__spaces_home(&e->spaces, in_whole - p->whole->ranks->first_data[p->number]);
}

void tw__gather(struct tw__engine *e, void **at, char *room, const uint64_t *place)
{
	const struct tw__processes *p = e->processes;
	const struct tw_graph *program = p->program;
	for (tw_data d = 0; d < program->n_data; d++) {
		const tw_data result = p->result[d];
		const int owner = result == TW_NONE ? 0 : tw__rank_of_data(p->whole, result);
		const uint64_t bytes = program->data_bytes[d];
		if (p->number != 0 && p->number == owner)
			p->ops->put(p->transport, 0, own_place(e, result), bytes);
		if (p->number != 0)
			continue;
		at[d] = room + place[d];
		if (result == TW_NONE && tw__data_use(program, d) != TW__USE_SCRATCH)
			e->family->kernels->fill(e->family->shape, e->seed, d, at[d], bytes);
		else if (result != TW_NONE && owner == 0)
			at[d] = own_place(e, result);
		else if (result != TW_NONE)
			p->ops->get(p->transport, owner, at[d], bytes);
	}
}
