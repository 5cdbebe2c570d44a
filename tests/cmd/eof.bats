load helper

@test "five results, of which one is named in expressions" {
	axt-calc 't = iota(time=8); x = iota(lon=6); 3*sin(t)*cos(x) + cos(2*t)*sin(3*x) + 280' --name tas --attr units=K -o a.nc
	works 'axt-eof --over time --modes 2 a.nc:tas -o e.nc'
	prints $'eof f64 mode=2 lon=6\npc f64 mode=2 time=8\neigenvalues f64 mode=2\nexplained_variance f64 mode=2\nnorth_error f64 mode=2' \
		'axt-info e.nc | grep "f64 mode"'
	prints 'units = "1" units = "K" units = "K2" units = "1" units = "K2"' 'axt-info e.nc | grep -o "units =.*" | paste -sd " "'
	works 'axt-calc "dot(eof, pc)" e.nc | axt-equal - <(axt-calc "tas - mean(tas, over=time)" a.nc) --atol 1e-12'
	works 'axt-calc "eof(tas, pc, over=time, modes=2)" a.nc | axt-equal - e.nc:pc'
	works 'axt-reduce sum e.nc:explained_variance | axt-equal - <(axt-make full:1 "" --dtype f64) --atol 1e-12'
}

@test "the matrix is that of the shorter side, and both give the same" {
	axt-make normal t=20,x=12 --seed 4 --dtype f64 -o a.nc
	works 'axt-eof --over t --modes 3 --no-center a.nc -o e.nc'
	prints 'x, axt_x (12, 12)' 'axt-eof --over t --explain a.nc | grep -o "x, axt_x (12, 12)" | uniq'
	prints 'x, axt_x (12, 12)' 'axt-eof --over x --explain a.nc | grep -o "x, axt_x (12, 12)" | uniq'
	works 'axt-eof --over x --modes 3 --no-center a.nc -o f.nc'
	works 'axt-calc "pc / sqrt(sumsq(pc, over=t))" e.nc | axt-map abs | axt-equal - <(axt-map abs f.nc:eof) --atol 1e-12'
}

@test "modes that are not there are 0" {
	axt-calc 'iota(t=5) * iota(1, x=3)' --dtype f64 -o a.nc
	prints '22 0 0' 'axt-eof --over t a.nc -o e.nc; axt-map round e.nc:pc | axt-map abs | axt-reduce sum --over t -p | paste -sd " "'
	prints '1 0 0' 'axt-print e.nc:explained_variance | paste -sd " "'
	prints '0 0 0' 'axt-slice mode=1 e.nc:eof -p | paste -sd " "'
}

@test "weights by area" {
	py 'f = h5py.File("g.h5", "w")
for n, v in (("t", np.arange(20.)), ("lat", [-45., 0, 60]), ("lon", [0., 90, 180, 270])):
    f[n] = v; f[n].make_scale(n)
f["lat"].attrs["units"] = "degrees_north"; f["lon"].attrs["units"] = "degrees_east"
for n in "ab":
    d = f.create_dataset(n, data=np.random.default_rng(1).normal(size=(20, 3, 4)))
    [d.dims[i].attach_scale(f[x]) for i, x in enumerate(("t", "lat", "lon"))]
w = f.create_dataset("w", data=np.cos(np.radians([-45., 0, 60]))); w.dims[0].attach_scale(f["lat"])'
	works 'axt-eof --over t --weights g.h5:w g.h5:a -o e.nc'
	works 'axt-eof --over t --weights area g.h5:a -o f.nc'
	for r in eof pc eigenvalues explained_variance north_error; do
		works "axt-equal e.nc:$r f.nc:$r --rtol 1e-9 --atol 1e-12"
	done
	works 'axt-reduce mean --over lat,lon --weights area g.h5:a | axt-equal - <(axt-reduce mean --over lat,lon --weights g.h5:w g.h5:a) --atol 1e-15'
	works 'axt-calc "mean(a, over=(lat,lon), weights=area(a))" g.h5 | axt-equal - <(axt-reduce mean --over lat,lon --weights area g.h5:a)'
	# bounds: sines of latitudes, widths of longitudes only where they differ
	py 'f = h5py.File("g.h5", "a"); f["lat_b"] = [[-90., -30], [-30, 30], [30, 90]]; f["lat_b"].dims[0].attach_scale(f["lat"]); f["lat"].attrs["bounds"] = "lat_b"'
	prints '0.500 1.000 0.500' 'axt-calc "area(a)" g.h5 | axt-print --format %.3f - | paste -sd " "'
	py 'f = h5py.File("g.h5", "a"); f["lon_b"] = [[-60., 60], [60, 120], [120, 240], [240, 300]]; f["lon_b"].dims[0].attach_scale(f["lon"]); f["lon"].attrs["bounds"] = "lon_b"'
	prints '60.0 30.0 60.0 30.0' 'axt-calc "area(a)[lat=2]" g.h5 | axt-print --format %.1f - | paste -sd " "'
	fails 1 'axt-eof: areas need latitudes, and * has none' 'axt-make normal t=5,x=3 --seed 1 | axt-eof --over t --weights area'
}

@test "places with gaps" {
	axt-calc 'where(iota(t=4, x=3) == 4, nan, sin(iota(t=4, x=3)))' --dtype f32 -o a.nc
	prints 'false true false' 'axt-eof --over t a.nc -o e.nc; axt-slice mode=0 e.nc:eof | axt-map isnan -p | paste -sd " "'
	prints 'false false false' 'axt-eof --over t --missing 25 a.nc -o e.nc; axt-slice mode=0 e.nc:eof | axt-map isnan -p | paste -sd " "'
	prints 'false true false' 'axt-eof --over t --missing 24 a.nc -o e.nc; axt-slice mode=0 e.nc:eof | axt-map isnan -p | paste -sd " "'
}

