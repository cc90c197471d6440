/* The options of a command: its own, and the inputs of runs that it takes. */
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/spec.h"
#include "cli/cli.h"
#include "request/inputs.h"
#include "results/write.h"

/* For getopt_long, OWN + i stands for option i of the command, and INPUT + i for input i. */
enum { MOST_OPTIONS = 64, OWN = 1000, INPUT = 2000, MOST_PLAN_BYTES = 1 << 20 };

/* Whether the command itself parses the option. */
static bool is_own(const struct cli_option *o) { return o->type < CLI_INPUT; }

/* Lists the inputs of a command and its own options. `letters`: those of the short options. */
static void list_options(struct option all[MOST_OPTIONS], char letters[2 * MOST_OPTIONS], const struct command *command)
{
	int n = 0;
	for (const struct tw__field *f = tw__fields; f->name; f++)
		if (f->commands & command->inputs)
			all[n++] = (struct option){.name = f->name,
			                           .has_arg = f->value ? required_argument : no_argument,
			                           .val = INPUT + (int)(f - tw__fields)};
	letters = stpcpy(letters, ":h");
	for (const struct cli_option *o = command->options; o->type; o++) {
		assert(n + 2 < MOST_OPTIONS);
		if (is_own(o))
			all[n++] = (struct option){.name = o->name,
			                           .has_arg = o->value ? required_argument : no_argument,
			                           .val = OWN + (int)(o - command->options)};
		if (o->letter)
			letters += sprintf(letters, "%c:", o->letter);
	}
	all[n++] = (struct option){.name = "help", .val = 'h'};
	all[n] = (struct option){0};
}

/* The name with its dashes, valid until the next call. */
static const char *option_at(const void *options, int i)
{
	static char text[TW__NEAREST_BYTES];
	const char *name = ((const struct option *)options)[i].name;
	snprintf(text, sizeof text, "--%s", name ? name : "");
	return name ? text : NULL;
}

/* Prints the error about the option that getopt_long refused, and returns the exit status. `answer`: '?' for an unknown
 * option, ':' for a missing value. */
static int bad_option(const struct command *command, int answer, char **argv, const struct option *options)
{
	const char *option = argv[optind - 1];
	char letter[3] = {'-', (char)optopt, '\0'};
	/* If argv[optind - 1] is not the option itself, but several letters together or an option's value, name the
	 * letter. */
	if (strncmp(option, "--", 2) != 0 && optopt)
		option = letter;
	char hint[TW__NEAREST_BYTES] = "", name[TW__NEAREST_BYTES];
	if (answer == '?' && strncmp(option, "--", 2) == 0) {
		snprintf(name, sizeof name, "%.*s", (int)strcspn(option, "="), option);
		tw__nearest_hint(hint, name, option_at, options);
	}
	return cli_fail(EXIT_BAD_INPUT, "%s: %s option '%s'%s: expected %s 'tilewright %s --help'", command->name,
	                answer == ':' ? "no value for" : "unknown", option, hint,
	                answer == ':' ? "one, see" : "one of those in", command->name);
}

static int take_json(bool *json, const char *option, const char *text, struct tw_error *err)
{
	static const char *const names[] = {"text", "json", NULL};
	int format = 0;
	int status = tw__word_choice(&format, option, text, names, "text or json", err);
	*json = format;
	return status;
}

static int take_format(int *format, const char *option, const char *text, struct tw_error *err)
{
	static const char *const names[] = {[TW__TEXT] = "text", [TW__JSON] = "json", [TW__CSV] = "csv", NULL};
	return tw__word_choice(format, option, text, names, "text, json or csv", err);
}

static int take_own(const struct command *command, const struct cli_option *o, void *options, const char *text,
                    struct tw_error *err)
{
	char option[64];
	void *member = (char *)options + o->offset;
	snprintf(option, sizeof option, "%s%s--%s", command->is_told ? command->name : "", command->is_told ? ": " : "",
	         o->name);
	switch (o->type) {
	case CLI_YES:
		*(bool *)member = true;
		return TW_OK;
	case CLI_TEXT:
		*(const char **)member = text;
		return TW_OK;
	case CLI_INT:
		return tw__word_int(member, option, text, (int)o->least, (int)o->most, err);
	case CLI_REAL:
		return tw__word_real(member, option, text, o->least, o->most, err);
	case CLI_JSON:
		return take_json(member, option, text, err);
	case CLI_FORMAT:
		return take_format(member, option, text, err);
	case CLI_WORDS:
		return tw__words_init(member, option, text, err);
	case CLI_REPEATED:
		return tw__repeated_add(member, option, text, err);
	default:
		return o->take(options, option, text, err);
	}
}

