load helper

@test "around the end, with coordinates" {
	make_cf
	prints $'2 0 1\n5 3 4' 'axt-shift lat=1 cf.nc -p'
	prints $'1 2 0\n4 5 3' 'axt-shift lat=-4 <cf.nc -p'
	prints $'5 3 4\n2 0 1' 'axt-shift -q lat=1 time=1 cf.nc -p'
	prints $'30\n10\n20' 'axt-shift lat=1 cf.nc -o s.nc && axt-print s.nc:lat'
	works 'axt-shift -q lat=3 time=-2 cf.nc | axt-equal --attributes cf.nc'
	prints $'0 1 2\n3 4 5' 'axt-shift lat=9223372036854775806 cf.nc -p'
	prints '' 'axt-make iota x=0 | axt-shift x=2 -p'
}

@test "what is refused" {
	make_a
	fails 2 'axt-shift: "1.5" is not a whole number*' 'axt-shift lat=1.5 a.nc -o o.nc'
	fails 1 'axt-shift: no axis "x"*' 'axt-shift x=1 a.nc -o o.nc'
	fails 2 'axt-shift: "lat" is not AXIS=*' 'axt-shift lat a.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "--fixed: places keep their labels, and get a neighbour's value" {
	axt-make iota lon=4 | axt-coord set lon=0:90 -o a.nc
	prints $'lon,tensor\n0,3\n90,0\n180,1\n270,2' 'axt-shift lon=1 --fixed a.nc | axt-print --csv'
	prints $'lon,tensor\n0,-2\n90,2\n180,2\n270,-2' \
		'axt-calc "shift(v, lon=-1, fixed=true) - shift(v, lon=1, fixed=true)" v=a.nc | axt-print --csv'
	works 'axt-shift lon=1 --fixed a.nc | AXT_FUSE=0 axt-shift lon=-1 --fixed | axt-equal - a.nc'
}
