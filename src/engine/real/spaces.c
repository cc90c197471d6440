/* Addresses of handles. In unbounded main memories handles are consecutive, at the same offsets in each. In other
 * memories, they are where the runtime has placed them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph/reduction.h"
#include "engine/real/real.h"
#include "platform/bind.h"

enum { ALIGNMENT = 64 };

uint64_t tw__spaces_rounded(uint64_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

/* Returns the bytes that this machine can still allocate, as Linux estimates; UINT64_MAX: unknown. */
static uint64_t available_bytes(void)
{
	unsigned long long kib = 0;
	char line[128];
	FILE *f = fopen("/proc/meminfo", "re");
	while (f && !kib && fgets(line, sizeof line, f))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) != 1)
			kib = 0;
	if (f)
		fclose(f);
	return kib ? kib * 1024 : UINT64_MAX;
}

/* Maps a memory. Pages that were never written count as available, so this checks that all memories fit together. */
int tw__spaces_map(struct tw__spaces *s, tw_node n, uint64_t bytes, struct tw_error *err)
{
	const char *name = s->platform->nodes[n].name;
	uint64_t length = tw__spaces_rounded(bytes ? bytes : 1), available = available_bytes(), others = s->later_bytes;
	for (tw_node m = 0; m < s->n_nodes; m++)
		others += s->bytes[m];
	bool is_used = s->use != TW__UNUSED;
	if (length < bytes || (is_used && (length > available || others > available - length))) {
		bool fits = length >= bytes && length <= available && others - s->later_bytes <= available - length;
		return tw_fail(err, TW_FAILED,
		               "engine 'real': memory '%s' needs %.4g GB, with %.4g GB for others%s: this machine has "
		               "%.4g GB left",
		               name, (double)bytes * 1e-9, (double)others * 1e-9,
		               fits ? " (--check residual needs less)" : "", (double)available * 1e-9);
	}
	void *at = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return tw_fail(err, TW_NOMEM, "engine 'real': %.4g GB for memory '%s': %s", (double)bytes * 1e-9, name,
		               strerror(errno));
	s->base[n] = at;
	s->bytes[n] = length;
	char why[160];
	if (s->binds && tw__bind_memory(at, length, tw__main_number(s->platform, n), why, sizeof why) < 0)
		return tw_fail(err, TW_FAILED, "engine 'real': memory '%s' is not bound: %s", name, why);
	madvise(at, length, MADV_HUGEPAGE); /* only a hint: if it fails, the pages stay small */
	return TW_OK;
}

/* Returns the greatest number of workers at a main memory. */
static uint64_t most_workers(const struct tw__platform *p)
{
	uint64_t most = 0;
	for (tw_node n = 0; n < tw__n_mains(p); n++) {
		uint64_t workers = 0;
		for (tw_worker w = 0; w < p->n_workers; w++)
			workers += p->workers[w].node == n;
		most = workers > most ? workers : most;
	}
	return most;
}

/* Returns the bytes of a handle's place, where scratch has one part for each worker. UINT64_MAX: overflow. */
static uint64_t place_bytes(const struct tw__engine_setup *setup, tw_data d, uint64_t workers)
{
	uint64_t bytes = setup->graph->data_bytes[d];
	if (tw__data_use(setup->graph, d) == TW__USE_SCRATCH && __builtin_mul_overflow(bytes, workers, &bytes))
		return UINT64_MAX;
	return bytes;
}

/* Returns what the check of the results needs: as much as all handles of the run. With several processes, process 0 has
 * them all once more, as it gathers them. */
static uint64_t bytes_of_results(const struct tw__engine *e, uint64_t own_bytes)
{
	uint64_t bytes = 0;
	if (!e->processes)
		return own_bytes;
	for (tw_data d = 0; e->processes->number == 0 && d < e->processes->program->n_data; d++)
		bytes += tw__spaces_rounded(e->processes->program->data_bytes[d]);
	return 2 * bytes;
}

