/* Reads tasks.rec, which starpu_fxt_tool makes from a trace of StarPU. This file has a record of "Key: value" lines for
 * each job, in the order of the jobs' ends. Blank lines separate records (as in GNU recutils). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "readers/starpu_job.h"

/* The record being read. Its values are offsets into `text`, because that array may move. */
struct rec {
	char *text;
	size_t used, room;
	size_t value[TW__STARPU_N_KEYS];
	bool given[TW__STARPU_N_KEYS], any;
	bool may_end; /* whether the record may be complete without an empty line: see take_line */
	char last_key[32],
		endings[512]; /* last key of this record; last keys of earlier records, with line breaks between */
	struct tw__starpu_record record;
};

static void keep(struct rec *rec, enum tw__starpu_key key, const char *text)
{
	size_t bytes = strlen(text) + 1;
	TW_RESERVE(rec->text, rec->room, rec->used + bytes);
	memcpy(rec->text + rec->used, text, bytes);
	rec->value[key] = rec->used;
	rec->given[key] = true;
	rec->used += bytes;
}

/* Whether an earlier record ended with the same key: all records from one source end with one of a few keys. */
static bool ends_as_others(const struct rec *rec)
{
	char ending[sizeof rec->last_key + 3];
	snprintf(ending, sizeof ending, "\n%s\n", rec->last_key);
	return strstr(rec->endings, ending);
}

static void note_ending(struct rec *rec)
{
	size_t used = strlen(rec->endings);
	if (!ends_as_others(rec) && used + strlen(rec->last_key) + 3 < sizeof rec->endings)
		snprintf(rec->endings + used, sizeof rec->endings - used, "%s%s\n", used ? "" : "\n", rec->last_key);
}

static void end_record(struct rec *rec)
{
	if (!rec->any)
		return;
	for (int k = 0; k < TW__STARPU_N_KEYS; k++)
		rec->record.values[k] = rec->given[k] ? rec->text + rec->value[k] : NULL;
	tw__starpu_job(&rec->record);
	note_ending(rec);
	memset(rec->given, 0, sizeof rec->given);
	rec->any = false;
	rec->used = 0;
}

/* Whether a record can begin with this key. */
static bool is_first(enum tw__starpu_key key)
{
	return key == TW__STARPU_CONTROL || key == TW__STARPU_NAME || key == TW__STARPU_MODEL ||
	       key == TW__STARPU_JOB_ID;
}

/* Takes a line "Key: value" of the current record, or of the next one. StarPU 1.4 writes no empty line after records
 * that end with EndDependencies. */
static void take_line(struct tw__draft *d, struct rec *rec, char *line)
{
	char *colon = strchr(line, ':');
	if (!colon || colon == line || (colon[1] != ' ' && colon[1] != '\0')) {
		tw__draft_fail(d, d->line, "'%.60s', expected a line of the form 'Key: value'", line);
		return;
	}
	*colon = '\0';
	enum tw__starpu_key key = tw__starpu_key(line);
	if (rec->may_end && is_first(key))
		end_record(rec);
	if (!rec->any)
		rec->record.line = d->line;
	rec->any = true;
	snprintf(rec->last_key, sizeof rec->last_key, "%s", line);
	rec->may_end = key == TW__STARPU_END_DEPENDENCIES;
	tw__draft_count(d, "lines with unknown keys left out", key == TW__STARPU_UNKNOWN);
	if (key >= TW__STARPU_N_KEYS)
		return;
	if (rec->given[key])
		tw__draft_fail(d, d->line, "a second %s in one record, expected one", line);
	rec->record.lines[key] = d->line;
	keep(rec, key, colon[1] ? colon + 2 : colon + 1);
}

void tw__read_starpu(struct tw__draft *draft)
{
	struct tw__starpu s = {.draft = draft};
	struct rec rec = {.record = {.reader = &s}};
	char *line;
	draft->unknown_jobs_pass = true; /* traces contain only jobs that ended during the recording */
	tw__draft_open(draft, false);
	while ((line = tw__draft_line(draft)))
		if (line[strspn(line, " \t")] == '\0')
			end_record(&rec);
		else if (line[0] != '#')
			take_line(draft, &rec, line);
	/* The file may be truncated within this record. */
	if (rec.any && !rec.may_end && !ends_as_others(&rec))
		tw__draft_fail(draft, draft->line,
		               "the file ends within a record, expected an empty line after the last record");
	end_record(&rec);
	tw__draft_count_unrecorded(draft);
	tw__starpu_finish(&s);
	free(rec.text);
}
