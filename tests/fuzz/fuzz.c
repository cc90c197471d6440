/* Feeds arbitrary bytes to one reader of task graphs; FORMAT, a macro, selects it. The result must be a one-line error
 * with "expected", or a valid graph, which a round trip through our own format must not change.
 *
 * With libFuzzer this is the fuzz target; with main.c it is a program that takes files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/spec.h"
#include "export/export.h"
#include <tilewright/workload.h>

extern const struct tw_workload tw_workload_file;
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void require(bool holds, const char *what, const struct tw_error *err)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, err->message);
	abort();
}

/* NULL: an error; see `err`. */
static struct tw_graph *read_graph(const char *path, const char *options, struct tw_error *err)
{
	struct tw__spec spec;
	struct tw_args *args;
	char text[256];
	snprintf(text, sizeof text, "file:%s%s", path, options);
	require(tw__spec_parse(&spec, text, err) == TW_OK, "specification", err);
	require(tw__args_create(&args, "workload 'file'", tw_workload_file.params, &spec, err) == TW_OK, "arguments",
	        err);
	tw__spec_finish(&spec);
	struct tw_graph *graph = tw_graph_create();
	int status = graph ? tw_workload_file.generate(graph, args, err) : tw_fail(err, TW_NOMEM, "out of memory");
	if (status == TW_OK)
		status = tw_graph_finish(graph, err);
	tw__args_destroy(args);
	if (status == TW_OK)
		return graph;
	require(*err->message && (status == TW_NOMEM || strstr(err->message, "expected")), "message", err);
	tw_graph_destroy(graph);
	return NULL;
}

/* Makes a file in memory with these bytes, and the path to it. Returns its descriptor. */
static int open_nameless(char *path, size_t room, const uint8_t *bytes, size_t n)
{
	struct tw_error err = {"no memory file"};
	int fd = memfd_create("fuzz", 0);
	require(fd >= 0 && write(fd, bytes, n) == (ssize_t)n, "memfd", &err);
	snprintf(path, room, "/proc/self/fd/%d", fd);
	return fd;
}

static char *write_json(const struct tw_graph *g, size_t *n)
{
	struct tw_error err = {"no stream"};
	char *text;
	FILE *f = open_memstream(&text, n);
	require(f && tw__export_json(f, g, &err) == TW_OK && fclose(f) == 0, "export", &err);
	return text;
}

/* Writing a graph and reading it back must give the same graph. */
static void check_round_trip(const struct tw_graph *g, const char *replay)
{
	char path[64], options[64];
	size_t n, n_again;
	struct tw_error err = {""};
	char *text = write_json(g, &n);
	int fd = open_nameless(path, sizeof path, (const uint8_t *)text, n);
	snprintf(options, sizeof options, ":format=tilewright%s", replay);
	struct tw_graph *again = read_graph(path, options, &err);
	require(again != NULL, "round trip", &err);
	char *text_again = write_json(again, &n_again);
	require(n == n_again && !memcmp(text, text_again, n), "round trip", &err);
	free(text_again);
	tw_graph_destroy(again);
	close(fd);
	free(text);
}

#ifdef FOLDER
/* StarVZ's tables: the input has them one after the other, with lines "===" between. */
static const char *const tables[] = {"rec.tasks.csv", "dag.csv", "worker_state.csv"};

static void open_input(char *path, size_t room, const uint8_t *bytes, size_t n)
{
	struct tw_error err = {"no folder"};
	const char *place = getenv("TMPDIR");
	snprintf(path, room, "%s/fuzz.XXXXXX", place ? place : access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	require(mkdtemp(path) != NULL, "mkdtemp", &err);
	for (int i = 0; i < 3 && bytes; i++) {
		char name[128];
		const uint8_t *end = i < 2 ? memmem(bytes, n, "===\n", 4) : NULL;
		size_t length = end ? (size_t)(end - bytes) : n;
		snprintf(name, sizeof name, "%s/%s", path, tables[i]);
		FILE *f = fopen(name, "w");
		require(f && fwrite(bytes, 1, length, f) == length && fclose(f) == 0, "table", &err);
		n -= length + (end ? 4 : 0);
		bytes = end ? end + 4 : NULL;
	}
}

static void close_input(const char *path)
{
	for (int i = 0; i < 3; i++) {
		char name[128];
		snprintf(name, sizeof name, "%s/%s", path, tables[i]);
		unlink(name);
	}
	rmdir(path);
}
#else
static int input;

static void open_input(char *path, size_t room, const uint8_t *bytes, size_t n)
{
	input = open_nameless(path, room, bytes, n);
}

static void close_input(const char *path)
{
	(void)path;
	close(input);
}
#endif

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const variants[] = {"", ":times=model", ":replay=yes"};
	char path[64];
	open_input(path, sizeof path, bytes, n);
	for (int i = 0; i < 3; i++) {
		struct tw_error err = {""};
		char options[64];
		snprintf(options, sizeof options, ":format=" FORMAT "%s", variants[i]);
		struct tw_graph *graph = read_graph(path, options, &err);
		if (!graph)
			continue;
		require(tw__graph_check(graph, &err) == TW_OK, "graph", &err);
		check_round_trip(graph, i == 2 ? variants[i] : "");
		tw_graph_destroy(graph);
	}
	close_input(path);
	return 0;
}
