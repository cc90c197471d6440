/* Threads of a run, and what they share: the cores that they are bound to, the run's clock, and monitors. The thread of
 * a GPU gets a core near the GPU. CPU workers get the other cores, in order. */
#include <math.h>
#include <stdlib.h>

#include "base/door.h"
#include "base/memory.h"
#include "base/refused.h"
#include "engine/real/real.h"
#include "platform/bind.h"

void tw__watch_fail(struct tw__watch *w, int status, const struct tw_error *err)
{
	tw__monitor_enter(&w->monitor);
	if (w->failed == TW_OK)
		w->failure = *err;
	w->failed = status;
	tw__monitor_signal(&w->monitor);
	tw__monitor_leave(&w->monitor);
}

struct thread {
	struct tw__engine *engine;
	void (*serve)(void *);
	void *arg;
};

/* Runs a thread of the engine. If it runs out of memory, the watchdog ends the run. */
static void *begin_thread(void *arg)
{
	const struct thread thread = *(struct thread *)arg;
	struct tw__watch *w = &thread.engine->watch;
	struct tw__door door;
	free(arg);
	if (TW__MEMORY_RUNS_OUT(&door)) {
		struct tw_error err;
		tw__watch_fail(w, tw__out_of_memory(&err), &err);
		return NULL;
	}
	thread.serve(thread.arg);
	tw__door_close(&door);
	return NULL;
}

int tw__start_thread(struct tw__engine *e, pthread_t *id, void (*serve)(void *), void *arg, const char *what,
                     struct tw_error *err)
{
	char text[TW__REFUSED_TEXT];
	struct thread *thread = tw_alloc(1, sizeof *thread);
	*thread = (struct thread){e, serve, arg};
	int reason = pthread_create(id, NULL, begin_thread, thread);
	if (reason == 0)
		return TW_OK;
	free(thread);
	return tw_fail(err, TW_SYSTEM, "engine 'real': no thread for %s: %s", what, tw__refused(text, reason));
}

/* --- cores -------------------------------------------------------------------------------------------------------- */

/* Returns the main memory to whose cores the worker's threads are bound. */
static tw_node near_of(const struct tw__engine *e, tw_worker w)
{
	return e->binds ? e->platform->nodes[e->platform->workers[w].node].main : TW_RAM;
}

/* Returns the platform's main memory near a core of this machine. */
static tw_node find_near(const struct tw__engine *e, int core)
{
	const struct tw__platform *p = e->platform;
	tw_node n = 0;
	while (e->binds && n < tw__n_mains(p) && tw__main_number(p, n) != tw__core_main(core))
		n++;
	return n < tw__n_mains(p) ? n : TW_NONE;
}

/* Returns how many cores near that memory the CPU workers before `end` have. */
static int count_cpu_cores(const struct tw__engine *e, tw_node near, tw_worker end)
{
	const struct tw__platform *p = e->platform;
	int n = 0;
	for (tw_worker w = 0; w < end; w++)
		if (!p->archs[p->workers[w].arch].accelerator && near_of(e, w) == near)
			n += p->workers[w].cores;
	return n;
}

void tw__cores_open(struct tw__engine *e)
{
	struct tw__cores *c = &e->cores;
	char why[160];
	int n = e->mode == TW__LIVE ? tw__bindable_cores(why, sizeof why)
	                            : 0; /* must be called before threads start: see platform/bind.h */
	if (n < 0)
		tw_log(TW_LOG_WARNING, "engine 'real': workers are not bound to cores: %s", why);
	c->n = n < 0 ? 0 : n;
	c->taken = tw__arena_alloc(&e->memory, (size_t)c->n, sizeof *c->taken);
	c->near = tw__arena_alloc(&e->memory, (size_t)c->n, sizeof *c->near);
	for (int core = 0; core < c->n; core++)
		c->near[core] = find_near(e, core);
}

static int count_near(const struct tw__cores *c, tw_node near, bool taken_too)
{
	int n = 0;
	for (int core = 0; core < c->n; core++)
		n += c->near[core] == near && (taken_too || !c->taken[core]);
	return n;
}

int tw__cores_near(const struct tw__engine *e, tw_worker w) { return count_near(&e->cores, near_of(e, w), true); }

