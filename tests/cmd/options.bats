load helper
# What all commands share: options, exit status, messages. axt-add and axt-map stand for all.

@test "every command has -h and --version on stdout, status 0" {
	for c in "$AXT_BIN"/axt-*; do
		n=${c##*/}
		works "$n -h"
		[[ $output == "usage: $n "* ]]
		works "$n --help"
		prints "$n $(sed -n 's/^.define AXT_VERSION "\(.*\)"/\1/p' "$AXT_TOP/lib/axt.h")" "$n --version"
	done
}

@test "option rows are free of mistakes: no name or letter twice, a line each" {
	for c in "$AXT_BIN"/axt-*; do
		n=${c##*/}
		works "$n --options"
		[ -z "$(printf '%s\n' "$output" | awk -F'\t' '$1 == "option" { print $3 }' | sort | uniq -d)" ]
		[ -z "$(printf '%s\n' "$output" | awk -F'\t' '$1 == "option" && $2 != "-" { print $2 }' | sort | uniq -d)" ]
		[ -z "$(printf '%s\n' "$output" | awk -F'\t' '$1 == "option" && $5 == ""')" ]
		[ "$(printf '%s\n' "$output" | awk -F'\t' '$1 == "command" { print $2 }')" = "$n" ]
	done
}

@test "an unknown option names the nearest" {
	fails 2 'axt-add: unknown option --dtpe' 'axt-add --dtpe f32 1 2'
	hints 'axt-add --dtype f32 1 2'
	fails 2 'axt-add: unknown option --thread' 'axt-add --thread=3 1 2'
	hints 'axt-add --threads 3 1 2'
	fails 2 'axt-reduce: unknown option --axis' 'axt-reduce --axis x sum 1'
	hints 'axt-reduce -h lists the options'
	fails 2 'axt-add: unknown option "-Z"' 'axt-add -Z 1 2'
}

@test "long options are exact, --name=value and --name value both work" {
	fails 2 'axt-add: unknown option --pri' 'axt-add --pri 1 2'
	prints 3 'axt-add 1 2 --print'
	prints 3 'axt-add --dtype=f32 1 2 -p'
	prints 3 'axt-add --dtype f32 1 2 -p'
	fails 2 'axt-add: --dtype needs a value: TYPE' 'axt-add 1 2 --dtype'
	fails 2 'axt-add: --print takes no value' 'axt-add 1 2 --print=yes'
}

@test "options stand anywhere, -- ends them, letters can be joined" {
	make_a
	prints $'1 2 3\n4 5 6' 'axt-add -p a.nc 1'
	prints $'1 2 3\n4 5 6' 'axt-add a.nc -p 1'
	prints $'1 2 3\n4 5 6' 'axt-add -pq -t2 a.nc 1'
	prints $'-1 0 1\n2 3 4' 'axt-add -p -- a.nc -1'
	cp a.nc ./-x.nc
	prints $'1 2 3\n4 5 6' 'axt-add -p -- -x.nc 1'
}

@test "a negative number is an operand" {
	prints -3 'axt-add -1 -2 -p'
	prints -inf 'axt-add -inf 1 -p'
	prints 0.5 'axt-add -1.5 2 -p'
	prints -1500 'axt-mul -1.5e3 1 -p'
	prints nan 'axt-add nan 1 -p'
}

@test "a file named like a number is ./2" {
	axt-make full:7 x=1 -o 2
	prints 7 'axt-add ./2 0 -p'
	prints 2 'axt-add 2 0 -p'
}

@test "values of options are checked" {
	fails 2 'axt-add: --threads takes a whole number from 1 to 4096, not "0"' 'axt-add -t 0 1 2'
	fails 2 'axt-add: --threads takes a whole number*not "x"' 'axt-add -t x 1 2'
	fails 2 'axt-add: --memory takes a size such as 512M or 2G, not "12Q"' 'axt-add -m 12Q 1 2'
	fails 2 'axt-add: --dtype: unknown dtype "f33"' 'axt-add --dtype f33 1 2'
	hints 'axt-add --dtype f32 1 2'
	fails 2 'axt-add: --device takes cpu|cuda|auto, not "gpu"' 'axt-add --device gpu 1 2'
	fails 2 'axt-add: --progress takes auto|always|never, not "no"' 'axt-add --progress no 1 2'
	fails 2 'axt-add: --deflate takes a whole number from 0 to 9, not "10"' 'axt-add --deflate 10 1 2 -o x.nc'
	works 'axt-add -m 512M -t 1 --device cpu --progress never 1 2 -p'
}

@test "environment: threads, memory, device" {
	prints 3 'AXT_THREADS=2 AXT_MEMORY=1G AXT_DEVICE=auto axt-add 1 2 -p'
	prints 3 'OMP_NUM_THREADS=4,2 axt-add 1 2 -p'
	prints 3 'OMP_NUM_THREADS=x axt-add 1 2 -p'
	fails 2 'axt-add: AXT_THREADS is a whole number*not "x"' 'AXT_THREADS=x axt-add 1 2 -p'
	fails 2 'axt-add: AXT_MEMORY is a size*not "lots"' 'AXT_MEMORY=lots axt-add 1 2 -p'
	fails 2 'axt-add: AXT_DEVICE is cpu, cuda or auto, not "tpu"' 'AXT_DEVICE=tpu axt-add 1 2 -p'
	prints 3 'AXT_THREADS=x axt-add -t 1 1 2 -p'
}

@test "device cuda without a device: status 1" {
	axt-add --device cuda 1 2 -p >/dev/null 2>&1 && skip 'there is a device'
	fails 1 'axt-add: device cuda: *' 'axt-add --device cuda 1 2 -p'
	fails 1 'axt-add: device cuda: *' 'AXT_DEVICE=cuda axt-add 1 2 -p'
	prints 3 'AXT_DEVICE=cuda axt-add --device cpu 1 2 -p'
}

@test "the progress of a compressed output is drawn when asked for, not without a terminal or in quick work" {
	works 'axt-make random y=60,x=50000 --seed 1 -o r.nc'
	sh_run 'axt-map square r.nc --deflate 6 -t 1 --progress always -o d.nc'
	[ "$status" -eq 0 ]
	[[ $stderr == *'axt-map ['*'] '*'%'* ]]
	works 'axt-map square r.nc --deflate 6 -t 1 --progress auto -o e.nc'
	run script -qec 'axt-map square r.nc --deflate 1 -o f.nc' /dev/null
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "assigning, comparing and printing draw their progress, beside no text on a terminal" {
	works 'axt-make random y=60,x=50000 --seed 1 -o r.nc && cp r.nc c.nc'
	for c in 'axt-assign c.nc += r.nc' 'axt-equal r.nc r.nc r.nc' 'axt-print r.nc -p' 'axt-add r.nc 1 -p'; do
		sh_run "AXT_TILE=4096 $c -t 1 --progress always >o"
		[ "$status" -eq 0 ]
		[[ $stderr == *"${c%% *} ["*'] '*'%'* ]]
		lacks % o
	done
	run script -qec 'axt-equal r.nc r.nc --progress always' /dev/null
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

@test "--deflate and --chunk need -o" {
	make_a
	fails 2 'axt-add: --deflate needs -o FILE*' 'axt-add a.nc 1 --deflate 4'
	fails 2 'axt-add: --chunk needs -o FILE*' 'axt-add a.nc 1 --chunk lat=1'
	works 'axt-add a.nc 1 --deflate 4 --chunk lat=1 -o c.nc'
	prints $'1 2 3\n4 5 6' 'axt-print c.nc'
	[[ $(axt-info c.nc) == *"chunked, 2 chunks of 1x3, "*deflate* ]]
}

@test "--compress and --shuffle" {
	make_a
	for c in deflate deflate:9 zstd zstd:22 lz4; do
		for s in byte bit none; do
			works "axt-add a.nc 1 --compress $c --shuffle $s --chunk lat=1 -q -o c.nc"
			[ -z "$stderr" ]
			prints $'1 2 3\n4 5 6' 'axt-print c.nc'
			h5dump -pH c.nc >h
			case $s in
			byte) grep -q 'SHUFFLE' h ;;
			bit) grep -q 'FILTER_ID 32008' h ;;
			none) [ "$(grep -c 'SHUFFLE\|32008' h)" = 0 ] ;;
			esac
			case $s:$c in
			*:deflate*) grep -q 'DEFLATE { LEVEL '"$([ $c = deflate ] && echo 4 || echo 9)" h ;;
			bit:*) grep -q 'FILTER_ID' h ;;
			*:zstd*) grep -q 'FILTER_ID 32015' h ;;
			*:lz4) grep -q 'FILTER_ID 32004' h ;;
			esac
		done
	done
	works 'axt-add a.nc 1 --compress none --shuffle bit -o d.nc'
	[ -z "$stderr" ]
	[[ $(axt-info d.nc) != *chunked* ]]
	works 'axt-copy c.nc -o d.nc' # as it was, which nobody asked for now
	[ -z "$stderr" ]
	[[ $(axt-info d.nc) == *lz4* ]]
	works 'axt-copy d.nc -o e.nc --compress none && axt-equal d.nc e.nc'
	[[ $(axt-info e.nc) != *lz4* ]]
	sh_run "axt-split lat -P 's{}.nc' a.nc --compress zstd"
	[ "$status" -eq 0 ]
	[ "$(grep -c 'need a plugin for zstd' <<<"$stderr")" = 1 ]
	fails 1 '*--compress takes deflate, zstd, lz4 or none, not "foo"*' 'axt-add a.nc 1 --compress foo -o x.nc'
	fails 1 '*the level of --compress zstd is 1 to 22, not "23"*' 'axt-add a.nc 1 --compress zstd:23 -o x.nc'
	fails 1 '*--compress lz4 has no level*' 'axt-add a.nc 1 --compress lz4:1 -o x.nc'
	fails 1 '*--shuffle takes byte, bit or none*' 'axt-add a.nc 1 --compress lz4 --shuffle x -o x.nc'
	fails 1 '*--shuffle is of a compressed result*' 'axt-add a.nc 1 --shuffle bit -o x.nc'
	fails 2 '*--deflate and --compress exclude each other*' 'axt-add a.nc 1 --deflate 1 --compress lz4 -o x.nc'
	fails 2 '*--compress needs -o FILE*' 'axt-add a.nc 1 --compress lz4'
}

