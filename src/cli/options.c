/* Parses options, in the same way for all commands. */
#include <getopt.h>

#include "cli/cli.h"

int cli_options(const struct command *command, int argc, char **argv, const char *letters, const struct option *options,
                cli_take *take, void *context)
{
	struct tw_error err;
	int option;
	while ((option = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		if (option == 'h')
			return cli_print_usage(command);
		if (option == '?' || option == ':')
			return cli_bad_option(command, option, argv, options);
		int status = take ? take(context, option, optarg, &err) : TW_OK;
		if (status < 0)
			return cli_error(status, &err);
	}
	return CLI_GO_ON;
}

int cli_options_only(const struct command *command, int argc, char **argv, const char *letters,
                     const struct option *options, cli_take *take, void *context)
{
	int exit_status = cli_options(command, argc, argv, letters, options, take, context);
	if (exit_status != CLI_GO_ON || optind == argc)
		return exit_status;
	return cli_fail(EXIT_BAD_INPUT, "%s: '%s': expected options only, see 'tilewright %s --help'", command->name,
	                argv[optind], command->name);
}
