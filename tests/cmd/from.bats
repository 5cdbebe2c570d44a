load helper

npy()
{
	/usr/bin/python3 -c "import numpy as np
np.save('$1.npy', $2)"
}

@test "npy: dtypes, byte orders, orders of axes" {
	for t in i1 '>i2' '<f2' '>f4' '>c8'; do
		npy a "np.arange(6).reshape(2, 3).astype('$t')"
		npy f "np.asfortranarray(np.arange(6).reshape(2, 3).astype('$t'))"
		axt-from a.npy --to y,x -o a.nc
		axt-from f.npy --to y,x -o f.nc
		works 'axt-equal --strict-order a.nc f.nc'
		works 'axt-from - --to y,x <f.npy | axt-equal --strict-order - a.nc'
		works 'cat f.npy | axt-from - --to y,x | axt-equal --strict-order - a.nc'
		works 'axt-make iota y=2,x=3 | axt-equal --strict-order - a.nc'
	done
	npy t "np.array([255, 0, 1], 'u1').view('?')"
	prints $'1\n0\n1' 'axt-from t.npy -o t.nc; py() { /usr/bin/python3 -c "$1"; }
		py "import h5py; print(*h5py.File(\"t.nc\")[\"tensor\"][()], sep=\"\n\")"'
	npy s 'np.float32(3.5)'
	prints 3.5 'axt-from s.npy -p'
	npy e 'np.zeros((0, 3))'
	prints '' 'axt-from e.npy -p'
	prints $'tensor\tf64\tdim_0=0,dim_1=3' 'axt-from --list e.npy'
}

@test "npy: what is no tensor" {
	npy o "np.array([{}, 1], dtype=object)"
	npy s "np.zeros(3, dtype=[('a', 'f4')])"
	npy u "np.array(['abc'])"
	npy d "np.array(['2010-01-01'], dtype='M8[D]')"
	fails 1 'axt-from: o.npy: dtype "|O" is Python objects, which are never loaded' 'axt-from o.npy -p'
	fails 1 'axt-from: s.npy: holds structures, not numbers' 'axt-from s.npy -p'
	fails 1 'axt-from: u.npy: dtype "<U3" is text, not numbers' 'axt-from u.npy -p'
	fails 1 'axt-from: d.npy: dtype "<M8*dates*' 'axt-from d.npy -p'
}

@test "npy: damaged" {
	npy a 'np.arange(6.0)'
	head -c 100 a.npy >h.npy
	head -c 150 a.npy >v.npy
	(cat a.npy; echo x) >l.npy
	fails 1 'axt-from: h.npy: ends after 100 bytes, within its header' 'axt-from h.npy -p'
	fails 1 'axt-from: v.npy: ends after 150 of 176 bytes' 'axt-from v.npy -p'
	fails 1 'axt-from: -: stream ends after 150 of 176 bytes' 'cat v.npy | axt-from - -p'
	fails 1 'axt-from: l.npy: has 2 bytes after the end of its values at byte 176' 'axt-from l.npy -p'
	fails 1 'axt-from: -: stream has bytes after its end at byte 176' 'cat l.npy | axt-from - -p'
	for s in '(-6,)' '(6)' '(99999999999999999999,)' '(4611686018427387904, 8)' '[6]' '(6,' "(6,), 'shape': (6,)" \
		"__import__('os').system('touch pwned')"; do
		S=$s py 'import os, struct
h = ("{\x27descr\x27: \x27<f8\x27, \x27fortran_order\x27: False, \x27shape\x27: " + os.environ["S"] + ", }\n").encode()
open("x.npy", "wb").write(b"\x93NUMPY\1\0" + struct.pack("<H", len(h)) + h + bytes(48))'
		fails 1 'axt-from: x.npy: *' 'axt-from x.npy -p'
	done
	[ ! -e pwned ]
	printf '\223NUMPY\003\000\377\377\377\377' >b.npy
	fails 1 'axt-from: b.npy: its header would have 4294967295 bytes' 'axt-from b.npy -p'
	printf '\223NUMPY\007\000\377\377\377\377' >b.npy
	fails 1 'axt-from: b.npy: is .npy of version 7.0*' 'axt-from b.npy -p'
}

@test "axes by position" {
	npy a 'np.arange(6.0).reshape(2, 3)'
	prints $'0 1 2\n3 4 5' 'axt-from a.npy --to lat=2,lon -p'
	prints $'3\n12' 'axt-from a.npy --to lat,M^ | axt-reduce sum --to lat -p'
	fails 1 'axt-from: axis "dim_0" has length 2 in a.npy, not 4' 'axt-from a.npy --to lat=4,lon -p'
	sh_run 'axt-from a.npy --to lat -p'
	[ "$status" -ne 0 ]
	fails 1 'axt-from: a.npy: its tensor has no name, such as "x"' 'axt-from a.npy:x -p'
}

