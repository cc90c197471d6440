#include "workloads/support/kernel_table.h"

#include <stdlib.h>

void tw_kernel_table_init(struct tw_kernel_table *t, int classes, int32_t exact)
{
	*t = (struct tw_kernel_table){.classes = classes, .exact = exact};
}

void tw_kernel_table_finish(struct tw_kernel_table *t)
{
	struct tw_kernel_slot *slot, *next;
	HASH_ITER(hh, t->slots, slot, next)
	{
		HASH_DEL(t->slots, slot);
		free(slot);
	}
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

struct tw_kernel_slot *tw_kernel_table_find(struct tw_kernel_table *t, int kind, int32_t m, int32_t k, int32_t n)
{
	struct tw_kernel_slot *slot, sought = {.kind = kind, .kernel = TW_NONE};
	sought.m = tw_size_class(t, m);
	sought.k = tw_size_class(t, k);
	sought.n = tw_size_class(t, n);
	const unsigned key_bytes = sizeof sought.kind + 3 * sizeof sought.m; /* from `kind` to `n` */
	HASH_FIND(hh, t->slots, &sought.kind, key_bytes, slot);
	if (!slot) {
		slot = tw_alloc(1, sizeof *slot);
		*slot = sought;
		HASH_ADD(hh, t->slots, kind, key_bytes, slot);
	}
	return slot;
}
