load helper

@test "kinds" {
	prints $'0 0\n0 0' 'axt-make zeros x=2,y=2 -p'
	prints $'1\n1' 'axt-make ones x=2 -p'
	prints $'2.5\n2.5' 'axt-make full:2.5 x=2 -p'
	prints $'0\n1\n2' 'axt-make iota x=3 -p'
	prints $'5\n6\n7' 'axt-make iota:5 x=3 -p'
	prints $'0\n0.5\n1' 'axt-make iota:0:0.5 x=3 -p'
	prints $'1 0\n0 1' 'axt-make eye x=2,y=2 -p'
	prints $'1 1\n0 1' 'axt-make triu x=2,y=2 -p'
	prints $'1 0\n1 1' 'axt-make tril x=2,y=2 -p'
	prints 7 "axt-make full:7 '' -p"
}

@test "dtype: f32, iota i64, or told" {
	prints '      "dtype": "f32",' 'axt-make zeros x=2 | axt-info --json | grep dtype | head -n 1'
	prints '      "dtype": "i64",' 'axt-make iota x=2 | axt-info --json | grep dtype | head -n 1'
	prints '      "dtype": "u8",' 'axt-make iota x=2 --dtype u8 | axt-info --json | grep dtype | head -n 1'
}

@test "random: the same for a seed, in range, the fresh seed is recorded" {
	axt-make random x=1000 --seed 5 -o a.nc
	axt-make random x=1000 --seed 5 -t 1 -o b.nc
	axt-make random x=1000 --seed 6 -o c.nc
	axt-equal a.nc b.nc
	run ! axt-equal -q a.nc c.nc
	prints $'true' 'axt-map abs a.nc | axt-le - 1 | axt-reduce all -p'
	axt-make random x=10 -o d.nc
	[[ $(axt-attr d.nc) == *axt_seed* ]]
	works 'axt-make normal:10:0.001 x=100 --seed 1 | axt-reduce mean -p'
	[[ $output == 10* ]] || [[ $output == 9.99* ]]
}

@test "usage" {
	fails 2 'axt-make: operand KIND is missing' 'axt-make'
	fails 2 'axt-make: operand AXIS=LEN,... is missing' 'axt-make zeros'
	fails 2 'axt-make: unknown kind "zeroes"' 'axt-make zeroes x=1'
	hints 'did you mean zeros?'
	fails 2 'axt-make: unknown kind "arange"' 'axt-make arange x=1'
	hints 'did you mean iota?'
	fails 2 'axt-make: --seed takes *' 'axt-make random x=1 --seed -3'
	sh_run 'axt-make zeros x'
	[ "$status" -ne 0 ]
	sh_run 'axt-make full:x x=1'
	[ "$status" -ne 0 ]
	sh_run 'axt-make zeros x=2,x=3'
	[ "$status" -ne 0 ]
}
