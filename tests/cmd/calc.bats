load helper

@test "an expression of named operands" {
	make_a
	axt-make iota:1 lat=2 -o b.nc
	prints $'1 3 5\n8 10 12' 'axt-calc "a*2 + b" a=a.nc b=b.nc -p'
	prints $'-1 0 1\n-1 0 1' 'axt-calc "a - mean(a, over=lon)" a=a.nc -p'
	prints 15 'axt-calc "sum(a)" a=a.nc:tensor -p'
	prints 7 'axt-calc "a + 4" a=3 -p'
	prints 2.5 'axt-calc "mean(x)" x=- <a.nc -p'
	prints $'0 3\n1 4\n2 5' 'axt-calc "order(x, lon, ...)" -d tensor x=a.nc -p'
	prints 9 'axt-calc -p -- "-x^2*-1" x=3'
}

@test "a calculator" {
	prints 6.283185307179586 'axt-calc "2*pi" -p'
	prints 0.001 'axt-calc "10^-3" -p'
	prints 1e+20 'axt-calc "10^20" -p'
	prints true 'axt-calc "1 < 2 < 3 and not 2 > 3" -p'
	prints inf 'axt-calc "1/0" -p'
	fails 1 'axt-calc: integer division by zero in floordiv' 'axt-calc 1//0 -p'
}

@test "every function of -h can be called, and is in the page, a row or a page of its own" {
	axt-make iota:1 M=2,N=2 --dtype f32 --attr units=K -o a.nc
	axt-calc -h | sed -n '/^EXPR:/,/^$/p' | awk 'NF > 1 { print $1 }' >functions
	[ "$(wc -l <functions)" -gt 90 ]
	{ axt-map -h; axt-reduce -h; } | awk '{ print $1 }' >rows
	"$AXT_TOP/scripts/ops" commands | tr - _ >>rows
	while read -r f; do
		echo "$f"
		case $f in
		order) e='order(a, N, M)' ;;
		rename) e='rename(a, N=L)' ;;
		broadcast) e='broadcast(a, M, N, K=2)' ;;
		cast) e='cast(a, i8, to=(K,L))' ;;
		where|clip) e="$f(a, 0, 1)" ;;
		and|or) e="a > 1 $f a < 2" ;;
		xor | logical_and | logical_or) e="$f(a > 1, a < 2)" ;;
		not) e='not a > 1' ;;
		full) e='full(2, M=2)' ;;
		placeholder | bind) continue ;;
		set_coord) e='set_coord(a, M=0:1)' ;;
		drop_coord) e='drop_coord(a, M)' ;;
		zeros|ones|iota|random|normal|eye|triu|tril) e="$f(M=2, N=2)" ;;
		dot|fillnan|broadcast_like|reindex_like|slice_like) e="$f(a, a)" ;;
		scan) e='scan(a, sum, along=M)' ;;
		convert) e='convert(a, "degC")' ;;
		cholesky) e='cholesky(eye(M=2, N=2), row=M, col=N)' ;;
		matrix_power) e='matrix_power(a, power=2, row=M, col=N)' ;;
		solve) e='solve(a, a[N=0], row=M, col=N)' ;;
		lstsq) e='lstsq(a, a[N=0], s, row=M, col=N)' ;;
		qr | lu | svd | eig | eigh | slogdet)
			r=$(sed -n "s/^LINALG([A-Z0-9_]*, \"$f\", [^,]*, [^,]*, \"\([a-z]*\).*/\1/p" "$AXT_TOP/lib/linalg.def")
			e="$f(a, $r, row=M, col=N)" ;;
		det | inv | pinv | matrix_rank | matrix_norm | cond | expm) e="$f(a, row=M, col=N)" ;;
		area) axt-make iota lat=3 | axt-coord set lat=0:10 | axt-calc -q 'area(g)' g=- -p; e='a' ;;
		eof) e='eof(a, pc, over=M)' ;;
		trend) e='trend(a, slope, along=M)' ;;
		mca) e='mca(a, a, covariance, over=M)' ;;
		cov|corr) e="$f(a, a)" ;;
		slope|intercept|detrend|ifft|rfft|irfft) e="$f(a, along=M)" ;;
		hist) e='hist(a, bins=2)' ;;
		quantile) e='quantile(a, q=0.5)' ;;
		fillnan) e='fillnan(a, 0)' ;;
		shift_coord) e='shift_coord(set_coord(a, M=0:1), M=1)' ;;
		slice) e='slice(a, M=0)' ;;
		take) e='take(a, M=zeros(K=2, dtype=i64))' ;;
		interp) e='interp(a, M=0.5, points=iota(M=2))' ;;
		regrid)
			axt-make iota lat=2,lon=2 | axt-coord set lat=-45:90 lon=0:180 --attr lat:units=degrees_north --attr lon:units=degrees_east -o g.nc
			axt-calc -q 'regrid(g, to="r4x2")' g=g.nc -p
			e=a
			;;
		flip) e='flip(a, M)' ;;
		shift|pad|convolve) e="$f(a, M=1)" ;;
		window) e='window(a, M=w:2)' ;;
		flatten) e='flatten(a, M, N=Z)' ;;
		unflatten) e='unflatten(a, M=(P:1,Q:2))' ;;
		reshape) e='reshape(a, X=4)' ;;
		expand) e='expand(a, K)' ;;
		concat|stack) a=$f; e="$f(a, a, along=$([ "$a" = stack ] && echo K || echo M))" ;;
		onehot) e='onehot(cast(a, i64), C=5)' ;;
		bitwise_not | invert) e="$f(cast(a, i64))" ;;
		bitwise_*|xor) e="$f(cast(a, i64), cast(a, u8))" ;;
		*)
			e="$f(a)"
			"$AXT_TOP/scripts/ops" commands | tr - _ | grep -qx "$f" && e="$f(a, a)"
			{ "axt-$(tr _ - <<<"$f")" -h 2>&- || true; } | grep -q -e '--along AX[EI]S.*(required)' && e="$f(a, along=M)"
			;;
		esac
		axt-calc -q "$e" a=a.nc -p
		grep -qx -- "$f" rows || grep -qw -- "$f" "$AXT_TOP/man/axt-calc.1" || [ -f "$AXT_TOP/man/axt-$(tr _ - <<<"$f").1" ]
	done <functions
}

