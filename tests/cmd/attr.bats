load helper

@test "set, show, remove: tensor, axis, file" {
	make_cf
	prints units=K 'axt-attr units cf.nc'
	works 'axt-attr units=degC valid_range:=0,5 lat:units=degrees_north :title=x cf.nc'
	prints units=degC 'axt-attr units cf.nc'
	prints 'valid_range:=0.f,5.f' 'axt-attr valid_range cf.nc'
	prints lat:units=degrees_north 'axt-attr lat:units cf.nc'
	prints :title=x 'axt-attr :title cf.nc'
	works 'axt-attr units= cf.nc'
	fails 1 'axt-attr: *"units"*' 'axt-attr units cf.nc'
	prints $'0 1 2\n3 4 5' 'axt-print cf.nc'
}

@test "numbers have dtypes: by suffix, by the values they are of, else i32 or f64" {
	make_cf
	works 'axt-attr a:=1b b:=2s c:=3ub d:=4us e:=5u f:=6ll g:=7ull h:=8f i:=9d j:=10 k:=0.5 l:=3000000000 cf.nc'
	for want in a:=1b b:=2s c:=3UB d:=4US e:=5U f:=6LL g:=7ULL h:=8.f i:=9. j:=10 k:=0.5 l:=3000000000LL; do
		prints "$want" "axt-attr ${want%%:*} cf.nc"
	done
	works 'axt-attr m:=1s,2 n:=0x1b o:=1e3 p:=18446744073709551615 q:=NaNf cf.nc'
	for want in m:=1s,2s n:=27 o:=1000. p:=18446744073709551615ULL q:=NaNf; do
		prints "$want" "axt-attr ${want%%:*} cf.nc"
	done
	works 'axt-attr _FillValue:=1e20 flag_values:=1,2 time:valid_min:=0 cf.nc'
	prints '_FillValue:=1e+20f' 'axt-attr _FillValue cf.nc'
	prints 'flag_values:=1.f,2.f' 'axt-attr flag_values cf.nc'
	prints 'time:valid_min:=0.' 'axt-attr time:valid_min cf.nc'
	fails 1 'axt-attr: 1e+39 does not fit f32, the dtype of _FillValue of cf.nc:t' 'axt-attr _FillValue:=1e39 cf.nc'
	fails 1 'axt-attr: _FillValue of cf.nc:t, which holds f32, is f32, not i16' 'axt-attr _FillValue:=1s cf.nc'
	fails 2 'axt-attr: "1s,2b": the numbers of an attribute have one dtype, i16 or i8' 'axt-attr x:=1s,2b cf.nc'
	fails 1 'axt-attr: 300 does not fit u8, the dtype of x of cf.nc:t' 'axt-attr x:=300ub cf.nc'
	fails 1 'axt-add: 0.5 does not fit i64, the dtype of _FillValue of *' 'axt-make iota x=3 | axt-add - 1 --attr _FillValue:=0.5 -p'
}

@test "a line is added to the history of the file, unless it is set itself or --no-history says so" {
	make_cf
	works 'axt-attr :history=old cf.nc'
	prints :history=old 'axt-attr :history cf.nc'
	works 'axt-attr units=K lat:units=degrees_north cf.nc && axt-attr units=K --in-place cf.nc'
	prints ':history=axt-attr units=K lat:units=degrees_north cf.nc\x0aold' 'axt-attr :history cf.nc'
	works 'axt-attr units=degC --no-history cf.nc && axt-attr units cf.nc'
	prints ':history=axt-attr units=K lat:units=degrees_north cf.nc\x0aold' 'axt-attr :history cf.nc'
	works 'axt-attr :title=x cf.nc && axt-move t=u cf.nc --no-history && axt-remove cf.nc:u --no-history'
	prints ':history=axt-attr :title=x cf.nc\x0aaxt-attr units=K lat:units=degrees_north cf.nc\x0aold' 'axt-attr :history cf.nc'
	fails 1 'axt-attr: cf.nc *history*' 'axt-attr :history= cf.nc && axt-attr :history cf.nc'
}

@test "what is missing is named" {
	make_cf
	sh_run 'axt-attr units K cf.nc'
	[ "$status" -eq 1 ]
	[ "$output" = units=K ]
	[ "${stderr_lines[0]}" = 'axt-attr: cf.nc:t has no attribute "K"' ]
	[ "${stderr_lines[1]}" = 'axt-attr: hint: units=K sets it' ]
	fails 1 'axt-attr: cf.nc:t has no attribute "nothing"' 'axt-attr nothing cf.nc'
}

