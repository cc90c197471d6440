#include "calibrate/calibrate.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Writes the name of the processor, from the line "model name : Intel(R) ..." of /proc/cpuinfo. Without such a line,
 * writes the architecture that uname reports. */
static void read_cpu(char *text, size_t room)
{
	char line[256];
	FILE *f = fopen("/proc/cpuinfo", "re");
	*text = '\0';
	while (f && !*text && fgets(line, sizeof line, f)) {
		char *value = strchr(line, ':');
		if (strncmp(line, "model name", 10) != 0 || !value)
			continue;
		value += strspn(value, ": \t");
		value[strcspn(value, "\n")] = '\0';
		snprintf(text, room, "%.*s", (int)room - 1, value);
	}
	if (f)
		fclose(f);
	struct utsname names;
	if (!*text && uname(&names) == 0)
		snprintf(text, room, "%.*s", (int)room - 1, names.machine);
}

/* Writes the number and arch of the GPUs, as in "2 x nvidia-h200 + 1 x ...", in the platform's order. */
static void list_gpus(const struct tw__platform *p, char *text, size_t room)
{
	size_t used = 0;
	*text = '\0';
	for (tw_arch a = 0; a < p->n_archs && used < room; a++) {
		int n = 0;
		for (tw_worker w = 0; w < p->n_workers; w++)
			n += p->archs[a].accelerator && p->workers[w].arch == a;
		if (n)
			used += (size_t)snprintf(text + used, room - used, "%s%d x %s", used ? " + " : "", n,
			                         p->archs[a].name);
	}
}

void tw__identity_of(struct tw__identity *id, const struct tw__platform *machine)
{
	*id = (struct tw__identity){.cores = machine->n_cores};
	if (gethostname(id->host, sizeof id->host - 1) < 0)
		snprintf(id->host, sizeof id->host, "unknown");
	read_cpu(id->cpu, sizeof id->cpu);
	list_gpus(machine, id->gpus, sizeof id->gpus);
}

bool tw__identity_differs(const struct tw__identity *a, const struct tw__identity *b, char *how, size_t room)
{
	*how = '\0';
	if (strcmp(a->cpu, b->cpu) != 0)
		snprintf(how, room, "its processor is '%.100s', this one's '%.100s'", a->cpu, b->cpu);
	else if (a->cores != b->cores)
		snprintf(how, room, "it has %d cores, this one %d", a->cores, b->cores);
	else if (strcmp(a->gpus, b->gpus) != 0)
		snprintf(how, room, "its GPUs are '%.100s', this one's '%.100s'", a->gpus, b->gpus);
	return *how;
}

bool tw__identity_emulates(const struct tw__identity *a, const struct tw__identity *b)
{
	return strcmp(a->cpu, b->cpu) == 0 && a->cores == b->cores && strcmp(a->emulate, b->emulate) != 0;
}
