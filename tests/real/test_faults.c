/* Faults, planted one at a time into a run that is right without: each must make the run fail. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/reduction.h"
#include "scene.h"
#include "wrong_kernels.h"

#define CHOLESKY "cholesky:nt=5:nb=48"
#define CHOLESKY_D "cholesky:nt=5:nb=48:precision=d"
#define LU "lu:nt=4:nb=48"
#define QR "qr:nt=3:nb=48:ib=16:precision=d"
#define STENCIL "stencil:nx=12:ny=12:nz=48:blocks=4:iterations=6"
#define PRODUCT "matmul3d:nt=3:nb=48"
#define REDUCTION "reduction:n=24:shots=500:bytes=4KiB:scratch=4KiB"
/* Four tiles of 48 x 48 single-precision numbers: tasks of three evict each other's. */
#define TIGHT "gpus=2:mem=36864:bandwidth=4GB/s"
#define TIGHT_D "gpus=2:mem=73728:bandwidth=4GB/s"
#define AMPLE "gpus=2:mem=64MiB:bandwidth=4GB/s"
#define PEERS "gpus=2:mem=64MiB:bandwidth=4GB/s:peer=yes"

/* What a fault is done to: the `nth` job for which `bites` is true. */
struct fault {
	const char *name, *workload, *emulate;
	int cpus;
	const char *kernel; /* of a job that is a kernel; NULL: any */
	bool (*bites)(const struct tw__job *);
	void (*plant)(struct tw__job *);
	const char *says; /* what the message has; NULL: any message */
	bool sometimes;   /* at some jobs it does no harm: what is copied is there already, or not read any more */
	bool cores_alone; /* GPUs have no kernels of reductions, and no parts of kernels */
};

static struct tw__engine *engine; /* of the scene */
static const struct fault *fault;
static int nth, n_met, n_planted;

/* --- which jobs ------------------------------------------------------------------------------------------------- */

static bool is_h2d(const struct tw__job *j) { return j->is_copy && j->from == TW_RAM; }
static bool is_d2h(const struct tw__job *j) { return j->is_copy && j->to == TW_RAM; }
static bool is_p2p(const struct tw__job *j) { return j->is_copy && j->to != TW_RAM && j->from != TW_RAM; }
static bool is_from_device(const struct tw__job *j) { return j->is_copy && j->from != TW_RAM; }
static bool is_kernel(const struct tw__job *j) { return !j->is_copy; }

static bool adds(const struct tw__job *j)
{
	return !j->is_copy && (j->operands[0].mode & TW_REDUX) && (j->operands[0].mode & TW_R);
}

static bool sets(const struct tw__job *j)
{
	return !j->is_copy && (j->operands[0].mode & TW_REDUX) && !(j->operands[0].mode & TW_R);
}

/* --- copies ----------------------------------------------------------------------------------------------------- */

static void skip_copy(struct tw__job *j) { j->bytes = 0; }
static void copy_half(struct tw__job *j) { j->bytes /= 2; }
static void copy_another(struct tw__job *j)
{
	j->source = (const char *)j->source + (j->data ? -1 : 1) * (int64_t)j->bytes;
}

static void copy_elsewhere(struct tw__job *j)
{
	char *base = engine->spaces.base[j->to];
	bool first = (char *)j->target == base;
	j->target = (char *)j->target + (first ? 1 : -1) * (int64_t)j->bytes;
}

static void copy_back(struct tw__job *j)
{
	void *target = j->target;
	tw_node to = j->to;
	j->target = (void *)(uintptr_t)j->source;
	j->source = target;
	j->to = j->from;
	j->from = to;
}

/* To main memory it would be a copy onto itself. */
static void copy_stale(struct tw__job *j)
{
	j->source = tw__spaces_home(&engine->spaces, j->data);
	if (j->to == TW_RAM)
		j->bytes = 0;
	else
		j->from = TW_RAM;
}

/* It is made when six more jobs have been given: long after its end was told. */
static struct tw__job late;
static int late_in;

static void copy_late(struct tw__job *j)
{
	late = *j;
	late_in = 6;
	j->bytes = 0;
}

/* --- kernels ---------------------------------------------------------------------------------------------------- */

