/* The style and the scripts of the report page, from the folder src/report/page: embed.py puts them into the
 * library. */
#ifndef TW__REPORT_ASSETS_H
#define TW__REPORT_ASSETS_H

#include <stddef.h>

struct tw__asset {
	const char *name, *bytes;
	size_t n;
	const char *digest; /* digest for the page's Content-Security-Policy: "sha256-..." */
};
extern const struct tw__asset tw__assets[]; /* all style and script files; ends with {0} */

#endif
