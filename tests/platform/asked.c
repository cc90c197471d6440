#include "asked.h"

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>

#include <hwloc.h>

enum { MOST = 1 << 12 };

static struct asked all[MOST];
static atomic_int n_all;
static _Thread_local unsigned bound; /* the processor that this thread has been bound to */

static void note(const void *at, size_t bytes, unsigned set)
{
	const int i = n_all++;
	ck_assert_int_lt(i, MOST);
	all[i] = (struct asked){at, bytes, set};
}

int hwloc_set_area_membind(hwloc_topology_t t, const void *at, size_t bytes, hwloc_const_bitmap_t set,
                           hwloc_membind_policy_t policy, int flags)
{
	(void)t;
	ck_assert_int_eq(policy, HWLOC_MEMBIND_BIND);
	ck_assert_int_eq(flags, HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET);
	ck_assert_int_eq(hwloc_bitmap_weight(set), 1);
	note(at, bytes, (unsigned)hwloc_bitmap_first(set));
	return 0;
}

int hwloc_set_cpubind(hwloc_topology_t t, hwloc_const_cpuset_t set, int flags)
{
	(void)t;
	ck_assert_int_eq(flags, HWLOC_CPUBIND_THREAD);
	ck_assert_int_eq(hwloc_bitmap_weight(set), 1);
	bound = (unsigned)hwloc_bitmap_first(set);
	note(NULL, 0, bound);
	return 0;
}

/* Threads are bound as they asked for, and the process to nothing. */
int hwloc_get_cpubind(hwloc_topology_t t, hwloc_cpuset_t set, int flags)
{
	(void)t;
	return flags == HWLOC_CPUBIND_THREAD ? hwloc_bitmap_only(set, bound) : -1;
}

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