@test "all of them" {
	make_cf
	works 'axt-attr cf.nc'
	[[ $output == *units=K* ]]
	[[ $output == *time:units=days* ]]
}

@test "--in-place keeps the inode, without it the file is replaced" {
	make_cf
	inode=$(stat -c %i cf.nc)
	works 'axt-attr long_name=x cf.nc --in-place'
	[ "$(stat -c %i cf.nc)" = "$inode" ]
	prints long_name=x 'axt-attr long_name cf.nc'
	works 'axt-attr long_name=y cf.nc'
	prints long_name=y 'axt-attr long_name cf.nc'
}

@test "usage and failure leave the file as it was" {
	make_cf
	cp cf.nc old.nc
	fails 2 'axt-attr: operand FILE is missing' 'axt-attr'
	fails 1 'axt-attr: *' 'axt-attr a=b none.nc'
	fails 2 'axt-attr: *' 'axt-attr units a=b cf.nc'
	sh_run 'axt-attr n:=x cf.nc'
	[ "$status" -ne 0 ]
	sh_run 'axt-attr nolat:a=b cf.nc'
	[ "$status" -ne 0 ]
	cmp cf.nc old.nc
}

@test "what xarray and ncdump read" {
	make_a
	works 'axt-attr units=K a.nc'
	[[ $(ncdump -h a.nc) == *'tensor:units = "K"'* ]]
}

@test "complex attributes are shown, and go along" {
	py '
f = h5py.File("z.h5", "w"); f["t"] = np.arange(2.)
f["t"].attrs["one"] = np.complex128(1 + 2j); f["t"].attrs["two"] = np.array([1.5, 3 - 1j], ">c8")'
	prints 'one:=1+2j' 'axt-attr one z.h5'
	prints 'two:=1.5+0j,3-1j' 'axt-attr two z.h5'
	works 'axt-slice dim_0=0 z.h5 -o y.h5'
	py '
a = h5py.File("y.h5")["t"].attrs
assert a["one"] == 1 + 2j and a["one"].dtype == "c16" and a["two"].tolist() == [1.5, 3 - 1j] and a["two"].dtype == "c8"'
}

@test "numbers of CF given as text" {
	py '
f = h5py.File("n.nc", "w")
f["x"] = np.arange(3.); f["x"].make_scale("x")
f["t"] = np.arange(3, dtype="i2"); f["t"].dims[0].attach_scale(f["x"])
f["u"] = np.arange(3, dtype="f4"); f["u"].dims[0].attach_scale(f["x"])
'
	works 'axt-attr valid_min=1 _FillValue=-999 scale_factor=0.5 valid_range=0,300 flag_meanings=3 x:actual_range=0,2 n.nc:t'
	works 'axt-attr missing_value=1e20 standard_parallel=30,60 units=1 valid_max=high n.nc:u'
	/usr/bin/python3 -c '
import h5py, xarray as xr
t, u, x = (h5py.File("n.nc")[k].attrs for k in "tux")
assert [t[k].dtype.str for k in ("valid_min", "_FillValue", "valid_range", "scale_factor")] == ["<i2", "<i2", "<i2", "<f4"], dict(t)
assert t["flag_meanings"] == b"3" and u["units"] == b"1" and u["valid_max"] == b"high"
assert u["missing_value"].dtype.str == "<f4" and u["standard_parallel"].tolist() == [30, 60] and x["actual_range"].dtype.str == "<f8"
assert xr.open_dataset("n.nc").t.values.tolist() == [0, 0.5, 1]
'
	prints $'missing_value:=1e+20f' 'axt-add n.nc:u 1 --attr missing_value=1e20 | axt-attr missing_value -'
	fails 1 'axt-attr: 100000 does not fit i16*' 'axt-attr valid_max=1e5 n.nc:t'
}

@test "attributes of a file with several tensors need no tensor" {
	py '
f = h5py.File("s.nc", "w")
f["t"] = np.arange(3, dtype="i2")
f["u"] = np.arange(3, dtype="f4")
'
	works 'axt-attr :title=hello :level:=3 s.nc'
	works 'axt-attr :history=none s.nc --in-place'
	prints $':title=hello\n:level:=3' 'axt-attr :title :level s.nc'
	fails 1 'axt-attr: s.nc has no attribute ":titel"' 'axt-attr :titel s.nc'
	fails 1 'axt-attr: s.nc holds several tensors*' 'axt-attr :title=x units=K s.nc'
	works 'axt-attr :title= s.nc'
	fails 1 'axt-attr: s.nc has no attribute ":title"' 'axt-attr :title s.nc'
}

