#!/usr/bin/python3
"""What attributes by CF say of values, where files of others bend it: units, packing, missing values, bounds, times."""
import os

import h5py
import netCDF4
import numpy as np

from axtlib import Tap, axt, scratch, shell

D = scratch()


def new(name, **dims):
    f = netCDF4.Dataset(f'{D}/{name}', 'w')
    for k, n in dims.items():
        f.createDimension(k, n)
    return f


def put(f, name, dtype, dims, values, fill=None, **attrs):
    v = f.createVariable(name, dtype, dims, fill_value=fill)
    v.set_auto_maskandscale(False)
    v.setncatts(attrs)
    v[...] = values
    return v


def words(line, expect=0):
    """What a line of the shell prints; None: its status is another one."""
    p = shell(f'cd {D}; {line}')
    return p.stdout.decode().split() if p.returncode == expect else None


def says(t, what, line, want):
    p = shell(f'cd {D}; {line}')
    t.ok(p.returncode == 0 and p.stdout.decode().split() == want.split(), what, (line, p.stdout.decode(), p.stderr.decode()))


def beside(t):
    """Packed and missing coordinates beside a tensor, wherever they are shown."""
    f = new('prof.nc', obs=3)
    put(f, 'lat', 'i2', 'obs', [4512, -32768, 6001], np.int16(-32768), units='degrees_north', scale_factor=0.01)
    put(f, 't', 'i4', 'obs', [0, -2147483647, 60], np.int32(-2147483647), units='minutes since 2018-01-01')
    put(f, 'sst', 'f4', 'obs', [10, 11, 12], coordinates='lat t')
    f.close()
    rows = 'obs,lat,t,sst 0,45.12,2018-01-01,10 1,nan,nan,11 2,60.01,2018-01-01T01:00:00,12'
    says(t, 'in CSV', 'axt-print --csv prof.nc:sst', rows)
    says(t, 'in a file of CSV', 'axt-to - --format csv prof.nc:sst', rows)
    p = axt('take', 'obs=2', f'{D}/prof.nc:sst', '-o', f'{D}/one.nc')
    info = axt('info', f'{D}/one.nc').out.decode()
    t.ok('lat i16 = 60.01 ' in info and 't i32 = 2018-01-01T01:00:00 ' in info, 'in axt-info, one of each', (p, info))


def bounds(t):
    f = new('b.nc', time=2, nv=2)
    put(f, 'time', 'f8', 'time', [.5, 1.5], units='days since 2000-01-01', bounds='tb')
    put(f, 'tb', 'f8', ('time', 'nv'), [[0, 24], [24, 48]], units='hours since 2000-01-01')
    put(f, 'x', 'f4', 'time', [1, 2])
    f.close()
    says(t, 'bounds in units of their own, in cells', 'axt-interp --method conservative time=2000-01-01T12:00,2000-01-02T12:00 b.nc:x -p', '1 2')
    shell(f"cd {D}; axt-convert --coord time --to 'hours since 2000-01-01' b.nc:x -o k.nc")
    with h5py.File(f'{D}/k.nc') as g:
        t.ok(g['tb'][()].tolist() == [[0, 24], [24, 48]] and g['time'][()].tolist() == [12, 36], 'and converted', g['tb'][()])
    lat, lon = np.arange(-90, 91, 5.), np.arange(0, 360, 60.)
    v = np.sin(np.radians(lat)) ** 2 * 3 + 5
    edge = np.stack([lat - 2.5, lat + 2.5], 1)
    w = np.diff(np.sin(np.radians(np.clip(edge, -90, 90))))[:, 0]
    for name, unit, given in (('pole', 'degrees_north', edge), ('a', 'degreesN', None), ('b', 'degreeN', None), ('c', 'degree_N', None)):
        f = new(name + '.nc', lat=lat.size, lon=lon.size, nv=2)
        put(f, 'lat', 'f8', 'lat', lat, units=unit, **({} if given is None else {'bounds': 'lat_bnds'}))
        if given is not None:
            put(f, 'lat_bnds', 'f8', ('lat', 'nv'), given)
        put(f, 'lon', 'f8', 'lon', lon, units='degrees_east')
        put(f, 't', 'f8', ('lat', 'lon'), np.repeat(v[:, None], lon.size, 1))
        f.close()
        got = words(f'axt-reduce mean --weights area {name}.nc:t -p')
        u = np.cos(np.radians(lat)) if given is None else w
        t.ok(got and abs(float(got[0]) - (v * u).sum() / u.sum()) < 1e-9, f'area weights, {unit}, bounds: {given is not None}', got)


