/* Stores the hosts, links and routes of a platform file, and finds hosts and links by their ids. */
#include "platform/raw.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

struct tw__raw_name {
	UT_hash_handle hh;
	int place;
	char id[];
};

static void free_names(struct tw__raw_name **names)
{
	struct tw__raw_name *name = *names, *next;
	HASH_CLEAR(hh, *names);
	for (; name; name = next) {
		next = name->hh.next;
		free(name);
	}
}

static void free_cluster(struct tw__raw_cluster *cluster)
{
	if (!cluster)
		return;
	for (int i = 0; i < cluster->n_hosts; i++)
		free(cluster->names[i]);
	free(cluster->names);
	free(cluster->radicals);
	free(cluster->id);
	free(cluster->prefix);
	free(cluster->suffix);
	free(cluster->parameters);
	free(cluster);
}

void tw__raw_finish(struct tw__raw *raw)
{
	for (int i = 0; i < raw->n_hosts; i++) {
		free(raw->hosts[i].arch);
		free(raw->hosts[i].model);
		free(raw->hosts[i].main_memory);
		free(raw->hosts[i].node);
	}
	for (int i = 0; i < raw->n_links; i++)
		for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
			free(raw->links[i].origins[n]);
	for (int i = 0; i < raw->n_routes; i++)
		free(raw->routes[i].links);
	free(raw->hosts);
	free(raw->links);
	free(raw->routes);
	for (int n = 0; n < TW__N_LINK_NUMBERS; n++)
		free(raw->origins[n]);
	free(raw->summary);
	free(raw->runtime);
	free(raw->node);
	free_cluster(raw->cluster);
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

int tw__raw_find(struct tw__raw_name *const *names, const char *id)
{
	struct tw__raw_name *found;
	HASH_FIND_STR(*names, id, found);
	return found ? found->place : TW_NONE;
}

const char *tw__raw_add_name(struct tw__raw_name **names, const char *id, int place)
{
	size_t bytes = strlen(id) + 1;
	struct tw__raw_name *name = tw_resize(NULL, sizeof *name + bytes, 1);
	memcpy(name->id, id, bytes);
	name->place = place;
	HASH_ADD_STR(*names, id, name);
	return name->id;
}

bool tw__raw_is_cluster(const struct tw__raw *raw)
{
	bool is_cluster = raw->cluster || raw->node;
	for (int h = 0; h < raw->n_hosts; h++)
		is_cluster |= raw->hosts[h].node != NULL;
	return is_cluster;
}

struct tw__link *tw__raw_make_links(const struct tw__raw *raw)
{
	struct tw__link *links = tw_alloc((size_t)raw->n_links, sizeof *links);
	for (int i = 0; i < raw->n_links; i++) {
		const struct tw__raw_link *link = &raw->links[i];
		struct tw__link *to = &links[i];
		*to = (struct tw__link){
			.name = (char *)link->id,
			.bandwidth = link->bandwidth,
			.shared_bandwidth = link->shared_bandwidth < 0 ? link->bandwidth : link->shared_bandwidth,
			.latency = link->latency,
			.sharing = link->sharing,
		};
		for (int number = 0; number < TW__N_LINK_NUMBERS; number++)
			if (link->origins[number] || tw__link_has(to, number))
				to->origins[number] =
					link->origins[number] ? link->origins[number] : raw->origins[number];
		tw__link_own_texts(to);
	}
	return links;
}

int tw__raw_route_link(const struct tw__raw *raw, const struct tw__raw_route *route, bool back, int place)
{
	const int link = route->links[back ? route->n_links - 1 - place : place];
	const int other_way = raw->links[link].other_way;
	return back && other_way != TW_NONE ? other_way : link;
}
