#include "trace/starvz.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/new_file.h"
#include "base/print.h"
#include "trace/events.h"
#include "trace/gzip.h"

/* Write tables without rows, which StarVZ requires to exist. */
static void no_states(FILE *f, const struct tw__starvz *s)
{
	(void)s;
	fputs("Nature, ResourceId, Type, Start, End, Duration, Depth, Value\n", f);
}

static void no_events(FILE *f, const struct tw__starvz *s)
{
	(void)s;
	fputs("Nature, Container, Type, Start, Value, Handle, Info, Size, Tid, Src\n", f);
}

/* The run section, for our own commands. */
static void whole_run(FILE *f, const struct tw__starvz *s) { tw__write_record(f, s->t); }

/* Types of transfers in StarPU's traces, by cause. Demands and write-backs of victims have one type. */
static const char *const types[TW__N_CAUSES] = {
	[TW__DEMAND] = "Fetch", [TW__PREFETCH] = "PreFetch", [TW__IDLE] = "IdleFetch", [TW__EVICTION] = "Fetch"};

/* Prints a transfer with the cause of its start event, because a prefetch may have become a demand since. */
static void print_transfer(FILE *f, const struct tw__starvz *s, const struct tw__event *start,
                           const struct tw__event *end)
{
	fprintf(f, "Link, program, Intra-node data %s", types[start->cause]);
	tw__starvz_span(f, start->date, end->date);
	fprintf(f, ", %" PRIu64 ", ", end->bytes);
	tw__starvz_memory(f, s, "MEMMANAGER", end->from);
	fputs(", ", f);
	tw__starvz_memory(f, s, "MEMMANAGER", end->node);
	fprintf(f, ", com_%" PRIu64 ", , , , ", end->offset);
	tw__starvz_handle(f, end->data);
	putc('\n', f);
}

/* Prints a message as StarPU-MPI does: between the network threads of two ranks. */
static void print_message(FILE *f, const struct tw__starvz *s, int32_t message, tw__ns start, const struct tw__event *e)
{
	const struct tw__message *m = &s->t->graph->ranks->messages[message];
	fputs("Link, program, MPI communication", f);
	tw__starvz_span(f, start, e->date);
	fprintf(f, ", %" PRIu64 ", %d_mpict, %d_mpict, mpicom_%d, %d, PointToPoint, %d, ", e->bytes, m->from, m->to,
	        message, message, (int)s->t->graph->priority[m->send]);
	tw__starvz_handle(f, e->data);
	putc('\n', f);
}

static void write_links(FILE *f, const struct tw__starvz *s)
{
	const struct tw__trace *t = s->t;
	fputs("Nature, Container, Type, Start, End, Duration, Size, Origin, Dest, Key, Tag, MPIType, Priority, "
	      "Handle\n",
	      f);
	const struct tw__event *events = t->record->events;
	size_t *other_end = tw__record_pairs(t->record);
	for (size_t i = 0; i < t->record->n && !ferror(f); i++) {
		const struct tw__event *e = &events[i];
		if (e->kind != TW__TRANSFER_END || other_end[i] == SIZE_MAX)
			continue;
		const int32_t message = t->graph->ranks ? tw__message_of_transfer(t->graph->ranks, e->offset) : TW_NONE;
		if (message == TW_NONE)
			print_transfer(f, s, &events[other_end[i]], e);
		else
			print_message(f, s, message, events[other_end[i]].date, e);
	}
	free(other_end);
}

