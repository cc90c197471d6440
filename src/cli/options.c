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

/* INPUT + i stands for input number i. */
enum { MOST_OPTIONS = 64, INPUT = 1000, MOST_PLAN_BYTES = 1 << 20 };

/* Lists the inputs of a command and its own options. */
static void list_options(struct option all[MOST_OPTIONS], const struct command *command, const struct option *own)
{
	int n = 0;
	for (const struct tw__field *f = tw__fields; f->name; f++)
		if (f->commands & command->inputs)
			all[n++] = (struct option){.name = f->name,
			                           .has_arg = f->value ? required_argument : no_argument,
			                           .val = INPUT + (int)(f - tw__fields)};
	do
		assert(n < MOST_OPTIONS);
	while ((all[n++] = *own++).name);
}

/* The name with its dashes, valid until the next call. */
static const char *option_at(const void *options, int i)
{
	static char text[TW__NEAREST_BYTES];
	const char *name = ((const struct option *)options)[i].name;
	snprintf(text, sizeof text, "--%s", name ? name : "");
	return name ? text : NULL;
}

int cli_bad_option(const struct command *command, int answer, char **argv, const struct option *options)
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

int cli_inputs(const struct command *command, int argc, char **argv, const char *letters, const struct option *own,
               cli_take *take, void *context, struct tw__inputs *inputs)
{
	struct tw_error err;
	struct option options[MOST_OPTIONS];
	int option;
	list_options(options, command, own);
	while ((option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		int status = TW_OK;
		if (option == 'h')
			return cli_print_usage(command);
		if (option == '?' || option == ':')
			return cli_bad_option(command, option, argv, options);
		if (option >= INPUT && inputs)
			status = tw__inputs_take(inputs, command->inputs, &tw__fields[option - INPUT], optarg, &err);
		else if (option < INPUT && take)
			status = take(context, option, optarg, &err);
		if (status < 0)
			return cli_error(status, &err);
	}
	return CLI_GO_ON;
}

int cli_options(const struct command *command, int argc, char **argv, const char *letters, const struct option *options,
                cli_take *take, void *context)
{
	return cli_inputs(command, argc, argv, letters, options, take, context, NULL);
}

static int options_only(const struct command *command, int argc, char **argv)
{
	if (optind == argc)
		return CLI_GO_ON;
	return cli_fail(EXIT_BAD_INPUT, "%s: '%s': expected options only, see 'tilewright %s --help'", command->name,
	                argv[optind], command->name);
}

int cli_options_only(const struct command *command, int argc, char **argv, const char *letters,
                     const struct option *options, cli_take *take, void *context)
{
	int exit_status = cli_options(command, argc, argv, letters, options, take, context);
	return exit_status == CLI_GO_ON ? options_only(command, argc, argv) : exit_status;
}

int cli_inputs_only(const struct command *command, int argc, char **argv, const char *letters,
                    const struct option *options, cli_take *take, void *context, struct tw__inputs *inputs)
{
	int exit_status = cli_inputs(command, argc, argv, letters, options, take, context, inputs);
	return exit_status == CLI_GO_ON ? options_only(command, argc, argv) : exit_status;
}

/* --- values ------------------------------------------------------------------------------------------------------- */

int cli_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
               struct tw_error *err)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(text, names[i]) == 0) {
			*value = i;
			return TW_OK;
		}
	return tw_fail(err, TW_INVALID, "%s '%.200s': expected %s", option, text, expected);
}

int cli_json(bool *json, const char *text, struct tw_error *err)
{
	static const char *const names[] = {"text", "json", NULL};
	int format = 0;
	int status = cli_choice(&format, "--format", text, names, "text or json", err);
	*json = status == TW_OK && format;
	return status;
}

int cli_format(int *format, const char *text, struct tw_error *err)
{
	static const char *const names[] = {[TW__TEXT] = "text", [TW__JSON] = "json", [TW__CSV] = "csv", NULL};
	return cli_choice(format, "--format", text, names, "text, json or csv", err);
}

/* --- help --------------------------------------------------------------------------------------------------------- */

enum { INDENT = 25, WIDTH = 105 };

