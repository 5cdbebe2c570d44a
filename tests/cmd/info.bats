load helper

@test "--cdl shows a dimension in the group that defines it" {
	/usr/bin/python3 - <<-'EOF'
	import netCDF4
	f = netCDF4.Dataset('g.nc', 'w')
	for name, n in ('time', None), ('lat', 3), ('lon', 4), ('unused', 9):
	    f.createDimension(name, n)
	f.createVariable('lat', 'f4', ('lat',))[:] = [1, 2, 3]
	f.createVariable('t', 'f4', ('time', 'lat', 'lon'))[:2] = 1
	g = f.createGroup('a')
	g.createDimension('lev', 2)
	g.createVariable('q', 'f8', ('time', 'lev', 'lat'))[:1] = 2
	g.createVariable('lat', 'f4', ('lat',))[:] = [4, 5, 6]
	h = g.createGroup('b')
	h.createDimension('lat', 5)
	h.createDimension('lon', 4)
	h.createVariable('z', 'i4', ('lev', 'lat'))[:] = 3
	h.createVariable('w', 'i4', ('lon',))[:] = 3
	f.createGroup('c').createVariable('only', 'i2', ('lat',))[:] = 1
	EOF
	ncdump -h g.nc >want
	works 'axt-info --cdl g.nc >got'
	diff want got
	works 'axt-info --cdl g.nc:c/only | grep -c "lat = 3"'
	[ "$output" = 1 ]
}

@test "text" {
	make_a
	prints 'a.nc

tensor i64 lat=2 lon=3
  strides 3 1, offset 0
  storage contiguous at byte 8192

axes
  lat 2
  lon 3

file attributes
  history = "axt-make iota lat=2,lon=3"' 'axt-info a.nc'
}

@test "coordinates, times, units, attributes" {
	make_cf
	works 'axt-info cf.nc'
	[[ $output == *'t f32 time=2 lat=3'* ]]
	[[ $output == *'  units = "K"'* ]]
	[[ $output == *'  time 2 f64 2010-01-01 .. 2010-01-02T12:00:00 days since 2010-01-01'* ]]
	[[ $output == *'  lat 3 f64 10 .. 30'* ]]
}

@test "--brief, --names: a line for each tensor" {
	make_cf
	make_a
	py 'f = h5py.File("m.h5", "w"); f["t"] = np.arange(3); f["g/u"] = np.arange(3.); f["g/u"].attrs["long_name"] = np.bytes_("a name")'
	prints 't f32 time=2 lat=3  K' 'axt-info --brief cf.nc'
	prints $'/g/u f64 dim_0=3  a name\nt i64 dim_0=3' 'axt-info --brief m.h5'
	prints $'/g/u\nt' 'axt-info --names m.h5'
	prints $'m.h5:/g/u\nm.h5:t\na.nc:tensor' 'axt-info --names m.h5 a.nc'
	prints $'cf.nc:t f32 time=2 lat=3  K\na.nc:tensor i64 lat=2 lon=3' 'axt-info --brief cf.nc a.nc'
	prints 'u' 'axt-info --names m.h5:u | tr -d /g'
	fails 2 'axt-info: --brief and --names exclude each other' 'axt-info --brief --names a.nc' ||
		fails 2 'axt-info: --names and --brief exclude each other' 'axt-info --brief --names a.nc'
	for t in $(axt-info --names m.h5 a.nc); do works "axt-print $t"; done
}

