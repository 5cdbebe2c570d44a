load helper

@test "counted" {
	make_a
	prints $'lat,lon,tensor\n-45,0,0\n-45,0.5,1\n-45,1,2\n45,0,3\n45,0.5,4\n45,1,5' \
		'axt-coord set lat=-45:90 lon=0:.5 a.nc | axt-print --csv'
	works 'axt-coord set lat=10:10 a.nc -o b.nc'
	prints $'10\n20' 'axt-print b.nc:lat'
	prints $'10\n20' 'axt-coord set lon=1:1 <b.nc | axt-print -:lat'
	prints $'7\n7' 'axt-coord set lat=7:0 b.nc | axt-print -:lat'
}

@test "from a file, with attributes, numbers or text" {
	make_cf
	py '
f = h5py.File("g.h5", "w")
f["when"] = np.array([5, 7, 9], "i4"); f["when"].attrs["units"] = np.bytes_("days since 2000-01-01")
f["when"].attrs["bounds"] = np.bytes_("nothing")
f["who"] = np.array([b"Rome", b"Oslo"])
f["m"] = np.zeros((2, 3))'
	works 'axt-coord set lat=g.h5:when cf.nc --name t -o b.nc'
	prints $'2000-01-06\n2000-01-08\n2000-01-10' 'axt-print b.nc:lat'
	prints 'lat:units=days since 2000-01-01' 'axt-attr lat:units b.nc'
	fails 1 'axt-attr: *' 'axt-attr lat:bounds b.nc'
	prints $'time,lat,t\nRome,10,0\nRome,20,1\nRome,30,2\nOslo,10,3\nOslo,20,4\nOslo,30,5' \
		'axt-coord set time=g.h5:who cf.nc | axt-print --csv'
	prints $'10\n20\n30' 'axt-coord set lat=cf.nc:lat <cf.nc | axt-print -:lat'
	prints $'2010\n2010' 'axt-coord set time=cf.nc:time.year cf.nc | axt-print -:time'
	prints $'1\n2\n3' 'axt-coord set lat=<(axt-make iota:1 k=3) cf.nc | axt-print -:lat'
	fails 1 'axt-coord: axis "lat" has length 3 in cf.nc:t, and g.h5:who has 2 values' 'axt-coord set lat=g.h5:who cf.nc'
	fails 1 'axt-coord: axis "time" has length 2 in cf.nc:t, and g.h5:when has 3 values' 'axt-coord set time=g.h5:when cf.nc'
	fails 1 'axt-coord: coordinates have one axis, and g.h5:m has 2 *' 'axt-coord set time=g.h5:m cf.nc'
	fails 1 'axt-coord: none.h5: *' 'axt-coord set time=none.h5:m cf.nc'
}