static void leave_out(struct tw__job *j) { wrong_kernel(engine, j, LEFT_OUT); }
static void run_twice(struct tw__job *j) { wrong_kernel(engine, j, RUN_TWICE); }
static void report_an_error(struct tw__job *j) { wrong_kernel(engine, j, REPORTS_AN_ERROR); }
static void leave_a_nan(struct tw__job *j) { wrong_kernel(engine, j, LEAVES_A_NAN); }
static void flip_bit(struct tw__job *j) { wrong_kernel(engine, j, FLIPS_A_BIT); }
static void flip_bit_double(struct tw__job *j) { wrong_kernel(engine, j, FLIPS_A_BIT_OF_DOUBLE); }
static void run_syrk(struct tw__job *j) { wrong_kernel(engine, j, IS_SYRK); }
static void compute_first_part(struct tw__job *j) { wrong_kernel(engine, j, COMPUTES_THE_FIRST_PART); }

static void swap(struct tw__job *j, int a, int b)
{
	struct tw_operand operand = j->operands[a];
	j->operands[a].at = j->operands[b].at;
	j->operands[b].at = operand.at;
}

static void swap_inputs(struct tw__job *j) { swap(j, 0, 1); }
static void swap_output(struct tw__job *j) { swap(j, 0, j->n_operands - 1); }

static void use_neighbour(struct tw__job *j)
{
	tw_node n = engine->platform->workers[j->worker].node;
	bool first = (char *)j->operands[0].at == engine->spaces.base[n];
	j->operands[0].at = (char *)j->operands[0].at + (first ? 1 : -1) * (int64_t)j->operands[0].bytes;
}

static void use_home(struct tw__job *j)
{
	const struct tw_graph *g = engine->graph;
	uint32_t last = g->access_start[j->task + 1] - 1;
	j->operands[j->n_operands - 1].at = tw__spaces_home(&engine->spaces, tw__access_data(g->access[last]));
}

static void use_scratch_of_result(struct tw__job *j) { j->operands[1].at = j->operands[0].at; }
static void change_task(struct tw__job *j) { j->task++; }
static void forget_content(struct tw__job *j) { j->operands[0].mode &= ~(unsigned)TW_R; }
static void believe_content(struct tw__job *j) { j->operands[0].mode |= TW_R; }

/* --- the table -------------------------------------------------------------------------------------------------- */

static const struct fault faults[] = {
	{"a copy to an accelerator is left out", CHOLESKY, TIGHT, 0, NULL, is_h2d, skip_copy, NULL},
	{"a copy from an accelerator is left out: an eviction without its write-back", CHOLESKY, TIGHT, 0, NULL, is_d2h,
         skip_copy, NULL},
	{"a copy between accelerators is left out", CHOLESKY, PEERS, 0, NULL, is_p2p, skip_copy, NULL},
	{"half of the bytes are copied", CHOLESKY_D, TIGHT_D, 0, NULL, is_h2d, copy_half, NULL},
	{"another tile is copied", CHOLESKY, TIGHT, 0, NULL, is_h2d, copy_another, NULL},
	{"a copy goes to a neighbour's place", CHOLESKY, TIGHT, 0, NULL, is_h2d, copy_elsewhere, NULL},
	{"a copy goes the wrong way", CHOLESKY, TIGHT, 0, NULL, is_d2h, copy_back, NULL},
	{"a stale copy is the source", CHOLESKY, PEERS, 0, NULL, is_from_device, copy_stale, NULL, true},
	{"a copy is made after its end was told", CHOLESKY, TIGHT, 0, NULL, is_h2d, copy_late, NULL, true},
	{"a write-back is made after its end was told", CHOLESKY, TIGHT, 0, NULL, is_d2h, copy_late, NULL, true},
	{"a copy of LU is left out", LU, TIGHT, 0, NULL, is_d2h, skip_copy, NULL},
	{"a copy of QR is left out", QR, AMPLE, 0, NULL, is_h2d, skip_copy, NULL},
	{"a copy of a border is left out", STENCIL, AMPLE, 0, NULL, is_d2h, skip_copy, NULL, true},
	{"a kernel is left out", CHOLESKY, AMPLE, 1, "gemm", is_kernel, leave_out, NULL},
	{"a kernel of LU is left out", LU, AMPLE, 1, "lu.gemm", is_kernel, leave_out, NULL},
	{"a kernel of a stencil is left out", STENCIL, AMPLE, 1, "cl_update", is_kernel, leave_out, NULL},
	{"a kernel runs twice", CHOLESKY_D, AMPLE, 1, "syrk", is_kernel, run_twice, NULL},
	{"a kernel reports an error", CHOLESKY, AMPLE, 1, "trsm", is_kernel, report_an_error, "kernel 'trsm' of task"},
	{"a kernel leaves a NaN", CHOLESKY, AMPLE, 1, "gemm", is_kernel, leave_a_nan, NULL},
	{"a bit flips, single precision", CHOLESKY, AMPLE, 1, "gemm", is_kernel, flip_bit, NULL},
	{"a bit flips, double precision", CHOLESKY_D, AMPLE, 1, "gemm", is_kernel, flip_bit_double, NULL},
	{"inputs are swapped", CHOLESKY, AMPLE, 1, "gemm", is_kernel, swap_inputs, NULL},
	{"input and output are swapped", PRODUCT, AMPLE, 1, "gemm", is_kernel, swap_output, NULL},
	{"another kernel runs", CHOLESKY, AMPLE, 1, "trsm", is_kernel, run_syrk, NULL},
	{"an operand is the neighbour's", CHOLESKY, TIGHT, 0, "gemm", is_kernel, use_neighbour, NULL},
	{"an operand is that of main memory", CHOLESKY, AMPLE, 0, "gemm", is_kernel, use_home, NULL},
	{"a kernel is told another task", REDUCTION, AMPLE, 1, "shoot", is_kernel, change_task, NULL,
         .cores_alone = true},
	{"an accumulator is overwritten", REDUCTION, AMPLE, 1, "shoot", adds, forget_content, NULL,
         .cores_alone = true},
	{"an accumulator without content is added to", REDUCTION, AMPLE, 1, "shoot", sets, believe_content, NULL,
         .cores_alone = true},
	{"an accumulator is left out", REDUCTION, AMPLE, 1, "add", is_kernel, leave_out, NULL, .cores_alone = true},
	{"scratch is somebody else's room", REDUCTION, AMPLE, 1, "shoot", adds, use_scratch_of_result, NULL,
         .cores_alone = true},
	{"a part of a group's kernel is left out", PRODUCT, NULL, 1, "gemm", is_kernel, compute_first_part, NULL,
         .cores_alone = true},
};
enum { N_FAULTS = sizeof faults / sizeof *faults, OCCURRENCES = 3, MOST_TRIES = 20 };

