/* Reads graphs of the Standard Task Graph Set (Tobita and Kasahara, Journal of Scheduling 5(5), 2002). The first line
 * is the number of tasks. Each further line is a task: its number, its cost, the number of its predecessors, and their
 * numbers. Besides, a file may have an entry and an exit of cost 0, which only order, and on its first line the number
 * of processors. Comments begin with #. */
#include "readers/reader.h"

#include <string.h>

#include "readers/input.h"

enum { MAX_TASKS = 1 << 27 };

struct stg {
	struct tw__input *in;
	struct tw__draft *draft;
	const struct tw__reading *reading;
	struct tw_error *err;
	int64_t n_tasks, n_rows; /* number on the first line; rows behind it */
	int32_t first, last;     /* jobs of the first and of the last row */
	bool is_entry, is_exit;  /* whether these have cost 0, and the first one no predecessors */
};

static int read_cost(const struct stg *f, char **rest, double *cost)
{
	const char *word = tw__text_word(rest);
	if (!word)
		return tw__input_fail(f->in, f->err, "the line ends, expected the task's cost");
	if (!tw__text_real(word, cost) || *cost < 0)
		return tw__input_fail(f->in, f->err, "'%.40s', expected the task's cost: a number, 0 or more", word);
	return TW_OK;
}

/* Reads the next word as the number of a task. Finds or adds the job of that name. */
static int32_t read_number(const struct stg *f, char **rest, const char *what, bool describe)
{
	int64_t number;
	int status = tw__input_int(f->in, rest, what, 0, INT32_MAX, &number, f->err);
	return status < 0 ? status : tw__draft_number(f->draft, number, describe, tw__input_line_number(f->in), f->err);
}

static int read_row(struct stg *f, char *rest)
{
	double cost;
	int64_t n = 0;
	int32_t job = read_number(f, &rest, "a task's number", true);
	int status = job < 0 ? job : read_cost(f, &rest, &cost);
	if (status == TW_OK)
		status = tw__input_int(f->in, &rest, "the number of predecessors", 0, MAX_TASKS, &n, f->err);
	for (int64_t i = 0; i < n && status == TW_OK; i++) {
		int32_t before = read_number(f, &rest, "a predecessor's number", false);
		status = before < 0 ? before : tw__draft_edge(f->draft, before, job, f->err);
	}
	if (status == TW_OK)
		status = tw__input_no_more(f->in, rest, f->err);
	if (status < 0)
		return status;
	f->draft->jobs[job].order = (uint64_t)f->n_rows;
	f->draft->jobs[job].seconds = cost; /* in units until the file ends */
	if (f->n_rows == 0) {
		f->first = job;
		f->is_entry = cost == 0 && n == 0;
	}
	f->last = job;
	f->is_exit = cost == 0 && f->n_rows > 0;
	f->n_rows++;
	return TW_OK;
}

static int read_line(struct stg *f, char *line)
{
	char *word = line + strspn(line, " \t");
	if (!*word || *word == '#')
		return TW_OK;
	if (f->n_tasks != TW_NONE)
		return read_row(f, line);
	int64_t processors;
	int status = tw__input_int(f->in, &line, "the number of tasks", 1, MAX_TASKS, &f->n_tasks, f->err);
	if (status < 0 || !line[strspn(line, " \t")])
		return status;
	tw__draft_count(f->draft, "number of processors left out", 1);
	status = tw__input_int(f->in, &line, "the number of processors", 0, INT32_MAX, &processors, f->err);
	return status < 0 ? status : tw__input_no_more(f->in, line, f->err);
}

/* Tells the entry and the exit: the rows that the number of tasks does not count. */
static int end(struct stg *f)
{
	int64_t more = f->n_rows - f->n_tasks;
	if (f->n_tasks == TW_NONE)
		return tw__draft_fail(f->draft, 0, f->err, "no line, expected the number of tasks");
	if (more < 0 || more > f->is_entry + f->is_exit)
		return tw__input_fail(
			f->in, f->err,
			"%lld tasks up to here, expected the %lld of the first line, and perhaps an entry "
			"and an exit of cost 0",
			(long long)f->n_rows, (long long)f->n_tasks);
	tw__draft_count(f->draft, "last line without a line break, which may be cut", tw__input_is_open(f->in));
	bool has_exit = more > 0 && f->is_exit, has_entry = more > has_exit;
	return tw__take_units(f->draft, f->reading, has_entry ? f->first : TW_NONE, has_exit ? f->last : TW_NONE,
	                      f->err);
}

int tw__read_stg(struct tw__draft *draft, const struct tw__reading *reading, struct tw_error *err)
{
	struct stg f = {.draft = draft, .reading = reading, .err = err, .n_tasks = TW_NONE};
	char *line;
	size_t length;
	int status = tw__input_open(&f.in, reading->path, err);
	if (status == TW_OK)
		tw__input_pass_open_end(f.in);
	while (status == TW_OK && (status = tw__input_line(f.in, &line, &length, err)) == 1)
		status = read_line(&f, line);
	if (status == TW_OK)
		status = end(&f);
	tw__input_close(f.in);
	return status;
}
