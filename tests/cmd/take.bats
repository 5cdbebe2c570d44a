load helper

@test "labels that are text, in another order" {
	printf 'station,v\nbrest,1\nnewlyn,2\ncascais,3\n' | axt-from - -o a.nc
	printf 'station,v\ncascais,30\nbrest,10\nnewlyn,20\n' | axt-from - -o b.nc
	printf 'station,v\ncascais,30\nnewlyn,20\n' | axt-from - -o p.nc
	prints $'station,v\ncascais,3\nbrest,1\nnewlyn,2' 'axt-take station@b.nc:station a.nc | axt-print --csv'
	prints $'3\n2' 'axt-take station@p.nc:station a.nc -p'
	prints $'2\n1' 'axt-take station@<(printf "newlyn\nbrest\n" | axt-from -) a.nc -p'
	prints $'station,v\ncascais,27\nbrest,9\nnewlyn,18' "axt-calc 'b - take(a, station@b.station)' a=a.nc b=b.nc | axt-print --csv"
	prints 10 "axt-calc 's = b.station; sum(where(s == \"brest\", b, 0))' b=b.nc -p"
	fails 1 'axt-take: "brest" of a.nc:station (element 0) is not on axis "station" in p.nc:v' 'axt-take station@a.nc:station p.nc'
	fails 1 'axt-take: positions are integers, and b.nc:station holds text' 'axt-take station=b.nc:station a.nc'
	hints 'labels stand behind @: station@b.nc:station'
	# what is said where operands are paired
	fails 1 'axt-sub: axis "station" has other coordinates: at index 0 "cascais" in b.nc:v and "brest" in a.nc:v' 'axt-sub b.nc a.nc'
	hints 'axt-take --like b.nc:v a.nc:v pairs them by their coordinates; --join override:station by position, right or wrong'
	prints $'27\n9\n18' 'axt-take --like b.nc:v a.nc:v | axt-sub b.nc - -p'
	fails 1 'axt-sub: axis "station" has length 3 in a.nc:v and 2 in p.nc:v' 'axt-sub a.nc p.nc'
	hints 'axt-take --like p.nc:v a.nc:v pairs them by their coordinates'
	fails 1 'axt-calc: axis "station" has other coordinates: *' "axt-calc 'a - b' a=a.nc b=b.nc"
	hints 'take(b, station@a.station) pairs them by their coordinates; --join override:station by position, right or wrong'
	prints $'-9\n-18\n-27' "axt-calc 'a - take(b, station@a.station)' a=a.nc b=b.nc -p"
	# numbers
	axt-make iota lat=3 | axt-coord set lat=10:10 -o n.nc
	axt-flip lat n.nc -o r.nc
	fails 1 'axt-add: axis "lat" has other coordinates: *one is the other reversed?' 'axt-add n.nc r.nc'
	hints 'axt-take --like n.nc:tensor r.nc:tensor pairs them by their coordinates; --join override:lat by position, right or wrong'
	fails 1 'axt-add: axis "lat" has other coordinates: *' 'axt-add n.nc <(axt-coord set lat=11,20,30 n.nc)'
	hints 'axt-interp lat=*--join override:lat pairs them by position, right or wrong'
	axt-coord set station=x,y,z a.nc -o x.nc
	fails 1 'axt-sub: axis "station" has other coordinates: *' 'axt-sub a.nc x.nc'
	hints "--join override:station takes the first operand's coordinates and pairs by position, right or wrong"
}

make_c()
{
	axt-make iota lat=3,lon=2 | axt-coord set lat=-30:30 -o c.nc
}

@test "positions of a tensor: its axes in place" {
	make_c
	axt-make iota:2:-1 p=2 | axt-coord set p=5:1 -o i.nc
	prints $'p,lon,tensor\n5,0,4\n5,1,5\n6,0,2\n6,1,3' 'axt-take lat=i.nc c.nc | axt-print --csv'
	prints $'4 5\n2 3' 'axt-take lat=- c.nc -p <i.nc'
	axt-make full:2 r=2,s=2 --dtype i32 -o m.nc
	prints '      "axes": ["r", "s", "lon"],' 'axt-take lat=m.nc c.nc | axt-info --json | grep axes'
	works 'axt-take lat=m.nc c.nc | axt-slice r=1 s=0 | axt-equal - <(axt-slice lat=-1 c.nc)'
	axt-make full:1 "" --dtype u8 -o one.nc
	prints $'2\n3' 'axt-take lat=one.nc c.nc -p'
}

