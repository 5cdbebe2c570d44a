load helper
# Standard input, missing operands, descriptors.

@test "a missing operand of a one-operand command is standard input" {
	make_a
	prints $'0 -1 -2\n-3 -4 -5' 'axt-map negative -p <a.nc'
	prints $'0 -1 -2\n-3 -4 -5' 'cat a.nc | axt-map negative -p'
	prints $'0 -1 -2\n-3 -4 -5' 'cat a.nc | axt-map negative - -p'
	prints $'1 1 2\n3 4 4' 'cat a.nc | axt-clip 1 4 -p'
}

@test "operands that may change places: standard input goes first" {
	make_a
	axt-make ones lon=3 --dtype i64 -o b.nc
	prints $'1 2 3\n4 5 6' 'axt-add b.nc -p <a.nc'
	prints '      "axes": ["lat", "lon"],' 'axt-add b.nc <a.nc | axt-info --json | grep axes'
	for c in mul minimum maximum hypot eq ne; do
		works "axt-$c b.nc -p <a.nc"
	done
	for c in and or xor; do
		works "axt-$c b.nc -p <a.nc"
	done
	works 'axt-equal a.nc <a.nc'
}

@test "where order matters, - must be written: status 2 and a hint" {
	make_a
	for c in sub div floordiv mod pow atan2 copysign lt le gt ge dot fillnan; do
		fails 2 "axt-$c: operand B is missing" "axt-$c clim.nc <a.nc"
		hints "axt-$c clim.nc -"
	done
	fails 2 'axt-where: operand B is missing' 'axt-where c.nc a.nc'
	prints $'0 0 0\n0 0 0' 'axt-sub - a.nc -p <a.nc'
	prints $'0 0 0\n0 0 0' 'axt-sub a.nc - -p <a.nc'
}

@test "too few and too many operands" {
	fails 2 'axt-add: operand A is missing' 'axt-add'
	fails 2 'axt-sub: operand A is missing' 'axt-sub'
	fails 2 'axt-sub: too many operands: "c"' 'axt-sub a b c'
	fails 2 'axt-map: operand FUNC is missing' 'axt-map'
	fails 2 'axt-map: too many operands: "b"' 'axt-map sqrt a b'
	fails 2 'axt-make: takes no tensor, but "a.nc" was given' 'axt-make ones x=1 a.nc'
	prints 10 'axt-add 1 2 3 4 -p'
}

@test "standard input at most once" {
	make_a
	fails 2 'axt-sub: standard input can be read only once' 'axt-sub - - <a.nc'
	fails 2 'axt-sub: standard input can be read only once' 'axt-sub - -:tensor <a.nc'
	fails 2 'axt-reduce: standard input can be read only once' 'axt-reduce sum --weights - - <a.nc'
	fails 2 'axt-add: operand B is missing' 'axt-add - <a.nc'
}

@test "a dataset of a stream" {
	py 'f = h5py.File("m.h5", "w"); f["t"] = np.arange(3); f["u"] = np.arange(3) * 10'
	prints $'0\n10\n20' 'cat m.h5 | axt-print -:u'
	prints $'0\n10\n20' 'axt-print <(cat m.h5):u'
}

@test "/dev/fd and FIFOs are streams" {
	make_a
	prints $'0 2 4\n6 8 10' 'axt-add a.nc <(cat a.nc) -p'
	prints $'0 2 4\n6 8 10' 'axt-add <(cat a.nc) <(cat a.nc) -p'
	mkfifo f
	prints $'0 1 2\n3 4 5' 'cat a.nc >f & axt-print f; wait'
}

@test "a terminal as standard input: status 2, never a wait" {
	sh_run "script -qec 'axt-map sqrt; echo status \$?' /dev/null"
	[[ $output == *'axt-map: operand A is missing, and standard input is a terminal'* ]]
	[[ $output == *'status 2'* ]]
	sh_run "script -qec 'axt-sub - 1; echo status \$?' /dev/null"
	[[ $output == *'axt-sub: standard input is a terminal'* ]]
	[[ $output == *'status 2'* ]]
	sh_run "script -qec 'axt-info; echo status \$?' /dev/null"
	[[ $output == *'status 2'* ]]
}

