load helper

@test "differences along an axis, once and more often" {
	make_a
	prints $'1 1\n1 1' 'axt-diff --along lon a.nc -p'
	prints $'3 3 3' 'axt-diff --along lat <a.nc -p'
	axt-make iota x=6 --dtype i16 | axt-pow - 3 | axt-save -o cube.nc
	prints '6 12 18 24' 'axt-diff --along x --order 2 cube.nc -p | paste -sd " "'
	prints '0 0' 'axt-diff --along x --order 4 cube.nc -p | paste -sd " "'
	prints '0' 'axt-diff --along x --order 6 cube.nc | axt-reduce count -p'
	prints '0' 'axt-diff --along x --order 9 cube.nc | axt-reduce count -p'
}

@test "coordinates and attributes are those of the later element" {
	make_cf
	works 'axt-diff --along time cf.nc -o d.nc'
	works 'axt-slice time=1: cf.nc | axt-sub - 0 -o s.nc'
	same_axes=$(axt-print --csv s.nc | cut -d, -f1-2)
	[ "$(axt-print --csv d.nc | cut -d, -f1-2)" = "$same_axes" ]
	works 'axt-info --cdl d.nc | grep units'
	[[ $output == *'t:units = "K"'* ]]
}

@test "differences of times are durations" {
	axt-make iota time=3 --attr 'units=days since 2000-01-01' --attr calendar=noleap -o t.nc
	works 'axt-diff --along time t.nc -o d.nc'
	prints units=days 'axt-attr units d.nc'
	fails 1 '*calendar*' 'axt-attr calendar d.nc'
}

@test "what it is given" {
	make_a
	fails 2 'axt-diff: needs --along AXIS' 'axt-diff a.nc -p'
	hints 'axt-diff --along lat a.nc -p'
	fails 2 'axt-diff: too many operands: "a.nc"' 'axt-diff a.nc a.nc'
	hints 'axt-sub A B subtracts; axt-equal compares files'
	fails 1 'axt-diff: no axis "x" in a.nc:tensor*' 'axt-diff --along x a.nc -p'
	fails 2 'axt-diff: --order takes *' 'axt-diff --along lon --order 0 a.nc -p'
	axt-make random x=300000 -o l.nc
	fails 1 'axt-diff: the plan needs * MiB of scratch memory, the bound is 0.09766 MiB' 'axt-diff --along x -m 100K l.nc'
}

@test "the plan, through pipes and in saved expressions" {
	make_a
	works 'axt-diff --along lon a.nc --explain | grep "diff: m=2 n=3"'
	works 'axt-diff --along lon a.nc | axt-add - 1 | axt-equal - <(AXT_FUSE=0 axt-diff --along lon a.nc | axt-add - 1)'
	works 'axt-diff --along lon a.nc | axt-save -o saved.nc && axt-equal saved.nc <(axt-diff --along lon a.nc)'
	works "axt-calc 'diff(a, along=lon, order=2)' a=a.nc | axt-equal - <(axt-diff --along lon --order 2 a.nc)"
	fails 2 '*diff needs along=AXIS*' "axt-calc 'diff(a)' a=a.nc -p"
}

@test "an axis typed as an operand" {
	make_a
	fails 2 'axt-diff: too many operands: "a.nc"' 'axt-diff lon a.nc'
	hints 'axt-sub A B subtracts; axt-equal compares files'
	fails 2 'axt-diff: too many operands: "a.nc"' 'axt-diff a.nc a.nc'
	hints 'axt-sub A B subtracts; axt-equal compares files'
}