@test "times by a date and a length, shifted, and by their fields" {
	axt-make iota time=4 -o i.nc
	works 'axt-coord set time=2001-01-31T12:00:month i.nc -o t.nc'
	prints $'2001-01-31T12:00:00\n2001-03-03T12:00:00\n2001-03-31T12:00:00\n2001-05-01T12:00:00' 'axt-print t.nc:time'
	prints 'time:units=days since 2001-01-31 12:00:00' 'axt-attr time:units t.nc'
	prints $'2001-01-01\n2001-01-01T06:00:00\n2001-01-01T12:00:00\n2001-01-01T18:00:00' 'axt-coord set time=2001-01-01:6h i.nc | axt-print -:time'
	works 'axt-coord set time=2000-02-27:day i.nc -o t.nc'
	prints $'2000-02-26T12:00:00\n2000-02-27T12:00:00\n2000-02-28T12:00:00\n2000-02-29T12:00:00' 'axt-coord shift time=-12h t.nc | axt-print -:time'
	prints $'2000-03-27\n2000-03-28\n2000-03-29\n2000-04-01' 'axt-coord shift time=1month t.nc | axt-print -:time'
	prints $'1999-02-27\n1999-02-28\n1999-02-28\n1999-03-01' 'axt-coord set time.year=1999 t.nc | axt-print -:time'
	prints $'2000-02-15\n2000-02-15\n2000-02-15\n2000-03-15' 'axt-coord set time.day=15 t.nc | axt-print -:time'
	prints $'1990-07-01T06:30:00\n1990-07-01T06:30:00\n1990-07-01T06:30:00\n1990-07-01T06:30:00' \
		'axt-coord set time.date=1990-07-01 t.nc | axt-coord set time.hour=6:30 | axt-print -:time'
	fails 2 'axt-coord: time.season=DJF: what can be set is year, month, day, date or hour, *' 'axt-coord set time.season=DJF t.nc'
	fails 2 'axt-coord: time.month=13: months are 1 to 12' 'axt-coord set time.month=13 t.nc'
	fails 2 'axt-coord: time.hour=25: hours are 0 to 23, *' 'axt-coord set time.hour=25 t.nc'
	fails 2 'axt-coord: time.day=0: days are 1 to 31, *' 'axt-coord set time.day=0 t.nc'
	fails 2 'axt-coord: time.date=1990-02-31: a date is such as 1990-02-28, *' 'axt-coord set time.date=1990-02-31 t.nc'
	fails 2 'axt-coord: time=2001-02-30:month: "2001-02-30" is no date of calendar standard' 'axt-coord set time=2001-02-30:month t.nc'
	fails 2 'axt-coord: time=2001-01-01:-1day: "-1day" is no length of time, *' 'axt-coord set time=2001-01-01:-1day t.nc'
	fails 2 'axt-coord: time=2001-01-01:0h: "0h" is no length of time, *' 'axt-coord set time=2001-01-01:0h t.nc'
	works 'cp t.nc none.nc && axt-attr calendar=none none.nc:time'
	fails 1 'axt-coord: axis "time": its calendar "none" is none of CF' 'axt-coord shift time=1day none.nc'
	fails 2 'axt-coord: "time=often" is no number and no length of time, *' 'axt-coord shift time=often t.nc'
	fails 1 'axt-coord: axis "lat" in * is no CF time axis: *' 'axt-make iota lat=2 -o a.nc && axt-coord set lat=1:1 a.nc -o a2.nc && axt-coord shift lat=1day a2.nc'
	prints $'-359\n-358' 'axt-make iota lon=2 | axt-coord set lon=1:1 | axt-coord shift lon=-360 | axt-print -:lon'
	works 'axt-reduce mean --every "3 steps" t.nc -o m.nc'
	prints $'time,tensor\n2000-02-28,1\n2000-03-01,3' 'axt-print --csv m.nc'
	works 'axt-reduce mean --every month t.nc -o m.nc'
	prints 2.033333333333333 'axt-reduce mean --weights time.width --dtype f64 m.nc -p'
	fails 1 'axt-reduce: time.width is how far bounds are apart, and axis "time" of t.nc* has none' 'axt-reduce mean --weights time.width t.nc'
}

@test "words as labels" {
	axt-make iota word=3 -o e.nc
	prints $'word,tensor\na,0\nb b,1\nc,2' 'axt-coord set word="a,b b,c" e.nc | axt-print --csv'
	prints $'word,tensor\nr1,0' 'axt-make iota word=1 | axt-coord set word=r1, | axt-print --csv'
	printf 'a\nb\nc\n' >v.txt
	for from in v.txt '<(axt-from v.txt)' v.nc; do
		[ "$from" != v.nc ] || axt-from v.txt -o v.nc
		prints $'word,tensor\na,0\nb,1\nc,2' "axt-coord set word=$from e.nc | axt-print --csv"
	done
	(echo word; cat v.txt) >h.txt
	prints $'word,tensor\na,0\nb,1\nc,2' 'axt-coord set word=h.txt:word e.nc | axt-print --csv'
	fails 1 'axt-coord: axis "word" has length 3 in e.nc:tensor, and h.txt has 4 values' 'axt-coord set word=h.txt e.nc'
	hints 'word=h.txt:word takes the first line as the name of a column'
	printf '10\n20\n30\n' >n.txt
	prints $'10\n20\n30' 'axt-coord set word=n.txt e.nc | axt-print -:word'
	fails 1 'axt-coord: axis "word" has length 3 in e.nc:tensor, and "a,b" has 2 values' 'axt-coord set word=a,b e.nc'
	fails 1 'axt-coord: r1: No such file or directory' 'axt-coord set word=r1 e.nc'
	hints 'word=r1, is one label; several have commas between them'
	axt-make iota:7 word=3 -o r1,r2,r3
	prints $'7\n8\n9' 'axt-coord set word=r1,r2,r3 e.nc | axt-print -:word'
}

