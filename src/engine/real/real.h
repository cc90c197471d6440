/* The real engine: kernels compute, or sleep for their modelled times, on threads of this machine.
 *
 *     real.c      the engine's operations, and the turn
 *     clock.c     the run's clock
 *     warm.c      runs each kernel once, before the clock starts
 *     job.c       kernels and copies that are under way
 *     open.c      allocates what a run needs: memory, kernels, threads
 *     cores.c     maps threads to cores
 *     worker.c    a thread, or a group of threads, that runs kernels one after the other
 *     memory.c    the address of each handle in each memory
 *     links.c     the thread that copies over emulated links
 *     emulated.c  accelerators made of a worker, an arena and the emulated links
 *     watch.c     the main thread during a run: timer and watchdog
 *     watched.c   work before and after a run, with a watchdog too
 *     monitor.c   a mutex and a condition variable, for both
 *     timed.c     timed mode: turns in the order of the model's dates
 *     log.c       timed mode: the log, and its replay
 *     results.c   checks the results
 *
 * Threads. The runtime has no thread of its own: the thread that ends a job leads the next turn (engine/baton.h). All
 * state here is used only in turns, or by one thread. Jobs pass between threads through the baton and seats. */
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

/* A kernel or a copy, from the turn that submits it to the turn that is told of its end. */
struct tw__job {
	struct tw__post post; /* in a seat, then in the baton */
	struct tw__job *next; /* the next unused job, or the next in the log */
	uint64_t token;
	uint64_t sequence; /* timed mode: the number of its start */
	size_t place;      /* timed mode: index among the submitted kernels */
	tw__ns given;      /* the date of the turn that submitted it; TW__NEVER: it has ended */
	tw__ns start, end; /* dates of the run's clock */
	int code;          /* a kernel's return value; 0: success */
	const char *why;   /* the message of a failed device call; NULL: none */
	bool is_copy;
	bool is_content;   /* the worker's thread writes the initial content of `data` to `target` */
	bool is_rehearsal; /* the kernel runs on copies of the task's operands: see warm.c */
	bool interrupted;  /* a thread of the kernel was preempted */
	/* For kernels. */
	const struct tw_codelet *codelet;
	tw_task task;
	tw_worker worker;
	tw__ns length; /* by the model */
	int n_operands;
	struct tw_operand *operands;
	/* For copies. */
	tw_node from, to;
	/* For copies and initial content. */
	tw_data data;
	void *target;
	const void *source;
	uint64_t bytes;
};

static inline struct tw__job *tw__job_of(struct tw__post *post)
{
	return (struct tw__job *)((char *)post - offsetof(struct tw__job, post));
}

/* Filling and checking may take this many times the engine's patience. */
enum { TW__FAMILY_PATIENCE = 100 };

enum tw__real_mode {
	TW__LIVE, /* kernels compute and copies copy */
	TW__TIMED /* kernels sleep for their modelled times: see timed.c */
};

struct tw__clock {
	struct timespec zero; /* date 0 */
	double stretch;       /* machine seconds per second of the run's clock */
};

enum tw__spaces_use {
	TW__UNUSED, /* only addresses are needed */
	TW__USED,
	TW__USED_TWICE /* the check will need as much memory as the home memory has */
};

/* The places of handles in memories. */
struct tw__spaces {
	enum tw__spaces_use use;
	const struct tw_graph *graph;
	const struct tw_platform *platform;
	int n_nodes;
	tw_node home;
	char *base[TW__MAX_SPACES];     /* the address of each memory */
	uint64_t bytes[TW__MAX_SPACES]; /* the size of its mapping; 0: a device owns it */
	uint64_t later_bytes;           /* needed later by the check */
	uint64_t *at_home;              /* [n_data] offsets in the home memory */
	uint64_t *offset;               /* [n_data * n_nodes] the runtime's last placement */
};

/* Messages between turns and the main thread. */
struct tw__watch {
	struct tw__monitor monitor;
	tw__ns until;     /* the date of the next turn, if nothing ends before */
	bool calls;       /* tells the caller's thread that a turn is due */
	bool leaves;      /* tells the caller's thread to return */
	double longest_s; /* the longest kernel or copy so far, by the model */
	bool over;        /* the run has ended */
	bool asks;        /* the watchdog ends the run, and asks what is under way */
	bool answered;
	char answer[400];
};

/* Work before and after the run, with a watchdog. */
struct tw__watched {
	struct tw__monitor monitor;
	uint64_t n_steps;
	char step[160];
	double patience_s; /* for the current step */
	bool done;
	int status;
	struct tw_error err;
};

