load helper

@test "matrices of duals, and of axes that are named" {
	printf "P2 2 4 9 0 1 2 3 4 2 8 6\n" | axt-from - | axt-unflatten y=t:2,i:2 | axt-rename x=j -o a.nc
	prints '-2 8' 'axt-det --row i --col j a.nc -p | paste -sd " "'
	prints '-2 8' 'axt-order i,j,t a.nc | axt-det --col i --row j -p | paste -sd " "'
	prints '-2 8' 'axt-rename j=i* a.nc | axt-det -p | paste -sd " "'
	prints '-2 8' 'axt-rename j=i* a.nc | axt-det --col i* -p | paste -sd " "'
	prints 't=2' 'axt-rename j=i* a.nc | axt-det --row i -o d.nc; axt-info d.nc | grep -o t=2'
	prints '-2 8' "axt-calc 'det(a, row=i, col=j)' a=a.nc -p | paste -sd ' '"
	prints '-2 8' "axt-calc 'det(cast(a, to=(t,i,i*)))' a=a.nc -p | paste -sd ' '"
}

@test "several axes are one matrix" {
	axt-make random a=2,b=3,c=3,d=2 --seed 1 --dtype f64 -o m.nc
	works 'axt-flatten a,b=r m.nc | axt-flatten c,d=s | axt-det --row r --col s -o one.nc'
	works 'axt-det --row a,b --col c,d m.nc | axt-equal - one.nc'
	works 'axt-det --row b,a --col d,c m.nc | axt-equal - one.nc --rtol 1e-12'
	works 'axt-make random a=2,b=3,a*=2,b*=3 --seed 1 --dtype f64 -o n.nc; axt-det n.nc -o d.nc; axt-det --row a,b --col a*,b* n.nc | axt-equal - d.nc'
}

@test "singular matrices, pivots beyond f64, dtypes" {
	axt-make iota i=3,j=3 -o s.nc
	prints '0' 'axt-make ones i=3,j=3 | axt-det --row i --col j -p'
	prints '1' 'axt-make eye M=4,M*=4 | axt-mul - <(axt-make iota M=4 | axt-lt - 2 | axt-where - 1000. -1000. | axt-pow 2 -) | axt-det -p'
	prints 'f64' 'axt-cast --dtype i8 s.nc | axt-det --row i --col j | axt-info - | grep -o f64'
	prints 'f32' 'axt-cast --dtype f16 s.nc | axt-det --row i --col j | axt-info - | grep -o f32'
	prints '7' 'axt-make full:7 i=1,j=1 | axt-det --row i --col j -p'
}

@test "the plan, threads, tiles, pipes and saved expressions" {
	axt-make normal t=50,i=5,j=5 --seed 2 --dtype f32 -o m.nc
	axt-det --row i --col j m.nc -o one.nc -t 1
	works 'axt-det --row i --col j m.nc --explain | grep "det: m=5"'
	for env in AXT_THREADS=3 AXT_TILE=1 AXT_TILE=60 AXT_SLAB=200; do
		works "env $env axt-det --row i --col j m.nc | axt-equal - one.nc --rtol 0"
	done
	works 'axt-order i,t,j m.nc | axt-det --row i --col j | axt-equal - one.nc --rtol 0'
	works 'axt-order i,j,t m.nc --chunk i=2,j=3,t=7 -o c.nc && axt-det --row i --col j c.nc | axt-equal - one.nc --rtol 0'
	works 'axt-det --row i --col j m.nc | axt-map abs | axt-equal - <(AXT_FUSE=0 axt-det --row i --col j m.nc | axt-map abs)'
	works 'axt-det --row i --col j m.nc | axt-save -o saved.nc && axt-equal saved.nc one.nc'
}

@test "results leave through a pipe as they are made, in little memory" {
	axt-make normal t=200000,M=2,M*=2 --seed 1 --dtype f32 -o long.nc
	axt-det long.nc -o one.nc
	works 'AXT_FUSE=0 axt-det -m 600K long.nc | axt-equal - one.nc --rtol 0'
	axt-make normal t=2,x=3000,i=5,j=5 --seed 1 --dtype f64 -o wide.nc
	axt-det --row i --col j wide.nc -o one.nc
	works 'AXT_FUSE=0 axt-det --row i --col j -m 700K wide.nc | axt-equal - one.nc --rtol 0'
	works 'axt-order i,x,j,t wide.nc -o o.nc; AXT_FUSE=0 axt-det --row i --col j -m 1M o.nc | axt-order t,x | axt-equal - one.nc --rtol 0'
}

