# axt: named-axis tensors as Unix commands. `make list` tells what there is to make.
#
# B=DIR        where everything is built (default build)
# CC=clang     another compiler; CFLAGS, LDFLAGS are added at the end
# SAN=address  a sanitizer build (address, undefined, thread), in a directory of its own
# CROSS=aarch64-linux-gnu-  what names of ar and objcopy begin with, for other processors (with a CC that is for them; make arm64)
# HDF5=DIR     another HDF5 than the system's: DIR/include, and libhdf5.a or libhdf5.so in DIR/lib
# MPICC=mpicc  the compiler of Open MPI or MPICH, or of both (default: mpicc in PATH, mpicc.openmpi, mpicc.mpich)
# SETUP=:      installs nothing that is missing
# PREFIX=DIR   where `make install` puts it (default /usr/local); DESTDIR for packagers
# RPATH=DIR    where commands look for libaxt first (default: lib beside their folder); LINK='ln -sf' for links by name
# J=N          suites of a check that run at once (default: as many as there are processors)
# V=1          whole command lines

# A recipe fails where any command of it does, in front of a pipe or inside a loop as well.
SHELL := bash
.SHELLFLAGS := -e -o pipefail -c

# A make that is not told -j uses all processors; those that it starts share its jobs.
PROCESSORS := $(shell nproc)
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(PROCESSORS)
endif

VERSION := $(shell sed -n 's/^.define AXT_VERSION "\(.*\)"/\1/p' lib/axt.h)
SOMAJOR := 0
CC := $(if $(filter default undefined,$(origin CC)),gcc,$(CC))
export CROSS
B ?= build$(if $(SAN),/$(SAN))
J ?= $(PROCESSORS)
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
COMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
WERROR ?= -Werror
SETUP ?= scripts/setup
RPATH ?= $$ORIGIN/../lib
LINK ?= ln -f

comma := ,
# What a recipe says it does, unless V=1 has it say how.
say = $(if $(V),,@printf '  %-4s %s\n' $(1) $@;)
# What a recipe prints is the file once it is whole: a build that was killed leaves no half of one.
to_file = >$@.tmp && mv $@.tmp $@

san := $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=all -DAXT_SAN)
base := -std=gnu11 -iquote lib -g -Wall -Wextra $(WERROR) -ffp-contract=off -fno-math-errno -fvisibility=hidden -fPIC $(san)
cflags = $(base) -O2 $(CFLAGS)
kflags = $(base) -O3 $(CFLAGS)
# No function needs much of a stack, so that commands work where it is small; sanitizers add to it.
frames := $(if $(SAN),,-Wframe-larger-than=8192)
# Asked when a recipe runs, so that the set-up script has been there before.
h5_cflags = $(shell HDF5='$(HDF5)' scripts/hdf5 cflags)
libs := @$(B)/hdf5/link -lisal -lsleef -lm -ldl -lpthread

# ---- what there is ----

