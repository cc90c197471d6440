#include "trace/domains.h"

#include <stdio.h>

const char *tw__domains_text(char text[TW__DOMAINS_TEXT], const struct tw__run_domains *d, tw__domain_set set)
{
	int n = 0;
	snprintf(text, TW__DOMAINS_TEXT, "none");
	for (int i = 0; i < d->n; i++)
		if (set >> i & 1)
			n += snprintf(text + n, TW__DOMAINS_TEXT - (size_t)n, "%s%s", n > 0 ? "+" : "", d->names[i]);
	return text;
}
