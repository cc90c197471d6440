/* Platforms from files that are damaged. A platform that was read can be written, and reads back with as much in it. */
#include "memory_file.h"
#include "message.h"
#include "platform/platform.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
extern int fuzz_accepted;
int fuzz_accepted;

static void check(const struct tw__platform *p)
{
	require(p->n_workers > 0 && p->n_archs > 0 && p->n_nodes > 0, "counts", "");
	for (tw_worker w = 0; w < p->n_workers; w++)
		require(p->workers[w].arch >= 0 && p->workers[w].arch < p->n_archs && p->workers[w].node >= 0 &&
		                p->workers[w].node < p->n_nodes,
		        "worker", p->workers[w].name);
}

static void read_back(const struct tw__platform *p)
{
	char *text;
	size_t size;
	struct tw__platform *again = NULL;
	struct tw_error err = {""};
	FILE *f = open_memstream(&text, &size);
	require(f, "write", "no stream");
	tw__platform_write_xml(p, "Written by a test.", f);
	fclose(f);
	f = fmemopen(text, size, "r");
	require(f && tw__platform_read_stream(&again, f, "written", "again", &err) == TW_OK, "read back", err.message);
	fclose(f);
	check(again);
	require(again->n_workers == p->n_workers && again->n_nodes == p->n_nodes && again->n_archs == p->n_archs,
	        "read back", "it has other counts");
	tw__platform_destroy(again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[64];
	struct tw_error err = {""};
	struct tw__platform *platform;
	int fd = memory_file(path, bytes, n);
	int status = tw__platform_read(&platform, path, "fuzz", &err);
	if (status == TW_OK) {
		check(platform);
		read_back(platform);
		fuzz_accepted++;
	} else {
		require_message(status, &err, path);
		require(!platform, "a platform in spite of", err.message);
	}
	tw__platform_destroy(platform);
	close(fd);
	return 0;
}
