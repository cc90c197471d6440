#include "readers/xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 100 };

struct reader {
	XML_Parser parser;
	struct tw__draft *draft;
	const struct tw__xml_format *format;
	void *context;
	int depth;
	int passed; /* depth of the open element that is passed over; 0: none */
};

static uint32_t line_of(const struct reader *r) { return (uint32_t)XML_GetCurrentLineNumber(r->parser); }

/* Whether to handle an event. Expat may call another handler even after it was stopped. */
static bool goes_on(const struct reader *r) { return r->draft->status == TW_OK && !r->passed; }

static void stop_after_error(struct reader *r)
{
	if (r->draft->status < 0)
		XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL on_start(void *context, const char *name, const char **attributes)
{
	struct reader *r = context;
	if (r->depth++ == MAX_DEPTH)
		tw__draft_fail(r->draft, line_of(r), "elements more than 100 deep in each other, expected fewer");
	if (goes_on(r) && !r->format->open(r->context, name, attributes, line_of(r)))
		r->passed = r->depth;
	stop_after_error(r);
}

static void XMLCALL on_end(void *context, const char *name)
{
	struct reader *r = context;
	(void)name;
	if (goes_on(r))
		r->format->close(r->context, line_of(r));
	if (r->depth-- == r->passed)
		r->passed = 0;
	stop_after_error(r);
}

static void XMLCALL on_text(void *context, const char *text, int length)
{
	struct reader *r = context;
	if (goes_on(r))
		r->format->text(r->context, text, (size_t)length, line_of(r));
	stop_after_error(r);
}

static void XMLCALL on_skipped_entity(void *context, const char *name, int is_parameter)
{
	struct reader *r = context;
	(void)is_parameter;
	tw__draft_fail(r->draft, line_of(r), "entity '%.80s' is not supported, expected the text itself", name);
	stop_after_error(r);
}

static void XMLCALL on_entity(void *context, const char *name, int is_parameter, const char *text, int length,
                              const char *base, const char *system_id, const char *public_id, const char *notation)
{
	(void)text, (void)length, (void)base, (void)system_id, (void)public_id, (void)notation;
	on_skipped_entity(context, name, is_parameter);
}

static void parse(struct reader *r, const char *text)
{
	XML_SetUserData(r->parser, r);
	XML_SetElementHandler(r->parser, on_start, on_end);
	XML_SetCharacterDataHandler(r->parser, on_text);
	XML_SetEntityDeclHandler(r->parser, on_entity);
	XML_SetSkippedEntityHandler(r->parser, on_skipped_entity);
	/* The whole text at once: expat reads an incomplete tag again with each further piece. */
	if (XML_Parse(r->parser, text, (int)strlen(text), true) != XML_STATUS_ERROR || r->draft->status < 0)
		return;
	enum XML_Error code = XML_GetErrorCode(r->parser);
	tw__draft_fail(r->draft, line_of(r), "%s, expected well-formed XML", XML_ErrorString(code));
	if (code == XML_ERROR_NO_MEMORY)
		r->draft->status = TW_NOMEM;
}

void tw__xml_read(struct tw__draft *draft, const struct tw__xml_format *format, void *context)
{
	struct reader r = {.draft = draft, .format = format, .context = context};
	char *text;
	draft->status = tw__input_whole(&text, draft->file, draft->err);
	if (draft->status < 0)
		return;
	r.parser = XML_ParserCreate(NULL);
	if (r.parser)
		parse(&r, text);
	else
		draft->status = tw_fail(draft->err, TW_NOMEM, "%s: out of memory", draft->path);
	XML_ParserFree(r.parser);
	free(text);
}

const char *tw__xml_attribute(const char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (!strcmp(attributes[0], name))
			return attributes[1];
	return NULL;
}

const char *tw__xml_need(struct tw__draft *d, const char *tag, const char **attributes, const char *name, uint32_t line)
{
	const char *value = tw__xml_attribute(attributes, name);
	if (value && *value)
		return value;
	tw__draft_fail(d, line, "<%s> without '%s', expected %s=\"...\"", tag, name, name);
	return "";
}
