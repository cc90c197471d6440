/* Package flipping (packing.h): selects which of two packages are reversed when they merge. */
#include "policies/support/packages.h"

/* Walks into a package from one end, through the sub-package there, as far as the memory holds the handles. Sets the
 * bit of that end in in_ends[] for these handles. The package must be the one listed last. */
static void walk_in(const struct tw__package_set *set, int32_t package, enum tw__end end, uint8_t *in_ends)
{
	const struct tw_sharing *sh = set->sh;
	const struct tw__package *p = &set->packages[package];
	int32_t n_tasks = set->n_tasks[package];
	int32_t n = end == TW__END ? n_tasks - p->split : p->split ? p->split : n_tasks;
	int32_t item = p->ends[end].task, before = TW_NONE;
	uint8_t bit = (uint8_t)(1 << end);
	uint64_t bytes = 0;
	for (int32_t k = 0; k < n; k++) {
		tw_task t = set->tasks[item];
		int32_t next = tw__package_next(set, item, before);
		before = item;
		item = next;
		for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++)
			bytes += in_ends[set->place[sh->data[i]]] & bit ? 0 : sh->bytes[sh->data[i]];
		if (bytes > set->memory_bytes)
			break;
		for (size_t i = sh->first_data[t]; i < sh->first_data[t + 1]; i++)
			in_ends[set->place[sh->data[i]]] |= bit;
	}
}

/* Returns the ends at which package p has the handle. `told` is the result of look_at_ends(); NULL: p itself has it. */
static uint8_t ends_of(const uint8_t *told, const struct tw__package *p, int32_t place)
{
	return told ? told[place] : tw__held_ends(p, place);
}

/* Computes, for each handle of a package, the ends at which the handle is still in memory, one bit each. Returns
 * `room`, filled with the bits. Returns NULL if both sub-packages fit in memory, as usual: the package itself then has
 * the bits. */
static const uint8_t *look_at_ends(struct tw__package_set *set, int32_t package, uint8_t *room)
{
	const struct tw__package *p = &set->packages[package];
	uint8_t whole = 0;
	for (int end = TW__START; end <= TW__END; end++)
		whole |= p->ends[end].fits ? (uint8_t)(1 << end) : 0;
	if (whole == TW__BOTH_ENDS)
		return NULL;
	tw__package_set_list(set, package);
	for (int32_t k = 0; k < p->n_data; k++)
		room[k] = tw__held_ends(p, k) & whole;
	for (int end = TW__START; end <= TW__END; end++)
		if (!(whole >> end & 1))
			walk_in(set, package, (enum tw__end)end, room);
	return room;
}

/* Adds up common bytes over the handles of the smaller package. */
void tw__flip(struct tw__package_set *set, int32_t i, int32_t j, uint8_t *const ends[2], struct tw_merge *merge)
{
	uint64_t most = 0, common[4][4] = {{0}}; /* common bytes, by ends in the smaller and the larger package */
	int32_t large = tw__package_set_larger(set, i, j), small = large == i ? j : i;
	const struct tw__package *l = &set->packages[large], *s = &set->packages[small];
	const uint8_t *of_s = look_at_ends(set, small, ends[0]);
	const uint8_t *of_l = look_at_ends(set, large, ends[1]);
	tw__package_set_list_for(set, large, small);
	for (int32_t k = 0; k < s->n_data; k++) {
		tw_data d = s->held[k].data;
		int32_t place = tw__package_place(set, large, d);
		if (place != TW_NONE)
			common[ends_of(of_s, s, k)][ends_of(of_l, l, place)] += set->sh->bytes[d];
	}
	for (int way = 0; way < 4; way++) {
		bool i_reversed = way & 2, j_reversed = way & 1;
		int of_i = 1 << (i_reversed ? TW__START : TW__END), of_j = 1 << (j_reversed ? TW__END : TW__START);
		int a = large == i ? of_j : of_i, b = large == i ? of_i : of_j;
		uint64_t meeting = common[a][b] + common[TW__BOTH_ENDS][b] + common[a][TW__BOTH_ENDS] +
		                   common[TW__BOTH_ENDS][TW__BOTH_ENDS];
		if (meeting > most) {
			most = meeting;
			merge->i_reversed = i_reversed;
			merge->j_reversed = j_reversed;
		}
	}
}
