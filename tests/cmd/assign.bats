load helper

@test "set, add, sub, mul, div, as words and as signs" {
	for pair in 'set = 2' 'add += 2' 'sub -= 2' 'mul *= 2' 'div /= 2'; do
		read -r word sign v <<<"$pair"
		for op in $word $sign; do
			axt-make iota:4:2 x=3 -o a.h5
			works "axt-assign a.h5 '$op' $v"
			case $word in
			set) prints $'2\n2\n2' 'axt-print a.h5' ;;
			add) prints $'6\n8\n10' 'axt-print a.h5' ;;
			sub) prints $'2\n4\n6' 'axt-print a.h5' ;;
			mul) prints $'8\n12\n16' 'axt-print a.h5' ;;
			div) prints $'2\n3\n4' 'axt-print a.h5' ;;
			esac
		done
	done
}

@test "positions, ranges, steps, lists" {
	axt-make zeros lat=2,lon=6 --dtype i32 -o z.h5
	while IFS='|' read -r spec want; do
		cp z.h5 a.h5
		works "axt-assign 'a.h5[$spec]' = 1"
		prints "$(printf '%b' "$want")" 'axt-print a.h5'
	done <<-'END'
		lon=0|1 0 0 0 0 0\n1 0 0 0 0 0
		lon=-1,lat=0|0 0 0 0 0 1\n0 0 0 0 0 0
		lon=1:3|0 1 1 0 0 0\n0 1 1 0 0 0
		lon=::-2|0 1 0 1 0 1\n0 1 0 1 0 1
		lat=1,lon=0,2,-2|0 0 0 0 0 0\n1 0 1 0 1 0
		lon=4:|0 0 0 0 1 1\n0 0 0 0 1 1
		lon=5:5|0 0 0 0 0 0\n0 0 0 0 0 0
		lon=-99:99|1 1 1 1 1 1\n1 1 1 1 1 1
		|1 1 1 1 1 1\n1 1 1 1 1 1
	END
}

@test "the right side: any order, fewer axes, old values, a pipe from the target" {
	make_a
	works 'axt-order lon,lat a.nc | axt-mul - 10 | axt-assign a.nc ='
	prints $'0 10 20\n30 40 50' 'axt-print a.nc'
	works 'axt-make iota lon=3 | axt-assign a.nc +='
	prints $'0 11 22\n30 41 52' 'axt-print a.nc'
	works 'axt-make iota:2 lat=2 | axt-assign "a.nc[lon=1]" = -'
	prints $'0 2 22\n30 3 52' 'axt-print a.nc'
	works 'axt-assign a.nc sub a.nc'
	prints $'0 0 0\n0 0 0' 'axt-print a.nc'
	works 'axt-reduce sum --over lat a.nc | cat | AXT_FUSE=0 axt-assign a.nc ='
}

@test "coordinates must agree; what else is in the file stays" {
	make_cf
	py 'f = h5py.File("cf.nc", "a"); f["other"] = np.arange(3)'
	works 'axt-assign "cf.nc:t[time=0]" = 9'
	prints $'9 9 9\n3 4 5' 'axt-print cf.nc:t'
	prints units=K 'axt-attr units cf.nc:t'
	prints $'0\n1\n2' 'axt-print cf.nc:other'
	py 'f = h5py.File("l.h5", "w"); f["lat"] = [10., 20, 31]; f["lat"].make_scale("lat"); f["v"] = np.arange(3.); f["v"].dims[0].attach_scale(f["lat"])'
	fails 1 'axt-assign: *"lat"*' 'axt-assign cf.nc:t = l.h5:v'
	works 'axt-assign --join override cf.nc:t = l.h5:v'
	prints $'0 1 2\n0 1 2' 'axt-print -d t cf.nc'
	works 'axt-assign -d t cf.nc = l.h5:v --join override'
	works 'axt-assign cf.nc:lat += 1'
	prints $'11\n21\n31' 'axt-print cf.nc:lat'
}

@test "--in-place keeps the inode, without it the file is replaced" {
	make_a
	inode=$(stat -c %i a.nc)
	works 'axt-assign --in-place "a.nc[lat=0]" = 9'
	[ "$(stat -c %i a.nc)" = "$inode" ]
	prints $'9 9 9\n3 4 5' 'axt-print a.nc'
	ln a.nc b.nc
	works 'axt-assign "a.nc[lat=1]" = 8'
	prints $'9 9 9\n8 8 8' 'axt-print a.nc'
	prints $'9 9 9\n3 4 5' 'axt-print b.nc'
	ln -s a.nc l.nc
	works 'axt-assign l.nc = 1'
	[ -L l.nc ]
	prints 6 'axt-reduce sum -p a.nc'
}

@test "packed targets are packed, NaN becomes the fill value" {
	py 'f = h5py.File("p.h5", "w"); d = f["t"] = np.array([0, 2, -9], "i2"); d = f["t"]
d.attrs["scale_factor"] = np.float32(.5); d.attrs["add_offset"] = np.float32(100); d.attrs["_FillValue"] = np.int16(-9)
g = f["n"] = np.array([1, -9, 3], "i4"); f["n"].attrs["_FillValue"] = np.int32(-9)'
	works "axt-assign 'p.h5:t[dim_0=0]' = 110"
	works "axt-assign 'p.h5:t[dim_0=1]' = nan"
	prints $'20\n-9\n-9' 'axt-print --raw p.h5:t'
	works 'axt-assign p.h5:t += 1'
	prints $'22\n-9\n-9' 'axt-print --raw p.h5:t'
	works "axt-assign --raw 'p.h5:t[dim_0=2]' = 7"
	prints 103.5 'axt-reduce min -p p.h5:t'
	fails 1 'axt-assign: *does not fit i16*' 'axt-assign p.h5:t = 95.5'
	works "axt-assign p.h5:n '*=' 2"
	prints $'2\n-9\n6' 'axt-print --raw p.h5:n'
}

