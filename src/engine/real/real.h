/* The real engine: kernels compute, or sleep for their modelled times, on threads of this machine.
 *
 *     real.c        opens all that a run needs, and closes it; the table of operations
 *     turns.c       drives a run: the turns, and the warm-up before the clock starts
 *     submit.c      in a turn: kernels and copies become jobs
 *     timed_mode.c  timed mode: turns in the order of the model's dates
 *     afterwards.c  after a run: replays the log of timed mode, checks the results
 *     messages.c    messages to and from other processes, in a thread of its own
 *     gather.c      results of all processes, for the check
 *     mains.c       main memories of a platform with several: a thread each that copies, or emulated links
 *     emulated.c    accelerators made of a worker, an arena and emulated links
 *     worker.c      a thread, or a group of threads, that runs kernels one after the other
 *     spaces.c      the address of each handle in each memory, and its initial content
 *     watched.c     work before and after a run, with a watchdog of its own
 *     watch.c       the main thread during a run: timer and watchdog
 *     job.c         kernels and copies that are under way; queues of copies over links without hardware
 *     threads.c     starts threads, and maps them to cores; the run's clock; monitors
 *
 * A file calls only those below it, and the baton calls the turns.
 *
 * Threads. The runtime has no thread of its own: the thread that ends a job leads the next turn (engine/baton.h). All
 * state here is used only in turns, or by one thread. Jobs pass between threads through the baton and seats. */
#ifndef TW__REAL_H
#define TW__REAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "base/memory.h"
#include "engine/baton.h"
#include "engine/real/config.h"
#include "engine/real/device.h"
#include "engine/real/family.h"
#include "engine/transport.h"
#include "links/dated.h"
#include "platform/gpus.h"

struct tw__worker_thread;
struct tw__links;
struct tw__timed;
struct tw__post_office;

/* A kernel or a copy, from the turn that submits it to the turn that gets its completion. */
struct tw__job {
	struct tw__post post; /* entry in a worker's seat, then in the baton */
	struct tw__job *next; /* next job in the list of unused jobs, or in the log */
	uint64_t token;
	uint64_t sequence; /* timed mode: rank of the job's start; jobs that end at one date are reported by rank */
	size_t place;      /* timed mode: index in tw__timed.kernels */
	tw__ns given;      /* date of the turn that submitted the job; TW__NEVER: the job has ended */
	tw__ns start, end; /* dates of the job, on the run's clock */
	tw__ns call;       /* duration of CUDA's calls that gave the job to a GPU; 0: no GPU */
	int code;          /* a kernel's return value; 0: success */
	const char *why;   /* message of a failed call to a device; NULL: none failed */
	bool is_copy;
	bool is_message;   /* one end of the message `message`, with `data` at `target` */
	bool is_content;   /* not a kernel: the worker's thread writes the initial content of `data` to `target` */
	bool is_rehearsal; /* the kernel runs on copies of the task's operands, before the run: see turns.c */
	bool interrupted;  /* a core of the kernel was preempted while it ran */
	/* The members from here to `operands` are only for kernels. */
	const struct tw_codelet *codelet;
	tw_task task;
	tw_worker worker;
	int n_workers; /* as in struct tw__launch: the team of a parallel task; 0: the task is none */
	const tw_worker *workers;
	tw__ns length; /* modelled duration */
	int n_operands;
	struct tw_operand *operands;
	/* The memories that a copy goes from and to. */
	tw_node from, to;
	/* The members from here on are for copies, and for initial content. */
	tw_data data;
	void *target;
	const void *source;
	uint64_t bytes;
	int32_t message; /* for messages, as the next member */
	struct tw__envelope envelope;
};

struct tw__job_queue {
	struct tw__job *first, *last; /* first to come, first to go */
};

static inline void tw__queue_put(struct tw__job_queue *queue, struct tw__job *job)
{
	job->next = NULL;
	if (queue->first)
		queue->last->next = job;
	else
		queue->first = job;
	queue->last = job;
}

/* Takes the first job of a queue that has one. */
static inline struct tw__job *tw__queue_take(struct tw__job_queue *queue)
{
	struct tw__job *job = queue->first;
	queue->first = job->next;
	return job;
}

