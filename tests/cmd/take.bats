load helper

make_c()
{
	axt-make iota lat=3,lon=2 | axt-coord set lat=-30:30 -o c.nc
}

@test "positions of a tensor: its axes in place" {
	make_c
	axt-make iota:2:-1 p=2 | axt-coord set p=5:1 -o i.nc
	prints $'p,lon,tensor\n5,0,4\n5,1,5\n6,0,2\n6,1,3' 'axt-take lat=i.nc c.nc | axt-print --csv'
	prints $'4 5\n2 3' 'axt-take lat=- c.nc -p <i.nc'
	axt-make full:-1 r=2,s=2 --dtype i32 -o m.nc
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
	hints 'a date has a year, season, month, *'
	axt-make full:7 r=1 -o seven.nc
	fails 1 'axt-take: 7 of seven.nc:tensor*not on axis "lat"*' 'axt-take lat@seven.nc c.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "what is refused" {
	make_c
	fails 1 'axt-take: position 3 in c.nc:tensor is not on axis "lat"*length 3' 'axt-take lat=c.nc c.nc -o o.nc'
	fails 1 'axt-take: *no index 9' 'axt-take lat=9 c.nc -o o.nc'
	fails 1 'axt-take: positions are integers, -:tensor is f32' 'axt-make ones r=1 | axt-take lat=- c.nc -o o.nc'
	axt-make zeros lon=2 --dtype i64 -o j.nc
	fails 1 'axt-take: axis "lon" stands twice*' 'axt-take lat=j.nc c.nc -o o.nc'
	fails 1 'axt-take: no axis "x"*' 'axt-take x=0,1 c.nc -o o.nc'
	fails 1 'axt-take: no axis "x"*' 'axt-take x=j.nc c.nc -o o.nc'
	fails 2 'axt-take: "lat" is not AXIS=INDEX*' 'axt-take lat c.nc -o o.nc'
	[ ! -e o.nc ]
}
