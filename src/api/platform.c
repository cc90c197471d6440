/* Platforms of programs. */
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "machine/machine.h"
#include "request/fields.h"

/* --- one thread at a time ----------------------------------------------------------------------------------------- */

/* All platforms of this process. At a fork, another thread may be reading a platform's files. It does not exist in the
 * child, so the child drops what that thread was working on, and reads the files again. A fork must not wait for that
 * thread, which may wait for a lock that the forking thread holds. */
static pthread_mutex_t listing = PTHREAD_MUTEX_INITIALIZER;
static struct tw_platform *listed;

static void hold_list(void) { pthread_mutex_lock(&listing); }

static void release_list(void) { pthread_mutex_unlock(&listing); }

static void start_again(void)
{
	for (struct tw_platform *p = listed; p; p = p->next)
		if (atomic_load(&p->is_locked)) {
			pthread_mutex_init(&p->lock, NULL);
			p->origin = (struct tw__origin){0};
			p->identifier = (struct tw__identifier){0};
			atomic_store(&p->is_locked, false);
		}
	release_list();
}

static void watch_forks(void) { pthread_atfork(hold_list, release_list, start_again); }

static void list(struct tw_platform *p)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, watch_forks);
	pthread_mutex_init(&p->lock, NULL);
	hold_list();
	p->next = listed;
	listed = p;
	release_list();
}

static void unlist(struct tw_platform *p)
{
	hold_list();
	struct tw_platform **at = &listed;
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	release_list();
	pthread_mutex_destroy(&p->lock);
}

int tw__platform_lock(struct tw_platform *p, int (*work)(void *arg, struct tw_error *), void *arg, struct tw_error *err)
{
	struct tw__door door;
	int status;
	pthread_mutex_lock(&p->lock);
	atomic_store(&p->is_locked, true);
	if (TW__MEMORY_RUNS_OUT(&door)) {
		status = tw__out_of_memory(err);
	} else {
		status = work(arg, err);
		tw__door_close(&door);
	}
	atomic_store(&p->is_locked, false);
	pthread_mutex_unlock(&p->lock);
	return status;
}

/* --- platforms ---------------------------------------------------------------------------------------------------- */

static void describe(struct tw_platform *p)
{
	const struct tw__platform *of = p->selected;
	p->workers = tw_alloc((size_t)of->n_workers, sizeof *p->workers);
	p->nodes = tw_alloc((size_t)of->n_nodes, sizeof *p->nodes);
	for (tw_worker w = 0; w < of->n_workers; w++) {
		const struct tw__arch *arch = &of->archs[of->workers[w].arch];
		p->workers[w] = (struct tw_worker_about){
			.name = of->workers[w].name,
			.arch = arch->name,
			.accelerator = arch->accelerator,
			.cores = of->workers[w].cores,
			.node = of->workers[w].node,
			.rank = of->workers[w].rank,
		};
	}
	for (tw_node n = 0; n < of->n_nodes; n++) {
		const struct tw__node *node = &of->nodes[n];
		uint64_t bytes = node->limit_bytes ? node->limit_bytes : node->memory_bytes;
		p->nodes[n] = (struct tw_node_about){node->name, bytes ? bytes : UINT64_MAX, node->rank};
	}
}

static int open_platform(struct tw_platform *p, const char *name, const char *const *options, struct tw_error *err)
{
	struct tw__request *q = &p->options.inputs.common;
	if (!name)
		return tw_fail(err, TW_INVALID, "platform: expected its name");
	const struct tw__field *field = tw__field_of("platform");
	char *text = tw__arena_alloc(&p->options.texts, strlen(name) + 1, 1);
	strcpy(text, name);
	int status = field->check(text, err);
	if (status == TW_OK)
		status = tw__field_set(field, q, text, err);
	if (status == TW_OK)
		status = tw__options_take(&p->options, options, true, false, err);
	if (status == TW_OK)
		status = tw__is_machine(q) ? tw__machine_load(&p->selected, q, err)
		                           : tw__origin_select(&p->origin, &p->selected, q, err);
	if (status == TW_OK)
		describe(p);
	return status;
}

int tw_platform_open(struct tw_platform **out, const char *name, const char *const *options, struct tw_error *err)
{
	struct tw__door door;
	*out = NULL;
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	struct tw_platform *p = tw_alloc(1, sizeof *p);
	atomic_init(&p->uses, 1);
	list(p);
	tw__options_init(&p->options, NULL);
	int status = open_platform(p, name, options, err);
	if (status == TW_OK)
		*out = p;
	else
		tw_platform_close(p);
	tw__door_close(&door);
	return status;
}

void tw_platform_close(struct tw_platform *p)
{
	if (!p || atomic_fetch_sub(&p->uses, 1) > 1)
		return;
	unlist(p);
	free(p->workers);
	free(p->nodes);
	tw__platform_destroy(p->selected);
	tw__identifier_finish(&p->identifier);
	tw__origin_finish(&p->origin);
	tw__options_finish(&p->options);
	free(p);
}

int tw_platform_workers(const struct tw_platform *p, const struct tw_worker_about **workers)
{
	*workers = p ? p->workers : NULL;
	return p ? p->selected->n_workers : 0;
}

int tw_platform_nodes(const struct tw_platform *p, const struct tw_node_about **nodes)
{
	*nodes = p ? p->nodes : NULL;
	return p ? p->selected->n_nodes : 0;
}
