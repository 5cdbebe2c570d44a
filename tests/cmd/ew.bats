load helper
# axt-add ... axt-xor: one program, found by its name.

@test "there is a command for every row, and no other" {
	for n in $("$AXT_TOP/scripts/ops" commands); do
		[ -x "$AXT_BIN/axt-$n" ]
		works "axt-$n -h"
		[[ $output == "usage: axt-$n [option ...] A B"* ]]
	done
	[ "${AXT_SANITIZER-}" != qemu ] || skip "a script starts it, which has another name"
	sh_run '(exec -a axt-nothing axt 1 2 -p)'
	[ "$status" -eq 2 ]
	[[ $stderr == 'axt-nothing: there is no command of this name; axt list tells them' ]]
}

@test "values" {
	prints 5 'axt-add 2 3 -p'
	prints -1 'axt-sub 2 3 -p'
	prints 6 'axt-mul 2 3 -p'
	prints 3.5 'axt-div 7 2 -p'
	prints -4 'axt-floordiv -7 2 -p'
	prints 1 'axt-mod -7 2 -p'
	prints 8 'axt-pow 2 3 -p'
	prints 2 'axt-minimum 2 3 -p'
	prints 3 'axt-maximum 2 3 -p'
	prints 5 'axt-hypot 3 4 -p'
	prints 0 'axt-atan2 0 1 -p'
	prints -2 'axt-copysign 2 -1 -p'
	prints false 'axt-eq 2 3 -p'
	prints true 'axt-ne 2 3 -p'
	prints true 'axt-lt 2 3 -p'
	prints true 'axt-le 3 3 -p'
	prints false 'axt-gt 2 3 -p'
	prints true 'axt-ge 3 3 -p'
	prints true 'axt-and 3 6 -p'
	prints false 'axt-and 1 2 0 -p'
	prints true 'axt-or 0 0 -2.5 -p'
	prints 2 'axt-bitwise-and 3 6 -p'
	prints 7 'axt-bitwise-or 3 6 -p'
	prints 5 'axt-xor 3 6 -p'
}

@test "many operands: add mul minimum maximum and or xor" {
	for n in add mul minimum maximum and or xor; do
		works "axt-$n 1 3 7 -p"
		[[ $(axt-$n -h) == *"A B ..."* ]]
	done
	prints 10 'axt-add 1 2 3 4 -p'
	prints 24 'axt-mul 1 2 3 4 -p'
	fails 2 'axt-hypot: too many operands: "3"' 'axt-hypot 1 2 3'
}

@test "operands meet by name; what one lacks is broadcast" {
	make_a
	axt-order lon,lat a.nc -o b.nc
	prints $'0 2 4\n6 8 10' 'axt-add a.nc b.nc -p'
	axt-make iota lon=3 -o v.nc
	prints $'0 2 4\n3 5 7' 'axt-add a.nc v.nc -p'
	prints '      "axes": ["lon", "lat"],' 'axt-add v.nc a.nc | axt-info --json | grep axes'
	axt-make iota time=2 -o t.nc
	prints '      "shape": [2, 3, 2],' 'axt-add a.nc t.nc | axt-info --json | grep shape'
}

@test "the difference of two times is a duration" {
	axt-make iota time=3 | axt-coord set time=0:6 --attr 'time:units=hours since 2000-01-01' \
	    --attr time:calendar=noleap -o t.nc
	prints $'units=hours' 'axt-sub t.nc:time t.nc:time | axt-attr units -'
	prints '' 'axt-sub t.nc:time t.nc:time -o d.nc; ncdump -h d.nc | grep tensor:calendar || :'
	prints $'6\n6' "axt-calc --join override 'a[time=1:] - a[time=:-1]' a=t.nc:time -p"
	prints $'-6\n0\n6' 'axt-reduce mean t.nc:time | axt-sub t.nc:time - | axt-print'
	prints $'12' "axt-calc 'max(a) - min(a)' a=t.nc:time -p"
	prints $'2000-01-01T01:00:00\n2000-01-01T07:00:00\n2000-01-01T13:00:00' \
	    'axt-sub t.nc:time -- -1 | axt-print'
	prints $'units=hours since 2000-01-01' 'axt-sub t.nc:time 1 | axt-attr units -'
	prints $'units=K' 'axt-attr units=K t.nc:tensor; axt-sub t.nc:tensor t.nc:tensor | axt-attr units -'
	py '
import xarray as xr
d = xr.open_dataset("d.nc", decode_timedelta=True)["tensor"]
assert d.dtype == "m8[ns]" and (d == np.timedelta64(0)).all()'
}

