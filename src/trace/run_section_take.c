/* Parses the lines of a run section. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>
#include <tilewright/csv.h>

#include "trace/run_section.h"

enum { MOST_FIELDS = 1 << 12 }; /* a reduction has one for each worker */

/* The fields of a line, without its first word. */
struct fields {
	char **of;
	int n;
	struct tw_error *err;
};

static int no_memory(struct tw_error *err) { return tw_fail(err, TW_NOMEM, "out of memory"); }

/* Parses a whole number from `least` to `most`. */
static bool number(const char *text, int64_t least, int64_t most, int64_t *value)
{
	bool negative = *text == '-';
	if (!tw_decimal(text + negative, strlen(text) - negative, 0, value))
		return false;
	*value = negative ? -*value : *value;
	return *value >= least && *value <= most;
}

static bool bytes(const char *text, uint64_t *value)
{
	int64_t n;
	bool good = number(text, 0, INT64_MAX, &n);
	*value = good ? (uint64_t)n : 0;
	return good;
}

static int expected(struct tw_error *err, const char *what, const char *text)
{
	return tw_fail(err, TW_INVALID, "'%.60s': expected %s", text, what);
}

static int need(const struct fields *f, int n, const char *kind)
{
	return f->n == n ? TW_OK : tw_fail(f->err, TW_INVALID, "%d fields behind '%s': expected %d", f->n, kind, n);
}

/* --- events ------------------------------------------------------------------------------------------------------- */

static bool cause_of(const char *text, uint8_t *cause)
{
	for (int c = 0; c < TW__N_CAUSES; c++)
		if (!strcmp(text, tw__cause_names[c])) {
			*cause = (uint8_t)c;
			return true;
		}
	return false;
}

/* The fields of an event behind its date: t task, w worker, n memory, f memory that a transfer leaves, d handle,
 * b bytes, o offset or number of the transfer, c cause. */
static const char *const event_fields[TW__N_EVENT_KINDS] = {
	[TW__SUBMIT] = "t",
	[TW__READY] = "tw",
	[TW__ASSIGN] = "twn",
	[TW__START] = "twn",
	[TW__END] = "twn",
	[TW__RELEASE] = "twn",
	[TW__TRANSFER_START] = "dfnboc",
	[TW__TRANSFER_END] = "dfnboc",
	[TW__ALLOC] = "dnobc",
	[TW__FREE] = "dnobc",
	[TW__VALID] = "dn",
	[TW__INVALID] = "dn",
	[TW__CANCEL] = "twn",
};

static bool read_field(struct tw__event *e, char field, const char *text)
{
	int64_t n = 0;
	bool wide = field == 't' || field == 'd';
	bool good = field == 'c'   ? cause_of(text, &e->cause)
	            : field == 'b' ? bytes(text, &e->bytes)
	            : field == 'o' ? bytes(text, &e->offset)
	                           : number(text, TW_NONE, wide ? INT32_MAX : INT16_MAX, &n);
	switch (good ? field : '\0') {
	case 't':
		e->task = (int32_t)n;
		break;
	case 'd':
		e->data = (int32_t)n;
		break;
	case 'w':
		e->worker = (int16_t)n;
		break;
	case 'n':
		e->node = (int16_t)n;
		break;
	case 'f':
		e->from = (int16_t)n;
		break;
	default:
		break;
	}
	return good;
}

static int take_event(struct tw__run_section *s, enum tw__event_kind kind, const struct fields *f)
{
	static const char *const names[] = {
		['t'] = "the number of a task",   ['d'] = "the number of a handle",
		['w'] = "the number of a worker", ['n'] = "the number of a memory",
		['f'] = "the number of a memory", ['b'] = "a number of bytes",
		['o'] = "a whole number",         ['c'] = "a cause: demand, prefetch, idle or eviction"};
	const char *fields = event_fields[kind];
	struct tw__event e = {.kind = (uint8_t)kind};
	int status = need(f, (int)strlen(fields) + 1, tw__event_names[kind]);
	if (status == TW_OK && !number(f->of[0], 0, TW__LAST, &e.date))
		return expected(f->err, "a date in nanoseconds", f->of[0]);
	for (int i = 0; status == TW_OK && fields[i]; i++)
		if (!read_field(&e, fields[i], f->of[i + 1]))
			status = expected(f->err, names[(int)fields[i]], f->of[i + 1]);
	if (status == TW_OK)
		tw__record_add(&s->record, &e);
	return status == TW_OK && s->record.out_of_memory ? no_memory(f->err) : status;
}

/* --- the head ----------------------------------------------------------------------------------------------------- */

/* Makes room for one more element of an array of n. Capacities are powers of two. */
static void *grow(void *array, size_t n, size_t each)
{
	return n & (n - 1) ? array : realloc(array, (n ? 2 * n : 1) * each);
}
#define GROW(array, n) grow((array), (size_t)(n), sizeof *(array))

static int take_pair(char **name, char **value, const struct fields *f)
{
	*name = strdup(f->of[0]);
	*value = strdup(f->of[1]);
	return *name && *value ? TW_OK : no_memory(f->err);
}

static int take_argument(struct tw__run_section *s, const struct fields *f)
{
	void *grown = GROW(s->arguments, s->n_arguments);
	if (!grown)
		return no_memory(f->err);
	s->arguments = grown;
	struct tw__run_argument *a = &s->arguments[s->n_arguments++];
	return take_pair(&a->name, &a->value, f);
}

static int take_worker(struct tw__run_section *s, const struct fields *f)
{
	void *grown = GROW(s->workers, s->n_workers);
	if (!grown)
		return no_memory(f->err);
	s->workers = grown;
	struct tw__section_worker *w = &s->workers[s->n_workers++];
	return take_pair(&w->name, &w->arch, f);
}

