load helper
# axt-add ... axt-xor: one program, found by its name.

@test "there is a command for every row, and no other" {
	works 'axt-ew --list-ops'
	[ "$(printf '%s\n' "${lines[@]}" | sort)" = "$("$AXT_TOP/scripts/ops" commands | sort)" ]
	for n in "${lines[@]}"; do
		[ -x "$AXT_BIN/axt-$n" ]
		works "axt-$n -h"
		[[ $output == "usage: axt-$n [option ...] A B"* ]]
	done
	sh_run 'axt-ew 1 2 -p'
	[ "$status" -eq 2 ]
}

@test "values" {
	prints 5 'axt-add 2 3 -p'
	prints -1 'axt-sub 2 3 -p'
	prints 6 'axt-mul 2 3 -p'
	prints 3.5 'axt-div 7 2 -p'
	prints -4 'axt-floordiv -7 2 -p'
	prints 1 'axt-mod -7 2 -p'
	prints 8 'axt-pow 2 3 -p'
	prints 2 'axt-minimum 2 3 -p'
	prints 3 'axt-maximum 2 3 -p'
	prints 5 'axt-hypot 3 4 -p'
	prints 0 'axt-atan2 0 1 -p'
	prints -2 'axt-copysign 2 -1 -p'
	prints false 'axt-eq 2 3 -p'
	prints true 'axt-ne 2 3 -p'
	prints true 'axt-lt 2 3 -p'
	prints true 'axt-le 3 3 -p'
	prints false 'axt-gt 2 3 -p'
	prints true 'axt-ge 3 3 -p'
	prints 2 'axt-and 3 6 -p'
	prints 7 'axt-or 3 6 -p'
	prints 5 'axt-xor 3 6 -p'
}

@test "many operands: add mul minimum maximum and or xor" {
	for n in add mul minimum maximum and or xor; do
		works "axt-$n 1 3 7 -p"
		[[ $(axt-$n -h) == *"A B ..."* ]]
	done
	prints 10 'axt-add 1 2 3 4 -p'
	prints 24 'axt-mul 1 2 3 4 -p'
	fails 2 'axt-hypot: too many operands: "3"' 'axt-hypot 1 2 3'
}

@test "operands meet by name; what one lacks is broadcast" {
	make_a
	axt-order lon,lat a.nc -o b.nc
	prints $'0 2 4\n6 8 10' 'axt-add a.nc b.nc -p'
	axt-make iota lon=3 -o v.nc
	prints $'0 2 4\n3 5 7' 'axt-add a.nc v.nc -p'
	prints '      "axes": ["lon", "lat"],' 'axt-add v.nc a.nc | axt-info --json | grep axes'
	axt-make iota time=2 -o t.nc
	prints '      "shape": [2, 3, 2],' 'axt-add a.nc t.nc | axt-info --json | grep shape'
}

@test "the difference of two times is a duration" {
	axt-make iota time=3 | axt-coord set time=0:6 --attr 'time:units=hours since 2000-01-01' \
	    --attr time:calendar=noleap -o t.nc
	prints $'units=hours' 'axt-sub t.nc:time t.nc:time | axt-attr units -'
	prints '' 'axt-sub t.nc:time t.nc:time -o d.nc; ncdump -h d.nc | grep tensor:calendar || :'
	prints $'6\n6' "axt-calc --join override 'a[time=1:] - a[time=:-1]' a=t.nc:time -p"
	prints $'-6\n0\n6' 'axt-reduce mean t.nc:time | axt-sub t.nc:time - | axt-print'
	prints $'12' "axt-calc 'max(a) - min(a)' a=t.nc:time -p"
	prints $'2000-01-01T01:00:00\n2000-01-01T07:00:00\n2000-01-01T13:00:00' \
	    'axt-sub t.nc:time -- -1 | axt-print'
	prints $'units=hours since 2000-01-01' 'axt-sub t.nc:time 1 | axt-attr units -'
	prints $'units=K' 'axt-attr units=K t.nc:tensor; axt-sub t.nc:tensor t.nc:tensor | axt-attr units -'
	py '
import xarray as xr
d = xr.open_dataset("d.nc", decode_timedelta=True)["tensor"]
assert d.dtype == "m8[ns]" and (d == np.timedelta64(0)).all()'
}

@test "lengths that differ: the axis, both lengths, both operands" {
	axt-make iota lat=73 -o a.nc
	axt-make iota lat=72 -o b.nc
	fails 1 'axt-add: axis "lat" has length 73 in a.nc:tensor and 72 in b.nc:tensor' 'axt-add a.nc b.nc -p'
}

@test "NaN: comparisons are false, ne is true; minimum and maximum propagate" {
	for c in eq lt le gt ge; do
		prints false "axt-$c nan 1 -p"
	done
	prints true 'axt-ne nan nan -p'
	prints nan 'axt-maximum nan 1 -p'
	prints nan 'axt-minimum 1 nan -p'
}

@test "integer division by zero is an error" {
	make_a
	fails 1 'axt-floordiv: *' 'axt-floordiv a.nc 0 -p'
	fails 1 'axt-mod: *' 'axt-mod a.nc 0 -p'
	works 'axt-div a.nc 0 -p'
}

@test "a number takes the kind of the tensor" {
	axt-make ones x=1 --dtype u8 -o u.nc
	prints '      "dtype": "u8",' 'axt-add u.nc 1 | axt-info --json | grep dtype | head -n 1'
	prints '      "dtype": "f64",' 'axt-add u.nc 0.5 | axt-info --json | grep dtype | head -n 1'
	fails 1 'axt-add: *' 'axt-add u.nc 300 -p'
}

@test "no kernel for the dtype: an error" {
	fails 1 'axt-and: *' 'axt-and 1.5 2 -p'
}
