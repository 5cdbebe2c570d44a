/*
 * socket.h - what the writer and the reader of a pipe tell each other, over an abstract socket
 * whose name is made from that of the pipe. The stream itself stays the same, so that a reader
 * which is not axt sees only the tensors.
 *
 * writer  the text of the plan and, with its first bytes, descriptors: the pipe, then inputs
 * reader  "taken\n"
 * writer  "ok\n"; or it closes the socket, if it has written everything already
 * writer  "sent N\n" once it has stopped; N bytes are in the pipe
 */
#ifndef AXT_INPUTS_SOCKET_H
#define AXT_INPUTS_SOCKET_H

#include <sys/socket.h>
#include <sys/un.h>

#include "wire/text.h"
#include "bytes/output.h"

#define AXT_PASS_FDS 2048
#define AXT_PASS_MESSAGE 240 /* descriptors in one message; Linux takes 253 */
/*
 * How many bytes of tensors in memory are sent at most. Both sides copy them, and --memory does not
 * count the copies.
 */
#define AXT_PASS_DATA ((int64_t)16 << 20)

/* Milliseconds to wait for the whole plan, for an answer, and for the end of a run. */
#define AXT_PASS_PLAN 2000
#define AXT_PASS_ANSWER 10000
#define AXT_PASS_END 60000

/* Makes the address of the socket for the pipe fd. Returns its length, or 0 if fd is no pipe. */
socklen_t axt_pass_name(int fd, struct sockaddr_un *a);
/* Lets sends fail that make no progress for a second, since any process of the user may connect. */
void axt_pass_patience(int sock);
/* Whether the process at the other end has the same user. */
bool axt_pass_peer(int sock);
bool axt_pass_send(int sock, const void *p, size_t n, const int *fds, int nfds);
/*
 * axt_pass_clock is a monotonic clock in milliseconds. axt_pass_wait returns whether sock can be
 * read before the clock shows `until`.
 */
int64_t axt_pass_clock(void);
bool axt_pass_wait(int sock, int64_t until);
/*
 * Reads a line of at most cap - 1 bytes, without its end. Returns false if none comes within ms
 * milliseconds.
 */
bool axt_pass_line(int sock, char *line, size_t cap, int ms);

#endif