@test "a list of numbers" {
	make_c
	prints $'4 5\n0 1\n0 1' 'axt-take lat=2,0,0 c.nc -p'
	prints $'lat,lon,tensor\n30,0,4\n30,1,5\n-30,0,0\n-30,1,1' 'axt-take lat@30,-30 c.nc | axt-print --csv'
}

@test "labels" {
	make_c
	axt-make iota:30:-30 day=3 -o l.nc
	prints $'day,lon,tensor\n0,0,4\n0,1,5\n1,0,2\n1,1,3\n2,0,0\n2,1,1' 'axt-take lat@l.nc c.nc | axt-print --csv'
	axt-make iota:1 month=12 | axt-coord set month=1:1 -o clim.nc
	make_cf
	prints $'1\n1' 'axt-take month@cf.nc:time.month clim.nc -p'
	fails 1 'axt-take: cf.nc: no dataset "time.week"*' 'axt-take month@cf.nc:time.week clim.nc -p'
	hints 'a date has a year, season, month, day, hour, dayofyear, daysinmonth, date'
	axt-make full:7 r=1 -o seven.nc
	fails 1 'axt-take: 7 of seven.nc:tensor*not on axis "lat"*' 'axt-take lat@seven.nc c.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "what is refused" {
	make_c
	fails 1 'axt-take: position 5 in c.nc:tensor is not on axis "lat"*length 3' 'axt-take lat=c.nc c.nc -o o.nc'
	fails 1 'axt-take: *no index 9' 'axt-take lat=9 c.nc -o o.nc'
	fails 1 'axt-take: positions are integers, -:tensor is f32' 'axt-make ones r=1 | axt-take lat=- c.nc -o o.nc'
	axt-make zeros lon=2 --dtype i64 -o j.nc
	fails 1 'axt-take: no axis "x"*' 'axt-take x=0,1 c.nc -o o.nc'
	fails 1 'axt-take: no axis "x"*' 'axt-take x=j.nc c.nc -o o.nc'
	fails 2 'axt-take: "lat" is not AXIS=INDEX*' 'axt-take lat c.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "an index that shares axes pairs them" {
	printf 't,x,v\n0,0,5\n0,1,1\n1,0,7\n1,1,0\n2,0,6\n2,1,4\n' | axt-from - --format csv --to t,x -o a.nc
	axt-make iota:10:10 t=3,x=2 -o b.nc
	axt-reduce argmax --over t a.nc -o m.nc
	prints $'30\n60' 'axt-take t=m.nc b.nc -p'
	works 'axt-take t=m.nc a.nc | axt-equal - <(axt-reduce max --over t a.nc)'
	works 'axt-sort --index --along t a.nc | axt-take t=- a.nc | axt-equal - <(axt-sort --along t a.nc)'
	works 'axt-sort --index --along t a.nc | AXT_FUSE=0 axt-take t=- a.nc | axt-equal - <(axt-sort --along t a.nc)'
	works 'axt-calc "take(a, t=argmax(a, over=t))" a=a.nc | axt-equal - <(axt-reduce max --over t a.nc)'
	# one new axis, one paired, one only in the tensor; the new one stands where t was
	axt-make full:1 x=2,k=3 -o k.nc
	prints '      "axes": ["k", "x"],' 'axt-take t=k.nc b.nc | axt-info --json | grep axes'
	prints $'30 40\n30 40\n30 40' 'axt-take t=k.nc b.nc -p'
	axt-make iota t=3,x=2 | axt-coord set x=5:1 -o c.nc
	axt-coord set x=7:1 m.nc -o m7.nc
	fails 1 'axt-take: axis "x"*' 'axt-take t=m7.nc c.nc -o o.nc'
	works 'axt-take t=m7.nc c.nc --join override -o o.nc'
	axt-make zeros x=5 --dtype i64 -o five.nc
	fails 1 'axt-take: axis "x" has length 2*5*' 'axt-take t=five.nc b.nc -o p.nc'
	axt-save -o saved.h5 <(axt-take t=m.nc b.nc)
	prints $'30\n60' 'axt-print saved.h5'
}

