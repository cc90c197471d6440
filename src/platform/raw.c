/* Stores the hosts, links and routes of a platform file, and finds hosts and links by their ids. */
#include "platform/raw.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* By default uthash ends the process when out of memory. Here it sets the `place` of the new entry to TW_NONE
 * instead. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->place = TW_NONE)
#include <uthash.h>

#include "base/one_line.h"

struct tw__raw_name {
	UT_hash_handle hh;
	int place;
	char id[];
};

static void free_names(struct tw__raw_name **names)
{
	struct tw__raw_name *name, *next;
	HASH_ITER(hh, *names, name, next)
	{
		HASH_DEL(*names, name);
		free(name);
	}
}

void tw__raw_finish(struct tw__raw *raw)
{
	for (int i = 0; i < raw->n_hosts; i++) {
		free(raw->hosts[i].id);
		free(raw->hosts[i].arch);
		free(raw->hosts[i].model);
	}
	for (int i = 0; i < raw->n_links; i++)
		free(raw->links[i].id);
	for (int i = 0; i < raw->n_routes; i++)
		free(raw->routes[i].links);
	free(raw->hosts);
	free(raw->links);
	free(raw->routes);
	free(raw->summary);
	free(raw->runtime);
	free_names(&raw->host_names);
	free_names(&raw->link_names);
	free_names(&raw->duplex_names);
	memset(raw, 0, sizeof *raw);
}

int tw__raw_fail(const struct tw__raw *raw, int line, struct tw_error *err, const char *format, ...)
{
	char text[sizeof err->message];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	return tw_fail(err, TW_INVALID, "%s:%d: %s", raw->file, line, text);
}

bool tw__raw_reserve(void *array, int n, int *capacity, size_t each)
{
	if (n < *capacity)
		return true;
	int more = *capacity ? 2 * *capacity : 16;
	void *old, *grown;
	memcpy(&old, array, sizeof old);
	grown = reallocarray(old, (size_t)more, each);
	if (!grown)
		return false;
	memcpy(array, &grown, sizeof grown);
	*capacity = more;
	return true;
}

int tw__raw_find(struct tw__raw_name *const *names, const char *id)
{
	struct tw__raw_name *found;
	HASH_FIND_STR(*names, id, found);
	return found ? found->place : TW_NONE;
}

int tw__raw_add_name(struct tw__raw_name **names, const char *id, int place)
{
	size_t length = strlen(id);
	struct tw__raw_name *name = malloc(sizeof *name + length + 1);
	if (!name)
		return TW_NOMEM;
	memcpy(name->id, id, length + 1);
	name->place = place;
	HASH_ADD_STR(*names, id, name);
	if (name->place == TW_NONE) {
		free(name);
		return TW_NOMEM;
	}
	return TW_OK;
}

/* Checks the id of a new host or link, and adds it to `names` with index `place`. */
static int claim(struct tw__raw *raw, struct tw__raw_name **names, const char *what, const char *id, int line,
                 int place, int max, struct tw_error *err)
{
	size_t length = strlen(id);
	if (length == 0 || length > TW__MAX_NAME)
		return tw__raw_fail(raw, line, err, "%s id of %zu bytes, expected 1 to %d", what, length, TW__MAX_NAME);
	if (!tw__is_text(id))
		return tw__raw_fail(raw, line, err, "%s id '%s': expected text without control characters", what, id);
	if (tw__raw_find(names, id) != TW_NONE)
		return tw__raw_fail(raw, line, err, "%s '%s' is defined twice, expected unique ids", what, id);
	if (place >= max)
		return tw__raw_fail(raw, line, err, "too many %ss, expected at most %d", what, max);
	if (tw__raw_add_name(names, id, place) < 0)
		return tw_fail(err, TW_NOMEM, "%s:%d: out of memory", raw->file, line);
	return TW_OK;
}

int tw__raw_add_host(struct tw__raw *raw, const char *id, int line, struct tw_error *err)
{
	int status = claim(raw, &raw->host_names, "host", id, line, raw->n_hosts, TW__MAX_HOSTS, err);
	if (status < 0)
		return status;
	char *copy = strdup(id);
	if (!copy || !tw__raw_reserve(&raw->hosts, raw->n_hosts, &raw->host_capacity, sizeof *raw->hosts)) {
		free(copy);
		return tw_fail(err, TW_NOMEM, "%s:%d: out of memory", raw->file, line);
	}
	raw->hosts[raw->n_hosts++] = (struct tw__raw_host){
		.id = copy, .line = line, .cores = 1, .peer = -1, .idle_watts = NAN, .busy_watts = NAN};
	return TW_OK;
}

int tw__raw_add_link(struct tw__raw *raw, const char *id, int line, struct tw_error *err)
{
	int status = claim(raw, &raw->link_names, "link", id, line, raw->n_links, TW__MAX_LINKS, err);
	if (status < 0)
		return status;
	char *copy = strdup(id);
	if (!copy || !tw__raw_reserve(&raw->links, raw->n_links, &raw->link_capacity, sizeof *raw->links)) {
		free(copy);
		return tw_fail(err, TW_NOMEM, "%s:%d: out of memory", raw->file, line);
	}
	raw->links[raw->n_links++] = (struct tw__raw_link){.id = copy,
	                                                   .line = line,
	                                                   .shared_bandwidth = -1,
	                                                   .predicted_bandwidth = -1,
	                                                   .predicted_latency = -1,
	                                                   .other_way = TW_NONE};
	return TW_OK;
}

int tw__raw_add_route(struct tw__raw *raw, int line, struct tw_error *err)
{
	if (!tw__raw_reserve(&raw->routes, raw->n_routes, &raw->route_capacity, sizeof *raw->routes))
		return tw_fail(err, TW_NOMEM, "%s:%d: out of memory", raw->file, line);
	raw->routes[raw->n_routes++] = (struct tw__raw_route){.line = line};
	return TW_OK;
}
