"""xarray's DataArray from tensors, and tensors from it. Dates are decoded, and encoded, by xarray itself."""
import warnings

import numpy as np
import xarray as xr

from ._graph import Recipe
from ._library import Error
from ._operations import _labels
from ._tensor import of_recipe, tensor

VALUES = ' values'


def to_xarray(t):
    """A DataArray of a tensor, with coordinates of axes, and those that its attribute "coordinates" names."""
    attrs = t.attrs
    beside = str(attrs.pop('coordinates', '')).split()
    variables = {VALUES: xr.Variable(t.dims, t.to_numpy(), attrs)}
    for name, values in t.coords.items():
        variables[name] = xr.Variable((name,), values, t.attrs_of(name))
    beside = [name for name in beside if name not in variables]
    for name in beside:
        try:
            c = of_recipe(Recipe(_labels, name, [(t._recipe, t._at)]), [t])
        except Error:
            continue  # it was left behind where the tensor was computed
        if c.name == name:  # else it is numbers of texts
            variables[name] = xr.Variable(c.dims, c.to_numpy(), c.attrs)
    stored = xr.Dataset(variables)
    try:
        decoded = xr.decode_cf(stored, mask_and_scale=False)
    except (ValueError, OverflowError) as e:
        warnings.warn(f'dates stay numbers: {str(e).splitlines()[0]}')
        decoded = xr.decode_cf(stored, mask_and_scale=False, decode_times=False)
    return decoded.set_coords([name for name in beside if name in variables])[VALUES].rename(t.name)


def _encoded(variable):
    """Numbers or text and attributes of a variable that may hold dates."""
    if variable.dtype.kind in 'mMO':
        how = {k: v for k, v in variable.encoding.items() if k in ('units', 'calendar')}
        variable = xr.conventions.encode_cf_variable(xr.Variable(variable.dims, variable.values, variable.attrs, how))
    return np.asarray(variable.data), {k: v for k, v in variable.attrs.items() if k != '_FillValue' and not isinstance(v, dict)}


def from_xarray(a):
    """A tensor of a DataArray, whose numbers are not copied. NaN means a missing value, as to xarray."""
    if not isinstance(a, xr.DataArray):
        raise TypeError(f'a {type(a).__name__} is no tensor: a DataArray is, such as ds["{next(iter(a), "x")}"]')
    values, attrs = _encoded(a.variable)
    t = tensor(values, [str(d) for d in a.dims])
    for d in a.dims:
        if d in a.coords:
            numbers, of_axis = _encoded(a.coords[d].variable)
            t = t.set_coords({str(d): numbers}).set_attrs(of_axis, of=str(d))
    attrs.pop('coordinates', None)
    if values.dtype.kind == 'f':
        attrs['_FillValue'] = values.dtype.type('nan')
    t = t.set_attrs(attrs)
    return t if a.name is None or a.name in a.dims else t.set_name(str(a.name))
