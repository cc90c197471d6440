/* Plug-ins in shared objects of the user's own. */
#ifndef TW__SHARED_OBJECT_H
#define TW__SHARED_OBJECT_H

#include <tilewright/base.h>

/* A kind of plug-in. Its structure begins with an int, the version of the interface that it was compiled for. */
struct tw__plugin_kind {
	const char *what;   /* for messages */
	const char *symbol; /* under which a shared object exports the structure */
	int abi;            /* the version there must be */
};
extern const struct tw__plugin_kind tw__policy_kind, tw__eviction_kind, tw__workload_kind;

/* Whether a plug-in of that name is in a shared object: it has a '/' or ends with ".so". */
bool tw__is_shared_object(const char *name);

/* Opens it: `*plugin` is its structure. It stays open until the process ends, since names and parameters of the plug-in
 * may be used that long. TW_INVALID: there is none such. */
int tw__shared_object_open(const void **plugin, const struct tw__plugin_kind *, const char *name, struct tw_error *err);

#endif
