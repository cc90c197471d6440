/* Multifrontal QR factorisation of a sparse matrix, like qr_mumps: the application QrMumps of Bramas 2019. The tasks
 * and the one-dimensional partition are those of Agullo, Buttari, Guermouche and Lopez 2013 and 2016.
 *
 * A front is a dense matrix under a staircase, cut into block columns of nb columns. In postorder, each front has these
 * tasks, with their accesses (R, W or RW):
 *     activate   W all its block columns, after its children are active, because its rows depend on theirs
 *     assemble   R a block column of a child, RW one of the front, for each pair that shares contributions
 *     clean      RW the child's block columns: its factor goes to main memory, and its front is freed
 *     geqrt      RW block column p: the panel, in steps of ib columns
 *     ormqr      R block column p, RW each later one: the update
 *
 * No task waits for a whole front: a front is assembled column by column while a child is still being factorised.
 *
 * Flops: a reflector of h entries takes 3h to compute and 4h for each column to which it is applied. The staircase
 * gives h, in steps of ib. A kernel's dimensions are those of a rectangle with as many flops. See
 * docs/reference/workloads-sparse.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tilewright/workload.h>

#include "workloads/support/front_tasks.h"

static const struct tw_param params[] = {
	TW_SPARSE_PARAMS,
	{"nb", TW_PARAM_INT, "256", 1, 100000, NULL, "columns of a block column"},
	{"ib", TW_PARAM_INT, "32", 1, 100000, NULL, "columns that a panel eliminates at once; at most nb"},
	{"gpu", TW_PARAM_CHOICE, "all", 0, 0, "all|update",
         "kernels that GPUs may run: geqrt and ormqr; or ormqr alone"},
	{0},
};

enum { GEQRT, ORMQR };

struct front {
	int32_t rows, columns, pivots, n_blocks;
	int32_t absent; /* number of leading block columns that have no rows, and so no handle */
	tw_data first;  /* handle of block column number `absent`; those of later ones have consecutive numbers */
	tw_task active; /* the last task that activates the front; TW_NONE: the front has no rows, hence no tasks */
	const int32_t *height;
};

struct solver {
	struct tw_front_tasks tasks;
	const struct tw_assembly_tree *tree;
	int32_t nb, ib;
	const char *panel_archs;
	struct front *fronts;
	double flops;
};

static tw_data block(const struct front *f, int32_t b) { return f->first + b - f->absent; }
static int32_t first_column(const struct solver *s, int32_t b) { return b * s->nb; }
static int32_t end_column(const struct solver *s, const struct front *f, int32_t b)
{
	return b == f->n_blocks - 1 ? f->columns : (b + 1) * s->nb;
}

static int32_t smaller(int32_t a, int32_t b) { return a < b ? a : b; }

/* --- memory ------------------------------------------------------------------------------------------------------ */

static double block_elements(const struct solver *s, const struct front *f, int32_t b)
{
	int32_t end = end_column(s, f, b);
	return (double)(end - first_column(s, b)) * f->height[end - 1];
}

static void make_blocks(struct solver *s, struct front *f)
{
	for (int32_t b = 0; b < f->n_blocks; b++) {
		double elements = block_elements(s, f, b);
		tw_data data = elements > 0 ? tw_graph_data(s->tasks.graph, (uint64_t)elements * s->tasks.element_bytes)
		                            : TW_NONE;
		if (elements <= 0)
			f->absent++;
		else if (b == f->absent)
			f->first = data;
	}
}

/* Makes the last submitted task, which activates a front, wait until the front's children are active. The rows of a
 * front, and so its size, depend on theirs. */
static void wait_for_children(struct solver *s, int32_t number)
{
	const struct tw_assembly_tree *t = s->tree;
	for (int32_t c = t->child_start[number]; c < t->child_start[number + 1]; c++)
		if (s->fronts[t->child[c]].active != TW_NONE)
			tw_graph_depend(s->tasks.graph, s->fronts[t->child[c]].active);
}

/* Writes the accesses to the next block columns of a front from *b on, at most TW_FRONT_STEP, and returns their number.
 * `*elements`: the matrix elements in these block columns. */
static int next_blocks(const struct solver *s, const struct front *f, int32_t *b, enum tw_mode mode,
                       struct tw_access *access, double *elements)
{
	int n = 0;
	for (*elements = 0; *b < f->n_blocks && n < TW_FRONT_STEP; ++*b) {
		*elements += block_elements(s, f, *b);
		access[n++] = (struct tw_access){block(f, *b), mode};
	}
	return n;
}

