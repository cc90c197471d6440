/* Starts the threads of a run, and maps them to cores. The thread of a GPU gets a core near the GPU. CPU workers get
 * the other cores, in order. */
#include "base/refused.h"
#include "platform/bind.h"
#include "platform/machine.h"
#include "engine/real/real.h"

#include <stdlib.h>

int tw__start_thread(pthread_t *thread, void *(*serve)(void *), void *arg, const char *what, struct tw_error *err)
{
	char text[TW__REFUSED_TEXT];
	int reason = pthread_create(thread, NULL, serve, arg);
	return reason ? tw_fail(err, TW_SYSTEM, "engine 'real': no thread for %s: %s", what, tw__refused(text, reason))
	              : TW_OK;
}

static int count_cpu_cores(const struct tw_platform *p)
{
	int n = 0;
	for (tw_worker w = 0; w < p->n_workers; w++)
		n += p->archs[p->workers[w].arch].accelerator ? 0 : p->workers[w].cores;
	return n;
}

int tw__cores_open(struct tw__engine *e, struct tw_error *err)
{
	struct tw__cores *c = &e->cores;
	char why[160];
	int n = e->mode == TW__LIVE ? tw__bindable_cores(why, sizeof why)
	                            : 0; /* must be called before threads start: see platform/bind.h */
	if (n < 0)
		tw_log(TW_LOG_WARNING, "engine 'real': workers are not bound to cores: %s", why);
	c->n = n < 0 ? 0 : n;
	c->spare = c->n - count_cpu_cores(e->platform);
	c->taken = calloc((size_t)c->n + 1, sizeof *c->taken);
	return c->taken ? TW_OK : tw_fail(err, TW_NOMEM, "engine 'real': out of memory");
}

void tw__cores_close(struct tw__engine *e) { free(e->cores.taken); }

int tw__cores_take_near(struct tw__engine *e, const char *pci_place)
{
	struct tw__cores *c = &e->cores;
	int found = TW_NONE;
	for (int core = c->n - 1; core >= 0 && c->spare > 0; core--)
		if (!c->taken[core] && (found == TW_NONE || tw__core_is_near(core, pci_place)))
			found = core;
	if (found == TW_NONE)
		return TW_NONE;
	c->taken[found] = true;
	c->spare--;
	return found;
}

int tw__cores_of_cpu(const struct tw__engine *e, int number)
{
	for (int core = 0; core < e->cores.n; core++)
		if (!e->cores.taken[core] && number-- == 0)
			return core;
	return TW_NONE;
}
