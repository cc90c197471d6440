/* The parser of specification strings: NAME[:VALUE][:KEY=VALUE]... */
#include "base/spec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Copies the next part of *text, up to an `end` without a backslash before it. A backslash before an `end` is dropped.
 * Moves *text behind the end, or sets it to NULL at the end of the text. */
static char *next_part(const char **text, char end)
{
	const char *from = *text;
	char *part = tw_resize(NULL, strlen(from) + 1, 1), *to = part;
	while (*from && *from != end) {
		if (from[0] == '\\' && from[1] == end)
			from++;
		*to++ = *from++;
	}
	*to = '\0';
	*text = *from ? from + 1 : NULL;
	return part;
}

char *tw__next_word(const char **text) { return next_part(text, ','); }

/* Returns the '=' of KEY=VALUE, if KEY is a word. Returns NULL for a VALUE without a key, such as a path with a '='. */
static char *find_equals(char *part)
{
	char *c = part;
	while (isalnum((unsigned char)*c) || *c == '_' || *c == '-')
		c++;
	return c > part && *c == '=' ? c : NULL;
}

static int parse(struct tw__spec *spec, const char *text, struct tw_error *err)
{
	const char *rest = text;
	spec->name = next_part(&rest, ':');
	if (!*spec->name)
		return tw_fail(err, TW_INVALID, "'%.200s': expected a name, as in NAME:KEY=VALUE", text);

	/* The number of colons in the text is an upper bound of the number of items. */
	size_t max = 0;
	for (const char *c = text; *c; c++)
		max += *c == ':';
	spec->items = tw_alloc(max, sizeof *spec->items);

	while (rest) {
		char *part = next_part(&rest, ':');
		struct tw__spec_item *item = &spec->items[spec->n++];
		char *equals = find_equals(part);
		if (equals) {
			*equals = '\0';
			item->key = part;
			item->value = tw_copy_text(equals + 1);
		} else {
			item->value = part;
			if (!*part || spec->n > 1)
				return tw_fail(err, TW_INVALID, "'%.200s': '%.100s': expected KEY=VALUE", text, part);
		}
	}
	return TW_OK;
}

int tw__spec_parse(struct tw__spec *spec, const char *text, struct tw_error *err)
{
	memset(spec, 0, sizeof *spec);
	int status = parse(spec, text, err);
	if (status < 0)
		tw__spec_finish(spec);
	return status;
}

void tw__spec_finish(struct tw__spec *spec)
{
	for (int i = 0; i < spec->n; i++) {
		free(spec->items[i].key);
		free(spec->items[i].value);
	}
	free(spec->items);
	free(spec->name);
	memset(spec, 0, sizeof *spec);
}