def missing(t):
    f = new('m.nc', x=3)
    put(f, 'i', 'i8', 'x', [2**60, 2**60 + 1, 7], np.int64(2**60 + 1))
    put(f, 'u', 'u8', 'x', np.array([2**64 - 2, 2**64 - 1, 7], 'u8'), np.uint64(2**64 - 1))
    f.close()
    for name in 'iu':
        says(t, f'missing values beyond 2^53, {name}8', f'axt-reduce count m.nc:{name} -p', '2')
    with h5py.File(f'{D}/w.h5', 'w') as g:
        for name, fill in ('out', 300), ('in', 44):
            g[name] = np.array([1, 2, 44], 'i1')
            g[name].attrs['_FillValue'] = np.int32(fill)
    says(t, 'a number that the dtype does not hold means nothing', 'axt-print w.h5:out', '1 2 44')
    says(t, 'and one of another dtype is taken', 'axt-print w.h5:in', '1 2 nan')


def unclear(t):
    """Packing that cannot be understood is an error, and a copy has the values as they are stored."""
    f = new('text.nc', x=3)
    put(f, 'v', 'i2', 'x', [0, 100, -32767], scale_factor='0.005', missing_value='-32767')
    put(f, 'z', 'i2', 'x', [1, 2, 3], scale_factor=np.array([.1, .2]))
    put(f, 'good', 'i2', 'x', [1, 2, 3], scale_factor=.5)
    f.close()
    for line in 'add {} 1', 'sub 1 {}', 'where {} 1 2', 'clip 0 1 {}', 'fillnan {} 0', 'corr {} {}', 'cov {} {}', 'dot {} {}', 'hist --bins 2 {}':
        p = shell('axt-' + line.replace('{}', f'{D}/text.nc:v') + ' -p')
        said = p.stderr.decode()
        t.ok(p.returncode == 1 and not p.stdout and 'cannot be unpacked: its scale_factor is the text' in said, f'axt-{line} computes nothing of it', said)
    for name, why in ('v', 'its scale_factor is the text "0.005", and not a number'), ('z', 'its scale_factor is 2 numbers, and not one number'):
        for line in 'reduce mean', 'print', 'slice x=0':
            p = axt(*line.split(), f'{D}/text.nc:{name}', *([] if line == 'print' else ['-o', f'{D}/no.nc']))
            t.ok(p.rc == 1 and why in p.err and '--raw' in p.err and not os.path.exists(f'{D}/no.nc'), f'{line} {name}', p)
    p = axt('copy', f'{D}/text.nc', '-o', f'{D}/copy.nc')
    t.ok(p.rc == 0 and p.err.count('is taken as it is stored') == 2, 'a copy of the file warns', p)
    with netCDF4.Dataset(f'{D}/text.nc') as a, netCDF4.Dataset(f'{D}/copy.nc') as b:
        for name in 'v', 'z', 'good':
            for g in a, b:
                g[name].set_auto_maskandscale(False)
            same = a[name].dtype == b[name].dtype and (a[name][:] == b[name][:]).all() and set(a[name].ncattrs()) == set(b[name].ncattrs())
            t.ok(same and all(np.array_equal(a[name].getncattr(k), b[name].getncattr(k)) for k in a[name].ncattrs()), f'and has {name}')


