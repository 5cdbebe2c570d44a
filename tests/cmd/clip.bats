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

@test "limits in the wrong order, and a tensor among them where A is a number" {
	make_a
	fails 2 'axt-clip: the lower limit of clip, 50, is greater than the upper, 0' 'axt-clip 50 0 a.nc -p'
	[ "${#stderr_lines[@]}" -eq 1 ]
	fails 2 'axt-clip: the tensor that clip limits is operand A, and not a number' 'axt-clip 1 a.nc 4 -p'
	hints 'axt-clip 1 4 a.nc -p'
	fails 2 'axt-clip: the tensor that clip limits is operand A, and not a number' 'axt-clip - 0 255 -p <a.nc'
	hints 'axt-clip 0 255 -p'
}
