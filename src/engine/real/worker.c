/* The thread of a worker: it runs kernels one after the other. A group of cores has a thread for each core. The group's
 * first thread takes the kernels and passes them on. Each thread computes its part, and all meet at a barrier. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "base/memory.h"
#include "platform/bind.h"
#include "engine/real/real.h"
#include "engine/real/family.h"

struct member {
	struct tw__seat seat;
	struct tw__post call; /* item that the first member gives to this one: compute your part of worker->job */
	struct tw__worker_thread *worker;
	pthread_t thread;
	int part, core;
	void *workspace;
	int code;             /* return value of the last kernel that failed; 0: none has failed */
	double wall_s, cpu_s; /* wall time and CPU time spent in kernels */
	bool interrupted;     /* whether the core was preempted in the last kernel */
};

struct tw__worker_thread {
	struct tw__engine *engine;
	int n_members, n_started;
	struct member *members;
	struct tw__job *job; /* the kernel that the members compute */
	pthread_barrier_t end;
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

static void compute(struct member *m, struct tw__job *job)
{
	const struct tw__engine *e = m->worker->engine;
	struct tw_call call =
		tw__family_call(e->family, e->seed, job->task, m->workspace, job->operands, job->n_operands);
	call.part = m->part;
	call.n_parts = job->codelet->splits ? m->worker->n_members : 1;
	m->interrupted = false;
	if (m->part >= call.n_parts)
		return; /* the first thread computes the whole task */
	long switches = involuntary_switches();
	double wall_s = seconds_of(CLOCK_MONOTONIC), cpu_s = seconds_of(CLOCK_THREAD_CPUTIME_ID);
	int code = job->codelet->run(&call);
	wall_s = seconds_of(CLOCK_MONOTONIC) - wall_s;
	cpu_s = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu_s;
	m->interrupted = lost_core(wall_s, cpu_s, involuntary_switches() - switches);
	m->wall_s += wall_s;
	m->cpu_s += cpu_s;
	if (code)
		m->code = code;
}

static void compute_all(struct tw__worker_thread *w, struct tw__job *job)
{
	w->job = job;
	for (int i = 1; i < w->n_members; i++)
		tw__seat_give(&w->members[i].seat, &w->members[i].call);
	compute(&w->members[0], job);
	if (w->n_members > 1)
		pthread_barrier_wait(&w->end);
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
		w->members[i].wall_s = w->members[i].cpu_s = w->members[i].code = 0;
}

static void run_task(struct tw__worker_thread *w, struct tw__job *job)
{
	const struct tw__engine *e = w->engine;
	job->start = tw__clock_now(&e->clock);
	if (!e->empty)
		compute_all(w, job);
	job->end = tw__clock_now(&e->clock);
	for (int i = 0; i < w->n_members; i++) {
		job->code = w->members[i].code ? w->members[i].code : job->code;
		job->interrupted |= w->members[i].interrupted;
	}
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

static void first_member(void *arg)
{
	struct member *m = arg;
	struct tw__post *post;
	begin(m);
	while ((post = tw__seat_take(&m->seat)))
		run(m->worker, tw__job_of(post));
}

static void other_member(void *arg)
{
	struct member *m = arg;
	begin(m);
	while (tw__seat_take(&m->seat)) {
		compute(m, m->worker->job);
		pthread_barrier_wait(&m->worker->end);
	}
}

static void make_members(struct tw__worker_thread *w, tw_worker worker, int n)
{
	uint64_t bytes = w->engine->family ? w->engine->family->workspace_bytes : 0;
	for (int i = 0; i < n; i++) {
		struct member *m = &w->members[w->n_members++];
		*m = (struct member){.worker = w, .part = i, .core = tw__cores_of_cpu(w->engine, worker, i)};
		tw__seat_init(&m->seat);
		m->workspace = bytes ? tw__aligned_room(bytes) : NULL;
	}
}

int tw__worker_thread_create(struct tw__worker_thread **out, struct tw__engine *e, tw_worker worker,
                             struct tw_error *err)
{
	int cores = e->mode == TW__TIMED ? 1 : e->platform->workers[worker].cores;
	struct tw__worker_thread *w = *out = tw_alloc(1, sizeof *w);
	w->engine = e;
	pthread_barrier_init(&w->end, NULL, (unsigned)cores);
	w->members = tw__aligned_room((uint64_t)cores * sizeof *w->members);
	make_members(w, worker, cores);
	int status = TW_OK;
	for (int i = 0; i < cores && status == TW_OK; i++) {
		struct member *m = &w->members[i];
		status = tw__start_thread(e, &m->thread, i ? other_member : first_member, m, "a worker", err);
		w->n_started += status == TW_OK;
	}
	return status;
}

void tw__worker_thread_destroy(struct tw__worker_thread *w)
{
	if (!w)
		return;
	for (int i = 0; i < w->n_started; i++) { /* in order: the first thread may still need the others */
		tw__seat_close(&w->members[i].seat);
		pthread_join(w->members[i].thread, NULL);
	}
	for (int i = 0; i < w->n_members; i++)
		free(w->members[i].workspace);
	pthread_barrier_destroy(&w->end);
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
