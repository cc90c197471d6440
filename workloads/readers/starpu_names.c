#include "readers/starpu_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