@test "lengths that differ: the axis, both lengths, both operands" {
	axt-make iota lat=73 -o a.nc
	axt-make iota lat=72 -o b.nc
	fails 1 'axt-add: axis "lat" has length 73 in a.nc:tensor and 72 in b.nc:tensor' 'axt-add a.nc b.nc -p'
}

@test "NaN: comparisons are false, ne is true; minimum and maximum propagate" {
	for c in eq lt le gt ge; do
		prints false "axt-$c nan 1 -p"
	done
	prints true 'axt-ne nan nan -p'
	prints nan 'axt-maximum nan 1 -p'
	prints nan 'axt-minimum 1 nan -p'
}

@test "integer division by zero is an error" {
	make_a
	fails 1 'axt-floordiv: *' 'axt-floordiv a.nc 0 -p'
	fails 1 'axt-mod: *' 'axt-mod a.nc 0 -p'
	works 'axt-div a.nc 0 -p'
}

@test "a number takes the kind of the tensor" {
	axt-make ones x=1 --dtype u8 -o u.nc
	prints '      "dtype": "u8",' 'axt-add u.nc 1 | axt-info --json | grep dtype | head -n 1'
	prints '      "dtype": "f64",' 'axt-add u.nc 0.5 | axt-info --json | grep dtype | head -n 1'
	fails 1 'axt-add: *' 'axt-add u.nc 300 -p'
}

@test "no kernel for the dtype: an error" {
	fails 1 'axt-bitwise-and: *' 'axt-bitwise-and 1.5 2 -p'
}

@test "integers that wrap are told of, and computed in what --dtype asks for" {
	axt-make full:5 x=3000 --dtype u8 -o a.h5
	axt-make full:10 x=3000 --dtype u8 -o b.h5
	warned 'axt-sub: warning: a.h5:tensor - b.h5:tensor is below 0 in places, where u8 wraps around: cast an operand first (axt-cast --dtype i16, in axt-calc cast(a, i16))' \
		'axt-sub a.h5 b.h5 -o o.h5'
	warned 'axt-calc: warning: a.h5:tensor - b.h5:tensor is below 0*' 'axt-calc "max(abs(a - b))" a=a.h5 b=b.h5 -p'
	[ "$output" = 251 ]
	works 'axt-sub b.h5 a.h5 -o o.h5'
	works 'axt-sub a.h5 b.h5 --dtype i16 -o o.h5'
	prints '-5' 'axt-slice x=7 o.h5 -p'
	prints '-5' 'axt-sub a.h5 10 --dtype i16 | axt-slice x=7 -p'
	works 'axt-sub -q a.h5 b.h5 -o o.h5'
	prints '-5' 'axt-map negative a.h5 --dtype i32 | axt-slice x=7 -p'
	prints '15' 'axt-add a.h5 b.h5 | axt-slice x=7 -p'
	# every operation, also where it is folded over many operands or runs in another tool
	axt-make full:200 x=3000 --dtype u8 -o u.h5
	axt-make full:-128 x=3000 --dtype i8 -o i.h5
	axt-make full:4611686018427387904 x=3000 --dtype i64 -o l.h5
	while read -r says wide command; do
		warned "*: warning: ${says//_/ } in places, where *: cast an operand first (axt-cast --dtype $wide, in axt-calc cast(a, $wide))" "$command -o o.h5"
	done <<-'EOF'
		u.h5:tensor_+_u.h5:tensor_is_out_of_range u16 axt-add u.h5 u.h5
		add(u.h5:tensor,_u.h5:tensor,_...)_is_out_of_range u16 axt-add $(yes u.h5 | head -n 40)
		u.h5:tensor_+_100_is_out_of_range u16 axt-add u.h5 100
		u.h5:tensor_*_2_is_out_of_range u16 axt-mul u.h5 2
		square(u.h5:tensor)_is_out_of_range u16 axt-map square u.h5
		pow(u.h5:tensor,_2)_is_out_of_range f64 axt-pow u.h5 2
		negative(u.h5:tensor)_is_below_0 i16 axt-map negative u.h5
		negative(i.h5:tensor)_is_out_of_range i16 axt-map negative i.h5
		absolute(i.h5:tensor)_is_out_of_range i16 axt-map absolute i.h5
		i.h5:tensor_-_1_is_out_of_range i16 axt-sub i.h5 1
		floordiv(i.h5:tensor,_-1)_is_out_of_range i16 axt-floordiv i.h5 -1
		l.h5:tensor_+_l.h5:tensor_is_out_of_range f64 axt-add l.h5 l.h5
		l.h5:tensor_*_2_is_out_of_range f64 axt-mul l.h5 2
	EOF
	axt-concat x u.h5 a.h5 -o ua.h5
	warned 'axt-diff: warning: diff(ua.h5:tensor) is below 0 in places, where u8 wraps around: cast*i16))' 'axt-diff --along x ua.h5 -o o.h5'
	works 'axt-add i.h5 0 -o o.h5'
	works 'axt-mul a.h5 b.h5 -o o.h5'
	works 'axt-diff --along x a.h5 -o o.h5'
	# a narrower one is a cast at the end
	axt-make full:300 x=2 --dtype i32 -o c.h5
	prints $'100\n100' 'axt-sub c.h5 200 --dtype i8 -p'
	prints $'0.1\n0.1' 'axt-make full:0.1 x=2 --dtype f64 | axt-add - 0 --dtype f32 -p'
}

