#include "plot/schedule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tilewright/containers.h>

#include "platform/platform.h"
#include "plot/link_use.h"
#include "trace/gzip.h"

void tw__schedule_init(struct tw__schedule *s) { *s = (struct tw__schedule){0}; }

void tw__names_finish(struct tw__names *names)
{
	for (int i = 0; i < names->n; i++)
		free(names->list[i]);
	free(names->list);
}

void tw__schedule_finish(struct tw__schedule *s)
{
	tw__names_finish(&s->workers);
	tw__names_finish(&s->kernels);
	tw__names_finish(&s->memories);
	tw__names_finish(&s->links);
	tw__names_finish(&s->archs);
	free(s->capacity_bytes.list);
	free(s->bandwidth.list);
	free(s->workload);
	free(s->policy);
	free(s->boxes);
	free(s->used.list);
	free(s->flows.list);
	free(s->capacities.list);
	free(s->use.list);
	free(s->tasks.list);
	tw__schedule_init(s);
}

int tw__names_append(struct tw__names *names, const char *name)
{
	if (names->n == names->capacity) {
		int capacity = names->capacity ? names->capacity * 2 : 16;
		char **list = capacity > 0 ? realloc(names->list, (size_t)capacity * sizeof *list) : NULL;
		if (!list)
			return -1;
		names->list = list;
		names->capacity = capacity;
	}
	names->list[names->n] = strdup(name);
	return names->list[names->n] ? names->n++ : -1;
}

int tw__names_find(struct tw__names *names, const char *name)
{
	for (int i = 0; i < names->n; i++)
		if (!strcmp(names->list[i], name))
			return i;
	return tw__names_append(names, name);
}

bool tw__schedule_add_box(struct tw__schedule *s, int worker, int kernel, int task, tw__ns start, tw__ns end)
{
	if (!TW_HAS_ROOM(s->boxes, s->boxes_capacity, s->n_boxes + 1))
		return false;
	s->boxes[s->n_boxes++] = (struct tw__box){worker, kernel, start, end, 1, task};
	if (end > s->end)
		s->end = end;
	return true;
}

bool tw__schedule_add_sample(struct tw__schedule *s, struct tw__samples *to, int counter, tw__ns date, double value)
{
	if (!TW_HAS_ROOM(to->list, to->capacity, to->n + 1))
		return false;
	to->list[to->n++] = (struct tw__sample){counter, date, value};
	if (date > s->end)
		s->end = date;
	return true;
}

bool tw__numbers_append(struct tw__numbers *numbers, double value)
{
	if (!TW_HAS_ROOM(numbers->list, numbers->capacity, numbers->n + 1))
		return false;
	numbers->list[numbers->n++] = value;
	return true;
}

double tw__numbers_at(const struct tw__numbers *numbers, int i)
{
	return (size_t)i < numbers->n ? numbers->list[i] : 0;
}

void tw__schedule_kind(const struct tw__schedule *s, int worker, char kind[TW__KIND_BYTES])
{
	bool known = worker < s->archs.n && s->archs.list[worker][0];
	snprintf(kind, TW__KIND_BYTES, "%s", known ? s->archs.list[worker] : s->workers.list[worker]);
	if (known)
		kind[tw__arch_kind_length(kind)] = '\0';
	for (size_t n = strlen(kind); !known && n > 1 && strchr("0123456789_-.", kind[n - 1]); n--)
		kind[n - 1] = '\0';
}

const char *tw__schedule_name(const char *path)
{
	const char *name = path;
	for (const char *c = path; *c; c++)
		if (*c == '/' && c[1])
			name = c + 1;
	return name;
}

bool tw__schedule_ends_with(const char *path, const char *ending)
{
	size_t n = strlen(path), m = strlen(ending);
	if (n > 3 && !strcmp(path + n - 3, ".gz"))
		n -= 3;
	return n > m && !strncmp(path + n - m, ending, m);
}

static int read_file(struct tw__schedule *s, const char *path, struct tw_error *err)
{
	bool paje = tw__schedule_ends_with(path, ".paje") || tw__schedule_ends_with(path, ".trace");
	bool chrome = tw__schedule_ends_with(path, ".json");
	if (!paje && !chrome && access(path, F_OK) == 0)
		return tw_fail(err, TW_INVALID,
		               "%s: unknown kind of trace; expected a folder, or a name that ends in .paje, .trace, "
		               ".json or .record",
		               path);
	FILE *f = tw__gzip_read(path);
	if (!f)
		return tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path, strerror(errno));
	int status = paje ? tw__schedule_read_paje(s, f, path, err) : tw__schedule_read_chrome(s, f, path, err);
	if (status == TW_OK && ferror(f))
		status = tw_fail(err, TW_INVALID, "%s: cannot be read: %s", path,
		                 errno == EBADMSG ? "the compressed file is damaged or cut off" : strerror(errno));
	fclose(f);
	return status;
}

int tw__schedule_read(struct tw__schedule *s, const char *path, struct tw_error *err)
{
	int status = tw__schedule_is_past(path) ? tw__schedule_read_past(s, path, err) : read_file(s, path, err);
	if (status == TW_OK && s->workers.n == 0)
		status = tw_fail(err, TW_INVALID, "%s: no workers: expected a trace that tilewright wrote", path);
	if (status == TW_OK && !tw__link_use(s))
		status = tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	return status;
}
