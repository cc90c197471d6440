/* Reads tasks.rec, which starpu_fxt_tool makes from a trace of StarPU. This file has a record of "Key: value" lines for
 * each job, in the order of the jobs' ends. Blank lines separate records (as in GNU recutils). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/containers.h>

#include "readers/input.h"
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

static int keep(struct rec *rec, enum tw__starpu_key key, const char *text, size_t length)
{
	if (!TW_HAS_ROOM(rec->text, rec->room, rec->used + length + 1))
		return TW_NOMEM;
	memcpy(rec->text + rec->used, text, length + 1);
	rec->value[key] = rec->used;
	rec->given[key] = true;
	rec->used += length + 1;
	return TW_OK;
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

static int end_record(struct tw__starpu *s, struct rec *rec)
{
	if (!rec->any)
		return TW_OK;
	for (int k = 0; k < TW__STARPU_N_KEYS; k++)
		rec->record.values[k] = rec->given[k] ? rec->text + rec->value[k] : NULL;
	int status = tw__starpu_job(s, &rec->record);
	note_ending(rec);
	memset(rec->given, 0, sizeof rec->given);
	rec->any = false;
	rec->used = 0;
	return status;
}

/* Whether a record can begin with this key. */
static bool is_first(enum tw__starpu_key key)
{
	return key == TW__STARPU_CONTROL || key == TW__STARPU_NAME || key == TW__STARPU_MODEL ||
	       key == TW__STARPU_JOB_ID;
}

/* Takes a line "Key: value" of the current record, or of the next one. StarPU 1.4 writes no empty line after records
 * that end with EndDependencies. */
static int take_line(struct tw__starpu *s, const struct tw__input *in, struct rec *rec, char *line, size_t length)
{
	char *colon = memchr(line, ':', length);
	if (!colon || colon == line || (colon[1] != ' ' && colon[1] != '\0'))
		return tw__input_fail(in, s->err, "'%.60s', expected a line of the form 'Key: value'", line);
	*colon = '\0';
	enum tw__starpu_key key = tw__starpu_key(line);
	int status = rec->may_end && is_first(key) ? end_record(s, rec) : TW_OK;
	if (status < 0)
		return status;
	if (!rec->any)
		rec->record.line = tw__input_line_number(in);
	rec->any = true;
	snprintf(rec->last_key, sizeof rec->last_key, "%s", line);
	rec->may_end = key == TW__STARPU_END_DEPENDENCIES;
	if (key == TW__STARPU_IGNORED)
		return TW_OK;
	if (key == TW__STARPU_UNKNOWN) {
		tw__draft_count(s->draft, "lines with unknown keys left out", 1);
		return TW_OK;
	}
	if (rec->given[key])
		return tw__input_fail(in, s->err, "a second %s in one record, expected one", line);
	rec->record.lines[key] = tw__input_line_number(in);
	char *value = colon[1] ? colon + 2 : colon + 1;
	return keep(rec, key, value, length - (size_t)(value - line)) == TW_OK ? TW_OK
	                                                                       : tw__draft_no_memory(s->draft, s->err);
}

int tw__read_starpu(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct tw__starpu s = {.draft = draft, .reading = reading, .err = err};
	struct rec rec = {0};
	struct tw__input *in;
	char *line;
	size_t length;
	draft->unknown_jobs_pass = true; /* traces contain only jobs that ended during the recording */
	int status = tw__input_open(&in, reading->path, err);
	while (status == TW_OK && (status = tw__input_line(in, &line, &length, err)) == 1) {
		if (line[strspn(line, " \t")] == '\0')
			status = end_record(&s, &rec);
		else
			status = line[0] == '#' ? TW_OK : take_line(&s, in, &rec, line, length);
	}
	/* The file may be truncated within this record. */
	if (status == TW_OK && rec.any && !rec.may_end && !ends_as_others(&rec))
		status = tw__input_fail(in, err,
		                        "the file ends within a record, expected an empty line after the last record");
	if (status == TW_OK)
		status = end_record(&s, &rec);
	if (status == TW_OK && reading->recorded)
		tw__draft_count_unrecorded(draft);
	tw__input_close(in);
	tw__starpu_finish(&s);
	free(rec.text);
	return status;
}