@test "the sign of NaN says nothing, whatever the instruction set" {
	axt-sub <(axt-make iota x=13 --dtype f64) 6 | axt-map log2 -o l.h5
	isas=$(isas)
	first=${isas%% *}
	prints "$(printf '1\n%.0s' 1 2 3 4 5 6)"$'\n-1\n1\n1\n1\n1\n1\n1' "AXT_ISA=$first axt-copysign 1 l.h5 -p"
	for isa in $isas; do
		AXT_ISA=$isa axt-map sin l.h5 -o o.h5 || continue
		works "axt-equal <(AXT_ISA=$first axt-copysign 1 l.h5) <(AXT_ISA=$isa axt-copysign 1 l.h5)"
		works "axt-equal <(AXT_ISA=$first axt-copysign 1 <(AXT_ISA=$first axt-map log2 l.h5)) <(AXT_ISA=$isa axt-copysign 1 <(AXT_ISA=$isa axt-map log2 l.h5))"
	done
	py 'f = h5py.File("n.h5", "w"); f["v"] = np.array([-np.nan, np.nan, -1.0]); assert np.signbit(f["v"][0])'
	prints $'1\n1\n-1' 'axt-copysign 1 n.h5 -p'
}

@test "outer products that look like mistakes are told of" {
	axt-make iota lat=3,lon=4 | axt-coord set lat=0:1 lon=0:1 -o a.nc
	axt-rename lat=latitude,lon=longitude a.nc -o b.nc
	warned 'axt-sub: warning: an outer product: lat, lon (3, 4) and latitude, longitude (3, 4) give lat, lon, latitude, longitude (3, 4, 3, 4), *; axt-rename latitude=lat,longitude=lon b.nc:tensor lets axes meet, --axes lat,lon,latitude,longitude (in axt-calc, around it: broadcast(..., (lat,lon,latitude,longitude))) says that it is meant' \
		'axt-sub a.nc b.nc -o o.nc'
	works 'axt-sub a.nc b.nc --axes lat,lon,latitude,longitude -o o.nc'
	works 'axt-calc "broadcast(a - b, (lat,lon,latitude,longitude))" a=a.nc b=b.nc -o o.nc'
	works 'axt-sub -q a.nc b.nc -o o.nc'
	warned 'axt-sub: warning: an outer product: *' 'axt-sub a.nc b.nc | axt-map square | axt-reduce sum -o o.nc'
	axt-rename lat=u,lon=v a.nc -o c.nc
	warned 'axt-sub: warning: an outer product: *' 'axt-sub a.nc c.nc -o o.nc'
	# a year more for each of many times
	axt-make iota time=1000,lat=30,lon=40 --dtype f32 -o t.nc
	axt-make iota yr=20,lat=30,lon=40 --dtype f32 -o y.nc
	warned 'axt-sub: warning: an outer product: time, lat, lon *' 'axt-sub t.nc y.nc | axt-slice lat=0 lon=0 -o o.nc'
	works 'axt-calc "max(t - y)" t=t.nc y=y.nc -o o.nc'
	# weights, and parts of one table
	axt-make iota lat=3 -o lat.nc; axt-make iota lon=4 -o lon.nc; axt-make iota time=5 -o time.nc
	works 'axt-mul lat.nc lon.nc -o o.nc'
	works 'axt-mul a.nc time.nc -o o.nc'
	works 'axt-mul a.nc lat.nc -o o.nc'
	axt-make iota A=3,B=4 -o ab.nc; axt-make iota C=2,B=4,D=3 -o cbd.nc
	works 'axt-add ab.nc cbd.nc -o o.nc'
}

