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

@test "floats go through BLAS, --accumulate and --dtype" {
	axt-make iota i=40,k=50 --dtype f32 -o a.nc
	axt-make ones k=50,j=30 --dtype f32 -o b.nc
	prints '      "shape": [40, 30],' 'axt-dot a.nc b.nc | axt-info --json | grep shape'
	prints 59970000 'axt-dot a.nc b.nc --accumulate f64 --dtype f64 | axt-reduce sum -p'
}

@test "usage" {
	fails 2 'axt-dot: operand B is missing' 'axt-dot a.nc'
	hints 'axt-dot - a.nc  or  axt-dot a.nc -'
}
