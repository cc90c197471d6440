/* The kernels of a graph: finding and adding them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/door.h"
#include "base/one_line.h"
#include "graph/build.h"

/* Makes uthash report lack of memory; by default it ends the process. */
#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(entry) ((entry)->first = TW_NONE)
#include <uthash.h>

/* All kernels of one name, size and precision: a list linked by next_alike, in the order in which they were added. */
struct tw__kernel_entry {
	UT_hash_handle hh;
	tw_kernel first, last;
	char key[]; /* name, size and precision, each followed by '\0' */
};

void tw__kernel_entries_destroy(struct tw__kernel_entry *entries)
{
	struct tw__kernel_entry *entry, *next;
	HASH_ITER(hh, entries, entry, next)
	{
		HASH_DEL(entries, entry);
		free(entry);
	}
}

/* Returns the table's entry for kernels of this name, size and precision. Adds an entry without kernels if there is
 * none. NULL: out of memory. */
static struct tw__kernel_entry *find_entry(struct tw__kernel_entry **entries, const char *name, const char *size,
                                           const char *precision)
{
	size_t n = strlen(name) + 1, s = strlen(size) + 1, p = strlen(precision) + 1;
	struct tw__kernel_entry *entry = malloc(sizeof *entry + n + s + p), *known;
	if (!entry)
		return NULL;
	memcpy(entry->key, name, n);
	memcpy(entry->key + n, size, s);
	memcpy(entry->key + n + s, precision, p);
	HASH_FIND(hh, *entries, entry->key, n + s + p, known);
	if (known) {
		free(entry);
		return known;
	}
	entry->first = entry->last = INT32_MAX;
	HASH_ADD(hh, *entries, key, n + s + p, entry);
	if (entry->first == TW_NONE) {
		free(entry);
		return NULL;
	}
	entry->first = entry->last = TW_NONE;
	return entry;
}

static void append_to_entry(struct tw_graph *g, struct tw__kernel_entry *entry, tw_kernel k)
{
	*(entry->last == TW_NONE ? &entry->first : &g->kernels[entry->last].next_alike) = k;
	entry->last = k;
}

static bool is_recorded_on(const struct tw__kernel *kernel, const char *archs)
{
	return kernel->recorded_on && strcmp(kernel->recorded_on, archs) == 0;
}

/* Returns the kernel, and adds it if it is missing. `archs`: the archs on which it was recorded; NULL: any kernel of
 * this name, size and precision will do. */
static tw_kernel find_or_add(struct tw_graph *g, const char *name, const char *size, const char *precision,
                             double flops, const char *archs)
{
	if (tw__build_refuses(g))
		return TW_NONE;
	if (!name || !size || !precision)
		return TW__REFUSE(g, "kernel %d: NULL, expected texts as name, size and precision", g->n_kernels);
	if (!tw__is_text(name) || !tw__is_text(size) || !tw__is_text(precision))
		return TW__REFUSE(g,
		                  "kernel '%.60s', size '%.60s', precision '%.20s': expected text, without control "
		                  "characters",
		                  name, size, precision);
	if (!(flops >= 0) || isinf(flops))
		return TW__REFUSE(g, "kernel '%.60s' of %g flops: expected 0 or more; 0: unknown", name, flops);
	struct tw__kernel_entry *entry = find_entry(&g->build->kernels, name, size, precision);
	if (!entry)
		return tw__build_fail_memory(g);
	tw_kernel k = entry->first;
	while (k != TW_NONE && archs && !is_recorded_on(&g->kernels[k], archs))
		k = g->kernels[k].next_alike;
	if (k != TW_NONE)
		return k;
	if (g->n_kernels > UINT16_MAX)
		return TW__REFUSE(g, "kernel '%s': expected at most %d kernels", name, UINT16_MAX + 1);
	if (!TW__HAS_ROOM(g->kernels, g->build->kernels_capacity, (size_t)g->n_kernels + 1))
		return tw__build_fail_memory(g);
	k = g->n_kernels++;
	g->kernels[k] = (struct tw__kernel){.name = strdup(name),
	                                    .size = strdup(size),
	                                    .precision = strdup(precision),
	                                    .flops = flops,
	                                    .next_alike = TW_NONE};
	if (!g->kernels[k].name || !g->kernels[k].size || !g->kernels[k].precision)
		return tw__build_fail_memory(g);
	append_to_entry(g, entry, k);
	return k;
}

