/* socket.c - addresses, descriptors and lines of text over a socket. */
#define _GNU_SOURCE
#include "inputs/socket.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

socklen_t
axt_pass_name(int fd, struct sockaddr_un *a)
{
	struct stat st;
	int n;

	if (fstat(fd, &st) || !S_ISFIFO(st.st_mode))
		return 0;
	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(a->sun_path + 1, sizeof(a->sun_path) - 1, "axt-%llx-%llx",
	    (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
}

void
axt_pass_patience(int sock)
{
	struct timeval t = { .tv_sec = 1 };

	setsockopt(sock, SOL_SOCKET, SO_SNDTIMEO, &t, sizeof(t));
}

bool
axt_pass_peer(int sock)
{
	struct ucred u;
	socklen_t n = sizeof(u);

	return getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &u, &n) == 0 && u.uid == geteuid();
}

bool
axt_pass_send(int sock, const void *p, size_t n, const int *fds, int nfds)
{
	union {
		char space[CMSG_SPACE(sizeof(int) * AXT_PASS_MESSAGE)];
		struct cmsghdr align;
	} c = { { 0 } };
	const char *q = p;

	while (n > 0) {
		size_t now = (size_t)MIN(nfds, AXT_PASS_MESSAGE);
		/* the rest is sent with later messages, a byte of text each */
		bool more = (size_t)nfds > now;
		struct iovec v = { .iov_base = (char *)q, .iov_len = more ? 1 : n };
		struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
		ssize_t k;

		if (now > 0) {
			m.msg_control = c.space;
			m.msg_controllen = CMSG_SPACE(sizeof(int) * now);
			c.align.cmsg_level = SOL_SOCKET;
			c.align.cmsg_type = SCM_RIGHTS;
			c.align.cmsg_len = CMSG_LEN(sizeof(int) * now);
			memcpy(CMSG_DATA(&c.align), fds, sizeof(int) * now);
		}
		k = sendmsg(sock, &m, MSG_NOSIGNAL);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		nfds -= (int)now;
		if (nfds)
			fds += now;
		q += k;
		n -= (size_t)k;
	}
	return true;
}

int64_t
axt_pass_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool
axt_pass_wait(int sock, int64_t until)
{
	struct pollfd p = { .fd = sock, .events = POLLIN };
	int64_t left;
	int r;

	do {
		left = MAX(until - axt_pass_clock(), 0);
		r = poll(&p, 1, (int)left);
	} while (r < 0 && errno == EINTR);
	return r > 0;
}

bool
axt_pass_line(int sock, char *line, size_t cap, int ms)
{
	int64_t until = axt_pass_clock() + ms;
	size_t n = 0;

	/* lines are short and few, so they are read byte by byte */
	while (n < cap - 1 && axt_pass_wait(sock, until)) {
		ssize_t k = recv(sock, line + n, 1, 0);

		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		if (line[n] == '\n') {
			line[n] = 0;
			return true;
		}
		n++;
	}
	return false;
}
