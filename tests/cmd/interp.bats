load helper

make_t()
{
	printf 'time,t\n2001-01-01,1\n2001-01-03,2\n2001-01-04,4\n' | axt-from --format csv - -o t.nc
	axt-make iota lat=3,lon=4 --dtype f64 | axt-coord set lat=-60:60 lon=0:90 --attr lon:units=degrees_east -o g.nc
}

@test "dates, steps, lists" {
	make_t
	prints $'time,t\n2001-01-01,1\n2001-01-01T12:00:00,1.25\n2001-01-02,1.5' \
	    'axt-interp time=2001-01-01:2001-01-02:12h t.nc | axt-print --csv'
	prints '1.5 3' 'axt-interp time=2001-01-02,2001-01-03T12:00:00 t.nc -p | paste -sd " "'
	prints '1.25 1.375 1.5' 'axt-interp time=2001-01-01T12:00/2001-01-02/6hours t.nc -p | paste -sd " "'
	prints 3 'axt-interp time=2001-01-03T12:00:00 t.nc -p'
	prints '1 2 nan' 'axt-interp --quiet time=2001-01-01:2001-01-05:2days t.nc -p | paste -sd " "'
	prints '1 2 6' 'axt-interp --extrapolate time=2001-01-01:2001-01-05:2days t.nc -p | paste -sd " "'
	prints '1 1 2 4' 'axt-interp --method nearest time=2001-01-01:2001-01-04:day <t.nc -p | paste -sd " "'
}

@test "longitudes go around, two axes" {
	make_t
	prints $'3.5 2.75\n5.5 4.75' 'axt-interp lat=-30,0 lon=315,337.5 g.nc -p'
	prints $'3.5 2.75\n5.5 4.75' 'axt-interp lon=-45,697.5 lat=-30:0:30 g.nc -p'
	prints $'3.5\n2.75' "axt-calc 'interp(g, lat=-30, lon=315, 337.5)' g=g.nc -p"
	works 'axt-interp lat,lon=g.nc g.nc | axt-equal - g.nc'
	works "axt-calc 'interp(interp(g, lat=60:-60:60), lat=-60:60:60)' g=g.nc | axt-equal - g.nc"
	# a part of the circle has ends
	prints 'nan 1 nan' 'axt-slice lon=:3 g.nc | axt-interp lat=-60 lon=-5,90,181 - -p | tr " " "\n" | paste -sd " "'
	prints '0 3' "axt-calc 'interp(g, lat=-60, lon=40, 300, method=nearest)' g=g.nc -p | tr ' ' '\n' | paste -sd ' '"
}

@test "one number drops the axis, and is a coordinate of rank 0; lists and ranges keep it" {
	make_t
	works 'axt-interp lat=-30 lon=315 g.nc -o o.nc'
	prints 'tensor f64' 'axt-info --brief o.nc'
	prints $'lat f64 = -30 (coordinates)\nlon f64 = 315 (coordinates)' 'axt-info o.nc | grep -oE "l(at|on) f64 = .*" | sort'
	prints 'tensor f64 lat=1' 'axt-interp lat=-30:-30:1 lon=315 g.nc -o o.nc; axt-info --brief o.nc'
	prints 'tensor f64 lat=2' 'axt-interp lat=-30,0 lon=315 g.nc -o o.nc; axt-info --brief o.nc'
	prints '0.75' "axt-calc 'interp(g, lat=-30, lon=315) - interp(g, lat=-30, lon=337.5)' g=g.nc -p"
	printf 'time,t\n2001-01-01,1\n2001-01-03,2\n' | axt-from - -o d.nc
	prints 't f64' 'axt-interp time=2001-01-02 d.nc -o o.nc; axt-info --brief o.nc'
}

@test "points of each place" {
	axt-calc 'z = iota(0, 200, lev=4) + iota(0, 50, x=2); z, t = 300 - z/100' -o z.nc
	prints $'299 299\n295 295' 'axt-interp lev=100,500 --points z.nc:z z.nc:t -p'
	prints $'299 299\n295 295' "axt-calc 'interp(t, lev=100,500, points=z)' z.nc -p"
	axt-calc 'where(z > 100, z, nan)' z.nc -o gap.nc
	prints $'nan nan\n295 295' 'axt-interp lev=100,500 --points gap.nc z.nc:t -p'
	fails 1 'axt-interp: interp of *: the coordinates neither rise nor fall all along' \
	    'axt-calc "z = iota(lev=3); (z - 1)*(z - 1)" -o w.nc; axt-make ones lev=3 | axt-interp lev=1 --points w.nc - -p'
	fails 2 'axt-interp: --points is for one axis' 'axt-interp lev=1 x=1 --points z.nc:z z.nc:t'
}

