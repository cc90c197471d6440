/* Loads a shared object in a child process first. The loader dies of a truncated file, and a constructor may end the
 * process that loads it, or never return. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/wall.h"
#include "process/fork.h"
#include "process/limit.h"
#include "process/shared_object.h"

/* Returns the bytes that the file must have for its segments; 0: it is no ELF file of this machine's kind, which the
 * loader will say. */
static uint64_t needed_bytes(int fd)
{
	ElfW(Ehdr) header;
	uint64_t most = 0;
	if (pread(fd, &header, sizeof header, 0) != sizeof header || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
	    header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
	    header.e_phentsize != sizeof(ElfW(Phdr)))
		return 0;
	for (int i = 0; i < header.e_phnum; i++) {
		ElfW(Phdr) segment;
		off_t at = (off_t)(header.e_phoff + (uint64_t)i * sizeof segment);
		if (pread(fd, &segment, sizeof segment, at) != sizeof segment)
			return 0;
		if (segment.p_type == PT_LOAD && segment.p_offset + segment.p_filesz > most)
			most = segment.p_offset + segment.p_filesz;
	}
	return most;
}

/* Checks that the file is not truncated. */
static int check_size(const char *path, struct tw_error *err)
{
	struct stat about;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) /* the loader will say so */
		return TW_OK;
	uint64_t bytes = needed_bytes(fd);
	bool known = fstat(fd, &about) == 0;
	close(fd);
	if (known && (uint64_t)about.st_size < bytes)
		return tw_fail(err, TW_INVALID, "it is truncated: it has %lld of at least %llu bytes",
		               (long long)about.st_size, (unsigned long long)bytes);
	return TW_OK;
}

struct trial {
	const char *path;
	double limit_s;
};

struct outcome {
	int status;
	struct tw_error err;
};

/* In the child. An error of the loader is no news: the parent will get it, too. */
static void load(const void *arg, void *result)
{
	const struct trial *trial = arg;
	struct outcome *outcome = result;
	outcome->status = tw__kill_after(trial->limit_s, &outcome->err);
	if (outcome->status == TW_OK)
		(void)dlopen(trial->path, RTLD_NOW | RTLD_LOCAL);
}

int tw__shared_object_try(const char *path, double limit_s, struct tw_error *err)
{
	const struct trial trial = {path, limit_s};
	const double start_s = tw__wall_s();
	struct outcome outcome;
	int status = check_size(path, err);
	if (status < 0)
		return status;
	status = tw__fork_run(load, &trial, &outcome, sizeof outcome, "a process that loaded it", err);
	if (status == TW_FAILED && tw__wall_s() - start_s >= limit_s)
		tw_fail(err, status, "its constructors did not return within %g s", limit_s);
	if (status == TW_OK && outcome.status < 0)
		return tw_fail(err, outcome.status, "%s", outcome.err.message);
	return status == TW_FAILED ? TW_INVALID : status;
}
