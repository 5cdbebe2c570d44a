load helper

# Groups a and b with t, u(x) and sub/d; time is in the root, x in each group.
make_groups()
{
	py 'import netCDF4
for name, k in (("f.nc", 0), ("g.nc", 5)):
    d = netCDF4.Dataset(name, "w"); d.title = "all"
    d.createDimension("time", 3)
    v = d.createVariable("time", "f8", ("time",)); v[:] = [1, 2, 3]; v.units = "days since 2000-01-01"
    for i, n in enumerate(("a", "b")):
        g = d.createGroup(n); g.source = n.upper()
        g.createDimension("x", 2)
        v = g.createVariable("x", "f4", ("x",)); v[:] = [10, 20]
        v = g.createVariable("t", "f4", ("time", "x")); v[:] = np.arange(6.).reshape(3, 2) + 10 * i + k; v.units = "K"
        v = g.createVariable("u", "f8", ("x",)); v[:] = [i, i + 1]
        s = g.createGroup("sub" + n); s.note = "deep " + n
        v = s.createVariable("d", "i4", ("time",)); v[:] = [7, 8, 9 + i]
    d.close()'
}

@test "a group with and without slashes, by its last name, several of them" {
	make_groups
	for w in /a/ a/ /a a; do
		works "axt-copy f.nc:$w -o o.nc"
		prints $'/a/t\n/a/u\n/a/suba/d' 'axt-info --names o.nc'
		works 'axt-equal f.nc:/a/t o.nc:/a/t'
	done
	prints $'/a/suba/d' 'axt-copy f.nc:suba/ | axt-info --names'
	prints $'/b/subb/d' 'axt-copy f.nc:/b/subb | axt-info --names'
	prints $'/b/subb/d\n/a/suba/d' 'axt-copy f.nc:subb,suba/ | axt-info --names | sort -r'
	prints $'/a/t\n/b/subb/d' 'axt-copy f.nc:a/t,subb/ | axt-info --names'
	fails 1 'axt-copy: f.nc: no tensor has a name like "/suba/\*"' 'axt-copy f.nc:/suba/ -o n.nc'
	fails 1 'axt-copy: f.nc: no dataset "/suba" *' 'axt-copy f.nc:/suba -o n.nc'
	prints $'/a/t\n/a/u\n/a/suba/d' 'axt-reduce mean --over time f.nc:a | axt-info --names'
	prints $'/a/t\n/a/u\n/a/suba/d' 'axt-copy f.nc -o - | axt-copy -:/a/ | axt-info --names'
}

@test "a dataset comes before a group of its name" {
	make_groups
	py 'f = h5py.File("p.h5", "w"); f["a"] = [1., 2.]; f["g/a/v"] = [3., 4.]; f["g/w"] = [5.]'
	prints $'1\n2' 'axt-print p.h5:a'
	prints '/g/a/v' 'axt-copy p.h5:a/ | axt-info --names'
	prints $'/g/a/v\n/g/w' 'axt-copy p.h5:g | axt-info --names'
}

@test "names of groups with spaces, dots, stars, commas" {
	py 'f = h5py.File("p.h5", "w")
for n in ("my run", "v1.2", "a*b", "axb", "c,d", "e[f]", "g=h", "i:j"): f[n + "/v"] = np.arange(2.) + len(f)'
	for n in 'my run' v1.2 'a*b' 'c\,d' 'e\[f\]' 'g\=h' 'i\:j'; do
		works "axt-copy 'p.h5:/$n/' -o o.h5"
		[ "$(axt-info --names o.h5 | wc -l)" = 1 ]
		works "axt-equal 'p.h5:/$n/v' 'o.h5:/$n/v'"
		works "axt-copy 'p.h5:$n' -o 'r.h5:/new run/1.2/'"
		works "axt-equal 'p.h5:/$n/v' 'r.h5:/new run/1.2/v'"
	done
}

@test "two groups are matched by the names in them, with the groups of the first" {
	make_groups
	works 'axt-sub f.nc:/a/t f.nc:/b/t -o t.nc'
	works 'axt-remove f.nc:/b/subb/'
	warned 'axt-sub: warning: f.nc:/a/suba/d is left out, as f.nc:/b/ has no such tensor' 'axt-sub f.nc:/b/ f.nc:/a -o d.nc'
	prints $'/b/t\n/b/u' 'axt-info --names d.nc'
	prints -10 'axt-reduce -p min t.nc'
	prints 10 'axt-reduce -p min d.nc:t'
	fails 1 'axt-sub: f.nc:/b/ has no tensor "suba/d", and f.nc:/a/ has' 'axt-sub f.nc:/a/ f.nc:/b/ -o n.nc'
	works 'axt-sub g.nc:/a/ f.nc:/a/ -o d.nc'
	prints 5 'axt-reduce -p max d.nc:t'
	warned 'axt-stack: warning: g.nc:/a/suba/d is left out, as f.nc:/b/ has no such tensor' 'axt-stack m f.nc:/b/ g.nc:/a -o s.nc'
	prints $'/b/t\n/b/u' 'axt-info --names s.nc'
}

