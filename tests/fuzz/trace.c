/* Traces, as figures read them, on damaged files: FORMAT is paje or chrome. */
#include "memory_file.h"
#include "message.h"
#include "plot/schedule.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
extern int fuzz_accepted;
int fuzz_accepted;

#define JOIN(a, b) a##b
#define READER(format) JOIN(tw__schedule_read_, format)

static void check_samples(const struct tw__samples *s, int n_counters)
{
	for (size_t i = 0; i < s->n; i++)
		require(s->list[i].counter >= 0 && s->list[i].counter < n_counters && s->list[i].date >= 0, "sample",
		        "");
}

static void check(const struct tw__schedule *s)
{
	for (size_t i = 0; i < s->n_boxes; i++) {
		const struct tw__box *b = &s->boxes[i];
		require(b->worker >= 0 && b->worker < s->workers.n && b->kernel >= 0 && b->kernel < s->kernels.n &&
		                b->start >= 0 && b->start <= b->end && b->end <= s->end && b->task >= -1,
		        "box", "");
	}
	check_samples(&s->used, s->memories.n);
	check_samples(&s->flows, s->links.n);
	check_samples(&s->tasks, TW__SUBMITTED_TASKS + 1);
	for (int w = 0; w < s->workers.n; w++) {
		char kind[TW__KIND_BYTES];
		tw__schedule_kind(s, w, kind);
		require(strlen(kind) < TW__KIND_BYTES, "kind", kind);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char path[64];
	struct tw_error err = {""};
	struct tw__schedule schedule;
	int fd = memory_file(path, bytes, n);
	FILE *f = fopen(path, "re");
	require(f != NULL, "fopen", path);
	tw__schedule_init(&schedule);
	int status = READER(FORMAT)(&schedule, f, path, &err);
	if (status == TW_OK) {
		check(&schedule);
		fuzz_accepted++;
	} else {
		require_message(status, &err, path);
	}
	tw__schedule_finish(&schedule);
	fclose(f);
	close(fd);
	return 0;
}
