load helper

make_b()
{
	axt-make full:10 lat=2 -o b.nc
}

@test "an expression is computed when it is read, by every command" {
	make_a
	make_b
	works 'axt-sub a.nc b.nc | axt-map square | axt-save -o e.h5'
	want=$(axt-sub a.nc b.nc | axt-map square | axt-print)
	prints "$want" 'axt-print e.h5'
	prints "$want" 'axt-print ./e.h5:tensor'
	prints "$(axt-sub a.nc b.nc | axt-map square | axt-reduce sum -p)" 'axt-reduce sum -p e.h5'
	works 'axt-add e.h5 e.h5 -o v.h5; axt-sub a.nc b.nc | axt-map square | axt-mul - 2 | axt-equal v.h5'
	works 'axt-order lon,lat e.h5 | AXT_FUSE=0 axt-order lat,lon | axt-equal - e.h5'
	works 'axt-map sqrt e.h5 | axt-save -o d.h5; axt-map sqrt e.h5 | axt-equal - d.h5'
	mkdir sub
	cd sub
	prints "$want" 'axt-print ../e.h5'
	prints "$want" "axt-print $PWD/../e.h5"
}

@test "it keeps name, axes, coordinates and attributes; h5py sees no values" {
	make_cf
	works 'axt-sub cf.nc 1 | axt-save --name d -o e.nc'
	works 'axt-info e.nc'
	[[ $output == *$'d f32 time=2 lat=3\n'*$'storage none, read-only\n  computed from cf.nc:t\n'*'units = "K"'* ]]
	[[ $output == *'time 2 f64 2010-01-01 .. 2010-01-02T12:00:00'* ]]
	prints units=K 'axt-sub e.nc 1 -o f.nc; axt-attr units f.nc'
	works 'axt-attr f.nc'
	[[ $output != *axt_plan* ]]
	py 'd = h5py.File("e.nc")["d"]; assert d.shape == (2, 3) and np.isnan(d[()]).all()'
	works 'ncdump -h e.nc'
	works "axt-info --json e.nc | /usr/bin/python3 -c 'import json, sys
d = json.load(sys.stdin)[\"tensors\"][0]
assert d[\"read_only\"] and d[\"expression\"] == dict(inputs=[\"cf.nc:t\"], placeholders=[], view=None), d'"
}

@test "what HDF5 can say is a virtual dataset that others read" {
	make_cf
	works 'axt-slice lat=0:3:2 cf.nc | axt-pad lat=0,1 --value -1 | axt-save --name v -v -o e.nc 2>err'
	[[ $(<err) == *'saved as a virtual dataset: 1 piece of files, a constant elsewhere' ]]
	py 'f = h5py.File("e.nc"); t = h5py.File("cf.nc")["t"][()]; v = f["v"]
assert v.is_virtual and (v[:, :2] == t[:, ::2]).all() and (v[:, 2] == -1).all()
assert v.virtual_sources()[0].file_name == "cf.nc" and v.dims[0][0].name == "/time"'
	works 'axt-info e.nc'
	[[ $output == *$'storage virtual, read-only\n  computed from cf.nc:t\n'* ]]
	works 'axt-slice lat=0:3:2 cf.nc | axt-pad lat=0,1 --value -1 | axt-equal - e.nc'
	works 'ncdump -v v e.nc'
	works 'axt-slice time=1:2 cf.nc | axt-save -o s.nc; axt-info s.nc'
	[[ $output == *$'  view of cf.nc:t\n  shares its storage by strides 0 1, offset 3\n'* ]]
	fails 1 'axt-assign: e.nc:v is a saved expression, and no view of one tensor: *' 'axt-assign e.nc = 1'
	works 'axt-sub cf.nc 1 | axt-save --explain | grep saved'
	[ "$output" = 'saved as text only: it computes sub' ]
	mkdir d
	mv e.nc d
	fails 1 'axt-print: d/e.nc:v: its input cf.nc: No such file*' 'axt-print d/e.nc'
	cp cf.nc d
	works 'axt-print d/e.nc'
}

@test "added to a file; beside what is there; replaced" {
	make_cf
	works 'axt-slice time=1:2 cf.nc | axt-save -o f.nc; axt-slice lat=::2 cf.nc | axt-save -o f.nc:/g/h'
	works 'axt-make ones x=2 -o f.nc:y; axt-attr a=b f.nc:y'
	works 'axt-slice lat=::2 cf.nc | axt-equal - f.nc:/g/h; axt-slice time=1:2 cf.nc | axt-equal - f.nc:t'
	py 'f = h5py.File("f.nc"); assert f["t"].is_virtual and f["g/h"].is_virtual and f["y"][()].sum() == 2
assert (f["g/h"][()] == h5py.File("cf.nc")["t"][:, ::2]).all()'
	works 'axt-slice lat=::2 cf.nc | axt-add - 1 >h.nc; axt-add h.nc 1 | axt-save -o f.nc:/g/h; axt-add h.nc 1 | axt-equal - f.nc:/g/h'
	py 'assert not h5py.File("f.nc")["g/h"].is_virtual'
}

@test "moved together; in a group; beside other datasets; an axis and dates" {
	mkdir p
	make_cf
	mv cf.nc p
	works 'axt-sub p/cf.nc p/cf.nc:lat | axt-save -o p/e.nc:/g/x'
	works 'axt-make ones x=2 -o p/e.nc:y'
	works 'axt-add p/cf.nc p/cf.nc:time.month | axt-save -o p/e.nc:m'
	mv p q
	works 'axt-sub q/cf.nc q/cf.nc:lat | axt-equal - q/e.nc:/g/x'
	works 'axt-add q/cf.nc q/cf.nc:time.month | axt-equal - q/e.nc:m'
	prints $'1\n1' 'axt-print q/e.nc:y'
}

@test "inputs that changed, went, or lie elsewhere" {
	mkdir d
	make_a
	cp a.nc d/a.nc
	axt-add d/a.nc 1 | axt-save -o d/e.h5
	works 'axt-print d/e.h5'
	touch d/a.nc
	works 'axt-print d/e.h5'
	axt-assign 'd/a.nc[lat=0,lon=0]' = 7
	fails 1 'axt-print: d/e.h5:tensor: its input a.nc has other values than when the expression was saved' 'axt-print d/e.h5'
	hints '--stale reads it all the same'
	prints $'8 2 3\n4 5 6' 'axt-print --stale d/e.h5'
	rm d/a.nc
	fails 1 'axt-print: d/e.h5:tensor: its input a.nc: No such file*' 'axt-print d/e.h5'
	works 'axt-info d/e.h5'
	mkfifo d/a.nc
	fails 1 'axt-print: d/e.h5:tensor: its input a.nc is no file' 'axt-print d/e.h5'
	rm d/a.nc
	ln -s ../a.nc d/a.nc
	fails 1 'axt-print: d/e.h5:tensor: its input a.nc lies outside its folder' 'axt-print d/e.h5'
	hints '--allow-external reads it all the same'
	sh_run 'axt-add a.nc 1 | axt-save -o d/f.h5'
	[ "$status" -eq 0 ]
	[[ $stderr == 'axt-save: warning: a.nc lies outside the folder of the expression: '* ]]
	fails 1 'axt-print: d/f.h5:tensor: its input ../a.nc lies outside its folder' 'axt-print d/f.h5'
	prints "$(axt-add a.nc 1 | axt-print)" 'axt-print --allow-external d/f.h5'
	prints '  computed from ../a.nc:tensor' 'axt-info d/f.h5 | grep computed'
	ln -s d/f.h5 link.h5
	fails 1 'axt-print: link.h5:tensor: its input ../a.nc lies outside its folder' 'axt-print link.h5'
	mv d/f.h5 g.h5
	fails 1 'axt-print: g.h5:tensor: its input ../a.nc*' 'axt-print g.h5'
}

@test "not through a pipe, not assigned to, not of bytes, not without a name" {
	make_a
	axt-add a.nc 1 | axt-save -o e.h5
	fails 1 'axt-print: -:tensor is a saved expression: *' 'cat e.h5 | axt-print'
	cp e.h5 old.h5
	fails 1 'axt-assign: e.h5:tensor is a saved expression, and no view of one tensor: *' 'axt-assign e.h5 = 1'
	cmp e.h5 old.h5
	fails 1 'axt-save: - cannot be named in a saved expression*' 'axt-add a.nc 1 | cat | axt-save -o n.h5'
	fails 1 'axt-save: a saved expression needs the name of a file*' 'axt-save a.nc'
	[ ! -e n.h5 ]
	cp a.nc keep.nc
	fails 1 'axt-save: a.nc is read by the expression that is to be saved there' 'axt-slice lat=0:1 a.nc | axt-save -o a.nc'
	fails 1 'axt-save: a.nc is read by the expression that is to be saved there' 'axt-slice lat=0:1 a.nc | axt-save -o a.nc:x'
	cmp a.nc keep.nc
	fails 1 'axt-save: e.h5*' 'axt-save -N -o e.h5 a.nc'
	cmp e.h5 old.h5
}

@test "a text that is no plan" {
	make_a
	axt-add a.nc 1 | axt-save -o e.h5
	for text in 'axt-plan 1' x 'axt-plan 1\nnode 0 const f32 [] 00000000\nout tensor 0\nend\n'; do
		cp e.h5 b.h5
		TEXT=$(printf '%b' "$text") py 'import os
h5py.File("b.h5", "a")["tensor"].attrs["axt_plan"] = np.bytes_(os.environ["TEXT"] + "\n")'
		fails 1 'axt-print: b.h5:tensor: its expression is damaged: *' 'axt-print b.h5'
		works 'axt-info b.h5'
	done
	py 'h5py.File("b.h5", "a")["tensor"].attrs["axt_plan"] = 3'
	fails 1 'axt-print: b.h5:tensor: its expression is damaged: it is no text' 'axt-print b.h5'
}

@test "a year of daily files" {
	mkdir y
	axt-make iota day=366,x=2 -o all.nc
	axt-split day -P 'y/precipitation_{}.nc' all.nc
	works 'axt-stack day y/precipitation_*.nc | axt-save -o year.nc'
	works 'axt-equal year.nc all.nc'
}

@test "what is assigned to a saved view goes to the tensor it shows" {
	axt-make iota y=3,x=4 -o a.nc
	axt-slice x=1:3 a.nc | axt-order x,y | axt-flip y | axt-rename y=row | axt-save -o v.nc
	works 'axt-assign "v.nc[x=0,row=0]" = 70'
	prints $'0 1 2 3\n4 5 6 7\n8 70 10 11' 'axt-print a.nc'
	axt-slice y=1 a.nc | axt-save -o line.nc
	works 'axt-assign line.nc += 100'
	prints $'0 1 2 3\n104 105 106 107\n8 70 10 11' 'axt-print a.nc'
	axt-make iota x=2,row=3 -o w.nc
	axt-slice x=1:3 a.nc | axt-order x,y | axt-flip y | axt-rename y=row | axt-save -o v.nc
	works 'axt-assign v.nc = w.nc --in-place'
	prints $'0 2 5 3\n104 1 4 107\n8 0 3 11' 'axt-print a.nc'
	# packed values are packed again; what computes is no view
	axt-cast --pack i16:0.5:10 a.nc -o p.nc
	axt-slice y=0 x=0:2 p.nc | axt-save -o pv.nc
	works 'axt-assign pv.nc = 12.5'
	prints $'12.5\n12.5\n5\n3' 'axt-slice y=0 p.nc -p'
	axt-pad x=1,1 a.nc | axt-save -o pad.nc
	fails 1 'axt-assign: pad.nc:tensor is a saved expression, and no view of one tensor: it gives values and takes none' 'axt-assign pad.nc = 1'
	axt-slice x=0,0 a.nc | axt-save -o twice.nc
	fails 1 'axt-assign: position 0 along "x" is assigned to twice' 'axt-assign twice.nc = 1'
	axt-kind constant a.nc
	axt-slice x=0 a.nc | axt-save -o c.nc
	fails 1 'axt-assign: */a.nc:tensor is a constant*' 'axt-assign c.nc = 1'
}

@test "copies are what they are copies of, whatever made them; values, shapes and variables change" {
	mkdir d
	axt-make iota lat=2,lon=3 --dtype f32 -o d/a.nc
	axt-make ones k=50 -o d/v.h5:w
	axt-make iota k=50 --dtype f64 -o d/v.h5:c
	axt-kind variable d/v.h5:w
	axt-order lon,lat d/a.nc --chunk lon=1 --deflate 1 -o d/z.nc
	axt-add d/a.nc d/z.nc | axt-save -o d/e.h5
	axt-mul d/v.h5:w d/v.h5:c | axt-reduce sum | axt-save -o d/s.h5
	v=$(axt-print d/e.h5)
	touch -d 2001-01-01 d/*.nc
	prints "$v" 'axt-print d/e.h5'
	prints "$v" 'cp -r d copy; rm -r copy/s.h5; axt-print copy/e.h5'
	prints "$v" 'mkdir t; tar -cf - d | tar -C t -xmf -; axt-print t/d/e.h5'
	prints 1225 'axt-print d/s.h5'
	works 'axt-assign d/v.h5:w = 2'
	prints 2450 'axt-print d/s.h5'
	works 'axt-assign d/v.h5:c = 1'
	fails 1 'axt-print: d/s.h5:*: its input v.h5 has other values than when the expression was saved' 'axt-print d/s.h5'
	hints '--stale reads it all the same'
	prints 100 'axt-print --stale d/s.h5'
	axt-assign 'd/z.nc[lon=1,lat=1]' = 9
	fails 1 'axt-print: d/e.h5:tensor: its input z.nc has other values*' 'axt-print d/e.h5'
	axt-make iota lat=2,lon=4 --dtype f32 -o d/a.nc
	fails 1 'axt-print: d/e.h5:tensor: its input a.nc:tensor has another shape or dtype*' 'axt-print --stale d/e.h5'
	rm d/a.nc
	fails 1 'axt-print: d/e.h5:tensor: its input a.nc: No such file*' 'axt-print --stale d/e.h5'
}

@test "an axis of fixed length stays so, which is told where --unlimited asks for more" {
	make_a
	works 'axt-add a.nc 1 --unlimited lat -o b.nc:u'
	works 'axt-add a.nc 1 --unlimited lat -o b.nc:v'
	axt-make iota lat=2,lon=3 -o c.nc
	sh_run 'axt-add a.nc 1 --unlimited lat -o c.nc:u'
	[ "$status" -eq 0 ]
	[ "$stderr" = 'axt-add: warning: axis "lat" has a fixed length in c.nc, and stays so' ]
	works 'axt-add -q a.nc 1 --unlimited lat -o c.nc:v'
	works 'axt-add b.nc:u 1 -o c.nc:w'
}

@test "a member of a table that has other values now is noticed, and another member's values are not" {
	py 'f = h5py.File("t.h5", "w"); f["t"] = np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i4"), ("b", "f8")])'
	works 'axt-add t.h5:t.b 1 | axt-save --name y -o y.h5'
	prints $'3.5\n5.5' 'axt-print y.h5'
	py 'f = h5py.File("t.h5", "a"); x = f["t"][...]; x["a"] = 7; f["t"][...] = x'
	prints $'3.5\n5.5' 'axt-print y.h5'
	py 'f = h5py.File("t.h5", "a"); x = f["t"][...]; x["b"][1] = 9; f["t"][...] = x'
	sh_run 'axt-print y.h5'
	[ "$status" = 1 ]
	works 'axt-print --stale y.h5'
}
