load helper

setup_file()
{
	export AXT_FUSE=1
}

@test "values in other units, with offsets" {
	axt-make full:300 x=2 --dtype f32 --attr units=K --attr 'long_name=temperature' -o k.nc
	prints $'26.85\n26.85' 'axt-convert --to degC k.nc -p'
	prints $'80.33\n80.33' 'axt-convert --to degF <k.nc -p'
	works 'axt-convert --to degC k.nc -o c.nc'
	prints units=degC 'axt-attr units c.nc'
	prints long_name=temperature 'axt-attr long_name c.nc'
	works 'axt-convert --to K c.nc -o back.nc && axt-equal --ulp 1 k.nc back.nc'
	prints $'300\n300' 'axt-convert --to kelvin k.nc -p'
	axt-make iota x=2 --attr 'units=mm day-1' -o i.nc
	prints $'0\n86.4' "axt-convert --to 'mm/d' i.nc | axt-mul - 86.4 -p"
	prints f64 'axt-convert --to m/s i.nc | axt-info --json - | jq -r ".. | .dtype? // empty" | head -n 1'
}

@test "differences of temperatures have no zero of a scale" {
	axt-make iota x=3 --dtype f64 --attr units=degC -o c.nc
	axt-make full:1 x=3 --dtype f64 --attr units=K -o k.nc
	for op in 'reduce ptp --over x c.nc' 'reduce std --over x c.nc' 'sub c.nc c.nc' 'diff --along x c.nc'; do
		works "axt-$op -o d.nc"
		prints 'units_metadata=temperature: difference' 'axt-attr units_metadata d.nc'
		works 'axt-convert --to K d.nc -o e.nc'
		prints "$(axt-print d.nc)" 'axt-print e.nc'
		prints 'units_metadata=temperature: difference' 'axt-attr units_metadata e.nc'
	done
	prints $'9\n9\n9' 'axt-calc "a - b + 5" a=c.nc b=c.nc | axt-convert --to degF - | axt-map round -p'
	# a difference of kelvins is one of degrees, where operands meet too
	works 'axt-sub k.nc k.nc -o d.nc'
	prints $'0\n0\n0' 'axt-convert --to degC d.nc -p'
	prints $'0\n1\n2' 'axt-add -q c.nc d.nc -p'
	# temperatures and differences of them are temperatures
	for op in 'add c.nc d.nc' 'sub c.nc d.nc' 'add d.nc k.nc' 'reduce mean --over x c.nc' 'sub k.nc 1' 'mul c.nc 2'; do
		works "axt-$op -q -o t.nc"
		fails 1 '*units_metadata*' 'axt-attr units_metadata t.nc'
	done
	# of other programs, cell_methods tells it
	axt-make full:2 x=2 --attr units=K --attr 'cell_methods=time: standard_deviation' -o s.nc
	prints $'2\n2' 'axt-convert --to degC s.nc -p'
	# coulombs and farads are no temperatures
	axt-make ones x=2 --attr units=C -o q.nc
	fails 1 '*units_metadata*' 'axt-sub q.nc q.nc | axt-attr units_metadata -'
}

@test "units that do not fit" {
	axt-make ones x=2 --attr units=K -o k.nc
	axt-make ones x=2 -o none.nc
	axt-make ones x=2 --attr units=dBZ -o z.nc
	fails 1 'axt-convert: units "K" (k.nc:tensor) cannot be converted to "m": they measure different things' 'axt-convert --to m k.nc -p'
	fails 1 'axt-convert: units "K" (k.nc:tensor) cannot be converted to "flurb": UDUNITS does not know "flurb"' 'axt-convert --to flurb k.nc -p'
	fails 1 'axt-convert: units "dBZ" (z.nc:tensor) cannot be converted to "mm6 m-3": one of them is logarithmic' 'axt-convert --to "mm6 m-3" z.nc -p'
	fails 1 'axt-convert: none.nc:tensor has no units to convert to "K"' 'axt-convert --to K none.nc -p'
	hints 'axt-attr units=K FILE tells them'
	fails 2 'axt-convert: needs --to UNITS' 'axt-convert k.nc -p'
}

