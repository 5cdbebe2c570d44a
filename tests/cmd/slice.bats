load helper

@test "a backslash takes a colon of a dataset's name literally" {
	py 'h5py.File("l.h5", "w").update({"H1:LDAS-STRAIN": np.arange(4.), "a[0]": np.arange(2.), "b\\x": np.arange(3.)})'
	for name in 'H1\:LDAS-STRAIN' H1:LDAS-STRAIN; do
		prints $'1\n2' "axt-slice dim_0=1:3 \"l.h5:$name\" -p"
	done
	prints $'0\n1' "axt-slice dim_0=: 'l.h5:a\\[0\\]' -p"
	prints $'0\n1\n2' "axt-slice dim_0=: 'l.h5:b\\x' -p"
	fails 1 'axt-slice: *no dataset "H1:none"*' "axt-slice dim_0=1 'l.h5:H1\\:none' -p"
}

make_c()
{
	axt-make iota lat=3,lon=4 | axt-coord set lat=-30:30 lon=0:90 --attr lon:units=degrees_east -o c.nc
}

@test "by position" {
	make_c
	prints $'4\n5\n6\n7' 'axt-slice lat=1 c.nc -p'
	prints $'8 9 10 11\n0 1 2 3' 'axt-slice lat=-1,0 <c.nc -p'
	prints $'lat,lon,tensor\n30,90,9\n30,180,10\n-30,90,1\n-30,180,2' \
	    'axt-slice lat=::-2 lon=1:3 c.nc | axt-print --csv'
	prints $'5' 'axt-slice c.nc lat=1 lon=1 -p'
	prints '' 'axt-slice -q lat=2:1 c.nc -p'
	sh_run 'axt-slice lat=2:1 c.nc -p'
	[ "$status" -eq 0 ] && [ -z "$output" ]
	[ "$stderr" = 'axt-slice: warning: lat=2:1 takes nothing: a range ends before its second number; lat=1:3 takes 1 to 2' ]
	prints '      "shape": [0, 4],' 'axt-slice -q lat=2:1 c.nc | axt-info --json | grep -w shape'
}

@test "a range of longitudes across 0 that is written as positions" {
	works "axt-make iota lat=2,lon=72 | axt-coord set lat=0:5 lon=2.5:5 --attr lon:units=degrees_east -o wide.nc"
	sh_run 'axt-slice lon=-30:40 wide.nc -o w.nc'
	[ "$status" -eq 0 ]
	[ "$stderr" = 'axt-slice: warning: lon=-30:40 takes no position: lon@-30:40 selects by coordinate' ]
	sh_run 'axt-slice lon=-30:-10 wide.nc -o w.nc'
	[ "$status" -eq 0 ] && [ -z "$stderr" ]
	prints '14' 'axt-slice lon@-30:40 wide.nc | axt-slice lat=0 | axt-reduce count -p'
}

@test "by coordinate" {
	make_c
	prints $'lon,tensor\n-90,7\n0,4\n90,5' 'axt-slice lat@0 lon@-90:90 c.nc | axt-print --csv'
	prints $'lon,tensor\n270,7\n360,4' 'axt-slice lat@0 lon@270:360 c.nc | axt-print --csv'
	prints $'8 9 10 11\n0 1 2 3' 'axt-slice lat@30,-30 c.nc -p'
	prints $'0\n4' 'axt-slice lat@:10 lon=0 c.nc -p'
	prints $'4' 'axt-slice lat@10 lon=0 --nearest c.nc -p'
	fails 1 'axt-slice: axis "lat"*has no 10: nearest is 0; it runs from -30 to 30' 'axt-slice lat@10 c.nc'
	fails 1 'axt-slice: axis "lat"*nothing in 40:*' 'axt-slice lat@40: c.nc'
}

@test "dates" {
	make_cf
	prints $'time,lat,t\n2010-01-02T12:00:00,10,3' 'axt-slice time@2010-01-02 lat@10,10 cf.nc | axt-slice lat=:1 | axt-print --csv'
	prints $'0 1 2' 'axt-slice time@:2010-01-01 cf.nc -p'
	fails 1 '*2010-01-01 to 2010-01-02*' 'axt-slice time@2011 cf.nc'
}

@test "the coordinate of an axis that goes stays" {
	make_cf
	works 'axt-slice time=1 cf.nc -o s.nc'
	prints '2010-01-02T12:00:00' 'axt-print s.nc:time'
	prints 'coordinates=time' 'axt-attr coordinates s.nc'
	works 'axt-add s.nc <(axt-slice time=0 cf.nc) -o d.nc'
	sh_run 'axt-print d.nc:time'
	[ "$status" -ne 0 ]
}

