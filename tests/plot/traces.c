#include "traces.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot/plot.h"
#include "trace/write.h"

const char *const traces[N_TRACES] = {"run.paje", "run.json"};
char folder[64];
struct fixture f;

const char *in_folder(const char *name)
{
	static char paths[4][256];
	static int next;
	char *path = paths[next++ % 4];
	snprintf(path, sizeof *paths, "%s/%s", folder, name);
	return path;
}

int shell(const char *command)
{
	char line[1024];
	snprintf(line, sizeof line, "cd '%s' && %s", folder, command);
	int status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void traces_set_up(void)
{
	strcpy(folder, "/tmp/tilewright-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	fixture_init(&f);
	for (int i = 0; i < N_TRACES; i++) {
		struct tw_error err;
		ck_assert_int_eq(tw__trace_write(in_folder(traces[i]), &f.traced, &err), TW_OK);
	}
}

void traces_tear_down(void)
{
	fixture_finish(&f);
	shell("rm -rf \"$PWD\"");
}

/* Reads the run of a trace, of the fixture's platform and graph. */
static int read_run(struct tw__traced *run, struct tw__run_section *section, const char *path, struct tw_error *err)
{
	int status = tw__run_section_read(section, path, NULL, err);
	if (status == TW_OK)
		status = tw__run_section_check(section, &f.platform, f.graph, err);
	*run = f.traced;
	run->record = &section->record;
	return status;
}

int read_schedule(struct tw__schedule *s, struct tw__run_section *section, const char *path, struct tw_error *err)
{
	struct tw__traced run;
	*s = (struct tw__schedule){0};
	int status = read_run(&run, section, path, err);
	if (status == TW_OK)
		tw__schedule_of(s, &run);
	return status;
}

int draw_gantt(const char *trace, const char *output, struct tw_error *err)
{
	struct tw__traced run;
	struct tw__run_section section;
	const struct tw__trace_request request = {.trace = trace, .output = output};
	int status = read_run(&run, &section, trace, err);
	if (status == TW_OK)
		status = tw__gantt_of_run(&run, NULL, &request, err);
	tw__run_section_finish(&section);
	return status;
}

char *read_file(const char *name)
{
	FILE *file = fopen(in_folder(name), "r");
	ck_assert_ptr_nonnull(file);
	char *text = calloc(1, 1 << 18);
	ck_assert_uint_lt(fread(text, 1, (1 << 18) - 1, file), (1 << 18) - 1);
	fclose(file);
	return text;
}
