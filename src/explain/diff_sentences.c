/* The difference of two runs in plain words. */
#include <math.h>

#include "explain/diff.h"
#include "base/spec.h"
#include "graph/graph.h"

/* Names of the parts of the chain that a makespan hangs on. */
static const char *const nouns[TW__N_WHY] = {
	[TW__WHY_BUSY] = "kernels that waited for a worker",
	[TW__WHY_SLOW] = "time lost on slower workers",
	[TW__WHY_DEPENDENCIES] = "kernels that waited for a predecessor",
	[TW__WHY_DATA] = "transfers of data",
	[TW__WHY_MEMORY] = "waits for room in memory, or for data that was evicted",
	[TW__WHY_POLICY] = "ready tasks that the policy kept back",
	[TW__WHY_RUNTIME] = "the runtime system's work",
	[TW__WHY_SUBMISSION] = "waits for the submission of tasks",
	[TW__WHY_CANCELLED] = "cancelled kernels",
	[TW__WHY_TEAM] = "waits until the workers of parallel tasks were free",
	[TW__WHY_NETWORK] = "messages between nodes",
};

/* Ways in which a worker spends its time. */
static const char *const doings[TW__N_WHY] = {
	[TW__WHY_KERNELS] = "in kernels",
	[TW__WHY_DEPENDENCIES] = "without a ready task",
	[TW__WHY_DATA] = "waiting for data",
	[TW__WHY_MEMORY] = "waiting for room in memory, or for data that was evicted",
	[TW__WHY_POLICY] = "idle although tasks are ready",
	[TW__WHY_RUNTIME] = "in the runtime system",
	[TW__WHY_SUBMISSION] = "waiting for the submission of tasks",
	[TW__WHY_CANCELLED] = "in cancelled kernels",
	[TW__WHY_NOTHING] = "with nothing left to do",
	[TW__WHY_TEAM] = "waiting for other workers of parallel tasks",
	[TW__WHY_NETWORK] = "waiting for messages",
};

static void say_makespan(FILE *f, const struct tw__diff *d)
{
	double a = tw__seconds(d->of[0].makespan), b = tw__seconds(d->of[1].makespan);
	char text[TW__DURATION_TEXT];
	tw__duration_text(text, a == b ? a : fabs(b - a));
	if (a == b)
		fprintf(f, "Both runs take %s.\n", text);
	else if (a > 0 && b > 2 * a)
		fprintf(f, "B takes %.3g times as long as A: %s more.\n", b / a, text);
	else if (a > 0)
		fprintf(f, "B is %.2g %% %s than A: it takes %s %s.\n", 100 * fabs(b - a) / a,
		        b > a ? "slower" : "faster", text, b > a ? "more" : "less");
	else
		fprintf(f, "A takes no time, and B takes %s.\n", text);
}

static double cause_difference(const struct tw__diff *d, enum tw__why why)
{
	return tw__seconds(d->of[1].chain[why] - d->of[0].chain[why]);
}

/* The greatest differences between the chains: at most three, and none below a twentieth of the greatest. */
static void say_causes(FILE *f, const struct tw__diff *d)
{
	enum tw__why order[TW__N_WHY];
	int n = 0, n_causes = tw__diff_order(d, order);
	double greatest = n_causes > 0 ? fabs(cause_difference(d, order[0])) : 0;
	while (n < n_causes && n < 3 && greatest > 0 && fabs(cause_difference(d, order[n])) >= 0.05 * greatest)
		n++;
	for (int i = 0; i < n; i++) {
		double s = cause_difference(d, order[i]);
		char text[TW__DURATION_TEXT];
		tw__duration_text(text, fabs(s));
		fprintf(f, "%s %s %s of %s",
		        i == 0      ? "The chain that B's makespan hangs on has"
		        : i < n - 1 ? ","
		                    : " and",
		        text, s > 0 ? "more" : "less", nouns[order[i]]);
	}
	if (n > 0)
		fputs(".\n", f);
}

static double kind_difference(const struct tw__diff *d, int kind, enum tw__why why)
{
	return tw__diff_kind_seconds(d, 1, kind, why) - tw__diff_kind_seconds(d, 0, kind, why);
}

static bool is_accelerator(const struct tw__diff *d, int kind)
{
	return d->runs[0]->platform->archs[d->of[0].kinds[d->kinds.in[0][kind]].arch].accelerator;
}

/* Of the kinds that both runs have, an accelerator if there is one, and the one with the greatest difference. -1: no
 * kind has a difference. */
static int choose_kind(const struct tw__diff *d)
{
	int best = -1;
	double most = 0;
	for (int kind = 0; kind < d->kinds.n; kind++) {
		enum tw__why order[TW__N_WHY];
		if (d->kinds.in[0][kind] == TW_NONE || d->kinds.in[1][kind] == TW_NONE)
			continue;
		double size = tw__diff_kind_order(d, kind, order) > 0 ? fabs(kind_difference(d, kind, order[0])) : 0;
		bool better = best < 0 || is_accelerator(d, kind) > is_accelerator(d, best) ||
		              (is_accelerator(d, kind) == is_accelerator(d, best) && size > most);
		if (size > 0 && better) {
			best = kind;
			most = size;
		}
	}
	return best;
}

