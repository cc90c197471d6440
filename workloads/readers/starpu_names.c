#include "readers/starpu_names.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names -------------------------------------------------------------------------------------------------------- */

/* Performance models of StarPU's own examples, and our kernels for them. Older versions of StarPU use numbers: 11
 * factorises the diagonal tile, 12 and 21 solve in its row and column, 22 updates the other tiles. A `*` stands for s
 * or d. */
static const struct {
	const char *model, *kernel;
} models[] = {
	{"chol_model_potrf", "potrf"},
	{"chol_model_trsm", "trsm"},
	{"chol_model_syrk", "syrk"},
	{"chol_model_gemm", "gemm"},
	{"chol_model_11", "potrf"},
	{"chol_model_21", "trsm"},
	{"chol_model_22", "gemm"}, /* or syrk: see tw__starpu_kernel */
	{"starpu_*lu_lu_model_getrf", "getrf"},
	{"starpu_*lu_lu_model_trsm_ll", "trsm_l"},
	{"starpu_*lu_lu_model_trsm_ru", "trsm_u"},
	{"starpu_*lu_lu_model_gemm", "lu.gemm"},
	{"starpu_*lu_lu_model_11", "getrf"},
	{"starpu_*lu_lu_model_12", "trsm_l"},
	{"starpu_*lu_lu_model_21", "trsm_u"},
	{"starpu_*lu_lu_model_22", "lu.gemm"},
	{"starpu_*gemm_gemm", "gemm"},
	{"cl_update", "cl_update"},
	{"save_cl_top", "save_cl_top"},
	{"save_cl_bottom", "save_cl_bottom"},
};

/* Whether the name `text` of a performance model matches `pattern`, except for a suffix that names the measured
 * library. */
static bool is_model(const char *text, const char *pattern, bool *is_copy, char precision[2])
{
	const char *t = text, *p = pattern;
	for (; *p && (*p == *t || (*p == '*' && (*t == 's' || *t == 'd'))); p++, t++)
		;
	if (*p || (*t && strcmp(t, "_atlas") != 0 && strcmp(t, "_goto") != 0 && strcmp(t, "_openblas") != 0))
		return false;
	*is_copy = *t;
	const char *star = strchr(pattern, '*');
	if (star)
		memcpy(precision, (char[2]){text[star - pattern]}, 2);
	return true;
}

int tw_starpu_model(const char *model, const char **kernel, bool *is_copy, char precision[2])
{
	for (int i = 0; i < (int)(sizeof models / sizeof models[0]); i++)
		if (is_model(model, models[i].model, is_copy, precision)) {
			*kernel = models[i].kernel;
			return i;
		}
	return -1;
}

int32_t tw_starpu_rank(const char *name)
{
	size_t digits = strspn(name, "0123456789");
	long rank = digits && digits < 10 && name[digits] == '_' ? strtol(name, NULL, 10) : -1;
	return (int32_t)rank;
}

const char *tw_starpu_job_name(const char *id, int32_t rank, char *room, size_t bytes)
{
	if (rank < 0 || tw_starpu_rank(id) >= 0)
		return id;
	return snprintf(room, bytes, "%d_%s", (int)rank, id) < (int)bytes ? room : NULL;
}

/* Names that applications give to kernels as LAPACK does, perhaps with a prefix for the precision ("dgemm"), and our
 * names of these kernels. */
static const char *const lapack[][2] = {
	{"gemm", "gemm"},   {"syrk", "syrk"},         {"trsm", "trsm"},   {"potrf", "potrf"},
	{"getrf", "getrf"}, {"getrf_nopiv", "getrf"}, {"geqrt", "geqrt"}, {"ormqr", "ormqr"},
	{"tsqrt", "tsqrt"}, {"tsmqr", "tsmqr"},       {"ttqrt", "ttqrt"}, {"ttmqr", "ttmqr"},
};

static const char *known_name(const char *text, char *precision)
{
	char lower[64];
	size_t n = 0;
	if (!text)
		return NULL;
	bool is_copy;
	const char *kernel;
	if (tw_starpu_model(text, &kernel, &is_copy, precision) >= 0)
		return kernel;
	for (; text[n] && n < sizeof lower - 1; n++)
		lower[n] = (char)tolower((unsigned char)text[n]);
	lower[n] = '\0';
	for (size_t i = 0; i < sizeof lapack / sizeof lapack[0]; i++) {
		if (!strcmp(lower, lapack[i][0]))
			return lapack[i][1];
		if ((lower[0] == 's' || lower[0] == 'd') && !strcmp(lower + 1, lapack[i][0])) {
			snprintf(precision, 2, "%c", lower[0]);
			return lapack[i][1];
		}
	}
	return NULL;
}

static void copy(char *to, size_t room, const char *text)
{
	size_t length = strnlen(text, room - 1);
	memcpy(to, text, length);
	to[length] = '\0';
}

/* --- sizes -------------------------------------------------------------------------------------------------------- */

/* The dimensions of an operand, from a word such as "M960x3840x4": text "960x3840", and elements of 4 bytes. A single
 * number has no element size. */
