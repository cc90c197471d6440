/* Task graphs from files: of runtime systems, workflow systems, other programs. One reader for each format stands in readers/;
 * docs/graphs.md tells what becomes of what is in a file. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tilewright/workload.h>

#include "readers/reader.h"

static const struct tw_param params[] = {
	{"path", TW_PARAM_TEXT, NULL, 0, 0, NULL, "the file, or StarVZ's folder; .gz is read, too"},
	{"format", TW_PARAM_CHOICE, "auto", 0, 0, "auto|dot|starpu|starvz|wfcommons",
         "what is in it; auto: by its name and its first bytes"},
	{"times", TW_PARAM_CHOICE, "recorded", 0, 0, "recorded|model",
         "of tasks: recorded ones on the kind of worker where they were recorded; or only the platform's kernel times"},
	{"replay", TW_PARAM_FLAG, "no", 0, 0, NULL,
         "keep each task's recorded worker and order, for the policy replay"},
	{"flop_rate", TW_PARAM_REAL, "1e9", 1, 1e18, NULL,
         "DOT: flop/s of nodes that have a size and neither kernel nor seconds"},
	{0},
};

static const struct format {
	const char *name;
	int (*read)(struct tw__draft *, const struct tw__reading *, struct tw_error *);
	const char *ending; /* of the file's name, that of gzip aside; NULL: none is sure */
	const char *starts; /* the file starts so, blanks and comments aside */
} formats[] = {
	{"dot", tw__read_dot, ".dot", NULL},          {"dot", tw__read_dot, ".gv", NULL},
	{"starpu", tw__read_starpu, ".rec", NULL},    {"starvz", tw__read_starvz, NULL, NULL},
	{"wfcommons", tw__read_wfcommons, NULL, "{"},
};
enum { N_FORMATS = sizeof formats / sizeof formats[0] };

static const struct format *find_format(const char *name)
{
	for (int i = 0; i < N_FORMATS; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

static bool has_ending(const char *path, const char *ending)
{
	size_t n = strlen(path), length = strlen(ending);
	if (n > 3 && !strcmp(path + n - 3, ".gz"))
		n -= 3;
	return n > length && !strncmp(path + n - length, ending, length);
}

static const struct format *guess_format(const char *path)
{
	struct stat about;
	if (stat(path, &about) == 0 && S_ISDIR(about.st_mode))
		return find_format("starvz");
	for (int i = 0; i < N_FORMATS; i++)
		if (formats[i].ending && has_ending(path, formats[i].ending))
			return &formats[i];
	return find_format("wfcommons");
}

static int read_graph(struct tw__draft *draft, const struct tw__reading *reading, const char *format,
                      struct tw_error *err)
{
	const struct format *f = find_format(format);
	if (!f)
		f = guess_format(reading->path);
	int status = f->read(draft, reading, err);
	if (status == TW_OK)
		status = tw__draft_submit(draft, err);
	if (status == TW_OK)
		tw__draft_log(draft, f->name);
	return status;
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct tw__reading reading = {
		.path = tw_args_text(args, "path"),
		.recorded = !strcmp(tw_args_text(args, "times"), "recorded"),
		.replay = tw_args_flag(args, "replay"),
		.flop_rate = tw_args_real(args, "flop_rate"),
	};
	if (reading.replay && !reading.recorded)
		return tw_fail(err, TW_INVALID,
		               "workload 'file': replay=yes and times=model, expected recorded times for a replay");
	struct tw__draft draft;
	tw__draft_init(&draft, g, reading.path);
	draft.replay = reading.replay;
	int status = read_graph(&draft, &reading, tw_args_text(args, "format"), err);
	tw__draft_finish(&draft);
	return status;
}

const struct tw_workload tw_workload_file = {
	.name = "file",
	.summary = "a task graph from a file (WfCommons)",
	.params = params,
	.generate = generate,
};