@test "dropped" {
	make_cf
	prints $'time,lat,t\n0,10,0\n0,20,1\n0,30,2\n1,10,3\n1,20,4\n1,30,5' 'axt-coord drop time cf.nc | axt-print --csv'
	prints $'time,lat,t\n0,0,0\n0,1,1\n0,2,2\n1,0,3\n1,1,4\n1,2,5' 'axt-coord drop lat,time cf.nc | axt-print --csv'
	works 'axt-coord drop lat cf.nc | axt-coord drop lat | axt-equal - cf.nc'
}

@test "bounds go with the coordinates they bound" {
	py '
f = h5py.File("b.nc", "w", track_order=True)
for n, v in (("x", [1., 2]), ("nv", [0., 1])):
    f[n] = np.array(v); f[n].make_scale(n)
f["x"].attrs["bounds"] = np.bytes_("x_bnds")
f["x_bnds"] = np.zeros((2, 2)); f["x2"] = np.array([3., 4])
f["t"] = np.ones(2, "f4"); f["t"].attrs["coordinates"] = np.bytes_("x2")
for n in ("t", "x_bnds", "x2"): f[n].dims[0].attach_scale(f["x"])
f["x_bnds"].dims[1].attach_scale(f["nv"])
'
	works 'axt-coord set x=10:1 b.nc:t -o c.nc'
	prints $'t\nx\nx2' 'h5ls c.nc | cut -d" " -f1'
	prints $'10\n11' 'axt-print c.nc:x'
	works 'axt-coord drop x b.nc:t -o d.nc'
	prints $'t\nx\nx2' 'h5ls d.nc | cut -d" " -f1'
}

@test "one number, of an axis of length 1" {
	make_a
	prints $'lat,lon,tensor\n60000,0,0\n60000,1,1\n60000,2,2' 'axt-slice lat=:1 a.nc | axt-coord set lat=60000 lon=0:1 | axt-print --csv -'
}

@test "wrong usage" {
	make_a
	fails 2 'axt-coord: unknown action "get"' 'axt-coord get lat=0:1 a.nc'
	fails 2 'axt-coord: "lat" is neither AXIS=FILE:DATASET nor AXIS=START:STEP' 'axt-coord set lat a.nc'
	fails 2 'axt-coord: "lon=0:1" is not AXIS,...' 'axt-coord drop lat lon=0:1 a.nc'
	fails 2 'axt-coord: the coordinates of "lat" are FILE:DATASET, START:STEP or V,W,..., not ""' 'axt-coord set lat= a.nc'
	fails 1 'axt-coord: axis "lat" has length 2 in a.nc:tensor, and "3" has 1 value' 'axt-coord set lat=3 a.nc'
	fails 2 'axt-coord: operand AXIS is missing' 'axt-coord set'
	fails 1 'axt-coord: no axis "lta" in a.nc:tensor (lat, lon)' 'axt-coord set lta=0:1 a.nc'
	hints 'axt-coord set lat=0:1 a.nc'
	fails 1 'axt-coord: no axis "x" in a.nc:tensor (lat, lon)' 'axt-coord drop x a.nc'
	fails 2 'axt-coord: too many operands: "b.nc"' 'axt-coord set lat=0:1 a.nc b.nc'
	cp a.nc lat=1.nc
	prints $'0 1 2\n3 4 5' 'axt-coord set lat=0:1 ./lat=1.nc -p'
}