static int take_memory(struct tw__run_section *s, const struct fields *f)
{
	uint64_t capacity = UINT64_MAX;
	if (strcmp(f->of[1], "none") != 0 && !bytes(f->of[1], &capacity))
		return expected(f->err, "bytes or 'none'", f->of[1]);
	void *grown = GROW(s->memories, s->n_memories);
	char *name = strdup(f->of[0]);
	s->memories = grown ? grown : s->memories;
	if (!grown || !name) {
		free(name);
		return no_memory(f->err);
	}
	s->memories[s->n_memories++] = (struct tw__section_memory){name, capacity};
	return TW_OK;
}

static int take_time(struct tw__run_section *s, const struct fields *f)
{
	int64_t kernel, arch;
	char *end;
	double seconds = strtod(f->of[2], &end);
	if (!number(f->of[0], 0, INT32_MAX, &kernel) || !number(f->of[1], 0, INT32_MAX, &arch))
		return expected(f->err, "the numbers of a kernel and an arch", f->of[0]);
	if (end == f->of[2] || *end || !(seconds >= 0) || isinf(seconds))
		return expected(f->err, "seconds", f->of[2]);
	void *grown = GROW(s->times, s->n_times);
	if (!grown)
		return no_memory(f->err);
	s->times = grown;
	s->times[s->n_times++] = (struct tw__section_time){(int32_t)kernel, (int32_t)arch, seconds};
	return TW_OK;
}

static int take_reduction(struct tw__run_section *s, const struct fields *f)
{
	int64_t phase, data;
	if (f->n < 2 || !number(f->of[0], 0, INT32_MAX, &phase))
		return tw_fail(f->err, TW_INVALID, "expected the number of a phase and its accumulators");
	void *grown = GROW(s->reductions, s->n_reductions);
	tw_data *accumulators = malloc((size_t)f->n * sizeof *accumulators);
	s->reductions = grown ? grown : s->reductions;
	if (!grown || !accumulators) {
		free(accumulators);
		return no_memory(f->err);
	}
	s->reductions[s->n_reductions++] = (struct tw__section_reduction){(int32_t)phase, f->n - 1, accumulators};
	for (int i = 1; i < f->n; i++) {
		if (!number(f->of[i], 0, INT32_MAX, &data))
			return expected(f->err, "the number of an accumulator", f->of[i]);
		accumulators[i - 1] = (tw_data)data;
	}
	return TW_OK;
}

static int take_version(struct tw__run_section *s, const struct fields *f)
{
	int64_t version;
	(void)s;
	if (!number(f->of[0], 1, INT32_MAX, &version))
		return expected(f->err, "the version of the run section", f->of[0]);
	return version == TW__RUN_SECTION_VERSION
	               ? TW_OK
	               : tw_fail(f->err, TW_INVALID, "version %s of the run section: expected %d", f->of[0],
	                         TW__RUN_SECTION_VERSION);
}

static int take_made_by(struct tw__run_section *s, const struct fields *f)
{
	free(s->version);
	free(s->identity);
	return take_pair(&s->version, &s->identity, f);
}

static int take_makespan(struct tw__run_section *s, const struct fields *f)
{
	return number(f->of[0], 0, TW__LAST, &s->record.makespan) ? TW_OK : expected(f->err, "nanoseconds", f->of[0]);
}

static int take_measured(struct tw__run_section *s, const struct fields *f)
{
	(void)f;
	s->record.measured = true;
	return TW_OK;
}

static int take_rounds(struct tw__run_section *s, const struct fields *f)
{
	(void)f;
	s->record.rounds = true;
	return TW_OK;
}

static int take_total(struct tw__run_section *s, const struct fields *f)
{
	int64_t n;
	if (!number(f->of[0], 0, INT64_MAX, &n) || (uint64_t)n != s->record.n)
		return tw_fail(f->err, TW_INVALID, "the section has %zu events, but says that it has %.20s",
		               s->record.n, f->of[0]);
	s->complete = true;
	return TW_OK;
}

static const struct {
	const char *word;
	int n_fields; /* TW_NONE: any number */
	int (*take)(struct tw__run_section *, const struct fields *);
} head[] = {
	{"tilewright", 1, take_version}, {"made_by", 2, take_made_by},
	{"argument", 2, take_argument},  {"worker", 2, take_worker},
	{"memory", 2, take_memory},      {"time", 3, take_time},
	{"makespan", 1, take_makespan},  {"measured", 0, take_measured},
	{"rounds", 0, take_rounds},      {"reduction", TW_NONE, take_reduction},
	{"total", 1, take_total},
};

int tw__run_section_take(struct tw__run_section *s, char *line, struct tw_error *err)
{
	char *fields[MOST_FIELDS];
	struct tw_csv csv = {.fields = fields, .most = MOST_FIELDS};
	int n = tw_csv_cut(&csv, line);
	if (n < 0)
		return tw_fail(err, TW_INVALID, "%s", tw_csv_why(n));
	const struct fields f = {fields + 1, n - 1, err};
	if (s->complete)
		return tw_fail(err, TW_INVALID, "text behind the last line of the run section");
	for (int kind = 0; kind < TW__N_EVENT_KINDS; kind++)
		if (!strcmp(fields[0], tw__event_names[kind]))
			return take_event(s, (enum tw__event_kind)kind, &f);
	for (size_t i = 0; i < sizeof head / sizeof *head; i++)
		if (!strcmp(fields[0], head[i].word)) {
			int status = head[i].n_fields == TW_NONE ? TW_OK : need(&f, head[i].n_fields, fields[0]);
			return status == TW_OK ? head[i].take(s, &f) : status;
		}
	return expected(err, "an event or another line of a run section", fields[0]);
}
