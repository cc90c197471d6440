#include "process/launched.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Names of the variables, by launcher. */
static const struct {
	const char *number, *n, *number_here, *n_here;
} launchers[] = {
	{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
	{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
	{"PMIX_RANK", "SLURM_NTASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"},
};

static int value_of(const char *name, int without)
{
	const char *text = getenv(name);
	char *end;
	const long value = text ? strtol(text, &end, 10) : without;
	return text && (end == text || value < 0 || value > 1000000) ? without : (int)value;
}

struct tw__launched tw__launched(void)
{
	for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
		const int number = value_of(launchers[i].number, -1), n = value_of(launchers[i].n, 0);
		if (number >= 0 && number < n)
			return (struct tw__launched){number, n, value_of(launchers[i].number_here, 0),
			                             value_of(launchers[i].n_here, 1)};
	}
	return (struct tw__launched){0, 1, 0, 1};
}

/* A launcher that binds gives its processes other cores than it has itself. */
void tw__launched_share_cores(const struct tw__launched *l)
{
	cpu_set_t own, launcher, share;
	if (sched_getaffinity(0, sizeof own, &own) < 0 ||
	    sched_getaffinity(getppid(), sizeof launcher, &launcher) < 0 || !CPU_EQUAL(&own, &launcher) ||
	    l->number_here >= l->n_here)
		return;
	const int n = CPU_COUNT(&own), first = l->number_here * n / l->n_here;
	const int end = n < l->n_here ? first + 1 : (l->number_here + 1) * n / l->n_here;
	int before = 0;
	CPU_ZERO(&share);
	for (int core = 0; core < CPU_SETSIZE; core++)
		if (CPU_ISSET(core, &own)) {
			if (before >= first && before < end)
				CPU_SET(core, &share);
			before++;
		}
	sched_setaffinity(0, sizeof share, &share);
}

/* Hydra, MPICH's launcher, leaves the others waiting in MPI_Init if this process has not started MPI. It takes this
 * command of PMI 1 at any time. It may end before it has read what a process has printed just now. */
void tw__launched_fail(int exit_status)
{
	const struct timespec until_read = {.tv_nsec = 300000000};
	const int pmi = value_of("PMI_FD", -1);
	struct stat is;
	if (tw__launched().n <= 1 || pmi < 0 || fstat(pmi, &is) < 0 || !S_ISSOCK(is.st_mode))
		return;
	nanosleep(&until_read, NULL);
	dprintf(pmi, "cmd=abort exitcode=%d\n", exit_status);
}
