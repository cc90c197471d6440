#include "faults.h"

#include <string.h>

#include "graph/reduction.h"
#include "wrong_kernels.h"

#define CHOLESKY_D "cholesky:nt=5:nb=48:precision=d"
#define LU "lu:nt=4:nb=48"
#define QR "qr:nt=3:nb=48:ib=16:precision=d"
#define STENCIL "stencil:nx=12:ny=12:nz=48:blocks=4:iterations=6"
#define PRODUCT "matmul3d:nt=3:nb=48"
#define REDUCTION "reduction:n=24:shots=500:bytes=4KiB:scratch=4KiB"
/* Four tiles of 48 x 48 single-precision numbers: tasks of three evict each other's. */
#define TIGHT "gpus=2:mem=36864:bandwidth=4GB/s"
#define TIGHT_D "gpus=2:mem=73728:bandwidth=4GB/s"
#define PEERS "gpus=2:mem=64MiB:bandwidth=4GB/s:peer=yes"

struct tw__engine *engine;
static const char *wrong_kernels_name;

static int open_and_note(struct tw__engine **e, const struct tw__engine_setup *setup, struct tw_error *err)
{
	int status = tw__engine_real.open(e, setup, err);
	engine = *e;
	if (engine && scene_uses_cuda())
		wrong_kernels_cuda_init(engine, wrong_kernels_name);
	return status;
}

void faults_open(struct scene *s, const char *kernel)
{
	wrong_kernels_name = kernel;
	s->ops.open = open_and_note;
}

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

void faults_make_late_copy(void)
{
	if (late_in == 0 || --late_in > 0)
		return;
	if (scene_uses_cuda())
		wrong_copy_cuda(engine, &late);
	else
		memcpy(late.target, late.source, late.bytes);
}

void faults_no_late_copy(void) { late_in = 0; }

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

const struct fault faults[] = {
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
	{"a part of a parallel task's kernel is left out", PRODUCT, NULL, 2, "gemm", is_kernel, compute_first_part,
         NULL, .cores_alone = true, .is_parallel = true},
	{"a kernel of a parallel task reports an error", PRODUCT, NULL, 2, "gemm", is_kernel, report_an_error,
         "kernel 'gemm' of task", .cores_alone = true, .is_parallel = true},
};
const int n_faults = sizeof faults / sizeof *faults;
