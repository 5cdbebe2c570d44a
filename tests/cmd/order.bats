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
	hints 'axt-order ... a.nc --name member -o o.nc'
	[ ! -e o.nc ]
	works 'axt-slice height=0 a.nc --name height -o o.nc'
}

@test "--like: the order of another tensor" {
	axt-make iota a=2,b=3 -o x.nc
	axt-make zeros b=5,a=7 -o y.nc
	prints '0 3
1 4
2 5' 'axt-order --like y.nc x.nc -p'
	fails 1 'axt-order: no axis "c" in x.nc:tensor (a, b)*' 'axt-make zeros c=2,a=2,b=3 | axt-order --like - x.nc'
	fails 1 'axt-order: *"a"*' 'axt-make zeros b=3 | axt-order --like - x.nc'
}
