load helper

@test "axes and their coordinates turn" {
	make_cf
	prints $'time,lat,t\n2010-01-01,30,2\n2010-01-01,20,1\n2010-01-01,10,0\n2010-01-02T12:00:00,30,5\n2010-01-02T12:00:00,20,4\n2010-01-02T12:00:00,10,3' \
	    'axt-flip lat cf.nc | axt-print --csv'
	prints $'5 4 3\n2 1 0' 'axt-flip lat,time cf.nc -p'
	works 'axt-flip time,lat <cf.nc | axt-flip lat | axt-flip time | axt-equal --attributes --strict-order cf.nc'
}

@test "what is refused" {
	make_a
	fails 1 'axt-flip: no axis "x" in a.nc:tensor*' 'axt-flip x a.nc -o o.nc'
	fails 1 'axt-flip: axis "lat" stands twice*' 'axt-flip lat,lat a.nc -o o.nc'
	fails 2 'axt-flip: operand AXES is missing' 'axt-flip'
	[ ! -e o.nc ]
}