def not_a_time(t):
    """NaT that no attribute declares is missing, as xarray has it, in times and differences of times."""
    import xarray as xr
    nat = -2**63
    random = np.random.default_rng(11)
    for k, units in enumerate(('nanoseconds since 1970-01-01', 'ns since 2000-01-01', 'nanoseconds', 'ns', 'microseconds since 1970-01-01')):
        n = int(random.integers(5, 40))
        v = random.integers(1, 2**53, n)
        v[random.random(n) < .4] = nat
        v[:2] = nat, 2**50
        f = new('nat.nc', x=n)
        put(f, 'v', 'i8', 'x', v, units=units)
        put(f, 'w', 'i8', 'x', np.where(v == nat, 5, v), units=units)
        f.close()
        kind = 'datetime64[ns]' if 'since' in units else 'timedelta64[ns]'
        a = xr.DataArray(np.where(v == nat, nat, v * (1000 if k == 4 else 1)).view(kind), dims='x')
        there = v[v != nat].astype(float)
        t.ok(int(a.count()) == there.size, f'NaT in xarray, {units}', a)
        says(t, f'count without NaT, {units}', 'axt-reduce count nat.nc:v -p', str(there.size))
        for op in 'mean', 'min', 'max', 'sum', 'std', 'median':
            if shell(f'cd {D}; rm -f r.nc; axt-reduce {op} nat.nc:v -o r.nc').returncode:
                continue
            with h5py.File(f'{D}/r.nc') as g:
                names = [i for i in g if g[i].shape == () and g[i].dtype.kind in 'fi']
                got = float(g[names[0]][()])
            want = getattr(np, op)(there)
            t.ok(abs(got - want) <= 1e-12 * abs(want), f'{op} without NaT, {units}', (got, want))
        says(t, f'argmin without NaT, {units}', 'axt-reduce argmin nat.nc:v -p', str(int(np.nanargmin(np.where(v == nat, np.nan, v)))))
        says(t, f'NaT in axt-calc, {units}', "axt-calc 'count(v) + count(v - w)' v=nat.nc:v w=nat.nc:w -p", str(2 * there.size))
        says(t, f'NaT compared, {units}', "axt-calc 'sum(v < 7)' v=nat.nc:v -p", str(int((there < 7).sum())))


def rounded_integers(t):
    """Integers with missing values are computed as f64: where digits are lost, a warning says so, and nowhere else."""
    random = np.random.default_rng(53)
    for k in range(24):
        unsigned, n, fill = k % 2, int(random.integers(2, 3000)), int(random.integers(2**54, 2**63)) | 1
        bits = int(random.integers(10, 63))
        v = random.integers(0, 2**bits, n)
        if k % 3 == 0:  # of at most 53 digits
            v &= ~np.int64((1 << max(bits - 53, 0)) - 1)
        v[random.random(n) < .3] = fill
        v *= 1 if unsigned or k % 4 else -1
        stored = v.astype('u8' if unsigned else 'i8')
        lost = any(int(float(int(x))) != int(x) for x in v if abs(int(x)) != fill)
        f = new('wide.nc', x=n)
        put(f, 'v', stored.dtype.str, 'x', stored, _FillValue=stored.dtype.type(fill if k % 4 or unsigned else -fill))
        f.close()
        p = axt('reduce', 'max', f'{D}/wide.nc:v', '-p')
        t.ok(p.rc == 0 and ('beyond 2^53' in p.err) == lost, f'{"a" if lost else "no"} warning of digits, {bits} bits, {stored.dtype}', p)
        p = axt('copy', f'{D}/wide.nc', '-o', f'{D}/wide2.nc')
        t.ok(p.rc == 0 and not p.err, 'a copy loses none', p)
    f = new('ns.nc', x=3)
    put(f, 'v', 'i8', 'x', [1700000000000000001, 1700000000000000002, -2**63], units='nanoseconds since 1970-01-01')
    f.close()
    p = shell(f"cd {D}; axt-calc 'v[x=1] - v[x=0]' v=ns.nc:v -p")
    t.ok(p.returncode == 0 and b'--raw' in p.stderr, 'times that are 1 ns apart', p)
    says(t, 'their difference as stored', "axt-calc --raw 'v[x=1] - v[x=0]' v=ns.nc:v -p", '1')


