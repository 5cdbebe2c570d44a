load helper

@test "datasets and axes, all at once" {
	make_cf
	works 'axt-make iota time=2,lat=3 --name u -o cf.nc:u'
	works 'axt-copy cf.nc:u -o u.nc'
	works 'axt-move t=u,u=t,lat=y cf.nc'
	prints $'t i64 time=2 y=3\nu f32 time=2 y=3' 'axt-info --brief cf.nc | grep -o "^.*=3"'
	works 'axt-rename y=lat cf.nc:t | axt-equal - u.nc'
	[ "$(history_of cf.nc:t)" = 'axt-move t=u,u=t,lat=y cf.nc' ]
	works 'axt-make iota x=3 -o cf.nc:/g/v'
	works 'axt-move --in-place /g/v=w,x=z cf.nc'
	prints '/g/w i64 z=3' 'axt-info --brief cf.nc | grep g/'
}

@test "what names it follows" {
	make_cf
	py "
with h5py.File('cf.nc', 'r+') as f:
    f['h'] = 1.; f['area'] = [1., 2, 3]
    f['t'].attrs.update(coordinates='h lat', cell_methods='lat: mean area: sum', cell_measures='area: area', note='h')"
	works 'axt-move h=height,area=cells,lat=y cf.nc'
	prints 'coordinates=height y' 'axt-attr coordinates cf.nc:t'
	prints 'cell_methods=y: mean cells: sum' 'axt-attr cell_methods cf.nc:t'
	prints 'cell_measures=area: cells' 'axt-attr cell_measures cf.nc:t'
	prints 'note=h' 'axt-attr note cf.nc:t'
}

@test "names that cannot be, and what is there already" {
	make_cf
	works 'axt-make iota x=3 -o cf.nc:/g/v'
	cp cf.nc old.nc
	fails 1 'axt-move: cf.nc:t: "lat" is there already' 'axt-move t=lat cf.nc'
	fails 1 'axt-move: cf.nc:t: "g" is a group' 'axt-move t=g cf.nc'
	fails 1 'axt-move: cf.nc: no dataset "nix" *' 'axt-move nix=t cf.nc'
	fails 2 'axt-move: "t" is not OLD=NEW' 'axt-move t cf.nc'
	fails 2 'axt-move: "g/t": a new name has no slash: the group stays' 'axt-move t=g/t cf.nc'
	hints 'axt-copy cf.nc:t -o cf.nc:g/t'
	fails 2 'axt-move: "t" gets two names' 'axt-move t=a,t=b cf.nc'
	fails 2 'axt-move: cf.nc:t: what is renamed is in OLD=NEW' 'axt-move t=a cf.nc:t'
	fails 2 'axt-move: one FILE at a time' 'axt-move t=a cf.nc old.nc'
	fails 2 'axt-move: operand FILE is missing' 'axt-move t=a'
	cmp cf.nc old.nc
}

@test "files behind a star that is no file: joined for a command of one operand" {
	for i in 0 1; do axt-make iota:$i time=3 --name t | axt-coord set time=$((3 * i)):1 -o p$i.nc; done
	fails 1 'axt-reduce: p\*.nc: No such file*' "axt-reduce min,max 'p*.nc:t'"
	works 'axt-concat time -d t p*.nc | axt-reduce min,max - -o o.nc'
}
