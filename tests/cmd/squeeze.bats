load helper

@test "axes of length 1 go, coordinates stay" {
	axt-make iota t=1,x=2,z=1 | axt-coord set t=7:1 -o a.nc
	works 'axt-squeeze a.nc -o s.nc'
	prints $'0\n1' 'axt-print s.nc'
	prints 7 'axt-print s.nc:t'
	prints '      "axes": ["t", "x"],' 'axt-squeeze --over z <a.nc | axt-info --json | grep axes'
	works 'axt-squeeze s.nc | axt-equal s.nc'
	works 'axt-expand t s.nc | axt-equal --attributes - <(axt-squeeze --over z a.nc)'
}

@test "what is refused" {
	make_a
	fails 1 'axt-squeeze: axis "lat" of a.nc:tensor has length 2, not 1' 'axt-squeeze --over lat a.nc -o o.nc'
	fails 1 'axt-squeeze: no axis "x"*' 'axt-squeeze --over x a.nc -o o.nc'
	[ ! -e o.nc ]
}