@test "a missing library is told by the name of its package" {
	axt-make ones x=2 --attr units=K -o k.nc
	axt-make ones x=2 --attr units=degC -o c.nc
	mkdir lib
	echo >lib/libudunits2.so.0
	fails 1 'axt-convert: "K" to "degC" (k.nc:tensor): libudunits2.so.0 cannot be loaded (Debian*libudunits2-0)' \
		'LD_LIBRARY_PATH=lib axt-convert --to degC k.nc -p'
	fails 1 'axt-add: units differ: "K" in k.nc:tensor, "degC" in c.nc:tensor, and libudunits2.so.0 cannot be loaded*' \
		'LD_LIBRARY_PATH=lib axt-add k.nc c.nc -p'
	hints '--units ignore takes the numbers as they are'
	prints $'2\n2' 'LD_LIBRARY_PATH=lib axt-add --units ignore k.nc c.nc -p'
	fails 1 'axt-convert: *libudunits2 cannot read its list of units (Debian*libudunits2-data)' \
		'UDUNITS2_XML_PATH=none axt-convert --to degC k.nc -p'
}

@test "coordinates are converted with their bounds, and auxiliary ones" {
	cat >p.cdl <<'END'
netcdf p {
dimensions: lev = 2; nv = 2; time = 2;
variables:
	float lev(lev); lev:units = "hPa"; lev:bounds = "lev_bnds";
	float lev_bnds(lev, nv);
	double time(time); time:units = "days since 2000-01-01"; time:calendar = "noleap";
	double depth(lev); depth:units = "km";
	double t(lev, time); t:units = "K"; t:coordinates = "depth";
data:
	lev = 1000, 500; lev_bnds = 1100, 750, 750, 0; time = 0, 59; depth = 1, 2; t = 1, 2, 3, 4;
}
END
	ncgen -4 -o p.nc p.cdl
	works 'axt-convert --to Pa --coord lev p.nc:t -o o.nc'
	prints $'100000\n50000' 'axt-print o.nc:lev'
	prints $'110000 75000\n75000 0' 'axt-print o.nc:lev_bnds'
	prints lev:units=Pa 'axt-attr lev:units o.nc:t'
	prints $'1 2\n3 4' 'axt-print o.nc:t'
	prints units=K 'axt-attr units o.nc:t'
	works 'axt-convert --to m --coord depth p.nc:t -o o.nc --force'
	prints $'1000\n2000' 'axt-print o.nc:depth'
	works 'axt-convert --to "hours since 2000-03-01" --coord time p.nc:t -o o.nc --force'
	prints ' time = -1416, 0 ;' 'ncdump -v time o.nc | grep "time = -"'
	[ "$(axt-print o.nc:time)" = "$(axt-print p.nc:time)" ]
	fails 1 'axt-convert: units "hPa" (coordinates "lev" of p.nc:t) cannot be converted to "K"*' 'axt-convert --to K --coord lev p.nc:t -p'
	prints $'100000\n50000' "axt-calc 'convert(t, \"Pa\", coord=lev)' t=p.nc:t -o c.nc && axt-print c.nc:lev"
}

@test "operands of different units" {
	axt-make full:300 x=1 --dtype f64 --attr units=K -o k.nc
	axt-make full:1 x=1 --dtype f64 --attr units=degC -o c.nc
	axt-make full:1 x=1 --attr units=m -o m.nc
	sh_run 'axt-sub k.nc c.nc -p'
	[ "$status $output" = '0 25.850000000000023' ]
	[ "$stderr" = 'axt-sub: warning: units differ: "K" in k.nc:tensor, "degC" in c.nc:tensor, which is converted to "K"' ]
	prints 25.850000000000023 'axt-sub -q k.nc c.nc -p'
	prints 299 'axt-sub --units ignore k.nc c.nc -p'
	fails 1 'axt-sub: units differ: "K" in k.nc:tensor, "degC" in c.nc:tensor' 'axt-sub --units strict k.nc c.nc -p'
	sh_run 'axt-add k.nc m.nc -p'
	[ "$status $output" = '0 301' ]
	[[ $stderr == *'"m" in m.nc:tensor, and they measure different things, so the result has no units; --attr units=UNITS sets them' ]]
	axt-add -q k.nc m.nc -o km.nc
	fails 1 'axt-attr: *units*' 'axt-attr units km.nc:tensor'
	warned '*different things' 'axt-gt k.nc m.nc -p'
	works 'axt-add --units ignore k.nc m.nc -o km.nc'
	prints units=K 'axt-attr units km.nc:tensor'
	axt-attr units=m/s m.nc
	axt-add m.nc 1 --attr 'units=m s-1' -o n.nc
	prints 3 'axt-add --units strict m.nc n.nc -p'
	prints true 'axt-calc -q "k > c" k=k.nc c=c.nc -p'
	prints $'1\n26.85' 'axt-concat -q x c.nc k.nc -p | cut -c 1-5'
	works 'axt-equal --nan-differ k.nc <(axt-mul k.nc 1 --attr units=degC)'
}

