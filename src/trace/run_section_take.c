/* Parses the lines of a run section: those of the head, events, and the last one. */
#include "trace/events.h"
#include "trace/run_section_lines.h"

enum { MOST_FIELDS = (1 << 15) + 2 }; /* a reduction has one for each worker */

static int need(const struct fields *f, int n, const char *word)
{
	return f->n == n ? TW_OK : tw_fail(f->err, TW_INVALID, "%d fields behind '%s': expected %d", f->n, word, n);
}

static int take_pair(struct tw__run_section *s, char **name, char **value, const struct fields *f)
{
	int status = copy_text(s, name, f->of[0], f);
	return status == TW_OK ? copy_text(s, value, f->of[1], f) : status;
}

static int take_named(struct tw__run_section *s, struct tw__run_argument **list, int *n, const char *what,
                      const struct fields *f)
{
	for (int i = 0; i < *n; i++)
		if (!strcmp((*list)[i].name, f->of[0]))
			return tw_fail(f->err, TW_INVALID, "the %s '%.60s' a second time", what, f->of[0]);
	GROW(*list, *n);
	struct tw__run_argument *a = &(*list)[(*n)++];
	return take_pair(s, &a->name, &a->value, f);
}

static int take_argument(struct tw__run_section *s, const struct fields *f)
{
	return take_named(s, &s->arguments, &s->n_arguments, "argument", f);
}

static int take_fingerprint(struct tw__run_section *s, const struct fields *f)
{
	return take_named(s, &s->fingerprints, &s->n_fingerprints, "fingerprint of", f);
}

/* --- the other lines of the head ---------------------------------------------------------------------------------- */

static int take_time(struct tw__run_section *s, const struct fields *f)
{
	int64_t kernel, arch;
	double seconds;
	if (!parse_number(f->of[0], 0, INT32_MAX, &kernel) || !parse_number(f->of[1], 0, INT32_MAX, &arch))
		return expected(f, "the numbers of a kernel and an arch", f->of[0]);
	if (!tw__field_real(f->of[2], &seconds))
		return expected(f, "seconds", f->of[2]);
	GROW(s->times, s->n_times);
	s->times[s->n_times++] = (struct tw__section_time){(int32_t)kernel, (int32_t)arch, seconds};
	return TW_OK;
}

static int take_reduction(struct tw__run_section *s, const struct fields *f)
{
	int64_t phase, data;
	if (f->n < 2 || !parse_number(f->of[0], 0, INT32_MAX, &phase))
		return tw_fail(f->err, TW_INVALID, "expected the number of a phase and its accumulators");
	GROW(s->reductions, s->n_reductions);
	tw_data *accumulators = tw__arena_alloc(&s->memory, (size_t)f->n, sizeof *accumulators);
	s->reductions[s->n_reductions++] = (struct tw__section_reduction){(int32_t)phase, f->n - 1, accumulators};
	for (int i = 1; i < f->n; i++) {
		if (!parse_number(f->of[i], 0, INT32_MAX, &data))
			return expected(f, "the number of an accumulator", f->of[i]);
		accumulators[i - 1] = (tw_data)data;
	}
	return TW_OK;
}

static int take_version(struct tw__run_section *s, const struct fields *f)
{
	int64_t version;
	s->platform = tw__arena_alloc(&s->memory, 1, sizeof *s->platform);
	if (!parse_number(f->of[0], 1, INT32_MAX, &version))
		return expected(f, "the version of the run section", f->of[0]);
	return version == TW__RUN_SECTION_VERSION
	               ? TW_OK
	               : tw_fail(f->err, TW_INVALID, "version %s of the run section: expected %d", f->of[0],
	                         TW__RUN_SECTION_VERSION);
}

static int take_made_by(struct tw__run_section *s, const struct fields *f)
{
	return take_pair(s, &s->version, &s->identity, f);
}

static int take_makespan(struct tw__run_section *s, const struct fields *f)
{
	return parse_number(f->of[0], 0, TW__LAST, &s->record.makespan) ? TW_OK : expected(f, "nanoseconds", f->of[0]);
}

/* Splits a line at its commas. TW_INVALID: more fields than there is room for. */
static int cut(char *line, char *fields[MOST_FIELDS], struct fields *f, struct tw_error *err)
{
	int n = 0;
	*f = (struct fields){.of = fields + 1, .err = err};
	for (char *next = line; next && n < MOST_FIELDS; n++) {
		fields[n] = next;
		next = strchr(next, ',');
		if (next && n + 1 == MOST_FIELDS)
			return tw_fail(err, TW_INVALID, "more than %d fields", MOST_FIELDS);
		if (next)
			*next++ = '\0';
	}
	f->n = n - 1;
	return TW_OK;
}

/* --- events ------------------------------------------------------------------------------------------------------- */

/* Says what is wrong with an event: the number of its fields, or the text of its i-th field. */
static int bad_event(enum tw__event_kind kind, int i, char *line, struct tw_error *err)
{
	const char *wanted = tw__event_fields(kind);
	char *fields[MOST_FIELDS];
	struct fields f;
	int status = cut(line, fields, &f, err);
	if (status == TW_OK)
		status = need(&f, (int)strlen(wanted) + 1, tw__event_names[kind]);
	return status < 0 ? status
	                  : expected(&f, i ? tw__event_field_meaning(wanted[i - 1]) : "a date in nanoseconds", f.of[i]);
}

static int take_total(struct tw__run_section *s, const struct fields *f);

