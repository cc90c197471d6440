/* Reads back the Paje files of src/trace/paje.c: containers of types "Worker", "Memory" and "Link", states of type "Kernel" whose
 * value is a kernel or "Idle", and variables of memories, links and the machine. Field order and numbers of definitions are taken from the file. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "plot/schedule.h"

enum { MAX_DEFINITIONS = 256, MAX_FIELDS = 16 };

enum kind {
	DEFINE_CONTAINER_TYPE,
	DEFINE_STATE_TYPE,
	DEFINE_VALUE,
	DEFINE_VARIABLE_TYPE,
	CREATE,
	DESTROY,
	SET_STATE,
	SET_VARIABLE,
	IGNORED,
	UNDEFINED
};
static const char *const kind_names[] = {
	"PajeDefineContainerType", "PajeDefineStateType",  "PajeDefineEntityValue", "PajeDefineVariableType",
	"PajeCreateContainer",     "PajeDestroyContainer", "PajeSetState",          "PajeSetVariable"};

enum field {
	TIME,
	ALIAS,
	TYPE,
	NAME,
	CONTAINER,
	VALUE,
	JOB_ID,
	WORKLOAD,
	POLICY,
	ARCH,
	CAPACITY,
	BANDWIDTH,
	N_FIELDS,
	OTHER
};
static const char *const field_names[] = {"Time",  "Alias",    "Type",   "Name", "Container", "Value",
                                          "JobId", "Workload", "Policy", "Arch", "Capacity",  "Bandwidth"};

struct definition {
	enum kind kind;
	int n;
	enum field fields[MAX_FIELDS];
};

/* What an alias stands for. Each class of aliases has its own: the key begins with the class's letter. */
enum meaning {
	IS_WORKER,
	IS_MEMORY,
	IS_LINK,
	IS_KERNEL,
	IS_IDLE,
	IS_MEMORY_USED,
	IS_LINK_USED,
	IS_TASKS_READY,
	IS_TASKS_SUBMITTED,
	IS_ELSE
};
struct alias {
	enum meaning meaning;
	int index;
	UT_hash_handle hh;
	char key[];
};

/* What a worker runs since when; kernel -1: it is idle. */
struct running {
	int kernel;
	int task;
	double start;
};

struct reader {
	struct tw__schedule *s;
	const char *path;
	long line;
	struct tw_error *err;
	struct definition definitions[MAX_DEFINITIONS];
	struct definition *open; /* whose fields are being listed */
	struct alias *aliases;
	struct running *running; /* [workers] */
	int running_capacity;
	double date;
};

/* `value` (may be NULL) is what was found. */
static int bad(struct reader *r, const char *what, const char *value)
{
	if (value)
		return tw_fail(r->err, TW_INVALID, "%s:%ld: %s '%.80s'", r->path, r->line, what, value);
	return tw_fail(r->err, TW_INVALID, "%s:%ld: %s", r->path, r->line, what);
}

static int no_memory(struct reader *r) { return tw_fail(r->err, TW_NOMEM, "%s: out of memory", r->path); }

static struct alias *lookup(struct reader *r, char class, const char *alias)
{
	char key[256];
	struct alias *found;
	snprintf(key, sizeof key, "%c%s", class, alias);
	HASH_FIND_STR(r->aliases, key, found);
	return found;
}

static int define(struct reader *r, char class, const char *alias, enum meaning meaning, int index)
{
	if (strlen(alias) > 200)
		return bad(r, "alias too long:", alias);
	if (lookup(r, class, alias))
		return bad(r, "defined a second time:", alias);
	struct alias *a = malloc(sizeof *a + strlen(alias) + 2);
	if (!a || index < 0) {
		free(a);
		return no_memory(r);
	}
	a->meaning = meaning;
	a->index = index;
	a->key[0] = class;
	strcpy(a->key + 1, alias);
	HASH_ADD_STR(r->aliases, key, a);
	if (!a->hh.tbl) {
		free(a);
		return no_memory(r);
	}
	return TW_OK;
}

