load helper

@test "levels k become 1 - k, no value moves" {
	make_a
	prints $'0 1 2\n3 4 5' 'axt-transpose a.nc -p'
	prints '      "levels": [1, 1],' 'axt-transpose a.nc | axt-info --json | grep levels'
	prints '      "levels": [0, 0],' 'axt-transpose a.nc | axt-transpose | axt-info --json | grep levels'
	works 'axt-transpose a.nc | axt-transpose | axt-equal --strict-order a.nc'
}
