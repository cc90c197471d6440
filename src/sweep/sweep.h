/* Sweeps: each combination of several lists is a point, and each point a row of one CSV file. A sweep appends rows and
 * keeps those that the file has.
 *
 *    sweep_agenda.c  missing points, and --dry-run
 *    sweep_run.c     runs the missing points
 *    sweep_pool.c    the processes that run points at the same time
 *    sweep_file.c    the file: rows that are there, lock and append */
#ifndef TW__SWEEP_H
#define TW__SWEEP_H

#include "request/identity.h"
#include "request/inputs.h"
#include "results/write.h"

/* A sweep. The inputs belong to the caller. */
struct tw__sweep {
	const struct tw__inputs *inputs;
	int shard, n_shards; /* shard K (from 1) of N: every N-th point, from the K-th on */
	int jobs;            /* number of processes that run points at the same time */
	bool retry;          /* whether to run failed points again */
	const char *output;
	struct tw__column_choice columns; /* of the output file, with those that tw__columns_resume adds */
};

/* A row in the output file of a sweep, without its values. */
struct tw__row_key {
	char identity[TW__DIGEST_TEXT];
	bool failed;
	int64_t line; /* number of the line in the file, from 1 */
};

/* The rows that an earlier sweep has left in the output file: only their keys. To read values, use rows.h. */
struct tw__kept {
	size_t n, capacity;
	struct tw__row_key *keys; /* sorted by identity; of several rows with one identity, the last in the file */
	int64_t whole_bytes;      /* bytes up to the end of the last complete line; 0: even the header is incomplete */
	char dropped[200];        /* what is wrong with the bytes behind the last complete line; "" if there are none */
};

/* Reads the keys of all rows in the file `fd`. `header`: the first line that the file must have, whose columns include
 * `status`, `version` and `identity`.
 * TW_INVALID: another header, another version, or a damaged line that is not the last. */
int tw__kept_read(struct tw__kept *, int fd, const char *path, const char *header, struct tw_error *err);
const struct tw__row_key *tw__kept_find(const struct tw__kept *, const char *identity);
void tw__kept_finish(struct tw__kept *);

struct tw__results_file {
	int fd;
	const char *path;
	int64_t bytes;
	double synced_s; /* tw__wall_s() at the last sync to disk */
	bool unsynced;
};

/* Opens or creates the output file, locks it against other sweeps, reads its rows as tw__kept_read does, and cuts off
 * an incomplete end. TW_INVALID: one of these steps failed. */
int tw__results_open(struct tw__results_file *, const char *path, const char *header, struct tw__kept *,
                     struct tw_error *err);
/* Appends the whole text to the file or, with TW_FAILED, nothing. Syncs the file to disk if the last sync is at least a
 * second ago. */
int tw__results_append(struct tw__results_file *, const char *text, size_t bytes, struct tw_error *err);
/* Syncs the file to disk if rows were appended since the last sync. */
int tw__results_sync(struct tw__results_file *, struct tw_error *err);
void tw__results_close(struct tw__results_file *);

/* The missing points of a sweep: points of its shard that have no row in the file, in the order of their numbers. */
struct tw__agenda {
	/* Numbers of distinct points, of those with a row, and of those whose row is of a failed run. */
	int64_t points, there, there_failed;
	int64_t n;
	int64_t *missing; /* [n] numbers of the missing points, for tw__inputs_point */
	struct tw__identifier identifier;
	size_t n_candidates;
	struct tw__candidate *candidates; /* all points of the shard, from tw__agenda_init to tw__agenda_compare */
};

/* Computes the identity of each point of the shard. TW_INVALID: an error in the options of a point. */
int tw__agenda_init(struct tw__agenda *, const struct tw__sweep *, struct tw_error *err);
/* Finds the points without a row in the file. `retry`: points whose row is of a failed run are missing, too. */
void tw__agenda_compare(struct tw__agenda *, const struct tw__kept *, bool retry);
void tw__agenda_finish(struct tw__agenda *);