@test "--quantize" {
	make_a
	works 'axt-make full:1.2345678 x=2 --dtype f64 --name t -o f.nc && axt-make full:7 x=2 --dtype i16 --name i -o f.nc:i'
	works 'axt-copy f.nc:t --quantize 3 -o q.nc'
	prints $'1.234375\n1.234375' 'axt-print q.nc'
	[[ $(axt-info q.nc) == *_QuantizeGranularBitRoundNumberOfSignificantDigits*3* ]]
	[[ $(axt-info q.nc) == *'--quantize 3'* ]]
	works 'axt-copy f.nc:t --quantize bits:1 -o q.nc'
	prints $'1\n1' 'axt-print q.nc'
	sh_run 'axt-copy f.nc --quantize 2 -o q.nc'
	[ "$status" -eq 0 ]
	[[ $stderr == 'axt-copy: warning: --quantize leaves i as it is, which is i16' ]]
	prints $'7\n7' 'axt-print q.nc:i'
	fails 1 '*--quantize rounds f32 and f64 values, and i is i16' 'axt-copy f.nc:i --quantize 2 -o q.nc'
	fails 1 '*t is f32, which --quantize rounds to 7 digits at most' 'axt-cast f.nc:t --dtype f32 --quantize 8 -o q.nc'
	fails 1 '*t is f32, which --quantize rounds to bits:23 at most' 'axt-cast f.nc:t --dtype f32 --quantize bits:24 -o q.nc'
	fails 1 '*--quantize takes 1 to 15 digits, or bits:1 to bits:52, not "0"' 'axt-copy f.nc:t --quantize 0 -o q.nc'
	fails 2 '*--quantize rounds what is written, not what is printed' 'axt-copy f.nc:t --quantize 2 -p'
}

