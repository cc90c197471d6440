/* Sweeps: the product of lists, each of its points a row of one file, which grows row by row and is never begun anew.
 *
 *     sweep.c         points by number
 *     sweep_columns.c columns that its file needs
 *     sweep_agenda.c  which of them are missing
 *     sweep_run.c     runs those
 *     sweep_pool.c    ... in processes, several at once
 *     sweep_point.c   what such a process does
 *     sweep_file.c    the file: a lock, appending
 *     sweep_rows.c    what is in it already
 *     sweep_preview.c what would be run */
#ifndef TW__SWEEP_H
#define TW__SWEEP_H

#include "experiment/experiment.h"

/* The lists, in the order that points are numbered in, the last changing fastest. All points that share a scene are neighbours: those
 * before TW__RUNTIMES make one. */
enum tw__sweep_list {
	TW__PLATFORMS,
	TW__WORKLOADS,
	TW__COMMUNICATIONS,
	TW__CPU_GROUPS,
	TW__CPUS,
	TW__GPUS,
	TW__GPU_MEM,
	TW__RUNTIMES,
	TW__NOISES,
	TW__BELIEF_ERRORS,
	TW__POLICIES,
	TW__EVICTIONS,
	TW__SEEDS,
	TW__REPETITIONS,
	TW__N_LISTS
};

/* Lists belong to the caller. One that is empty leaves what `common` says. */
struct tw__sweep {
	struct tw__request common;
	int n[TW__N_LISTS];
	char *const *platforms, *const *workloads, *const *communications,
							   *const *runtimes, *const *noises, *const *policies,
												     *const *evictions;
	char *const *cpu_groups; /* "none": cores alone */
	const int *cpus, *gpus;
	const uint64_t *gpu_mem_bytes; /* 0: what the card has */
	const uint64_t *seeds;
	const double *belief_errors;
	int shard, n_shards; /* from 1: every n-th point, from that one on */
	int jobs;            /* processes at once */
	bool retry;          /* run failed points again */
	const char *output;
	struct tw__column_choice columns; /* of the file: see tw__sweep_columns */
};

/* Without shards. */
int64_t tw__sweep_points(const struct tw__sweep *);
void tw__sweep_point(const struct tw__sweep *, int64_t i, struct tw__request *);

/* From --columns: tw__result_columns, and behind them the columns that a resumed sweep needs. `identity` is the last. */
int tw__sweep_columns(struct tw__column_choice *, const char *text, struct tw_error *err);

/* What is in a file of results. */
struct tw__row_key {
	char identity[TW__DIGEST_TEXT];
	bool failed;
	int64_t line; /* in the file, from 1 */
};

/* The rows that a file has from an earlier sweep: what they are of, not their values, for which rows.h is. */
struct tw__kept {
	size_t n, capacity;
	struct tw__row_key *keys; /* sorted; of several rows of one identity the last in the file counts */
	int64_t whole_bytes;      /* the file up to the end of its last whole line; 0: it has not even a header */
	char dropped[200];        /* what was wrong with what stands behind that; "" if there is nothing */
};

/* Reads `fd` from its start. `header`: the line of its columns, with `status`, `version` and `identity` among them; NULL is TW_NOMEM.
 * TW_INVALID: the file has another header, is of another version, or one of its lines is damaged, unless that is the last. */
int tw__kept_read(struct tw__kept *, int fd, const char *path, const char *header, struct tw_error *err);
const struct tw__row_key *tw__kept_find(const struct tw__kept *, const char *identity);
void tw__kept_finish(struct tw__kept *);

struct tw__results_file {
	int fd;
	const char *path;
	int64_t bytes;
	double synced_s; /* when the disk had all */
	bool unsynced;
};

/* Opens or makes the file, locks it against other sweeps, reads it as tw__kept_read does and cuts what is not whole. TW_INVALID if it
 * cannot be. */
int tw__results_open(struct tw__results_file *, const char *path, const char *header, struct tw__kept *,
                     struct tw_error *err);
/* All of it, or, with TW_FAILED, nothing. At the latest a second later the disk has it. */
int tw__results_append(struct tw__results_file *, const char *text, size_t bytes, struct tw_error *err);
/* Lets the disk have what it lacks. */
int tw__results_sync(struct tw__results_file *, struct tw_error *err);
void tw__results_close(struct tw__results_file *);

