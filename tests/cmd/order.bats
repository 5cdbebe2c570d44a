load helper

@test "axes by name" {
	make_a
	prints $'0 3\n1 4\n2 5' 'axt-order lon,lat a.nc -p'
	prints $'0 3\n1 4\n2 5' 'axt-order lon,... <a.nc | axt-print'
	prints $'0 3\n1 4\n2 5' 'axt-order ...,lat a.nc -p'
	works 'axt-order lon,lat a.nc | axt-order lat,lon | axt-equal --strict-order a.nc'
}

@test "every axis once" {
	make_a
	fails 1 'axt-order: *' 'axt-order lon a.nc -p'
	fails 1 'axt-order: *"x"*' 'axt-order x,lat,lon a.nc -p'
	sh_run 'axt-order lon,lon a.nc -p'
	[ "$status" -ne 0 ]
	fails 2 'axt-order: operand AXES is missing' 'axt-order'
}
