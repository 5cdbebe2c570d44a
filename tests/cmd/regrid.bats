load helper

make_g()
{
	axt-make iota lat=4,lon=6 --dtype f64 | axt-coord set lat=-67.5:45 lon=0:60 \
	    --attr lat:units=degrees_north --attr lon:units=degrees_east -o g.nc
}

@test "grids by words and files, methods" {
	make_g
	prints $'0 2 4\n12 14 16' 'axt-regrid --to r3x2 --method nearest g.nc -p'
	prints $'6 6 8\n15 16 18' 'axt-regrid --to r3x2 g.nc | axt-map round -p'
	prints '13.5 14 14.5' 'axt-regrid --to r12x8 --method bilinear g.nc | axt-slice lat@33.75 lon@0:60 -p | paste -sd " "'
	works 'axt-regrid --to g.nc g.nc | axt-equal - g.nc'
	works "axt-calc 'regrid(g, to=\"r6x4\", method=nearest)' g=g.nc | axt-info --brief - | grep -q 'f64 lat=4 lon=6'"
	prints $'tensor f64 cell=48' 'axt-regrid --to hp2_nested g.nc | axt-info --brief -'
	works 'axt-regrid --to hp2 --method nearest g.nc -o h.nc && axt-regrid --to g.nc --method nearest h.nc -o b.nc && axt-info b.nc | grep -q degrees_north'
	prints '12' "axt-regrid --to hp1 'g.nc:*' | axt-reduce count -p"
}

@test "cells beyond a grid that does not go around are missing" {
	axt-make iota lat=3,lon=4 --dtype f64 | axt-coord set lat=40:5 lon=10:5 --attr lat:units=degrees_north \
	    --attr lon:units=degrees_east - -o tiny.nc
	for m in bilinear bicubic; do
		prints 'nan 4 5 7 nan nan' "axt-regrid --to lat=45,lon=9,10,15,25,26,200 --method $m tiny.nc | axt-print --format %.6g - | paste -sd ' '"
		prints 'nan 1 9 nan' "axt-regrid --to lat=-60,40,50,53,lon=15 --method $m tiny.nc | axt-print --format %.6g - | paste -sd ' '"
	done
}

