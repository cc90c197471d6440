/* The differences of two runs, as text and as JSON. Tables that both have are made once. */
#include "cli/diff_print.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/memory.h"
#include "base/spec.h"

struct cell_table diff_table(const struct diff_printed *p, const struct cell_column *columns)
{
	return (struct cell_table){.columns = columns, .is_json = p->is_json, .indent = "  "};
}

json_t *diff_end(const struct diff_printed *p, struct cell_table *t, const char *title, size_t n)
{
	if (p->is_json)
		return tw__cells_array(t);
	fputs(title, p->f);
	if (t->n)
		tw__cells_print(t, p->f);
	if (n > DIFF_MOST_ROWS)
		fprintf(p->f, "  and %zu more: --format json has all\n", n - DIFF_MOST_ROWS);
	return NULL;
}

/* --- what is compared --------------------------------------------------------------------------------------------- */

static json_t *run_json(const struct diff_printed *p, int run)
{
	const struct tw__request *r = &p->runs[run].request;
	return json_pack("{s:o, s:o, s:o, s:o, s:f}", "trace", tw__json_text(p->runs[run].section.path), "platform",
	                 tw__json_text(r->platform), "workload", tw__json_text(r->workload), "policy",
	                 tw__json_text(r->policy), "makespan_s", tw__seconds(p->d->of[run].makespan));
}

static void put_runs(const struct diff_printed *p)
{
	char text[TW__DURATION_TEXT];
	for (int run = 0; run < 2; run++) {
		const struct tw__request *r = &p->runs[run].request;
		fprintf(p->f, "%c: %s: %s, policy %s, platform %s: makespan %s\n", "AB"[run],
		        p -> runs[run].section.path, r->workload, r->policy, r->platform,
		        tw__duration_text(text, tw__seconds(p->d->of[run].makespan)));
	}
	putc('\n', p->f);
	tw__diff_sentences(p->f, p->d);
}

/* The sentences as one text. */
static json_t *summary_json(const struct tw__diff *d)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = tw__text_open(&text, &size);
	tw__diff_sentences(f, d);
	tw__text_close(f);
	for (size_t i = 0; i < size; i++)
		text[i] = text[i] == '\n' ? ' ' : text[i];
	json_t *summary = json_stringn(text, size - 1);
	free(text);
	return summary;
}

/* The bytes of an argument such as "52428800" or "GPU0=52428800", and where they begin; false: it has none. */
static bool size_of(const char *value, uint64_t *bytes, const char **digits)
{
	struct tw_error ignored;
	const char *equals = value ? strrchr(value, '=') : NULL;
	*digits = equals ? equals + 1 : value;
	return value && tw__parse_bytes(bytes, *digits, &ignored) == TW_OK;
}

/* The value of an argument, which was not given if it is NULL. Text shows sizes with their units. */
static struct cell value_cell(const struct diff_printed *p, const char *name, const char *value, const char *other)
{
	uint64_t bytes, other_bytes;
	const char *digits, *other_digits;
	char text[32];
	bool is_size = strcmp(name, "gpu-mem") == 0 || strcmp(name, "mem") == 0;
	if (!value)
		return p->is_json ? (struct cell){0} : cell_text("not given");
	if (p->is_json || !is_size || !size_of(value, &bytes, &digits))
		return cell_text(value);
	if (!size_of(other, &other_bytes, &other_digits))
		other_bytes = bytes;
	return cell_format("%.*s%s", (int)(digits - value), value,
	                   tw__size_beside(text, sizeof text, bytes, other_bytes));
}

static void add_argument(const struct diff_printed *p, struct cell_table *t, const char *name, const char *a,
                         const char *b)
{
	if (!a || !b || strcmp(a, b) != 0)
		tw__cells_add(t, p->is_json ? cell_text(name) : cell_format("--%s", name), value_cell(p, name, a, b),
		              value_cell(p, name, b, a));
}

/* The arguments whose values differ. Names of traces are left out. */
static json_t *arguments(const struct diff_printed *p)
{
	static const struct cell_column columns[] = {
		{.key = "name", .title = ""}, {.key = "a", .title = ""}, {.key = "b", .title = ""}, {0}};
	const struct tw__run_section *a = &p->runs[0].section, *b = &p->runs[1].section;
	struct cell_table t = diff_table(p, columns);
	for (int i = 0; i < a->n_arguments; i++) {
		const char *name = a->arguments[i].name;
		add_argument(p, &t, name, a->arguments[i].value, tw__run_section_argument(b, name));
	}
	for (int i = 0; i < b->n_arguments; i++)
		if (!tw__run_section_argument(a, b->arguments[i].name))
			add_argument(p, &t, b->arguments[i].name, NULL, b->arguments[i].value);
	return diff_end(p, &t, t.n ? "\nArguments that differ: of A, of B\n" : "\nAll arguments are equal.\n", 0);
}

