load helper

# b0.nc, b1.nc: t(time), with times and bounds of other units.
make_two()
{
	py '
for k in (0, 1):
    f = h5py.File("b%d.nc" % k, "w")
    f["time"] = np.array([0.5, 1.5]); f["time"].make_scale("time")
    f["time"].attrs["units"] = np.bytes_("days since 2010-01-0%d" % (1 + 2 * k))
    f["time"].attrs["bounds"] = np.bytes_("time_bnds")
    f["time_bnds"] = np.array([[0., 1], [1, 2]]); f["time_bnds"].dims[0].attach_scale(f["time"])
    f["t"] = np.arange(2., dtype="f%d" % (4 + 4 * k)) + 5 * k; f["t"].dims[0].attach_scale(f["time"])
'
}

@test "end to end, axes in any order" {
	make_a
	axt-make iota:10 lon=3,lat=1 -o b.nc
	prints $'0 1 2\n3 4 5\n10 11 12' 'axt-concat lat a.nc b.nc -p'
	prints $'10 11 12\n0 1 2\n3 4 5' 'axt-concat lat - a.nc <b.nc | axt-order lat,lon -p'
	prints $'0 1 2\n3 4 5' 'axt-concat lon a.nc -p'
	prints $'0 1 2 0 1 2\n3 4 5 3 4 5' 'printf "%s\n" a.nc a.nc | axt-concat lon --files-from - -p'
	prints $'0 1 2\n3 4 5' 'axt-concat lat a.nc <(axt-slice lat=:0 a.nc) -p'
}

@test "CF times and their bounds are converted; dtypes promote" {
	make_two
	works 'axt-concat time -d t b0.nc b1.nc -o o.nc'
	prints $'time,t\n2010-01-01T12:00:00,0\n2010-01-02T12:00:00,1\n2010-01-03T12:00:00,5\n2010-01-04T12:00:00,6' \
	    'axt-print --csv o.nc'
	prints $'0 1\n1 2\n2 3\n3 4' 'axt-print o.nc:time_bnds'
	prints 'f64' 'axt-info o.nc | sed -n "s/^t \([^ ]*\).*/\1/p"'
}

# m0.nc, m1.nc: t(time) with ref(time), lead(x, time): times of other units and dtypes, one missing; p: hPa and Pa.
make_aux()
{
	py '
for k in (0, 1):
    f = h5py.File("m%d.nc" % k, "w")
    f["time"] = np.array([0, 1]) + 2 * k; f["time"].make_scale("time")
    f["x"] = np.arange(2); f["x"].make_scale("x")
    f["ref"] = np.array([6, 12 if k else -9], "i%d" % (4 + 4 * k))
    f["ref"].attrs["_FillValue"] = np.array([12 if k else -9], "i%d" % (4 + 4 * k))
    f["lead"] = np.array([[0, 24], [48, 72.]]) / (24 if k else 1)
    f["p"] = np.array([10., 20])
    for n, d in (("ref", ["time"]), ("p", ["time"]), ("lead", ["x", "time"]), ("t", ["time"])):
        if n == "t":
            f["t"] = np.arange(2.); f["t"].attrs["coordinates"] = np.bytes_("ref lead")
        for i, a in enumerate(d): f[n].dims[i].attach_scale(f[a])
    u = "hours since 2010-01-01", "days since 2010-01-02"
    for n in "ref", "lead": f[n].attrs["units"] = np.bytes_(u[k])
    f["p"].attrs["units"] = np.bytes_(("hPa", "Pa")[k])
'
}

@test "auxiliary times are converted, whatever their axes and dtypes; what is missing stays so" {
	make_aux
	works 'axt-concat time m0.nc:t m1.nc:t -o o.nc'
	prints $'2010-01-01T06:00:00\nnan\n2010-01-08\nnan' 'axt-add o.nc:ref 0 -p'
	prints $'0 24 24 48\n48 72 72 96' 'axt-attr units= o.nc:lead && axt-print o.nc:lead'
	prints 'ref:units=hours since 2010-01-01' 'axt-attr units o.nc:ref | sed s/^/ref:/'
}