static void write_entities(FILE *f, const struct tw__starvz *s)
{
	const struct tw__platform *p = s->t->platform;
	fputs("Parent, Name, Type, Nature\n0, 0, 0, Container\n0, root, MPI Program, Container\n"
	      "root, program, Program, Container\n"
	      "program, Intra-node data Fetch, Intra-node data Fetch, Link\n"
	      "program, Intra-node data IdleFetch, Intra-node data IdleFetch, Link\n"
	      "program, Intra-node data PreFetch, Intra-node data PreFetch, Link\n"
	      "program, scheduler, Scheduler State, Container\n"
	      "scheduler, Number of Ready Tasks, Number of Ready Tasks, Variable\n"
	      "scheduler, Number of Submitted Uncompleted Tasks, Number of Submitted Uncompleted Tasks, Variable\n",
	      f);
	if (p->n_ranks > 1)
		fputs("program, MPI communication, MPI communication, Link\n", f);
	for (int r = 0; p->n_ranks > 1 && r < p->n_ranks; r++)
		fprintf(f, "program, %d_mpict, MPI Communication Thread, Container\n", r);
	for (tw_node n = 0; n < p->n_nodes; n++) {
		char rank[16] = "";
		const int m = s->memory[n];
		if (p->n_ranks > 1)
			snprintf(rank, sizeof rank, "%d_", p->nodes[n].rank);
		fprintf(f,
		        "program, %sMEMNODE%d, Memory Node, Container\n"
		        "%sMEMNODE%d, %sMEMMANAGER%d, Memory Manager, Container\n",
		        rank, m, rank, m, rank, m);
		for (tw_worker w = 0; w < p->n_workers; w++) {
			if (p->workers[w].node != n)
				continue;
			fprintf(f, "%sMEMNODE%d, %sT%d, Thread, Container\n%sT%d, ", rank, m, rank, s->place[w], rank,
			        s->place[w]);
			fprintf(f, "%s, Worker, Container\n%s, Worker State, Worker State, State\n", s->resources[w],
			        s->resources[w]);
		}
		static const char *const variables[] = {"Bandwidth In (MB/s)", "Bandwidth Out (MB/s)", "Used (MB)"};
		for (int v = 0; v < 3; v++)
			fprintf(f, "%sMEMMANAGER%d, %s, %s, Variable\n", rank, m, variables[v], variables[v]);
	}
}

static const struct {
	const char *name;
	void (*write)(FILE *, const struct tw__starvz *);
} tables[] = {
	{"rec.tasks.csv.gz", tw__starvz_tasks},
	{"dag.csv.gz", tw__starvz_dag},
	{"rec.data_handles.csv.gz", tw__starvz_handles},
	{"paje.worker_state.csv.gz", tw__starvz_worker_states},
	{"paje.variable.csv.gz", tw__starvz_variables},
	{"paje.link.csv.gz", write_links},
	{"entities.csv", write_entities},
	{"paje.memory_state.csv.gz", no_states},
	{"paje.comm_state.csv.gz", no_states},
	{"paje.other_state.csv.gz", no_states},
	{"paje.events.csv.gz", no_events},
	{"run.record.gz", whole_run},
};

/* Writes table i to the file, and closes it. Returns 0 or an errno. */
static int put_table(FILE *f, int i, const struct tw__starvz *s)
{
	errno = 0;
	tables[i].write(f, s);
	int reason = ferror(f) && errno ? errno : 0; /* the reason of a failed write, which zlib has had */
	int closed = tw__close(f, false);
	return reason ? reason : closed;
}

/* A table that cannot be written as a whole is removed. */
static int write_table(const char *folder, int i, const struct tw__starvz *s, struct tw_error *err)
{
	const char *name = tables[i].name;
	char *path = tw_format("%s%s", folder, name);
	FILE *f = strcmp(name + strlen(name) - 3, ".gz") ? fopen(path, "we") : tw__gzip_open(path);
	int reason = f ? put_table(f, i, s) : errno;
	if (f && reason)
		unlink(path);
	int status = reason ? tw_fail(err, TW_FAILED, "%s: cannot be written: %s", path, strerror(reason)) : TW_OK;
	free(path);
	return status;
}

static void remove_tables(const char *folder, int n)
{
	for (int i = 0; i < n; i++) {
		char *path = tw_format("%s%s", folder, tables[i].name);
		unlink(path);
		free(path);
	}
}

static bool is_one_kind(const char *arch, const char *other)
{
	size_t length = tw__arch_kind_length(arch);
	return length == tw__arch_kind_length(other) && !memcmp(arch, other, length);
}

/* Names the workers of a node as StarPU does: processors and accelerators are numbered separately. If there are several
 * kinds of processors or of accelerators, the names have the platform's names of workers instead of numbers. */
