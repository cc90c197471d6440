/* The differences of two runs as text. */
#include "cli/diff_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/spec.h"
#include "cli/diff_cells.h"
#include "base/spec.h"
#include "trace/event_fields.h"

/* --- what is compared --------------------------------------------------------------------------------------------- */

/* The bytes of an argument such as "52428800" or "GPU0=52428800", and where they begin; false: it has none. */
static bool size_of(const char *value, uint64_t *bytes, const char **digits)
{
	struct tw_error ignored;
	const char *equals = value ? strrchr(value, '=') : NULL;
	*digits = equals ? equals + 1 : value;
	return value && tw__parse_bytes(bytes, *digits, &ignored) == TW_OK;
}

static void add_value(struct grid *g, bool is_size, const char *value, const char *other)
{
	uint64_t bytes, other_bytes;
	const char *digits, *other_digits;
	char text[32];
	if (!is_size || !size_of(value, &bytes, &digits)) {
		grid_add(g, "%s", value ? value : "not given");
		return;
	}
	if (!size_of(other, &other_bytes, &other_digits))
		other_bytes = bytes;
	tw__size_beside(text, sizeof text, bytes, other_bytes);
	grid_add(g, "%.*s%s", (int)(digits - value), value, text);
}

static void add_argument(void *grid, const char *name, const char *a, const char *b)
{
	bool is_size = strcmp(name, "gpu-mem") == 0 || strcmp(name, "mem") == 0;
	grid_add(grid, "--%s", name);
	add_value(grid, is_size, a, b);
	add_value(grid, is_size, b, a);
}

void diff_arguments(const struct tw__past runs[2], void (*tell)(void *, const char *name, const char *a, const char *b),
                    void *context)
{
	const struct tw__run_section *a = &runs[0].section, *b = &runs[1].section;
	for (int i = 0; i < a->n_arguments; i++) {
		const char *other = tw__run_section_argument(b, a->arguments[i].name);
		if (!other || strcmp(other, a->arguments[i].value) != 0)
			tell(context, a->arguments[i].name, a->arguments[i].value, other);
	}
	for (int i = 0; i < b->n_arguments; i++)
		if (!tw__run_section_argument(a, b->arguments[i].name))
			tell(context, b->arguments[i].name, NULL, b->arguments[i].value);
}

static int put_head(FILE *f, const struct tw__diff *d, const struct tw__past runs[2], struct tw_error *err)
{
	struct grid g = {.columns = 3};
	char text[TW__DURATION_TEXT];
	diff_arguments(runs, add_argument, &g);
	for (int run = 0; run < 2; run++) {
		const struct tw__request *r = &runs[run].request;
		tw__duration_text(text, tw__seconds(d->of[run].makespan));
		fprintf(f, "%c: %s: %s, policy %s, platform %s: makespan %s\n", "AB"[run], runs[run].section.path,
		        r->workload, r->policy, r->platform, text);
	}
	putc('\n', f);
	tw__diff_sentences(f, d);
	fputs(g.n > 0 ? "\nArguments that differ: of A, of B\n" : "\nAll arguments are equal.\n", f);
	return grid_print(&g, f, "  ", err);
}

/* --- time --------------------------------------------------------------------------------------------------------- */

static int put_makespans(FILE *f, const struct tw__diff *d, struct tw_error *err)
{
	struct grid g = {.columns = 4, .right = "lrrr"};
	enum tw__why order[TW__N_WHY];
	int n = tw__diff_order(d, order);
	const tw__ns *a = d->of[0].chain, *b = d->of[1].chain;
	fputs("\nCauses of the difference of the makespans\n", f);
	diff_titles(&g, (const char *const[]){"cause", "A", "B", "B - A"});
	for (int i = 0; i < n; i++) {
		grid_add(&g, "%s", tw__why_names[order[i]]);
		diff_seconds(&g, tw__seconds(a[order[i]]), tw__seconds(b[order[i]]));
	}
	grid_add(&g, "all");
	diff_seconds(&g, tw__seconds(d->of[0].makespan), tw__seconds(d->of[1].makespan));
	return grid_print(&g, f, "  ", err);
}

static int workers_of(const struct tw__diff *d, int run, int kind)
{
	int number = d->kinds.in[run][kind];
	return number == TW_NONE ? 0 : d->of[run].kinds[number].n_workers;
}

