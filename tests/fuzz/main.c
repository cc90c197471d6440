/* Gives the files named on the command line to a fuzz target, each once. A target may count in fuzz_accepted the
 * files that its reader accepts. Then files named good-* or runs-* must be accepted, and files named bad-* refused. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);
extern int fuzz_accepted __attribute__((weak));

static int n_good, n_bad;

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* 1: the file was refused and should not have been, or the other way round. */
static int judge(const char *path, bool accepted)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	bool good = begins(name, "good-") || begins(name, "runs-"), bad = begins(name, "bad-");
	n_good += good;
	n_bad += bad;
	if (good && !accepted)
		fprintf(stderr, "%s: refused\n", path);
	if (bad && accepted)
		fprintf(stderr, "%s: accepted\n", path);
	return (good && !accepted) || (bad && accepted);
}

static int run(const char *path)
{
	size_t n = 0, room = 1 << 20;
	uint8_t *bytes = malloc(room);
	FILE *file = fopen(path, "rb");
	if (!file || !bytes) {
		perror(path);
		free(bytes);
		return 1;
	}
	n = fread(bytes, 1, room, file);
	fclose(file);
	printf("%s\n", path);
	int before = &fuzz_accepted ? fuzz_accepted : 0;
	LLVMFuzzerTestOneInput(bytes, n);
	free(bytes);
	return &fuzz_accepted ? judge(path, fuzz_accepted > before) : 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 2; /* without a corpus the test fails */
	for (int i = 1; i < argc; i++)
		failed |= run(argv[i]);
	if (&fuzz_accepted && (!n_good || !n_bad)) {
		fprintf(stderr, "%d files that are good and %d that are bad: expected some of both\n", n_good, n_bad);
		failed = 1;
	}
	return failed;
}
