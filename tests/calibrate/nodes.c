/* A preloaded library that stands for NUMA nodes, of a machine that HWLOC_SYNTHETIC describes. It notes bindings, and
 * does not ask the system for them. Copies from node to node take known times.
 *
 *     NODES_COPIES   "0-1=400:300+...": copies from node 0 to node 1 take 300 us, and go on with 400 MB/s
 *     NODES_SHARED   "0-2+...": a copy between these nodes waits for the copies in both directions
 *     NODES_CARDS    "0-1,2-3": the processors near each card, by the bus of its PCI address
 *     NODES_REFUSE   "memory" or "thread": node 1 refuses such a binding
 *     NODES_LOG      the file that gets a line for each binding, and in each process for each pair of nodes: "memory
 *                    NODE", "thread PROCESSOR NUMBER", "copy FROM TO PROCESSOR". PROCESSOR is the first one that the
 *                    thread is bound to */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <hwloc.h>
#include <hwloc/linux.h>

enum { MOST_AREAS = 256, MOST_NODES = 8, LEAST_BYTES = 4096 };

static struct area {
	const char *at;
	size_t bytes;
	int node;
} areas[MOST_AREAS];
static atomic_int n_areas;
static _Thread_local unsigned long bound; /* the processors that this thread has asked for, bit by bit */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool was_copied[MOST_NODES * MOST_NODES];

static void __attribute__((format(printf, 1, 2))) note(const char *format, ...)
{
	const char *path = getenv("NODES_LOG");
	const int f = path ? open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666) : -1;
	va_list values;
	va_start(values, format);
	if (f >= 0)
		vdprintf(f, format, values);
	va_end(values);
	close(f);
}

static bool refuses(const char *what, bool is_second)
{
	const char *refused = getenv("NODES_REFUSE");
	errno = EPERM;
	return is_second && refused && strcmp(refused, what) == 0;
}

/* --- hwloc -------------------------------------------------------------------------------------------------------- */

int hwloc_set_area_membind(hwloc_topology_t t, const void *at, size_t bytes, hwloc_const_bitmap_t set,
                           hwloc_membind_policy_t policy, int flags)
{
	const int node = hwloc_bitmap_first(set), i = n_areas;
	(void)t;
	if (refuses("memory", node == 1))
		return -1;
	if (i == MOST_AREAS || hwloc_bitmap_weight(set) != 1 || policy != HWLOC_MEMBIND_BIND ||
	    flags != (HWLOC_MEMBIND_STRICT | HWLOC_MEMBIND_BYNODESET))
		abort();
	areas[i] = (struct area){at, bytes, node};
	n_areas = i + 1;
	note("memory %d\n", node);
	return 0;
}

int hwloc_set_cpubind(hwloc_topology_t t, hwloc_const_cpuset_t set, int flags)
{
	const int weight = hwloc_bitmap_weight(set);
	hwloc_obj_t second = hwloc_get_obj_by_type(t, HWLOC_OBJ_NUMANODE, 1);
	if (flags != HWLOC_CPUBIND_THREAD)
		abort();
	if (refuses("thread", second && hwloc_bitmap_isequal(second->cpuset, set)))
		return -1;
	bound = hwloc_bitmap_to_ulong(set);
	note("thread %d %d\n", hwloc_bitmap_first(set), weight);
	return 0;
}

/* Threads are bound as they asked for, and the process to nothing. */
int hwloc_get_cpubind(hwloc_topology_t t, hwloc_cpuset_t set, int flags)
{
	(void)t;
	return flags == HWLOC_CPUBIND_THREAD ? hwloc_bitmap_from_ulong(set, bound) : -1;
}

int hwloc_linux_read_path_as_cpumask(const char *path, hwloc_bitmap_t set)
{
	unsigned card;
	const char *list = getenv("NODES_CARDS");
	if (!list || sscanf(path, "/sys/bus/pci/devices/0000:%x:", &card) != 1)
		return -1;
	while (card-- > 0 && strchr(list, ','))
		list = strchr(list, ',') + 1;
	char one[32];
	snprintf(one, sizeof one, "%.*s", (int)strcspn(list, ","), list);
	return hwloc_bitmap_list_sscanf(set, one);
}

/* --- copies ------------------------------------------------------------------------------------------------------- */

/* Returns the node that an address was last bound to; negative: none. tests/cuda calls it, too. */
int nodes_of(const void *at);
int nodes_of(const void *at)
{
	for (int i = n_areas; i-- > 0;)
		if ((const char *)at >= areas[i].at && (const char *)at < areas[i].at + areas[i].bytes)
			return areas[i].node;
	return -1;
}

/* Returns what follows "FROM-TO" in a setting; NULL: that is not there. */
static const char *setting(const char *name, int from, int to)
{
	char pair[16];
	snprintf(pair, sizeof pair, "%d-%d", from, to);
	const char *all = getenv(name), *found = all ? strstr(all, pair) : NULL;
	return found ? found + strlen(pair) : NULL;
}

enum { NS = 1000000000 };

static _Thread_local struct timespec last, end; /* what the thread was told last; the end of its copy, not told yet */
static struct timespec free_at[MOST_NODES * MOST_NODES];

/* Tells exact ends of copies, so that threads that wake late change no time. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
	const bool tells_end = clock == CLOCK_MONOTONIC && end.tv_sec;
	const int status = tells_end ? 0 : (int)syscall(SYS_clock_gettime, clock, now);
	if (tells_end) {
		*now = end;
		end.tv_sec = 0;
	}
	if (clock == CLOCK_MONOTONIC)
		last = *now;
	return status;
}

static bool is_later(struct timespec a, struct timespec b)
{
	return a.tv_sec > b.tv_sec || (a.tv_sec == b.tv_sec && a.tv_nsec > b.tv_nsec);
}

static struct timespec later(struct timespec date, double seconds)
{
	const long ns = date.tv_nsec + (long)(1e9 * seconds);
	return (struct timespec){date.tv_sec + ns / NS, ns % NS};
}

static void copy_between(int from, int to, void *target, const void *source, size_t bytes)
{
	double mbps, us;
	struct timespec start = last;
	const char *times = setting("NODES_COPIES", from, to);
	if (!was_copied[from * MOST_NODES + to]) {
		was_copied[from * MOST_NODES + to] = true;
		note("copy %d %d %d\n", from, to, bound ? __builtin_ctzl(bound) : -1);
	}
	if (!times || sscanf(times, "=%lf:%lf", &mbps, &us) != 2)
		abort();
	const int low = from < to ? from : to, high = from < to ? to : from;
	memmove(target, source, bytes);
	pthread_mutex_lock(&lock);
	struct timespec *busy = &free_at[low * MOST_NODES + high];
	const bool waits = setting("NODES_SHARED", low, high);
	start = waits && is_later(*busy, start) ? *busy : start;
	const struct timespec date = later(start, 1e-6 * us + (double)bytes / (1e6 * mbps));
	*busy = date;
	pthread_mutex_unlock(&lock);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &date, NULL))
		;
	end = date;
}

void *memcpy(void *target, const void *source, size_t bytes)
{
	const int from = bytes < LEAST_BYTES ? -1 : nodes_of(source), to = from < 0 ? -1 : nodes_of(target);
	if (to >= 0 && from != to)
		copy_between(from, to, target, source, bytes);
	else
		memmove(target, source, bytes);
	return target;
}
