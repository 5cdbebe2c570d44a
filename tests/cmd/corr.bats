load helper

@test "values, dtypes, standard input" {
	axt-make iota x=5 -o a.nc
	axt-mul a.nc a.nc -o b.nc
	prints 0.9589266029707684 'axt-cast --dtype f64 a.nc | axt-corr - b.nc -p'
	prints 1 'axt-corr a.nc <a.nc -p'
	prints f64 'axt-corr a.nc b.nc | axt-info - | grep -o f64'
	prints f32 'axt-cast --dtype f32 a.nc | axt-corr - <(axt-cast --dtype f16 b.nc) | axt-info - | grep -o -m 1 f32'
}

@test "a pair is left out where one of its values is missing" {
	py 'f = h5py.File("g.h5", "w"); f["a"] = np.array([1, 2, -9, 4], "f8"); f["b"] = np.array([3, -9, 7, 9], "f8")
for v in ("a", "b"): f[v].attrs["_FillValue"] = -9.; f[v].attrs["units"] = "m" if v == "a" else "s"'
	prints 1 'axt-corr g.h5:a g.h5:b -p'
	prints nan 'axt-corr --keep-nan g.h5:a g.h5:b -p'
}

@test "what cannot be" {
	axt-make iota x=5 -o a.nc
	axt-make iota x=4 -o s.nc
	fails 2 'axt-corr: operand X is missing' 'axt-corr'
	fails 1 'axt-corr: axis "x" *' 'axt-corr a.nc s.nc'
	fails 1 'axt-corr: covariances are not defined for c128 (c.nc:tensor)' 'axt-cast --dtype c128 a.nc -o c.nc; axt-corr a.nc c.nc'
	fails 1 'axt-corr: *no axis *"y"*' 'axt-corr --over y a.nc a.nc'
}

@test "an operand that has none of the axes that are reduced is refused" {
	axt-make normal time=12,x=3 --seed 1 --name a -o a.nc; axt-make normal month=12 --seed 2 --name b -o b.nc
	for c in corr cov; do
		fails 1 "axt-$c: b.nc:b has month (12), and none of the axes that are reduced (time)" "axt-$c --over time a.nc b.nc -p"
		hints 'axt-rename month=time b.nc:b lets them meet'
		works "axt-rename month=time b.nc | axt-$c --over time a.nc - -p"
	done
	fails 1 'axt-calc: b.nc:b has month (12), and none of the axes that are reduced (time) *' 'axt-calc "corr(a, b, over=time)" a.nc b.nc -p'
	hints 'rename(b, month=time) lets them meet'
}

@test "the result has its axes in the order of --to" {
	axt-make normal a=2,t=5 --seed 1 --name x -o x.nc; axt-make normal t=5,b=3 --seed 2 --name y -o y.nc
	prints 'b=3 a=2' 'axt-corr --to b,a x.nc y.nc | axt-info - | grep -o "b=3 a=2"'
	works 'axt-corr --to b,a x.nc y.nc | axt-equal - <(axt-corr --over t x.nc y.nc)'
	prints 'b=3 a=2' 'axt-calc "corr(x, y, to=(b,a))" x.nc y.nc | axt-info - | grep -o "b=3 a=2"'
}

@test "weights along an axis that only one operand has are broadcast" {
	axt-make normal a=2,t=5 --seed 1 --name x -o x.nc; axt-make normal t=5,b=3 --seed 2 --name y -o y.nc
	axt-make random a=2,t=5 --seed 3 -o v.nc; axt-broadcast a=2,t=5,b=3 x.nc -o xx.nc; axt-broadcast a=2,t=5,b=3 y.nc -o yy.nc
	works 'axt-corr --weights v.nc --over a,t x.nc y.nc | axt-equal - <(axt-corr --weights v.nc --over a,t xx.nc yy.nc)'
	works 'axt-corr --weights v.nc --over t y.nc x.nc | axt-equal - <(axt-corr --weights v.nc --over t yy.nc xx.nc)'
}

@test "areas of cells as weights" {
	py 'r = np.random.default_rng(3); f = h5py.File("g.h5", "w")
for n, x, u in (("lat", np.arange(-80., 81, 20), "degrees_north"), ("lon", np.arange(0., 360, 40), "degrees_east")):
    f[n] = x; f[n].make_scale(n); f[n].attrs["units"] = u
for v in "ab":
    f[v] = r.normal(size=(9, 9))
    for i, n in enumerate(("lat", "lon")): f[v].dims[i].attach_scale(f[n])'
	works "axt-corr --weights area g.h5:a g.h5:b | axt-equal - <(axt-corr --weights <(axt-calc 'area(a)' g.h5) g.h5:a g.h5:b)"
	fails 1 'axt-corr: *' "axt-corr --weights areas g.h5:a g.h5:b"
}
