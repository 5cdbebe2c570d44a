load helper

@test "names by position" {
	make_a
	prints '      "axes": ["y", "x"],' 'axt-cast --to y,x a.nc | axt-info --json | grep axes'
	prints '      "axes": ["lon", "lat"],' 'axt-cast --to lon,lat a.nc | axt-info --json | grep axes'
	prints '      "axes": ["y", "x"],' 'axt-cast --to y=2,x=3 a.nc | axt-info --json | grep axes'
	fails 1 'axt-cast: *' 'axt-cast --to y a.nc -p'
	fails 1 'axt-cast: *' 'axt-cast --to y=3,x=2 a.nc -p'
}

@test "anonymous axes get names" {
	py 'h5py.File("n.h5", "w")["t"] = np.arange(4).reshape(2, 2)'
	prints '      "axes": ["r", "c"],' 'axt-cast --to r,c n.h5 | axt-info --json | grep axes'
}

@test "a dataset whose scales repeat a name: only cast --to takes it" {
	py '
f = h5py.File("mm.h5", "w"); f["m"] = np.arange(2.); f["m"].make_scale("m"); f["t"] = np.arange(4).reshape(2, 2)
for i in range(2): f["t"].dims[i].attach_scale(f["m"])'
	fails 1 'axt-print: *' 'axt-print mm.h5:t'
	prints $'0 1\n2 3' 'axt-cast --to a,b mm.h5:t -p'
}

@test "dtype, and what does not fit" {
	prints 2 'axt-cast --dtype i32 2.9 -p'
	prints -2 'axt-cast --dtype i32 -2.9 -p'
	fails 1 'axt-cast: *' 'axt-cast --dtype u8 300 -p'
	fails 1 'axt-cast: *' 'axt-cast --dtype i32 nan -p'
	prints 255 'axt-cast --dtype u8 --overflow saturate 300 -p'
	prints 44 'axt-cast --dtype u8 --overflow wrap 300 -p'
	fails 2 'axt-cast: --overflow takes error|saturate|wrap, not "clamp"' 'axt-cast --dtype u8 --overflow clamp 300'
}

@test "every dtype and back" {
	axt-make iota x=3 -o a.nc
	for d in i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128; do
		works "axt-cast --dtype $d a.nc | axt-equal a.nc"
	done
}
