#include "readers/xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "readers/input.h"

enum { MAX_DEPTH = 100 };

struct reader {
	XML_Parser parser;
	const char *path;
	const struct tw__xml_format *format;
	void *context;
	struct tw_error *err;
	int status, depth;
	int passed; /* depth of the open element that is passed over; 0: none */
};

static uint32_t line_of(const struct reader *r) { return (uint32_t)XML_GetCurrentLineNumber(r->parser); }

/* Keeps the first failure, and stops the parser. Expat may call another handler even after that. */
static void give(struct reader *r, int status)
{
	if (status >= 0 || r->status < 0)
		return;
	r->status = status;
	XML_StopParser(r->parser, XML_FALSE);
}

static int fail(const struct reader *r, const char *what, const char *expected)
{
	return tw_fail(r->err, TW_INVALID, "%.256s:%u: %s, expected %s", r->path, (unsigned)line_of(r), what, expected);
}

static void XMLCALL on_start(void *context, const char *name, const char **attributes)
{
	struct reader *r = context;
	if (r->status < 0)
		return;
	if (r->depth++ == MAX_DEPTH) {
		give(r, fail(r, "elements more than 100 deep in each other", "fewer"));
	} else if (!r->passed) {
		int status = r->format->open(r->context, name, attributes, line_of(r));
		r->passed = status == TW__PASS_OVER ? r->depth : 0;
		give(r, status);
	}
}

static void XMLCALL on_end(void *context, const char *name)
{
	struct reader *r = context;
	bool is_passed = r->passed;
	if (r->depth-- == r->passed)
		r->passed = 0;
	if (r->status == TW_OK && !is_passed)
		give(r, r->format->close(r->context, name, line_of(r)));
}

static void XMLCALL on_text(void *context, const char *text, int length)
{
	struct reader *r = context;
	if (r->status == TW_OK && !r->passed)
		give(r, r->format->text(r->context, text, (size_t)length, line_of(r)));
}

static void XMLCALL on_entity(void *context, const char *name, int is_parameter, const char *text, int length,
                              const char *base, const char *system_id, const char *public_id, const char *notation)
{
	struct reader *r = context;
	(void)is_parameter, (void)text, (void)length, (void)base, (void)system_id, (void)public_id, (void)notation;
	if (r->status == TW_OK)
		give(r,
		     tw_fail(r->err, TW_INVALID, "%.256s:%u: entity '%.80s' is not supported, expected the text itself",
		             r->path, (unsigned)line_of(r), name));
}

static void XMLCALL on_skipped_entity(void *context, const char *name, int is_parameter)
{
	on_entity(context, name, is_parameter, NULL, 0, NULL, NULL, NULL, NULL);
}

static int parse(struct reader *r, const char *text, size_t length)
{
	XML_SetUserData(r->parser, r);
	XML_SetElementHandler(r->parser, on_start, on_end);
	if (r->format->text)
		XML_SetCharacterDataHandler(r->parser, on_text);
	XML_SetEntityDeclHandler(r->parser, on_entity);
	XML_SetSkippedEntityHandler(r->parser, on_skipped_entity);
	/* The whole text at once: expat reads an incomplete tag again with each further piece. */
	if (XML_Parse(r->parser, text, (int)length, true) != XML_STATUS_ERROR || r->status < 0)
		return r->status;
	enum XML_Error code = XML_GetErrorCode(r->parser);
	return code == XML_ERROR_NO_MEMORY ? tw_fail(r->err, TW_NOMEM, "%.256s: out of memory", r->path)
	                                   : fail(r, XML_ErrorString(code), "well-formed XML");
}

int tw__xml_read(const char *path, const struct tw__xml_format *format, void *context, struct tw_error *err)
{
	struct reader r = {.path = path, .format = format, .context = context, .err = err};
	char *text;
	size_t length;
	int status = tw__input_whole(&text, &length, path, err);
	if (status < 0)
		return status;
	r.parser = XML_ParserCreate(NULL);
	status = r.parser ? parse(&r, text, length) : tw_fail(err, TW_NOMEM, "%.256s: out of memory", path);
	XML_ParserFree(r.parser);
	free(text);
	return status;
}

const char *tw__xml_attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (!strcmp(attributes[0], name))
			return attributes[1];
	return NULL;
}

const char *tw__xml_need(const char *path, const char *tag, const char **attributes, const char *name, uint32_t line,
                         struct tw_error *err)
{
	const char *value = tw__xml_attribute(attributes, name);
	if (value && *value)
		return value;
	tw_fail(err, TW_INVALID, "%.256s:%u: <%s> without '%s', expected %s=\"...\"", path, (unsigned)line, tag, name,
	        name);
	return NULL;
}
