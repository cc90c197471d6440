/* The real engine: kernels compute, or sleep for their modelled times, on threads of this machine.
 *
 *   real.c      the engine's operations, and the turn
 *   clock.c     the run's clock
 *   warm.c      each kernel once, before the clock starts
 *   job.c       kernels and copies that are under way
 *   open.c      what a run needs: memory, kernels, threads
 *   cores.c     which core each thread has
 *   worker.c    a thread, or a group of threads, that runs kernels one after the other
 *   memory.c    where each handle is in each memory
 *   links.c     the thread that copies over emulated links
 *   emulated.c  accelerators made of a worker, an arena and the emulated links
 *   watch.c     the main thread while a run is under way: timer and watchdog
 *   watched.c   work before and after a run, which may hang as well
 *   monitor.c   a mutex and a condition, for both
 *   timed.c     timed mode: turns in the order of the model's dates
 *   log.c       timed mode: what was done, and the numbers that follow from it
 *   results.c   are the numbers right?
 *
 * Threads. No thread is the runtime's own: the thread that ends a job leads the next turn (engine/baton.h). Everything here
 * is read and written in a turn, or belongs to one thread; jobs go from one to the other through the baton and seats. */
#ifndef TW__REAL_H
#define TW__REAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "engine/baton.h"
#include "engine/real/config.h"
#include "engine/real/device.h"
#include "engine/real/family.h"
#include "engine/real/monitor.h"

struct tw__worker_thread;
struct tw__links;
struct tw__timed;
struct tw__warm_up;
struct tw__log;

/* A kernel or a copy, from the turn that gives it to the turn that learns of its end. */
struct tw__job {
	struct tw__post post; /* in a seat, then in the baton */
	struct tw__job *next; /* among unused jobs, or in the log */
	uint64_t token;
	uint64_t sequence; /* timed mode: of its start */
	size_t place;      /* timed mode: among the kernels that were given */
	tw__ns given;      /* the date of the turn that gave it; TW__NEVER: it has ended */
	tw__ns start, end; /* of the run's clock */
	int code;          /* what a kernel has returned, if not 0 */
	const char *why;   /* a device's call has failed, NULL: none */
	bool is_copy;
	bool is_content;   /* the initial content of `data` is written to `target`, by the worker's thread */
	bool is_rehearsal; /* the kernel runs on copies of the task's operands: see warm.c */
	bool interrupted;  /* a thread of the kernel lost its core meanwhile */
	/* A kernel. */
	const struct tw_codelet *codelet;
	tw_task task;
	tw_worker worker;
	tw__ns length; /* modelled */
	int n_operands;
	struct tw_operand *operands;
	/* A copy. */
	tw_node from, to;
	/* A copy, or content. */
	tw_data data;
	void *target;
	const void *source;
	uint64_t bytes;
};

static inline struct tw__job *tw__job_of(struct tw__post *post)
{
	return (struct tw__job *)((char *)post - offsetof(struct tw__job, post));
}

/* Filling and checking may take so many times the engine's patience. */
enum { TW__FAMILY_PATIENCE = 100 };

enum tw__real_mode {
	TW__LIVE, /* kernels compute and copies copy */
	TW__TIMED /* kernels sleep for their modelled times: see timed.c */
};

struct tw__clock {
	struct timespec zero; /* date 0 */
	double stretch;       /* seconds of the machine for one of the run's clock */
};

enum tw__spaces_use {
	TW__UNUSED, /* addresses alone */
	TW__USED,
	TW__USED_TWICE /* the check will need as much as the home memory once more */
};

/* Where handles are. */
struct tw__spaces {
	enum tw__spaces_use use;
	const struct tw_graph *graph;
	const struct tw_platform *platform;
	int n_nodes;
	tw_node home;
	char *base[TW__MAX_SPACES];     /* of each memory */
	uint64_t bytes[TW__MAX_SPACES]; /* of its mapping; 0: it belongs to a device */
	uint64_t later_bytes;           /* that the check will need */
	uint64_t *at_home;              /* [n_data] offsets in the home memory */
	uint64_t *offset;               /* [n_data * n_nodes] as the runtime has placed them last */
};

/* Messages between turns and the main thread. */
struct tw__watch {
	struct tw__monitor monitor;
	tw__ns until;     /* the date of the next turn, whatever ends before */
	bool calls;       /* a turn is due: for the thread that calls them */
	bool leaves;      /* that thread has nothing more to do */
	double longest_s; /* kernel or copy so far, as modelled */
	bool over;        /* the run has ended */
	bool asks;        /* the watchdog ends the run, and wants to know what is under way */
	bool answered;
	char answer[400];
};