@test "-p and -o exclude each other" {
	fails 2 'axt-add: -p writes text to standard output, -o a file: choose one' 'axt-add 1 2 -p -o x.nc'
	[ ! -e x.nc ]
}

@test "-o - is standard output" {
	prints 3 'axt-add 1 2 -o - | axt-print'
}

@test "-N refuses to replace, and the old file stays" {
	make_a
	cp a.nc b.nc
	fails 1 'axt-add: *b.nc*' 'axt-add a.nc 1 -N -o b.nc'
	cmp a.nc b.nc
	works 'axt-add a.nc 1 -N -o c.nc'
	works 'axt-add a.nc 1 -o b.nc'
	run ! cmp -s a.nc b.nc
}

@test "--name, --axes, --dtype, --attr shape the result" {
	make_a
	works "axt-add a.nc 1 --name n --axes lon,D=2,lat --dtype f32 --attr units=K --attr :title='my title' -o r.nc"
	[[ $(axt-info r.nc) == *"n f32 lon=3 D=2 lat=2"* ]]
	[[ $(axt-attr r.nc) == *"units=K"* ]]
	[[ $(axt-attr r.nc) == *":title=my title"* ]]
	works 'axt-add r.nc 1 --attr units= -o s.nc'
	[ "$(axt-attr s.nc | grep -c '^units=')" -eq 0 ]
	fails 1 'axt-add: *lat*' 'axt-add a.nc 1 --axes lon -p'
}

