"""libaxt by ctypes: where it is, the types of its functions, its structs, its errors.

ctypes releases the interpreter's lock while a function of the library runs.
"""
import ctypes
import os

_P, _S, _I, _L, _B = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_int64, ctypes.c_bool
WARN = ctypes.CFUNCTYPE(None, _P, _S)

# Of each function what it returns, then what it takes; the comments of lib/axt.h describe them.
_FUNCTIONS = {
    'version': (_S,),
    'graph_new': (_P,), 'graph_free': (None, _P),
    'graph_error': (_S, _P), 'graph_hint': (_S, _P), 'graph_code': (_I, _P), 'graph_clear': (None, _P),
    'graph_on_warning': (None, _P, WARN, _P),
    'graph_set_threads': (None, _P, _I), 'graph_set_memory': (None, _P, _L), 'graph_set_device': (None, _P, _I),
    'graph_set_blas': (_I, _P, _S), 'graph_set_join': (_I, _P, _S), 'graph_set_units': (None, _P, _I),
    'dtype_name': (_S, _I), 'dtype_of_name': (_I, _S), 'dtype_bytes': (ctypes.c_size_t, _I),
    'open': (_P, _P, _S, _P), 'number': (_P, _P, _S), 'tensor': (_P, _P, _I, _S, _P, _P),
    'call': (_P, _P, _S, _P, _I, _P, _I), 'calc': (_I, _P, _S, _P, _P, _I, _P, _I),
    'labels_of': (_P, _P, _P, _S, _P), 'weights_of': (_P, _P, _P, _S),
    'set_name': (_P, _P, _P, _S), 'set_attr_values': (_P, _P, _P, _S, _S, _P), 'set_coord_values': (_P, _P, _P, _S, _P),
    'expr_dtype': (_I, _P), 'expr_rank': (_I, _P), 'expr_axis': (_S, _P, _I), 'expr_len': (_L, _P, _I), 'expr_name': (_S, _P),
    'expr_auxiliary': (_B, _P, _I, _P), 'expr_coord': (_B, _P, _I, _P), 'expr_attr': (_B, _P, _S, _S, _P), 'expr_attr_name': (_S, _P, _S, _I),
    'index_text': (_S, _P, _P, _I, _L),
    'eval': (_I, _P, _P, _P, ctypes.c_size_t), 'save': (_I, _P, _P, _I, _P), 'explain': (_I, _P, _P, _I, _P),
    'print_text': (_I, _P, _S, _P, _P), 'info': (_I, _P, _S, _P, _P), 'foreign_name': (_S, _S, _I), 'names': (_I, _P, _S, _P, _P, _P, _P), 'operations_json': (_B, _P),
}


class Arg(ctypes.Structure):
    """struct axt_arg"""
    _fields_ = [('name', _S), ('text', _S), ('e', _P)]


class Values(ctypes.Structure):
    """struct axt_values"""
    _fields_ = [('dtype', _I), ('n', _L), ('data', _P)]


class Auxiliary(ctypes.Structure):
    """struct axt_auxiliary"""
    _fields_ = [('name', _S), ('rank', _I), ('axis', _S * 32), ('len', _L * 32), ('values', Values)]


class OpenOptions(ctypes.Structure):
    """struct axt_open_opts"""
    _fields_ = [('dataset', _S), ('raw', _B), ('keep_unclear', _B), ('duplicate_axes', _B), ('allow_external', _B), ('stale', _B)]


class SaveOptions(ctypes.Structure):
    """struct axt_save_opts"""
    _fields_ = [('output', _S), ('history', _S), ('no_clobber', _B), ('force', _B), ('compress', _S), ('shuffle', _S), ('quantize', _S),
                ('chunk', _S), ('unlimited', _S), ('size', _S), ('layout', ctypes.c_char), ('expression', _B), ('rest_of', _S)]


class PrintOptions(ctypes.Structure):
    """struct axt_print_opts"""
    _fields_ = [('out', _P), ('terminal', _B), ('csv', _B), ('no_index', _B), ('head', _L), ('format', _S), ('columns', _B), ('texts', _P),
                ('ntexts', _I), ('open', _P), ('unpack', _B)]


class InfoOptions(ctypes.Structure):
    """struct axt_info_opts"""
    _fields_ = [('form', _I), ('stats', _B), ('file_names', _B), ('width', _I), ('open', OpenOptions)]


