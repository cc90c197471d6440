/* Plug-ins from the user's shared objects, and what such code may change in this process by mistake: its caller puts it
 * back. */
#ifndef TW__SHARED_OBJECT_H
#define TW__SHARED_OBJECT_H

#include <fenv.h>
#include <locale.h>

#include <tilewright/base.h>

/* A kind of plug-in. Its structure begins with an int, a TW_ABI: the interface that it was compiled for. */
struct tw__plugin_kind {
	const char *what;   /* the kind's name in messages, as in "policy" */
	const char *symbol; /* name under which a shared object exports the structure */
	int abi;            /* TW_ABI of this library */
};
extern const struct tw__plugin_kind tw__policy_kind, tw__eviction_kind, tw__workload_kind;

/* Checks the first word of a plug-in's structure. TW_INVALID: this library cannot take it. `name`: for messages. */
int tw__plugin_check_abi(const struct tw__plugin_kind *, const char *name, int abi, struct tw_error *err);

/* Whether the name of a plug-in is the path of a shared object: it contains '/' or ends with ".so". */
bool tw__is_shared_object(const char *name);

/* Opens a shared object, and sets `*plugin` to its plug-in structure. The object stays open until the process ends, as
 * the plug-in's names and parameters may be in use until then. TW_INVALID: the file cannot be opened, or has no such
 * plug-in. */
int tw__shared_object_open(const void **plugin, const struct tw__plugin_kind *, const char *name, struct tw_error *err);

/* Loads a shared object in a child process, to see whether the file is whole, and what its constructors do. The loader
 * dies of a truncated file, and a constructor may end the process that loads it, or never return. TW_INVALID: this
 * process must not load it. The message has the reason, without the name of the object. */
int tw__shared_object_try(const char *path, double limit_s, struct tw_error *err);

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
