/* Work with GLPK that may run out of memory. By default, GLPK ends the process then. */
#ifndef TW__GLPK_TRY_H
#define TW__GLPK_TRY_H

#include <tilewright/base.h>

/* Calls work(arg, err), and returns its status. If GLPK reports an error instead, `work` does not return: its own
 * allocations must be reachable from `arg`. All programs of this thread are then gone (glp_free_env), and the result is
 * TW_NOMEM. */
int tw__glpk_try(int (*work)(void *arg, struct tw_error *err), void *arg, struct tw_error *err);

#endif