@test "raw: shapes, byte orders, offsets" {
	printf 'head\0\1\0\2\1\0\0\3' >x.raw
	prints $'1\n2\n256\n3' 'axt-from x.raw --dtype u16 --big-endian --offset 4 --to t -p'
	prints $'1 2\n256 3' 'axt-from x.raw --dtype u16 --big-endian --offset 4 --to y,x=2 -p'
	prints $'1 256\n2 3' 'axt-from x.raw --dtype u16 --big-endian --offset 4 --to y=2,x=2 --order F -p'
	prints $'1 256\n2 3' 'cat x.raw | axt-from - --format raw --dtype u16 --big-endian --offset 4 --to y=2,x=2 --order F -p'
	prints $'256\n512\n1\n768' 'axt-from x.raw --dtype i16 --offset 4 --to t -p'
	fails 2 'axt-from: x.raw: raw values need --dtype and --to with lengths' 'axt-from x.raw --to t -p'
	fails 2 'axt-from: x.raw: raw values need --dtype and --to with lengths' 'axt-from x.raw --dtype u8 -p'
	fails 2 'axt-from: x.raw: axis "x" needs a length' 'axt-from x.raw --dtype u8 --to y,x -p'
	fails 2 'axt-from: -: axis "x" needs a length' 'cat x.raw | axt-from - --format raw --dtype u8 --to x -p'
	fails 1 'axt-from: x.raw: ends after 12 of 16 bytes' 'axt-from x.raw --dtype f64 --to t=2 -p'
	fails 1 'axt-from: x.raw: has 4 bytes after the end of its values at byte 8' 'axt-from x.raw --dtype f64 --to t=1 -p'
	hints 'head -c 8 FILE*'
	fails 1 'axt-from: x.raw: 12 bytes from byte 0 on give no whole length of axis "t"' \
		'axt-from x.raw --dtype f64 --to t -p'
	fails 1 'axt-from: x.raw: *' 'axt-from x.raw --dtype f64 --to t=4611686018427387904 -p'
	fails 1 'axt-from: x.raw: *' 'axt-from x.raw --dtype u8 --to t --offset 100 -p'
}

@test "pnm: text, bits, bytes, two bytes, colours" {
	prints $'false true false\ntrue false true' 'printf "P1 # bits\n3 2\n101\n0 1 0\n" | axt-from - -p'
	prints $'false true false\ntrue false true' 'printf "P4\n3 2\n\240\100" | axt-from - -p'
	prints $'1 2\n3 300' 'printf "P2\n2 2\n# greatest\n300\n1 2\n3 300\n" | axt-from - -p'
	prints $'1 2\n3 300' 'printf "P5\n2 2\n300\n\0\1\0\2\0\3\1\54" | axt-from - -p'
	prints ':=300' 'printf "P5\n1 1\n300\n\0\1" | axt-from - -o x.nc; axt-attr maxval x.nc | sed s/maxval//'
	prints $'# y=0\n1 2 3\n4 5 6' 'printf "P6\n2 1\n255\n\1\2\3\4\5\6" | axt-from - -p'
	prints $'# y=0\n1 2 3' 'printf "P3 1 1 255 1 2 3" | axt-from - -p'
	prints $'tensor\tu8\tv=1,u=2,rgb=3' 'printf "P6\n2 1\n255\n\1\2\3\4\5\6" | axt-from - --to v,u,rgb -o x.nc
		axt-info --json x.nc >/dev/null; axt-to x.safetensors x.nc; axt-from --list x.safetensors'
	prints $'# y=0\n1 2' 'printf "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\1\2" |
		axt-from - -p'
	fails 1 'axt-from: -: stream ends after 15 of 17 bytes' 'printf "P6\n2 1\n255\n\1\2\3\4" | axt-from - -p'
	fails 1 'axt-from: -: stream has bytes after its end*' 'printf "P5\n1 1\n255\n\1\2" | axt-from - -p'
	fails 1 'axt-from: -: its value is over 255' 'printf "P2 1 1 255 256" | axt-from - -p'
	fails 1 'axt-from: -: its width is over 2147483647' 'printf "P5 99999999999 1 255 " | axt-from - -p'
	fails 1 'axt-from: -: its greatest value is over 65535' 'printf "P5 1 1 65536 " | axt-from - -p'
	fails 1 'axt-from: -: ends before its *' 'printf "P5 1" | axt-from - -p'
	fails 1 'axt-from: -: *over the memory bound*' 'printf "P2 100000 100000 255 1" | axt-from - -m 1M -p'
}

