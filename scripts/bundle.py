"""What packages of axt for other machines bring along: libraries, licences, and what these libraries ask of glibc."""
import os
import re
import shutil
import subprocess

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
with open(f'{TOP}/lib/axt.h', encoding='utf-8') as header:
    VERSION = re.search(r'^#define AXT_VERSION "(.*)"', header.read(), re.M)[1]
# Debian's packages of archives that libaxt has inside.
INSIDE = 'libhdf5-dev', 'libaec-dev', 'libdeflate-dev', 'zlib1g-dev'


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def linked(path):
    """The names and places of the libraries that one is linked to, which are none of libc's."""
    found = re.findall(r'^\s*(\S+) => (/\S+)', output('ldd', path), re.M)
    return [(name, place) for name, place in found if not re.match(r'(libc|libm|libdl|libpthread|librt)\.so', name)]


def licence(place):
    """The licence of a file of a Debian package; None elsewhere."""
    path = os.path.realpath(place)
    for known in path, path.removeprefix('/usr'):  # where /lib is a link, packages may have files in it
        try:
            return f'/usr/share/doc/{output("dpkg", "-S", known).split(":")[0]}/copyright'
        except (OSError, subprocess.CalledProcessError):
            pass
    return None


def bring(libraries, to, licences):
    """Copies libraries, stripped, and the licences of these and of what is in libaxt; returns where the copies are."""
    os.makedirs(licences, exist_ok=True)
    texts = {package: f'/usr/share/doc/{package}/copyright' for package in INSIDE}
    for name, place in libraries:
        subprocess.run(['strip', '--strip-unneeded', '-o', f'{to}/{name}', os.path.realpath(place)], check=True)
        texts[name] = licence(place)
    for name, text in texts.items():
        if text and os.path.exists(text):
            shutil.copy(text, f'{licences}/{name}')
    return [f'{to}/{name}' for name, _ in libraries]


def glibc(files):
    """The version of glibc whose functions they call, as two numbers."""
    return max(tuple(map(int, v.split('.'))) for f in files for v in re.findall(r'GLIBC_(\d+\.\d+)', output('objdump', '-T', f)))
