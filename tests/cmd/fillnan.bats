load helper

@test "B where A is NaN" {
	prints 3 'axt-fillnan nan 3 -p'
	prints 1 'axt-fillnan 1 3 -p'
	axt-make iota x=2 | axt-div - 0 -o n.nc
	prints $'-1\ninf' 'axt-fillnan n.nc -1 -p'
}

@test "missing values are filled, too" {
	py 'f = h5py.File("p.h5", "w"); f["t"] = np.array([1, -9], "f4"); f["t"].attrs["_FillValue"] = np.float32(-9)'
	prints $'1\n0' 'axt-fillnan p.h5 0 -p'
}

@test "usage: - must be written" {
	fails 2 'axt-fillnan: operand B is missing' 'axt-fillnan a.nc'
	hints 'axt-fillnan - a.nc  or  axt-fillnan a.nc -'
}