@test "one value of a coordinate is a tensor, not its own coordinate" {
	axt-make iota time=3 | axt-coord set time=0:6 --attr 'time:units=hours since 2000-01-01' -o t.nc
	prints '2000-01-01T06:00:00' 'axt-slice time=1 t.nc:time | axt-print'
	prints '2000-01-01T06:00:00' 'axt-slice time=1 t.nc:time -o t1.nc; axt-print t1.nc'
	prints '0' "ncdump -h t1.nc | grep -c ':coordinates' || :"
	prints '2000-01-01T06:00:00' 'axt-slice time=1 t.nc:time --name other -o o.nc; axt-print o.nc:time'
	py '
f = h5py.File("b.nc", "w")
f["time"] = np.array([0.5, 1.5]); f["time"].make_scale("time")
f["time"].attrs["units"] = np.bytes_("days since 2010-01-01")
f["time"].attrs["bounds"] = np.bytes_("time_bnds")
f["time_bnds"] = np.array([[0., 1], [1, 2]]); f["time_bnds"].dims[0].attach_scale(f["time"])
g = h5py.File("self.nc", "w")
g["u"] = 7.0; g["u"].attrs["coordinates"] = "u v"; g["v"] = 8.0'
	prints '2010-01-02T12:00:00' 'axt-slice time=1 b.nc:time | axt-print'
	prints '2010-01-02T12:00:00' 'axt-slice time=1 b.nc:time -o t1.nc; axt-print t1.nc'
	prints $'1\n2' 'axt-print t1.nc:time_bnds'
	prints '7' 'axt-print self.nc'
}

@test "bounds follow; packed data keeps its bytes with --raw" {
	py '
f = h5py.File("b.nc", "w")
f["x"] = np.arange(3.); f["x"].make_scale("x"); f["x"].attrs["bounds"] = np.bytes_("x_b")
f["x_b"] = np.array([[0, 1.], [1, 2], [2, 3]]); f["x_b"].dims[0].attach_scale(f["x"])
f["t"] = np.array([10, 20, -1], "i2"); f["t"].dims[0].attach_scale(f["x"])
f["t"].attrs["scale_factor"] = 0.5; f["t"].attrs["_FillValue"] = np.int16(-1)
'
	works 'axt-slice x=1: b.nc:t -o s.nc'
	prints $'1 2\n2 3' 'axt-print s.nc:x_b'
	prints $'10\nnan' 'axt-print s.nc:t'
	prints $'20\n-1' 'axt-slice --raw x=1: b.nc:t -p'
	prints 'i16' 'axt-slice --raw x=1: b.nc:t | axt-info | sed -n "s/^t \([^ ]*\).*/\1/p"'
}

@test "what is refused" {
	make_c
	fails 1 'axt-slice: axis "lat" has length 3*no index 7' 'axt-slice lat=7 c.nc -o o.nc'
	fails 1 'axt-slice: no axis "x" in c.nc:tensor*' 'axt-slice x=1 c.nc -o o.nc'
	fails 2 'axt-slice: axis "lat": "a" is no position*' 'axt-slice lat=a c.nc -o o.nc'
	hints '*lat@SPEC*'
	fails 2 'axt-slice: *step*0' 'axt-slice lat=::0 c.nc -o o.nc'
	fails 2 'axt-slice: axis "lat" is named twice: lat=1 and lat=0' 'axt-slice lat=1 lat=0 c.nc -o o.nc'
	[ "${#stderr_lines[@]}" -eq 1 ]
	works 'axt-equal <(axt-slice lat=:2 lat=-1 c.nc) <(axt-slice lat=1 c.nc)'
	fails 2 'axt-slice: operand*missing' 'axt-slice'
	[ ! -e o.nc ]
}

# b.nc: a over four longitudes, whose bounds are 45 degrees to either side, in dtype $1.
make_bounds()
{
	py "
f = h5py.File('b.nc', 'w')
f['lon'] = np.arange(0, 360, 90, '$1'); f['lon'].make_scale('lon')
f['nv'] = np.zeros(2); f['nv'].make_scale('This is a netCDF dimension but not a netCDF variable         2')
f['lon'].attrs['units'] = np.bytes_('degrees_east'); f['lon'].attrs['bounds'] = np.bytes_('lon_bnds')
f['lon_bnds'] = np.array([[x + 45, x + 135] for x in range(0, 360, 90)], '$1') - 90 * ('$1'[0] != 'u')
f['a'] = np.arange(4); f['a'].dims[0].attach_scale(f['lon'])
for k, n in enumerate(('lon', 'nv')): f['lon_bnds'].dims[k].attach_scale(f[n])
"
}

@test "bounds run on across the seam, in a dtype that holds them" {
	for t in f8 f4 i8 i2; do
		make_bounds $t
		prints $'-90\n0\n90' 'axt-slice lon@-100:100 b.nc:a -o o.nc && axt-print o.nc:lon'
		prints $'-135 -45\n-45 45\n45 135' 'axt-print o.nc:lon_bnds'
		prints $'225 315\n315 405' 'axt-slice lon@260:370 b.nc:a -o o.nc && axt-print o.nc:lon_bnds'
		prints $'225 315\n-45 45' 'axt-slice lon=3,0 b.nc:a -o o.nc && axt-print o.nc:lon_bnds'
	done
	make_bounds u2
	prints $'-45 45\n45 135\n135 225' 'axt-slice lon@-100:100 b.nc:a -o o.nc && axt-print o.nc:lon_bnds'
}

@test "an index keeps the bounds of its coordinate, and names nothing that is not there" {
	make_bounds f8
	works 'axt-slice lon=1 b.nc:a -o o.nc'
	prints $'45\n135' 'axt-print o.nc:lon_bnds'
	prints $'\t\tlon:bounds = "lon_bnds" ;' 'ncdump -h o.nc | grep lon:bounds'
	works 'axt-slice lon=1 b.nc:a | axt-map square | axt-expand lon | axt-slice lon=0: -o p.nc'
	prints $'45 135' 'axt-print p.nc:lon_bnds'
	works 'axt-slice lon=1: b.nc:a | axt-slice lon=:1 | axt-squeeze | axt-equal - o.nc'
	works 'axt-expand lon=3 o.nc -o p.nc'
	prints '' 'ncdump -h p.nc | grep lon_bnds || true'
	works 'axt-slice lon=2 b.nc:a | axt-add o.nc - -o p.nc'	# they disagree, and go
	prints '' 'ncdump -h p.nc | grep -v history | grep lon || true'
}