@test "csv: what axt-print writes comes back" {
	make_a
	make_cf
	works 'axt-print --csv a.nc | axt-from - | axt-equal --strict-order - a.nc'
	works 'axt-print --csv cf.nc | axt-from - --dtype f32 | axt-equal --strict-order - cf.nc'
	prints 't' 'axt-print --csv cf.nc | axt-from - | axt-info --json | grep -o "\"t\"" | head -n 1 | tr -d "\""'
	works 'axt-make random a=3,M^=2,c=1,d=4 --seed 1 --dtype f64 -o r.nc; axt-print --csv r.nc | axt-from - | axt-equal --strict-order - r.nc'
	works 'axt-make full:1 x=3 --dtype c64 | axt-mul - 2 -o z.nc; axt-print --csv z.nc | axt-from - --dtype c64 | axt-equal - z.nc'
	prints 5 'printf "tensor\n5\n" | axt-from - -p'
	prints nan 'axt-print --csv nan | axt-from - -p'
	prints '' 'printf "x,tensor\n" | axt-from - -p'
	prints $'x,v\n0,1\n1,\n2,3' 'printf "x,v\n0,1\n1,\n2,3\n" | axt-from - | axt-print --csv'
	prints 2 'printf "x,v\n0,1\n1,\n2,3\n" | axt-from - | axt-reduce mean -p'
	prints $'18446744073709551615\n1' 'printf "x,v\n0,18446744073709551615\n1,1\n" | axt-from - -p'
	prints $'-0\n1.5' 'printf "x,v\n0,-0\n1,1.5\n" | axt-from - -p'
	prints $'true\nfalse' 'printf "x,v\n0,true\n1,false\n" | axt-from - -p'
	prints $'t,"a ""b"", c"\n2010-01-31T12:00:00,1\n2010-02-28T00:00:30.5,2' \
		'printf "t,\"a \"\"b\"\", c\"\n2010-01-31T12:00:00,1\n2010-02-28T00:00:30.5,2\n" | axt-from - --name x -o x.nc
		axt-print --csv x.nc | sed "s/,x$/,\"a \"\"b\"\", c\"/"'
	prints $'place,v\nOslo,1\nRom,2' 'printf "place,v\nOslo,1\nRom,2\n" | axt-from - | axt-print --csv'
}

@test "csv: as spreadsheets write it" {
	prints $'time,t\n2020-01-01,1\n2020-01-02,2' \
		'printf "\357\273\277time,t\r\n2020-01-01,1\r\n2020-01-02,2\r\n" | axt-from - | axt-print --csv'
	prints $'time,t\n2020-01-01T06:00:00,1\n2020-01-01T12:00:00,2' \
		'printf "time,t\n2020-01-01 06:00,1\n2020-01-01T12:00Z,2\n" | axt-from - | axt-print --csv'
	prints 1 'printf "time,t\n2020-01-01 06:00:00,1\n2020-01-02 12:00:00Z,2\n" | axt-from - | axt-slice time@2020-01-01 -p'
	fails 1 'axt-from: -: column 1 has "1,5", and numbers take a point' 'printf "x;y\n1,5;2\n2,5;3\n" | axt-from - -p'
	fails 1 'axt-from: -: line 1 has both commas and semicolons: *' 'printf "1;2,5\n3;4,5\n" | axt-from - -p'
	fails 1 'axt-from: -: column 2 has "2,5", and numbers take a point' 'printf "a;b\n1;2,5\n" | axt-from - -p'
	prints $'t\n5' 'printf "\"a;b\",t\nx,5\n" | axt-from - | axt-print --csv | cut -d, -f2'
}

@test "csv: names axt has not" {
	fails 1 'axt-from: axis name "x\[m\]" *' 'printf "x[m],v\n10,1\n20,2\n" | axt-from - -p'
	prints $'x,v\n10,1\n20,2' 'printf "x[m],v\n10,1\n20,2\n" | axt-from - --to x | axt-print --csv'
	sh_run 'printf "x,x,v\n0,0,1\n0,1,2\n" | axt-from - -p'
	[ "$status" -eq 1 ]
}

@test "csv: a column of several" {
	t='printf "x,mean,std\n10,1,5\n20,2,6\n"'
	prints $'x,mean\n10,1\n20,2' "$t >t.csv; axt-from t.csv:mean | axt-print --csv"
	prints $'10 1 5\n20 2 6' "$t | axt-from - --matrix -p"
	prints $'row,column,tensor\n0,x,10\n0,mean,1' "$t | axt-from - --matrix | axt-print --csv --head 2"
	fails 1 'axt-from: t.csv: no column "var"' 'axt-from t.csv:var -p'
	prints $'1 5\n2 6' 'printf "a,b\n1,5\n2,6\n" | axt-from - --matrix -p'
	prints $'5\n6' 'printf "a,b\n1,5\n2,6\n" | axt-from - -p'
}

