/*
 * mpi_abi.h - what mpi.c uses of MPI, as the standard interface of binary programs has it (chapter
 * 20 of MPI 5.0): the same types and numbers in the libmpi_abi.so.1 of every implementation. So
 * none has to be here when this is compiled, and whichever is there later is taken.
 */
#ifndef AXT_JOBS_MPI_ABI_H
#define AXT_JOBS_MPI_ABI_H

typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
#ifndef MPI_ABI_VERSION /* of the header of an implementation, which tests/build.py compares */
typedef struct {
	int MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal[5];
} MPI_Status;
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#endif

#define MPI_COMM_WORLD ((MPI_Comm)0x00000101)
#define MPI_BYTE ((MPI_Datatype)0x00000247)
#define MPI_INT64_T ((MPI_Datatype)0x00000258)
#define MPI_SUM ((MPI_Op)0x00000021)
#define MPI_MIN ((MPI_Op)0x00000022)
#define MPI_IN_PLACE ((void *)1)

int MPI_Init(int *argc, char ***argv);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int errorcode);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm);
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm);
int MPI_Iallreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
    MPI_Comm comm, MPI_Request *request);
int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
    MPI_Status *status);
int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
    int recvcount, MPI_Datatype recvtype, MPI_Comm comm);
int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
    MPI_Datatype recvtype, MPI_Comm comm);

#endif