@test "an index along the same axis permutes its coordinates" {
	axt-make iota:1 t=3 | axt-coord set t=10:10 -o tt.nc
	printf 't\n2\n0\n1\n' | axt-from - --format csv --to t -o i.nc
	axt-cast --dtype i64 i.nc -o ix.nc
	prints $'t,tensor\n30,3\n10,1\n20,2' 'axt-take t=ix.nc tt.nc --name tensor | axt-print --csv'
	works 'axt-take t=ix.nc tt.nc | axt-equal - <(axt-take t=2,0,1 tt.nc)'
	# an index that has coordinates says where its elements go
	axt-coord set t=7:1 ix.nc -o iy.nc
	prints $'axt-take: warning: axis "t" has the coordinates of iy.nc:tensor, not those that tt.nc:tensor has at its positions\nt,tensor\n7,3\n8,1\n9,2' 'axt-take t=iy.nc tt.nc --name tensor -o y.nc 2>&1; axt-print y.nc --csv'
	# but those that only count its rows give way to labels
	printf 'k,p\n0,2\n1,0\n2,1\n' | axt-from - --format csv --to t --dtype i32 -o ik.nc
	prints $'t,tensor\n30,3\n10,1\n20,2' 'axt-take t=ik.nc tt.nc --name tensor | axt-print --csv'
	axt-coord set t=0:1 tt.nc -o tc.nc
	prints $'t,tensor\n0,3\n1,1\n2,2' 'axt-take t=ik.nc tc.nc --name tensor | axt-print --csv'
}

@test "a negative position is a missing element" {
	printf 't,x,v\n0,0,5\n0,1,nan\n1,0,7\n1,1,nan\n' | axt-from - --format csv --to t,x -o a.nc
	axt-attr _FillValue:=nan a.nc --in-place
	axt-make zeros t=2 --dtype f64 | axt-coord set t=0:1 --attr 't:units=days since 2001-01-01' -o d.nc
	axt-reduce argmax --over t a.nc -o m.nc
	prints '_FillValue:=-1LL' 'axt-attr _FillValue m.nc'
	prints $'2001-01-02\nnan' 'axt-take t=m.nc d.nc:t -p'
	prints $'2001-01-02\nnan' 'axt-reduce argmax --over t a.nc | axt-take t=- d.nc:t -p'
	prints $'2001-01-02\nnan' 'axt-calc "take(d, t=argmax(a, over=t))" a=a.nc d=d.nc:t -p'
	prints '7' 'axt-take t=m.nc a.nc | axt-reduce mean -p'
	# what declares nothing, too: integers become floats, and say so
	axt-make full:-1 x=2 --dtype i32 -o n.nc
	axt-make iota:1 t=2,x=2 --dtype i16 -o b.nc
	prints $'nan\nnan' 'axt-take t=n.nc b.nc -p'
	prints $'tensor f32 x=2\n  _FillValue = nan (f32)' "axt-take t=n.nc b.nc -o o.nc && axt-info o.nc | grep -E '^tensor|_Fill'"
	prints 'nan' 'axt-make full:-1 "" --dtype i64 | axt-take x=- <(axt-make iota x=4 --dtype f64) -p'
	# typed ones count from the end
	prints $'3\n4' 'axt-take t=-1 b.nc -p'
	prints $'3\n4' 'axt-calc "take(b, t=-1)" b=b.nc -p'
	# argmax of what has no missing values declares none
	fails 1 'axt-attr: *no attribute "_FillValue"' 'axt-reduce argmax --over t b.nc | axt-attr _FillValue -'
}

@test "more positions than a view has pieces" {
	axt-make random:0:99 p=20000 --dtype i32 --seed 1 -o p.nc
	axt-make iota:0:3 x=100 -o x.nc
	works 'axt-take x=p.nc x.nc | axt-equal - <(axt-mul p.nc 3)'
	axt-make random:0:99 p=200,q=100 --dtype i32 --seed 1 -o p.nc
	works 'axt-take x=p.nc x.nc | axt-equal - <(axt-mul p.nc 3)'
	works 'axt-take x=p.nc x.nc | cat | axt-equal - <(axt-mul p.nc 3)'
}