/* --- planting --------------------------------------------------------------------------------------------------- */

static void make_late_copy(void)
{
	if (late_in == 0 || --late_in > 0)
		return;
	if (scene_uses_cuda())
		wrong_copy_cuda(engine, &late);
	else
		memcpy(late.target, late.source, late.bytes);
}

static void tamper(void *context, struct tw__job *j)
{
	(void)context;
	make_late_copy();
	if (!fault->bites(j) ||
	    (fault->kernel && strcmp(fault->kernel, engine->graph->kernels[engine->graph->kernel[j->task]].name)))
		return;
	if (n_met++ == nth) {
		n_planted++;
		fault->plant(j);
	}
}

static int open_and_note(struct tw__engine **e, const struct tw__engine_setup *setup, struct tw_error *err)
{
	int status = tw__engine_real.open(e, setup, err);
	engine = *e;
	if (engine && scene_uses_cuda())
		wrong_kernels_cuda_init(engine, fault->kernel);
	return status;
}

/* With CUDA, as few as can be: the panels of QR need one. */
static int cpus_of(const struct fault *f)
{
	return !f->emulate ? 1 : scene_uses_cuda() ? strncmp(f->workload, "qr", 2) == 0 : f->cpus;
}

static struct scene_words words_of(const struct fault *f)
{
	return (struct scene_words){.workload = f->workload,
	                            .emulate = f->emulate,
	                            .cpus = cpus_of(f),
	                            .cpu_groups = f->emulate ? NULL : "2"};
}

static int run_fault(struct scene *s, int index, int occurrence)
{
	fault = &faults[index];
	nth = occurrence;
	n_met = n_planted = late_in = 0;
	const struct scene_words words = words_of(fault);
	scene_init(s, &words);
	s->ops.open = open_and_note;
	s->config.tamper = tamper;
	return scene_run(s);
}

static void check_found(const struct scene *s, int status)
{
	ck_assert_msg(n_planted == 1, "%s: not planted: %d such jobs", fault->name, n_met);
	ck_assert_msg(status == TW_FAILED, "%s: it was not found (occurrence %d)", fault->name, nth);
	ck_assert_msg(!fault->says || strstr(s->err.message, fault->says), "%s: %s", fault->name, s->err.message);
	if (getenv("SHOW_FAULTS"))
		printf("%s, %d: %s\n", fault->name, nth, s->err.message);
}

