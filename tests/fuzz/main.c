/* Gives each file of the command line to a fuzz target once. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

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
	LLVMFuzzerTestOneInput(bytes, n);
	free(bytes);
	return 0;
}

int main(int argc, char **argv)
{
	int failed = argc < 2; /* without a corpus the test fails */
	for (int i = 1; i < argc; i++)
		failed |= run(argv[i]);
	return failed;
}
