load helper

make_files()
{
	py "
import json, struct
np.save('a.npy', np.arange(6, dtype='f4').reshape(2, 3))
np.save('b.npy', np.asfortranarray(np.arange(0, 60, 10, dtype='>f4').reshape(2, 3)))
np.save('t.npy', np.array([True, False]))
open('i.pgm', 'wb').write(b'P5\n3 2\n255\n' + bytes(range(6)))
for n, k in ('m', 1), ('n', 3):
    d = {'layer.0.weight': np.full((2, 3), k, 'f4'), 'layer.0.bias': np.full(2, k, 'f2'), 'g/step': np.array(k)}
    h, b = {}, b''
    for name, v in d.items():
        h[name] = {'dtype': {'f4': 'F32', 'f2': 'F16', 'i8': 'I64'}[v.dtype.str[1:]], 'shape': v.shape, 'data_offsets': [len(b), len(b) + v.nbytes]}
        b += v.tobytes()
    h = json.dumps(h).encode()
    open(n + '.safetensors', 'wb').write(struct.pack('<Q', len(h)) + h + b)"
}

@test "npy, safetensors and PNM files are operands" {
	make_files
	prints $'0 11 22\n33 44 55' 'axt-add a.npy b.npy -p'
	prints $'0 11 22\n33 44 55' 'axt-calc "x + y" x=a.npy y=b.npy -p'
	prints 15 'axt-reduce sum - -p <a.npy'
	prints $'true\nfalse' 'axt-print t.npy'
	prints $'3\n4\n5' 'axt-slice y=1 i.pgm -p'
	prints $'layer.0.weight f32 dim_0=2 dim_1=3\nlayer.0.bias f16 dim_0=2\n/g/step i64' 'axt-info --brief m.safetensors'
	prints 6 'axt-reduce sum m.safetensors:layer.0.weight -p'
	prints 3 'axt-print n.safetensors:g/step'
	prints $'y,x,tensor\n0,0,0' 'axt-rename dim_0=y,dim_1=x a.npy | axt-print --csv --head 1'
	prints $'4 4 4\n4 4 4' 'axt-calc "m + n" "m=m.safetensors:layer.0.weight" n=n.safetensors:layer.0.weight -p'
	prints $'2\n2' 'axt-calc "bias*2" "bias=m.safetensors:layer.0.bias" -p'
}

@test "whole files of tensors: each, copied, compared" {
	make_files
	works 'axt-add "m.safetensors:*" "n.safetensors:*" -o s.h5'
	prints $'layer.0.weight f32 dim_0=2 dim_1=3\nlayer.0.bias f16 dim_0=2\n/g/step i64' 'axt-info --brief s.h5'
	prints 24 'axt-reduce sum s.h5:layer.0.weight -p'
	works 'axt-copy m.safetensors -o c.h5'
	works 'axt-equal c.h5 m.safetensors'
	works 'axt-equal m.safetensors m.safetensors'
	sh_run 'axt-equal m.safetensors n.safetensors'
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 3 ]
	prints $'6\n2\n1' 'axt-reduce sum "m.safetensors:*" -p | cut -f2'
}

@test "in pipes and saved expressions the files are named by their paths" {
	make_files
	for AXT_FUSE in 0 1; do
		export AXT_FUSE
		prints $'1 1 1\n1 1 1' 'axt-add b.npy 1 | axt-sub - b.npy -p'
		prints 1 'axt-cast --dtype i32 t.npy | axt-reduce sum -p'
	done
	unset AXT_FUSE
	works 'axt-add a.npy m.safetensors:layer.0.weight | axt-save -o s.h5'
	prints $'1 2 3\n4 5 6' 'axt-print s.h5'
	works 'axt-assign a.npy = 7'
	fails 1 'axt-print: s.h5:tensor: its input a.npy has other values *' 'axt-print s.h5'
	fails 1 'axt-save: b.npy: what axt-from takes from a file is not saved' 'axt-from b.npy | axt-save -o x.h5'
}

