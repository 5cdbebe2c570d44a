/*
 * offer.c - offers the plan of a command to the reader of its pipe. While the command writes, a
 * thread listens for the reader, and stops the run if the reader takes the plan.
 */
#define _GNU_SOURCE
#include "inputs/plan_inputs.h"
#include "inputs/socket.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/*
 * Milliseconds to wait for the reader. Before heavy work it pays to wait, since two commands that
 * compute at the same time slow each other down.
 */
#define WAIT_START 25 /* for the reader to start */
#define WAIT_QUIET 4  /* for its request, once it has read the header */
#define WAIT_TALK 200 /* for its answer to the plan */
#define LINGER 500    /* for the reader to start, after everything was written */

enum state { OFFERED, TAKEN, OVER };

struct axt_offer {
	struct axt_graph *g;
	struct axt_buf files, text;
	int fd[AXT_PASS_FDS], nfds;    /* descriptors sent with the plan; fd[0] is the pipe */
	const void *key[AXT_PASS_FDS]; /* [i]: the file or the memory that fd[i] belongs to */
	bool made[AXT_PASS_FDS];       /* [i]: fd[i] was made for the offer and is closed with it */
	struct axt_file *file[AXT_PASS_FDS]; /* [i]: the file to which fd[i] is given back */
	int64_t bytes;                       /* bytes of the tensors in memory that are sent */
	int listener, wake, talk;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t news;
	enum state state;
	int guest; /* the socket of the reader that the thread talks to, or -1 */
};

/* ---- the text of the plan ---- */

static int
known_input(const struct axt_offer *o, const void *key)
{
	for (int i = 1; i < o->nfds; i++)
		if (o->key[i] == key)
			return i;
	return 0;
}

static int
add_input(struct axt_offer *o, const void *key, int fd, bool made)
{
	o->key[o->nfds] = key;
	o->made[o->nfds] = made;
	o->fd[o->nfds] = fd;
	return o->nfds++;
}

static int
file_input(struct axt_offer *o, struct axt_file *f)
{
	/* without a descriptor nothing is offered, which is no error */
	struct axt_err ignore = { 0 };
	int i = known_input(o, f), fd;

	if (i || f->stream || o->nfds == AXT_PASS_FDS || (fd = axt_file_take(f, &ignore)) < 0)
		return i;
	o->file[o->nfds] = f;
	axt_plan_input_write(&o->files,
	    &(struct axt_plan_input){ .number = o->nfds - 1,
		.kind = f->foreign && f->ndsets == 0 ? AXT_INPUT_BYTES : AXT_INPUT_FILE,
		.handed = true,
		.id = f->id,
		.name = f->path });
	axt_buf_adds(&o->files, "\n");
	return add_input(o, f, fd, false);
}

/* Copies a tensor in memory to an anonymous file, and adds its descriptor. */
static int
data_input(struct axt_offer *o, const struct axt_storage *st)
{
	int64_t n = st->count * axt_size(st->dtype), done = 0;
	int i = known_input(o, st->mem), fd;

	if (i || o->nfds == AXT_PASS_FDS || n > AXT_PASS_DATA - o->bytes ||
	    (fd = memfd_create("axt", MFD_CLOEXEC)) < 0)
		return i;
	while (done < n) {
		ssize_t k = write(fd, (const char *)st->mem + done, (size_t)(n - done));

		if (k <= 0 && errno != EINTR) {
			close(fd);
			return 0;
		}
		done += MAX(k, 0);
	}
	o->bytes += n;
	axt_plan_input_write(&o->files,
	    &(struct axt_plan_input){ .kind = AXT_INPUT_DATA, .number = o->nfds - 1, .bytes = n });
	axt_buf_adds(&o->files, "\n");
	return add_input(o, st->mem, fd, true);
}

static bool
leaf_words(void *ctx, const struct axt_expr *leaf, struct axt_buf *b)
{
	struct axt_offer *o = ctx;
	const struct axt_storage *st = leaf->u.leaf.st;
	struct axt_file *f;
	const struct axt_dset *d = axt_leaf_dataset(o->g, st, &f);
	int i = d ? file_input(o, f) : st->mem ? data_input(o, st) : 0;

	if (i > 0)
		axt_plan_leaf_write(b,
		    &(struct axt_plan_leaf){ .data = !d,
			.number = i - 1,
			.path = d && axt_has_path(f, d) ? d->path : NULL,
			.at = st->offset,
			.swap = st->swap });
	return i > 0;
}

