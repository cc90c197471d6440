/* Reads task graphs from files of runtime systems, workflow systems and other programs. The folder readers/ has one
 * reader for each format. docs/reference/graphs.md says how the contents of a file become a graph. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tilewright/workload.h>

#include "readers/input.h"
#include "readers/reader.h"

static const struct tw_param params[] = {
	{"path", TW_PARAM_TEXT, NULL, 0, 0, NULL, "the file, or StarVZ's folder; .gz is read, too"},
	{"format", TW_PARAM_CHOICE, "auto", 0, 0, "auto|dot|starpu|starvz|tilewright|wfcommons",
         "format of the file; auto: by its name and its first bytes"},
	{"times", TW_PARAM_CHOICE, "recorded", 0, 0, "recorded|model",
         "times of tasks: recorded ones on the kind of worker where they were recorded; or only the platform's"},
	{"replay", TW_PARAM_FLAG, "no", 0, 0, NULL,
         "keep each task's recorded worker and order, for the policy replay"},
	{"flop_rate", TW_PARAM_REAL, "1e9", 1, 1e18, NULL,
         "DOT: flop/s of nodes that have a size but neither kernel nor seconds"},
	{0},
};

static const struct format {
	const char *name;
	int (*read)(struct tw__draft *, const struct tw__reading *, struct tw_error *);
	bool whole; /* whether the reader builds the graph itself, without a draft */
} formats[] = {
	{"dot", tw__read_dot, false},
	{"starpu", tw__read_starpu, false},
	{"starvz", tw__read_starvz, false},
	{"tilewright", tw__read_graph, true},
	{"wfcommons", tw__read_wfcommons, false},
};
static bool has_ending(const char *path, const char *ending)
{
	size_t n = strlen(path), length = strlen(ending);
	if (n > 3 && !strcmp(path + n - 3, ".gz"))
		n -= 3;
	return n > length && !strncmp(path + n - length, ending, length);
}

static bool starts_with(const char *text, const char *start) { return !strncmp(text, start, strlen(start)); }

/* Guesses the format from the beginning of the text; NULL: unknown. */
static const char *guess_from_head(const char *head)
{
	head += strspn(head, " \t\r\n");
	if (*head == '{')
		return strstr(head, "\"tilewright\"") ? "tilewright" : "wfcommons";
	if (starts_with(head, "digraph") || starts_with(head, "strict") || starts_with(head, "graph") ||
	    starts_with(head, "/*") || starts_with(head, "//"))
		return "dot";
	size_t word = strspn(head, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	return word && starts_with(head + word, ": ") ? "starpu" : NULL;
}

static int guess_format(const char **name, const char *path, struct tw_error *err)
{
	static const char expected[] = "expected format=dot|starpu|starvz|tilewright|wfcommons";
	/* Regular, if stat fails: opening the file then fails with a message. */
	struct stat about = {.st_mode = S_IFREG};
	char head[4096];
	(void)stat(path, &about);
	*name = S_ISDIR(about.st_mode)                                ? "starvz"
	        : has_ending(path, ".dot") || has_ending(path, ".gv") ? "dot"
	        : has_ending(path, ".rec")                            ? "starpu"
	                                                              : NULL;
	if (*name)
		return TW_OK;
	if (!S_ISREG(about.st_mode)) /* a pipe can be read only once, so do not look into it */
		return tw_fail(err, TW_INVALID, "%.256s: not a regular file, so its format cannot be guessed, %s", path,
		               expected);
	int status = tw__input_head(head, sizeof head, path, err);
	if (status < 0)
		return status;
	*name = guess_from_head(head);
	return *name ? TW_OK : tw_fail(err, TW_INVALID, "%.256s: unknown format, %s", path, expected);
}

static int read_graph(struct tw__draft *draft, const struct tw__reading *reading, const char *name,
                      struct tw_error *err)
{
	int status = TW_OK, i = 0;
	if (!strcmp(name, "auto"))
		status = guess_format(&name, reading->path, err);
	if (status < 0)
		return status;
	while (strcmp(formats[i].name, name) != 0)
		i++;
	status = formats[i].read(draft, reading, err);
	if (status == TW_OK && !formats[i].whole)
		status = tw__draft_submit(draft, err);
	if (status == TW_OK)
		tw__draft_log(draft, name);
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
	if (!*reading.path)
		return tw_fail(err, TW_INVALID, "workload 'file': path is empty: expected the name of a file");
	if (reading.replay && !reading.recorded)
		return tw_fail(err, TW_INVALID,
		               "workload 'file': replay=yes, times=model: expected times=recorded with replay=yes");
	struct tw__draft draft;
	tw__draft_init(&draft, g, reading.path);
	draft.replay = reading.replay;
	int status = read_graph(&draft, &reading, tw_args_text(args, "format"), err);
	tw__draft_finish(&draft);
	return status;
}

const struct tw_workload tw_workload_file = {
	.abi = TW_WORKLOAD_ABI,
	.name = "file",
	.summary = "a task graph from a file: DOT, StarPU's tasks.rec, StarVZ's tables, WfCommons, Tilewright's own",
	.params = params,
	.generate = generate,
};