@test "what is no l-tensor" {
	make_a
	cp a.nc old.nc
	fails 1 'axt-assign: 2 is a number: *' 'axt-assign 2 = 3'
	fails 1 'axt-assign: - is a stream: *' 'axt-add a.nc a.nc | axt-assign - = 3'
	fails 1 'axt-assign: /dev/fd/* is a stream: *' 'axt-assign <(axt-add a.nc a.nc) = 3'
	fails 1 'axt-assign: a.nc:lat* is an axis without values' 'axt-assign a.nc:lat = 3'
	make_cf
	fails 1 'axt-assign: cf.nc:time.month is computed*' 'axt-assign cf.nc:time.month = 3'
	axt-kind constant cf.nc
	cp cf.nc oldcf.nc
	fails 1 'axt-assign: cf.nc:t is a constant*' 'axt-assign cf.nc = 3'
	cmp cf.nc oldcf.nc
	cmp a.nc old.nc
	axt-kind variable cf.nc
	works 'axt-assign cf.nc = 3'
}

@test "refused before anything is written" {
	make_a
	cp a.nc old.nc
	fails 1 'axt-assign: no axis "x" in a.nc:tensor (lat, lon (2, 3))' "axt-assign 'a.nc[x=1]' = 1"
	fails 1 'axt-assign: axis "lat" has length 2 in a.nc:tensor: there is no index 2' "axt-assign 'a.nc[lat=2]' = 1"
	fails 1 'axt-assign: axis "lat" has length 2 in a.nc:tensor: there is no index -3' "axt-assign 'a.nc[lat=-3]' = 1"
	fails 1 'axt-assign: position 1 along "lon" is assigned to twice' "axt-assign 'a.nc[lon=1,-2]' = 1"
	fails 1 'axt-assign: axis "x" of *' 'axt-make ones x=2 | axt-assign a.nc ='
	fails 1 'axt-assign: axis "lon" of *' "axt-make ones lon=3 | axt-assign 'a.nc[lon=0]' ="
	fails 1 'axt-assign: axis "lon" has length 2*3*' "axt-make ones lon=3 | axt-assign 'a.nc[lon=0:2]' ="
	fails 1 'axt-assign: *does not fit i64*' 'axt-make full:1e30 lon=3 | axt-assign a.nc ='
	fails 1 'axt-assign: nan does not fit i64*' 'axt-assign --in-place a.nc = nan'
	fails 1 'axt-assign: no.nc: *' 'axt-assign no.nc = 1'
	for spec in lat lat= =1 lat=a lat=1:2:0 lat=1:2:3:4 lat=1:, lat=0,lat=1 lat=1,,2; do
		fails 2 'axt-assign: *' "axt-assign 'a.nc[$spec]' = 1"
	done
	fails 1 'axt-assign: *coordinates*' "axt-assign 'a.nc[lat@1]' = 1"
	fails 2 'axt-assign: no such operation "plus"*' 'axt-assign a.nc plus 1'
	fails 2 'axt-assign: operand TARGET* is missing' 'axt-assign'
	cmp a.nc old.nc
	[ "$(echo .*.nc* *)" = '.*.nc* a.nc old.nc' ]
}

@test "a file whose name has brackets; axes with stars and odd names" {
	axt-make iota M^=2,x=2 -o 'a[x=1]'
	works "axt-assign 'a[x=1]' = 5"
	works "axt-assign 'a[x=1][M^=1]' = 6"
	prints $'5 5\n6 6' "axt-print './a[x=1]'"
}

@test "chunks: only those touched change" {
	axt-make iota x=4,y=4 --dtype f32 -o p.h5
	axt-add p.h5 0 --deflate 5 --chunk x=2,y=3 -o c.h5
	works "axt-assign 'c.h5[x=1:3,y=0]' = -1"
	prints $'0 1 2 3\n-1 5 6 7\n-1 9 10 11\n12 13 14 15' 'axt-print c.h5'
	works "axt-reduce sum --over y c.h5 | axt-assign --in-place 'c.h5[y=3]' ="
	py 'd = h5py.File("c.h5")["tensor"]; assert d.compression == "gzip" and d.chunks == (2, 3) and d[0, 3] == 6, d[()]'
}

@test "fractions that integers do not hold are told of" {
	axt-make full:1 K=2 -o gd.h5
	sh_run 'axt-assign gd.h5 -= 0.2'
	[ "$status" -eq 0 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ $stderr == 'axt-assign: warning: 2 of 2 values lose their fractions, since gd.h5:tensor holds i64: '* ]]
	prints $'0\n0' 'axt-print gd.h5'
	sh_run 'axt-make iota:0.5:0.5 K=2 | axt-assign gd.h5 ='
	[[ $stderr == *' 1 of 2 values lose '* ]]
	works 'axt-assign gd.h5 -= 1.0'
	works 'axt-make iota:2:2 K=2 --dtype f32 | axt-assign gd.h5 ='
	prints $'2\n4' 'axt-print gd.h5'
	works 'axt-make full:1.5 K=2 | axt-map round | axt-assign gd.h5 ='
	axt-make full:1.5 K=2 -o f.h5
	works 'axt-assign f.h5 -= 0.2'
}
