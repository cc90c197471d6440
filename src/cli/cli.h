/* The command `tilewright`. Results go to stdout, everything else to stderr. Only this folder prints or exits.
 * Exit status: 0 done; 1 a run failed, or results could not be written; 2 bad arguments or input. */
#ifndef TW__CLI_H
#define TW__CLI_H

#include <stdio.h>

#include <tilewright/base.h>

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2, CLI_GO_ON = -1 };

struct command {
	const char *name, *summary;
	const char *const *usage;          /* the text of --help in parts; ends with NULL */
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

/* Prints the command's text of --help on stdout; returns 0. */
int cli_print_usage(const struct command *);

#endif
