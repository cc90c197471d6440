/* A program may have set a locale with a decimal comma: simulations and their traces are those of the locale C.
 *
 *     test_locale FOLDER: where the locale is made */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/run.h>
#include <tilewright/simulate.h>

enum { SKIPPED = 77, MOST_BYTES = 1 << 22 };

/* Makes a German locale in the folder, and sets it. */
static bool set_german(const char *folder)
{
	char command[4096];
	snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' > '%s/localedef.log' 2>&1",
	         folder, folder);
	setenv("LOCPATH", folder, 1);
	int status = system(command);
	return setlocale(LC_ALL, "de_DE.UTF-8") && status >= 0 && strcmp(localeconv()->decimal_point, ",") == 0;
}

/* Simulates, and returns the trace. Its format is that of the file's ending. */
static char *simulate(const char *folder, const char *file, struct tw_outcome *outcome)
{
	char path[4096];
	struct tw_simulation s;
	struct tw_error err;
	char *bytes = calloc(MOST_BYTES, 1);
	snprintf(path, sizeof path, "%s/%s", folder, file);
	tw_simulation_init(&s);
	s.platform = "mirage";
	s.workload = "cholesky:nt=4";
	s.policy = "dmda:alpha=0.75";
	s.runtime = "starpu:push_cost=1.5us";
	s.engine = strstr(file, "simgrid") ? "simgrid" : "native";
	s.trace = path;
	if (tw_simulate(&s, outcome, &err) < 0) {
		printf("%s: %s\n", file, err.message);
		exit(1);
	}
	FILE *f = fopen(path, "r");
	if (f) {
		bytes[fread(bytes, 1, MOST_BYTES - 1, f)] = '\0';
		fclose(f);
	}
	remove(path);
	return bytes;
}

/* Whether a run tells the number of its makespan. */
static bool tells_makespan(void)
{
	struct tw_platform *platform;
	struct tw_scene *scene = NULL;
	struct tw_run *run = NULL;
	struct tw_run_options options;
	struct tw_error err;
	tw_run_options_init(&options);
	options.policy = "dmda";
	bool tells = tw_platform_open(&platform, "mirage", NULL, &err) == TW_OK &&
	             tw_scene_generate(&scene, platform, "cholesky:nt=4", &err) == TW_OK &&
	             tw_scene_run(scene, &options, &run, &err) == TW_OK && tw_run_number(run, "makespan_s") > 0;
	tw_run_close(run);
	tw_scene_close(scene);
	tw_platform_close(platform);
	return tells;
}

int main(int argc, char **argv)
{
	static const char *const files[] = {"a.csv", "a.json", "a.paje", "a.record", "simgrid.csv"};
	enum { N = sizeof files / sizeof *files };
	const char *folder = argc > 1 ? argv[1] : ".";
	char *expected[N];
	struct tw_outcome one[N], other;
	int bad = 0;
	for (int i = 0; i < N; i++)
		expected[i] = simulate(folder, files[i], &one[i]);
	if (!set_german(folder)) {
		printf("no locale with a decimal comma can be made here\n");
		return SKIPPED;
	}
	for (int i = 0; i < N; i++) {
		char *text = simulate(folder, files[i], &other);
		if (other.makespan_s != one[i].makespan_s || strlen(text) < 1000 || strcmp(text, expected[i]) != 0) {
			printf("%s: makespan %.9g s, in the locale C %.9g s; %zu bytes, %zu\n", files[i],
			       other.makespan_s, one[i].makespan_s, strlen(text), strlen(expected[i]));
			bad++;
		}
		free(text);
		free(expected[i]);
	}
	if (!tells_makespan()) {
		printf("tw_run_number does not tell the makespan\n");
		bad++;
	}
	if (strcmp(localeconv()->decimal_point, ",") != 0) {
		printf("the library has changed the program's locale\n");
		bad++;
	}
	return bad > 0;
}
