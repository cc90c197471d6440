#include "workloads/support/kernel_table.h"

#include <stdlib.h>

void tw_kernel_table_init(struct tw_kernel_table *t, int classes, int32_t exact)
{
	*t = (struct tw_kernel_table){.classes = classes, .exact = exact};
}

void tw_kernel_table_finish(struct tw_kernel_table *t)
{
	free(t->slots);
	*t = (struct tw_kernel_table){0};
}

/* Ties round to an even multiple of the step, so that rounding does not bias sums over many dimensions. */
int32_t tw_size_class(const struct tw_kernel_table *t, int32_t dimension)
{
	if (dimension == t->exact)
		return dimension;
	int64_t step = 1;
	while (dimension >= 2 * t->classes * step)
		step *= 2;
	int64_t multiple = dimension / step, twice_rest = dimension % step * 2;
	if (twice_rest > step || (twice_rest == step && multiple % 2 == 1))
		multiple++;
	return multiple * step > INT32_MAX ? INT32_MAX : (int32_t)(multiple * step);
}

int32_t tw_size_for(double (*measure)(double m, double k), double measured, int32_t k, int32_t most)
{
	int32_t low = 1, high = most;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;
		if (measure(middle, k) < measured)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 1 && measured - measure(low - 1, k) < measure(low, k) - measured ? low - 1 : low;
}

static size_t hash(int kind, int32_t m, int32_t k, int32_t n)
{
	uint64_t h = (uint64_t)(unsigned)kind;
	h = (h ^ (uint64_t)(uint32_t)m) * 0x9e3779b97f4a7c15;
	h = (h ^ h >> 29 ^ (uint64_t)(uint32_t)k) * 0x9e3779b97f4a7c15;
	h = (h ^ h >> 29 ^ (uint64_t)(uint32_t)n) * 0x9e3779b97f4a7c15;
	return (size_t)(h ^ h >> 32);
}

/* Returns the slot of a kernel, or a free one, by open addressing. The number of slots is a power of two, and at least
 * half of them are free. */
static struct tw_kernel_slot *look(struct tw_kernel_slot *slots, size_t n_slots, int kind, int32_t m, int32_t k,
                                   int32_t n)
{
	size_t i = hash(kind, m, k, n) & (n_slots - 1);
	while (slots[i].kind >= 0 && (slots[i].kind != kind || slots[i].m != m || slots[i].k != k || slots[i].n != n))
		i = (i + 1) & (n_slots - 1);
	return &slots[i];
}

static void grow(struct tw_kernel_table *t)
{
	size_t n_slots = t->n_slots ? 2 * t->n_slots : 1024;
	struct tw_kernel_slot *slots = tw_resize(NULL, n_slots, sizeof *slots);
	for (size_t i = 0; i < n_slots; i++)
		slots[i].kind = -1;
	for (size_t i = 0; i < t->n_slots; i++)
		if (t->slots[i].kind >= 0)
			*look(slots, n_slots, t->slots[i].kind, t->slots[i].m, t->slots[i].k, t->slots[i].n) =
				t->slots[i];
	free(t->slots);
	t->slots = slots;
	t->n_slots = n_slots;
}

struct tw_kernel_slot *tw_kernel_table_find(struct tw_kernel_table *t, int kind, int32_t m, int32_t k, int32_t n)
{
	if (2 * (t->n_used + 1) > t->n_slots)
		grow(t);
	m = tw_size_class(t, m);
	k = tw_size_class(t, k);
	n = tw_size_class(t, n);
	struct tw_kernel_slot *slot = look(t->slots, t->n_slots, kind, m, k, n);
	if (slot->kind < 0) {
		*slot = (struct tw_kernel_slot){kind, m, k, n, TW_NONE};
		t->n_used++;
	}
	return slot;
}
