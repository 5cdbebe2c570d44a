load helper

@test "counts, middles and bounds" {
	make_a
	works 'axt-hist --bins 2 --range 0,4 a.nc -o h.nc && axt-print --csv h.nc:tensor'
	[ "$output" = $'bin,tensor\n1,2\n3,3' ]
	prints $'0 2\n2 4' 'axt-print h.nc:bin_bounds'
	prints $'2\n2\n2' 'axt-hist --bins 3 -p <a.nc'
}

@test "the last bin has its upper edge; values out of the range, NaN and inf count nowhere" {
	py 'f = h5py.File("n.h5", "w"); f["t"] = np.array([0, 1, 1.5, 2, 2.1, -.1, np.nan, np.inf, -np.inf])'
	prints $'1\n3' 'axt-hist --bins 2 --range 0,2 -p n.h5'
	prints $'2\n4' 'axt-hist --bins 2 -p n.h5'
}

@test "edges as NumPy has them, for f32 too" {
	py 'f = h5py.File("e.h5", "w"); f["t"] = (np.arange(11) / 10).astype("f4")'
	prints $'1\n1\n1\n1\n1\n1\n1\n1\n1\n2' 'axt-hist --bins 10 --range 0,1 -p e.h5'
}

@test "axes that stay, and where the bins go" {
	make_a
	prints $'2 1\n0 2' 'axt-hist --bins 2 --range 0,4 --over lon -p a.nc'
	prints $'2 1\n0 2' 'axt-hist --bins 2 --range 0,4 --to lat -p a.nc'
	prints $'2 0\n1 2' 'axt-hist --bins 2 --range 0,4 --to bin,lat -p a.nc'
	prints $'2 0\n1 2' 'axt-hist --bins 2 --range 0,4 --over lon a.nc | axt-order bin,lat -p'
	fails 1 'axt-hist: *"y"*' 'axt-hist --bins 2 --over y a.nc'
	fails 1 'axt-hist: *"bin"*twice*' 'axt-rename lat=bin a.nc | axt-hist --bins 2 --over lon'
}

@test "weights are summed in f64" {
	make_a
	axt-make full:0.5 lon=3 -o w.nc
	prints $'1.5\n1.5' 'axt-hist --bins 2 --weights w.nc -p a.nc'
	works 'axt-hist --bins 2 --weights w.nc a.nc -o h.nc && axt-info h.nc'
	[[ $output == *"tensor f64 bin=2"* ]]
	fails 1 'axt-hist: the weights have the axis "z"*' 'axt-make ones z=3 | axt-hist --bins 2 --weights - a.nc'
}

@test "one value, no value, no element" {
	prints $'0\n1' 'axt-make full:3 x=1 | axt-hist --bins 2 -p'
	prints $'0\n0' 'axt-make full:nan x=4 | axt-hist --bins 2 -p'
	prints $'0\n0' 'axt-make zeros x=0 | axt-hist --bins 2 -p'
}

@test "one pass with what comes before, units go to the bins" {
	make_cf
	works 'export AXT_FUSE=1; axt-map square cf.nc | axt-hist --bins 4 --range 0,30 --explain'
	[[ $output == *"pass 1 of 1"*"fused: square"*"count of 6 elements in 4 groups"* ]]
	works 'axt-hist --bins 4 --range 0,30 cf.nc -o h.nc && axt-info --cdl h.nc'
	[[ $output == *'bin:units = "K"'* && $output != *'t:units'* ]]
}

@test "errors" {
	make_a
	fails 2 'axt-hist: needs --bins N*' 'axt-hist a.nc'
	hints 'axt-hist --bins 10 a.nc'
	fails 2 'axt-hist: --bins takes up to 2 whole numbers from 1, not "0"' 'axt-hist --bins 0 a.nc'
	fails 2 'axt-hist: a range is LO,HI, not "3"' 'axt-hist --bins 2 --range 3 a.nc'
	fails 1 'axt-hist: the range of bins is from 3 to 1*' 'axt-hist --bins 2 --range 3,1 a.nc'
	fails 1 'axt-hist: the range of bins is from 0 to inf*' 'axt-hist --bins 2 --range 0,inf a.nc'
	fails 1 'axt-hist: *too narrow*' 'axt-hist --bins 100 --range 1,1.0000000000000002 a.nc'
	fails 1 'axt-hist: *c64*' 'axt-make ones x=2 --dtype c64 | axt-hist --bins 2'
}

