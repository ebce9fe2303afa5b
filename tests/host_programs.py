"""Programs of one of Debian's releases (programs.toml) in a root with our installed packages: test_programs.py runs
there, with the lavapipe and the servers of that release."""
import os
import pathlib
import re
import shutil

import test_programs
from debian_roots import ROOT, call, enter, need

# What a person types once `apt install ./indium*.deb` is done, and what it prints.
FIRST, GPU = 'xvfb-run -a indium run -- vkcube --c 3', r'Selected GPU .*\(Indium\)'
WINDOW = ['vulkan-tools', 'xauth', 'xvfb']
# Beside the programs: what they are compared with, the other server, what runs test_programs.py, icons and letters.
BESIDE = ['adwaita-icon-theme', 'fonts-dejavu-core', 'libgl1-mesa-dri', 'mesa-vulkan-drivers', 'python3', 'weston']
TESTS, PICTURES = 'root/tests', 'root/pictures'


def install(root, command):
  status, text = enter(root, command)
  assert status == 0, f'{command}: status {status}\n{text[-4000:]}'


def our_packages(folder):
  found = sorted(pathlib.Path(folder).glob('indium-*.deb'))
  assert found, f'no packages are in {folder}: bin/packages makes them'
  return found


def install_ours(base, root, debs):
  """Our packages in the root: a copy of the base, or as an earlier call left it."""
  if not root.exists():
    need(['cp', '-a', '--reflink=auto', base, root])
  for path in debs:
    shutil.copy(path, root / 'root')
  install(root, 'apt-get update && apt-get install -y --reinstall /root/indium-*.deb')


def open_first(root):
  """What is wrong with a window right after that."""
  install(root, f'apt-get install -y --no-install-recommends {" ".join(WINDOW)}')
  status, text = enter(root, FIRST)
  wrong = status or not re.search(GPU, text) or test_programs.NO_SUBMITS in text
  return [f'{FIRST}: status {status}, expected {GPU!r}\n{text[-1500:]}'] * bool(wrong)


def install_programs(root, rows):
  packages = test_programs.packages(rows)
  install(root, f'apt-get install -y --no-install-recommends {" ".join(BESIDE + packages)}')
  for name in (TESTS, PICTURES):
    shutil.rmtree(root / name, ignore_errors=True)
  (root / PICTURES).mkdir()
  shutil.copytree(ROOT / 'tests/programs', root / TESTS / 'programs')
  for name in ('test_programs.py', 'programs.toml'):
    shutil.copy(ROOT / 'tests' / name, root / TESTS)


def compare(root, name, chip, driver='indium'):
  """(result, detail), as test_programs.compare()"""
  limit = os.environ.get('LIMIT_S', '400')
  text = enter(root, f'KEEP=/{PICTURES} LIMIT_S={limit} INDIUM_PEERS=/mnt python3 -B /{TESTS}/test_programs.py '
                     f'/usr/bin/indium {name} {chip} {driver}', ROOT / 'out/peers')[1]
  if os.environ.get('KEEP'):
    call(['cp', '-r', f'{root / PICTURES}/.', os.environ['KEEP']])
  found = re.search(rf'(?m)^{name} on {chip} with {driver}: (\w+): (.*)', text)
  return found.groups() if found else ('fails', text.strip().replace('\n', '; ')[-160:])


def version(root, package):
  return enter(root, f"dpkg-query -W -f '${{Version}}' {package}")[1]


def check(base, root, debs, release):
  """What is wrong with the packages debs, and how many windows there were. Of Debian 12 one program is enough: the
  others are tests of meson."""
  install_ours(base, root, debs)
  wrong, count = open_first(root), 1
  rows = {'vkcube': test_programs.programs(12)['vkcube']} if release == 12 else test_programs.programs(release)
  install_programs(root, rows)
  for name, program in rows.items():
    for chip in program.chips:
      result, detail = compare(root, name, chip)
      count += 1
      if result not in ('right', 'drawn'):
        wrong.append(f'{name} on {chip}: {result}: {detail}')
  return wrong, count
