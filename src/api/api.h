/* The objects of tilewright/run.h. Each counts its uses: one by the program, and one by each object made from it. */
#ifndef TW__API_H
#define TW__API_H

#include <pthread.h>
#include <stdatomic.h>

#include <tilewright/run.h>

#include "base/door.h"
#include "base/memory.h"
#include "experiment/load.h"
#include "request/identity.h"

/* The end of a public function: returns the status of `call`, or TW_NOMEM if memory runs out in it. */
#define TW__RETURN_BEHIND_DOOR(call, err)              \
	do {                                           \
		struct tw__door door;                  \
		if (TW__MEMORY_RUNS_OUT(&door))        \
			return tw__out_of_memory(err); \
		int status_of_call = (call);           \
		tw__door_close(&door);                 \
		return status_of_call;                 \
	} while (0)

/* The same for a call that makes *out. After an error, `drop` frees it, and it is NULL. */
#define TW__MAKE_BEHIND_DOOR(out, drop, call, err)                           \
	do {                                                                 \
		struct tw__door door;                                        \
		*(out) = NULL;                                               \
		if (TW__MEMORY_RUNS_OUT(&door)) {                            \
			*(out) = NULL; /* lost, as all memory of the call */ \
			return tw__out_of_memory(err);                       \
		}                                                            \
		int status_of_call = (call);                                 \
		if (status_of_call < 0) {                                    \
			drop(*(out));                                        \
			*(out) = NULL;                                       \
		}                                                            \
		tw__door_close(&door);                                       \
		return status_of_call;                                       \
	} while (0)

/* Options "NAME=VALUE" of a program, checked and added to a request. */
struct tw__options {
	struct tw__inputs inputs; /* `common` is the request */
	struct tw__arena texts;   /* copies of the program's texts */
};

/* Begins with the options of another request. */
void tw__options_init(struct tw__options *, const struct tw__request *before);
void tw__options_finish(struct tw__options *);
/* Takes all options of an array that ends with NULL, or is NULL. `of_scene`: those of scenes, or those of runs.
 * `own_eviction`: whether the option eviction names the program's own. */
int tw__options_take(struct tw__options *, const char *const *options, bool of_scene, bool own_eviction,
                     struct tw_error *err);

/* Calls take(of, name, value, err) for each option of an array that ends with NULL, or is NULL. `value`: the rest of
 * the program's text; NULL: it has none. */
typedef int tw__option_fn(void *of, const char *name, const char *value, struct tw_error *err);
int tw__options_each(const char *const *options, tw__option_fn *, void *of, struct tw_error *err);
/* The errors of an option without a value, and of one that takes none. */
int tw__option_lacks_value(const char *name, const char *value, struct tw_error *err);
int tw__option_has_value(const char *name, const char *value, struct tw_error *err);

/* Fills a structure that begins with its size from a program's, which may be a smaller one of earlier headers: other
 * members of `to` stay. `name`: that of the structure. */
int tw__complete_structure(void *to, size_t size, const void *given, const char *name, struct tw_error *err);

struct tw_platform {
	atomic_int uses;
	struct tw__options options;
	struct tw_platform *next; /* of all platforms */
	pthread_mutex_t lock;     /* of the next three, which scenes and runs use */
	atomic_bool is_locked;
	struct tw__origin origin;
	struct tw__identifier identifier;
	struct tw__platform *selected; /* the chosen workers and memories */
	struct tw_worker_about *workers;
	struct tw_node_about *nodes;
};

/* Calls `work` while no other thread uses the platform's files. Memory that runs out in it is an error, so that the
 * lock is given back. */
int tw__platform_lock(struct tw_platform *, int (*work)(void *arg, struct tw_error *), void *arg, struct tw_error *);

struct tw_scene {
	atomic_int uses;
	struct tw_platform *platform;
	struct tw__request request;
	char *workload;
	struct tw__scene *scene;
};

struct tw_run {
	struct tw_scene *scene;
	struct tw__options options;
	struct tw__request *request; /* that of `options` */
	struct tw__plan plan;
	char identity[TW__DIGEST_TEXT];
	bool has_row; /* whether its options are those of a run */
	bool has_record;
	bool hangs; /* threads of the run go on for ever, and use all that it has but for its results */
	struct tw__record record;
	struct tw__result result;
	char **values; /* [columns] texts of the row, and `row` as JSON, made on first use */
	char *row;
	size_t n_tasks, n_members, n_transfers, n_memory;
	struct tw_run_task *tasks;
	struct tw_run_member *members;
	struct tw_run_transfer *transfers;
	struct tw_run_memory *memory;
};

/* Checks that the run keeps its schedule. TW_INVALID: it does not. */
int tw__run_needs_record(const struct tw_run *, struct tw_error *err);

/* Makes the arrays of the schedule from the run's record. */
void tw__run_make_schedule(struct tw_run *);

#endif
