load helper

# A C compiler plays the device: what a GPU computes is for machines that have one.
played() {
	export AXT_CUDA_HOST=cc XDG_CACHE_HOME=$BATS_TEST_TMPDIR/cache
	axt-make random time=30,lat=40,lon=50 --seed 1 -o a.nc
	axt-make random lon=50,lat=40 --seed 2 -o b.nc
}

@test "the same results on a device" {
	played
	works 'axt-sub a.nc b.nc -o c.nc && axt-sub a.nc b.nc --device cuda -o d.nc && axt-equal c.nc d.nc'
	works 'AXT_DEVICE=cuda axt-reduce mean,max --over time a.nc -o d.nc'
	works 'axt-reduce mean,max --over time a.nc -o c.nc && axt-equal c.nc d.nc --rtol 1e-6'
	works 'axt-order lon,lat,time a.nc --device cuda | axt-order time,lat,lon | axt-equal a.nc'
}

@test "pipelines: one plan when all stages have one device" {
	played
	works 'axt-sub a.nc b.nc --device cuda | axt-map square --device cuda | axt-reduce sum -p --device cuda --explain >e'
	grep -q 'on the device' e
	prints "$(axt-sub a.nc b.nc | axt-map square | axt-reduce sum -p)" 'AXT_DEVICE=cuda; export AXT_DEVICE; axt-sub a.nc b.nc | axt-map square | axt-reduce sum -p'
	works 'axt-sub a.nc b.nc | axt-map square --device cuda | axt-reduce sum -p'
}

@test "what it cannot do is the CPU's, and is told" {
	played
	works 'axt-sort --along time a.nc --device cuda -o d.nc && axt-sort --along time a.nc -o c.nc && axt-equal c.nc d.nc'
	works 'axt-sort --along time a.nc --device cuda --explain | grep "on the CPU: sort"'
	works 'axt-map sqrt a.nc --device auto --explain | grep "device cpu: about [0-9.e-]* s of arithmetic on the CPU"'
}

@test "errors are those of the CPU" {
	played
	works 'axt-make iota time=3 -o i.nc && axt-make zeros time=3 --dtype i64 -o z.nc'
	fails 1 'axt-floordiv: integer division by zero in floordiv at time=0' 'axt-floordiv i.nc z.nc --device cuda -o o.nc'
	[ ! -e o.nc ]
	fails 2 'axt-map: *"gpu"*' 'axt-map sqrt a.nc --device gpu -p'
}

@test "little device memory: smaller tiles" {
	played
	works 'AXT_DEVICE_MEMORY=1M axt-sub a.nc b.nc --device cuda -o d.nc && axt-sub a.nc b.nc -o c.nc && axt-equal c.nc d.nc'
}

@test "memory that is not there: smaller tiles, then an error or the CPU" {
	played
	works 'axt-make random x=1500,y=1000 --dtype f32 -o x.nc && axt-map sqrt x.nc -o c.nc'
	works 'AXT_CUDA_HOST_MEMORY=3M axt-map sqrt x.nc --device cuda -o d.nc && axt-equal c.nc d.nc'
	fails 1 'axt-map: device cuda: out of memory for tiles of *' 'AXT_CUDA_HOST_MEMORY=10K axt-map sqrt x.nc --device cuda -o o.nc'
	[ ! -e o.nc ]
}

@test "products of matrices: halves as they are, TF32 where it is asked for" {
	played
	works 'axt-make random i=20,k=30 --dtype bf16 -o x.nc && axt-make random k=30,j=10 --dtype bf16 --seed 2 -o y.nc'
	works 'axt-dot x.nc y.nc -o c.nc && axt-dot x.nc y.nc --device cuda -o d.nc && axt-equal c.nc d.nc --rtol 1e-2'
	works 'axt-cast --dtype f32 x.nc -o x4.nc && axt-cast --dtype f32 y.nc -o y4.nc'
	works 'axt-dot x4.nc y4.nc --accumulate tf32 --device cuda | axt-map tanh --device cuda --explain >e'
	grep -q 'by cuBLAS in TF32' e
	grep -q 'stays on the device' e
	prints "$(axt-dot x4.nc y4.nc -p)" 'axt-dot x4.nc y4.nc --accumulate tf32 -p'
	fails 2 'axt-dot: --accumulate: unknown dtype "tf3"' 'axt-dot x4.nc y4.nc --accumulate tf3'
}

@test "no driver: a clear error, and nothing is written" {
	played
	unset AXT_CUDA_HOST
	axt-map sqrt a.nc --device cuda -p >/dev/null 2>&1 && skip 'there is a device'
	fails 1 'axt-map: device cuda: *' 'axt-map sqrt a.nc --device cuda -o o.nc'
	[ ! -e o.nc ]
	works 'axt-map sqrt a.nc --device auto -o o.nc'
}

@test "no library of CUDA is touched unless asked for" {
	played
	unset AXT_CUDA_HOST
	works 'LD_DEBUG=files axt-map sqrt a.nc -o o.nc 2>log'
	lacks 'libcuda\|nvrtc\|cublas' log
	works 'LD_DEBUG=files axt-map sqrt a.nc --device auto -o o.nc 2>log'
	lacks 'libcuda\|nvrtc\|cublas' log
	grep -q libc.so log
}
