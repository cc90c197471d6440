/* The default engine of a sweep: a sweep continues a file with the engine of the file's rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <tilewright/csv.h>

#include "results/columns.h"
#include "sweep/sweep.h"

/* Returns the name of the simulating engine as a static string; NULL: no such engine. */
static const char *simulation(const char *name)
{
	static const char *const names[] = {"native", "simgrid"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i]) == 0)
			return names[i];
	return NULL;
}

/* Splits the next line of the file into fields, and returns their number; 0: the line is incomplete, malformed or
 * missing. */
static int read_fields(FILE *f, char **line, size_t *room, char **fields)
{
	ssize_t length = getline(line, room, f);
	if (length <= 0 || (*line)[length - 1] != '\n')
		return 0;
	(*line)[length - 1] = '\0';
	struct tw_csv csv = {.fields = fields, .most = TW__MAX_COLUMNS};
	int n = tw_csv_cut(&csv, *line);
	return n > 0 ? n : 0;
}

static int place_of(char *const *names, int n)
{
	int place = 0;
	while (place < n && strcmp(names[place], "engine") != 0)
		place++;
	return place;
}

/* Stops at damaged lines without an error: tw__sweep_run reports them. */
const char *tw__sweep_engine(const char *path)
{
	struct stat about;
	FILE *f = stat(path, &about) == 0 && S_ISREG(about.st_mode) ? fopen(path, "re") : NULL;
	char *line = NULL, *fields[TW__MAX_COLUMNS];
	const char *engine = NULL;
	size_t room = 0;
	int n = f ? read_fields(f, &line, &room, fields) : 0, place = place_of(fields, n);
	while (!engine && n > place && (n = read_fields(f, &line, &room, fields)) > place)
		engine = simulation(fields[place]);
	if (f)
		fclose(f);
	free(line);
	return engine ? engine : TW__SWEEP_ENGINE;
}
