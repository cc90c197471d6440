#include "process/shared_object.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tilewright/eviction.h>
#include <tilewright/policy.h>
#include <tilewright/workload.h>

#include "base/module.h"
#include "base/wall.h"
#include "process/fork.h"

const struct tw__plugin_kind tw__policy_kind = {"policy", "tilewright_policy", TW_POLICY_ABI};
const struct tw__plugin_kind tw__eviction_kind = {"eviction policy", "tilewright_eviction", TW_EVICTION_ABI};
const struct tw__plugin_kind tw__workload_kind = {"workload", "tilewright_workload", TW_WORKLOAD_ABI};

bool tw__is_shared_object(const char *name)
{
	size_t length = strlen(name);
	return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

/* --- around code of plug-ins -------------------------------------------------------------------------------------- */

void tw__foreign_begin(struct tw__own_state *own)
{
	const char *locale = setlocale(LC_ALL, NULL);
	own->folder = getcwd(NULL, 0);
	own->locale = locale ? tw_copy_text(locale) : NULL;
	own->thread_locale = uselocale((locale_t)0);
	own->rounding = fegetround();
	fegetenv(&own->floats);
}

bool tw__foreign_end(struct tw__own_state *own)
{
	bool same = fegetround() == own->rounding;
	fesetenv(&own->floats);
	if (own->locale)
		setlocale(LC_ALL, own->locale);
	uselocale(own->thread_locale);
	if (own->folder && chdir(own->folder) < 0)
		tw_log(TW_LOG_WARNING, "'%s': %s: a plug-in has left this folder", own->folder, strerror(errno));
	free(own->locale);
	free(own->folder);
	return same;
}

int tw__output_divert(int *saved, struct tw_error *err)
{
	fflush(stdout);
	*saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (*saved >= 0 && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
		return TW_OK;
	int reason = errno;
	if (*saved >= 0)
		close(*saved);
	return tw_fail(err, TW_SYSTEM, "cannot keep standard output apart from what plug-ins print: %s",
	               strerror(reason));
}

void tw__output_restore(int saved)
{
	fflush(stdout); /* what a plug-in has printed */
	dup2(saved, STDOUT_FILENO);
	close(saved);
}

/* --- a trial in a child process ----------------------------------------------------------------------------------- */

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

struct outcome {
	int status;
	struct tw_error err;
};

struct trial {
	const char *path;
	double limit_s;
};

/* In the child. An error of the loader is no news: the parent will get it, too. */
static void load_in_child(const void *arg, void *result)
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
	status = tw__fork_run(load_in_child, &trial, &outcome, sizeof outcome, "a process that loaded it", err);
	if (status == TW_FAILED && tw__wall_s() - start_s >= limit_s)
		tw_fail(err, status, "its constructors did not return within %g s", limit_s);
	if (status == TW_OK && outcome.status < 0)
		return tw_fail(err, outcome.status, "%s", outcome.err.message);
	return status == TW_FAILED ? TW_INVALID : status;
}

/* --- loading ------------------------------------------------------------------------------------------------------ */

/* Seconds that the constructors of an object may take. They may read large libraries from slow disks. */
static const double LOAD_LIMIT_S = 60;

/* Returns the dynamic loader's error without the path at its start, as our message already has the path. */
static const char *reason(const char *path)
{
	const char *text = dlerror();
	size_t length = strlen(path);
	return text && strncmp(text, path, length) == 0 && text[length] == ':' ? text + length + 2 : text;
}

/* Loads an object into this process, after a trial. Constructors of shared objects are code of plug-ins. */
static int load(void **library, const char *path, struct tw_error *err)
{
	struct tw__own_state own;
	struct stat about;
	int output = -1;
	if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) /* the loader would wait for the writer of a pipe */
		return tw_fail(err, TW_INVALID, "it is not a regular file");
	*library = tw__library_open(path, RTLD_NOW | RTLD_NOLOAD);
	if (*library) /* it is there already */
		return TW_OK;
	int status = tw__shared_object_try(path, LOAD_LIMIT_S, err);
	if (status == TW_OK)
		status = tw__output_divert(&output, err);
	if (status < 0)
		return status;
	tw__foreign_begin(&own);
	*library = tw__library_open(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
	tw__foreign_end(&own);
	tw__output_restore(output);
	return *library ? TW_OK : tw_fail(err, TW_INVALID, "%.160s", reason(path));
}

/* Plug-ins that were compiled with the smaller structures of earlier headers, completed with zeros. They live as long
 * as the process, as their objects do. */
struct completed {
	struct completed *next;
	const void *original;
	max_align_t structure[];
};

static const void *complete(const void *plugin, size_t its_size, size_t size)
{
	static _Atomic(struct completed *) all;
	struct completed *newest = atomic_load(&all);
	for (struct completed *c = newest; c; c = c->next)
		if (c->original == plugin)
			return c->structure;
	struct completed *c = tw_alloc(1, sizeof *c + size);
	*c = (struct completed){.next = newest, .original = plugin};
	memcpy(c->structure, plugin, its_size);
	while (!atomic_compare_exchange_weak(&all, &c->next, c)) /* another thread may complete the same plug-in, too */
		;
	return c->structure;
}

int tw__plugin_check_abi(const struct tw__plugin_kind *kind, const char *name, int abi, struct tw_error *err)
{
	const int version = kind->abi >> 16, size = kind->abi & 0xffff, its_size = abi & 0xffff;
	if (!abi)
		return tw_fail(err, TW_INVALID,
		               "%s '%.200s': its abi is 0: expected that of its header, as TW_POLICY_ABI", kind->what,
		               name);
	if (abi >> 16 != version || its_size < (int)sizeof abi)
		return tw_fail(err, TW_INVALID, "%s '%.200s': built for version %d of the interface: expected %d",
		               kind->what, name, abi >> 16, version);
	if (its_size > size)
		return tw_fail(
			err, TW_INVALID,
			"%s '%.200s': built for a later Tilewright, with more in its structure: expected version "
			"%s or earlier",
			kind->what, name, tw_version());
	return TW_OK;
}

/* Opens a plug-in. A name without '/' is a file in the current folder: the loader's search path is not used. */
int tw__shared_object_open(const void **plugin, const struct tw__plugin_kind *kind, const char *name,
                           struct tw_error *err)
{
	void *library;
	char *path = tw_format("%s%s", strchr(name, '/') ? "" : "./", name);
	int status = load(&library, path, err);
	free(path);
	if (status < 0)
		return tw_fail(err, status, "%s '%.200s': %.160s: expected a shared object that can be loaded",
		               kind->what, name, err->message);
	*plugin = dlsym(library, kind->symbol);
	int abi = *plugin ? *(const int *)*plugin : 0;
	tw__library_close(library);
	if (!*plugin)
		return tw_fail(err, TW_INVALID, "%s '%.200s': expected a shared object that exports '%s'", kind->what,
		               name, kind->symbol);
	status = tw__plugin_check_abi(kind, name, abi, err);
	if (status < 0)
		return status;
	const int size = kind->abi & 0xffff, its_size = abi & 0xffff;
	if (its_size < size)
		*plugin = complete(*plugin, (size_t)its_size, (size_t)size);
	return TW_OK;
}
