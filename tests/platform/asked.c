#include "asked.h"

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <hwloc.h>

enum { MOST = 1 << 12 };

static struct asked all[MOST];
static atomic_int n_all;
static _Thread_local unsigned long bound; /* the processors that this thread has asked for, bit by bit */

static void note(const void *at, size_t bytes, hwloc_const_bitmap_t set)
{
	const int i = n_all++;
	ck_assert_int_lt(i, MOST);
	all[i] = (struct asked){at, bytes, (unsigned)hwloc_bitmap_first(set), hwloc_bitmap_weight(set)};
}

int hwloc_set_area_membind(hwloc_topology_t t, const void *at, size_t bytes, hwloc_const_bitmap_t set,
                           hwloc_membind_policy_t policy, int flags)
{
	(void)t;
	ck_assert_int_eq(policy, HWLOC_MEMBIND_BIND);
	ck_assert_int_eq(flags, HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET);
	note(at, bytes, set);
	return 0;
}

int hwloc_set_cpubind(hwloc_topology_t t, hwloc_const_cpuset_t set, int flags)
{
	(void)t;
	ck_assert_int_eq(flags, HWLOC_CPUBIND_THREAD);
	bound = hwloc_bitmap_to_ulong(set);
	note(NULL, 0, set);
	return 0;
}

/* Threads are bound as they asked for, and the process to nothing. */
int hwloc_get_cpubind(hwloc_topology_t t, hwloc_cpuset_t set, int flags)
{
	(void)t;
	return flags == HWLOC_CPUBIND_THREAD ? hwloc_bitmap_from_ulong(set, bound) : -1;
}

int asked_here(void) { return bound ? __builtin_ctzl(bound) : -1; }

void pretend(const char *synthetic)
{
	setenv("HWLOC_SYNTHETIC", synthetic, 1);
	setenv("HWLOC_THISSYSTEM", "1", 1);
}

const struct asked *asked(int *n)
{
	*n = n_all;
	return all;
}
