load helper

@test "order along an axis" {
	make_a
	prints $'2 1 0\n5 4 3' 'axt-sort --along lon --descending a.nc -p'
	prints $'3 4 5\n0 1 2' 'axt-sort --along lat --descending <a.nc -p'
	prints $'1 1 1\n0 0 0' 'axt-sort --along lat --descending --index a.nc -p'
	works 'axt-sort --along lon --descending a.nc | axt-sort --along lon | axt-equal --strict-order a.nc'
}

@test "NaN last, equal ones in their order" {
	axt-make iota x=6 --dtype f32 | axt-mod - 3 | axt-where <(axt-make iota x=6 | axt-eq - 4) nan - -o n.nc
	prints '0 0 1 2 2 nan' 'axt-sort --along x n.nc -p | paste -sd " "'
	prints '2 2 1 0 0 nan' 'axt-sort --along x --descending n.nc -p | paste -sd " "'
	prints '0 3 1 2 5 4' 'axt-sort --along x --index n.nc -p | paste -sd " "'
	prints '2 5 1 0 3 4' 'axt-sort --along x --index --descending n.nc -p | paste -sd " "'
}

@test "the axis loses its coordinates, attributes stay" {
	make_cf
	works 'axt-sort --along time cf.nc -o s.nc'
	prints $'time,lat,t\n0,10,0' 'axt-print --csv s.nc | head -n 2'
	works 'axt-info --cdl s.nc | grep units'
	[[ $output == *'t:units = "K"'* ]]
	works 'axt-sort --index --along lat cf.nc -o i.nc'
	run ! bash -c 'axt-info --cdl i.nc | grep t:units'
}

@test "what it is given" {
	make_a
	fails 2 'axt-sort: needs --along AXIS' 'axt-sort a.nc -p'
	fails 1 'axt-sort: no axis "x" in a.nc:tensor*' 'axt-sort --along x a.nc -p'
	fails 1 'axt-sort: sort is not defined for c64*' 'axt-make ones x=3 --dtype c64 | axt-sort --along x -p'
	axt-make random x=300000 -o l.nc
	fails 1 'axt-sort: the plan needs * MiB of scratch memory, the bound is 0.09766 MiB' 'axt-sort --along x -m 100K l.nc'
}

@test "long lines and short ones, to files and pipes" {
	for shape in t=5000,x=3 x=3,t=5000 t=20,x=300 y=3,t=3000,x=2; do
		axt-make random:0:9 $shape --dtype i16 --seed 4 -o r.nc
		for how in '' --index '--descending --index'; do
			works "axt-sort --along t $how --no-history r.nc -o 1.nc -t 1"
			works "axt-sort --along t $how --no-history r.nc -t 3 | cmp - 1.nc"
		done
	done
}

@test "several tensors are sorted each by itself, which is told, and texts beside them are not kept" {
	py 'import netCDF4
d = netCDF4.Dataset("n.nc", "w"); d.createDimension("x", 3)
d.createVariable("name", str, ("x",))[:] = np.array(["a", "b", "c"], object)
d.createVariable("h", "f4", ("x",))[:] = [3, 1, 2]
d.createVariable("v", "f4", ("x",))[:] = [10, 20, 30]; d.close()'
	prints $'axt-sort: warning: each tensor is sorted by itself: axt-sort --index gives the order of one, by which axt-take orders all\naxt-sort: warning: n.nc:/name is left out: axis "x" has other elements in the result' 'axt-sort --along x "n.nc:*" -o o.nc 2>&1'
	works 'axt-sort --along x --index n.nc:h | axt-take x=- "n.nc:*" -o o.nc'
	prints $'b\nc\na' 'axt-print o.nc:name'
	prints $'20\n30\n10' 'axt-print o.nc:v'
}
