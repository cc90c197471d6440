/* Paje, for ViTE and pajeng. One container per worker, whose state is the kernel that runs; one per memory, with the bytes
 * taken as a variable, transfers as links and evictions as events. Dates are seconds. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <uthash.h>

#include "trace/formats.h"
#include "trace/palette.h"
#include "trace/text.h"

/* The fields after Time are references to the aliases below, save those named JobId (the task), Data, Size (bytes). */
static const char header[] =
	"%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeDefineEntityValue 2\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
	"%EventDef PajeDefineVariableType 3\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
	"%EventDef PajeDefineLinkType 4\n%  Alias string\n%  Type string\n%  StartContainerType string\n"
	"%  EndContainerType string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeDefineEventType 5\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n%EndEventDef\n"
	"%EventDef PajeCreateContainer 6\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n%  Name string\n"
	"%EndEventDef\n"
	"%EventDef PajeDestroyContainer 7\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeSetState 8\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n"
	"%EventDef PajeSetState 9\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n%  JobId string\n%EndEventDef\n"
	"%EventDef PajeSetVariable 10\n%  Time date\n%  Type string\n%  Container string\n%  Value double\n%EndEventDef\n"
	"%EventDef PajeStartLink 11\n%  Time date\n%  Type string\n%  Container string\n%  StartContainer string\n"
	"%  Value string\n%  Key string\n%  Data string\n%  Size string\n%EndEventDef\n"
	"%EventDef PajeEndLink 12\n%  Time date\n%  Type string\n%  Container string\n%  EndContainer string\n"
	"%  Value string\n%  Key string\n%EndEventDef\n"
	"%EventDef PajeNewEvent 13\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n%  Data string\n%EndEventDef\n";

enum {
	CONTAINER_TYPE,
	STATE_TYPE,
	ENTITY_VALUE,
	VARIABLE_TYPE,
	LINK_TYPE,
	EVENT_TYPE,
	CREATE_CONTAINER,
	DESTROY_CONTAINER,
	SET_IDLE,
	SET_KERNEL,
	SET_VARIABLE,
	START_LINK,
	END_LINK,
	NEW_EVENT
};

/* Aliases: R the machine, W and N the types of workers and memories, S V L E the types of states, variables, links and events;
 * Wi a worker, Ni a memory, Ki a kernel, Ci a cause, I idle, X an eviction. */

static void print_colour(FILE *f, uint32_t rgb)
{
	/* Three decimals from integers: the decimal point must not depend on the locale. */
	unsigned part[3] = {rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255};
	for (int i = 0; i < 3; i++) {
		unsigned thousandths = (part[i] * 1000 + 127) / 255;
		fprintf(f, "%s%u.%03u", i ? " " : " \"", thousandths / 1000, thousandths % 1000);
	}
	fputs("\"\n", f);
}

static void define_value(FILE *f, const char *alias, int i, const char *type, const char *name, uint32_t rgb)
{
	if (i >= 0)
		fprintf(f, "%d %s%d %s ", ENTITY_VALUE, alias, i, type);
	else
		fprintf(f, "%d %s %s ", ENTITY_VALUE, alias, type);
	tw__print_paje(f, name);
	print_colour(f, rgb);
}

static void define_types(FILE *f, const struct tw__trace *t)
{
	fputs(header, f);
	fprintf(f, "%d R 0 \"Machine\"\n%d W R \"Worker\"\n%d N R \"Memory\"\n", CONTAINER_TYPE, CONTAINER_TYPE,
	        CONTAINER_TYPE);
	fprintf(f, "%d S W \"Kernel\"\n", STATE_TYPE);
	fprintf(f, "%d V N \"Memory used (bytes)\"", VARIABLE_TYPE);
	print_colour(f, tw__colours[4]);
	fprintf(f, "%d L R N N \"Transfer\"\n", LINK_TYPE);
	fprintf(f, "%d E N \"Eviction\"", EVENT_TYPE);
	print_colour(f, tw__colours[1]);
	define_value(f, "I", -1, "S", "Idle", 0xffffff);
	for (int i = 0; i < t->n_names; i++)
		define_value(f, "K", i, "S", t->names[i], tw__colours[i % TW__N_COLOURS]);
	for (int i = 0; i < TW__N_CAUSES; i++)
		define_value(f, "C", i, "L", tw__cause_names[i], tw__colours[i]);
	define_value(f, "X", -1, "E", "evicted", tw__colours[1]);
}