@test "sums keep the names and cell methods in which their operands agree" {
	axt-make ones time=3 --name a --attr 'long_name=Max' --attr 'cell_methods=time: maximum' --attr units=K --attr standard_name=air_temperature -o a.nc
	axt-copy a.nc --attr 'long_name=Min' --attr 'cell_methods=time: minimum' -o b.nc
	axt-copy a.nc --attr 'cell_methods=time: maximum within years time: mean over years' -o c.nc
	for op in + -; do
		works "axt-calc '(a $op b)/2' a=a.nc b=b.nc --name m -o m.nc"
		prints 'standard_name=air_temperature' 'axt-attr m.nc | grep ^.*_name= | grep -v history'
		works "axt-calc 'a $op c' a=a.nc c=c.nc --name m -o m.nc"
		prints 'cell_methods=time: maximum' 'axt-attr cell_methods m.nc'
	done
	axt-make ones time=15 --name v -o v.nc; axt-make ones water_year=15 --name v -o w.nc
	warned 'axt-sub: warning: an outer product: *' 'axt-sub v.nc w.nc -o o.nc'
}

@test "axes without names that NumPy would match from the last: a warning" {
	py 'h = h5py.File("n.h5", "w"); h["v"] = np.arange(27.).reshape(3, 3, 3); h["b"] = np.arange(9.).reshape(3, 3); h["w"] = np.ones((2, 3)); h["m"] = np.ones(2); h["m3"] = np.ones(3)'
	sh_run 'axt-sub n.h5:v n.h5:b -o d.h5'
	[ "$status" -eq 0 ]
	[[ $stderr == 'axt-sub: warning: axes without names meet by their numbers, and n.h5:b has dim_0, dim_1 (3, 3), n.h5:v has dim_0, dim_1, dim_2 (3, 3, 3); NumPy lets the last ones meet: axt-rename dim_0=dim_1,dim_1=dim_2 n.h5:b does so' ]]
	works 'axt-rename dim_0=dim_1,dim_1=dim_2 n.h5:b | axt-sub n.h5:v - -o d.h5'
	py 'h = h5py.File("n.h5"); assert (h5py.File("d.h5")["v"][:] == h["v"][:] - h["b"][:]).all()'
	works 'axt-sub n.h5:v n.h5:b --axes dim_0,dim_1,dim_2 -o d.h5'
	works 'axt-sub n.h5:w n.h5:m -o d.h5' # only one way fits
	# in an expression the cure is one, and a result without a name is told by its operand
	warned '*lets the last ones meet: rename(b > 4, dim_0=dim_1, dim_1=dim_2) does so' 'axt-calc "v*(b > 4)" n.h5 -o d.h5'
	works 'axt-calc "v*rename(b > 4, dim_0=dim_1, dim_1=dim_2)" n.h5 -o d.h5'
	warned '*: rename(x, dim_0=dim_1, dim_1=dim_2) does so' 'axt-calc "v*x" n.h5 x=n.h5:b -o d.h5'
	warned 'axt-corr: warning: axes without *: axt-rename dim_0=dim_1,dim_1=dim_2 n.h5:b does so' 'axt-corr --over dim_0 n.h5:v n.h5:b -o d.h5'
	works 'axt-calc "v/sum(v, to=dim_0)" n.h5 -o d.h5' # computed here, by names
	works 'axt-calc "b - mean(b, over=dim_0) - mean(b, over=dim_1) + mean(b)" n.h5 -o d.h5'
	# what a reduction or a slice leaves has its numbers, and meets a dataset by them
	axt-reduce mean --over dim_0 n.h5:v -o m.h5
	for line in 'axt-calc "mean(v, over=dim_0) - b" n.h5' 'axt-calc "b - v[dim_0=0]" n.h5' 'axt-calc "mean(v, over=dim_0) - m3" n.h5' \
	    'axt-reduce mean --over dim_0 n.h5:v | axt-sub - n.h5:b' 'axt-sub m.h5 n.h5:b' 'axt-slice dim_0=0 n.h5:v | axt-corr - n.h5:b' \
	    'axt-calc "where(b > 3, v, nan)" n.h5' 'axt-where n.h5:b 0 n.h5:v' 'axt-clip 0 n.h5:b n.h5:v' \
	    'axt-reduce mean --to dim_0 --weights n.h5:b n.h5:v' 'axt-reduce sum --over dim_0,dim_1 --by n.h5:b n.h5:v' 'axt-hist --bins 3 --weights n.h5:b n.h5:v'; do
		warned '*: warning: axes without names meet by their numbers, *; NumPy lets the last ones meet: *rename*dim_*' "$line -o d.h5"
	done
	py 'h = h5py.File("n.h5", "a"); h["w4"] = np.ones((4, 2, 3))'
	fails 1 'axt-calc: axis "dim_1" has length 2 in *' 'axt-calc "mean(w4, over=dim_0) - w" n.h5 -p'
	hints 'axes without names meet by their numbers; rename(w, dim_0=dim_1, dim_1=dim_2) lets its axes meet *'
	# one that meets no axis, but is as long as one
	sh_run 'axt-calc "dot(rename(w, dim_0=n, dim_1=i), rename(b, dim_0=i, dim_1=j), over=i) + m3" n.h5 -o d.h5'
	[ "$status" -eq 0 ]
	[[ $stderr == *'warning: an outer product: n, j (2, 3) and dim_0 (3) give n, j, dim_0'*'rename(m3, dim_0=j) lets axes meet'* ]]
}