@test "the units of products, powers and roots" {
	axt-make full:4 x=2 --dtype f64 --attr 'units=m s-1' --attr standard_name=eastward_wind -o u.nc
	axt-make full:4 x=2 --dtype f64 --attr units=K -o k.nc
	axt-make full:4 x=2 --dtype f64 --attr units=degC -o c.nc
	axt-make full:4 x=2 --dtype f64 --attr units=W/m2 -o w.nc
	axt-make full:4 x=2 --dtype f64 -o none.nc
	while read -r want line; do
		want=${want//_/ } want=${want#-}
		sh_run "$line | axt-attr units -"
		[ "$output" = "${want:+units=}$want" ]
	done <<'END'
m2_s-2 axt-mul u.nc u.nc
m_s-1_K axt-mul u.nc k.nc
m_s-1_K-1 axt-div u.nc k.nc
1 axt-div u.nc u.nc
m-1_s axt-div 1 u.nc
m-1_s axt-map reciprocal u.nc
m2_s-2 axt-map square u.nc
m_s-1 axt-mul u.nc u.nc | axt-map sqrt
m_s-1 axt-hypot u.nc u.nc
m_s-1 axt-map abs u.nc
m_s-1 axt-mul u.nc 2
m_s-1 axt-reduce norm2 u.nc
m2_s-2 axt-reduce var u.nc
m2_s-2 axt-reduce sumsq u.nc
m2_s-2 axt-dot u.nc u.nc
W_m-2_s axt-mul w.nc u.nc | axt-div - u.nc | axt-mul - u.nc | axt-mul - <(axt-map reciprocal u.nc) | axt-mul - <(axt-make full:2 x=2 --attr units=s)
- axt-map sqrt u.nc
- axt-mul c.nc u.nc
- axt-mul none.nc u.nc
- axt-map exp u.nc
END
	prints '' 'axt-mul u.nc u.nc | axt-attr standard_name - 2>/dev/null || true'
}

@test "months of rates are those of the calendar of their times" {
	axt-make ones time=3 --dtype f64 --name pr --attr units=mm/day | axt-coord set time=0:30 --attr 'time:units=days since 2000-01-01' --attr time:calendar=360_day -o p.nc
	prints $'30\n30\n30' 'axt-convert --to mm/month p.nc -p'
	prints 360 'axt-slice time=0 p.nc | axt-convert --to "mm year-1" | axt-cast --dtype f32 -p'
	axt-coord set time=0:30 --attr 'time:units=days since 2000-01-01' --attr time:calendar=noleap p.nc -o n.nc
	prints 365 'axt-slice time=0 n.nc | axt-convert --to "mm year-1" | axt-cast --dtype f32 -p'
}

@test "decades and centuries, which UDUNITS does not know" {
	axt-make ones x=1 --attr units=K/year -o r.nc
	fails 1 "axt-convert: *: UDUNITS does not know \"K/decade\"; K per decade is 'K/(10 year)'" 'axt-convert --to K/decade r.nc -p'
	fails 1 "*; K per century is 'K/(100 year)'" 'axt-convert --to "K century-1" r.nc -p'
	prints 10 'axt-convert --to "K/(10 year)" r.nc -p'
}
