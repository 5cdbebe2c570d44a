/*
 * guard.c - a handler of SIGBUS, which the kernel sends if a mapped file was shortened by another
 * program. The handler maps zeros over the lost page and marks the run, which then fails with
 * "changed while being read". Commands install the handler; other programs never map files (see
 * stored.c).
 */
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "source/source.h"

static atomic_bool installed, hit;

static void
on_sigbus(int sig, siginfo_t *info, void *context)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	void *at = (void *)((uintptr_t)info->si_addr & ~(page - 1));

	(void)context;
	if (info->si_code != BUS_ADRERR ||
	    mmap(at, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		MAP_FAILED) {
		signal(sig, SIG_DFL);
		raise(sig);
		return;
	}
	atomic_store(&hit, true);
}

void
axt_guard_mapped_files(void)
{
	struct sigaction sa = { .sa_sigaction = on_sigbus, .sa_flags = SA_SIGINFO };

	sigemptyset(&sa.sa_mask);
	if (sigaction(SIGBUS, &sa, NULL) == 0)
		atomic_store(&installed, true);
}

bool
axt_guarded(void)
{
	return atomic_load(&installed);
}

bool
axt_guard_hit(void)
{
	return atomic_load(&hit);
}