@test "an axis keeps its bounds where the other operand has an index of it" {
	make_bounds f8
	for s in 'axt-slice lon=1 b.nc:a | axt-sub b.nc:a -' 'axt-slice lon=1 b.nc:a | axt-sub - b.nc:a'; do
		works "$s -o o.nc"
		prints $'45 135' 'axt-slice lon=1:2 o.nc -o p.nc && axt-print p.nc:lon_bnds'
	done
}

@test "positions that look like coordinates are told of" {
	axt-make iota lat=36 | axt-coord set lat=-87.5:5 -o a.nc
	warned 'axt-slice: warning: lat=-30:30 takes positions 6 to 29: lat@-30:30 selects by coordinate' \
		'axt-slice lat=-30:30 a.nc -o o.nc'
	warned 'axt-slice: warning: lat=-60:-20 takes positions 0 to 15: lat@-60:-20 *' 'axt-slice lat=-60:-20 a.nc -o o.nc'
	warned 'axt-slice: warning: lat=40:70 takes no position: lat@40:70 *' 'axt-slice lat=40:70 a.nc -o o.nc'
	warned 'axt-slice: warning: lat=-30 is position 6: lat@-30 *' 'axt-slice lat=-30 a.nc -o o.nc'
	warned 'axt-calc: warning: lat=-30:30 *' 'axt-calc "a[lat=-30:30]" a=a.nc -o o.nc'
	works 'axt-slice lat=-30:30 -q a.nc -o o.nc'
	fails 1 'axt-slice: axis "lat" has length 36*there is no index 60' 'axt-slice lat=60 a.nc -o p.nc'
	hints 'positions are 0 to 35; lat@60 selects by coordinate'
	axt-make iota time=3653 | axt-coord set time=0:1 --attr 'time:units=days since 2001-01-01' -o t.nc
	warned 'axt-slice: warning: time=2001 is position 2001: time@2001 selects by coordinate' 'axt-slice time=2001 t.nc -o o.nc'
	warned 'axt-slice: warning: time=2001:2005 takes positions 2001 to 2004: time@2001:2005 *' 'axt-slice time=2001:2005 t.nc -o o.nc'
	# positions
	for s in lat=5 lat=0 lat=-1 lat=-3: lat=:-3 lat=3:9 lat=0:30 lat=0:1000 lat=::2 lat=5,7; do
		works "axt-slice $s a.nc -o o.nc"
	done
	for s in time=0 time=-1 time=12 time=0:365 time=100:2500 time=-365:; do
		works "axt-slice $s t.nc -o o.nc"
	done
	axt-make iota x=36 | axt-coord set x=0:1 -o x.nc
	works 'axt-slice x=-30:30 x.nc -o o.nc'
	axt-make iota x=36 -o x.nc
	works 'axt-slice x=-30:30 x.nc -o o.nc'
}

@test "by fields of dates, and lists with ranges" {
	axt-make iota time=800 | axt-coord set time=0:1 --attr 'time:units=days since 2010-01-01' -o days.nc
	prints 2010-06-01 'axt-slice time.month@6:8 days.nc -o j.nc; axt-print j.nc:time | head -n 1'
	prints 184 'axt-slice time.month@6:8 days.nc | axt-reduce count -p'
	prints 184 'axt-slice time.season@JJA days.nc | axt-reduce count -p'
	prints 184 'axt-slice time.month@7,6,8 days.nc | axt-reduce count -p'
	prints 244 'axt-slice time.season@JJAS days.nc | axt-reduce count -p'
	prints 240 'axt-slice time.month@12:2 days.nc | axt-reduce count -p'
	prints 365 'axt-slice time.year@2011 days.nc | axt-reduce count -p'
	prints $'0\n31' 'axt-slice time.day@1 time@:2010-02 days.nc -p'
	prints $'1\n365' 'axt-slice time.date@2011-01-01,2010-01-02 days.nc -p'
	prints 365 "axt-calc 'count(d[time.year@2011])' d=days.nc -p"
	fails 2 'axt-slice: "time.month" is a field of dates*' 'axt-slice time.month=6 days.nc'
	hints 'axt-slice time.month@6 days.nc'
	fails 2 'axt-slice: "spring" is no season' 'axt-slice time.season@spring days.nc'
	fails 1 'axt-slice: axis "time" in days.nc:tensor has no year 1999: it has 2010 to 2012' 'axt-slice time.year@1999 days.nc'
	make_c
	prints $'lat,lon,tensor\n-30,0,0\n30,0,8' 'axt-slice lat@20:40,-40:-20 lon=:1 c.nc | axt-print --csv'
	prints $'0\n1\n2\n5\n9' 'axt-slice time=5,9,0:3,1 days.nc -p'
}