@test "tensors of times, and of bounds, are converted as well" {
	make_two
	prints $'0 1\n1 2\n2 3\n3 4' 'axt-concat time b0.nc:time_bnds b1.nc:time_bnds -p'
	make_aux
	prints $'2010-01-01T06:00:00\nnan\n2010-01-08\nnan' 'axt-concat time m0.nc:ref m1.nc:ref -p'
	prints 'f64' 'axt-concat time m0.nc:ref m1.nc:ref | axt-info --json | sed -n "s/.*\"dtype\": \"\([a-z0-9]*\).*/\1/p" | head -n 1'
	for u in hours days minutes; do
		axt-make full:2 n=1 --dtype i32 --attr "units=$u since 2010-01-0${#u}" -o $u.nc
	done
	prints $'2010-01-05T02:00:00\n2010-01-06' 'axt-concat n hours.nc days.nc -p'
	prints i64 'axt-concat n hours.nc days.nc -o i.nc; axt-info i.nc | sed -n "s/^tensor \([^ ]*\).*/\1/p"'
	prints $'2010-01-06\n2010-01-05T02:00:00' 'axt-concat n days.nc hours.nc -p'
	prints $'2010-01-05T02:00:00\n2010-01-07T00:02:00' 'axt-stack m hours.nc minutes.nc -p'
	cp minutes.nc later.nc
	axt-attr 'units=minutes since 2010-01-08' later.nc
	prints $'2010-01-07T00:02:00\n2010-01-08T00:02:00' 'axt-concat n minutes.nc later.nc -p'
	axt-attr calendar=noleap days.nc
	fails 1 'axt-concat: calendar standard in hours.nc:tensor, noleap in days.nc:tensor' \
	    'axt-concat n hours.nc days.nc -o o.nc'
}

@test "auxiliary datasets of units that are not converted" {
	make_aux
	axt-attr coordinates=p m0.nc:t
	axt-attr coordinates=p m1.nc:t
	fails 1 'axt-concat: dataset "p" has units "hPa" in m0.nc:t and "Pa" in m1.nc:t' \
	    'axt-concat time m0.nc:t m1.nc:t -o o.nc'
	hints '--join override:time takes the numbers as they are'
	[ ! -e o.nc ]
	prints $'10\n20\n10\n20' \
	    'axt-concat --join override:time time m0.nc:t m1.nc:t -o o.nc && axt-print o.nc:p'
	axt-attr units=hPa m1.nc:p
	axt-attr units=mbar m0.nc:p
	prints $'10\n20\n10\n20' 'axt-concat time m0.nc:t m1.nc:t -o o.nc && axt-print o.nc:p'
}

@test "coordinates of units that are not converted" {
	axt-make iota t=2 | axt-coord set t=0:1 --attr 't:units=fortnights since 2000-01-01' -o a.nc
	axt-make iota t=2 | axt-coord set t=2:1 --attr 't:units=fortnights since 1990-01-01' -o b.nc
	fails 1 'axt-concat: axis "t" has units "fortnights since 2000-01-01" in a.nc:tensor and "fortnights since 1990-01-01" in b.nc:tensor' \
	    'axt-concat t a.nc b.nc -o o.nc'
	hints '--join override:t takes the numbers as they are'
	prints $'0\n1\n2\n3' 'axt-concat --join override:t t a.nc b.nc -o o.nc && axt-print o.nc:t'
	axt-attr t:units=hPa a.nc
	axt-attr t:units=Pa b.nc
	fails 1 'axt-concat: axis "t" has units "Pa"*"hPa"*' 'axt-concat t b.nc a.nc -o p.nc'
	axt-attr t:units=millibar b.nc
	works 'axt-concat t a.nc b.nc -o o.nc'
	axt-attr t:units= b.nc
	works 'axt-concat t a.nc b.nc -o o.nc'
}