struct dimensions {
	char text[40];
	long long side; /* side of a square operand; 0: not a square */
	int element_bytes;
};

static bool read_dimensions(struct dimensions *d, const char *word)
{
	*d = (struct dimensions){"", 0, 0};
	if (!word)
		return false;
	while (isalpha((unsigned char)*word))
		word++;
	const char *last = strrchr(word, 'x');
	size_t length = last ? (size_t)(last - word) : strlen(word);
	if (!*word || word[strspn(word, "0123456789x")] != '\0' || length >= sizeof d->text)
		return false;
	memcpy(d->text, word, length);
	d->element_bytes = last ? (int)strtol(last + 1, NULL, 10) : 0;
	char *end;
	long long rows = strtoll(d->text, &end, 10);
	if (*end == 'x' && strtoll(end + 1, &end, 10) == rows && *end == '\0')
		d->side = rows;
	return true;
}

static long long square_root(unsigned long long n)
{
	long long root = llround(sqrt((double)n));
	return (unsigned long long)root * (unsigned long long)root == n ? root : 0;
}

static void set_precision(char *precision, size_t room, int element_bytes)
{
	if (element_bytes == 1 || element_bytes == 4 || element_bytes == 8)
		copy(precision, room, element_bytes == 1 ? "b" : element_bytes == 4 ? "s" : "d");
	else if (element_bytes > 0)
		snprintf(precision, room, "%d", element_bytes % 1000);
}

/* Sets the kernel's size and precision from the parameters of its operands, if each operand has one. */
static bool size_from_parameters(struct tw__starpu_kernel *k, const char *const *parameters, int n)
{
	struct dimensions first = {"", 0, 0}, d;
	size_t used = 0;
	bool same = true;
	for (int i = 0; i < n; i++) {
		if (!read_dimensions(&d, parameters[i]))
			return false;
		if (i == 0)
			first = d;
		if (d.element_bytes && !k->precision[0])
			set_precision(k->precision, sizeof k->precision, d.element_bytes);
		same = same && d.side > 0 && d.side == first.side;
		if (used + strlen(d.text) + 2 > sizeof k->size)
			return false;
		if (i)
			k->size[used++] = '+';
		copy(k->size + used, sizeof k->size - used, d.text);
		used += strlen(d.text);
	}
	if (n && same)
		snprintf(k->size, sizeof k->size, "%lld", first.side);
	return n > 0;
}

/* Guesses the kernel's size from the bytes of its operands, if all are equal square tiles. The number of elements is a
 * square for at most one of 4 and 8 bytes per element. */
static bool size_from_bytes(struct tw__starpu_kernel *k, const char *const *parameters, const unsigned long long *bytes,
                            int n)
{
	struct dimensions d;
	for (int i = 0; i < n; i++)
		if (bytes[i] != bytes[0] || (read_dimensions(&d, parameters[i]) && !d.side))
			return false;
	long long side4 = n && bytes[0] % 4 == 0 ? square_root(bytes[0] / 4) : 0;
	long long side8 = n && bytes[0] % 8 == 0 ? square_root(bytes[0] / 8) : 0;
	if (!side4 && !side8)
		return false;
	if (!k->precision[0])
		set_precision(k->precision, sizeof k->precision, side4 ? 4 : 8);
	snprintf(k->size, sizeof k->size, "%lld", side4 ? side4 : side8);
	return true;
}

/* Sets the kernel's size and precision from a footprint such as "front:d", as our tables write it. StarPU's own
 * footprints are hexadecimal. */
static bool size_from_footprint(struct tw__starpu_kernel *k, const char *footprint)
{
	const char *colon = footprint ? strrchr(footprint, ':') : NULL;
	if (!colon || colon == footprint || (size_t)(colon - footprint) >= sizeof k->size ||
	    strlen(colon + 1) >= sizeof k->precision)
		return false;
	memcpy(k->size, footprint, (size_t)(colon - footprint));
	k->size[colon - footprint] = '\0';
	copy(k->precision, sizeof k->precision, colon + 1);
	return true;
}

void tw__starpu_kernel(struct tw__starpu_kernel *k, const char *model, const char *name, const char *const *parameters,
                       const unsigned long long *bytes, int n_data, int n_distinct, const char *footprint)
{
	*k = (struct tw__starpu_kernel){"", "", ""};
	const char *known = known_name(model, k->precision);
	if (!known)
		known = known_name(name, k->precision);
	if (known && model && !strcmp(model, "chol_model_22") && n_distinct == 2)
		known = "syrk"; /* the update of a diagonal tile is syrk: it reads one other tile, not two */
	copy(k->name, sizeof k->name, known ? known : model ? model : name ? name : "task");
	if (!size_from_parameters(k, parameters, n_data) && !size_from_footprint(k, footprint) &&
	    !size_from_bytes(k, parameters, bytes, n_data))
		copy(k->size, sizeof k->size, footprint ? footprint : "1");
	if (!k->precision[0])
		copy(k->precision, sizeof k->precision, "s");
}