@test "the reason why an axis has no dates" {
	axt-make iota t=2 | axt-coord set t=0:1 --attr 't:units=fortnights since 2000-01-31' -o a.nc
	fails 1 'axt-slice: axis "t" in a.nc:tensor is no CF time axis: "fortnights" in its units "fortnights since 2000-01-31" is no unit of time' \
	    'axt-slice t.month@2 a.nc'
	fails 2 'axt-slice: axis "t": "2000-02" is no value*' 'axt-slice t@2000-02 a.nc'
	hints 'the axis has no dates: "fortnights" in its units*'
	fails 1 'axt-reduce: no axis of CF times in a.nc:tensor (t (2))' 'axt-reduce mean --every month a.nc'
	hints 'axis "t": "fortnights" in its units "fortnights since 2000-01-31" is no unit of time'
	axt-attr 't:units=days since 20001331' a.nc
	fails 1 'axt-slice: *: "20001331" in its units "days since 20001331" is no date of calendar standard' 'axt-slice t.month@2 a.nc'
	axt-attr 't:units=days since 2000-01-31' t:calendar=lunar a.nc
	fails 1 'axt-slice: *: its calendar "lunar" is none of CF' 'axt-slice t.month@2 a.nc'
	axt-attr 't:units=K' a.nc
	fails 1 'axt-slice: *: its units are "K", not such as "days since 2000-01-01"' 'axt-slice t.month@2 a.nc'
}

# dated UNITS CALENDAR: the date of value 60 as it is printed.
dated()
{
	axt-make iota:60 t=1 --name x | axt-coord set t=60 --attr t:units="$1" --attr t:calendar="$2" -o d.nc
	axt-print --csv d.nc:x | tail -1
}

@test "spellings of calendars and dates that other programs have" {
	local c
	for c in standard 'standard ' gregorian_proleptic Proleptic_Gregorian; do
		[ "$(dated 'days since 2000-01-01' "$c")" = 2000-03-01,60 ]
	done
	for c in noleap no_leap NO_LEAP 365_days 365day; do
		[ "$(dated 'days since 2000-01-01' "$c")" = 2000-03-02,60 ]
	done
	for c in 360_day THIRTY_DAY_MONTHS thirty_day_months 360days; do
		[ "$(dated 'days since 2000-01-01' "$c")" = 2000-03-01,60 ]
	done
	[ "$(dated 'days since 19500101T000000Z' standard)" = 1950-03-02,60 ]
	[ "$(dated '10days since 1950-01-01' standard)" = 1951-08-24,60 ]
	[ "$(dated '7 minutes since 1950-01-01 0030' standard)" = 1950-01-01T07:30:00,60 ]
	[ "$(dated 'days since -4712-01-01' standard)" = -4712-03-02,60 ]
	[ "$(dated 'days since 0000-01-01' standard)" = 0000-03-01,60 ]
	prints 60 'axt-slice t@0000-03-01 d.nc -p'
}

@test "a number is no date where dates cannot be read" {
	axt-make iota t=3000 --name x | axt-coord set t=0:1 --attr 't:units=fortnights since 1950-01-01' -o u.nc
	fails 1 'axt-slice: axis "t"*1990 is no date of it: "fortnights" in its units*' 'axt-slice t@1990:1999 u.nc -p'
	axt-attr 't:units=days since 1950-01-01' t:calendar=lunar u.nc
	fails 1 'axt-slice: axis "t"*its calendar "lunar" is none of CF' 'axt-slice t@1990 u.nc -p'
	axt-attr t:units=days u.nc
	prints 1990 'axt-slice t@1990 u.nc -p'
}

@test "longitudes in spellings of their unit, and times of CDO and of microseconds" {
	local u
	for u in '' deg degrees Degrees_East 'degrees east' degE; do
		axt-make iota lon=36 --name x | axt-coord set lon=0:10 --attr "lon:units=$u" -o e.nc
		prints 5 'axt-slice lon@-20:20 e.nc | axt-reduce count -p'
	done
	# one end: a turn away from where it was typed is told
	prints 2 'axt-slice lon@340: e.nc | axt-reduce count -p'
	prints 3 'axt-slice lon@:20 e.nc | axt-reduce count -p'
	warned 'axt-slice: warning: lon@-20: is 340 to the end of axis "lon" in e.nc:x: it runs from 0 to 350; a range with two ends goes around: lon@-20:20' 'axt-slice lon@-20: e.nc -p'
	warned 'axt-slice: warning: lon@:-20 is the beginning to 340 of axis "lon" in e.nc:x: it runs from 0 to 350; a range with two ends goes around: lon@-60:-20' 'axt-slice lon@:-20 e.nc -p'
	warned '*lon@:400 is the beginning to 40 of axis*' "axt-calc 'x[lon@:400]' e.nc -p"
	axt-make iota t=3 --name x | axt-coord set t=20010116.5,20010215,20010316.75 \
	    --attr 't:units=day as %Y%m%d.%f' -o c.nc
	prints 1 'axt-slice t@2001-02 c.nc -p'
	prints $'t,x\n2001-01-16T12:00:00,0' 'axt-slice t=0:1 c.nc | axt-print --csv'
	axt-make iota t=2 --name x | axt-coord set t=3696769450586123,3696769450586124 \
	    --attr 't:units=microseconds since 1900-01-01' -o m.nc
	prints 1 'axt-slice t@2017-02-22T16:24:10.586124 m.nc -p'
}

# A grid of 2 x 3 cells whose latitudes and longitudes lie over both axes.
make_grid()
{
	axt-make iota:0:10 y=2,x=3 --name lat --attr units=degrees_north -o grid.nc
	axt-make iota:350:10 y=2,x=3 --name lon --attr units=degrees_east -o grid.nc:lon
	axt-make iota time=2,y=2,x=3 --dtype i16 --name v -o grid.nc:v
	axt-attr 'coordinates=lat lon' grid.nc:v --in-place
	axt-make iota time=2,y=2,x=3 --name bare -o grid.nc:bare
}