static void create_containers(FILE *f, const struct tw__trace *t)
{
	fprintf(f, "%d 0.000000000 R R 0 ", CREATE_CONTAINER);
	tw__print_paje(f, t->platform->name);
	putc('\n', f);
	for (tw_worker w = 0; w < t->platform->n_workers; w++) {
		fprintf(f, "%d 0.000000000 W%d W R ", CREATE_CONTAINER, (int)w);
		tw__print_paje(f, t->platform->workers[w].name);
		putc('\n', f);
	}
	for (tw_node n = 0; n < t->platform->n_nodes; n++) {
		fprintf(f, "%d 0.000000000 N%d N R ", CREATE_CONTAINER, (int)n);
		/* Names must differ among all containers, and a memory is often called as its worker. */
		char name[256];
		snprintf(name, sizeof name, "%s memory", t->platform->nodes[n].name);
		tw__print_paje(f, name);
		putc('\n', f);
	}
	for (tw_worker w = 0; w < t->platform->n_workers; w++)
		fprintf(f, "%d 0.000000000 S W%d I\n", SET_IDLE, (int)w);
	for (tw_node n = 0; n < t->platform->n_nodes; n++)
		if (t->shows_memory[n])
			fprintf(f, "%d 0.000000000 V N%d 0\n", SET_VARIABLE, (int)n);
}

static void print_head(FILE *f, int definition, const struct tw__event *e)
{
	fprintf(f, "%d ", definition);
	tw__print_seconds(f, tw__nanoseconds(e->date));
}

/* A link's end must say the cause that its start said, but a prefetch may have become a demand meanwhile. */
struct link {
	uint64_t id;
	uint8_t cause;
	UT_hash_handle hh;
};

static bool start_link(FILE *f, struct link **links, const struct tw__event *e)
{
	struct link *link = malloc(sizeof *link);
	if (!link)
		return false;
	*link = (struct link){.id = e->offset, .cause = e->cause};
	HASH_ADD(hh, *links, id, sizeof link->id, link);
	if (!link->hh.tbl) {
		free(link);
		return false;
	}
	print_head(f, START_LINK, e);
	fprintf(f, " L R N%d C%d T%" PRIu64 " %d %" PRIu64 "\n", e->from, e->cause, e->offset, (int)e->data, e->bytes);
	return true;
}

static void end_link(FILE *f, struct link **links, const struct tw__event *e)
{
	struct link *link;
	HASH_FIND(hh, *links, &e->offset, sizeof e->offset, link);
	if (!link)
		return;
	print_head(f, END_LINK, e);
	fprintf(f, " L R N%d C%d T%" PRIu64 "\n", e->node, link->cause, e->offset);
	HASH_DEL(*links, link);
	free(link);
}

/* False: out of memory. */
static bool print_event(FILE *f, const struct tw__trace *t, const struct tw__event *e, struct link **links,
                        uint64_t *used)
{
	switch (e->kind) {
	case TW__START:
		print_head(f, SET_KERNEL, e);
		fprintf(f, " S W%d K%d %d\n", e->worker, t->name_of_kernel[t->graph->kernel[e->task]], (int)e->task);
		break;
	case TW__END:
	case TW__CANCEL:
		print_head(f, SET_IDLE, e);
		fprintf(f, " S W%d I\n", e->worker);
		break;
	case TW__TRANSFER_START:
		return start_link(f, links, e);
	case TW__TRANSFER_END:
		end_link(f, links, e);
		break;
	case TW__ALLOC:
	case TW__FREE:
		if (e->kind == TW__FREE && e->cause == TW__EVICTION) {
			print_head(f, NEW_EVENT, e);
			fprintf(f, " E N%d X %d\n", e->node, (int)e->data);
		}
		used[e->node] += e->kind == TW__ALLOC ? e->bytes : -e->bytes;
		if (t->shows_memory[e->node]) {
			print_head(f, SET_VARIABLE, e);
			fprintf(f, " V N%d %" PRIu64 "\n", e->node, used[e->node]);
		}
		break;
	default:
		break;
	}
	return true;
}

int tw__write_paje(FILE *f, const struct tw__trace *t)
{
	uint64_t *used = calloc((size_t)t->platform->n_nodes + 1, sizeof *used);
	if (!used)
		return TW_NOMEM;
	define_types(f, t);
	create_containers(f, t);
	struct link *links = NULL, *link, *next;
	bool ok = true;
	for (size_t i = 0; i < t->record->n && ok && !ferror(f); i++)
		ok = print_event(f, t, &t->record->events[i], &links, used);
	HASH_ITER(hh, links, link, next)
	{
		HASH_DEL(links, link);
		free(link);
	}
	for (int pass = 0; pass < 2; pass++) {
		int n = pass == 0 ? t->platform->n_workers : t->platform->n_nodes;
		for (int i = 0; i < n; i++) {
			fprintf(f, "%d ", DESTROY_CONTAINER);
			tw__print_seconds(f, t->end_ns);
			fprintf(f, pass == 0 ? " W W%d\n" : " N N%d\n", i);
		}
	}
	fprintf(f, "%d ", DESTROY_CONTAINER);
	tw__print_seconds(f, t->end_ns);
	fputs(" R R\n", f);
	free(used);
	return ok ? TW_OK : TW_NOMEM;
}
