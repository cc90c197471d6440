#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plot/plot.h"
#include "trace/text.h"

static const char *ending_of(const char *path)
{
	const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
	return dot ? dot : "";
}

int tw__gnuplot_terminal(FILE *f, const char *output, int width, int height, struct tw_error *err)
{
	const char *ending = ending_of(output);
	/* "noenhanced": an underscore in a name is an underscore. Sizes in pixels, 100 of which make an inch of paper;
	 * fonts, too: the scales turn points into those. */
	if (!strcmp(ending, ".svg") || !strcmp(ending, ".gp"))
		fprintf(f, "set terminal svg noenhanced size %d,%d font 'DejaVu Sans,13' background 'white'\n", width,
		        height);
	else if (!strcmp(ending, ".png"))
		fprintf(f,
		        "set terminal pngcairo noenhanced size %d,%d font 'DejaVu Sans,13' fontscale 0.78 background 'white'\n",
		        width, height);
	else if (!strcmp(ending, ".pdf"))
		fprintf(f,
		        "set terminal pdfcairo noenhanced size %d.%02din,%d.%02din font 'DejaVu Sans,13' fontscale 0.56 background 'white'\n",
		        width / 100, width % 100, height / 100, height % 100);
	else
		return tw_fail(err, TW_INVALID,
		               "%s: unknown kind of figure; expected a name that ends in .svg, .png, .pdf or .gp",
		               output);
	fputs("set encoding utf8\n", f);
	return TW_OK;
}

void tw__gnuplot_text(FILE *f, const char *s, int limit)
{
	putc('\'', f);
	for (int i = 0; *s; i++) {
		if (i == limit) {
			fputs("\xe2\x80\xa6", f); /* an ellipsis */
			break;
		}
		if (*s == '\'') {
			fputs("''", f);
			s++;
		} else {
			s += tw__print_character(f, s);
		}
	}
	putc('\'', f);
}

/* Copies the script; for output of kind .gp. */
static int copy(FILE *script, int out)
{
	char buffer[1 << 14];
	rewind(script);
	for (size_t n; (n = fread(buffer, 1, sizeof buffer, script)) > 0;)
		for (size_t done = 0; done < n;) {
			ssize_t wrote = write(out, buffer + done, n - done);
			if (wrote < 0 && errno != EINTR)
				return errno;
			done += wrote > 0 ? (size_t)wrote : 0;
		}
	return ferror(script) ? EIO : 0;
}

/* The first line of what gnuplot had to say that says something. */
static void first_complaint(FILE *complaints, char *text, int size)
{
	rewind(complaints);
	strcpy(text, "no reason given");
	char line[256];
	while (fgets(line, sizeof line, complaints)) {
		line[strcspn(line, "\r\n")] = 0;
		const char *s = line + strspn(line, " \t^");
		if (!*s || !strncmp(s, "gnuplot>", 8))
			continue;
		snprintf(text, (size_t)size, "%s", s);
		return;
	}
}

/* Runs gnuplot from descriptor to descriptor; returns errno of starting it, and its status by wait in *status. */
static int spawn(int script, int out, int complaints, int *status)
{
	/* -d: no settings of the user's own. */
	char *const arguments[] = {(char[]){"gnuplot"}, (char[]){"-d"}, (char[]){"-"}, NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
	if (!error)
		error = posix_spawnp(&child, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error)
		return error;
	while (waitpid(child, status, 0) < 0)
		if (errno != EINTR)
			return errno;
	return 0;
}

static int draw(FILE *script, FILE *complaints, int out, const char *output, struct tw_error *err)
{
	int status = 0;
	if (lseek(fileno(script), 0, SEEK_SET) < 0)
		return tw_fail(err, TW_FAILED, "gnuplot: the script cannot be read: %s", strerror(errno));
	int error = spawn(fileno(script), out, fileno(complaints), &status);
	if (error == ENOENT)
		return tw_fail(
			err, TW_FAILED,
			"gnuplot is not installed, which draws the figures; a name that ends in .gp gives its script");
	if (error)
		return tw_fail(err, TW_FAILED, "gnuplot cannot be run: %s", strerror(error));
	struct stat about;
	bool empty = fstat(out, &about) == 0 && S_ISREG(about.st_mode) && about.st_size == 0;
	if (status != 0 || empty) {
		char text[256];
		first_complaint(complaints, text, sizeof text);
		return tw_fail(err, TW_FAILED, "%s: gnuplot failed: %s", output, text);
	}
	return TW_OK;
}

int tw__gnuplot_run(FILE *script, const char *output, struct tw_error *err)
{
	if (fflush(script) != 0 || ferror(script))
		return tw_fail(err, TW_FAILED, "%s: the script for gnuplot cannot be written: %s", output,
		               strerror(errno));
	int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (out < 0)
		return tw_fail(err, TW_FAILED, "%s: cannot be written: %s", output, strerror(errno));
	int status = TW_OK;
	if (!strcmp(ending_of(output), ".gp")) {
		int error = copy(script, out);
		if (error)
			status = tw_fail(err, TW_FAILED, "%s: cannot be written: %s", output, strerror(error));
	} else {
		FILE *complaints = tmpfile();
		if (complaints) {
			status = draw(script, complaints, out, output, err);
			fclose(complaints);
		} else {
			status = tw_fail(err, TW_FAILED, "no temporary file: %s", strerror(errno));
		}
	}
	if (close(out) != 0 && status == TW_OK)
		status = tw_fail(err, TW_FAILED, "%s: cannot be written: %s", output, strerror(errno));
	return status;
}