@test "csv: records, as pandas writes them" {
	printf 'date,station,tmax [degC],tmin (K),n\n2001-01-01,A,1.1,0.5,3\n2001-01-02,"B, b",,NA,4\n2001-01-03T00:00:00Z,,3.3,0.25,5\n' >s.csv
	prints $'tmax f64 date=3  degC\ntmin f64 date=3  K\nn i64 date=3' 'axt-from s.csv -o s.nc && axt-info --brief s.nc'
	prints $'date,station,tmax\n2001-01-01,A,1.1\n2001-01-02,"B, b",\n2001-01-03,,3.3' 'axt-print --csv s.nc:tmax'
	prints $'3\n4\n5' 'axt-print s.nc:n'
	prints $'A B, b ' '/usr/bin/python3 -c "import h5py; print(*h5py.File(\"s.nc\")[\"station\"].asstr())"'
	works 'axt-from s.csv:tmin | axt-equal - s.nc:tmin'
	prints 0.5 "axt-from s.csv:tmin | axt-slice date@2001-01-01 - | axt-print"
	prints $'tmax\tf32\tdate=3\ntmin\tf32\tdate=3\nn\ti64\tdate=3' 'axt-from --list s.csv | sed s/f64/f32/'
	prints $'f32\nf32\nf32' 'axt-from --dtype f32 s.csv | axt-info --brief | cut -d" " -f2 | head -n 3'
	prints $'t f64 date=2' "printf 'date,t\n1999-12-31 12:00:00,1.5\n2000-01-01 12:00,2\n' | axt-from - | axt-info --brief"
	prints $'1999-12-31T12:00:00\n2000-01-01T12:00:00' \
	    "printf 'date,t,u\n1999-12-31 12:00:00,1.5,1\n2000-01-01 12:00,2,1\n' | axt-from - -o u.nc && axt-print u.nc:date"
	# other first columns where all tensors are asked for
	prints $'mean i64 x=2\nstd i64 x=2' "printf 'x,mean,std\n10,1,5\n20,2,6\n' >t.csv; axt-from 't.csv:*' | axt-info --brief"
	prints $'A\nB, b' 'axt-from s.csv:station -p'
	fails 1 'axt-from: s.csv: column 1 holds text, such as "2001-01-01"' 'axt-from --matrix s.csv -p'
	hints 'without --matrix, columns of text go along with those of numbers'
	fails 1 'axt-from: -: its columns hold text, and no numbers' 'printf "a,b\nx,y\nz,w\n" | axt-from "-:*"'
	hints 'axt-from -:b takes one column'
	prints $'x,u,v\na,,1\nb,text,' 'printf "x,u,v\na,,1\nb,text,\n" | axt-from - | axt-print --csv'
}

@test "csv: a list of words" {
	printf 'w0\nw1\n#2\nNew York\n' >v.txt
	(echo word; cat v.txt) >h.txt
	prints $'w0\nw1\n#2\nNew York' 'axt-from v.txt -p'
	prints $'w0\nw1\n#2\nNew York' 'axt-from v.txt | axt-print'
	prints $'text\trow=4 (text)' 'axt-from v.txt -o v.nc && axt-info v.nc | grep row | sed "s/^  //;s/ /\t/"'
	prints $'a\n#b\n#, c\nd' "printf 'a\n#b\n#, c \nd\n' | axt-from - -p"
	prints $'#b\nc' "printf 'a\n#b\nc' | axt-from --header yes - -p"
	prints $'1\n2' "printf 'a\n#b\n1\n2\n' | axt-from - -p"
	# a first line that names the column
	prints $'w0\nw1' 'axt-from h.txt:word -p | head -n 2'
	prints $'word\nw0' 'axt-from h.txt -p | head -n 2'
	prints $'  word word=4 (text)' 'axt-from --header yes --to word h.txt | axt-info | grep text'
	prints $'  name row=5 (text)' 'axt-from --header no --name name h.txt | axt-info | grep text'
	prints $'h\ttext\trow=4' 'axt-from --list h.txt:word | sed s/word/h/'
	prints $'2001-01-01\n2001-01-03' "printf 'day\n# UTC\n2001-01-01\n2001-01-03\n' | axt-from - -o d.nc && axt-make iota t=2 | axt-coord set t=d.nc:day | axt-print -:t"
	# numbers, and text below them
	prints $'1\n2' "printf '1\n2\n' | axt-from --header auto - -p"
	fails 1 'axt-from: -: line 3, column 1: "of" is not a number' "printf 'the\n1\nof\n' | axt-from - -p"
	hints '--header no reads words from the first line on'
	prints $'the\n1\nof' "printf 'the\n1\nof\n' | axt-from --header no - -p"
	# labels
	prints $'w,n\na,2\nb,1' "printf 'a\nb\na\n' | axt-from - --name w -o l.nc && axt-make full:1 row=3 --name n | axt-reduce sum --by l.nc | axt-print --csv"
	fails 1 'axt-mul: -:text holds text, not numbers' 'axt-from v.txt | axt-mul - 2'
	fails 1 'axt-from: axis "w" has length 4 in v.txt, not 3' 'axt-from --to w=3 v.txt -p'
	fails 1 'axt-from: v.txt: words have one axis, not "w,z"' 'axt-from --to w,z v.txt -p'
	fails 1 'axt-from: words go to a file of their own, not to "v.nc:x"' 'axt-from v.txt -o v.nc:x'
	fails 1 'axt-from: v.csv: words are written to HDF5 alone' 'axt-from v.txt -o v.csv'
	for o in '--attr a=b' '--compress deflate' '--chunk row=1' '--unlimited row'; do
		fails 2 'axt-from: words are text, and take no --dtype*' "axt-from v.txt $o -o o.nc"
	done
	fails 1 'axt-from: v.nc: exists*' 'axt-from v.txt --no-clobber -o v.nc'
}

