load helper

@test "kinds" {
	prints $'0 0\n0 0' 'axt-make zeros x=2,y=2 -p'
	prints $'1\n1' 'axt-make ones x=2 -p'
	prints $'2.5\n2.5' 'axt-make full:2.5 x=2 -p'
	prints $'0\n1\n2' 'axt-make iota x=3 -p'
	prints $'5\n6\n7' 'axt-make iota:5 x=3 -p'
	prints $'0\n0.5\n1' 'axt-make iota:0:0.5 x=3 -p'
	prints $'0\n5\n10' 'axt-make iota --step 5 x=3 -p'
	prints $'0\n5\n10' "axt-calc 'iota(step=5, x=3)' -p"
	works 'axt-make random --high 1 --seed 3 x=5 | axt-equal - <(axt-make random:-1:1 --seed 3 x=5)'
	fails 2 'axt-make: --step is there already' 'axt-make iota:1:2 --step 5 x=3'
	prints $'1 0\n0 1' 'axt-make eye x=2,y=2 -p'
	prints $'1 1\n0 1' 'axt-make triu x=2,y=2 -p'
	prints $'1 0\n1 1' 'axt-make tril x=2,y=2 -p'
	prints 7 "axt-make full:7 '' -p"
}

@test "dtype: f32, iota i64, or told" {
	prints '      "dtype": "f32",' 'axt-make zeros x=2 | axt-info --json | grep dtype | head -n 1'
	prints '      "dtype": "i64",' 'axt-make iota x=2 | axt-info --json | grep dtype | head -n 1'
	prints '      "dtype": "u8",' 'axt-make iota x=2 --dtype u8 | axt-info --json | grep dtype | head -n 1'
}

@test "random: the same for a seed, in range, the fresh seed is recorded" {
	axt-make random x=1000 --seed 5 -o a.nc
	axt-make random x=1000 --seed 5 -t 1 -o b.nc
	axt-make random x=1000 --seed 6 -o c.nc
	axt-equal a.nc b.nc
	run ! axt-equal -q a.nc c.nc
	prints $'true' 'axt-map abs a.nc | axt-le - 1 | axt-reduce all -p'
	axt-make random x=10 -o d.nc
	[[ $(axt-attr d.nc) == *axt_seed* ]]
	works 'axt-make normal:10:0.001 x=100 --seed 1 | axt-reduce mean -p'
	[[ $output == 10* ]] || [[ $output == 9.99* ]]
}

@test "usage" {
	fails 2 'axt-make: operand KIND is missing' 'axt-make'
	fails 2 'axt-make: operand AXIS=LEN,... is missing' 'axt-make zeros'
	fails 2 'axt-make: unknown kind "zeroes"' 'axt-make zeroes x=1'
	hints 'axt-make zeros x=1'
	fails 2 'axt-make: unknown kind "arange"' 'axt-make arange x=1'
	hints 'axt-make iota x=1'
	fails 2 'axt-make: --seed takes *' 'axt-make random x=1 --seed -3'
	sh_run 'axt-make zeros x'
	[ "$status" -ne 0 ]
	sh_run 'axt-make full:x x=1'
	[ "$status" -ne 0 ]
	sh_run 'axt-make zeros x=2,x=3'
	[ "$status" -ne 0 ]
}