static void activate(struct solver *s, int32_t number)
{
	struct front *f = &s->fronts[number];
	for (int32_t b = f->absent; b < f->n_blocks;) {
		struct tw_access access[TW_FRONT_STEP];
		double elements;
		int n = next_blocks(s, f, &b, TW_W, access, &elements);
		tw_task before = f->active;
		f->active = tw_front_move(&s->tasks, TW_ACTIVATE, number, access, n, elements);
		if (before == TW_NONE)
			wait_for_children(s, number);
		else
			tw_graph_depend(s->tasks.graph, before);
	}
}

/* Submits the tasks that add the contribution block of a child to its parent. The block is upper trapezoidal: column j
 * has the rows from `pivots` down to the diagonal. */
static void assemble(struct solver *s, int32_t child, int32_t parent)
{
	const struct front *from = &s->fronts[child], *to = &s->fronts[parent];
	int32_t rows = smaller(from->rows, from->columns);
	if (rows <= from->pivots)
		return;
	tw_front_places(s->tree, child, s->tasks.place);
	for (int32_t j = from->pivots; j < from->columns;) {
		int32_t b = j / s->nb, target = s->tasks.place[j - from->pivots] / s->nb;
		double elements = 0;
		for (; j < from->columns && j / s->nb == b && s->tasks.place[j - from->pivots] / s->nb == target; j++)
			elements += smaller(j + 1, rows) - from->pivots;
		tw_front_move(&s->tasks, TW_ASSEMBLE, parent,
		              (struct tw_access[]){{block(from, b), TW_R}, {block(to, target), TW_RW}}, 2, elements);
	}
}

static void clean(struct solver *s, int32_t number)
{
	const struct front *f = &s->fronts[number];
	for (int32_t b = f->absent; b < f->n_blocks;) {
		struct tw_access access[TW_FRONT_STEP];
		double elements;
		int n = next_blocks(s, f, &b, TW_RW, access, &elements);
		tw_front_move(&s->tasks, TW_CLEAN, number, access, n, elements);
	}
}

/* --- kernels ----------------------------------------------------------------------------------------------------- */

/* Returns the number of entries of all reflectors of a full panel with m rows and k columns. */
static double reflector_entries(double m, double k)
{
	double r = fmin(m, k);
	return m * r - r * (r - 1) / 2;
}

/* Returns the flops to compute all reflectors of a full panel with m rows and k columns. Includes applying each
 * reflector to the later columns of the panel. */
static double panel_flops(double m, double k)
{
	/* Flops per entry of the first reflector; each later one has 4 fewer. */
	double r = fmin(m, k), per_entry = 4 * k - 1;
	return m * per_entry * r - (4 * m + per_entry) * r * (r - 1) / 2 + 4 * (r - 1) * r * (2 * r - 1) / 6;
}

static tw_kernel kernel_of(struct solver *s, int kind, int32_t m, int32_t k, int32_t n)
{
	struct tw_kernel_slot *slot = tw_kernel_table_find(&s->tasks.kernels, kind, m, k, n);
	if (slot->kernel == TW_NONE) {
		char size[64];
		m = slot->m, k = slot->k, n = slot->n;
		snprintf(size, sizeof size, kind == GEQRT ? "%dx%d" : "%dx%d+%dx%d", m, k, m, n);
		slot->kernel =
			kind == GEQRT
				? tw_front_kernel(&s->tasks, "geqrt", size, panel_flops(m, k), s->panel_archs)
				: tw_front_kernel(&s->tasks, "ormqr", size, 4.0 * n * reflector_entries(m, k), NULL);
	}
	return slot->kernel;
}

/* --- factorisation ----------------------------------------------------------------------------------------------- */

struct panel {
	int32_t from, end, reflectors;
	double flops, entries;
};

/* Measures panel b of a front: reflectors, their entries and the flops. Each group of ib columns has the height of its
 * last column. */
static struct panel measure_panel(const struct solver *s, const struct front *f, int32_t b)
{
	struct panel p = {.from = first_column(s, b), .end = end_column(s, f, b)};
	p.reflectors = smaller(p.end, f->rows) - p.from;
	for (int32_t j = p.from, last = 0; j < p.from + p.reflectors; j++) {
		if ((j - p.from) % s->ib == 0)
			last = smaller(j + s->ib, p.end) - 1;
		double entries = f->height[last] - j;
		p.entries += entries;
		p.flops += entries * (3 + 4 * (p.end - 1 - j));
	}
	return p;
}