@test "boxes of coordinates over several axes" {
	make_grid
	prints $'y,x,v\n0,0,\n0,1,1\n0,2,2\n1,0,3\n1,1,\n1,2,' 'axt-slice time=0 lat@10:30 grid.nc:v | axt-print --csv'
	prints $'1\n2' 'axt-slice time=0 lat@10:30 lon@-1:15 grid.nc:v -p | tr " " "\n" | grep -v nan'
	works 'axt-slice time=0 lat@10:30 lon@359:375 grid.nc:v | axt-equal - <(axt-slice lon@-1:15 time=0 lat@30:10 grid.nc:v)'
	works 'axt-calc "v[time=0, lat@10:30, lon@-1:15]" grid.nc | axt-equal - <(axt-slice lon@-1:15 time=0 lat@30:10 grid.nc:v)'
	prints '  coordinates = "lat"' 'axt-slice lat@10: grid.nc:bare -o o.nc; axt-info o.nc | grep coordinates.='
	prints f32 'axt-slice lat@10: grid.nc:v | axt-info --json | grep -m 1 -o f32'
	fails 1 'axt-slice: coordinate "lat" in grid.nc:v has nothing in 60:70; it runs from 0 to 50' 'axt-slice lat@60:70 grid.nc:v -p'
	fails 1 'axt-slice: no cell of grid.nc:v is in the box' 'axt-slice lat@0 lon@0:10 grid.nc:v -p'
	fails 1 'axt-slice: no axis "latitude" in grid.nc:v*' 'axt-slice latitude@60:70 grid.nc:v -p'
	fails 1 'axt-calc: no axis "lat" in *' 'axt-calc "flip(bare, y)[lat@10:]" grid.nc -p'
	works 'axt-calc "(bare*2)[time=1][lat@10:]" grid.nc -p'
	works 'axt-slice lat@15:25 lon@-5:15 "grid.nc:*" -o w.nc && axt-equal w.nc:v <(axt-slice lat@15:25 lon@-5:15 grid.nc:v)'
	prints 20 'axt-print w.nc:lat'
	works 'axt-copy grid.nc:bare -o un.nc; axt-copy grid.nc:lat -o un.nc:lat; axt-copy grid.nc:lon -o un.nc:lon'
	works 'axt-slice lat@10:30 "un.nc:*" -o w2.nc && axt-equal w2.nc:lat grid.nc:lat && axt-equal w2.nc:bare <(axt-slice lat@10:30 grid.nc:bare)'
}

@test "the cell nearest to a point" {
	make_grid
	prints $'2\n8' 'axt-slice lat@19 lon@12 --nearest grid.nc:v -p'
	prints $'2\n8' 'axt-slice lon@12 lat@19 --nearest grid.nc:bare -p'
	prints '20 370' 'axt-slice lat@19 lon@12 --nearest grid.nc:v -o p.nc; echo $(axt-print p.nc:lat) $(axt-print p.nc:lon)'
	prints 2 'axt-slice lat@20 lon@10 time=0 grid.nc:v -p'
	prints 2 'axt-calc "slice(v, lat@19, lon@12, time=0, nearest=true)" grid.nc -p'
	fails 1 'axt-slice: no cell of grid.nc:v is at lat 19, lon 12: nearest is 20, 370' 'axt-slice lat@19 lon@12 grid.nc:v -p'
	hints 'axt-slice lat@19 lon@12 grid.nc:v -p --nearest'
	fails 1 'axt-slice: "lat" of grid.nc:v lies over y, x (2, 3): the nearest cell needs a latitude and a longitude' 'axt-slice lat@19 --nearest grid.nc:v -p'
	hints 'lat@19 lon@0 --nearest'
	fails 1 'axt-slice: coordinate "lat" in grid.nc:v has nothing in 19,48*' 'axt-slice lat@19,48 lon@0,5 --nearest grid.nc:v -p'
	hints 'axt-take lat,lon@POINTS --nearest takes several'
	fails 1 'axt-slice: 95 is no latitude*' 'axt-slice lat@95 lon@0 --nearest grid.nc:v -p'
}

@test "--like: what another tensor has, too" {
	axt-make iota lat=4,lon=2 | axt-coord set lat=90:-30 -o a.nc
	axt-make zeros lat=3 | axt-coord set lat=-60:60 -o b.nc
	prints 'lat,lon,tensor
60,0,2
60,1,3
0,0,6
0,1,7' 'axt-slice --like b.nc a.nc | axt-print --csv'
	prints '2
6' 'axt-slice --like b.nc lon=0 a.nc -p'
	prints '7' 'axt-slice lat=1 --like b.nc lon=1 a.nc -p'
	fails 1 'axt-slice: axis "lat" of a.nc:tensor has no coordinate of -:tensor: 90 to 0, and 5 to 6' \
		'axt-make zeros lat=2 | axt-coord set lat=5:1 | axt-slice --like - a.nc'
}

