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
	hints '*--row AXES --col AXES*'
	fails 1 'axt-det: det needs as many columns as rows*' 'axt-det --row lat --col lon a.nc'
	fails 1 'axt-det: no axis "x" in *' 'axt-det --row lat --col x a.nc'
	fails 1 'axt-det: *' 'axt-det --row lat --col lat a.nc'
	fails 1 'axt-det: no axis "lat\*" in *' 'axt-det --row lat a.nc'
	axt-make random M=2000,M*=2000 -o l.nc
	fails 1 'axt-det: the plan needs * MiB of scratch memory*' 'axt-det -m 1M l.nc'
}
