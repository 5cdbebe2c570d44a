# What the tests of commands share. A test's commands run in an empty directory, with standard input empty.
bats_require_minimum_version 1.5.0

AXT_TOP=${AXT_TOP:-$(cd "$BATS_TEST_DIRNAME/../.." && pwd)}
AXT_BIN=${AXT_BIN:-$AXT_TOP/build/bin}
export PATH=$AXT_BIN:$PATH LC_ALL=C.UTF-8 TZ=UTC0
unset AXT_THREADS AXT_MEMORY AXT_DEVICE OMP_NUM_THREADS SOURCE_DATE_EPOCH

setup()
{
	mkdir "$BATS_TEST_TMPDIR/w"
	cd "$BATS_TEST_TMPDIR/w" || exit 1
}

# small_stack: all that follows runs in 128 KiB of stack, of which the environment takes 32.
small_stack()
{
	[ -n "${AXT_SANITIZER-}" ] && return
	ulimit -S -s 128
	MUCH=$(printf '%32768s' '')
	export MUCH
}

# Python and NumPy need more.
/usr/bin/python3()
{
	(ulimit -S -s 8192 && command /usr/bin/python3 "$@")
}

# isas: the instruction sets of this build, in a line; all have what the first one has.
isas()
{
	AXT_ISA=none axt-add 1 2 -p 2>&1 | sed -n 's/.* instruction sets: //p' | grep .
}

# Runs a pipeline, given as one string.
sh_run()
{
	run --separate-stderr bash -o pipefail -c "$1" </dev/null
	echo "\$ $1"
	printf '%s\n' "status $status" "stdout: $output" "stderr: ${stderr-}"
}

# tells PIPELINE: what it says on standard error becomes $stderr, its status $status. What it prints is left out. Many
# lines are tried so, for each of which sh_run would take as long as the line itself.
tells()
{
	status=0
	stderr=$(bash -o pipefail -c "{ $1; } >/dev/null" </dev/null 2>&1) || status=$?
}

# once FUNCTION: runs it in a directory of its own the first time, and copies what it makes to this one.
once()
{
	local at=$BATS_FILE_TMPDIR/$1

	[ -d "$at" ] || { mkdir "$at" && (cd "$at" && "$1"); }
	cp -R "$at/." .
}

# prints TEXT PIPELINE: status 0, exactly this text, nothing said.
prints()
{
	sh_run "$2"
	[ "$status" -eq 0 ]
	[ "$output" = "$1" ]
	[ -z "${stderr-}" ]
}

# works PIPELINE: status 0, nothing said.
works()
{
	sh_run "$1"
	[ "$status" -eq 0 ]
	[ -z "${stderr-}" ]
}

# warned MESSAGE PIPELINE: it works, and the only line of stderr matches MESSAGE (a glob).
warned()
{
	sh_run "$2"
	[ "$status" -eq 0 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	# shellcheck disable=SC2053
	[[ ${stderr_lines[0]} == $1 ]]
}

# fails STATUS MESSAGE PIPELINE: the first line of stderr matches MESSAGE (a glob); at most a hint follows; no output.
fails()
{
	sh_run "$3"
	[ "$status" -eq "$1" ]
	[ -z "$output" ]
	# shellcheck disable=SC2053 # MESSAGE is a pattern
	[[ ${stderr_lines[0]-} == $2 ]]
	[ "${#stderr_lines[@]}" -le 2 ]
	[ "${#stderr_lines[@]}" -lt 2 ] || [[ ${stderr_lines[1]} == *": hint: "* ]]
}

# hints TEXT: the hint of what fails just ran matches.
hints()
{
	# shellcheck disable=SC2053
	[[ ${stderr_lines[1]-} == *": hint: "$1 ]]
}

# lacks PATTERN FILE: the file is there, and no line of it matches. "! grep" fails a test in its last line only.
lacks()
{
	local rc=0

	grep -e "$1" "$2" || rc=$?
	[ "$rc" -eq 1 ]
}

# history FILE: the first line of it.
history_of()
{
	axt-attr :history "$1" 2>/dev/null | sed 's/^:history=//; s/\\x0a.*//; s/\\n.*//' | head -n 1
}

# a.nc: lat=2 lon=3, 0 to 5, i64.
make_a()
{
	axt-make iota lat=2,lon=3 -o a.nc
}

# Files with coordinates, packing, missing values come from h5py.
py()
{
	/usr/bin/python3 -c "import h5py, numpy as np
$1"
}

# cf.nc: t(time, lat), with CF times and units.
make_cf()
{
	py '
f = h5py.File("cf.nc", "w")
for n, v in (("time", [0, 1.5]), ("lat", [10., 20, 30])):
    f[n] = np.array(v); f[n].make_scale(n)
f["time"].attrs["units"] = np.bytes_("days since 2010-01-01")
f["t"] = np.arange(6, dtype="f4").reshape(2, 3)
f["t"].attrs["units"] = np.bytes_("K")
f["t"].dims[0].attach_scale(f["time"]); f["t"].dims[1].attach_scale(f["lat"])
'
}
