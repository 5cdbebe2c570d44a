#!/usr/bin/env bats
# Pipes in order: FIFOs opened in any order, tee into several, foreign files, what is left behind.

load helper

make_b()
{
	axt-make iota x=1500000 --dtype f64 -o b.h5
	mkfifo f1 f2 f3
}

@test "tee into three FIFOs, read in any order" {
	make_b
	for order in 'f1 f2 f3' 'f3 f1 f2' 'f2 f3 f1' 'f3 f2 f1'; do
		prints 3374997750000 "tee f1 f2 <b.h5 >f3 & timeout 60 axt-add $order | axt-reduce sum -p; wait"
	done
}

@test "FIFOs whose writers come one after another" {
	make_b
	prints 0 '(cat b.h5 >f1; cat b.h5 >f2) & timeout 60 axt-sub f2 f1 | axt-reduce max -p; wait'
	prints 0 '(sleep .3; cat b.h5 >f2) & cat b.h5 >f1 & timeout 60 axt-sub f1:tensor f2 | axt-reduce max -p; wait'
}

@test "a FIFO as weights, opened with the others" {
	make_b
	prints 999999.6666666666 'tee f1 <b.h5 >f2 & timeout 60 axt-reduce mean --weights f1 f2 -p; wait'
}

@test "one tee into two operands" {
	make_b
	prints 0 'tee >(axt-map negative >f1) <b.h5 | timeout 60 axt-add - f1 | axt-reduce ptp -p'
	prints 1499999 'timeout 60 axt-add <(axt-map square b.h5) <(axt-map square b.h5) | axt-map sqrt | axt-reduce count --name n | axt-sub - 1 -p'
}

@test "a stream is taken in order where it can be" {
	works 'axt-make random a=20,b=300,c=40 --dtype f64 -o t.h5'
	for c in 'map square' 'add 1' 'reduce sum' 'reduce mean --over a' 'reduce mean --over b' 'cast --dtype f32' \
	    'order a,c,b' 'reduce max --to c'; do
		works "axt-$c <(cat t.h5) --explain"
		[[ $output == *'stream, in order'* ]]
	done
	for c in 'order c,...' 'order b,...'; do
		works "axt-$c <(cat t.h5) --explain"
		[[ $output == *'stream, spooled'* ]]
	done
}

@test "compressed streams" {
	make_b
	works 'gzip -1 b.h5 && zcat b.h5.gz | axt-info -'
	[[ $output == *'tensor f64 x=1500000'* ]]
	prints 1124999250000 'zcat b.h5.gz | axt-reduce sum -p'
}

@test "nothing stays in TMPDIR" {
	make_b
	mkdir tmp
	export TMPDIR=$PWD/tmp
	prints 1500000 'axt-make random x=1000,y=1500 --dtype f64 | axt-order y,x --memory 4M | axt-reduce count -p'
	fails 1 'axt-map: -: stream ends after 1000000 of * bytes' 'head -c 1000000 b.h5 | axt-map abs -o o.h5'
	[ ! -e o.h5 ]
	[ -z "$(ls -A tmp)" ]
}

@test "a folder for temporary files that is none is named" {
	axt-make iota y=2000,x=3000 --dtype f64 -o big.nc
	for dir in /no/such /proc; do
		fails 1 "axt-order: *no temporary file in $dir (TMPDIR has it elsewhere): *" "cat big.nc | TMPDIR=$dir axt-order x,y -m 8M -o o.nc"
		fails 1 "axt-assign: a temporary file in $dir: *" "TMPDIR=$dir axt-assign --in-place big.nc += 1 -m 8M"
		hints "TMPDIR=DIR has them in another directory"
	done
}

@test "tensors of one pipe, of which one is read ahead and another in order" {
	axt-make iota t=3,x=2 --name a -o f0.nc
	axt-make iota y=2 --name b -o f0.nc:b
	cp f0.nc f1.nc
	axt-concat t --each f0.nc f1.nc -o files.nc
	works 'axt-concat t --each <(cat f0.nc) <(cat f1.nc) -o pipes.nc && axt-equal pipes.nc files.nc'
	works 'axt-concat t --each <(cat f0.nc) f1.nc -o both.nc && axt-equal both.nc files.nc'
}
