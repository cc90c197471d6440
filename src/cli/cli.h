/* The command `tilewright`. Results go to stdout, everything else to stderr. Only this folder prints or exits.
 * Exit status: 0 done; 1 a run failed, or results could not be written; 2 bad arguments or input. */
#ifndef TW__CLI_H
#define TW__CLI_H

#include <stddef.h>
#include <stdio.h>

#include <tilewright/base.h>

enum { EXIT_RUN_FAILED = 1, EXIT_BAD_INPUT = 2, CLI_GO_ON = -1, MOST_JOBS = 4096 };

/* The type of an option's value, and of the member of the command's options that it sets. */
enum cli_type {
	CLI_END,
	CLI_YES,      /* bool; the option has no value */
	CLI_TEXT,     /* const char * */
	CLI_INT,      /* int, from `least` to `most` */
	CLI_REAL,     /* double, from `least` to `most` */
	CLI_JSON,     /* bool: "text" or "json" */
	CLI_FORMAT,   /* int, an enum tw__result_format: "text", "json" or "csv" */
	CLI_WORDS,    /* struct tw__words */
	CLI_REPEATED, /* struct tw__repeated */
	CLI_OWN,      /* set by `take` */
	CLI_INPUT,    /* an input of runs, of which the command has a help of its own */
	/* These are no options, but parts of the help. */
	CLI_INPUTS, /* the inputs of runs that the command takes, without those of type CLI_INPUT */
	CLI_LISTS,  /* of these, the inputs that take lists */
	CLI_VALUES, /* of these, the others */
	CLI_LINES   /* the lines in `help` */
};

/* An option of a command, in the order of its help. --help itself comes last, and is in no table. */
struct cli_option {
	const char *name, *value; /* as in --NAME VALUE; `value` NULL: the option has none */
	enum cli_type type;
	size_t offset; /* of the member */
	double least, most;
	/* Sets what `text` stands for. `option`: the option's name for messages, as in "--shard". */
	int (*take)(void *options, const char *option, const char *text, struct tw_error *err);
	char letter;      /* of the short option; 0: none */
	const char *help; /* one paragraph, or lines that stay as they are; the first may be empty */
};
/* Type and member of an option. */
#define SETS(type_, member) .type = (type_), .offset = offsetof(struct options, member)
/* The help of --where. */
#define CLI_WHERE                                                                                                  \
	"Reads only the rows that have one of these values in COLUMN, as in 'policy=eager,dmdas', 'gpu-mem=2GB', " \
	"'gpu-mem=none' or 'nt=16', a parameter of the workload. Can be given up to 16 times: rows must meet "     \
	"every condition. Default: all rows."

struct command {
	const char *name, *summary;
	const char *usage, *notes; /* the text of --help before the options, and behind them; `notes` may be NULL */
	const struct cli_option *options; /* ends with CLI_END */
	unsigned inputs;   /* TW__FOR_*, for inputs of runs (request/fields.h); 0: the command has none */
	bool has_no_words; /* whether all arguments must be options */
	bool is_told;      /* whether messages about values of options begin with the command's name */
	int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit status */
};

extern const struct command command_run, command_list, command_platform, command_plot, command_export, command_import,
	command_calibrate, command_calibration, command_bounds, command_sweep, command_compare, command_report,
	command_explain, command_diff, command_describe, command_validate, command_validate_model, command_optimum,
	command_adversary;

/* Prints a message on stderr, in one line behind "tilewright: ". Returns `exit_status`. */
int cli_fail(int exit_status, const char *format, ...) TW_PRINTF(2, 3);
/* Prints an error of the library. Returns the exit status for the error `status`. */
int cli_error(int status, const struct tw_error *);

struct tw__inputs;
/* Parses the command line. `options`: the command's struct; NULL: options are only checked. `inputs` gets the inputs of
 * runs. Returns CLI_GO_ON, with optind behind the options. Otherwise returns an exit status: help was printed, or an
 * option is wrong. */
int cli_parse(const struct command *, int argc, char **argv, void *options, struct tw__inputs *inputs);

/* Reads a plan: a file of options of the command, with one `name = value` on each line. Names are those of the command
 * line, without dashes. `*text`: the content of the file, which values point into; the caller frees it, also after an
 * error. Messages of TW_INVALID name file and line. */
int cli_plan(const struct command *, char **text, const char *path, void *options, struct tw__inputs *,
             struct tw_error *err);

/* Prints the command's text of --help on stdout; returns 0. */
int cli_print_usage(const struct command *);

#endif