static void say_workers(FILE *f, const struct tw__diff *d)
{
	enum tw__why order[TW__N_WHY];
	int kind = choose_kind(d), n = kind < 0 ? 0 : tw__diff_kind_order(d, kind, order);
	for (int i = 0; i < n && i < 2; i++) {
		double s = kind_difference(d, kind, order[i]);
		char text[TW__DURATION_TEXT];
		if (fabs(s) < 0.05 * fabs(kind_difference(d, kind, order[0])))
			break;
		tw__duration_text(text, fabs(s));
		if (i == 0)
			fprintf(f, "In B, an average worker of kind %s spends", d->kinds.list[kind]);
		fprintf(f, "%s %s %s %s", i == 0 ? "" : ", and", text, s > 0 ? "more" : "less", doings[order[i]]);
	}
	if (n > 0)
		fputs(".\n", f);
}

static void say_start(FILE *f, const struct tw__diff *d, int run, tw_task t)
{
	const struct tw__diff_task *task = &d->tasks[run][t];
	char text[TW__DURATION_TEXT];
	if (task->worker == TW_NONE) {
		fputs("does not run", f);
		return;
	}
	tw__duration_text(text, tw__seconds(task->start));
	fprintf(f, "starts on %s at %s", d->runs[run]->platform->workers[task->worker].name, text);
}

static void say_parting(FILE *f, const struct tw__diff *d, tw_task t)
{
	const struct tw_graph *g = d->runs[0]->program;
	const struct tw__diff_task *a = &d->tasks[0][t], *b = &d->tasks[1][t];
	char text[TW__DURATION_TEXT];
	fprintf(f, "The runs part with task %d, %s: in A it ", (int)t, g->kernels[g->kernel[t]].name);
	say_start(f, d, 0, t);
	fputs(", in B it ", f);
	if (a->worker != TW_NONE && b->worker != TW_NONE &&
	    d->workers.number[0][a->worker] == d->workers.number[1][b->worker]) {
		tw__duration_text(text, fabs(tw__seconds(b->start) - tw__seconds(a->start)));
		fprintf(f, "starts %s %s.\n", text, b->start > a->start ? "later" : "earlier");
		return;
	}
	say_start(f, d, 1, t);
	fputs(".\n", f);
}

static void say_tasks(FILE *f, const struct tw__diff *d)
{
	if (d->n_other_worker == 0)
		fputs("Each task runs on the same worker in both.\n", f);
	else
		fprintf(f, "Of %d tasks, %d run on another worker in B, and %d of these on another kind of worker.\n",
		        (int)d->n_tasks, (int)d->n_other_worker, (int)d->n_other_kind);
}

static void say_bytes(FILE *f, const struct tw__diff *d)
{
	double bytes[2] = {0, 0};
	for (size_t i = 0; i < d->n_bytes; i++)
		for (int run = 0; run < 2; run++)
			bytes[run] += (double)d->bytes[i].bytes[run];
	if (bytes[0] != bytes[1])
		fprintf(f, "B transfers %.4g MB, and A %.4g MB.\n", 1e-6 * bytes[1], 1e-6 * bytes[0]);
}

static void say_messages(FILE *f, const struct tw__diff *d)
{
	double bytes[2] = {0, 0};
	for (int rank = 0; rank < d->ranks.n; rank++)
		for (int run = 0; run < 2; run++)
			bytes[run] += (double)d->sent[rank].bytes[run];
	if (bytes[0] != bytes[1] || d->n_messages[0] != d->n_messages[1])
		fprintf(f, "B sends %lld messages with %.4g MB, and A %lld with %.4g MB.\n",
		        (long long)d->n_messages[1], 1e-6 * bytes[1], (long long)d->n_messages[0], 1e-6 * bytes[0]);
}

static void say_loads_again(FILE *f, const struct tw__diff *d)
{
	double bytes[2] = {0, 0};
	for (int run = 0; run < 2; run++)
		for (int n = 0; n < d->of[run].n_nodes; n++)
			bytes[run] += (double)d->of[run].memories[n].reloaded_bytes;
	if (bytes[0] != bytes[1])
		fprintf(f, "B loads %.4g MB again after evictions, and A %.4g MB.\n", 1e-6 * bytes[1], 1e-6 * bytes[0]);
}

void tw__diff_sentences(FILE *f, const struct tw__diff *d)
{
	if (d->same) {
		fputs("Both runs have the same schedule: each task has the same worker and dates, and transfers are "
		      "the same.\n",
		      f);
		return;
	}
	say_makespan(f, d);
	say_causes(f, d);
	say_workers(f, d);
	if (d->first_start != TW_NONE)
		say_parting(f, d, d->first_start);
	say_tasks(f, d);
	say_bytes(f, d);
	say_messages(f, d);
	say_loads_again(f, d);
}
