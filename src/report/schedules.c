/* Chooses the runs whose schedules the report shows, and simulates them again. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/html.h"
#include "report/parts.h"
#include "results/again.h"

/* MOST_TASKS_UNASKED: without --gantt, larger runs are not shown, as they would take long and fill the page.
 * LEAST_PREFIX: least characters of an identity. */
enum { MOST_TASKS_UNASKED = 100000, LEAST_PREFIX = 6 };

struct chosen {
	int row; /* index of the run's row in p->all */
	char why[80];
};

static double number(const struct tw__rows *rows, int row, const char *column)
{
	double value;
	struct tw_error err;
	return tw__rows_number(rows, row, tw__rows_column(rows, column), &value, &err) == TW_OK ? value : NAN;
}

/* Returns the row of the fastest run, or the slowest, of the workload with most tasks; -1: there is no successful
 * run. */
static int extreme(const struct tw__rows *rows, bool worst)
{
	int found = -1, workload = tw__rows_column(rows, "workload"), largest = -1;
	for (int row = 0; row < rows->n_rows; row++)
		if (tw__rows_is_ok(rows, row) && number(rows, row, "makespan_s") > 0 &&
		    (largest < 0 || number(rows, row, "tasks") > number(rows, largest, "tasks")))
			largest = row;
	for (int row = 0; row < rows->n_rows && largest >= 0; row++) {
		if (!tw__rows_is_ok(rows, row) ||
		    strcmp(tw__rows_text(rows, row, workload), tw__rows_text(rows, largest, workload)) != 0)
			continue;
		double makespan_s = number(rows, row, "makespan_s");
		if (!(makespan_s > 0))
			continue;
		double least = found < 0 ? NAN : number(rows, found, "makespan_s");
		if (found < 0 || (worst ? makespan_s > least : makespan_s < least))
			found = row;
	}
	return found;
}

/* Whether a word of --gantt is a row number. An identity may consist of digits, too, but as a number it would exceed
 * the rows. */
static bool is_row_number(const struct tw__page *p, const char *word)
{
	return *word && strlen(word) < 10 && !word[strspn(word, "0123456789")] &&
	       atoi(word) <= p->number[p->all.n_rows - 1];
}

/* Finds the row that a word of --gantt selects. TW_INVALID: none, or several. */
static int find(const struct tw__page *p, const char *word, struct chosen *chosen, struct tw_error *err)
{
	const struct tw__rows *rows = &p->all;
	int column = tw__rows_column(rows, "identity"), n = 0;
	*chosen = (struct chosen){.row = -1};
	if (!strcmp(word, "best") || !strcmp(word, "worst")) {
		chosen->row = extreme(rows, !strcmp(word, "worst"));
		snprintf(chosen->why, sizeof chosen->why, "the %s run of the largest workload",
		         !strcmp(word, "best") ? "shortest" : "longest");
		return chosen->row >= 0 ? TW_OK
		                        : tw_fail(err, TW_INVALID, "--gantt %s: %s: no successful run: expected one",
		                                  word, rows->path);
	}
	for (int row = 0; row < rows->n_rows; row++) {
		const char *identity = tw__rows_text(rows, row, column);
		bool meant = is_row_number(p, word)
		                     ? atoi(word) == p->number[row]
		                     : strlen(word) >= LEAST_PREFIX && !strncmp(identity, word, strlen(word));
		if (!meant)
			continue;
		n += chosen->row < 0 || strcmp(identity, tw__rows_text(rows, chosen->row, column)) != 0;
		chosen->row = row;
	}
	if (n > 1)
		return tw_fail(err, TW_INVALID,
		               "--gantt '%.40s': %d identities in %s start with it: expected more characters", word, n,
		               rows->path);
	if (n == 0)
		return tw_fail(
			err, TW_INVALID,
			"--gantt '%.40s': no such row in %s: expected a row number, from 1, at least %d characters of "
			"an identity, best, worst or none",
			word, rows->path, LEAST_PREFIX);
	return TW_OK;
}

static void begin(struct tw__page *p)
{
	if (p->n_schedules++ == 0)
		fputs("<section id=\"schedules\"><h2>Schedules</h2>\n", p->f);
}

/* Says on the page, and in a warning, that a schedule cannot be shown. */
static void leave_out(struct tw__page *p, const struct chosen *chosen, const char *message)
{
	char name[200];
	tw__report_row_name(p, chosen->row, name, sizeof name);
	begin(p);
	fputs("<p class=\"left-out\">The schedule of ", p->f);
	tw__html_text(p->f, name);
	if (*chosen->why)
		fprintf(p->f, ", %s,", chosen->why);
	fputs(" is left out: ", p->f);
	tw__html_text(p->f, message);
	fputs("</p>\n", p->f);
	tw_log(TW_LOG_WARNING, "report: the schedule of %s is left out: %s", name, message);
}

static int show(struct tw__page *p, const struct chosen *chosen, bool asked, struct tw_error *err)
{
	char path[TW__TEMPORARY_PATH];
	struct tw_error inner;
	double tasks = number(&p->all, chosen->row, "tasks");
	if (!asked && tasks > MOST_TASKS_UNASKED) {
		char message[160];
		snprintf(message, sizeof message, "it has %.0f tasks: expected at most %d without --gantt %d", tasks,
		         MOST_TASKS_UNASKED, p->number[chosen->row]);
		leave_out(p, chosen, message);
		return TW_OK;
	}
	int fd = tw__report_temporary(path, ".twb", err), status;
	if (fd < 0)
		return fd;
	close(fd);
	status = tw__run_again(&p->all, chosen->row, path, &inner);
	if (status == TW_OK) {
		begin(p);
		status = tw__report_schedule(p, chosen->row, chosen->why, path, err);
	} else if (status == TW_NOMEM) {
		*err = inner;
	} else {
		leave_out(p, chosen, inner.message);
		p->left_out += asked;
		status = TW_OK;
	}
	unlink(path);
	return status;
}

static int find_all(struct tw__page *p, struct chosen *chosen, int *n, struct tw_error *err)
{
	static const char *const usual[] = {"best", "worst", NULL};
	const char *const *words = p->request->gantt;
	bool asked = words && *words;
	if (!asked && extreme(&p->all, false) < 0)
		return TW_OK;
	for (words = asked ? words : usual; *words; words++) {
		int same = 0;
		if (!strcmp(*words, "none"))
			continue;
		int status = find(p, *words, &chosen[*n], err);
		if (status < 0)
			return status;
		while (chosen[same].row != chosen[*n].row)
			same++;
		*n += same == *n; /* skip a run that is chosen already */
	}
	return TW_OK;
}

int tw__report_schedules(struct tw__page *p, struct tw_error *err)
{
	int n_words = 2, n = 0;
	for (const char *const *word = p->request->gantt; word && *word; word++)
		n_words++;
	struct chosen *chosen = tw__arena_alloc(&p->arena, (size_t)n_words, sizeof *chosen);
	int status = find_all(p, chosen, &n, err);
	for (int i = 0; i < n && status == TW_OK; i++)
		status = show(p, &chosen[i], p->request->gantt && *p->request->gantt, err);
	if (p->n_schedules > 0)
		fputs("</section>\n", p->f);
	return status;
}