/* The points of a shard that no row is there for, in order. */
struct tw__agenda {
	int64_t points, there, there_failed; /* of the shard, each once; of those, with a row; of those, failed ones */
	int64_t n;
	int64_t *missing; /* numbers of points */
	struct tw__identifier *identifier;
	size_t n_candidates;
	struct tw__candidate *candidates; /* all of the shard, between the two calls below */
};

/* TW_INVALID for words that are wrong in any point. */
int tw__agenda_init(struct tw__agenda *, const struct tw__sweep *, struct tw_error *err);
/* Finds out what is missing. `retry`: failed rows do not count. */
void tw__agenda_compare(struct tw__agenda *, const struct tw__kept *, bool retry);
void tw__agenda_finish(struct tw__agenda *);

struct tw__scene;

/* A point as a process gets it. Its strings are pointers that are valid in that process since the fork. */
struct tw__point {
	struct tw__request request;
	char identity[TW__DIGEST_TEXT];
};

/* What it tells, and behind it the row. */
struct tw__report {
	enum tw__run_status status;
	double makespan_s, gflops;
	char message[512]; /* why it failed */
	size_t row_bytes;
};

struct tw__finished {
	struct tw__request request;
	struct tw__report report;
	char *row; /* malloc'ed; with its line feed */
};

/* Processes for points. */
struct tw__pool;

/* `columns`: of the rows; the caller's. */
int tw__pool_create(struct tw__pool **, int jobs, const struct tw__column_choice *columns, struct tw_error *err);
/* Ends what is under way. */
void tw__pool_destroy(struct tw__pool *);
int tw__pool_busy(const struct tw__pool *);
/* There must be one that is not busy. All points are of one scene, until tw__pool_leave_scene. The words of all requests belong to the caller,
 * who has made them before and keeps them. */
int tw__pool_start(struct tw__pool *, const struct tw__scene *, const struct tw__point *, struct tw_error *err);
/* The scene of the last points is needed no longer. */
void tw__pool_leave_scene(struct tw__pool *);
/* Until a point is done (1: its row is the caller's), `stop_fd` can be read (0, and `*stopped`), or time is over (0). */
int tw__pool_wait(struct tw__pool *, int stop_fd, int timeout_ms, struct tw__finished *, bool *stopped,
                  struct tw_error *err);
/* The row of a point that could not be prepared. */
int tw__refused_row(struct tw__finished *, const struct tw__column_choice *, const struct tw__point *,
                    const char *message, struct tw_error *err);

/* In a process of the pool: makes the rows of points that come through the socket, until it is closed; or of one point. */
void tw__points_serve(const struct tw__scene *, const struct tw__column_choice *, bool once, int fd);

struct tw__sweep_counts {
	int64_t points, there, there_failed; /* see tw__agenda */
	int64_t done, failed;                /* now; of those, failed ones */
	bool stopped;
};

/* Who wants to know how it goes. */
struct tw__sweep_watch {
	void (*begin)(void *context, const struct tw__sweep_counts *, const struct tw__kept *);
	void (*point)(void *context, const struct tw__sweep_counts *, const struct tw__finished *);
	void (*tick)(void *context, const struct tw__sweep_counts *); /* some times a second */
	void *context;
	int stop_fd; /* once it can be read no point starts, and what is under way is dropped; negative: none */
};

#define TW__SWEEP_ENGINE "native"

/* The engine of a sweep into that file for which no engine is named: that of the first simulated row there, else TW__SWEEP_ENGINE. */
const char *tw__sweep_engine(const char *path);

/* Runs what is missing. TW_INVALID: nothing was run; TW_FAILED: the file could not be written any more. */
int tw__sweep_run(const struct tw__sweep *, const struct tw__sweep_watch *, struct tw__sweep_counts *,
                  struct tw_error *err);

struct tw__preview {
	int64_t points, missing;
	double tasks, seconds; /* of the missing ones; a guess */
};

/* Calls `point` for each point that tw__sweep_run would run, and changes nothing. */
int tw__sweep_preview(const struct tw__sweep *, struct tw__preview *,
                      void (*point)(void *context, const struct tw__request *), void *context, struct tw_error *err);

#endif
