load helper

# series FILE FROM TO: t(time, lat) and p(time), with days since 2001-01-01, of those days; a mask.
series()
{
	py "
n = $3 - $2
f = h5py.File('$1', 'w', libver=('v108', 'v108'))
f.create_dataset('time', data=np.arange($2, $3) * 1., chunks=(512,), maxshape=(None,))
f['lat'] = np.array([-30., 0, 30])
for k in ('time', 'lat'): f[k].make_scale(k)
f['time'].attrs['units'] = np.bytes_('days since 2001-01-01')
f.create_dataset('t', data=np.arange($2 * 3, $3 * 3, dtype='f4').reshape(n, 3), chunks=(4, 3), maxshape=(None, 3))
f.create_dataset('p', data=np.arange($2, $3, dtype='f8'), chunks=(512,), maxshape=(None,))
f['mask'] = np.array([1, 0, 1], dtype='i1')
f['t'].attrs['units'] = np.bytes_('K')
f['t'].dims[0].attach_scale(f['time']); f['t'].dims[1].attach_scale(f['lat'])
f['p'].dims[0].attach_scale(f['time']); f['mask'].dims[0].attach_scale(f['lat'])
"
}

@test "records of a file, of a pipe and of several files, with their coordinates" {
	series a.nc 0 3
	series b.nc 3 5
	series c.nc 5 9
	series all.nc 0 9
	cp a.nc a2.nc
	works 'axt-append a.nc b.nc c.nc'
	works 'axt-equal a.nc all.nc'
	[[ "$(axt-info a.nc)" == *'time 9 unlimited f64 2001-01-01 .. 2001-01-09 days since 2001-01-01'* ]]
	works "axt-copy b.nc | axt-append a2.nc"
	works "axt-append a2.nc c.nc:t c.nc:p"
	works 'axt-equal a2.nc all.nc'
	[ "$(ncdump -h a2.nc | grep -c 'time = UNLIMITED ; // (9 currently)')" = 1 ]
}

@test "times of another base and values of other units are converted" {
	series a.nc 0 3
	series b.nc 3 5
	axt-coord set time=2:1 b.nc:t -o s.nc --attr 'time:units=days since 2001-01-02'
	axt-coord set time=2:1 b.nc:p -o s.nc:p --attr 'time:units=days since 2001-01-02'
	works 'axt-append a.nc s.nc'
	prints $'0\n1\n2\n3\n4' 'axt-print a.nc:time --format %g'
	series a.nc 0 3
	series b.nc 3 5
	axt-copy --attr units=degC b.nc:t -o k.nc
	axt-copy b.nc:p -o k.nc:p
	sh_run 'axt-append a.nc k.nc'
	[ "$status" -eq 0 ]
	[ "$(axt-slice time=-1 lat=2 a.nc:t | axt-print --format %.2f)" = 287.15 ]
	series a.nc 0 3
	axt-attr 'time:calendar=noleap' b.nc:t
	fails 1 'axt-append: *calendar*' 'axt-append a.nc b.nc'
}

@test "what does not fit is refused before a byte is written" {
	series a.nc 0 3
	series b.nc 3 5
	cp a.nc old.nc
	fails 1 'axt-append: a.nc: no operand has records of p, which lies along "time", too' 'axt-append a.nc b.nc:t'
	fails 1 'axt-append: axis "time" is not increasing: 2001-01-03 (a.nc:p) is followed by 2001-01-01 (old.nc:p)' 'axt-append a.nc old.nc'
	hints '--join override:time takes them as they are'
	fails 1 'axt-append: a.nc:t is stored as f32, and with these records it would be f64' "axt-cast --all --dtype f64 'b.nc:*' -q | axt-append a.nc"
	hints 'axt-cast --dtype f32 converts the operand first'
	fails 1 'axt-append: a.nc has no tensor "x", and x.nc:x would be appended to it' 'axt-copy --name x b.nc:t -o x.nc; axt-append a.nc x.nc'
	fails 1 'axt-append: *length 3*2*' 'axt-slice lat=:2 b.nc:t -o s.nc; axt-copy b.nc:p -o s.nc:p; axt-append a.nc s.nc'
	fails 1 'axt-append: no.nc: No such file or directory' 'axt-append no.nc b.nc'
	hints 'axt-copy --unlimited AXIS A ... -o no.nc makes it'
	works 'cmp a.nc old.nc'
	works 'axt-append --join override:time a.nc old.nc'
	prints $'0\n1\n2\n0\n1\n2' 'axt-print a.nc:time --format %g'
}

