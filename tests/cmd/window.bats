load helper

make_t()
{
	axt-make iota t=6 | axt-map square | axt-coord set t=0:10 -o t.nc
}

@test "windows, and the coordinates of their middles" {
	make_t
	prints $'0 1 4\n1 4 9\n4 9 16\n9 16 25' 'axt-window t=w:3 t.nc -p'
	prints $'10\n20\n30\n40' 'axt-window t=w:3 t.nc -o w.nc && axt-print w.nc:t'
	prints $'t,tensor\n5,1\n25,13\n45,41' 'axt-window t=w:2:2 <t.nc | axt-reduce sum --over w | axt-print --csv'
	prints 'f64' 'axt-window t=w:2 t.nc | axt-info --json | sed -n "s/.*\"dtype\": \"\(f64\)\".*/\1/p" | tail -n 1'
	prints $'0 1\n9 16' 'axt-window t=w:2:3 t.nc -p'
	prints $'0 1 4 9 16 25' 'axt-window t=w:6 t.nc -p'
	works 'axt-window t=w:1 t.nc | axt-squeeze --over w | axt-equal t.nc'
}

@test "two axes, and a running mean of joined files" {
	axt-make iota y=3,x=3 -o a.nc
	prints $'8 12\n20 24' 'axt-window y=v:2 x=w:2 a.nc | axt-reduce sum --over v,w -p'
	make_t
	axt-slice t=:3 t.nc -o t0.nc
	axt-slice t=3: t.nc -o t1.nc
	works 'axt-concat t t0.nc t1.nc | axt-window t=w:3 | axt-equal - <(axt-window t=w:3 t.nc)'
}

# b.nc: t over x, 0 to 3, with bounds $1 (an array), and coordinates i (i32), f (f32), m (f32, a missing value), s.
make_bounds()
{
	py "
f = h5py.File('b.nc', 'w')
f['x'] = np.arange(4.); f['x'].make_scale('x'); f['x'].attrs['bounds'] = np.bytes_('x_b')
f['x_b'] = np.array($1); f['i'] = np.arange(4, dtype='i4'); f['f'] = np.arange(4, dtype='f4') / 8
f['m'] = np.arange(4, dtype='f4'); f['s'] = np.array([b'pp', b'qq', b'rr', b'ss'], dtype=h5py.string_dtype())
f['f'].attrs['_FillValue'] = np.float32(np.nan); f['m'].attrs['_FillValue'] = np.float32(1e20)
f['t'] = np.arange(4.); f['t'].attrs['coordinates'] = np.bytes_('i f m s')
for n in ('x_b', 'i', 'f', 'm', 's', 't'): f[n].dims[0].attach_scale(f['x'])
"
}

@test "bounds are those of all cells in a window" {
	make_bounds 'np.arange(8.).reshape(4, 2)'
	prints $'0 5\n2 7' 'axt-window x=w:3 b.nc:t -o w.nc && axt-print w.nc:x_b'
	prints $'0 3\n4 7' 'axt-window x=w:2:2 b.nc:t | axt-reduce mean --over w -o w.nc && axt-print w.nc:x_b'
	prints $'4 7\n0 3' 'axt-flip x b.nc:t | axt-window x=w:2:2 -o w.nc && axt-print w.nc:x_b'
	prints $'0 1\n2 3\n4 5\n6 7' 'axt-window x=w:1 b.nc:t -o w.nc && axt-print w.nc:x_b'
	prints $'0 5\n2 7' 'axt-concat x <(axt-slice x=:2 b.nc:t) <(axt-slice x=2: b.nc:t) | axt-window x=w:3 -o w.nc && axt-print w.nc:x_b'
	make_bounds 'np.arange(8)[::-1].reshape(4, 2)'
	prints $'7 4\n3 0' 'axt-window x=w:2:2 b.nc:t -o w.nc && axt-print w.nc:x_b'
	prints $'3 0\n7 4' 'axt-flip x b.nc:t | axt-window x=w:2:2 -o w.nc && axt-print w.nc:x_b'
	make_bounds 'np.arange(4)'
	prints $'1\n2' 'axt-window x=w:3 b.nc:t -o w.nc && axt-print w.nc:x_b'
}

@test "other coordinates of the middles" {
	make_bounds 'np.arange(8.).reshape(4, 2)'
	works 'axt-window x=w:2:2 b.nc:t -o w.nc'
	prints $'0.5\n2.5' 'axt-print w.nc:i'
	prints $'0.0625\n0.3125' 'axt-print w.nc:f'
	prints $'0.5\n2.5' 'axt-print w.nc:m'
	prints ' s = "pp", "rr" ;' 'ncdump w.nc | grep "^ s = "'
	works 'axt-window x=w:3 b.nc:t -o w.nc'
	prints $'1\n2' 'axt-print w.nc:i'
	prints $'0.125\n0.25' 'axt-print w.nc:f'
}

