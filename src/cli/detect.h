/* `tilewright platform detect`. */
#ifndef TW__CLI_DETECT_H
#define TW__CLI_DETECT_H

#include <stdbool.h>

struct detect_options {
	const char *folder;
	const char *name, *hwloc_xml; /* see tw__detect */
	bool force;                   /* replace a platform.xml */
};

/* Writes the folder's platform.xml and, unless there is one, its kernels.csv: both or neither. Returns the exit status. */
int detect_platform(const struct detect_options *);

#endif