static inline struct tw__job *tw__job_of(struct tw__post *post)
{
	return (struct tw__job *)((char *)post - offsetof(struct tw__job, post));
}

/* A factor: writing initial content and checking results may take this many times the watchdog's patience. */
enum { TW__FAMILY_PATIENCE = 100 };

enum tw__real_mode {
	TW__LIVE, /* kernels compute, and copies move bytes, while the run goes on */
	TW__TIMED /* kernels only sleep for their modelled times: see timed_mode.c */
};

struct tw__clock {
	struct timespec zero; /* time of CLOCK_MONOTONIC at date 0 of the run */
	double stretch;       /* seconds of the machine per second of the run's clock */
};

enum tw__spaces_use {
	TW__UNUSED,    /* nothing reads or writes the memories: only addresses are needed */
	TW__USED,      /* the run reads and writes the memories */
	TW__USED_TWICE /* after the run, the check needs as much memory again as all handles have */
};

enum { TW__MAX_SPACES = 64 };

/* The addresses of handles in all memories. */
struct tw__spaces {
	enum tw__spaces_use use;
	const struct tw_graph *graph;
	const struct tw__platform *platform;
	int n_nodes;
	struct tw__homes homes;
	/* memories with a place for every handle, in the order of handles: unbounded main memories */
	bool has_all[TW__MAX_SPACES];
	bool binds;                     /* as in the engine */
	char *base[TW__MAX_SPACES];     /* address of each memory */
	uint64_t bytes[TW__MAX_SPACES]; /* size of the mapping of each memory; 0: not mapped, a device owns it */
	uint64_t later_bytes;           /* bytes that the check will need after the run */
	uint64_t *place;                /* [n_data + 1] offset of each handle in memories with a place for all */
	uint64_t *offset;               /* [handle * n_nodes + node] where the runtime has last placed the handle */
};

/* A mutex and a condition variable whose waits have a timeout. */
struct tw__monitor {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
};

/* Messages between turns and the main thread: see watch.c. */
struct tw__watch {
	struct tw__monitor monitor;
	tw__ns until;     /* date of the next turn, if no job ends before */
	bool calls;       /* tells the thread that calls turns that a turn is due */
	bool leaves;      /* tells the thread that calls turns to return */
	double longest_s; /* modelled duration of the longest kernel or copy so far */
	bool over;        /* the run has ended */
	bool asks;        /* whether the watchdog ends the run, and asks the next turn which jobs are under way */
	bool answered;
	char answer[400];
	int failed; /* not TW_OK: a thread has failed, as when memory runs out, and `failure` says why */
	struct tw_error failure;
};

/* Work before and after the run, with a watchdog: see watched.c. */
struct tw__watched {
	struct tw__monitor monitor;
	uint64_t n_steps;
	char step[160];
	double patience_s; /* how long the current step may take */
	int (*work)(struct tw__engine *, struct tw_error *);
	bool done;
	int status; /* what `work` has returned, with its message */
	struct tw_error err;
};

/* The cores of this machine, in hwloc's order (platform/bind.h), and which of them threads of GPUs have. */
struct tw__cores {
	int n;       /* number of cores; 0: threads are not bound to cores */
	bool *taken; /* [n] whether the thread of a GPU has the core */
	/* [n] the main memory of the platform that is near; TW_RAM for all if main memories are no NUMA nodes; TW_NONE:
	 * none of them */
	tw_node *near;
};

struct tw__device_calls { /* how long CUDA's calls took that gave the first jobs of a run to GPUs */
	int n;
	double took_s[1024];
};

struct tw__engine {
	struct tw__arena memory; /* of the members below that do not grow; after opening, only turns use it */
	const struct tw__platform *platform;
	const struct tw_graph *graph;
	struct tw__real_config config;
	uint64_t seed;
	enum tw__real_mode mode;
	bool empty;        /* kernels and copies do nothing (kernels=empty) */
	bool has_numbers;  /* kernels compute, during or after the run */
	bool poisons;      /* memory is filled with NaN when it is allocated (poison=yes) */
	bool logs;         /* jobs that have ended are logged */
	bool binds;        /* several main memories are NUMA nodes: memory and threads are bound to them */
	double patience_s; /* how long the watchdog waits; it waits longer if a kernel is modelled to take long */