@test "a mask" {
	axt-make iota lat=4,lon=2 | axt-coord set lat=-30:20 -o a.nc
	axt-make iota lat=4 | axt-coord set lat=-30:20 | axt-mod - 2 | axt-eq - 1 --name odd -o m.nc
	prints $'lat,lon,tensor\n-10,0,2\n-10,1,3\n30,0,6\n30,1,7' 'axt-take lat@m.nc:odd a.nc | axt-print --csv'
	works 'axt-take lat@m.nc a.nc -o t.nc; axt-take lat=m.nc a.nc | axt-equal t.nc'
	works "axt-calc 'take(a, lat@(m and a[lon=0] > 3))' a=a.nc m=m.nc -o c.nc; axt-slice lat@30,30 t.nc | axt-slice lat=:1 | axt-equal c.nc"
	prints 0 'axt-take lat@<(axt-gt a.nc 99 | axt-slice lon=0) a.nc | axt-reduce count -p'
	fails 1 'axt-take: a mask of axis "lat" has that axis alone, and *' 'axt-take lat@<(axt-gt a.nc 3) a.nc'
	axt-coord set lat=0:1 m.nc -o other.nc
	fails 1 'axt-take: axis "lat"*' 'axt-take lat@other.nc a.nc'
}

@test "the cells nearest to points" {
	make_c
	axt-make iota:0:10 y=2,x=3 --name lat --attr units=degrees_north -o g.nc
	axt-make iota:350:10 y=2,x=3 --name lon --attr units=degrees_east -o g.nc:lon
	axt-make iota t=2,y=2,x=3 --dtype i16 --name v -o g.nc:v
	printf 'station,lat\n0,48\n1,2\n2,nan\n' | axt-from - --format csv --to station --name lat -o s.nc
	printf 'station,lon\n0,40\n1,-9\n2,0\n' | axt-from - --format csv --to station --name lon -o s.nc:lon
	prints $'5 0 nan\n11 6 nan' 'axt-take lat,lon@s.nc --nearest g.nc:v -p'
	prints $'5 0\n11 6' 'axt-slice station=0:2 s.nc:lat -o two.nc; axt-slice station=0:2 s.nc:lon -o two.nc:lon; axt-take lat,lon@two.nc --nearest g.nc:v -p'
	prints '2 -9' 'axt-take lat,lon@two.nc --nearest g.nc:v | axt-slice station=1 -o r.nc; echo $(axt-print r.nc:lat) $(axt-print r.nc:lon)'
	works 'axt-calc "take(v, (lat,lon)@p, nearest=true)" v=g.nc:v p=g.nc:v | axt-equal - <(axt-take lat,lon@g.nc:v --nearest g.nc:v)'
	fails 2 'axt-take: elements along one axis are taken, or those nearest to points' 'axt-take lat,lon@two.nc g.nc:v'
	hints 'axt-take lat,lon@two.nc g.nc:v --nearest'
	fails 2 'axt-take: nearest takes a latitude and a longitude' 'axt-take lat@s.nc:lat --nearest g.nc:v'
	fails 2 'axt-take: nearest takes coordinates, which stand behind @*' 'axt-take lat,lon=two.nc --nearest g.nc:v'
	fails 1 'axt-take: g.nc:v has no coordinate "clat"' 'axt-take clat,lon@two.nc --nearest g.nc:v'
	fails 1 'axt-take: c.nc:tensor has no coordinate "lon"' 'axt-take lat,lon@two.nc --nearest c.nc'
}

# a.nc: t(time, lon) with bounds of time; b.nc: other units of time, other longitudes.
make_two()
{
	axt-make iota time=4,lon=4 --dtype f32 --name t |
		axt-coord set time=0:1 lon=0:90 --attr 'time:units=days since 2001-01-01' --attr lon:units=degrees_east -o a.nc
	axt-make zeros time=2,lon=2 | axt-coord set time=24:-24 lon=-90:90 \
		--attr 'time:units=hours since 2001-01-03' --attr lon:units=degrees_east -o b.nc
}

