load helper

@test "by name: matrix and vector, any order" {
	make_a
	axt-make ones lon=3 --dtype i64 -o v.nc
	prints $'3\n12' 'axt-dot a.nc v.nc -p'
	prints $'3\n12' 'axt-dot v.nc a.nc -p'
	prints $'3\n12' 'axt-order lon,lat a.nc | axt-dot - v.nc -p'
	prints 55 'axt-dot a.nc a.nc -p'
}

@test "stars: M* pairs with M" {
	axt-make iota M=2,K=2 -o a.nc
	axt-transpose a.nc -o t.nc
	prints $'1 3\n3 13' "axt-rename 'K=M^' a.nc | axt-dot - a.nc --strict -p" || true
	prints 14 'axt-dot --plain a.nc a.nc -p'
	fails 1 'axt-dot: *' 'axt-dot --strict a.nc a.nc -p'
	fails 2 'axt-dot: --strict and --plain exclude each other' 'axt-dot --strict --plain a.nc a.nc'
}

@test "--over and --keep" {
	make_a
	prints $'5\n50' 'axt-dot --keep lat a.nc a.nc -p'
	prints 55 'axt-dot --over lat,lon a.nc a.nc -p'
	fails 1 'axt-dot: axis "lat"*' 'axt-dot --over lon a.nc a.nc -p'
}

@test "--accumulate and --dtype" {
	axt-make iota i=40,k=50 --dtype f32 -o a.nc
	axt-make ones k=50,j=30 --dtype f32 -o b.nc
	prints '      "shape": [40, 30],' 'axt-dot a.nc b.nc | axt-info --json | grep shape'
	prints 59970000 'axt-dot a.nc b.nc --accumulate f64 --dtype f64 | axt-reduce sum -p'
}

@test "bool is or-of-and, integers are exact in 64 bits and wrap" {
	axt-make ones i=3,k=400 --dtype bool -o a.nc
	axt-make zeros k=400,j=2 --dtype bool -o b.nc
	prints $'false false\nfalse false\nfalse false' 'axt-dot a.nc b.nc -p'
	prints bool 'axt-dot a.nc b.nc | axt-info --json | jq -r ".tensors[0].dtype"'
	prints $'true true true\ntrue true true\ntrue true true' 'axt-dot a.nc <(axt-rename i=l a.nc) -p'
	axt-make full:9007199254740993 i=2,k=2 --dtype i64 -o c.nc
	prints $'36028797018963972 36028797018963972\n36028797018963972 36028797018963972' \
	    'axt-dot c.nc <(axt-eq c.nc 9007199254740993 | axt-cast --dtype i64 | axt-add - 1 | axt-rename i=j) -p'
}

@test "several operands, two at a time in the cheapest order" {
	axt-make ones i=1000,k=2 -o a.nc
	axt-make ones k=2,j=1000 -o b.nc
	axt-make ones j=1000,l=2 -o c.nc
	prints 4000000 'axt-dot a.nc b.nc c.nc | axt-reduce sum -p'
	prints '  dot 2 x 2 over 1000 in f32: 8000 flops, blocks of 2 x 2 over 500' \
	    'axt-dot a.nc b.nc c.nc --explain | grep dot.2'
	prints $'6\n6' 'axt-dot --keep n <(axt-make ones n=2,a=3) <(axt-make ones a=3,b=2,n=2) <(axt-make ones b=2) -p'
	fails 1 'axt-dot: no two operands have the axis "q"*' 'axt-dot --keep q a.nc b.nc c.nc -p'
}

@test "a plan says what a product costs; a vector makes it a sum" {
	axt-make ones i=30,k=40 -o a.nc
	axt-make ones k=40,j=50 -o b.nc
	axt-make ones k=40 -o v.nc
	prints '  dot 30 x 50 over 40 in f32: 1.2e+05 flops, blocks of 30 x 50 over 40' \
	    'axt-dot a.nc b.nc --explain | grep dot.30'
	prints '  reduces: sum of 40 elements each, side by side' 'axt-dot a.nc v.nc --explain | grep reduces'
	prints '  fused: mul' 'axt-dot v.nc <(axt-rename k=m v.nc) --explain | grep fused'
}