@test "elements without a point are left out wherever they are, beside NumPy" {
	py '
r = np.random.default_rng(5)
p = np.sort(r.random((30, 40)) * 100, axis=1); p[::2] = -p[::2]
t = r.normal(size=(30, 40)); to = np.linspace(-80, 80, 33)
p[r.random(p.shape) < .4] = np.nan; p[3] = np.nan; p[4, 5:] = np.nan
hole = t.copy(); hole[r.random(t.shape) < .1] = np.nan
def interp(p, t):
	e = np.full((30, 33), np.nan)
	for i in range(30):
		ok = np.isfinite(p[i]); o = np.argsort(p[i][ok])
		if ok.sum() > 1: e[i] = np.interp(to, p[i][ok][o], t[i][ok][o], left=np.nan, right=np.nan)
	return e
f = h5py.File("p.nc", "w")
f["to"] = to
for n, v in dict(p=p, t=t, hole=hole, e=interp(p, t), e1=interp(np.repeat(p[1:2], 30, 0), t), eh=interp(np.where(np.isnan(hole), np.nan, p), hole)).items():
	f[n] = v; f[n].dims[0].label = "x"; f[n].dims[1].label = "z" if v.shape[1] == 40 else "k"
f["p1"] = p[1]; f["p1"].dims[0].label = "z"; f["to"].dims[0].label = "k"
'
	works 'axt-interp z=p.nc:to --points p.nc:p p.nc:t | axt-equal --rtol 1e-12 --atol 1e-12 - p.nc:e'
	works "axt-calc 'interp(t, z=to, points=p1)' p.nc | axt-equal --rtol 1e-12 --atol 1e-12 - p.nc:e1"
	works "axt-calc 'interp(hole, z=to, points=where(isnan(hole), nan, p))' p.nc | axt-equal --rtol 1e-12 --atol 1e-12 - p.nc:eh"
	# a value that is missing is not its point's
	works "axt-calc 'z = iota(lev=5); z, t = where(z == 2, nan, z)' -o m.nc"
	prints $'0.5\nnan\nnan\n3.5' 'axt-interp lev=0.5,1.5,2.5,3.5 --points m.nc:z m.nc:t -p'
}

@test "what it is given" {
	make_t
	axt-make ones x=3 -o n.nc
	fails 1 'axt-interp: axis "x" in n.nc:tensor has no coordinates to interpolate between' 'axt-interp x=1 n.nc'
	hints 'axt-coord set x=0:1 numbers its elements'
	fails 2 'axt-interp: "0:90" has no step' 'axt-interp lat=0:90 g.nc'
	hints 'axt-interp lat=0,90 g.nc'
	fails 2 'axt-interp: "x" is no step of time, such as 6h' 'axt-interp time=2001-01-01:2001-01-02:x t.nc'
	fails 2 'axt-interp: "2001-13-01" is no date' 'axt-interp time=2001-01-01:2001-13-01:day t.nc'
	fails 1 'axt-interp: axis "time" in t.nc:t has times, and h.nc:tensor has none' \
	    'axt-rename lat=time g.nc -o h.nc; axt-interp time=h.nc t.nc'
	works 'axt-rename lat=latitude g.nc -o long.nc; axt-interp lat=long.nc:latitude g.nc | axt-equal - g.nc'
	fails 1 'axt-interp: no axis "lev" in g.nc:tensor *' 'axt-interp lev=1 g.nc'
	axt-cast --dtype c64 g.nc -o c.nc
	fails 1 'axt-interp: interp is not defined for c64 (c.nc:tensor)' 'axt-interp lat=1 c.nc'
}

@test "units of targets" {
	make_t
	axt-make iota lat=2 --dtype f64 | axt-coord set lat=0:1 --attr lat:units=km -o k.nc
	axt-make iota lat=2 --dtype f64 | axt-coord set lat=250:500 --attr lat:units=m -o m.nc
	prints '0.25 0.75' 'axt-interp lat=m.nc k.nc -p | paste -sd " "'
	prints 'lat:units=m' 'axt-interp lat=m.nc k.nc -o o.nc; axt-attr lat:units o.nc'
}