@test "a terminal as standard output gets text, and is told what is left out" {
	axt-make iota x=3 -o s.nc
	sh_run "script -qec 'axt-add s.nc 1' /dev/null"
	[[ $output == $'# tensor i64 x=3\r\n1\r\n2\r\n3'* ]]
	axt-make iota x=5000 -o l.nc
	sh_run "script -qec 'axt-print l.nc' /dev/null"
	[[ $output == *'# 1000 of 5000 values shown; -p shows all'* ]]
	[[ $output == *$'499\r\n...\r\n4500'* ]]
	sh_run "script -qec 'axt-print -p l.nc' /dev/null"
	[ "${#lines[@]}" -eq 5000 ]
	sh_run "script -qec 'axt-add -p l.nc 0' /dev/null"
	[ "${#lines[@]}" -eq 5000 ]
}

@test "missing files and what is no tensor" {
	fails 1 'axt-add: *none.nc*' 'axt-add none.nc 1 -p'
	echo text >t.txt
	fails 1 'axt-add: *t.txt*' 'axt-add t.txt 1 -p'
	: >empty
	fails 1 'axt-add: *empty*' 'axt-add empty 1 -p'
	make_a
	fails 1 'axt-add: *none*tensor*' 'axt-add a.nc:none 1 -p'
	fails 1 'axt-map: *' 'axt-map sqrt -p </dev/null'
}

@test "closed stdin, stdout, stderr" {
	make_a
	works 'axt-add a.nc 1 -o x.nc <&-'
	works 'axt-add a.nc 1 -o x.nc >&-'
	if [ "${AXT_SANITIZER-}" != valgrind ]; then	# which does not start without standard error
		works 'axt-add a.nc 1 -o x.nc 2>&-'
		works 'axt-add a.nc 1 -o x.nc <&- >&- 2>&-'
	fi
	prints $'1 2 3\n4 5 6' 'axt-print x.nc'
	sh_run 'axt-map sqrt - -p <&-'
	[ "$status" -eq 1 ]
	[ -n "$stderr" ]
	sh_run 'axt-add a.nc 1 -p >&-'
	[ "$status" -eq 1 ]
	[[ $stderr == 'axt-add: standard output: '* ]]
	sh_run 'axt-add a.nc 1 >&-'
	[ "$status" -eq 1 ]
	[ -n "$stderr" ]
	for o in --help --version; do
		sh_run "axt-add $o >&-"
		[ "$status" -eq 1 ]
		[[ $stderr == 'axt-add: standard output: '* ]]
	done
}

@test "a full standard output: status 1" {
	make_a
	for c in 'axt-add a.nc 1' 'axt-add a.nc 1 -p' 'axt-add -h' 'axt-add --version' 'axt-info a.nc' 'axt-print a.nc' 'axt list' \
	    'axt-add a.nc 1 --explain' 'axt-attr a.nc'; do
		sh_run "$c >/dev/full"
		[ "$status" -eq 1 ]
		[ -n "$stderr" ]
		[ "${#stderr_lines[@]}" -eq 1 ]
	done
	axt-make iota x=100000 -o l.nc
	fails 1 'axt-print: standard output: No space left on device' 'axt-print l.nc >/dev/full'
}

@test "quiet on a reader that leaves" {
	axt-make iota x=100000 -o l.nc
	sh_run 'axt-print l.nc | head -n 1; echo "${PIPESTATUS[0]}"'
	[ "${lines[0]}" = 0 ]
	[ "${lines[1]}" = 141 ]
	[ -z "$stderr" ]
}

@test "a signal removes temporaries and kills by that signal" {
	for s in INT TERM HUP QUIT XCPU; do
		mkfifo in
		sh_run "set -m; exec 9<>in; axt-add in 1 -o out.nc & p=\$!; sleep 0.2; kill -$s \$p; wait \$p; echo \$?"
		[ "$output" -eq $((128 + $(kill -l $s))) ]
		rm in
		[ -z "$(ls -A)" ]
	done
	make_a
	cp a.nc out.nc
	# a writer that never ends: the output is begun, then interrupted
	sh_run "set -m; { head -c 9000 a.nc; sleep 5; } 2>/dev/null | axt-add - 1 -o out.nc & sleep 0.4; kill -INT %1; wait; ls -A"
	cmp a.nc out.nc
	[ "$output" = $'a.nc\nout.nc' ]
}
