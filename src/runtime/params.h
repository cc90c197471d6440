/* Models of runtime systems, and their parameters: costs, limits, and switches.
 *
 * A model is a name with values of the parameters. Users may change the values: "starpu:push_cost=0:gpu_pipeline=4". So
 * every model can be tried with each behaviour. docs/reference/runtime.md explains each parameter. */
#ifndef TW__PARAMS_H
#define TW__PARAMS_H

#include "base/spec.h"
#include "platform/platform.h"

/* One line per parameter: X(field, C type, enum tw_param_type, default, min, max, choices, help). Runtime models may
 * have other defaults. */
#define TW__RUNTIME_PARAMS(X)                                                                                         \
	X(submit_cost, double, TIME, "0", 0, 1, NULL, "cost of a submission, on the submitting thread")               \
	X(push_cost, double, TIME, "0", 0, 1, NULL, "cost of a push, on the worker that released the task")           \
	X(fetch_cost, double, TIME, "0", 0, 1, NULL, "cost per handle of a task that a worker has popped")            \
	X(poll_cost, double, TIME, "0", 0, 1, NULL, "cost per turn of a worker's loop and memory that it polls")      \
	X(kernel_queue_cost, double, TIME, "0", 0, 1, NULL, "cost of a kernel launch, on an accelerator's thread")    \
	X(kernel_queue_cost_per_gpu, double, TIME, "0", 0, 1, NULL,                                                   \
	  "added to kernel_queue_cost for each accelerator but one")                                                  \
	X(launch_blocks, const char *, TEXT, "", 0, 0, NULL,                                                          \
	  "kernels whose launch blocks an accelerator's thread, and for how long: a=300us+b@960=20us")                \
	X(transfer_queue_cost, double, TIME, "0", 0, 1, NULL,                                                         \
	  "cost of issuing a transfer, on an accelerator's thread")                                                   \
	X(alloc_cost, double, TIME, "0", 0, 1, NULL, "cost of an allocation on a card; all cards share one lock")     \
	X(alloc_cost_per_gpu, double, TIME, "0", 0, 1, NULL, "added to alloc_cost for each accelerator but one")      \
	X(turn_cost, double, TIME, "0", 0, 1, NULL,                                                                   \
	  "cost of a scheduler call after each task; all workers share one lock")                                     \
	X(scan_cost, double, TIME, "0", 0, 1, NULL,                                                                   \
	  "cost of each candidate that a policy or an eviction policy looks at (tw_looked_at)")                       \
	X(chunk_bytes, uint64_t, BYTES, "0", 0, 1e18, NULL,                                                           \
	  "size of allocations on a card, which small handles share; 0: one allocation per handle")                   \
	X(chunk_overlooks, bool, FLAG, "no", 0, 0, NULL,                                                              \
	  "freed room in a full chunk is found again only if it merges with a free neighbour")                        \
	X(chunk_data_bytes, uint64_t, BYTES, "0", 0, 1e18, NULL, "larger handles have an allocation of their own")    \
	X(memory_fraction, double, REAL, "1", 0.01, 1, NULL, "usable part of a card's memory if no limit is given")   \
	X(cpu_pipeline, int64_t, INT, "1", 1, 64, NULL, "tasks that a CPU worker holds, with the running one")        \
	X(gpu_pipeline, int64_t, INT, "2", 1, 64, NULL, "tasks that an accelerator holds, with the running one")      \
	X(sync_kernels, const char *, TEXT, "", 0, 0, NULL,                                                           \
	  "kernels that block an accelerator's thread and need an empty pipeline: a+b")                               \
	X(demand_limit, int64_t, INT, "1", 1, 1000000, NULL,                                                          \
	  "a demand is issued while fewer transfers are in flight on its ordered pair")                               \
	X(prefetch_limit, int64_t, INT, "1", 1, 1000000, NULL,                                                        \
	  "a prefetch is issued while fewer transfers are in flight on its pair")                                     \
	X(idle_limit, int64_t, INT, "1", 1, 1000000, NULL, "the same for an idle write-back")                         \
	X(conflicts, const char *, CHOICE, "channel", 0, 0, "channel|gpu_pair",                                       \
	  "mutually exclusive transfers: same ordered pair; gpu_pair: also peers of two accelerators")                \
	X(link_shares, const char *, CHOICE, "equal", 0, 0, "equal|latency",                                          \
	  "copies on one link get equal parts, or parts as 1/latency of their routes")                                \
	X(bus, const char *, CHOICE, "contention", 0, 0, "contention|eq3.4|eq3.5",                                    \
	  "prediction of transfer times: by contention, or an equation of Augonnet 2011")                             \
	X(contention, double, REAL, "0", 0, 1000, NULL,                                                               \
	  "predicted bandwidths are divided by max(1, this x accelerators)")                                          \
	X(idle_write_back, bool, FLAG, "no", 0, 0, NULL,                                                              \
	  "handles that \"will not be used\" are written back when idle, and evicted first")                          \
	X(clean_low, double, REAL, "0", 0, 1, NULL,                                                                   \
	  "idle write-backs start below this part of clean copies in a card's memory")                                \
	X(clean_high, double, REAL, "0", 0, 1, NULL, "idle write-backs stop at this part of clean copies")            \
	X(keeps_invalid, bool, FLAG, "no", 0, 0, NULL,                                                                \
	  "an invalidated copy keeps its room until another one needs it")                                            \
	X(prefetch_evicts, bool, FLAG, "no", 0, 0, NULL,                                                              \
	  "prefetches may evict copies that no queued task has prefetched")                                           \
	X(prefetch_apart, bool, FLAG, "no", 0, 0, NULL,                                                               \
	  "each prefetch has its own request, and protects its copy only from its turn on")                           \
	X(eviction_waits, bool, FLAG, "no", 0, 0, NULL,                                                               \
	  "before its first eviction on a card, a large demand waits for the running kernel")                         \
	X(reclaim_copies, int64_t, INT, "1", 1, 1000000, NULL,                                                        \
	  "victims written back before their room is used, if no copy is clean")                                      \
	X(reclaim_blocks, bool, FLAG, "no", 0, 0, NULL,                                                               \
	  "a thread that waits for a victim's write-back only moves data")                                            \
	X(cpus_race, bool, FLAG, "no", 0, 0, NULL,                                                                    \
	  "waking the first idle worker wakes all idle CPU workers if no accelerator sleeps")                         \
	X(order, const char *, CHOICE, "idle_time", 0, 0, "id|idle_time|random",                                      \
	  "order of workers at one date: by id; accelerators, then longest idle; by the seed")                        \
	X(window, int64_t, INT, "0", 0, 2147483647, NULL,                                                             \
	  "submission waits while so many submitted tasks are not done; 0: never")                                    \
	X(domains_in_turn, bool, FLAG, "yes", 0, 0, NULL,                                                             \
	  "a worker of several domains asks them in turn; no: in their order")                                        \
	X(domains_tell, bool, FLAG, "yes", 0, 0, NULL,                                                                \
	  "domains with the same worker tell each other's policies which tasks it will run")                          \
	X(homes, const char *, CHOICE, "first", 0, 0, "first|interleaved|first_touch",                                \
	  "where handles start: the first main memory; all in turn; that of the worker that first uses it")           \
	X(message_cost, double, TIME, "0", 0, 1, NULL, "cost of the end of a message, on each node's network thread") \
	X(send_limit, int64_t, INT, "0", 0, 1000000, NULL,                                                            \
	  "messages that a node sends at one time, by priority, then age; 0: all that are ready")                     \
	X(early_messages, bool, FLAG, "no", 0, 0, NULL,                                                               \
	  "a message whose receiver is not ready goes to a temporary buffer; no: it waits")                           \
	X(gpudirect, bool, FLAG, "no", 0, 0, NULL,                                                                    \
	  "messages leave from the memories of cards, and go to them, without main memory")                           \
	X(receive_chunk_bytes, uint64_t, BYTES, "0", 0, 1e18, NULL,                                                   \
	  "buffers of received handles are pinned in chunks of this size, on nodes with accelerators")                \
	X(receive_chunk_cost, double, TIME, "0", 0, 1, NULL,                                                          \
	  "cost of pinning such a chunk, on a worker's thread, when a receive is ready")                              \
	X(reload_limit, int64_t, INT, "100000", 1, 2147483647, NULL,                                                  \
	  "watchdog: loads into one memory while no task ends")