/* The cores of this machine, in hwloc's order: see platform/bind.h. */
struct tw__cores {
	int n;       /* 0: threads are not bound */
	int spare;   /* cores that no CPU worker needs */
	bool *taken; /* by the threads of GPUs */
};

/* Calls of devices; emulated devices are not counted. */
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
	bool has_numbers;  /* kernels run, during or after the run */
	bool poisons;      /* fills memory with NaN when it is allocated */
	double patience_s; /* of the watchdog; it waits longer if a kernel is modelled to */

	struct tw__cores cores;
	struct tw__clock clock;
	struct tw__baton *baton;
	struct tw__family *family;
	struct tw__spaces spaces;
	struct tw__worker_thread **workers; /* [n_workers]; NULL: the device has its own thread */
	struct tw__device **devices;        /* [n_nodes]; NULL: main memory, or timed mode */
	struct tw__links *links;            /* emulated links; NULL: none */
	struct tw__timed *timed;            /* NULL: live mode */
	struct tw__warm_up *warm_up;        /* during the warm-up; kept if a kernel hangs */
	struct tw__log *log;                /* NULL: no log */

	/* Changed only in turns. */
	tw__turn *turn;
	void *turn_arg;
	struct tw__job *unused, **jobs; /* all jobs */
	size_t n_jobs, jobs_capacity;
	int most_operands;
	tw__ns now;                               /* the date of the last turn */
	double turn_s;                            /* seconds spent in turns */
	struct tw__device_calls launches, issues; /* calls for kernels; for copies */
	tw__ns until;                             /* the date that the last turn asked for */
	tw__ns told;                              /* the date of the next turn, as last told to the main thread */
	double longest_s;                         /* the longest kernel or copy so far, by the model */
	char why[500];                            /* the message of the first failed kernel */
	bool drives;                              /* the clock runs; a bench drives several times */
	bool over;

	struct tw__watch watch;
	struct tw__watched watched;
	struct { /* parameters of tw__gpu_open */
		tw_worker worker;
		uint64_t arena_bytes;
	} opening;
	atomic_flag told_unbound; /* the warning that workers are not bound to cores has been logged */
	double residual;
	bool hangs; /* a thread hangs: it cannot be joined, and its memory must not be freed */
};

/* clock.c */
/* Now, by the run's clock. */
tw__ns tw__clock_now(const struct tw__clock *);
/* The difference of two of its dates, in seconds of the machine. */
double tw__clock_seconds(const struct tw__clock *, tw__ns from, tw__ns to);
/* Sleeps until that date; returns at once if it has passed. */
void tw__clock_sleep(const struct tw__clock *, tw__ns date);

/* job.c, in a turn */
struct tw__job *tw__job_get(struct tw__engine *, uint64_t token); /* NULL: out of memory */
/* Makes the runtime's completion of a job that has ended, and recycles the job. */
struct tw__completion tw__job_complete(struct tw__engine *, struct tw__job *);

/* real.c */
void tw__job_ended(struct tw__engine *, struct tw__job *); /* from any thread */
/* In a turn: the worker (a core or an emulated accelerator) writes a handle's initial content to its memory. */
int tw__real_refill(struct tw__engine *, tw_worker, tw_data, uint64_t token);
/* In a turn: such a worker runs the task's kernel on copies of the task's operands. */
int tw__real_rehearse(struct tw__engine *, tw_worker, tw_task, uint64_t token);
/* Calls the turn until it returns false. */
int tw__real_take_turns(struct tw__engine *, tw__turn *, void *arg, struct tw_error *err);
const char *tw__real_worker_name(const struct tw__engine *, tw_worker);

void tw__real_lead(void *engine, struct tw__post *); /* called by the baton */

/* plugin.c: NVIDIA GPUs. TW_INVALID: the plug-in does not exist. */
int tw__device_plugin(const struct tw__device_ops **, struct tw_error *err);
/* Opens a GPU as the device of that accelerator's memory. The watchdog watches it; if it takes too long, the engine
 * hangs. */
int tw__gpu_open(struct tw__engine *, tw_worker, uint64_t arena_bytes, struct tw_error *err);

/* warm.c */
int tw__real_warm_up(struct tw__engine *, struct tw_error *err);

/* open.c */
int tw__real_check(const struct tw_args *, struct tw_error *err);
int tw__real_open(struct tw__engine **, const struct tw__engine_setup *, struct tw_error *err);
void tw__real_close(struct tw__engine *);
int tw__real_fill(struct tw__engine *, struct tw_error *err); /* writes the initial content; in a watched thread */
void tw__real_fill_data(const struct tw__engine *, tw_data, void *at); /* of one handle */

