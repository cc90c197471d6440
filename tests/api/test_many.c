/* Many runs of all kinds in one program: its memory does not grow, and no descriptor, child or setting changes.
 *
 *     test_api_many ROUNDS
 *
 * A round has a run of each kind. The last nine tenths of the rounds must leave the process as the first tenth did. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tilewright/run.h>

extern char **environ;

static struct tw_error err;
static char trace[] = "/tmp/tilewright-many-XXXXXX.json";
static long n_runs;

static void check(bool holds, const char *what, const char *why)
{
	if (holds)
		return;
	fprintf(stderr, "%s: %s\n", what, why);
	exit(1);
}

/* --- blocks of memory --------------------------------------------------------------------------------------------- */

static atomic_long n_blocks; /* allocated and not freed */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { COUNTS_BLOCKS = 0 };
#else
enum { COUNTS_BLOCKS = 1 };

/* The C library's allocators, for the replacements below. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void *);

static void *counted(void *block)
{
	n_blocks += block != NULL;
	return block;
}

void *malloc(size_t n) { return counted(__libc_malloc(n)); }
void *calloc(size_t n, size_t size) { return counted(__libc_calloc(n, size)); }
void *memalign(size_t alignment, size_t n) { return counted(__libc_memalign(alignment, n)); }
void *aligned_alloc(size_t alignment, size_t n) { return counted(__libc_memalign(alignment, n)); }

int posix_memalign(void **block, size_t alignment, size_t n)
{
	void *made = counted(__libc_memalign(alignment, n));
	if (made)
		*block = made;
	return made ? 0 : ENOMEM;
}

void *realloc(void *block, size_t n)
{
	void *other = __libc_realloc(block, n);
	n_blocks += !block && other;
	n_blocks -= block && !other && n == 0;
	return other;
}

void free(void *block)
{
	n_blocks -= block != NULL;
	__libc_free(block);
}
#endif

/* --- kinds of runs ------------------------------------------------------------------------------------------------ */

struct kind {
	const char *name;
	int scene;
	int status;
	struct tw_run_options options;
	const char *more[4];
	int wrong, cancels_at; /* numbers of pushes; 0: none */
};

/* --- policies of the program -------------------------------------------------------------------------------------- */

/* A stack of ready tasks, for the run of a kind. */
struct stack {
	const struct kind *kind;
	tw_task tasks[1000];
	int n, pushes, cancel;
};

static void push(struct tw_sched *s, void *state, tw_task t, tw_worker by)
{
	struct stack *stack = tw_sched_context(s);
	(void)state, (void)by;
	stack->tasks[stack->n++] = t;
	stack->pushes++;
	if (stack->pushes == stack->kind->wrong)
		tw_abort_run(s, "this push is wrong");
	if (stack->pushes == stack->kind->cancels_at)
		__atomic_store_n(&stack->cancel, 1, __ATOMIC_RELAXED);
	tw_wake(s, TW_ALL);
}

static tw_task pop(struct tw_sched *s, void *state, tw_worker w)
{
	struct stack *stack = tw_sched_context(s);
	(void)state, (void)w;
	return stack->n ? stack->tasks[--stack->n] : TW_NONE;
}

static tw_task pop_nonsense(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	return 1 << 20;
}

static tw_task die(struct tw_sched *s, void *state, tw_worker w)
{
	(void)s, (void)state, (void)w;
	raise(SIGKILL);
	return TW_NONE;
}

static const struct tw_policy lifo = {.abi = TW_POLICY_ABI, .name = "lifo", .push = push, .pop = pop};
static const struct tw_policy nonsense = {.abi = TW_POLICY_ABI, .name = "nonsense", .push = push, .pop = pop_nonsense};
static const struct tw_policy dying = {.abi = TW_POLICY_ABI, .name = "dying", .push = push, .pop = die};

/* --- each kind ---------------------------------------------------------------------------------------------------- */

enum { MATRIX, REDUCTION, CHAIN, N_SCENES };

