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

@test "places with gaps" {
	axt-calc 'where(iota(t=4, x=3) == 4, nan, sin(iota(t=4, x=3)))' --dtype f32 -o a.nc
	prints 'false true false' 'axt-eof --over t a.nc -o e.nc; axt-slice mode=0 e.nc:eof | axt-map isnan -p | paste -sd " "'
	prints 'false false false' 'axt-eof --over t --missing 25 a.nc -o e.nc; axt-slice mode=0 e.nc:eof | axt-map isnan -p | paste -sd " "'
	prints 'false true false' 'axt-eof --over t --missing 24 a.nc -o e.nc; axt-slice mode=0 e.nc:eof | axt-map isnan -p | paste -sd " "'
}

@test "what cannot be" {
	axt-make normal time=5,lat=3 --seed 1 -o a.nc
	fails 2 'axt-eof: needs --over AXES, the axes of samples' 'axt-eof a.nc'
	hints 'axt-eof --over time a.nc'
	fails 1 'axt-eof: *"tim"*' 'axt-eof --over tim a.nc'
	fails 1 'axt-eof: *a.nc* has at most 3 modes (5 along time, 3 places)' 'axt-eof --over time --modes 4 a.nc'
	hints '--modes 3'
	fails 1 'axt-eof: *axes of places*' 'axt-eof --over time,lat a.nc'
	fails 1 'axt-eof: axis "lat" is both over and kept' 'axt-eof --over time,lat --keep lat a.nc'
	fails 1 'axt-eof: weights of places have no axis "time"*' 'axt-eof --over time --weights a.nc a.nc'
	fails 1 'axt-eof: 100 is no percentage of missing values below 100' 'axt-eof --over time --missing 100 a.nc'
	fails 1 'axt-eof: EOFs are not defined for c64*' 'axt-cast --dtype c64 a.nc | axt-eof --over time'
	fails 2 'axt-calc: eof has the results eof pc *' 'axt-calc "eof(a, over=time)" a=a.nc'
	fails 2 'axt-calc: eof needs over=AXES*' 'axt-calc "eof(a, pc)" a=a.nc'
}