@test "--dtype casts at the end, checked" {
	prints 2 'axt-add 1.5 1 --dtype i32 -p'
	fails 1 'axt-add: *' 'axt-add 300 1 --dtype u8 -p'
}

@test "-d names the dataset of operands written without one" {
	py 'f = h5py.File("m.h5", "w"); f["t"] = np.arange(3); f["u"] = np.arange(3) * 10'
	fails 1 'axt-add: *t, u*' 'axt-add m.h5 1 -p'
	prints $'1\n2\n3' 'axt-add -d t m.h5 1 -p'
	prints $'0\n11\n22' 'axt-add -d t m.h5 m.h5:u -p'
}

@test "--raw takes stored values" {
	py 'f = h5py.File("p.h5", "w"); f["t"] = np.array([1, 2, -1], "i2"); f["t"].attrs["scale_factor"] = 0.5; f["t"].attrs["_FillValue"] = np.int16(-1)'
	prints $'0.5\n1\nnan' 'axt-print p.h5'
	prints $'1\n2\n-1' 'axt-print --raw p.h5'
}

@test "--raw: what is computed is not packed, what is moved is" {
	axt-make iota:290 x=3 --dtype f64 --name t --attr units=K |
	    axt-cast --pack i16:0.5:273.5 -o p.nc
	local raw=$'33\n35\n37' c
	axt-make iota i=2 -o i.nc
	prints "$raw" 'axt-print --raw p.nc'
	for c in 'sub @ p.nc' 'add @ 1' 'mul @ 2' 'maximum @ 3' 'map abs @' 'map square @' 'clip 34 36 @' \
	    'where p.nc @ 1' 'scan --along x sum @' 'reduce sum @' 'reduce std @' 'reduce max @' \
	    'reduce mean --to x @' 'cast --dtype f32 @' 'cast --dtype i64 @' 'slice x=1: --dtype f32 @'; do
		c="axt-${c/@/--raw p.nc}"
		prints "$(eval "$c -p")" "$c | axt-print"
		prints "$(eval "$c -p")" "$c -o r.nc; axt-print r.nc"
		ncdump -h r.nc >header
		lacks 'scale_factor\|add_offset\|_FillValue' header
	done
	prints 'units=K' 'axt-sub --raw p.nc p.nc | axt-attr units -'
	for c in 'slice x=1:' 'flip x' 'shift x=1' 'take x=i.nc' 'sort --along x' 'pad x=1,1' 'concat x p.nc' 'stack m p.nc'; do
		works "axt-$c --raw p.nc -o r.nc"
		[ "$(ncdump -h r.nc | grep -cE 'scale_factor = 0.5 |add_offset = 273.5 |_FillValue = -32768s ')" = 3 ]
	done
	prints $'291\n292' 'axt-slice --raw x=1: p.nc | axt-print'
	prints $'0\n1\n2' 'axt-sub --raw p.nc 33 | axt-div --raw - 2 | axt-cast --raw --pack i16:0.25:0 | axt-print'
}

@test "--files-from: one per line, after the others" {
	make_a
	axt-make ones lon=3 -o b.nc
	printf 'a.nc\n\nb.nc\n' >list
	prints $'2 3 4\n5 6 7' 'axt-add 1 --files-from list -p'
	prints $'1 2 3\n4 5 6' 'axt-add --files-from - -p <list'
	fails 2 'axt-sub: unknown option --files-from' 'axt-sub --files-from list'
	fails 1 'axt-add: none: No such file or directory' 'axt-add 1 --files-from none'
	printf 'a.h5\0b.h5\0' >nul
	fails 1 'axt-add: nul: a NUL byte in a list of one operand per line' \
		'axt-add 1 --files-from nul'
	fails 2 'axt-add: standard input can be read only once' 'axt-add - 1 --files-from - <list'
}