@test "attributes of groups: shown, set, removed" {
	py '
f = h5py.File("m.h5", "w"); f.attrs["version"] = b"1"
f["model/encoder/w"] = np.ones((2, 3)); f["model/encoder/b"] = np.ones(3)
f["model"].attrs["note"] = b"x"; f["model/encoder"].attrs["depth"] = np.int64(2)'
	prints note=x 'axt-attr m.h5:/model/'
	prints note=x 'axt-attr m.h5:/model'
	prints depth:=2LL 'axt-attr depth m.h5:encoder'
	works 'axt-attr note=draft epoch:=3 m.h5:/model/'
	prints $'note=draft\nepoch:=3' 'axt-attr note epoch m.h5:/model/'
	works 'axt-attr note= m.h5:/model && axt-attr depth:=3 --in-place m.h5:/model/encoder/ && axt-attr :version=2 m.h5:/model/'
	prints epoch:=3 'axt-attr m.h5:/model/'
	prints :version=2 'axt-attr :version m.h5:/model/'
	py 'f = h5py.File("m.h5"); assert dict(f["model/encoder"].attrs) == {"depth": 3} and f.attrs["version"] == b"2" and "note" not in f["model"].attrs'
	fails 1 'axt-attr: m.h5:/model/ has no attribute "note"' 'axt-attr note m.h5:/model/'
	fails 1 'axt-attr: m.h5:/model/ is a group, which has no axis "lat"' 'axt-attr lat:units=K m.h5:/model/'
	fails 1 'axt-attr: m.h5: no dataset "/nothing/"*' 'axt-attr a=b m.h5:/nothing/'
	works 'axt-attr title=t m.h5:/'
	prints :title=t 'axt-attr :title m.h5'
	prints title=t 'axt-attr m.h5:/ | grep ^title'
	fails 1 'axt-attr: m.h5 holds several tensors: *' 'axt-attr m.h5'
	hints 'axt-attr m.h5:/model/encoder/b'
	fails 1 'axt-attr: m.h5 holds several tensors: *' 'axt-attr title m.h5'
	hints 'name one: m.h5:/model/encoder/b'
	fails 1 'axt-attr: m.h5 holds several tensors: *' 'axt-attr epoch:=1 m.h5'
	hints 'axt-attr epoch:=1 m.h5:/model/encoder/b'
	works 'axt-copy m.h5 -o m.zarr'
	prints epoch:=3LL 'axt-attr m.zarr:/model/'
}

@test "a new value keeps the shape of the old one, and its dtype where it fits" {
	py '
f = h5py.File("n.h5", "w"); f["t"] = np.arange(3.); f["g/t"] = [1.]
for o in f, f["t"], f["g"]:
    o.attrs["epoch"] = np.int64(11); o.attrs["rate"] = np.float32(0.5); o.attrs["list"] = np.array([1], "i2")
    o.attrs["names"] = np.array([b"w"]); o.attrs["text"] = b"w"; o.attrs["table"] = np.ones((2, 2), "u1")'
	works 'axt-attr epoch:=12 rate:=0.25 list:=2 names=v text=v table:=1,2,3,4 n.h5:/g/'
	works 'axt-attr epoch:=12 rate:=0.25 list:=2 names=v text=v table:=1,2,3,4 :epoch:=12 :rate:=0.25 :list:=2 :names=v :text=v :table:=1,2,3,4 n.h5:t'
	works 'axt-mul n.h5:t 1 --attr epoch:=12 --attr names=v --attr :epoch:=13 -o o.h5'
	py '
f = h5py.File("n.h5")
for o in f, f["t"], f["g"]:
    a = o.attrs
    assert a["epoch"] == 12 and a["epoch"].dtype == "i8" and a.get_id("epoch").shape == ()
    assert a["rate"] == 0.25 and a["rate"].dtype == "f4" and a.get_id("rate").shape == ()
    assert a["list"].tolist() == [2] and a["list"].dtype == "i2"
    assert a["names"].tolist() == [b"v"] and a["text"] == b"v" and a["table"].tolist() == [[1, 2], [3, 4]] and a["table"].dtype == "u1"
f = h5py.File("o.h5")
assert f["t"].attrs.get_id("epoch").shape == () and f["t"].attrs["epoch"].dtype == "i8" and f["t"].attrs["names"].tolist() == [b"v"]
assert f.attrs["epoch"] == 13 and f.attrs["epoch"].dtype == "i8" and f.attrs.get_id("epoch").shape == ()'
	works 'axt-attr epoch:=1.5 list:=40000 rate:=1,2 table:=7 n.h5:/g/'
	prints $'epoch:=1.5\nlist:=40000\nrate:=1.f,2.f\ntable:=7UB' 'axt-attr epoch rate list table n.h5:/g/'
	works 'axt-attr epoch:=2ll n.h5:/g/ && axt-attr rate:=16777217 n.h5:t'
	prints $'epoch:=2LL' 'axt-attr epoch n.h5:/g/'
	prints $'rate:=16777217' 'axt-attr rate n.h5:t'
}

