#include "cli/progress.h"

#include <stdio.h>

void progress_duration(char *text, size_t room, double seconds)
{
	if (seconds < 100)
		snprintf(text, room, "%.0f s", seconds);
	else if (seconds < 6000)
		snprintf(text, room, "%.0f min", seconds / 60);
	else
		snprintf(text, room, "%.1f h", seconds / 3600);
}

void progress_bar(double part)
{
	enum { CELLS = 30 };
	int full = (int)(CELLS * part);
	fprintf(stderr, "\r[%.*s%.*s] ", full, "##############################", CELLS - full,
	        "..............................");
}

void progress_wipe(bool *is_drawn)
{
	if (*is_drawn)
		fputs("\r\033[K", stderr);
	*is_drawn = false;
}