@test "values at stations, whose axis takes the place of the axes" {
	make_t
	py 'f = h5py.File("s.nc", "w")
for n, v in (("slat", [-30, 0, 60]), ("slon", [315, 337.5 - 360, 90])):
	f[n] = np.array(v, "f4"); f[n].dims[0].label = "station"
f["far"] = np.array([0, np.nan, 61], "f4"); f["far"].dims[0].label = "station"'
	prints '3.5 4.75 9' 'axt-interp lat=s.nc:slat lon=s.nc:slon g.nc -p | paste -sd " "'
	prints '3.5 4.75 9' 'axt-interp lon=s.nc:slon lat=s.nc:slat g.nc -p | paste -sd " "'
	prints '3.5 4.75 9' "axt-calc 'interp(g, lat=slat, lon=slon)' g=g.nc s.nc -p | paste -sd ' '"
	prints '3 4 9' 'axt-interp --method nearest lat=s.nc:slat lon=s.nc:slon g.nc -p | paste -sd " "'
	prints 'station=3' 'axt-interp lat=s.nc:slat lon=s.nc:slon g.nc -o o.nc; axt-info o.nc | grep -o "station=3" | head -1'
	# the targets stay with the values
	prints $'station,lat,lon,tensor\n0,-30,-45,3.5\n1,0,-22.5,4.75\n2,60,90,9' 'axt-print --csv o.nc | sed s/315/-45/'
	prints '  coordinates = "lat lon"' 'axt-info o.nc | grep coordinates.='
	# a target that is missing or outside
	prints '4.5 nan nan' 'axt-interp --quiet lat=s.nc:far lon=45 g.nc -p | paste -sd " "'
	# one place of a tensor
	prints '4.5' "axt-calc 'y = interp(g, lat=p, lon=45); y' g=g.nc p=0 -p"
	# latitudes of the places along an axis that the tensor has: a track
	axt-calc "g + 100 * iota(station=3)" g=g.nc -o track.nc
	prints '3.5 104.75 209' 'axt-interp lat=s.nc:slat lon=s.nc:slon track.nc -p | paste -sd " "'
	fails 1 'axt-interp: targets are numbers, *' 'axt-cast --dtype c64 s.nc:slat -o c.nc; axt-interp lat=c.nc g.nc'
}

@test "coordinates of another tensor are targets in axt-calc" {
	axt-make iota lat=3,lon=2 --dtype f64 --name a | axt-coord set lat=0:10 lon=0:10 -o a.nc
	axt-make iota lat=2 --dtype f64 --name b | axt-coord set lat=5:10 -o b.nc
	prints $'1 2\n3 4' "axt-calc 'interp(a, lat=b.lat)' a=a.nc:a b=b.nc:b -p"
	works "axt-calc 'interp(a, lat=b.lat)' a=a.nc:a b=b.nc:b --name a -o x.nc && axt-interp lat=b.nc a.nc:a -o y.nc"
	works 'axt-equal x.nc:a y.nc:a'
}

@test "lat,lon=FILE takes latitudes and longitudes of other names, and no values" {
	axt-make normal:290:5 lat=6,lon=12 --seed 1 --name sst | axt-coord set lat=-75:30 lon=0:30 --attr lat:units=degrees_north --attr lon:units=degrees_east -o sst.nc
	axt-make random latitude=4,longitude=8 --seed 2 --name lsm | axt-coord set latitude=-60:40 longitude=0:45 --attr latitude:units=degrees_north --attr longitude:units=degrees_east -o era.nc
	axt-make random y=4,x=8 --seed 2 --name lsm -o yx.nc
	works 'axt-interp lat,lon=era.nc sst.nc -o r.nc && axt-interp lat=era.nc:latitude lon=era.nc:longitude sst.nc -o right.nc && axt-equal r.nc right.nc'
	fails 1 'axt-interp: the targets of "lat" are missing: yx.nc:lsm has the axes y, x (4, 8)' 'axt-interp lat,lon=yx.nc sst.nc -o no.nc'
	hints 'lat=FILE:COORDINATES tells them, each axis by itself'
}

