/*
 * accept.c - takes the plan that the writer of a pipe offers. The plan is checked against the pipe
 * and the header that it brings; if anything does not fit, the bytes of the pipe are read instead.
 */
#define _GNU_SOURCE
#include "formats/formats.h"
#include "inputs/plan_inputs.h"
#include "inputs/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum state { OFFERED, TAKEN, DRAINED, DECLINED };

struct axt_taken {
	struct axt_graph *g;
	struct axt_file *stream;
	int sock;
	enum state state;
	const char *why; /* why the plan was declined */
	char *text;
	size_t len;
	/* descriptors that came with the plan; -1 once a file owns one */
	int fd[AXT_PASS_FDS], nfds;
	/* index of the descriptor that the next "file" or "data" line of the text means */
	int next;
	struct axt_file *file[AXT_PASS_FDS];
	void *data[AXT_PASS_FDS];
	int64_t bytes[AXT_PASS_FDS], all_bytes;
	struct axt_plan_out out[AXT_PLAN_OUTS];
	int nouts;
	/* leaves over the stream point here: the expressions that replace them, or NULL */
	struct axt_expr *plan[AXT_PLAN_OUTS];
	struct axt_taken *next_taken;
};

/* ---- the connection to the writer ---- */

static int
connect_to(int pipe)
{
	struct sockaddr_un a;
	socklen_t n = axt_pass_name(pipe, &a);
	int s = n ? socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) : -1;

	if (s < 0)
		return -1;
	axt_pass_patience(s);
	if (connect(s, (struct sockaddr *)&a, n) == 0 && axt_pass_peer(s))
		return s;
	close(s);
	return -1;
}

/*
 * Keeps the descriptors that came with a message. If there are more than the buffer holds, the
 * kernel closes the rest.
 */
static void
keep_fds(struct axt_taken *t, struct msghdr *m)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		size_t n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(fd), sizeof(fd));
			if (t->nfds < AXT_PASS_FDS)
				t->fd[t->nfds++] = fd;
			else
				close(fd);
		}
	}
}

static bool
ends(const char *p, size_t n)
{
	return n >= 5 && memcmp(p + n - 5, "\nend\n", 5) == 0;
}

/* Receives the text of the plan, up to its last line, and the descriptors that come with it. */
static bool
receive(struct axt_taken *t)
{
	union {
		char space[CMSG_SPACE(sizeof(int) * AXT_PASS_MESSAGE)];
		struct cmsghdr align;
	} c;
	int64_t until = axt_pass_clock() + AXT_PASS_PLAN;
	size_t cap = 0;

	while (!ends(t->text, t->len)) {
		struct iovec v;
		struct msghdr m = { .msg_iov = &v,
			.msg_iovlen = 1,
			.msg_control = c.space,
			.msg_controllen = sizeof(c.space) };
		ssize_t k;

		if (t->nfds > 0) /* more come with each message */
			axt_file_spare();
		if (t->len == cap) {
			char *p = cap < AXT_PLAN_BYTES ? realloc(t->text, cap * 2 + 4096) : NULL;

			if (!p)
				return false;
			t->text = p;
			cap = cap * 2 + 4096;
		}
		v = (struct iovec){ t->text + t->len, cap - t->len };
		if (!axt_pass_wait(t->sock, until))
			return false;
		k = recvmsg(t->sock, &m, MSG_CMSG_CLOEXEC);
		if (k < 0 && errno == EINTR)
			continue;
		if (k <= 0)
			return false;
		keep_fds(t, &m);
		t->len += (size_t)k;
		if (m.msg_flags & MSG_CTRUNC)
			return false;
	}
	return t->len <= AXT_PLAN_BYTES;
}

/*
 * Closes the first n descriptors. One of them is the writing end of the pipe: while any process has
 * it open, reading the pipe does not end.
 */
static void
drop_fds(struct axt_taken *t, int n)
{
	for (int i = 0; i < MIN(n, t->nfds); i++) {
		if (t->fd[i] >= 0)
			close(t->fd[i]);
		t->fd[i] = -1;
	}
}

/*
 * Whether the sender has the writing end of this pipe open, which it proves by sending its
 * descriptor. Other processes could connect to the socket, but have no such descriptor.
 */
