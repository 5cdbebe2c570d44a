/*
 * confine.c - what a trial of a hint may do. The line of a hint may have words in it that stand in
 * a file, and a file may be anybody's. So the process that tries one tells the kernel first that
 * from now on it reads files and computes, and does nothing else: every call that opens a file for
 * writing, makes, renames or removes one, starts a program, or speaks to another process, fails. It
 * does not depend on what the commands do with their words. Libraries have fixed names, and may be
 * loaded; what loads one that a word names is refused by cmd_begin.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "priv.h"

#ifdef __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#if defined(__SANITIZE_ADDRESS__)
#define LOOKS_FOR_LEAKS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LOOKS_FOR_LEAKS
#endif
#endif
#ifdef LOOKS_FOR_LEAKS
/* AddressSanitizer looks for leaks from a process of its own, which a trial cannot start. */
int __lsan_is_turned_off(void);
int
__lsan_is_turned_off(void)
{
	return cmd_is_hint_tried();
}
#endif

#ifdef MACHINE
#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* A call that is let through if one of its arguments is as told. */
struct row {
	int nr;
	enum {
		NONE,   /* no bit of the argument is one of `value` */
		ANY,    /* some bit is */
		SAME,   /* the argument is `value` */
		AT_MOST /* it is at most `value` */
	} how;
	int arg;
	uint32_t value;
};

/* What open() is given to make or change a file; O_TMPFILE needs one of the first two. */
#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)

/* Calls that change nothing outside of the process, whatever they are given. */
static const int calls[] = {
/* Older calls, which newer machines do not have. */
#ifdef __x86_64__
	__NR_stat,
	__NR_lstat,
	__NR_access,
	__NR_readlink,
	__NR_getdents,
	__NR_poll,
	__NR_select,
	__NR_dup2,
	__NR_time,
	__NR_arch_prctl,
#endif
	__NR_read,
	__NR_readv,
	__NR_pread64,
	__NR_preadv,
	__NR_lseek,
	__NR_close,
	__NR_dup,
	__NR_dup3,
	__NR_fcntl,
	__NR_flock,
	__NR_fadvise64,
	__NR_readahead,
	__NR_fstat,
	__NR_newfstatat,
	__NR_statx,
	__NR_statfs,
	__NR_fstatfs,
	__NR_faccessat,
	__NR_faccessat2,
	__NR_readlinkat,
	__NR_getdents64,
	__NR_getcwd,
	__NR_ppoll,
	__NR_pselect6,
	/* memory */
	__NR_mmap,
	__NR_mprotect,
	__NR_munmap,
	__NR_mremap,
	__NR_madvise,
	__NR_mincore,
	__NR_brk,
	/* threads of this process */
	__NR_futex,
	__NR_set_robust_list,
	__NR_rseq,
	__NR_sched_yield,
	__NR_sched_getaffinity,
	__NR_membarrier,
	__NR_gettid,
	__NR_exit,
	__NR_exit_group,
	__NR_restart_syscall,
	__NR_rt_sigaction,
	__NR_rt_sigprocmask,
	__NR_rt_sigreturn,
	__NR_sigaltstack,
	/* what the process is told of itself and of the machine */
	__NR_getpid,
	__NR_getppid,
	__NR_getuid,
	__NR_geteuid,
	__NR_getgid,
	__NR_getegid,
	__NR_getrlimit,
	__NR_getrusage,
	__NR_sysinfo,
	__NR_uname,
	__NR_umask,
	__NR_getrandom,
	__NR_clock_gettime,
	__NR_clock_getres,
	__NR_gettimeofday,
	__NR_nanosleep,
	__NR_clock_nanosleep,
};

/* Calls whose flags are in memory, where a filter cannot look: there are others for all they do. */
static const int absent[] = { __NR_clone3, __NR_openat2 };

/* Others, by one argument. */
static const struct row rows[] = {
#ifdef __x86_64__
	{ __NR_open, NONE, 1, CHANGES },
#endif
	{ __NR_openat, NONE, 2, CHANGES },
	/* standard output is /dev/null, standard error a pipe to who tries the line */
	{ __NR_write, AT_MOST, 0, STDERR_FILENO },
	{ __NR_writev, AT_MOST, 0, STDERR_FILENO },
	{ __NR_ioctl, SAME, 1, TCGETS },
	{ __NR_ioctl, SAME, 1, TIOCGWINSZ },
	/* a thread, and no process */
	{ __NR_clone, ANY, 0, CLONE_THREAD },
	{ __NR_prlimit64, SAME, 2, 0 },
};

#define FIELD(m) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, m))
/* Goes on with the next instruction if the test holds, and leaves out `skip` if it does not. */
#define IF(op, k, skip) BPF_JUMP(BPF_JMP | (op) | BPF_K, (uint32_t)(k), 0, (skip))
#define UNLESS(op, k, skip) BPF_JUMP(BPF_JMP | (op) | BPF_K, (uint32_t)(k), (skip), 0)
#define ANSWER(k) BPF_STMT(BPF_RET | BPF_K, (uint32_t)(k))

/* A program of the kernel that is asked before each call. */
struct filter {
	struct sock_filter f[(LEN(calls) + LEN(absent)) * 2 + LEN(rows) * 6 + 8];
	unsigned short n;
};

static void
put(struct filter *x, struct sock_filter f)
{
	x->f[x->n++] = f;
}

/* Lets a call of the row through; any other goes on behind it. */
static void
put_row(struct filter *x, const struct row *r)
{
	/* the lower half of the argument, which comes first */
	const uint32_t at = (uint32_t)(offsetof(struct seccomp_data, args) + 8 * (size_t)r->arg);
	static const struct {
		uint16_t op;
		uint8_t met, unmet; /* what is left out */
	} tests[] = { [NONE] = { BPF_JSET, 1, 0 },
		[ANY] = { BPF_JSET, 0, 1 },
		[SAME] = { BPF_JEQ, 0, 1 },
		[AT_MOST] = { BPF_JGT, 1, 0 } };

	put(x, (struct sock_filter)FIELD(nr));
	put(x, (struct sock_filter)IF(BPF_JEQ, r->nr, 3));
	put(x, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, at));
	put(x,
	    (struct sock_filter)BPF_JUMP(BPF_JMP | tests[r->how].op | BPF_K, r->value,
		tests[r->how].met, tests[r->how].unmet));
	put(x, (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW));
}

bool
cmd_confine(void)
{
	static struct filter x;
	struct sock_fprog p = { .filter = x.f };

	put(&x, (struct sock_filter)FIELD(arch));
	put(&x, (struct sock_filter)UNLESS(BPF_JEQ, MACHINE, 1));
	put(&x, (struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EACCES));
	put(&x, (struct sock_filter)FIELD(nr));
	for (size_t i = 0; i < LEN(calls); i++) {
		put(&x, (struct sock_filter)IF(BPF_JEQ, calls[i], 1));
		put(&x, (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW));
	}
	for (size_t i = 0; i < LEN(absent); i++) {
		put(&x, (struct sock_filter)IF(BPF_JEQ, absent[i], 1));
		put(&x, (struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | ENOSYS));
	}
	for (size_t i = 0; i < LEN(rows); i++)
		put_row(&x, &rows[i]);
	put(&x, (struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EACCES));
	p.len = x.n;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &p) == 0;
}
#else
bool
cmd_confine(void)
{
	return false;
}
#endif