int tw__cores_before(const struct tw__engine *e, tw_worker w) { return count_cpu_cores(e, near_of(e, w), w); }

/* Whether a GPU may take the core: the CPU workers near the same memory do not need all that are left. */
static bool is_spare(const struct tw__engine *e, int core)
{
	const struct tw__cores *c = &e->cores;
	const tw_node near = c->near[core];
	return !c->taken[core] && count_near(c, near, false) > count_cpu_cores(e, near, e->platform->n_workers);
}

int tw__cores_take_near(struct tw__engine *e, tw_worker w, const char *pci_place)
{
	struct tw__cores *c = &e->cores;
	int found = TW_NONE, most = -1;
	for (int core = c->n - 1; core >= 0; core--) {
		if (!is_spare(e, core))
			continue;
		const bool is_near = tw__core_is_near(core, pci_place);
		const int nearness = 2 * (c->near[core] == near_of(e, w)) + is_near;
		if (nearness > most || (nearness == most && is_near)) {
			found = core;
			most = nearness;
		}
	}
	if (found != TW_NONE)
		c->taken[found] = true;
	return found;
}

int tw__cores_of_cpu(const struct tw__engine *e, tw_worker w, int part)
{
	const struct tw__platform *p = e->platform;
	if (p->archs[p->workers[w].arch].accelerator)
		return TW_NONE;
	const tw_node near = near_of(e, w);
	int before = tw__cores_before(e, w) + part;
	for (int core = 0; core < e->cores.n; core++)
		if (e->cores.near[core] == near && !e->cores.taken[core] && before-- == 0)
			return core;
	return TW_NONE;
}

/* --- the clock, whose seconds may last longer than the machine's: see `stretch` ----------------------------------- */

enum { NS_PER_S = 1000000000 };

static tw__ns stretched(const struct tw__clock *c, tw__ns date)
{
	return c->stretch == 1 ? date : (tw__ns)((double)date * c->stretch);
}

tw__ns tw__clock_now(const struct tw__clock *c)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	tw__ns ns = (tw__ns)(t.tv_sec - c->zero.tv_sec) * NS_PER_S + (t.tv_nsec - c->zero.tv_nsec);
	return c->stretch == 1 ? ns : (tw__ns)((double)ns / c->stretch);
}

double tw__clock_seconds(const struct tw__clock *c, tw__ns from, tw__ns to)
{
	return to == TW__NEVER ? INFINITY : c->stretch * (double)(to - from) / TW__NS_PER_S;
}

void tw__clock_sleep(const struct tw__clock *c, tw__ns date)
{
	tw__ns ns = stretched(c, date) + c->zero.tv_nsec;
	struct timespec t = {.tv_sec = c->zero.tv_sec + (time_t)(ns / NS_PER_S), .tv_nsec = (long)(ns % NS_PER_S)};
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL))
		;
}

/* --- monitors ----------------------------------------------------------------------------------------------------- */

void tw__monitor_init(struct tw__monitor *m)
{
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_mutex_init(&m->mutex, NULL);
	pthread_cond_init(&m->changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

void tw__monitor_finish(struct tw__monitor *m)
{
	pthread_mutex_destroy(&m->mutex);
	pthread_cond_destroy(&m->changed);
}

void tw__monitor_enter(struct tw__monitor *m) { pthread_mutex_lock(&m->mutex); }
void tw__monitor_leave(struct tw__monitor *m) { pthread_mutex_unlock(&m->mutex); }
void tw__monitor_signal(struct tw__monitor *m) { pthread_cond_broadcast(&m->changed); }

void tw__monitor_wait(struct tw__monitor *m, double seconds)
{
	struct timespec t;
	if (!(seconds > 0))
		return;
	if (isinf(seconds)) {
		pthread_cond_wait(&m->changed, &m->mutex);
		return;
	}
	clock_gettime(CLOCK_MONOTONIC, &t);
	double whole = floor(seconds);
	long ns = t.tv_nsec + (long)(1e9 * (seconds - whole));
	t.tv_sec += (time_t)whole + ns / NS_PER_S;
	t.tv_nsec = ns % NS_PER_S;
	pthread_cond_timedwait(&m->changed, &m->mutex, &t);
}
