/* A folder with the traces of the schedule in fixture.h, one in each format. */
#ifndef TRACES_H
#define TRACES_H

#include "fixture.h"

enum { N_TRACES = 2 };
extern const char *const traces[N_TRACES]; /* names: Paje, then Chrome */

extern char folder[64];
extern struct fixture f;

/* A checked fixture: makes the folder and writes the traces; removes all. */
void traces_set_up(void);
void traces_tear_down(void);

const char *in_folder(const char *name); /* good for three more calls */
int shell(const char *command);          /* its exit status, in the folder; -1: killed */
/* Draws a Gantt chart of a trace, with the usual rows. */
int draw_gantt(const char *trace, const char *output, struct tw_error *);
char *read_file(const char *name); /* free it */

#endif
