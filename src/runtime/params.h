/* Parameters of the modelled runtime system: costs, limits, and switches.
 *
 * Each model (model.h) has values of its own, and each can be set on top of them: "starpu:push_cost=0:gpu_pipeline=4".
 * A switch puts in a hook that models/starpu_1_4.c has; so every model can be tried with it.
 * docs/reference/runtime.md says what each parameter does to a makespan. */
#ifndef TW__PARAMS_H
#define TW__PARAMS_H

#include "base/spec.h"
#include "platform/platform.h"
#include "runtime/model.h"

/* X(field, C type, enum tw_param_type, value unless the model has another, min, max, choices, help) */
#define TW__RUNTIME_PARAMS(X)                                                                                                \
	X(submit_cost, double, TIME, "0", 0, 1, NULL, "submitting thread, per task")                                         \
	X(push_cost, double, TIME, "0", 0, 1, NULL, "releasing worker, per successor that becomes ready")                    \
	X(fetch_cost, double, TIME, "0", 0, 1, NULL, "worker, per data of a task it has just taken")                         \
	X(poll_cost, double, TIME, "0", 0, 1, NULL, "worker, per memory it looks after, each turn of its loop")              \
	X(kernel_queue_cost, double, TIME, "0", 0, 1, NULL, "accelerator's thread, per kernel it launches")                  \
	X(transfer_queue_cost, double, TIME, "0", 0, 1, NULL, "accelerator's thread, per transfer it issues")                \
	X(alloc_cost, double, TIME, "0", 0, 1, NULL,                                                                         \
	  "accelerator's thread, per allocation from the card, one at a time for all cards")                                 \
	X(turn_cost, double, TIME, "0", 0, 1, NULL,                                                                          \
	  "worker, per task that it has ended, one worker at a time: what a scheduler behind one lock takes")                \
	X(chunk_bytes, uint64_t, BYTES, "0", 0, 0, NULL,                                                                     \
	  "allocations from the card are of that size and cut up; 0: each data its own")                                     \
	X(chunk_overlooks, bool, FLAG, "no", 0, 0, NULL,                                                                     \
	  "room given back in a full chunk is found again only when more next to it is free")                                \
	X(chunk_data_bytes, uint64_t, BYTES, "0", 0, 0, NULL, "greater data get an allocation of their own")                 \
	X(memory_fraction, double, REAL, "1", 0.01, 1, NULL,                                                                 \
	  "part of a card's memory that is usable when no limit is given")                                                   \
	X(cpu_pipeline, int64_t, INT, "1", 1, 64, NULL, "tasks a CPU worker holds, the running one included")                \
	X(gpu_pipeline, int64_t, INT, "2", 1, 64, NULL, "tasks an accelerator holds, the running one included")              \
	X(sync_kernels, const char *, TEXT, "", 0, 0, NULL,                                                                  \
	  "kernels that an accelerator's thread waits for, on an empty pipeline; a+b")                                       \
	X(demand_limit, int64_t, INT, "1", 1, 1000000, NULL,                                                                 \
	  "a demand transfer is issued while fewer are in flight on its pair and direction")                                 \
	X(prefetch_limit, int64_t, INT, "1", 1, 1000000, NULL, "same, for a prefetch")                                       \
	X(idle_limit, int64_t, INT, "1", 1, 1000000, NULL, "same, for an idle write-back")                                   \
	X(conflicts, const char *, CHOICE, "channel", 0, 0, "channel|gpu_pair",                                              \
	  "exclude each other: the same ordered pair; or both ways of two accelerators, too, and theirs with any into them") \
	X(link_shares, const char *, CHOICE, "equal", 0, 0, "equal|latency",                                                 \
	  "copies on one link get equal parts of it, or parts as 1/latency of their routes")                                 \
	X(contention, double, REAL, "0", 0, 1000, NULL,                                                                      \
	  "belief: predicted bandwidths are divided by max(1, this x accelerators in use)")                                  \
	X(idle_write_back, bool, FLAG, "no", 0, 0, NULL,                                                                     \
	  "data that \"will not be used\" are copied home when nothing else is to do, and evicted first")                    \
	X(clean_low, double, REAL, "0", 0, 1, NULL,                                                                          \
	  "idle write-backs start when a smaller part of a card's data is clean")                                            \
	X(clean_high, double, REAL, "0", 0, 1, NULL, "... and stop at that part")                                            \
	X(keeps_invalid, bool, FLAG, "no", 0, 0, NULL,                                                                       \
	  "a copy that was overwritten elsewhere keeps its room until that is needed")                                       \
	X(prefetch_evicts, bool, FLAG, "no", 0, 0, NULL, "prefetches may evict what no queued task has prefetched")          \
	X(prefetch_apart, bool, FLAG, "no", 0, 0, NULL,                                                                      \
	  "each prefetch of a task is a request of its own, and protects data from eviction when its turn has come")         \
	X(eviction_waits, bool, FLAG, "no", 0, 0, NULL,                                                                      \
	  "a demand transfer that has to evict from an accelerator, for data with an allocation of their own, first "        \
	  "waits for the kernel that runs there")                                                                            \
	X(reclaim_copies, int64_t, INT, "1", 1, 1000000, NULL,                                                               \
	  "where only data that must be written back can leave, so many are before their room is used")                      \
	X(reclaim_blocks, bool, FLAG, "no", 0, 0, NULL,                                                                      \
	  "a thread that waits for a victim's write-back only moves data: it neither takes, launches nor finishes tasks")    \
	X(cpus_race, bool, FLAG, "no", 0, 0, NULL,                                                                           \
	  "waking the first idle worker wakes all idle CPU workers when no accelerator sleeps")                              \
	X(order, const char *, CHOICE, "idle_time", 0, 0, "id|idle_time|random",                                             \
	  "workers that can move at one date: by id; accelerators first, then the longest idle; drawn from the seed")        \
	X(window, int64_t, INT, "0", 0, 2147483647, NULL,                                                                    \
	  "submission waits while so many tasks are submitted and not done; 0: never")                                       \
	X(reload_limit, int64_t, INT, "100000", 1, 2147483647, NULL,                                                         \
	  "watchdog: loads into one memory without any task ending on the node")

/* How many there are. */
enum {
#define X(field, ...) TW__RUNTIME_PARAM_##field,
	TW__RUNTIME_PARAMS(X)
#undef X
		TW__N_RUNTIME_PARAMS
};

struct tw__runtime_params {
#define X(field, type, ...) type field;
	TW__RUNTIME_PARAMS(X)
#undef X
	struct tw_args *args; /* owns the strings */
	const struct tw__runtime_model *model;
};

/* From "starpu", "ideal:gpu_pipeline=3" ...; what that leaves open is as the platform says, unless that is NULL, else
 * as the model does. TW_INVALID, with a message that names the parameter. */
int tw__runtime_params_init(struct tw__runtime_params *, const char *spec, const struct tw_platform *,
                            struct tw_error *err);
void tw__runtime_params_finish(struct tw__runtime_params *);
/* Whether any step of the runtime takes modelled time. */
bool tw__runtime_params_cost(const struct tw__runtime_params *);

/* For listings: the parameters with the model's values, {0} behind them. Strings live as long as *keep, which the
 * caller gives to tw__spec_finish. */
int tw__runtime_params_table(const struct tw__runtime_model *, struct tw_param table[TW__N_RUNTIME_PARAMS + 1],
                             struct tw__spec *keep, struct tw_error *err);

#endif