@test "the options of functions are those of commands" {
	make_a
	axt-make iota:1 lat=2 -o w.nc
	same()
	{
		echo "$1 = $2"
		axt-calc "$1" a=a.nc w=w.nc -q --no-history -o 1.nc
		other=${2// |/ --no-history |}
		bash -c "${other//)/ --no-history)} --no-history -o 2.nc"
		cmp 1.nc 2.nc
	}
	same 'std(a, over=lon, ddof=1)' 'axt-reduce std --over lon --ddof 1 a.nc'
	same 'mean(a, to=lon, weights=w)' 'axt-reduce mean --to lon --weights w.nc a.nc'
	same 'sum(a, dtype=f64)' 'axt-reduce sum --dtype f64 a.nc'
	same 'sum(sqrt(a - 2), skip_nan=true)' 'axt-sub a.nc 2 | axt-map sqrt | axt-reduce sum --skip-nan'
	same 'sum(sqrt(a - 2), skip_nan=false)' 'axt-sub a.nc 2 | axt-map sqrt | axt-reduce sum --keep-nan'
	same 'mean(a, over=(lat, lon))' 'axt-reduce mean a.nc'
	same 'mean(a, to=())' 'axt-reduce mean --to "" a.nc'
	same 'dot(a, w)' 'axt-dot a.nc w.nc'
	same 'dot(a, a, over=lon, keep=lat, accumulate=f64)' 'axt-dot --over lon --keep lat --accumulate f64 a.nc a.nc'
	same 'dot(transpose(a), a, mode=strict, over=(lat^, lon*))' "axt-dot --strict --over 'lat^,lon*' <(axt-transpose a.nc) a.nc"
	same 'cast(a - 3, u8, overflow=saturate)' 'axt-sub a.nc 3 | axt-cast --dtype u8 --overflow saturate'
	same 'cast(a, to=(B, C=3))' 'axt-cast --to B,C=3 a.nc'
	same 'cast(a/2, pack="i16:0.5:0")' 'axt-div a.nc 2 | axt-cast --pack i16:0.5:0'
	same 'rename(a, lat=y, lon = "my axis")' 'axt-rename lat=y,lon="my axis" a.nc'
	same 'broadcast(a, t=2, lon, lat)' 'axt-broadcast t=2,lon,lat a.nc'
	same 'random(-5, 5, x=3, seed=7, dtype=f64) + a*0' 'axt-make random:-5:5 x=3 --seed 7 --dtype f64 | axt-add - <(axt-mul a.nc 0)'
	same 'scan(a, sum, along=lon, reverse=true)' 'axt-scan sum --along lon --reverse a.nc'
	same 'sort(a, along=lon, descending=true, index=true)' 'axt-sort --along lon --descending --index a.nc'
	same 'convolve(a, lon=2, border=wrap)' 'axt-convolve lon=2 --border wrap a.nc'
	same 'softmax(a, along=(lat,lon))' 'axt-softmax --along lat,lon a.nc'
	same 'quantile(a, q=0.25, over=lon)' 'axt-reduce quantile:0.25 --over lon a.nc'
	same 'hist(a, bins=3, range=(0, 6), over=lon)' 'axt-hist --bins 3 --range 0,6 --over lon a.nc'
	same 'median(a)' 'axt-reduce median a.nc'
	same 'mean(a, over=lat, by=w)' 'axt-reduce mean --over lat --by w.nc a.nc'
	same 'a[lon=::-1, lat=1]' 'axt-slice lon=::-1 lat=1 a.nc'
	same 'a[lon=0,2]' 'axt-slice lon=0,2 a.nc'
	same 'slice(a, lat=0)[lon=1:]' 'axt-slice lat=0 lon=1: a.nc'
	same 'take(a, lon=iota(k=2))' 'axt-make iota k=2 >k.nc; axt-take lon=k.nc a.nc'
	same 'flip(a, (lat, lon))' 'axt-flip lat,lon a.nc'
	same 'shift(a, lon=1, lat=-1)' 'axt-shift lon=1 lat=-1 a.nc'
	same 'pad(a, lat=(1,0), lon=2, value=9)' 'axt-pad lat=1,0 lon=2 --value 9 a.nc'
	same 'pad(a, lon=1, mode=wrap)' 'axt-pad lon=1 --mode wrap a.nc'
	same 'mean(window(a, lon=w:2), over=w)' 'axt-window lon=w:2 a.nc | axt-reduce mean --over w'
	same 'flatten(a, (lat,lon)=z)' 'axt-flatten lat,lon=z a.nc'
	same 'unflatten(flatten(a, lat, lon=z), z)' 'axt-flatten lat,lon=z a.nc | axt-unflatten z'
	same 'reshape(a, x=2, y=3, order=F)' 'axt-reshape x=2,y=3 --order F a.nc'
	same 'reshape(a, rank=1)' 'axt-reshape --rank 1 a.nc'
	same 'squeeze(expand(a, t, at=-1), over=t)' 'axt-expand t --at -1 a.nc | axt-squeeze --over t'
	same 'concat(a, a*2, along=lat)' 'axt-concat lat a.nc <(axt-mul a.nc 2)'
	same 'stack(a, a*2, along=t, at=1)' 'axt-stack t --at 1 a.nc <(axt-mul a.nc 2)'
	same 'onehot(w, C=3)' 'axt-onehot C=3 w.nc'
	same 'iota(10, 2, x=3)*a' 'axt-make iota:10:2 x=3 | axt-mul - a.nc'
}

@test "several results, and their names" {
	make_a
	prints $'mean\t2.5\nstd\t1.707825127659933' 'axt-calc "mean(a), std(a)" a=a.nc -p'
	prints $'lo\t0\nhi\t5' 'axt-calc "lo = min(a); hi = max(a); lo, hi" a=a.nc -p'
	works 'axt-calc "m = mean(a, over=lon), b = a*2, a" a=a.nc -o o.nc'
	[ "$(axt-info o.nc | grep -cE '^(m|b|a) ')" -eq 3 ]
	works 'axt-calc "m = mean(a)" a=a.nc -o m.nc && axt-info m.nc:m'
	works 'axt-calc "m = mean(a); a - m" a=a.nc -o d.nc && axt-info d.nc:tensor'
	works 'axt-calc "m = mean(a)" a=a.nc --name n -o n.nc && axt-info n.nc:n'
	fails 2 'axt-calc: --name names one result, and there are 2' 'axt-calc "min(a), max(a)" a=a.nc --name n'
	fails 2 'axt-calc: one of several results needs a name at character 1 of "a+1, a"' 'axt-calc "a+1, a" a=a.nc'
	hints 'NAME = ... gives one'
	fails 2 'axt-calc: two results are named a at *' 'axt-calc "a, a" a=a.nc'
}

@test "the plan is that of the pipeline" {
	[ "${AXT_SANITIZER-}" != valgrind ] || skip "no writer waits as long as readers take to start"
	make_a
	axt-calc 'x = sqrt(mean((a - 1)^2, over=lon)); x*(x < 2)' a=a.nc --explain | grep -E '^(node|out)' >calc
	AXT_FUSE=1 bash -c 'axt-mul <(axt-sub a.nc 1 | axt-map square | axt-reduce mean --over lon | axt-map sqrt) \
		<(axt-sub a.nc 1 | axt-map square | axt-reduce mean --over lon | axt-map sqrt | axt-lt - 2) --explain' |
		grep -E '^(node|out)' | sed 's/^out tensor/out x/' >pipe
	sed -i 's/^out tensor/out x/' calc
	cat calc pipe
	cmp calc pipe
}

@test "twelve operations on three files are one pass" {
	for n in a b c; do
		axt-make random lat=20,lon=30 --seed 1 --dtype f32 -o $n.nc
	done
	sh_run 'axt-calc "sqrt((a-b)^2 + c*c)*exp(-abs(a)/2) + where(b > c, a*2, (a-b)/3)" a=a.nc b=b.nc c=c.nc --explain'
	[[ $output == "pass 1 of 1: map -> f32 lat, lon (20, 30)"* ]]
	[ "$(grep -c '  reads' <<<"$output")" -eq 3 ]
	[[ $output == *"  fused: sub square mul add sqrt absolute negative div exp mul gt mul div where add"* ]]
}

@test "history: the expression as typed" {
	make_a
	works 'axt-calc "a * 2" a=a.nc -o o.nc'
	[ "$(history_of o.nc)" = "axt-calc 'a * 2' a=a.nc" ]
}

@test "operands have names" {
	make_a
	fails 1 'axt-calc: the expression has none of the names in a.nc: *' 'axt-calc none a.nc'
	fails 2 'axt-calc: "a=" is no NAME=OPERAND' 'axt-calc a a='
	fails 2 'axt-calc: operand EXPR is missing' 'axt-calc'
	fails 2 'axt-calc: "1a" is no name for an operand' 'axt-calc a 1a=a.nc'
	fails 2 'axt-calc: two operands are named a' 'axt-calc a a=a.nc a=a.nc'
	fails 2 'axt-calc: standard input can be read only once' 'axt-calc a+b a=- b=-'
	fails 1 'axt-calc: none.nc: *' 'axt-calc a a=none.nc'
	sh_run 'axt-calc a a=a.nc b=a.nc -p'
	[ "$status" -eq 0 ]
	[ "$stderr" = 'axt-calc: warning: the expression does not use b' ]
	prints $'0 1 2\n3 4 5' 'axt-calc a a=a.nc b=a.nc -p -q'
}

@test "messages tell the place, and what may be meant" {
	make_a
	bad()
	{
		fails "$1" "axt-calc: $2" "axt-calc '$4' a=a.nc bb=2"
		[ -z "$3" ] || hints "$3"
	}
	bad 2 'unknown name "c" at character 5 of "a + c"' 'the names are: a, bb' 'a + c'
	bad 2 'unknown name "b" at character 1 of "b"' 'the names are: a, bb' 'b'
	bad 2 'unknown name "mean" at *' 'mean is a function: mean(...)' 'a + mean'
	bad 2 'unknown function "maen" at character 1 of "maen(a)"' "axt-calc 'mean(a)' a=a.nc bb=2" 'maen(a)'
	bad 2 'unknown function "average" at *' "axt-calc 'mean(a)' a=a.nc bb=2" 'average(a)'
	bad 2 'unknown function "zzz" at *' 'axt-calc -h lists them' 'zzz(a)'
	bad 2 'mean takes no "ovr=" at character 9 of "mean(a, ovr=lat)"' "axt-calc 'mean(a, over=lat)' a=a.nc bb=2" 'mean(a, ovr=lat)'
	bad 2 'mean takes no "axis=" at *' "axt-calc 'mean(a, over=lat)' a=a.nc bb=2" 'mean(a, axis=lat)'
	bad 2 'mean takes one argument at character 19 of *' \
		"axt-calc 'mean(a, over=(lat, lon))' a=a.nc bb=2" 'mean(a, over=lat, lon)'
	bad 2 'min takes one argument at *' "axt-calc 'minimum(a, bb)' a=a.nc bb=2" 'min(a, bb)'
	bad 2 'hypot takes 2 values, not 1 at *' '' 'hypot(a)'
	bad 2 'order needs axes at character 1 of "order(a)"' '' 'order(a)'
	bad 2 'unknown dtype "f33" at character 9 of "cast(a, f33)"' 'did you mean f32[?]' 'cast(a, f33)'
	bad 2 'skip_nan= takes true or false, not "1" at character 17 of "sum(a, skip_nan=1)"' '' 'sum(a, skip_nan=1)'
	bad 2 'ddof= takes a number, not "x" at *' '' 'std(a, ddof=x)'
	bad 2 'a word is missing at *' '' 'sum(a, over=)'
	bad 2 '"," is missing after the parenthesis at character 17 of *' '' 'sum(a, over=(lat)0)'
	bad 2 '"," is missing before the parenthesis at *' '' 'sum(a, over=lat(lon))'
	bad 2 'a quote is not closed at character 10 of *' '' 'order(a, "lat)'
	bad 2 'the parenthesis of sqrt is not closed at character 5 of *' '' 'a + sqrt(a'
	bad 2 'the parenthesis is not closed at character 1 of "(a"' '' '(a'
	bad 2 'a value is missing at character 4 of "a +"' '' 'a +'
	bad 2 'an operator is missing before "bb" at character 3 of "a bb"' '' 'a bb'
	bad 2 '"&&" is no operator at *' "axt-calc 'a and bb' a=a.nc bb=2" 'a && bb'
	bad 2 'a value is missing before "!" at *' "axt-calc 'not a' a=a.nc bb=2" '!a'
	bad 2 'an operator is missing before "=" at *' 'a == b compares; NAME = ... and FILE:NAME = ... begin a statement' 'a + 1 = 2'
	bad 2 '* is missing before "," at character 3 of "(a, bb)"' 'several results stand last, *' '(a, bb)'
	bad 2 '"1.2.3" is not a number at character 5 of "a + 1.2.3"' '' 'a + 1.2.3'
	bad 2 'pi cannot be assigned at character 1 of "pi = 3"' '' 'pi = 3'
	bad 2 'the value of this statement is not used at character 1 of "a; bb"' "axt-calc 'a, bb' a=a.nc bb=2" 'a; bb'
	bad 2 'the expression is empty at character 1 of ""' '' ''
	bad 2 '"0" is not AXIS=* at character 2 of *' '' 'a[0]'
	bad 2 'a word is missing at character 3 of *' '' 'a[]'
	bad 2 'the bracket is not closed at character 2 of *' '' 'a[lat=0'
	bad 1 'axis "lat" has length 2 in a.nc:tensor: there is no index 7 at character 2 of *' '' 'a[lat=7]'
	bad 2 'take takes AXIS=INDEX|AXIS@LABELS|LAT,LON@POINTS at *' '' 'take(a, lat)'
	bad 2 'flip needs axes at *' '' 'flip(a)'
	bad 2 'concat needs along=AXIS at *' '' 'concat(a, a)'
	bad 2 'dot takes no "mode=" at *' '' 'dot(a, a, mode=x)'
	bad 2 'quantile needs q=Q at *' '' 'quantile(a)'
	bad 2 'mean takes no "q=" at *' '' 'mean(a, q=1)'
	bad 2 '*sum|prod|min|max|linear, not "som" at character 9 of *' '' 'scan(a, som, along=lat)'
	bad 2 'sort needs along=AXIS at *' '' 'sort(a)'
	bad 2 'value= takes a number at *' '' 'full(a, x=2)'
	bad 2 'a tensor stands behind "lat=", and "3" as well at *' '' 'slice(a, lat=(a[lon=0] > 0), 3)'
	bad 2 'like= is there already at *' '' 'slice_like(a, a, like=a)'
	# what functions say has a place, too
	bad 1 'no axis "time" in a.nc:tensor (lat, lon) at character 5 of "1 + mean(a, over=time)"' '' '1 + mean(a, over=time)'
	bad 1 'bitwise_and is not defined for f64 * at character 3 of *' '' 'a & a/2'
	bad 2 'mean takes no "ddof=" at character 9 of *' '' 'mean(a, ddof=1)'
	axt-make iota lat=4 -o four.nc
	fails 1 'axt-calc: axis "lat" has length 2 in a.nc:tensor and 4 in four.nc:tensor at character 3 of "a + b"' \
		'axt-calc "a + b" a=a.nc b=four.nc'
	axt-make iota lat=5 | axt-coord set lat=-20:10 -o five.nc
	fails 1 'axt-calc: axis "lat" has length 3 in *' "axt-calc 'a[lat@-10:10]*a' a=five.nc"
	hints 'axt-slice lat@-10:10 five.nc:tensor, in axt-calc \[lat@-10:10\] behind the name, is the same part'
	axt-make ones lat=5 --attr units='kg m-2 s-1' -o rain.nc
	fails 1 'axt-convert: *of water 1 kg m-2 is 1 mm*' 'axt-convert --to mm/day rain.nc'
}

@test "an expression of any depth or length ends in a result or a message" {
	local some open kib

	make_a
	deep=$(printf '%20000s' '')
	some=$(printf '%3000s' '')
	fails 2 'axt-calc: parentheses, signs or powers are nested too deep at character *' "axt-calc '${deep// /(}a' a=a.nc"
	fails 2 'axt-calc: parentheses, signs or powers are nested too deep at character *' "axt-calc '${deep// /2^-}a' a=a.nc"
	for kib in 128 256 1024; do # also in a small stack, of which functions take most, and the environment some
		for open in 'abs(' '(' 'not(' 'where(a,' 'sum(a,by=' 'a*2^-abs('; do
			fails 2 'axt-calc: parentheses, signs or powers are nested too deep at character *' \
				"ulimit -s $kib; MUCH='$deep$deep$deep' axt-calc '${some// /$open}a' a=a.nc"
		done
	done
	fails 1 'axt-calc: more than 4000 values and operations at character 4000 of *' "axt-calc 'a${deep// /+a}' a=a.nc"
	prints 1 "axt-calc '$(printf '%100s' '' | tr ' ' '(')1$(printf '%100s' '' | tr ' ' ')')' -p"
}

@test "targets: files made, slices assigned, several in one run" {
	make_a
	works "axt-calc 'm = mean(a, over=lon); m.nc:m = m; m.nc:s = sum(a, over=lon); \"x y.h5\":g/v = a > m' a=a.nc"
	prints $'1\n4' 'axt-print m.nc:m'
	prints $'3\n12' 'axt-print m.nc:s'
	prints $'false false true\nfalse false true' 'axt-print "x y.h5:g/v"'
	works "axt-calc 'm.nc:m[ lat = 0 ] += 2; a.nc[lat=1,lon=::-1] = a[lat=0]; m.nc:s/=3 # all' a=a.nc"
	prints $'3\n4' 'axt-print m.nc:m'
	prints $'1\n4' 'axt-print m.nc:s'
	prints $'0 1 2\n2 1 0' 'axt-print a.nc'
	works "axt-calc 'm.nc:p = 1; m.nc:q = 2'"
	prints 3 'axt-calc p+q p=m.nc:p q=m.nc:q -p'
	works "axt-order lon,lat a.nc | axt-calc 'a.nc = t*2' t=-"
	prints $'0 2 4\n4 2 0' 'axt-print a.nc'
	inode=$(stat -c %i a.nc)
	works "axt-calc --in-place 'a.nc[lat=0] = 9; a.nc[lat=1] -= 1'"
	prints $'9 9 9\n3 1 -1' 'axt-print a.nc'
	[ "$(stat -c %i a.nc)" = "$inode" ]
	works "axt-calc --explain 'n.nc = a*2' a=a.nc"
	[ ! -e n.nc ]
}

@test "targets: what is refused, with its place, and nothing is written" {
	make_a
	axt-make zeros x=2 --dtype i8 --name v -o b.nc
	axt-kind constant b.nc:v
	axt-make zeros x=2 --dtype i8 --name w -o c.nc
	sha256sum ./*.nc >before
	while IFS='|' read -r rc text message; do
		fails "$rc" "axt-calc: $message" "axt-calc -q '$text' a=a.nc"
	done <<-'END'
		2|a += 1|a is a name, and what is assigned to is a file at character 1 *
		2|a[lon=0] = 1|a is a name, *
		2|c.nc = 1, a|a file takes one value at character 9 *
		2|c.nc = 1; a|the value of this statement is not used at character 11 *
		2|a; c.nc = 1|the value of this statement is not used at character 1 *
		2|c.nc[x=0 = 1|the bracket is not closed at character 5 *
		1|c.nc[x@0] = 1|*at character 1 *
		2|c.nc =|a value is missing at character 7 *
		1|c.nc[x=0] = 2; c.nc += 1|c.nc:w is assigned to twice: the slices overlap at character 16 *
		1|n.nc:x = 2; ./n.nc:x = 1|./n.nc:x is assigned to twice at character 13 *
		1|c.nc:w = 2; c.nc:n = 1|c.nc:n is not there yet*at character 13 *
		1|c.nc:n += 1|c.nc: no dataset "n"*at character 1 *
		1|n.nc:n[x=0] = 1|*No such file*
		1|c.nc[y=0] = 1|no axis "y" in c.nc:w (x (2)) at character 1 *
		1|c.nc = a|*at character 1 *
		1|c.nc = 1; b.nc = 2|b.nc:v is a constant: it is not assigned to at character 11 *
		1|c.nc = 1; 5.5 = 2|5.5 is a number: it gives values and takes none at character 11 *
		1|n.nc = 1; c.nc = 300|300 does not fit i8 at x=0 in a number
		1|n.nc = 1; no/such/dir.nc = 2|no/such/dir.nc: No such file or directory
	END
	fails 1 'axt-calc: *exists (--no-clobber) at character 9 *' 'axt-calc -N "n.nc=1; c.nc = 1"'
	fails 2 'axt-calc: -o is of results, and there are none*' 'axt-calc -o n.nc "c.nc = 1"'
	fails 2 'axt-calc: --in-place is of files*' 'axt-calc --in-place 1 -p'
	sha256sum --quiet -c before
	[ ! -e n.nc ]
}

@test "a target that cannot take its place leaves those before it new, and says so" {
	mkdir d
	axt-make zeros x=9000 -o a.nc
	axt-make iota x=9000 -o s.nc
	# the directory goes while the values are waited for
	(sleep 1; rm -r d) &
	fails 1 'axt-calc: d/b.nc: No such file or directory' \
	    '{ head -c 9000 s.nc; sleep 2; tail -c +9001 s.nc; } | axt-calc "a.nc = t; d/b.nc = t" t=-'
	hints 'a.nc has its new values'
	wait
	works 'axt-equal a.nc s.nc'
}

@test "the tensor is the first argument of clip and of fillnan" {
	make_a
	fails 2 'axt-calc: the tensor that clip limits is operand A, and not a number at character 1 of "clip(1, 4, a)"' 'axt-calc "clip(1, 4, a)" a=a.nc'
	hints 'clip(a, 1, 4)'
	fails 2 'axt-calc: the lower limit of clip, 4, is greater than the upper, 1 at *' 'axt-calc "clip(a*2, 4, 1)" a=a.nc'
	hints 'clip(a*2, 1, 4)'
	fails 2 'axt-calc: the tensor that fillnan fills is operand A, and not a number at *' 'axt-calc "fillnan(0, a*2)" a=a.nc'
	hints 'fillnan(a*2, 0)'
	fails 2 'axt-calc: the tensor that clip limits is operand A, and not a number *' 'axt-calc "clip(3, a, 4)" a=a.nc'
	hints 'clip(a, 3, 4)'
}

@test "fields of dates are values" {
	make_cf
	fails 1 'axt-calc: no axis "year" in cf.nc:t *' 'axt-calc "take(a, year@time.year)" a=cf.nc:t'
	py 'h = h5py.File("y.nc", "w")
time = np.arange(24) * 30.4 + 15
h["time"] = time; h["time"].make_scale("time"); h["time"].attrs["units"] = np.bytes_("days since 2000-01-01")
h["t"] = np.arange(48.).reshape(24, 2); h["t"].dims[0].attach_scale(h["time"])
h["x"] = np.arange(2.); h["x"].make_scale("x"); h["t"].dims[1].attach_scale(h["x"])'
	works 'axt-calc "time.month, time.year, time.season" y.nc -o f.nc && axt-calc "y.time.month" y=y.nc:t -o g.nc'
	works "axt-calc 'where(time.season == \"DJF\", t, 0)' y.nc -o w.nc"
	works "axt-calc 'where(time.date >= \"2001-06-01\", t, 0)' y.nc -o d.nc"
	works "axt-calc 't - take(mean(t, over=time, by=time.month), month@time.month)' y.nc -o a.nc"
	works "axt-calc 'm = time.month; mean(t, over=time, by=m)' y.nc -o m.nc"
	prints $'2000\n2001' "axt-calc 'y = mean(t, over=time, by=time.year); y.year' y.nc -p"
	prints $'1\n1' "axt-calc 'y = mean(t, over=time, by=time.year); corr(y, y.year, over=year)' y.nc -p"
	prints $'2000\n2001' "axt-calc 'y = mean(t, over=time, every=year); y.time.year' y.nc -p"
	fails 2 'axt-calc: unknown name "year" at *' "axt-calc 'y = mean(t, over=time, by=time.year); corr(y, year, over=year)' y.nc -p"
	works "axt-calc 'half = time.month > 6; p = mean(t, over=time, by=half); q = sum(t, over=time, by=half); p, q' y.nc -o h.nc"
	works "axt-calc 'x = t[time=6:18]; where(x.time.month == 7, x, 0)' y.nc -o x.nc"
	py 'import xarray as xr
d = xr.open_dataset("y.nc"); g = d.t.groupby("time.month")
f = h5py.File("f.nc")
for k in "month", "year":
    assert (f[k][:] == getattr(d.time.dt, k).values).all()
assert (h5py.File("g.nc")["month"][:] == d.time.dt.month.values).all()
def same(name, want, v="t"):
    got = h5py.File(name)[v][:]
    assert np.array_equal(got, np.asarray(want)), (name, got, want)
same("w.nc", d.t.where(d.time.dt.season == "DJF", 0))
same("d.nc", d.t.where(d.time >= np.datetime64("2001-06-01"), 0))
same("a.nc", g - g.mean())
same("m.nc", g.mean()); assert "month" in h5py.File("m.nc")
same("h.nc", d.t.groupby(d.time.dt.month > 6).mean().values, "p"); assert "half" in h5py.File("h.nc")
x = d.t[6:18]; same("x.nc", x.where(x.time.dt.month == 7, 0))'
	fails 2 'axt-calc: no season is "XYZ" at character 16 of *' "axt-calc 'time.season == \"XYZ\"' y.nc"
	for f in month season dayofyear year; do
		works "axt-calc 't - mean(t, over=time, by=time.$f)' y.nc -o 1.nc && axt-calc 'take(mean(t, over=time, by=time.$f), $f@time.$f)' y.nc -o of.nc"
		works 'axt-sub y.nc:t of.nc | axt-equal - 1.nc'
		works "axt-reduce mean --over time --by time.$f y.nc:t -o c.nc && axt-calc '(-c) + t' t=y.nc:t c=c.nc:t | axt-equal - 1.nc"
		works 'axt-sub y.nc:t c.nc | axt-equal - 1.nc && axt-sub "y.nc:*" "c.nc:*" | axt-equal - 1.nc'
	done
	works "axt-reduce mean --over time --by time.month y.nc:t | axt-rename month=m - -o m.nc && axt-calc 't - c' t=y.nc:t c=m.nc -o o.nc --force"
	py 'assert h5py.File("o.nc")["t"].shape == h5py.File("y.nc")["t"].shape + (12,)'
	works 'cp y.nc z.nc && axt-calc "z.nc:t[time@2000-06, x@1:] = -1" && axt-assign "z.nc:t[x@0]" = 3'
	py 'import xarray as xr
want = xr.open_dataset("y.nc").t.copy(); want.loc[dict(time="2000-06", x=slice(1, None))] = -1; want.loc[dict(x=0)] = 3
assert np.array_equal(want, h5py.File("z.nc")["t"][:])'
	works 'axt-slice time=0:12 y.nc:t -o z.nc'
	fails 1 'axt-calc: axis "time" has length *' 'axt-calc "a + mean(b) + time.month" a=y.nc:t b=z.nc:t'
	hints 'a.time.month has those of a'
}

@test "datasets in groups are known by their paths" {
	py 'f = h5py.File("g.h5", "w"); np.random.seed(3)
for n in "m1/t", "m2/t", "s", "m1/s", "air-2m":
    f[n] = np.random.rand(2, 3)'
	works "axt-calc '/m1/t - /m2/t' g.h5 -o a.nc && axt-calc '\"m1/t\" / \"/m2/t\"' g.h5 -o b.nc"
	works "axt-calc 's/ /m1/s' g.h5 -o c.nc && axt-calc '2*\"air-2m\"' g.h5 -o d.nc && axt-calc 't = 3; s*t' g.h5 -o e.nc"
	works "axt-calc '/m1/t, s' g.h5 -o f.nc && axt-equal f.nc:t g.h5:/m1/t"
	py 'f = h5py.File("g.h5")
def same(name, want):
    g = h5py.File(name); assert [np.array_equal(d[()], want) for d in g.values() if d.ndim == 2] == [True], name
same("a.nc", f["m1/t"][:] - f["m2/t"][:]); same("b.nc", f["m1/t"][:] / f["m2/t"][:])
same("c.nc", f["s"][:] / f["m1/s"][:]); same("d.nc", 2 * f["air-2m"][:]); same("e.nc", f["s"][:] * 3)'
	fails 1 'axt-calc: "t" is g.h5:/m1/t and g.h5:/m2/t: NAME=OPERAND gives one a name' "axt-calc 't*2' g.h5"
	hints "axt-calc '/m1/t*2' g.h5"
	fails 2 'axt-calc: no operand has a dataset "/m1/x" at *' "axt-calc 's + /m1/x' g.h5"
	# of a group the names begin there
	works "axt-calc 't / s' g.h5:/m1/ -o h.nc && axt-calc 't / s' g.h5:m1 -o i.nc && axt-equal h.nc i.nc"
	py 'f = h5py.File("g.h5"); g = h5py.File("h.nc")
assert [np.array_equal(d[()], f["m1/t"][:] / f["m1/s"][:]) for d in g.values() if d.ndim == 2] == [True]'
	fails 1 'axt-calc: the expression has none of the names in g.h5:/m2/: t' "axt-calc 's + 1' g.h5:/m2/"
	works "axt-calc '/m1/t / /m1/s' 'g.h5:*' -o j.nc && axt-equal h.nc j.nc"
}

@test "a file that is not used gives a warning" {
	make_a
	py 'f = h5py.File("b.nc", "w"); f["b"] = np.ones(2); f["g/c"] = np.ones(2)'
	sh_run 'axt-calc "a + 1" a=a.nc b.nc -p'
	[ "$status" -eq 0 ]
	[ "$stderr" = 'axt-calc: warning: the expression has none of the names in b.nc: b, /g/c' ]
	fails 1 'axt-calc: the expression has none of the names in b.nc: *' 'axt-calc "a + none" a=a.nc b.nc'
}

@test "a name of a value that is no result may be that of its axis" {
	prints $'0\n2\n4' 'axt-calc "n = iota(n=3); n*2" -p'
	prints $'0\n2\n4' 'axt-calc "n = iota(n=3); m = n*2" -p'
	fails 2 'axt-calc: the result n has an axis of that name, which only the axis'"'"'s coordinates may have at *' 'axt-calc "n = iota(n=3)"'
	hints 'give the result another name'
	fails 2 'axt-calc: the result n has an axis of that name*' 'axt-calc "n = iota(n=3), m = ones(n=3)"'
}

@test "273.15 leaves the units" {
	axt-make iota:280 x=3 --dtype f32 --name tas --attr units=K -o k.nc
	sh_run "axt-calc 'tas - 273.15' k.nc -o c.nc"
	[ "$status" -eq 0 ]
	[[ $stderr == 'axt-calc: warning: the result still has units "K"; axt-convert --to degC converts'* ]]
	sh_run "axt-sub 273.15 k.nc -o c.nc"
	[[ $stderr == 'axt-sub: warning: the result is 273.15 minus the temperature; '* ]]
	sh_run "axt-calc 'tas - 273.15' k.nc -o c.nc"
	axt-attr units=Celsius c.nc
	sh_run 'axt-add 273.15 c.nc -o d.nc'
	[[ $stderr == 'axt-add: warning: the result still has units "Celsius"; axt-convert --to K converts'* ]]
	works "axt-calc 'tas - 273.15' k.nc --attr units=degC -o c.nc"
	works "axt-calc 'exp((tas - 273.15)/10)' k.nc -o c.nc"
	works "axt-calc 'tas + 273.15' k.nc -o c.nc"
	works "axt-calc 'tas - 273' k.nc -o c.nc"
	works "axt-convert --to degC k.nc -o c.nc"
}

@test "values that were made of a conversion by hand: a warning where they still have its units" {
	axt-make iota:280 time=3,x=2 --dtype f32 --name tas --attr units=K -o k.nc
	for e in 'mean(tas - 273.15, over=time)' 'T = tas - 273.15; maximum(T, 0)' 'T = tas - 273.15; where(T > 8, T*1.1, T)' 'T = tas - 273.15; max(T), min(T)'; do
		warned 'axt-calc: warning: tas - 273.15 still has units "K", and so has the result; convert(tas, "degC") converts values and units, --attr units=UNITS sets those of the result' "axt-calc '$e' k.nc -o o.nc"
	done
	works "axt-calc 'T = tas - 273.15; T - mean(T, over=time)' k.nc -o o.nc"
	works "axt-calc 'std(tas - 273.15, over=time), sum(tas - 273.15 > 8)' k.nc -o o.nc"
	works "axt-calc 'mean(tas - 273.15) + 273.15' k.nc -o o.nc"
	works "axt-calc 'mean(tas - 273.15)' k.nc --attr units=degC -o o.nc"
	works "axt-calc 'round(tas*100)/100' k.nc -o o.nc"
	axt-attr --in-place units='kg m-2 s-1' k.nc:tas
	warned 'axt-calc: warning: tas\*86400 still has units *; convert(tas, "kg m-2 day-1") *' "axt-calc 'max(tas*86400, over=time)' k.nc -o o.nc"
}

@test "an angle times a number has no units" {
	axt-make ones x=3 --attr 'units=m s-1' --name u -o a.nc
	works "axt-calc 'a = atan2(u, u)*180/pi + 180, b = 2*atan2(u, u)*6371^2, c = -atan2(u, u)/1, d = u*2, e = cos(degrees(u)*pi/180)' a.nc -o o.nc"
	for r in a b e; do fails 1 "*units*" "axt-attr units o.nc:$r"; done
	prints 'units=radian' 'axt-attr units o.nc:c'
	prints 'units=m s-1' 'axt-attr units o.nc:d'
}

@test "--attr RESULT:NAME=TEXT is for one result, and angles have units" {
	axt-make ones x=3 --name u -o a.nc
	works "axt-calc 's = hypot(u, u), d = degrees(atan2(-u, u)) % 360' a.nc --attr s:long_name=speed --attr comment=both -o o.nc"
	prints 's degree speed both both' "echo s \$(axt-attr units o.nc:d | cut -d= -f2) \$(axt-attr long_name o.nc:s | cut -d= -f2) \$(for r in s d; do axt-attr comment o.nc:\$r | cut -d= -f2; done)"
	fails 1 '*long_name*' 'axt-attr long_name o.nc:d'
}

@test "datasets of text: compared, as labels, and refused elsewhere" {
	py 'e = np.zeros(4, [("det", "S8"), ("energy", "f8")]); e["det"] = [b"ECAL", b"TRK", b"ECAL", b""]; e["energy"] = [1, 2, 4, 8]
f = h5py.File("e.h5", "w"); f["events"] = e; f["w"] = np.array([b"x", b"y", b"x", b"x"])'
	prints 5 "axt-calc 'sum(where(det == \"ECAL\", energy, 0))' e.h5 -p"
	prints 10 "axt-calc 'sum(where(det != \"ECAL\", energy, 0))' e.h5 -p"
	prints 2 "axt-calc 'sum(d == \"ECAL\" and w == '\"'x'\"')' d=e.h5:events.det w=e.h5:w -p"
	prints $'det,energy\nECAL,5\nTRK,2' "axt-calc 'sum(energy, by=det)' e.h5 | axt-print --csv | sed 's/events.//g'"
	prints $'true\nfalse\ntrue\nfalse' "axt-eq e.h5:events.det ECAL -p"
	prints $'false\ntrue\nfalse\ntrue' "axt-ne ECAL -:events.det -p <e.h5"
	prints $'1\n4' "axt-slice dim_0@<(axt-eq e.h5:events.det ECAL) e.h5:events.energy -p"
	sh_run "axt-eq e.h5:events.det ECL | axt-reduce sum -p"
	[ "$output" = 0 ]
	[ "$stderr" = 'axt-eq: warning: no text of e.h5:events.det is "ECL"; did you mean "ECAL"?' ]
	sh_run "axt-calc 'sum(w == \"abc\")' e.h5 -p"
	[ "$output" = 0 ]
	[ "$stderr" = 'axt-calc: warning: no text of e.h5:w is "abc"; they are "x", "y"' ]
	fails 1 'axt-calc: e.h5:events.det holds text, not numbers at character 5 of "det * 2"' "axt-calc 'det * 2' e.h5"
	fails 1 'axt-calc: e.h5:w holds text, not numbers*' "axt-calc w e.h5 -o o.h5"
	hints 'NAME == "TEXT" is true where it is that text; by=NAME takes it as labels'
	fails 2 'axt-calc: e.h5:w holds text, and is compared with a text in quotes at character 6 of "w == x"' "axt-calc 'w == x' e.h5 -p"
	fails 1 'axt-calc: texts are compared by == and != (e.h5:w)*' "axt-calc 'w < \"x\"' e.h5 -p"
	fails 1 'axt-eq: e.h5:w and e.h5:events.det hold text, and a text is compared with a word' "axt-eq e.h5:w e.h5:events.det"
}

# Flags of Argo floats: a letter for each level.
make_flags()
{
	cat >f.cdl <<-'E'
	netcdf f {
	dimensions: P = 2 ; L = 3 ; STRING2 = 2 ;
	variables: float T(P, L) ; char Q(P, L) ; char N(P, STRING2) ; double JULD(P) ;
	data: T = 1, 2, 4, 8, 16, 32 ; Q = "114", "41 " ; N = "ab", "cd" ; JULD = 5, 6 ;
	}
	E
	ncgen -4 -o f4.nc f.cdl
	ncgen -3 -o f3.nc f.cdl
}

@test "characters along an axis of numbers are flags, one for each" {
	make_flags
	for f in f4.nc f3.nc; do
		prints $'1 2 nan\nnan 16 nan' "axt-calc 'where(Q == \"1\", T, nan)' $f -p"
		prints $'true true false\nfalse true false' "axt-eq $f:Q 1 -p"
		prints $'114\n41 ' "axt-print $f:Q"
		prints $'P,L,Q\n0,0,1\n0,1,1' "axt-print --csv --head 2 $f:Q"
		prints $'ab\ncd' "axt-print $f:N"
		prints $'Q,T\n ,32\n1,19\n4,12' "axt-reduce sum --by $f:Q $f:T | axt-print --csv"
		prints $'true\nfalse' "axt-calc 'Q[L=0] == \"1\"' $f -p"
		prints $'Q,T\n1,1\n4,8' "axt-calc 'sum(T[L=0], by=Q[L=0])' $f | axt-print --csv | grep -v '^ '"
		works "axt-copy $f -o c.nc && axt-equal $f c.nc"
		sh_run "axt-slice L=1: $f:* -o s.nc"
		[ "$status" -eq 0 ]
		prints $'14\n1 ' 'axt-print s.nc:Q'
		prints $'ab\ncd' 'axt-print s.nc:N'
		prints '  Q P=2 L=2 (text)' 'axt-info s.nc | grep "  Q"'
		sh_run "axt-slice P=1 $f:* -o s.nc"
		prints $'4\n1\n ' 'axt-print s.nc:Q'
	done
}

@test "comparisons of integers with numbers out of their range have an answer" {
	axt-make iota x=3 --dtype u8 --name a -o a.nc
	prints $'p\t3\nq\t0\nr\t3\ns\t3\nt\t0' "axt-calc 'p = sum(a > -1), q = sum(a == 300), r = sum(a != 300), s = sum(a < 1000), t = sum(cast(a, u64) == -1)' a.nc -p"
	prints 0 'axt-gt a.nc 256 | axt-reduce sum -p'
	fails 1 'axt-add: 300 does not fit u8 (0..255)' 'axt-add a.nc 300'
	hints 'i16 has room: axt-cast --dtype i16, or cast(a, i16) in axt-calc'
}

@test "quoted names that no operand has" {
	make_a
	fails 2 'axt-calc: no operand has a dataset "b:0" at character 3 of *' "axt-calc '2*\"b:0\"' a=a.nc -p"
	hints 'in quotes stands the path of a dataset, "/group/tas", or its name, where no other has it'
	fails 2 'axt-calc: no operand has a dataset "x" at character 1 of *' "axt-calc '\"x\" == a' a=a.nc -p"
	hints 'a text stands behind the name: NAME == "x"'
}

@test "axes without names that do not meet: the hint lets them meet the last ones" {
	py 'f = h5py.File("f.h5", "w"); f["v"] = np.zeros((4, 2, 3)); f["b"] = np.zeros((2, 3)); f["c"] = np.zeros((5, 3))'
	fails 1 'axt-sub: axis "dim_0" has length 4 in f.h5:v and 2 in f.h5:b' 'axt-sub f.h5:v f.h5:b'
	hints 'axes without names meet by their numbers; axt-rename dim_0=dim_1,dim_1=dim_2 f.h5:b lets its axes meet the last ones, as in NumPy'
	fails 1 'axt-calc: axis "dim_0" has length 4 in f.h5:v and 2 in f.h5:b at *' 'axt-calc "v - b*2" f.h5'
	hints 'axes without names meet by their numbers; rename(b\*2, dim_0=dim_1, dim_1=dim_2) lets its axes meet *'
	fails 1 'axt-sub: axis "dim_0" has length 4 in f.h5:v and 5 in f.h5:c' 'axt-sub f.h5:v f.h5:c'
	[[ $stderr != *hint* ]]
}

@test "several labels" {
	axt-make iota t=6,x=2 --dtype f64 --name v -o v.nc
	axt-calc 'iota(t=6) % 2' --name odd -o v.nc:odd
	works "axt-calc 'mean(v, over=(t,x), by=(odd, v > 5))' v.nc -o a.nc"
	prints 'tensor f64 odd=2 v=2' 'axt-info --brief a.nc'
	prints $'2.5 8.5\n2.5 8.5' 'axt-print a.nc'
	works "axt-calc 'big = v > 5; mean(v, over=(t,x), by=(odd,big))' v.nc -o b.nc && axt-calc 'v > 5' v.nc --name big -o v.nc:big"
	works 'axt-reduce mean --over t,x --by v.nc:odd,big v.nc:v -o c.nc && axt-equal b.nc c.nc'
	fails 2 'axt-calc: a value is missing before *' "axt-calc 'mean(v, by=(odd,))' v.nc -p"
}

@test "a time and a duration" {
	axt-make iota init=2 | axt-coord set init=0:7 --attr 'init:units=days since 2010-01-01' --name v -o i.nc
	axt-make iota:6:6 lead=2 --name h --attr units=hours -o l.nc
	prints $'2010-01-01T06:00:00 2010-01-01T12:00:00\n2010-01-08T06:00:00 2010-01-08T12:00:00' "axt-calc -q 'init + lead' lead=l.nc:h init=i.nc:init -p"
	# in either order: a time, along the axes as they are met
	prints $'2010-01-01T06:00:00 2010-01-08T06:00:00\n2010-01-01T12:00:00 2010-01-08T12:00:00' "axt-calc -q 'lead + init' lead=l.nc:h init=i.nc:init -p"
	prints $'2010-01-07T18:00:00\n2010-01-07T12:00:00' "axt-calc -q 'init[init=1] - lead' lead=l.nc:h init=i.nc:init -p"
}

@test "units with a slash" {
	prints $'10.799999999999999\n14.399999999999999' "axt-make iota:3:1 x=2 --dtype f64 --name r --attr 'units=m s-1' | axt-calc 'convert(r, \"km/h\")' r=- -p"
}

@test "gradient: slopes by the coordinates, beside NumPy" {
	py '
r = np.random.default_rng(8)
f = h5py.File("g.nc", "w")
x = dict(e=np.arange(40) * 3, u=np.cumsum(r.random(40) + .1), d=-np.cumsum(r.random(40) + .1), w=np.array([7., 9]))
def scale(name, v, **attrs):
	f[name] = v; f[name].make_scale(name)
	for k in attrs: f[name].attrs[k] = np.bytes_(attrs[k])
for n in x: scale(n, x[n], **(dict(units="hours since 2000-01-01") if n == "e" else dict(units="m")))
scale("lon", np.array([350., 355, 0, 10]), units="degrees_east", standard_name="longitude")
def put(name, v, axes, **attrs):
	f[name] = v
	for i, n in enumerate(axes):
		if n in f: f[name].dims[i].attach_scale(f[n])
		else: f[name].dims[i].label = n
	for k in attrs: f[name].attrs[k] = np.bytes_(attrs[k])
def both(name, v, axes, along, at):
	put(name, v, axes, units="K"); put(name + "_s", np.gradient(v, at, axis=axes.index(along)), axes)
for k in "eud":
	for t in "f8", "f4", "i4", "c16":
		v = (r.normal(size=(3, 40, 5)) * 100).astype(t)
		if t == "c16": v += 1j * r.normal(size=v.shape)
		if t[0] == "f": v[0, 7], v[1, 0], v[1, 39], v[2, :2], v[2, 39] = np.nan, np.nan, np.nan, np.inf, -np.inf
		both(k + t, v, ("y", k, "z"), k, x[k])
both("first", r.normal(size=(40, 300)), ("u", "y"), "u", x["u"])
both("last", r.normal(size=(300, 40)), ("y", "u"), "u", x["u"])
both("two", r.normal(size=(2, 3)), ("w", "y"), "w", x["w"])
both("no", r.normal(size=(9, 3)), ("n", "y"), "n", np.arange(9.))
both("turn", r.normal(size=(3, 4)), ("y", "lon"), "lon", np.array([350., 355, 360, 370]))
put("one", np.ones((1, 2)), ("o", "y"))
scale("bad", np.array([1., 2, 2])); put("same", np.ones(3), ("bad",))
'
	for t in {e,u,d}{f8,f4,i4,c16}; do
		how='--rtol 2e-15 --atol 1e-13'	# sums of three products may cancel each other
		[ "${t:0:1}" != e ] || how='--ulp 1'
		[[ $t != *f4 ]] || how='--rtol 1e-6 --atol 1e-4'	# NumPy computes differences in f32
		works "axt-calc 'gradient($t, along=${t:0:1})' g.nc | axt-equal $how - g.nc:${t}_s"
	done
	for t in first:u last:u two:w no:n turn:lon; do
		n=${t%:*}
		works "axt-calc 'gradient($n, along=${t#*:})' g.nc | axt-equal --rtol 2e-15 --atol 1e-13 - g.nc:${n}_s"
		works "axt-copy g.nc:$n | AXT_FUSE=0 axt-calc 'gradient(a + 0, along=${t#*:})' a=- | axt-equal --rtol 2e-15 --atol 1e-13 - g.nc:${n}_s"
		works "AXT_TILE=7 AXT_SLAB=64 axt-calc 'gradient($n, along=${t#*:})' g.nc | axt-equal --rtol 2e-15 --atol 1e-13 - g.nc:${n}_s"
	done
	prints 'ef8 f64 y=3 e=40 z=5  K hours-1' "axt-calc 'gradient(ef8, along=e)' g.nc | axt-info --brief"
	axt-make ones lat=3,time=2 --name t --attr units=degC | axt-coord set lat=0:10 --attr lat:units=degrees_north -o l.nc
	prints 't f32 lat=3 time=2  K degree-1' "axt-calc 'gradient(t, along=lat)' l.nc | axt-info --brief"
	fails 1 'axt-calc: axis "o" in g.nc:one has one element, and a gradient is between two or more at *' "axt-calc 'gradient(one, along=o)' g.nc -p"
	fails 1 'axt-calc: axis "bad" in g.nc:same neither rises nor falls: 2 comes before 2 at *' "axt-calc 'gradient(same, along=bad)' g.nc -p"
	fails 2 'axt-calc: gradient needs along=AXIS at *' "axt-calc 'gradient(one)' g.nc -p"
}

@test "a value that is assigned and not used gives a warning" {
	axt-calc 'p = iota(0,10,z=4); p, t = p*2' -o g.nc
	warned 'axt-calc: warning: q is assigned, and its value is not used' "axt-calc 'q = log(p); interp(t, z=5,6, points=p)' g.nc -p"
	warned 'axt-calc: warning: z is assigned, and its value is not used' "axt-calc 'z = t + 1; mean(t, over=z)' g.nc -p"
	warned 'axt-calc: warning: q is assigned, and its value is not used' "axt-calc 'q = log(p); o.nc:r = t' g.nc"
	works "axt-calc 'q = iota(h=2)*9; m = t > 2; interp(t[z=m], z=q, points=p[z=m])' g.nc -p"
	works "axt-calc 'q = p + 1; r = q*2, s = q' g.nc -o x.nc"
	works "axt-calc 'q = p + 1; q' g.nc -p"
}

@test "targets of interp that are computed" {
	axt-calc 'p = iota(0,10,z=4); p, t = p*2' -o g.nc
	prints $'10\n30' "axt-calc 'interp(t, z=iota(5,10,h=2), points=p)' g.nc -p"
	prints $'8\n14' "axt-calc 'h = iota(1,1,h=2); interp(t, z=h*3 + 1, points=p)' g.nc -p"
	for w in '3*h + 1' '(h*3 + 1)' '-h*-3 + 1' '1 + (h + h*2)'; do
		prints $'8\n14' "axt-calc 'h = iota(1,1,h=2); interp(t, z=$w, points=p)' g.nc -p"
	done
	prints $'8\n14' "axt-calc 'interp(t, z=4:7:3, points=p)' g.nc -p"
	prints $'nan\n14' "axt-calc 'interp(t, z=-4,7, points=p)' g.nc -p"
	fails 2 'axt-calc: unknown name "foo" at character 17 of *' "axt-calc 'interp(t, z=log(foo), points=p)' g.nc -p"
	fails 2 'axt-calc: "," or ")" is missing before ":" at *' "axt-calc 'interp(t, z=iota(1:3), points=p)' g.nc -p"
}

@test "results of one file have one axis of a name: other coordinates are an error" {
	axt-make iota:5:-1 t=3 --name a | axt-coord set t=10:10 -o s.nc
	for line in 'early = a[t=0:2], late = a[t=1:3]' 'a, r = flip(a, t)' 'a, r = shift(a, t=1)'; do
		fails 1 'axt-calc: axis "t" has other coordinates in * than in *, and a file has one axis of a name: at index 0 *' "axt-calc '$line' s.nc -o o.nc"
	done
	fails 1 'axt-calc: axis "t" has other coordinates *' "axt-calc 'k.nc:early = a[t=0:2]; k.nc:late = a[t=1:3]' s.nc"
	works "axt-calc 'early = a[t=0:2], late = rename(a[t=1:3], t=t2)' s.nc -o o.nc"
	prints $'t2,late\n20,4\n30,3' 'axt-print --csv o.nc:late'
	# one without coordinates gets those of the other, whichever comes first
	for line in 'r = sort(a, along=t), a' 'a, r = sort(a, along=t)'; do
		warned 'axt-calc: warning: r has no coordinates along "t", and gets those of a' "axt-calc '$line' s.nc -o o.nc"
		prints '10 20 30' 'axt-print o.nc:t | paste -sd " "'
	done
	prints $'t,a,b\n10,5,10\n20,4,8\n30,3,6' "axt-calc 'a, b = a*2' s.nc | axt-print --csv"
	# results that are printed one after another, not as one table
	prints $'# a\n5\n4\n3\n\n# r\n3\n4\n5' "axt-calc 'a, r = flip(a, t)' s.nc -p"
	# a coordinate without axes that has the name of another result's axis
	axt-make iota time=3,lat=4 --name a | axt-coord set lat=0:10 -o m.nc
	warned 'axt-calc: warning: the coordinate "lat" of s is left out: p has another one of that name' "axt-calc 'p = a*2, s = a[lat@10]' m.nc -o o.nc"
	warned 'axt-calc: warning: the coordinate "lat" of s is left out: p has another one of that name' "axt-calc 's = a[lat@10], p = a*2' m.nc -o o.nc"
	fails 1 '*has no attribute*' 'axt-attr coordinates o.nc:s'
	warned 'axt-slice: warning: the coordinate "lat" of s is left out: m.nc has another one of that name' 'axt-slice lat@10 m.nc:a --name s -o m.nc:s'
}

@test "bits of quality flags that have a number for missing ones" {
	py "
f = h5py.File('q.nc', 'w')
for name, t in ('qa', 'u2'), ('q32', 'i4'):
    f[name] = np.array([0, 8, 9, 1, 4, 16, 255], t); f[name].attrs['_FillValue'] = np.array([255], t)
f['v'] = np.arange(7.)
for n in f: f[n].dims[0].label = 'x'"
	for q in qa q32; do
		prints 'true true false false false true false' "axt-calc '($q & 7) == 0' q.nc -p | paste -sd ' '"
		prints '0 0 1 1 4 0 nan' "axt-calc '$q & 7' q.nc -p | paste -sd ' '"
		prints '0 0 1 1 4 0 nan' "axt-bitwise-and q.nc:$q 7 | axt-print | paste -sd ' '"
		prints '0 1 5' "axt-calc 'take(v, x=($q & 7) == 0)' q.nc -p | paste -sd ' '"
	done
	prints '0 8 9 1 4 16 nan' "axt-calc 'qa | q32' q.nc -p | paste -sd ' '"
	prints '65535 65527 65526 65534 65531 65519 nan' "axt-calc '~qa' q.nc -p | paste -sd ' '"
	fails 1 'axt-calc: bitwise_and is not defined for f64 *' "axt-calc 'v & 7' q.nc -p"
	hints "axt-calc 'cast(v, i32) & 7' q.nc -p"
}

@test "the tensor of a file without names is known by the name of the file" {
	py 'np.save("w.npy", np.arange(3.)); np.save("v.npy", np.full(3, 2.))
import os; os.mkdir("d"); np.save("d/w.npy", np.ones(3))'
	printf 'P5 3 1 255\n\001\002\003' >p.pgm
	axt-make iota x=3 --name u -o u.nc
	prints $'0\n2\n4' "axt-calc 'w*2' w.npy -p"
	prints $'0\n2\n4' "axt-calc 'tensor*2' w.npy -p"
	prints $'2\n4\n6' "axt-calc 'w*v + v' w.npy v.npy -p"
	prints $'1\n2\n3' "axt-calc 'w+1' d/../w.npy -p"
	prints 6 "axt-calc 'sum(p)' p.pgm -p"
	prints $'s\t2\n\n# q\n0\n0.5\n1' "axt-calc 's = max(w), q = w/s' w.npy -p"
	# a name that another operand has is that one's, and one that is assigned is no operand
	warned 'axt-calc: warning: the expression has none of the names in w.npy: tensor' "axt-calc 'w+1' w=v.npy w.npy -p"
	warned 'axt-calc: warning: the expression has none of the names in d/w.npy: tensor' "axt-calc 'w+1' w.npy d/w.npy -p"
	fails 1 'axt-calc: the expression has none of the names in w.npy: tensor' "axt-calc 'x+1' w.npy"
	# a dataset that has a name of its own is known by that
	fails 1 'axt-calc: the expression has none of the names in a.nc: u*' "cp u.nc a.nc; axt-calc 'a+1' a.nc"
}

@test "nearest=true in brackets" {
	axt-make iota lat=3,lon=2 --name psl | axt-coord set lat=0:10 lon=0:5 -o p.nc
	prints '2' "axt-calc 'psl[lat@12, lon@1, nearest=true]' p.nc -p"
	prints '2' "axt-calc 'b = psl*1; b[nearest=true, lat@12, lon@1]' p.nc -p"
	prints '2' "axt-calc '(psl*1)[lat@10, lon@0, nearest=false]' p.nc -p"
	fails 1 'axt-calc: axis "lat" in psl\*1 has no 12: nearest is 10; *' "axt-calc 'b = psl*1; b[lat@12, lon@0]' p.nc -p"
	hints "axt-calc 'b = psl\*1; b[[]lat@12, lon@0, nearest=true]' p.nc -p"
	fails 2 'axt-calc: [[]..] needs AXIS=SPEC or AXIS@SPEC *' "axt-calc 'psl[nearest=true]' p.nc -p"
}

@test "and, or and not are about truth, & | ~ about bits" {
	py "
f = h5py.File('m.nc', 'w')
f['mask'] = np.array([0, 1, 2, 0], 'i1'); f['t'] = np.array([0., 1.5, np.nan, -2]); f['z'] = np.array([0, 1j, 0j, 2])
for n in f: f[n].dims[0].label = 'x'"
	prints 'false true true false' "axt-calc 'mask and true_' m.nc true_=<(axt-gt 2 1) -p | paste -sd ' '"
	prints 'false true true false' "axt-calc 'mask and t' m.nc -p | paste -sd ' '"
	prints 'true false true false' "axt-calc 'not z' m.nc -p | paste -sd ' '"
	prints 'false true true true' "axt-calc 'z or t' m.nc -p | paste -sd ' '"
	prints '2.5' "axt-calc 'sum(where(not mask, t + 2.25, 0))' m.nc -p"
	prints '0 0 2 0' "axt-calc 'mask & 6' m.nc -p | paste -sd ' '"
	prints '-1 -2 -3 -1' "axt-calc '~mask' m.nc -p | paste -sd ' '"
	prints '7 7 7 7' "axt-calc 'mask | 3 & 2 | 5 + 0*mask' m.nc -p | paste -sd ' '"
	prints 'false false true false' "axt-calc '(mask & 2) > 1' m.nc -p | paste -sd ' '"
	fails 2 'axt-calc: "&" joins what is beside it before it is compared*' "axt-calc 'mask & 2 > 1' m.nc -p"
	fails 2 'axt-calc: "|" joins what is beside it before it is compared*' "axt-calc '1 < mask | 2' m.nc -p"
	fails 1 'axt-calc: bitwise_and is not defined for f64*' "axt-calc 't & 1' m.nc -p"
	warned 'axt-calc: warning: "and" is about truth, and a number is always true: "&" is about bits' "axt-calc 'mask and 6' m.nc -p"
}

@test "--assert: the status says whether all results are true" {
	py 'f = h5py.File("t.h5", "w"); f["t"] = np.arange(24.).reshape(4, 6); f["m"] = np.array([True, False]); f["g"] = np.array([1, -9., 3])
f["g"].attrs["_FillValue"] = -9.; f["none"] = np.zeros((0, 3)); r = np.random.default_rng(8).normal(size=3000); f["r"] = r
open("n", "w").write(str((r <= 1).sum()))'
	prints '' "axt-calc --assert 'all(t >= 0)' t.h5"
	prints '' "axt-calc --assert 't >= 0 and t < 24' t.h5"
	prints '' "axt-calc --assert 'none > 0' t.h5"
	prints '' "axt-calc --assert 't >= 0' t.h5 | cat"
	fails 1 'axt-calc: all(t > 0) is false' "axt-calc --assert 'all(t > 0)' t.h5"
	fails 1 'axt-calc: t > 0 is false for 1 of 24 elements' "axt-calc --assert 't > 0' t.h5"
	fails 1 'axt-calc: m is false for 1 of 2 elements' "axt-calc --assert m t.h5"
	fails 1 'axt-calc: *' "axt-calc --assert 't >= 0 and t < 23' t.h5"
	fails 1 'axt-calc: g > 0 is false for 1 of 3 elements' "axt-calc --assert 'g > 0' t.h5"
	fails 1 "axt-calc: r > 1 is false for $(cat n) of 3000 elements" "axt-calc --assert 'r > 1' t.h5"
	fails 1 'axt-calc: --assert takes what is true or false, as a comparison is; t is f64' "axt-calc --assert t t.h5"
	fails 2 'axt-calc: --assert writes nothing: *' "axt-calc --assert 't > 0' t.h5 -o o.h5"
	fails 2 'axt-calc: --assert writes nothing: *' "axt-calc --assert 't.h5:t *= 2'"
	[ ! -e o.h5 ]
}

@test "numbers that other tools count are along an axis, or no line is given" {
	for pair in 'arange(5)=iota(x=5)' 'np.arange(5)=iota(x=5)' 'range(0,10,2)=iota(0, 2, x=5)' 'arange(10,0,-3)=iota(10, -3, x=4)' 'arange(0,1,0.25)=iota(0, 0.25, x=4)'; do
		fails 2 'axt-calc: unknown *' "axt-calc '${pair%%=*}'"
		[[ $stderr == *"hint: axt-calc '${pair#*=}'" ]]
		prints "$(/usr/bin/python3 -c "import numpy as np; range = np.arange; from numpy import arange; print(*['%g' % v for v in ${pair%%=*}], sep='\n')")" "axt-calc '${pair#*=}' -p"
	done
	axt-make iota lon=5 --name t -o t.nc
	fails 2 'axt-calc: unknown *' "axt-calc 't*arange(5)' t.nc"
	[[ $stderr == *'hint: iota(AXIS=5) counts '* ]]
}

@test "reductions of what one loop reads are one loop; what is broadcast to many elements is computed once" {
	axt-make normal time=40,lat=30,lon=300 --seed 1 --name a -o a.nc; axt-make normal time=40,lat=30,lon=300 --seed 2 --name b -o b.nc
	works 'axt-calc "p=mean(a*b, over=time); q=mean(a, over=time); s=std(a - b, over=time); p, q, s" a.nc b.nc --explain'
	[ "$(grep -c '^  reads' <<<"$output")" -eq 2 ]
	works 'axt-calc "p=mean(a*b, over=time); q=mean(a, over=time); s=std(a - b, over=time); p, q, s" a.nc b.nc -o many.h5'
	works 'axt-calc "mean(a*b, over=time)" a.nc b.nc -o one.h5; axt-calc "mean(a, over=time)" a.nc -o two.h5; axt-calc "std(a-b, over=time)" a.nc b.nc -o three.h5'
	py 'f = h5py.File("many.h5"); m = [f[k] for k in f if f[k].ndim == 2]
ones = [[f[k] for k in f if f[k].ndim == 2][0] for f in map(h5py.File, ("one.h5", "two.h5", "three.h5"))]
assert len(m) == 3 and sorted(x[...].tobytes() for x in m) == sorted(x[...].tobytes() for x in ones)'
	axt-reduce max --over time,lon a.nc -o w.nc; axt-map cos w.nc -o cos.nc; axt-mul a.nc cos.nc -o apart.nc
	works 'axt-calc "a*cos(w)" a.nc w=w.nc:a -o once.nc'
	prints 0 'axt-calc "sum(x != y)" x=apart.nc y=once.nc -p'
	prints 'fused: cos' 'axt-calc "a*cos(w)" a.nc w=w.nc:a --explain | grep -o "fused: cos\$"'
	prints 'fused: cos mul' 'axt-calc "a[time=0:3]*cos(w)" a.nc w=w.nc:a --explain | grep -o "fused: cos mul"' # too few elements
	works 'cat a.nc | axt-calc "a*cos(a[time=0])" a=- -o piped.nc'
	works 'axt-calc "a*cos(a[time=0])" a.nc -o filed.nc'
	prints 0 'axt-calc "sum(x != y)" x=piped.nc y=filed.nc -p'
}