	struct tw__cores cores;
	struct tw__clock clock;
	struct tw__baton *baton;
	struct tw__family *family;
	struct tw__spaces spaces;
	struct tw__worker_thread **workers; /* [n_workers]; NULL: the worker is a device with its own thread */
	struct tw__device **devices; /* [n_nodes] device of each memory; NULL: the only main memory, or timed mode */
	struct tw__links *links;     /* emulated links; NULL: only one memory, or timed mode */
	struct tw__processes *processes; /* the run is of one node of a cluster; NULL: it is not */
	struct tw__post_office *office;  /* of messages; NULL: none */
	struct tw__timed *timed;         /* state of timed mode; NULL: live mode */
	/* Timed mode: jobs that have ended, in this order. Replaying them one after the other gives the results. */
	struct tw__job_queue logged;

	/* The members from here to `over` change only in turns. */
	tw__turn *turn;
	void *turn_arg;
	struct tw__job *unused, **jobs; /* jobs: all jobs; unused: list of those that are free */
	size_t n_jobs, jobs_capacity;
	int most_operands;
	atomic_int n_busy;                        /* jobs that are under way, without messages; others may read it */
	int n_rehearsed;                          /* kernels of the warm-up that are under way */
	tw__ns now;                               /* date of the last turn */
	double turn_s;                            /* seconds of the machine spent in turns */
	struct tw__device_calls launches, issues; /* kernels launched; copies issued */
	tw__ns until;                             /* date that the last turn asked for */
	tw__ns told;                              /* date of the next turn, as last told to the main thread */
	double longest_s;                         /* modelled duration of the longest kernel or copy so far */
	char why[500];                            /* message of the first failed kernel or copy */
	bool drives;                              /* a drive has started the clock; a bench drives several times */
	bool over;

	struct tw__watch watch;
	struct tw__watched watched;
	struct { /* arguments for the thread that opens a GPU */
		tw_worker worker;
		uint64_t arena_bytes;
	} opening;
	atomic_flag told_unbound; /* set: the warning that workers are not bound to cores has been logged */
	double residual;
	bool hangs; /* a thread hangs: it cannot be joined, and memory that it may use must not be freed */
};

/* --- threads.c --- */
/* In any thread: the run fails with this error, and threads of it may go on. */
void tw__watch_fail(struct tw__watch *, int status, const struct tw_error *);
/* Starts a thread of the engine, which `what` needs, as in "turns". TW_SYSTEM: the system refuses a thread. */
int tw__start_thread(struct tw__engine *, pthread_t *, void (*serve)(void *), void *arg, const char *what,
                     struct tw_error *err);
void tw__cores_open(struct tw__engine *);
/* Takes a core for the thread of the GPU that is this worker, at that PCI address: one near its main memory, and near
 * the GPU, if possible. TW_NONE: the CPU workers need all cores. Call it before any CPU worker gets its core. */
int tw__cores_take_near(struct tw__engine *, tw_worker, const char *pci_place);
/* Returns the core of a CPU worker, or core `part` of a group: CPU workers take the cores near their memory in order,
 * without those that GPUs take. TW_NONE: there are fewer cores, or threads are not bound. */
int tw__cores_of_cpu(const struct tw__engine *, tw_worker, int part);
int tw__cores_before(const struct tw__engine *, tw_worker); /* how many cores there earlier CPU workers have */
int tw__cores_near(const struct tw__engine *, tw_worker);   /* how many cores are near the worker's memory */
tw__ns tw__clock_now(const struct tw__clock *);             /* the present date of the run's clock */
/* Returns the difference of two dates of the run's clock, in seconds of the machine. `to` TW__NEVER: INFINITY. */
double tw__clock_seconds(const struct tw__clock *, tw__ns from, tw__ns to);
/* Sleeps until that date of the run's clock; returns at once if the date has passed. */
void tw__clock_sleep(const struct tw__clock *, tw__ns date);

