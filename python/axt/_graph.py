"""Where nodes live. A tensor is a recipe, which is a small tree in Python, and a node that was built by it in a graph of the library.

A graph never frees a node, and belongs to one thread at a time. So an expression goes on in the graph of its operands as long as
few bytes of garbage can be in it, and no other thread uses it now; else the recipe is built once more, in a fresh graph. What a
recipe means was checked when it was built first; a graph goes when no tensor is in it. So memory stays flat however many
expressions come and go, and no thread waits for another.
"""
import collections
import contextlib
import threading
import warnings

from ._library import ERRORS, WARN, AxtWarning, encoded, error_of, lib

# Bytes that a graph may grow by, beside those of its first expression, and what a node is taken for.
ROOM, NODE = 16 << 20, 4096
DEVICES = ('cpu', 'cuda', 'auto')
UNITS = ('convert', 'strict', 'ignore')

Options = collections.namedtuple('Options', 'threads memory device blas join units', defaults=(0, 0, 'cpu', 'axt', 'exact', 'convert'))
options = Options()


def set_options(**given):
    """Sets how is computed from now on; returns what was set before, for set_options(**before).

    threads: how many a run has (0: all processors); memory: bytes of scratch (0: a quarter of the machine's); device: "cpu",
    "cuda" or "auto"; blas: "axt" or a library for large products, as --blas; join: how coordinates meet, as --join; units: how
    units meet, "convert", "strict" or "ignore".
    """
    global options
    before = options
    after = options._replace(**given)
    if after.device not in DEVICES or after.units not in UNITS:
        raise ValueError(f'device is one of {", ".join(DEVICES)}; units is one of {", ".join(UNITS)}')
    options = after
    try:
        Graph()
    except Exception:
        options = before
        raise
    return before._asdict()


_told = {}


@WARN
def _warned(handle, line):
    if handle in _told:
        _told[handle].append(line.decode(errors='replace'))


class Recipe:
    """How nodes are built: function(handle, nodes of `inputs`, data) returns a list of them. An input is (recipe, number)."""
    __slots__ = ('function', 'data', 'inputs', 'bytes', 'join', 'units')

    def __init__(self, function, data, inputs=(), size=0):
        self.function, self.data, self.inputs, self.bytes = function, data, tuple(inputs), size + NODE
        self.join, self.units = options.join, options.units

    def __getstate__(self):
        return {name: getattr(self, name) for name in self.__slots__}

    def __setstate__(self, state):
        for name, value in state.items():
            setattr(self, name, value)


class Graph:
    """A graph of the library, and which recipes were built in it."""

    def __init__(self):
        self.handle = lib.graph_new()
        if not self.handle:
            raise MemoryError
        self.lock, self.nodes, self.bytes, self.room, self.options = threading.Lock(), {}, 0, ROOM, options
        lib.graph_on_warning(self.handle, _warned, self.handle)
        lib.graph_set_threads(self.handle, options.threads)
        lib.graph_set_memory(self.handle, options.memory)
        device = DEVICES.index(options.device)
        lib.graph_set_device(self.handle, device)
        lib.graph_set_blas(self.handle, encoded(options.blas))
        lib.graph_set_join(self.handle, encoded(options.join))
        self.check()

    def __del__(self):
        if getattr(self, 'handle', None):
            lib.graph_free(self.handle)

    def check(self):
        if lib.graph_code(self.handle):
            raise error_of(self.handle)

    def build(self, recipe):
        """The nodes of a recipe, and of all that it is made of."""
        todo = [recipe]
        while todo:
            r = todo[-1]
            lacking = [i for i, _ in r.inputs if i not in self.nodes] if r not in self.nodes else []
            if lacking:
                todo += lacking
                continue
            todo.pop()
            if r in self.nodes:
                continue
            lib.graph_set_join(self.handle, encoded(r.join))
            lib.graph_set_units(self.handle, UNITS.index(r.units))
            nodes = r.function(self.handle, [self.nodes[i][k] for i, k in r.inputs], r.data)
            self.check()
            self.nodes[r] = nodes
            self.bytes += r.bytes
        return self.nodes[recipe]

    def usable(self, recipes):
        return self.options == options and (self.bytes < self.room or all(r in self.nodes for r in recipes))


@contextlib.contextmanager
def held(tensors, recipe=None):
    """A graph that has all tensors, and the new recipe; no other thread uses it meanwhile. Warnings are those of the recipe and of what is done."""
    recipes = [t._recipe for t in tensors]
    # the one that has most of them: a small one would need all of it once more
    graph = max((t._graph for t in tensors), key=lambda g: g.bytes, default=None)
    if not graph or not graph.usable([recipe] if recipe else recipes) or not graph.lock.acquire(blocking=False):
        graph = Graph()
        graph.lock.acquire()
        graph.room = 0
    told = []
    try:
        for r in recipes:
            graph.build(r)
        graph.room = graph.room or graph.bytes + ROOM
        if not all(t._is(graph) for t in tensors):
            raise ERRORS['ChangedError']('a file has other axes or another dtype than when it was opened', None, 14)
        _told[graph.handle] = told
        if recipe:
            graph.build(recipe)
        for t in tensors:
            t._graph = graph
        yield graph
    finally:
        _told.pop(graph.handle, None)
        graph.lock.release()
        for line in told:
            warnings.warn(line, AxtWarning, stacklevel=4)
