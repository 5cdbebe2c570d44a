load helper

@test "by name, all at once" {
	make_a
	prints $'y,x,tensor\n0,0,0' 'axt-rename lat=y,lon=x a.nc | axt-print --csv --head 1'
	prints $'lon,lat,tensor\n0,0,0' 'axt-rename lat=lon,lon=lat a.nc | axt-print --csv --head 1'
	make_cf
	prints $'when,lat,t\n2010-01-01,10,0' 'axt-rename time=when cf.nc | axt-print --csv --head 1'
}

@test "unknown names and collisions" {
	make_a
	fails 1 'axt-rename: *"x"*' 'axt-rename x=y a.nc -p'
	fails 1 'axt-rename: *' 'axt-rename lat=lon a.nc -p'
	fails 2 'axt-rename: operand OLD=NEW,... is missing' 'axt-rename'
	sh_run 'axt-rename lat a.nc -p'
	[ "$status" -ne 0 ]
}