void tw__monitor_init(struct tw__monitor *);
void tw__monitor_finish(struct tw__monitor *);
void tw__monitor_enter(struct tw__monitor *);
void tw__monitor_leave(struct tw__monitor *);
/* Inside the monitor: wakes the threads that wait. */
void tw__monitor_signal(struct tw__monitor *);
/* Inside the monitor: waits for a signal, at most `seconds` (INFINITY: no limit). Spurious wake-ups are possible. */
void tw__monitor_wait(struct tw__monitor *, double seconds);

/* --- job.c: call these in a turn --- */
struct tw__job *tw__job_get(struct tw__engine *, uint64_t token); /* a new job */
/* Returns the completion of a job that has ended, for the runtime. Frees the job for another use. */
struct tw__completion tw__job_complete(struct tw__engine *, struct tw__job *);
/* Tells the engine that the job has ended: the next turn reports this to the runtime. Any thread may call it. */
void tw__job_ended(struct tw__engine *, struct tw__job *);

/* --- watch.c --- */
void tw__watch_begin(struct tw__watch *); /* call it before each run: clears old messages */
/* In a turn: tells the main thread the date of the next turn, and whether the run is over. */
void tw__watch_tell(struct tw__watch *, tw__ns until, bool over);
/* In a turn: tells the main thread the modelled duration of the longest kernel or copy so far. */
void tw__watch_longest(struct tw__watch *, double seconds);
/* In a turn: if the watchdog asks which jobs are under way, answers it and returns true. */
bool tw__watch_asked(struct tw__engine *);
int tw__watch_run(struct tw__engine *, struct tw_error *err); /* watches a run; returns when the run is over */
/* Returns how long the watchdog waits while no job ends, in seconds of the machine. */
double tw__watch_patience(struct tw__engine *);

/* --- watched.c --- */
/* Calls `work` in a thread of its own, and returns its status. Sets `hangs` if a step takes too long. */
int tw__watched_work(struct tw__engine *, int (*work)(struct tw__engine *, struct tw_error *), struct tw_error *err);
/* In the thread of `work`: names the step that begins now, and sets how long it may take. */
void tw__watched_step(struct tw__engine *, double patience_s, const char *format, ...) TW_PRINTF(3, 4);
/* Returns how long a task's kernel may take on one core: the watchdog's patience, plus its flops at a low rate. */
double tw__watched_kernel_s(struct tw__engine *, tw_task);

/* --- spaces.c --- */
uint64_t tw__spaces_rounded(uint64_t bytes); /* of a handle, so that the next one is aligned */
int tw__spaces_open(struct tw__engine *, const struct tw__engine_setup *, enum tw__spaces_use, struct tw_error *err);
void tw__spaces_close(struct tw__spaces *);
int tw__spaces_map(struct tw__spaces *, tw_node, uint64_t bytes, struct tw_error *err); /* maps the arena of a memory */
/* Where the runtime has last placed the handle in a memory without a place for every handle. */
static inline uint64_t *tw__spaces_offset(const struct tw__spaces *s, tw_node n, tw_data d)
{
	return &s->offset[(size_t)d * (size_t)s->n_nodes + (size_t)n];
}
void *tw__spaces_at(const struct tw__spaces *, tw_node, tw_data);
void *tw__spaces_home(const struct tw__spaces *, tw_data);    /* as tw__spaces_at, for the handle's home */
int tw__real_fill(struct tw__engine *, struct tw_error *err); /* writes all initial content; in a watched thread */
void tw__real_fill_data(const struct tw__engine *, tw_data, void *at); /* writes one handle's initial content */

/* --- worker.c --- */
/* Starts a worker's threads. Those of CPU workers are bound to cores. */
int tw__worker_thread_create(struct tw__worker_thread **, struct tw__engine *, tw_worker, struct tw_error *err);
/* Waits for all kernels given to it, and ends its threads. All workers are stopped before any is destroyed, because a
 * thread may still be telling another worker's that a part has ended. */
void tw__worker_thread_stop(struct tw__worker_thread *);
void tw__worker_thread_destroy(struct tw__worker_thread *); /* stops it, too */
void tw__worker_thread_give(struct tw__worker_thread *, struct tw__job *);
/* Adds the wall and CPU seconds of the worker's threads in all kernels so far. The threads must be idle. */
void tw__worker_thread_times(const struct tw__worker_thread *, double *wall_s, double *cpu_s);

