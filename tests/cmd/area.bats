load helper

@test "areas of cells, as weights and as axt-calc have them" {
	works 'axt-make ones lat=3,lon=2 -o a.nc; axt-make iota:-60:60 lat=3 --dtype f64 --attr units=degrees_north -o lat.nc'
	works 'axt-coord set lat=lat.nc a.nc -o g.nc'
	prints $'0.5\n1.0\n0.5' 'axt-area g.nc | axt-print --format %.1f - | tr " " "\n"'
	works "axt-area g.nc --name w --no-history -o a.nc --force && axt-calc 'area(t)' t=g.nc --no-history --name w -o b.nc && cmp a.nc b.nc"
	works 'axt-reduce mean --over lat --weights area g.nc -o c.nc; axt-area g.nc | axt-reduce mean --over lat --weights - g.nc | axt-equal - c.nc'
	fails 1 'axt-area: areas need latitudes, and *' 'axt-make ones x=3 | axt-area'
	fails 2 'axt-area: too many operands: *' 'axt-area g.nc g.nc'
}