static bool
holds_pipe(struct axt_taken *t)
{
	struct stat a, b;
	bool ok = t->nfds > 0 && fstat(t->fd[0], &a) == 0 && fstat(t->stream->fd, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino &&
	    (fcntl(t->fd[0], F_GETFL) & O_ACCMODE) != O_RDONLY;

	drop_fds(t, 1);
	return ok;
}

/* ---- the inputs that the text names ---- */

/*
 * Opens the next descriptor as the file that line x describes. Returns false if it is another file,
 * or has changed.
 */
static bool
take_file(struct axt_taken *t, const struct axt_plan_input *x)
{
	int fd = t->fd[t->next];

	t->fd[t->next] = -1;
	t->file[t->next] = axt_adopt_file(t->g, fd, x->name, &x->id, x->kind == AXT_INPUT_BYTES);
	return t->file[t->next++] != NULL;
}

/* Takes n bytes of data from the next descriptor. */
static bool
take_data(struct axt_taken *t, int64_t n)
{
	uint8_t *p;

	if (n > AXT_PASS_DATA - t->all_bytes || !(p = axt_alloc(t->g->m, (size_t)n + 1)))
		return false;
	if (axt_read_at(t->fd[t->next], p, (size_t)n, 0) < (size_t)n)
		return false;
	t->all_bytes += n;
	t->data[t->next] = p;
	t->bytes[t->next++] = n;
	return true;
}

static bool
line(void *ctx, char *s)
{
	struct axt_taken *t = ctx;
	struct axt_plan_input x;

	if (strncmp(s, "device ", 7) == 0)
		return t->next == 1 && strcmp(s, axt_device_line(t->g)) == 0;
	if (t->next >= t->nfds || !axt_plan_input_read(s, &x) || x.number != t->next - 1)
		return false;
	if (x.kind == AXT_INPUT_DATA)
		return !*x.hex && take_data(t, x.bytes);
	return x.handed && take_file(t, &x);
}

static struct axt_expr *
leaf(void *ctx, enum axt_dtype d, const struct axt_axes *x, char *s)
{
	struct axt_taken *t = ctx;
	struct axt_plan_leaf w;
	struct axt_dset *set;
	struct axt_file *f;

	if (!axt_plan_leaf_read(s, &w) || w.number + 1 >= t->next || w.sum)
		return NULL;
	if (w.data)
		return axt_plan_data(t->g, d, x, t->data[w.number + 1], t->bytes[w.number + 1]);
	f = t->file[w.number + 1];
	if (!f || (w.path ? f->foreign && f->ndsets == 0 : !f->foreign))
		return NULL;
	if (w.path ? axt_file_find(t->g->m, f, w.path, &set, &t->g->err) ||
		    strcmp(set->path, w.path) != 0
		   : !(set = axt_foreign_dset(t->g->m, f, NULL, d, x, w.at,
			   w.swap && axt_size(d) > 1)))
		return NULL; /* the file has no such dataset, or not as many bytes */
	return axt_dataset_leaf(t->g, f, set, d, x);
}

/* ---- the offers of all streams ---- */

static void
decline(struct axt_taken *t, const char *why)
{
	t->state = DECLINED;
	t->why = why;
	memset(t->plan, 0, sizeof(t->plan));
	drop_fds(t, t->nfds);
	if (t->sock >= 0)
		close(t->sock);
	t->sock = -1;
}

void
axt_taken_free(struct axt_graph *g)
{
	for (struct axt_taken *t = g->taken; t; t = t->next_taken) {
		drop_fds(t, t->nfds);
		if (t->sock >= 0)
			close(t->sock);
		free(t->text);
	}
	g->taken = NULL;
}

void
axt_take_offer(struct axt_graph *g, struct axt_file *f)
{
	struct axt_plan_reader r = { .line = line, .leaf = leaf };
	struct axt_taken *t;
	const char *why = "the talk broke off";
	int s = g->fuse && f->stream ? connect_to(f->fd) : -1;

	if (s < 0)
		return;
	t = axt_alloc(g->m, sizeof(*t));
	if (!t) {
		close(s);
		return;
	}
	t->g = g;
	t->stream = f;
	t->sock = s;
	t->next = 1;
	t->next_taken = g->taken;
	g->taken = t;
	g->taken_free = axt_taken_free;
	r.ctx = t;
	if (!receive(t))
		decline(t, why);
	else if (!holds_pipe(t))
		decline(t, "it does not come from the writer of the pipe");
	else if (!axt_plan_read(g, t->text, t->len, &r, t->out, &t->nouts, &why))
		decline(t, why ? why : "out of memory");
	else if (t->next != t->nfds)
		decline(t, "more files came than it names");
	drop_fds(t, t->nfds); /* files have their own descriptors by now, and data have been read */
}

bool
axt_stands_for(const struct axt_expr *p, const struct axt_expr *e)
{
	if (p->dtype != e->dtype || p->axes.n != e->axes.n)
		return false;
	for (int k = 0; k < e->axes.n; k++)
		if (p->axes.a[k].len != e->axes.a[k].len)
			return false;
	return true;
}

struct axt_expr **
axt_taken_plan(struct axt_graph *g, const struct axt_file *f, const struct axt_expr *e)
{
	struct axt_taken *t = g->taken;
	int i = 0;

	while (t && (t->stream != f || t->state == DECLINED))
		t = t->next_taken;
	if (!t)
		return NULL;
	while (i < t->nouts && strcmp(t->out[i].name, e->meta->name) != 0)
		i++;
	if (i == t->nouts || !axt_stands_for(t->out[i].e, e)) {
		if (t->state == OFFERED)
			decline(t, "its result is not what the header says");
		return NULL;
	}
	t->plan[i] = axt_relabel(g, t->out[i].e, &e->axes, axt_identity);
	return &t->plan[i];
}

bool
axt_taken_decline(struct axt_graph *g, const char *why)
{
	bool any = false;

	for (struct axt_taken *t = g->taken; t; t = t->next_taken)
		if (t->state == OFFERED) {
			decline(t, why);
			any = true;
		}
	return any;
}

/*
 * Whether any result of this command needs the writer's plan. If none does, nothing of the stream
 * is needed.
 */
static bool
is_used(const struct axt_taken *t)
{
	for (int i = 0; i < t->nouts; i++)
		if (t->plan[i])
			return true;
	return false;
}

bool
axt_taken_commit(struct axt_graph *g)
{
	bool lost = false;
	char word[16];

	for (struct axt_taken *t = g->taken; t; t = t->next_taken) {
		if (t->state != OFFERED)
			continue;
		if (!is_used(t))
			decline(t, "nothing of it is needed");
		else if (axt_pass_send(t->sock, "taken\n", 6, NULL, 0) &&
		    axt_pass_line(t->sock, word, sizeof(word), AXT_PASS_ANSWER) &&
		    strcmp(word, "ok") == 0)
			t->state = TAKEN;
		else {
			decline(t, "the writer had written everything already");
			lost = true;
		}
	}
	return lost;
}

/* Reads the pipe to its end, and checks that as many bytes came as the writer says it wrote. */
static int
drain(struct axt_taken *t)
{
	struct axt_err *e = &t->g->err;
	uint64_t all;
	int64_t sent;
	char word[40];
	const char *name = axt_escape(t->g->m, t->stream->path);

	t->state = DRAINED;
	if (axt_stream_drain(t->stream, &all, e))
		return e->code;
	if (!axt_pass_line(t->sock, word, sizeof(word), AXT_PASS_END) ||
	    strncmp(word, "sent ", 5) != 0 || !axt_parse_int(word + 5, 0, INT64_MAX, &sent))
		return axt_fail(e, AXT_E_DAMAGED, "%s: the writer of the stream failed", name);
	if ((uint64_t)sent != all)
		return axt_fail(e, AXT_E_DAMAGED,
		    "%s: %" PRIu64 " bytes came of a stream of %" PRId64, name, all, sent);
	return 0;
}

int
axt_taken_drain(struct axt_graph *g)
{
	for (struct axt_taken *t = g->taken; t; t = t->next_taken)
		if (t->state == TAKEN)
			drain(t);
	return g->err.code;
}

void
axt_taken_explain(struct axt_graph *g, FILE *out)
{
	for (struct axt_taken *t = g->taken; t; t = t->next_taken) {
		const char *name = axt_escape(g->m, t->stream->path);

		if (t->state == DECLINED)
			fprintf(out, "stream %s: bytes (%s)\n", name, t->why);
		else
			fprintf(out, "stream %s: its writer's plan is taken\n", name);
	}
}
