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

@test "bounds keep the middle" {
	py '
f = h5py.File("b.nc", "w")
f["x"] = np.arange(4.); f["x"].make_scale("x"); f["x"].attrs["bounds"] = np.bytes_("x_b")
f["x_b"] = np.arange(8.).reshape(4, 2); f["x_b"].dims[0].attach_scale(f["x"])
f["t"] = np.arange(4.); f["t"].dims[0].attach_scale(f["x"])
'
	prints $'2 3\n4 5' 'axt-window x=w:3 b.nc:t -o w.nc && axt-print w.nc:x_b'
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
