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
	hints '--along time appends along an axis of fixed length'
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