/* Work that is watched before and after the run. */
struct tw__watched {
	struct tw__monitor monitor;
	uint64_t n_steps;
	char step[160];
	double patience_s; /* of the step */
	bool done;
	int status;
	struct tw_error err;
};

/* Of this machine, in hwloc's order: see platform/bind.h. */
struct tw__cores {
	int n;       /* 0: threads are not bound */
	int spare;   /* no CPU worker needs them */
	bool *taken; /* by GPUs' threads */
};

/* Calls of devices that are no emulated ones. */
struct tw__device_calls {
	int64_t n;
	double total_s;
};

struct tw__engine {
	const struct tw_platform *platform;
	const struct tw_graph *graph;
	struct tw__real_config config;
	uint64_t seed;
	enum tw__real_mode mode;
	bool empty;        /* kernels and copies do nothing */
	bool has_numbers;  /* kernels are run, now or after the run */
	bool poisons;      /* memory that is given out is filled with NaN */
	double patience_s; /* of the watchdog; it waits longer where a kernel is believed to */

	struct tw__cores cores;
	struct tw__clock clock;
	struct tw__baton *baton;
	struct tw__family *family;
	struct tw__spaces spaces;
	struct tw__worker_thread **workers; /* [n_workers]; NULL: a device has a thread of its own */
	struct tw__device **devices;        /* [n_nodes]; NULL: main memory, or timed mode */
	struct tw__links *links;            /* emulated; NULL: there are none */
	struct tw__timed *timed;            /* NULL: live mode */
	struct tw__warm_up *warm_up;        /* while kernels are rehearsed; it stays if one hangs */
	struct tw__log *log;                /* NULL: none is kept */

	/* Changed in turns alone. */
	tw__turn *turn;
	void *turn_arg;
	struct tw__job *unused, **jobs; /* all there are */
	size_t n_jobs, jobs_capacity;
	int most_operands;
	tw__ns now;                               /* the date of the last turn */
	double turn_s;                            /* seconds spent in turns */
	struct tw__device_calls launches, issues; /* of kernels; of copies */
	tw__ns until;                             /* the date for which the last turn has asked */
	tw__ns told;                              /* the date of the next turn, as the main thread knows it */
	double longest_s;                         /* kernel or copy so far, as modelled */
	char why[500];                            /* what the first kernel that failed returned */
	bool drives;                              /* the clock runs: a bench drives several times */
	bool over;

	struct tw__watch watch;
	struct tw__watched watched;
	struct { /* of tw__gpu_open */
		tw_worker worker;
		uint64_t arena_bytes;
	} opening;
	atomic_flag told_unbound; /* that workers are not bound to cores */
	double residual;
	bool hangs; /* a thread does not come back: it cannot be joined, and what it may use must not be freed */
};

/* clock.c */
/* The run's clock. */
tw__ns tw__clock_now(const struct tw__clock *);
/* From one date of it to another, in seconds of the machine. */
double tw__clock_seconds(const struct tw__clock *, tw__ns from, tw__ns to);
/* Until that date, unless it has passed. */
void tw__clock_sleep(const struct tw__clock *, tw__ns date);

/* job.c, in a turn */
struct tw__job *tw__job_get(struct tw__engine *, uint64_t token); /* NULL: out of memory */
/* The completion that the runtime gets for a job that has ended. The job is used again. */
struct tw__completion tw__job_complete(struct tw__engine *, struct tw__job *);

/* real.c */
void tw__job_ended(struct tw__engine *, struct tw__job *); /* from any thread */
/* In a turn: the worker, a core or an emulated accelerator, writes a handle's initial content to its memory. */
int tw__real_refill(struct tw__engine *, tw_worker, tw_data, uint64_t token);
/* In a turn: such a worker runs the task's kernel on copies of its operands. */
int tw__real_rehearse(struct tw__engine *, tw_worker, tw_task, uint64_t token);
/* Calls the turn until it returns false. */
int tw__real_take_turns(struct tw__engine *, tw__turn *, void *arg, struct tw_error *err);
const char *tw__real_worker_name(const struct tw__engine *, tw_worker);

void tw__real_lead(void *engine, struct tw__post *); /* the baton's */

/* plugin.c: NVIDIA GPUs. TW_INVALID: the plug-in is not there. */
int tw__device_plugin(const struct tw__device_ops **, struct tw_error *err);
/* The device of that accelerator's memory becomes a GPU. It is watched; the engine hangs if it takes too long. */
int tw__gpu_open(struct tw__engine *, tw_worker, uint64_t arena_bytes, struct tw_error *err);

/* warm.c */
int tw__real_warm_up(struct tw__engine *, struct tw_error *err);

