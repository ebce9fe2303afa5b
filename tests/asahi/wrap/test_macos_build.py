#!/usr/bin/python3
"""The build of the tracer for macOS, as far as it goes elsewhere: test_macos_build.py SOURCE_ROOT CC.

Meson is told that the host is macOS, and every file of wrap.dylib is compiled. What they lack then are the eleven
entry points of IOKit, and nothing else.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command):
  done = subprocess.run(command, capture_output=True, text=True, timeout=200)
  assert done.returncode == 0, (command, done.stdout[-3000:], done.stderr[-3000:])
  return done.stdout


def main():
  root, compiler = sys.argv[1], sys.argv[2:]
  with tempfile.TemporaryDirectory() as folder:
    cross, build = pathlib.Path(folder) / 'macos.ini', os.path.join(folder, 'build')
    cross.write_text(f"[binaries]\nc = {compiler}\npkgconfig = 'pkg-config'\nar = 'ar'\n[host_machine]\n"
                     "system = 'darwin'\ncpu_family = 'aarch64'\ncpu = 'aarch64'\nendian = 'little'\n")
    run('meson', 'setup', '-Dtests=false', '--cross-file', cross, build, root)
    targets = [line.split(':')[0] for line in run('ninja', '-C', build, '-t', 'targets', 'all').splitlines()]
    objects = [name for name in targets if name.endswith('.o') and 'wrap.dylib' in name]
    assert any('wrap_macos.c.o' in name for name in objects) and len(objects) > 20, targets
    run('ninja', '-C', build, '-j2', *objects, 'src/asahi/hw/libasahi_hw.a')
    linked = subprocess.run([*compiler, '-o', 'wrap', *objects,
                             'src/asahi/hw/libasahi_hw.a', '-lxxhash', '-lm', '-lpthread'],
                            capture_output=True, text=True, cwd=build, timeout=100)
    missing = set(re.findall(r'undefined reference to `(\w+)', linked.stderr)) - {'main'}  # it is a library
    header = (pathlib.Path(root) / 'src/asahi/wrap/iokit.h').read_text()
    assert len(missing) == 11 and missing == set(re.findall(r'\b(IO\w+)\(', header)), linked.stderr[-3000:]
  print(f'{len(objects)} files compiled')


if __name__ == '__main__':
  main()
