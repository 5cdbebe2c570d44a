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

@test "--pack: integers, scale_factor, add_offset and _FillValue, as CF tells" {
	py '
f = h5py.File("f.nc", "w")
f["t"] = np.array([[1, 2.5, np.nan], [-3, 0, 7]], "f4")
for n, v in (("y", [0, 1]), ("x", [0, 1, 2])):
    f[n] = np.array(v, "f8"); f[n].make_scale(n)
f["t"].dims[0].attach_scale(f["y"]); f["t"].dims[1].attach_scale(f["x"])
'
	works 'axt-cast --pack i16 f.nc -o p.nc'
	py '
import xarray as xr
a, b = xr.open_dataset("f.nc").t, xr.open_dataset("p.nc").t
raw = h5py.File("p.nc")["t"]
assert raw.dtype == "i2" and raw.attrs["_FillValue"] == -32768 and raw[0, 2] == -32768
assert raw[1, 0] == -32767 and raw[1, 2] == 32767 and b.dtype == "f4"
assert np.array_equal(np.isnan(a), np.isnan(b)) and abs(a - b).max() < 1e-4
'
	prints $'2 5 255\n-6 0 14' 'axt-cast --pack i16:0.5:0 f.nc | axt-cast --raw --dtype i64 -p | sed s/-32768/255/'
	prints $'6 9 255\n0 4 18' 'axt-cast --pack u8:0.5:-2 --overflow saturate f.nc | axt-print --raw'
	fails 1 'axt-cast: *does not fit i8*' 'axt-cast --pack i8:0.01:0 f.nc -o x.nc'
	fails 2 'axt-cast: packed values are i8*not "f32"' 'axt-cast --pack f32 f.nc -o x.nc'
	fails 1 'axt-cast: packed values do not wrap around' 'axt-cast --pack i16 --overflow wrap f.nc -o x.nc'
	[ ! -e x.nc ]
}

@test "--like: the dtype of another tensor, packed as it is" {
	axt-make iota:270 x=3 --dtype f64 -o a.nc
	axt-cast --pack i16:0.01:273 --fill -5 a.nc -o p.nc
	axt-make iota:271 y=2 --dtype f64 | axt-cast --like p.nc -o y.nc
	prints '-200
-100' 'axt-print --raw y.nc'
	prints '271
272' 'axt-print y.nc'
	prints 'f32' "axt-make iota y=2 | axt-cast --like a.nc | axt-cast --dtype f32 | axt-info --json | grep -o '\"f32\"' | head -n 1 | tr -d '\"'"
	fails 1 'axt-cast: 99999972700 does not fit i16 at y=0 *' 'axt-make iota:1e9 y=2 --dtype f64 | axt-cast --like p.nc -o z.nc'
	fails 2 'axt-cast: --like and --dtype exclude each other' 'axt-cast --like p.nc --dtype f32 a.nc'
	fails 1 'axt-cast: p.nc:tensor is packed *' 'axt-cast --like p.nc --overflow saturate a.nc'
}

@test "missing values as integers need packing" {
	axt-calc 'where(iota(x=3) > 0, 0.5, nan)' --name t -o n.nc
	fails 1 'axt-cast: nan does not fit i16 *' 'axt-cast --dtype i16 n.nc -o p.nc'
	[ "${#stderr_lines[@]}" -eq 1 ]
	works 'axt-cast --pack i16 -o p.nc n.nc'
}

# notes TEXT PIPELINE: status 0, and this on standard error.
notes()
{
	sh_run "$2"
	[ "$status" -eq 0 ]
	[ "${stderr-}" = "$1" ]
}

@test "whole files: floats are cast and packed, integers stay, unless they are named or --all" {
	py '
f = h5py.File("m.h5", "w")
f["g/w"] = np.arange(6, dtype="f4").reshape(2, 3); f["steps"] = np.int64(7); f["mask"] = np.array([True, False])
f["count"] = np.array([3, -1], "i4"); f["count"].attrs["_FillValue"] = np.int32(-1)
f["t"] = np.array([1, 2], "i2"); f["t"].attrs["scale_factor"] = 0.5'
	note="note: 3 of the tensors are integers and stay as before: axt-cast --all takes them too"
	brief='sed "s/ dim.*//" | sort | tr "\n" " "'
	notes "axt-cast: $note" "axt-cast --dtype f16 'm.h5:*' -o a.h5"
	prints '/g/w f16 count i32 mask bool steps i64 t f16 ' "axt-info --brief a.h5 | $brief"
	notes "axt-copy: $note" "axt-copy --dtype f16 m.h5 -o b.h5"
	prints '/g/w f16 count i32 mask bool steps i64 t f16 ' "axt-info --brief b.h5 | $brief"
	notes "axt-cast: $note" "axt-cast --pack i8 'm.h5:*' -o p.h5"
	prints '/g/w i8 count i32 mask bool steps i64 t i8 ' "axt-info --brief p.h5 | $brief"
	works "axt-cast -q --dtype f16 'm.h5:*' -o q.h5"
	works "axt-cast --all --dtype f16 'm.h5:*' -o c.h5"
	prints '/g/w f16 count f16 mask f16 steps f16 t f16 ' "axt-info --brief c.h5 | $brief"
	# a name is cast, and so are integers where there is nothing else
	notes 'axt-cast: note: 1 of the tensors is of integers and stays as before: axt-cast --all takes them too' \
		"axt-cast --dtype f32 'm.h5:steps,/g/*,m*' -o d.h5"
	prints '/g/w f32 mask bool steps f32 ' "axt-info --brief d.h5 | $brief"
	works "axt-cast --dtype f32 'm.h5:[sm]*' -o e.h5"
	prints 'mask f32 steps f32 ' "axt-info --brief e.h5 | $brief"
	works "axt-copy --dtype f32 m.h5:mask -o f.h5"
	prints 'mask f32 ' "axt-info --brief f.h5 | $brief"
	# other dtypes are for all
	works "axt-cast --dtype i64 'm.h5:[smg]*' -o g.h5"
	prints '/g/w i64 mask i64 steps i64 ' "axt-info --brief g.h5 | $brief"
}

@test "cast: a tensor that has an axis twice: the hint names the axes" {
	printf 'netcdf c { dimensions: x = 2; variables: float c(x, x); data: c = 1, 2, 3, 4; }' >c.cdl
	ncgen -o c.nc c.cdl
	fails 1 'axt-reduce: c.nc:c has an axis twice: x, x (2, 2)' 'axt-reduce sum c.nc:c'
	hints 'axt-cast --to x,x_2 c.nc:c names its axes by position'
	prints '3 7' "axt-cast --to x,x_2 c.nc:c | axt-reduce sum --over x_2 | axt-print | tr '\n' ' ' | sed 's/ \$//'"
}

@test "-p prints packed results as axt-print does; --raw prints what is stored" {
	axt-make full:3 x=2 -o f.nc
	prints $'3\n3' 'axt-cast --pack i8:0.5:0 f.nc -p'
	axt-calc 'where(i > 0, i*1.0, nan)' i=<(axt-make iota x=3) -o n.nc
	prints $'nan\n1\n2' 'axt-cast --pack i16 n.nc -p'
	axt-cast --pack i8:0.5:0 n.nc -o p.nc
	prints $'nan\n1\n2' 'axt-cast --like p.nc n.nc -p'
	prints $'-128\n2\n4' 'axt-copy --raw p.nc -p'
	axt-make full:nan x=3 -o m.nc --dtype f64
	prints nan 'axt-reduce argmax --skip-nan m.nc -p'
}