/* `option`: the number of the option for getopt_long. */
static int take(const struct command *command, int option, void *options, struct tw__inputs *inputs, const char *text,
                struct tw_error *err)
{
	if (option >= INPUT)
		return tw__inputs_take(inputs, command->inputs, &tw__fields[option - INPUT], text, err);
	return take_own(command, &command->options[option - OWN], options, text, err);
}

int cli_parse(const struct command *command, int argc, char **argv, void *options, struct tw__inputs *inputs)
{
	struct tw_error err;
	struct option known[MOST_OPTIONS];
	char letters[2 * MOST_OPTIONS];
	int option;
	list_options(known, letters, command);
	while ((option = getopt_long(argc, argv, letters, known, NULL)) != -1) {
		if (option == 'h')
			return cli_print_usage(command);
		if (option == '?' || option == ':')
			return bad_option(command, option, argv, known);
		for (const struct cli_option *o = command->options; option < OWN; o++)
			if (o->letter == option)
				option = OWN + (int)(o - command->options);
		int status = options ? take(command, option, options, inputs, optarg, &err) : TW_OK;
		if (status < 0)
			return cli_error(status, &err);
	}
	if (command->has_no_words && optind < argc)
		return cli_fail(EXIT_BAD_INPUT, "%s: '%s': expected options only, see 'tilewright %s --help'",
		                command->name, argv[optind], command->name);
	return CLI_GO_ON;
}

/* --- help --------------------------------------------------------------------------------------------------------- */

enum { INDENT = 25, WIDTH = 105 };

/* Whether the command has a help of its own for the input. */
static bool describes(const struct command *command, const char *name)
{
	const struct cli_option *o = command->options;
	while (o->type && !(o->type == CLI_INPUT && strcmp(o->name, name) == 0))
		o++;
	return o->type;
}

/* Prints an option with its help. Wraps the help, unless it has line breaks of its own. */
static void print_option(char letter, const char *name, const char *value, bool is_list, const char *help)
{
	const char short_option[] = {'-', letter, ',', ' ', '\0'};
	char head[80];
	int column = snprintf(head, sizeof head, "  %s--%s%s%s%s", letter ? short_option : "", name, value ? " " : "",
	                      value ? value : "", is_list ? "[,...]" : "");
	bool wraps = !strchr(help, '\n');
	const char *first = help + (*help == '\n');
	fputs(head, stdout);
	if (column >= INDENT || *help == '\n') {
		putchar('\n');
		column = 0;
	}
	printf("%*s", INDENT - column, "");
	column = INDENT;
	for (const char *word = first; *word;) {
		int length = (int)strcspn(word, " \n");
		bool breaks = word > first && (wraps ? column + 1 + length > WIDTH : word[-1] == '\n');
		if (breaks) {
			printf("\n%*s", INDENT, "");
			column = INDENT;
		}
		column += printf("%s%.*s", column > INDENT ? " " : "", length, word);
		word += length + (word[length] != '\0');
	}
	putchar('\n');
}

/* Prints the inputs of the command, first those that it needs: all, or those that take lists, or those that do not. */
static void print_inputs(const struct command *command, enum cli_type which)
{
	for (int needed = 1; needed >= 0; needed--)
		for (const struct tw__field *f = tw__fields; f->name; f++) {
			bool is_list = f->lists & command->inputs, is_needed = f->needs & command->inputs;
			bool wanted = which == CLI_INPUTS || is_list == (which == CLI_LISTS);
			if (f->commands & command->inputs && wanted && is_needed == needed &&
			    !describes(command, f->name))
				print_option(0, f->name, f->value, is_list, f->help);
		}
}

