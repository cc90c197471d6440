/* A folder with the traces of the schedule in fixture.h, one in each format. */
#ifndef TRACES_H
#define TRACES_H

#include "fixture.h"
#include "trace/run_section.h"
#include "trace/schedule.h"

enum { N_TRACES = 2 };
extern const char *const traces[N_TRACES]; /* names: Paje, then Chrome */

extern char folder[64];
extern struct fixture f;

/* A checked fixture: makes the folder and writes the traces; removes all. */
void traces_set_up(void);
void traces_tear_down(void);

const char *in_folder(const char *name); /* good for three more calls */
int shell(const char *command);          /* its exit status, in the folder; -1: killed */
/* Makes the schedule of a trace in the folder, of the fixture's platform and graph. Finish both in any case. */
int read_schedule(struct tw__schedule *, struct tw__run_section *, const char *path, struct tw_error *);
/* Draws a Gantt chart of such a trace, with the usual rows. */
int draw_gantt(const char *trace, const char *output, struct tw_error *);
char *read_file(const char *name); /* free it */

#endif