@test "a warning where values of different units come together" {
	axt-make ones x=2 --attr units=K -o k.nc
	axt-make ones x=2 --attr units=degC -o c.nc
	cp k.nc into.nc
	for c in 'axt-sub k.nc c.nc' 'axt-concat x k.nc k.nc c.nc' 'axt-stack n k.nc c.nc' \
	    'axt-where 1 k.nc c.nc' 'axt-fillnan k.nc c.nc' 'axt-clip k.nc c.nc k.nc'; do
		sh_run "$c -p"
		[ "$status" -eq 0 ]
		[[ $stderr == "${c%% *}: warning: units differ: \"K\" in k.nc:tensor, \"degC\" in c.nc:tensor, which is converted to \"K\"" ]]
	done
	for op in set add; do
		sh_run "axt-assign into.nc $op c.nc"
		[ "$status" -eq 0 ]
		[[ $stderr == 'axt-assign: warning: units differ: "K" in into.nc:tensor, "degC" in c.nc:tensor, which is converted to "K"' ]]
	done
	works 'axt-assign into.nc mul c.nc'
	works 'axt-assign into.nc set k.nc'
	works 'axt-assign into.nc set 1'
	works 'axt-where c.nc k.nc 1 -p'
	axt-attr units=kelvin c.nc
	works 'axt-concat x k.nc c.nc -p'
}

@test "--join override takes the first operand's coordinates" {
	make_cf
	py '
import shutil; shutil.copy("cf.nc", "cf2.nc")
f = h5py.File("cf2.nc", "a"); f["lat"][1] = 21'
	fails 1 'axt-add: *lat*' 'axt-add cf.nc cf2.nc -p'
	works 'axt-add --join override cf.nc cf2.nc -p'
	works 'axt-add --join override:lat cf.nc cf2.nc -p'
	fails 1 'axt-add: *' 'axt-add --join override:time cf.nc cf2.nc -p'
	sh_run 'axt-add --join sometimes cf.nc cf2.nc -p'
	[ "$status" -eq 2 ]
}

@test "coordinates of units that are not converted do not meet" {
	make_cf
	cp cf.nc u.nc
	axt-attr lat:units=m cf.nc
	works 'axt-add cf.nc u.nc -p'
	axt-attr lat:units=metres u.nc
	works 'axt-add cf.nc u.nc -p'
	axt-attr lat:units=km u.nc
	fails 1 'axt-add: axis "lat" has units "m" in cf.nc:t and "km" in u.nc:t' 'axt-add cf.nc u.nc -p'
	hints '--join override takes the first*'
	works 'axt-add --join override:lat cf.nc u.nc -p'
	fails 1 'axt-concat: axis "lat" has units "m"*"km"*' 'axt-concat time cf.nc u.nc -o o.nc'
	sh_run 'axt-equal cf.nc u.nc'
	[ "$status" -eq 1 ]
	[[ $output == 'axis "lat" has units "m" in cf.nc:t and "km" in u.nc:t' ]]
	fails 1 'axt-add: axis "lat" has units "km" in u.nc and *' 'axt-add cf.nc 1 -o u.nc:new'
}

@test "--explain prints the plan and does nothing else" {
	make_a
	works 'axt-add a.nc 1 --explain -o x.nc'
	[ -n "$output" ]
	[ ! -e x.nc ]
	works 'axt-print a.nc --explain'
	[[ $output == *memory* ]]
}

@test "-v tells the plan on stderr, -q hides warnings" {
	sh_run 'axt-add 1 2 -v -p'
	[ "$status" -eq 0 ]
	[ "$output" = 3 ]
	[ -n "$stderr" ]
	axt-make ones x=2 --attr units=K -o k.nc
	axt-make ones x=2 --attr units=m -o m.nc
	sh_run 'axt-add k.nc m.nc -p'
	[ "$status" -eq 0 ]
	[[ $stderr == "axt-add: warning: "* ]]
	[ "${#stderr_lines[@]}" -eq 1 ]
	prints $'2\n2' 'axt-add -q k.nc m.nc -p'
}

@test "history: command, operands as typed, options that shape the result" {
	make_a
	works "axt-add a.nc 1 -t 2 -m 1G --dtype f32 -q --attr 'long_name=a b' -o h.nc"
	[ "$(history_of h.nc)" = "axt-add a.nc 1 --dtype f32 --attr 'long_name=a b'" ]
	works 'axt-add -o n.nc --no-history a.nc 1'
	[[ $(axt-attr n.nc) != *axt-add* ]]
	works 'SOURCE_DATE_EPOCH=86400 axt-add a.nc 1 -o d.nc'
	[ "$(history_of d.nc)" = '1970-01-02T00:00:00Z: axt-add a.nc 1' ]
	works 'axt-map sqrt h.nc -o i.nc'
	[ "$(ncdump -h i.nc | grep -c 'axt-add a.nc')" -eq 1 ]
	[ "$(history_of i.nc)" = 'axt-map sqrt h.nc' ]
}