static void name_resources(struct tw__starvz *s, int rank)
{
	const struct tw__platform *p = s->t->platform;
	tw_arch first[2] = {TW_NONE, TW_NONE};
	bool several[2] = {false, false};
	int n[2] = {0, 0};
	for (tw_worker w = 0; w < p->n_workers; w++) {
		tw_arch arch = p->workers[w].arch, *of_kind = &first[p->archs[arch].accelerator];
		if (p->workers[w].rank != rank)
			continue;
		*of_kind = *of_kind == TW_NONE ? arch : *of_kind;
		several[p->archs[arch].accelerator] |= !is_one_kind(p->archs[arch].name, p->archs[*of_kind].name);
	}
	for (tw_worker w = 0; w < p->n_workers; w++) {
		bool accelerator = p->archs[p->workers[w].arch].accelerator;
		const char *name = p->workers[w].name;
		char *text = s->resources[w];
		size_t size = sizeof *s->resources;
		if (p->workers[w].rank != rank)
			continue;
		if (p->n_ranks > 1) {
			const int length = snprintf(text, size, "%d_", rank);
			text += length;
			size -= (size_t)length;
			name += strlen(p->rank_names[rank]) + 1;
		}
		if (several[accelerator])
			snprintf(text, size, "%s_%s", accelerator ? "CUDA" : "CPU", name);
		else
			snprintf(text, size, accelerator ? "CUDA%d_0" : "CPU%d", n[accelerator]);
		s->place[w] = n[0] + n[1];
		n[accelerator]++;
		for (char *c = text; *c; c++)
			*c = isalnum((unsigned char)*c) || *c == '-' ? *c : '_';
	}
	for (tw_node m = 0, number = 0; m < p->n_nodes; m++)
		if (p->nodes[m].rank == rank)
			s->memory[m] = number++;
}

static void name_all(struct tw__starvz *s)
{
	const struct tw__platform *p = s->t->platform;
	s->resources = tw__arena_alloc(&s->arena, (size_t)p->n_workers, sizeof *s->resources);
	s->place = tw__arena_alloc(&s->arena, (size_t)p->n_workers, sizeof *s->place);
	s->memory = tw__arena_alloc(&s->arena, (size_t)p->n_nodes, sizeof *s->memory);
	for (int rank = 0; rank == 0 || rank < p->n_ranks; rank++)
		name_resources(s, rank);
}

/* Finds the dates and the worker of each task's last execution. */
static void look_up(struct tw__starvz *s)
{
	const struct tw_graph *g = s->t->program;
	size_t n = (size_t)g->n_tasks;
	int64_t **dates[] = {&s->submit, &s->ready, &s->start, &s->end};
	s->worker = tw__arena_alloc(&s->arena, n, sizeof *s->worker);
	s->order = tw__arena_alloc(&s->arena, n, sizeof *s->order);
	for (int i = 0; i < 4; i++) {
		*dates[i] = tw__arena_alloc(&s->arena, n, sizeof **dates[i]);
		for (size_t t = 0; t < n; t++)
			(*dates[i])[t] = -1;
	}
	int32_t order = 0;
	for (tw_task t = 0; t < g->n_tasks; t++) {
		s->worker[t] = TW_NONE;
		s->order[t] = ++order;
		for (uint32_t a = g->access_start[t]; a < g->access_start[t + 1]; a++)
			order += (g->access[a] & TW__ACCESS_LAST_WRITE) != 0;
	}
	struct tw__events all;
	tw__events_begin(&all, s->t->record);
	for (const struct tw__event *e; (e = tw__events_next(&all));) {
		if (e->kind > TW__END || e->task >= g->n_tasks || tw__is_message_step(g, e))
			continue;
		int64_t *of = e->kind == TW__SUBMIT  ? s->submit
		              : e->kind == TW__READY ? s->ready
		              : e->kind == TW__START ? s->start
		              : e->kind == TW__END   ? s->end
		                                     : NULL;
		if (of)
			of[e->task] = e->date;
		if (e->kind == TW__START)
			s->worker[e->task] = e->worker;
	}
}

int tw__write_starvz(const char *folder, const struct tw__trace *t, struct tw_error *err)
{
	struct tw__starvz s = {.t = t};
	bool is_new = mkdir(folder, 0777) == 0;
	if (!is_new && errno != EEXIST)
		return tw_fail(err, TW_FAILED, "%s: cannot be created: %s", folder, strerror(errno));
	look_up(&s);
	name_all(&s);
	s.edges = tw__graph_dependencies(&s.n_edges, t->program);
	int status = TW_OK, n = 0;
	for (; n < (int)(sizeof tables / sizeof *tables) && status == TW_OK; n++)
		status = write_table(folder, n, &s, err);
	if (status < 0) /* tables of two runs together would be no trace */
		remove_tables(folder, n);
	if (status < 0 && is_new)
		rmdir(folder);
	tw__arena_finish(&s.arena);
	free(s.edges);
	return status;
}
