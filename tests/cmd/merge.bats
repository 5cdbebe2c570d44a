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
	hints 'axt-map sqrt --part 2/3 a.nc -o p2.nc'
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
