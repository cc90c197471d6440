/* The page's style and scripts: src/report/page, put into the library by embed.py. */
#ifndef TW__REPORT_ASSETS_H
#define TW__REPORT_ASSETS_H

#include <stddef.h>

struct tw__asset {
	const char *name, *bytes;
	size_t n;
	const char *digest; /* as a Content-Security-Policy has it: "sha256-..." */
};
extern const struct tw__asset tw__assets[]; /* ends with {0} */

#endif