static int put_workers(FILE *f, const struct tw__diff *d, struct tw_error *err)
{
	struct grid g = {.columns = 5, .right = "llrrr"};
	fputs("\nWhere the time of a worker went, on average\n", f);
	diff_titles(&g, (const char *const[]){"kind", "cause", "A", "B", "B - A"});
	for (int kind = 0; kind < d->kinds.n; kind++) {
		enum tw__why order[TW__N_WHY];
		int n = tw__diff_kind_order(d, kind, order), of_a = workers_of(d, 0, kind),
		    of_b = workers_of(d, 1, kind);
		for (int i = 0; i < n; i++) {
			if (i > 0)
				grid_add(&g, "%s", "");
			else if (of_a == of_b)
				grid_add(&g, "%s (%d)", d->kinds.list[kind], of_a);
			else
				grid_add(&g, "%s (A %d, B %d)", d->kinds.list[kind], of_a, of_b);
			grid_add(&g, "%s", tw__why_names[order[i]]);
			diff_seconds(&g, tw__diff_kind_seconds(d, 0, kind, order[i]),
			             tw__diff_kind_seconds(d, 1, kind, order[i]));
		}
	}
	return grid_print(&g, f, "  ", err);
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static double difference(const struct tw__diff_bytes *b) { return fabs((double)b->bytes[1] - (double)b->bytes[0]); }

/* Sorts pointers to rows: the greatest difference first, then the order of the rows. */
static int by_difference(const void *x, const void *y)
{
	const struct tw__diff_bytes *a = *(const struct tw__diff_bytes *const *)x;
	const struct tw__diff_bytes *b = *(const struct tw__diff_bytes *const *)y;
	if (difference(a) != difference(b))
		return difference(a) < difference(b) ? 1 : -1;
	return (a > b) - (a < b);
}

static void add_bytes(struct grid *g, const char *from, const char *to, const char *cause, const uint64_t bytes[2],
                      const int64_t transfers[2])
{
	grid_add(g, "%s", from);
	grid_add(g, "%s%s", *to ? "-> " : "", to);
	grid_add(g, "%s", cause);
	diff_megabytes(g, bytes);
	grid_add(g, "%lld", (long long)transfers[0]);
	grid_add(g, "%lld", (long long)transfers[1]);
}

static void add_all(struct grid *g, const struct tw__diff *d)
{
	for (int cause = 0; cause < TW__N_CAUSES; cause++) {
		uint64_t bytes[2] = {0};
		int64_t transfers[2] = {0};
		for (size_t i = 0; i < d->n_bytes; i++)
			for (int run = 0; run < 2 && (int)d->bytes[i].cause == cause; run++) {
				bytes[run] += d->bytes[i].bytes[run];
				transfers[run] += d->bytes[i].transfers[run];
			}
		if (transfers[0] || transfers[1])
			add_bytes(g, "all", "", tw__cause_names[cause], bytes, transfers);
	}
}

static int put_bytes(FILE *f, const struct tw__diff *d, struct tw_error *err)
{
	struct grid g = {.columns = 8, .right = "lllrrrrr"};
	if (d->n_bytes == 0) {
		fputs("\nNo transfers.\n", f);
		return TW_OK;
	}
	const struct tw__diff_bytes **rows = malloc((d->n_bytes + 1) * sizeof *rows);
	if (!rows)
		return tw_fail(err, TW_NOMEM, "diff: out of memory");
	for (size_t i = 0; i < d->n_bytes; i++)
		rows[i] = &d->bytes[i];
	qsort(rows, d->n_bytes, sizeof *rows, by_difference);
	fputs("\nTransfers by cause\n", f);
	diff_titles(&g, (const char *const[]){"from", "to", "cause", "A MB", "B MB", "B - A", "A times", "B times"});
	add_all(&g, d);
	for (size_t i = 0; i < d->n_bytes && i < DIFF_MOST_ROWS; i++)
		add_bytes(&g, d->memories.list[rows[i]->from], d->memories.list[rows[i]->to],
		          tw__cause_names[rows[i]->cause], rows[i]->bytes, rows[i]->transfers);
	free(rows);
	int status = grid_print(&g, f, "  ", err);
	if (d->n_bytes > DIFF_MOST_ROWS)
		fprintf(f, "  and %zu more: --format json has all\n", d->n_bytes - DIFF_MOST_ROWS);
	return status;
}

/* The use of a memory by one run; zeros: the run has no such memory. */
static struct tw__memory_use use_of(const struct tw__diff *d, int run, int memory)
{
	int number = d->memories.in[run][memory];
	return number == TW_NONE ? (struct tw__memory_use){0} : d->of[run].memories[number];
}

static int put_loads_again(FILE *f, const struct tw__diff *d, struct tw_error *err)
{
	struct grid g = {.columns = 6, .right = "lrrrrr"};
	for (int n = 0; n < d->memories.n; n++) {
		const struct tw__memory_use a = use_of(d, 0, n), b = use_of(d, 1, n);
		if (!a.reloads && !b.reloads)
			continue;
		if (g.n == 0)
			diff_titles(&g, (const char *const[]){"memory", "A MB", "B MB", "B - A", "A times", "B times"});
		grid_add(&g, "%s", d->memories.list[n]);
		diff_megabytes(&g, (const uint64_t[]){a.reloaded_bytes, b.reloaded_bytes});
		grid_add(&g, "%lld", (long long)a.reloads);
		grid_add(&g, "%lld", (long long)b.reloads);
	}
	if (g.n > 0)
		fputs("\nLoaded again after evictions\n", f);
	return grid_print(&g, f, "  ", err);
}

int print_diff(FILE *f, const struct tw__diff *d, const struct tw__past runs[2], struct tw_error *err)
{
	int status = put_head(f, d, runs, err);
	if (d->same)
		return status;
	if (status == TW_OK)
		status = put_makespans(f, d, err);
	if (status == TW_OK)
		status = put_workers(f, d, err);
	if (status == TW_OK)
		status = print_diff_tasks(f, d, err);
	if (status == TW_OK)
		status = put_bytes(f, d, err);
	return status == TW_OK ? put_loads_again(f, d, err) : status;
}
