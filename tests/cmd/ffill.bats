load helper

@test "missing values are filled, at most so many in a row" {
	printf 'x,v\n0,nan\n10,1\n20,nan\n30,3\n40,nan\n' | axt-from --format csv - -o g.nc
	prints 'nan 1 1 3 3' 'axt-ffill --along x g.nc -p | paste -sd " "'
	prints 'nan 1 1 3 3' 'axt-ffill --along x <g.nc | axt-print | paste -sd " "'
	prints 'nan 1 1 3 3' 'axt-calc "ffill(g, along=x)" g=g.nc -p | paste -sd " "'
	works 'axt-ffill --along x g.nc -o o.nc'
	prints $'0\n10\n20\n30\n40' 'axt-print o.nc:x'
	axt-make iota x=3 --dtype i32 -o i.nc
	prints $'0\n1\n2' 'axt-ffill --along x i.nc -p'
}

@test "what it is given" {
	axt-make ones x=2 --dtype c64 -o c.nc
	fails 2 'axt-ffill: needs --along AXIS' 'axt-ffill c.nc'
	fails 1 'axt-ffill: ffill is not defined for c64 (c.nc:tensor)' 'axt-ffill --along x c.nc -p'
	fails 1 'axt-ffill: no axis "y" in c.nc:tensor*' 'axt-ffill --along y c.nc -p'
	fails 2 'axt-ffill: --limit takes *' 'axt-ffill --along x --limit 0 c.nc -p'
}