@test "coordinates that are typed" {
	make_a
	prints $'5\n-7\n9' 'axt-coord set lon=5,-7,9 a.nc | axt-print -:lon'
	prints $'0.5\n2' 'axt-coord set lat=0.5,2 lon=1:1 a.nc | axt-print -:lat'
	prints '  lon 3 i64 5 .. 9' 'axt-coord set lon=5,-7,9 a.nc | axt-info | grep " lon 3"'
	prints 1 'axt-coord set lon=5,-7,9 a.nc | axt-slice lon@-7 lat=0 -p'
	fails 1 'axt-coord: axis "lon" has length 3 in a.nc:tensor, and "1,2" has 2 values' 'axt-coord set lon=1,2 a.nc -p'
	for list in 1,x,3 1,2,; do
		fails 2 "axt-coord: \"$list\" is no list of numbers, and no list of words, since \"1\" is a number" "axt-coord set lon=$list a.nc -p"
	done
}

@test "an axis that is set twice is an error" {
	axt-make iota t=3,a=2 -o t.nc
	fails 2 'axt-coord: axis "t" is named twice: t=0:1 and t=0:2' 'axt-coord set t=0:1 t=0:2 t.nc'
	works 'axt-coord set t=0:1 a=0:2 t.nc'
}

@test "as functions of axt-calc" {
	make_a
	prints $'lat,lon,tensor\n-45,0,0\n-45,0.5,1\n-45,1,2\n45,0,3\n45,0.5,4\n45,1,5' \
		'axt-calc "set_coord(a, lat=-45:90, lon=0:.5)" a.nc | axt-print --csv'
	axt-make iota:7 k=2 -o k.nc
	prints $'7\n8' 'axt-calc "set_coord(a, lat=k)" a.nc k.nc | axt-print -:lat'
	prints $'14\n16' 'axt-calc "set_coord(a, lat=2*k)" a.nc k.nc | axt-print -:lat'
	prints $'5\n7' 'axt-calc "set_coord(a, lat=(5,7))" a.nc | axt-print -:lat'
	works 'axt-calc "drop_coord(set_coord(a, lat=1:1, lon=2:2), lat, lon)" a.nc -o b.nc; axt-equal a.nc b.nc'
	works 'axt-calc "drop_coord(set_coord(a, lat=1:1), (lat, lon))" a.nc -o b.nc; axt-equal a.nc b.nc'
	fails 1 'axt-calc: axis "lat" has length 2 in a.nc:tensor, and k.nc:tensor has 3 values at *' \
		'axt-make iota k=3 -o k.nc; axt-calc "set_coord(a, lat=k)" a.nc k.nc'
	fails 2 'axt-calc: "lat=1:1" is not AXIS,... at *' 'axt-calc "drop_coord(a, lat=1:1)" a.nc'
	fails 2 'axt-calc: axis "lat" is named twice: lat=1:1 and lat=2:1 at *' 'axt-calc "set_coord(a, lat=1:1, lat=2:1)" a.nc'
	fails 2 'axt-calc: drop_coord needs AXIS,... at *' 'axt-calc "drop_coord(a)" a.nc'
}

@test "a whole file: of each tensor the axes that it has" {
	axt-make iota x=2,y=3 -o w.nc:a
	axt-make iota y=3 -o w.nc:b
	works 'axt-coord set x=5:1 y=1:1 "w.nc:*" -o c.nc'
	prints $'5\n6' 'axt-print c.nc:x'
	works 'axt-coord drop x,y "c.nc:*" -o d.nc && axt-equal w.nc:a d.nc:a && axt-equal w.nc:b d.nc:b'
	fails 1 'axt-coord: no axis "z" in *' 'axt-coord drop x,z "c.nc:*" -o d.nc'
}
