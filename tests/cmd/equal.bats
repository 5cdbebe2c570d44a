load helper

@test "equal: 0, different: 1 and a line, failed: 2" {
	make_a
	axt-add a.nc 0 -o same.nc
	prints '' 'axt-equal a.nc same.nc'
	axt-clip 0 4.5 a.nc -o b.nc
	sh_run 'axt-equal a.nc b.nc'
	[ "$status" -eq 1 ]
	[ "$output" = '1 of 6 values differ, by at most 0.5 at lat=1, lon=2' ]
	sh_run 'axt-equal -q a.nc b.nc'
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	fails 2 'axt-equal: *none.nc*' 'axt-equal a.nc none.nc'
	fails 2 'axt-equal: operand A is missing' 'axt-equal'
	fails 2 'axt-equal: a: No such file or directory' 'axt-equal a b c'
	sh_run 'axt-equal a.nc b.nc >/dev/full'
	[ "$status" -eq 2 ]
}

@test "order-free, unless --strict-order; dtype does not matter" {
	make_a
	axt-order lon,lat a.nc -o o.nc
	works 'axt-equal a.nc o.nc'
	sh_run 'axt-equal --strict-order a.nc o.nc'
	[ "$status" -eq 1 ]
	works 'axt-cast --dtype f32 a.nc | axt-equal a.nc'
}

@test "axes, lengths, coordinates that differ are differences" {
	make_a
	make_cf
	sh_run 'axt-equal a.nc cf.nc'
	[ "$status" -eq 1 ]
	axt-make iota lat=3,lon=2 -o b.nc
	sh_run 'axt-equal a.nc b.nc'
	[ "$status" -eq 1 ]
	sh_run 'axt-equal a.nc 3'
	[ "$status" -eq 1 ]
}

@test "NaN equals NaN, unless --nan-differ" {
	works 'axt-equal nan nan'
	sh_run 'axt-equal --nan-differ nan nan'
	[ "$status" -eq 1 ]
}

@test "tolerances" {
	sh_run 'axt-equal 1 1.001'
	[ "$status" -eq 1 ]
	works 'axt-equal --rtol 0.01 1 1.001'
	works 'axt-equal --atol 0.01 1 1.001'
	works 'axt-equal --ulp 1 1 1.0000000000000002'
	sh_run 'axt-equal --ulp 1 1 1.000000000000001'
	[ "$status" -eq 1 ]
	works 'axt-equal --rtol 0.1 inf inf'
	fails 2 'axt-equal: --rtol takes a number, not "x"' 'axt-equal --rtol x 1 1'
	fails 2 'axt-equal: --rtol takes a number from 0, not "-1"' 'axt-equal --rtol -1 1 1'
	fails 2 'axt-equal: --atol takes a number from 0, not "-1e-9"' 'axt-equal --atol=-1e-9 1 1'
	fails 2 'axt-equal: --atol takes a number from 0, not "nan"' 'axt-equal --atol nan 1 1'
	works 'axt-equal --rtol inf 1 2'
}

@test "--attributes" {
	make_a
	axt-add a.nc 0 --attr units=K -o b.nc
	works 'axt-equal a.nc b.nc'
	sh_run 'axt-equal --attributes a.nc b.nc'
	[ "$status" -eq 1 ]
}

@test "files with several tensors: all, by name" {
	make_a
	axt-reduce mean,max --to lat a.nc -o r.nc
	axt-reduce max,mean --to lat a.nc -o s.nc
	works 'axt-equal r.nc s.nc'
	axt-reduce mean,min --to lat a.nc -o t.nc
	sh_run 'axt-equal r.nc t.nc'
	[ "$status" -eq 1 ]
	[[ $output == *'only in r.nc'* ]]
	[[ $output == *'only in t.nc'* ]]
	works 'axt-equal r.nc:mean t.nc:mean'
	works 'axt-equal -d mean r.nc t.nc'
}

@test "the text of a stream, whose writer offers its plan" {
	py '
f = h5py.File("a.nc", "w")
for k in "tu":
    f[k] = np.arange(6.).reshape(2, 3)
f["name"] = ["KOUROU", "PARIS", "X"]
f["station"] = np.zeros(3); f["station"].make_scale("This is a netCDF dimension but not a netCDF variable")
for k in "t", "u", "name":
    f[k].dims[f[k].ndim - 1].attach_scale(f["station"])
'
	axt-slice station=2,1 'a.nc:*' -o o.nc
	axt-slice station=1,2 'a.nc:*' -o p.nc
	for fuse in 0 1; do
		export AXT_FUSE=$fuse
		works "axt-equal --attributes <(axt-slice station=2,1 'a.nc:*') o.nc"
		sh_run "axt-equal p.nc <(axt-slice station=2,1 'a.nc:*')"
		[ "$status" -eq 1 ]
		[[ $output == *'name: 2 of 2 strings differ'* ]]
	done
}

