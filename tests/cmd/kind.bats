load helper

@test "each kind has its flags, in text and JSON" {
	make_a
	while read -r kind flags; do
		works "axt-kind $kind a.nc"
		prints "  kind $kind (${flags//,/, })" 'axt-info a.nc | grep kind'
		works "axt-info --json a.nc | /usr/bin/python3 -c 'import json, sys
d = json.load(sys.stdin)[\"tensors\"][0]
assert d[\"kind\"] == \"$kind\" and d[\"flags\"] == \"$flags\".split(\",\"), d'"
	done <<-'END'
		constant constant,persistent
		placeholder persistent,input
		persistent persistent
		variable persistent,trainable
	END
	works 'axt-kind none a.nc'
	run ! grep -q kind <(axt-info a.nc)
	prints '      "kind": null,' 'axt-info --json a.nc | grep kind'
}

@test "kept in the file, as h5py and ncdump see it; a constant is read-only" {
	make_a
	works 'axt-kind constant a.nc'
	py 'assert h5py.File("a.nc")["tensor"].attrs["axt_kind"] in (b"constant", "constant")'
	[[ $(ncdump -h a.nc) == *'axt_kind = "constant"'* ]]
	prints '      "read_only": true,' 'axt-info --json a.nc | grep read_only'
	prints $'0 1 2\n3 4 5' 'axt-print a.nc'
}

@test "no result has it" {
	make_a
	axt-kind variable a.nc
	run ! grep -q kind <(axt-order lon,lat a.nc | axt-info --json | grep axt_kind)
	works 'axt-add a.nc 0 -o b.nc; axt-attr b.nc'
	[[ $output != *axt_kind* ]]
	works 'axt-print --raw a.nc'
}

@test "variables of files, and of a directory and below" {
	mkdir -p d/e
	axt-make ones x=3 --name w -o d/e/w.h5
	axt-make ones x=3 --name u -o d/u.h5
	axt-make ones x=3 --name u -o d/u.h5:g/v
	echo text >d/text
	: >d/empty
	prints '' 'axt-info --trainable d'
	works 'axt-kind variable d/e/w.h5 d/u.h5:v'
	prints $'d/e/w.h5:w\nd/u.h5:/g/v' 'axt-info --trainable d'
	prints $'d/u.h5:/g/v\nd/e/w.h5:w' 'axt-info --trainable d/u.h5 d/e/'
	works "axt-info --trainable --json d | /usr/bin/python3 -c 'import json, sys
assert json.load(sys.stdin) == [dict(file=f, tensor=t, dtype=\"f32\", axes=[\"x\"], shape=[3])
    for f, t in ((\"d/e/w.h5\", \"w\"), (\"d/u.h5\", \"/g/v\"))]'"
	prints '[]' 'axt-make ones x=3 -o e.h5; axt-info --trainable --json e.h5'
	head -c 2000 d/u.h5 >d/short.h5
	fails 1 'axt-info: d/short.h5*' 'axt-info --trainable d/short.h5'
	cp d/short.h5 d/cut.h5
	sh_run 'axt-info --trainable d'
	[ "$status" -eq 1 ]
	[ "$output" = $'d/e/w.h5:w\nd/u.h5:/g/v' ]
	[[ ${stderr_lines[0]} == 'axt-info: warning: d/short.h5: '* && ${stderr_lines[1]} == 'axt-info: d/cut.h5: '* ]]
}

@test "usage and failure leave the file as it was" {
	make_a
	cp a.nc old.nc
	fails 2 'axt-kind: operand KIND is missing' 'axt-kind'
	fails 2 'axt-kind: operand FILE is missing' 'axt-kind constant'
	fails 2 'axt-kind: unknown kind "variabel"' 'axt-kind variabel a.nc'
	hints 'axt-kind variable a.nc'
	fails 1 'axt-kind: none.nc*' 'axt-kind variable none.nc'
	fails 1 'axt-kind: *"x"*' 'axt-kind variable a.nc:x'
	fails 1 'axt-kind: *' 'axt-kind variable a.nc:lat'
	fails 1 'axt-kind: -: *' 'axt-kind variable - <a.nc'
	cmp a.nc old.nc
}

@test "a constant is not replaced, a placeholder not assigned to" {
	axt-make ones K=3 -o k.h5
	axt-kind constant k.h5
	cp k.h5 old.h5
	fails 1 'axt-make: k.h5:tensor is a constant: it is not replaced' 'axt-make zeros K=3 -o k.h5:tensor'
	hints '--force replaces it; axt-kind none k.h5:tensor makes it a tensor like others'
	cmp k.h5 old.h5
	works 'axt-make zeros K=3 --force -o k.h5:tensor'
	prints $'0\n0\n0' 'axt-print k.h5'
	axt-make ones K=3 -o p.h5
	axt-kind placeholder p.h5
	cp p.h5 old.h5
	fails 1 'axt-assign: p.h5:tensor is a placeholder: *' 'axt-assign p.h5 = 3'
	hints 'axt-bind NAME=OPERAND gives it a value*'
	cmp p.h5 old.h5
}
