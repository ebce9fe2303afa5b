#!/usr/bin/python3
"""Debian 12 and 13 as hosts: the steps of Containerfile in roots that debootstrap makes, then the commands of the
installed packages. In another root of each, our packages as `apt install` leaves them, and programs in windows.

Usage: test_hosts.py [--folder FOLDER] [--no-build] BUILD [RELEASE...]. BUILD has the program that draws there, and
the one that compares pictures.
FOLDER keeps the roots (a gigabyte each); a root that is there is used again, and with --no-build also the
stages.
Status 77: no root can be made here, or none can be entered.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import host_programs
from debian_roots import NAMES, ROOT, Skip, call, enter, make_base, need, prepare

# What the image does without.
MORE = ['libgl1-mesa-dri', 'man-db']
# A shader, a wave, a recording: each file that a check reads, and where it comes from.
FILES = {'poison.wave': 'tests/amd/sim/waves/poison.wave', 'quad.vert': 'tests/vulkan/shaders/quad.vert',
         'triangle.frag': 'examples/shaders/triangle.frag'}
# Command line, what it prints, its status. They run in one folder, one after the other.
CHECKS = [
  ('indium --help', 'usage: indium COMMAND', 0),
  ('indium gpus', 'navi21', 0),
  ('indium drivers', r"radv +Vulkan +Mesa 2\d\..*, the system's", 0),
  ('indium run -- vulkaninfo --summary', 'driverName += Indium', 0),
  *((f'indium run --gpu {chip} -- vulkaninfo --summary', 'driverName += Indium', 0)
    for chip in ('vega10', 'navi31', 'gfx1150', 'm1', 'm2ultra')),
  ('indium run --driver radv -- vulkaninfo --summary', r'deviceName += .*RADV NAVI21', 0),
  ('indium run --driver hasvk --gpu bdw -- vulkaninfo --summary', r'deviceName += Intel', 0),
  ('indium run --driver radeonsi -- true', '', 0),
  ('indium run --gpu m1 -- ./triangle -o m1.png', '', 0),
  ('indium run --driver radv -- ./triangle -o radv.png', '', 0),
  ('indium run --record recording --trace trace.json --dump-state state -- ./triangle -o navi21.png', '', 0),
  ('indium replay recording', '^wrote ', 0),
  ('indium decode recording', 's_endpgm', 0),
  ('indium trace trace.json --plot trace.png', 'wave', 0),
  ('indium shader triangle.frag --print nir,asm,stats', 's_endpgm', 0),
  ('indium shader triangle.frag --gpu m1 --print asm', 'stop', 0),
  ('indium varyings quad.vert triangle.frag', '', 0),
  ('indium wave poison.wave', '', 0),
  ("indium order --explain 'depth_test=yes color0.format=R8G8B8A8_UNORM'", 'in order', 0),
  ('indium order --check -- ./triangle -o order.png', '', 0),
  ("indium uav --explain 'gpu=bdw ps.stores=yes'", 'UAV', 0),
  ('indium layout 64x64 R8_UNORM', '64', 0),
  ('indium format R8_UNORM', 'R8_UNORM', 0),
  ('indium mutants --list', 'checks:', 0),
  ('man indium-run', 'indium run', 0),
  ('indium run -- /nowhere', 'cannot run /nowhere: No such file', 2),
]


def instructions(text):
  """(word, rest) of each line of a Containerfile."""
  for line in re.sub(r'\\\n', ' ', re.sub(r'(?m)^\s*#.*\n', '', text)).splitlines():
    if line.strip():
      word, rest = line.split(None, 1)
      yield word, rest.strip()


def copy_tree(target):
  """What `COPY .` brings, of git's files."""
  names = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                         check=True, stdout=subprocess.PIPE).stdout
  target.mkdir(parents=True)
  subprocess.run(['xargs', '-0', 'cp', '--parents', '-P', '-t', target], cwd=ROOT, input=names, check=True)


