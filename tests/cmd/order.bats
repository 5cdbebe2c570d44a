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

@test "--name of an axis is refused: only its coordinates are called so" {
	axt-make iota height=3,x=2 -o a.nc
	fails 1 'axt-order: "height" is an axis of the result: only its coordinates have that name' 'axt-order ... a.nc --name height -o o.nc'
	hints 'axt-coord set height=FILE:DATASET makes coordinates of a tensor'
	[ ! -e o.nc ]
	works 'axt-slice height=0 a.nc --name height -o o.nc'
}
