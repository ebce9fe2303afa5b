#!/usr/bin/python3
"""What is installed works wherever it lies: the command, a picture by the driver on the model, the driver as Vulkan's
loader finds it, a program with ail.

Usage: test_install.py BUILD                     installs into an empty folder and moves that
       test_install.py BUILD --packages FOLDER   unpacks the Debian packages in FOLDER (bin/packages)
"""
import fnmatch
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLEAN = {k: v for k, v in os.environ.items()
         if not k.startswith(('INDIUM_', 'LD_', 'VK_', 'XDG_', 'PKG_CONFIG')) and k != 'DESTDIR'}
PACKAGES = {'indium-vulkan-driver', 'indium-tools', 'libail0', 'libail-dev'}
AIL = """#include <stdio.h>
#include <ail/ail.h>
int main(void)
{
   struct ail_image image = {.format = 37, .dimension = AIL_2D, .width_px = 640, .height_px = 480, .depth_px = 1,
                             .layers = 1, .levels = 1, .samples = 1};
   struct ail_layout layout;
   return puts(ail_error_text(ail_layout_init(&layout, &image))) < 0;
}
"""


def run(*args, folder=None, **environment):
  done = subprocess.run(args, capture_output=True, text=True, timeout=120, cwd=folder, env={**CLEAN, **environment})
  assert done.returncode == 0, done
  return done.stdout + done.stderr


def one(prefix, pattern):
  found = list(prefix.rglob(pattern))
  assert len(found) == 1, (pattern, found)
  return found[0]


def check_command(prefix, built, scratch):
  """The same answers as from the build folder; a page for each command and completion of all."""
  indium = one(prefix, 'bin/indium')
  link = scratch / 'a command'
  link.symlink_to(indium)
  for args in (['--help'], ['gpus'], ['run', '--help'], ['layout', '64x64', 'R8_UNORM']):
    assert run(indium, *args) == run(built, *args), args
  commands = re.findall(r'^  (\w+) ', run(indium, '--help'), re.M)
  pages = {p.name.removesuffix('.gz') for p in (prefix / 'share/man/man1').iterdir()}
  assert len(commands) > 5 and pages == {'indium.1', *(f'indium-{c}.1' for c in commands)}, pages
  for shell, path in (('bash', 'bash-completion/completions/indium.bash'), ('zsh', 'zsh/*/_indium'),
                      ('fish', 'fish/vendor_completions.d/indium.fish')):
    assert one(prefix / 'share', path).read_text() == run(built, 'manual', shell), shell
  run(indium, 'wave', ROOT / 'tests/amd/sim/waves/poison.wave')
  values = dict(line.split('=', 1) for line in run(link, 'run', '--', 'env').splitlines() if '=' in line)
  assert values['VK_DRIVER_FILES'] == str(one(prefix, 'share/vulkan/icd.d/*.json')), values
  return indium


def check_picture(prefix, indium, built, triangle, scratch):
  """The picture of the build folder: by the command, and as the loader finds the driver without being told."""
  shim = one(prefix, 'libindium_amdgpu_shim.so')
  library = one(prefix, 'libindium_icd.so')
  pictures = [scratch / f'{i}.png' for i in range(3)]
  run(built, 'run', '--', triangle, '-o', pictures[0])
  # A copy, so that nothing of the folder of the build is in its way.
  shutil.copy(triangle, scratch / 'triangle')
  outputs = [run(indium, 'run', '--', './triangle', '-o', pictures[1], folder=scratch, VK_LOADER_DEBUG='driver'),
             run('./triangle', '-o', pictures[2], folder=scratch, VK_LOADER_DEBUG='driver', LD_PRELOAD=shim.name,
                 LD_LIBRARY_PATH=str(shim.parent), XDG_DATA_DIRS=str(prefix / 'share'))]
  for output, picture in zip(outputs, pictures[1:]):
    assert picture.read_bytes() == pictures[0].read_bytes(), output
    loaded = {os.path.realpath(p) for p in re.findall(r'with driver: "([^"]+)"', output)}
    assert loaded == {str(library)}, (loaded, output)


def check_shims(prefix, indium):
  """The command preloads the shim of the chip's vendor."""
  for chip, name in (('navi21', 'libindium_amdgpu_shim.so'), ('m1', 'libindium_asahi_shim.so')):
    output = run(indium, 'run', '--gpu', chip, '--mode', 'noop', '--', 'env')
    preloaded = re.search('(?m)^LD_PRELOAD=([^:\n]*)', output)[1]
    assert one(prefix, name) and os.path.basename(preloaded) == name, preloaded
  output = run(indium, 'run', '--gpu', 'm1', '--mode', 'noop', '--wrap', '--', 'env')
  preloaded, name = re.search('(?m)^LD_PRELOAD=([^:\n]*):', output)[1], 'libindium_asahi_wrap.so'
  assert one(prefix, name) and os.path.basename(preloaded) == name, preloaded


