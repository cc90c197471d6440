/* Transfers as the links that pj_dump gives a trace of StarPU; and the containers of such a trace. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <uthash.h>

#include "trace/starvz.h"
#include "trace/text.h"

struct moving {
	uint64_t id;
	int64_t start_ns;
	uint8_t cause; /* at the start: a prefetch may become a demand meanwhile */
	UT_hash_handle hh;
};

/* StarPU fetches and writes back by demand alike. */
static const char *const types[TW__N_CAUSES] = {
	[TW__DEMAND] = "Fetch", [TW__PREFETCH] = "PreFetch", [TW__IDLE] = "IdleFetch", [TW__EVICTION] = "Fetch"};

static void print_transfer(FILE *f, const struct tw__event *e, const struct moving *m)
{
	int64_t end_ns = tw__nanoseconds(e->date);
	fprintf(f, "Link, program, Intra-node data %s, ", types[m->cause]);
	tw__print_milliseconds(f, m->start_ns);
	fputs(", ", f);
	tw__print_milliseconds(f, end_ns);
	fputs(", ", f);
	tw__print_milliseconds(f, end_ns - m->start_ns);
	fprintf(f, ", %" PRIu64 ", MEMMANAGER%d, MEMMANAGER%d, com_%" PRIu64 ", , , , ", e->bytes, e->from, e->node,
	        e->offset);
	tw__starvz_handle(f, e->data);
	putc('\n', f);
}

int tw__starvz_links(FILE *f, const struct tw__starvz *s)
{
	const struct tw__record *r = s->t->record;
	struct moving *all = NULL, *m, *next;
	bool ok = true;
	fputs("Nature, Container, Type, Start, End, Duration, Size, Origin, Dest, Key, Tag, MPIType, Priority, Handle\n",
	      f);
	for (size_t i = 0; i < r->n && ok && !ferror(f); i++) {
		const struct tw__event *e = &r->events[i];
		if (e->kind == TW__TRANSFER_START) {
			m = malloc(sizeof *m);
			if (m) {
				*m = (struct moving){
					.id = e->offset, .start_ns = tw__nanoseconds(e->date), .cause = e->cause};
				HASH_ADD(hh, all, id, sizeof m->id, m);
			}
			ok = m && m->hh.tbl;
			if (m && !ok)
				free(m);
		} else if (e->kind == TW__TRANSFER_END) {
			HASH_FIND(hh, all, &e->offset, sizeof e->offset, m);
			if (!m)
				continue;
			print_transfer(f, e, m);
			HASH_DEL(all, m);
			free(m);
		}
	}
	HASH_ITER(hh, all, m, next)
	{
		HASH_DEL(all, m);
		free(m);
	}
	return ok ? TW_OK : TW_NOMEM;
}

int tw__starvz_entities(FILE *f, const struct tw__starvz *s)
{
	const struct tw_platform *p = s->t->platform;
	fputs("Parent, Name, Type, Nature\n0, 0, 0, Container\n0, root, MPI Program, Container\nroot, program, Program, Container\n"
	      "program, Intra-node data Fetch, Intra-node data Fetch, Link\n"
	      "program, Intra-node data IdleFetch, Intra-node data IdleFetch, Link\n"
	      "program, Intra-node data PreFetch, Intra-node data PreFetch, Link\n"
	      "program, scheduler, Scheduler State, Container\n"
	      "scheduler, Number of Ready Tasks, Number of Ready Tasks, Variable\n"
	      "scheduler, Number of Submitted Uncompleted Tasks, Number of Submitted Uncompleted Tasks, Variable\n",
	      f);
	for (tw_node n = 0; n < p->n_nodes; n++) {
		fprintf(f,
		        "program, MEMNODE%d, Memory Node, Container\nMEMNODE%d, MEMMANAGER%d, Memory Manager, Container\n",
		        (int)n, (int)n, (int)n);
		for (tw_worker w = 0; w < p->n_workers; w++) {
			if (p->workers[w].node != n)
				continue;
			fprintf(f, "MEMNODE%d, T%d, Thread, Container\nT%d, ", (int)n, (int)w, (int)w);
			fprintf(f, "%s, Worker, Container\n%s, Worker State, Worker State, State\n", s->resources[w],
			        s->resources[w]);
		}
		static const char *const variables[] = {"Bandwidth In (MB/s)", "Bandwidth Out (MB/s)", "Used (MB)"};
		for (int v = 0; v < 3; v++)
			fprintf(f, "MEMMANAGER%d, %s, %s, Variable\n", (int)n, variables[v], variables[v]);
	}
	return TW_OK;
}