@test "errors name what is wrong, and how much memory would do" {
	axt-make ones i=300,k=400 -o a.nc
	axt-make ones k=400,j=500 -o b.nc
	axt-make ones k=399,j=500 -o c.nc
	fails 1 'axt-dot: axis "k" has length 400 in a.nc:tensor and 399 in c.nc:tensor' 'axt-dot a.nc c.nc -p'
	fails 1 'axt-dot: no axis "q" in a.nc:tensor (i, k)' 'axt-dot --over q a.nc b.nc -p'
	fails 1 'axt-dot: the plan needs * MiB of scratch memory, the bound is 1 MiB' 'axt-dot -m 1M a.nc b.nc -p'
	hints 'raise it with --memory [0-9]*M'
	[ ! -e no.nc ]
}

@test "usage" {
	fails 2 'axt-dot: operand B is missing' 'axt-dot a.nc'
	hints 'axt-dot A B ...; axt-dot -h tells how'
}

@test "large products are handed to a library of BLAS where it is asked for" {
	axt-make normal i=100,k=90 --seed 1 --dtype f64 -o a.nc
	axt-make normal k=90,j=80 --seed 2 --dtype f64 -o b.nc
	works 'axt-dot a.nc b.nc -o own.nc --no-history; axt-dot a.nc b.nc --blas openblas | axt-equal - own.nc --atol 1e-12'
	works 'axt-dot a.nc b.nc --blas openblas --explain | grep "by BLAS openblas"; ! axt-dot a.nc b.nc --explain | grep BLAS'
	works 'AXT_BLAS=openblas axt-calc "dot(a, b)*2" a=a.nc b=b.nc --explain | grep "by BLAS openblas"'
	works '! AXT_BLAS=openblas axt-dot a.nc b.nc --blas axt --explain | grep BLAS'
	works '! axt-slice i=:63 a.nc | axt-dot - b.nc --blas openblas --explain | grep BLAS'
	works 'axt-dot a.nc b.nc --blas openblas -o o.nc && axt-dot a.nc b.nc --blas axt -o o.nc --no-history && cmp o.nc own.nc'
}

@test "a product with its own transpose has the bits of any other product" {
	for n in 150 2100; do
		axt-make normal i=$n,k=300,b=2 --seed 3 --dtype f64 -o a.nc
		for d in f32 f64 i32; do
			axt-calc "cast(a * 9, $d)" a=a.nc -o x.nc
			keep=,keep=b
			if [ $n != 150 ]; then
				keep=
				axt-slice b=0 k=:50 x.nc -o x.nc
			fi
			cp x.nc y.nc
			for t in 1 2; do
				works "axt-calc 'dot(x, rename(x, i=j)$keep)' x=x.nc --threads $t -o s.nc"
				works "axt-calc 'dot(x, rename(y, i=j)$keep)' x=x.nc y=y.nc --threads $t -o f.nc"
				works 'axt-equal s.nc f.nc'
			done
		done
	done
	works 'axt-calc "dot(x, rename(x, i=j))" x=x.nc --explain | grep "dot.*, symmetric"'
	works '! axt-calc "dot(x, rename(y, i=j))" x=x.nc y=y.nc --explain | grep symmetric'
	works '! axt-calc "dot(x, flip(rename(x, i=j), j))" x=x.nc --explain | grep symmetric'
	axt-slice i=:50 x.nc -o s.nc
	works '! axt-calc "dot(x, rename(x, i=k, k=j))" x=s.nc --explain | grep symmetric'
	axt-cast --dtype c64 x.nc -o z.nc
	works '! axt-calc "dot(x, rename(x, i=j))" x=z.nc --explain | grep symmetric'
}

@test "no library of BLAS is loaded where none is asked for" {
	axt-make ones i=100,k=90 -o a.nc
	axt-make ones k=90,j=80 -o b.nc
	[ -z "${AXT_SANITIZER-}" ] || skip "looks for leaks, which strace does not let it do"
	works '! strace -f -e trace=openat axt-dot a.nc b.nc -o o.nc 2>&1 | grep -E "lib(openblas|blis|mkl)"'
	works '! strace -f -e trace=openat axt-add a.nc 1 --blas openblas -o o.nc 2>&1 | grep -E "lib(openblas|blis|mkl)"'
	works 'strace -f -e trace=openat axt-dot a.nc b.nc --blas openblas -o o.nc 2>&1 | grep libopenblas'
}

