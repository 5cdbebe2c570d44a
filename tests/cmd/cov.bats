load helper

@test "values, dtypes, standard input" {
	axt-make iota x=5 -o a.nc
	axt-mul a.nc a.nc -o b.nc
	prints 10 'axt-cov a.nc b.nc -p'
	prints 8 'axt-cov --ddof 0 a.nc b.nc -p'
	prints 2.5 'axt-cov a.nc <a.nc -p'
	prints 8 'axt-cov --weights <(axt-make ones x=5) a.nc b.nc -p'
	prints f64 'axt-cov a.nc b.nc | axt-info - | grep -o f64'
}

@test "a pair is left out where one of its values is missing" {
	py 'f = h5py.File("g.h5", "w"); f["a"] = np.array([1, 2, -9, 4], "f8"); f["b"] = np.array([3, -9, 7, 9], "f8")
for v in ("a", "b"): f[v].attrs["_FillValue"] = -9.; f[v].attrs["units"] = "m" if v == "a" else "s"'
	prints 9 'axt-cov g.h5:a g.h5:b -p'
	prints nan 'axt-cov --keep-nan g.h5:a g.h5:b -p'
	prints 'units = "m s"' 'axt-cov g.h5:a g.h5:b | axt-info - | grep -o "units.*"'
}

@test "what cannot be" {
	axt-make iota x=5 -o a.nc
	axt-make iota x=4 -o s.nc
	fails 2 'axt-cov: operand X is missing' 'axt-cov'
	fails 1 'axt-cov: axis "x" *' 'axt-cov a.nc s.nc'
	fails 1 'axt-cov: covariances are not defined for c128 (c.nc:tensor)' 'axt-cast --dtype c128 a.nc -o c.nc; axt-cov a.nc c.nc'
	fails 1 'axt-cov: *no axis *"y"*' 'axt-cov --over y a.nc a.nc'
	fails 1 'axt-cov: weights and a ddof do not go together' 'axt-cov --ddof 1 --weights a.nc a.nc a.nc'
}

@test "the result has its axes in the order of --to" {
	axt-make normal a=2,t=5 --seed 1 --name x -o x.nc; axt-make normal t=5,b=3 --seed 2 --name y -o y.nc
	prints 'b=3 a=2' 'axt-cov --to b,a x.nc y.nc | axt-info - | grep -o "b=3 a=2"'
	works 'axt-cov --to b,a x.nc y.nc | axt-equal - <(axt-cov --over t x.nc y.nc)'
	prints 'b=3 a=2' 'axt-calc "cov(x, y, to=(b,a))" x.nc y.nc | axt-info - | grep -o "b=3 a=2"'
}

@test "weights along an axis that only one operand has are broadcast" {
	axt-make normal a=2,t=5 --seed 1 --name x -o x.nc; axt-make normal t=5,b=3 --seed 2 --name y -o y.nc
	axt-make random a=2,t=5 --seed 3 -o v.nc; axt-broadcast a=2,t=5,b=3 x.nc -o xx.nc; axt-broadcast a=2,t=5,b=3 y.nc -o yy.nc
	works 'axt-cov --weights v.nc --over a,t x.nc y.nc | axt-equal - <(axt-cov --weights v.nc --over a,t xx.nc yy.nc)'
	works 'axt-cov --weights v.nc --over t y.nc x.nc | axt-equal - <(axt-cov --weights v.nc --over t yy.nc xx.nc)'
}

@test "areas of cells as weights" {
	py 'r = np.random.default_rng(3); f = h5py.File("g.h5", "w")
for n, x, u in (("lat", np.arange(-80., 81, 20), "degrees_north"), ("lon", np.arange(0., 360, 40), "degrees_east")):
    f[n] = x; f[n].make_scale(n); f[n].attrs["units"] = u
for v in "ab":
    f[v] = r.normal(size=(9, 9))
    for i, n in enumerate(("lat", "lon")): f[v].dims[i].attach_scale(f[n])'
	works "axt-cov --weights area g.h5:a g.h5:b | axt-equal - <(axt-cov --weights <(axt-calc 'area(a)' g.h5) g.h5:a g.h5:b)"
	fails 1 'axt-cov: *' "axt-cov --weights areas g.h5:a g.h5:b"
}
