#!/usr/bin/env bats
load helper

@test "merge: parts make the file that one command makes" {
	axt-make random time=10,lat=40,lon=30 --name t -o a.nc
	works "axt-reduce mean --over time a.nc -o whole.nc"
	for k in 1 2 3; do
		works "axt-reduce mean --over time --part $k/3 a.nc -o p$k.nc"
	done
	works "axt-merge p3.nc p1.nc p2.nc -o m.nc"
	# shellcheck disable=SC2154
	cmp whole.nc m.nc
}

@test "merge: what is missing, twice or of another job is told" {
	axt-make random lat=40,lon=30 --name t -o a.nc
	for k in 1 2 3; do
		axt-map sqrt --part $k/3 a.nc -o p$k.nc
	done
	fails 1 'axt-merge: part 2 of 3 is missing' 'axt-merge p1.nc p3.nc -o m.nc'
	hints 'axt-attr :axt_part_command p1.nc shows the command that made part 1/3; --part 2/3 there makes the missing one'
	prints ':axt_part_command=axt-map sqrt --part 1/3 a.nc -o p1.nc' 'axt-attr :axt_part_command p1.nc'
	fails 1 'axt-merge: *' 'axt-merge p1.nc p1.nc p2.nc p3.nc -o m.nc'
	axt-map square --part 2/3 a.nc -o q2.nc
	fails 1 'axt-merge: *' 'axt-merge p1.nc q2.nc p3.nc -o m.nc'
	fails 1 'axt-merge: *' 'axt-merge a.nc -o m.nc'
	fails 2 'axt-merge: no parts are named' 'axt-merge -o m.nc'
	fails 2 'axt-merge: no output is named' 'axt-merge p1.nc p2.nc p3.nc'
	[ ! -e m.nc ]
	echo old >m.nc
	fails 1 'axt-merge: part 3 of 3 is missing' 'axt-merge p1.nc p2.nc -o m.nc'
	[ "$(cat m.nc)" = old ]
}

@test "jobs are cut where parts read least, and --explain --ranks tells what they read" {
	axt-make iota time=8,lat=6,lon=5 --dtype f32 --name t -o in.nc
	axt-make iota time=8,lat=6,lon=5 --dtype f32 --name t --chunk time=1,lat=6,lon=5 -o maps.nc
	axt-copy maps.nc --compress deflate -o packed.nc
	prints $'3 processes, cut along time: 8 chunks\nelements: 240 in all, 60 to 90 each\nbytes read: 960 in all, 240 to 360 each; by one process 960' "axt-map sqrt in.nc --explain --ranks 3 | head -3"
	prints '3 processes, cut along lat: 6 chunks' "axt-calc 't - mean(t, over=time)' t=in.nc --explain --ranks 3 | head -1"
	prints '20 processes, cut along lat, lon: 30 chunks' "axt-calc 't - mean(t, over=time)' t=in.nc --explain --ranks 20 | head -1"
	prints '3 processes, cut along time: 8 chunks' "axt-calc 't - mean(t, over=(lat,lon))' t=in.nc --explain --ranks 3 | head -1"
	prints '3 processes, cut along time: 8 chunks' "axt-calc -q 't - mean(t, over=time)' t=maps.nc --chunk time=1,lat=6,lon=5 -o o.nc --explain --ranks 3 | head -1"
	prints $'3 processes, cut along lat: 6 chunks\nelements: 240 in all, 80 to 80 each\nbytes read: 960 in all, 320 to 320 each; by one process 1920\nbytes exchanged: 640 in all, of inputs that are read once, in 1 round' "axt-calc 't - mean(t, over=time)' t=packed.nc --explain --ranks 3 -o o.nc | head -4"
	prints $'before that, 2 reductions by all processes together, in 1 pass: bytes read: 72000 in all\n3 processes, cut along time: 100 chunks' "axt-make iota time=100,lat=12,lon=15 --dtype f32 --name t -o big.nc; axt-calc '(t - mean(t)) / std(t)' t=big.nc --explain --ranks 3 -o o.nc | head -2"
	prints $'4 processes, cut along no axis: 1 chunk\n3 of them have nothing to do' "axt-reduce -q mean in.nc --explain --ranks 4 | head -2"
	for n in 2 3 7 31; do
		for line in "axt-calc 't - mean(t, over=time)' t=in.nc" "axt-calc 't - mean(t, over=time)' t=in.nc --chunk time=3,lat=2,lon=2 --deflate 1" "axt-sort --along lat maps.nc"; do
			rm -f part.*
			for k in $(seq "$n"); do
				works "$line --part $k/$n -q -o part.{}.nc"
			done
			works "$line -o whole.nc && axt-merge part.*.nc -o merged.nc && cmp whole.nc merged.nc"
		done
	done
	prints $'bytes written: 960 in all\nmessages: some tens of operations of all processes, of at most 5 KiB each' "axt-map sqrt in.nc -o o.nc --explain --ranks 3 | tail -2"
	prints $'bytes written: 960 in all, less once they are packed\nmessages: some tens of operations of all processes, of at most 5 KiB each, beside twice 8 bytes for each chunk' "axt-map -q sqrt in.nc --compress zstd -o o.nc --explain --ranks 3 | tail -2"
	prints $'bytes written: 960 in all, less once they are packed\nmessages: some tens of operations of all processes, of at most 5 KiB each' "axt-map -q sqrt in.nc -o o.zarr --explain --ranks 3 | tail -2"
	prints $'bytes written: 960 in all, and again where parts are put together\nmessages: some tens of operations of all processes, of at most 5 KiB each' "axt-map -q sqrt in.nc -o o.nc:t --explain --ranks 3 | tail -2"
	fails 2 'axt-map: --ranks belongs to --explain' 'axt-map sqrt in.nc --ranks 3 -o o.nc'
}

