"""axt: tensors whose axes have names, in HDF5, netCDF and Zarr files.

    t = axt.open("a.nc:tas")
    (t - t.mean(over="time")).std(over="time").save("b.nc")

Each operation of the commands is a function here and a method of tensors, made of what the library says of it:
help(axt.mean), dir(axt). Nothing is computed before values are asked for.
"""
from . import _library, _operations
from ._graph import set_options
from ._library import AxtWarning, Error
from ._tensor import Tensor, calc, datasets, open, save, tensor

__version__ = _library.lib.version().decode()
globals().update(_library.ERRORS)
_functions = _operations.functions()
globals().update({name: f for name, f in _functions.items() if name not in globals()})
__all__ = ['AxtWarning', 'Error', 'Tensor', 'calc', 'datasets', 'open', 'save', 'set_options', 'tensor', *_library.ERRORS]


def __getattr__(name):
    raise _library.lacks('axt', name, _functions)
