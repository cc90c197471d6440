/* Reads platform.xml (SimGrid DTD 4.1) with a streaming parser.
 *
 * The file may be untrusted. It may define no entities, because they could make a small file huge. The length of the
 * file is bounded, and no function recurses. */
#include "platform/read.h"

#include <expat.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { READ_BYTES = 1 << 16 };

/* Returns the line of the current event. Expat counts lines character by character, since characters may have several
 * bytes and lines may end with CR. Most files are plain: then this counts their line feeds. */
static int line_of(struct tw__reader *r)
{
	int offset, size;
	const XML_Index now = XML_GetCurrentByteIndex(r->parser);
	const char *buffer = r->is_plain ? XML_GetInputContext(r->parser, &offset, &size) : NULL;
	if (!buffer || now < r->counted || now - r->counted > offset) {
		r->is_plain = false;
		return (int)XML_GetCurrentLineNumber(r->parser);
	}
	const char *end = buffer + offset, *at = end - (now - r->counted);
	for (; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		r->n_counted++;
	r->counted = now;
	return r->n_counted + 1;
}

static bool is_plain(const char *text, size_t n) { return !memchr(text, '\r', n) && !memchr(text, '\0', n); }

/* Records a failed `status` as the first error, and stops the parser. Expat may call another handler even after that,
 * so handlers check r->status. */
static void give(struct tw__reader *r, int status)
{
	if (status < 0) {
		r->status = status;
		XML_StopParser(r->parser, XML_FALSE);
	}
}

static void XMLCALL on_start(void *context, const char *name, const char **attributes)
{
	struct tw__reader *r = context;
	if (r->status == TW_OK) {
		r->line = line_of(r);
		give(r, tw__reader_open(r, name, attributes));
	}
}

static void XMLCALL on_end(void *context, const char *name)
{
	struct tw__reader *r = context;
	(void)name;
	if (r->status < 0)
		return;
	if (r->depth == 1 || r->stack[r->depth - 1] == TW__IN_ROUTE) /* messages have the lines of no other ends */
		r->line = line_of(r);
	give(r, tw__reader_close(r));
}

static void XMLCALL on_text(void *context, const char *text, int length)
{
	struct tw__reader *r = context;
	int i = 0;
	while (i < length && (text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r'))
		i++;
	if (r->status < 0 || i == length)
		return;
	r->line = line_of(r);
	give(r, tw__reader_fail(r, "text between elements, expected elements only"));
}

/* Refuses the definition of an entity: entities could make a small file huge. */
static void XMLCALL on_entity(void *context, const char *name, int is_parameter, const char *text, int length,
                              const char *base, const char *system_id, const char *public_id, const char *notation)
{
	struct tw__reader *r = context;
	(void)is_parameter, (void)text, (void)length, (void)base, (void)system_id, (void)public_id, (void)notation;
	r->line = line_of(r);
	if (r->status == TW_OK)
		give(r, tw__reader_fail(r, "entity '%.80s' is not supported, expected the text itself", name));
}

static void XMLCALL on_skipped_entity(void *context, const char *name, int is_parameter)
{
	on_entity(context, name, is_parameter, NULL, 0, NULL, NULL, NULL, NULL);
}

static int parse(struct tw__reader *r, FILE *file)
{
	size_t total = 0;
	for (bool last = false; !last;) {
		void *buffer = XML_GetBuffer(r->parser, READ_BYTES);
		if (!buffer)
			return tw_fail(r->err, TW_NOMEM, "%s: out of memory", r->raw.file);
		size_t n = fread(buffer, 1, READ_BYTES, file);
		if (ferror(file))
			return tw_fail(r->err, tw_status_of_errno(errno), "%s: %s, expected a platform file",
			               r->raw.file, strerror(errno));
		last = n < READ_BYTES;
		total += n;
		r->is_plain &= is_plain(buffer, n);
		if (total > TW__MAX_FILE_BYTES) {
			r->line = line_of(r);
			return tw__reader_fail(r, "the file is too long, expected at most %d MiB",
			                       TW__MAX_FILE_BYTES >> 20);
		}
		if (XML_ParseBuffer(r->parser, (int)n, last) == XML_STATUS_ERROR) {
			if (r->status < 0)
				return r->status;
			enum XML_Error code = XML_GetErrorCode(r->parser);
			r->line = line_of(r);
			return tw__reader_fail(r, "%s, expected well-formed XML", XML_ErrorString(code));
		}
		line_of(r); /* the next buffer may replace this one */
		/* Expat scans an incomplete tag from its start for each buffer, so a long one takes quadratic time. */
		if (!last && (XML_Index)total - XML_GetCurrentByteIndex(r->parser) > TW__MAX_MARKUP_BYTES) {
			r->line = line_of(r);
			return tw__reader_fail(r, "a tag or comment of more than %d MiB, expected shorter ones",
			                       TW__MAX_MARKUP_BYTES >> 20);
		}
	}
	if (!r->n_zones)
		return tw__raw_fail(&r->raw, r->raw.last_line, r->err,
		                    "no zone, expected one <zone> with hosts and links");
	return TW_OK;
}

int tw__raw_read_stream(struct tw__raw *raw, FILE *file, const char *path, struct tw_error *err)
{
	struct tw__reader r = {.raw = {.file = path}, .err = err, .parser = XML_ParserCreate(NULL), .is_plain = true};
	*raw = r.raw;
	if (!r.parser)
		return tw_fail(err, TW_NOMEM, "%s: out of memory", path);
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, on_start, on_end);
	XML_SetCharacterDataHandler(r.parser, on_text);
	XML_SetEntityDeclHandler(r.parser, on_entity);
	XML_SetSkippedEntityHandler(r.parser, on_skipped_entity);
	int status = parse(&r, file);
	XML_ParserFree(r.parser);
	if (r.n_unknown > TW__MOST_UNKNOWN)
		tw_log(TW_LOG_WARNING, "%s: %ld more unknown properties have no effect", path,
		       r.n_unknown - TW__MOST_UNKNOWN);
	if (status < 0)
		tw__raw_finish(&r.raw);
	*raw = r.raw;
	return status;
}

int tw__raw_read(struct tw__raw *raw, const char *path, struct tw_error *err)
{
	*raw = (struct tw__raw){.file = path};
	FILE *file = fopen(path, "rbe");
	if (!file)
		return tw_fail(err, tw_status_of_errno(errno), "%s: %s, expected a platform file", path,
		               strerror(errno));
	int status = tw__raw_read_stream(raw, file, path, err);
	fclose(file);
	return status;
}

static int build_node(struct tw__platform **platform, const struct tw__raw *raw, const char *name, struct tw_error *err)
{
	if (tw__raw_is_cluster(raw))
		return tw_fail(err, TW_INVALID, "%s: the platform of a cluster, expected that of a single node",
		               raw->file);
	return tw__raw_build(platform, raw, name, err);
}

int tw__platform_read_stream(struct tw__platform **platform, FILE *file, const char *path, const char *name,
                             struct tw_error *err)
{
	struct tw__raw raw;
	*platform = NULL;
	int status = tw__raw_read_stream(&raw, file, path, err);
	if (status == TW_OK)
		status = build_node(platform, &raw, name, err);
	tw__raw_finish(&raw);
	return status;
}

int tw__platform_read(struct tw__platform **platform, const char *path, const char *name, struct tw_error *err)
{
	struct tw__raw raw;
	*platform = NULL;
	int status = tw__raw_read(&raw, path, err);
	if (status == TW_OK)
		status = build_node(platform, &raw, name, err);
	tw__raw_finish(&raw);
	return status;
}