int tw__spaces_open(struct tw__engine *e, const struct tw__engine_setup *setup, enum tw__spaces_use use,
                    struct tw_error *err)
{
	struct tw__spaces *s = &e->spaces;
	const struct tw_graph *g = setup->graph;
	size_t n_data = (size_t)g->n_data;
	const uint64_t workers = most_workers(setup->platform);
	*s = (struct tw__spaces){.graph = g,
	                         .platform = setup->platform,
	                         .n_nodes = setup->platform->n_nodes,
	                         .homes = setup->homes,
	                         .binds = e->binds};
	s->place = tw__arena_alloc(&e->memory, n_data + 1, sizeof *s->place);
	s->offset = tw__arena_alloc(&e->memory, n_data * (size_t)s->n_nodes, sizeof *s->offset);
	for (size_t d = 0; d < n_data; d++) {
		uint64_t bytes = place_bytes(setup, (tw_data)d, workers);
		if (bytes > UINT64_MAX / 4 || s->place[d] > UINT64_MAX / 4)
			return tw_fail(err, TW_INVALID,
			               "engine 'real': the data of the graph have more than 2^62 bytes");
		s->place[d + 1] = s->place[d] + tw__spaces_rounded(bytes);
	}
	s->use = use;
	s->later_bytes = use == TW__USED_TWICE ? bytes_of_results(e, s->place[n_data]) : 0;
	int status = TW_OK;
	for (tw_node n = 0; n < tw__n_mains(s->platform) && status == TW_OK; n++) {
		s->has_all[n] = setup->capacity[n] == UINT64_MAX;
		status = tw__spaces_map(s, n, s->has_all[n] ? s->place[n_data] : setup->capacity[n], err);
	}
	return status;
}

static void touch(char *at, uint64_t bytes)
{
#ifdef MADV_POPULATE_WRITE
	if (madvise(at, bytes, MADV_POPULATE_WRITE) == 0)
		return;
#endif
	long page = sysconf(_SC_PAGESIZE);
	for (uint64_t i = 0; i < bytes; i += (uint64_t)page) {
		volatile char *first = at + i;
		*first = *first;
	}
}

/* Writes to all pages before the run. Otherwise the first kernel that writes to a huge page would wait some
 * milliseconds. Of an arena that is larger than all handles together, only as many bytes are touched as these handles
 * have. */
static void touch_all(const struct tw__spaces *s)
{
	for (tw_node n = 0; n < s->n_nodes; n++)
		if (s->bytes[n])
			touch(s->base[n], s->bytes[n] < s->bytes[TW_RAM] ? s->bytes[n] : s->bytes[TW_RAM]);
}

void tw__spaces_close(struct tw__spaces *s)
{
	for (tw_node n = 0; n < s->n_nodes; n++)
		if (s->bytes[n])
			munmap(s->base[n], s->bytes[n]);
}

void *tw__spaces_at(const struct tw__spaces *s, tw_node n, tw_data d)
{
	return s->base[n] + (s->has_all[n] ? s->place[d] : *tw__spaces_offset(s, n, d));
}

void *tw__spaces_home(const struct tw__spaces *s, tw_data d) { return tw__spaces_at(s, tw__home_of(s->homes, d), d); }

/* --- initial content ---------------------------------------------------------------------------------------------- */

void tw__real_fill_data(const struct tw__engine *e, tw_data d, void *at)
{
	const tw_data *origins = e->processes ? e->processes->data_origin : e->config.origin;
	const tw_data origin = origins ? origins[d] : d;
	if (origin == TW_NONE)
		memset(at, 0, e->graph->data_bytes[d]);
	else
		e->family->kernels->fill(e->family->shape, e->seed, origin, at, e->graph->data_bytes[d]);
}

int tw__real_fill(struct tw__engine *e, struct tw_error *err)
{
	(void)err;
	struct tw__spaces *s = &e->spaces;
	if (e->poisons) {
		tw__watched_step(e, TW__FAMILY_PATIENCE * tw__watch_patience(e), "filling main memory with NaN");
		for (tw_node n = 0; n < tw__n_mains(e->platform); n++)
			memset(s->base[n], 0xff, s->bytes[n]);
	}
	if (e->mode == TW__LIVE) {
		tw__watched_step(e, TW__FAMILY_PATIENCE * tw__watch_patience(e), "taking memory");
		touch_all(s);
	}
	for (tw_data d = e->config.filled_from; d < tw__graph_own_data(e->graph); d++) {
		if (tw__data_use(e->graph, d) == TW__USE_SCRATCH)
			continue;
		tw__watched_step(e, TW__FAMILY_PATIENCE * tw__watch_patience(e), "the initial content of data %d",
		                 (int)d);
		tw__real_fill_data(e, d, tw__spaces_home(s, d));
		for (tw_node n = 0; n < s->homes.n && tw__touch_decides(s->homes, d); n++)
			if (n != s->homes.first) /* until its first touch, a handle is valid in all of them */
				memcpy(tw__spaces_at(s, n, d), tw__spaces_home(s, d), e->graph->data_bytes[d]);
	}
	return TW_OK;
}