@test "what cannot be" {
	axt-make normal time=5,lat=3 --seed 1 -o a.nc
	fails 2 'axt-eof: needs --over AXES' 'axt-eof a.nc'
	hints 'axt-eof --over time a.nc'
	fails 1 'axt-eof: *"tim"*' 'axt-eof --over tim a.nc'
	fails 1 'axt-eof: *a.nc* has at most 3 modes (5 along time, 3 places)' 'axt-eof --over time --modes 4 a.nc'
	hints 'axt-eof --over time --modes 3 a.nc'
	fails 1 'axt-eof: *axes of places*' 'axt-eof --over time,lat a.nc'
	fails 1 'axt-eof: axis "lat" is both over and kept' 'axt-eof --over time,lat --keep lat a.nc'
	fails 1 'axt-eof: weights of places have no axis "time"*' 'axt-eof --over time --weights a.nc a.nc'
	fails 1 'axt-eof: the ddof is 5, and a.nc* has 5 samples' 'axt-eof --over time --ddof 5 a.nc'
	fails 1 'axt-eof: * has an axis "mode" already' 'axt-rename lat=mode a.nc | axt-eof --over time'
	hints '--mode NAME*'
	works 'axt-rename lat=mode a.nc | axt-eof --over time --mode k -o k.nc'
	fails 1 'axt-eof: 100 is no percentage of missing values below 100' 'axt-eof --over time --missing 100 a.nc'
	fails 1 'axt-eof: EOFs are not defined for c64*' 'axt-cast --dtype c64 a.nc | axt-eof --over time'
	fails 2 'axt-calc: eof has the results eof pc *' 'axt-calc "eof(a, over=time)" a=a.nc'
	fails 2 'axt-calc: eof needs over=AXES*' 'axt-calc "eof(a, pc)" a=a.nc'
}

@test "rotated modes, and pairs of two fields" {
	axt-make normal time=20,lat=3,lon=4 --seed 1 --dtype f64 --attr units=K -o a.nc
	axt-make normal time=20,z=2 --seed 2 --dtype f32 --attr units=m -o b.nc
	works 'axt-eof --over time --modes 3 a.nc -o e.nc'
	works 'axt-eof --over time --modes 3 --rotate varimax a.nc -o r.nc'
	prints $'eof f64 mode=3 lat=3 lon=4\npc f64 mode=3 time=20' 'axt-info r.nc | grep "f64 mode" | head -n 2'
	works 'axt-calc "dot(eof, pc)" r.nc | axt-equal - <(axt-calc "dot(eof, pc)" e.nc) --atol 1e-12'
	works 'axt-calc "eof(tensor, pc, over=time, modes=3, rotate=varimax)" a.nc | axt-equal - r.nc:pc'
	works 'axt-eof --over time a.nc --against b.nc -o m.nc'
	prints $'left_eof f64 mode=2 lat=3 lon=4\nleft_pc f64 mode=2 time=20\nright_eof f32 mode=2 z=2\nright_pc f32 mode=2 time=20\ncovariance f64 mode=2\ncovariance_fraction f64 mode=2' \
		'axt-info m.nc | grep "mode=2"'
	prints '"1" "K" "1" "m" "K m" "1"' 'axt-info m.nc | grep -o "units =.*" | cut -d" " -f3- | paste -sd " "'
	works 'axt-cov --over time --keep-nan m.nc:left_pc m.nc:right_pc | axt-equal - m.nc:covariance --atol 1e-6'
	works 'axt-calc "mca(a, b, left_pc, over=time)" a=a.nc b=b.nc | axt-equal - m.nc:left_pc'
	works 'axt-eof --over time a.nc --against a.nc -o s.nc && axt-eof --over time a.nc -o e.nc'
	works 'axt-equal s.nc:covariance e.nc:eigenvalues --rtol 1e-12; axt-equal s.nc:right_eof e.nc:eof --atol 1e-10'
	# places of the same name: the same ones, or not
	prints 'lat=3 lon=4' 'axt-info s.nc | grep -o "^right_eof.*" | cut -d" " -f4-'
	axt-make normal time=20,lat=5,lon=4 --seed 3 -o c.nc
	prints 'right_lat=5 lon=4' 'axt-eof --over time a.nc --against c.nc -o c2.nc; axt-info c2.nc | grep -o "^right_eof.*" | cut -d" " -f4-'
	axt-make normal time=19,z=2 --seed 2 -o d.nc
	fails 1 'axt-eof: both need the same samples: a.nc* has 20 along time, d.nc* has 19' 'axt-eof --over time a.nc --against d.nc'
	fails 1 'axt-eof: *a.nc* has at most 2 modes*' 'axt-eof --over time --modes 3 a.nc --against b.nc'
	fails 2 'axt-eof: --rotate varimax takes no --against' 'axt-eof --over time --rotate varimax a.nc --against b.nc'
	fails 2 'axt-calc: rotate= takes none|varimax, not "promax"*' 'axt-calc "eof(a, pc, over=time, rotate=promax)" a=a.nc'
	fails 2 'axt-calc: mca has the results left_eof *' 'axt-calc "mca(a, b, pc, over=time)" a=a.nc b=b.nc'
}
