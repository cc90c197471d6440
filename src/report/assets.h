/* The page's style and scripts: src/report/page, which embed.py puts into the library. */
#ifndef TW__REPORT_ASSETS_H
#define TW__REPORT_ASSETS_H

#include <stddef.h>

struct tw__asset {
	const char *name, *bytes;
	size_t n;
	const char *digest; /* for the Content-Security-Policy: "sha256-..." */
};
extern const struct tw__asset tw__assets[]; /* ends with {0} */

#endif