def checked(kind, given):
    """A struct of options; an error where it has none of a name."""
    names = [n for n, _ in kind._fields_]
    for name in given:
        if name not in names:
            raise TypeError(f'there is no option "{name}": they are {", ".join(names)}')
    return kind(**given)


def _load():
    """The library beside the package, as a wheel has it; in the build folder of its tree; or where the system has it."""
    here = os.path.dirname(os.path.abspath(__file__))
    inside, built = os.path.join(here, 'libaxt.so.0'), os.path.join(here, '..', '..', 'build', 'libaxt.so')
    path = os.environ.get('AXT_LIBRARY') or next(filter(os.path.exists, (inside, built)), 'libaxt.so.0')
    if path == inside:
        # what it is linked to is found by its name once it is there
        for name in sorted(set(os.listdir(here)) - {'libaxt.so.0'}):
            if '.so.' in name:
                ctypes.CDLL(os.path.join(here, name))
    loaded = ctypes.CDLL(path)
    for name, (result, *arguments) in _FUNCTIONS.items():
        function = getattr(loaded, 'axt_' + name)
        function.restype, function.argtypes = result, arguments
        setattr(loaded, name, function)
    return loaded


lib = _load()
DTYPES = {}
while lib.dtype_name(len(DTYPES) + 1):
    DTYPES[lib.dtype_name(len(DTYPES) + 1).decode()] = len(DTYPES) + 1


def encoded(text):
    """A text for the library; None stays."""
    return None if text is None else os.fsencode(text)


def decoded(text):
    return None if text is None else os.fsdecode(text)


def lacks(what, name, known):
    """The AttributeError of something that has no such name: it may be called so elsewhere, as in xarray."""
    meant, i = [], 0
    while not name.startswith('_') and (word := lib.foreign_name(encoded(name), i)):
        meant += [word.decode().replace('-', '_')]
        i += 1
    meant = [n for n in meant if n in known]
    hint = f'; here it is {" or ".join(dict.fromkeys(meant))}' if meant else ''
    return AttributeError(f'{what} has no "{name}"{hint}')


# ---- what is written to a FILE ----

_libc = ctypes.CDLL(None)
_libc.open_memstream.restype, _libc.open_memstream.argtypes = _P, [_P, _P]
_libc.fclose.argtypes = _libc.free.argtypes = [_P]


def printed(function, *arguments):
    """What a function prints to the FILE that is its last argument, and what it returns."""
    text, size = _P(), ctypes.c_size_t()
    file = _libc.open_memstream(ctypes.byref(text), ctypes.byref(size))
    if not file:
        raise MemoryError
    result = function(*arguments, file)
    _libc.fclose(file)
    got = ctypes.string_at(text.value, size.value)
    _libc.free(text)
    return got.decode(errors='replace'), result


# ---- errors ----

class Error(Exception):
    """What the library says: `message`, one line, `hint`, what may help or None, and `code`, a number of errs.def."""

    def __init__(self, message, hint=None, code=None):
        super().__init__(message if not hint else f'{message}\nhint: {hint}')
        self.message, self.hint, self.code = message, hint, code

    def __reduce__(self):
        return type(self), (self.message, self.hint, self.code)


class AxtWarning(UserWarning):
    """A warning of the library."""


# Rows of errs.def: a name, and what Python calls such an error.
_ERRORS = {1: ('OutOfMemory', MemoryError), 2: ('FileError', OSError), 3: ('FormatError', ValueError), 4: ('DamagedError', OSError),
           5: ('UnknownNameError', LookupError), 6: ('AmbiguousError', LookupError), 7: ('AxesError', ValueError),
           8: ('CoordinatesError', ValueError), 9: ('DtypeError', TypeError), 10: ('RangeError', ValueError), 11: ('WordError', ValueError),
           12: ('LimitError', MemoryError), 13: ('ExistsError', FileExistsError), 14: ('ChangedError', OSError),
           15: ('ArgumentError', ValueError), 16: ('MissingError', RuntimeError)}
_ERRORS = {code: type(name, (Error, base), {'__module__': 'axt', '__doc__': f'An error of the library, and a {base.__name__}.'})
           for code, (name, base) in _ERRORS.items()}
ERRORS = {e.__name__: e for e in _ERRORS.values()}


def error_of(handle):
    """The error of a graph as an exception; the graph may be used again then."""
    message, hint, code = lib.graph_error(handle), lib.graph_hint(handle), lib.graph_code(handle)
    error = _ERRORS.get(code, Error)(decoded(message), decoded(hint), code)
    lib.graph_clear(handle)
    return error