@test "dates over two axes" {
	axt-calc 'iota(0, 1, run=3) + iota(0, 1, lead=4)' --name valid --attr 'units=days since 2010-01-01' -o f.nc
	axt-make iota run=3,lead=4 --name t -o f.nc:t
	axt-attr coordinates=valid f.nc:t --in-place
	prints $'nan nan 2\nnan 5 nan\n8 nan nan' 'axt-slice valid@2010-01-03 f.nc:t -p'
	prints $'nan 1 2\n4 5 nan\n8 nan nan' 'axt-slice valid@2010-01-02:2010-01-03 f.nc:t -p'
	fails 1 'axt-slice: coordinate "valid" in f.nc:t has nothing in 2010-02; it runs from 2010-01-01 to 2010-01-06' 'axt-slice valid@2010-02 f.nc:t -p'
}

@test "longitudes without units are longitudes" {
	py '
for n, name, lon, attrs in (("lon.nc", "lon", np.arange(6)*60., {}), ("std.nc", "x", np.arange(6, dtype="i4")*60, {"standard_name": "longitude", "units": "degrees"}),
                            ("m.nc", "lon", np.arange(6)*60., {"units": "m"}), ("x.nc", "x", np.arange(6)*60., {}), ("far.nc", "lon", np.arange(6)*600., {})):
    f = h5py.File(n, "w")
    f[name] = lon; f[name].make_scale(name); f[name].attrs.update(attrs)
    f["t"] = np.arange(6); f["t"].dims[0].attach_scale(f[name])
    f.close()
'
	prints $'5\n0\n1' 'axt-slice lon@300:60 lon.nc -p'
	prints 0 'axt-slice lon@350:10 lon.nc -p'
	prints 5 'axt-slice lon@-60 lon.nc -p'
	prints $'-60\n0\n60' 'axt-slice lon@300:60 lon.nc | axt-slice lon@-90:90 - -o o.nc && axt-print o.nc:lon'
	prints $'5\n0\n1' 'axt-slice x@-60:60 std.nc -p'
	# on other axes the ends of a range may stand in either order
	prints $'1\n2\n3\n4\n5' 'axt-slice lon@300:60 m.nc -p'
	prints $'1\n2\n3\n4\n5' 'axt-slice x@300:60 x.nc -p'
	prints $'0' 'axt-slice lon@300:-60 far.nc -p'
}

@test "masks and positions of another file, as axt-take has them" {
	axt-make iota lat=4,lon=2 | axt-coord set lat=90:-30 -o a.nc
	axt-reduce max --to lat a.nc | axt-gt - 4 --name wet -o mask.nc
	prints '4 5
6 7' 'axt-slice lat@mask.nc:wet a.nc -p'
	prints '5
7' 'axt-slice lat=mask.nc lon=1 a.nc -p'
	prints '4
6' 'axt-slice lon=0 lat@- a.nc -p <mask.nc'
	works 'axt-slice lat@mask.nc a.nc | axt-equal - <(axt-take lat@mask.nc a.nc)'
	prints '6 7
0 1' 'axt-make iota:3:-3 place=2 -o at.nc; axt-slice lat=at.nc a.nc -p'
	prints '5
7' 'axt-calc "a[lat@m, lon=1]" a=a.nc m=mask.nc -p'
	prints '4 5
6 7' 'axt-calc "wet = max(a, to=lat) > 4; a[lat=wet]" a=a.nc -p'
	fails 2 'axt-slice: axis "lat": "none.nc" is no value *' 'axt-slice lat@none.nc a.nc'
}

@test "text along an axis labels it" {
	py '
names = ["KOUROU", "PARIS", "X"]
for p in "c.nc", "s.nc":
    f = h5py.File(p, "w")
    f["tas"] = np.arange(6.).reshape(2, 3)
    f["station_name"] = np.array([list(n.ljust(8, " ")) for n in names], "S1") if p == "c.nc" else names
    f["tas"].attrs["coordinates"] = "station_name"
    for k, n in enumerate(("time", "station")):
        f[n] = np.zeros(f["tas"].shape[k]); f[n].make_scale("This is a netCDF dimension but not a netCDF variable")
        f["tas"].dims[k].attach_scale(f[n])
    f["station_name"].dims[0].attach_scale(f["station"])
    f.close()
'
	for f in c.nc s.nc; do
		prints $'0\n3' "axt-slice station@KOUROU $f:tas -p"
		prints $'2 1\n5 4' "axt-slice station_name@X,PARIS $f:tas -p"
		prints $'1\n4' "axt-calc 'tas[station@PARIS]' tas=$f:tas -p"
		works "axt-slice station_name@X,PARIS $f:tas -o o.nc; axt-equal <(axt-slice station=2,1 $f:tas) o.nc"
		fails 1 "axt-slice: axis \"station\" in $f:tas has no \"PARI\"" "axt-slice station@PARI $f:tas -p"
		hints "axt-slice station@PARIS $f:tas -p"
	done
	prints $'X\nPARIS' 'axt-print o.nc:station_name'
	prints $'\tchar station_name(station, dim_1) ;\n\tstring station_name(station) ;' \
		'axt-info --cdl c.nc | grep station_name.st; axt-info --cdl s.nc | grep "g station_name"'
	prints '  station_name station=3 (coordinates, text)' 'axt-info s.nc | grep station_name.st'
	py 'f = h5py.File("s.nc", "a"); f["code"] = ["A", "B", "C"]; f["code"].dims[0].attach_scale(f["station"]); f["tas"].attrs["coordinates"] = "station_name code"'
	prints $'1\n4' 'axt-slice code@B s.nc:tas -p'
	fails 1 'axt-slice: several texts lie along axis "station" of s.nc:tas' 'axt-slice station@B s.nc:tas -p'
	hints 'name one: code@B'
	prints $'B\nC' 'axt-slice station=1: "s.nc:*" -o o.nc; axt-print o.nc:code'
	prints 'string' 'axt-info --cdl o.nc | grep -o "string code" | cut -d" " -f1'
}

