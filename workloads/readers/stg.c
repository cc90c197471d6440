/* Reads graphs of the Standard Task Graph Set (Tobita and Kasahara, Journal of Scheduling 5(5), 2002). The first line
 * is the number of tasks. Each further line is a task: its number, its cost, the number of its predecessors, and their
 * numbers. Besides, a file may have an entry and an exit of cost 0, which only order, and on its first line the number
 * of processors. Comments begin with #. */
#include <string.h>

#include "readers/draft.h"

enum { MAX_TASKS = 1 << 27 };

struct stg {
	struct tw__draft *draft;
	int64_t n_tasks, n_rows; /* number on the first line; rows behind it */
	int32_t first, last;     /* jobs of the first and of the last row */
	bool is_entry, is_exit;  /* whether these have cost 0, and the first one no predecessors */
};

static double read_cost(const struct stg *f, char **rest)
{
	const char *word = tw__text_word(rest);
	double cost = 0;
	if (!word)
		tw__draft_fail(f->draft, f->draft->line, "the line ends, expected the task's cost");
	else if (!tw__text_real(word, &cost) || cost < 0)
		tw__draft_fail(f->draft, f->draft->line, "'%.40s', expected the task's cost: a number, 0 or more",
		               word);
	return cost;
}

/* Reads the next word as the number of a task. Finds or adds the job of that name. */
static int32_t read_number(const struct stg *f, char **rest, const char *what, bool describe)
{
	return tw__draft_number(f->draft, tw__draft_int(f->draft, rest, what, 0, INT32_MAX), describe);
}

static void read_row(struct stg *f, char *rest)
{
	int32_t job = read_number(f, &rest, "a task's number", true);
	double cost = read_cost(f, &rest);
	int64_t n = tw__draft_int(f->draft, &rest, "the number of predecessors", 0, MAX_TASKS);
	for (int64_t i = 0; i < n && f->draft->status == TW_OK; i++)
		tw__draft_edge(f->draft, read_number(f, &rest, "a predecessor's number", false), job);
	tw__draft_no_more(f->draft, rest);
	f->draft->jobs[job].order = (uint64_t)f->n_rows;
	f->draft->jobs[job].seconds = cost; /* in units until the file ends */
	if (f->n_rows == 0) {
		f->first = job;
		f->is_entry = cost == 0 && n == 0;
	}
	f->last = job;
	f->is_exit = cost == 0 && f->n_rows > 0;
	f->n_rows++;
}

static void read_line(struct stg *f, char *line)
{
	char *word = line + strspn(line, " \t");
	if (!*word || *word == '#')
		return;
	if (f->n_tasks != TW_NONE) {
		read_row(f, line);
		return;
	}
	f->n_tasks = tw__draft_int(f->draft, &line, "the number of tasks", 1, MAX_TASKS);
	if (!line[strspn(line, " \t")])
		return;
	tw__draft_count(f->draft, "number of processors left out", 1);
	tw__draft_int(f->draft, &line, "the number of processors", 0, INT32_MAX);
	tw__draft_no_more(f->draft, line);
}

/* Tells the entry and the exit: the rows that the number of tasks does not count. */
static void end(struct stg *f)
{
	int64_t more = f->n_rows - f->n_tasks;
	if (f->n_tasks == TW_NONE)
		tw__draft_fail(f->draft, 0, "no line, expected the number of tasks");
	if (more < 0 || more > f->is_entry + f->is_exit)
		tw__draft_fail(f->draft, f->draft->line,
		               "%lld tasks up to here, expected the %lld of the first line, and perhaps an entry and "
		               "an exit of cost 0",
		               (long long)f->n_rows, (long long)f->n_tasks);
	if (f->draft->status < 0)
		return;
	tw__draft_count(f->draft, "last line without a line break, which may be cut", tw__input_is_open(f->draft->in));
	bool has_exit = more > 0 && f->is_exit, has_entry = more > has_exit;
	tw__draft_units(f->draft, has_entry ? f->first : TW_NONE, has_exit ? f->last : TW_NONE);
}

void tw__read_stg(struct tw__draft *draft)
{
	struct stg f = {.draft = draft, .n_tasks = TW_NONE};
	char *line;
	tw__draft_open(draft, true);
	while ((line = tw__draft_line(draft)))
		read_line(&f, line);
	end(&f);
}
