load helper

make_map()
{
	py 'f = h5py.File("m.h5", "w")
v = np.arange(24.0).reshape(4, 6); v[0, 0] = np.nan
d = f.create_dataset("t", data=v)
for i, (n, c, u) in enumerate((("lat", np.linspace(-45, 45, 4), "degrees_north"), ("lon", np.arange(6) * 60.0, "degrees_east"))):
    s = f.create_dataset(n, data=c); s.attrs["units"] = u; s.make_scale(n); d.dims[i].attach_scale(s)
d.attrs["long_name"] = "heat"; d.attrs["units"] = "K"'
}

@test "a line as letters" {
	prints "$(cat <<'E'
               tensor
tensor
  |                       ******
2 +                  ******
  |           *******
  |     ******
0 +*****
  ++------------------+---------
   0                  2
                  x
E
)" 'axt-make iota x=4 | axt-plot --size 32,10'
}

@test "a map as letters: north is up, missing values are blank" {
	make_map
	prints "$(cat <<'E'
                  heat
lat                                [K]
60N +#####%%%%%%%%%@@@@@@@@@@@@@@@ %% 20
    |++++++++++*********########## **
  0 +++++++++++*********########## ==
    |--------------==========+++++ ::
60S +     ..............:::::::::: ..
    +--+-------------+------------
       0            180
                   lon
E
)" 'axt-plot --size 40,12 m.h5:t'
}

@test "what cannot be drawn says why" {
	axt-make iota a=2,b=3,c=4 -o c.nc
	fails 1 'axt-plot: c.nc:tensor has the axes a, b, c (2, 3, 4), and a map has two: choose an index of the others, or --mean-rest' 'axt-plot c.nc'
	hints 'axt-plot c.nc --frame a=0'
	fails 1 'axt-plot: a.nc:tensor has no elements: x (0)' 'axt-make zeros x=0 -o a.nc && axt-plot a.nc'
	fails 1 'axt-plot: a single number has nothing to draw' 'axt-plot 3'
	fails 1 'axt-plot: no axis "z" in c.nc:tensor (a, b, c*' 'axt-plot c.nc --frame z=0'
	fails 1 'axt-plot: no axis "z" in c.nc:tensor (a, b, c*' 'axt-plot c.nc --all z'
	fails 1 'axt-plot: c.nc:tensor is complex*' 'axt-make ones x=2 --dtype c64 -o c.nc && axt-plot c.nc'
	axt-make iota x=3 -o i.nc
	fails 2 'axt-plot: x.gif: the name tells no form of pictures' 'axt-plot i.nc -o x.gif'
	fails 2 'axt-plot: unknown colour map "vridis"' 'axt-make iota x=3 | axt-plot --cmap vridis'
	fails 2 'axt-plot: --range takes LO,HI, two numbers of which the second is larger, not "3,1"' 'axt-make iota x=3 | axt-plot --range 3,1'
	fails 2 'axt-plot: --clip takes a number of percent from 0 to below 50, not "60"' 'axt-make iota x=3 | axt-plot --clip 60'
	fails 2 'axt-plot: -o - does not tell the form of the picture' 'axt-make iota x=3 | axt-plot -o -'
	fails 2 'axt-plot: --size takes W,H, such as 900,600, not "big"' 'axt-make iota x=3 | axt-plot --size big'
}

@test "an output is whole or not there, and is replaced only by a picture" {
	axt-make iota x=4,y=5 -o a.nc
	works 'axt-plot a.nc -o p.png'
	cp p.png old
	fails 1 'axt-plot: p.png: exists (--no-clobber)' 'axt-plot a.nc -N -o p.png'
	fails 1 'axt-plot: none/p.png: No such file or directory' 'axt-plot a.nc -o none/p.png'
	sh_run 'head -c 8200 a.nc | axt-plot -o p.png'
	[ "$status" -eq 1 ]
	cmp p.png old
	fails 1 'axt-plot: standard output: No space left on device' 'axt-plot a.nc >/dev/full'
	fails 1 'axt-plot: /dev/full: No space left on device' 'axt-plot a.nc --format png -o /dev/full'
	[ "$(ls -A)" = $'a.nc\nold\np.png' ]
	works 'axt-plot a.nc -o p.svg && axt-plot a.nc -o p.pdf && axt-plot a.nc -o p.txt && axt-plot a.nc | cmp - p.txt'
	[[ $(head -c 5 p.svg) == '<?xml' ]]
	[[ $(head -c 4 p.pdf) == '%PDF' ]]
}

