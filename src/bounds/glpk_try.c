#include "bounds/glpk_try.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include <glpk.h>

struct attempt {
	jmp_buf back;
	char text[200]; /* the first line that GLPK prints about its error */
};

/* Keeps what GLPK would print. */
static int keep_text(void *attempt, const char *text)
{
	struct attempt *a = attempt;
	if (!*a->text)
		snprintf(a->text, sizeof a->text, "%.*s", (int)strcspn(text, "\n"), text);
	return 1; /* GLPK prints nothing */
}

static void go_back(void *attempt) { longjmp(((struct attempt *)attempt)->back, 1); }

/* A function of its own, as local variables of the function that calls setjmp lose their values. */
static int attempt_work(struct attempt *a, int (*work)(void *arg, struct tw_error *err), void *arg,
                        struct tw_error *err)
{
	if (setjmp(a->back)) {
		glp_free_env();
		return tw_fail(err, TW_NOMEM, "bounds: GLPK: %s", a->text);
	}
	glp_term_hook(keep_text, a);
	glp_error_hook(go_back, a);
	int status = work(arg, err);
	glp_error_hook(NULL, NULL);
	glp_term_hook(NULL, NULL);
	return status;
}

int tw__glpk_try(int (*work)(void *arg, struct tw_error *err), void *arg, struct tw_error *err)
{
	struct attempt a = {.text = ""};
	if (glp_init_env() > 1) /* 0: done, 1: it was done before */
		return tw_fail(err, TW_NOMEM, "bounds: out of memory for GLPK");
	return attempt_work(&a, work, arg, err);
}
