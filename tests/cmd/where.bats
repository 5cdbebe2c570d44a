load helper

@test "values, broadcasting, numbers" {
	make_a
	axt-make iota lon=3 -o v.nc
	prints $'-1 1 2\n-1 4 5' 'axt-where v.nc a.nc -1 -p'
	prints $'-1 -1\n1 4\n2 5' 'axt-where v.nc a.nc -1 --axes lon,lat -p'
	prints $'0 1 2\n3 4 5' 'axt-where 1 a.nc 0 -p'
	prints $'0 0 0\n0 4 5' 'axt-gt a.nc 3 | axt-where - a.nc 0 -p'
}

@test "NaN in the branch not taken does not matter" {
	prints 1 'axt-where 1 1 nan -p'
	prints nan 'axt-where 0 1 nan -p'
}

@test "usage" {
	fails 2 'axt-where: operand COND is missing' 'axt-where'
	fails 2 'axt-where: too many operands: "4"' 'axt-where 1 2 3 4'
}

@test "the operand with the most axes gives their order" {
	axt-make iota time=3,channel=2 --dtype f64 --name s -o s.nc
	prints 'result f64 time=3 channel=2' "axt-calc 'where(s > mean(s, over=time), median(s, over=time), s)' s.nc --name result | axt-info --brief -"
	prints 'result f64 time=3 channel=2' "axt-calc 'where(s > 1, mean(s, over=time), 0)' s.nc --name result | axt-info --brief -"
	prints 'result f64 time=3 channel=2' "axt-calc 'where(order(s, (channel,time)) > 1, s, 0)' s.nc --name result | axt-info --brief -"
}
