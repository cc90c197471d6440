#include "lies.h"

#include <string.h>

#include "faults.h"
#include "wrong_kernels.h"

static int collect_nothing(struct tw__engine *e, tw_data d, tw_node n, struct tw_error *err)
{
	(void)e, (void)d, (void)n, (void)err;
	return TW_OK;
}

static void place_on_top(struct tw__engine *e, tw_node n, tw_data d, uint64_t offset, uint64_t bytes)
{
	tw__engine_real.place(e, n, d, offset % (2 * bytes), bytes);
}

static void exec_on_top(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct tw__placed access[16];
	struct tw__launch changed = *launch;
	for (int i = 0; i < launch->n_accesses; i++) {
		access[i] = launch->access[i];
		access[i].offset %= 2 * e->graph->data_bytes[access[i].data];
	}
	changed.access = access;
	tw__engine_real.exec(e, &changed, token);
}

/* The end of the first kernel, a potrf, is told as soon as it has been given; it takes its time. Kernels on both
 * accelerators need its result: on one of them, they would follow each other anyway. */
static uint64_t early;
static int n_execs;
static tw__turn *true_turn;

static void slow_down(void *context, struct tw__job *j)
{
	(void)context;
	if (!j->is_copy && n_execs == 1)
		wrong_kernel(engine, j, TAKES_ITS_TIME);
}

static void exec_and_note(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	if (++n_execs == 1)
		early = token;
	tw__engine_real.exec(e, launch, token);
}

static bool lie(void *arg, tw__ns now, const struct tw__completion *ended, int n, tw__ns *until)
{
	struct tw__completion told[64];
	int n_told = 0;
	static uint64_t lied;
	for (int i = 0; i < n; i++)
		if (!lied || ended[i].token != lied)
			told[n_told++] = ended[i];
		else
			lied = 0; /* that is known */
	bool goes_on = true_turn(arg, now, told, n_told, until);
	while (goes_on && early) {
		told[0] = (struct tw__completion){.token = early, .start = now, .end = now};
		lied = early;
		early = 0;
		goes_on = true_turn(arg, now, told, 1, until);
	}
	return goes_on;
}

static int drive_with_lies(struct tw__engine *e, tw__turn *turn, void *arg, struct tw_error *err)
{
	true_turn = turn;
	return tw__engine_real.drive(e, lie, arg, err);
}

/* The edge from the first potrf to the first trsm. */
static void lose_dependency(struct tw_graph *g)
{
	for (tw_task t = 0; t < g->n_tasks; t++)
		g->successor_start[t + 1]--;
	memmove(g->successor, g->successor + 1, g->successor_start[g->n_tasks] * sizeof *g->successor);
}

/* Every task that reads and writes is said to read: nobody learns that other copies are stale. */
static void forget_writes(struct tw_graph *g)
{
	for (uint32_t a = 0; a < g->access_start[g->n_tasks]; a++)
		if (tw__access_mode(g->access[a]) == TW_RW)
			g->access[a] &= ~(uint32_t)(TW_W | TW__ACCESS_LAST_WRITE);
}

static void collects_nothing(struct scene *s) { s->ops.collect = collect_nothing; }
static void places_on_top(struct scene *s)
{
	s->ops.place = place_on_top;
	s->ops.exec = exec_on_top;
}
static void tells_too_early(struct scene *s)
{
	faults_open(s, "potrf");
	s->ops.exec = exec_and_note;
	s->ops.drive = drive_with_lies;
	s->config.tamper = slow_down;
	s->allow_any_schedule = true;
}
static void loses_a_dependency(struct scene *s) { lose_dependency(s->graph); }
static void forgets_writes(struct scene *s)
{
	forget_writes(s->graph);
	s->allow_any_schedule = true;
}

void (*const lies[])(struct scene *) = {collects_nothing, places_on_top, tells_too_early, loses_a_dependency,
                                        forgets_writes};
const int n_lies = sizeof lies / sizeof *lies;
