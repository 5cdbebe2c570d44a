load helper

@test "placeholders: made, of a kind, in files and pipes; unbound they are an error" {
	axt-make placeholder x=2 --name v -o v.h5
	make_a
	works 'axt-info v.h5'
	[[ $output == *$'v f32 x=2\n'*'kind placeholder (persistent, input)'* ]]
	fails 1 'axt-print: placeholder "v" (x (2)) has no value' 'axt-print v.h5'
	hints 'axt-bind v=FILE:DATASET gives it one'
	fails 1 'axt-map: placeholder "v" (x (2)) has no value' 'axt-map exp v.h5 -o n.h5'
	[ ! -e n.h5 ]
	sh_run 'axt-map exp v.h5 | axt-print'
	[ "$status" -eq 1 ]
	[[ $stderr == *'placeholder "v" (x (2)) has no value'* ]]
	sh_run 'axt-map exp v.h5 | cat | axt-print'
	[ "$status" -eq 1 ]
	axt-kind placeholder a.nc
	fails 1 'axt-reduce: placeholder "tensor" (lat, lon (2, 3)) has no value' 'axt-reduce sum -p a.nc'
	works 'axt-kind none a.nc; axt-reduce sum -p a.nc'
}

@test "bound: by name, wherever it stands, broadcast, converted, in any order" {
	axt-make placeholder x=2,y=3 --name v -o v.h5
	axt-make iota y=3,x=2 -o val.h5
	works 'axt-mul v.h5 v.h5 | axt-add - 1 | axt-save -o e.h5'
	prints $'1 5 17\n2 10 26' 'axt-bind v=val.h5 e.h5 -p'
	prints $'5 5 5\n5 5 5' 'axt-bind v=2 e.h5 -p'
	prints $'1 1 1\n2 2 2' 'axt-make iota x=2 | axt-bind v=- e.h5 -p'
	prints $'1 5 17\n2 10 26' 'axt-mul v.h5 v.h5 | axt-add - 1 | axt-bind v=val.h5 -p'
	prints $'1 5 17\n2 10 26' 'axt-bind v=val.h5 -p < <(axt-mul v.h5 v.h5 | axt-add - 1)'
	prints 61 'axt-bind v=val.h5 e.h5 | axt-reduce sum -p'
	works 'axt-bind v=val.h5 e.h5 | axt-save -o f.h5'
	prints $'1 5 17\n2 10 26' 'axt-print f.h5'
	prints $'9 9 9\n9 9 9' 'axt-make placeholder x=2,y=3 --name w | axt-bind w=9 -p'
}

@test "several, some at a time" {
	axt-make placeholder x=2 --name a -o a.h5
	axt-make placeholder x=2 --name b -o b.h5
	axt-sub a.h5 b.h5 | axt-save -o e.h5
	prints $'3\n3' 'axt-bind a=5 b=2 e.h5 -p'
	prints $'3\n3' 'axt-bind b=2 e.h5 | axt-bind a=5 -p'
	works 'axt-bind b=2 e.h5 | axt-save -o f.h5'
	prints '  placeholders a' 'axt-info f.h5 | grep placeholders'
	fails 1 'axt-bind: placeholder "a" (x (2)) has no value' 'axt-bind b=2 e.h5 -p'
	prints $'2\n2' 'axt-bind a=5 f.h5 | axt-sub - 1 -p'
}

@test "usage, names, axes, values" {
	axt-make placeholder x=2 --name v --dtype u8 -o v.h5
	axt-map square v.h5 | axt-save -o e.h5
	axt-make iota x=3 -o l.h5
	axt-make iota z=2 -o z.h5
	fails 2 'axt-bind: "e.h5" is not NAME=OPERAND' 'axt-bind e.h5 <e.h5'
	fails 2 'axt-bind: "v@1" is not NAME=OPERAND' 'axt-bind v@1 e.h5'
	prints $'1\n1' 'axt-bind e.h5 v=1 -p'
	fails 2 'axt-bind: standard input can be read only once' 'axt-bind v=- -'
	fails 1 'axt-bind: no placeholder "w" in e.h5:v (there are: v)' 'axt-bind w=1 e.h5'
	fails 1 'axt-bind: no placeholder "v" in l.h5:tensor (there is none)' 'axt-bind v=1 l.h5'
	fails 2 'axt-bind: "v" is named twice: v=1 and v=2' 'axt-bind v=1 v=2 e.h5'
	fails 1 'axt-bind: axis "x" has length 2 in placeholder v and 3 in l.h5:tensor' 'axt-bind v=l.h5 e.h5 -p'
	fails 1 'axt-bind: axis "z" of z.h5:tensor is not in placeholder v (x (2))' 'axt-bind v=z.h5 e.h5 -p'
	fails 1 'axt-bind: 300 does not fit u8 *' 'axt-bind v=300 e.h5 -p'
	fails 1 'axt-bind: none.h5: *' 'axt-bind v=none.h5 e.h5 -p'
	prints $'0\n1' 'axt-make iota x=2 -o ok.h5; axt-bind v=ok.h5 e.h5 -p'
}

@test "as a function of axt-calc" {
	axt-make placeholder x=2,y=3 --name v -o v.h5
	axt-make iota y=3,x=2 -o val.h5
	works 'axt-mul v.h5 v.h5 | axt-add - 1 | axt-save -o e.h5'
	prints $'1 5 17\n2 10 26' 'axt-calc "bind(e, v=b)" e=e.h5 b=val.h5 -p'
	prints $'2 10 26\n5 17 37' 'axt-calc "bind(e, v=b + 1)" e=e.h5 b=val.h5 -p'
	prints $'5 5 5\n5 5 5' 'axt-calc "bind(e, v=2)" e=e.h5 -p'
	fails 1 'axt-calc: no placeholder "w" in e.h5:v (there are: v) at *' 'axt-calc "bind(a, w=2)" a=e.h5'
	fails 2 'axt-calc: bind takes NAME=OPERAND at *' 'axt-calc "bind(a, v)" a=e.h5'
	fails 2 'axt-calc: bind needs NAME=OPERAND at *' 'axt-calc "bind(a)" a=e.h5'
}

@test "a placeholder takes no values until it is of another kind" {
	axt-make placeholder x=2 --name v -o v.h5
	fails 1 'axt-assign: *placeholder*' 'axt-assign "v.h5[x=1]" = 7'
	fails 1 'axt-print: placeholder "v" (x (2)) has no value' 'axt-print v.h5'
	works 'axt-kind variable v.h5'
	works 'axt-assign "v.h5[x=1]" = 7'
	prints $'nan\n7' 'axt-print v.h5'
}