/* Writes the text of the plan of e. v has the names of the results. */
static bool
write_plan(struct axt_offer *o, struct axt_expr *const e[], const struct axt_out_var *v, int n)
{
	struct axt_plan_out out[AXT_PLAN_OUTS];
	struct axt_expr *u[AXT_PLAN_OUTS];
	struct axt_buf nodes = { 0 };
	bool ok = n <= AXT_PLAN_OUTS && axt_unify(o->g, e, n, u) == 0;

	for (int i = 0; ok && i < n; i++)
		out[i] = (struct axt_plan_out){ v[i].name, u[i] };
	ok = ok && axt_plan_write(o->g, out, n, leaf_words, o, &nodes);
	axt_buf_addf(&o->text, AXT_PLAN_VERSION "\n%s\n", axt_device_line(o->g));
	axt_buf_add(&o->text, o->files.p ? o->files.p : "", o->files.n);
	axt_buf_add(&o->text, nodes.p ? nodes.p : "", nodes.n);
	ok = ok && !o->text.bad && !nodes.bad && o->text.n <= AXT_PLAN_BYTES;
	axt_buf_release(&nodes);
	return ok;
}

/* ---- the thread that listens ---- */

/* Waits until s can be read; returns false if the offer ended before. */
static bool
wait_for(struct axt_offer *o, int s)
{
	struct pollfd p[2] = { { .fd = s, .events = POLLIN }, { .fd = o->wake, .events = POLLIN } };

	while (poll(p, 2, -1) < 0)
		if (errno != EINTR)
			return false;
	return p[1].revents == 0;
}

/* Notes which reader is being talked to. Returns false if the offer is over. */
static bool
set_guest(struct axt_offer *o, int s)
{
	bool open;

	pthread_mutex_lock(&o->lock);
	open = o->state != OVER;
	o->guest = s;
	pthread_cond_signal(&o->news);
	pthread_mutex_unlock(&o->lock);
	return open;
}

/* Sends the plan; returns whether the reader took it before the offer was over. */
static bool
talk(struct axt_offer *o, int s)
{
	char line[16];
	bool mine;

	if (!axt_pass_peer(s) || !axt_pass_send(s, o->text.p, o->text.n, o->fd, o->nfds))
		return false;
	if (!wait_for(o, s) || !axt_pass_line(s, line, sizeof(line), AXT_PASS_ANSWER) ||
	    strcmp(line, "taken") != 0)
		return false;
	pthread_mutex_lock(&o->lock);
	mine = o->state == OFFERED;
	if (mine)
		o->state = TAKEN;
	pthread_cond_signal(&o->news);
	pthread_mutex_unlock(&o->lock);
	if (!mine || !axt_pass_send(s, "ok\n", 3, NULL, 0))
		return false;
	__atomic_store_n(&o->g->cancelled, true, __ATOMIC_RELAXED);
	o->talk = s;
	return true;
}

static void *
listen_on(void *arg)
{
	struct axt_offer *o = arg;
	int s;

	while (wait_for(o, o->listener)) {
		s = accept4(o->listener, NULL, NULL, SOCK_CLOEXEC);
		if (s < 0 && (errno == ECONNABORTED || errno == EINTR))
			continue;
		if (s < 0) /* no descriptor is left; the reader takes the bytes */
			break;
		axt_pass_patience(s);
		if (set_guest(o, s) && talk(o, s))
			break;
		set_guest(o, -1);
		close(s);
	}
	return NULL;
}

/* ---- the beginning and the end of an offer ---- */

static void
free_offer(struct axt_offer *o)
{
	for (int i = 1; i < o->nfds; i++)
		if (o->made[i])
			close(o->fd[i]);
		else if (o->file[i])
			axt_file_give(o->file[i]);
	if (o->listener >= 0)
		close(o->listener);
	if (o->wake >= 0)
		close(o->wake);
	if (o->talk >= 0)
		close(o->talk);
	axt_buf_release(&o->files);
	axt_buf_release(&o->text);
	pthread_mutex_destroy(&o->lock);
	pthread_cond_destroy(&o->news);
	free(o);
}

static bool
start_listening(struct axt_offer *o, int pipe)
{
	struct sockaddr_un a;
	socklen_t n = axt_pass_name(pipe, &a);

	if (n == 0)
		return false;
	o->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	o->wake = eventfd(0, EFD_CLOEXEC);
	return o->listener >= 0 && o->wake >= 0 &&
	    bind(o->listener, (struct sockaddr *)&a, n) == 0 && listen(o->listener, 4) == 0 &&
	    axt_thread_start(&o->thread, listen_on, o) == 0;
}

static void
init(struct axt_offer *o, struct axt_graph *g, int pipe)
{
	o->g = g;
	o->listener = o->wake = o->talk = o->guest = -1;
	pthread_mutex_init(&o->lock, NULL);
	pthread_cond_init(&o->news, NULL);
	add_input(o, NULL, pipe, false);
}