/* open.c */
int tw__real_check(const struct tw_args *, struct tw_error *err);
int tw__real_open(struct tw__engine **, const struct tw__engine_setup *, struct tw_error *err);
void tw__real_close(struct tw__engine *);
int tw__real_fill(struct tw__engine *, struct tw_error *err); /* the initial data; in a thread that is watched */
void tw__real_fill_data(const struct tw__engine *, tw_data, void *at); /* its initial content */

/* cores.c */
int tw__cores_open(struct tw__engine *, struct tw_error *err);
void tw__cores_close(struct tw__engine *);
/* For the thread of a GPU at that place on the PCI bus: a core near it, else any. TW_NONE: CPU workers need all. Before any CPU worker has
 * its core. */
int tw__cores_take_near(struct tw__engine *, const char *pci_place);
int tw__cores_of_cpu(const struct tw__engine *, int number); /* of those that GPUs leave; TW_NONE: there is none */

/* worker.c */
/* first: the number of its first core among those of CPU workers; TW_NONE: its threads are not bound. */
int tw__worker_thread_create(struct tw__worker_thread **, struct tw__engine *, tw_worker, int first,
                             struct tw_error *err);
void tw__worker_thread_destroy(struct tw__worker_thread *); /* ends what runs, and nothing else */
void tw__worker_thread_give(struct tw__worker_thread *, struct tw__job *);
/* Parts of all kernels' wall time so far, in seconds; only once the thread has nothing to do. */
void tw__worker_thread_times(const struct tw__worker_thread *, double *wall_s, double *cpu_s);

/* memory.c */
int tw__spaces_open(struct tw__spaces *, const struct tw__engine_setup *, enum tw__spaces_use, struct tw_error *err);
void tw__spaces_close(struct tw__spaces *);
int tw__spaces_map(struct tw__spaces *, tw_node, uint64_t bytes, struct tw_error *err); /* an arena */
void tw__spaces_touch(const struct tw__spaces *); /* all that a run may use has its pages */
void *tw__spaces_at(const struct tw__spaces *, tw_node, tw_data);
void *tw__spaces_home(const struct tw__spaces *, tw_data); /* as tw__spaces_at of the home memory */

/* timed.c */
int tw__timed_create(struct tw__timed **, struct tw__engine *, enum tw__link_shares, struct tw_error *err);
void tw__timed_destroy(struct tw__timed *);
/* In a turn. TW_NOMEM. */
/* A kernel gets its dates; the caller gives it to the worker's thread. */
int tw__timed_give(struct tw__engine *, struct tw__job *);
int tw__timed_copy(struct tw__engine *, struct tw__job *);
tw__ns tw__timed_lead(struct tw__engine *, struct tw__post *); /* returns the date of the next turn */

/* links.c: live mode */
int tw__links_create(struct tw__links **, struct tw__engine *, enum tw__link_shares, struct tw_error *err);
void tw__links_destroy(struct tw__links *);
void tw__links_give(struct tw__links *, struct tw__job *); /* behind what goes the same way */

/* watch.c */
void tw__watch_init(struct tw__watch *);
void tw__watch_finish(struct tw__watch *);
void tw__watch_begin(struct tw__watch *);                         /* before each run */
void tw__watch_tell(struct tw__watch *, tw__ns until, bool over); /* in a turn */
void tw__watch_longest(struct tw__watch *, double seconds);       /* in a turn */
bool tw__watch_asked(struct tw__engine *);                        /* in a turn: and has answered */
int tw__watch_run(struct tw__engine *, struct tw_error *err);     /* until the run is over */
/* How long a run without any end is waited for, in seconds of the machine. */
double tw__watch_patience(struct tw__engine *);

/* watched.c */
void tw__watched_init(struct tw__watched *);
void tw__watched_finish(struct tw__watched *);
/* Calls work in a thread of its own, and gives up when a step of it takes too long: then the engine hangs. Returns what it returns. */
int tw__watched_work(struct tw__engine *, int (*work)(struct tw__engine *, struct tw_error *), struct tw_error *err);
/* In that thread: what begins now, and how long it may take. */
void tw__watched_step(struct tw__engine *, double patience_s, const char *format, ...) TW_PRINTF(3, 4);
/* How long a kernel may take on one core of this machine, whatever its modelled time. */
double tw__watched_kernel_s(struct tw__engine *, tw_task);

/* log.c */
struct tw__log *tw__log_create(void);
void tw__log_destroy(struct tw__log *);
void tw__log_add(struct tw__log *, struct tw__job *);          /* it has ended; the log keeps it */
int tw__log_replay(struct tw__engine *, struct tw_error *err); /* in a thread that is watched */

/* results.c */
int tw__real_finish(struct tw__engine *, struct tw__engine_report *, struct tw_error *err);

#endif