@test "--like: the coordinates of another tensor, in its order" {
	make_two
	prints 'time,lon,t
2001-01-04,-90,15
2001-01-04,0,12
2001-01-03,-90,11
2001-01-03,0,8' 'axt-take --like b.nc a.nc | axt-print --csv'
	works 'axt-take --like b.nc a.nc | axt-sub - b.nc -o d.nc'
	prints '15 12
11 8' "axt-calc 'reindex_like(t, b)' t=a.nc b=b.nc -p"
	prints '15 12
11 8' 'axt-order lon,time b.nc | axt-take --like - a.nc -p'
	prints '' 'axt-take --like a.nc a.nc | axt-equal - a.nc'
}

@test "--like: what is not there is an error, missing, or the nearest" {
	make_two
	axt-make zeros lon=3 | axt-coord set lon=180:100 --attr lon:units=degrees_east -o c.nc
	fails 1 'axt-take: 280 of c.nc:tensor (element 1) is not on axis "lon" in a.nc:t, which runs from 0 to 270' 'axt-take --like c.nc a.nc'
	hints 'axt-take --like c.nc a.nc --nearest'
	prints 'time,lon,t
2001-01-01,180,2
2001-01-01,280,
2001-01-01,380,' 'axt-take --like c.nc a.nc --fill -1 | axt-slice time=:1 | axt-print --csv'
	prints '-1' 'axt-take --like c.nc a.nc --fill -1 -o y.nc; axt-print --raw y.nc:t | head -n 1 | cut -d" " -f2'
	prints $'2\nnan\nnan' "axt-calc 'reindex_like(t[time=0], c)' t=a.nc c=c.nc -p"
	prints $'2\n3\n0' 'axt-slice time=0 a.nc | axt-take --like c.nc --nearest -p'
	prints $'2\n3\n0' "axt-calc 'reindex_like(t[time=0], c, nearest=true)' t=a.nc c=c.nc -p"
	prints 'f64' "axt-make iota lon=3 | axt-coord set lon=0:90 --attr lon:units=degrees_east |
		axt-take --like c.nc --fill -1 | axt-info --json | grep -o '\"f64\"' | head -n 1 | tr -d '\"'"
}

@test "--like: bounds follow where coordinates are the same numbers" {
	make_two
	py '
f = h5py.File("a.nc", "a")
f["time_bnds"] = np.array([[0., 1], [1, 2], [2, 3], [3, 4]]); f["time"].attrs["bounds"] = np.bytes_("time_bnds")
f["time_bnds"].dims[0].attach_scale(f["time"])
'
	axt-slice time=3,1 a.nc -o s.nc
	axt-take --like s.nc:t a.nc:t -o same.nc
	prints '3 4
1 2' 'axt-print same.nc:time_bnds'
	axt-take --like b.nc a.nc:t -o other.nc
	fails 1 'axt-print: other.nc: no dataset "time_bnds"*' 'axt-print other.nc:time_bnds'
}

@test "--like: errors" {
	make_two
	fails 1 'axt-take: a.nc:t and s.nc:tensor share no axis: *' 'axt-make iota s=2 -o s.nc; axt-take --like s.nc a.nc'
	fails 1 'axt-take: axis "lon" has units "degrees_east" in a.nc:t and "m" in -:tensor' \
		'axt-make iota lon=4 | axt-coord set lon=0:90 --attr lon:units=m | axt-take --like - a.nc'
	fails 1 'axt-take: axis "lon" has length 4 in a.nc:t and 3 in -:tensor' 'axt-make iota lon=3 | axt-take --like - a.nc'
	fails 2 'axt-take: nearest takes coordinates, which stand behind @*' 'axt-take --nearest lon=0 a.nc'
	fails 2 'axt-take: with --like the only operand is the tensor' 'axt-take --like b.nc lon=0 a.nc'
}

