/* Sweeps: each combination of several lists is a point, and each point a row of one CSV file. A sweep appends rows and
 * keeps those that the file has.
 *
 *    sweep.c         points by number
 *    sweep_columns.c columns that the file needs
 *    sweep_agenda.c  missing points
 *    sweep_run.c     runs the missing points
 *    sweep_pool.c    ... in several processes at once
 *    sweep_point.c   one such process
 *    sweep_file.c    the file: lock and append
 *    sweep_rows.c    rows already in the file
 *    sweep_preview.c --dry-run */
#ifndef TW__SWEEP_H
#define TW__SWEEP_H

#include "experiment/experiment.h"

/* The lists, in the order of the points' numbers; the last changes fastest. The lists before TW__RUNTIMES determine the
 * scene, so points of one scene are neighbours. */
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

/* Lists belong to the caller. An empty list leaves the value of `common`. */
struct tw__sweep {
	struct tw__request common;
	int n[TW__N_LISTS];
	char *const *platforms, *const *workloads, *const *communications,
							   *const *runtimes, *const *noises, *const *policies,
												     *const *evictions;
	char *const *cpu_groups; /* "none": single cores */
	const int *cpus, *gpus;
	const uint64_t *gpu_mem_bytes; /* 0: the memory of the card */
	const uint64_t *seeds;
	const double *belief_errors;
	int shard, n_shards; /* shard K (from 1) of N: every N-th point, from the K-th on */
	int jobs;            /* processes at once */
	bool retry;          /* run failed points again */
	const char *output;
	struct tw__column_choice columns; /* of the file: see tw__sweep_columns */
};

/* Of all shards together. */
int64_t tw__sweep_points(const struct tw__sweep *);
void tw__sweep_point(const struct tw__sweep *, int64_t i, struct tw__request *);

/* Parses --columns: tw__result_columns, then the columns that a resumed sweep needs. `identity` is the last. */
int tw__sweep_columns(struct tw__column_choice *, const char *text, struct tw_error *err);

/* Key of a row in a file of results. */
struct tw__row_key {
	char identity[TW__DIGEST_TEXT];
	bool failed;
	int64_t line; /* in the file, from 1 */
};

/* Rows of an earlier sweep in a file: their keys only; rows.h reads values. */
struct tw__kept {
	size_t n, capacity;
	struct tw__row_key *keys; /* sorted; of several rows of one identity the last in the file counts */
	int64_t whole_bytes;      /* size up to the end of the last complete line; 0: even the header is incomplete */
	char dropped[200];        /* what is wrong with the bytes behind that; "" if there are none */
};

/* Reads `fd` from its start. `header`: the line of its columns, which include `status`, `version` and `identity`; NULL
 * gives TW_NOMEM.
 * TW_INVALID: another header, another version, or a damaged line that is not the last. */
int tw__kept_read(struct tw__kept *, int fd, const char *path, const char *header, struct tw_error *err);
const struct tw__row_key *tw__kept_find(const struct tw__kept *, const char *identity);
void tw__kept_finish(struct tw__kept *);

struct tw__results_file {
	int fd;
	const char *path;
	int64_t bytes;
	double synced_s; /* time of the last sync to disk */
	bool unsynced;
};

/* Opens or creates the file, locks it against other sweeps, reads it as tw__kept_read does, and truncates an incomplete
 * end. TW_INVALID if that fails. */
int tw__results_open(struct tw__results_file *, const char *path, const char *header, struct tw__kept *,
                     struct tw_error *err);
/* Appends all of it or, with TW_FAILED, nothing. Syncs to disk if the last sync is at least a second ago. */
int tw__results_append(struct tw__results_file *, const char *text, size_t bytes, struct tw_error *err);
/* Syncs unsynced rows to disk. */
int tw__results_sync(struct tw__results_file *, struct tw_error *err);
void tw__results_close(struct tw__results_file *);

/* The points of a shard without a row, in order. */
struct tw__agenda {
	int64_t points, there, there_failed; /* distinct points; those with a row; those with a failed row */
	int64_t n;
	int64_t *missing; /* numbers of points */
	struct tw__identifier *identifier;
	size_t n_candidates;
	struct tw__candidate *candidates; /* all points of the shard, between the two calls below */
};

