#include "trace/history.h"

#include <string.h>
#include <sys/mman.h>

struct tw__history *tw__history_create(tw_task n_tasks, int n_nodes)
{
	size_t n_ways = (size_t)n_nodes * (size_t)n_nodes;
	size_t bytes = sizeof(struct tw__history) + n_ways * sizeof(struct tw__past_way) +
	               (size_t)n_tasks * sizeof(struct tw__past_task);
	struct tw__history *h = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (h == MAP_FAILED)
		return NULL;
	h->bytes = bytes;
	h->n_tasks = n_tasks;
	h->n_nodes = n_nodes;
	h->ways = (struct tw__past_way *)(h + 1);
	h->tasks = (struct tw__past_task *)(h->ways + n_ways);
	return h;
}

void tw__history_destroy(struct tw__history *h)
{
	if (h)
		munmap(h, h->bytes);
}

/* A transfer's end follows its start in the record; ends of one way come in the order of starts only as a rule, but sums do not mind. */
static void take_event(struct tw__history *h, const struct tw__event *e)
{
	bool has_task = e->task >= 0 && e->task < h->n_tasks;
	struct tw__past_way *way = e->kind == TW__TRANSFER_START || e->kind == TW__TRANSFER_END
	                                   ? &h->ways[e->from * h->n_nodes + e->node]
	                                   : NULL;
	switch (e->kind) {
	case TW__START:
		if (has_task)
			h->tasks[e->task] = (struct tw__past_task){.start = e->date, .worker = e->worker};
		break;
	case TW__END:
		if (has_task)
			h->tasks[e->task].seconds = e->date - h->tasks[e->task].start;
		break;
	case TW__TRANSFER_START:
		way->seconds -= e->date;
		break;
	case TW__TRANSFER_END:
		way->seconds += e->date;
		way->bytes += (double)e->bytes;
		way->n++;
		break;
	default:
		break;
	}
}

void tw__history_take(struct tw__history *h, const struct tw__record *record)
{
	memset(h->ways, 0, h->bytes - sizeof *h);
	for (size_t i = 0; i < record->n; i++)
		take_event(h, &record->events[i]);
}
