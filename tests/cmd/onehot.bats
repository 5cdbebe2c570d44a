load helper

@test "true where the index is the value" {
	axt-make iota n=3 -o a.nc
	prints $'1 0 0 0\n0 1 0 0\n0 0 1 0' 'axt-onehot c=4 --dtype i8 a.nc -p'
	prints $'true false false\nfalse true false\nfalse false true' 'axt-onehot c=3 <a.nc | axt-print'
	works 'axt-onehot c^=3 a.nc | axt-cast --to n,c=3 | axt-equal - <(axt-make eye n=3,c=3)'
	py 'f = h5py.File("u.nc", "w"); f["v"] = np.array([0, 255, 7], "u1")'
	prints $'0\n1\n0' 'axt-onehot c=300 u.nc | axt-reduce argmax --over c | axt-eq - 255 --dtype i8 -p'
}

@test "the new axis is the last, as in NumPy and PyTorch" {
	py '
r = np.random.default_rng(5)
f = h5py.File("l.nc", "w"); f["v"] = r.integers(0, 6, (4, 3)); f["e"] = np.eye(6)[f["v"][:]]
for v, names in ("v", "zy"), ("e", "zyc"):
	for d, n in zip(f[v].dims, names): d.label = n
'
	works 'axt-onehot c=6 --dtype f64 l.nc:v | axt-equal - l.nc:e'
	works 'axt-calc "onehot(v, c=6)" --dtype f64 v=l.nc:v | axt-equal - l.nc:e'
}

@test "a new axis, integers, in range" {
	make_a
	fails 1 'axt-onehot: axis "lat" is in a.nc:tensor already*' 'axt-onehot lat=9 a.nc -p'
	fails 1 'axt-onehot: 3 is no index of an axis of length 3 at lat=1, lon=0, c=0 in a.nc:tensor' 'axt-onehot c=3 a.nc -p'
	fails 1 'axt-onehot: -1 is no index of an axis of length 3*' 'axt-make full:-1 n=2 | axt-onehot c=3 -p'
	fails 1 'axt-onehot: indices are integers, and *f32' 'axt-make zeros n=2 | axt-onehot c=3 -p'
	fails 2 'axt-onehot: "c" is no AXIS=LEN' 'axt-onehot c a.nc -p'
	fails 2 'axt-onehot: "c=1,d=2" is no AXIS=LEN' 'axt-onehot c=1,d=2 a.nc -p'
	fails 2 'axt-onehot: axis "c": "x" is no length' 'axt-onehot c=x a.nc -p'
}

@test "a dot of one-hot tensors is the or of ands, which a warning says; accumulate counts" {
	axt-make iota t=7 | axt-calc 'x % 3' x=- -o x.nc
	sh_run 'axt-calc "dot(onehot(x, k=3), onehot(x, j=3), over=t)" x=x.nc -p'
	[ "$output" = $'true false false\nfalse true false\nfalse false true' ]
	[[ $stderr == 'axt-calc: warning: dot of bool is the or of ands, and counts nothing: accumulate=i64 counts, '* ]]
	prints $'3 0 0\n0 2 0\n0 0 2' 'axt-calc "dot(onehot(x, k=3), onehot(x, j=3), over=t, accumulate=i64)" x=x.nc -p'
	prints $'true false false\nfalse true false\nfalse false true' 'axt-calc "dot(onehot(x, k=3), onehot(x, j=3), over=t, dtype=bool)" x=x.nc -p'
}

@test "a dot of one-hot tensors that come through pipes, or are saved expressions, warns as well" {
	axt-make iota t=7 | axt-calc 'x % 3' x=- -o x.nc
	axt-onehot k=3 x.nc -o k.nc; axt-onehot j=3 x.nc -o j.nc
	warned '*dot of bool is the or of ands, and counts nothing: *' 'axt-onehot k=3 x.nc | axt-dot - j.nc --over t -p'
	warned '*dot of bool is the or of ands, and counts nothing: *' 'axt-onehot k=3 x.nc | axt-dot j.nc - --over t -p'
	axt-onehot k=3 x.nc | axt-save -o e.nc
	warned '*dot of bool is the or of ands, and counts nothing: *' 'axt-dot e.nc j.nc --over t -p'
	prints $'3 0 0\n0 2 0\n0 0 2' 'axt-onehot k=3 x.nc | axt-dot - j.nc --over t --accumulate i64 -p'
}
