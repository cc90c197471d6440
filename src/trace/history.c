#include "trace/history.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "trace/events.h"

/* The history has room for many copies, because pages that are never touched cost no memory. */
enum { LEAST_COPIES = 1 << 20, COPIES_PER_TASK = 64 };

struct tw__history *tw__history_create(tw_task n_tasks)
{
	size_t most_copies = LEAST_COPIES + (size_t)n_tasks * COPIES_PER_TASK;
	size_t room = sizeof(struct tw__history) + (size_t)n_tasks * sizeof(struct tw__past_task) +
	              most_copies * sizeof(struct tw__past_copy);
	struct tw__history *h =
		mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (h == MAP_FAILED)
		return NULL;
	h->room = room;
	h->n_tasks = n_tasks;
	h->tasks = (struct tw__past_task *)(h + 1);
	h->copies = (struct tw__past_copy *)(h->tasks + n_tasks);
	h->most_copies = most_copies;
	return h;
}

void tw__history_destroy(struct tw__history *h)
{
	if (h)
		munmap(h, h->room);
}

static int by_start(const void *a, const void *b)
{
	const struct tw__past_copy *x = a, *y = b;
	return x->start < y->start ? -1 : x->start > y->start;
}

/* Returns the copy with this id, from the end of the list: few copies run at a time, and they are among the last.
 * `ids`: [n_copies] ids of copies. NULL: there is none. */
static struct tw__past_copy *find_copy(struct tw__history *h, const uint64_t *ids, uint64_t id)
{
	size_t i = h->n_copies;
	while (i > 0 && ids[i - 1] != id)
		i--;
	return i > 0 ? &h->copies[i - 1] : NULL;
}

static bool take_event(struct tw__history *h, uint64_t *ids, const struct tw__event *e)
{
	bool has_task = e->task >= 0 && e->task < h->n_tasks;
	struct tw__past_copy *copy;
	switch (e->kind) {
	case TW__START:
		if (has_task)
			h->tasks[e->task] = (struct tw__past_task){.start = e->date, .worker = e->worker};
		return true;
	case TW__END:
		if (has_task) {
			h->tasks[e->task].end = e->date;
			h->tasks[e->task].call = (tw__ns)e->bytes;
		}
		return true;
	case TW__TRANSFER_START:
		if (h->n_copies == h->most_copies)
			return false;
		ids[h->n_copies] = e->offset;
		h->copies[h->n_copies++] = (struct tw__past_copy){
			.start = e->date, .bytes = e->bytes, .data = e->data, .from = e->from, .to = e->node};
		return true;
	case TW__TRANSFER_END:
		copy = find_copy(h, ids, e->offset);
		if (copy)
			copy->end = e->date;
		return true;
	default:
		return true;
	}
}

int tw__history_take(struct tw__history *h, const struct tw__record *record, struct tw_error *err)
{
	uint64_t *ids = tw_alloc(h->most_copies < record->n ? h->most_copies : record->n, sizeof *ids);
	bool good = true;
	struct tw__events all;
	const struct tw__event *e;
	memset(h->tasks, 0, (size_t)h->n_tasks * sizeof *h->tasks);
	h->n_copies = 0;
	tw__events_begin(&all, record);
	while (good && (e = tw__events_next(&all)))
		good = take_event(h, ids, e);
	qsort(h->copies, h->n_copies, sizeof *h->copies, by_start);
	free(ids);
	return good ? TW_OK : tw_fail(err, TW_FAILED, "history: more than %zu copies", h->most_copies);
}
