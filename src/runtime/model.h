/* A model of a runtime system: a name, values of the common parameters (params.h), and hooks where systems differ.
 *
 * models/ has one file for each model. A new model needs a file there and a word in models/meson.build. */
#ifndef TW__MODEL_H
#define TW__MODEL_H

#include <tilewright/sched.h>

struct driver;
struct request;
struct tw__runtime_params;

/* The functions through which a runtime model changes the runtime's behaviour. If a hook is NULL, the runtime behaves
 * as its comment says in brackets. */
struct tw__runtime_hooks {
	/* open: creates the model's own state in tw_sched.model_state. Returns TW_OK or TW_NOMEM. close: frees that
	 * state. The runtime calls it even if open was not called; then model_state is NULL. */
	int (*open)(struct tw_sched *);
	void (*close)(struct tw_sched *);

	/* Whether the runtime may evict copies for the request [for demands only]. */
	bool (*may_evict)(const struct request *);
	/* Whether the runtime may evict copies for the request now [yes]. If not, the request waits until the memory
	 * changes. */
	bool (*evicts_now)(struct tw_sched *, struct request *);
	/* The runtime calls this hook when a kernel of an accelerator has ended or was cancelled [nothing is done]. */
	void (*kernel_over)(struct tw_sched *, const struct driver *);
	/* Whether an invalidated copy keeps its room until another copy needs room [no]. */
	bool (*keeps_invalid)(const struct tw_sched *, tw_data, tw_node);
	/* Returns the bytes that later allocations find in a chunk after `given` bytes of it were freed [the whole
	 * merged free block]. `grown`: bytes of the block that resulted from merging with free neighbours; 0: no
	 * neighbour was free. */
	uint64_t (*chunk_found)(uint64_t given, uint64_t grown);

	/* Whether the thread only moves data while its memory makes room [no]. */
	bool (*blocks_thread)(const struct driver *);
	/* Whether a woken worker counts as awake until the end of the run [until its next pop]. The runtime calls this
	 * hook once per worker, at the start. */
	bool (*stays_woken)(const struct driver *);

	/* The runtime calls this hook when the last task that writes the handle has ended on the node [nothing is
	 * done]. */
	void (*not_used_again)(struct tw_sched *, tw_data, tw_node);

	/* Prefetches a handle that a queued task reads. [transfers/prefetch.c: tasks that need the same copy share one
	 * request. Each task at once protects the copy from eviction by prefetches.] */
	void (*prefetch)(struct tw_sched *, tw_task, uint32_t access, tw_node, unsigned mode);
	/* The runtime calls this hook for each prefetched handle when a worker of the node has popped the task. */
	void (*prefetch_popped)(struct tw_sched *, tw_task, tw_data, tw_node);
	/* The runtime calls this hook for each prefetched handle when the task goes to another node. */
	void (*prefetch_dropped)(struct tw_sched *, tw_task, uint32_t access, tw_node);
	/* The runtime calls this hook when a request in state REQUEST_APART comes to the head of its queue. */
	void (*turn_has_come)(struct tw_sched *, struct request *);
	/* The runtime calls this hook when a request that prefetches for one task has ended. */
	void (*request_ended)(struct tw_sched *, const struct request *);
};

struct tw__runtime_model {
	const char *name, *alias; /* alias: a second name, or NULL */
	const char *summary;      /* a description in one line, for lists of models */
	/* The model's values of parameters, for example "submit_cost=1us:order=id". Parameters that are not in the text
	 * have the defaults of params.h. NULL: all have their defaults. */
	const char *values;
	/* Sets more hooks than the parameters have set. NULL: the model has no more hooks. */
	void (*set_hooks)(const struct tw__runtime_params *, struct tw__runtime_hooks *);
};

/* All models, in the order of the list in models/meson.build; NULL ends the array. The build generates it. */
extern const struct tw__runtime_model *const tw__runtime_models[];

/* Returns the model with this name or alias; NULL: no model has it. */
const struct tw__runtime_model *tw__runtime_model(const char *name);
/* Returns the i-th of all names and aliases of models; NULL if there are no more than i. */
const char *tw__runtime_model_name(int i);

#endif