@test "a library of BLAS that is not there is an error" {
	axt-make ones i=100,k=90 -o a.nc
	axt-make ones k=90,j=80 -o b.nc
	fails 1 'axt-dot: BLAS cannot be loaded: ./no.so: *' 'axt-dot a.nc b.nc --blas ./no.so -o o.nc'
	fails 2 'axt-dot: --blas takes axt, openblas, mkl, blis or a path*, not "atlas"' 'axt-dot a.nc b.nc --blas atlas -o o.nc'
	fails 2 'axt-dot: --blas takes axt,*' 'AXT_BLAS=atlas axt-dot a.nc b.nc -o o.nc'
	[ ! -e o.nc ]
	[ "${AXT_SANITIZER-}" != qemu ] || skip "ldd does not look into it"
	fails 1 'axt-dot: BLAS *libc.so.6 has no function sgemm_' 'axt-dot a.nc b.nc --blas "$(ldd "$(command -v axt-dot)" | grep -o "/[^ ]*libc.so.6")" -o o.nc'
	[ ! -e o.nc ]
}

@test "a plan is taken only where both ends of a pipe multiply by the same library" {
	axt-make ones i=100,k=90 -o a.nc
	axt-make ones k=90,j=80 -o b.nc
	export AXT_FUSE=1
	works 'axt-dot a.nc b.nc --blas openblas | axt-map sqrt --blas openblas --explain | grep "by BLAS openblas"'
	works '! axt-dot a.nc b.nc --blas openblas | axt-map sqrt --explain | grep "dot 100"'
	works 'axt-dot a.nc b.nc --blas openblas | axt-reduce max -p | grep -x 90'
}

@test "a product of tensors without names of axes that NumPy would pair otherwise is told" {
	py "
f = h5py.File('lin.h5', 'w')
f['x'], f['w'], f['k'], f['b'] = np.arange(9.).reshape(3, 3), np.ones((3, 3)), np.ones((3, 2)), np.arange(3.)
f['d'] = np.arange(12.).reshape(4, 3)"
	sh_run 'axt-dot lin.h5:x lin.h5:w -p'
	[ "$status" -eq 0 ] && [ "$output" = 36 ]
	[[ $stderr == 'axt-dot: warning: dot sums over all axes that both have: lin.h5:x (dim_0, dim_1 (3, 3)), lin.h5:w'*'axt-rename dim_0=dim_1,dim_1=dim_2 lin.h5:w, or'* ]]
	prints $'3 3 3\n12 12 12\n21 21 21' 'axt-rename dim_0=dim_1,dim_1=dim_2 lin.h5:w | axt-dot lin.h5:x - -p'
	prints 36 'axt-dot --over dim_0,dim_1 lin.h5:x lin.h5:w -p'
	fails 1 'axt-dot: axis "dim_1" has length 3 in lin.h5:x and 2 in lin.h5:k' 'axt-dot lin.h5:x lin.h5:k -p'
	hints 'for the product of matrices: axt-rename dim_0=dim_1,dim_1=dim_2 lin.h5:k, or *'
	fails 1 'axt-dot: axis "dim_0" has length 3 in lin.h5:k and 4 in lin.h5:d' 'axt-dot lin.h5:k lin.h5:d -p'
	hints 'for the product of matrices in the other order: axt-rename dim_0=dim_1,dim_1=dim_2 lin.h5:k | axt-dot lin.h5:d -, or *'
	prints $'3 3\n12 12\n21 21\n30 30' 'axt-rename dim_0=dim_1,dim_1=dim_2 lin.h5:k | axt-dot lin.h5:d - -p'
	prints $'3 3\n12 12\n21 21' "axt-calc 'dot(x, rename(k, dim_0=dim_1,dim_1=dim_2))' lin.h5 -p"
	prints $'15\n18\n21' 'axt-dot lin.h5:b lin.h5:x -p'
}
