load helper
# The screen itself is in tests/view.py.
# script(1) runs its command with $SHELL, which knows <(…) only when it is bash.
export SHELL=$BASH

@test "no terminal: one line, and a hint" {
	make_a
	fails 2 'axt-view: standard input and output are not both a terminal' 'axt-view a.nc'
	hints 'axt-info a.nc, or axt-plot a.nc:NAME'
	fails 2 'axt-view: standard input and output are not both a terminal' 'axt-view a.nc:tensor'
	hints 'axt-plot a.nc:tensor'
}

@test "usage" {
	sh_run 'axt-view -h'
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == 'usage: axt-view '* ]]
	fails 2 'axt-view: one file is looked at, not 0' 'axt-view'
	fails 2 'axt-view: one file is looked at, not 2' 'axt-view a.nc b.nc'
}

@test "a pipe, and a terminal without a screen" {
	make_a
	run script -qec 'TERM=dumb axt-view a.nc' /dev/null </dev/null
	[ "$status" -eq 2 ]
	[[ ${lines[0]} == 'axt-view: the terminal is dumb (TERM)'* ]]
	[[ ${lines[1]} == 'axt-view: hint: axt-info a.nc, or axt-plot a.nc:NAME'* ]]
	run script -qec 'TERM=xterm axt-view <(cat a.nc)' /dev/null </dev/null
	[ "$status" -eq 2 ]
	[[ $output == *'a pipe can be read once only'* ]]
}

@test "without ncurses" {
	make_a
	mkdir lib
	echo none >lib/libncursesw.so.6
	run script -qec 'TERM=xterm LD_LIBRARY_PATH=lib axt-view a.nc' /dev/null </dev/null
	[ "$status" -eq 2 ]
	[[ ${lines[0]} == 'axt-view: libncursesw.so.6 cannot be loaded (Debian'*'libncursesw6)'* ]]
	[[ ${lines[1]} == 'axt-view: hint: axt-info a.nc, or axt-plot a.nc:NAME'* ]]
}
