/* Arrows in a Chrome trace, as flow events: from the task that released another to that task, and from a transfer to
 * the first task that uses the copy.
 *
 * An execution has one arrow from a task: its predecessor that was released last. Others did not hold it up, and
 * some tasks have thousands. A transfer has at most one arrow. None is drawn if the copy becomes invalid before a
 * task reads it, or if only other transfers do. */
#ifndef TW__CHROME_ARROWS_H
#define TW__CHROME_ARROWS_H

#include "trace/formats.h"

/* The list of events in the file. */
struct tw__chrome_list {
	FILE *f;
	bool first; /* whether no event was written yet */
};

/* Writes the separator before an event, and the event's opening brace. */
static inline void tw__chrome_begin(struct tw__chrome_list *list)
{
	fputs(list->first ? "\n{" : ",\n{", list->f);
	list->first = false;
}

/* A bar of the trace, at whose end an arrow starts, or at whose start it ends. */
struct tw__chrome_bar {
	int pid, tid; /* the row */
	tw__ns start, end;
};

struct tw__chrome_arrows;

/* Prepares arrows between the rows of the process `pid` for tasks: worker w has the row w + 1. NULL: out of memory. */
struct tw__chrome_arrows *tw__chrome_arrows_create(const struct tw__trace *, int pid);
void tw__chrome_arrows_destroy(struct tw__chrome_arrows *);

/* Takes note of the next event of the record; call it for each in order. `bar` is the bar that the event ends, of a
 * transfer or of an execution (TW__END, TW__CANCEL). NULL: the event ends none. If it is an execution's, its arrows are
 * written, so the bar must have been written. Returns TW_OK or TW_NOMEM. */
int tw__chrome_arrows_step(struct tw__chrome_arrows *, const struct tw__event *, const struct tw__chrome_bar *bar,
                           struct tw__chrome_list *);

#endif
