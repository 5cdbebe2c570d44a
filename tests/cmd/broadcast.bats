load helper

@test "new axes with lengths, any order" {
	axt-make iota x=3 -o v.nc
	prints $'0 1 2\n0 1 2' 'axt-broadcast y=2,x v.nc -p'
	prints $'0 0\n1 1\n2 2' 'axt-broadcast x,y=2 v.nc -p'
	prints $'7\n7' 'axt-broadcast x=2 7 -p'
}

@test "all axes of the tensor must be there, lengths agree" {
	axt-make iota x=3 -o v.nc
	fails 1 'axt-broadcast: *' 'axt-broadcast y=2 v.nc -p'
	fails 1 'axt-broadcast: *' 'axt-broadcast x=4 v.nc -p'
	fails 1 'axt-broadcast: *' 'axt-broadcast x,y v.nc -p'
}
