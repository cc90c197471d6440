/* Failing allocations: each allocation in turn fails while a task graph is read and written. The result must be an
 * error without a crash, and the next reading must work.
 *
 *     test_memory SPEC... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/failing_memory.h"
#include "base/door.h"
#include "experiment/load.h"
#include "export/export.h"

static int read_and_write(struct tw_graph **graph, const char *spec, FILE *nowhere, struct tw_error *err)
{
	struct tw__door door;
	if (TW__MEMORY_RUNS_OUT(&door))
		return tw__out_of_memory(err);
	int status = tw__generate(graph, spec, err);
	if (status == TW_OK)
		status = tw__export_json(nowhere, *graph, err);
	if (status == TW_OK)
		status = tw__export_dot(nowhere, *graph, err);
	if (status == TW_OK)
		status = tw__export_graphml(nowhere, *graph, err);
	tw__door_close(&door);
	return status;
}

/* Reads and writes while the n-th allocation fails. Returns true if there were that many allocations. */
static int try(const char *spec, long n, FILE *nowhere, int *bad)
{
	struct tw_error err = {""};
	struct tw_graph *graph = NULL;
	until_failure = n;
	int status = read_and_write(&graph, spec, nowhere, &err);
	int reached = until_failure < 0;
	until_failure = -1;
	tw_graph_destroy(graph);
	/* If jansson has no memory for a string, it reports an error in the file. */
	if (status != TW_OK && status != TW_NOMEM && !strstr(err.message, "expected JSON")) {
		printf("%s, allocation %ld: %d, %s\n", spec, n, status, err.message);
		*bad = 1;
	}
	if (status != TW_OK && !reached) {
		printf("%s: %s\n", spec, err.message);
		*bad = 1;
	}
	return reached;
}

int main(int argc, char **argv)
{
	int bad = argc < 2;
	FILE *nowhere = fopen("/dev/null", "w");
	for (int i = 1; nowhere && i < argc; i++) {
		long n = 0;
		while (try(argv[i], n, nowhere, &bad))
			n++;
		printf("%s: %ld allocations\n", argv[i], n);
	}
	return bad || !nowhere || fclose(nowhere) != 0;
}
