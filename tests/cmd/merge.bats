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
	prints $'3 processes, cut along time: 8 chunks\nelements: 240 in all, 60 to 90 each\nbytes read: 960 in all, 240 to 360 each; by one process 960' "axt-map sqrt in.nc --explain --ranks 3 | head -3"
	prints '3 processes, cut along lat: 6 chunks' "axt-calc 't - mean(t, over=time)' t=in.nc --explain --ranks 3 | head -1"
	prints '20 processes, cut along lat, lon: 30 chunks' "axt-calc 't - mean(t, over=time)' t=in.nc --explain --ranks 20 | head -1"
	prints '3 processes, cut along time: 8 chunks' "axt-calc 't - mean(t, over=(lat,lon))' t=in.nc --explain --ranks 3 | head -1"
	prints '3 processes, cut along time: 8 chunks' "axt-calc 't - mean(t, over=time)' t=maps.nc --chunk time=1,lat=6,lon=5 -o o.nc --explain --ranks 3 | head -1"
	prints $'4 processes, cut along no axis: 1 chunk\n3 of them have nothing to do' "axt-reduce mean in.nc --explain --ranks 4 | head -2"
	for n in 2 3 7 31; do
		for line in "axt-calc 't - mean(t, over=time)' t=in.nc" "axt-calc 't - mean(t, over=time)' t=in.nc --chunk time=3,lat=2,lon=2 --deflate 1" "axt-sort --along lat maps.nc"; do
			rm -f part.*
			for k in $(seq "$n"); do
				works "$line --part $k/$n -q -o part.{}.nc"
			done
			works "$line -o whole.nc && axt-merge part.*.nc -o merged.nc && cmp whole.nc merged.nc"
		done
	done
	fails 2 'axt-map: --ranks belongs to --explain' 'axt-map sqrt in.nc --ranks 3 -o o.nc'
}