@test "values are assigned in them; nothing else is changed" {
	make_files
	works 'axt-assign "b.npy[dim_0=1,dim_1=0:2]" = 5'
	works 'axt-assign --in-place "m.safetensors:layer.0.bias[dim_0=0]" = 9'
	works 'axt-assign t.npy = 1'
	py "
assert np.load('b.npy').tolist() == [[0, 10, 20], [5, 5, 50]] and np.load('b.npy').dtype == '>f4' and np.load('t.npy').all()"
	prints $'9\n1' 'axt-print m.safetensors:layer.0.bias'
	fails 1 'axt-attr: a.npy: is a NumPy .npy file, not HDF5' 'axt-attr x=y a.npy'
	fails 1 'axt-remove: a.npy: is no HDF5, and cannot be changed' 'axt-remove a.npy:tensor'
	fails 1 'axt-move: a.npy: is no HDF5, and cannot be changed' 'axt-move tensor=x a.npy'
	fails 1 'axt-make: a.npy: is a NumPy .npy file, not HDF5' 'axt-make ones x=2 -o a.npy:v'
	prints $'0 1 2\n3 4 5' 'axt-print a.npy'
}

@test "an output whose name tells another format is written so" {
	make_files
	works 'axt-add a.npy 1 -o c.npy'
	py "assert np.load('c.npy').tolist() == [[1, 2, 3], [4, 5, 6]]"
	fails 1 'axt-add: c.npy: exists (--no-clobber)' 'axt-add a.npy 2 -N -o c.npy'
	works "axt-calc 'a*2' 'a=m.safetensors:*' -o d.safetensors"
	prints "$(axt-info --names m.safetensors)" 'axt-info --names d.safetensors'
	works 'axt-add a.npy 1 -o c.csv --no-history && axt-add a.npy 1 | axt-to d.csv && cmp c.csv d.csv'
	works 'axt-add a.npy 0 -o a.npy && axt-print a.npy >now && axt-add a.npy 5 -o a.npy'
	prints "$(awk '{ for (i = 1; i <= NF; i++) printf "%d ", $i + 5; print "" }' now | sed 's/ $//')" 'axt-print a.npy'
	sh_run 'axt-add a.npy 1 --deflate 4 -o e.npy'
	[ "$status" -eq 0 ]
	[ "$stderr" = 'axt-add: warning: e.npy is written as HDF5: axt-to writes npy' ]
	sh_run 'axt-add a.npy 1 -o e.tif'
	[ "$stderr" = 'axt-add: warning: e.tif is written as HDF5: no command of axt writes .tif' ]
}

@test "files that lie about themselves" {
	make_files
	head -c 100 a.npy >short.npy
	fails 1 'axt-print: short.npy: ends after 100 bytes, within its header' 'axt-print short.npy'
	head -c 140 a.npy >short.npy
	fails 1 'axt-print: short.npy: ends after 140 of 152 bytes' 'axt-print short.npy'
	printf '\10\0\0\0\0\0\0\0{"a":[[[' >bad.safetensors
	fails 1 'axt-info: bad.safetensors: byte 13 of its header: an object is expected' 'axt-info bad.safetensors'
	printf '\377\377\0\0\0\0\0\0{"a"' >bad.safetensors
	fails 1 'axt-info: bad.safetensors: ends after 12 bytes, within its header of 65535' 'axt-info bad.safetensors'
	printf '\0\0\0\0\0\0\0\0x' >bad.safetensors
	fails 1 'axt-info: bad.safetensors: is not HDF5' 'axt-info bad.safetensors'
	for n in m; do
		sed 's/"data_offsets": \[24, 28\]/"data_offsets": [20, 24]/' $n.safetensors >bad.safetensors
		fails 1 'axt-info: bad.safetensors: the values of "layer.0.bias" begin at byte 20, those before them end at 24' 'axt-info bad.safetensors'
	done
}

@test "tensors of dtypes that axt has not are told of where safetensors are written" {
	py '
import json, struct
h = {"w": {"dtype": "F4", "shape": [8], "data_offsets": [0, 4]}, "b": {"dtype": "F32", "shape": [4], "data_offsets": [4, 20]}}
j = json.dumps(h).encode(); open("f4.safetensors", "wb").write(struct.pack("<Q", len(j)) + j + bytes(20))'
	for w in 'copy f4.safetensors -o x.safetensors' 'mul "f4.safetensors:*" 1 -o x.safetensors' 'to x.safetensors "f4.safetensors:*"' \
	    'calc a*1 "a=f4.safetensors:*" -o x.safetensors' 'copy f4.safetensors -o x.h5'; do
		warned 'axt-*: warning: f4.safetensors:/w is left out: has dtype F4, which axt has not' "axt-$w"
	done
}