# A dtype or an ISA is one row of a table; sources named k_ are compiled once for each pair.
dtypes := $(shell sed -n 's/^DTYPE. *\([A-Z0-9]*\),.*/\1/p' lib/dtypes.def)
isas := $(shell scripts/isas $(CC) | cut -d' ' -f1)
isa_flags = $(shell scripts/isas $(CC) | sed -n 's/^$(1) //p')
# Operations are one program under many names: a file of lib/operations declares one, a table of them whose rows are
# elsewhere, or a command that does any of a table. list.inc has a line for each.
operations := $(shell sed -n -e 's/^const struct axt_operation axt_operation_\([a-z0-9_]*\) = {$$/OPERATION(\1)/p' \
	-e 's/^const struct axt_operation axt_operations_\([a-z0-9_]*\)\[\] = {$$/TABLE(\1)/p' \
	-e 's/^const struct axt_chooser axt_chooser_\([a-z0-9_]*\) = {$$/CHOOSER(\1)/p' lib/operations/*.c | LC_ALL=C sort)
other_operations := $(filter-out $(operations),$(shell cat $(B)/lib/operations/list.inc 2>/dev/null))
# Rows of two arguments that are not internal are commands, and so are functions of matrices.
ew_names := $(shell scripts/ops commands)
linalg_names := $(subst _,-,$(shell sed -n 's/^LINALG.[A-Z0-9_]*, "\([^"]*\)".*/\1/p' lib/linalg.def))
operation_names := $(ew_names) $(linalg_names) $(subst _,-,$(patsubst OPERATION(%),%,$(patsubst CHOOSER(%),%,$(filter-out TABLE%,$(operations)))))
# All commands are one program under many names: list.inc has a line for each file with a main function of its own.
cmd_src := $(wildcard cmd/*.c)
commands := $(shell sed -n -e 's/^cmd_main_\([a-z_]*\).int.*/\1/p' -e 's/^CMD_MAIN.\([a-z_]*\).$$/\1/p' cmd/*.c | LC_ALL=C sort)
other_commands := $(filter-out $(commands:%=COMMAND(%)),$(shell cat $(B)/cmd/list.inc 2>/dev/null))
command_names := $(sort $(operation_names) $(filter-out axt operation,$(commands)))
# All of these are read by tools that each system has, before anything is installed.
$(foreach l,VERSION dtypes isas ew_names linalg_names operations commands,$(if $($(l)),,$(error nothing was found for "$(l)": are sed and awk there)))

kern_src := $(wildcard lib/kern/k_*.c)
isa_src := $(wildcard lib/*/i_*.c)
# Compiled once for each implementation of MPI that is there, once for the standard interface of MPI 5.0 (abi), and not in
# libaxt.
mpi_src := lib/jobs/mpi.c
mpi_found := $(shell MPICC='$(MPICC)' scripts/mpi)
$(if $(filter-out 0,$(.SHELLSTATUS)),$(error MPICC names the compilers of Open MPI, MPICH or both))
mpis := abi $(foreach m,$(mpi_found),$(firstword $(subst =, ,$(m))))
# The compiler of an implementation: $(call mpicc,mpich). Any has the standard interface.
mpicc = $(or $(patsubst $(1)=%,%,$(filter $(1)=%,$(mpi_found))),$(CC) -DAXT_MPI_ABI)
lib_src := $(filter-out $(kern_src) $(isa_src) $(mpi_src),$(wildcard lib/*/*.c lib/*/*/*.c))
test_src := $(wildcard tests/unit/test_*.c)

lib_obj := $(lib_src:%.c=$(B)/%.o)
kern_obj := $(foreach s,$(kern_src:%.c=%),$(foreach t,$(dtypes),$(foreach i,$(isas),$(B)/$(s).$(t).$(i).o)))
isa_obj := $(foreach s,$(isa_src:%.c=%),$(foreach i,$(isas),$(B)/$(s).$(i).o))
all_obj := $(lib_obj) $(kern_obj) $(isa_obj)
cmd_obj := $(cmd_src:%.c=$(B)/%.o)
bins := $(command_names:%=$(B)/bin/axt-%)
unit_bins := $(test_src:tests/unit/%.c=$(B)/tests/%)
# The pages of the elementwise commands are made of one and of what each command says of itself.
man_ew := $(if $(wildcard man/elementwise.1.in),$(ew_names:%=$(B)/man/axt-%.1))
man_src := $(wildcard man/*.[1357]) $(man_ew)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: FORCE all mpi arm64 check-arm64 campaign-append campaign-classic campaign-copies campaign-linalg campaign-operations campaign-parts campaign-ranks campaign-same campaign-scale check-faults conform bench-cuda lib cmds units pages setup-build demo check check-asan check-ubsan check-tsan check-slurm check-tarball check-valgrind fuzz run-fuzz bench bench-search bench-compare \
	lint lint-quick format man wheel install uninstall html deb tarball list clean

all: lib cmds pages   ## the commands, libaxt.so, libaxt.a and axt.pc (default)
lib: $(B)/libaxt.so $(B)/libaxt.a $(B)/axt.pc $(B)/lib/libaxt.so.$(SOMAJOR) mpi
mpi: $(mpis:%=$(B)/lib/axt-mpi-%.so)
cmds: $(B)/bin/axt $(bins)
	@rm -f $(filter-out $(bins),$(wildcard $(B)/bin/axt-*))
units: $(unit_bins) $(B)/tests/faulty.so $(B)/tests/mutants
pages: $(man_ew)

# Always looked at, never a reason to build again; quick when nothing is missing. Nothing is made before it: on a
# machine without a compiler it brings one. tests/build.py tells where a rule does not wait for it.
setup-build:
	@$(SETUP) build
$(all_obj) $(cmd_obj) $(B)/hdf5/link $(B)/lib/device/words.inc $(B)/axt.pc \
	$(mpis:%=$(B)/lib/axt-mpi-%.so) $(B)/tests/faulty.so: | setup-build

# ---- objects ----

$(B)/lib/hdf5/write/%.o: private cflags += $(h5_cflags)
# What generated programs are made of, as text; the CUDA Toolkit's headers, where there are some.
$(B)/lib/device/words.inc: scripts/words lib/device/words.in lib/device/face.h lib/kern/round.in lib/kern/prim.h lib/kern/complex.h lib/ops.def
	@mkdir -p $(@D)
	$(call say,GEN) scripts/words $(CC) $(to_file)
	$(if $(cuda_inc),,@echo '  no headers of the CUDA Toolkit (CUDA_HOME): --device cuda is left out')
$(B)/lib/device/words.o: $(B)/lib/device/words.inc
cuda_inc := $(firstword $(wildcard $(addsuffix /include,$(CUDA_HOME) /usr/local/cuda)))
$(B)/lib/device/%.o: private cflags += -I$(B)/lib/device $(if $(cuda_inc),-isystem $(cuda_inc))
# All operations that there are, for rows.c. It changes only where one has come or gone.
$(B)/lib/operations/list.inc: $(wildcard lib/operations/*.c) Makefile $(if $(other_operations),FORCE) | setup-build
	@mkdir -p $(@D)
	@printf '%s\n' $(foreach o,$(operations),'$(o)') >$@.new && { cmp -s $@.new $@ || cp $@.new $@; } && rm $@.new
$(B)/lib/operations/rows.o: $(B)/lib/operations/list.inc
$(B)/lib/operations/rows.o: private cflags += -I$(B)/lib/operations
$(B)/lib/%.o: lib/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC) $(CC) $(cflags) $(frames) -MMD -MP -c -o $@ $<

# KERN(source without .c, dtype, isa): the dtype is AXT_T, the ISA AXT_ISA.
define KERN
$(B)/$(1).$(2).$(3).o: $(1).c Makefile $(wildcard lib/isa/*.def) | setup-build
	@mkdir -p $$(@D)
	$$(call say,CC) $$(CC) $$(kflags) $(flags_$(3)) -DAXT_T=$(2) -DAXT_ISA=$(3) -MMD -MP -c -o $$@ $$<
endef
define ISA
$(B)/$(1).$(2).o: $(1).c Makefile $(wildcard lib/isa/*.def) | setup-build
	@mkdir -p $$(@D)
	$$(call say,CC) $$(CC) $$(kflags) $(flags_$(2)) -DAXT_ISA=$(2) -MMD -MP -c -o $$@ $$<
endef
$(foreach i,$(isas),$(eval flags_$(i) := $(call isa_flags,$(i))))
$(foreach s,$(kern_src:%.c=%),$(foreach t,$(dtypes),$(foreach i,$(isas),$(eval $(call KERN,$(s),$(t),$(i))))))
$(foreach s,$(isa_src:%.c=%),$(foreach i,$(isas),$(eval $(call ISA,$(s),$(i)))))

$(B)/cmd/%.o: cmd/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC) $(CC) $(cflags) $(frames) -fPIE -MMD -MP -c -o $@ $<

# ---- libraries ----

# HDF5 and libraries of coding in one line for the linker: the copy of libhdf5.a that goes into libaxt, or what HDF5=DIR
# has. It is made again when another HDF5 is named.
$(B)/hdf5/link: Makefile scripts/hdf5 $(if $(filter-out $(B)/hdf5/of=$(HDF5),$(B)/hdf5/of=$(shell cat $(B)/hdf5/of 2>/dev/null)),FORCE)
	@mkdir -p $(@D)
	$(call say,H5) HDF5='$(HDF5)' scripts/hdf5 link $(@D) $(CC) $(to_file)
	@echo '$(HDF5)' >$(@D)/of

# One list file keeps the command short: there are hundreds of objects.
$(B)/objects: $(all_obj)
	@printf '%s\n' $(all_obj) $(to_file)

so_ldflags := -shared -Wl,-soname,libaxt.so.$(SOMAJOR) -Wl,--exclude-libs,ALL -Wl,-O1 -Wl,--as-needed \
	-Wl,-Bsymbolic-functions -Wl,--hash-style=gnu $(if $(SAN),,-Wl,-z,defs)
$(B)/libaxt.so: $(B)/objects $(B)/hdf5/link
	$(call say,LD) $(CC) $(san) $(so_ldflags) -o $@ @$(B)/objects $(libs) $(LDFLAGS)

# With libhdf5 in it where libaxt.so has it: who links it needs no other part of HDF5.
$(B)/libaxt.a: $(B)/objects $(B)/hdf5/link
	@rm -f $@.tmp; [ ! -f $(B)/hdf5/libaxth5.a ] || cp $(B)/hdf5/libaxth5.a $@.tmp
	$(call say,AR) $(CROSS)ar rcs $@.tmp @$(B)/objects && mv $@.tmp $@

$(B)/lib/libaxt.so.$(SOMAJOR): | $(B)/libaxt.so
	@mkdir -p $(@D)
	@ln -sfn ../libaxt.so $@

# What libaxt loads beside itself where a launcher of that MPI runs it.
$(B)/lib/axt-mpi-%.so: $(mpi_src) lib/jobs/ranks.h lib/jobs/mpi_abi.h Makefile
	@mkdir -p $(@D)
	$(call say,MPI) OMPI_CC=$(CC) MPICH_CC=$(CC) I_MPI_CC=$(CC) $(call mpicc,$*) $(cflags) -shared -o $@ $< $(LDFLAGS)

# (prefix, libdir, includedir, the folder of axt.h). The one in $(B) is for programs that use $(B) as it is.
make_pc = sed -e 's|@PREFIX@|$(1)|;s|@LIBDIR@|$(2)|;s|@INCDIR@|$(3)|;s|@HEADERS@|$(4)|;s|@VERSION@|$(VERSION)|' \
	-e "s|@HDF5@|$$(sed -e 's|^[^ ]*libaxth5.a *||;s|-l:lib\([a-z]*\).a|-l\1|g' $(B)/hdf5/link)|"
$(B)/axt.pc: scripts/axt.pc.in lib/axt.h Makefile $(B)/hdf5/link
	@mkdir -p $(@D)
	@$(call make_pc,$(abspath $(B)),$(abspath $(B)),$(CURDIR)/lib,$(CURDIR)/lib) $< $(to_file)

# ---- commands ----

# The library is found beside bin/ both here and where they are installed. libm is linked with a command that calls
# it (--as-needed); which calls those are depends on the compiler, for GCC has floor() as an instruction.
cmd_ldflags := -pie -Wl,--as-needed -L$(B) -laxt -lm -ldl $(if $(RPATH),-Wl$(comma)-rpath$(comma)'$(RPATH)') -Wl,-O1 -Wl,--hash-style=gnu
$(B)/bin/axt: $(cmd_obj) $(B)/libaxt.so
	@mkdir -p $(@D)
	$(call say,LD) $(CC) $(san) -o $@ $(cmd_obj) $(cmd_ldflags) $(LDFLAGS)
$(bins): $(B)/bin/axt
	@ln -f $< $@
# All commands, for main.c. It changes only where one has come or gone.
$(B)/cmd/list.inc: $(cmd_src) Makefile $(if $(other_commands),FORCE) | setup-build
	@mkdir -p $(@D)
	@printf 'COMMAND(%s)\n' $(commands) >$@.new && { cmp -s $@.new $@ || cp $@.new $@; } && rm $@.new
$(B)/cmd/main.o: $(B)/cmd/list.inc
$(B)/cmd/main.o: private cflags += -I$(B)/cmd

$(man_ew): $(B)/man/axt-%.1: man/elementwise.1.in man/elementwise.sh | $(B)/bin/axt-% $(B)/lib/libaxt.so.$(SOMAJOR)
	@mkdir -p $(@D)
	@man/elementwise.sh $* $(B)/bin $(to_file)

# Tests of rooms see everything in the archive, hidden or not. One makes its files with libhdf5's own calls.
$(B)/tests/test_store_read: private cflags += $(h5_cflags)
$(B)/tests/%: tests/unit/%.c $(B)/libaxt.a Makefile
	@mkdir -p $(@D)
	$(call say,CC) $(CC) $(cflags) -MMD -MP -MF $@.d -o $@ $< $(B)/libaxt.a -lcmocka $(libs) $(LDFLAGS)

# Damaged files in great numbers, read in child processes.
$(B)/tests/mutants: private cflags += $(h5_cflags)
$(B)/tests/mutants: tests/mutants.c $(B)/libaxt.a Makefile
	@mkdir -p $(@D)
	$(call say,CC) $(CC) $(cflags) -MMD -MP -MF $@.d -o $@ $< $(B)/libaxt.a $(libs) $(LDFLAGS)

# Makes calls fail where it is preloaded.
$(B)/tests/faulty.so: tests/faulty.c Makefile
	@mkdir -p $(@D)
	$(call say,CC) $(CC) -std=gnu11 -g -O1 -Wall -Wextra $(WERROR) -fPIC -shared -o $@ $< -ldl

-include $(all_obj:.o=.d) $(cmd_obj:.o=.d) $(unit_bins:=.d) $(B)/tests/mutants.d

# ---- what people ask for ----

demo: all   ## shows axt at its main work, on real data
	@$(SETUP) demo
	@B=$(B) scripts/demo

check: all   ## every test; closes with the number passed and failed
	@$(SETUP) test
	-@$(MAKE) --no-print-directory -k B=$(B) mpi units
	@tests/run -b $(B) -j $(J) $(SUITES)

check-faults: all units   ## every system call and every allocation of many commands fails, one at a time (an hour), or WORDS='info split'
	@AXT_TOP=$(CURDIR) AXT_BUILD=$(abspath $(B)) HDF5_USE_FILE_LOCKING=FALSE /usr/bin/python3 tests/inject.py all $(WORDS)

san_asan := address
san_ubsan := undefined
san_tsan := thread
check-asan:   ## the tests under AddressSanitizer (clang)
check-ubsan:   ## the tests under UndefinedBehaviorSanitizer (clang)
check-tsan:   ## the tests under ThreadSanitizer (clang)
check-asan check-ubsan check-tsan: check-%:
	@$(SETUP) build test san
	@$(MAKE) --no-print-directory CC=clang SAN=$(san_$*) B=$(B)/$* all units
	@tests/run -b $(B)/$* -j $(J) -s $(san_$*) $(SUITES)

# What arm64 is built with here: scripts/arm64 makes it, outside of the tree. Suites that start no program by itself, and need
# no part of Python or of HDF5 for it.
ARM64 ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/axt/arm64
arm64_suites := $(addprefix unit/test_,base dtype filters kern linalg gufunc axes calc) \
	$(addprefix cmd/,cast dot ew linalg make map pad print reduce scan sort take trend window)
arm64:   ## a build for arm64 processors, in build/arm64, by a cross compiler
	@$(SETUP) build arm64
	@scripts/arm64 $(ARM64)
	@PKG_CONFIG_LIBDIR=$(ARM64)/root/usr/lib/aarch64-linux-gnu/pkgconfig PKG_CONFIG_SYSROOT_DIR=$(ARM64)/root \
		$(MAKE) --no-print-directory CC=$(ARM64)/cc CROSS=aarch64-linux-gnu- B=$(B)/arm64 SETUP=: mpis=abi lib cmds units

check-arm64: all arm64   ## some suites by qemu, and CASES (200) random commands on each processor, from SEED (1) on
	@$(SETUP) test
	@tests/run -b $(B)/arm64 -j $(J) -s qemu=$(ARM64)/run $(or $(SUITES),$(arm64_suites))
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/processors.py $(abspath $(B)) $(abspath $(B))/arm64/qemu $(or $(CASES),200) $(or $(SEED),1)

check-slurm: all   ## jobs that Slurm starts on two nodes, both of them this machine, as root
	@$(SETUP) test slurm
	@tests/run -b $(B) slurm

check-valgrind: all   ## the tests of the commands under valgrind memcheck
	@$(SETUP) test valgrind
	-@$(MAKE) --no-print-directory -k B=$(B) units
	@tests/run -b $(B) -j $(J) -s valgrind $(SUITES)

FUZZ_S ?= 60
MUTANTS ?= 20000
STORES ?= 5000
ROUNDS ?= 120
FUZZ ?= $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/*.c))
# tests/fuzz/NAME/ has what it begins with. The library is made so that libFuzzer sees which of its branches an input takes.
fuzz:   ## libFuzzer on each parser of tests/fuzz, or FUZZ='plan', for FUZZ_S seconds (60) each; ASan and UBSan; then MUTANTS (20000) damaged files, STORES (5000) damaged stores of Zarr, and ROUNDS (120) of commands at one file at a time
	@$(SETUP) build test san
	@$(MAKE) --no-print-directory CC=clang SAN=address,undefined,fuzzer-no-link B=$(B)/fuzz $(B)/fuzz/libaxt.a
	@$(MAKE) --no-print-directory CC=clang SAN=address,undefined,fuzzer B=$(B)/fuzz run-fuzz FUZZ_S=$(FUZZ_S)
	@$(MAKE) --no-print-directory all $(B)/tests/mutants
	AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/mutants.py $(MUTANTS) $$(date +%s)
	@$(MAKE) --no-print-directory CC=clang SAN=address B=$(B)/asan all
	AXT_BUILD=$(abspath $(B))/asan AXT_SANITIZER=address /usr/bin/python3 tests/mutants_stores.py $(STORES) $$(date +%s)
	AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/together.py $(ROUNDS) $$(date +%s)

run-fuzz: $(FUZZ:%=run-fuzz-%)
run-fuzz-%: tests/fuzz/%.c
	@mkdir -p $(B)/tests/corpus-$*
	$(CC) $(cflags) -o $(B)/tests/fuzz_$* $< $(B)/libaxt.a $(libs) $(LDFLAGS)
	cd $(B)/tests && ./fuzz_$* -max_len=4096 -max_total_time=$(FUZZ_S) corpus-$* \
		$(addprefix $(CURDIR)/,$(wildcard tests/fuzz/$*))

BATCHES ?= 5000
campaign-linalg: all   ## functions of matrices beside NumPy: BATCHES (5000) random batches from SEED (1) on; make check does 24
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/linalg.py $(BATCHES) $(or $(SEED),1)

campaign-classic: all   ## netCDF classic beside the netCDF library: CASES (1000) random files, and twice as many damaged ones
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/classic.py $(or $(CASES),1000) $(or $(SEED),1)

campaign-copies: all   ## whole files copied, and through Zarr and back: CASES (300) random files from SEED (1) on; FILES='a.nc ...' instead counts differences of these
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/copies.py $(or $(abspath $(FILES)),$(or $(CASES),300) $(or $(SEED),1))

campaign-ranks: all   ## jobs of several processes of MPI: CASES (500) random expressions, from SEED (1) on, and ends of jobs: 100 killed processes of each MPI
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/ranks.py $(or $(CASES),500) $(or $(SEED),1)
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/ends.py $(or $(TIMES),100) $(or $(SEED),1)

campaign-parts: all   ## jobs cut into parts beside the whole: CASES (2000) random expressions, from SEED (1) on; make check does 48
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/parts.py $(or $(CASES),2000) $(or $(SEED),1)

campaign-scale: all   ## jobs of up to 10,000 processes on up to 100 TB, explained: CASES (2000) random expressions, from SEED (1) on, and a table; make check does 40
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/scale.py $(or $(CASES),2000) $(or $(SEED),1)

campaign-operations: all   ## every operation with PAIRS (60) pairs of values as command, function and C call; WORD='fft' alone; make check does 5
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/operations.py $(or $(PAIRS),60) '$(WORD)'

campaign-append: all   ## files that grow in place: APPENDS (10000) records, killed and read meanwhile, from SEED (1) on
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/append.py $(or $(APPENDS),10000) $(or $(SEED),1)

campaign-same: all   ## 3,500 lines of the shell over all commands: the same bytes and messages as another build has, BEFORE=DIR; WORD='axt-scan' alone
	@AXT_BUILD=$(abspath $(B)) /usr/bin/python3 tests/same_bytes.py $(or $(abspath $(BEFORE)),$(error BEFORE=DIR is the other build)) $(abspath $(B)) '$(WORD)'

bench: all   ## axt beside a C floor, NumPy, NCO and CDO; BENCH='--size small --ops add,sum'; QUICK=1 takes 5 minutes; JSON=FILE
	@$(SETUP) bench
	@/usr/bin/python3 scripts/bench/run.py --build $(B) $(if $(QUICK),--quick) $(addprefix --json ,$(or $(JSON),$(if $(QUICK),$(B)/bench.json))) $(BENCH)

bench-search: all   ## what axt is slowest in, found by chance in MINUTES (5), from SEED (1) on; CASE=K alone; JSON=FILE, MOST=MB
	@$(SETUP) bench
	@/usr/bin/python3 scripts/bench/search.py --build $(B) --seed $(or $(SEED),1) --minutes $(or $(MINUTES),5) \
		$(if $(CASE),--case $(CASE)) $(if $(ROW),--row '$(ROW)') $(if $(MOST),--most $(MOST)) $(if $(JSON),--json $(JSON))

bench-compare:   ## two builds in alternating pairs, OLD=DIR and NEW=DIR: OPS='sum,add' of the bench, or drawn cases (SEED=1 CASES=0:20 MOST=MB); PAIRS=9, JSON=FILE
	@$(SETUP) bench
	@/usr/bin/python3 scripts/bench/compare.py $(or $(OLD),$(error OLD=DIR is the build before)) $(or $(NEW),$(B)) $(if $(OPS),--ops '$(OPS)') \
		$(if $(SEED),--seed $(SEED)) $(if $(CASES),--cases $(CASES)) $(if $(PAIRS),--pairs $(PAIRS)) $(if $(MOST),--most $(MOST)) $(if $(JSON),--json $(JSON))

conform: all   ## BACKEND=cuda: a device beside the CPU, on a machine that has one (else a C compiler plays it)
	-@$(MAKE) --no-print-directory B=$(B) units
	@AXT_CONFORM=$(BACKEND) CMOCKA_MESSAGE_OUTPUT=TAP $(B)/tests/test_device

bench-cuda: all   ## the same machine: kernels beside the copy bandwidth, pipelines beside torch and CuPy
	@PATH=$(abspath $(B))/bin:$$PATH /usr/bin/python3 scripts/bench/cuda.py

lint: all   ## clang-tidy, and what lint-quick looks at
	@$(SETUP) lint
	@scripts/lint

lint-quick: all   ## shellcheck, mandoc -Tlint, rooms, headers, clang-format
	@$(SETUP) lint
	@scripts/lint --quick

format:   ## clang-format on the sources
	@$(SETUP) lint
	@clang-format -i $$(git ls-files '*.c' '*.h')

man: all   ## the manual pages as text, in build/man
	@$(SETUP) test
	@for p in $(man_src); do mandoc -Tutf8 $$p | col -bx >$(B)/man/$${p##*/}.txt; done
	@ls $(B)/man/*.txt

wheel: lib   ## build/wheel/axt-*.whl: the package of Python with the library inside
	@$(SETUP) wheel
	@scripts/wheel $(B)

install: all   ## into DESTDIR PREFIX (default /usr/local)
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCDIR)/axt
	install -m 755 $(B)/bin/axt $(DESTDIR)$(BINDIR)
	cd $(DESTDIR)$(BINDIR) && for n in $(command_names); do $(LINK) axt axt-$$n; done
	install -m 644 $(B)/libaxt.so $(DESTDIR)$(LIBDIR)/libaxt.so.$(VERSION)
	ln -sfn libaxt.so.$(VERSION) $(DESTDIR)$(LIBDIR)/libaxt.so.$(SOMAJOR)
	ln -sfn libaxt.so.$(SOMAJOR) $(DESTDIR)$(LIBDIR)/libaxt.so
	install -m 644 $(B)/libaxt.a $(DESTDIR)$(LIBDIR)
	install -D -m 644 -t $(DESTDIR)$(LIBDIR)/axt $(mpis:%=$(B)/lib/axt-mpi-%.so)
	$(call make_pc,$(PREFIX),$(LIBDIR),$(INCDIR),$(INCDIR)/axt) scripts/axt.pc.in >$(DESTDIR)$(LIBDIR)/pkgconfig/axt.pc
	install -d $(DESTDIR)$(COMPDIR) $(DESTDIR)$(ZSHDIR) $(DESTDIR)$(FISHDIR)
	$(B)/bin/axt completion bash >$(DESTDIR)$(COMPDIR)/axt
	$(B)/bin/axt completion zsh >$(DESTDIR)$(ZSHDIR)/_axt
	$(B)/bin/axt completion fish >$(DESTDIR)$(FISHDIR)/axt.fish
	for n in $(notdir $(bins)); do ln -sf axt.fish $(DESTDIR)$(FISHDIR)/$$n.fish; done
	install -m 644 lib/axt.h lib/axt_operation.h lib/axt_types.h lib/devices.def lib/errs.def lib/formats.def lib/linalg.def lib/ops.def lib/reds.def $(DESTDIR)$(INCDIR)/axt
	for p in $(man_src); do s=$${p##*.}; install -D -m 644 $$p $(DESTDIR)$(MANDIR)/man$$s/$${p##*/}; done

