load helper

@test "values along one axis, several, none" {
	make_a
	prints $'0.0900306 0.244728 0.665241\n0.0900306 0.244728 0.665241' \
		'axt-softmax --along lon a.nc | axt-print --format %.6g'
	prints $'0.0474259 0.0474259 0.0474259\n0.952574 0.952574 0.952574' \
		'axt-softmax --along lat <a.nc | axt-print --format %.6g'
	prints 1.0000 'axt-softmax --along lon,lat a.nc | axt-reduce sum | axt-print --format %.4f'
	prints $'1 1 1\n1 1 1' "axt-softmax --along '' a.nc -p"
}

@test "large values do not overflow; NaN and inf give NaN along the axis" {
	prints $'0\n1' 'axt-make iota:0:10000 x=2 | axt-softmax --along x -p'
	prints $'0.5\n0.5' 'axt-make full:1e300 x=2 --dtype f64 | axt-softmax --along x -p'
	py 'f = h5py.File("n.h5", "w"); f["t"] = np.array([[1, np.nan], [-np.inf, 0], [np.inf, 0], [-np.inf, -np.inf]], "f4")'
	prints $'nan nan\n0 1\nnan nan\nnan nan' 'axt-softmax --along dim_1 n.h5 -p'
}

@test "missing values stay missing, the others add up to 1" {
	py 'f = h5py.File("p.h5", "w"); f["t"] = np.array([3, -9, 3], "f4"); f["t"].attrs["_FillValue"] = np.float32(-9)'
	prints $'0.5\nnan\n0.5' 'axt-softmax --along dim_0 p.h5 -p'
}

@test "dtypes" {
	for d in f16 bf16 f32 f64; do
		axt-make iota x=3 --dtype $d -o $d.nc
		works "axt-softmax --along x $d.nc -o s.nc && axt-info s.nc"
		[[ $output == *" $d "* ]]
	done
	for d in bool i8 u64; do
		works "axt-make ones x=3 --dtype $d | axt-softmax --along x -o s.nc && axt-info s.nc"
		[[ $output == *" f64 "* ]]
	done
	fails 1 'axt-softmax: softmax is not defined for c64 (*' 'axt-make ones x=3 --dtype c64 | axt-softmax --along x -p'
}

@test "a pipeline is one plan; coordinates and axes stay, units go" {
	make_cf
	works 'axt-softmax --along time cf.nc -o s.nc && axt-info --cdl s.nc'
	[[ $output == *"t(time, lat)"* && $output == *"days since 2010-01-01"* && $output != *'"K"'* ]]
	works 'export AXT_FUSE=1; axt-map square cf.nc | axt-softmax --along lat --explain'
	[[ $output == *"fused: square sub exp div"* && $output == *"its writer's plan is taken"* ]]
	works "axt-map square cf.nc | AXT_FUSE=0 axt-softmax --along lat --no-history -o b.nc"
	works "axt-map square cf.nc | axt-softmax --along lat --no-history | cmp - b.nc"
}

@test "errors" {
	make_a
	fails 2 'axt-softmax: needs --along AXES' 'axt-softmax a.nc'
	fails 1 'axt-softmax: *"y"*' 'axt-softmax --along y a.nc'
	fails 1 'axt-softmax: *empty axis*' 'axt-make zeros x=0 | axt-softmax --along x -p'
}
