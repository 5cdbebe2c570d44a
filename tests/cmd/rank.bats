load helper

@test "ranks by every method, integers exactly" {
	printf 'x,v\n0,3\n1,nan\n2,1\n3,3\n4,2\n' | axt-from --format csv - -o g.nc
	prints '3.5 nan 1 3.5 2' 'axt-rank --along x g.nc -p | paste -sd " "'
	prints '3 nan 1 3 2' 'axt-rank --along x --method min g.nc -p | paste -sd " "'
	prints '4 nan 1 4 2' 'axt-rank --along x --method max g.nc -p | paste -sd " "'
	prints '3 nan 1 3 2' 'axt-rank --along x --method dense g.nc -p | paste -sd " "'
	prints '3 nan 1 4 2' 'axt-rank --along x --method ordinal <g.nc -p | paste -sd " "'
	axt-make iota:9007199254740992 x=3 --dtype u64 -o u.nc
	prints '1 2 3' 'axt-rank --along x u.nc -p | paste -sd " "'
	axt-make iota:-1 x=3 --dtype i64 -o i.nc
	prints '1 2 3' 'axt-rank --along x i.nc -p | paste -sd " "'
}

@test "what it is given" {
	axt-make ones x=2 --dtype c64 -o c.nc
	fails 2 'axt-rank: needs --along AXIS' 'axt-rank c.nc'
	fails 1 'axt-rank: rank is not defined for c64 (c.nc:tensor)' 'axt-rank --along x c.nc -p'
	fails 2 'axt-rank: --method takes *' 'axt-rank --along x --method mean c.nc -p'
}
