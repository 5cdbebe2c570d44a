load helper

@test "a file for each index, and back" {
	make_cf
	works "axt-split time -P 't_{}.nc' cf.nc"
	prints $'3\n4\n5' 'axt-print t_1.nc'
	prints '2010-01-02T12:00:00' 'axt-print t_1.nc:time'
	works 'axt-stack time t_?.nc | axt-equal --attributes cf.nc'
	works "axt-split lat --pattern '{@}_{}.nc' cf.nc"
	prints '10_0.nc 20_1.nc 30_2.nc' 'echo [123]*.nc'
	works "axt-split time -P '{@}.nc' --dtype f64 --no-history <cf.nc"
	prints $'0\n1\n2' 'axt-print 2010-01-01.nc'
	[ -e 2010-01-02T12:00:00.nc ]
}

@test "the index has zeros in front; pipes; storage" {
	works "axt-make iota x=11,y=2 | axt-map square | axt-split x -P 'p{}.nc' --deflate 1"
	prints 'p00.nc p01.nc p02.nc p03.nc p04.nc p05.nc p06.nc p07.nc p08.nc p09.nc p10.nc' 'echo p*.nc'
	prints $'400\n441' 'axt-print p10.nc'
	works 'axt-info p10.nc | grep -q deflate'
	works "axt-make iota x=0 | axt-split x -P 'none{}.nc'"
	works "axt-split x -P 'all.nc:t{}' <(axt-make iota x=2,y=2)"
	prints $'2\n3' 'axt-print all.nc:t1'
}

@test "nothing is written where one would be refused" {
	make_cf
	touch t_1.nc
	fails 1 'axt-split: t_1.nc exists' "axt-split -N time -P 't_{}.nc' cf.nc"
	fails 1 'axt-split: axis "lat"*no coordinates*' "axt-coord drop lat cf.nc | axt-split lat -P 't_{@}.nc'"
	axt-slice time=0,0 cf.nc -o twice.nc
	fails 1 'axt-split: two indices of axis "time"*"t_2010-01-01.nc"' "axt-split time -P 't_{@}.nc' twice.nc"
	cp cf.nc t_0.nc
	fails 1 'axt-split: t_0.nc is also an operand' "axt-split time -P 't_{}.nc' t_0.nc"
	rm t_0.nc
	prints 't_1.nc' 'echo t_*'
	[ ! -s t_1.nc ]
	works "axt-split time -P 't_{}.nc' cf.nc"
	[ -s t_1.nc ]
}

@test "what is refused" {
	make_cf
	fails 2 'axt-split: -P, --pattern is missing' 'axt-split time cf.nc'
	fails 2 'axt-split: "t.nc" has no {}*' 'axt-split time -P t.nc cf.nc'
	fails 1 'axt-split: no axis "x"*' "axt-split x -P '{}.nc' cf.nc"
	fails 1 'axt-split: none/0.nc: *' "axt-split time -P 'none/{}.nc' cf.nc"
	fails 2 'axt-split: unknown option "-o"' "axt-split time -P '{}.nc' cf.nc -o o.nc"
	py '
f = h5py.File("s.nc", "w")
f["x"] = np.array(["a/b", "c"], h5py.string_dtype()); f["x"].make_scale("x")
f["t"] = np.zeros(2); f["t"].dims[0].attach_scale(f["x"])
'
	fails 1 'axt-split: the coordinate "a/b" of axis "x" is no part of a file*' "axt-split x -P '{@}.nc' s.nc:t"
	prints 'axt-split: hint: {} instead of {@} is the index' "axt-split x -P '{@}.nc' s.nc:t 2>&1 | tail -n 1 || :"
}

# A label is one component of a file's name, whatever files there are: none names another file, or a dataset of one.
@test "labels that look like other targets" {
	axt-make iota x=3 --name v -o victim.h5
	axt-make iota x=3 --name v -o plain
	cp victim.h5 before.h5
	for l in victim.h5:v plain:v - .. . victim.h5:/v '' new.nc:v; do
		L=$l py '
import os
f = h5py.File("s.nc", "w")
f["x"] = np.array(["a", os.environ["L"]], h5py.string_dtype()); f["x"].make_scale("x")
f["t"] = np.zeros(2); f["t"].dims[0].attach_scale(f["x"])
'
		fails 1 'axt-split: the coordinate "*" of axis "x" *' "axt-split x -P '{@}' s.nc:t"
		[ ! -e a ]
		cmp before.h5 victim.h5
	done
	# colons of the pattern are the pattern's
	L='v:1' py '
import os
f = h5py.File("s.nc", "w")
f["x"] = np.array(["a", os.environ["L"]], h5py.string_dtype()); f["x"].make_scale("x")
f["t"] = np.arange(2.); f["t"].dims[0].attach_scale(f["x"])
'
	works "axt-split x -P 'all.nc:d_{@}' s.nc:t"
	prints 1 'axt-print all.nc:d_v:1'
	works "axt-split x -P '{@}.nc' s.nc:t"
	prints 1 'axt-print v:1.nc'
}

@test "what is computed is computed once, whatever the axis and the memory" {
	axt-make random a=20,b=70,c=30 --dtype f64 --seed 3 -o r.nc
	for e in 'axt-scan sum --along b r.nc' 'axt-sub r.nc <(axt-reduce mean --over b r.nc)' \
	    'axt-window b=w:3 r.nc | axt-reduce mean --over w' 'axt-order c,b,a r.nc' 'axt-sort --along a r.nc'; do
		for axis in a b c; do
			for memory in 8M 64K; do
				rm -f p_*.nc
				works "$e | axt-split $axis -m $memory -P 'p_{}.nc'"
				works "axt-stack $axis p_*.nc | axt-equal - <($e)"
			done
		done
	done
}

