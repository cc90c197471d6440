/* The kinds of devices in StarPU's files. */
#ifndef TW__STARPU_DEVICES_H
#define TW__STARPU_DEVICES_H

#include <stdbool.h>

struct tw__starpu_kind {
	const char *id;   /* the letters of a host's id: "CUDA" for CUDA0 */
	const char *arch; /* arch of a device whose model the file does not name */
	int device_type;  /* number of the kind in StarPU's performance models */
	/* Kinds above 0 may be views of the same cards, of which a file with several uses the least. 0: own devices. */
	int view;
};

enum { TW__STARPU_CPU = 0 }; /* number of CPU cores in StarPU's performance models */

/* Returns the kind of accelerator of a host with this id, which ends with the device's number; NULL: it is none. */
const struct tw__starpu_kind *tw__starpu_kind(const char *id);

/* Whether an id is the prefix followed by a number: "CPU12" is, with the prefix "CPU". */
bool tw__is_numbered(const char *id, const char *prefix);

#endif
