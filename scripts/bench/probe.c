/*
 * probe.c - prints how much two bound threads do together of what one does alone: 2 when both CPUs
 * are really there.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static double
spin(double seconds)
{
	double end = now() + seconds, n = 0;
	volatile long x = 0;

	for (; now() < end; n++)
		for (int i = 0; i < 20000; i++)
			x += i;
	return n;
}

static void
bind_to(int cpu)
{
	cpu_set_t m;

	CPU_ZERO(&m);
	CPU_SET(cpu, &m);
	sched_setaffinity(0, sizeof(m), &m);
}

static void *
second(void *result)
{
	bind_to(1);
	*(double *)result = spin(0.03);
	return NULL;
}

int
main(void)
{
	pthread_t t;
	double one, here, there = 0;

	bind_to(0);
	spin(0.005);
	one = spin(0.03);
	pthread_create(&t, NULL, second, &there);
	here = spin(0.03);
	pthread_join(t, NULL);
	printf("%.2f\n", (here + there) / one);
	return 0;
}
