/* Reads Paje traces that src/trace/paje.c wrote. They have containers "Worker", "Memory" and "Link", and variables of
 * memories, links and the machine. States of type "Kernel" have a kernel or "Idle" as value. The file itself defines
 * the order of fields and the numbers of events. */
#ifndef HASH_NONFATAL_OOM
#define HASH_NONFATAL_OOM 1
#endif
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "plot/paje_lines.h"
#include "plot/schedule.h"

/* The meaning of an alias in the trace. Each class of aliases has its own name space: the key begins with the letter of
 * the class. */
enum meaning {
	IS_WORKER,
	IS_MEMORY,
	IS_LINK,
	IS_KERNEL,
	IS_IDLE,
	IS_MEMORY_USED,
	IS_LINK_USED,
	IS_LINK_CAPACITY,
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

/* The kernel that a worker runs at the current date, and its start; kernel -1: the worker idles. */
struct running {
	int kernel;
	int task;
	tw__ns start;
};

struct reader {
	struct tw__schedule *s;
	struct tw__paje in;
	struct alias *aliases;
	struct running *running; /* [workers] what each worker runs */
	int running_capacity;
	bool ended; /* whether a container was destroyed, as at the end of a complete trace */
};

static int bad(const struct reader *r, const char *what, const char *value)
{
	return tw__paje_bad(&r->in, what, value);
}

static int no_memory(const struct reader *r) { return tw_fail(r->in.err, TW_NOMEM, "%s: out of memory", r->in.path); }

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

/* Adds a memory or a link, with its capacity or bandwidth (`text`). Names of containers must differ, so traces call
 * them "GPU0 memory" and "host link": strips that suffix. */
static int create_with_number(struct tw__names *names, struct tw__numbers *numbers, char *name, const char *what,
                              const char *text)
{
	char *suffix = strrchr(name, ' ');
	double number;
	if (suffix && suffix > name && !strcmp(suffix + 1, what))
		*suffix = 0;
	if (!text || !tw__paje_number(text, &number))
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
	struct alias *type = lookup(r, 't', v[TW__PAJE_TYPE]);
	if (!type)
		return bad(r, "unknown type of container:", v[TW__PAJE_TYPE]);
	int index;
	if (type->meaning == IS_WORKER)
		index = create_worker(r, v[TW__PAJE_NAME], v[TW__PAJE_ARCH]);
	else if (type->meaning == IS_MEMORY)
		index = create_with_number(&s->memories, &s->capacity_bytes, v[TW__PAJE_NAME], "memory",
		                           v[TW__PAJE_CAPACITY]);
	else if (type->meaning == IS_LINK)
		index = create_with_number(&s->links, &s->bandwidth, v[TW__PAJE_NAME], "link", v[TW__PAJE_BANDWIDTH]);
	else
		index = create_machine(r, v[TW__PAJE_WORKLOAD], v[TW__PAJE_POLICY]);
	return define(r, 'c', v[TW__PAJE_ALIAS], type->meaning, index);
}

/* Returns the meaning of a type of containers or variables, by its name. */
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
	             {"Link capacity (bytes/s)", IS_LINK_CAPACITY},
	             {"Tasks ready", IS_TASKS_READY},
	             {"Tasks submitted", IS_TASKS_SUBMITTED}};
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (!strcmp(name, types[i].name))
			return types[i].meaning;
	return IS_ELSE;
}

static int define_value(struct reader *r, char *const *v)
{
	if (!lookup(r, 's', v[TW__PAJE_TYPE]))
		return TW_OK; /* the value belongs to a link or an event, not to a worker's state */
	if (!strcmp(v[TW__PAJE_NAME], "Idle"))
		return define(r, 'v', v[TW__PAJE_ALIAS], IS_IDLE, 0);
	return define(r, 'v', v[TW__PAJE_ALIAS], IS_KERNEL, tw__names_find(&r->s->kernels, v[TW__PAJE_NAME]));
}