def check_replay(indium, scratch):
  """What is recorded there is replayed there."""
  run(indium, 'run', '--record', scratch / 'recording', '--', './triangle', '-o', os.devnull, folder=scratch)
  hashes = re.findall('(?m)^wrote .*', (scratch / 'recording').read_text())
  assert hashes and re.findall('(?m)^wrote .*', run(indium, 'replay', scratch / 'recording')) == hashes
  assert 's_endpgm' in run(indium, 'decode', scratch / 'recording')


def check_libraries(prefix):
  """No search path of the linker's, and versions where somebody links."""
  for path in [one(prefix, 'bin/indium'), *(p for p in prefix.rglob('*.so*') if not p.is_symlink())]:
    dynamic = run('readelf', '-d', path)
    assert 'RPATH' not in dynamic and 'RUNPATH' not in dynamic, (path, dynamic)
    assert not re.search(r'NEEDED.*(indium|ail)', dynamic), (path, dynamic)
    soname = re.search(r'SONAME.*\[(.*)\]', dynamic)
    expected = {'libail': 'libail.so.0', 'indium': None}.get(path.name.split('.')[0], path.name)
    assert (soname and soname[1]) == expected, (path, dynamic)


def check_ail(prefix, scratch):
  """A program of somebody else's, with what pkg-config says."""
  (scratch / 'main.c').write_text(AIL)
  folder = one(prefix, 'ail.pc').parent
  flags = shlex.split(run('pkg-config', '--define-variable=prefix=' + str(prefix).replace(' ', r'\ '), '--cflags',
                          '--libs', 'ail', PKG_CONFIG_PATH=str(folder)))
  run('cc', 'main.c', '-o', 'main', *flags, folder=scratch)
  assert run(scratch / 'main', LD_LIBRARY_PATH=str(folder.parent)) == 'no error\n'
  assert re.search(r'NEEDED.*\[libail\.so\.0\]', run('readelf', '-d', scratch / 'main'))


def check_debian(prefix):
  """debian/ against the installed files: each goes into one package, and no line is for none."""
  control = (ROOT / 'debian/control').read_text()
  files = ['usr/' + p.relative_to(prefix).as_posix() for p in prefix.rglob('*') if not p.is_dir() or p.is_symlink()]
  assert set(re.findall(r'^Package: (\S+)$', control, re.M)) == PACKAGES
  owners = {file: [] for file in files}
  for package in PACKAGES:
    for line in (ROOT / f'debian/{package}.install').read_text().splitlines():
      pattern = line.split()[0]
      matching = [f for f in files if fnmatch.fnmatchcase(f, pattern) or fnmatch.fnmatchcase(f, pattern + '/*')]
      assert matching, f'{package}: nothing is installed as {pattern}'
      for file in matching:
        owners[file].append(package)
  wrong = {file: packages for file, packages in owners.items() if len(packages) != 1}
  assert not wrong, wrong
  version = re.search(r"version : '([^']+)'", (ROOT / 'meson.build').read_text())[1]
  assert (ROOT / 'debian/changelog').read_text().startswith(f'indium ({version})')


def unpack(folder, prefix):
  """The packages, each of which may need others only as it says."""
  found = {}
  for path in pathlib.Path(folder).glob('*.deb'):
    run('dpkg-deb', '-x', path, prefix.parent)
    found[run('dpkg-deb', '-f', path, 'Package').strip()] = run('dpkg-deb', '-f', path, 'Depends')
  assert set(found) == PACKAGES, found
  for package, needed in (('indium-tools', 'indium-vulkan-driver (= '), ('libail-dev', 'libail0 (= '),
                          ('indium-vulkan-driver', 'libdrm-amdgpu1'), ('libail0', 'libc6')):
    assert needed in found[package], found


def main():
  build = pathlib.Path(sys.argv[1]).resolve()
  built, triangle = build / 'src/tools/indium', build / 'examples/triangle'
  with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder).resolve()
    moved, scratch = folder / 'moved to/usr', folder / 'somewhere'
    scratch.mkdir()
    moved.parent.mkdir()
    if len(sys.argv) > 2:
      unpack(sys.argv[3], moved)
    else:
      run('meson', 'install', '-C', build, '--no-rebuild', '--quiet', '--destdir', folder / 'dest')
      one(folder / 'dest', 'bin/indium').parent.parent.rename(moved)
      shutil.rmtree(folder / 'dest')
      check_debian(moved)
    indium = check_command(moved, built, scratch)
    check_picture(moved, indium, built, triangle, scratch)
    check_shims(moved, indium)
    check_replay(indium, scratch)
    check_libraries(moved)
    check_ail(moved, scratch)
  print('fine')


if __name__ == '__main__':
  main()
