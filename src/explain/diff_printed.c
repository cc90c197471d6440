/* The differences of two runs, as text and as JSON. Tables that both have are made once. */
#include "explain/diff_printed.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_text.h"
#include "base/memory.h"
#include "base/spec.h"

/* --- what is compared --------------------------------------------------------------------------------------------- */

static json_t *run_json(const struct tw__diff_printed *p, int run)
{
	const struct tw__explained_name *name = &p->runs[run].name;
	return json_pack("{s:o*, s:o, s:o, s:o, s:f}", "trace", name->trace ? tw__json_text(name->trace) : NULL,
	                 "platform", tw__json_text(name->platform), "workload", tw__json_text(name->workload), "policy",
	                 tw__json_text(name->policy), "makespan_s", tw__seconds(p->d->of[run].makespan));
}

static void put_runs(const struct tw__diff_printed *p)
{
	char text[TW__DURATION_TEXT];
	for (int run = 0; run < 2; run++) {
		const struct tw__explained_name *name = &p->runs[run].name;
		fprintf(p->f, "%c: %s%s%s, policy %s, platform %s: makespan %s\n", "AB"[run],
		        name -> trace ? name -> trace : "", name->trace ? ": " : "", name->workload, name->policy,
		        name->platform, tw__duration_text(text, tw__seconds(p->d->of[run].makespan)));
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
static struct cell value_cell(const struct tw__diff_printed *p, const char *name, const char *value, const char *other)
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

static void add_argument(const struct tw__diff_printed *p, struct cell_table *t, const char *name, const char *a,
                         const char *b)
{
	if (!a || !b || strcmp(a, b) != 0)
		tw__cells_add(t, p->is_json ? cell_text(name) : cell_format("--%s", name), value_cell(p, name, a, b),
		              value_cell(p, name, b, a));
}

/* The arguments whose values differ. Names of traces are left out. */
static json_t *arguments(const struct tw__diff_printed *p)
{
	static const struct cell_column columns[] = {
		{.key = "name", .title = ""}, {.key = "a", .title = ""}, {.key = "b", .title = ""}, {0}};
	const struct tw__diff_about *a = &p->runs[0], *b = &p->runs[1];
	struct cell_table t = tw__diff_table(p, columns);
	for (int i = 0; i < a->n_arguments; i++) {
		const char *name = a->arguments[i].name;
		add_argument(p, &t, name, a->arguments[i].value, tw__run_argument(b->arguments, b->n_arguments, name));
	}
	for (int i = 0; i < b->n_arguments; i++)
		if (!tw__run_argument(a->arguments, a->n_arguments, b->arguments[i].name))
			add_argument(p, &t, b->arguments[i].name, NULL, b->arguments[i].value);
	return tw__diff_end(p, &t, t.n ? "\nArguments that differ: of A, of B\n" : "\nAll arguments are equal.\n", 0);
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

static json_t *makespan_causes(const struct tw__diff_printed *p)
{
	const struct tw__explanation *a = &p->d->of[0], *b = &p->d->of[1];
	struct cell_table t = tw__diff_table(p, cause_columns + 1);
	enum tw__why order[TW__N_WHY];
	int n = tw__diff_order(p->d, order);
	for (int i = 0; i < n; i++)
		tw__cells_add(&t, cell_text(tw__why_names[order[i]]),
		              DIFF_SECONDS(tw__seconds(a->chain[order[i]]), tw__seconds(b->chain[order[i]])));
	if (!p->is_json)
		tw__cells_add(&t, cell_text("all"), DIFF_SECONDS(tw__seconds(a->makespan), tw__seconds(b->makespan)));
	return tw__diff_end(p, &t, "\nCauses of the difference of the makespans\n", 0);
}

static int workers_of(const struct tw__diff *d, int run, int kind)
{
	int number = d->kinds.in[run][kind];
	return number == TW_NONE ? 0 : d->of[run].kinds[number].n_workers;
}

/* Adds the causes of a kind. The first row of the text has its name, and the number of its workers. */
static void add_kind(const struct tw__diff_printed *p, struct cell_table *t, int kind)
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

static json_t *workers(const struct tw__diff_printed *p)
{
	struct cell_table t = tw__diff_table(p, cause_columns);
	json_t *kinds = json_array();
	for (int kind = 0; kind < p->d->kinds.n; kind++) {
		add_kind(p, &t, kind);
		if (p->is_json)
			tw__json_append(kinds, json_pack("{s:s, s:i, s:i, s:o}", "kind", p->d->kinds.list[kind],
			                                 "a_workers", workers_of(p->d, 0, kind), "b_workers",
			                                 workers_of(p->d, 1, kind), "causes", tw__cells_array(&t)));
	}
	if (p->is_json)
		return kinds;
	json_decref(kinds);
	return tw__diff_end(p, &t, "\nWhere the time of a worker went, on average\n", 0);
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

json_t *tw__diff_json(const struct tw__diff *d, const struct tw__diff_about runs[2])
{
	const struct tw__diff_printed all = {.d = d, .runs = runs, .is_json = true}, *p = &all;
	double difference_s = tw__seconds(d->of[1].makespan - d->of[0].makespan);
	return json_pack("{s:o, s:o, s:o, s:b, s:o, s:f, s:o, s:o, s:{s:o, s:o}, s:o, s:o, s:o*, s:o}", "a",
	                 run_json(p, 0), "b", run_json(p, 1), "arguments", arguments(p), "same", d->same, "summary",
	                 summary_json(d), "difference_s", difference_s, "causes", makespan_causes(p), "workers",
	                 workers(p), "part", "start", tw__diff_task_json(d, d->first_start), "assignment",
	                 tw__diff_task_json(d, d->first_assign), "tasks", tw__diff_tasks_json(p), "transfers",
	                 tw__diff_transfers(p), "messages", tw__diff_messages_table(p), "memories",
	                 tw__diff_memories_json(d));
}

void tw__diff_print(FILE *f, const struct tw__diff *d, const struct tw__diff_about runs[2])
{
	const struct tw__diff_printed p = {.d = d, .runs = runs, .f = f};
	put_runs(&p);
	arguments(&p);
	if (d->same)
		return;
	makespan_causes(&p);
	workers(&p);
	tw__diff_put_tasks(&p);
	tw__diff_transfers(&p);
	tw__diff_messages_table(&p);
	tw__diff_put_loads_again(&p);
}