static const struct kind kinds[] = {
	{"eager", MATRIX, TW_OK, {.policy = "eager"}},
	{"dmdas", MATRIX, TW_OK, {.policy = "dmdas"}, {"noise=0.02", "seed=7", "validate"}},
	{"darts", MATRIX, TW_OK, {.policy = "darts"}, {"eviction=darts"}},
	{"heft", MATRIX, TW_OK, {.policy = "heft"}, {"eviction=belady"}},
	{"metis", MATRIX, TW_OK, {.policy = "metis"}, {"eviction=mru"}},
	{"random", MATRIX, TW_OK, {.policy = "random"}, {"eviction=random", "runtime=ideal"}},
	{"records", MATRIX, TW_OK, {.policy = "lws", .records = true}},
	{"explain", MATRIX, TW_OK, {.policy = "dmda", .explain = "text"}},
	{"explain as JSON", MATRIX, TW_OK, {.policy = "dmda", .explain = "json"}, {"validate"}},
	{"trace", MATRIX, TW_OK, {.policy = "ws", .trace = trace}},
	{"reduction", REDUCTION, TW_OK, {.policy = "dmdar", .records = true}, {"validate"}},
	{"own graph", CHAIN, TW_OK, {.policy = "eager", .records = true}},
	{"own policy", CHAIN, TW_OK, {.own_policy = &lifo}},
	{"own failure", MATRIX, TW_FAILED, {.own_policy = &lifo, .records = true}, .wrong = 9},
	{"nonsense", MATRIX, TW_FAILED, {.own_policy = &nonsense}},
	{"cancelled", CHAIN, TW_CANCELLED, {.own_policy = &lifo, .explain = "text"}, .cancels_at = 5},
	{"refused policy", MATRIX, TW_INVALID, {.policy = "eager:x=1"}},
	{"refused option", MATRIX, TW_INVALID, {.policy = "eager"}, {"seed=x"}},
	{"refused eviction", MATRIX, TW_INVALID, {.policy = "eager"}, {"eviction=x"}},
	{"refused trace", MATRIX, TW_INVALID, {.policy = "eager", .trace = "/nonexistent/x.json"}},
};

/* A run in a process costs more, so a round has one of these. */
static const struct kind in_process[] = {
	{"process", MATRIX, TW_OK, {.policy = "dmdas", .place = TW_RUN_IN_PROCESS}},
	{"SimGrid", MATRIX, TW_OK, {.policy = "dmdas"}, {"engine=simgrid"}},
	{"real", MATRIX, TW_OK, {.policy = "eager"}, {"engine=real:kernels=empty"}},
	{"dies", MATRIX, TW_FAILED, {.own_policy = &dying, .place = TW_RUN_IN_PROCESS}},
	{"explained process",
         MATRIX,
         TW_OK,
         {.policy = "lws", .explain = "json", .records = true, .place = TW_RUN_IN_PROCESS},
         {"validate"}},
};

static void use(struct tw_run *run)
{
	const struct tw_run_task *tasks;
	const struct tw_run_transfer *transfers;
	const struct tw_run_memory *memory;
	if (!run)
		return;
	tw_run_tasks(run, &tasks);
	tw_run_transfers(run, &transfers);
	tw_run_memory(run, &memory);
	check(*tw_run_row(run) == '{' && tw_run_value(run, "status"), "row", "there is none");
}

static void execute(const struct kind *kind, struct tw_scene *const *scenes)
{
	struct stack stack = {.kind = kind};
	struct tw_run_options o = kind->options;
	struct tw_run *run;
	o.size = sizeof o;
	o.options = kind->more;
	o.context = &stack;
	o.cancel = &stack.cancel;
	int status = tw_scene_run(scenes[kind->scene], &o, &run, &err);
	check(status == kind->status, kind->name, status == TW_OK ? "did not fail" : err.message);
	use(run);
	tw_run_close(run);
	n_runs++;
}

/* --- rounds ------------------------------------------------------------------------------------------------------- */

static struct tw_graph *chain(int n)
{
	struct tw_graph *g = tw_graph_create();
	tw_data d = tw_graph_data(g, 1000);
	tw_kernel k = tw_graph_recorded_kernel(g, "step", "1", "d", 0, "processors+accelerators");
	for (int i = 0; i < n; i++)
		tw_graph_set_seconds(g, tw_graph_submit(g, k, 0, &(struct tw_access){d, TW_RW}, 1), 0.5);
	return g;
}

static void open_scenes(struct tw_scene *scenes[N_SCENES])
{
	static const char *const choice[] = {"gpu-mem=64MiB", "cpus=2", "gpus=2", "extrapolate", NULL};
	static const char *const small[] = {"cpus=1", "gpus=0", NULL};
	struct tw_platform *platform, *bad;
	struct tw_graph *g = chain(10);
	check(tw_platform_open(&bad, "mirage", small, &err) == TW_OK, "platform", err.message);
	tw_platform_close(bad);
	check(tw_platform_open(&bad, "miragf", NULL, &err) == TW_INVALID, "platform", "not refused");
	check(tw_platform_open(&platform, "mirage", choice, &err) == TW_OK, "platform", err.message);
	check(tw_scene_generate(&scenes[MATRIX], platform, "cholesky:nt=4", &err) == TW_OK, "scene", err.message);
	check(tw_scene_generate(&scenes[REDUCTION], platform, "reduction:n=8", &err) == TW_OK, "scene", err.message);
	check(tw_scene_create(&scenes[CHAIN], platform, g, "chain", &err) == TW_OK, "scene", err.message);
	tw_graph_destroy(g);
	tw_platform_close(platform);
}

static void close_scenes(struct tw_scene *scenes[N_SCENES])
{
	for (int i = 0; i < N_SCENES; i++)
		tw_scene_close(scenes[i]);
}