/* cores.c */
int tw__cores_open(struct tw__engine *, struct tw_error *err);
void tw__cores_close(struct tw__engine *);
/* Takes a core for the thread of the GPU at that PCI address: one near the GPU if possible. TW_NONE: the CPU workers
 * need all cores. To be called before any CPU worker gets its core. */
int tw__cores_take_near(struct tw__engine *, const char *pci_place);
/* Among the cores that GPUs leave; TW_NONE: there is none. */
int tw__cores_of_cpu(const struct tw__engine *, int number);

/* worker.c */
/* `first`: the number of its first core among those for CPU workers; TW_NONE: its threads are not bound. */
int tw__worker_thread_create(struct tw__worker_thread **, struct tw__engine *, tw_worker, int first,
                             struct tw_error *err);
void tw__worker_thread_destroy(struct tw__worker_thread *); /* lets the running kernel end; drops no other work */
void tw__worker_thread_give(struct tw__worker_thread *, struct tw__job *);
/* Sums over the members and all kernels so far, in seconds. Valid only while the thread is idle. */
void tw__worker_thread_times(const struct tw__worker_thread *, double *wall_s, double *cpu_s);

/* memory.c */
int tw__spaces_open(struct tw__spaces *, const struct tw__engine_setup *, enum tw__spaces_use, struct tw_error *err);
void tw__spaces_close(struct tw__spaces *);
int tw__spaces_map(struct tw__spaces *, tw_node, uint64_t bytes, struct tw_error *err); /* maps an arena */
void tw__spaces_touch(const struct tw__spaces *); /* touches all pages that a run may use */
void *tw__spaces_at(const struct tw__spaces *, tw_node, tw_data);
void *tw__spaces_home(const struct tw__spaces *, tw_data); /* tw__spaces_at for the home memory */

/* timed.c */
int tw__timed_create(struct tw__timed **, struct tw__engine *, enum tw__link_shares, struct tw_error *err);
void tw__timed_destroy(struct tw__timed *);
/* In a turn. TW_NOMEM. */
/* Gives a kernel its dates; the caller passes it to the worker's thread. */
int tw__timed_give(struct tw__engine *, struct tw__job *);
int tw__timed_copy(struct tw__engine *, struct tw__job *);
tw__ns tw__timed_lead(struct tw__engine *, struct tw__post *); /* returns the date of the next turn */

/* links.c: live mode */
int tw__links_create(struct tw__links **, struct tw__engine *, enum tw__link_shares, struct tw_error *err);
void tw__links_destroy(struct tw__links *);
void tw__links_give(struct tw__links *, struct tw__job *); /* queued after earlier copies of the same way */

/* watch.c */
void tw__watch_init(struct tw__watch *);
void tw__watch_finish(struct tw__watch *);
void tw__watch_begin(struct tw__watch *);                         /* before each run */
void tw__watch_tell(struct tw__watch *, tw__ns until, bool over); /* in a turn */
void tw__watch_longest(struct tw__watch *, double seconds);       /* in a turn */
/* In a turn: answers the watchdog if it asks; true: it did. */
bool tw__watch_asked(struct tw__engine *);
int tw__watch_run(struct tw__engine *, struct tw_error *err); /* returns when the run is over */
/* How long the watchdog waits while nothing ends, in seconds of the machine. */
double tw__watch_patience(struct tw__engine *);

/* watched.c */
void tw__watched_init(struct tw__watched *);
void tw__watched_finish(struct tw__watched *);
/* Calls `work` in a thread of its own. If a step of it takes too long, gives up, and the engine hangs. Returns the
 * status of `work`. */
int tw__watched_work(struct tw__engine *, int (*work)(struct tw__engine *, struct tw_error *), struct tw_error *err);
/* In that thread: names the step that begins now, and sets how long it may take. */
void tw__watched_step(struct tw__engine *, double patience_s, const char *format, ...) TW_PRINTF(3, 4);
/* How long a kernel may take on one core: the watchdog's patience, plus its flops at a low rate (watched.c). */
double tw__watched_kernel_s(struct tw__engine *, tw_task);

/* log.c */
struct tw__log *tw__log_create(void);
void tw__log_destroy(struct tw__log *);
void tw__log_add(struct tw__log *, struct tw__job *);          /* a job that has ended; the log keeps it */
int tw__log_replay(struct tw__engine *, struct tw_error *err); /* in a watched thread */

/* results.c */
int tw__real_finish(struct tw__engine *, struct tw__engine_report *, struct tw_error *err);

#endif