struct tw__scene;
struct tw__origin;

/* A point as the pool sends it to a process. The strings of the request are pointers, valid in that process since its
 * fork. */
struct tw__point {
	struct tw__request request;
	char identity[TW__DIGEST_TEXT];
};

/* The report that a process sends when a point is done. The point's row follows on the socket. */
struct tw__report {
	enum tw__run_status status;
	double makespan_s, gflops;
	char message[512]; /* why the run failed; otherwise "" */
	bool stops;        /* whether the sweep must stop: see tw__stops_sweep */
};

struct tw__finished {
	struct tw__request request;
	struct tw__report report;
	char *row; /* line of the CSV file, malloc'ed, with its line feed */
	size_t row_bytes;
};

/* A pool of processes that run points. */
struct tw__pool;

/* Creates a pool of at most `jobs` processes. `columns`: the columns of rows; the caller keeps them. */
struct tw__pool *tw__pool_create(int jobs, const struct tw__column_choice *columns);
/* Kills the processes that run a point, ends the others, and frees the pool. */
void tw__pool_destroy(struct tw__pool *);
int tw__pool_busy(const struct tw__pool *);
/* Gives a point to a process of the pool; at least one of `jobs` must be idle. Until tw__pool_leave_scene, scenes of
 * points differ in bounds on memories alone. `origin`: of their platform. The strings of all requests must exist before
 * the first fork, and as long as the pool. */
int tw__pool_start(struct tw__pool *, const struct tw__scene *, struct tw__origin *, const struct tw__point *,
                   struct tw_error *err);
/* Ends the use of the current scenes: processes that were forked with one end after their point. */
void tw__pool_leave_scene(struct tw__pool *);
/* Waits until a point is done, `stop_fd` is readable, or the timeout. Returns 1 if a point is done, otherwise 0. The
 * caller frees the point's row. `*stopped`: whether `stop_fd` is readable. */
int tw__pool_wait(struct tw__pool *, int stop_fd, int timeout_ms, struct tw__finished *, bool *stopped,
                  struct tw_error *err);
/* Whether a point that fails with this status has no row and stops the sweep. The system then lacks descriptors,
 * processes, disk space ...; other points may fail, too, and a later sweep runs this point. All other failures are the
 * point's own. They include a lack of memory, as the size of memory depends on the point. */
bool tw__stops_sweep(int status);
/* Makes the row of a point that could not be prepared, with the reason `message`. */
void tw__refused_row(struct tw__finished *, const struct tw__column_choice *, const struct tw__point *,
                     const char *message);

struct tw__sweep_counts {
	int64_t points, there, there_failed; /* numbers of points: see tw__agenda */
	int64_t done, failed;                /* numbers of points that this sweep ran, and of failed ones among them */
	bool stopped;
};

/* Callbacks that tell the caller of the progress of a sweep. */
struct tw__sweep_watch {
	void (*begin)(void *context, const struct tw__sweep_counts *, const struct tw__kept *);
	void (*point)(void *context, const struct tw__sweep_counts *, const struct tw__finished *);
	void (*tick)(void *context, const struct tw__sweep_counts *); /* called a few times a second */
	void *context;
	int stop_fd; /* descriptor: when readable, no new point starts and running ones are dropped; negative: none */
};

/* Runs the missing points of a sweep. TW_INVALID: an error before the first run; TW_FAILED: the file cannot be written;
 * TW_SYSTEM: the sweep stops (tw__stops_sweep). */
int tw__sweep_run(const struct tw__sweep *, const struct tw__sweep_watch *, struct tw__sweep_counts *,
                  struct tw_error *err);

struct tw__preview {
	int64_t points, missing;
	double tasks, seconds; /* estimated sums over all missing points */
};

/* Calls `point` for each point that tw__sweep_run would run; changes nothing. */
int tw__sweep_preview(const struct tw__sweep *, struct tw__preview *, void (*point)(const struct tw__request *),
                      struct tw_error *err);

#endif