@test "seasons and dates are labels of what --by AXIS.FIELD gives" {
	axt-make iota time=730,x=2 --dtype f64 | axt-coord set time=0:1 --attr 'time:units=days since 2001-01-15' -o day.nc
	for field in season date month; do
		axt-reduce mean --over time --by time.$field day.nc -o text.nc
		axt-reduce mean --over time --by day.nc:time.$field day.nc -o number.nc
		works "axt-take $field@day.nc:time.$field text.nc | axt-sub day.nc - -o a.nc"
		works "axt-take $field@day.nc:time.$field number.nc | axt-sub day.nc - -o b.nc && axt-equal a.nc b.nc"
		works "axt-calc 't - take(c, $field@s)' t=day.nc c=text.nc s=day.nc:time.$field | axt-equal - a.nc"
	done
	prints 'DJF,MAM,JJA,SON' "axt-reduce mean --over time,x --by time.season day.nc | axt-print --csv - | cut -d, -f1 | tail -n +2 | uniq | paste -sd,"
	fails 1 'axt-take: "DJF" of day.nc:time.season (element 0) is not on axis "season"*' \
		"axt-reduce mean --over time --by time.season day.nc | axt-slice season=1: - -o text.nc; axt-take season@day.nc:time.season text.nc"
	axt-make iota:5 x=2 --dtype i32 --name season -o odd.nc
	fails 1 'axt-take: axis "season" in text.nc:* has text for coordinates, and odd.nc:season has numbers' 'axt-take season@odd.nc text.nc'
}

@test "labels that are not there: the nearest coordinates" {
	axt-make iota lat=3,lon=2 | axt-coord set lat=10:10 - -o n.nc
	axt-make iota:13.:6 p=3 -o la.nc
	fails 1 'axt-take: 13 of la.nc:tensor (element 0) is not on axis "lat" in n.nc:tensor*' 'axt-take lat@la.nc n.nc -p'
	hints 'axt-take lat@la.nc n.nc -p --nearest'
	prints $'0 1\n2 3\n4 5' 'axt-take lat@la.nc --nearest n.nc -p'
	prints $'0 1\n2 3\n4 5' 'axt-calc "take(a, lat@p, nearest=true)" a=n.nc p=la.nc -p'
	prints $'0 1\n4 5' 'axt-take lat@13,26 --nearest n.nc -p'
	fails 1 'axt-take: no axis "lta" in n.nc:tensor *' 'axt-take lta@la.nc --nearest n.nc'
	axt-make iota t=3 | axt-coord set t=0:31 --attr t:units='days since 2001-01-01' - -o d.nc
	axt-make iota:3:20 p=2 --attr units='days since 2001-01-29' -o days.nc
	prints $'1\n2' 'axt-take t@days.nc --nearest d.nc -p'
}

@test "labels are evaluated before streams of several tensors are read, and leave these as they are" {
	axt-make iota m=3,x=2 --name p -o f.nc
	axt-make iota m=3,x=2 --name q -o f.nc:q
	axt-coord set m=1:1 'f.nc:*' -o g.nc
	axt-make iota t=3 | axt-map negative | axt-add - 3 --name l -o l.nc
	for fuse in 0 1; do
		export AXT_FUSE=$fuse
		works "axt-map negative 'g.nc:*' | axt-take m@l.nc:l '-:*' -o c.nc"
		prints $'-4 -5\n-2 -3\n0 -1' 'axt-print c.nc:q'
	done
}

@test "an index along an axis of its own keeps the coordinates of the old one" {
	axt-make iota time=4,x=2 | axt-coord set time=10:1 --attr 'time:units=days since 2001-01-01' --name t - -o t.nc
	axt-make iota:2:-1 row=3 --dtype i64 --name i -o i.nc
	works 'axt-take time=i.nc t.nc -o r.nc'
	prints '2001-01-13 2001-01-12 2001-01-11' 'axt-print r.nc:time | paste -sd " "'
	py 'import xarray as xr; d = xr.open_dataset("r.nc"); assert d.t.dims == ("row", "x") and d.time.dims == ("row",) and str(d.time.values[0])[:10] == "2001-01-13"'
	works 'axt-slice row=1: r.nc | axt-add - 0 -o s.nc'
	prints '2001-01-12 2001-01-11' 'axt-print s.nc:time | paste -sd " "'
	axt-rename row=time i.nc -o own.nc
	works 'axt-take time=own.nc t.nc -o o.nc'
	prints '2001-01-13 2001-01-12 2001-01-11' 'axt-print o.nc:time | paste -sd " "'
}

