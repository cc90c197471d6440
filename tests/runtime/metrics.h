/* Figures of one run, from its counters and its record: what a parameter of the runtime changes. */
#ifndef METRICS_H
#define METRICS_H

#include "world.h"

typedef int64_t metric(const struct world *, const struct outcome *);

metric makespan_ns;
metric loads;
metric evictions;
metric completes;
metric digest;
metric questions;
metric most_submitted;
metric most_held;
metric third_demand_ns;
metric third_prefetch_ns;
metric idle_write_backs;
metric prefetches;
metric reclaiming_write_backs;
metric most_between_peers;
metric first_landing_ns;
metric sum_of_ids;
metric taken_during_write_back;
metric prefetches_lost;

/* The policy eager, which counts how many times CPU workers ask it for a task: for `questions`. */
struct tw_policy counting_eager(void);

#endif
