/* Writes traces in the format Paje, for ViTE and pajeng. Each worker is a container whose state is the running
 * kernel. Each memory is a container, with a variable for the allocated bytes, links for transfers, and events for
 * evictions. Each used link of the platform is a container, with variables for its bytes/s and for those that it can
 * pass. The machine has variables for ready and submitted tasks. Dates are in seconds. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/event_fields.h"
#include "trace/events.h"
#include "trace/formats.h"
#include "trace/palette.h"
#include "trace/run_section.h"
#include "trace/teams.h"
#include "base/print.h"
#include "trace/usage.h"

/* The fields after Time are references to the aliases below. Exceptions are JobId (the task), Data, Size (bytes), and
 * the properties of containers: Workload, Policy (names), Arch, Capacity (bytes; 0: unbounded or unknown), Bandwidth
 * (bytes/s). Run has lines of the run section (run_section.h). */
#define CREATE_WITH(number, fields)                                                              \
	"%EventDef PajeCreateContainer " #number                                                 \
	"\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n%  Name string\n" \
	"%  " fields " string\n%EndEventDef\n"
static const char header[] =
	"%EventDef PajeDefineContainerType 0\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeDefineStateType 1\n%  Alias string\n%  Type string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeDefineEntityValue 2\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
	"%EndEventDef\n"
	"%EventDef PajeDefineVariableType 3\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
	"%EndEventDef\n"
	"%EventDef PajeDefineLinkType 4\n%  Alias string\n%  Type string\n%  StartContainerType string\n"
	"%  EndContainerType string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeDefineEventType 5\n%  Alias string\n%  Type string\n%  Name string\n%  Color color\n"
	"%EndEventDef\n"
	"%EventDef PajeCreateContainer 6\n%  Time date\n%  Alias string\n%  Type string\n%  Container string\n"
	"%  Name string\n"
	"%EndEventDef\n"
	"%EventDef PajeDestroyContainer 7\n%  Time date\n%  Type string\n%  Name string\n%EndEventDef\n"
	"%EventDef PajeSetState 8\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n%EndEventDef\n"
	"%EventDef PajeSetState 9\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n"
	"%  JobId string\n%EndEventDef\n"
	"%EventDef PajeSetVariable 10\n%  Time date\n%  Type string\n%  Container string\n%  Value double\n"
	"%EndEventDef\n"
	"%EventDef PajeStartLink 11\n%  Time date\n%  Type string\n%  Container string\n%  StartContainer string\n"
	"%  Value string\n%  Key string\n%  Data string\n%  Size string\n%EndEventDef\n"
	"%EventDef PajeEndLink 12\n%  Time date\n%  Type string\n%  Container string\n%  EndContainer string\n"
	"%  Value string\n%  Key string\n%EndEventDef\n"
	"%EventDef PajeNewEvent 13\n%  Time date\n%  Type string\n%  Container string\n%  Value string\n"
	"%  Data string\n%EndEventDef\n"
	"%EventDef PajeDefineEventType 18\n%  Alias string\n%  Type string\n%  Name string\n"
	"%  Color color\n" TW__RUN_PAJE_FIELD "\n%EndEventDef\n" CREATE_WITH(14, "Workload string\n%  Policy")
		CREATE_WITH(15, "Arch") CREATE_WITH(16, "Capacity") CREATE_WITH(17, "Bandwidth");

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
	NEW_EVENT,
	CREATE_MACHINE,
	CREATE_WORKER,
	CREATE_MEMORY,
	CREATE_LINK
};

/* Aliases in the trace. R is the machine, M a node of a cluster. Types: W worker, N memory, B link; S states, V
 * variables, L transfers, E events; U, Z the variables of links; D, Q those of ready and of submitted tasks. Instances:
 * Mi a node, Wi a worker, Ni a memory, Bi a link, Ki a kernel, Ci a cause, I idle, X an eviction. */

enum { MESSAGE = TW__N_CAUSES }; /* among the causes */

static bool is_cluster(const struct tw__trace *t) { return t->platform->n_ranks > 1; }