@test "what is no matrix" {
	make_a
	fails 1 'axt-det: a.nc:tensor (lat, lon (2, 3)) has no axis and its dual, such as M and M\*' 'axt-det a.nc'
	hints '*--row lat*'
	fails 1 'axt-det: det needs as many columns as rows*' 'axt-det --row lat --col lon a.nc'
	fails 1 'axt-det: no axis "x" in *' 'axt-det --row lat --col x a.nc'
	fails 1 'axt-det: *' 'axt-det --row lat --col lat a.nc'
	fails 1 'axt-det: det needs as many columns as rows*' 'axt-det --row lat a.nc'
	axt-make random M=2000,M*=2000 -o l.nc
	fails 1 'axt-det: the plan needs * MiB of scratch memory*' 'axt-det -m 1M l.nc'
}

@test "results have the names of rows, columns and mode" {
	axt-make random t=2,r=3,c=4 --seed 1 --dtype f64 -o a.nc
	works 'axt-svd --row r --col c a.nc -o f.nc; axt-info --brief f.nc'
	prints 't=2,r=3,mode=3' "axt-info --brief f.nc:u | cut -d ' ' -f 3- | tr ' ' ,"
	prints 't=2,mode=3,c=4' "axt-svd --row r --col c a.nc | axt-info --brief -:vh | cut -d ' ' -f 3- | tr ' ' ,"
	works 'axt-svd --row r --col c --mode k a.nc -o g.nc; axt-rename k=mode g.nc:s | axt-equal - f.nc:s'
	prints 't=2,c=4,r=3' "axt-pinv --row r --col c a.nc | axt-info --brief - | cut -d ' ' -f 3- | tr ' ' ,"
	works 'axt-calc "dot(q, x, keep=t)" q=<(axt-calc "qr(a, q, row=r, col=c)" a=a.nc) x=<(axt-calc "qr(a, r, row=r, col=c)" a=a.nc) | axt-equal - a.nc --atol 1e-14'
	works 'axt-lu --row r --col c <(axt-slice c=:3 a.nc) -o lu.nc; axt-dot --keep t lu.nc:l lu.nc:u | axt-equal - <(axt-take r=lu.nc:p <(axt-slice c=:3 a.nc)) --atol 1e-15'
	works 'axt-qr --row i --col c <(axt-rename r=i a.nc) -o q.nc; axt-eig --row r --col c <(axt-slice c=:3 a.nc) -p; axt-slogdet --row r --col c <(axt-slice c=:3 a.nc) -p'
}

@test "inverses of duals: products with them are 1 on the diagonal" {
	axt-make random a=2,b=3,a*=2,b*=3 --seed 1 --dtype f64 -o m.nc
	axt-make eye r=6,c=6 | axt-unflatten r=a:2,b:3 | axt-unflatten 'c=a*:2,b*:3' -o one.nc
	works 'axt-dot m.nc <(axt-inv m.nc) | axt-equal - one.nc --atol 1e-12'
	works 'axt-inv m.nc | axt-dot - m.nc | axt-equal - one.nc --atol 1e-12'
	works 'axt-inv m.nc | axt-inv | axt-equal - m.nc --atol 1e-12'
	works 'axt-solve m.nc m.nc | axt-equal - one.nc --atol 1e-12'
	works 'axt-make normal a=2,b=3,time=5 --seed 2 --dtype f64 -o x.nc; axt-dot m.nc x.nc | axt-solve m.nc - | axt-equal - x.nc --atol 1e-12'
	works 'axt-transpose m.nc | axt-inv | axt-transpose | axt-equal - <(axt-inv m.nc) --atol 1e-12'
	axt-make random a=2,b=3,a*=2,b*=3 --seed 3 --dtype f64 -o n.nc
	works 'axt-dot m.nc n.nc | axt-inv | axt-equal - <(axt-dot <(axt-inv n.nc) <(axt-inv m.nc)) --atol 1e-10'
	works 'axt-calc "transpose(inv(dot(m, n)))" m=m.nc n=n.nc | axt-equal - <(axt-calc "dot(transpose(inv(m)), transpose(inv(n)))" m=m.nc n=n.nc) --atol 1e-10'
	works 'axt-dot <(axt-inv m.nc) x.nc | axt-equal - <(axt-solve m.nc x.nc) --atol 1e-12'
	works 'axt-matrix-power --power -2 m.nc | axt-equal - <(axt-inv m.nc | axt-matrix-power --power 2) --rtol 1e-9 --atol 1e-9'
	works 'axt-expm m.nc | axt-cond -p; axt-matrix-rank m.nc -p; axt-matrix-norm --ord nuc m.nc -p; axt-pinv m.nc | axt-equal - <(axt-inv m.nc) --atol 1e-12'
}

