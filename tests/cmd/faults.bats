#!/usr/bin/env bats
# Careless words, odd files, and memory that runs out.

load helper

@test "integers as typed that fit no integer" {
	make_a
	fails 1 'axt-add: 1.8*e+19 does not fit i64*' 'axt-add a.nc 18446744073709551616 -p'
	fails 1 'axt-add: -9.2*e+18 does not fit i64*' 'axt-add a.nc -9223372036854775809 -p'
	prints '1e+20' 'axt-make iota x=1 | axt-add - 1e20 -p'
}

@test "an empty operation is none" {
	make_a
	fails 2 'axt-reduce: unknown operation ""' 'axt-reduce sum, a.nc -p'
	fails 2 'axt-reduce: unknown operation ""' 'axt-reduce sum,,mean a.nc -p'
}

@test "a scale factor of NaN" {
	make_a
	works 'axt-attr scale_factor:=nan a.nc'
	prints nan 'axt-reduce sum a.nc -p'
}

@test "elements at an odd byte of a file" {
	py '
import struct
f = h5py.File("o.h5", "w")
f.create_dataset("pad", data=np.arange(3, dtype="i1"))
f.create_dataset("v", data=np.arange(5000.).reshape(50, 100))
at = f["v"].id.get_offset()
f.close()
b = open("o.h5", "rb").read()
open("u.h5", "wb").write(b[:at] + bytes(5) + b[at:])
b = bytearray(open("u.h5", "rb").read())
i = b.index(struct.pack("<QQ", at, 40000))
b[i:i + 8] = struct.pack("<Q", at + 5)
b[40:48] = struct.pack("<Q", len(b))
open("u.h5", "wb").write(b)
'
	works 'axt-equal o.h5:v u.h5:v'
	works 'axt-equal <(axt-order dim_1,dim_0 u.h5:v) <(axt-order dim_1,dim_0 o.h5:v)'
	prints 12497500 'axt-reduce sum u.h5:v -p'
}

# A row for each slab: states of one slab are not those of the next.
@test "rows of large chunks, one by one" {
	py '
f = h5py.File("k.h5", "w")
f.create_dataset("v", data=np.arange(3e6).reshape(3, -1), chunks=(1, 1000000))
f.create_dataset("z", data=np.ones(2500000, "c8"), chunks=(250000,))
'
	for t in 1 2 3 4; do
		prints $'499999500000\n1499999500000\n2499999500000' "axt-reduce sum --to dim_0 k.h5:v -t $t -p"
		prints '2500000+0j' "axt-reduce sum k.h5:z -t $t -p"
	done
}

# One allocation fails, each in its turn: an error, or the right result; libhdf5's own crashes are its own.
@test "memory that runs out never changes a result" {
	[ -z "${AXT_SANITIZER-}" ] || skip "has an allocator of its own"
	cat >m.c <<'END'
#include <errno.h>
#include <stdlib.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static long at, n;
static int bad(void)
{
	if (!n)
		n = atol(getenv("FAIL_AT"));
	errno = ENOMEM;
	return ++at == n;
}
void *malloc(size_t s) { return bad() ? NULL : __libc_malloc(s); }
void *calloc(size_t a, size_t b) { return bad() ? NULL : __libc_calloc(a, b); }
void *realloc(void *p, size_t s) { return bad() ? NULL : __libc_realloc(p, s); }
END
	${CC:-cc} -shared -fPIC -o m.so m.c || skip "no compiler"
	py '
f = h5py.File("c.h5", "w")
f.create_dataset("v", data=np.arange(6.).reshape(2, 3), chunks=(1, 3))
f["v"].attrs["_FillValue"] = 1.
'
	for ((k = 2200; k < 2700; k += 1)); do
		out=$( (FAIL_AT=$k LD_PRELOAD=./m.so axt-reduce sum -p c.h5) 2>/dev/null) || continue
		[ "$out" = 14 ] || { echo "allocation $k: $out"; false; }
	done
}