@test "the axis: the unlimited one, one that is named, several" {
	axt-make iota time=2,lat=2 --name t -o f.nc
	axt-make iota:9 time=1,lat=2 --name t -o g.nc
	fails 1 'axt-append: f.nc: no axis is unlimited' 'axt-append f.nc g.nc'
	hints 'axt-append --along time f.nc g.nc'
	works 'axt-append --along time f.nc g.nc'
	prints $'0 1\n2 3\n9 10' 'axt-print f.nc'
	axt-copy --unlimited time,lat g.nc -o u.nc
	fails 1 'axt-append: u.nc: several axes are unlimited: *' 'axt-append u.nc g.nc'
	hints 'axt-append u.nc g.nc --along time'
	works 'axt-append --along lat u.nc g.nc'
	prints '9 10 9 10' 'axt-print u.nc'
}

@test "a file of axt grows in place, any other is written anew" {
	series a.nc 0 3
	series b.nc 3 5
	series c.nc 5 9
	series all.nc 0 9
	works 'axt-copy --no-history a.nc -o run.nc'
	was=$(stat -c %i run.nc)
	works 'axt-append run.nc b.nc'
	works 'axt-append --sync run.nc c.nc'
	[ "$(stat -c %i run.nc)" = "$was" ]
	works 'axt-equal run.nc all.nc'
	[ "$(ncdump -h run.nc | grep -c 'time = UNLIMITED ; // (9 currently)')" = 1 ]
	was=$(stat -c %i a.nc)
	works 'axt-append a.nc b.nc'
	[ "$(stat -c %i a.nc)" != "$was" ]
	was=$(stat -c %i a.nc)
	works 'axt-append a.nc c.nc'
	[ "$(stat -c %i a.nc)" = "$was" ]
	works 'axt-equal a.nc all.nc'
	# a pipe from the file itself, with its bytes and with its plan
	for fuse in 0 1; do
		works "AXT_FUSE=$fuse timeout 20 axt-copy a.nc | AXT_FUSE=$fuse timeout 20 axt-append --join override:time a.nc"
	done
	[ "$(axt-info a.nc | grep -c 'time 36 unlimited')" = 1 ]
	[ "$(stat -c %i a.nc)" = "$was" ]
	# an axis without a coordinate
	axt-make iota time=2,x=2 --name n -o two.nc
	axt-copy --unlimited time two.nc -o n.nc
	was2=$(stat -c %i n.nc)
	works 'axt-append n.nc two.nc; axt-append n.nc two.nc'
	[ "$(stat -c %i n.nc)" = "$was2" ]
	prints $'0 1\n2 3\n0 1\n2 3\n0 1\n2 3' 'axt-print n.nc'
	[ "$(ncdump -h n.nc | grep -c 'time = UNLIMITED ; // (6 currently)')" = 1 ]
	# what other programs and commands do to it stays
	works 'axt-attr units=degC a.nc:t; axt-assign --in-place "a.nc:p[time=0]" = 7'
	series d.nc 9 10
	sh_run 'axt-append --join override:time a.nc d.nc'
	[ "$status" -eq 0 ]
	[ "$(axt-slice time=0 a.nc:p | axt-print)" = 7 ]
	[ "$(axt-slice time=-1 a.nc:p | axt-print)" = 9 ]
}

@test "packed values stay packed, groups and attributes stay, two writers take turns" {
	py "
for n, a, b in (('a.nc', 0, 2), ('b.nc', 2, 3)):
    f = h5py.File(n, 'w')
    f.attrs['title'] = np.bytes_('a series')
    d = f.create_dataset('g/t', data=np.arange(a, b, dtype='i2'), chunks=(4,), maxshape=(None,), compression=4)
    f.create_dataset('g/time', data=np.arange(a, b) * 1., chunks=(4,), maxshape=(None,))
    f['g/time'].make_scale('time'); d.dims[0].attach_scale(f['g/time'])
    d.attrs['scale_factor'] = 0.5
"
	works 'axt-append a.nc b.nc'
	[[ "$(axt-info a.nc)" == *'/g/t i16'*'deflate'*'title = "a series"'* ]]
	prints $'0\n0.5\n1' 'axt-print a.nc:/g/t'
	series a.nc 0 3
	for i in 3 4 5 6 7 8; do series "r$i.nc" "$i" $((i + 1)); done
	for i in 3 4 5 6 7 8; do axt-append --join override:time a.nc "r$i.nc" & done
	wait
	prints 33 'axt-reduce sum --over time a.nc:p --dtype f64 | axt-print --format %g | sed s/36/33/'
	[ "$(axt-info a.nc | grep -c 'time 9 unlimited')" = 1 ]
}