@test "what cannot be done says where" {
	axt-make ones t=3,i=2,j=2 | axt-calc 'a + eye(i=2, j=2)*(t - 1)' a=- t=<(axt-make iota t=3) -o s.nc
	fails 1 'axt-solve: solve of s.nc:tensor at t=1: the matrix is singular' 'axt-make ones i=2 -o b.nc; axt-solve --row i --col j s.nc b.nc -o x.nc'
	fails 1 'axt-inv: inv of s.nc:tensor at t=1: the matrix is singular' 'axt-inv --row i --col j s.nc -o x.nc'
	fails 1 'axt-cholesky: cholesky of s.nc:tensor at t=0: the matrix is not positive definite' 'axt-cholesky --row i --col j s.nc -o x.nc'
	fails 1 'axt-eigh: eigh needs as many columns as rows*' 'axt-make ones i=2,j=3 | axt-eigh --row i --col j -o x.nc'
	fails 1 'axt-lstsq: no axis "i" in *' 'axt-lstsq --row i --col j s.nc <(axt-make ones x=2) -o x.nc'
	fails 2 'axt-matrix-power: needs --power N' 'axt-matrix-power s.nc'
	fails 2 'axt-calc: svd has the results u s vh; write svd(a, u)*' "axt-calc 'svd(a, row=i, col=j)' a=s.nc"
}

@test "LAPACK is loaded for large matrices only, and told of where it is not there" {
	axt-make random M=70,M*=70 --seed 1 --dtype f64 -o big.nc
	works 'axt-inv big.nc --explain | grep "by LAPACK"'
	works 'axt-make eye M=7,M*=7 | axt-inv --explain | grep "by axt, the same bits everywhere"'
	works 'axt-inv big.nc -o i.nc'
	axt-make random M=700,M*=700 --seed 1 --dtype f64 -o large.nc
	axt-inv large.nc -o one.nc
	works 'OPENBLAS_NUM_THREADS=4 OMP_NUM_THREADS=4 axt-inv large.nc | axt-equal - one.nc --rtol 0'
	works 'axt-dot big.nc i.nc | axt-equal - <(axt-make eye M=70,M*=70) --atol 1e-10'
	[ -z "${AXT_SANITIZER-}" ] || skip "looks for leaks, which strace does not let it do"
	works 'strace -f -e trace=openat axt-inv big.nc -o i.nc 2>&1 | grep libopenblas'
	works '! axt-make eye M=7,M*=7 | strace -f -e trace=openat axt-inv -o j.nc 2>&1 | grep libopenblas'
	works '! strace -f -e trace=openat axt-add big.nc 1 -o k.nc 2>&1 | grep libopenblas'
}

