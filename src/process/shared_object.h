/* Plug-ins from the user's shared objects. */
#ifndef TW__SHARED_OBJECT_H
#define TW__SHARED_OBJECT_H

#include <tilewright/base.h>

/* A kind of plug-in. Its structure begins with an int: the version of the interface that it was compiled for. */
struct tw__plugin_kind {
	const char *what;   /* the kind's name in messages, as in "policy" */
	const char *symbol; /* name under which a shared object exports the structure */
	int abi;            /* version of the interface that this library requires */
};
extern const struct tw__plugin_kind tw__policy_kind, tw__eviction_kind, tw__workload_kind;

/* Whether the name of a plug-in is the path of a shared object: it contains '/' or ends with ".so". */
bool tw__is_shared_object(const char *name);

/* Opens a shared object, and sets `*plugin` to its plug-in structure. The object stays open until the process ends, as
 * the plug-in's names and parameters may be in use until then. TW_INVALID: the file cannot be opened, or has no such
 * plug-in. */
int tw__shared_object_open(const void **plugin, const struct tw__plugin_kind *, const char *name, struct tw_error *err);

/* Loads a shared object in a child process, to see whether the file is whole, and what its constructors do. TW_INVALID:
 * this process must not load it. The message has the reason, without the name of the object. */
int tw__shared_object_try(const char *path, double limit_s, struct tw_error *err);

#endif