@test "what is refused" {
	make_t
	fails 1 'axt-window: a window of 7 is longer than axis "t" of t.nc:tensor (6)' 'axt-window t=w:7 t.nc -o o.nc'
	fails 1 'axt-window: axis "t" stands twice*' 'axt-window t=t:2 t.nc -o o.nc'
	fails 1 'axt-window: no axis "x"*' 'axt-window x=w:2 t.nc -o o.nc'
	for s in t=w t=w:0 t=w:2:0 t=w:x t=w:2:; do
		fails 2 "axt-window: \"$s\" is not AXIS=NAME:LEN\[:STEP\]" "axt-window $s t.nc -o o.nc"
	done
	[ ! -e o.nc ]
}

@test "pieces as long as the step: a warning counts the elements that are left out" {
	axt-make iota time=12 -o t.nc
	sh_run 'axt-window time=w:5:5 t.nc | axt-reduce sum --over w -p'
	[ "$output" = $'10\n35' ]
	[ "$stderr" = 'axt-window: warning: the last 2 of the 12 elements along time of t.nc:tensor are in no window of 5: axt-pad time=0,3 fills one more, axt-slice time=:10 leaves them out' ]
	prints $'10\n35\n21' 'axt-pad time=0,3 t.nc | axt-window time=w:5:5 | axt-reduce sum --over w -p'
	prints $'10\n35' 'axt-slice time=:10 t.nc | axt-window time=w:5:5 | axt-reduce sum --over w -p'
	sh_run 'axt-cast --dtype f32 t.nc | axt-window time=w:5:5 -o w.nc'
	[[ $stderr == *': axt-pad time=0,3 --value nan fills one more'* ]]
	works 'axt-window time=w:5:4 t.nc -o v.nc'
}

@test "windows have the coordinates of their middles, first or last elements" {
	axt-make iota t=6 --dtype f64 --name v | axt-coord set t=0:10 -o a.nc
	py '
f = h5py.File("a.nc", "a")
f["n"] = list("abcdef"); f["n"].dims[0].attach_scale(f["t"]); f["v"].attrs["coordinates"] = "n"'
	prints '0 10 20' 'axt-window --label first t=w:4 a.nc:v -o w.nc; axt-print w.nc:t | paste -sd " "'
	prints '15 25 35' 'axt-window --label middle t=w:4 a.nc:v -o w.nc; axt-print w.nc:t | paste -sd " "'
	prints '30 40 50' 'axt-window --label last t=w:4 a.nc:v -o w.nc; axt-print w.nc:t | paste -sd " "'
	prints 'd e f' 'axt-print w.nc:n | paste -sd " "'
	prints $'t,n,v\n20,c,3\n40,e,9' "axt-calc 'sum(window(v, t=w:3:2, label=last), over=w)' a.nc --name v | axt-print --csv"
	fails 2 'axt-window: --label *' 'axt-window --label end t=w:4 a.nc:v -p'
	fails 2 'axt-calc: label= takes middle|first|last, not "end" *' 'axt-calc "window(v, t=w:4, label=end)" a.nc -p'
}

@test "coordinates of which one of a pair is missing are the earlier one, others are means" {
	py "
f = h5py.File('b.nc', 'w')
f['x'] = np.arange(6.); f['x'].make_scale('x')
for n, d, miss in ('i', 'i4', -9), ('f', 'f4', -9), ('n', 'f8', np.nan):
    f[n] = np.array([1, 5, 2, miss, miss, 4], d); f[n].attrs['_FillValue'] = np.array(miss, d)
f['z'] = np.array([-1, 1, 3, 5, 7, 9], 'i4'); f['z'].attrs['_FillValue'] = np.int32(0)
f['t'] = np.arange(6.); f['t'].attrs['coordinates'] = np.bytes_('i f n z')
for n in ('i', 'f', 'n', 'z', 't'): f[n].dims[0].attach_scale(f['x'])
"
	works 'axt-window x=w:2:2 b.nc:t -o w.nc'
	for n in i f n; do prints $'3\n2\nnan' "axt-print w.nc:$n"; done
	prints $'-1\n4\n8' 'axt-print w.nc:z'
	prints 'i:_FillValue = -9. ;' 'ncdump -h w.nc | grep -o "i:_FillValue.*"'
}