tw_kernel tw_graph_kernel(struct tw_graph *g, const char *name, const char *size, const char *precision, double flops)
{
	return find_or_add(g, name, size, precision, flops, NULL);
}

tw_kernel tw_graph_recorded_kernel(struct tw_graph *g, const char *name, const char *size, const char *precision,
                                   double flops, const char *archs)
{
	tw_kernel k = find_or_add(g, name, size, precision, flops, archs);
	if (archs && k != TW_NONE && !g->kernels[k].recorded_on)
		tw_graph_recorded_on(g, k, archs);
	return k;
}

static void set_archs(struct tw_graph *g, tw_kernel kernel, bool recorded, const char *archs)
{
	if (tw__build_refuses(g))
		return;
	if (kernel < 0 || kernel >= g->n_kernels) {
		TW__REFUSE(g, "archs of kernel %d: expected a known kernel", (int)kernel);
		return;
	}
	if (archs && !tw__is_text(archs)) {
		TW__REFUSE(g, "archs '%.60s': expected text, without control characters", archs);
		return;
	}
	char **to = recorded ? &g->kernels[kernel].recorded_on : &g->kernels[kernel].archs;
	free(*to);
	*to = archs ? strdup(archs) : NULL;
	if (archs && !*to)
		tw__build_fail_memory(g);
}

void tw_graph_restrict(struct tw_graph *g, tw_kernel kernel, const char *archs) { set_archs(g, kernel, false, archs); }
void tw_graph_recorded_on(struct tw_graph *g, tw_kernel kernel, const char *archs)
{
	set_archs(g, kernel, true, archs);
}

/* --- graphs made of others ---------------------------------------------------------------------------------------- */

static char *copy_or_null(const char *text) { return text ? tw_copy_text(text) : NULL; }

static tw_kernel add_copy(struct tw_graph *g, const struct tw__kernel *k)
{
	g->kernels = tw_resize(g->kernels, (size_t)g->n_kernels + 1, sizeof *g->kernels);
	g->kernels[g->n_kernels] = (struct tw__kernel){
		.name = tw_copy_text(k->name),
		.size = tw_copy_text(k->size),
		.precision = tw_copy_text(k->precision),
		.flops = k->flops,
		.archs = copy_or_null(k->archs),
		.recorded_on = copy_or_null(k->recorded_on),
		.is_message = k->is_message,
		.next_alike = TW_NONE,
	};
	return g->n_kernels++;
}

static bool are_texts_equal(const char *a, const char *b) { return a && b ? strcmp(a, b) == 0 : a == b; }

tw_kernel tw__find_equal_kernel(struct tw_graph *g, struct tw__kernel_entry **known, const struct tw__kernel *k)
{
	struct tw__kernel_entry *entry = find_entry(known, k->name, k->size, k->precision);
	if (!entry)
		tw__no_memory(1, sizeof *entry);
	for (tw_kernel i = entry->first; i != TW_NONE; i = g->kernels[i].next_alike) {
		const struct tw__kernel *alike = &g->kernels[i];
		if (!(alike->flops < k->flops || alike->flops > k->flops) && are_texts_equal(alike->archs, k->archs) &&
		    are_texts_equal(alike->recorded_on, k->recorded_on))
			return i;
	}
	append_to_entry(g, entry, add_copy(g, k));
	return entry->last;
}
