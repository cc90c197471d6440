/* The explanation in plain words. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explain/explain.h"

/* The meaning of each cause for the makespan. */
static const char *const makespan_says[TW__N_WHY] = {
	[TW__WHY_BUSY] = "tasks wait until a worker is free: there is more work than the workers can do at once",
	[TW__WHY_SLOW] = "tasks run on slow workers, although faster ones are free",
	[TW__WHY_DEPENDENCIES] = "tasks wait for each other's results: more workers would not help",
	[TW__WHY_DATA] = "kernels wait for data to arrive: the links are too slow, or transfers start too late",
	[TW__WHY_MEMORY] = "kernels wait for room in a memory, or for data that was evicted and is loaded again",
	[TW__WHY_POLICY] = "tasks are ready and a worker is free, but the policy does not bring them together",
	[TW__WHY_RUNTIME] = "the runtime system's own work takes the time",
	[TW__WHY_SUBMISSION] = "tasks wait to be submitted",
	[TW__WHY_CANCELLED] = "kernels run that are cancelled, and their work is lost",
	[TW__WHY_TEAM] = "workers with a parallel task wait until its other workers are free",
	[TW__WHY_NETWORK] = "messages go from node to node",
};

/* The meaning of each cause for the time of a worker. */
static const char *const worker_says[TW__N_WHY] = {
	[TW__WHY_DEPENDENCIES] = "no task is ready for them",
	[TW__WHY_DATA] = "they wait for data",
	[TW__WHY_MEMORY] = "they wait for room in memory, or for data that was evicted",
	[TW__WHY_POLICY] = "tasks are ready that they could run, but the policy keeps these for others",
	[TW__WHY_RUNTIME] = "they do the runtime system's work",
	[TW__WHY_SUBMISSION] = "tasks are not submitted yet",
	[TW__WHY_CANCELLED] = "they run kernels that are cancelled",
	[TW__WHY_NOTHING] = "no task is left that they could run",
	[TW__WHY_TEAM] = "they wait for the other workers of a parallel task",
	[TW__WHY_NETWORK] = "messages to their node are under way",
};

/* Text that grows in a buffer of fixed size. */
struct text {
	char *at;
	size_t left;
};

static void put(struct text *t, const char *format, ...) TW_PRINTF(2, 3);
static void put(struct text *t, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	int n = vsnprintf(t->at, t->left, format, values);
	va_end(values);
	size_t wrote = n < 0 ? 0 : (size_t)n < t->left ? (size_t)n : t->left - 1;
	t->at += wrote;
	t->left -= wrote;
}

static void say_makespan(struct text *t, const struct tw__explanation *e)
{
	double part[TW__N_WHY];
	enum tw__why order[TW__N_WHY];
	for (int why = 0; why < TW__N_WHY; why++)
		part[why] = tw__seconds(e->chain[why]);
	int n = tw__why_order(part, order);
	double makespan = tw__seconds(e->makespan);
	if (n == 0 || makespan <= 0) {
		put(t, "The run took no time.");
		return;
	}
	put(t, "In %.0f %% of the makespan, %s.", 100 * part[order[0]] / makespan, makespan_says[order[0]]);
	if (n > 1 && part[order[1]] > 0.1 * makespan)
		put(t, " In %.0f %%, %s.", 100 * part[order[1]] / makespan, makespan_says[order[1]]);
}

/* About the workers that run the kernels of the chain. Shares under 0.05 % are left out. */
static void say_where(struct text *t, const struct tw__explanation *e)
{
	const double on_cores = 100 * tw__seconds(e->chain_ran[0]) / tw__seconds(e->makespan);
	const double on_gpus = 100 * tw__seconds(e->chain_ran[1]) / tw__seconds(e->makespan);
	const double most = fmax(on_cores, on_gpus), least = fmin(on_cores, on_gpus), seen = 0.05;
	if (!(most >= seen))
		return;
	put(t, " %.1f %% of the chain ran on %s", most, on_cores >= on_gpus ? "cores" : "GPUs");
	if (least >= seen)
		put(t, ", %.1f %% on %s", least, on_cores >= on_gpus ? "GPUs" : "cores");
	if (100 - most - least >= seen)
		put(t, "; %.1f %% is transfers and waits", 100 - most - least);
	put(t, ".");
}

/* About the saturated link that the chain uses most, if such links take a tenth of the makespan. */
static void say_links(struct text *t, const struct tw__explanation *e, const struct tw__explained_run *run)
{
	const struct tw__saturated_link *most = e->saturated;
	double makespan = tw__seconds(e->makespan), on_chain = tw__seconds(e->chain_saturated);
	if (on_chain <= 0.1 * makespan)
		return;
	for (int i = 1; i < e->n_saturated; i++)
		if (e->saturated[i].on_chain > most->on_chain)
			most = &e->saturated[i];
	put(t,
	    " In %.0f %%, the run waits for transfers over saturated links, mostly %s, which is saturated in %.0f %%.",
	    100 * on_chain / makespan, run->platform->links[most->link].name,
	    100 * tw__seconds(most->saturated) / makespan);
}

/* About the kind of worker that loses the most time without kernels, all its workers together. */
static void say_workers(struct text *t, const struct tw__explanation *e, const struct tw__explained_run *run)
{
	const struct tw__kind_time *worst = NULL;
	tw__ns most = 0;
	for (int i = 0; i < e->n_kinds; i++) {
		const struct tw__kind_time *k = &e->kinds[i];
		tw__ns lost = tw__times_ns(e->makespan, k->n_workers) - k->of[TW__WHY_KERNELS];
		bool accelerator = run->platform->archs[k->arch].accelerator;
		bool worst_is = worst && run->platform->archs[worst->arch].accelerator;
		if (!worst || accelerator > worst_is || (accelerator == worst_is && lost > most)) {
			worst = k;
			most = lost;
		}
	}
	if (!worst || most <= 0)
		return;
	double part[TW__N_WHY], all = tw__seconds(tw__times_ns(e->makespan, worst->n_workers));
	enum tw__why order[TW__N_WHY];
	for (int why = 0; why < TW__N_WHY; why++)
		part[why] = why == TW__WHY_KERNELS ? 0 : tw__seconds(worst->of[why]);
	char name[TW__KIND_TEXT];
	put(t, " Workers of kind %s compute %.0f %% of the time", tw__kind_text(name, worst, &run->domains),
	    100 * tw__seconds(worst->of[TW__WHY_KERNELS]) / all);
	if (tw__why_order(part, order) > 0 && part[order[0]] >= 0.005 * all)
		put(t, "; in %.0f %%, %s", 100 * part[order[0]] / all, worker_says[order[0]]);
	put(t, ".");
}

static void say_memories(struct text *t, const struct tw__explanation *e, const struct tw__explained_run *run)
{
	int worst = 0;
	for (int n = 1; n < e->n_nodes; n++)
		if (e->memories[n].reloads > e->memories[worst].reloads)
			worst = n;
	const struct tw__memory_use *m = &e->memories[worst];
	if (m->reloads > 0 && m->reloads * 5 > m->loads)
		put(t, " Memory %s thrashes: %.0f %% of its loads bring back what it had evicted.",
		    run->platform->nodes[worst].name, 100.0 * (double)m->reloads / (double)m->loads);
}

void tw__explain_sentences(char *text, size_t size, const struct tw__explanation *e,
                           const struct tw__explained_run *run)
{
	struct text t = {text, size};
	say_makespan(&t, e);
	say_where(&t, e);
	say_links(&t, e, run);
	say_workers(&t, e, run);
	say_memories(&t, e, run);
}
