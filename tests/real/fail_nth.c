/* A preloaded library that makes the N-th call of a function by libtilewright fail. N is $FAIL_AT; $FAIL names one of
 * the functions below ("malloc" stands for all allocations). Parent and child processes are counted together. With
 * $FAIL_LOG, the failed call creates a file of that name. */
#undef _FILE_OFFSET_BITS /* mmap and mmap64 are two functions here */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static _Atomic(long) *calls;
static _Thread_local bool looking;

__attribute__((constructor)) static void begin(void)
{
	void *shared = mmap(NULL, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
	calls = shared;
}

/* Calls from other libraries do not fail: only libtilewright's error handling is tested. */
static bool is_ours(const void *caller)
{
	Dl_info about;
	return dladdr(caller, &about) && about.dli_fname && strstr(about.dli_fname, "libtilewright");
}

static bool fails(const char *function, const void *caller)
{
	const char *which = getenv("FAIL"), *at = getenv("FAIL_AT"), *log = getenv("FAIL_LOG");
	if (looking || !calls || !which || !at || strcmp(which, function) != 0)
		return false;
	looking = true;
	bool now = is_ours(caller) && atomic_fetch_add(calls, 1) + 1 == atol(at);
	if (now && log)
		close(open(log, O_CREAT | O_WRONLY, 0666));
	looking = false;
	return now;
}

/* ISO C has no cast from dlsym's result to a function. */
#define NEXT(result, name, call, ...)             \
	(((union {                                \
		 void *object;                    \
		 result (*function)(__VA_ARGS__); \
	 }){.object = dlsym(RTLD_NEXT, name)})    \
	         .function call)
#define FAILS(function) fails(function, __builtin_return_address(0))

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
	*__libc_memalign(size_t, size_t);

void *malloc(size_t bytes)
{
	errno = ENOMEM;
	return FAILS("malloc") ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t n, size_t bytes)
{
	errno = ENOMEM;
	return FAILS("malloc") ? NULL : __libc_calloc(n, bytes);
}

void *realloc(void *at, size_t bytes)
{
	errno = ENOMEM;
	return FAILS("malloc") ? NULL : __libc_realloc(at, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
	errno = ENOMEM;
	return FAILS("malloc") ? NULL : __libc_memalign(alignment, bytes);
}

int posix_memalign(void **at, size_t alignment, size_t bytes)
{
	void *room = FAILS("malloc") ? NULL : __libc_memalign(alignment, bytes);
	if (!room)
		return ENOMEM;
	*at = room;
	return 0;
}

char *strdup(const char *text)
{
	size_t bytes = strlen(text) + 1;
	char *copy = FAILS("malloc") ? NULL : __libc_malloc(bytes);
	return copy ? memcpy(copy, text, bytes) : NULL;
}

static void *map(const char *name, const void *caller, void *at, size_t bytes, int protection, int flags, int fd,
                 off_t offset)
{
	if (fails("mmap", caller)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	return NEXT(void *, name, (at, bytes, protection, flags, fd, offset), void *, size_t, int, int, int, off_t);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	return map("mmap", __builtin_return_address(0), at, bytes, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
	return map("mmap64", __builtin_return_address(0), at, bytes, protection, flags, fd, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *arg)
{
	if (FAILS("pthread_create"))
		return EAGAIN;
	return NEXT(int, "pthread_create", (thread, attributes, work, arg), pthread_t *, const pthread_attr_t *,
	            void *(*)(void *), void *);
}

pid_t fork(void)
{
	errno = EAGAIN;
	return FAILS("fork") ? -1 : NEXT(pid_t, "fork", (), void);
}

int socketpair(int domain, int type, int protocol, int ends[2])
{
	errno = EMFILE;
	return FAILS("socketpair") ? -1
	                           : NEXT(int, "socketpair", (domain, type, protocol, ends), int, int, int, int[2]);
}

FILE *tmpfile(void)
{
	errno = EROFS;
	return FAILS("tmpfile") ? NULL : NEXT(FILE *, "tmpfile", (), void);
}

FILE *tmpfile64(void)
{
	errno = EROFS;
	return FAILS("tmpfile") ? NULL : NEXT(FILE *, "tmpfile64", (), void);
}

void *dlopen(const char *path, int flags)
{
	if (!FAILS("dlopen"))
		return NEXT(void *, "dlopen", (path, flags), const char *, int);
	return NEXT(void *, "dlopen", ("/nowhere/to/be/found.so", flags), const char *, int);
}
