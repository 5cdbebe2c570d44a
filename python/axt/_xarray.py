"""xarray's DataArray from tensors, and tensors from it. Dates are decoded, and encoded, by xarray itself."""
import warnings

import numpy as np
import xarray as xr

from ._tensor import tensor

VALUES = ' values'


def _decoded(variables, mask):
    """Variables as xarray has them of a file; where it has no dates for a time, it stays numbers."""
    stored = xr.Dataset(variables)
    try:
        return xr.decode_cf(stored, mask_and_scale=mask)
    except (ValueError, OverflowError) as e:
        warnings.warn(f'dates stay numbers: {str(e).splitlines()[0]}')
        return xr.decode_cf(stored, mask_and_scale=mask, decode_times=False)


def to_xarray(t):
    """A DataArray of a tensor, with coordinates of axes, and those that its attribute "coordinates" names."""
    attrs = t.attrs
    beside = str(attrs.pop('coordinates', '')).split()
    coords = {name: xr.Variable((name,), values, t.attrs_of(name)) for name, values in t.coords.items()}
    for name, (dims, values, of) in t.auxiliary.items():
        if name in beside and name not in t.dims and set(dims) <= set(t.dims):
            coords[name] = xr.Variable(dims, values, of)
    # values are unpacked, or meant to stay as they are
    values = _decoded({VALUES: xr.Variable(t.dims, t.to_numpy(), attrs)}, False)[VALUES]
    return values.assign_coords(_decoded(coords, True).variables).rename(t.name)


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
