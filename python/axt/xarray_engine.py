"""xarray.open_dataset(file, engine="axt"): datasets as the library finds them, read when they are asked for.

xarray decodes them as it does those of its other engines.
"""
import os
import warnings

import xarray as xr
from xarray.backends import AbstractDataStore, BackendArray, BackendEntrypoint
from xarray.backends.store import StoreBackendEntrypoint
from xarray.core import indexing

from ._library import Error
from ._tensor import datasets, described, open, text


class Array(BackendArray):
    """A dataset that is read in parts."""

    def __init__(self, tensor):
        self.tensor, self.shape, self.dtype = tensor, tensor.shape, tensor.dtype

    def __getitem__(self, key):
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.OUTER, self.read)

    def read(self, key):
        return self.tensor[key].to_numpy()


class Store(AbstractDataStore):
    """What is in a file, or in a group of it."""

    def __init__(self, file, group=None):
        self.file, self.group, self.attributes, self.variables = file, (group or '').strip('/'), None, {}
        self.place = f'{file}:/{self.group}/' if self.group else file
        for path, operand in datasets(self.place).items():
            if '/' not in path:
                self.add(path, operand)

    def add(self, name, operand):
        try:
            t = open(operand, raw=True)
        except Error as e:
            try:
                dims, values, attrs = text(operand)
            except Error:
                warnings.warn(f'{e.message}: it is left out')
                return
            self.variables[name] = xr.Variable(dims, values, attrs)
            return
        if self.attributes is None and not self.group:
            self.attributes = t.attrs_of('')
        self.variables[name] = xr.Variable(t.dims, indexing.LazilyIndexedArray(Array(t)) if t.ndim else t.to_numpy(), t.attrs)

    def get_variables(self):
        return self.variables

    def get_attrs(self):
        return described(self.place)['attributes'] if self.attributes is None else self.attributes

    def get_dimensions(self):
        return {d: n for v in self.variables.values() for d, n in v.sizes.items()}

    def close(self):
        self.variables = {}


class Engine(BackendEntrypoint):
    """The engine "axt" of xarray."""
    description = 'HDF5, netCDF, Zarr and what else axt reads'
    open_dataset_parameters = ('filename_or_obj', 'mask_and_scale', 'decode_times', 'concat_characters', 'decode_coords', 'drop_variables',
                               'use_cftime', 'decode_timedelta', 'group')

    def guess_can_open(self, filename_or_obj):
        # others come first: only who asks for it has this one
        return False

    def open_dataset(self, filename_or_obj, *, mask_and_scale=True, decode_times=True, concat_characters=True, decode_coords=True,
                     drop_variables=None, use_cftime=None, decode_timedelta=None, group=None):
        store = Store(os.fspath(filename_or_obj), group)
        return StoreBackendEntrypoint().open_dataset(
            store, mask_and_scale=mask_and_scale, decode_times=decode_times, concat_characters=concat_characters, decode_coords=decode_coords,
            drop_variables=drop_variables, use_cftime=use_cftime, decode_timedelta=decode_timedelta)