/* One kept set of scenes serves all rounds; every tenth round opens its own, too. */
static void run_rounds(struct tw_scene *const *kept, int from, int to)
{
	for (int round = from; round < to; round++) {
		struct tw_scene *own[N_SCENES], *const *scenes = kept;
		if (round % 10 == 0) {
			open_scenes(own);
			scenes = own;
		}
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			execute(&kinds[i], scenes);
		execute(&in_process[(size_t)round % (sizeof in_process / sizeof *in_process)], scenes);
		if (round % 10 == 0)
			close_scenes(own);
	}
}

/* --- the process -------------------------------------------------------------------------------------------------- */

enum { MOST_VARIABLES = 500 };

/* All that must be as it was. */
struct process {
	long n_blocks;
	int n_descriptors, n_threads, rounding;
	mode_t mask;
	off_t output; /* bytes that standard output has got */
	char folder[500], locale[500];
	struct rlimit limits[RLIMIT_NLIMITS];
	void (*handlers[NSIG])(int);
	sigset_t blocked;
	const char *variables[MOST_VARIABLES];
	char texts[MOST_VARIABLES][200];
};

static int count(const char *folder)
{
	int n = 0;
	DIR *d = opendir(folder);
	check(d, folder, "cannot be read");
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

static void look(struct process *p)
{
	memset(p, 0, sizeof *p);
	p->n_blocks = n_blocks;
	p->n_descriptors = count("/proc/self/fd");
	p->n_threads = count("/proc/self/task");
	p->rounding = fegetround();
	umask(p->mask = umask(0));
	p->output = lseek(STDOUT_FILENO, 0, SEEK_CUR);
	check(getcwd(p->folder, sizeof p->folder), "folder", "unknown");
	snprintf(p->locale, sizeof p->locale, "%s", setlocale(LC_ALL, NULL));
	for (int i = 0; i < RLIMIT_NLIMITS; i++)
		getrlimit((__rlimit_resource_t)i, &p->limits[i]);
	for (int i = 1; i < NSIG; i++) {
		struct sigaction action = {0};
		if (sigaction(i, NULL, &action) == 0)
			p->handlers[i] = action.sa_handler;
	}
	sigprocmask(SIG_BLOCK, NULL, &p->blocked);
	for (int i = 0; environ[i] && i < MOST_VARIABLES; i++) {
		p->variables[i] = environ[i];
		snprintf(p->texts[i], sizeof p->texts[i], "%s", environ[i]);
	}
}

static void compare(const struct process *a, const struct process *b)
{
	if (a->n_blocks != b->n_blocks)
		fprintf(stderr, "%ld blocks of memory after the first, %ld after all\n", a->n_blocks, b->n_blocks);
	check(a->n_blocks == b->n_blocks, "memory", "it grows");
	check(a->n_descriptors == b->n_descriptors, "descriptors", "others are open");
	check(a->n_threads == b->n_threads, "threads", "others are there");
	check(a->rounding == b->rounding && a->mask == b->mask, "rounding or umask", "changed");
	check(a->output == 0 && b->output == 0, "standard output", "the library has printed");
	check(!strcmp(a->folder, b->folder) && !strcmp(a->locale, b->locale), "folder or locale", "changed");
	check(!memcmp(a->limits, b->limits, sizeof a->limits), "limits", "changed");
	check(!memcmp(a->handlers, b->handlers, sizeof a->handlers), "handlers of signals", "changed");
	check(!memcmp(&a->blocked, &b->blocked, sizeof a->blocked), "blocked signals", "changed");
	check(!memcmp(a->variables, b->variables, sizeof a->variables), "environment", "changed");
	check(!memcmp(a->texts, b->texts, sizeof a->texts), "environment", "changed");
	check(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD, "children", "one is left");
}

static long resident_kib(void)
{
	long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	check(f && fscanf(f, "%*d %ld", &pages) == 1, "/proc/self/statm", "cannot be read");
	fclose(f);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

int main(int argc, char **argv)
{
	static struct process start, first, last;
	struct tw_scene *scenes[N_SCENES];
	int n = argc > 1 ? atoi(argv[1]) : 0, early = n / 10;
	check(early > 0, "usage", "test_api_many ROUNDS, 10 at least");
	check(mkstemps(trace, 5) >= 0, trace, "cannot be made");
	int output = dup(STDOUT_FILENO), file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	check(file >= 0 && dup2(file, STDOUT_FILENO) >= 0, "standard output", "cannot be a file");
	look(&start);
	open_scenes(scenes);
	run_rounds(scenes, 0, early);
	look(&first);
	long early_runs = n_runs, kib = resident_kib();
	run_rounds(scenes, early, n);
	look(&last);
	compare(&first, &last);
	start.n_blocks = last.n_blocks; /* libraries keep what they have loaded */
	compare(&start, &last);
	long more_kib = resident_kib() - kib;
	close_scenes(scenes);
	unlink(trace);
	dup2(output, STDOUT_FILENO);
	printf("%ld runs: %ld blocks of memory after %ld and after all, resident memory %ld KiB and %ld KiB more\n",
	       n_runs, first.n_blocks, early_runs, kib, more_kib);
	check(more_kib < 1024 || !COUNTS_BLOCKS, "resident memory", "it grows");
	return 0;
}