int cli_print_usage(const struct command *command)
{
	fputs(command->usage, stdout);
	for (const struct cli_option *o = command->options; o->type; o++)
		if (o->type == CLI_LINES)
			puts(o->help);
		else if (o->type >= CLI_INPUTS)
			print_inputs(command, o->type);
		else
			print_option(o->letter, o->name, o->value, false, o->help);
	print_option('h', "help", NULL, false, "Prints this help.");
	fputs(command->notes ? command->notes : "", stdout);
	return 0;
}

/* --- plans -------------------------------------------------------------------------------------------------------- */

static int read_text(char **text, const char *path, struct tw_error *err)
{
	FILE *f = fopen(path, "re");
	if (!f)
		return tw_fail(err, TW_INVALID, "'%.300s': %s: expected a plan that can be read", path,
		               strerror(errno));
	*text = tw_alloc(MOST_PLAN_BYTES + 1, 1);
	size_t bytes = fread(*text, 1, MOST_PLAN_BYTES + 1, f);
	bool failed = ferror(f);
	int reason = errno;
	fclose(f);
	if (failed)
		return tw_fail(err, TW_INVALID, "'%.300s': %s: expected a plan that can be read", path,
		               strerror(reason));
	if (bytes > MOST_PLAN_BYTES || memchr(*text, '\0', bytes))
		return tw_fail(err, TW_INVALID, "'%.300s': expected a plan, a text of at most %d bytes", path,
		               MOST_PLAN_BYTES);
	(*text)[bytes] = '\0';
	return TW_OK;
}

static char *trim(char *text)
{
	while (isspace((unsigned char)*text))
		text++;
	for (char *end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
		*--end = '\0';
	return text;
}

static const struct option *find(const struct option *known, const char *name)
{
	while (known->name && strcmp(known->name, name) != 0)
		known++;
	return known->name && strcmp(name, "help") != 0 ? known : NULL;
}

/* Takes one line `name = value` of a plan. `value` is NULL if the line has no '='; `option` is NULL if the name is
 * unknown. */
static int take_line(const struct command *command, const char *name, const char *value, const struct option *option,
                     void *options, struct tw__inputs *inputs, struct tw_error *err)
{
	if (!option)
		return tw_fail(err, TW_INVALID, "'%.60s': expected an option of 'tilewright %s --help', without dashes",
		               name, command->name);
	if (!value || !*value)
		return tw_fail(err, TW_INVALID, "'%.60s': expected %s = VALUE", name, name);
	bool yes = true;
	if (option->has_arg == no_argument && tw__parse_flag(&yes, value, err) < 0)
		return tw_fail(err, TW_INVALID, "%s '%.60s': expected yes or no", name, value);
	return yes ? take(command, option->val, options, inputs, value, err) : TW_OK;
}

static bool may_repeat(const struct option *option)
{
	return option->val >= INPUT && tw__fields[option->val - INPUT].flags & TW__JOINED;
}

int cli_plan(const struct command *command, char **text, const char *path, void *options, struct tw__inputs *inputs,
             struct tw_error *err)
{
	struct option known[MOST_OPTIONS];
	char letters[2 * MOST_OPTIONS];
	int line_of[MOST_OPTIONS] = {0};
	list_options(known, letters, command);
	*text = NULL;
	int status = read_text(text, path, err);
	char *next = status == TW_OK ? *text : NULL;
	if (next && !strncmp(next, "\xef\xbb\xbf", 3)) /* skip the byte order mark that some editors write */
		next += 3;
	for (int number = 1; status == TW_OK && next; number++) {
		char *line = next, *feed = strchr(line, '\n');
		next = feed ? feed + 1 : NULL;
		if (feed)
			*feed = '\0';
		line = trim(line);
		if (!*line || *line == '#' || *line == ';' || strcmp(line, "[sweep]") == 0)
			continue;
		char *equals = strchr(line, '=');
		if (equals)
			*equals = '\0';
		struct tw_error why;
		const struct option *option = find(known, trim(line));
		int *first = option && !may_repeat(option) ? &line_of[option - known] : NULL;
		if (first && *first)
			status = tw_fail(&why, TW_INVALID, "'%.60s': expected it once; line %d has it already",
			                 trim(line), *first);
		else
			status = take_line(command, trim(line), equals ? trim(equals + 1) : NULL, option, options,
			                   inputs, &why);
		if (first)
			*first = number;
		if (status < 0)
			tw_fail(err, status, "%.200s:%d: %s", path, number, why.message);
	}
	return status;
}
