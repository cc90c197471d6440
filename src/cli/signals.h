/* Signals that end a command which keeps what it has. */
#ifndef TW__SIGNALS_H
#define TW__SIGNALS_H

/* A descriptor that can be read once SIGINT, SIGTERM or SIGHUP has come; these no longer end the process. Child processes inherit that the
 * signals are blocked: it is the parent that ends them. */
int signals_watch(void);
/* What the shell calls the exit status of a program that such a signal has ended. */
int signals_status(int fd);

#endif
