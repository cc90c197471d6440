/* Settings, the count of calls, injected failures, error strings. */
#include "standin.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../../kernels/blas.h"

/* --- settings ----------------------------------------------------------------------------------------------------- */

static struct standin_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static double number(const char *name, double otherwise)
{
	const char *words = getenv(name);
	return words && *words ? strtod(words, NULL) : otherwise;
}

/* Used if no file is set. */
static long own_tally[STANDIN_TALLIES], *tally = own_tally;

static void map_tally(const char *path)
{
	int fd = path && *path ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
	if (fd < 0)
		return;
	void *at = ftruncate(fd, sizeof own_tally) == 0
	                   ? mmap(NULL, sizeof own_tally, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
	                   : MAP_FAILED;
	if (at != MAP_FAILED)
		tally = at;
	close(fd);
}

/* The value for a GPU; false: not set. */
static bool word_of(const char *name, int gpu, char *word, size_t room)
{
	const char *words = getenv(name), *comma;
	if (!words || !*words)
		return false;
	for (int i = 0; i < gpu && (comma = strchr(words, ',')); i++)
		words = comma + 1;
	snprintf(word, room, "%.*s", (int)strcspn(words, ","), words);
	return true;
}

static struct standin_gpu read_gpu(int i)
{
	struct standin_gpu gpu = {.name = "Stand-in", .major = 9, .memory_bytes = 1 << 30};
	char word[64];
	word_of("STANDIN_NAMES", i, gpu.name, sizeof gpu.name);
	if (word_of("STANDIN_CAPABILITY", i, word, sizeof word) && sscanf(word, "%d.%d", &gpu.major, &gpu.minor) != 2)
		fprintf(stderr, "standin: STANDIN_CAPABILITY has '%s': expected two numbers, as in 9.0\n", word);
	if (word_of("STANDIN_MEMORY", i, word, sizeof word))
		gpu.memory_bytes = (size_t)strtod(word, NULL);
	return gpu;
}

static void read_settings(void)
{
	const char *peers = getenv("STANDIN_PEERS");
	double gpus = number("STANDIN_GPUS", 1);
	settings.n_gpus = gpus < STANDIN_MOST_GPUS ? (int)gpus : STANDIN_MOST_GPUS;
	for (int i = 0; i < settings.n_gpus; i++)
		settings.gpus[i] = read_gpu(i);
	settings.driver = (int)number("STANDIN_DRIVER", STANDIN_RUNTIME);
	settings.peers = !peers || strcmp(peers, "no") != 0;
	settings.bandwidth = number("STANDIN_BANDWIDTH", 0);
	settings.kernel_us = getenv("STANDIN_KERNEL_US");
	settings.blocks_us = getenv("STANDIN_BLOCKS_US");
	settings.query_s = 1e-6 * number("STANDIN_QUERY_US", 0);
	settings.launch_s = 1e-6 * number("STANDIN_LAUNCH_US", 0);
	settings.cpu_us = getenv("STANDIN_CPU_US");
	settings.alone = number("STANDIN_ALONE", 0);
	settings.launch_growth_s = 1e-6 * number("STANDIN_LAUNCH_GROWTH_US", 0);
	settings.copy_growth = number("STANDIN_COPY_GROWTH", 0);
	settings.far = number("STANDIN_FAR", 0);
	settings.cpu_slowed = number("STANDIN_CPU_SLOWED", 0);
	const char *pause = getenv("STANDIN_PAUSE");
	if (pause && sscanf(pause, "%d,%lf", &settings.pause_every, &settings.pause_s) == 2)
		settings.pause_s *= 1e-6;
	settings.image_error = (int)number("STANDIN_IMAGE_ERROR", 0);
	settings.fail_at = (unsigned long)number("STANDIN_FAIL_AT", 0);
	map_tally(getenv("STANDIN_TALLY"));
	openblas_set_num_threads(1);
}

const struct standin_settings *standin_settings(void)
{
	pthread_once(&once, read_settings);
	return &settings;
}

double standin_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- calls -------------------------------------------------------------------------------------------------------- */

/* Relaxed, because counting does not order threads. */
bool standin_fails(void)
{
	long fail_at = (long)standin_settings()->fail_at;
	return __atomic_add_fetch(&tally[0], 1, __ATOMIC_RELAXED) == fail_at;
}

void standin_count(enum standin_kind kind, long change)
{
	__atomic_add_fetch(&tally[1 + kind], change, __ATOMIC_RELAXED);
}

int standin_refuse(int error, const char *function, const char *format, ...)
{
	char words[300];
	va_list args;
	va_start(args, format);
	vsnprintf(words, sizeof words, format, args);
	va_end(args);
	fprintf(stderr, "standin: %s: %s\n", function, words);
	return error;
}

static void write_count(const char *path)
{
	FILE *file = fopen(path, "w");
	if (!file) {
		perror(path);
		return;
	}
	fprintf(file, "%ld\n", __atomic_load_n(&tally[0], __ATOMIC_RELAXED));
	fclose(file);
}

__attribute__((destructor)) static void at_exit(void)
{
	const char *count = getenv("STANDIN_COUNT"), *leaks = getenv("STANDIN_LEAKS");
	if (count && *count)
		write_count(count);
	if (leaks && strcmp(leaks, "1") == 0)
		standin_report();
}

/* --- strings ------------------------------------------------------------------------------------------------------ */

struct text {
	int code;
	const char *words;
};

static const struct text errors[] = {
	{0, "no error"},
	{STANDIN_INVALID_VALUE, "invalid argument"},
	{STANDIN_NO_MEMORY, "out of memory"},
	{STANDIN_INVALID_KIND, "invalid copy direction for memcpy"},
	{STANDIN_OLD_DRIVER, "CUDA driver version is insufficient for CUDA runtime version"},
	{STANDIN_NO_DEVICE, "no CUDA-capable device is detected"},
	{STANDIN_INVALID_DEVICE, "invalid device ordinal"},
	{STANDIN_INVALID_IMAGE, "device kernel image is invalid"},
	{STANDIN_NO_CONTEXT, "invalid device context"},
	{TW__CUDA_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"},
	{STANDIN_NO_PEERS, "peer access is not supported between these two devices"},
	{TW__CUDA_OTHER_PTX, "the provided PTX was compiled with an unsupported toolchain."},
	{STANDIN_INVALID_HANDLE, "invalid resource handle"},
	{STANDIN_NOT_FOUND, "named symbol not found"},
	{STANDIN_NOT_READY, "device not ready"},
	{STANDIN_PEER_TWICE, "peer access is already enabled"},
	{STANDIN_REGISTERED_TWICE, "part or all of the requested memory range is already mapped"},
	{STANDIN_NOT_REGISTERED, "pointer does not correspond to a registered memory region"},
	{STANDIN_UNKNOWN, "unknown error"},
};

static const struct text statuses[] = {
	{0, "CUBLAS_STATUS_SUCCESS"},
	{1, "CUBLAS_STATUS_NOT_INITIALIZED"},
	{STANDIN_BLAS_NO_MEMORY, "CUBLAS_STATUS_ALLOC_FAILED"},
	{STANDIN_BLAS_INVALID, "CUBLAS_STATUS_INVALID_VALUE"},
	{STANDIN_BLAS_EXECUTION, "CUBLAS_STATUS_EXECUTION_FAILED"},
	{STANDIN_BLAS_INTERNAL, "CUBLAS_STATUS_INTERNAL_ERROR"},
};

static const char *text_of(const struct text *texts, size_t n, int code, const char *otherwise)
{
	for (size_t i = 0; i < n; i++)
		if (texts[i].code == code)
			return texts[i].words;
	return otherwise;
}

const char *cudaGetErrorString(int error)
{
	return text_of(errors, sizeof errors / sizeof *errors, error, "unrecognized error code");
}

int cuGetErrorString(int error, const char **text)
{
	*text = text_of(errors, sizeof errors / sizeof *errors, error, NULL);
	return *text ? 0 : STANDIN_INVALID_VALUE;
}

const char *cublasGetStatusString(int status)
{
	return text_of(statuses, sizeof statuses / sizeof *statuses, status, "<unknown>");
}