@test "csv: a column called as its axis has the coordinates of that axis" {
	works 'printf "\"depth [m]\"\n10\n20.5\n" | axt-from - --to depth -o z.nc'
	prints $'10\n20.5' 'axt-print z.nc:depth'
	prints 'depth:units=m' 'axt-attr depth:units z.nc'
	prints $'depth,tensor\n10,10\n20.5,20.5' 'axt-print --csv z.nc'
	prints $'20\n41' "axt-calc 'depth * 2' z.nc -p"
	prints $'1\n2.05' "axt-make iota z=4 --name t | axt-coord set z=0:10 -o t.nc; axt-calc 'interp(t, z=depth)' t.nc z.nc -p"
	prints $'n,depth\n0,10\n1,20' 'printf "depth\n10\n20\n" | axt-from - --to n | axt-print --csv'
	# values that are missing or in any order are no coordinates
	prints $'depth,tensor\n0,2\n1,0\n2,1' 'printf "depth\n2\n0\n1\n" | axt-from - --to depth | axt-print --csv'
	prints $'depth,tensor\n0,10\n1,' 'printf "depth\n10\nNA\n" | axt-from - --to depth | axt-print --csv'
}

@test "csv: a record for each element" {
	printf 'time,station,value\n2001-01-03,A,2\n2001-01-01,A,1\n2001-01-01,B,3\n2001-01-03,C,4\n' >l.csv
	prints $'time,station,value\n2001-01-01,A,1\n2001-01-01,B,3\n2001-01-01,C,\n2001-01-03,A,2\n2001-01-03,B,\n2001-01-03,C,4' \
	    'axt-from l.csv -o l.nc && axt-print --csv l.nc'
	prints $'y,x,v\na,-1.5,1\na,2,2\nb,-1.5,3\nb,2,4' "printf 'y,x,v\na,2,2\nb,-1.5,3\na,-1.5,1\nb,2,4\n' | axt-from - | axt-print --csv"
	/usr/bin/python3 -c "for i in range(9999): print('k%d' % (i % 997) if i else 'k', i, i, sep=',')" >s.csv
	prints $'0 i64 row=9998\nk0 i64 row=9998' "sed '1s/.*/w,0,k0/' s.csv | axt-from - | axt-info --brief"
}

@test "csv: records whose first column does not tell them apart, or is numbers" {
	printf 'run,det,gain,note\n1,A,1.5,"x, y"\n2,B,2.5,NA\n3,A,,ok\n' >t.csv
	prints $'run,det,note,gain\n1,A,"x, y",1.5\n2,B,NA,2.5\n3,A,ok,' 'axt-from t.csv | axt-print --csv'
	prints $'det,gain\nA,1.5\nB,2.5' 'axt-from t.csv -o t.nc && axt-reduce mean --by t.nc:det t.nc:gain | axt-print --csv'
	printf 'run,energy,x\n102,1.5,-1\n101,2.5,-2\n102,3.5,-3\n' >e.csv
	prints $'run i64 row=3\nenergy f64 row=3\nx i64 row=3' 'axt-from e.csv | axt-info --brief'
	prints $'run,energy\n101,2.5\n102,5' "axt-from e.csv -o e.nc && axt-calc 'sum(energy, by=run)' e.nc | axt-print --csv"
	prints $'1.5\n2.5\n3.5' 'axt-from e.csv:energy -p'
	prints $'step,loss,acc\n10,0.5,1\n20,0.25,2\n40,0.125,3' "printf 'step,loss,acc\n10,0.5,1\n20,0.25,2\n40,0.125,3\n' | axt-from - | axt-print --csv '-:*'"
	prints $'row,det,id\n0,A,1\n1,B,2' "printf 'id,det\n1,A\n2,B\n' | axt-from - | axt-print --csv"
	# places are no axis of latitudes
	prints $'lat i64 row=2\nlon i64 row=2' "printf 'lat,lon\n1,10\n2,20\n' | axt-from - | axt-info --brief"
	prints $'lat i64 row=2\nlon i64 row=2\nt i64 row=2' "printf 'lat,lon,t\n1,10,5\n2,20,6\n' >p.csv; axt-from p.csv | axt-info --brief"
	prints $'10\n20' 'axt-from p.csv:lon -p'
	prints 't i64 lat=2 lon=2' "printf 'lat,lon,t\n1,10,5\n1,20,6\n2,10,7\n2,20,8\n' | axt-from - | axt-info --brief"
	# elements whose lines are twice are no tensor over their axes
	prints $'row,x,y,v\n0,a,1,1\n1,b,2,2\n2,a,1,3' "printf 'x,y,v\na,1,1\nb,2,2\na,1,3\n' | axt-from - | axt-print --csv '-:*'"
	# pandas names the index nothing
	prints $'row,loss,acc\n0,0.5,1\n1,0.25,2' "printf ',loss,acc\n0,0.5,1\n1,0.25,2\n' | axt-from - | axt-print --csv '-:*'"
	# numbers in any order, each element once
	prints $'y,x,v\n0,5,1\n0,6,2\n1,5,3\n1,6,4' "printf 'y,x,v\n1,6,4\n0,6,2\n1,5,3\n0,5,1\n' | axt-from - | axt-print --csv"
}