/* TW_INVALID for an error in any point's options. */
int tw__agenda_init(struct tw__agenda *, const struct tw__sweep *, struct tw_error *err);
/* Finds the missing points. `retry`: points with a failed row are missing, too. */
void tw__agenda_compare(struct tw__agenda *, const struct tw__kept *, bool retry);
void tw__agenda_finish(struct tw__agenda *);

struct tw__scene;
struct tw__watched_run; /* limit.h */

/* A point as a process receives it. Its strings are pointers, valid in that process since the fork. */
struct tw__point {
	struct tw__request request;
	char identity[TW__DIGEST_TEXT];
};

/* The report of a point; the row follows it on the socket. */
struct tw__report {
	enum tw__run_status status;
	double makespan_s, gflops;
	char message[512]; /* why it failed */
	size_t row_bytes;
};

struct tw__finished {
	struct tw__request request;
	struct tw__report report;
	char *row; /* malloc'ed, with its line feed */
};

/* A pool of processes for points. */
struct tw__pool;

/* `columns`: of the rows; the caller keeps it. */
int tw__pool_create(struct tw__pool **, int jobs, const struct tw__column_choice *columns, struct tw_error *err);
/* Kills processes with a point, ends the others. */
void tw__pool_destroy(struct tw__pool *);
int tw__pool_busy(const struct tw__pool *);
/* Gives a point to an idle process; there must be one. All points belong to one scene, until tw__pool_leave_scene. The
 * strings of all requests must exist before the first fork, and as long as the pool. */
int tw__pool_start(struct tw__pool *, const struct tw__scene *, const struct tw__point *, struct tw_error *err);
/* Ends the use of the current scene: processes with it end after their point. */
void tw__pool_leave_scene(struct tw__pool *);
/* Waits until a point is done (returns 1; the caller frees its row), `stop_fd` is readable (0, and `*stopped`), or the
 * timeout (0). */
int tw__pool_wait(struct tw__pool *, int stop_fd, int timeout_ms, struct tw__finished *, bool *stopped,
                  struct tw_error *err);
/* The row of a point that could not be prepared. */
int tw__refused_row(struct tw__finished *, const struct tw__column_choice *, const struct tw__point *,
                    const char *message, struct tw_error *err);

/* In a process of the pool: makes rows of points that arrive through the socket, until it is closed. `once`: of one
 * point only. The watched run is always that of the current point. */
void tw__points_serve(const struct tw__scene *, const struct tw__column_choice *, bool once, int fd,
                      struct tw__watched_run *);

struct tw__sweep_counts {
	int64_t points, there, there_failed; /* see tw__agenda */
	int64_t done, failed;                /* in this sweep; failed ones among them */
	bool stopped;
};

/* Callbacks for progress. */
struct tw__sweep_watch {
	void (*begin)(void *context, const struct tw__sweep_counts *, const struct tw__kept *);
	void (*point)(void *context, const struct tw__sweep_counts *, const struct tw__finished *);
	void (*tick)(void *context, const struct tw__sweep_counts *); /* a few times a second */
	void *context;
	int stop_fd; /* when readable, no new point starts and running ones are dropped; negative: none */
};

#define TW__SWEEP_ENGINE "native"

/* The default engine of a sweep into this file: that of its first simulated row, else TW__SWEEP_ENGINE. */
const char *tw__sweep_engine(const char *path);

/* Runs the missing points. TW_INVALID: nothing was run; TW_FAILED: writing the file failed. */
int tw__sweep_run(const struct tw__sweep *, const struct tw__sweep_watch *, struct tw__sweep_counts *,
                  struct tw_error *err);

struct tw__preview {
	int64_t points, missing;
	double tasks, seconds; /* of the missing points; estimates */
};

/* Calls `point` for each point that tw__sweep_run would run; changes nothing. */
int tw__sweep_preview(const struct tw__sweep *, struct tw__preview *,
                      void (*point)(void *context, const struct tw__request *), void *context, struct tw_error *err);

#endif