static void factorise(struct solver *s, int32_t number)
{
	const struct front *f = &s->fronts[number];
	for (int32_t b = f->absent; b < f->n_blocks && first_column(s, b) < f->rows; b++) {
		struct panel p = measure_panel(s, f, b);
		int32_t most = f->height[p.end - 1] - p.from;
		tw_kernel geqrt =
			kernel_of(s, GEQRT, tw_size_for(panel_flops, p.flops, p.end - p.from, most), p.end - p.from, 0);
		tw_graph_submit(s->tasks.graph, geqrt, tw_front_priority(&s->tasks, number, TW_FRONT_FACTOR),
		                (struct tw_access[]){{block(f, b), TW_RW}}, 1);
		s->flops += p.flops;

		int32_t m = tw_size_for(reflector_entries, p.entries, p.reflectors, most);
		for (int32_t u = b + 1; u < f->n_blocks; u++) {
			int32_t n = end_column(s, f, u) - first_column(s, u);
			tw_graph_submit(s->tasks.graph, kernel_of(s, ORMQR, m, p.reflectors, n),
			                tw_front_priority(&s->tasks, number, TW_FRONT_UPDATE),
			                (struct tw_access[]){{block(f, b), TW_R}, {block(f, u), TW_RW}}, 2);
			s->flops += 4 * n * p.entries;
		}
	}
}

static void submit(struct solver *s)
{
	const struct tw_assembly_tree *t = s->tree;
	for (int32_t f = 0; f < t->n_fronts; f++) {
		make_blocks(s, &s->fronts[f]);
		activate(s, f);
		for (int32_t c = t->child_start[f]; c < t->child_start[f + 1]; c++) {
			assemble(s, t->child[c], f);
			clean(s, t->child[c]);
		}
		factorise(s, f);
		if (t->parent[f] == TW_NONE)
			clean(s, f);
	}
}

/* Sets the sizes of the fronts. Returns about the number of tasks: the number of assemble tasks is an estimate. */
static double describe(struct solver *s, const int32_t *heights)
{
	const struct tw_assembly_tree *t = s->tree;
	double tasks = 0;
	for (int32_t i = 0; i < t->n_fronts; i++) {
		struct front *f = &s->fronts[i];
		f->height = heights + t->start[i];
		f->columns = tw_front_columns(t, i);
		f->pivots = tw_front_pivots(t, i);
		f->rows = f->height[f->columns - 1];
		f->n_blocks = (f->columns - 1) / s->nb + 1;
		f->active = TW_NONE;
		double blocks = f->n_blocks, panels = ceil((double)smaller(f->rows, f->columns) / s->nb);
		tasks += panels * blocks - panels * (panels - 1) / 2 + 3 * blocks;
	}
	return tasks;
}

static int generate(struct tw_graph *g, const struct tw_args *args, struct tw_error *err)
{
	struct solver s = {.nb = (int32_t)tw_args_int(args, "nb"), .ib = (int32_t)tw_args_int(args, "ib")};
	if (s.ib > s.nb && tw_args_given(args, "ib"))
		return tw_fail(err, TW_INVALID, "workload 'qrmumps': ib=%d: expected at most nb=%d", s.ib, s.nb);
	s.ib = smaller(s.ib, s.nb);
	s.panel_archs = strcmp(tw_args_text(args, "gpu"), "all") == 0 ? NULL : "processors";

	int status = tw_front_tasks_init(&s.tasks, g, args, "qrmumps", TW_ORTHOGONAL, err);
	if (status < 0)
		return status;
	s.tree = &s.tasks.sparse.tree;
	s.fronts = tw_alloc((size_t)s.tree->n_fronts, sizeof *s.fronts);
	int32_t *heights = tw_front_heights(s.tree, &s.tasks.sparse.matrix);
	status = tw_front_tasks_begin(&s.tasks, s.nb, describe(&s, heights), err);
	if (status == TW_OK) {
		submit(&s);
		tw_front_tasks_end(&s.tasks, s.flops);
	}
	tw_front_tasks_finish(&s.tasks);
	free(s.fronts);
	free(heights);
	return status;
}

const struct tw_workload tw_workload_qrmumps = {
	.abi = TW_WORKLOAD_ABI,
	.name = "qrmumps",
	.summary =
		"multifrontal QR factorisation of a sparse matrix by block columns (activate, assemble, geqrt, ormqr, "
		"clean)",
	.params = params,
	.generate = generate,
};