uninstall:   ## takes out what install put in
	cd $(DESTDIR)$(BINDIR) && rm -f axt $(notdir $(bins))
	cd $(DESTDIR)$(LIBDIR) && rm -f libaxt.a $(mpis:%=axt/axt-mpi-%.so) libaxt.so libaxt.so.$(SOMAJOR) libaxt.so.$(VERSION) pkgconfig/axt.pc
	rm -rf $(DESTDIR)$(INCDIR)/axt $(DESTDIR)$(COMPDIR)/axt $(DESTDIR)$(ZSHDIR)/_axt
	cd $(DESTDIR)$(FISHDIR) && rm -f axt.fish $(addsuffix .fish,$(notdir $(bins)))
	for p in $(man_src); do rm -f $(DESTDIR)$(MANDIR)/man$${p##*.}/$${p##*/}; done

html: pages   ## the manual as pages for browsers, in build/html
	@$(SETUP) lint
	@scripts/html $(B)/html $(man_src)

deb:   ## Debian's packages, of the last commit, in build/deb (debian/ says which)
	@$(SETUP) deb
	@scripts/deb $(abspath $(B))/deb

tarball:   ## build/tarball/axt-*.tar.gz, which runs on any Linux of x86-64 from glibc 2.31 on; made in a Debian 11, as root
	@scripts/tarball $(B)/tarball

check-tarball: all   ## that tarball in a Debian 11 that has nothing: commands write there what they write here
	@scripts/tarball --try $(B)/tarball $(B)/bin

list:   ## this list
	@sed -n 's/^\([a-z-]*\):.*   ## \(.*\)/\1\t\2/p' Makefile | expand -t 18

clean:   ## removes the build directory
	rm -rf $(B)
