load helper

@test "a new axis" {
	make_a
	prints '      "axes": ["t", "lat", "lon"],' 'axt-expand t a.nc | axt-info --json | grep axes'
	prints '      "shape": [2, 3, 4],' 'axt-expand t=4 --at -1 <a.nc | axt-info --json | grep -w shape'
	prints '      "axes": ["lat", "t", "lon"],' 'axt-expand t --at 1 a.nc | axt-info --json | grep axes'
	works 'axt-expand t=4 --at 1 a.nc | axt-slice t=-1 | axt-equal a.nc'
	prints '' 'axt-expand t=0 a.nc -p'
	prints '      "shape": [2, 5, 1, 3],' 'axt-expand u=5,v --at 1 a.nc | axt-expand w,z --at -1 | axt-squeeze --over w,z | axt-info --json | grep -w shape'
	works 'axt-equal <(axt-expand u=5,v --at -1 a.nc) <(axt-expand u=5 --at -1 a.nc | axt-expand v --at -1)'
	works 'axt-equal <(axt-expand u=5,v --at -2 a.nc) <(axt-calc "expand(t, u=5, v, at=-2)" t=a.nc)'
}

@test "a dataset of rank 0 becomes the coordinate" {
	make_cf
	prints $'time,lat,t\n2010-01-02T12:00:00,10,3\n2010-01-02T12:00:00,20,4\n2010-01-02T12:00:00,30,5' \
	    'axt-slice time=1 cf.nc | axt-expand time | axt-print --csv'
	works 'axt-slice time=1 cf.nc | axt-expand time | axt-equal --attributes - <(axt-slice time=1: cf.nc)'
}

@test "what is refused" {
	make_a
	fails 1 'axt-expand: axis "lon" stands twice*' 'axt-expand lon a.nc -o o.nc'
	fails 1 'axt-expand: no position 5 among 3 axes' 'axt-expand t --at 5 a.nc -o o.nc'
	fails 2 'axt-expand: "" is not one axis' 'axt-expand "" a.nc -o o.nc'
	fails 2 'axt-expand: *"-2" is no length' 'axt-expand t=-2 a.nc -o o.nc'
	fails 1 'axt-expand: *2^63*' 'axt-expand t=9000000000000000000 a.nc -o o.nc'
	fails 2 'axt-expand: "0" is a position, and the new axis has a name' 'axt-expand 0 a.nc -o o.nc'
	fails 2 'axt-expand: "-1" is a position, *' 'axt-expand -1 a.nc -o o.nc'
	hints 'axt-expand x a.nc -o o.nc'
	[ ! -e o.nc ]
	works 'axt-expand time --at -1 a.nc -o o.nc'
}
