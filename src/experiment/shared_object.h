/* Plug-ins from shared objects of the user. */
#ifndef TW__SHARED_OBJECT_H
#define TW__SHARED_OBJECT_H

#include <tilewright/base.h>

/* A kind of plug-in. Its structure begins with an int: the version of the interface that it was compiled for. */
struct tw__plugin_kind {
	const char *what;   /* for messages */
	const char *symbol; /* name under which a shared object exports the structure */
	int abi;            /* required version */
};
extern const struct tw__plugin_kind tw__policy_kind, tw__eviction_kind, tw__workload_kind;

/* Whether the name is a shared object: it contains '/' or ends with ".so". */
bool tw__is_shared_object(const char *name);

/* Opens it: `*plugin` points to its structure. It stays open until the process ends, as its names and parameters may be
 * in use until then. TW_INVALID: it cannot be opened, or is no such plug-in. */
int tw__shared_object_open(const void **plugin, const struct tw__plugin_kind *, const char *name, struct tw_error *err);

#endif