@test "csv: matrices" {
	prints $'1 2\n3 4.5' 'printf "# NumPy\n1 2\n\n3 4.5\n" | axt-from - -p'
	prints $'1 2\n3 4.5' 'printf "1;2\r\n3;4.5" | axt-from - -p'
	prints $'1 nan\n3 4.5' 'printf "1\t\n3\t4.5\n" | axt-from - -p'
	prints $'1.5\n2' 'printf "1.5\n2\n" | axt-from - --to t -p'
	prints $'1+2j 3+0j' 'printf "(1+2j),3\n" | axt-from - -p'
	prints $'row,column' 'printf "1,2\n" | axt-from - | axt-print --csv | head -n 1 | cut -d, -f1,2'
	fails 1 'axt-from: -: line 2 has 1 columns, those before have 2' 'printf "1 2\n3\n" | axt-from - -p'
	fails 1 'axt-from: -: line 2, column 2: "x" is not a number' 'printf "1 2\n3 x\n" | axt-from - -p'
	fails 1 'axt-from: -: line 1 has a quote without end' 'printf "1,\"2\n3,4\n" | axt-from - -p'
	fails 1 'axt-from: -: line 2 has a NUL byte' 'printf "1,2\n3,\0004\n" | axt-from - --format csv -p'
	fails 1 'axt-from: -: has no values' 'printf "\n\n" | axt-from - --format csv -p'
	fails 1 'axt-from: -: its values are over the memory bound*' 'yes 1,2 | axt-from - -m 100k -p'
}

# header JSON, then bytes of zeros
tensors()
{
	H=$1 N=${2-0} /usr/bin/python3 -c 'import os, struct
h = os.environ["H"].encode()
open("x.safetensors", "wb").write(struct.pack("<Q", len(h)) + h + bytes(int(os.environ["N"])))'
}

@test "safetensors: one of several" {
	tensors '{"a.w":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"b":{"dtype":"BF16","shape":[],"data_offsets":[24,26]},
		"q":{"dtype":"F4","shape":[2],"data_offsets":[26,27]}}   ' 27
	prints $'a.w\tf32\tdim_0=2,dim_1=3\nb\tbf16\t\nq\t?\tdim_0=2' 'axt-from --list x.safetensors'
	prints $'0 0 0\n0 0 0' 'axt-from x.safetensors:a.w -p'
	prints 0 'cat x.safetensors | axt-from -:b -p'
	fails 1 'axt-from: x.safetensors holds 3 tensors: a.w, b, q' 'axt-from x.safetensors -p'
	hints 'axt-from x.safetensors:a.w -p'
	fails 1 'axt-from: x.safetensors: no tensor "c" (a.w, b, q)' 'axt-from x.safetensors:c -p'
	fails 1 'axt-from: x.safetensors: "q" has dtype F4, which axt has not' 'axt-from x.safetensors:q -p'
}

@test "safetensors: damaged" {
	bad()
	{
		tensors "$1" "${3-0}"
		fails 1 "axt-from: x.safetensors: $2" 'axt-from x.safetensors -p'
	}
	t='"dtype":"U8","shape":[4],"data_offsets":[0,4]'
	bad '' 'byte 8 of its header: an object is expected'
	bad '{' '*: a string is expected'
	bad '{}' 'holds no tensor'
	bad "{\"a\":{$t}" '*: a comma or the end of an object is expected' 4
	bad "{\"a\":{$t}} x" '*: something follows the object' 4
	bad "{\"a\":{$t}}" 'ends after * bytes' 3
	bad "{\"a\":{$t}}" 'has 1 bytes after the end of its values *' 5
	bad "{\"a\":{$t},\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}" 'names two tensors "a"' 8
	bad "{\"a\":{$t},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]}}" 'the values of "b" begin at byte 2*' 6
	bad "{\"a\":{$t},\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[5,9]}}" 'the values of "b" begin at byte 5*' 9
	bad '{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,5]}}' '"a" has 5 bytes, and its shape and dtype 4' 5
	bad '{"a":{"dtype":"U8","shape":[4],"data_offsets":[4,0]}}' '*data_offsets must be two rising numbers' 4
	bad '{"a":{"dtype":"U8","shape":[-4],"data_offsets":[0,4]}}' '*a whole number*' 4
	bad '{"a":{"dtype":"F64","shape":[4611686018427387904],"data_offsets":[0,0]}}' '*more than 2^63 bytes'
	bad '{"a":{"dtype":"F64","shape":[99999999999999999999],"data_offsets":[0,0]}}' '*a whole number*'
	bad "{\"a\":{$t,\"x\":[[[[[[[[1]]]]]]]]}}" '*a tensor has dtype, shape and data_offsets, each once' 4
	bad '{"a":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}' '*an object is expected'
	bad "{\"a\\u0000b\":{$t}}" '*a bad \\u in a string' 4
	bad "{\"a\\ud800\":{$t}}" '*a bad \\u in a string' 4
	bad "{\"__metadata__\":{\"a\":1},\"a\":{$t}}" '*a string is expected' 4
	printf '\377\377\377\377\377\377\377\177{' >x.safetensors
	fails 1 'axt-from: x.safetensors: its header would have 9223372036854775807 bytes' 'axt-from x.safetensors -p'
	printf '\377\0\0\0\0\0\0\0{' >x.safetensors
	fails 1 'axt-from: x.safetensors: ends after 9 bytes, within its header of 255' 'axt-from x.safetensors -p'
}