struct axt_offer *
axt_offer_begin(struct axt_graph *g, struct axt_expr *const e[], const struct axt_out_var *v, int n,
    int pipe)
{
	struct axt_err before = g->err;
	struct axt_offer *o = g->fuse && pipe >= 0 ? calloc(1, sizeof(*o)) : NULL;

	if (!o)
		return NULL;
	init(o, g, pipe);
	if (write_plan(o, e, v, n) && start_listening(o, pipe))
		return o;
	g->err = before;
	free_offer(o);
	return NULL;
}

static void
look(struct axt_offer *o, enum state *state, bool *talking)
{
	pthread_mutex_lock(&o->lock);
	*state = o->state;
	*talking = o->guest >= 0;
	pthread_mutex_unlock(&o->lock);
}

/* Sleeps until the thread reports something, but at most a millisecond. */
static void
nap(struct axt_offer *o, enum state *state, bool *talking)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_sec++;
		t.tv_nsec -= 1000000000;
	}
	pthread_mutex_lock(&o->lock);
	if (o->state == OFFERED)
		pthread_cond_timedwait(&o->news, &o->lock, &t);
	pthread_mutex_unlock(&o->lock);
	look(o, state, talking);
}

bool
axt_offer_wait(struct axt_offer *o, bool patient)
{
	int left, silent = 0, talked = 0;
	enum state state = OFFERED;
	bool talking = false;
	/*
	 * By how much the waits above are longer: not at all; more if the user asked to wait; most
	 * if only the reader can compute the result.
	 */
	int times = patient ? 160 : o && o->g->fuse == AXT_FUSE_WAIT ? 40 : 1;

	for (int ms = 0; o && state == OFFERED; ms++) {
		nap(o, &state, &talking);
		talked += talking;
		if (ioctl(o->fd[0], FIONREAD, &left) == 0 && left == 0 && !talking)
			silent++;
		if (talking ? talked > (patient ? times : 1) * WAIT_TALK
			    : ms > times * WAIT_START || silent > times * WAIT_QUIET)
			break;
	}
	return state == TAKEN;
}

/* Whether written bytes are still in the pipe, unread: then a reader may still come. */
static bool
lies_there(const struct axt_offer *o)
{
	struct pollfd p = { .fd = o->fd[0], .events = POLLOUT };
	int left;

	return ioctl(o->fd[0], FIONREAD, &left) == 0 && left > 0 && poll(&p, 1, 0) >= 0 &&
	    !(p.revents & POLLERR);
}

/*
 * After everything is written: lets a reader that is still deciding take the plan, and waits for
 * one that has not started yet. A small result is written before its reader starts, and that reader
 * may need the plan, as one that saves the expression does.
 */
static void
hear_out(struct axt_offer *o)
{
	enum state state;
	bool talking;

	look(o, &state, &talking);
	for (int ms = 0, quiet = 0, talked = 0; state == OFFERED; ms++) {
		talked += talking;
		if (talking ? talked > WAIT_TALK
			    : talked || ms > LINGER || (!lies_there(o) && ++quiet > WAIT_QUIET))
			break;
		nap(o, &state, &talking);
	}
}

bool
axt_offer_end(struct axt_offer *o, int64_t sent, bool ok)
{
	uint64_t one = 1;
	char line[40];
	bool taken;
	ssize_t n;

	if (!o)
		return false;
	if (ok)
		hear_out(o);
	pthread_mutex_lock(&o->lock);
	taken = o->state == TAKEN;
	if (!taken)
		o->state = OVER;
	if (!taken && o->guest >= 0) /* this wakes the thread if it waits for that reader */
		shutdown(o->guest, SHUT_RDWR);
	pthread_mutex_unlock(&o->lock);
	while ((n = write(o->wake, &one, sizeof(one))) < 0 && errno == EINTR)
		;
	if (n < 0) /* the eventfd failed; shutting down the listener wakes the thread, too */
		shutdown(o->listener, SHUT_RDWR);
	pthread_join(o->thread, NULL);
	if (taken && ok) {
		snprintf(line, sizeof(line), "sent %" PRId64 "\n", sent);
		axt_pass_send(o->talk, line, strlen(line), NULL, 0);
	}
	free_offer(o);
	return taken;
}

void
axt_offer_print(struct axt_graph *g, struct axt_expr *const e[], const struct axt_out_var *v, int n,
    FILE *out)
{
	struct axt_offer *o = calloc(1, sizeof(*o));
	struct axt_err before = g->err;

	if (!o) {
		axt_fail(&g->err, AXT_E_MEM, "out of memory");
		return;
	}
	init(o, g, -1);
	if (write_plan(o, e, v, n))
		fputs(o->text.p, out);
	else
		fputs("no plan: an input is a stream\n", out);
	g->err = before;
	free_offer(o);
}