/* The lines of the head and the last line. */
enum line {
	TILEWRIGHT,
	MADE_BY,
	ARGUMENT,
	FINGERPRINT,
	NODE,
	WORKER,
	DOMAIN,
	MEMORY,
	WEIGHTED,
	LINK,
	ROUTE,
	KERNEL,
	TASKS,
	GRAPH,
	TIME,
	MAKESPAN,
	MEASURED,
	ROUNDS,
	REDUCTION,
	TOTAL,
	N_LINES
};
static const struct {
	const char *word;
	int n_fields; /* TW_NONE: any number */
	enum { ONCE, AT_MOST_ONCE, OFTEN } times;
	int (*take)(struct tw__run_section *, const struct fields *); /* NULL: the line has only to be there */
} lines[N_LINES] = {
	[TILEWRIGHT] = {"tilewright", 1, ONCE, take_version},
	[MADE_BY] = {"made_by", 2, ONCE, take_made_by},
	[ARGUMENT] = {"argument", 2, OFTEN, take_argument},
	[FINGERPRINT] = {"fingerprint", 2, OFTEN, take_fingerprint},
	[NODE] = {"node", 1, OFTEN, tw__section_node},
	[WORKER] = {"worker", 2, OFTEN, tw__section_worker},
	[DOMAIN] = {"domain", TW_NONE, OFTEN, tw__section_domain},
	[MEMORY] = {"memory", 2, OFTEN, tw__section_memory},
	[WEIGHTED] = {"weighted", 0, AT_MOST_ONCE, NULL},
	[LINK] = {"link", 5, OFTEN, tw__section_link},
	[ROUTE] = {"route", TW_NONE, OFTEN, tw__section_route},
	[KERNEL] = {"kernel", TW_NONE, OFTEN, tw__section_kernel},
	[TASKS] = {"tasks", TW_NONE, OFTEN, tw__section_tasks},
	[GRAPH] = {"graph", 3, OFTEN, tw__section_graph},
	[TIME] = {"time", 3, OFTEN, take_time},
	[MAKESPAN] = {"makespan", 1, ONCE, take_makespan},
	[MEASURED] = {"measured", 0, AT_MOST_ONCE, NULL},
	[ROUNDS] = {"rounds", 0, AT_MOST_ONCE, NULL},
	[REDUCTION] = {"reduction", TW_NONE, OFTEN, take_reduction},
	[TOTAL] = {"total", 1, ONCE, take_total},
};

/* The last line: nothing is missing. */
static int take_total(struct tw__run_section *s, const struct fields *f)
{
	int64_t n;
	for (int i = 0; i < TOTAL; i++)
		if (lines[i].times == ONCE && !(s->lines_seen & 1u << i))
			return tw_fail(f->err, TW_INVALID, "the run section ends without a line '%s'", lines[i].word);
	if (!parse_number(f->of[0], 0, INT64_MAX, &n) || (uint64_t)n != s->record.n)
		return tw_fail(f->err, TW_INVALID, "the section has %zu events, but says that it has %.20s",
		               s->record.n, f->of[0]);
	s->record.measured = s->lines_seen & 1u << MEASURED;
	s->record.rounds = s->lines_seen & 1u << ROUNDS;
	s->weighted = s->lines_seen & 1u << WEIGHTED;
	tw__section_make_routes(s);
	s->graph.n_data = TW__MAX_DATA; /* figures need no handles */
	s->complete = true;
	return TW_OK;
}

static int take_other(struct tw__run_section *s, char *line, struct tw_error *err)
{
	char *fields[MOST_FIELDS];
	struct fields f;
	int i = 0, status = cut(line, fields, &f, err);
	while (status == TW_OK && i < N_LINES && strcmp(fields[0], lines[i].word) != 0)
		i++;
	if (status == TW_OK && i == N_LINES)
		return expected(&f, "an event or another line of a run section", fields[0]);
	if (status == TW_OK && lines[i].n_fields != TW_NONE)
		status = need(&f, lines[i].n_fields, lines[i].word);
	if (status == TW_OK && lines[i].times != OFTEN && s->lines_seen & 1u << i)
		status = tw_fail(err, TW_INVALID, "a line '%s' a second time", lines[i].word);
	s->lines_seen |= 1u << i;
	return status == TW_OK && lines[i].take ? lines[i].take(s, &f) : status;
}

/* Whether the first field of a line is the word. Then *rest is the text behind it. */
static inline bool begins_with(const char *line, const char *word, const char **rest)
{
	if (*line != *word)
		return false;
	while (*word && *line == *word) {
		line++;
		word++;
	}
	if (*word || (*line && *line != ','))
		return false;
	*rest = line + (*line == ',');
	return true;
}

static int take_event(struct tw__run_section *s, enum tw__event_kind kind, char *line, const char *text,
                      struct tw_error *err)
{
	struct tw__event e = {.kind = (uint8_t)kind};
	int wrong;
	if (!tw__event_read(&e, text, &wrong))
		return bad_event(kind, wrong, line, err);
	tw__record_spread(&s->record); /* if events as bytes came before */
	tw__record_add(&s->record, &e);
	return TW_OK;
}

int tw__run_section_take(struct tw__run_section *s, char *line, struct tw_error *err)
{
	const char *text;
	if (s->complete)
		return tw_fail(err, TW_INVALID, "text behind the last line of the run section");
	for (int kind = 0; kind < TW__N_EVENT_KINDS; kind++)
		if (begins_with(line, tw__event_names[kind], &text))
			return take_event(s, (enum tw__event_kind)kind, line, text, err);
	return take_other(s, line, err);
}