@test "each of several with the first" {
	make_a
	works 'cp a.nc b.nc; axt-add a.nc 1 --name tensor -o c.nc; axt-equal a.nc b.nc a.nc'
	sh_run 'axt-equal a.nc b.nc c.nc'
	[ "$status" -eq 1 ]
	[ "$output" = 'c.nc: 6 of 6 values differ, by at most 1 at lat=0, lon=0' ]
	works 'axt-make ones x=2 --name u -o b.nc:u; axt-make ones x=2 -o c.nc:u; axt-make zeros x=2 -o a.nc:v'
	sh_run 'axt-equal a.nc b.nc c.nc'
	[ "$status" -eq 1 ]
	[ "$output" = $'b.nc: /v: only in a.nc\nb.nc: /u: only in b.nc\nc.nc: /v: only in a.nc\nc.nc: /u: only in c.nc\nc.nc: /tensor: 6 of 6 values differ, by at most 1 at lat=0, lon=0' ]
	sh_run 'axt-equal -q a.nc b.nc c.nc'
	[ "$status" -eq 1 ]
	[ -z "$output" ]
	fails 2 'axt-equal: none.nc: No such file or directory' 'axt-equal a.nc:v a.nc:v none.nc'
}

@test "--attributes tells a text from a list of one text" {
	py '
for n, v in (("a", np.bytes_("k")), ("b", np.array([b"k"]))):
    f = h5py.File(n + ".h5", "w"); f["g/w"] = [1.]; f["g"].attrs["names"] = v; f["g/w"].attrs["names"] = b"k"'
	works 'axt-equal a.h5 b.h5'
	sh_run 'axt-equal --attributes a.h5 b.h5'
	[ "$status" -eq 1 ]
	[ "$output" = '/g/: attribute "names" differs: one is a text, the other a list of one' ]
}

@test "a file that is missing is named, whatever the other one holds" {
	works 'axt-make ones x=2 --name u -o s.nc && axt-make ones x=2 --name v -o s.nc:v'
	for line in 's.nc none.nc' 'none.nc s.nc' 's.nc s.nc none.nc' 's.nc none.nc:u' 's.nc --attributes none.nc'; do
		fails 2 '*: none.nc: No such file or directory' "axt-equal $line"
	done
	fails 2 'axt-equal: s.nc holds several tensors: *' 'axt-equal s.nc s.nc:u'
}

@test "what is missing in one only is told, and all attributes are, and the values" {
	axt-make iota x=3 --attr units=m --attr long_name=a -o e1.nc
	axt-make iota:1 x=3 --attr units=m --attr long_name=b --attr note=z -o e2.nc
	axt-calc 'where(a == 1, nan, a + (a == 2)*0.5)' a=e1.nc -o e4.nc
	sh_run 'axt-equal --attributes e1.nc e2.nc'
	[ "$status" -eq 1 ]
	[ "$output" = $'attribute "long_name" differs\nattribute "note" differs\n3 of 3 values differ, by at most 1 at x=0' ]
	sh_run 'axt-equal e1.nc e4.nc'
	[ "$output" = '2 of 3 values differ (1 of them missing in one only), by at most 0.5 at x=2' ]
	sh_run 'axt-equal --atol 1 e4.nc e1.nc'
	[ "$output" = '1 of 3 values differ (missing in one only), first at x=1' ]
	sh_run 'axt-equal -q e1.nc e4.nc'
	[ "$status" -eq 1 ]
	prints same 'axt-equal --attributes e1.nc e1.nc && echo same'
}

@test "datasets of types that cannot be read" {
	py '
for n, k in ("a.h5", 1), ("b.h5", 2), ("c.h5", 0):
    f = h5py.File(n, "w"); f["w"] = np.ones(3, "f4")
    if k: f.create_dataset("v", (1,), dtype=h5py.vlen_dtype("i4"))[0] = [k]'
	fails 2 'axt-equal: a.h5:/v cannot be compared with b.h5:/v: type not supported: variable length' 'axt-equal a.h5 b.h5'
	sh_run 'axt-equal a.h5 c.h5'
	[ "$status" -eq 1 ]
	[ "$output" = '/v: only in a.h5' ]
	works 'axt-equal c.h5 c.h5'
}

@test "--units strict: units that differ are a difference" {
	axt-make iota x=2 --attr units=m -o m.nc; axt-make iota x=2 --attr units=cm -o cm.nc
	works 'axt-equal m.nc cm.nc; axt-equal --units strict m.nc m.nc'
	sh_run 'axt-equal --units strict m.nc cm.nc'
	[ "$status" -eq 1 ]
	[ "$output" = 'units differ: "m" and "cm"' ]
}
