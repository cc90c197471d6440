/* Reads task graphs from files of runtime systems, workflow systems and other programs. The folder readers/ has one
 * reader for each format. docs/reference/graphs.md says how the contents of a file become a graph. */
#include <string.h>
#include <sys/stat.h>

#include <tilewright/workload.h>

#include "readers/json.h"

#define BLANKS " \t\r\n"
#define FORMATS "dax|dot|graphml|psplib|saga|starpu|starvz|stg|tilewright|wfcommons"

static const struct tw_param params[] = {
	{"path", TW_PARAM_TEXT, NULL, 0, 0, NULL, "the file, or StarVZ's folder; .gz is read, too"},
	{"format", TW_PARAM_CHOICE, "auto", 0, 0, "auto|" FORMATS,
         "format of the file; auto: by its name and its first bytes"},
	{"times", TW_PARAM_CHOICE, "recorded", 0, 0, "recorded|model",
         "times of tasks: recorded ones on the kind of worker where they were recorded; or only the platform's"},
	{"replay", TW_PARAM_FLAG, "no", 0, 0, NULL,
         "keep each task's recorded worker and order, for the policy replay"},
	{"flop_rate", TW_PARAM_REAL, "1e9", 1, 1e18, NULL,
         "DOT: flop/s of nodes that have a size but neither kernel nor seconds"},
	{"default_seconds", TW_PARAM_REAL, "0", 0, 1e9, NULL,
         "time of tasks to which the file gives none, on every worker; 0: they take the platform's"},
	{"unit_seconds", TW_PARAM_REAL, "0", 0, 1e9, NULL,
         "formats whose times have no unit: one unit in seconds; 0: 1 s, with a warning"},
	{"unit_bytes", TW_PARAM_REAL, "0", 0, 1e18, NULL, "SAGA: one unit of data in bytes; 0: 1 B, with a warning"},
	{0},
};

static const struct format {
	const char *name;
	void (*read)(struct tw__draft *);
	bool whole;                  /* whether the reader builds the graph itself, without a draft */
	bool has_seconds, has_bytes; /* whether times and sizes of the format have units */
	const char *endings[2];      /* of names of files */
} formats[] = {
	{"dax", tw__read_dax, false, true, true, {".dax"}},
	{"dot", tw__read_dot, false, true, true, {".dot", ".gv"}},
	{"graphml", tw__read_graphml, false, true, true, {".graphml"}},
	{"psplib", tw__read_psplib, false, false, true, {".sm"}},
	{"saga", tw__read_saga, false, false, false, {NULL}},
	{"starpu", tw__read_starpu, false, true, true, {".rec"}},
	{"starvz", tw__read_starvz, false, true, true, {NULL}},
	{"stg", tw__read_stg, false, false, true, {".stg"}},
	{"tilewright", tw__read_graph, true, true, true, {NULL}},
	{"wfcommons", tw__read_wfcommons, false, true, true, {NULL}},
};
enum { N_FORMATS = sizeof formats / sizeof formats[0] };

static bool has_ending(const char *path, const char *ending)
{
	size_t n = strlen(path), length = strlen(ending);
	if (n > 3 && !strcmp(path + n - 3, ".gz"))
		n -= 3;
	return n > length && !strncmp(path + n - length, ending, length);
}

static bool starts_with(const char *text, const char *start) { return !strncmp(text, start, strlen(start)); }