/* A date or a count of bytes: digits, maybe with a decimal point; independent of the locale. False: something else. */
static bool parse_number(const char *s, double *value)
{
	double mantissa = 0, scale = 1;
	int digits = 0;
	bool fraction = false;
	for (; *s; s++) {
		if (*s == '.' && !fraction) {
			fraction = true;
		} else if (isdigit((unsigned char)*s) && digits < 40) {
			mantissa = mantissa * 10 + (*s - '0');
			scale *= fraction ? 10 : 1;
			digits++;
		} else {
			return false;
		}
	}
	*value = mantissa / scale;
	return digits > 0;
}

/* "%EventDef NAME NUMBER", "% FIELD type", "%EndEventDef" */
static int read_definition(struct reader *r, char *line)
{
	char *save = NULL, *word = strtok_r(line + 1, " \t\r\n", &save), *rest = strtok_r(NULL, " \t\r\n", &save);
	if (!word)
		return TW_OK;
	if (!strcmp(word, "EventDef")) {
		char *number = rest ? strtok_r(NULL, " \t\r\n", &save) : NULL, *end;
		long id = number ? strtol(number, &end, 10) : -1;
		if (id < 0 || id >= MAX_DEFINITIONS || *end)
			return bad(r, "expected %EventDef NAME NUMBER, with a number below 256", NULL);
		r->open = &r->definitions[id];
		if (r->open->kind != UNDEFINED)
			return bad(r, "event defined a second time:", number);
		r->open->kind = IGNORED;
		for (size_t i = 0; i < sizeof kind_names / sizeof *kind_names; i++)
			if (!strcmp(rest, kind_names[i]))
				r->open->kind = (enum kind)i;
		return TW_OK;
	}
	if (!r->open)
		return bad(r, "expected %EventDef before", word);
	if (!strcmp(word, "EndEventDef")) {
		r->open = NULL;
		return TW_OK;
	}
	if (r->open->n == MAX_FIELDS)
		return bad(r, "too many fields", NULL);
	enum field field = OTHER;
	for (int i = 0; i < N_FIELDS; i++)
		if (!strcmp(word, field_names[i]))
			field = (enum field)i;
	r->open->fields[r->open->n++] = field;
	return TW_OK;
}

/* Cuts the next word, or the next text in double quotes, off *rest. NULL: none, or quotes that do not end. */
static char *next_value(char **rest)
{
	char *s = *rest + strspn(*rest, " \t\r\n");
	char *end = *s == '"' ? strchr(++s, '"') : s + strcspn(s, " \t\r\n");
	if (!end || (end == s && *s != '"'))
		return NULL;
	*rest = *end ? end + 1 : end;
	*end = 0;
	return s;
}

static int create_worker(struct reader *r, const char *name, const char *arch)
{
	int index = tw__names_append(&r->s->workers, name);
	if (index < 0 || tw__names_append(&r->s->archs, arch ? arch : "") < 0)
		return -1;
	if (r->s->workers.n > r->running_capacity) {
		int capacity = r->running_capacity ? r->running_capacity * 2 : 64;
		void *running = realloc(r->running, (size_t)capacity * sizeof *r->running);
		if (!running)
			return -1;
		r->running = running;
		r->running_capacity = capacity;
	}
	r->running[index].kernel = -1;
	return index;
}

/* "GPU0 memory", "host link": containers' names have to differ, which those of a worker and its memory often do not. */
static int create_with_number(struct tw__names *names, struct tw__numbers *numbers, char *name, const char *what,
                              const char *text)
{
	char *suffix = strrchr(name, ' ');
	double number;
	if (suffix && suffix > name && !strcmp(suffix + 1, what))
		*suffix = 0;
	if (!text || !parse_number(text, &number))
		number = 0;
	return tw__numbers_append(numbers, number) ? tw__names_append(names, name) : -1;
}

static int create_machine(struct reader *r, const char *workload, const char *policy)
{
	if (!workload || r->s->workload)
		return 0;
	r->s->workload = strdup(workload);
	r->s->policy = policy ? strdup(policy) : NULL;
	return r->s->workload && (r->s->policy || !policy) ? 0 : -1;
}