@test "what is computed of coordinates is the targets, and not the coordinates" {
	axt-make iota:0:10 lev=11 --name t | axt-coord set lev=0:1 -o m.nc
	axt-make zeros plev=2 | axt-coord set plev=4,9 -o p.nc
	for w in 'sqrt(plev)' 'plev^0.5' 'sqrt(cast(plev, f64))' 'sqrt(plev[plev=:])' 'log2(2^sqrt(plev))' 'radians(degrees(sqrt(plev)))'; do
		prints $'plev,lev,t\n4,2,20\n9,3,30' "axt-calc 'w = $w; interp(t, lev=w)' m.nc p.nc | axt-cast --dtype f32 | axt-print --csv"
	done
	prints $'20\n30' 'axt-map sqrt p.nc:plev | axt-interp lev=- m.nc -p'
	prints $'lev,t\n4,40\n9,90' 'axt-interp lev=p.nc:plev m.nc | axt-print --csv'
	# along the axis itself its coordinates are meant, unless that is doubtful
	warned 'axt-calc: warning: the targets are the coordinates of lev + 0.5 along "lev", and not its values; *rename(..., lev=target)*' "axt-calc 'w = lev + 0.5; interp(t, lev=w)' m.nc -p"
	prints $'5\n15' "axt-calc 'w = rename(lev + 0.5, lev=k); interp(t, lev=w)' m.nc -p --quiet | head -2"
}

@test "targets that lie beyond the coordinates, some or all: a warning" {
	axt-make iota:0:10 lev=11 --name t --dtype f64 | axt-coord set lev=0:1 -o m.nc
	warned 'axt-interp: warning: no target lies in the range of axis "lev" in m.nc:t, 0 to 10: all values are missing' 'axt-interp lev=100,200 m.nc -p'
	warned 'axt-interp: warning: 1 of 2 targets lie beyond the values of axis "lev" in m.nc:t, 0 to 10: the result is missing there' 'axt-interp lev=100,2 m.nc -p'
	works 'axt-interp lev=100,2 --extrapolate m.nc -p'
	works 'axt-interp lev=100 --extrapolate m.nc -p'
}

@test "a step that is larger than the range: a warning" {
	printf 'x,v\n0,1\n10,5\n' | axt-from - -o l.nc
	warned 'axt-interp: warning: x=0:0.1:101 is one point, since the step 101 is larger than the range; x=0:0.1:0.001 has 101 points' 'axt-interp x=0:0.1:101 l.nc -p'
	warned 'axt-interp: warning: x=0:0.1:0.5 is one point, since the step 0.5 is larger than the range' 'axt-interp x=0:0.1:0.5 l.nc -p'
	warned 'axt-interp: warning: x=1234567.5:1234568.5:3 is *; x=1234567.5:1234568.5:0.5 has 3 points' 'axt-interp x=1234567.5:1234568.5:3 --extrapolate l.nc -p'
	works 'axt-interp x=0:0:1 l.nc -p'
	works 'axt-interp x=10:0:5 l.nc -p'
	printf 'time,t\n2001-01-01,1\n2001-01-03,2\n' | axt-from - -o t.nc
	warned 'axt-interp: warning: time=2001-01-01:2001-01-03:month is one time, since the step is larger than the range' 'axt-interp time=2001-01-01:2001-01-03:month t.nc -p'
	works 'axt-interp time=2001-01-01:2001-01-03:day t.nc -p'
}

@test "an axis is named once, in every command of AXIS=..." {
	axt-make iota lat=3,lon=4 --dtype f32 | axt-coord set lat=0:1 lon=0:1 -o a.nc
	fails 2 'axt-interp: axis "lat" is named twice: lat=1 and lat=2' 'axt-interp lat=1 lon=1 lat=2 a.nc -p'
	[ "${#stderr_lines[@]}" -eq 1 ]
	fails 2 'axt-interp: axis "lat" is named twice: lat=0:2:1 and lat=1,2' 'axt-interp --method conservative lat=0:2:1 lat=1,2 a.nc -p'
	works 'axt-slice lat@0:1 lat=0 a.nc -p'
	fails 2 'axt-pad: axis "lat" is named twice: lat=1 and lat=2' 'axt-pad lat=1 lat=2 a.nc -p'
	fails 2 'axt-shift: axis "lat" is named twice: lat=1 and lat=1' 'axt-shift lat=1 lat=1 a.nc -p'
	fails 2 'axt-window: axis "lat" is named twice: lat=w:2 and lat=v:2' 'axt-window lat=w:2 lat=v:2 a.nc -p'
	fails 2 'axt-coord: axis "lat" is named twice: lat=1:1 and lat=2:1' 'axt-coord set lat=1:1 lat=2:1 a.nc -p'
	works 'axt-slice lat=0:2 lon=1 a.nc -p'
}
