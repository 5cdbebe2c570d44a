load helper

setup_file()
{
	export AXT_FUSE=1
}

@test "fft: without FFTW" {
	axt-make normal t=8 -o a.h5
	mkdir lib
	echo >lib/libfftw3.so.3
	fails 1 'axt-fft: Fourier transforms are done by FFTW: libfftw3.so.3 cannot be loaded (Debian*libfftw3-double3)' \
		'LD_LIBRARY_PATH=lib axt-fft --along t a.h5 -o o.h5'
	[ ! -e o.h5 ]
}
