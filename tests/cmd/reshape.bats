load helper

@test "row-major and column-major" {
	make_a
	prints $'0 1\n2 3\n4 5' 'axt-reshape p=3,q=2 a.nc -p'
	prints $'0 1\n2 3\n4 5' 'axt-reshape p=3,q <a.nc -p'
	prints $'0 4\n3 2\n1 5' 'axt-reshape p=3,q --order F a.nc -p'
	prints $'0\n3\n1\n4\n2\n5' 'axt-reshape p --order F a.nc -p'
	prints $'0 1\n2 3\n4 5' 'axt-reshape lat=3,lon=2 a.nc -p'
	prints '5' 'axt-make full:5 x=1 | axt-reshape "" -p'
	prints '5' 'axt-make full:5 "" | axt-reshape x=1 -p'
}

@test "by rank" {
	axt-make iota a=2,b=1,c=3 -o a.nc
	prints '      "axes": ["a", "b.c"],' 'axt-reshape --rank 2 a.nc | axt-info --json | grep axes'
	prints '      "axes": ["a", "b", "c", "dim_0", "dim_1"],' 'axt-reshape --rank 5 <a.nc | axt-info --json | grep axes'
	works 'axt-reshape --rank 3 a.nc | axt-equal --strict-order a.nc'
	works 'axt-reshape --rank 1 a.nc | axt-unflatten a.b.c | axt-equal --strict-order a.nc'
	fails 1 'axt-reshape: a.nc:tensor of rank 3 cannot have rank 0' 'axt-reshape --rank 0 a.nc'
}

@test "what is refused" {
	make_a
	fails 1 'axt-reshape: a.nc:tensor has 6 elements, which cannot be axes p (4)' 'axt-reshape p=4 a.nc -o o.nc'
	fails 1 'axt-reshape: a.nc:tensor has 6 elements, which cannot be axes p, q*' 'axt-reshape p=4,q a.nc -o o.nc'
	fails 1 'axt-reshape: axis "p" stands twice*' 'axt-reshape p=2,p=3 a.nc -o o.nc'
	fails 2 'axt-reshape: with --rank*' 'axt-reshape --rank 1 p=6 a.nc -o o.nc'
	fails 2 'axt-reshape: *' 'axt-reshape p=6 a.nc a.nc -o o.nc'
	fails 2 'axt-reshape: --order takes C|F*' 'axt-reshape p=6 --order K a.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "--rank folds in the order told" {
	axt-make iota a=2,b=2,c=3 -o a.nc
	prints $'0 3 1 4 2 5\n6 9 7 10 8 11' 'axt-reshape --rank 2 --order F a.nc -p'
	prints $'0 1 2 3 4 5\n6 7 8 9 10 11' 'axt-reshape --rank 2 --order C a.nc -p'
	works 'axt-calc "reshape(a, rank=1, order=F)" a=a.nc | axt-unflatten c.b.a | axt-equal - a.nc'
}
