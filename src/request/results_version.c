/* The version that each row of results has. */
#include <stdio.h>

#include "request/identity.h"

const char *tw__results_version(void)
{
	static char text[64];
	if (!*text)
		snprintf(text, sizeof text, "%s+%s", tw_version(), TW__MODELS_VERSION);
	return text;
}
