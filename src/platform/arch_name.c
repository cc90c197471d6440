#include "platform/arch_name.h"

#include <ctype.h>

void tw__arch_name(char *to, size_t room, const char *model)
{
	size_t n = 0;
	for (; *model && n < room - 1; model++)
		if (isalnum((unsigned char)*model) || (*model == '.' && n))
			to[n++] = (char)tolower((unsigned char)*model);
		else if (n && to[n - 1] != '-')
			to[n++] = '-';
	while (n && to[n - 1] == '-')
		n--;
	to[n] = '\0';
}
