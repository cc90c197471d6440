/* The program tilewright: calls subcommands, and prints --help and --version. */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "base/door.h"
#include "base/nearest.h"
#include "base/new_file.h"
#include "base/pages.h"
#include "cli/topics.h"
#include "cli/warnings.h"
#include "process/launched.h"

static const struct command *const commands[] = {
	&command_run,       &command_sweep,    &command_list,      &command_platform,      &command_plot,
	&command_export,    &command_import,   &command_calibrate, &command_calibration,   &command_bounds,
	&command_optimum,   &command_compare,  &command_report,    &command_explain,       &command_diff,
	&command_adversary, &command_describe, &command_validate,  &command_validate_model};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

/* The processes of one run mostly fail alike, or because another one has failed. When the first one ends, the launcher
 * ends the others, which have said nothing by then: Open MPI's needs a second for that, or more on a busy machine. */
static void let_first_speak(void)
{
	const struct timespec after_first = {.tv_sec = 5}, after_others = {.tv_sec = 7};
	const int number = tw__launched().number;
	if (number > 0)
		nanosleep(number == 1 ? &after_first : &after_others, NULL);
}

int cli_fail(int exit_status, const char *format, ...)
{
	char text[1024];
	va_list values;
	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	for (char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = ' ';
	let_first_speak();
	fprintf(stderr, "tilewright: %s\n", text);
	return exit_status;
}

int cli_error(int status, const struct tw_error *err)
{
	return cli_fail(status == TW_INVALID ? EXIT_BAD_INPUT : EXIT_RUN_FAILED, "%s", err->message);
}

static int print_help(void)
{
	fputs("Usage: tilewright COMMAND [OPTION]...\n"
	      "Simulates the scheduling of task graphs on nodes of CPUs and GPUs.\n"
	      "\n"
	      "Commands:\n",
	      stdout);
	for (int i = 0; i < N_COMMANDS; i++)
		printf("  %-11s %s\n", commands[i]->name, commands[i]->summary);
	fputs("  help        print the options of a command, or a page about a topic\n"
	      "\n"
	      "Topics:\n",
	      stdout);
	for (const struct topic *t = topics; t->name; t++)
		printf("  %-11s %s\n", t->name, t->title);
	fputs("\n"
	      "Options:\n"
	      "  -h, --help     print this, or with a command its options\n"
	      "  -V, --version  print the version\n"
	      "\n"
	      "Example:\n"
	      "  tilewright run --platform mirage --workload cholesky:nt=20 --policy eager\n"
	      "\n"
	      "Exit status: 0 done, 1 a run failed, 2 bad arguments or input.\n",
	      stdout);
	return 0;
}

static const char *command_at(const void *context, int i)
{
	(void)context;
	return i < N_COMMANDS ? commands[i]->name : NULL;
}

static int unknown_command(const char *name)
{
	char known[N_COMMANDS * 24], hint[TW__NEAREST_BYTES];
	return cli_fail(EXIT_BAD_INPUT, "unknown command '%s'%s: expected one of %s, help", name,
	                tw__nearest_hint(hint, name, command_at, NULL),
	                tw__list_names(known, sizeof known, command_at, NULL));
}

static const char *topic_at(const void *context, int i)
{
	(void)context;
	return topics[i].name;
}

static const char *command_or_topic_at(const void *context, int i)
{
	return i < N_COMMANDS ? commands[i]->name : topic_at(context, i - N_COMMANDS);
}

static int help(int argc, char **argv)
{
	char known[512], hint[TW__NEAREST_BYTES];
	if (argc > 2)
		return cli_fail(EXIT_BAD_INPUT, "help: '%s': expected one command or topic", argv[2]);
	if (argc < 2 || strcmp(argv[1], "help") == 0)
		return print_help();
	for (int i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i]->name, argv[1]) == 0)
			return cli_print_usage(commands[i]);
	for (const struct topic *t = topics; t->name; t++)
		if (strcmp(t->name, argv[1]) == 0) {
			fputs(t->text, stdout);
			return 0;
		}
	return cli_fail(EXIT_BAD_INPUT, "help: no command or topic '%s'%s: expected a command, or one of %s", argv[1],
	                tw__nearest_hint(hint, argv[1], command_or_topic_at, NULL),
	                tw__list_names(known, sizeof known, topic_at, NULL));
}

static int dispatch(int argc, char **argv)
{
	const char *word = argc > 1 ? argv[1] : "";
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		printf("tilewright %s\n", tw_version());
		return 0;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		return print_help();
	if (strcmp(word, "help") == 0)
		return help(argc - 1, argv + 1);
	for (int i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i]->name, word) == 0) {
			opterr = 0; /* getopt_long prints nothing: cli_bad_option prints the message */
			return commands[i]->run(argc - 1, argv + 1);
		}
	if (argc < 2)
		return cli_fail(EXIT_BAD_INPUT, "no command: expected one, see 'tilewright --help'");
	if (word[0] == '-')
		return cli_fail(EXIT_BAD_INPUT, "unknown option '%s': expected a command, see 'tilewright --help'",
		                word);
	return unknown_command(word);
}

/* For jansson, whose values then never are NULL for lack of memory. */
static void *json_memory(size_t bytes) { return tw_resize(NULL, bytes, 1); }

static int dispatch_or_run_out_of_memory(int argc, char **argv)
{
	struct tw__door door;
	struct tw_error err;
	if (TW__MEMORY_RUNS_OUT(&door)) {
		tw__out_of_memory(&err);
		return cli_fail(EXIT_RUN_FAILED, "%s", err.message);
	}
	json_set_alloc_funcs(json_memory, free);
	int exit_status = dispatch(argc, argv);
	tw__door_close(&door);
	return exit_status;
}

/* Opens /dev/null for each standard stream that is closed. Otherwise the next file opened would get the stream's
 * descriptor, and with it what we print. */
static void occupy_standard_streams(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd)
			_exit(EXIT_BAD_INPUT);
}

int main(int argc, char **argv)
{
	occupy_standard_streams();
	tw__pages_set_apart();
	signal(SIGPIPE, SIG_IGN); /* a closed pipe then gives a write error, which main reports */
	signal(SIGXFSZ, SIG_IGN); /* `ulimit -f` then gives a write error, too */
	signal(SIGCHLD, SIG_DFL); /* a parent may have ignored it: the system then keeps no wait status of children */
	warnings_begin();
	int exit_status = dispatch_or_run_out_of_memory(argc, argv);
	warnings_end();
	int reason = tw__flush(stdout);
	if (reason)
		exit_status = cli_fail(EXIT_RUN_FAILED, "standard output: cannot be written: %s", strerror(reason));
	if (exit_status)
		tw__launched_fail(exit_status);
	if (!reason)
		dup2(STDERR_FILENO, STDOUT_FILENO); /* destructors of plug-ins may print */
	return exit_status;
}
