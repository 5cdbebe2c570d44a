load helper

@test "parts told" {
	axt-make iota s=2,t=6 | axt-coord set s=5:1 t=0:1 -o a.nc
	prints $'# s=0 (5)\n0 1 2\n3 4 5\n\n# s=1 (6)\n6 7 8\n9 10 11' 'axt-unflatten t=y:2,m:3 a.nc -p'
	works 'axt-unflatten t=y,m:3 <a.nc | axt-equal --strict-order - <(axt-unflatten t=y:2,m:3 a.nc)'
	prints '      "shape": [2, 3, 2, 1],' 'axt-unflatten t=p:3,q:2,r:1 a.nc | axt-info --json | grep shape'
	works 'axt-unflatten t=y:2,t:3 a.nc | axt-flatten y,t=t | axt-equal a.nc'
}

@test "what is refused" {
	make_a
	fails 1 'axt-unflatten: axis "lon" of a.nc:tensor remembers no parts' 'axt-unflatten lon a.nc -o o.nc'
	hints '*NAME=A:2,B:3*'
	fails 1 'axt-unflatten: axis "lon" of a.nc:tensor has length 3, its parts p, q (2, 2)' \
	    'axt-unflatten lon=p:2,q:2 a.nc -o o.nc'
	fails 1 'axt-unflatten: axis "lon"*' 'axt-unflatten lon=p:2,q a.nc -o o.nc'
	fails 1 'axt-unflatten: axes "p" and "q" lack lengths' 'axt-unflatten lon=p,q a.nc -o o.nc'
	fails 1 'axt-unflatten: axis "lat" stands twice*' 'axt-unflatten lon=lat:3,q:1 a.nc -o o.nc'
	fails 1 'axt-unflatten: no axis "x"*' 'axt-unflatten x=a:1 a.nc -o o.nc'
	[ ! -e o.nc ]
}