class Image:
  """Follows a Containerfile in roots below the folder."""

  def __init__(self, folder, base):
    self.folder, self.base, self.stages, self.root = folder, base, {}, None

  def stage(self, rest):
    image, _, name = rest.partition(' AS ')
    assert re.fullmatch(r'docker\.io/library/debian:\$\{RELEASE\}-slim', image), image
    self.root = self.folder / (name or 'image')
    shutil.rmtree(self.root, ignore_errors=True)
    need(['cp', '-a', '--reflink=auto', self.base, self.root])
    self.stages[name] = self.root

  def copy(self, rest):
    *options, source, target = rest.split()
    target = self.root / target.lstrip('/')
    if not options:
      assert source == '.', rest
      return copy_tree(target)
    stage = self.stages[options[0].removeprefix('--from=')]
    return shutil.copytree(stage / source.lstrip('/'), target)

  def run(self, rest):
    status, text = enter(self.root, rest)
    assert status == 0, f'RUN {rest}: status {status}\n{text[-4000:]}'

  def follow(self, text):
    for word, rest in instructions(text):
      if word not in ('ARG', 'ENTRYPOINT'):
        {'FROM': self.stage, 'COPY': self.copy, 'RUN': self.run}[word](rest)
    return self.root


def check(root, build):
  """What is wrong with the commands of the image."""
  home = root / 'root/checks'
  shutil.rmtree(home, ignore_errors=True)
  home.mkdir()
  for name, source in FILES.items():
    shutil.copy(ROOT / source, home / name)
  shutil.copy(build / 'examples/triangle', home)
  status, text = enter(root, f'apt-get update && apt-get install -y --no-install-recommends {" ".join(MORE)}')
  assert status == 0, text[-4000:]
  wrong = []
  helps = [(f'indium {command} --help', f'usage: indium {command}', 0)
           for command in re.findall(r'(?m)^  (\w+) ', enter(root, 'indium --help')[1])]
  for command, expected, wanted in CHECKS + helps:
    status, text = enter(root, f'cd /root/checks && {command}')
    if status != wanted or not re.search(expected, text, re.M) or re.search('Traceback|error while loading', text):
      wrong.append(f'{command}: status {status}, expected {wanted} and {expected!r}\n{text[-1500:]}')
  for name in ('m1', 'radv'):
    status, text = call([build / 'tests/vulkan/compare_pictures', home / 'navi21.png', home / f'{name}.png', '99.9'])
    if status:
      wrong.append(f'pictures of navi21 and {name}: {text}')
  return wrong, len(CHECKS) + len(helps)


def test(folder, release, options):
  """What is wrong on this release; its roots are below the folder."""
  name = NAMES[release]
  stages = folder / f'{name}.stages'
  stages.mkdir(exist_ok=True)
  image = stages / 'image'
  if not options.no_build or not image.exists():
    image = Image(stages, folder / name).follow((ROOT / 'Containerfile').read_text())
  wrong, count = check(image, options.build)
  debs = host_programs.our_packages(stages / 'build/packages')
  bad, shown = host_programs.check(folder / name, folder / f'{name}.windows', debs, release)
  wrong += bad
  print(*wrong, f'{name}: {count} commands, {shown} windows, {len(wrong)} wrong', sep='\n', flush=True)
  return wrong


def main():
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument('--folder', type=pathlib.Path)
  parser.add_argument('--no-build', action='store_true')
  parser.add_argument('build', metavar='BUILD', type=pathlib.Path)
  parser.add_argument('releases', metavar='RELEASE', nargs='*', help=f'default {" ".join(NAMES.values())}')
  options = parser.parse_args()
  numbers = {name: release for release, name in NAMES.items()}
  failed = 0
  try:
    mirror = prepare()
    with tempfile.TemporaryDirectory() as scratch:
      for name in options.releases or NAMES.values():
        folder = (options.folder or pathlib.Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        make_base(folder / name, name, mirror)
        failed += len(test(folder, numbers[name], options))
  except Skip as skip:
    print(f'SKIPPED, no host was tested: {skip}')
    return 77
  return bool(failed)


if __name__ == '__main__':
  sys.exit(main())