@test "--size and --layout: storage with room, and column-major" {
	axt-make iota x=2,y=3 --size y=8 --layout F -o f.h5
	prints $'0 1 2\n3 4 5' 'axt-print f.h5'
	py 'a = h5py.File("f.h5")["tensor"][()]; assert a.shape == (8, 2) and (a[:3] == [[0, 3], [1, 4], [2, 5]]).all() and not a[3:].any()'
	works 'axt-info f.h5'
	[[ $output == *$'  column-major, padded, allocated x=2 y=8\n  strides 1 2, offset 0\n'* ]]
	works "axt-info --json f.h5 | /usr/bin/python3 -c 'import json, sys
d = json.load(sys.stdin)[\"tensors\"][0]
assert d[\"rank\"] == 2 and d[\"axes\"] == [\"x\", \"y\"] and d[\"shape\"] == [2, 3] and d[\"size\"] == [2, 8]
assert d[\"strides\"] == [1, 2] and d[\"layout\"] == \"F\" and d[\"parts\"] == [None, None]'"
	works 'axt-make iota x=2,y=3 --size x=9 | axt-equal - f.h5'
	works 'axt-make iota x=2,y=3 --size x=9 | cat | axt-equal - f.h5'
	works 'axt-add f.h5 0 -o g.h5; axt-attr g.h5'
	[[ $output != *axt_* ]]
	prints 0 'axt-make iota x=0,y=3 --size x=2 -o e.h5; axt-reduce count -p e.h5'
}

@test "--size and --layout: usage, and attributes that do not fit" {
	fails 1 'axt-make: axis "y" has 3 elements, more than the 2 to be allocated' 'axt-make iota x=2,y=3 --size y=2 -o f.h5'
	fails 1 'axt-make: no axis "z" in the result (*' 'axt-make iota x=2,y=3 --size z=2 -o f.h5'
	fails 2 'axt-make: axis "y" needs a length: y=LEN' 'axt-make iota x=2,y=3 --size y -o f.h5'
	fails 2 'axt-make: --layout takes C|F, not "R"' 'axt-make iota x=2,y=3 --layout R -o f.h5'
	[ ! -e f.h5 ]
	make_a
	for bad in axt_shape:=9,9 axt_shape:=1 axt_shape:=-1,1 axt_shape:=1.5,2 axt_shape=x axt_layout=R axt_layout:=1; do
		cp a.nc b.nc
		axt-attr "$bad" b.nc
		fails 1 'axt-print: b.nc:tensor: attribute axt_* does not fit the dataset' 'axt-print b.nc'
	done
}

@test "the dtype of a number" {
	prints $'tensor i64 x=1\ntensor f32 x=1\ntensor f32 x=1\ntensor u8 x=1' \
		'for k in full:1 full:0.5 ones "full:1 --dtype u8"; do axt-make $k x=1 | axt-info | grep ^tensor; done'
}

@test "numbers by their names, of which the first may be left out" {
	prints $'0\n10\n20' 'axt-make iota --step 10 x=3 -p'
	prints $'5\n15' "axt-calc 'iota(start=5, step=10, x=2)' -p"
	works "axt-make random --high 6 --seed 1 x=9 | axt-equal - <(axt-make random:-1:6 --seed 1 x=9)"
	works "axt-calc 'normal(scale=2, seed=1, x=9)' | axt-equal - <(axt-make normal:0:2 --seed 1 x=9)"
}

@test "lengths as numbers are written, and constants of any size through pipes" {
	prints '7' 'axt-make full:7 i=1e9,j=1e9 | axt-slice i=5 j=7 -p'
	prints '5000000007' 'axt-make iota i=1e8,j=1e9 | axt-slice i=5 j=7 -p'
	prints '7' 'axt-calc "full(7, i=3, j=2)[i=0,j=0]" -p'
	fails 2 'axt-make: axis "i": "1.5e0" is no length*' 'axt-make ones i=1.5e0 -o o.nc'
	fails 2 'axt-make: axis "i": "1e30" is no length*' 'axt-make ones i=1e30 -o o.nc'
}

@test "the suffix of the output is its format, as of every command" {
	for s in npy safetensors cdf zarr h5; do
		works "axt-make iota x=3 -o a.$s"
	done
	[ "$(head -c 6 a.npy)" = $'\x93NUMPY' ]
	[ "$(head -c 3 a.cdf)" = CDF ]
	[ -d a.zarr ]
	prints '0 1 2' 'axt-from a.safetensors -p | xargs'
	prints '0 1 2' 'axt-make iota x=3 --layout C -o a.csv; axt-from a.csv:tensor -p | xargs'
	fails 1 'axt-make: a store of Zarr *' 'axt-make iota x=3,y=2 --layout F -o b.zarr'
}

@test "iota that an integer dtype does not hold is an error, and no wrapping around" {
	prints 127 'axt-make iota x=128 --dtype i8 -p | tail -n 1'
	fails 1 'axt-make: the numbers of iota, 0 to 129, do not fit i8' 'axt-make iota x=130 --dtype i8 -p'
	hints 'dtype i16 holds them: axt-make --dtype i16, dtype=i16 in axt-calc'
	fails 1 'axt-make: the numbers of iota, 0 to 299, do not fit u8' 'axt-make iota x=3,y=100 --dtype u8 -p'
	fails 1 'axt-make: the numbers of iota, -1 to 1, do not fit u8' 'axt-make iota:-1 x=3 --dtype u8 -p'
	prints 0 'axt-make iota:5:-1 x=6 --dtype u8 -p | tail -n 1'
	prints 127 'axt-make iota:0:0.5 x=256 --dtype i8 -p | tail -n 1'
	fails 1 'axt-calc: the numbers of iota, 0 to 299, do not fit u8 *' "axt-calc 'iota(x=300, dtype=u8)' -p"
}