/* --- job.c: queues of copies --- */
/* Copies from one memory to another, over links that have no hardware: those of emulated accelerators, and of timed
 * mode. One copy is under way at a time. Copies of several queues share the platform's links. */
struct tw__copy_queue {
	struct tw__share share;
	struct tw__job *job; /* the copy that is under way, or NULL */
	struct tw__job_queue waiting;
	tw__ns copied; /* emulated.c: when the bytes of the last copy were copied */
};

struct tw__copy_queues {
	int n_nodes, n_under_way;
	struct tw__copy_queue *of; /* [from * n_nodes + to] */
	struct tw__dated links;
};

void tw__copy_queues_init(struct tw__copy_queues *, const struct tw__platform *, enum tw__link_shares);
void tw__copy_queues_finish(struct tw__copy_queues *);
struct tw__copy_queue *tw__copy_queue_put(struct tw__copy_queues *, struct tw__job *);
/* Starts and returns the next copy of the queue. NULL: a copy is under way, or none waits. */
struct tw__job *tw__copy_queue_start(struct tw__copy_queues *, struct tw__copy_queue *, tw__ns date);
/* Returns the date at which the next copy ends; TW__NEVER: none is under way. */
static inline tw__ns tw__copy_queues_next(struct tw__copy_queues *q) { return tw__dated_next(&q->links); }
/* Ends and returns this copy, which came from *queue. */
struct tw__job *tw__copy_queue_end(struct tw__copy_queues *, struct tw__copy_queue **queue);

/* --- emulated.c --- */
extern const struct tw__device_ops tw__device_emulated;
int tw__links_create(struct tw__links **, struct tw__engine *, enum tw__link_shares, struct tw_error *err);
void tw__links_destroy(struct tw__links *);
void tw__links_copy(struct tw__links *, struct tw__job *); /* in a turn: gives a copy to the links */

/* --- mains.c --- */
/* Opens the device of a main memory, which makes copies from other main memories. After a failure, too, close it unless
 * NULL. */
int tw__main_open(struct tw__device **, struct tw__engine *, tw_node, struct tw_error *err);

/* --- timed_mode.c --- */
struct tw__timed *tw__timed_create(struct tw__engine *, enum tw__link_shares);
void tw__timed_destroy(struct tw__timed *);
/* In a turn: gives a kernel its dates; the caller passes it to the worker's thread. */
void tw__timed_give(struct tw__engine *, struct tw__job *);
void tw__timed_copy(struct tw__engine *, struct tw__job *);    /* in a turn: queues a copy */
tw__ns tw__timed_lead(struct tw__engine *, struct tw__post *); /* runs turns; returns the date of the next */

/* --- submit.c: call these in a turn --- */
void tw__real_place(struct tw__engine *, tw_node, tw_data, uint64_t offset, uint64_t bytes);
void tw__real_exec(struct tw__engine *, const struct tw__launch *, uint64_t token);
void tw__real_transfer(struct tw__engine *, tw_node from, tw_node to, tw_data, uint64_t bytes, uint64_t token);
/* Gives a core or an emulated accelerator the job to write a handle's initial content to its memory. */
void tw__real_refill(struct tw__engine *, tw_worker, tw_data, uint64_t token);
/* Gives a core or an emulated accelerator the job to run the task's kernel on copies of its operands. */
void tw__real_rehearse(struct tw__engine *, tw_worker, tw_task);

/* --- afterwards.c --- */
int tw__real_replay(struct tw__engine *, struct tw_error *err); /* runs all logged jobs; in a watched thread */
int tw__real_finish(struct tw__engine *, struct tw__engine_report *, struct tw_error *err);

/* --- turns.c --- */
/* Drives a run: calls `turn` until it returns false. A bench calls this several times, and warms up by itself. */
int tw__real_drive(struct tw__engine *, tw__turn *, void *arg, struct tw_error *err);
void tw__real_lead(void *engine, struct tw__post *); /* runs turns; the baton calls it */

/* --- real.c --- */
void tw__real_close(struct tw__engine *);

#endif
