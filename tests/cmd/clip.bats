load helper

@test "values" {
	make_a
	prints $'1 1 2\n3 4 4' 'axt-clip 1 4 a.nc -p'
	prints $'1 1 2\n3 4 4' 'axt-clip 1 4 -p <a.nc'
	prints $'0 1 2\n3 3 3' 'axt-clip -inf 3 a.nc -p'
	prints nan 'axt-clip 0 1 nan -p'
}

@test "limits can be tensors; the axes stay those of A" {
	make_a
	axt-make iota:1 lon=3 -o v.nc
	prints $'0 1 2\n1 2 3' 'axt-clip 0 v.nc a.nc -p'
}

@test "usage" {
	fails 2 'axt-clip: operand HI is missing' 'axt-clip 1 </dev/null'
	fails 2 'axt-clip: operand LO is missing' 'axt-clip'
}