@test "a product is cut along two axes where each part then reads and exchanges less" {
	axt-make full i=4800,k=4800 --value 1 --dtype f32 --chunk i=600,k=600 --compress deflate:1 -o left.nc
	axt-make full k=4800,j=4800 --value 1 --dtype f32 --chunk k=600,j=600 --compress deflate:1 -o right.nc
	prints '2 processes, cut along i: 4800 chunks' "axt-dot --over k left.nc right.nc --explain --ranks 2 | head -1"
	prints '4 processes, cut along i in 2, j in 2: 23040000 chunks' "axt-dot --over k left.nc right.nc --explain --ranks 4 | head -1"
	prints $'13 processes, cut along i in 4, j in 3: 23040000 chunks\n1 of them has nothing to do' "axt-dot --over k left.nc right.nc --explain --ranks 13 | head -2"
	# an eighth of both operands, of 92 MB each: 23 MB, of which each process has read 1.4
	prints $'64 processes, cut along i in 8, j in 8: 23040000 chunks\nelements: 23040000 in all, 360000 to 360000 each\nbytes read: 184320000 in all, 2880000 to 2880000 each; by one process 184320000\nbytes exchanged: 1382400000 in all, of inputs that are read once, in 2 rounds' "axt-dot --over k left.nc right.nc --explain --ranks 64 | head -4"
	prints '10000 processes, cut along i in 125, j in 80: 23040000 chunks' "axt-dot --over k left.nc right.nc --explain --ranks 10000 | head -1"
	prints 'part 2 of 64: i=0:600,j=600:1200, 360000 of 23040000 elements' "axt-dot --over k left.nc right.nc --part 2/64 --explain | head -1"
	# cut along an axis of chunks, elementwise operations read as much either way
	prints '8 processes, cut along i: 4800 chunks' "axt-sub left.nc left.nc --explain --ranks 8 | head -1"
	# but with more parts than chunks along that axis, a part of a grid has chunks of its own
	prints 'part 2 of 64: i=0:600,k=600:1200, 360000 of 23040000 elements' "axt-map sqrt left.nc --part 2/64 --explain | head -1"
	# few columns are no reason to cut them
	prints '64 processes, cut along i: 4800 chunks' "axt-slice j=0:90 right.nc -o few.nc; axt-dot --over k left.nc few.nc --explain --ranks 64 | head -1"
	# a part that reads columns of a plain file reads all of these rows
	prints 'part 2 of 64: i=10:19, 5400 of 360000 elements' "axt-make full i=600,k=600 --value 1 -o left.nc; axt-make full k=600,j=600 --value 1 -o right.nc; axt-dot --over k left.nc right.nc --part 2/64 --explain | head -1"
}

