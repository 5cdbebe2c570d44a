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

@test "--like: the axes of another tensor" {
	axt-make iota x=2 -o a.nc
	axt-make zeros y=2,x=2 | axt-coord set y=5:1 x=3:1 -o b.nc
	prints 'y,x,tensor
5,3,0
5,4,1
6,3,0
6,4,1' 'axt-broadcast --like b.nc a.nc | axt-print --csv'
	prints '0 0
1 1' 'axt-make iota z=2 | axt-broadcast --like a.nc | axt-order z,x -p'
	prints '0 1
0 1' "axt-calc 'broadcast_like(a, b)' a=a.nc b=b.nc -p"
	fails 1 'axt-broadcast: axis "x" has length 2 in b.nc:tensor and 3 in -:tensor' 'axt-make iota x=3 | axt-broadcast --like b.nc -'
}