@test "months since a date become days where other units follow" {
	axt-make iota t=2 | axt-coord set t=0:1 --attr 't:units=months since 2000-01-31' -o a.nc
	axt-make iota t=2 | axt-coord set t=60:2 --attr 't:units=days since 2000-01-01' -o b.nc
	axt-make iota t=2 | axt-coord set t=2:1 --attr 't:units=months since 2000-01-31' -o c.nc
	prints $'2000-01-31\n2000-03-02\n2000-03-31\n2000-05-01' 'axt-concat t a.nc c.nc -o o.nc && axt-print o.nc:t'
	prints 't:units=months since 2000-01-31' 'axt-attr t:units o.nc'
	axt-slice t=0 b.nc -o b0.nc
	fails 1 'axt-concat: axis "t" is not increasing: 2000-03-02 (a.nc:tensor) is followed by 2000-03-01 (b.nc:tensor)' \
	    'axt-concat t a.nc b.nc -o p.nc'
	prints $'2000-01-31\n2000-03-01\n2000-03-03' 'axt-slice t=:1 a.nc | axt-concat t - b.nc -o p.nc && axt-print p.nc:t'
	prints 't:units=days since 2000-01-31' 'axt-attr t:units p.nc'
	prints 't:units=days since 2000-01-31' 'axt-slice t=:1 a.nc | axt-reduce mean --every day - -o q.nc && axt-attr t:units q.nc'
	fails 1 'axt-convert: units "days since 2000-01-01" (coordinates "t" of b.nc:tensor) cannot be converted to "months since 1999-01-01": a month has no fixed length' \
	    "axt-convert --coord t --to 'months since 1999-01-01' b.nc"
}

@test "coordinates go on in one direction" {
	make_two
	fails 1 'axt-concat: axis "time" is not increasing: 2010-01-04* (b1.nc:t) is followed by 2010-01-01* (b0.nc:t)' \
	    'axt-concat time b1.nc:t b0.nc:t -o o.nc'
	hints '*override:time*'
	prints $'5\n6\n0\n1' 'axt-concat --join override:time time b1.nc:t b0.nc:t -p'
	fails 1 'axt-concat: axis "time"*' 'axt-concat time b0.nc:t b0.nc:t -o o.nc'
	[ ! -e o.nc ]
}

@test "--raw: values packed differently do not meet" {
	axt-make iota x=2 --dtype f64 --name t | axt-cast --pack i16:0.5:273.5 -o p.nc
	axt-make iota:290 x=2 --dtype f64 --name t | axt-cast --pack i16:0.02:300 -o q.nc
	axt-make iota x=2 --dtype f32 --name t -o f.nc
	fails 1 'axt-concat: stored values of p.nc:t (i16, scale_factor 0.5, add_offset 273.5, _FillValue -32768) and q.nc:t (i16, scale_factor 0.02, add_offset 300, _FillValue -32768) do not mean the same' \
	    'axt-concat x --raw p.nc p.nc q.nc -o o.nc'
	hints '*without --raw*'
	fails 1 'axt-concat: stored values of f.nc:t (f32) and p.nc:t (i16, *' 'axt-concat x --raw f.nc p.nc -o o.nc'
	fails 1 'axt-concat: stored values of p.nc:t (i16, *) and f.nc:t (f32)*' 'axt-concat x --raw p.nc f.nc -o o.nc'
	cp p.nc u.nc && axt-attr _Unsigned=true u.nc:t
	fails 1 'axt-concat: *_FillValue -32768, _Unsigned true)*' 'axt-concat x --raw p.nc u.nc -o o.nc'
	[ ! -e o.nc ]
	prints $'0\n1\n290\n291' 'axt-concat x p.nc q.nc | axt-print --format %.4g'
	prints $'0\n1\n0\n1' 'axt-concat x --raw p.nc p.nc -o o.nc; axt-print --format %.4g o.nc'
	prints $'0\n1\n0\n1' 'axt-concat x --raw f.nc f.nc | axt-print'
}

@test "what is refused" {
	make_a
	make_cf
	axt-slice lon=1: a.nc -o n.nc
	fails 1 'axt-concat: axis "lon" has length 3 in a.nc:tensor and 2 in n.nc:tensor' 'axt-concat lat a.nc n.nc -o o.nc'
	fails 1 'axt-concat: no axis "x" in a.nc:tensor*' 'axt-concat x a.nc a.nc -o o.nc'
	fails 1 'axt-concat: *cf.nc*' 'axt-concat lat a.nc cf.nc -o o.nc'
	fails 1 'axt-concat: none.nc: *' 'axt-concat lat a.nc none.nc -o o.nc'
	fails 2 'axt-concat: operand A is missing' 'axt-concat lat'
	[ ! -e o.nc ]
}