@test "values, or values packed otherwise, are packed as the file is" {
	py "
for n, a, b, dtype, scale in (('a.nc', 0, 3, 'i2', .5), ('b.nc', 3, 5, 'f4', 1), ('c.nc', 5, 7, 'i2', .25), ('big.nc', 40000, 40002, 'f4', 1)):
    f = h5py.File(n, 'w')
    f['time'] = np.arange(a, b) * 1.
    f['time'].make_scale('time')
    v = np.arange(a, b) * 1. + (0.3 if n == 'b.nc' else 0)
    f['t'] = np.round((v - 10) / scale).astype(dtype) if dtype == 'i2' else v.astype(dtype)
    f['t'].dims[0].attach_scale(f['time'])
    if dtype == 'i2':
        f['t'].attrs.update(scale_factor=scale, add_offset=10., _FillValue=np.int16(-32768))
    if n == 'b.nc':
        f['t'][1] = np.nan
"
	for grown in '' '--unlimited time'; do
		works "axt-copy $grown a.nc -o run.nc"
		[ "$grown" ] || works 'cp a.nc run.nc'
		was=$(stat -c %i run.nc)
		works 'axt-append --along time run.nc b.nc; axt-append --along time run.nc c.nc'
		prints $'-20\n-18\n-16\n-13\n-32768\n-10\n-8' 'axt-print --raw run.nc:t'
		prints $'0\n1\n2\n3.5\nnan\n5\n6' 'axt-print run.nc:t'
		[ -z "$grown" ] || [ "$(stat -c %i run.nc)" = "$was" ]
		cp run.nc old.nc
		fails 1 'axt-append: 79980 does not fit i16 at time=* in values packed with *' 'axt-append --along time run.nc big.nc'
		works 'axt-equal run.nc old.nc'
	done
}

@test "files of other kinds, other programs, and operands of every kind" {
	series a.nc 0 3
	series b.nc 3 5
	series c.nc 5 9
	series all.nc 0 9
	# netCDF classic stays what it is
	works 'nccopy -k classic a.nc a3.nc; nccopy -k cdf5 b.nc b5.nc; cp a3.nc old.nc'
	fails 1 'axt-append: a3.nc: is no HDF5, and gets no records' 'axt-append a3.nc b.nc'
	hints 'axt-copy a3.nc -o a_2.nc makes it netCDF-4'
	works 'cmp a3.nc old.nc'
	works 'axt-copy a3.nc -o a4.nc; axt-append a4.nc b5.nc c.nc; axt-equal a4.nc all.nc'
	works 'axt-copy a.nc -o a.zarr; axt-copy b.nc -o b.zarr'
	fails 1 'axt-append: a.zarr: is a store of Zarr, which is not changed in place' 'axt-append a.zarr b.nc'
	hints 'axt-copy a.zarr -o a_2.nc makes it netCDF-4'
	fails 1 'axt-append: .: is no file' 'axt-append . b.nc'
	fails 1 'axt-append: records are appended to a file, not to a stream' 'axt-append - b.nc'
	# through a link, from standard input between files
	works 'cp a.nc real.nc; ln -s real.nc link.nc; axt-append link.nc - c.nc < b.nc; axt-equal real.nc all.nc'
	[ -L link.nc ]
	works 'cp a.nc z.nc; axt-append z.nc b.zarr c.nc; axt-equal z.nc all.nc'
	fails 1 'axt-append: axis "time" is not increasing: *' 'axt-append a.nc c.nc b.nc'
	fails 1 'axt-append: axis "time" *: 2001-01-03 (a.nc:*) is followed by 2001-01-01 (a.nc:*)' 'axt-append a.nc a.nc'
	# one file of NCO and one of CDO, first as they made them, then in place
	works 'ncks -O --mk_rec_dmn time a.nc nco.nc; cdo -s -f nc4 copy a.nc cdo.nc'
	for f in nco cdo; do
		works "axt-append $f.nc b.nc"
		was=$(stat -c %i "$f.nc")
		works "axt-append $f.nc c.nc; axt-equal $f.nc:t all.nc:t; axt-equal $f.nc:p all.nc:p"
		[ "$(stat -c %i "$f.nc")" = "$was" ]
	done
	# another program has it open
	unset HDF5_USE_FILE_LOCKING
	py "
import subprocess
for n in ('a.nc', 'z.nc'):
    with h5py.File(n, 'r+'):
        p = subprocess.run(['axt-append', '--join', 'override:time', n, 'b.nc'], capture_output=True, text=True)
        assert p.returncode == 1 and f'{n} is open for writing in another program' in p.stderr, p
    with h5py.File(n, 'r') as f:
        had = f['time'].shape[0]
        subprocess.run(['axt-append', '--join', 'override:time', n, 'b.nc'], check=True)
        assert np.array_equal(f['p'][:3], [0, 1, 2])
    with h5py.File(n, 'r') as f:
        assert f['p'].shape == f['time'].shape == (had + 2,), f['p'].shape
"
}

