/*
 * socket.h - the talk between the writer and the reader of one pipe, over an abstract socket named
 * after it. Nothing of it enters the stream, so a reader that is not axt sees only the tensors.
 *
 *	writer	the plan's text; with its first bytes the descriptors: the pipe's end, then inputs
 *	reader	"taken\n"
 *	writer	"ok\n", or closes: it has written everything already
 *	writer	"sent N\n" when it has stopped: bytes it had put into the pipe
 */
#ifndef AXT_INPUTS_SOCKET_H
#define AXT_INPUTS_SOCKET_H

#include <sys/socket.h>
#include <sys/un.h>

#include "wire/text.h"
#include "bytes/output.h"

#define AXT_PASS_FDS 2048
#define AXT_PASS_MESSAGE 240 /* of these; Linux takes 253 */
/* Bytes of all tensors in memory that go along: both sides copy them, beyond --memory. */
#define AXT_PASS_DATA ((int64_t)16 << 20)

/* Milliseconds to wait: for the whole plan, for an answer, for the end of a run. */
#define AXT_PASS_PLAN 2000
#define AXT_PASS_ANSWER 10000
#define AXT_PASS_END 60000

/* The address of the pipe open as fd; 0: it is no pipe. */
socklen_t axt_pass_name(int fd, struct sockaddr_un *a);
/* A send that does not move within a second is given up: any process of the user may connect. */
void axt_pass_patience(int sock);
/* Whether the other end runs as this user. */
bool axt_pass_peer(int sock);
bool axt_pass_send(int sock, const void *p, size_t n, const int *fds, int nfds);
/* Milliseconds of a clock that only goes on; whether sock can be read before it shows `until`. */
int64_t axt_pass_clock(void);
bool axt_pass_wait(int sock, int64_t until);
/* A line of at most cap - 1 bytes, without its end; false: none came in so many milliseconds. */
bool axt_pass_line(int sock, char *line, size_t cap, int ms);

#endif
