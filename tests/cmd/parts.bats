load helper

# m.nc: a(t), b(t, c) and d(k), with coordinates of t and c.
make_m()
{
	axt-make iota t=3 --name a -o n.nc
	axt-make iota t=3,c=2 --name b -o n.nc:b
	axt-make iota k=2 --name d -o n.nc:d
	axt-coord set t=10:10 c=x,y 'n.nc:*' -o m.nc
}

@test "of whole files each tensor is done along those of the named axes that it has" {
	make_m
	for line in 'flip t,c' 'flip c,t' 'shift t=1 c=1' 'shift c=1 t=1' 'rename t=T,c=C' 'rename t=c,c=t' 'pad t=1,1 c=0,1' \
		'window t=w:2 c=v:2' 'coord set t=5:5 c=3:3' 'coord drop t,c' 'slice t=0:2 c=1'; do
		works "axt-$line 'm.nc:*' -o o.nc"
		works "axt-$line m.nc:b | axt-equal --attributes - o.nc:b"
		works "axt-equal m.nc:d o.nc:d"
	done
	prints $'t,a\n30,2\n20,1\n10,0' 'axt-flip t,c "m.nc:*" -o o.nc; axt-print --csv o.nc:a'
	prints $'T,a\n10,0\n20,1\n30,2' 'axt-rename t=T,c=C "m.nc:*" -o o.nc; axt-print --csv o.nc:a'
	prints 'C T k' 'axt-info --json o.nc | jq -r ".tensors[].axes[]" | sort -u | xargs'
	works "axt-coord set k=0:1 'm.nc:*' -q -o k.nc"
	works "axt-interp t=12,18 k=0.5,1 'k.nc:*' -o o.nc"
	prints '0.2 0.8' 'axt-print o.nc:a | xargs'
	works "axt-interp --method conservative t=12,18 k=0.5,1 'k.nc:*' -o o.nc"
}

@test "an axis that no tensor has is an error, and so is one that a single tensor lacks" {
	make_m
	fails 1 'axt-flip: no axis "q" in m.nc:a *' 'axt-flip t,q "m.nc:*" -o o.nc'
	fails 1 'axt-flip: no axis "q" in m.nc:a *' 'axt-flip c,q "m.nc:*" -o o.nc'
	fails 1 'axt-shift: no axis "q" in m.nc:a *' 'axt-shift c=1 q=1 "m.nc:*" -o o.nc'
	fails 1 'axt-coord: no axis "c" in m.nc:a *' 'axt-coord set t=1:1 c=1:1 m.nc:a -o o.nc'
	fails 1 'axt-rename: no axis "c" in m.nc:a *' 'axt-rename t=T,c=C m.nc:a -o o.nc'
	fails 1 'axt-flip: axis "t" stands twice*' 'axt-flip t,t "m.nc:*" -o o.nc'
	[ ! -e o.nc ]
}

@test "several results of a pipe get the coordinates of the axes that they have, in any order" {
	make_m
	for e in 'x = a*2, y = b' 'y = b, x = a*2'; do
		works "axt-calc '$e' n.nc | axt-coord set t=1:1 c=3:3 --attr t:units=s --attr c:units=m -o o.nc"
		prints $'t,c,y\n1,3,0' 'axt-print --csv --head 1 o.nc:y'
		prints $'t,x\n1,0' 'axt-print --csv --head 1 o.nc:x'
		prints 'm s' 'axt-info --json o.nc | jq -r ".tensors[].coordinates[].attributes.units" | sort -u | xargs'
	done
	fails 1 'axt-copy: no axis "q" in *' 'axt-copy "m.nc:*" --attr q:units=m -o o2.nc'
}
