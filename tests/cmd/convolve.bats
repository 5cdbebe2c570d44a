load helper

make_t()
{
	axt-make iota t=6 | axt-map square | axt-coord set t=0:10 -o t.nc
}

@test "means, bells and kernels, of axes paired by name; what is beyond the ends" {
	py '
r = np.random.default_rng(1)
a, k = r.normal(size=(9, 12)), r.normal(size=(3, 4))
f = h5py.File("a.h5", "w")
for n, v in (("a", a), ("k", k)):
    f[n] = v
    f[n].dims[0].label, f[n].dims[1].label = "y", "x"
f["kt"] = k.T
f["kt"].dims[0].label, f["kt"].dims[1].label = "x", "y"'
	cat >want.py <<-'P'
		import sys
		import h5py, numpy as np
		f = h5py.File('a.h5')
		a, k = f['a'][...], f['k'][...]
		mode, border = sys.argv[1:3]
		def pad(x, n, i):
		    b = {'same': (n // 2, n - 1 - n // 2), 'full': (n - 1, n - 1), 'valid': (0, 0)}[mode]
		    return np.pad(x, [b if j == i else (0, 0) for j in range(2)], border)
		def along(x, w, i):
		    return np.sliding_window_view(x, len(w), i) @ w if hasattr(np, 'sliding_window_view') else \
		        np.lib.stride_tricks.sliding_window_view(pad(x, len(w), i), len(w), i) @ w
		bell = lambda s: (lambda d: np.exp(-d * d / 2) / np.exp(-d * d / 2).sum())(np.arange(-int(4 * s + .5), int(4 * s + .5) + 1) / s)
		if sys.argv[3] == 'kernel':
		    v = np.lib.stride_tricks.sliding_window_view(pad(pad(a, 3, 0), 4, 1), (3, 4))
		    want = np.einsum('yxuv,uv->yx', v, k[::-1, ::-1])
		elif sys.argv[3] == 'box':
		    want = along(along(a, np.full(4, .25), 0), np.full(3, 1 / 3), 1)
		else:
		    want = along(along(a, bell(1.3), 0), bell(.6), 1)
		got = h5py.File('o.h5')['a'][...]
		assert got.shape == want.shape and np.allclose(got, want, rtol=1e-12, atol=1e-12), (got.shape, want.shape, abs(got - want).max())
	P
	for how in "same symmetric" "full constant" "same reflect" "same wrap" "same edge" "full edge" "valid wrap"; do
		set -- $how
		opts="--mode $1"
		[[ $1 == valid ]] || opts+=" --border $2"
		works "axt-convolve $opts --kernel a.h5:k a.h5:a -o o.h5 && /usr/bin/python3 want.py $how kernel"
		works "axt-convolve $opts --kernel a.h5:kt a.h5:a -o o.h5 && /usr/bin/python3 want.py $how kernel"
		works "axt-convolve $opts y=4 x=3 a.h5:a -o o.h5 && /usr/bin/python3 want.py $how box"
		[[ $1 == valid ]] || works "axt-convolve $opts --gaussian y=1.3 x=0.6 a.h5:a -o o.h5 && /usr/bin/python3 want.py $how bell"
	done
}

@test "missing values are left out, and so is what is beyond the ends" {
	axt-make iota t=5 --dtype f64 | axt-calc 'where(a == 2, nan, a)' a=- -o g.nc
	prints $'0.5\n0.5\n2\n3.5\n3.5' 'axt-convolve --skip-nan --border constant --value nan t=3 g.nc | axt-print --format %.6g'
	prints $'0.333333\nnan\nnan\nnan\n3.66667' 'axt-convolve --keep-nan t=3 g.nc | axt-print --format %.6g'
	axt-make full:2 t=3 --dtype f64 -o k.nc
	prints $'3\n3\n12\n21\n21' 'axt-convolve --skip-nan --border constant --value nan --kernel k.nc g.nc | axt-print --format %.6g'
	py 'f = h5py.File("p.h5", "w"); f["t"] = np.array([3, -9, 5], "f4"); f["t"].attrs["_FillValue"] = np.float32(-9)'
	prints $'3\n4\n5' 'axt-convolve dim_0=3 p.h5 -p'
	prints $'nan\nnan\nnan' 'axt-convolve --keep-nan dim_0=3 p.h5 -p'
}

@test "several boxes with gaps and a value beyond the ends" {
	axt-make ones y=3,x=4 --dtype f64 | axt-calc 'where(a == 9, nan, a)' a=- -o g.nc
	for more in "x=3 y=3" "x=9 y=9" "y=2 x=3 --value 2" "y=3 x=3 --mode full --value -1" "--gaussian y=1 x=2 --value 3"; do
		works "axt-convolve $more --border constant --skip-nan g.nc -o s.nc && axt-convolve $more --border constant --keep-nan g.nc -o k.nc && axt-equal --rtol 1e-12 --atol 1e-15 s.nc k.nc"
	done
	prints $'0.4444 0.6667 0.6667 0.4444' 'axt-convolve x=3 y=3 --border constant --skip-nan g.nc | axt-slice y=0 - | axt-print --format %.4f | paste -sd " "'
}

@test "coordinates, dtypes, units" {
	make_t
	prints $'0\n10\n20\n30\n40\n50' 'axt-convolve t=3 t.nc -o o.nc && axt-print o.nc:t'
	prints $'10\n20\n30\n40' 'axt-convolve --mode valid t=3 t.nc -o o.nc && axt-print o.nc:t'
	prints $'-10\n0\n10\n20\n30\n40\n50\n60' 'axt-convolve --mode full --border edge t=3 t.nc -o o.nc && axt-print o.nc:t'
	for d in f16 bf16 f32 f64; do
		works "axt-make iota x=9 --dtype $d | axt-convolve --gaussian x=1 -o s.nc && axt-info s.nc"
		[[ $output == *" $d "* ]]
	done
	works 'axt-make iota x=9 --dtype u8 | axt-convolve x=3 -o s.nc && axt-info s.nc'
	[[ $output == *" f64 "* ]]
}

@test "errors" {
	make_t
	fails 2 'axt-convolve: the width in "t=0" is no number of elements above 0' 'axt-convolve t=0 t.nc'
	fails 2 'axt-convolve: the width in "t=1.5" is no number of elements above 0' 'axt-convolve t=1.5 t.nc'
	fails 2 'axt-convolve: the standard deviation in "t=-1" is no number above 0' 'axt-convolve --gaussian t=-1 t.nc'
	fails 1 'axt-convolve: the kernel of "t=1e11" is longer than 16777216 elements' 'axt-convolve t=1e11 t.nc'
	fails 1 'axt-convolve: the kernel of "t=1e9" is longer than 16777216 elements' 'axt-convolve --gaussian t=1e9 t.nc'
	fails 1 'axt-convolve: axis "t" has 6 elements, and the kernel 7' 'axt-convolve --mode valid t=7 t.nc'
	fails 1 'axt-convolve: the kernel k.nc:tensor has the axis "x", which t.nc:tensor has not' 'axt-make ones x=3 -o k.nc; axt-convolve --kernel k.nc t.nc'
	fails 2 'axt-convolve: *' 'axt-convolve --kernel k.nc t=3 t.nc'
	fails 2 'axt-convolve: *border*' 'axt-convolve --mode valid --border wrap t=3 t.nc'
}