@test "--value prints the value alone" {
	make_cf
	axt-attr level:=2 half:=0.5f 'list:=1,2' 'note=two words' cf.nc:t
	prints K 'axt-attr --value units cf.nc:t'
	prints $'days since 2010-01-01' 'axt-attr --value time:units cf.nc:t'
	prints $'2\n0.5\n1,2\ntwo words' 'axt-attr --value level half list note cf.nc:t'
	works 'axt-convert --to "$(axt-attr --value units cf.nc:t)" cf.nc:t -o o.nc'
	fails 2 'axt-attr: --value shows attributes, and sets none' 'axt-attr --value units=K cf.nc:t'
	fails 2 'axt-attr: --value needs the name of an attribute before "cf.nc:t"' 'axt-attr --value cf.nc:t'
}

@test "another _FillValue: the warning has the commands that change the values as well" {
	py 'f = h5py.File("a.nc", "w"); f["t"] = np.array([1, 1e20, 3], "f4"); f["t"].attrs["_FillValue"] = np.array([1e20], "f4")'
	sh_run 'axt-attr _FillValue=-999 a.nc:t'
	[ "$status" -eq 0 ]
	[[ $stderr == 'axt-attr: warning: elements of a.nc:t that are 1e+20f are no longer missing: '*' changes them, too' ]]
	cure=${stderr#*missing: }
	prints 3 'axt-reduce count a.nc:t -p'
	works "${cure% changes them*}"
	prints '_FillValue:=-999.f' 'axt-attr _FillValue a.nc:t'
	prints $'1\nnan\n3' 'axt-print a.nc:t'
	works 'axt-attr _FillValue=-999 a.nc:t'
	works 'axt-attr units=K a.nc:t'
}

@test "no change of a file depends on the time of day, also where its objects keep times" {
	py 'f = h5py.File("was.h5", "w", track_order=True)
for n in "v", "w":
    d = f.create_dataset(n, data=np.arange(6.).reshape(2, 3), track_times=True)
x = f.create_dataset("r", data=np.arange(3.), maxshape=(None,), chunks=(3,), track_times=True)
g = f.create_group("g", track_order=True)
g["u"] = np.arange(2.)'
	for d in one two; do
		n=0
		while read -r line; do
			n=$((n + 1))
			mkdir -p $d/$n
			cp was.h5 $d/$n/f.h5
			works "cd $d/$n && axt-$line"
			run ! cmp -s $d/$n/f.h5 was.h5
		done <<-'EOF'
			attr units=m f.h5:v
			attr --in-place units=m f.h5:v
			attr note=x f.h5:/g/
			move v=z f.h5
			remove f.h5:w
			kind variable f.h5:v
			calc 'f.h5:v[dim_0=0] += 1; f.h5:w[dim_1=1] = 7'
			add f.h5:v 1 -o f.h5:/g/sum
		EOF
		sleep 1.1
	done
	diff -r one two
}

@test "AXIS.NAME is no name of an attribute where there is such an axis" {
	py 'f = h5py.File("d.h5", "w"); f["time"] = np.arange(3.); f["time"].make_scale("time"); f["t"] = np.ones(3); f["t"].dims[0].attach_scale(f["time"])
f["t"].attrs["time.old"] = "x"'
	for name in units calendar long_name x; do
		fails 1 "axt-attr: \"time.$name\" would be an attribute of d.h5:t with a dot in its name: the other is time:$name" "axt-attr time.$name=noleap d.h5"
		[[ $stderr == *"hint: axt-attr time:$name=noleap d.h5:t"* ]]
		fails 1 "axt-copy: \"time.$name\" would be an attribute of *" "axt-copy d.h5 --attr time.$name=noleap -o e.h5"
	done
	fails 1 'axt-attr: "t.units" would be *the other is units' 'axt-attr t.units=K d.h5'
	fails 1 'axt-attr: d.h5:t has no attribute "time.units"' 'axt-attr time.units d.h5'
	works 'axt-attr time.old=y d.h5 && axt-attr other.units=K d.h5'
	prints y 'axt-attr --value time.old d.h5'
	works 'axt-attr time:units=days d.h5'
	prints days 'axt-attr --value time:units d.h5'
}