@test "-o FILE:/group/ writes to a group of a file, which may be there" {
	make_groups
	works 'axt-reduce mean --over time f.nc:/a/ -o o.nc:/new/one/'
	prints $'/new/one/t\n/new/one/u\n/new/one/suba/d' 'axt-info --names o.nc'
	works 'axt-reduce mean --over time f.nc:/b/ -o o.nc:/new/two/'
	works 'axt-reduce mean --over time f.nc:/b/t -o o.nc:two/'
	works 'axt-reduce mean --over time f.nc:/b/t | axt-equal - o.nc:/new/two/t'
	works 'axt-equal o.nc:/new/two/t o.nc:/two/t'
	prints $'A\ndeep a\nB\ndeep b' "ncdump -h o.nc | sed -n 's/.*:\(source\|note\) = \"\(.*\)\" ;/\2/p'"
	works 'axt-add f.nc:/a/t 1 --name v -o o.nc:/new/one/'
	prints /new/one/v 'axt-info --names o.nc | grep v'
	works 'axt-copy f.nc:/a/ -o r.nc:/'
	prints $'t\nu\n/suba/d' 'axt-info --names r.nc'
	run /usr/bin/python3 -c 'import xarray as xr
d = xr.open_dataset("r.nc")
print(d.attrs["source"], d.attrs["title"], d.t.dims, d.time.dt.day.values)'
	[ "$output" = "A all ('time', 'x') [2 3 4]" ]
	fails 1 'axt-copy: two results have the name "t"' 'axt-copy f.nc:/a/ f.nc:/b/ -o n.nc:/x/'
}

@test "several files as groups of one, with their attributes" {
	py 'import netCDF4
for i, n in enumerate(("p", "q")):
    d = netCDF4.Dataset(n + ".nc", "w"); d.model = n; d.history = "made " + n
    d.createDimension("x", 2 + i); d.createVariable("v", "f4", ("x",))[:] = np.arange(2. + i)
    d.createVariable("name", str, ())[...] = "file " + n; d.close()'
	works 'axt-copy p.nc -o all.nc:/p/'
	works 'axt-copy q.nc -o all.nc:/q/'
	run /usr/bin/python3 -c 'import xarray as xr
p, q, root = (xr.open_dataset("all.nc", group=g) for g in ("p", "q", "/"))
print(p.attrs["model"], q.attrs["model"], p.sizes["x"], q.sizes["x"], q["name"].values, q.attrs["history"])
print(sorted(root.attrs))'
	[ "$output" = $'p q 2 3 file q made q\n[\'history\']' ]
}

@test "several results need the slash of a group" {
	make_groups
	fails 1 'axt-copy: several results cannot be written as one dataset "/new"' 'axt-copy f.nc:/a -o n.nc:/new'
	hints '-o n.nc:/new/ writes them to a group'
	[ ! -e n.nc ]
	fails 1 'axt-remove: f.nc: no dataset "/a" *' 'axt-remove f.nc:/a'
	hints 'axt-remove f.nc:/a/'
}

@test "what groups share stays in the root, also where it is sliced, and in a file that has it" {
	make_groups
	works 'axt-copy f.nc -o c.nc'
	for f in f c; do ncdump -h $f.nc | sed '1d; /:history/d' >$f.cdl; done
	works 'diff f.cdl c.cdl'
	works 'axt-slice time=1: "f.nc:*" -o s.nc'
	prints 1 'ncdump -h s.nc | grep -c "double time(time)"'
	run /usr/bin/python3 -c 'import netCDF4
d = netCDF4.Dataset("s.nc")
print([len(x) for x in d["a/t"].get_dims()], d["b/subb/d"].get_dims()[0].group().path, d["time"][:].tolist())'
	[ "$output" = '[2, 2] / [2.0, 3.0]' ]
	works 'axt-copy g.nc:/b/ -o c.nc:/new/'
	prints 1 'ncdump -h c.nc | grep -c "double time(time)"'
	works 'axt-reduce mean --over x c.nc:/new/t -o c.nc:/new/m'
	prints 1 'ncdump -h c.nc | grep -c "double time(time)"'
	works 'axt-reduce mean --over x s.nc:/a/t -o c.nc:/new/suba/m'
	prints 2 'ncdump -h c.nc | grep -c "double time(time)"'
	works 'axt-equal c.nc:/new/t g.nc:/b/t'
}