static int create_container(struct reader *r, char *const *v)
{
	struct tw__schedule *s = r->s;
	struct alias *type = lookup(r, 't', v[TYPE]);
	if (!type)
		return bad(r, "unknown type of container:", v[TYPE]);
	int index;
	if (type->meaning == IS_WORKER)
		index = create_worker(r, v[NAME], v[ARCH]);
	else if (type->meaning == IS_MEMORY)
		index = create_with_number(&s->memories, &s->capacity_bytes, v[NAME], "memory", v[CAPACITY]);
	else if (type->meaning == IS_LINK)
		index = create_with_number(&s->links, &s->bandwidth, v[NAME], "link", v[BANDWIDTH]);
	else
		index = create_machine(r, v[WORKLOAD], v[POLICY]);
	return define(r, 'c', v[ALIAS], type->meaning, index);
}

/* By the names of types. */
static enum meaning meaning_of(const char *name)
{
	static const struct {
		const char *name;
		enum meaning meaning;
	} types[] = {{"Worker", IS_WORKER},
	             {"Memory", IS_MEMORY},
	             {"Link", IS_LINK},
	             {"Memory used (bytes)", IS_MEMORY_USED},
	             {"Link used (bytes/s)", IS_LINK_USED},
	             {"Tasks ready", IS_TASKS_READY},
	             {"Tasks submitted", IS_TASKS_SUBMITTED}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(name, types[i].name))
			return types[i].meaning;
	return IS_ELSE;
}

static int define_value(struct reader *r, char *const *v)
{
	if (!lookup(r, 's', v[TYPE]))
		return TW_OK; /* of a link or an event */
	if (!strcmp(v[NAME], "Idle"))
		return define(r, 'v', v[ALIAS], IS_IDLE, 0);
	return define(r, 'v', v[ALIAS], IS_KERNEL, tw__names_find(&r->s->kernels, v[NAME]));
}

static int set_state(struct reader *r, char *const *v)
{
	struct alias *container = lookup(r, 'c', v[CONTAINER]), *value = lookup(r, 'v', v[VALUE]);
	if (!container || container->meaning != IS_WORKER)
		return bad(r, "no worker has the alias", v[CONTAINER]);
	if (!value)
		return bad(r, "no kernel has the alias", v[VALUE]);
	int w = container->index;
	struct running *running = &r->running[w];
	double task = TW_NONE;
	if (v[JOB_ID] && (!parse_number(v[JOB_ID], &task) || task > INT32_MAX))
		return bad(r, "expected the number of a task instead of", v[JOB_ID]);
	if (running->kernel >= 0 &&
	    !tw__schedule_add_box(r->s, w, running->kernel, running->task, running->start, r->date))
		return no_memory(r);
	*running = (struct running){value->meaning == IS_KERNEL ? value->index : -1, (int)task, r->date};
	return TW_OK;
}

static int set_variable(struct reader *r, char *const *v)
{
	struct tw__schedule *s = r->s;
	struct alias *container = lookup(r, 'c', v[CONTAINER]), *type = lookup(r, 'r', v[TYPE]);
	double value;
	if (!container)
		return bad(r, "no container has the alias", v[CONTAINER]);
	if (!type)
		return bad(r, "no type of variables has the alias", v[TYPE]);
	if (!parse_number(v[VALUE], &value))
		return bad(r, "expected a number instead of", v[VALUE]);
	struct tw__samples *samples = type->meaning == IS_MEMORY_USED ? &s->used
	                              : type->meaning == IS_LINK_USED ? &s->flows
	                              : type->meaning == IS_ELSE      ? NULL
	                                                              : &s->tasks;
	int counter = container->index;
	if (samples == &s->tasks)
		counter = type->meaning == IS_TASKS_READY ? TW__READY_TASKS : TW__SUBMITTED_TASKS;
	if ((samples == &s->used && container->meaning != IS_MEMORY) ||
	    (samples == &s->flows && container->meaning != IS_LINK))
		return bad(r, "a variable of another type of container than", v[CONTAINER]);
	return !samples || tw__schedule_add_sample(s, samples, counter, r->date, value) ? TW_OK : no_memory(r);
}

