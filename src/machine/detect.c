/* Runs hwloc in a child process, for three reasons: malformed files can trigger hwloc's assertions, its plug-ins load
 * drivers' libraries, and it writes to the terminal. */
#include "machine/detect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/module.h"
#include "machine/machine.h"
#include "process/fork.h"

enum { MAX_XML_BYTES = 16 << 20, MAX_SECONDS = 60, MAX_ADDRESS_GIB = 8 };

static int read_file(struct tw__topology_source *s, struct tw_error *err)
{
	FILE *file = fopen(s->what, "re");
	if (file) {
		errno = 0;
		s->xml = tw_resize(NULL, MAX_XML_BYTES + 2, 1);
		s->length = fread(s->xml, 1, MAX_XML_BYTES + 1, file);
	}
	int reason = errno;
	if (file)
		fclose(file);
	if (reason)
		return tw_fail(err, TW_INVALID, "%.200s: %s: expected a topology that hwloc has exported", s->what,
		               strerror(reason));
	if (s->length > MAX_XML_BYTES)
		return tw_fail(err, TW_INVALID,
		               "%.200s: more than %d bytes: expected a topology that hwloc has exported", s->what,
		               MAX_XML_BYTES);
	s->xml[s->length] = '\0';
	return TW_OK;
}

static int find_source(struct tw__topology_source *s, const char *hwloc_xml, struct tw_error *err)
{
	const char *file = hwloc_xml ? hwloc_xml : getenv("HWLOC_XMLFILE");
	s->what = file;
	s->synthetic = file ? NULL : getenv("HWLOC_SYNTHETIC");
	if (s->synthetic)
		s->what = s->synthetic;
	return file ? read_file(s, err) : TW_OK;
}

/* Confines the child process, because the topology may be untrusted. Closes its terminals, and limits its time and
 * memory to what describing a machine needs. */
static void confine(void)
{
	int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	for (int fd = STDIN_FILENO; nowhere >= 0 && fd <= STDERR_FILENO; fd++)
		dup2(nowhere, fd);
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	setrlimit(RLIMIT_CPU, &(struct rlimit){MAX_SECONDS, MAX_SECONDS});
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* sanitizers reserve terabytes of address space */
	setrlimit(RLIMIT_AS, &(struct rlimit){(rlim_t)MAX_ADDRESS_GIB << 30, (rlim_t)MAX_ADDRESS_GIB << 30});
#endif
}

/* Turns a host's name into a valid id: "node 7!" -> "node-7". */
static void make_name(char *to, const char *from)
{
	size_t n = 0;
	for (; *from && n < TW__MAX_TEXT - 1; from++)
		if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._", *from))
			to[n++] = *from;
		else if (n && to[n - 1] != '-')
			to[n++] = '-';
	while (n && to[n - 1] == '-')
		n--;
	to[n] = '\0';
}

static int read_machine(struct tw__machine *m, const struct tw__topology_source *s, struct tw_error *err)
{
	const struct tw__machine_reader *reader =
		tw__module_open(TW__HWLOC_BUILT, "tw__machine_reader", "description of machines", err);
	return reader ? reader->read(m, s, err) : TW_INVALID;
}

static int describe(FILE *out, const char *name, const struct tw__topology_source *s, struct tw_error *err)
{
	char host[TW__MAX_TEXT] = "";
	struct tw__machine *m = tw_alloc(1, sizeof *m);
	int status = read_machine(m, s, err);
	if (status == TW_OK) {
		make_name(host, m->host);
		m->cores_only = s->cores_only;
		m->emulated = s->emulated;
		tw__machine_write(out, m, name ? name : *host ? host : "node");
		if (fflush(out) != 0 || ferror(out))
			status = tw_fail(err, TW_FAILED, "platform.xml cannot be written: %s", strerror(errno));
	}
	free(m);
	return status;
}

/* The work of the child process. */
struct work {
	FILE *out;
	const char *name;
	const struct tw__topology_source *source;
};

struct outcome {
	int status;
	struct tw_error err;
};

static void describe_in_child(const void *arg, void *result)
{
	const struct work *w = arg;
	struct outcome *outcome = result;
	tw__ignore_leaks(); /* of hwloc and its plug-ins */
	if (w->source->what)
		confine();
	else if (w->source->cores_only)
		/* makes hwloc load no plug-ins: they search for devices */
		setenv("HWLOC_PLUGINS_PATH", "/dev/null", 1);
	outcome->status = describe(w->out, w->name, w->source, &outcome->err);
}

static int detect(FILE *out, const char *name, struct tw__topology_source source, const char *hwloc_xml,
                  struct tw_error *err)
{
	const struct work work = {out, name, &source};
	struct outcome outcome;
	int status = find_source(&source, hwloc_xml, err);
	if (status == TW_OK && !source.what && access("/sys/devices/system/cpu", F_OK) < 0)
		tw_log(TW_LOG_WARNING, "no /sys/devices/system/cpu here: hwloc can only count processors");
	if (status == TW_OK) {
		status = tw__fork_run(describe_in_child, &work, &outcome, sizeof outcome, "hwloc's process", err);
		if (status == TW_OK && outcome.status < 0)
			status = tw_fail(err, outcome.status, "%s", outcome.err.message);
		else if (status == TW_FAILED && source.what)
			status = tw_fail(err, TW_INVALID,
			                 "%.200s: hwloc crashes on it: expected a topology that hwloc has exported",
			                 source.what);
	}
	free(source.xml);
	return status;
}

int tw__detect(FILE *out, const char *name, const char *hwloc_xml, bool numa, struct tw_error *err)
{
	return detect(out, name, (struct tw__topology_source){.numa = numa}, hwloc_xml, err);
}

/* --- the platform `machine` --------------------------------------------------------------------------------------- */

/* Names the CPU workers "CPU0", "CPU1" ..., because in the XML one host stands for several cores. */
static void name_cores(struct tw__platform *p)
{
	int core = 0;
	for (int w = 0; w < p->n_workers; w++) {
		if (p->archs[p->workers[w].arch].accelerator)
			continue;
		free(p->workers[w].name);
		p->workers[w].name = tw_format("CPU%d", core++);
	}
}

static int read_back(struct tw__platform **platform, FILE *file, struct tw_error *err)
{
	struct tw_error inner;
	rewind(file);
	int status = tw__platform_read_stream(platform, file, "platform.xml", TW__MACHINE_NAME, &inner);
	if (status < 0)
		return tw_fail(err, status, "hwloc's description of this machine is no valid platform: %.400s",
		               inner.message);
	name_cores(*platform);
	return TW_OK;
}

int tw__machine_platform(struct tw__platform **platform, const struct tw__emulation *emulated,
                         const struct tw__gpus *found, bool numa, struct tw_error *err)
{
	*platform = NULL;
	int status = emulated ? tw__emulation_check(emulated, err) : TW_OK;
	if (status < 0)
		return status;
	FILE *file = tmpfile();
	if (!file)
		return tw_fail(err, TW_SYSTEM, "no temporary file: %s", strerror(errno));
	const struct tw__topology_source cores = {
		.cores_only = true, .numa = numa, .emulated = emulated, .found = found};
	status = detect(file, TW__MACHINE_NAME, cores, NULL, err);
	if (status == TW_OK)
		status = read_back(platform, file, err);
	fclose(file);
	return status;
}