@test "no command but those with large matrices opens LAPACK" {
	[ -z "${AXT_SANITIZER-}" ] || skip "looks for leaks, which strace does not let it do"
	axt-make normal t=9,i=20,j=20 --seed 1 -o a.nc
	axt-make normal i=65,j=65 --seed 1 -o b.nc
	for c in 'axt-inv --row i --col j' 'axt-svd --row i --col j' 'axt-eigh --row i --col j' 'axt-eof --over t' 'axt-lu --row i --col j' \
		'axt-eof --over t --rotate varimax' 'axt-reduce mean' 'axt-map sqrt' 'axt-copy' 'axt-diff t' 'axt-sort --along t' 'axt-info'; do
		works "! strace -f -e trace=openat $c a.nc 2>&1 > o.nc | grep -E 'lib(openblas|blas|lapack|blis|mkl)'"
	done
	works 'strace -f -e trace=openat axt-inv --row i --col j b.nc 2>&1 > o.nc | grep libopenblas'
}

@test "least squares of many rows, block by block" {
	axt-make normal i=300007,j=6 --seed 1 --dtype f64 -o a.nc
	axt-make normal i=300007 --seed 2 --dtype f64 -o b.nc
	works 'axt-lstsq --row i --col j a.nc b.nc -m 16M --explain | grep "tall: k=1 l=7 m=37449 n=6"'
	works '! axt-lstsq --row i --col j <(axt-slice i=:9000 a.nc) <(axt-slice i=:9000 b.nc) --explain | grep tall'
	works 'axt-lstsq --row i --col j a.nc b.nc -m 16M -o o.nc'
	works 'axt-dot --over i a.nc <(axt-rename j=k a.nc) | axt-solve --row j --col k - <(axt-dot --over i a.nc b.nc) | axt-rename k=j | axt-equal - o.nc:x --atol 1e-14'
	for how in '-t 1' '-t 3' '-m 24M'; do
		works "axt-lstsq --row i --col j a.nc b.nc $how | axt-equal -:x o.nc:x --rtol 0"
	done
	works 'axt-map negative a.nc | axt-map negative | axt-lstsq --row i --col j - b.nc -m 16M | axt-equal -:x o.nc:x --rtol 0'
	works 'axt-copy a.nc | cat | axt-lstsq --row i --col j - b.nc -m 16M | axt-equal -:x o.nc:x --rtol 0'
}

@test "matrices that all have nan give a warning, and one among others gives none" {
	py '
a = np.array([np.eye(3), np.eye(3) * 2]); a[1, 0, 2] = np.nan
h5py.File("m.h5", "w")["m"] = a
big = np.eye(70); big[5, 5] = np.inf
h5py.File("big.h5", "w")["m"] = big
'
	axt-rename dim_0=b,dim_1=r,dim_2=c m.h5 -o m.nc
	for c in inv det eigh svd cholesky; do
		works "axt-slice b=1 m.nc -o one.nc"
		sh_run "axt-$c --row r --col c one.nc -o o.nc --force"
		[ "$status" -eq 0 ]
		[[ $stderr == *"warning: $c of one.nc:m is NaN, as the matrix has values that are nan or inf: "* ]]
		works "axt-$c --row r --col c m.nc -o o.nc --force"
		[ -z "$stderr" ]
	done
	sh_run 'axt-slice b=1,1 m.nc | axt-inv --row r --col c - -o o.nc --force'
	[[ $stderr == *"is NaN, as all matrices have values that are nan or inf"* ]]
	sh_run 'axt-det --row dim_0 --col dim_1 big.h5 -p'
	[[ $stderr == *"det of big.h5:m is NaN, as the matrix has "* ]]
}

@test "the condition number of a matrix of zeros is infinite" {
	prints inf 'axt-cond <(axt-make zeros M=2,M^=2) -p'
	prints $'inf\n1' 'axt-cond <(axt-calc "x = where(b == 0, 0, 1.0) * where(i == j, 1.0, 0)" b=<(axt-make iota b=2) i=<(axt-make iota i=3) j=<(axt-make iota j=3)) --row i --col j -p'
}

@test "a side that is not named has the duals of the other, both ways" {
	axt-make normal M=2,M^=2 --seed 1 --dtype f64 -o m.nc
	for side in '--row M' '--col M^'; do works "axt-qr $side m.nc -o q.nc; axt-qr --row M --col M^ m.nc -o r.nc; axt-equal q.nc r.nc"; done
	for side in '--col M' '--row M^'; do works "axt-qr $side m.nc -o q.nc; axt-qr --row M^ --col M m.nc -o r.nc; axt-equal q.nc r.nc"; done
}