/* TW__N_RUNTIME_PARAMS is the number of parameters. */
enum {
#define X(field, ...) TW__RUNTIME_PARAM_##field,
	TW__RUNTIME_PARAMS(X)
#undef X
		TW__N_RUNTIME_PARAMS
};

struct tw__runtime_model {
	const char *name, *alias; /* alias: a second name, or NULL */
	const char *summary;      /* a description in one line, for lists of models */
	/* The model's values of parameters, for example "submit_cost=1us:order=id". Parameters that are not in the text
	 * have the defaults above. NULL: all have their defaults. */
	const char *values;
};

extern const struct tw__runtime_model *const tw__runtime_models[]; /* all models; NULL ends the array */

/* Returns the model with this name or alias; NULL: no model has it. */
const struct tw__runtime_model *tw__runtime_model(const char *name);
/* Returns the i-th of all names and aliases of models; NULL if there are no more than i. */
const char *tw__runtime_model_name(int i);

struct tw__runtime_params {
#define X(field, type, ...) type field;
	TW__RUNTIME_PARAMS(X)
#undef X
	struct tw_args *args; /* owns the strings of this struct */
	const struct tw__runtime_model *model;
};

/* Parses a text like "starpu" or "ideal:gpu_pipeline=3". A parameter that the text does not set gets the platform's
 * value, else the model's. The platform may be NULL. TW_INVALID: the message names the wrong parameter. */