/* --- time --------------------------------------------------------------------------------------------------------- */

static const struct cell_column cause_columns[] = {
	{.title = "kind"},
	{.key = "name", .title = "cause"},
	{.key = "a_s", .title = "A", .unit = UNIT_DURATION, .align = 'r'},
	{.key = "b_s", .title = "B", .unit = UNIT_DURATION, .align = 'r'},
	{.key = "difference_s", .title = "B - A", .unit = UNIT_DIFFERENCE, .align = 'r'},
	{0},
};

static json_t *makespan_causes(const struct diff_printed *p)
{
	const struct tw__explanation *a = &p->d->of[0], *b = &p->d->of[1];
	struct cell_table t = diff_table(p, cause_columns + 1);
	enum tw__why order[TW__N_WHY];
	int n = tw__diff_order(p->d, order);
	for (int i = 0; i < n; i++)
		tw__cells_add(&t, cell_text(tw__why_names[order[i]]),
		              DIFF_SECONDS(tw__seconds(a->chain[order[i]]), tw__seconds(b->chain[order[i]])));
	if (!p->is_json)
		tw__cells_add(&t, cell_text("all"), DIFF_SECONDS(tw__seconds(a->makespan), tw__seconds(b->makespan)));
	return diff_end(p, &t, "\nCauses of the difference of the makespans\n", 0);
}

static int workers_of(const struct tw__diff *d, int run, int kind)
{
	int number = d->kinds.in[run][kind];
	return number == TW_NONE ? 0 : d->of[run].kinds[number].n_workers;
}

/* Adds the causes of a kind. The first row of the text has its name, and the number of its workers. */
static void add_kind(const struct diff_printed *p, struct cell_table *t, int kind)
{
	const char *name = p->d->kinds.list[kind];
	enum tw__why order[TW__N_WHY];
	int n = tw__diff_kind_order(p->d, kind, order), of_a = workers_of(p->d, 0, kind),
	    of_b = workers_of(p->d, 1, kind);
	for (int i = 0; i < n; i++)
		tw__cells_add(t,
		              i > 0          ? cell_text("")
		              : of_a == of_b ? cell_format("%s (%d)", name, of_a)
		                             : cell_format("%s (A %d, B %d)", name, of_a, of_b),
		              cell_text(tw__why_names[order[i]]),
		              DIFF_SECONDS(tw__diff_kind_seconds(p->d, 0, kind, order[i]),
		                           tw__diff_kind_seconds(p->d, 1, kind, order[i])));
}

static json_t *workers(const struct diff_printed *p)
{
	struct cell_table t = diff_table(p, cause_columns);
	json_t *kinds = json_array();
	for (int kind = 0; kind < p->d->kinds.n; kind++) {
		add_kind(p, &t, kind);
		if (p->is_json)
			tw__json_append(&kinds, json_pack("{s:s, s:i, s:i, s:o}", "kind", p->d->kinds.list[kind],
			                                  "a_workers", workers_of(p->d, 0, kind), "b_workers",
			                                  workers_of(p->d, 1, kind), "causes", tw__cells_array(&t)));
	}
	if (p->is_json)
		return kinds;
	json_decref(kinds);
	return diff_end(p, &t, "\nWhere the time of a worker went, on average\n", 0);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

static void print_json(const struct diff_printed *p)
{
	const struct tw__diff *d = p->d;
	double difference_s = tw__seconds(d->of[1].makespan - d->of[0].makespan);
	json_t *all = json_pack("{s:o, s:o, s:o, s:b, s:o, s:f, s:o, s:o, s:{s:o, s:o}, s:o, s:o, s:o}", "a",
	                        run_json(p, 0), "b", run_json(p, 1), "arguments", arguments(p), "same", d->same,
	                        "summary", summary_json(d), "difference_s", difference_s, "causes", makespan_causes(p),
	                        "workers", workers(p), "part", "start", diff_task_json(d, d->first_start), "assignment",
	                        diff_task_json(d, d->first_assign), "tasks", diff_tasks_json(p), "transfers",
	                        diff_transfers(p), "memories", diff_memories_json(d));
	tw__json_write(p->f, all, TW__JSON_SHORT);
}

void print_diff(FILE *f, const struct tw__diff *d, const struct tw__past runs[2], bool is_json)
{
	const struct diff_printed p = {.d = d, .runs = runs, .is_json = is_json, .f = f};
	if (is_json) {
		print_json(&p);
		return;
	}
	put_runs(&p);
	arguments(&p);
	if (d->same)
		return;
	makespan_causes(&p);
	workers(&p);
	diff_put_tasks(&p);
	diff_transfers(&p);
	diff_put_loads_again(&p);
}
