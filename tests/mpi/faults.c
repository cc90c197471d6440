/* Stands between Tilewright and MPI, by MPI's profiling interface, and spoils one message: FAULT=KIND:TAG.
 *
 *     drop    it is not sent
 *     double  it is sent once more
 *     first   it is sent once more, before
 *     late    its envelope says that its content is the initial one
 *     other   it has the content of the message that was sent before
 *     spoil   one byte of it is changed
 *
 * FAULT=result changes one byte of the first result that a process sends to process 0. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The last message that was sent, with its envelope: number, version and checksum. */
static char *packed;
static int packed_bytes;

static char *pack(const void *buffer, int count, MPI_Datatype type, MPI_Comm comm, int *bytes)
{
	int room, at = 0;
	MPI_Pack_size(count, type, comm, &room);
	char *to = malloc((size_t)room);
	MPI_Pack(buffer, count, type, to, room, &at, comm);
	*bytes = at;
	return to;
}

static int is_fault(const char *kind, int tag)
{
	const char *fault = getenv("FAULT");
	const size_t length = strlen(kind);
	return fault && strncmp(fault, kind, length) == 0 && fault[length] == ':' && atoi(fault + length + 1) == tag;
}

int MPI_Issend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
	MPI_Request second;
	int bytes;
	char *own = pack(buffer, count, type, comm, &bytes);
	if (is_fault("drop", tag))
		return PMPI_Irecv(NULL, 0, MPI_BYTE, to, 0, comm, request); /* never ends, as no message has this tag */
	if (is_fault("late", tag))
		memcpy(own + 8, &(int64_t){-1}, 8);
	if (is_fault("spoil", tag))
		own[bytes - 1] ^= 1;
	if (is_fault("other", tag))
		own = packed;
	packed = own;
	packed_bytes = bytes;
	if (is_fault("first", tag))
		PMPI_Issend(own, bytes, MPI_BYTE, to, tag, comm, &second);
	PMPI_Issend(own, bytes, MPI_BYTE, to, tag, comm, request);
	if (is_fault("double", tag))
		PMPI_Issend(own, bytes, MPI_BYTE, to, tag, comm, &second);
	return MPI_SUCCESS;
}

int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
	static int done;
	const char *fault = getenv("FAULT");
	if (!fault || strcmp(fault, "result") != 0 || done++)
		return PMPI_Isend(buffer, count, type, to, tag, comm, request);
	char *own = malloc((size_t)count);
	memcpy(own, buffer, (size_t)count);
	own[count - 1] ^= 1 << 6;
	return PMPI_Isend(own, count, type, to, tag, comm, request);
}