@test "each axis that is named must be there, unless a whole file is sliced" {
	axt-make iota latitude=3,lon=4 --name sst | axt-coord set latitude=0:10 lon=0:90 -o g.nc
	axt-make iota latitude=3 --name m -o g.nc:m
	fails 1 'axt-slice: no axis "lat" in g.nc:sst *' 'axt-slice lat@0:5 lon@90 g.nc:sst -p'
	hints 'axt-slice latitude@0:5 lon@90 g.nc:sst -p'
	fails 1 'axt-slice: no axis "lat" in g.nc:sst *' 'axt-slice lon@90 lat@5 --nearest g.nc:sst -p'
	fails 1 'axt-slice: no axis "foo" in g.nc:sst *' 'axt-slice foo=1 bar@4 lon=1 g.nc:sst -p'
	fails 1 'axt-slice: no axis "foo" in g.nc:sst *' "axt-slice foo=1 lon=1 'g.nc:*' -o o.nc"
	works "axt-slice latitude=1 lon=1 'g.nc:*' -o o.nc"
	prints $'sst i64\nm i64' 'axt-info --brief o.nc | sort -r'
}

@test "texts that occur several times along an axis are groups" {
	py '
f = h5py.File("e.nc", "w")
f["epo"] = np.arange(8.).reshape(4, 2)
f["condition"] = ["std", "target", "std", "novel"]
f["epo"].attrs["coordinates"] = "condition"
f["epoch"] = np.arange(4) * 10; f["epoch"].make_scale("epoch")
f["epo"].dims[0].attach_scale(f["epoch"]); f["condition"].dims[0].attach_scale(f["epoch"])
f["epo"].dims[1].label = "c"
f["bad"] = np.array([0, 1, 0, 1], "u1"); f["bad"].attrs["coordinates"] = "condition"; f["bad"].dims[0].attach_scale(f["epoch"])
'
	prints $'0 1\n4 5' 'axt-slice condition@std e.nc:epo -p'
	prints $'epoch,condition,epo\n10,target,2' 'axt-slice condition@target c=0 e.nc:epo | axt-print --csv'
	prints $'epoch,condition,epo\n10,target,2\n30,novel,6' "axt-calc 'epo[condition@novel,target, c=0]' e.nc | axt-print --csv"
	prints $'std\nstd' 'axt-slice condition@std "e.nc:*" -o o.nc; axt-print o.nc:condition'
	fails 1 'axt-slice: "condition" of e.nc:epo has no "targe"' 'axt-slice condition@targe e.nc:epo -p'
	hints 'axt-slice condition@target e.nc:epo -p'
	fails 2 'axt-calc: axis "epoch": "bad" is no position*' "axt-calc 'epo[epoch=bad]' e.nc -p"
	hints 'take(epo, epoch=bad) takes what stands at positions, take(epo, epoch=bad != 0) what a mask has'
	fails 2 'axt-calc: axis "epoch": "bad !=0" is no position*' "axt-calc 'epo[epoch=bad != 0]' e.nc -p"
	prints $'2 3\n6 7' "axt-calc 'take(epo, epoch=bad != 0)' e.nc -p"
	prints $'2 3\n6 7' "axt-calc 'm = bad != 0; epo[epoch=m]' e.nc -p"
}

# st.nc has text along station that no attribute names: $1 is its cf_role, if any.
make_stations()
{
	py "
f = h5py.File('st.nc', 'w')
f['t'] = np.arange(6.).reshape(3, 2)
f['lat'] = np.array([59.9, 60.4, 70])
f['station_name'] = np.array([list(n.ljust(6, '\0')) for n in ('Oslo', 'Bergen', 'Vardo')], 'S1')
if '$1': f['station_name'].attrs['cf_role'] = '$1'
for n, k in ('station', 3), ('time', 2), ('chars', 6):
    f[n] = np.zeros(k); f[n].make_scale('This is a netCDF dimension but not a netCDF variable. %10d' % k)
for n, x in ('t', 'station time'), ('lat', 'station'), ('station_name', 'station chars'):
    for i, a in enumerate(x.split()): f[n].dims[i].attach_scale(f[a])"
}

@test "text beside a tensor in its file is found by its name, or as the only one along the axis" {
	make_stations ''
	for spec in station@Bergen station_name@Bergen; do
		prints $'2\n3' "axt-slice $spec st.nc:t -p"
		prints $'2\n3' "axt-calc 't[$spec]' st.nc -p"
		prints $'60.4' "axt-slice $spec st.nc:lat -p"
	done
	prints $'4 5\n0 1' 'axt-slice station@Vardo,Oslo st.nc:t -p'
	prints 'Bergen' 'axt-slice station@Bergen st.nc:t -o o.nc; axt-print o.nc:station_name | tr -d "\n"'
	prints $'Vardo\nOslo' 'axt-slice station_name@Vardo,Oslo "st.nc:*" -o o.nc; axt-print o.nc:station_name'
	fails 1 'axt-slice: axis "station" in st.nc:t has no "Olso"' 'axt-slice station_name@Olso st.nc:t'
	hints 'axt-slice station_name@Oslo st.nc:t'
	fails 1 'axt-take: Oslo: No such file or directory' 'axt-take station@Oslo st.nc:t'
	hints 'axt-slice station@Oslo st.nc:t'
	py 'f = h5py.File("st.nc", "a"); f["code"] = ["A", "B", "C"]; f["code"].dims[0].attach_scale(f["station"])'
	prints $'2\n3' 'axt-slice code@B st.nc:t -p'
	fails 1 'axt-slice: several texts lie along axis "station" of st.nc:t' 'axt-slice station@Bergen st.nc:t -p'
	hints 'name one: station_name@Bergen'
}

