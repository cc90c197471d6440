/* A model of a runtime system: a name, values of the common parameters (params.h), and hooks where systems differ.
 *
 * models/ has one file for each model. A new model needs a file there and a word in models/meson.build. */
#ifndef TW__MODEL_H
#define TW__MODEL_H

#include <tilewright/sched.h>

struct driver;
struct request;
struct tw__runtime_params;

/* The runtime calls these hooks where systems differ. A NULL hook means the behaviour in brackets. */
struct tw__runtime_hooks {
	/* The model's own state, in tw_sched.model_state. TW_OK, or TW_NOMEM. close is called in any case, even if open
	 * was not: then model_state is NULL. */
	int (*open)(struct tw_sched *);
	void (*close)(struct tw_sched *);

	/* Eviction. may_evict: whether copies may be evicted for the request [for demands only]. evicts_now: whether
	 * they may be evicted now; false: the request waits until the memory changes [now]. */
	bool (*may_evict)(const struct request *);
	bool (*evicts_now)(struct tw_sched *, struct request *);
	/* The accelerator's kernel has ended, or was cancelled. */
	void (*kernel_over)(struct tw_sched *, const struct driver *);
	/* Whether an invalidated copy keeps its room until another one needs it [no]. */
	bool (*keeps_invalid)(const struct tw_sched *, tw_data, tw_node);
	/* The bytes of a chunk that a later allocation finds after `given` bytes were freed [all of them].
	 * `grown`: the size of the merged free block; 0: it has no free neighbours. */
	uint64_t (*chunk_found)(uint64_t given, uint64_t grown);

	/* blocks_thread: the thread only moves data while its memory makes room [no].
	 * stays_woken: a woken worker counts as awake for ever [until its next pop]; called once, at the start. */
	bool (*blocks_thread)(const struct driver *);
	bool (*stays_woken)(const struct driver *);

	/* The last writer of the handle has ended on that node [nothing is done]. */
	void (*not_used_again)(struct tw_sched *, tw_data, tw_node);

	/* Prefetches for queued tasks, one for each handle that the task reads [transfers/prefetch.c: tasks share
	 * requests, and each protects its copy from eviction by prefetches at once]. */
	void (*prefetch)(struct tw_sched *, tw_task, uint32_t access, tw_node, unsigned mode);
	void (*prefetch_popped)(struct tw_sched *, tw_task, tw_data,
	                        tw_node); /* a worker of the node has popped the task */
	void (*prefetch_dropped)(struct tw_sched *, tw_task, uint32_t access,
	                         tw_node); /* another node will get the task */
	/* A request in state REQUEST_APART has its turn; a request with a task has ended. */
	void (*turn_has_come)(struct tw_sched *, struct request *);
	void (*request_ended)(struct tw_sched *, const struct request *);
};

struct tw__runtime_model {
	const char *name, *alias; /* alias: NULL: none */
	const char *summary;      /* one line */
	const char
		*values; /* of parameters: "submit_cost=1us:order=id"; others, and all for NULL, are as in params.h */
	/* Sets hooks beyond those that the parameters have set. NULL: there are none. */
	void (*set_hooks)(const struct tw__runtime_params *, struct tw__runtime_hooks *);
};

/* Generated: in the order of their list, NULL-terminated. */
extern const struct tw__runtime_model *const tw__runtime_models[];

/* Finds a model by name or alias; NULL: there is none. */
const struct tw__runtime_model *tw__runtime_model(const char *name);
/* The i-th of all names and aliases; NULL behind the last. */
const char *tw__runtime_model_name(int i);

#endif
