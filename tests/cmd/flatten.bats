load helper

@test "row-major in the order named" {
	axt-make iota t=2,y=2,x=3 -o a.nc
	prints $'0 1 2 3 4 5\n6 7 8 9 10 11' 'axt-flatten y,x a.nc -p'
	prints $'0 3 1 4 2 5\n6 9 7 10 8 11' 'axt-flatten x,y=cell <a.nc -p'
	prints '      "axes": ["x.t", "y"],' 'axt-flatten x,t a.nc | axt-order x.t,y | axt-info --json | grep axes'
	works 'axt-flatten t,y,x=all a.nc | axt-unflatten all | axt-equal --strict-order a.nc'
	works 'axt-order x,y,t a.nc | axt-flatten y,t | axt-unflatten y.t | axt-equal a.nc'
}

@test "parts are remembered in files, and forgotten by a cut" {
	axt-make iota y=2,x=3 -o a.nc
	works 'axt-flatten y,x=p a.nc -o f.nc'
	works 'axt-unflatten p f.nc | axt-equal --strict-order a.nc'
	fails 1 'axt-unflatten: axis "p"*remembers no parts' 'axt-slice p=:2 f.nc | axt-unflatten p'
	works 'axt-flatten y,x=p a.nc | axt-map negative | axt-unflatten p | axt-equal - <(axt-map negative a.nc)'
}

@test "coordinates of the parts go, datasets over all of them stay" {
	py '
f = h5py.File("c.nc", "w")
f["y"] = np.arange(2.); f["x"] = np.arange(3.)
for n in "yx": f[n].make_scale(n)
for n in ("t", "lat2"):
    f[n] = np.arange(6.).reshape(2, 3)
    for k, m in enumerate("yx"): f[n].dims[k].attach_scale(f[m])
f["t"].attrs["coordinates"] = np.bytes_("lat2")
'
	works 'axt-flatten y,x=p c.nc:t -o f.nc'
	prints $'0\n1\n2\n3\n4\n5' 'axt-print f.nc:lat2'
	fails 1 '*' 'axt-print f.nc:x'
}

@test "what is refused" {
	make_a
	fails 1 'axt-flatten: no axis "x"*' 'axt-flatten lat,x a.nc -o o.nc'
	fails 1 'axt-flatten: axis "lat" stands twice*' 'axt-flatten lat,lat a.nc -o o.nc'
	fails 1 'axt-flatten: axis "lon" stands twice*' 'axt-flatten lat=lon a.nc -o o.nc'
	fails 2 'axt-flatten: *is not A,B*' 'axt-flatten "" a.nc -o o.nc'
	fails 2 'axt-flatten: *is not A,B*' 'axt-flatten lat,lon=p,q a.nc -o o.nc'
	[ ! -e o.nc ]
}
