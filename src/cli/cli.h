/* The command `tilewright`. Results go to stdout, everything else to stderr. Only this folder prints or exits.
 * Exit status: 0 done; 1 a run failed, or results could not be written; 2 bad arguments or input. */
#ifndef TW__CLI_H
#define TW__CLI_H

#include <stdio.h>

#include <tilewright/base.h>

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2, CLI_GO_ON = -1, MOST_JOBS = 4096 };

struct command {
	const char *name, *summary;
	/* The text of --help in parts; ends with NULL. The part "@inputs" stands for the command's inputs, "@lists" for
	 * those that take lists, "@values" for the others. An input that another part describes is left out there. */
	const char *const *usage;
	unsigned inputs; /* TW__FOR_*, for inputs of runs (request/fields.h); 0: the command has none */
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

extern const struct command command_run, command_list, command_platform, command_plot, command_export, command_import,
	command_calibrate, command_calibration, command_bounds, command_sweep, command_compare, command_report,
	command_explain, command_diff, command_describe, command_validate, command_validate_model;

/* Prints a message on stderr, in one line behind "tilewright: ". Returns `exit_status`. */
int cli_fail(int exit_status, const char *format, ...) TW_PRINTF(2, 3);
/* Prints an error of the library. Returns the exit status for the error `status`. */
int cli_error(int status, const struct tw_error *);

struct option; /* defined in getopt.h */
struct tw__inputs;
/* Prints the error about the option that getopt_long refused, and returns the exit status. `answer`: '?' for an unknown
 * option, ':' for a missing value. */
int cli_bad_option(const struct command *, int answer, char **argv, const struct option *);
typedef int cli_take(void *context, int option, const char *text, struct tw_error *err);
/* Passes each option to `take`; NULL: options are only checked. `letters`: short options for getopt_long. Returns
 * CLI_GO_ON, with optind behind the options. Otherwise returns an exit status: help was printed, or an option is
 * wrong. */
int cli_options(const struct command *, int argc, char **argv, const char *letters, const struct option *,
                cli_take *take, void *context);
/* Passes each option to `take` as cli_options does, and refuses arguments that are no options. */
int cli_options_only(const struct command *, int argc, char **argv, const char *letters, const struct option *,
                     cli_take *take, void *context);
/* As cli_options; inputs of runs, which the command's own options do not list, go to the last argument. */
int cli_inputs(const struct command *, int argc, char **argv, const char *letters, const struct option *,
               cli_take *take, void *context, struct tw__inputs *);

int cli_inputs_only(const struct command *, int argc, char **argv, const char *letters, const struct option *,
                    cli_take *take, void *context, struct tw__inputs *);

/* Reads a plan: a file of options of the command, with one `name = value` on each line. Names are those of the command
 * line, without dashes. `*text`: the content of the file, which values point into; the caller frees it, also after an
 * error. Messages of TW_INVALID name file and line. */
int cli_plan(const struct command *, char **text, const char *path, const struct option *, cli_take *take,
             void *context, struct tw__inputs *, struct tw_error *err);

/* Finds `text` in `names`, which ends with NULL, and sets `*value` to its index. `expected`: the names for the error
 * message, as in "text, json or csv". */
int cli_choice(int *value, const char *option, const char *text, const char *const *names, const char *expected,
               struct tw_error *err);
/* Parses --format of a command that prints text or JSON. The next function parses that of a command that prints
 * results, an enum tw__result_format. */
int cli_json(bool *json, const char *text, struct tw_error *err);
int cli_format(int *format, const char *text, struct tw_error *err);

/* Prints the command's text of --help on stdout; returns 0. */
int cli_print_usage(const struct command *);

#endif
