load helper

@test "levels k become 1 - k, no value moves" {
	make_a
	prints $'0 1 2\n3 4 5' 'axt-transpose -q a.nc -p'
	prints '      "levels": [1, 1],' 'axt-transpose -q a.nc | axt-info --json | grep levels'
	prints '      "levels": [0, 0],' 'axt-transpose -q a.nc | axt-transpose | axt-info --json | grep levels'
	works 'axt-transpose -q a.nc | axt-transpose | axt-equal --strict-order a.nc'
}

@test "axes without a dual: a warning, since transpose of NumPy is another order" {
	make_a
	warned 'axt-transpose: warning: no axis of a.nc:tensor is a dual, as M\* of M, and the order stays: axt-order lon,lat a.nc:tensor changes it' \
	    'axt-transpose a.nc -o t.nc'
	warned 'axt-calc: warning: no axis of a.nc:tensor is a dual, as M\* of M, and the order stays: order(a, (lon,lat)) changes it' \
	    'axt-calc "transpose(a)" a=a.nc -o c.nc'
	works 'axt-order lon,lat a.nc:tensor -o o.nc; axt-calc "order(a, (lon,lat))" a=a.nc | axt-equal --strict-order - o.nc'
	works 'axt-transpose t.nc -o back.nc; axt-make iota lat=2 | axt-transpose -o v.nc'
}