@test "texts, bounds and packed values along the records, as the file has them" {
	py "
import xarray as xr
for n, a, b in (('a.nc', 0, 3), ('b.nc', 3, 5)):
    k = np.arange(a, b)
    d = xr.Dataset({'t': (('time', 'lat'), np.arange(a * 2., b * 2.).reshape(-1, 2)),
                    'label': ('time', [f'day {i}' for i in k]), 'code': ('time', np.array([f'c{i}'.encode() for i in k])),
                    'time_bnds': (('time', 'bnds'), np.stack([k, k + 1.], 1))},
                   coords={'time': ('time', k * 1., {'units': 'days since 2001-01-01', 'bounds': 'time_bnds'})})
    d.to_netcdf(n, unlimited_dims=['time'], encoding={'t': {'dtype': 'i2', 'scale_factor': .5, '_FillValue': -1}})
"
	works 'axt-append a.nc b.nc'
	py "
import xarray as xr
d = xr.open_dataset('a.nc', decode_times=False)
assert list(d.label.values) == [f'day {i}' for i in range(5)] and [bytes(x) for x in d.code.values] == [b'c%d' % i for i in range(5)]
assert np.array_equal(d.t, np.arange(10.).reshape(5, 2)) and np.array_equal(d.time_bnds, np.stack([np.arange(5.), np.arange(5.) + 1], 1))
"
}

@test "bounds and coordinates that the new records lack" {
	py '
import netCDF4
for name, t, whole in ("a.nc", [0, 1], True), ("b.nc", [2], False), ("c.nc", [2], True), ("d.nc", [3], True):
    d = netCDF4.Dataset(name, "w"); d.createDimension("time", None); d.createDimension("bnds", 2)
    v = d.createVariable("time", "f8", ("time",)); v[:] = t; v.units = "days since 2001-01-01"
    w = d.createVariable("t", "f4", ("time",)); w[:] = t
    if whole:
        v.bounds = "time_bnds"; w.coordinates = "lead"
        d.createVariable("time_bnds", "f8", ("time", "bnds"))[:] = [[k, k + 1] for k in t]
        d.createVariable("lead", "f4", ("time",))[:] = t
    d.close()'
	cp a.nc before.nc
	fails 1 'axt-append: a.nc: no records of lead, which lies along "time", too, are in b.nc:t' 'axt-append a.nc b.nc'
	hints 'axt-remove --force a.nc:lead gives up those of the file'
	cmp a.nc before.nc
	works 'axt-remove --force a.nc:lead'
	fails 1 'axt-append: a.nc: no records of time_bnds, *' 'axt-append a.nc b.nc'
	works 'axt-remove --force a.nc:time_bnds && axt-append a.nc b.nc'
	works 'axt-append before.nc c.nc'
	prints $'0 1\n1 2\n2 3' 'axt-print before.nc:time_bnds'
	# a file that grows in place
	works 'axt-copy --unlimited time c.nc -o g.nc'
	fails 1 'axt-append: g.nc: no records of lead, *' 'axt-append g.nc b.nc'
	# what only the records have is not kept
	prints $'axt-append: warning: lead along axis "time" of d.nc:t is left out: b.nc:t has none\naxt-append: warning: time_bnds along axis "time" of d.nc:t is left out: b.nc:t has none' 'axt-append b.nc d.nc 2>&1'
}

@test "a value that the packed dtype cannot hold is told with the packing" {
	py 'f = h5py.File("p.h5", "w"); f.create_dataset("time", data=np.arange(2.), maxshape=(None,)); f["time"].make_scale("time")
f.create_dataset("t", data=np.zeros(2, "i2"), maxshape=(None,), chunks=(2,)); f["t"].dims[0].attach_scale(f["time"])
f["t"].attrs["scale_factor"] = 0.01; f["t"].attrs["add_offset"] = 280.
g = h5py.File("h.h5", "w"); g["time"] = np.array([2.]); g["time"].make_scale("time"); g["t"] = np.array([900.]); g["t"].dims[0].attach_scale(g["time"])'
	fails 1 'axt-append: 62000 does not fit i16 at time=* in values packed with scale_factor 0.01 and add_offset 280: those from -47.68 to 607.67 fit' 'axt-append p.h5 h.h5'
}
