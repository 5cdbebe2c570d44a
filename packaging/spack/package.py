from spack_repo.builtin.build_systems.makefile import MakefilePackage

from spack.package import *


class Axt(MakefilePackage):
    """Unix commands that compute with named-axis tensors in HDF5 and netCDF files."""

    license("Apache-2.0")

    # `spack develop --path TREE axt@0.1.0` takes the sources of a tree.
    version("0.1.0")

    requires("target=x86_64_v3:")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("hdf5@1.10:")
    depends_on("isa-l")
    depends_on("libaec")
    depends_on("libdeflate")
    depends_on("ncurses")
    depends_on("sleef")
    depends_on("zlib-api")

    # Loaded by the commands that need them, from where the compiler's wrapper has libaxt look for libraries.
    depends_on("bzip2+shared")
    depends_on("c-blosc")
    depends_on("cairo+fc+pdf+png+svg")
    depends_on("fftw")
    depends_on("fontconfig")
    depends_on("json-c")
    depends_on("lz4")
    depends_on("openblas")
    depends_on("udunits")
    depends_on("zfp")
    depends_on("zstd")

    @property
    def build_targets(self):
        return ["SETUP=:", "WERROR=", f"HDF5={self.spec['hdf5'].prefix}", f"PREFIX={self.prefix}", "LINK=ln -sf"]

    @property
    def install_targets(self):
        return [*self.build_targets, "install"]