/* Guesses the format from the beginning of the text, which is not JSON; NULL: unknown. */
static const char *guess_from_head(const char *head)
{
	if (starts_with(head, "digraph") || starts_with(head, "strict") || starts_with(head, "graph") ||
	    starts_with(head, "/*") || starts_with(head, "//"))
		return "dot";
	if (starts_with(head, "****"))
		return "psplib";
	if (*head == '<')
		return strstr(head, "<adag") ? "dax" : strstr(head, "<graphml") ? "graphml" : NULL;
	size_t word = strspn(head, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
	return word && starts_with(head + word, ": ") ? "starpu" : NULL;
}

/* Tells the formats that are JSON apart, by the members of the outermost object. */
static const char *guess_json(struct tw__draft *d)
{
	static const char *const members[][2] = {{"tilewright", "tilewright"},
	                                         {"workflow", "wfcommons"},
	                                         {"task_graph", "saga"},
	                                         {"dependencies", "saga"}};
	struct tw__json json;
	struct tw__json_at root = tw__json_read(&json, d);
	const char *name = NULL;
	for (size_t i = 0; i < sizeof members / sizeof members[0] && !name; i++)
		if (json_object_get(root.value, members[i][0]))
			name = members[i][1];
	if (!name)
		tw__json_fail(&root, "JSON of an unknown format, expected a member 'tilewright', 'workflow' as "
		                     "WfCommons has it, or 'task_graph' as SAGA and DAGBench");
	tw__json_finish(&json);
	return name;
}

static const char *guess_from_name(const char *path)
{
	for (int f = 0; f < N_FORMATS; f++)
		for (int i = 0; i < 2 && formats[f].endings[i]; i++)
			if (has_ending(path, formats[f].endings[i]))
				return formats[f].name;
	return NULL;
}

/* Whether the text begins as Tilewright's JSON, whose first member is "tilewright". */
static bool is_own(const char *text)
{
	static const char member[] = "\"tilewright\"";
	if (*text != '{')
		return false;
	text += 1 + strspn(text + 1, BLANKS);
	if (strncmp(text, member, sizeof member - 1) != 0)
		return false;
	text += sizeof member - 1;
	return text[strspn(text, BLANKS)] == ':';
}

/* Returns the name of the file's format; NULL: an error. */
static const char *guess_format(struct tw__draft *d)
{
	/* Regular, if stat fails: opening the file then fails with a message. */
	struct stat about = {.st_mode = S_IFREG};
	char head[1 << 16];
	(void)stat(d->file, &about);
	const char *name = S_ISDIR(about.st_mode) ? "starvz" : guess_from_name(d->file);
	if (name)
		return name;
	if (!S_ISREG(about.st_mode)) { /* a pipe can be read only once, so do not look into it */
		tw__draft_fail(d, 0, "not a regular file, so its format cannot be guessed, expected format=" FORMATS);
		return NULL;
	}
	d->status = tw__input_head(head, sizeof head, d->file, d->err);
	if (d->status < 0)
		return NULL;
	const char *text = head + strspn(head, BLANKS);
	if (is_own(text)) /* such files can be great: do not read them twice */
		return "tilewright";
	if (*text == '{' || *text == '[')
		return guess_json(d);
	name = guess_from_head(text);
	if (!name)
		tw__draft_fail(d, 0, "unknown format, expected format=" FORMATS);
	return name;
}

static int check_units(const struct format *format, const struct tw__draft *d, struct tw_error *err)
{
	if (format->has_seconds && d->unit_seconds > 0)
		return tw_fail(
			err, TW_INVALID,
			"workload 'file': unit_seconds=%g, but times of format %s are in seconds: expected it with "
			"psplib, saga and stg only",
			d->unit_seconds, format->name);
	if (format->has_bytes && d->unit_bytes > 0)
		return tw_fail(
			err, TW_INVALID,
			"workload 'file': unit_bytes=%g, but format %s has no sizes without a unit: expected it with "
			"saga only",
			d->unit_bytes, format->name);
	return TW_OK;
}

static void read_graph(struct tw__draft *d, const char *name)
{
	const struct format *format = formats;
	if (!strcmp(name, "auto"))
		name = guess_format(d);
	if (!name)
		return;
	while (strcmp(format->name, name) != 0)
		format++;
	d->status = check_units(format, d, d->err);
	if (d->status == TW_OK)
		format->read(d);
	if (d->status == TW_OK && !format->whole)
		tw__draft_submit(d);
	if (d->status == TW_OK)
		tw__draft_log(d, name);
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct tw__draft d;
	tw__draft_init(&d, g, tw_args_text(args, "path"), err);
	d.recorded = !strcmp(tw_args_text(args, "times"), "recorded");
	d.replay = tw_args_flag(args, "replay");
	d.flop_rate = tw_args_real(args, "flop_rate");
	d.default_seconds = tw_args_real(args, "default_seconds");
	d.unit_seconds = tw_args_real(args, "unit_seconds");
	d.unit_bytes = tw_args_real(args, "unit_bytes");
	if (!*d.file)
		return tw_fail(err, TW_INVALID, "workload 'file': path is empty: expected the name of a file");
	if (d.replay && !d.recorded)
		return tw_fail(err, TW_INVALID,
		               "workload 'file': replay=yes, times=model: expected times=recorded with replay=yes");
	if (d.default_seconds > 0 && !d.recorded)
		return tw_fail(err, TW_INVALID,
		               "workload 'file': default_seconds, times=model: expected times=recorded with "
		               "default_seconds");
	read_graph(&d, tw_args_text(args, "format"));
	int status = d.status;
	tw__draft_finish(&d);
	return status;
}

const struct tw_workload tw_workload_file = {
	.abi = TW_WORKLOAD_ABI,
	.name = "file",
	.summary = "a task graph from a file: DOT, GraphML, StarPU, StarVZ, WfCommons, DAX, SAGA, STG, PSPLIB, our own",
	.params = params,
	.generate = generate,
};