/* Whether the command's own text describes the input. */
static bool describes(const struct command *command, const char *name)
{
	char head[48];
	size_t length = (size_t)snprintf(head, sizeof head, "\n  --%s", name);
	for (const char *const *part = command->usage; *part; part++) {
		const char *found = strstr(*part, head);
		const char *behind = found ? found + length : *part + length - 1;
		bool begins = strncmp(*part, head + 1, length - 1) == 0;
		if ((found || begins) && (*behind == ' ' || *behind == '\n'))
			return true;
	}
	return false;
}

static void print_input(const struct command *command, const struct tw__field *f)
{
	char head[80];
	int column = snprintf(head, sizeof head, "  --%s%s%s%s", f->name, f->value ? " " : "", f->value ? f->value : "",
	                      f->lists & command->inputs ? "[,...]" : "");
	fputs(head, stdout);
	if (column >= INDENT) {
		putchar('\n');
		column = 0;
	}
	printf("%*s", INDENT - column, "");
	column = INDENT;
	for (const char *word = f->help; *word;) {
		int length = (int)strcspn(word, " ");
		if (column > INDENT && column + 1 + length > WIDTH) {
			printf("\n%*s", INDENT, "");
			column = INDENT;
		}
		column += printf("%s%.*s", column > INDENT ? " " : "", length, word);
		word += length + (word[length] == ' ');
	}
	putchar('\n');
}

/* Prints the inputs of the command, first those that it needs. `kind`: "inputs", "lists" or "values". */
static void print_inputs(const struct command *command, const char *kind)
{
	for (int needed = 1; needed >= 0; needed--)
		for (const struct tw__field *f = tw__fields; f->name; f++) {
			bool is_list = f->lists & command->inputs, is_needed = f->needs & command->inputs;
			bool wanted = *kind == 'i' || is_list == (*kind == 'l');
			if (f->commands & command->inputs && wanted && is_needed == needed &&
			    !describes(command, f->name))
				print_input(command, f);
		}
}

int cli_print_usage(const struct command *command)
{
	for (const char *const *part = command->usage; *part; part++)
		if (**part == '@')
			print_inputs(command, *part + 1);
		else
			fputs(*part, stdout);
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

struct plan {
	const struct command *command;
	cli_take *take;
	void *context;
	struct tw__inputs *inputs;
};

/* Takes one line `name = value` of a plan. `value` is NULL if the line has no '='; `option` is NULL if the name is
 * unknown. */
static int take_line(const struct plan *plan, char *name, char *value, const struct option *option,
                     struct tw_error *err)
{
	if (!option)
		return tw_fail(err, TW_INVALID, "'%.60s': expected an option of 'tilewright %s --help', without dashes",
		               name, plan->command->name);
	if (!value || !*value)
		return tw_fail(err, TW_INVALID, "'%.60s': expected %s = VALUE", name, name);
	bool yes = true;
	if (option->has_arg == no_argument && tw__parse_flag(&yes, value, err) < 0)
		return tw_fail(err, TW_INVALID, "%s '%.60s': expected yes or no", name, value);
	if (!yes)
		return TW_OK;
	if (option->val < INPUT)
		return plan->take(plan->context, option->val, value, err);
	return tw__inputs_take(plan->inputs, plan->command->inputs, &tw__fields[option->val - INPUT], value, err);
}

static bool may_repeat(const struct option *option)
{
	return option->val >= INPUT && tw__fields[option->val - INPUT].flags & TW__JOINED;
}

int cli_plan(const struct command *command, char **text, const char *path, const struct option *own, cli_take *take,
             void *context, struct tw__inputs *inputs, struct tw_error *err)
{
	const struct plan plan = {command, take, context, inputs};
	struct option known[MOST_OPTIONS];
	int line_of[MOST_OPTIONS] = {0};
	list_options(known, command, own);
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
			status = take_line(&plan, trim(line), equals ? trim(equals + 1) : NULL, option, &why);
		if (first)
			*first = number;
		if (status < 0)
			tw_fail(err, status, "%.200s:%d: %s", path, number, why.message);
	}
	return status;
}
