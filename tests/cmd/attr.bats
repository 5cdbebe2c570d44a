load helper

@test "set, show, remove: tensor, axis, file" {
	make_cf
	prints units=K 'axt-attr units cf.nc'
	works 'axt-attr units=degC valid_range:=0,5 lat:units=degrees_north :title=x cf.nc'
	prints units=degC 'axt-attr units cf.nc'
	prints 'valid_range:=0,5' 'axt-attr valid_range cf.nc'
	prints lat:units=degrees_north 'axt-attr lat:units cf.nc'
	prints :title=x 'axt-attr :title cf.nc'
	works 'axt-attr units= cf.nc'
	fails 1 'axt-attr: *"units"*' 'axt-attr units cf.nc'
	prints $'0 1 2\n3 4 5' 'axt-print cf.nc'
}

@test "all of them" {
	make_cf
	works 'axt-attr cf.nc'
	[[ $output == *units=K* ]]
	[[ $output == *time:units=days* ]]
}

@test "--in-place keeps the inode, without it the file is replaced" {
	make_cf
	inode=$(stat -c %i cf.nc)
	works 'axt-attr long_name=x cf.nc --in-place'
	[ "$(stat -c %i cf.nc)" = "$inode" ]
	prints long_name=x 'axt-attr long_name cf.nc'
	works 'axt-attr long_name=y cf.nc'
	prints long_name=y 'axt-attr long_name cf.nc'
}

@test "usage and failure leave the file as it was" {
	make_cf
	cp cf.nc old.nc
	fails 2 'axt-attr: operand FILE is missing' 'axt-attr'
	fails 1 'axt-attr: *' 'axt-attr a=b none.nc'
	fails 2 'axt-attr: *' 'axt-attr units a=b cf.nc'
	sh_run 'axt-attr n:=x cf.nc'
	[ "$status" -ne 0 ]
	sh_run 'axt-attr nolat:a=b cf.nc'
	[ "$status" -ne 0 ]
	cmp cf.nc old.nc
}

@test "what xarray and ncdump read" {
	make_a
	works 'axt-attr units=K a.nc'
	[[ $(ncdump -h a.nc) == *'tensor:units = "K"'* ]]
}