@test "bounds go and come back" {
	py '
f = h5py.File("b.nc", "w")
f["x"] = np.arange(3.); f["x"].make_scale("x"); f["x"].attrs["bounds"] = np.bytes_("x_b")
f["x_b"] = np.array([[0, 1.], [1, 2], [2, 3]]); f["x_b"].dims[0].attach_scale(f["x"])
f["t"] = np.arange(6.).reshape(2, 3); f["t"].dims[1].attach_scale(f["x"])
'
	works "axt-split x -P 't{}.nc' b.nc:t"
	prints $'1\n2' 'axt-print t1.nc:x_b'
	works 'axt-stack x t?.nc --at -1 -o o.nc'
	works 'axt-equal --attributes o.nc b.nc:t'
	prints $'0 1\n1 2\n2 3' 'axt-print o.nc:x_b'
}

@test "a file for each value of a field" {
	axt-make iota time=800 | axt-coord set time=0:1 --attr 'time:units=days since 2010-01-01' -o days.nc
	works "axt-split time.year -P 'y_{}.nc' days.nc"
	prints $'y_2010.nc\ny_2011.nc\ny_2012.nc' 'ls y_*'
	works 'axt-concat time y_*.nc | axt-equal days.nc'
	works "axt-add days.nc 1 | axt-split time.season -P 's_{@}.nc'"
	prints $'s_DJF.nc\ns_JJA.nc\ns_MAM.nc\ns_SON.nc' 'ls s_*'
	works 'axt-slice time.season@JJA days.nc | axt-add - 1 | axt-equal s_JJA.nc'
}

@test "months and days have leading zeros, so that files are in order" {
	axt-make iota time=400 | axt-coord set time=0:1 --attr 'time:units=days since 2010-01-01' -o days.nc
	works "axt-slice time=:365 days.nc -o year.nc; axt-split time.month -P 'm_{}.nc' year.nc"
	prints 'm_01.nc m_12.nc' 'echo m_*1.nc m_*12.nc | sed "s/ m_11.nc//"'
	works 'axt-concat time m_*.nc | axt-equal year.nc'
	works "axt-slice time=:2 days.nc | axt-split time.dayofyear -P 'd_{}.nc'"
	prints 'd_001.nc d_002.nc' 'echo d_*'
}

@test "parts that are datasets of one file have no coordinate of the index, as it can be there once" {
	printf 'date,station,temp\n2001-01-01,A,1.5\n2001-01-01,B,2\n2001-01-02,A,3\n2001-01-02,B,4\n' >st.csv
	axt-from st.csv -o st.nc
	works "axt-split station st.nc -P 'wide.nc:{@}'"
	prints '0' 'ncdump -h wide.nc | grep -c "string station\|coordinates" || true'
	prints $'date,A,B\n2001-01-01,1.5,2\n2001-01-02,3,4' "axt-print --csv wide.nc:A wide.nc:B"
	works "axt-split station st.nc -P 'p{@}.nc'; axt-stack station pA.nc pB.nc | axt-order date,station | axt-equal - st.nc:temp"
	# the same of slices that are put into one file
	works 'axt-slice station@A st.nc -o w.nc:A; axt-slice station@A st.nc -o w.nc:C'
	warned 'axt-slice: warning: the coordinate "station" of B is left out: w.nc has another one of that name' 'axt-slice station@B st.nc -o w.nc:B'
	prints $'A:coordinates\nC:coordinates' "ncdump -h w.nc | sed -n 's/^\t*\([ABC]:coordinates\).*/\1/p'"
	warned 'axt-calc: warning: the coordinate "station" of b is left out: a has another one of that name' "axt-calc 'a = temp[station@A]; b = temp[station@B]; c = temp[station@A]; a, b, c' st.nc -o q.nc"
	prints 'coordinates=station' 'axt-attr coordinates q.nc:c'
	fails 1 '*has no attribute*' 'axt-attr coordinates q.nc:b'
	works 'axt-slice station@B st.nc -o w.nc:/g/B'
	# of several results in a group, and of targets of axt-calc
	works "axt-calc 'p = temp[station@B]; q = p*2; p, q' st.nc -o q.nc && axt-calc 'a.nc:x = temp[station@A]' st.nc && axt-make ones k=2 -o w.nc:/k/k2"
	works 'axt-slice station@A st.nc --name A -o w.nc:/k/'
	sh_run 'axt-copy q.nc -o w.nc:/k/'
	for p in p q; do
		[[ $stderr == *"the coordinate \"station\" of $p is left out: w.nc has another one of that name"* ]]
	done
	for p in p q; do
		fails 1 '*has no attribute*' "axt-attr coordinates w.nc:/k/$p"
	done
	warned '*the coordinate "station" of y is left out: a.nc has another one of that name' "axt-calc 'a.nc:y = temp[station@B]' st.nc"
	prints $'coordinates=station\nA' 'axt-attr coordinates a.nc:x; axt-print a.nc:station'
	fails 1 '*has no attribute*' 'axt-attr coordinates a.nc:y'
	# commands that add at once
	for i in 1 2 3 4 5; do
		axt-make ones k=2 -o r.nc
		works 'for s in A B; do axt-slice -q station@$s st.nc -o r.nc:$s & done; wait'
		one=$(axt-print r.nc:station)
		prints coordinates=station "axt-attr coordinates r.nc:$one"
		fails 1 '*has no attribute*' "axt-attr coordinates r.nc:$(tr AB BA <<<"$one")"
	done
}
