/* Handles of cuBLAS and cuSOLVER, and checks of their matrices. A handle belongs to the device that is current at its
 * creation. */
#include "standin.h"

#include <stdlib.h>

/* --- handles ------------------------------------------------------------------------------------------------------ */

static struct standin_handle *create(enum standin_kind kind)
{
	struct standin_handle *handle = calloc(1, sizeof *handle);
	if (!handle)
		return NULL;
	handle->device = standin_current_device();
	standin_lock();
	standin_add(kind, handle);
	standin_unlock();
	return handle;
}

static bool destroy(const char *function, enum standin_kind kind, void *handle)
{
	standin_lock();
	bool was_alive = standin_remove(kind, handle);
	standin_unlock();
	if (was_alive)
		free(handle);
	else
		standin_refuse(0, function, "there is no handle %p", handle);
	return was_alive;
}

static bool set_stream(const char *function, enum standin_kind kind, struct standin_handle *handle,
                       tw__cuda_stream stream)
{
	int device = standin_device_of(function, stream);
	if (device < 0)
		return false;
	standin_lock();
	bool is_good = standin_is_alive(kind, handle) && handle->device == device;
	if (is_good)
		handle->stream = stream;
	standin_unlock();
	if (!is_good)
		standin_refuse(0, function, "GPU %d, which has the stream, has no handle %p", device, (void *)handle);
	return is_good;
}

bool standin_use(const char *function, enum standin_kind kind, const void *handle, struct standin_handle *copy)
{
	standin_lock();
	bool is_alive = standin_is_alive(kind, handle);
	if (is_alive)
		*copy = *(const struct standin_handle *)handle;
	standin_unlock();
	if (!is_alive)
		standin_refuse(0, function, "there is no handle %p", handle);
	else if (copy->device != standin_current_device())
		standin_refuse(0, function, "the handle is of GPU %d, the current one is GPU %d", copy->device,
		               standin_current_device());
	else
		return standin_device_of(function, copy->stream) >= 0;
	return false;
}

int cublasCreate_v2(tw__cublas *blas)
{
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	*blas = (tw__cublas)create(STANDIN_BLAS);
	return *blas ? 0 : STANDIN_BLAS_NO_MEMORY;
}

int cublasDestroy_v2(tw__cublas blas)
{
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	return destroy(__func__, STANDIN_BLAS, blas) ? 0 : STANDIN_BLAS_INVALID;
}

int cublasSetStream_v2(tw__cublas blas, tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_BLAS_INTERNAL;
	return set_stream(__func__, STANDIN_BLAS, (struct standin_handle *)blas, stream) ? 0 : STANDIN_BLAS_INVALID;
}

int cusolverDnCreate(tw__cusolver *solver)
{
	if (standin_fails())
		return STANDIN_SOLVER_INTERNAL;
	*solver = (tw__cusolver)create(STANDIN_SOLVERS);
	return *solver ? 0 : STANDIN_SOLVER_NO_MEMORY;
}

int cusolverDnDestroy(tw__cusolver solver)
{
	if (standin_fails())
		return STANDIN_SOLVER_INTERNAL;
	return destroy(__func__, STANDIN_SOLVERS, solver) ? 0 : STANDIN_SOLVER_INVALID;
}

int cusolverDnSetStream(tw__cusolver solver, tw__cuda_stream stream)
{
	if (standin_fails())
		return STANDIN_SOLVER_INTERNAL;
	return set_stream(__func__, STANDIN_SOLVERS, (struct standin_handle *)solver, stream) ? 0
	                                                                                      : STANDIN_SOLVER_INVALID;
}

/* --- matrices ----------------------------------------------------------------------------------------------------- */

/* The bytes from the first element to the last one. */
static size_t span_bytes(const struct standin_matrix *m)
{
	size_t elements = m->rows && m->columns ? (size_t)(m->columns - 1) * (size_t)m->ld + (size_t)m->rows : 0;
	return elements * m->element_bytes;
}

/* The bytes of a column that belong to the matrix's part. */
static size_t column(const struct standin_matrix *m, int j, char **at)
{
	int first = m->part == 'L' ? j : 0;
	int end = m->part == 'U' && j < m->rows ? j + 1 : m->rows;
	*at = m->at + ((size_t)j * (size_t)m->ld + (size_t)first) * m->element_bytes;
	return first < end ? (size_t)(end - first) * m->element_bytes : 0;
}

bool standin_matrix_is_good(const char *function, const char *name, int device, const struct standin_matrix *m)
{
	if (m->rows < 0 || m->columns < 0 || m->ld < 1 || m->ld < m->rows) {
		standin_refuse(0, function, "%s has %d rows, %d columns and leading dimension %d", name, m->rows,
		               m->columns, m->ld);
		return false;
	}
	return standin_on_device(function, name, device, m->at, span_bytes(m));
}

bool standin_matrices_overlap(const struct standin_matrix *a, const struct standin_matrix *b)
{
	char *in_a, *in_b;
	if (!span_bytes(a) || !span_bytes(b) || !standin_overlap(a->at, span_bytes(a), b->at, span_bytes(b)))
		return false;
	for (int i = 0; i < a->columns; i++) {
		size_t bytes = column(a, i, &in_a);
		for (int j = 0; j < b->columns && bytes; j++) {
			size_t others = column(b, j, &in_b);
			if (others && standin_overlap(in_a, bytes, in_b, others))
				return true;
		}
	}
	return false;
}

#ifdef __SANITIZE_THREAD__
void __tsan_read_range(void *at, long bytes);
void __tsan_write_range(void *at, long bytes);

static void touch(const struct standin_matrix *m, void (*tell)(void *, long))
{
	char *at;
	for (int j = 0; j < m->columns; j++) {
		size_t bytes = column(m, j, &at);
		if (bytes)
			tell(at, (long)bytes);
	}
}

void standin_reads(const struct standin_matrix *m) { touch(m, __tsan_read_range); }
void standin_writes(const struct standin_matrix *m) { touch(m, __tsan_write_range); }
#else
void standin_reads(const struct standin_matrix *m) { (void)m; }
void standin_writes(const struct standin_matrix *m) { (void)m; }
#endif