@test "an index with start_index counts from it, and what is taken off a mesh is at no location of it" {
	py "
f = h5py.File('u.nc', 'w')
f['elev'] = np.arange(10., 15)
f['elev'].attrs.update(location='node', mesh='m')
f['elev'].dims[0].label = 'node'
f['faces'] = np.array([[1, 2], [3, 5]], 'i4')
f['faces'].attrs['start_index'] = np.int32(1)
f['faces'].dims[0].label, f['faces'].dims[1].label = 'face', 'two'"
	prints $'10 11\n12 14' 'axt-take node=u.nc:faces u.nc:elev -p'
	prints $'10 11\n12 14' 'axt-sub u.nc:faces 1 | axt-take node=- u.nc:elev -p'
	prints $'10 11\n12 14' "axt-calc 'take(elev, node=faces)' u.nc -p"
	prints $'10 11\n12 14' "axt-calc 'take(elev, node=faces - 1)' u.nc -p"
	prints $'12 14' 'axt-slice face=1 u.nc:faces | axt-take node=- u.nc:elev | axt-print - | tr "\n" " " | sed "s/ $//"'
	works 'axt-take node=u.nc:faces u.nc:elev -o e.nc'
	py 'assert "location" in h5py.File("u.nc")["elev"].attrs and "location" not in h5py.File("e.nc")["elev"].attrs'
}

@test "bounds of the axes of positions stay, and the axis of what is taken goes" {
	axt-make iota lat=2,x=3 --dtype f64 --name v -o v.nc
	works 'axt-make iota time=4,lat=2 --dtype f32 --name t | axt-coord set time=0:1 lat=-45:90 --attr time:axis=T --attr "time:units=days since 2001-01-01" -o t.nc'
	py "
f = h5py.File('t.nc', 'a')
f['lat'].attrs['bounds'] = 'lat_bnds'
f['lat_bnds'] = np.array([[-90., 0], [0, 90]])
f['lat_bnds'].dims[0].attach_scale(f['lat'])"
	works 'axt-reduce argmax --over time t.nc:t | axt-take time=- t.nc:time --name when -o w.nc'
	prints '  lat_bnds f64 lat=2 dim_1=2 (bounds)' 'axt-info w.nc | grep bnds'
	fails 1 '*' 'axt-attr axis w.nc:when'
}

@test "MATLAB's logical arrays are bool, and other integers that look like a mask give a warning" {
	py "
f = h5py.File('r.h5', 'w')
f['x'] = np.arange(4.) * 10
for n in ('bad', 'm'):
    f[n] = np.array([0, 0, 1, 0], 'u1')
f['bad'].attrs.update(MATLAB_class=np.bytes_('logical'), MATLAB_int_decode=np.int32(1))
f['empty'] = np.array([0, 5], 'u8')
f['empty'].attrs.update(MATLAB_class=np.bytes_('double'), MATLAB_empty=np.int32(1))"
	prints 20 'axt-slice dim_0=r.h5:bad r.h5:x -p'
	prints '0 10 30' "axt-calc 'take(x, dim_0=not bad)' r.h5 -p | xargs"
	prints 0 'axt-reduce sum r.h5:empty -p'
	works 'axt-copy r.h5 -o c.h5'
	prints $'MATLAB_class=logical\nMATLAB_int_decode:=1' 'axt-attr c.h5:bad | grep MATLAB'
	prints bool 'axt-info --json c.h5:bad | jq -r .tensors[0].dtype'
	works 'axt-cast --dtype u8 r.h5:bad -o u.h5'
	prints u8 'axt-info --json u.h5 | jq -r .tensors[0].dtype'
	warned 'axt-take: warning: r.h5:m is 0 or 1 for each of the 4 elements of axis "dim_0": positions; a mask is dim_0=<(axt-ne r.h5:m 0)' \
	    'axt-take dim_0=r.h5:m r.h5:x -o o.h5'
	warned 'axt-slice: warning: r.h5:m is 0 or 1 *' 'axt-slice dim_0=r.h5:m r.h5:x -o o.h5'
	warned 'axt-calc: warning: m is 0 or 1 *; a mask is dim_0=m != 0' "axt-calc 'take(x, dim_0=m)' r.h5 -o o.h5"
	prints 20 'axt-take dim_0=<(axt-ne r.h5:m 0) r.h5:x -p'
	prints 20 "axt-calc 'take(x, dim_0=m != 0)' r.h5 -p"
	works 'axt-make zeros dim_0=4 --dtype i32 | axt-take dim_0=- r.h5:x -o o.h5'
}