@test "two variables: NumPy's word has a line that counts as NumPy; no hint concatenates them" {
	py 'r = np.random.default_rng(5)
f = h5py.File("a.nc", "w")
for name in "tas", "pr":
    v = r.normal(280, 14, (40, 30))
    v[r.random(v.shape) < .1] = np.nan
    f[name] = v
    f[name].dims[0].label, f[name].dims[1].label = "y", "x"'
	run axt histogram2d a.nc
	works "${output#*hint: } -o c.nc"
	py 'a, b = (h5py.File("a.nc")[n][()].ravel() for n in ("tas", "pr"))
ok = np.isfinite(a) & np.isfinite(b)
want = np.histogram2d(a[ok], b[ok], 10, ((250, 310), (250, 310)))[0]
got = [d[()] for d in h5py.File("c.nc").values() if d.shape == (10, 10)]
assert len(got) == 1 and 0 < want.sum() < ok.sum() and (got[0] == want).all(), (got, want)'
	run axt confusion_matrix a.nc
	works "${output#*hint: } -o c.nc"
	py 'a, b = (h5py.File("a.nc")[n][()].ravel() for n in ("tas", "pr"))
ok = np.isfinite(a) & np.isfinite(b)
want = np.histogram2d(a[ok] > 280, b[ok] > 280, 2, ((-.5, 1.5), (-.5, 1.5)))[0]
got = [d[()] for d in h5py.File("c.nc").values() if d.shape == (2, 2)]
assert len(got) == 1 and want.sum() == ok.sum() < a.size and (got[0] == want).all(), (got, want)'
	fails 2 'axt-hist: too many operands: "b.nc"' 'axt-hist --bins 2 a.nc:tas a.nc:pr b.nc'
	[[ $output != *axt-concat* ]]
}

@test "two tensors: an axis of bins for each, with middles and bounds" {
	py 'f = h5py.File("a.nc", "w")
f["u"], f["v"] = np.array([[0, 1, 2.], [3, 4, np.nan]]), np.array([5, 6, 9.])
f["u"].attrs["units"] = "K"
f["u"].dims[0].label, f["u"].dims[1].label, f["v"].dims[0].label = "y", "x", "x"'
	works 'axt-hist --bins 2,4 --range 0,4,5,9 a.nc:u a.nc:v -o h.nc && axt-info --cdl h.nc'
	[[ $output == *'int64 histogram(u_bin, v_bin)'* && $output == *'u_bin:units = "K"'* ]]
	prints $'1 1 0 0\n1 1 0 1' 'axt-print h.nc:histogram'
	prints $'0 2\n2 4' 'axt-print h.nc:u_bin_bounds'
	prints $'5.5\n6.5\n7.5\n8.5' 'axt-print h.nc:v_bin'
	prints $'1 1\n1 1\n0 1' 'axt-hist --bins 2,1 --range 0,4,5,9 --over y --to x,v_bin,u_bin a.nc:u a.nc:v | axt-reduce sum --over v_bin -p'
	prints $'0.2 0\n0.2 0.1' "axt-calc 'hist(u, v, bins=2, range=(0, 4, 5, 9), density=true)*2' -p a.nc"
	prints $'0.2\n0.3' 'axt-hist --bins 2 --range 0,4 --density a.nc:u -p'
	works 'axt-hist --bins 2 a.nc:u a.nc:u | axt-info'
	[[ $output == *'u_bin=2 u_bin_2=2'* ]]
	fails 2 'axt-hist: --bins takes up to 2 whole numbers from 1, not "2,x"' 'axt-hist --bins 2,x a.nc:u a.nc:v'
	fails 2 'axt-hist: the ranges are LO,HI or LO,HI,LO,HI, not "1,2,3"' 'axt-hist --bins 2 --range 1,2,3 a.nc:u a.nc:v'
	fails 2 'axt-hist: a range is LO,HI, not "1,2,3,4"' 'axt-hist --bins 2 --range 1,2,3,4 a.nc:u'
}

@test "two numbers of bins in axt-calc" {
	axt-make iota x=6 -o x.nc
	prints $'2 1 0\n0 1 2' 'axt-calc "hist(x, x*2, bins=(2,3), range=(0,6,0,12))" x=x.nc -p'
	prints $'3 0\n0 3' 'axt-calc "hist(x, x*2, bins=2)" x=x.nc -p'
	fails 2 'axt-calc: the bins of one tensor are a number, not 2,3 *' 'axt-calc "hist(x, bins=(2,3))" x=x.nc -p'
	fails 2 'axt-calc: bins= takes up to 2 whole numbers from 1, not "2,3,4" *' 'axt-calc "hist(x, x, bins=(2,3,4))" x=x.nc -p'
}

@test "several tensors of a file have bins of their own, unless the range is given" {
	axt-make iota x=6 --dtype f32 --name t --attr units=K -o a.nc
	axt-make iota:1 x=6 --dtype f32 --name h --attr units=% -o a.nc:h
	for way in a.nc:t,h "'a.nc:*'" '--each a.nc'; do
		works "axt-hist --bins 2 $way -o o.nc && axt-info --cdl o.nc"
		[[ $output == *'int64 t(t_bin)'* && $output == *'int64 h(h_bin)'* && $output == *'h_bin:units = "%"'* ]]
	done
	prints $'1 3.5\n3.5 6' 'axt-print o.nc:h_bin_bounds'
	works 'axt-hist --bins 2 a.nc:t -o o.nc && axt-info --cdl o.nc'
	[[ $output == *'int64 t(bin)'* ]]
	fails 1 'axt-hist: axis "bin" has other coordinates in h than in t, and a file has one axis of a name: it has units "K" in a.nc:t and "%" in a.nc:h' 'axt-hist --bins 2 --range 0,6 a.nc:t,h -o o.nc'
	hints 'each goes to a file of its own'
	works 'axt-attr units=K a.nc:h --in-place && axt-hist --bins 2 --range 0,6 a.nc:t,h -o o.nc && axt-info --cdl o.nc'
	[[ $output == *'int64 h(bin)'* ]]
}