int tw__runtime_params_init(struct tw__runtime_params *, const char *spec, const struct tw__platform *,
                            struct tw_error *err);
void tw__runtime_params_finish(struct tw__runtime_params *);
/* Whether any step of the runtime costs modelled time. */
bool tw__runtime_params_cost(const struct tw__runtime_params *);

/* Fills `table`, for listings, with all parameters and the model's values as their defaults; {0} ends it. The strings
 * live as long as *keep, which the caller passes to tw__spec_finish. */
int tw__runtime_params_table(const struct tw__runtime_model *, struct tw_param table[TW__N_RUNTIME_PARAMS + 1],
                             struct tw__spec *keep, struct tw_error *err);

/* Parses the value of --decision-cost: "none", "counted" or a factor from 0 to 1e6. Sets the factor by which the cost
 * of looks before the run counts. Messages begin with the option's name, without "--". */
int tw__decision_cost_parse(double *factor, const char *text, struct tw_error *err);

/* Reads the next item of launch_blocks, as in "trsm@960=300us": a kernel, the size that it must have, and the time.
 * `text` is not empty. Returns the text behind the item; NULL: the item is wrong. */
struct tw__launch_block {
	const char *kernel, *size; /* size NULL: any size */
	int kernel_length, size_length;
	double seconds;
};
const char *tw__launch_block_next(struct tw__launch_block *, const char *text);
/* Returns the time for which a launch of this kernel blocks the thread, in seconds. If several items are for the
 * kernel, the last one counts. */
double tw__launch_block_s(const struct tw__runtime_params *, const char *kernel, const char *size);

/* Returns how transfers share links under these parameters. */
enum tw__link_shares tw__run_link_shares(const struct tw__runtime_params *);

#endif
