/* The built-in plug-ins. The build generates registry.c from the lists in policies/, policies/eviction/ and
 * workloads/. */
#ifndef TW__REGISTRY_H
#define TW__REGISTRY_H

#include <tilewright/eviction.h>
#include <tilewright/policy.h>
#include <tilewright/workload.h>

/* In the order of the lists; they end with NULL. */
extern const struct tw_policy *const tw__policies[];
extern const struct tw_eviction *const tw__evictions[];
extern const struct tw_workload *const tw__workloads[];

#endif
