/* Arrays of the built-in plug-ins. The build generates registry.c from the lists of names in policies/meson.build,
 * policies/eviction/meson.build and workloads/meson.build. */
#ifndef TW__REGISTRY_H
#define TW__REGISTRY_H

#include <tilewright/eviction.h>
#include <tilewright/policy.h>
#include <tilewright/workload.h>

/* Each array has the plug-ins in the order of the names in meson.build, and ends with NULL. */
extern const struct tw_policy *const tw__policies[];
extern const struct tw_eviction *const tw__evictions[];
extern const struct tw_workload *const tw__workloads[];

#endif
