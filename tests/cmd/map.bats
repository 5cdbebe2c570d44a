load helper

@test "functions of -h all work" {
	axt-make full:1 x=1 --dtype f64 -o x.nc
	for f in $(axt-map --options | awk -F'\t' '$1 == "word" { print $2 }'); do
		case $f in
		bitwise_not) works "axt-map $f 1 -p" ;;
		*) works "axt-map $f x.nc -p" ;;
		esac
	done
}

@test "a word of two operands is no function of one" {
	fails 2 'axt-map: unknown function "add"' 'axt-map add 1'
}

@test "values" {
	make_a
	prints $'0 1 4\n9 16 25' 'axt-map square a.nc -p'
	prints 3 'axt-map absolute -3 -p'
	prints 3 'axt-map abs -3 -p'
	prints 3 'axt-map sqrt 9 -p'
	prints true 'axt-map isnan nan -p'
	prints -2 'axt-map trunc -2.5 -p'
	prints 2 'axt-map round 2.5 -p'
}

@test "an unknown function names the nearest" {
	fails 2 'axt-map: unknown function "sqr"' 'axt-map sqr 1'
	hints 'axt-map square 1'
	fails 2 'axt-map: unknown function "ln"' 'axt-map ln 1'
	hints 'axt-map log 1'
	fails 2 'axt-map: unknown function "add"' 'axt-map add 1'
	fails 2 'axt-map: unknown function "where"' 'axt-map where 1'
}

@test "a pipeline of maps" {
	make_a
	prints $'-0 -1 -1.4142135623730951\n-1.7320508075688772 -2 -2.23606797749979' \
		'axt-map sqrt a.nc | axt-map negative | axt-print'
}
