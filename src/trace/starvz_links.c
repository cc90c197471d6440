/* Writes StarVZ's table of transfers, which are links in the output of pj_dump for a trace of StarPU, and its table of
 * containers. */
#include <inttypes.h>

#include "trace/starvz.h"
#include "base/print.h"

/* Types of transfers in StarPU's traces, by cause. Demands and write-backs of victims have one type. */
static const char *const types[TW__N_CAUSES] = {
	[TW__DEMAND] = "Fetch", [TW__PREFETCH] = "PreFetch", [TW__IDLE] = "IdleFetch", [TW__EVICTION] = "Fetch"};

/* Prints a transfer with the cause of its start event, because a prefetch may have become a demand since. */
static void print_transfer(FILE *f, const struct tw__event *start, const struct tw__event *end)
{
	fprintf(f, "Link, program, Intra-node data %s", types[start->cause]);
	tw__starvz_span(f, start->date, end->date);
	fprintf(f, ", %" PRIu64 ", MEMMANAGER%d, MEMMANAGER%d, com_%" PRIu64 ", , , , ", end->bytes, end->from,
	        end->node, end->offset);
	tw__starvz_handle(f, end->data);
	putc('\n', f);
}

int tw__starvz_links(FILE *f, const struct tw__starvz *s)
{
	const struct tw__trace *t = s->t;
	fputs("Nature, Container, Type, Start, End, Duration, Size, Origin, Dest, Key, Tag, MPIType, Priority, "
	      "Handle\n",
	      f);
	for (size_t i = 0; i < t->record->n && !ferror(f); i++) {
		const struct tw__event *events = t->record->events;
		if (events[i].kind == TW__TRANSFER_END && t->other_end[i] != SIZE_MAX)
			print_transfer(f, &events[t->other_end[i]], &events[i]);
	}
	return TW_OK;
}

int tw__starvz_entities(FILE *f, const struct tw__starvz *s)
{
	const struct tw_platform *p = s->t->platform;
	fputs("Parent, Name, Type, Nature\n0, 0, 0, Container\n0, root, MPI Program, Container\n"
	      "root, program, Program, Container\n"
	      "program, Intra-node data Fetch, Intra-node data Fetch, Link\n"
	      "program, Intra-node data IdleFetch, Intra-node data IdleFetch, Link\n"
	      "program, Intra-node data PreFetch, Intra-node data PreFetch, Link\n"
	      "program, scheduler, Scheduler State, Container\n"
	      "scheduler, Number of Ready Tasks, Number of Ready Tasks, Variable\n"
	      "scheduler, Number of Submitted Uncompleted Tasks, Number of Submitted Uncompleted Tasks, Variable\n",
	      f);
	for (tw_node n = 0; n < p->n_nodes; n++) {
		fprintf(f,
		        "program, MEMNODE%d, Memory Node, Container\n"
		        "MEMNODE%d, MEMMANAGER%d, Memory Manager, Container\n",
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