@test "a result that is multiplied by a power of ten and keeps its units: a warning" {
	axt-make ones x=2 --name a --attr units=m2 --dtype f64 -o a.nc
	warned "axt-div: warning: the result still has units \"m2\", and 1e-12 as many of them; --attr 'units=1000000000000 m2' says what it counts, axt-convert --to UNITS converts values and units" 'axt-div a.nc 1e12 -o o.nc'
	warned "axt-calc: warning: *, and 1000 as many of them; --attr 'units=0.001 m2' *" 'axt-calc "1000*a" a.nc -o o.nc'
	works "axt-div a.nc 1e12 --attr 'units=1e12 m2' -q -o o.nc"
	prints 1 'axt-convert --to m2 o.nc | axt-slice x=0 -p'
	for line in 'axt-mul a.nc 2' 'axt-div a.nc 10' 'axt-calc a/3 a.nc' 'axt-mul a.nc 0.5' 'axt-add a.nc 100'; do
		works "$line -o o.nc"
	done
	works 'axt-mul a.nc 100 --attr units=cm2 -o o.nc'
}

@test "a number before a tensor is as one behind it; coordinates along an axis come with it from any operand" {
	py "
f = h5py.File('un.h5', 'w'); d = f.create_dataset('b', data=np.arange(3.)); d.attrs['units'] = 'Jy beam-1'; d.attrs['long_name'] = 'x'
f = h5py.File('ctd.h5', 'w')
f['p'], f['st'] = np.arange(6.)*5, np.arange(2.); f['p'].make_scale('p'); f['st'].make_scale('st')
f['T'] = 20 - np.arange(12.).reshape(2, 6); f['T'].dims[0].attach_scale(f['st']); f['T'].dims[1].attach_scale(f['p'])
f['lat'] = np.array([42., 43]); f['lat'].dims[0].attach_scale(f['st']); f['T'].attrs['coordinates'] = 'lat'"
	for line in 'b*4' '4*b' '4*b*1'; do
		prints $'units=Jy beam-1\nlong_name=x' "axt-calc '$line' un.h5 -o v.h5; axt-attr v.h5 | grep -v history"
	done
	works "axt-calc '4/b' un.h5 -o v.h5"
	fails 1 '*has no attribute*' 'axt-attr long_name v.h5'
	prints $'st,lat,p\n0,42,30\n1,43,0' "axt-calc 'fillnan(min(where(T < 15, p, nan), over=p, skip_nan=true), 30)' ctd.h5 --name p2 | axt-rename st=st --name p | axt-print --csv"
	prints 'coordinates=lat' "axt-calc 'p + 0*T' ctd.h5 --name q -o q.nc; axt-attr coordinates q.nc:q"
}