static int read_event(struct reader *r, char *line)
{
	static const unsigned needs[] = {
		[DEFINE_CONTAINER_TYPE] = 1 << ALIAS | 1 << NAME,
		[DEFINE_STATE_TYPE] = 1 << ALIAS,
		[DEFINE_VARIABLE_TYPE] = 1 << ALIAS | 1 << NAME,
		[DEFINE_VALUE] = 1 << ALIAS | 1 << TYPE | 1 << NAME,
		[CREATE] = 1 << TIME | 1 << ALIAS | 1 << TYPE | 1 << NAME,
		[DESTROY] = 1 << TIME,
		[SET_STATE] = 1 << TIME | 1 << CONTAINER | 1 << VALUE,
		[SET_VARIABLE] = 1 << TIME | 1 << TYPE | 1 << CONTAINER | 1 << VALUE,
	};
	char *rest = line, *end, *number = next_value(&rest);
	if (!number)
		return *line == '"' ? bad(r, "expected the number of an event", NULL) : TW_OK; /* a blank line */
	long id = strtol(number, &end, 10);
	if (*end || id < 0 || id >= MAX_DEFINITIONS || r->definitions[id].kind == UNDEFINED)
		return bad(r, "expected the number of an event that is defined above instead of", number);
	const struct definition *d = &r->definitions[id];
	if (d->kind == IGNORED)
		return TW_OK;
	char *v[N_FIELDS] = {0};
	unsigned given = 0;
	for (int i = 0; i < d->n; i++) {
		char *value = next_value(&rest);
		if (!value)
			return bad(r, "fewer values than the event has fields, or a quote that does not end", NULL);
		if (d->fields[i] < N_FIELDS) {
			v[d->fields[i]] = value;
			given |= 1u << d->fields[i];
		}
	}
	if (needs[d->kind] & ~given)
		return bad(r, "the definition of this event lacks a field of", kind_names[d->kind]);
	if (v[TIME]) {
		double date;
		if (!parse_number(v[TIME], &date))
			return bad(r, "expected a date in seconds instead of", v[TIME]);
		if (date < r->date)
			return bad(r, "time goes back at", v[TIME]);
		r->date = date;
	}
	switch (d->kind) {
	case DEFINE_CONTAINER_TYPE:
		return define(r, 't', v[ALIAS], meaning_of(v[NAME]), 0);
	case DEFINE_VARIABLE_TYPE:
		return define(r, 'r', v[ALIAS], meaning_of(v[NAME]), 0);
	case DEFINE_STATE_TYPE:
		return define(r, 's', v[ALIAS], IS_ELSE, 0);
	case DEFINE_VALUE:
		return define_value(r, v);
	case CREATE:
		return create_container(r, v);
	case SET_STATE:
		return set_state(r, v);
	case SET_VARIABLE:
		return set_variable(r, v);
	default:
		if (r->date > r->s->end)
			r->s->end = r->date;
		return TW_OK;
	}
}

int tw__schedule_read_paje(struct tw__schedule *s, FILE *f, const char *path, struct tw_error *err)
{
	struct reader r = {.s = s, .path = path, .err = err};
	char *line = NULL;
	size_t capacity = 0;
	int status = TW_OK;
	for (int i = 0; i < MAX_DEFINITIONS; i++)
		r.definitions[i].kind = UNDEFINED;
	while (status == TW_OK && getline(&line, &capacity, f) >= 0) {
		r.line++;
		if (line[0] == '%')
			status = read_definition(&r, line);
		else if (line[0] != '#')
			status = read_event(&r, line);
	}
	/* A run that was cut off: what runs at the end is not drawn, since nobody knows how long it takes. */
	struct alias *a, *next;
	HASH_ITER(hh, r.aliases, a, next)
	{
		HASH_DEL(r.aliases, a);
		free(a);
	}
	free(r.running);
	free(line);
	return status;
}
