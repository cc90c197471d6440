#include "trace/chrome_arrows.h"

/* Makes uthash report lack of memory; by default it ends the process. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <uthash.h>

#include "base/print.h"

/* A copy that a transfer brought, and that no execution which has ended has used. */
struct landed {
	struct place {
		tw_data data;
		tw_node node;
	} place;
	tw_task user; /* the task that runs with it; TW_NONE: none yet */
	struct tw__chrome_bar bar;
	UT_hash_handle hh;
};

struct tw__chrome_arrows {
	const struct tw_graph *graph;
	int pid;
	tw_task *last;              /* [n_tasks] the predecessor that was released last, so far; TW_NONE: none */
	struct tw__chrome_bar *ran; /* [n_tasks] the last execution of each task */
	struct landed *landed;      /* hash table by place */
	uint64_t n;                 /* number of arrows so far */
};

struct tw__chrome_arrows *tw__chrome_arrows_create(const struct tw__trace *t, int pid)
{
	struct tw__chrome_arrows *a = malloc(sizeof *a);
	if (!a)
		return NULL;
	size_t n = (size_t)t->graph->n_tasks;
	*a = (struct tw__chrome_arrows){
		.graph = t->graph,
		.pid = pid,
		.last = malloc((n + 1) * sizeof *a->last),
		.ran = calloc(n + 1, sizeof *a->ran),
	};
	for (size_t i = 0; a->last && i < n; i++)
		a->last[i] = TW_NONE;
	if (a->last && a->ran)
		return a;
	tw__chrome_arrows_destroy(a);
	return NULL;
}

static void forget(struct tw__chrome_arrows *a, struct landed *l)
{
	HASH_DEL(a->landed, l);
	free(l);
}

void tw__chrome_arrows_destroy(struct tw__chrome_arrows *a)
{
	struct landed *l, *next;
	if (!a)
		return;
	HASH_ITER(hh, a->landed, l, next) { forget(a, l); }
	free(a->last);
	free(a->ran);
	free(a);
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void print_end(struct tw__chrome_arrows *a, struct tw__chrome_list *list, const char *phase, const char *kind,
                      const struct tw__chrome_bar *bar, tw__ns date)
{
	tw__chrome_begin(list);
	fprintf(list->f, "\"ph\":%s,\"pid\":%d,\"tid\":%d,\"ts\":", phase, bar->pid, bar->tid);
	tw__print_microseconds(list->f, date);
	fprintf(list->f, ",\"id\":%" PRIu64 ",\"cat\":\"%s\",\"name\":\"%s\"}", a->n, kind, kind);
}

/* Writes an arrow. Viewers attach each end to the bar that encloses the date, and at the edge between two bars they
 * choose differently. So both dates lie a nanosecond within their bars. */
static void print_arrow(struct tw__chrome_arrows *a, struct tw__chrome_list *list, const char *kind,
                        const struct tw__chrome_bar *from, const struct tw__chrome_bar *to)
{
	a->n++;
	print_end(a, list, "\"s\"", kind, from, tw__latest(from->start, from->end - 1));
	print_end(a, list, "\"f\",\"bp\":\"e\"", kind, to, tw__earliest(to->start + 1, to->end));
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

static struct landed *find(struct tw__chrome_arrows *a, tw_data data, tw_node node)
{
	struct place place = {data, node};
	struct landed *l;
	HASH_FIND(hh, a->landed, &place, sizeof place, l);
	return l;
}

static int land(struct tw__chrome_arrows *a, const struct tw__event *e, const struct tw__chrome_bar *bar)
{
	struct landed *l = find(a, e->data, e->node);
	if (!l) {
		l = malloc(sizeof *l);
		if (!l)
			return TW_NOMEM;
		*l = (struct landed){.place = {e->data, e->node}};
		HASH_ADD(hh, a->landed, place, sizeof l->place, l);
		if (!l->hh.tbl) {
			free(l);
			return TW_NOMEM;
		}
	}
	l->user = TW_NONE;
	l->bar = *bar;
	return TW_OK;
}

static void leave(struct tw__chrome_arrows *a, tw_data data, tw_node node)
{
	struct landed *l = find(a, data, node);
	if (l)
		forget(a, l);
}

/* --- tasks -------------------------------------------------------------------------------------------------------- */

/* The task takes the copies that it reads. A copy that it only writes is no longer the one that was transferred. */
static void start(struct tw__chrome_arrows *a, const struct tw__event *e)
{
	const struct tw_graph *g = a->graph;
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++) {
		enum tw_mode mode = tw__access_mode(g->access[i]);
		struct landed *l = find(a, tw__access_data(g->access[i]), e->node);
		if (l && l->user == TW_NONE && (mode & TW_R))
			l->user = e->task;
		else if (l && mode == TW_W)
			forget(a, l);
	}
}

static void end(struct tw__chrome_arrows *a, const struct tw__event *e, const struct tw__chrome_bar *bar,
                struct tw__chrome_list *list)
{
	const struct tw_graph *g = a->graph;
	a->ran[e->task] = *bar;
	if (a->last[e->task] != TW_NONE)
		print_arrow(a, list, "dependency", &a->ran[a->last[e->task]], bar);
	for (uint32_t i = g->access_start[e->task]; i < g->access_start[e->task + 1]; i++) {
		struct landed *l = find(a, tw__access_data(g->access[i]), e->node);
		if (!l || l->user != e->task)
			continue;
		print_arrow(a, list, "transfer", &l->bar, bar);
		forget(a, l);
	}
}

static void release(struct tw__chrome_arrows *a, tw_task task)
{
	const struct tw_graph *g = a->graph;
	for (uint32_t i = g->successor_start[task]; i < g->successor_start[task + 1]; i++)
		a->last[g->successor[i]] = task;
}

int tw__chrome_arrows_step(struct tw__chrome_arrows *a, const struct tw__event *e, const struct tw__chrome_bar *bar,
                           struct tw__chrome_list *list)
{
	switch (e->kind) {
	case TW__TRANSFER_END:
		return bar ? land(a, e, bar) : TW_OK;
	case TW__INVALID:
	case TW__FREE:
		leave(a, e->data, e->node);
		return TW_OK;
	case TW__START:
		start(a, e);
		return TW_OK;
	case TW__END:
	case TW__CANCEL:
		if (bar)
			end(a, e, bar, list);
		return TW_OK;
	case TW__RELEASE:
		release(a, e->task);
		return TW_OK;
	default:
		return TW_OK;
	}
}