@test "what is joined or split stays compressed as it was" {
	py '
for k in range(2):
    f = h5py.File(f"c{k}.nc", "w")
    f["time"] = np.arange(20.) + 20*k; f["time"].make_scale("time"); f["lat"] = np.arange(6.); f["lat"].make_scale("lat")
    f["time"].attrs["units"] = "days since 2001-12-20"
    for name, kw in (("t", dict(chunks=(4, 3), compression="gzip", compression_opts=7, shuffle=True)), ("plain", {})):
        d = f.create_dataset(name, data=np.arange(120, dtype="i2").reshape(20, 6), **kw)
        d.dims[0].attach_scale(f["time"]); d.dims[1].attach_scale(f["lat"])
    f["land"] = np.arange(6.); f["land"].dims[0].attach_scale(f["lat"])
'
	layout()
	{
		/usr/bin/python3 -c 'import h5py, sys; d = h5py.File(sys.argv[1])[sys.argv[2]]; print(d.chunks, d.compression, d.compression_opts, d.shuffle)' "$@"
	}
	works 'axt-concat time c0.nc:t c1.nc:t -o o.nc'
	[ "$(layout o.nc t)" = '(4, 3) gzip 7 True' ]
	works 'axt-concat time --each c0.nc c1.nc -o o.nc'
	[ "$(layout o.nc t)" = '(4, 3) gzip 7 True' ]
	[ "$(layout o.nc plain)" = 'None None None False' ]
	works 'axt-concat time c0.nc:t c1.nc:t --deflate 0 -o p.nc && axt-equal p.nc o.nc:t'
	[ "$(layout p.nc t)" = 'None None None False' ]
	works 'axt-concat time c0.nc:t c1.nc:t --deflate 1 --chunk time=9 -o p.nc && axt-equal p.nc o.nc:t'
	[ "$(layout p.nc t)" = '(9, 6) gzip 1 True' ]
	works "axt-concat time c0.nc:t c1.nc:t | axt-split time.year -P 's{}.nc' && axt-split time.year -P 'y{}.nc' --each o.nc"
	[ "$(layout y2001.nc t) $(layout y2002.nc t)" = '(4, 3) gzip 7 True (4, 3) gzip 7 True' ]
	works 'axt-concat time --each y2001.nc y2002.nc -o q.nc && axt-equal q.nc o.nc'
	works "axt-split time -P 'i{}.nc' o.nc:t && axt-stack time i*.nc | axt-equal - o.nc:t"
	[ "$(layout i07.nc t)" = '(3,) gzip 7 True' ]
	works "axt-split time -P 'i{}.nc' --deflate 0 o.nc:t"
	[ "$(layout i07.nc t)" = 'None None None False' ]
	works 'axt-add c0.nc:t c1.nc:t --join override -o sum.nc'
	[ "$(layout sum.nc t)" = 'None None None False' ]
}

@test "bounds that only some operands have are left out, and told once" {
	make_two
	axt-coord set time=9:1 --attr 'time:units=days since 2010-01-01' b1.nc:t -o c.nc
	axt-add 1 c.nc --name u -o c.nc:u
	axt-add 1 b0.nc:t --name u -o b0.nc:u
	warned 'axt-concat: warning: time_bnds along axis "time" of b0.nc:t is left out: c.nc:t has none' 'axt-concat time b0.nc:t c.nc:t -o o.nc'
	run ! ncdump -v time_bnds o.nc
	warned 'axt-concat: warning: time_bnds along axis "time" of b0.nc:* is left out: c.nc:* has none' 'axt-concat time --each b0.nc c.nc -o o.nc'
}

@test "tensors without the axis are the first file's: a warning where others have other values" {
	for i in 0 1 2; do
		axt-make iota:$i t=2 --name v | axt-coord set t=$((2 * i)):1 -o f$i.nc
		axt-make full:7 y=2 --name m -o f$i.nc:m
	done
	works 'axt-concat t --each f0.nc f1.nc f2.nc -o o.nc'
	axt-make full:8 y=2 --name m -o f2.nc:m
	warned 'axt-concat: warning: f0.nc:/m, which has no axis "t", is in the result as it is; f2.nc:/m has other values' 'axt-concat t --each f0.nc f1.nc f2.nc -o o.nc'
	prints $'7\n7' 'axt-print o.nc:m'
	works 'axt-concat t --each --quiet f0.nc f2.nc -o o.nc'
}
