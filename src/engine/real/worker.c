/* The thread of a worker: it runs kernels one after the other. A group of cores has a thread for each core. A thread
 * that gets a kernel for several cores asks the others for their parts: the other threads of its group, or those of the
 * workers in the task's team. It computes its own part, and waits until they have ended theirs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "platform/bind.h"
#include "engine/real/office.h"
#include "engine/real/family.h"

struct member {
	struct tw__seat seat;
	/* The part that the thread computes, of a kernel that another thread got: an item for this one's seat, and,
	 * when the part has ended, for the other's `ended`. */
	struct tw__post call;
	struct tw__job *job;
	int part, n_parts;
	struct tw__seat *ended_at;
	struct tw__seat ended; /* the parts of this thread's kernel that others have ended */
	struct tw__worker_thread *worker;
	pthread_t thread;
	int core;
	void *workspace;
	int code;             /* return value of the last kernel */
	double wall_s, cpu_s; /* wall time and CPU time spent in kernels */
	bool interrupted;     /* whether the core was preempted in the last kernel */
};

struct tw__worker_thread {
	struct tw__engine *engine;
	int n_members, n_started;
	struct member *members;
};

static double seconds_of(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Whether the core was preempted during a kernel. Voluntary switches do not count: kernels may sleep, or wait for the
 * disk. */
static bool lost_core(double wall_s, double cpu_s, long switches)
{
	return switches > 0 && wall_s - cpu_s > 0.02 * wall_s + 2e-6;
}

static long involuntary_switches(void)
{
	struct rusage usage;
	return getrusage(RUSAGE_THREAD, &usage) == 0 ? usage.ru_nivcsw : 0;
}

static void compute(struct member *m)
{
	const struct tw__engine *e = m->worker->engine;
	const struct tw__job *job = m->job;
	struct tw_call call = tw__family_call(e->family, e->seed, tw__program_task(e, job->task), m->workspace,
	                                      job->operands, job->n_operands);
	call.part = m->part;
	call.n_parts = m->n_parts;
	long switches = involuntary_switches();
	double wall_s = seconds_of(CLOCK_MONOTONIC), cpu_s = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	m->code = job->codelet->run(&call);
	wall_s = seconds_of(CLOCK_MONOTONIC) - wall_s;
	cpu_s = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_s;
	m->interrupted = lost_core(wall_s, cpu_s, involuntary_switches() - switches);
	m->wall_s += wall_s;
	m->cpu_s += cpu_s;
}

/* Returns the thread that computes part i of the worker's kernel. The worker's first thread computes one of them. */
static struct member *member_of(struct tw__worker_thread *w, const struct tw__job *job, int i)
{
	return job->n_workers ? &w->engine->workers[job->workers[i]]->members[0] : &w->members[i];
}

/* Returns the number of threads that compute the kernel. One that cannot be split is for the worker's first thread. */
static int count_parts(const struct tw__worker_thread *w, const struct tw__job *job)
{
	if (!job->codelet->splits)
		return 1;
	return job->n_workers ? job->n_workers : w->n_members;
}

static void compute_all(struct tw__worker_thread *w, struct tw__job *job)
{
	struct member *own = &w->members[0];
	const int n = count_parts(w, job);
	for (int i = 0; i < n; i++) {
		struct member *m = n > 1 ? member_of(w, job, i) : own;
		m->job = job;
		m->part = i;
		m->n_parts = n;
		m->ended_at = &own->ended;
		if (m != own)
			tw__seat_give(&m->seat, &m->call);
	}
	compute(own);
	for (int i = 1; i < n; i++)
		tw__seat_take(&own->ended);
	for (int i = 0; i < n; i++) {
		const struct member *m = n > 1 ? member_of(w, job, i) : own;
		job->code = m->code ? m->code : job->code;
		job->interrupted |= m->interrupted;
	}
}

/* Makes an operand for a rehearsal, with the initial content of the handle or zeros. */
static void copy_operand(const struct tw__engine *e, struct tw_operand *operand, tw__access access)
{
	tw_data d = tw__access_data(access);
	unsigned mode = tw__access_mode(access);
	*operand = (struct tw_operand){.bytes = e->graph->data_bytes[d],
	                               .mode = mode & TW_REDUX ? TW_REDUX | TW_RW : mode};
	operand->at = tw__aligned_room(operand->bytes);
	memset(operand->at, 0, operand->bytes);
	if (tw__data_use(e->graph, d) == TW__USE_PLAIN || tw__data_use(e->graph, d) == TW__USE_DISCARDED)
		tw__real_fill_data(e, d, operand->at);
}

/* Runs a kernel for the warm-up; its results and times are discarded. */
static void rehearse(struct tw__worker_thread *w, struct tw__job *job)
{
	const struct tw_graph *g = w->engine->graph;
	for (uint32_t a = g->access_start[job->task]; a < g->access_start[job->task + 1]; a++)
		copy_operand(w->engine, &job->operands[job->n_operands++], g->access[a]);
	compute_all(w, job);
	for (int i = 0; i < job->n_operands; i++)
		free(job->operands[i].at);
	for (int i = 0; i < w->n_members; i++)
		w->members[i].wall_s = w->members[i].cpu_s = 0;
	job->code = 0;
}

static void run_task(struct tw__worker_thread *w, struct tw__job *job)
{
	const struct tw__engine *e = w->engine;
	job->start = tw__clock_now(&e->clock);
	if (!e->empty)
		compute_all(w, job);
	job->end = tw__clock_now(&e->clock);
}

static void run(struct tw__worker_thread *w, struct tw__job *job)
{
	struct tw__engine *e = w->engine;
	if (e->mode == TW__TIMED)
		tw__clock_sleep(&e->clock, job->end);
	else if (job->is_content)
		tw__real_fill_data(e, job->data, job->target);
	else if (job->is_rehearsal)
		rehearse(w, job);
	else
		run_task(w, job);
	tw__job_ended(e, job);
}

static void begin(struct member *m)
{
	char why[160];
	prctl(PR_SET_TIMERSLACK, 1UL); /* makes sleeps end as precisely as possible */
	if (m->core != TW_NONE && tw__bind_thread(m->core, why, sizeof why) < 0 &&
	    !atomic_flag_test_and_set(&m->worker->engine->told_unbound))
		tw_log(TW_LOG_WARNING, "engine 'real': workers are not bound to cores: %s", why);
}

/* Runs a thread. The first one of a worker gets kernels; it and the others get parts of kernels. */
static void serve(void *arg)
{
	struct member *m = arg;
	struct tw__post *post;
	begin(m);
	while ((post = tw__seat_take(&m->seat))) {
		if (post != &m->call) {
			run(m->worker, tw__job_of(post));
			continue;
		}
		compute(m);
		tw__seat_give(m->ended_at, post);
	}
}

static void make_members(struct tw__worker_thread *w, tw_worker worker, int n)
{
	uint64_t bytes = w->engine->family ? w->engine->family->workspace_bytes : 0;
	for (int i = 0; i < n; i++) {
		struct member *m = &w->members[w->n_members++];
		*m = (struct member){.worker = w, .core = tw__cores_of_cpu(w->engine, worker, i)};
		tw__seat_init(&m->seat);
		tw__seat_init(&m->ended);
		m->workspace = bytes ? tw__aligned_room(bytes) : NULL;
	}
}

int tw__worker_thread_create(struct tw__worker_thread **out, struct tw__engine *e, tw_worker worker,
                             struct tw_error *err)
{
	int cores = e->mode == TW__TIMED ? 1 : e->platform->workers[worker].cores;
	struct tw__worker_thread *w = *out = tw_alloc(1, sizeof *w);
	w->engine = e;
	w->members = tw__aligned_room((uint64_t)cores * sizeof *w->members);
	make_members(w, worker, cores);
	int status = TW_OK;
	for (int i = 0; i < cores && status == TW_OK; i++) {
		struct member *m = &w->members[i];
		status = tw__start_thread(e, &m->thread, serve, m, "a worker", err);
		w->n_started += status == TW_OK;
	}
	return status;
}

void tw__worker_thread_stop(struct tw__worker_thread *w)
{
	for (int i = 0; w && i < w->n_started; i++) { /* in order: the first thread may still need the others */
		tw__seat_close(&w->members[i].seat);
		pthread_join(w->members[i].thread, NULL);
	}
	if (w)
		w->n_started = 0;
}

void tw__worker_thread_destroy(struct tw__worker_thread *w)
{
	if (!w)
		return;
	tw__worker_thread_stop(w);
	for (int i = 0; i < w->n_members; i++)
		free(w->members[i].workspace);
	free(w->members);
	free(w);
}

void tw__worker_thread_give(struct tw__worker_thread *w, struct tw__job *job)
{
	tw__seat_give(&w->members[0].seat, &job->post);
}

void tw__worker_thread_times(const struct tw__worker_thread *w, double *wall_s, double *cpu_s)
{
	for (int i = 0; i < w->n_members; i++) {
		*wall_s += w->members[i].wall_s;
		*cpu_s += w->members[i].cpu_s;
	}
}