@test "an index that declares a missing value and has none leaves labels and integers" {
	axt-make iota s=3,c=2 | axt-coord set c=cat,dog -o L.nc
	axt-make full:1 row=3 --dtype i64 --attr _FillValue:=-1 -o K.nc
	prints $'row,c,tensor\n0,dog,1\n1,dog,1\n2,dog,1' 'axt-slice s=0 L.nc | axt-take c=K.nc - | axt-print --csv'
	axt-cast --dtype f64 L.nc | axt-copy --attr _FillValue:=1e20 -o F.nc
	prints $'row,c,tensor\n0,dog,1\n1,dog,1\n2,dog,1' 'axt-reduce argmax --over c F.nc | axt-rename s=row | axt-take c=- <(axt-slice s=0 F.nc) | axt-print --csv'
	axt-make full:-1 row=2 --dtype i64 --attr _FillValue:=-1 -o M.nc
	prints $'row,tensor\n0,\n1,' 'axt-slice s=0 L.nc | axt-take c=M.nc - | axt-print --csv'
}

@test "text cannot be taken by itself, and a hint says how it goes along" {
	axt-make iota item=3 --name v | axt-coord set item=cat,dog,car -o emb.nc
	axt-make full:1 row=2 --dtype i64 --name i -o i.nc
	fails 1 'axt-take: emb.nc:item holds text, not numbers' 'axt-take item=i.nc emb.nc:item'
	hints 'texts go along with numbers over item, where the index has one axis, of another name: man axt-recipes-ml *'
	fails 1 'axt-calc: * in emb.nc:v holds text, not numbers*' "axt-calc 'take(v.item, item=i)' emb.nc i.nc"
	hints 'texts go along with numbers over item, where the index has one axis, of another name: man axt-recipes-ml has the names of the nearest'
	prints $'row,item,v\n0,dog,1\n1,dog,1' 'axt-take item=i.nc emb.nc:v | axt-print --csv'
	prints $'row,item,v\n0,dog,1\n1,dog,1' "axt-take item=i.nc 'emb.nc:*' -o o.nc && axt-print --csv o.nc:v"
}

@test "positions that stand where labels of times do" {
	axt-make iota t=4 | axt-coord set t=0:10 --attr 't:units=days since 2001-01-01' -o d.nc
	axt-make iota:1 x=2 --dtype i64 -o i.nc
	fails 1 'axt-take: 1 of i.nc:tensor (element 0) is not on axis "t" *' 'axt-take t@i.nc d.nc -o o.nc'
	hints 'axt-take t=i.nc d.nc -o o.nc'
	warned 'axt-take: warning: labels of axis "t" are integers without units, *: t=i.nc:tensor' 'axt-take t@i.nc --nearest d.nc -o o.nc'
	axt-copy --attr 'units=days since 2001-01-01' i.nc -o l.nc
	works 'axt-take t@l.nc --nearest d.nc -o o.nc'
}

@test "what lies along an axis whose elements are taken in another order is left out, and told" {
	py 'import netCDF4
d = netCDF4.Dataset("n.nc", "w"); d.createDimension("x", 3)
d.createVariable("name", str, ("x",))[:] = np.array(["a", "b", "c"], object)
d.createVariable("h", "f4", ("x",))[:] = [1, 2, 3]
v = d.createVariable("v", "f4", ("x",)); v[:] = [10, 20, 30]; v.coordinates = "h"; d.close()'
	printf '2\n-1\n0\n' >p.csv
	axt-from --matrix --header no --to x p.csv -o p.nc
	prints $'axt-take: warning: n.nc:/name is left out: axis "x" has other elements in the result\naxt-take: warning: n.nc:/h is left out: axis "x" has other elements in the result' 'axt-take x=p.nc "n.nc:*" -o o.nc 2>&1'
	prints v 'axt-info --names o.nc | tr -d /'
	run ! ncdump -v h o.nc
	# where it is well defined they are permuted alike
	axt-from <(printf '2\n1\n0\n') --format csv --matrix --header no --to x -o q.nc
	works 'axt-take x=q.nc "n.nc:*" -o o.nc'
	prints $'c\nb\na' 'axt-print o.nc:name'
	prints $'3\n2\n1' 'axt-print o.nc:h'
}
