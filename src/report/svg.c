#include "report/parts.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "report/html.h"

/* State of copying an SVG figure. Start tags of groups are held back until their first content comes: gnuplot writes
 * many empty groups. */
struct copy {
	FILE *page;
	const char *prefix, *label;
	const struct tw__tips *tips;
	int depth;
	int skipped; /* depth of the element that is being skipped with its content; 0: none */
	char **held;
	size_t n_held, held_room;
	bool in_text;
};

static const char *const elements[] = {"svg",     "g",    "defs", "path",  "circle", "rect",     "polygon", "polyline",
                                       "ellipse", "line", "use",  "tspan", "text",   "clipPath", NULL};

static const char *const attributes[] = {
	/* places and sizes */
	"viewBox", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "dx", "dy", "r", "rx", "ry", "d", "points", "width",
	"height", "transform",
	/* looks */
	"fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "opacity", "stroke-dasharray", "color",
	"stroke-linecap", "stroke-linejoin", "font-size", "font-weight", "font-style", "text-anchor",
	"dominant-baseline", NULL};

/* Writes an attribute if it is allowed. References must be to elements within the figure. */
static void print_attribute(FILE *f, const struct copy *c, const char *name, const char *value)
{
	if (!strcmp(name, "id")) {
		fprintf(f, " id=\"%s", c->prefix);
		tw__html_text(f, value);
	} else if ((!strcmp(name, "xlink:href") || !strcmp(name, "href")) && *value == '#') {
		fprintf(f, " href=\"#%s", c->prefix);
		tw__html_text(f, value + 1);
	} else if (!strcmp(name, "clip-path") && !strncmp(value, "url(#", 5)) {
		fprintf(f, " clip-path=\"url(#%s", c->prefix);
		tw__html_text(f, value + 5);
	} else if (tw__is_named(name, attributes) && !strstr(value, "url(")) {
		fprintf(f, " %s=\"", name);
		tw__html_text(f, value);
	} else {
		return;
	}
	putc('"', f);
}

static void release(struct copy *c)
{
	for (size_t i = 0; i < c->n_held; i++) {
		fputs(c->held[i], c->page);
		free(c->held[i]);
	}
	c->n_held = 0;
}

/* Returns the text of a point, if the attributes of an element have its number (struct tw__tips); or NULL. */
static const char *tip_of(const struct copy *c, const char **attribute)
{
	static const char call[] = "gnuplot_svg.showHypertext(evt,'";
	for (; *attribute; attribute += 2) {
		const char *number = strstr(attribute[1], call);
		if (strcmp(attribute[0], "onmousemove") != 0 || !number)
			continue;
		char *end;
		unsigned long i = strtoul(number + strlen(call), &end, 10);
		return *end == '\'' && i < c->tips->n ? c->tips->of[i] : NULL;
	}
	return NULL;
}

/* Ends a start tag. A point with a text shows it as a tooltip of the browser. */
static void print_tip(FILE *tag, const struct copy *c, const char **attribute)
{
	const char *text = tip_of(c, attribute);
	fputs(text ? " class=\"point\"><title>" : ">", tag);
	for (const char *line = text; line;) {
		size_t length = strcspn(line, "\n");
		char *one = tw_format("%.*s", (int)length, line);
		tw__html_text(tag, one);
		free(one);
		line = line[length] ? line + length + 1 : NULL;
		fputs(line ? "\n" : "</title>", tag);
	}
}

static void start(void *context, const char *name, const char **attribute)
{
	struct copy *c = context;
	const char **all = attribute;
	size_t size;
	c->depth++;
	if (c->skipped)
		return;
	if (!tw__is_named(name, elements)) {
		c->skipped = c->depth;
		return;
	}
	TW_RESERVE(c->held, c->held_room, c->n_held + 1);
	FILE *tag = tw__text_open(&c->held[c->n_held], &size);
	fprintf(tag, "<%s", name);
	if (c->depth == 1) {
		fputs(" role=\"img\" aria-label=\"", tag);
		tw__html_text(tag, c->label);
		putc('"', tag);
	}
	for (; *attribute; attribute += 2)
		print_attribute(tag, c, attribute[0], attribute[1]);
	print_tip(tag, c, all);
	tw__text_close(tag);
	c->n_held++;
	if (strcmp(name, "g") != 0)
		release(c);
	c->in_text = c->in_text || !strcmp(name, "text");
}

static void end(void *context, const char *name)
{
	struct copy *c = context;
	if (c->skipped) {
		c->skipped = c->skipped == c->depth ? 0 : c->skipped;
	} else if (c->n_held > 0) {
		free(c->held[--c->n_held]);
	} else {
		fprintf(c->page, "</%s>", name);
		c->in_text = c->in_text && strcmp(name, "text") != 0;
	}
	c->depth--;
}

static void text(void *context, const char *s, int n)
{
	struct copy *c = context;
	if (!c->in_text || c->skipped)
		return;
	char *piece = tw_format("%.*s", n, s);
	tw__html_text(c->page, piece);
	free(piece);
}

static int parse(struct copy *c, FILE *svg, struct tw_error *err)
{
	XML_Parser parser = XML_ParserCreate(NULL);
	char buffer[1 << 14];
	if (!parser)
		return tw_fail(err, TW_NOMEM, "report: out of memory");
	XML_SetUserData(parser, c);
	XML_SetElementHandler(parser, start, end);
	XML_SetCharacterDataHandler(parser, text);
	bool good = true;
	for (bool more = true; more && good;) {
		size_t n = fread(buffer, 1, sizeof buffer, svg);
		more = n == sizeof buffer;
		good = XML_Parse(parser, buffer, (int)n, !more) == XML_STATUS_OK;
	}
	int status = good ? TW_OK
	                  : tw_fail(err, TW_FAILED, "gnuplot's figure is no SVG: line %lu: %s",
	                            (unsigned long)XML_GetCurrentLineNumber(parser),
	                            XML_ErrorString(XML_GetErrorCode(parser)));
	XML_ParserFree(parser);
	return status;
}

int tw__svg_inline(FILE *page, FILE *svg, const char *prefix, const char *label, const struct tw__tips *tips,
                   struct tw_error *err)
{
	struct copy c = {.prefix = prefix, .label = label, .tips = tips};
	char *whole;
	size_t size;
	c.page = tw__text_open(&whole, &size);
	int status = parse(&c, svg, err);
	tw__text_close(c.page);
	if (status == TW_OK)
		fwrite(whole, 1, size, page);
	while (c.n_held > 0)
		free(c.held[--c.n_held]);
	free(c.held);
	free(whole);
	return status;
}