@test "a missing library is told by the name of its package" {
	axt-make iota x=4,y=5 -o a.nc
	mkdir lib
	echo >lib/libcairo.so.2
	fails 1 'axt-plot: libcairo.so.2 cannot be loaded (Debian*libcairo2), and pictures are drawn with it' 'LD_LIBRARY_PATH=lib axt-plot a.nc -o p.png'
	works 'LD_LIBRARY_PATH=lib axt-plot a.nc -o p.txt && LD_LIBRARY_PATH=lib axt-plot a.nc --protocol blocks'
}

@test "control characters of a file reach no terminal" {
	py 'f = h5py.File("e.h5", "w"); d = f.create_dataset("t", data=np.arange(4.)); d.attrs["long_name"] = "a\x1b[31mred\x07\r\n"; d.attrs["units"] = "\x1b]0;x\x07"'
	sh_run 'axt-plot e.h5; axt-plot e.h5 --protocol blocks | tr -d "\033" | grep -c "31mred"'
	[ "$status" -eq 0 ]
	[[ $output == *'a\x1b[31mred\x07'* ]]
	axt-plot e.h5 >o
	lacks $'\x1b\|\x07\|\r' o
}

@test "--explain tells what is read, and draws nothing" {
	axt-make iota y=400,x=500 --dtype f32 -o a.nc
	sh_run 'axt-plot a.nc --explain -o p.png --size 60,60 && axt-slice y=0 a.nc | axt-plot --explain && axt-plot --hist --range 0,1 a.nc --explain'
	[ "$status" -eq 0 ]
	[[ $output == *'reduces: mean of'*'reduces: min, max of'* ]]
	[ ! -e p.png ]
}

@test "NO_COLOR" {
	axt-make iota x=4,y=5 -o a.nc
	sh_run 'NO_COLOR=1 axt-plot --protocol blocks a.nc'
	[ "$status" -eq 0 ]
	[[ $output != *$'\x1b'* ]]
	[[ $(axt-plot --protocol blocks a.nc) == *$'\x1b[38;2;'* ]]
}

@test "natural mistakes" {
	axt-make iota t=3,y=4,x=5 --name tas -o a.nc
	axt-make iota x=5 --name b -o b.nc
	axt-copy a.nc b.nc -o c.nc
	works 'axt-plot a.nc:tas t=0' && one=$output
	prints "$one" 'axt-plot t=0 a.nc'
	prints "$one" 'axt-plot --frame t=0 a.nc'
	fails 1 'axt-plot: c.nc holds several tensors: tas, b' 'axt-plot c.nc'
	hints 'axt-plot c.nc:b'
	axt-mul b.nc 2 --name d -o d.nc
	axt-copy b.nc d.nc -o e.nc
	works "axt-plot 'e.nc:*'" && one=$output
	prints "$one" 'axt-plot e.nc:b e.nc:d'
	prints "$one" 'axt-plot --each e.nc'
	fails 1 'axt-plot: e.nc holds several tensors: b, d' 'axt-plot e.nc x=0:2'
	fails 1 'axt-plot: o.png: No such file or directory' 'axt-plot t=0 a.nc o.png'
	hints 'axt-plot t=0 a.nc -o o.png'
	for o in vmin:range hue:lines col:all robust:clip figsize:size colormap:cmap save:output isel:frame; do
		fails 2 "axt-plot: unknown option --${o%:*}" "axt-plot a.nc --${o%:*} 1"
	done
	for w in ncview imshow heatmap pcolormesh; do
		fails 2 'axt: unknown command "*"' "axt $w"
		hints 'axt-plot time=0 --mean-rest a.nc:tas'
	done
}

@test "text is no wider than was asked for" {
	py 'h = h5py.File("m.h5", "w"); d = h.create_dataset("t", data=np.arange(600.).reshape(20, 30)); d.attrs["units"] = "degrees C"'
	for w in 40 61 80 110; do
		sh_run "axt-plot --protocol blocks --size $w,30 m.h5 | sed 's/\x1b\[[0-9;]*m//g'"
		[[ $output == *'[degrees C]'* ]]
		[ "$(python3 -c 'import sys; print(max(len(s.rstrip("\n")) for s in sys.stdin))' <<<"$output")" -le "$w" ]
	done
}

@test "a panel of a few lines has one label in each" {
	axt-make iota y=19,x=19 | axt-coord set y=-90:10 --attr y:units=degrees_north -o m.h5
	works 'axt-plot --protocol ascii --size 60,8 m.h5'
	[[ $output == *$'\n90N +'* && $output == *$'\n90S +'* ]]
	[ "$(grep -c '^ *[0-9]*[NS0] +' <<<"$output")" -eq 2 ]
}