static int set_state(struct reader *r, char *const *v)
{
	struct alias *container = lookup(r, 'c', v[TW__PAJE_CONTAINER]), *value = lookup(r, 'v', v[TW__PAJE_VALUE]);
	if (!container || container->meaning != IS_WORKER)
		return bad(r, "no worker has the alias", v[TW__PAJE_CONTAINER]);
	if (!value)
		return bad(r, "no kernel has the alias", v[TW__PAJE_VALUE]);
	int w = container->index;
	struct running *running = &r->running[w];
	double task = TW_NONE;
	if (v[TW__PAJE_JOB_ID] && (!tw__paje_number(v[TW__PAJE_JOB_ID], &task) || task > INT32_MAX))
		return bad(r, "expected the number of a task instead of", v[TW__PAJE_JOB_ID]);
	if (running->kernel >= 0 &&
	    !tw__schedule_add_box(r->s, w, running->kernel, running->task, running->start, r->in.date))
		return no_memory(r);
	*running = (struct running){value->meaning == IS_KERNEL ? value->index : -1, (int)task, r->in.date};
	return TW_OK;
}

static int set_variable(struct reader *r, char *const *v)
{
	struct tw__schedule *s = r->s;
	struct alias *container = lookup(r, 'c', v[TW__PAJE_CONTAINER]), *type = lookup(r, 'r', v[TW__PAJE_TYPE]);
	double value;
	if (!container)
		return bad(r, "no container has the alias", v[TW__PAJE_CONTAINER]);
	if (!type)
		return bad(r, "no type of variables has the alias", v[TW__PAJE_TYPE]);
	if (!tw__paje_number(v[TW__PAJE_VALUE], &value))
		return bad(r, "expected a number instead of", v[TW__PAJE_VALUE]);
	struct tw__samples *samples = NULL;
	int counter = container->index;
	if (type->meaning == IS_MEMORY_USED) {
		samples = &s->used;
	} else if (type->meaning == IS_LINK_USED) {
		samples = &s->flows;
	} else if (type->meaning == IS_LINK_CAPACITY) {
		samples = &s->capacities;
	} else if (type->meaning == IS_TASKS_READY || type->meaning == IS_TASKS_SUBMITTED) {
		samples = &s->tasks;
		counter = type->meaning == IS_TASKS_READY ? TW__READY_TASKS : TW__SUBMITTED_TASKS;
	}
	if ((samples == &s->used && container->meaning != IS_MEMORY) ||
	    ((samples == &s->flows || samples == &s->capacities) && container->meaning != IS_LINK))
		return bad(r, "a variable of another type of container than", v[TW__PAJE_CONTAINER]);
	return !samples || tw__schedule_add_sample(s, samples, counter, r->in.date, value) ? TW_OK : no_memory(r);
}

static int read_event(struct reader *r, enum tw__paje_kind kind, char *const *v)
{
	switch (kind) {
	case TW__PAJE_DEFINE_CONTAINER_TYPE:
		return define(r, 't', v[TW__PAJE_ALIAS], meaning_of(v[TW__PAJE_NAME]), 0);
	case TW__PAJE_DEFINE_VARIABLE_TYPE:
		return define(r, 'r', v[TW__PAJE_ALIAS], meaning_of(v[TW__PAJE_NAME]), 0);
	case TW__PAJE_DEFINE_STATE_TYPE:
		return define(r, 's', v[TW__PAJE_ALIAS], IS_ELSE, 0);
	case TW__PAJE_DEFINE_VALUE:
		return define_value(r, v);
	case TW__PAJE_CREATE:
		return create_container(r, v);
	case TW__PAJE_SET_STATE:
		return set_state(r, v);
	case TW__PAJE_SET_VARIABLE:
		return set_variable(r, v);
	default:
		r->ended = r->ended || kind == TW__PAJE_DESTROY;
		if (r->in.date > r->s->end)
			r->s->end = r->in.date;
		return TW_OK;
	}
}

int tw__schedule_read_paje(struct tw__schedule *s, FILE *f, const char *path, struct tw_error *err)
{
	struct reader r = {.s = s};
	char *line = NULL, *values[TW__PAJE_N_FIELDS];
	enum tw__paje_kind kind;
	size_t capacity = 0;
	int status = TW_OK;
	tw__paje_init(&r.in, path, err);
	for (ssize_t length; status == TW_OK && (length = getline(&line, &capacity, f)) >= 0;) {
		if (strlen(line) != (size_t)length) {
			r.in.line++;
			status = bad(&r, "a byte of value 0: expected text", NULL);
			break;
		}
		status = tw__paje_line(&r.in, line, &kind, values);
		if (status == 1)
			status = read_event(&r, kind, values);
	}
	if (status == TW_OK && !r.ended)
		tw_log(TW_LOG_WARNING, "%s:%ld: the trace ends before its containers do: it is incomplete", path,
		       r.in.line);
	/* Kernels still running at the end of an incomplete trace are not drawn: their duration is unknown. */
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
