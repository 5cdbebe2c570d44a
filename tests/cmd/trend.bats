load helper

@test "slope, intercept, and what is left" {
	axt-make iota:7:2 x=5 -o a.nc
	prints $'slope	2 intercept	7' 'axt-trend --along x a.nc -p | paste -sd " "'
	prints '0 0 0 0 0' 'axt-trend --detrend --along x a.nc -p | paste -sd " "'
	prints $'slope	10 intercept	0' 'axt-mul a.nc 10 | axt-trend --along x --points a.nc - -p | paste -sd " "'
	prints '2 7 0' 'axt-calc "a = a; s = slope(a, along=x); i = intercept(a, along=x); d = max(detrend(a, along=x)); stack(s, i, d, along=k)" a=a.nc -p | paste -sd " "'
}

@test "in an expression the results are called slope and intercept, too" {
	axt-make iota:7:2 x=5 --name t -o a.nc
	prints 'slope f64' 'axt-calc "slope(t, along=x)" a.nc | axt-info --brief'
	prints 'intercept f64' 'axt-calc "intercept(t, along=x)" a.nc | axt-info --brief'
	prints 't f64' 'axt-calc "slope(a, along=x)" "a=a.nc:*" | axt-info --brief'
	prints 's f64' 'axt-calc "s = slope(t, along=x)" a.nc | axt-info --brief'
}

@test "coordinates, units, gaps; whole files" {
	py 'f = h5py.File("g.h5", "w"); f["time"] = np.array([0, 1, 2, 4.]); f["time"].make_scale("time"); f["time"].attrs["units"] = "days since 2000-01-01"
f["t"] = np.array([3, -9, 7, 11.]); f["t"].dims[0].attach_scale(f["time"]); f["t"].attrs["_FillValue"] = -9.; f["t"].attrs["units"] = "K"'
	works 'axt-trend --along time g.h5:t -o r.nc'
	prints 2 'axt-print r.nc:slope'
	prints 3 'axt-print r.nc:intercept'
	prints 'units = "K days-1" units = "K"' 'axt-info r.nc | grep -o "units.*" | paste -sd " "'
	prints '0 nan 0 0' 'axt-trend --detrend --along time g.h5:t -p | paste -sd " "'
	works 'axt-trend --along time "g.h5:*" -o w.nc'
	prints 2 'axt-print w.nc:t_slope || axt-print w.nc:slope'
}

@test "the slope keeps the bounds and auxiliary coordinates of the other axes" {
	py 'f = h5py.File("b.h5", "w"); f["time"] = np.arange(4.); f["time"].make_scale("time"); f["lat"] = np.array([10., 20, 30]); f["lat"].make_scale("lat")
f["lat"].attrs["bounds"] = "lat_bnds"; f["lat_bnds"] = np.array([[5., 15], [15, 25], [25, 35]]); f["lat_bnds"].dims[0].attach_scale(f["lat"])
f["t"] = np.arange(12.).reshape(4, 3); f["t"].dims[0].attach_scale(f["time"]); f["t"].dims[1].attach_scale(f["lat"])'
	works 'axt-trend --along time b.h5:t -o r.nc'
	prints '5 15 15 25 25 35' 'axt-print r.nc:lat_bnds | paste -sd " "'
	prints '3 3 3' 'axt-print r.nc:slope | paste -sd " "'
}

@test "what cannot be" {
	axt-make iota x=5 -o a.nc
	fails 2 'axt-trend: needs --along AXIS' 'axt-trend a.nc'
	fails 1 'axt-trend: *"y"*' 'axt-trend --along y a.nc'
	fails 1 'axt-trend: linfit *all points have the same x*' 'axt-trend --along x --points <(axt-make zeros x=5) a.nc -p'
	fails 2 'axt-calc: slope needs along=AXIS at *' 'axt-calc "slope(a)" a=a.nc'
}

@test "what a line leaves of temperatures is a difference; slopes have the attributes of the file" {
	axt-make iota time=4,x=1 --dtype f32 --name tas --attr units=K --attr :title=T -o q.nc
	prints $'0\n0\n0\n0' 'axt-trend --detrend --along time q.nc | axt-convert --to degC -p'
	works 'axt-trend --along time q.nc -o t.nc'
	prints ':title=T' 'axt-attr :title t.nc'
}

@test "years of slopes are those of the calendar of the times" {
	for case in 360_day:360:1 noleap:365:1 366_day:366:1; do
		IFS=: read -r calendar step want <<<"$case"
		axt-make iota time=10 --dtype f64 --name t --attr units=K | axt-coord set time=0:$step --attr 'time:units=days since 2000-01-01' --attr time:calendar=$calendar -o r.nc
		prints $want "axt-trend --along time r.nc | axt-convert --to K/year -:slope | axt-reduce max --dtype f32 -p"
		prints $((want * 10)) "axt-trend --along time r.nc | axt-convert --to 'K (10 years)-1' -:slope | axt-reduce max --dtype f32 -p"
		prints "calendar=$calendar" 'axt-trend --along time r.nc -o s.nc; axt-attr calendar s.nc:slope'
	done
	axt-make iota time=10 --dtype f64 --name t --attr units=K | axt-coord set time=0:1 --attr 'time:units=years since 2000-01-01' -o y.nc
	prints $'K years-1' "axt-trend --along time y.nc -o s.nc; axt-attr units s.nc:slope | cut -d= -f2"
	prints 10 "axt-trend --along time y.nc | axt-convert --to 'K/(10 year)' -:slope -p"
	fails 1 '*has no attribute "calendar"*' 'axt-attr calendar s.nc:slope'
}