@test "equal commands give equal bytes" {
	make_a
	axt-add a.nc 1 -o x.nc
	axt-add a.nc 1 -t 1 -o y.nc
	cmp x.nc y.nc
	axt-add a.nc 1 >z.nc
	cmp x.nc z.nc
}

@test "names in messages are escaped" {
	sh_run $'axt-add "no\x1b[31m\n.nc" 1 -p'
	[ "$status" -eq 1 ]
	[ "${#stderr_lines[@]}" -le 2 ]
	[[ $stderr != *$'\x1b'* ]]
	fails 2 'axt-add: unknown option --*x1b*' $'axt-add "--a\x1bb" 1 2'
}

@test "--attr says what it does not name" {
	axt-make iota x=2 | axt-coord set x=0:1 -o a.nc
	sh_run 'axt-map negative a.nc --attr coordinates="x foo" --attr a=b -o b.nc'
	[ "$status" -eq 0 ]
	[ "$stderr" = 'axt-map: warning: attribute "coordinates": no "foo" goes with the result, so it is not named; axt-attr names what a file has' ]
	prints coordinates=x 'axt-attr coordinates b.nc'
	sh_run 'axt-map negative a.nc --attr x:bounds=x_b -o b.nc'
	[ "$stderr" = 'axt-map: warning: attribute "bounds": no "x_b" goes with the result, so it is not named; axt-attr names what a file has' ]
	works 'axt-map negative a.nc --attr x:bounds=x_b -q -o b.nc'
	works 'axt-attr x:bounds=x_b b.nc'
	works 'axt-map negative b.nc -o c.nc'
}

@test "each instruction set gives the same; a name of none is refused by every command, and none crashes" {
	make_cf
	axt-make random:0:9 t=3,k=40 -o r.nc
	declare -A line=(
		[reduce]='axt-reduce std --over t r.nc' [scan]='axt-scan sum --along k r.nc'
		[hist]='axt-hist --bins 5 --range 0,9 r.nc' [softmax]='axt-softmax --along k r.nc'
		[dot]='axt-dot --over t,k r.nc r.nc' [calc]='axt-calc "r^2 + 1" r=r.nc' [add]='axt-add r.nc 1'
		[equal]='axt-equal r.nc r.nc' [info]='axt-info --stats cf.nc' [plain]='axt-info cf.nc'
		[cast]='axt-cast --pack i16 r.nc' [slice]='axt-slice k=3 r.nc' [print]='axt-print r.nc'
		[make]='axt-make normal x=9 --seed 1' [attr]='axt-attr units cf.nc:t' [sort]='axt-sort --along k r.nc'
	)
	isas=$(isas)
	for c in "${!line[@]}"; do
		p=-p
		[[ $c == @(equal|info|plain|attr) ]] && p=
		no=1
		[ "$c" = equal ] && no=2
		fails "$no" "axt-*: AXT_ISA names none of the instruction sets: $isas" "AXT_ISA=v9 ${line[$c]} $p"
		works "${line[$c]} $p"
		best=$output
		for i in $isas; do
			sh_run "AXT_ISA=$i ${line[$c]} $p"
			[ "$status" -eq 0 ] && [ "$output" = "$best" ] ||
			    [[ $status == "$no" && $stderr == *"this processor lacks the instructions AXT_ISA asks for" ]]
		done
	done
}

@test "how many bits values were rounded to is told of values that are only moved" {
	axt-make random x=4,y=6 --dtype f32 | axt-coord set x=0:1 --attr units=K --quantize bits:9 -o q.nc
	axt-make random x=1,y=6 --dtype f32 | axt-coord set x=4:1 --attr units=K -o p.nc
	local many='_QuantizeBitRoundNumberOfSignificantBits = 9'
	for w in 'copy q.nc' 'slice x=1:3 q.nc' 'flip x q.nc' 'concat x <(axt-slice x=:2 q.nc) <(axt-slice x=2: q.nc)'; do
		works "axt-$w -o o.nc"
		[[ $(ncdump -h o.nc) == *"$many"* ]]
	done
	for w in 'add q.nc 0.1' 'reduce mean --over x q.nc' 'convert --to degC q.nc' 'cast --pack i16 q.nc' 'interp x=0.5 q.nc' \
	    'cast --dtype f64 q.nc' 'concat x q.nc p.nc'; do
		works "axt-$w -o o.nc"
		[[ $(ncdump -h o.nc) != *_Quantize* ]]
	done
}
