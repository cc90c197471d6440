/* The lock; the list of living objects, and the report of objects that are left at exit. */
#include "standin.h"

#include <stdio.h>

/* --- the lock ----------------------------------------------------------------------------------------------------- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

#if defined(__SANITIZE_THREAD__) && !defined(STANDIN_PLAIN)
void AnnotateIgnoreSyncBegin(const char *file, int line);
void AnnotateIgnoreSyncEnd(const char *file, int line);
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);

static void ignore_begin(void)
{
	AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
	AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
}

static void ignore_end(void)
{
	AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
	AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
}
#else
static void ignore_begin(void) {}
static void ignore_end(void) {}
#endif

void standin_lock(void)
{
	ignore_begin();
	pthread_mutex_lock(&mutex);
}

void standin_unlock(void)
{
	pthread_mutex_unlock(&mutex);
	ignore_end();
}

void standin_wait(pthread_cond_t *condition) { pthread_cond_wait(condition, &mutex); }

void standin_join(pthread_t thread)
{
	ignore_begin();
	pthread_join(thread, NULL);
	ignore_end();
}

/* --- things ------------------------------------------------------------------------------------------------------- */

static struct standin_thing *things[STANDIN_N_KINDS];
static const char *const names[STANDIN_N_KINDS] = {
	[STANDIN_ALLOCATIONS] = "allocations", [STANDIN_RANGES] = "registered ranges",
	[STANDIN_STREAMS] = "streams",         [STANDIN_EVENTS] = "events",
	[STANDIN_BLAS] = "handles of cuBLAS",  [STANDIN_SOLVERS] = "handles of cuSOLVER",
	[STANDIN_MODULES] = "modules",
};

struct standin_thing *standin_first(enum standin_kind kind) { return things[kind]; }

void standin_add(enum standin_kind kind, void *thing)
{
	((struct standin_thing *)thing)->next = things[kind];
	things[kind] = thing;
	standin_count(kind, 1);
}

/* The link that leads to the object. It is not dereferenced, because it may be invalid. */
static struct standin_thing **find(enum standin_kind kind, const void *thing)
{
	struct standin_thing **link = &things[kind];
	while (*link && *link != thing)
		link = &(*link)->next;
	return link;
}

bool standin_is_alive(enum standin_kind kind, const void *thing) { return thing && *find(kind, thing); }

bool standin_remove(enum standin_kind kind, const void *thing)
{
	if (!standin_is_alive(kind, thing))
		return false;
	struct standin_thing **link = find(kind, thing);
	*link = (*link)->next;
	standin_count(kind, -1);
	return true;
}

void standin_report(void)
{
	standin_lock();
	for (int kind = 0; kind < STANDIN_N_KINDS; kind++) {
		int n = 0;
		for (const struct standin_thing *thing = things[kind]; thing; thing = thing->next)
			n++;
		if (n)
			fprintf(stderr, "standin: still alive at exit: %s: %d\n", names[kind], n);
	}
	standin_unlock();
}