@test "text with cf_role belongs to each tensor along its axis" {
	make_stations timeseries_id
	prints $'Vardo\nOslo' 'axt-slice station=2,0 st.nc:t -o o.nc; axt-print o.nc:station_name'
	prints $'Vardo\nOslo' 'axt-slice station=2,0 st.nc:t | axt-add - 1 -o o.nc; axt-print o.nc:station_name'
	prints 1 'axt-info --cdl o.nc | grep -c "cf_role = .timeseries_id"'
	prints $'Vardo\nOslo\nOslo' 'axt-make iota station=3 --dtype i32 -o i.nc; axt-calc "where(i == 0, 2, 0)" i=i.nc --dtype i32 -o j.nc; axt-take station=j.nc st.nc:t -o o.nc; axt-print o.nc:station_name'
	works 'axt-reduce mean --over station st.nc:t -o o.nc'
	fails 1 'axt-print: o.nc: no dataset "station_name"*' 'axt-print o.nc:station_name'
}

@test "--nearest far from all values: a warning" {
	axt-make iota lat=3 | axt-coord set lat=-30:30 - -o a.nc
	warned 'axt-slice: warning: 70 is far from all values of axis "lat" in a.nc:tensor: 30 is taken; it runs from -30 to 30' 'axt-slice lat@70 --nearest a.nc -p'
	works 'axt-slice lat@55 --nearest a.nc -p; axt-slice lat@-60 --nearest a.nc -p; axt-slice lat@10 --nearest a.nc -p'
	axt-make iota time=10 | axt-coord set time=0:1 --attr 'time:units=days since 2000-01-01' - -o t.nc
	warned '*: 2015 is far from all values of axis "time" in t.nc:tensor: 2000-01-10 is taken; *' 'axt-slice time@2015 --nearest t.nc -p'
	warned '*: 1980 is far from all values *' "axt-calc 'slice(t, time@1980, nearest=true)' t=t.nc -p"
	axt-make iota lon=4 | axt-coord set lon=0:10 --attr lon:units=degrees_east - -o r.nc
	warned '*: 180 is far from all values of axis "lon" *' 'axt-slice lon@180 --nearest r.nc -p'
	works 'axt-slice lon@355 --nearest r.nc -p; axt-coord set lon=0:90 r.nc -o g.nc; axt-slice lon@310 --nearest g.nc -p'
}

@test "an unknown axis: those of the file are listed, not those that slices before it left" {
	make_a
	fails 1 'axt-slice: no axis "foo" in a.nc:tensor (lat, lon (2, 3))' 'axt-slice lat=0 foo=1 a.nc'
	fails 1 'axt-slice: no axis "lom" in a.nc:tensor (lat, lon (2, 3))' 'axt-slice lat=0 lom=1 a.nc'
	hints 'axt-slice lat=0 lon=1 a.nc'
}

@test "slice: a coordinate of bool that is no axis" {
	py '
with h5py.File("flag.nc", "w") as f:
    f["x"] = np.arange(4.); f["x"].make_scale("x")
    for n, v in (("wet", np.array([True, False, True, True])), ("t", np.arange(4, dtype="f4"))):
        f[n] = v; f[n].dims[0].attach_scale(f["x"])
    f["t"].attrs["coordinates"] = np.bytes_("wet")
'
	[ "$(axt-slice wet@1 flag.nc:t -p | tr '\n' ' ')" = "0 2 3 " ]
	[ "$(axt-slice wet@0 flag.nc:t -p | tr '\n' ' ')" = "1 " ]
	[ "$(axt-reduce sum --by wet flag.nc:t -p | tr '\n' ' ')" = "1 5 " ]
}

@test "longitudes that begin anew within the axis" {
	axt-make iota lon=16 | axt-coord set lon=335,340,345,350,355,0,5,10,15,20,25,30,35,40,45,50 -o east.nc
	axt-attr lon:units=degrees_east east.nc
	prints $'lon,tensor\n340,1\n345,2\n350,3\n355,4\n0,5\n5,6\n10,7\n15,8\n20,9' 'axt-slice lon@-20:20 east.nc | axt-print --csv'
	prints $'lon,tensor\n340,1\n345,2\n350,3\n355,4\n0,5' 'axt-slice lon@339:2 east.nc | axt-print --csv'
	prints $'lon,tensor\n40,13\n45,14\n50,15\n335,0' 'axt-slice lon@40:335 east.nc | axt-print --csv'
	axt-flip lon east.nc -o west.nc
	prints '9 8 7 6 5 4 3 2 1' 'axt-slice lon@-20:20 west.nc -p | xargs'
	axt-coord set lon=0,5,10,350,340,345,355,15,20,25,30,35,40,45,50,55 east.nc -o odd.nc
	fails 1 'axt-slice: axis "lon" in odd.nc:tensor neither rises nor falls: *' 'axt-slice lon@-20:20 odd.nc'
}
