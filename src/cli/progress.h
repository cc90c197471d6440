/* A bar of progress on stderr, for terminals. */
#ifndef TW__PROGRESS_H
#define TW__PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

/* Writes a duration to `text`: "42 s", "12 min" or "3.4 h". */
void progress_duration(char *text, size_t room, double seconds);
/* Draws a bar of which this part is full, at the start of the line. */
void progress_bar(double part);
/* Removes the line of the bar, if there is one on the screen. */
void progress_wipe(bool *is_drawn);

#endif
