load helper

make_files()
{
	make_cf
	works 'axt-make iota time=2,lat=3 --name u -o cf.nc:u'
	works 'axt-make iota x=3 -o cf.nc:/g/h/v'
	works 'axt-make iota x=3 -o cf.nc:/g/w'
}

@test "datasets, patterns and groups; what stays is as it was" {
	make_files
	works 'axt-copy cf.nc:t -o t.nc'
	works 'axt-remove cf.nc:u'
	prints $'/g/h/v\n/g/w\nt' 'axt-info --names cf.nc'
	[ "$(history_of cf.nc:t)" = 'axt-remove cf.nc:u' ]
	works 'axt-equal --attributes cf.nc:t t.nc'
	works 'axt-remove cf.nc:/g/h/'
	prints $'/g/w\nt' 'axt-info --names cf.nc'
	works 'axt-make iota x=3 -o cf.nc:uu; axt-make iota x=3 -o cf.nc:uv'
	works 'axt-remove "cf.nc:u*" cf.nc:/g/w'
	prints t 'axt-info --names cf.nc'
	works 'axt-remove "cf.nc:*"'
	prints '' 'axt-info --names cf.nc'
}

@test "what others name stays, unless forced; a pattern leaves it" {
	make_files
	fails 1 'axt-remove: cf.nc:lat is an axis of *: it is not removed' 'axt-remove cf.nc:lat'
	hints '--force removes its coordinates, and the axis stays'
	works 'axt-remove "cf.nc:l*" "cf.nc:u"'
	works 'axt-print cf.nc:lat'
	works 'axt-remove --force cf.nc:lat'
	prints 't f32 time=2 lat=3' 'axt-info --brief cf.nc | grep -o "^t .*=3"'
	fails 1 'axt-remove: cf.nc:lat is an axis of t, without coordinates: it is not removed' 'axt-remove -f cf.nc:lat'
	py "
with h5py.File('cf.nc', 'r+') as f:
    f['t'].attrs['coordinates'] = 'h k'; f['h'] = 1.; f['k'] = 2."
	fails 1 'axt-remove: cf.nc:h is named by attribute "coordinates" of t: it is not removed' 'axt-remove cf.nc:h'
	hints '--force removes it, and its name there'
	works 'axt-remove -f cf.nc:h'
	prints 'coordinates=k' 'axt-attr coordinates cf.nc:t'
	works 'axt-remove cf.nc:k cf.nc:t'
}

@test "what cannot be removed is told, and nothing changes" {
	make_files
	cp cf.nc old.nc
	fails 1 'axt-remove: cf.nc: no dataset "nix" (there are: *' 'axt-remove cf.nc:u cf.nc:nix'
	fails 1 'axt-remove: cf.nc: no dataset has a name like "z\*"' 'axt-remove "cf.nc:z*"'
	fails 2 'axt-remove: cf.nc names no dataset: FILE:DATASET' 'axt-remove cf.nc'
	fails 2 'axt-remove: operand FILE:DATASET is missing' axt-remove
	fails 1 'axt-remove: nix.nc: No such file or directory' 'axt-remove nix.nc:t'
	cmp cf.nc old.nc
	py "
with h5py.File('cf.nc', 'r+') as f:
    f['soft'] = h5py.SoftLink('/t')
    l = h5py.VirtualLayout((2, 3), 'f4'); l[:] = h5py.VirtualSource('.', 't', (2, 3))
    f.create_virtual_dataset('all', l)"
	fails 1 'axt-remove: cf.nc: no dataset "soft" *' 'axt-remove cf.nc:soft'
	fails 1 'axt-remove: cf.nc:t has values of the virtual dataset all: it is not removed' 'axt-remove cf.nc:t'
	works 'axt-remove cf.nc:t cf.nc:all'
	printf 'damaged' | dd of=old.nc bs=1 seek=100 conv=notrunc status=none
	sh_run 'axt-remove old.nc:u'
	[ "$status" -eq 1 ]
}

@test "--in-place keeps the inode, without it the file is replaced" {
	make_files
	inode=$(stat -c %i cf.nc)
	works 'axt-remove --in-place cf.nc:u'
	[ "$(stat -c %i cf.nc)" = "$inode" ]
	works 'axt-remove cf.nc:/g/'
	[ "$(stat -c %i cf.nc)" != "$inode" ]
	prints t 'axt-info --names cf.nc'
}

@test "a pattern that fits nothing but axes is an error, and the file stays as it was" {
	make_files
	cp cf.nc old.nc
	fails 1 'axt-remove: cf.nc:lat is an axis of t: it is not removed, and nothing else is' 'axt-remove "cf.nc:l*"'
	hints 'axt-remove --force cf.nc:lat removes its coordinates, and the axis stays'
	fails 1 'axt-remove: cf.nc:lat is an axis of t: it is not removed, and nothing else is' 'axt-remove --force "cf.nc:l*"'
	cmp cf.nc old.nc
	works 'axt-remove "cf.nc:l*" cf.nc:/g/'
}