@test "merge: chunks are taken as parts have packed them" {
	axt-make random time=30,lat=40,lon=30 --name t -o a.nc
	for line in 'axt-map exp a.nc --compress deflate:3 --chunk time=4,lat=7,lon=11' 'axt-map exp a.nc --compress zstd --shuffle bit -q' 'axt-sort --along time a.nc --compress lz4 --chunk time=30,lat=1,lon=4 --unlimited lat -q'; do
		for n in 2 5; do
			rm -f p.*.nc
			for k in $(seq $n); do
				works "$line --part $k/$n -o p.{}.nc"
			done
			works "$line -o whole.nc && axt-merge -q p.*.nc -o m.nc && cmp whole.nc m.nc"
			works "axt-merge -q p.*.nc --no-clobber -o n.nc && cmp whole.nc n.nc && rm n.nc"
		done
	done
}

@test "merge: stores of Zarr are written, and formats that are not are told before anything is computed" {
	axt-make iota time=10,lat=40,lon=30 --dtype f32 --name t -o a.nc
	for o in '' '--chunk time=3,lat=7,lon=30' '-q --compress zstd:3 --attr units=K'; do
		works "axt-map sqrt a.nc $o -o whole.zarr"
		for k in 1 2 3; do
			works "axt-map -q sqrt a.nc $o --part $k/3 -o p.$k.nc"
		done
		works 'axt-merge p.*.nc -o merged.zarr && diff -r whole.zarr merged.zarr'
		works 'axt-merge p.*.nc -o merged.zarr/ && diff -r whole.zarr merged.zarr'
		rm -r whole.zarr merged.zarr
	done
	for f in m.npy m.csv m.cdf m.safetensors m.pgm; do
		fails 1 "axt-merge: $f: what is made in parts is written as HDF5 or as a store of Zarr, not as *" "axt-merge p.*.nc -o $f"
		hints "-o o.nc, and then axt-to $f o.nc"
		fails 1 "axt-map: q1.${f#m.}: what is made in parts is written as HDF5*" "axt-map sqrt a.nc --part 1/3 -o q{}.${f#m.}"
	done
	fails 1 'axt-merge: part 3 of 3 is missing' 'axt-merge p.1.nc p.2.nc -o merged.zarr'
	[ ! -e merged.zarr ]
}

@test "merge: a byte that has changed in a part is found" {
	axt-make iota time=10,lat=40,lon=30 --dtype f64 --name t -o a.nc
	echo old >m.nc
	while read -r line; do
		for k in 1 2 3; do
			works "axt-$line -q --part $k/3 -o p.$k.nc"
		done
		works 'axt-merge p.*.nc -o good.nc'
		for at in 0.1 0.9; do
			cp p.2.nc was
			py "
import re
b = bytearray(open('p.2.nc', 'rb').read())
with h5py.File('p.2.nc', 'r') as f:
    name = 'axt_part_states' if 'axt_part_states' in f else 't'
    d = f[name].id
    if d.get_offset() is None:
        c = d.get_chunk_info(0)
        first, n = c.byte_offset, c.size
    else:
        first, n = d.get_offset(), d.get_storage_size()
b[first + int(n * $at)] ^= 4
open('p.2.nc', 'wb').write(b)"
			fails 1 'axt-merge: p.2.nc*' 'axt-merge p.*.nc -o m.nc'
			[ "$(cat m.nc)" = old ]
			mv was p.2.nc
		done
	done <<-'EOF'
		map sqrt a.nc
		reduce mean a.nc
		map sqrt a.nc --chunk time=2,lat=40,lon=30
		map sqrt a.nc --compress deflate --chunk time=2,lat=40,lon=30
		cast --dtype i16 a.nc
	EOF
}

@test "a part takes the place of no operand" {
	axt-make iota x=30 --name t -o a.nc && axt-make iota x=30 --name u -o a.nc:u
	cp a.nc was.nc
	fails 1 'axt-mul: a.nc is an operand, which the other parts read' 'axt-mul a.nc:t 2 --part 1/2 -o a.nc'
	fails 1 'axt-mul: ./a.nc is an operand, which the other parts read' 'axt-mul a.nc:t 2 --part 1/2 -o ./a.nc'
	cmp a.nc was.nc
}