@test "the format by name, by first bytes, by option" {
	npy a 'np.arange(2)'
	cp a.npy a
	prints $'0\n1' 'axt-from a -p'
	fails 1 'axt-from: a.npy: is no PNM image' 'axt-from a.npy --format pnm -p'
	make_a
	fails 1 'axt-from: a.nc: is HDF5, which every command reads as it is' 'axt-from a.nc -p'
	printf '\1\2\3' >b
	fails 1 'axt-from: b: neither its name nor its first bytes tell a format' 'axt-from b -p'
	: >c
	fails 1 'axt-from: c: is empty' 'axt-from c -p'
	fails 1 'axt-from: none.npy: No such file or directory' 'axt-from none.npy -p'
	fails 2 'axt-from: operand FILE* is missing' 'axt-from'
	fails 2 'axt-from: --format takes *, not "jpg"' 'axt-from --format jpg a.jpg'
	fails 2 'axt-from: --offset, --big-endian and --order are for raw values, and a.npy is npy' 'axt-from a.npy --offset 8'
	fails 2 'axt-from: --matrix is for csv, and a.npy is npy' 'axt-from a.npy --matrix'
	fails 1 'axt-info: -: is a NumPy .npy file, not HDF5' 'cat a.npy | axt-info'
	hints 'axt-from reads it'
}

@test "a pipeline reads the file itself" {
	npy a "np.arange(6, dtype='>f4').reshape(2, 3)"
	sh_run 'export AXT_FUSE=1; axt-from a.npy --to y,x | axt-map square | axt-map sqrt | axt-reduce sum --to y --explain'
	[[ $output == *'reads a.npy'* ]]
	[[ $output == *'file=0 at=128 swap=1'* ]]
	[[ $output == *"its writer's plan is taken"* ]]
	prints $'3\n12' 'export AXT_FUSE=1; axt-from a.npy --to y,x | axt-map square | axt-map sqrt | axt-reduce sum --to y -p'
	prints $'3\n12' 'export AXT_FUSE=0; axt-from a.npy --to y,x | axt-map square | axt-map sqrt | axt-reduce sum --to y -p'
	prints 9 'axt-from a.npy --to y,x | axt-sub - <(axt-from a.npy --to y,x | axt-reduce mean --over y) | axt-map square |
		axt-reduce sum | axt-sub - 4.5 -p'
}

@test "numbers of a first column stay what they are, also 0, 1, 2" {
	printf 'id,v\n0,10\n1,20\n2,30\n3,40\n' >ids.csv
	prints $'id,v\n2,30\n3,40' 'axt-from ids.csv | axt-slice id=2: | axt-print --csv'
	printf 'time [s],v [V],w\n0,1.5,2\n1,2.5,3\n2,4.5,1\n3,1.5,7\n' >v.csv
	works 'axt-from v.csv -o v.nc'
	prints 'units=s' 'axt-attr units v.nc:time'
	prints $'time,v\n0.5,2\n2.5,3' 'axt-window time=w:2:2 v.nc:v | axt-reduce mean --over w | axt-print --csv'
	# positions of axes without coordinates, as axt-print writes them, are none
	prints 'v i64 dim_0=3' 'axt-make iota x=3 --dtype f64 --name v | axt-rename x=dim_0 | axt-print --csv | axt-from --format csv - | axt-info --brief -'
}

@test "a first column without a name is the index of pandas" {
	printf ',tmax,tmin\n2001-01-01,1.5,0\n2001-01-02,2,1\n' >n.csv
	works 'axt-from n.csv -o n.nc'
	prints $'time,tmax,tmin\n2001-01-01,1.5,0\n2001-01-02,2,1' 'axt-print --csv n.nc:tmax n.nc:tmin'
	prints $'index,a\nx,1\ny,3' "printf ',a\nx,1\ny,3\n' | axt-from --format csv - | axt-print --csv"
	prints $'row,a\n5,1\n7,3' "printf ',a\n5,1\n7,3\n' | axt-from --format csv - | axt-print --csv"
	prints 'a i64 row=2' "printf ',a\n0,1\n1,3\n' | axt-from --format csv - | axt-info --brief -"
}