/* Each fault at its first three occurrences; one that is harmless at times, at the first that is not, from the start again
 * if there is none. */
START_TEST(a_fault_makes_the_run_fail)
{
	struct scene s;
	int index = _i / OCCURRENCES, i = _i % OCCURRENCES;
	if (scene_uses_cuda() && faults[index].cores_alone)
		return;
	int status = run_fault(&s, index, i);
	for (int tries = 1; fault->sometimes && status == TW_OK && tries < MOST_TRIES; tries++) {
		scene_finish(&s);
		i = n_planted ? i + OCCURRENCES : _i % OCCURRENCES;
		status = run_fault(&s, index, i);
	}
	check_found(&s, status);
	scene_finish(&s);
}
END_TEST

START_TEST(without_a_fault_the_run_is_right)
{
	struct scene s;
	if (scene_uses_cuda() && faults[_i].cores_alone)
		return;
	int status = run_fault(&s, _i, 1 << 30);
	ck_assert_int_eq(n_planted, 0);
	ck_assert_msg(status == TW_OK, "%s: %s", faults[_i].workload, s.err.message);
	scene_finish(&s);
}
END_TEST

/* --- faults that are no job's ----------------------------------------------------------------------------------- */

static int collect_nothing(struct tw__engine *e, tw_data d, tw_node n, struct tw_error *err)
{
	(void)e, (void)d, (void)n, (void)err;
	return TW_OK;
}

static int place_on_top(struct tw__engine *e, tw_node n, tw_data d, uint64_t offset, uint64_t bytes)
{
	return tw__engine_real.place(e, n, d, offset % (2 * bytes), bytes);
}

static int exec_on_top(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	struct tw__placed access[TW_MAX_ACCESSES];
	struct tw__launch changed = *launch;
	for (int i = 0; i < launch->n_accesses; i++) {
		access[i] = launch->access[i];
		access[i].offset %= 2 * e->graph->data_bytes[access[i].data];
	}
	changed.access = access;
	return tw__engine_real.exec(e, &changed, token);
}

/* The end of the first kernel, a potrf, is told as soon as it has been given; it takes its time. Kernels on both accelerators need its result:
 * on one of them, they would follow each other anyway. */
static uint64_t early;
static int n_execs;
static tw__turn *true_turn;

static void slow_down(void *context, struct tw__job *j)
{
	(void)context;
	if (!j->is_copy && n_execs == 1)
		wrong_kernel(engine, j, TAKES_ITS_TIME);
}

static int exec_and_note(struct tw__engine *e, const struct tw__launch *launch, uint64_t token)
{
	if (++n_execs == 1)
		early = token;
	return tw__engine_real.exec(e, launch, token);
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
	tw_task after = g->successor[g->successor_start[0]];
	for (tw_task t = 0; t < g->n_tasks; t++)
		g->successor_start[t + 1]--;
	memmove(g->successor, g->successor + 1, g->successor_start[g->n_tasks] * sizeof *g->successor);
	g->n_predecessors[after]--;
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
	static const struct fault potrf = {.kernel = "potrf"};
	fault = &potrf;
	s->ops.open = open_and_note;
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

static void (*const lies[])(struct scene *) = {collects_nothing, places_on_top, tells_too_early, loses_a_dependency,
                                               forgets_writes};
enum { N_LIES = sizeof lies / sizeof *lies };

START_TEST(a_lie_makes_the_run_fail)
{
	struct scene s;
	scene_init(&s, &(struct scene_words){.workload = CHOLESKY,
	                                     .emulate = AMPLE,
	                                     .policy = "roundrobin",
	                                     .runtime = "real:idle_write_back=no"});
	lies[_i](&s);
	ck_assert_msg(scene_run(&s) == TW_FAILED, "lie %d was not found", _i);
	scene_finish(&s);
	if (getenv("SHOW_FAULTS"))
		printf("lie %d: %s\n", _i, s.err.message);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("faults");
	TCase *cases = tcase_create("faults");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, a_fault_makes_the_run_fail, 0, N_FAULTS * OCCURRENCES);
	tcase_add_loop_test(cases, without_a_fault_the_run_is_right, 0, N_FAULTS);
	tcase_add_loop_test(cases, a_lie_makes_the_run_fail, 0, N_LIES);
	suite_add_tcase(suite, cases);
	SRunner *runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	int failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0;
}