@test "a terminal: attributes of the file are cut to its width, --long has them whole" {
	make_cf
	py 'f = h5py.File("cf.nc", "a"); f.attrs["title"] = np.bytes_("x" * 500); f.attrs["name"] = np.bytes_(b"\xc3\xa9" * 60)'
	tty() { script -qec "stty cols 60; $1" /dev/null </dev/null | tr -d '\r'; }
	[ "$(tty 'axt-info cf.nc' | grep -c '^  title = "x*[.][.][.]$')" -eq 1 ]
	[ "$(tty 'axt-info cf.nc' | /usr/bin/python3 -c 'import sys; print(max(len(l.rstrip("\n")) for l in sys.stdin if "title" in l or "name" in l))')" -eq 60 ]
	tty 'axt-info --long cf.nc' | grep -q "x\{500\}"
	works 'axt-info cf.nc | grep -c "x\{500\}"'
	[ "$output" = 1 ]
}

@test "a stream; FILE:DATASET; several files" {
	make_a
	prints "$(axt-info a.nc | sed 's/^a.nc$/-/; s/at byte 8192$/&, read-only/')" 'axt-info <a.nc'
	py 'f = h5py.File("m.h5", "w"); f["t"] = np.arange(3); f["g/u"] = np.arange(3) * 10'
	works 'axt-info m.h5:u'
	[[ $output == *'/g/u i64 dim_0=3'* ]]
	[[ $output != *'t i64'* ]]
	works 'axt-info a.nc m.h5'
	[ "$(printf '%s\n' "$output" | grep -c '^a.nc$\|^m.h5$')" -eq 2 ]
}

@test "--json is valid, for one and for several" {
	make_cf
	make_a
	works "axt-info --json cf.nc | /usr/bin/python3 -c 'import json, sys
d = json.load(sys.stdin)[\"tensors\"][0]
assert d[\"axes\"] == [\"time\", \"lat\"] and d[\"shape\"] == [2, 3] and d[\"strides\"] == [3, 1] and d[\"offset\"] == 0
assert d[\"levels\"] == [0, 0] and d[\"dtype\"] == \"f32\" and d[\"storage\"] == \"contiguous\" and d[\"filters\"] == []
assert d[\"coordinates\"][\"time\"][\"first\"] == \"2010-01-01\" and d[\"coordinates\"][\"lat\"][\"last\"] == 30
assert d[\"attributes\"] == {\"units\": \"K\"} and d[\"chunks\"] is None and d[\"read_only\"] in (True, False)'"
	works "axt-info --json cf.nc a.nc | /usr/bin/python3 -c 'import json, sys
assert [d[\"file\"] for d in json.load(sys.stdin)] == [\"cf.nc\", \"a.nc\"]'"
	py 'f = h5py.File("e.h5", "w"); f["a\x1b\"\\"] = np.arange(2.); f.attrs["x"] = np.bytes_(b"\xff\n\"\\\x01"); f.attrs["n"] = np.array([np.nan, np.inf])'
	works 'axt-info --json e.h5 | /usr/bin/python3 -m json.tool'
	works 'axt-info --json --stats cf.nc | /usr/bin/python3 -m json.tool'
}

@test "--cdl is what ncgen reads" {
	make_cf
	works 'axt-info --cdl cf.nc'
	[[ $output == *'float t(time, lat) ;'* ]]
	works 'axt-info --cdl cf.nc >h.cdl; ncgen -4 -o h.nc h.cdl && ncdump -h h.nc | tail -n +2 | diff - <(tail -n +2 h.cdl)'
	axt-transpose cf.nc -o t.nc
	[[ $(axt-info --cdl t.nc) == *'float t(time\*, lat\*) ;'* ]]
}

@test "chunks and filters" {
	make_a
	axt-add a.nc 0 --deflate 4 --chunk lat=1 -o c.nc
	[[ $(axt-info c.nc) == *'storage chunked, 2 chunks of 1x3, '* ]]
	works "axt-info --json c.nc | grep -A 1 chunks"
	[[ $output == *'"chunks": [1, 3]'* ]]
	[[ $output == *'deflate'* ]]
}

@test "--stats" {
	make_cf
	works 'axt-info --stats cf.nc'
	[[ $output == *'stats'*'6'*'0'*'2.5'* ]]
	axt-make iota x=3 -o x.nc
	axt-make full x=0 --value 1 -o none.nc
	works 'axt-info --brief --stats cf.nc x.nc none.nc'
	[[ ${lines[0]} == cf.nc:*'  6 values, 0 missing, min '*', mean 2.5' ]]
	[ "${lines[1]}" = 'x.nc:tensor i64 x=3  3 values, 0 missing, min 0, max 2, mean 1' ]
	[ "${lines[2]}" = 'none.nc:tensor i64 x=0  0 values, 0 missing, min nan, max nan, mean nan' ]
}

@test "what is no tensor is listed, with the reason" {
	py 'f = h5py.File("o.h5", "w"); f["t"] = np.arange(3); f["s"] = "text"; f["c"] = np.zeros(2, [("a", "i4"), ("b", "f4")])'
	works 'axt-info o.h5'
	[[ $output == *$'others\n'* ]]
	[[ $output == *'compound'* ]]
}

@test "failures" {
	fails 1 'axt-info: *none.nc*' 'axt-info none.nc'
	fails 2 'axt-info: --cdl and --json exclude each other' 'axt-info --json --cdl a.nc' ||
		fails 2 'axt-info: --json and --cdl exclude each other' 'axt-info --json --cdl a.nc'
	make_a
	sh_run 'axt-info a.nc none.nc'
	[ "$status" -eq 1 ]
}

# Files that libhdf5 reads and axt does not write to: the hint is a command that makes one that it does.
cured()
{
	fails 1 "axt-add: $1.h5: holds $2, which axt does not $3" "axt-add 1 2 -o $1.h5:w"
	hints "$4 $1.h5 NEW makes a file without"
	works "$4 $1.h5 NEW && axt-add 1 2 -o NEW:w"
	prints 3 'axt-print NEW:w'
	prints $'0 1 2\n3 4 5' 'axt-print NEW:v'
	rm NEW
}

@test "what is not written to is told with a command that cures it" {
	lib=$(ldconfig -p | grep -o '/.*libhdf5_serial\.so\.[0-9]*$' | head -n 1)
	command -v nccopy h5repack >/dev/null && [ -n "$lib" ] || skip 'no libhdf5.so, nccopy, h5repack'
	/usr/bin/python3 - "$lib" <<-'EOF'
	import ctypes, sys
	import h5py, numpy as np
	from h5py import h5f, h5p
	lib = ctypes.CDLL(sys.argv[1])
	I, U = ctypes.c_int64, ctypes.c_uint

	def make(path, create, access):
	    f = h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, create, access))
	    f['v'] = np.arange(6.).reshape(2, 3)
	    f['gone'] = np.arange(5000.)
	    del f['gone']
	    f.close()

	def newest():
	    a = h5p.create(h5p.FILE_ACCESS)
	    a.set_libver_bounds(h5f.LIBVER_LATEST, h5f.LIBVER_LATEST)
	    return a

	c = h5p.create(h5p.FILE_CREATE)
	assert lib.H5Pset_shared_mesg_nindexes(I(c.id), U(1)) >= 0
	assert lib.H5Pset_shared_mesg_index(I(c.id), U(0), U(0x1f), U(0)) >= 0
	make('shared.h5', c, h5p.create(h5p.FILE_ACCESS))
	c = h5p.create(h5p.FILE_CREATE)
	assert lib.H5Pset_file_space_strategy(I(c.id), ctypes.c_int(0), ctypes.c_bool(True), ctypes.c_uint64(1)) >= 0
	make('free.h5', c, newest())

	class Image(ctypes.Structure):
	    _fields_ = [('version', ctypes.c_int32), ('make', ctypes.c_bool), ('save', ctypes.c_bool), ('age', ctypes.c_int32)]

	a = newest()
	assert lib.H5Pset_mdc_image_config(I(a.id), ctypes.byref(Image(1, True, False, -1))) >= 0
	make('image.h5', h5p.create(h5p.FILE_CREATE), a)
	EOF
	cured shared 'shared messages' 'write to' nccopy
	cured free 'a list of its free space' 'write to' 'h5repack -S FSM_AGGR -P 0'
	cured image 'an image of a metadata cache' read h5repack
}

@test "what belongs to a tensor, a mesh too, is no tensor" {
	/usr/bin/python3 - <<-'END'
	import netCDF4
	n = netCDF4.Dataset('u.nc', 'w')
	for d, l in (('face', 5), ('node', 8), ('three', 3), ('t', 2), ('two', 2)):
	    n.createDimension(d, l)
	def var(name, dims=(), **a):
	    v = n.createVariable(name, 'f4', dims); v[...] = 0; v.setncatts(a)
	var('mesh', cf_role='mesh_topology', node_coordinates='node_x node_y', face_node_connectivity='face_nodes',
	    face_coordinates='face_x')
	var('node_x', ('node',)); var('node_y', ('node',)); var('face_x', ('face',)); var('face_nodes', ('face', 'three'))
	var('t', ('t',), bounds='t_bnds'); var('t_bnds', ('t', 'two')); var('crs')
	var('depth', ('t', 'face'), mesh='mesh', location='face', grid_mapping='crs')
	END
	prints 'depth f32 t=2 face=5' 'axt-info --brief u.nc'
	prints $'  mesh f32 (mesh)\n  node_x f32 node=8 (node_coordinates)\n  node_y f32 node=8 (node_coordinates)\n  face_x f32 face=5 (face_coordinates)\n  face_nodes f32 face=5 three=3 (face_node_connectivity)\n  t_bnds f32 t=2 two=2 (bounds)\n  crs f32 (grid_mapping)' \
	    'axt-info u.nc | sed -n "/^others/,\$p" | sed 1d'
	prints 0 'axt-reduce sum u.nc -p'
	prints 0 'axt-reduce sum u.nc:face_nodes -p'
	works 'axt-copy u.nc -o c.nc && axt-info c.nc:face_nodes'
	prints 'auxiliary' 'axt-info --json u.nc | jq -r ".. | objects | select(.name? == \"mesh\") | .role"'
}

@test "MATLAB's order is told" {
	py 'f = h5py.File("m.mat", "w"); f["a"] = np.zeros((3, 2)); f["a"].attrs["MATLAB_class"] = np.bytes_("double")'
	sh_run 'axt-info m.mat'
	[[ $output == *$'\n  of MATLAB, where the axes have the reverse order\n'* ]]
}

@test "a small picture of each tensor" {
	py 'h = h5py.File("m.h5", "w"); h["a"] = np.arange(8.0); h["bb"] = np.array([[0, 0, 0, 4], [np.nan, 2, 2, 4]], "f4"); h["bb"].attrs["units"] = "K"
h["c"] = np.full((2, 2), 3); h["g/n"] = np.full((2, 2), np.nan); h["z"] = np.ones((2, 2), "c8"); h["e"] = np.ones((0, 2))'
	prints $'a f64 dim_0=8                     ▁▂▃▄▅▆▇█  0 .. 7
bb f32 dim_0=2 dim_1=4    █       ▆      ▆  0 .. 4 K
c i64 dim_0=2 dim_1=2             █         3 .. 3
e f64 dim_0=0 dim_1=2                       no elements
/g/n f64 dim_0=2 dim_1=2                    no finite values
z c64 dim_0=2 dim_1=2                       complex' 'axt-info --plot m.h5'
	prints 'a f64 dim_0=8          _.-:=+*#  0 .. 7' 'LC_ALL=C axt-info --plot m.h5:a'
	prints '/g/n f64 dim_0=2 dim_1=2                    no finite values' 'axt-info --plot m.h5:/g/'
	prints 'a f64 dim_0=8          ▁▂▃▄▅▆▇█  0 .. 7' 'axt-info --plot -d a m.h5'
	axt-make iota x=3 -o b.nc
	prints $'b.nc:tensor i64 x=3               ▁▅█  0 .. 2\nm.h5:a f64 dim_0=8           ▁▂▃▄▅▆▇█  0 .. 7' 'axt-info --plot b.nc m.h5:a'
	fails 1 'axt-info: none.h5: No such file or directory' 'axt-info --plot b.nc none.h5'
	fails 2 'axt-info: -d a is for operands that are FILE alone, and m.h5:bb names its own' 'axt-info --plot -d a m.h5:bb'
	fails 1 'axt-info: none.h5: No such file or directory' 'axt-info --plot none.h5'
	for i in --json --cdl --brief --names --stats --plan --trainable; do
		fails 2 'axt-info: --plot goes with no other form of the listing' "axt-info --plot $i m.h5"
	done
	fails 1 'axt-info: standard output: No space left on device' 'axt-info --plot m.h5 >/dev/full'
}

@test "a small picture of values of every kind" {
	py 'h = h5py.File("m.h5", "w"); h["t\u00e9mp"] = np.arange(6.0).reshape(2, 3); h["t\u00e9mp"].attrs["units"] = "\u00b0C"; h["s"] = 3.0
h["inf"] = np.array([[1, np.inf], [2, 3], [-np.inf, np.nan]]); h["inf1"] = np.array([np.inf, 1, 2, -np.inf]); h["flag"] = np.array([[True, False], [True, True]])
h["huge"] = np.array([[-1.7e308, 1.7e308], [0, 1]]); h["huge1"] = np.array([-1.7e308, 1.7e308, 0]); h["narrow"] = np.array([[1, 1 + 1.2e-7], [1, 1]], "f4")
h["u"] = np.array([[2**63 + 5, 2**63 + 4]], "u8"); h["half"] = np.array([[1, 6e4], [-6e4, 1]], "f2"); h["text"] = np.array([b"abc", b"de"])
h["p"] = np.array([[0, 5], [10, 99]], "i2"); h["p"].attrs["scale_factor"] = 0.5; h["p"].attrs["_FillValue"] = np.int16(99)'
	# narrower than the spacing of its numbers, wider than the greatest number; infinite values are in no bin
	prints $'flag bool dim_0=2 dim_1=2   ▃              █  0 .. 1
half f16 dim_0=2 dim_1=2    ▅       █      ▅  -60000 .. 60000
huge f64 dim_0=2 dim_1=2    ▅       █      ▅  -1.7e+308 .. 1.7e+308
huge1 f64 dim_0=3                        ▁█▅  -1.7e+308 .. 1.7e+308
inf f64 dim_0=3 dim_1=2     █       █      █  1 .. 3
inf1 f64 dim_0=4                         ▁█   1 .. 2
narrow f32 dim_0=2 dim_1=2  █              ▃  1 .. 1
p f64 dim_0=2 dim_1=2       █       █      █  0 .. 5
s f64                               █         3 .. 3
témp f64 dim_0=2 dim_1=3    █  █  █  █  █  █  0 .. 5 °C
u u64 dim_0=1 dim_1=2               █         9.2234e+18 .. 9.2234e+18' 'axt-info --plot m.h5'
	prints $'p i16 dim_0=2 dim_1=2  █▅             ▅  0 .. 99' 'axt-info --raw --plot m.h5:p'
	fails 1 'axt-info: m.h5:text holds text, not numbers' 'axt-info --plot m.h5:text'
	hints 'axt-print m.h5:text shows it*'
	# a damaged chunk of the second tensor: nothing is printed of the first one
	py 'h = h5py.File("d.h5", "w"); h["a"] = np.arange(4.0); h.create_dataset("b", data=np.arange(1e4), chunks=(5000,), compression="gzip")
o = h["b"].id.get_chunk_info(1).byte_offset; h.close(); f = open("d.h5", "r+b"); f.seek(o); f.write(bytes(range(99)))'
	fails 1 'axt-info: d.h5:b: *' 'axt-info --plot d.h5'
	# a series is read once, a histogram twice: a pipe brings both
	py 'h = h5py.File("l.h5", "w"); h["a"] = np.arange(1e6).reshape(1000, 1000); h["b"] = np.arange(1000003.0)'
	prints $'a f64 dim_0=1000 dim_1=1000  ████████████████  0 .. 1e+06\nb f64 dim_0=1000003          ▁▁▂▂▃▃▄▄▅▅▆▆▇▇██  0 .. 1e+06' 'cat l.h5 | axt-info --plot'
	prints 'b f64 dim_0=1000003  ▁▁▂▂▃▃▄▄▅▅▆▆▇▇██  0 .. 1e+06' 'cat l.h5 | AXT_MEMORY=1M axt-info --plot -:b'
}

@test "FILE:PATTERN tells what fits, in every form; a dataset of that very name comes first" {
	py 'f = h5py.File("k.h5", "w"); f["other"] = 1.; f["w/names"] = ["a", "b"]; f["a*"] = 2.; f["ab"] = 3.; f.attrs["model"] = 1
for n in ("conv/kernel:0", "conv/bias:0", "dense/kernel:0"): f["w/" + n] = np.arange(4.)'
	prints $'/w/conv/kernel:0 f64 dim_0=4\n/w/dense/kernel:0 f64 dim_0=4' "axt-info --brief 'k.h5:w/*kernel:0'"
	prints $'/w/conv/kernel:0\n/w/dense/kernel:0' "axt-info --names 'k.h5:kernel*'"
	prints $'/w/conv/bias:0\nother' "axt-info --names -d 'bias*,other' k.h5 | sort"
	prints $'k.h5:/w/conv/bias:0\nk.h5:other' "axt-info --names 'k.h5:bias*' k.h5:other"
	prints 'a*' "axt-info --names 'k.h5:a*'"
	prints "$(axt-info k.h5)" "axt-info 'k.h5:*'"
	prints '/w/conv/bias:0' "cat k.h5 | axt-info --names '-:bias*'"
	prints '/w/conv/bias:0 []' "axt-info --json 'k.h5:bias*' | /usr/bin/python3 -c '
import json, sys; j = json.load(sys.stdin); print(*(t[\"name\"] for t in j[\"tensors\"]), j[\"others\"])'"
	prints $'k.h5\n\nothers\n  /w/names dim_0=2 (text)' "axt-info 'k.h5:nam*'"
	prints $'kernel\\:0\nkernel\\:0' "axt-info --cdl 'k.h5:kernel*' | grep -o 'kernel[^(]*'"
	prints 2 "LC_ALL=C axt-info --plot 'k.h5:kernel*' | grep -c 0"
	fails 1 'axt-info: k.h5: no dataset has a name like "foo\*"' "axt-info 'k.h5:kernel*,foo*'"
}

@test "values that a command read from text or made are no view of a file" {
	works "printf 'a,b\n1,5\n2,\n' | axt-from - | axt-info"
	[[ $output == *'at byte '*', read-only'$'\n  _FillValue'* ]]
	works "printf 'P2 2 1 255 1 2\n' | axt-from - | axt-info"
	[[ $output != *'view of'* && $output != *shares* ]]
	works 'axt-make ones x=3 | axt-info'
	[[ $output == *$'\n  computed from no file\n'* ]]
}

@test "coordinates without axes, as of a point, have their values" {
	make_cf
	works 'axt-slice time=1 lat=2 cf.nc:t -o p.nc; axt-info p.nc'
	[[ $output == *$'\n  lat f64 = 30 (coordinates)\n'* ]]
	[[ $output == *$'\n  time f64 = 2010-01-02T12:00:00 (coordinates)\n'* ]]
	works 'cat p.nc | axt-info'
	[[ $output == *$'\n  lat f64 (coordinates)\n'* ]]
	works 'axt-slice time=1 cf.nc:t -o p.nc; axt-info p.nc'
	[[ $output == *$'\n  time f64 = 2010-01-02T12:00:00 (coordinates)'* && $output != *'lat f64 ='* ]]
}