def times(t):
    f = new('t.nc', x=3)
    for name, units in ('day', 'days since 2000-01-01'), ('ns', 'nanoseconds since 2000-01-01'), ('us', 'microseconds since 2000-01-01'):
        put(f, name, 'i8', 'x', [0, -2**63, 0], units=units, calendar='proleptic_gregorian')
    f.close()
    for name in 'day', 'ns', 'us':
        says(t, f'NaT, {name}', f'axt-print t.nc:{name}', '2000-01-01 nan 2000-01-01')
        says(t, f'NaT in CSV, {name}', f'axt-print --csv t.nc:{name}', f'x,{name} 0,2000-01-01 1, 2,2000-01-01')
    says(t, 'NaT is not the least', 'axt-reduce min t.nc:day -p; axt-reduce count t.nc:us -p', '2000-01-01 2')
    not_a_time(t)
    rounded_integers(t)
    p = axt('copy', f'{D}/t.nc', '-o', f'{D}/tc.nc')
    with h5py.File(f'{D}/tc.nc') as g:
        t.ok(all(g[k].dtype == 'i8' and g[k][1] == -2**63 and '_FillValue' not in g[k].attrs for k in ('day', 'ns', 'us')), 'a copy keeps them', p)
    f = new('lead.nc', init=1, lead=2)
    put(f, 'init', 'f8', 'init', [304], units='days since 1954-01-01', calendar='noleap')
    put(f, 'lead', 'i4', 'lead', [0, 1], units='months')
    f.close()
    p = axt('add', f'{D}/lead.nc:init', f'{D}/lead.nc:lead', '-p')
    t.ok(p.rc == 1 and 'months' in p.err and 'no fixed length' in p.err, 'months have no fixed length in days', p)
    f = new('w.nc', Time=2, x=2)
    put(f, 'XTIME', 'f4', 'Time', [0, 360], units='minutes since 2005-08-28 00:00:00')
    put(f, 'T2', 'f4', ('Time', 'x'), [[0, 1], [2, 3]], coordinates='XTIME')
    f.close()
    p = axt('reduce', 'mean', '--every', 'day', 'w.nc:T2', '-p', cwd=D)
    hint = 'axt-coord set Time=w.nc:XTIME w.nc:T2'
    t.ok(p.rc == 1 and hint in p.err, 'times beside an axis without any: a hint makes them its own', p)
    says(t, 'which works', hint + ' | axt-reduce mean --every day - -p', '1 2')


def season(t):
    """A label called as a field of dates that holds other numbers is no climatology."""
    f = new('s.nc', time=9)
    put(f, 'time', 'f8', 'time', np.arange(9) * 365., units='days since 1991-01-01')
    put(f, 'season', 'i4', 'time', 1991 + np.arange(9) // 3)
    put(f, 'x', 'f4', 'time', np.arange(9))
    f.close()
    p = axt('reduce', 'mean', '--over', 'time', '--by', f'{D}/s.nc:season', f'{D}/s.nc:x', '-o', f'{D}/g.nc')
    with h5py.File(f'{D}/g.nc') as g:
        t.ok(p.rc == 0 and g['x'][()].tolist() == [1, 4, 7] and b'within years' not in bytes(str(g['x'].attrs.get('cell_methods')), 'ascii'),
             'a label of years called season', (p, g['x'].attrs.get('cell_methods')))


def main():
    t = Tap()
    for test in beside, bounds, missing, unclear, times, season:
        test(t)
    t.done()


if __name__ == '__main__':
    main()