@test "text along an axis that groups have changed is left out, and told" {
	py 'import netCDF4
d = netCDF4.Dataset("tx.nc", "w"); d.createDimension("x", 3)
d.createVariable("name", str, ("x",))[:] = np.array(["a", "b", "c"], object)
d.createGroup("g").createVariable("t", "f4", ("x",))[:] = [1, 2, 3]; d.close()'
	works 'axt-copy tx.nc -o c.nc'
	prints $'a\nb\nc' 'axt-print c.nc:name'
	prints 'axt-slice: warning: tx.nc:/name is left out: axis "x" is another one in the result' 'axt-slice x=:2 "tx.nc:*" -o s.nc 2>&1'
	prints $'/g/t' 'axt-info --names s.nc'
}

@test "axt-info tells of a group" {
	make_groups
	for w in f.nc:/a/ f.nc:a f.nc:/a; do
		prints $'/a/t f32 time=3 x=2  K\n/a/u f64 x=2\n/a/suba/d i32 time=3' "axt-info --brief $w"
	done
	prints $'  source = "A"' "axt-info f.nc:/a/ | sed '1,/^group attributes/d'"
	prints '"A" 3' "axt-info --json f.nc:/a/ | jq -c '.attributes.source, (.tensors | length)' | tr '\n' ' ' | sed 's/ \$//'"
	fails 1 'axt-info: f.nc: no dataset "/c" *' 'axt-info f.nc:/c'
}

@test "axt-equal compares two groups, and a group with a file" {
	make_groups
	works 'axt-copy f.nc:/a/ -o a.nc:/ && axt-equal f.nc:/a a.nc:/ && axt-equal f.nc:/a/ a.nc'
	works 'axt-copy f.nc:/a/ -o b.nc:/x/ && axt-equal --attributes f.nc:/a b.nc:/x'
	works 'axt-equal f.nc:/a/ f.nc:/a && axt-equal f.nc:suba g.nc:suba'
	sh_run 'axt-equal f.nc:/a/ f.nc:/b/'
	[ "$status" -eq 1 ]
	[ "$output" = $'/suba/d: only in f.nc:/a/\n/subb/d: only in f.nc:/b/\n/t: 6 of 6 values differ, by at most 10 at time=0, x=0\n/u: 2 of 2 values differ, by at most 1 at x=0' ]
	sh_run 'axt-equal --attributes f.nc:/a/suba f.nc:/b/subb'
	[ "$status" -eq 1 ]
	[ "$output" = $'/d: 1 of 3 values differ, by at most 1 at time=2\n/a/suba/: attribute "note" differs' ]
	fails 2 'axt-equal: f.nc: no dataset "/c" *' 'axt-equal f.nc:/a/ f.nc:/c'
}

@test "groups: millions of labels that memory cannot hold have the --memory that does" {
	py '
n = 3000000
with h5py.File("many.h5", "w") as f:
    f["label"] = (np.arange(n) % 1000).astype("i4")
    f["x"] = np.arange(float(n))
'
	fails 1 'axt-reduce: out of memory for 3000000 labels (many.h5:label)' \
	    'axt-reduce mean --over dim_0 --by many.h5:label many.h5:x -m 100K -o r.nc'
	hints 'raise it with --memory 12M'
	axt-reduce mean --over dim_0 --by many.h5:label many.h5:x --memory 12M -o r.nc
	[ "$(axt-print r.nc | head -n 1)" = 1499500 ]
}

@test "what was grouped by a label meets that label again, whatever it is called" {
	py "
f = h5py.File('h.nc', 'w'); r = np.random.default_rng(1)
f['time'] = np.arange(48.); f['time'].make_scale('time'); f['time'].attrs['units'] = 'hours since 2001-01-01'
f['t'] = r.normal(size=48); f['lab'] = r.integers(0, 5, 48); f['t'].dims[0].attach_scale(f['time']); f['lab'].dims[0].attach_scale(f['time'])
for name, lab in ('hour', (np.arange(48) + 9) % 24), ('local', (np.arange(48) + 9) % 24), ('month', f['lab'][:]):
    m = np.array([f['t'][:][lab == v].mean() for v in lab]); print(name, np.sqrt(np.mean((f['t'][:] - m)**2)))" >want
	for name in hour local; do
		axt-calc "$name = (time.hour + 9) % 24; rms(t - mean(t, over=time, by=$name))" h.nc -p >got
		awk -v name=$name 'NR == FNR { got = $1; next } $1 == name && (got - $2)^2 < 1e-24 { ok = 1 } END { exit !ok }' got want
	done
	axt-calc 'month = lab; rms(t - mean(t, over=time, by=month))' h.nc -p >got
	awk 'NR == FNR { got = $1; next } $1 == "month" && (got - $2)^2 < 1e-24 { ok = 1 } END { exit !ok }' got want
	prints 48 "axt-calc 'count(t - mean(t, over=time, by=lab))' h.nc -p"
}
