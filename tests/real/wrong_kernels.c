#include "wrong_kernels.h"

#include <string.h>
#include <time.h>

static const struct tw_codelet *right; /* the codelet that a faulty one replaces */
static struct tw_codelet planted;

const struct tw_operand *wrong_kernel_result(const struct tw_operand *operands, int n_operands)
{
	int i = n_operands - 1;
	while (i > 0 && !(operands[i].mode & TW_W))
		i--;
	return &operands[i];
}

static unsigned char *result_of(const struct tw_call *c) { return wrong_kernel_result(c->operands, c->n_operands)->at; }

static int leave_out(const struct tw_call *c)
{
	(void)c;
	return 0;
}

static int run_twice(const struct tw_call *c)
{
	right->run(c);
	return right->run(c);
}

static int run_and_fail(const struct tw_call *c)
{
	right->run(c);
	return 7;
}

static int run_to_nan(const struct tw_call *c)
{
	int code = right->run(c);
	memset(result_of(c), 0xff, 8); /* in its first column, which a lower triangle has, too */
	return code;
}

static int run_to_flip(const struct tw_call *c)
{
	int code = right->run(c);
	result_of(c)[2] ^= 0x20;
	return code;
}

static int run_to_flip_double(const struct tw_call *c)
{
	int code = right->run(c);
	result_of(c)[5] ^= 0x20;
	return code;
}

static int run_slowly(const struct tw_call *c)
{
	nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
	return right->run(c);
}

static int run_first_part(const struct tw_call *c)
{
	struct tw_call same = *c;
	same.part = 0;
	return right->run(&same);
}

static int (*const runs[N_WRONGS])(const struct tw_call *) = {
	[LEFT_OUT] = leave_out,
	[RUN_TWICE] = run_twice,
	[REPORTS_AN_ERROR] = run_and_fail,
	[LEAVES_A_NAN] = run_to_nan,
	[FLIPS_A_BIT] = run_to_flip,
	[FLIPS_A_BIT_OF_DOUBLE] = run_to_flip_double,
	[TAKES_ITS_TIME] = run_slowly,
	[COMPUTES_THE_FIRST_PART] = run_first_part,
};

static const struct tw_codelet *syrk(const struct tw__engine *e)
{
	tw_kernel k = 0;
	while (strcmp(e->graph->kernels[k].name, "syrk") != 0)
		k++;
	return e->family->codelets[k];
}

void wrong_kernel(struct tw__engine *e, struct tw__job *j, enum wrong wrong)
{
	if (!e->workers[j->worker] && !e->config.emulates) {
		wrong_kernel_cuda(e, j, wrong);
		return;
	}
	if (wrong == IS_SYRK) {
		j->codelet = syrk(e);
		return;
	}
	right = j->codelet;
	planted = *right;
	planted.run = runs[wrong];
	j->codelet = &planted;
}
