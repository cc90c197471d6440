/* Signals as descriptors, for commands that keep their results when a signal ends them. */
#ifndef TW__SIGNALS_H
#define TW__SIGNALS_H

/* Blocks SIGINT, SIGTERM and SIGHUP, and returns a descriptor that is readable once one of them arrives. Child
 * processes inherit the blocked signals; the parent must end them. */
int signals_watch(void);
/* Reads the signal that has arrived. Returns the exit status that a shell gives to a program which a signal ended: 128
 * plus the signal's number. */
int signals_status(int fd);

#endif