static void print_colour(FILE *f, uint32_t rgb)
{
	/* Prints each part with three decimals from integers, because the decimal point must not depend on the
	 * locale. */
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

static void define_variable(FILE *f, const char *what, uint32_t rgb)
{
	fprintf(f, "%d %s", VARIABLE_TYPE, what);
	print_colour(f, rgb);
}

static void define_types(FILE *f, const struct tw__trace *t)
{
	fputs(header, f);
	const char parent = is_cluster(t) ? 'M' : 'R';
	fprintf(f, "%d R 0 \"Machine\"\n", CONTAINER_TYPE);
	if (is_cluster(t))
		fprintf(f, "%d M R \"Node\"\n", CONTAINER_TYPE);
	fprintf(f, "%d W %c \"Worker\"\n%d N %c \"Memory\"\n%d B R \"Link\"\n", CONTAINER_TYPE, parent, CONTAINER_TYPE,
	        parent, CONTAINER_TYPE);
	fprintf(f, "%d S W \"Kernel\"\n", STATE_TYPE);
	define_variable(f, "V N \"Memory used (bytes)\"", tw__colours[4]);
	define_variable(f, "U B \"Link used (bytes/s)\"", tw__colours[6]);
	define_variable(f, "Z B \"Link capacity (bytes/s)\"", tw__grey);
	define_variable(f, "D R \"Tasks ready\"", tw__colours[3]);
	define_variable(f, "Q R \"Tasks submitted\"", tw__colours[7]);
	fprintf(f, "%d L R N N \"Transfer\"\n", LINK_TYPE);
	fprintf(f, "%d E N \"Eviction\"", EVENT_TYPE);
	print_colour(f, tw__colours[1]);
	define_value(f, "I", -1, "S", "Idle", 0xffffff);
	for (int i = 0; i < t->n_names; i++)
		define_value(f, "K", i, "S", t->names[i], tw__colours[tw__kernel_order[i % TW__N_COLOURS]]);
	for (int i = 0; i < TW__N_CAUSES; i++)
		define_value(f, "C", i, "L", tw__cause_names[i], tw__colours[i]);
	if (is_cluster(t))
		define_value(f, "C", MESSAGE, "L", "message", tw__colours[5]);
	define_value(f, "X", -1, "E", "evicted", tw__colours[1]);
}

/* Creates a container, in that of a cluster's node; `rank` TW_NONE: in none. Names of containers must be unique, but a
 * memory and its worker often have one name. `what` is appended to the name, to make it unique. */
static void create_container(FILE *f, int definition, char class, int i, int rank, const char *name, const char *what)
{
	char text[256];
	snprintf(text, sizeof text, "%s%s", name, what);
	fprintf(f, "%d 0.000000000 %c%d %c ", definition, class, i, class);
	if (rank == TW_NONE)
		fputs("R ", f);
	else
		fprintf(f, "M%d ", rank);
	tw__print_paje(f, text);
}

static void create_containers(FILE *f, const struct tw__trace *t, const struct tw__usage *usage)
{
	const struct tw__platform *p = t->platform;
	fprintf(f, "%d 0.000000000 R R 0 ", t->workload ? CREATE_MACHINE : CREATE_CONTAINER);
	tw__print_paje(f, p->name);
	if (t->workload) {
		putc(' ', f);
		tw__print_paje(f, t->workload);
		putc(' ', f);
		tw__print_paje(f, t->policy ? t->policy : "");
	}
	putc('\n', f);
	for (int r = 0; is_cluster(t) && r < p->n_ranks; r++) {
		create_container(f, CREATE_CONTAINER, 'M', r, TW_NONE, p->rank_names[r], "");
		putc('\n', f);
	}
	for (tw_worker w = 0; w < p->n_workers; w++) {
		create_container(f, CREATE_WORKER, 'W', w, is_cluster(t) ? p->workers[w].rank : TW_NONE,
		                 p->workers[w].name, "");
		putc(' ', f);
		tw__print_paje(f, p->archs[p->workers[w].arch].name);
		putc('\n', f);
	}
	for (tw_node n = 0; n < p->n_nodes; n++) {
		create_container(f, CREATE_MEMORY, 'N', n, is_cluster(t) ? p->nodes[n].rank : TW_NONE, p->nodes[n].name,
		                 " memory");
		fprintf(f, " %" PRIu64 "\n", tw__trace_capacity(t, n));
	}
	for (int l = 0; l < p->n_links; l++)
		if (tw__usage_moves(usage, TW__LINK_USED, l)) {
			create_container(f, CREATE_LINK, 'B', l, TW_NONE, p->links[l].name, " link");
			fprintf(f, " %.0f\n", p->links[l].bandwidth);
		}
	for (tw_worker w = 0; w < p->n_workers; w++)
		fprintf(f, "%d 0.000000000 S W%d I\n", SET_IDLE, (int)w);
}

static void print_head(FILE *f, int definition, const struct tw__event *e)
{
	fprintf(f, "%d ", definition);
	tw__print_seconds(f, e->date);
}

struct paje {
	FILE *f;
	const struct tw__trace *t;
	size_t *other_end; /* of each transfer (tw__record_pairs) */
	struct tw__teams teams;
};

static void print_state(const struct paje *p, const struct tw__event *e, tw_worker w)
{
	const struct tw__trace *t = p->t;
	print_head(p->f, e->kind == TW__START ? SET_KERNEL : SET_IDLE, e);
	if (e->kind == TW__START)
		fprintf(p->f, " S W%d K%d %d\n", w, t->name_of_kernel[t->graph->kernel[e->task]], (int)e->task);
	else
		fprintf(p->f, " S W%d I\n", w);
}

static void print_counter(void *context, int64_t date_ns, enum tw__counter kind, int i, int64_t value)
{
	static const struct {
		const char *alias, *container;
	} variables[TW__N_COUNTERS] = {
		[TW__MEMORY_USED] = {"V", "N"}, [TW__LINK_USED] = {"U", "B"},       [TW__LINK_CAPACITY] = {"Z", "B"},
		[TW__TASKS_READY] = {"D", "R"}, [TW__TASKS_SUBMITTED] = {"Q", "R"},
	};
	FILE *f = ((struct paje *)context)->f;
	const char *container = variables[kind].container;
	if (!container)
		return;
	fprintf(f, "%d ", SET_VARIABLE);
	tw__print_seconds(f, date_ns);
	fprintf(f, " %s %s", variables[kind].alias, container);
	if (*container != 'R')
		fprintf(f, "%d", i);
	fprintf(f, " %" PRId64 "\n", value);
}

/* Prints the start or the end of a transfer. In Paje, both must have one cause, but a prefetch may have become a demand
 * in between. So the end has the cause of the start. */
static void print_link(const struct paje *p, const struct tw__event *e, size_t i)
{
	FILE *f = p->f;
	const struct tw__node *nodes = p->t->platform->nodes;
	const bool is_message = nodes[e->from].rank != nodes[e->node].rank;
	if (e->kind == TW__TRANSFER_START) {
		print_head(f, START_LINK, e);
		fprintf(f, " L R N%d C%d T%" PRIu64 " %d %" PRIu64 "\n", e->from, is_message ? MESSAGE : e->cause,
		        e->offset, (int)e->data, e->bytes);
	} else if (p->other_end[i] != SIZE_MAX) {
		const int cause = p->t->record->events[p->other_end[i]].cause;
		print_head(f, END_LINK, e);
		fprintf(f, " L R N%d C%d T%" PRIu64 "\n", e->node, is_message ? MESSAGE : cause, e->offset);
	}
}

static bool print_event(void *context, const struct tw__event *e, size_t i)
{
	struct paje *p = context;
	FILE *f = p->f;
	switch (e->kind) {
	case TW__JOIN:
		tw__teams_join(&p->teams, e);
		break;
	case TW__START:
	case TW__END:
	case TW__CANCEL:
		print_state(p, e, e->worker);
		for (tw_worker w = 0; (w = tw__teams_next(&p->teams, e->task, w)) != TW_NONE; w++)
			print_state(p, e, w);
		if (e->kind != TW__START)
			tw__teams_leave(&p->teams, e->task);
		break;
	case TW__TRANSFER_START:
	case TW__TRANSFER_END:
		print_link(p, e, i);
		break;
	case TW__FREE:
		if (e->cause == TW__EVICTION) {
			print_head(f, NEW_EVENT, e);
			fprintf(f, " E N%d X %d\n", e->node, (int)e->data);
		}
		break;
	default:
		break;
	}
	return !ferror(f);
}

static void destroy_containers(FILE *f, const struct tw__trace *t, const struct tw__usage *usage)
{
	const struct {
		char class;
		int n;
	} classes[] = {{'W', t->platform->n_workers},
	               {'N', t->platform->n_nodes},
	               {'B', t->platform->n_links},
	               {'M', is_cluster(t) ? t->platform->n_ranks : 0}};
	for (int c = 0; c < 4; c++)
		for (int i = 0; i < classes[c].n; i++) {
			if (classes[c].class == 'B' && !tw__usage_moves(usage, TW__LINK_USED, i))
				continue;
			fprintf(f, "%d ", DESTROY_CONTAINER);
			tw__print_seconds(f, t->end_ns);
			fprintf(f, " %c %c%d\n", classes[c].class, classes[c].class, i);
		}
	fprintf(f, "%d ", DESTROY_CONTAINER);
	tw__print_seconds(f, t->end_ns);
	fputs(" R R\n", f);
}

/* Prints the run section as definitions of event types. ViTE crashes on values of some 10 KB. */
enum { SECTION_EVENT_BYTES = 2000 };

struct section {
	FILE *f;
	int n;          /* number of events so far */
	size_t n_bytes; /* of the value of the current event; 0: there is none */
};

static void end_section_event(struct section *s)
{
	if (s->n_bytes)
		fputs("\"\n", s->f);
	s->n_bytes = 0;
}

static void print_section_line(void *context, const char *line)
{
	struct section *s = context;
	if (s->n_bytes > SECTION_EVENT_BYTES)
		end_section_event(s);
	if (s->n_bytes)
		putc(';', s->f);
	else
		fprintf(s->f, TW__RUN_PAJE_EVENT "%d N Run \"0.5 0.5 0.5\" \"", s->n++);
	fputs(line, s->f);
	s->n_bytes += strlen(line) + 1;
}

void tw__write_paje(FILE *f, const struct tw__trace *t)
{
	struct section section = {.f = f};
	struct paje paje = {.f = f, .t = t, .other_end = tw__record_pairs(t->record)};
	const tw_worker n = t->platform->n_workers;
	tw__teams_init(&paje.teams, n, tw_alloc((size_t)n, sizeof *paje.teams.joined));
	struct tw__usage *usage = tw__usage_create(t, TW__USAGE_USUAL, print_counter, &paje);
	define_types(f, t);
	tw__run_section_put(t, print_section_line, &section);
	end_section_event(&section);
	create_containers(f, t, usage);
	tw__usage_pass(usage, print_event);
	destroy_containers(f, t, usage);
	tw__usage_destroy(usage);
	free(paje.other_end);
	free(paje.teams.joined);
}
