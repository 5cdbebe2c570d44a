load helper

@test "slopes by coordinates, as numpy.gradient" {
	/usr/bin/python3 - <<-'END'
	import netCDF4, numpy as np
	r = np.random.default_rng(3)
	x, v = np.cumsum(r.uniform(.5, 2, 9)), r.normal(size=(9, 4))
	with netCDF4.Dataset('g.nc', 'w') as f:
	    f.createDimension('x', 9), f.createDimension('y', 4)
	    f.createVariable('x', 'f8', ('x',))[:] = x
	    f.createVariable('v', 'f8', ('x', 'y'))[:] = v
	    f.createVariable('w', 'f8', ('x', 'y'))[:] = np.gradient(v, x, axis=0)
	END
	works 'axt-gradient --along x g.nc:v | axt-equal --rtol 1e-14 --atol 1e-14 - g.nc:w'
	works "axt-gradient --along x g.nc:v --no-history -o a.nc && axt-calc 'gradient(v, along=x)' g.nc --no-history --name v -o b.nc && cmp a.nc b.nc"
	fails 2 'axt-gradient: needs --along AXIS' 'axt-gradient g.nc:v'
	hints 'axt-gradient --along x g.nc:v'
	fails 1 'axt-gradient: no axis "z" in g.nc:v *' 'axt-gradient --along z g.nc:v'
}
