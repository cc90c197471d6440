/* A model of a runtime system: a name, values of the common parameters (params.h), and hooks where systems differ.
 *
 * models/ has one file for each, and their list. A new one needs a file there and a word in models/meson.build. */
#ifndef TW__MODEL_H
#define TW__MODEL_H

#include <tilewright/sched.h>

struct driver;
struct request;
struct tw__runtime_params;

/* Called by the runtime where systems differ. NULL: as told in brackets. */
struct tw__runtime_hooks {
	/* State of the model's own, tw_sched.model_state. TW_OK, or TW_NOMEM: close is called all the same. */
	int (*open)(struct tw_sched *);
	void (*close)(struct tw_sched *);

	/* Eviction. Whether copies may leave for the request [a demand alone]; whether they may now, or only when the
	 * memory has changed [now]. */
	bool (*may_evict)(const struct request *);
	bool (*evicts_now)(struct tw_sched *, struct request *);
	/* The accelerator's kernel has ended, or was cancelled. */
	void (*kernel_over)(struct tw_sched *, const struct driver *);
	/* Whether a copy that was overwritten elsewhere keeps its room until that is needed [no]. */
	bool (*keeps_invalid)(const struct tw_sched *, tw_data, tw_node);
	/* Bytes of a chunk that can be found again when so many are given back; `grown`: with the free bytes beside
	 * them, or 0: there are none [all of them]. */
	uint64_t (*chunk_found)(uint64_t given, uint64_t grown);

	/* Threads. Whether it only moves data now, while room is made in its memory [no]. Whether a worker, once woken,
	 * counts as awake for ever [until it has asked for a task]; asked once, at the start. */
	bool (*blocks_thread)(const struct driver *);
	bool (*stays_woken)(const struct driver *);

	/* The task that writes the data last has ended on that node [nothing is done, and submission tells nobody]. */
	void (*not_used_again)(struct tw_sched *, tw_data, tw_node);

	/* Prefetches of tasks in queues, one for each data that the task reads [transfers/prefetch.c: tasks share requests,
	 * and each protects its copy from eviction by prefetches at once]. */
	void (*prefetch)(struct tw_sched *, tw_task, uint32_t access, tw_node, unsigned mode);
	void (*prefetch_popped)(struct tw_sched *, tw_task, tw_data, tw_node); /* a worker there has the task */
	void (*prefetch_dropped)(struct tw_sched *, tw_task, uint32_t access, tw_node); /* another one will have it */
	/* The turn has come of a request that is in state REQUEST_APART; one with a task has ended. */
	void (*turn_has_come)(struct tw_sched *, struct request *);
	void (*request_ended)(struct tw_sched *, const struct request *);
};

struct tw__runtime_model {
	const char *name, *alias; /* alias: NULL: none */
	const char *summary;      /* one line */
	const char *values; /* of parameters: "submit_cost=1us:order=id"; those left out are params.h's; NULL: all */
	/* Sets hooks beyond those that the parameters have set. NULL: sets none. */
	void (*set_hooks)(const struct tw__runtime_params *, struct tw__runtime_hooks *);
};

/* Generated: in the order of their list, NULL-terminated. */
extern const struct tw__runtime_model *const tw__runtime_models[];

/* By name or alias; NULL: there is none. */
const struct tw__runtime_model *tw__runtime_model(const char *name);
/* The i-th of all names and aliases; NULL behind the last. */
const char *tw__runtime_model_name(int i);

#endif
