/* Calls of plug-ins from shared objects: what such code may change by mistake, and its caller puts back. */
#ifndef TW__FOREIGN_H
#define TW__FOREIGN_H

#include <fenv.h>
#include <locale.h>

#include <tilewright/base.h>

/* The state of this process that our own code relies on. */
struct tw__own_state {
	char *folder, *locale; /* malloc'ed; NULL: unknown, and not put back */
	locale_t thread_locale;
	fenv_t floats;
	int rounding;
};

/* Call these before and behind code of plug-ins. The second puts the state back: the current folder, the locale and the
 * mode of floating-point numbers. It returns false if the plug-in had changed the rounding mode, which changes
 * results. */
void tw__foreign_begin(struct tw__own_state *);
bool tw__foreign_end(struct tw__own_state *);

/* Between these two, standard output of this process goes to standard error, as code of plug-ins may print. *saved is
 * for the second. TW_SYSTEM: there is no descriptor left. */
int tw__output_divert(int *saved, struct tw_error *err);
void tw__output_restore(int saved);

#endif
