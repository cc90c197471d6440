/* tilewright plot: draws figures. */
#include "cli/cli.h"

#include <getopt.h>
#include <string.h>

#include "cli/plot_options.h"

static int draw(struct plot_options *o, const char *kind, const char *file)
{
	struct tw_error err;
	int status;
	if (plot_kind(kind)) {
		o->request.kind = kind;
		o->request.results = file;
		o->request.where = o->where.of;
		o->request.names = (const char *const *)o->names.of;
		status = tw__plot_results(&o->request, &err);
	} else if (!strcmp(kind, "order")) {
		o->order.trace = file;
		o->order.output = o->request.output;
		o->order.keep_script = o->request.keep_script;
		o->order.workers = (const char *const *)o->workers.of;
		o->order.n_workers = o->workers.n;
		status = tw__plot_order(&o->order, &err);
	} else {
		o->gantt.trace = file;
		o->gantt.output = o->request.output;
		o->gantt.keep_script = o->request.keep_script;
		o->gantt.view.workers = (const char *const *)o->workers.of;
		o->gantt.view.n_workers = o->workers.n;
		o->gantt.view.kinds = (const char *const *)o->fold.of;
		o->gantt.view.n_kinds = o->fold.n;
		status = tw__plot_gantt(&o->gantt, &err);
	}
	return status < 0 ? cli_error(status, &err) : 0;
}

static int plot(int argc, char **argv)
{
	struct plot_options o;
	int exit_status = plot_options_init(&o, argc, argv);
	if (exit_status == CLI_GO_ON)
		exit_status = plot_options_check(&o, argv[optind], argc - optind - 1);
	if (exit_status == CLI_GO_ON)
		exit_status = draw(&o, argv[optind], argv[optind + 1]);
	plot_options_finish(&o);
	return exit_status;
}

const struct command command_plot = {
	.name = "plot",
	.summary = "draw a figure from a trace or from results",
	.usage = plot_usage,
	.run = plot,
};