@test "missing values, and what is refused" {
	make_g
	works "axt-calc 'where(g == 8, nan, g)' g=g.nc -o n.nc"
	prints '0 1 1' 'for m in renorm nan .95; do axt-regrid --to r3x2 --missing $m n.nc | axt-map isnan | axt-reduce sum -p; done | paste -sd " "'
	fails 1 '*there is no grid "r0x2"*' 'axt-regrid --to r0x2 g.nc -o o.nc'
	fails 1 '*none.nc: No such file*' 'axt-regrid --to none.nc g.nc -o o.nc'
	fails 1 '*"2" is not renorm, nan or a share*' 'axt-regrid --to r3x2 --missing 2 g.nc -o o.nc'
	axt-make iota x=3 -o x.nc
	fails 1 '*has no latitudes*' 'axt-regrid --to r3x2 x.nc -o o.nc'
	fails 2 '*--to*' 'axt-regrid g.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "descriptions and typed coordinates" {
	make_g
	printf '# a grid\ngridtype = lonlat\nxsize=3 ysize = 2\nxname = longitude xfirst=0\nxinc = 120\nyvals = -45\n 45 # south first\nscanningMode = 64\n' >d.txt
	prints $'0 2 4\n12 14 16' 'axt-regrid --to d.txt --method nearest g.nc -p'
	prints 'tensor f64 lat=2 longitude=3' 'axt-regrid --to d.txt g.nc | axt-info --brief -'
	prints $'0 2 4\n12 14 16' 'axt-regrid --to lat=-45:45:90,lon=0:360:120 --method nearest g.nc -p'
	printf 'gridtype = healpix\nhealpix_nside = 2\nhealpix_order = nested\n' >h.txt
	works 'axt-regrid --to h.txt g.nc -o h.nc && axt-regrid --to hp2_nested g.nc | axt-equal - h.nc'
	says() { printf "$1" >bad.txt; fails 1 "*bad.txt: $2*" 'axt-regrid --to bad.txt g.nc -o o.nc'; }
	says 'gridtype = lonlat\nxsize = 3\nxvals = 1 2\nyvals = 1 2\n' 'line 3: xvals has 2 numbers, and needs 3'
	says 'gridtype = lonlat\nxsize = 3\n\nxvals = 1 two 3\n' 'line 4: xvals has "two", which is no number'
	says 'gridtype = lonlat\nxsize = -3\n' 'line 2: xsize is -3, and a size is a whole number'
	says 'gridtype = lonlat\nxsize = 1 2\n' 'line 2: xsize has several numbers'
	says 'gridtype = lonlat\nxvals = 1 2\n' 'a grid of type lonlat has no latitudes: yvals, or yfirst and yinc'
	says 'gridtype = curvilinear\nxsize = 4 ysize = 900000000\n' 'a grid of type curvilinear has no two axes of sizes'
	says 'gridtype = gme\n' "line 1: the grid's type is gme"
	says 'gridtype = healpix\nhealpix_nside = 2\nhealpix_order = spiral\n' 'line 3: healpix_order is "spiral", and ring and nested are read'
	says 'gridtype = lonlat\nxvals = 1\nyfirst = 0\nyinc = 50\nysize = 3\n' 'line 3: latitude 100 is beyond the poles'
	says 'gridtype = lonlat\nxvals = 1\n\nyvals = 0 -91\n' 'line 4: latitude -91 is beyond the poles'
	says 'gridtype = lonlat\nxvals = 1\nyunits = "radians"\nyvals = 0 1.6\n' 'line 4: latitude 91.6732 is beyond the poles'
	says 'gridtype = unstructured\nxvals = 1 2\nyvals = 0 91\n' 'line 3: latitude 91 is beyond the poles'
	printf 'gridtype = lonlat\nxfirst = 0\nxinc=60\nxsize=6\nyfirst = -90\nyinc = 16.363637\nysize = 12\n' >s.txt
	prints '90' 'axt-regrid --to s.txt --method nearest g.nc -o s.nc && axt-slice lat@90 s.nc:lat -p'
	says 'gridsize = 4\n' 'line 2: there was no gridtype'
	says 'gridtype = lonlat\ngridtype = lonlat\n' 'line 2: there is a second gridtype'
	fails 2 '*"lat=1" has no lon*' 'axt-regrid --to lat=1 g.nc -o o.nc'
	fails 1 '*lat=-100:0:50: -100 is beyond the poles*' 'axt-regrid --to lat=-100:0:50,lon=3 g.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "a field gets the coordinates of a grid" {
	make_g
	axt-make iota y=4,x=6 -o bare.nc
	works 'axt-regrid --method keep --to g.nc bare.nc -o k.nc && axt-print k.nc:lat >k.txt && axt-print g.nc:lat | diff - k.txt'
	works 'axt-regrid --method keep --to g.nc g.nc | axt-equal - g.nc'
	works 'axt-make iota c=3,y=6,x=6 -o c.nc; axt-regrid --method keep --over x,c --to r3x6 c.nc -o k.nc && axt-info --brief k.nc | grep -q "lon=3 y=6 lat=6"'
	works 'axt-info --grid g.nc >g.txt && axt-regrid --method keep --to g.txt bare.nc | axt-info --brief - | grep -q "lat=4 lon=6"'
	fails 1 '*several axes of c.nc:tensor (c, y, x (3, 6, 6)) have the lengths of r6x3: lat (3) and lon (6)*' 'axt-regrid --method keep --to r6x3 c.nc -o o.nc'
	fails 1 '*bare.nc:tensor (y, x (4, 6)) does not fit r6x5, which has lat (5) and lon (6)*' 'axt-regrid --method keep --to r6x5 bare.nc -o o.nc'
	works '{ axt-regrid --method keep --to r3x2 bare.nc -o o.nc || true; } 2>&1 | grep -q "axt-unflatten x=lat:2,lon:3"'
	fails 2 '*--over goes with --method keep*' 'axt-regrid --to r3x2 --over lat,lon g.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "weights in files" {
	make_g
	works 'axt-regrid --to r3x2 --save-weights w.nc g.nc -o c.nc; axt-regrid --to r3x2 --weights w.nc g.nc | axt-equal - c.nc'
	works 'axt-regrid --to r3x2 --save-weights e.nc --dialect esmf g.nc -o c.nc; axt-regrid --to r3x2 --weights e.nc g.nc | axt-equal - c.nc'
	works 'axt-info --brief e.nc | grep -q "S f64 n_s=36" && axt-info --brief w.nc | grep -q "remap_matrix f64 num_links=36 num_wgts=1"'
	fails 1 '*the weights of w.nc are for 6 new cells, and r3x3 has 9*' 'axt-regrid --to r3x3 --weights w.nc g.nc -o o.nc'
	fails 1 '*g.nc has no weights: *' 'axt-regrid --to r3x2 --weights g.nc g.nc -o o.nc'
	fails 2 '*--method*' 'axt-regrid --to r3x2 --weights w.nc --method nearest g.nc -o o.nc'
	[ ! -e o.nc ]
}

@test "stations along one axis" {
	make_g
	py '
with h5py.File("st.h5", "w") as f:
    for name, v, units in ("lat", [10., -20, 45], "degrees_north"), ("lon", [5., 100, 359], "degrees_east"), ("h", [1., 2, 3], "m"):
        f[name] = v
        f[name].attrs["units"] = np.bytes_(units)
        f[name].dims[0].label = "station"
    f["h"].attrs["coordinates"] = np.bytes_("lat lon")'
	prints '12 8 18' 'axt-regrid --to st.h5:h --method nearest g.nc -p | paste -sd " "'
	prints '10.4167 8 15.0833' 'axt-regrid --to st.h5:h --method bilinear g.nc | axt-print --format %.6g - | paste -sd " "'
	works 'axt-regrid --to st.h5:h --method distance g.nc | axt-info - | grep -q "lat .* station=3"'
	fails 1 '*the cells of st.h5:h have no vertices*' 'axt-regrid --to st.h5:h g.nc -o o.nc'
}
