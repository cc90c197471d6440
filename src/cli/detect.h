/* `tilewright platform detect`. */
#ifndef TW__CLI_DETECT_H
#define TW__CLI_DETECT_H

#include <stdbool.h>

struct detect_options {
	const char *folder;
	const char *name, *hwloc_xml; /* see tw__detect; each may be NULL */
	bool force;                   /* whether to replace an existing platform.xml */
};

/* Describes this machine as a platform: writes the folder's platform.xml, and its kernels.csv unless that exists. Both
 * are written, or neither. Returns the exit status. */
int detect_platform(const struct detect_options *);

#endif