@test "a time is not subtracted from a duration" {
	axt-make iota init=2 --dtype f64 --name init2 --attr 'units=days since 2001-01-01' -o t.nc
	axt-make iota lead=3 --dtype f64 --name lead2 --attr units=hours -o l.nc
	fails 1 'axt-sub: t.nc:init2 is a time, and is subtracted from l.nc:lead2, which is none' 'axt-sub l.nc t.nc -p'
	works 'axt-sub -q t.nc l.nc -o o.nc; axt-add -q l.nc t.nc -o o.nc'
}

@test "sines of degrees: a warning" {
	axt-make ones lat=3 --name t | axt-coord set lat=-60:60 --attr lat:units=degrees_north -o t.nc
	warned 'axt-calc: warning: cos takes radians, and t.nc:lat has units "degrees_north": cos(radians(...)), axt-map radians' 'axt-calc "mean(t, weights=cos(lat))" t.nc -p'
	warned 'axt-map: warning: sin takes radians, and *' 'axt-map sin t.nc:lat -p'
	works 'axt-calc "mean(t, weights=cos(radians(lat)))" t.nc -p; axt-map radians t.nc:lat | axt-map cos -p'
	# bounds have the units of their coordinate
	axt-make ones cell=3,nv=2 --name vertices -o c.nc
	axt-make ones cell=3 --name clat --attr units=degrees_north -o c.nc:clat
	axt-attr --in-place coordinates=clat c.nc:vertices
	axt-attr --in-place bounds=vertices c.nc:clat
	warned 'axt-calc: warning: cos takes radians, and c.nc:vertices has units "degrees_north": *' 'axt-calc "cos(vertices[nv=0])" c.nc -o o.nc'
	works 'axt-calc "a = cos(radians(vertices)), b = cos(vertices*pi/180)" c.nc -o o.nc'
}

@test "dates that look alike in two calendars are shown with them" {
	for c in julian standard; do
		axt-make iota time=3 | axt-coord set time=0:3 --attr 'time:units=days since 2001-01-01' --attr "time:calendar=$c" -o "$c.nc"
	done
	fails 1 'axt-sub: axis "time" has other coordinates: at index 0 2001-01-01 (julian) in julian.nc:tensor and 2001-01-01 (standard) in standard.nc:tensor' \
		'axt-sub julian.nc standard.nc'
}

@test "a sum of two times is no time: a warning, but not where it is divided by two" {
	axt-make iota x=2 --attr 'units=hours since 2000-01-01' -o t.nc
	warned 'axt-add: warning: the result is a sum of times, "hours since 2000-01-01", which is no time*' 'axt-add t.nc t.nc -o o.nc'
	warned 'axt-add: warning: the result is a sum of times*' 'axt-add t.nc t.nc -p'
	warned 'axt-add: warning: the result is a sum of times*' 'axt-add t.nc t.nc | axt-print'
	prints '2000-01-01T01:00:00' "axt-calc '(t + t) / 2' t.nc | axt-slice x=1 -p"
	works 'axt-make ones x=2 --attr units=hours | axt-add t.nc -'
	works 'axt-add t.nc 3'
}

@test "a power by a small integer has the units of the product, of axt-pow and in an expression" {
	axt-make full:4 x=2 --attr units=m -o l.nc
	axt-make full:4 x=2 --attr units=m2 -o a.nc
	prints 'units=m2' 'axt-pow l.nc 2 -o o.nc; axt-attr units o.nc'
	prints 'units=m2' "axt-calc 'l^2' l.nc -o o.nc; axt-attr units o.nc"
	prints 'units=m3' "axt-calc 'pow(l, 3)' l.nc -o o.nc; axt-attr units o.nc"
	prints 'units=m' "axt-calc 'a^0.5' a.nc -o o.nc; axt-attr units o.nc"
	for e in 'l^l' '2^l' 'l^1.5' 'l^0.5'; do
		works "axt-calc '$e' l.nc -o o.nc"
		prints 0 "axt-attr o.nc | grep -c ^units || true"
	done
}