@test "columns before the last that tell the lines apart leave the last no axis" {
	printf 'date,station,tmax,tmin\n2001-01-01,A,1.5,0\n2001-01-01,B,2,1\n2001-01-02,A,3,2\n2001-01-02,B,4,3\n' >s.csv
	works 'axt-from s.csv -o s.nc'
	prints $'tmax f64 row=4\ntmin i64 row=4' 'axt-info --brief s.nc'
	printf 'station,year,v\nA,2001,1\nB,2001,2\nB,2002,3\n' >y.csv
	prints 'v f64 station=2 year=2' 'axt-from y.csv | axt-info --brief -'
	printf 'station,depth,v\nA,1.5,1\nB,2.5,2\nB,1.5,3\n' >y.csv
	works 'axt-from y.csv -o y.nc'
	prints $'depth f64 row=3\nv i64 row=3' 'axt-info --brief y.nc'
}

@test "times with their distance to UTC are dates" {
	printf 't,v\n2001-01-01T00:00:00+01:00,1\n2001-01-02 12:30:00-02:30,2\n2001-01-02T18:00Z,2\n' >t.csv
	prints $'t,v\n2000-12-31T23:00:00,1\n2001-01-02T15:00:00,2\n2001-01-02T18:00:00,2' 'axt-from t.csv | axt-print --csv'
}

@test "text that is the coordinates of its axis lies along that axis" {
	printf 'time,sensor,value\n2024-01-01,a,1\n2024-01-01,b,2\n2024-01-02,a,4\n2024-01-02,b,7\n' >l.csv
	works 'axt-from l.csv -o l.nc'
	prints 2.5 "axt-calc 'mean(where(sensor == \"a\", value, nan))' l.nc -p"
	prints $'2.5\n4.5' 'axt-reduce -q mean --by l.nc:sensor l.nc:value -p'
	prints $'1\n4' 'axt-slice sensor@<(axt-eq l.nc:sensor a) l.nc:value -p'
	prints '' 'axt-info l.nc | sed -n /others/p'
}

@test "columns of dates behind the first are times along the lines" {
	printf 'station,lat,lon,date,pm25\nA,1,2,2023-05-01,5\nB,2,3,2023-05-02,7\nA,1,2,2023-05-03,6\n' >o.csv
	works 'axt-from o.csv -o o.nc; axt-make iota time=5 --name v | axt-coord set time=0:1 --attr "time:units=days since 2023-05-01" -o v.nc'
	prints $'row,station,date,pm25\n0,A,2023-05-01,5\n1,B,2023-05-02,7\n2,A,2023-05-03,6' 'axt-print --csv o.nc:pm25'
	prints '0 1 2' 'axt-take time@o.nc:date v.nc -p | xargs'
	prints '7 6' 'axt-slice date@2023-05-02: o.nc:pm25 -p | xargs'
	prints $'date,pm25\n2023-05-01,5\n2023-05-02,7\n2023-05-03,6' 'axt-reduce mean --by o.nc:date o.nc:pm25 | axt-print --csv'
	sed -i 's/2023-05-03/none/' o.csv
	prints none 'axt-from o.csv -o o.nc; axt-print o.nc:date | tail -n 1'
}

@test "a first column in which a value stands twice is no axis, also of one column that is named" {
	printf 'date,station,lat,tmean\n2020-01-30,A,1,10\n2020-02-01,A,1,20\n2020-01-30,B,2,0\n2020-02-01,B,2,2\n' >m.csv
	prints 'tmean i64 row=4' 'axt-from m.csv:tmean | axt-info --brief -'
	prints $'row,item,price\n0,a,1\n1,b,2\n2,b,2' "printf 'item,price\na,1\nb,2\nb,2\n' | axt-from - --format csv | axt-print --csv"
	prints $'row,time,flux\n0,3.5,1\n1,1.25,2\n2,1.25,5' "printf 'time,flux\n3.5,1\n1.25,2\n1.25,5\n' | axt-from - --format csv | axt-print --csv"
	prints $'time,flux\n3.5,1\n1.25,2' "printf 'time,flux\n3.5,1\n1.25,2\n' | axt-from - --format csv | axt-print --csv"
}

@test "netCDF classic needs no axt-from, whatever the name of the file" {
	axt-make iota x=3 -o a.cdf
	cp a.cdf b
	for a in a.cdf b '--format nc3 a.cdf'; do
		fails 1 "axt-from: ${a##* }: is netCDF classic, which every command reads as it is" "axt-from $a"
		hints "axt-copy ${a##* } -o a.nc"
	done
	printf 'P2 2 1 255 1 2\n' >p.cdf
	fails 1 'axt-from: p.cdf: is no netCDF file' 'axt-from p.cdf'
}
